"""The papers' own examples, by another route: printed numbers, drawn noise, and what a mechanism sends."""

import numpy as np
import pytest

from ldpcore.catalog import FREQUENCY
from ldpcore.papers import examples


def test_the_range_of_the_paper_on_its_tree():
    """c = 0.96875 and 31 are printed (privelet §3.3.1); the weights by hand, from the halves of each node."""
    found = examples.privelet_range(3, 7)
    assert (found.coefficient, found.variance) == (0.96875, 31.0)
    inside = [0, 0, 1, 1, 1, 1, 1, 0]
    for (first, last), weight, measures in zip(found.cells[1:], found.weights[1:], found.measured[1:], strict=True):
        middle = (first + last) // 2
        halves = sum(inside[first - 1 : middle]) - sum(inside[middle:last])
        assert weight == halves / (last - first + 1)
        assert measures.tolist() == [(first <= cell <= middle) - (middle < cell <= last) for cell in range(1, 9)]
    assert found.weights[0] == 5 / 8
    assert (found.restored @ found.measured).tolist() == np.eye(8).tolist()


@pytest.mark.parametrize("cells", [(1, 8), (3, 7), (2, 2)])
def test_the_variance_of_a_range_is_that_of_drawn_noise(cells):
    """100 000 draws: 0.5 % of standard error, so that a right engine is 5 % off never."""
    found = examples.privelet_range(*cells)
    drawn = np.random.default_rng(1).laplace(scale=4.0, size=(100_000, 8)) @ found.weights
    assert np.var(drawn) == pytest.approx(found.variance, rel=0.05)


@pytest.mark.parametrize("s", [0.5, 1.0])
def test_both_miners_of_the_shop_as_drawn(s):
    """200 000 draws of every count: each chance is within 0.006, five standard errors."""
    rng, n = np.random.default_rng(2), 200_000
    counts = {"A": 3, "B": 4, "C": 3, "AB": 3, "AC": 2, "BC": 3}
    noisy = {name: count + rng.laplace(scale=1 / s, size=n) for name, count in counts.items()}
    for name, count, dfdp, other in examples.shop(s):
        assert count == counts[name]
        published = noisy[name] >= 3
        assert dfdp == pytest.approx(published.mean(), abs=0.006)
        for item in name if len(name) > 1 else "":
            published &= noisy[item] >= 2
        assert other == pytest.approx(published.mean(), abs=0.006)
    frequent = [name for name, count, *_ in examples.shop(s) if count >= 3]
    assert frequent == ["A", "B", "C", "AB", "BC"], "those of the paper's table 2, in which AC is not"


def test_who_sends_what_as_drawn():
    """300 000 reports of a high and of a low answer: five standard errors are 0.005."""
    for one in examples.sent(1.0):
        built = FREQUENCY[one.key].build(1.0, 6, [True, True, False, False, False, False])
        for answer, chances in ((0, one.high), (2, one.low)):
            reports = np.bincount(built.perturb(np.full(300_000, answer), np.random.default_rng(answer)), minlength=6)
            places = (answer, 1, 3) if answer == 0 else (answer, 0, 3)
            assert [reports[place] / 300_000 for place in places] == pytest.approx(list(chances), abs=0.005)
        every = np.repeat(np.arange(6), 100_000)
        said = built.perturb(every, np.random.default_rng(7)) == 2
        assert one.sure == pytest.approx((every[said] == 2).mean(), abs=0.01)
    assert examples.sent(1.0)[0].sure == 1.0
