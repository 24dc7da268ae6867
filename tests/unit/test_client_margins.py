"""What a collection's margins rest on: the limit of its promise, and sums of binomials."""

import numpy as np
import pytest
from scipy import stats

from ldpcore import catalog, limit
from ldpcore.client import Client, collected


@pytest.mark.parametrize("epsilon", [1.0, 6.0])
@pytest.mark.parametrize(
    ("key", "marks"), [("GRR", [False] * 4), ("OUE", [True, False, True, False]), ("uSS", [True, False, True, False])]
)
def test_the_least_margin_is_that_of_the_promise_s_limit(key, epsilon, marks):
    """The half-width of a normal interval around the best channel's error, of the marked answers if any."""
    asked = Client.of(key, epsilon, ["a", "b", "c", "d"], marks)
    promise = catalog.FREQUENCY[key].promise
    found = limit.best(promise, 4, sum(marks), asked.kept, weight="sensitive" if any(marks) else "all")
    error = found.sensitive if any(marks) else found.mse
    for level in (0.9, 0.99):
        assert asked.least(500, level) == pytest.approx(
            stats.norm.isf((1 - level) / 2) * np.sqrt(error / 500), rel=1e-3
        )
        assert asked.least(500, level) <= asked.margin(500, level) * 1.001


@pytest.mark.parametrize("exact", [True, False])
def test_supports_are_sums_of_binomials(exact, monkeypatch):
    """Against the law from all pairs of outcomes; as a normal one within what the continuity correction leaves."""
    if not exact:
        monkeypatch.setattr(collected, "EXACT", 50)
    groups = [(60, 0.75), (0, 0.3), (90, 0.1)]
    law = np.convolve(stats.binom.pmf(np.arange(61), 60, 0.75), stats.binom.pmf(np.arange(91), 90, 0.1))
    for count in (35, 50, 54, 60, 75):
        off = 1e-12 if exact else 0.004
        assert collected._at_most(groups, count) == pytest.approx(law[: count + 1].sum(), abs=off)
        assert collected._at_least(groups, count) == pytest.approx(law[count:].sum(), abs=off)
    sure = [(30, 1.0), (40, 0.0)]
    assert [collected._at_most(sure, count) for count in (29, 30, 31)] == pytest.approx([0, 1, 1])


def test_the_ends_of_epsilon_are_allowed_and_what_is_beyond_them_is_not():
    for epsilon in (0.001, 10.0):
        assert Client.of("GRR", epsilon, ["a", "b"]).epsilon == epsilon
    for epsilon in (0.00099, 10.1):
        with pytest.raises(ValueError, match=r"lies between 0\.001 and 10"):
            Client.of("GRR", epsilon, ["a", "b"])
