"""Noisy counts pulled towards a guess: by precision, with what the table shows beyond its noise."""

import numpy as np
import pytest

from ldpcore.marginals.fitting import pulled


@pytest.mark.parametrize("guess", [[10.0, 10.0, 10.0, 10.0], [4.0, 10.0, 16.0, 10.0]])
def test_cells_share_the_spread_that_the_table_shows(guess):
    """Squares of what is off: 1, 4, 9 and 100, noise 5 each. 114 − 20 are shared in proportion to the guesses' squares,
    and the last cell shows more by itself: 95.
    """
    guess, off = np.array(guess), np.array([1.0, -2.0, 3.0, 10.0])
    found = pulled(guess + off, guess, 5.0)
    for i in range(4):
        spread = max(94 * guess[i] ** 2 / (guess @ guess), off[i] ** 2 - 5.0)
        wanted = np.average([guess[i], guess[i] + off[i]], weights=[1 / spread, 1 / 5.0])
        assert found[i] == pytest.approx(wanted)


def test_a_table_that_is_no_further_off_than_its_noise_is_the_guess():
    guess = np.array([3.0, 8.0, 0.0])
    assert pulled(guess + np.array([1.0, -1.0, 1.0]), guess, 5.0) == pytest.approx(guess)
    assert np.isfinite(pulled(np.ones(3), np.zeros(3), 0.5)).all()
