"""The catalogue against the limit: nothing in it can be below what no mechanism with its promise can pass."""

import numpy as np
import pytest

from ldpcore import catalog, limit
from ldpcore.study.floor import policy

DOMAINS = ((2, 1), (5, 2), (18, 4), (18, 17), (64, 16))
SHARES = (0.01, 0.3, 0.5, 0.97)


CASES = [
    pytest.param(key, k, marked, id=f"{key}-k{k}-marked{marked}") for key in catalog.FREQUENCY for k, marked in DOMAINS
]


@pytest.mark.parametrize(("key", "k", "marked"), CASES)
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_no_mechanism_is_below_its_limit(key: str, k: int, marked: int, epsilon: float) -> None:
    """Over all values, over the marked and over the others; shares far from uniform within the groups too, because
    these mechanisms treat the values of a group alike, so that their total error depends on F only."""
    mask = np.arange(k) < marked
    mechanism = catalog.FREQUENCY[key].build(epsilon, k, mask)
    for share in SHARES:
        skew = np.where(mask, np.arange(k) + 1.0, 2.0 ** -(np.arange(k) % 20))
        freq = np.where(mask, share * skew / skew[mask].sum(), (1 - share) * skew / skew[~mask].sum())
        variance = mechanism.variance(freq, 1)
        for scope, part in (("all", np.ones(k, bool)), ("sensitive", mask), ("other", ~mask)):
            found = limit.best(policy(key), k, marked, epsilon, share=share, weight=scope)
            least = {"all": found.mse, "sensitive": found.sensitive, "other": found.other}[scope]
            assert found.gap < 1e-5
            assert variance[part].mean() >= least * (1 - 1e-5), (share, scope)


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 2.0])
def test_subset_selection_reaches_the_limit(epsilon: float) -> None:
    """SS is at the LDP limit, and uSS with its best w within 3.2 % of ULDP's (limits-and-repairs.md §1, §2)."""
    for k, marked in ((18, 4), (64, 16), (256, 64)):
        mask = np.arange(k) < marked
        uniform = np.full(k, 1 / k)
        for key, allowed in (("SS", 1.02), ("uSS", 1.032)):
            error = catalog.FREQUENCY[key].build(epsilon, k, mask).variance(uniform, 1).mean()
            assert error <= allowed * limit.best(policy(key), k, marked, epsilon).mse, (key, k)
