"""The members of a family fill their parameter's range, without its ends where these are no mechanisms."""

from math import exp

import numpy as np
import pytest

from ldpcore import frontier


@pytest.mark.parametrize(("k", "epsilon"), [(4, 1.0), (30, 2.5)])
def test_members_fill_their_ranges(k, epsilon):
    every = {name: part["parameter"].to_numpy() for name, part in frontier.families(k, epsilon).groupby("family")}
    assert every["subset"].tolist() == list(range(1, k))
    unary = every["unary"]
    assert len(unary) == len(every["threshold"]) == frontier.POINTS
    np.testing.assert_allclose(unary, 1 - unary[::-1])
    np.testing.assert_allclose(np.diff(unary), unary[0])  # from 0, which is left out, on
    assert (every["threshold"][0], every["threshold"][-1]) == (0.5, 1.0)
    hashed = every["hash"]
    assert (hashed[0], hashed[-1]) == (2, max(k, round(exp(epsilon)) + 1))
    assert (np.diff(hashed) >= 1).all()
    few = frontier.families(4, 0.1)
    assert few[few["family"] == "hash"]["parameter"].tolist() == [2, 3, 4]
