"""The paper's approximate variances of SDGRR are exact where what they neglect is nothing."""

import numpy as np
import pytest

from ldpcore.catalog import FREQUENCY


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
