"""The paper's approximate variances of SDGRR are exact where what they neglect is nothing; what each word gives is the
table of chances.
"""

import numpy as np
import pytest

from ldpcore.catalog import FREQUENCY
from ldpcore.mechanisms.keep_else_uniform import Direct


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
def test_the_papers_variances_are_those_of_values_that_nobody_has(epsilon):
    """(2): a sensitive value's, exactly. (12): another's, if the share of S were known: then only whether a report
    names the value is random, with a chance that `support` gives, over what one holder more adds to it.
    """
    k, n = 6, 50
    mask = np.arange(k) < 3
    m = FREQUENCY["SDGRR"].build(epsilon, k, mask)
    freq = np.array([0.0, 0.3, 0.2, 0.0, 0.4, 0.1])
    paper = m.paper_variance(freq, n)
    assert paper[0] == pytest.approx(m.variance(freq, n)[0])
    assert len({*paper[:3]}) == 1
    named, rise = m.support(freq)[3], m.support(np.eye(k)[3])[3]
    assert paper[3] == pytest.approx(named * (1 - named) / (n * rise**2))


class EveryWord:
    """A generator that gives each word of 16 bits once, and even numbers for those that are left over."""

    def integers(self, low, high, size, dtype):
        assert (low, high, size, dtype) == (0, 1 << 64, 1 << 14, np.uint64)
        return np.arange(1 << 16, dtype=np.uint16).view(np.uint64)

    def random(self, size):
        return (np.arange(size) + 0.5) / size


DIRECT = [key for key, entry in FREQUENCY.items() if issubclass(entry.factory, Direct)]


@pytest.mark.parametrize("key", DIRECT)
@pytest.mark.parametrize(("epsilon", "k"), [(1e-6, 5), (1.0, 100), (4.0, 7), (5.0, 1500)])
def test_words_are_shared_out_by_the_table_of_chances(key, epsilon, k):
    """To a word: no sampled test sees whether those that are left over are decided rightly."""
    m = FREQUENCY[key].build(epsilon, k, np.arange(k) % 3 == 0)
    for value in (0, k - 1):
        sent = np.bincount(m.perturb(np.full(1 << 16, value), EveryWord()), minlength=k)
        assert np.abs(sent - m.matrix[value] * (1 << 16)).max() < 1.5
