"""The errors by which a subset's size is chosen are those of the mechanism of this size, but for a constant; and the
family keeps its laws at every size.
"""

import numpy as np
import pytest

from ldpcore.mechanisms.subset import USS
from ldpcore.mechanisms.subset_sizes import contrast_error, marked_error, whole_error
from ldpcore.rng import stream
from tests.each import for_each
from tests.laws import laws


@pytest.mark.parametrize("epsilon", [0.4, 2.0])
@pytest.mark.parametrize("share", [0.1, 0.6, 1.0])
def test_errors_by_size_are_the_variances(epsilon, share):
    """Summed over the sensitive values, and over all, at shares even within either kind."""
    k, sigma = 9, 6
    mask = np.arange(k) < sigma
    freq = np.where(mask, share / sigma, (1 - share) / (k - sigma))
    sizes = np.arange(1, sigma)
    exact = np.array([USS(epsilon, k, mask, share, int(w)).variance(freq, 1) for w in sizes])
    marked = marked_error(sizes, sigma, epsilon, share)[1]
    np.testing.assert_allclose(np.diff(marked), np.diff(exact[:, mask].sum(axis=1)), atol=1e-9)
    whole = USS(epsilon, k, mask, share)
    np.testing.assert_allclose(
        np.diff(whole_error(sizes, sigma, epsilon, share)), np.diff(exact.sum(axis=1)), atol=1e-9
    )
    assert whole.w == sizes[np.argmin(exact.sum(axis=1))]


@for_each("epsilon", [0.4, 2.0])
@for_each("share", [None, 0.1, 0.6])
@for_each("sigma", [1, 3, 6, 9])
def test_a_size_is_made_for_a_contrast(epsilon, share, sigma):
    """Exact variances of a contrast, from all reports, at the guessed shares: one contrast with equal weights on S."""
    k = 9
    mask = np.isin(np.arange(k), stream(1, "marks").permutation(k)[:sigma])
    for seed in range(4):
        c = stream(seed, "contrast").normal(size=k)
        c[mask] = c[mask] if seed or sigma == k else 0.7  # with everything marked no size serves that
        sizes = np.arange(1, max(2, sigma))
        exact = []
        for w in sizes:
            m = USS(epsilon, k, mask, share, int(w))
            outputs = m.outputs()
            chance = m.guessed @ np.exp(m.log_likelihood(outputs)).T
            exact.append(chance @ (m.scores(outputs) @ c) ** 2)
        made = USS(epsilon, k, mask, share).made_for(c)
        error = contrast_error(sizes, mask, epsilon, made.guessed_share, c)
        np.testing.assert_allclose(error, exact, rtol=1e-9)
        assert made.w == sizes[np.argmin(exact)]
        assert (made.epsilon, made.share, made.sensitive.tolist()) == (epsilon, share, mask.tolist())
    assert sigma in (1, 9) or USS(epsilon, k, mask, share).made_for(np.where(mask, 1.0, -1.0)).w == sigma - 1


@pytest.mark.parametrize("law", laws.EXACT, ids=lambda law: law.__name__)
def test_the_family_keeps_its_laws_at_every_size(law):
    sized = {f"size {w} of {sigma}": USS(1.0, 6, np.arange(6) < sigma, None, w)
             for sigma in (1, 3, 5, 6) for w in range(1, max(2, sigma))}  # fmt: skip
    obeyed = {label: m for label, m in sized.items() if laws.applies(law, m)}
    laws.obeyed(law, obeyed)


@pytest.mark.parametrize("size", [0, 3, 1.5, True])
def test_a_size_that_tells_nothing_apart_is_refused(size):
    with pytest.raises((ValueError, TypeError), match=r"size \(marked values in a report\)"):
        USS(1.0, 5, [True, True, True, False, False], None, size)
