"""Counts of many uniform subsets have the joint law of the subsets that they stand for."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations, product

import numpy as np
import pytest
from scipy.stats import chisquare

from ldpcore import subsets
from ldpcore.mechanisms import subset_picks
from ldpcore.rng import stream
from ldpcore.subsets import spread

DRAWS = 3000
ALARM = 1e-3
"""False-alarm rate of each test, under fixed seeds."""


@pytest.fixture(params=[0, subsets.FEW], ids=["halved", "one after the other"])
def few(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small sizes by either way."""
    monkeypatch.setattr(subsets, "FEW", request.param)


@pytest.mark.one_in(2)  # one person and three; two are between them
@pytest.mark.parametrize(("users", "sigma", "w"), [(1, 6, 3), (2, 5, 2), (3, 4, 3), (2, 7, 1)])
def test_counts_of_subsets_have_their_joint_law(users: int, sigma: int, w: int, few: None) -> None:
    law, rng = Counter(), stream(7, users, sigma, w)
    for chosen in product(list(combinations(range(sigma), w)), repeat=users):
        held = np.bincount([v for subset in chosen for v in subset], minlength=sigma)
        law[tuple(held.tolist())] += 1
    seen = Counter(tuple(spread(users, sigma, w, rng).tolist()) for _ in range(DRAWS))
    assert set(seen) <= set(law)
    ways = np.array(list(law.values()))
    assert chisquare([seen[held] for held in law], ways / ways.sum() * DRAWS).pvalue > ALARM


@pytest.mark.parametrize(("users", "sigma", "w"), [(0, 5, 2), (4, 6, 6), (3, 1, 1), (10**9, 50, 20), (500, 3001, 1200)])
def test_counts_are_whole_at_the_ends(users: int, sigma: int, w: int, few: None) -> None:
    held = spread(users, sigma, w, stream(1))
    assert held.shape == (sigma,)
    assert held.sum() == users * w
    assert held.min() >= 0
    assert held.max() <= users


@pytest.mark.parametrize("way", [subset_picks.add_picks, subset_picks.turn_bits])
@pytest.mark.parametrize("w", [1, 2, 3, 6])
def test_picks_are_uniform_subsets_with_ones_own(w: int, way: Callable[..., None]) -> None:
    """100 000 users, half without a value of their own, out of 7 of 20 codes: every subset is as likely.
    At 4 800 users for each of 21 subsets 5 % show as six standard errors.
    """
    pool = np.array([0, 3, 7, 8, 11, 15, 19])
    for place in (-1, 0, 4, 6):
        own = np.tile([place, -1], 50_000)
        packed = np.zeros((len(own), 3), np.uint8)
        way(packed, pool, w, own, stream(8, w, place + 1))
        on = np.unpackbits(packed, axis=1, count=20, bitorder="little")
        assert not np.delete(on, pool, axis=1).any()
        for rows, sure in ((on[::2], place), (on[1::2], -1)):
            possible = [sum(1 << pool[i] for i in each) for each in combinations(range(7), w) if sure in (-1, *each)]
            masks = rows @ (1 << np.arange(20))
            seen = Counter(masks.tolist())
            assert set(seen) <= set(possible)
            if len(possible) > 1:
                assert chisquare([seen[mask] for mask in possible]).pvalue > ALARM
