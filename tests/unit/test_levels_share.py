"""What an ε for every value is built from, and which reports it can give."""

import math

import numpy as np
import pytest

from ldpcore import catalog

EPSILONS = [math.inf, 2.0, 0.5]


def test_a_guess_of_the_shares_is_closed_and_bad_ones_are_refused():
    guess = np.array([0.5, 0.3, 0.2])
    m = catalog.LEVELS["gSub"].build(EPSILONS, share=guess)
    guess[0] = 0.9
    assert m.share.tolist() == [0.5, 0.3, 0.2]
    with pytest.raises(ValueError, match="read-only"):
        m.share[0] = 1.0
    with pytest.raises(ValueError, match="a guess of the shares"):
        catalog.LEVELS["gSub"].build(EPSILONS, share=[0.5, 0.3, 0.9])


def test_where_everything_is_public_a_report_that_shows_nothing_is_no_report():
    public = catalog.LEVELS["gSub"].build([math.inf] * 3)
    reports = public.perturb(np.arange(3), np.random.default_rng(1))
    assert public.accepts(reports).tolist() == [True] * 3
    assert public.accepts(np.zeros_like(reports)).tolist() == [False] * 3
    some = catalog.LEVELS["gSub"].build(EPSILONS)
    assert some.accepts(np.zeros_like(some.perturb([1], np.random.default_rng(1)))).tolist() == [True]
