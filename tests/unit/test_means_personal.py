"""The Means view's last row: blind guesses, and people who choose their marks, held against the engine's own."""

import numpy as np
import pandas as pd
import pytest

from ldpapp import words
from ldpapp.tasks.means import choosing
from ldpcore import data
from ldpcore.attacks import within
from ldpcore.study import Marks, Source, Study, means
from ldpcore.study.means import personal as means_personal
from ldpcore.study.means.personal import ALIKE, MIXES, SHARES, Choice

RNG = np.random.default_rng(3)
TABLE = data.read(pd.DataFrame({"x": np.round(RNG.beta(2, 4, 4000) * 100)}).to_csv(index=False).encode(), "x.csv")
STUDY = Study(
    Source("x.csv", TABLE.digest), "x", Marks.of(["60..100"]), ("SDPM",), task="means", bins=(0, 100, 32), grid=()
)
FOUND = means.prepare(STUDY, TABLE)


def errors(choice: Choice, epsilon: float = 1.0) -> pd.DataFrame:
    return means_personal.errors(means_personal.study(STUDY, choice, FOUND.interval), FOUND, choice, (epsilon,))


@pytest.mark.parametrize("place", means_personal.PLACES)
def test_the_errors_are_the_engine_s(place):
    """At ε = 1 the engine draws the same groups."""
    choice = Choice(place=place)
    theory = means.theory(means_personal.study(STUDY, choice, FOUND.interval), FOUND)
    theory = theory.set_index(["metric"])["theory"]
    mine = errors(choice).set_index("line")["value"]
    for line in ALIKE:
        assert mine[line] == pytest.approx(theory[line, "mse:unbiased"])
    assert mine["by share"] == pytest.approx(theory[means.CHOICE, "mse:unbiased"])
    assert mine["min. variance"] == pytest.approx(theory[means.CHOICE, "mse:unbiased:minimum-variance"])


def test_groups_that_differ_bias_the_minimum_variance_alone():
    found = errors(Choice("upper", "paper", "own"), 4.0).set_index("line")
    bias, square = (found.loc[["by share", "min. variance"], column].to_numpy(float) for column in ("bias", "value"))
    assert bias[0] == pytest.approx(0, abs=1e-9)
    assert abs(bias[1]) > 0.3
    assert square[1] > square[0]


def test_everybody_marks_one_of_the_three_shares():
    assert all(len(mix) == len(SHARES) and sum(mix) == pytest.approx(1) and min(mix) > 0 for mix in MIXES.values())


def test_the_blind_guess():
    guess, covered = means_personal.blind(STUDY, FOUND, 10)
    m = means.cell(STUDY, FOUND, "SDPM", 1.0).groups[0].mechanism
    held = np.histogram(FOUND.points, m.inputs, weights=FOUND.counts)[0]
    assert covered["all"] == pytest.approx(within.blind(m, 10 / FOUND.unit, held / held.sum()))
    assert 0 < guess < 50
    assert covered["sensitive"] == 0


@pytest.mark.parametrize(("choice", "epsilon"), [(Choice("upper", "few"), 0.1), (Choice("upper", "paper", "own"), 4.0)])
def test_the_finding_tells_gain_from_loss(choice, epsilon):
    found = errors(choice, epsilon)
    square = found.set_index("line")["value"]
    gain = float(square["by share"] / square["min. variance"])
    said = choosing.finding(found, epsilon, choice)
    assert (words.share(1 - 1 / gain) if gain > 1 else words.times(1 / gain)) in said
    assert choosing.written(choice) in said


@pytest.mark.parametrize(("loss", "told"), [(1.02, "2.0\u00a0%"), (1.3, "30.0\u00a0%"), (3.0, "3.0 times")])
def test_a_small_loss_is_not_told_as_one_time(loss, told):
    found = pd.DataFrame({"x": 1.0, "line": ["by share", "min. variance"], "value": [1.0, loss], "bias": [0.0, 0.1]})
    assert told in choosing.finding(found, 1.0, Choice())
