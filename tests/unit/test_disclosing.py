"""From LDP to ULDP: what the transformation makes of GRR, SS, HR and OLH is what the catalogue has."""

import numpy as np
import pytest

from ldpcore.catalog import FREQUENCY
from ldpcore.channel import Channel
from ldpcore.mechanisms.direct import GRR, URR
from ldpcore.mechanisms.disclosing import utility_optimised
from ldpcore.mechanisms.hadamard import HR, UHR
from ldpcore.mechanisms.local_hashing import OLH
from ldpcore.mechanisms.marked_hashing import ULH
from ldpcore.mechanisms.subset import SS, USS
from ldpcore.policy import ULDP
from ldpcore.rng import stream

K, MARKS = 9, np.isin(np.arange(9), (0, 3, 4, 5, 8))
SIGMA = int(MARKS.sum())


def gap(ldp: Channel, made: Channel, epsilon: float) -> float:
    """The largest difference of the chances, reports matched by their columns of the marked values and by name."""
    whole = utility_optimised(ldp, MARKS, epsilon)
    assert ULDP(epsilon, MARKS).check(whole).holds
    assert whole.matrix.shape == made.matrix.shape
    return float(np.abs(whole.matrix - made.matrix).max())


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_what_is_made_of_each_is_what_the_catalogue_has(epsilon):
    single = SS(epsilon, SIGMA)
    assert gap(single.channel(), USS(epsilon, K, MARKS, size=single.w).channel(), epsilon) < 1e-12
    assert gap(HR(epsilon, SIGMA, blocks=1).channel(), UHR(epsilon, K, MARKS, blocks=1).channel(), epsilon) < 1e-12
    direct = URR(epsilon, K, MARKS).channel()
    place = np.r_[np.flatnonzero(MARKS), np.flatnonzero(~MARKS)]  # its reports are in the order of the values
    made = Channel(direct.matrix[:, place], tuple(direct.columns[y] for y in place))
    assert gap(GRR(epsilon, SIGMA).channel(), made, epsilon) < 1e-12


@pytest.mark.parametrize("epsilon", [0.1, 0.9])
def test_of_hashing_it_makes_ulh_wherever_every_bucket_holds_a_marked_value(epsilon):
    """An empty bucket is sent with 1/(E+g−1) all the same: nobody's hash shows how many buckets are used."""
    whole, found = OLH(epsilon, K), 0
    for seed in range(40):
        of_marked = whole.channel(seed).matrix[MARKS]
        if (of_marked > of_marked.min() * 1.01).any(axis=0).all():
            columns = whole.channel(seed).columns
            assert gap(Channel(of_marked, columns), ULH(epsilon, K, MARKS).channel(seed), epsilon) < 1e-12
            found += 1
    assert found > 10


def test_uhr_is_an_instance_where_every_symbol_is_some_marked_value_s():
    """With blocks of two nobody owns every other symbol; uHR sends these like the rest and discloses less often."""
    made = utility_optimised(HR(3.0, SIGMA, blocks=8).channel(), MARKS, 3.0).matrix
    ours = UHR(3.0, K, MARKS, blocks=8).channel().matrix
    open_, shown = np.flatnonzero(~MARKS), np.arange(16, 20)
    assert np.array_equal(made[MARKS], ours[MARKS])
    assert made[open_, shown].min() > ours[open_, shown].max() + 0.2


def test_the_others_hide_as_little_as_the_promise_allows():
    """With any smaller chance of a hidden report it breaks: r is the largest."""
    channel = utility_optimised(SS(1.0, SIGMA).channel(), MARKS, 1.0)
    less = channel.matrix.copy()
    less[1, :-4] *= 1 - 1e-6
    less[1, -4:] *= (1 - less[1, :-4].sum()) / less[1, -4:].sum()
    assert not ULDP(1.0, MARKS).check(Channel(less, channel.columns)).holds


def test_refusals():
    with pytest.raises(ValueError, match="is for 4 values, 5 are marked"):
        utility_optimised(GRR(1.0, 4).channel(), MARKS, 1.0)
    with pytest.raises(ValueError, match=r"does not keep ε-LDP at ε = 0\.9"):
        utility_optimised(GRR(1.0, SIGMA).channel(), MARKS, 0.9)


@pytest.mark.parametrize(("k", "marked"), [(4, 1), (5, 5), (18, 4), (100, 25), (1000, 900)])
def test_subset_selection_errs_less_than_hashing_everywhere(k, marked):
    """So uLH is never what a page proposes first: uSS keeps the same promise."""
    for epsilon in (0.05, 0.5, 1.0, 2.0, 4.0, 8.0):
        both = [FREQUENCY[key].build(epsilon, k, np.arange(k) < marked).guessed_error for key in ("uLH", "uSS")]
        assert both[0] > both[1]


def test_the_error_of_ulh_by_its_rates():
    """σ marked of k, shares f: Var of a marked share from the chances written out, E/(E+g−1), 1/g and 1/(E+g−1)."""
    epsilon, E, g = 1.0, np.e, 4
    m, f = ULH(epsilon, K, MARKS), stream(3, "shares").dirichlet(np.ones(K))
    a, b, c, r = E / (E + g - 1), 1 / g, 1 / (E + g - 1), (E - 1) / (E + g - 1)
    assert m.g == g
    # n = 1: the score of v is (1[supported] − b + t·1[disclosed])/(a − b), and t makes it fair to the others.
    t = (b - c) / r
    for v in np.flatnonzero(MARKS):
        squares = f[v] * (a * (1 - b) ** 2 + (1 - a) * b**2)
        squares += (f[MARKS].sum() - f[v]) * (b * (1 - b) ** 2 + (1 - b) * b**2)
        hidden = c * (1 - b) ** 2 + (1 - r - c) * b**2 + r * (t - b) ** 2
        squares += f[~MARKS].sum() * hidden
        assert m.variance(f, 1)[v] == pytest.approx(squares / (a - b) ** 2 - f[v], rel=1e-9)
    others = np.flatnonzero(~MARKS)
    assert m.variance(f, 1)[others] == pytest.approx(f[others] * (1 - r) / r, rel=1e-12)
