"""Groups of people with their own marks."""

import numpy as np
import pytest

from ldpcore.catalog import FREQUENCY
from ldpcore.estimators import personalised
from ldpcore.rng import stream
from ldpcore.tally import Tally
from tests.each import for_each

K = 5
FEW, MANY = np.arange(K) < 1, np.arange(K) < 3
COUNTS = np.array([[400, 900, 800, 500, 400], [900, 500, 300, 200, 100]])
MARKING = [key for key, entry in FREQUENCY.items() if entry.uses_marks]


def mechanisms(key, epsilon=1.0):
    return [FREQUENCY[key].build(epsilon, K, FEW), FREQUENCY[key].build(epsilon, K, MANY)]


@for_each("how", personalised.HOW)
@for_each("key", MARKING)
def test_weights_add_up(key, how):
    weights = personalised.weights(mechanisms(key), [100, 300], how)
    assert weights.shape == (2, K)
    assert weights.sum(axis=0) == pytest.approx(np.ones(K))
    assert (weights > 0).all()


@for_each("key", MARKING)
def test_share_weights_are_unbiased_for_groups_that_differ(key):
    """Exactly: combining the expected tallies gives the shares of everybody."""
    parts = []
    for m, counts in zip(mechanisms(key), COUNTS, strict=True):
        n = int(counts.sum()) * 10**6
        parts.append((m, Tally(n, np.round(m.support(counts / counts.sum()) * n).astype(np.int64))))
    everybody = COUNTS.sum(axis=0) / COUNTS.sum()
    assert personalised.combine(parts, "share") == pytest.approx(everybody, abs=1e-6)
    assert np.abs(personalised.combine(parts, "minimum-variance") - everybody).max() > 1e-3


@for_each("key", MARKING)
def test_minimum_variance_is_the_smaller_at_equal_groups(key):
    """At uniform shares in both groups no other weights have a smaller variance."""
    both, uniform = mechanisms(key), np.full(K, 1 / K)
    sizes = [1000, 3000]
    variance = np.array([m.variance(uniform, n) for m, n in zip(both, sizes, strict=True)])
    best = np.sum(personalised.weights(both, sizes, "minimum-variance") ** 2 * variance, axis=0)
    assert best == pytest.approx(1 / np.sum(1 / variance, axis=0))
    for share in np.linspace(0, 1, 11):
        assert (best <= share**2 * variance[0] + (1 - share) ** 2 * variance[1] + 1e-15).all()


@for_each("key", MARKING)
def test_a_group_without_marks_has_a_weight_too(key):
    """Its answers may be exact, and an exact estimate needs no other."""
    both = [FREQUENCY[key].build(1.0, K, np.zeros(K, bool)), mechanisms(key)[1]]
    weights = personalised.weights(both, [100, 300], "minimum-variance")
    assert weights.sum(axis=0) == pytest.approx(np.ones(K))
    if not both[0].variance(np.full(K, 1 / K), 1).any():
        assert weights[0].tolist() == [1] * K


def test_one_group_is_its_own_estimate():
    m = mechanisms("uRR")[0]
    tally = m.tally(m.perturb(stream(1).integers(0, K, 500), stream(2)))
    for how in personalised.HOW:
        assert personalised.combine([(m, tally)], how) == pytest.approx(m.estimate(tally))


@pytest.mark.parametrize(
    ("groups", "sizes", "how", "message"),
    [
        (2, [1, 1], "best", "how must be one of share, minimum-variance, got 'best'"),
        (0, [], "share", "a combination needs at least one group, and one size for each"),
        (2, [1], "share", "a combination needs at least one group, and one size for each"),
        (2, [1, 0], "share", "every group needs at least one user; leave empty groups out"),
    ],
)
def test_refusals(groups, sizes, how, message):
    with pytest.raises(ValueError, match=message):
        personalised.weights(mechanisms("uRR")[:groups], sizes, how)


def test_groups_answer_the_same_question():
    with pytest.raises(ValueError, match="all groups must answer the same question: their mechanisms differ in k"):
        personalised.weights([FREQUENCY["GRR"].build(1.0, 3), FREQUENCY["GRR"].build(1.0, 4)], [1, 1])
