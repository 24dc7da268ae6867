"""Families of LDP mechanisms against the mechanisms themselves, and against the limit."""

from dataclasses import dataclass
from math import exp

import numpy as np
import pytest

from ldpcore import frontier, limit
from ldpcore.attacks import bayes
from ldpcore.mechanisms.local_hashing import OLH
from ldpcore.mechanisms.subset import SS
from ldpcore.mechanisms.unary import OUE, THE

K = 6


@dataclass(frozen=True, eq=False)
class Sized(SS):
    w: int = 2  # type: ignore[assignment]


@dataclass(frozen=True, eq=False)
class Buckets(OLH):
    g: int = 2  # type: ignore[assignment]


@dataclass(frozen=True, eq=False)
class Bits(OUE):
    p: float = 0.5

    @property
    def _pair(self):
        return np.full(self.k, self.p), np.full(self.k, self.p / (exp(self.epsilon) * (1 - self.p) + self.p))


@dataclass(frozen=True, eq=False)
class Above(THE):
    threshold: float = 0.5  # type: ignore[assignment]


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_every_member_errs_and_exposes_as_the_mechanism_does(epsilon):
    every, freq = frontier.families(K, epsilon), np.array([0.4, 0.2, 0.2, 0.1, 0.1, 0.0])
    made = {"subset": lambda w: Sized(epsilon, K, int(w)), "hash": lambda g: Buckets(epsilon, K, int(g)),
            "unary": lambda p: Bits(epsilon, K, p), "threshold": lambda theta: Above(epsilon, K, theta)}  # fmt: skip
    for name, build in made.items():
        part = every[every["family"] == name]
        for row in part.iloc[:: max(1, len(part) // 6)].itertuples():
            m = build(row.parameter)
            assert row.mse == pytest.approx(m.variance(freq, 1).mean()), (name, row.parameter)
            assert row.exposure == pytest.approx(bayes.success(m).mean()), (name, row.parameter)


def test_the_usual_members_are_members():
    every, usual = frontier.families(K, 1.0), frontier.known(K, 1.0).set_index("mechanism")
    subset = every[every["family"] == "subset"].set_index("parameter")
    assert usual.loc["GRR", "mse"] == pytest.approx(subset.loc[1, "mse"])
    assert usual.loc["SS", "exposure"] == pytest.approx(subset.loc[2, "exposure"])
    for key, family in (("OUE", "unary"), ("OLH", "hash"), ("THE", "threshold")):
        part = every[every["family"] == family][["mse", "exposure"]].to_numpy(float)
        there = usual.loc[key, ["mse", "exposure"]].to_numpy(float)
        assert ((part / there - 1) ** 2).sum(axis=1).min() < 1e-6, key


def test_hashing_lies_on_the_curve_of_unary_encoding():
    every = frontier.families(20, 1.0)
    part = every[every["family"] == "hash"]
    a, b = (part[name].to_numpy(float) for name in "ab")
    assert b == pytest.approx(a / (exp(1.0) * (1 - a) + a))


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("k", [4, 16])
def test_no_member_is_below_the_limit_at_its_exposure(k, epsilon):
    every = frontier.families(k, epsilon).iloc[::9]
    least = np.array(frontier.edge(k, epsilon, every["exposure"]))
    assert (every["mse"] >= least * (1 - 1e-6)).all()


def test_subsets_from_the_best_size_on_are_at_the_limit():
    every = frontier.families(16, 1.0)
    part = every[(every["family"] == "subset") & every["parameter"].between(4, 10)]
    assert part["mse"].to_numpy() == pytest.approx(frontier.edge(16, 1.0, part["exposure"]), rel=1e-6)
    unbounded = limit.best("LDP", 16, 0, 1.0).mse
    assert part["mse"].min() == pytest.approx(unbounded, rel=1e-6)


def test_weights_move_the_adaptive_protocols_towards_less_exposure():
    exposed = [frontier.adaptive(30, 2.0, weight)["exposure"].to_numpy() for weight in (0, 0.9, 1)]
    assert (exposed[0] >= exposed[1] - 1e-12).all()
    assert (exposed[1] >= exposed[2] - 1e-12).all()
    assert (exposed[0] > exposed[2]).all()
    # Without exposure they are the usual ones: the least error of a rare value.
    free = frontier.adaptive(30, 2.0, 0).set_index("protocol")
    assert free.loc["AUE", "parameter"] == pytest.approx(0.5)
    assert free.loc["ALH", "parameter"] == round(exp(2.0)) + 1
    assert free.loc["ATHE", "parameter"] == pytest.approx(THE(2.0, 30).threshold, abs=0.01)


def test_a_weight_that_makes_no_sense_is_refused():
    with pytest.raises(ValueError, match="between 0 and 1, got 2"):
        frontier.adaptive(5, 1.0, 2)
