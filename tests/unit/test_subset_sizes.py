"""The errors by which a subset's size is chosen are those of the mechanism of this size, but for a constant."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pytest

from ldpcore.mechanisms.subset import USS, marked_error


@dataclass(frozen=True, eq=False)
class Sized(USS):
    size: int = 1

    @cached_property
    def w(self):
        return self.size


@pytest.mark.parametrize("epsilon", [0.4, 2.0])
@pytest.mark.parametrize("share", [0.1, 0.6, 1.0])
def test_errors_by_size_are_the_variances(epsilon, share):
    """Summed over the sensitive values, and over all, at shares even within either kind."""
    k, sigma = 9, 6
    mask = np.arange(k) < sigma
    freq = np.where(mask, share / sigma, (1 - share) / (k - sigma))
    sizes = np.arange(1, sigma)
    exact = np.array([Sized(epsilon, k, mask, share, int(w)).variance(freq, 1) for w in sizes])
    marked = marked_error(sizes, sigma, epsilon, share)[1]
    np.testing.assert_allclose(np.diff(marked), np.diff(exact[:, mask].sum(axis=1)), atol=1e-9)
    whole = USS(epsilon, k, mask, share)
    np.testing.assert_allclose(np.diff(whole._error(sizes, share)), np.diff(exact.sum(axis=1)), atol=1e-9)
    assert whole.w == sizes[np.argmin(exact.sum(axis=1))]
