"""Bugs planted in the miners, and the test that kills each."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from ldpcore.catalog import MINERS
from ldpcore.itemsets import candidates, candidates_by_length, capped, columns, frequent, scores, smarttrunc
from ldpcore.itemsets import dfdp as dfdp_function
from ldpcore.itemsets import tables as tables_function
from ldpcore.itemsets.candidates_by_length import explore
from tests.laws import test_miners as laws
from tests.unit import test_itemsets_counting as counting_tests
from tests.unit import test_itemsets_privacy as privacy
from tests.unit import test_itemsets_scores as score_tests
from tests.unit import test_itemsets_tables as table_tests

dfdp = __import__("sys").modules[dfdp_function.__module__]
tables = __import__("sys").modules[tables_function.__module__]
_spend = tables.Spend
Kill = Callable[[], object]
_cut, _joined, _at_least = smarttrunc.cut, candidates_by_length.joined, candidates.at_least


def forgets_the_cap(patch) -> Kill:
    patch.setattr(capped, "_weights", lambda inside, cap: np.ones(len(inside)))
    return lambda: privacy.test_capped_counts_move_by_the_cap_at_most(2, 2.5, 1)


def caps_by_items_instead_of_candidates(patch) -> Kill:
    patch.setattr(capped, "_weights", lambda inside, cap: np.minimum(1, cap / np.sqrt(np.maximum(inside, 1))))
    return lambda: privacy.test_capped_counts_move_by_the_cap_at_most(2, 2.5, 3)


def cuts_one_item_too_late(patch) -> Kill:
    patch.setattr(smarttrunc, "cut", lambda data, length, worth: _cut(data, length + 1, worth))
    return lambda: privacy.test_cut_counts_move_by_delta_at_most(2)


def delta_off_by_one(patch) -> Kill:
    patch.setattr(smarttrunc, "comb", lambda n, k: math.comb(n, k) - 1)
    return privacy.test_smart_trunc_has_noise_for_what_a_basket_moves


def clamps_instead_of_redrawing(patch) -> Kill:
    patch.setattr(
        privacy,
        "laplace",
        lambda size, scale, clip, rng: np.clip(rng.laplace(0, scale, size), -clip, clip),
    )
    return privacy.test_limited_noise_is_redrawn_not_clamped


def noise_five_percent_small(patch) -> Kill:
    patch.setattr(privacy, "laplace", lambda size, scale, clip, rng: rng.laplace(0, 0.95 * scale, size))
    return lambda: privacy.test_noise_follows_its_law(None)


def perturbs_the_last_level_too(patch) -> Kill:
    patch.setattr(dfdp, "perturbed", lambda data, least, *bounds: tuple(explore(data, least, *bounds)))
    return privacy.test_dfdp_leaves_its_last_level_alone


def witness_less_likely(patch) -> Kill:
    patch.setattr(candidates, "at_least", lambda gap, scale, clip=None: 0.9 * _at_least(gap, scale, clip))
    return privacy.test_the_chance_of_a_witness_is_what_dfdp_does


def forgets_the_last_sibling(patch) -> Kill:
    patch.setattr(frequent, "joined", lambda items, most: tuple(side[:-1] for side in _joined(items, most)))
    return counting_tests.test_apriori_is_a_count_of_everything


def prunes_no_candidate(patch) -> Kill:
    patch.setattr(candidates_by_length, "_closed_pairs", lambda frequent, a, b, base: (a, b))
    return counting_tests.test_candidates_are_all_sets_whose_subsets_are_frequent


def global_rng(patch) -> Kill:
    patch.setattr(smarttrunc, "laplace", lambda size, scale, clip, rng: np.random.laplace(0, scale, size))  # noqa: NPY002
    return lambda: laws.test_only_the_given_generator_is_used("SmartTrunc")


def publishes_what_is_withheld(patch) -> Kill:
    patch.setattr(laws.GroundTruth, "released", property(lambda self: self.data))
    patch.setattr(laws.GroundTruth, "restored", lambda self, mined: mined)
    return lambda: laws.test_withheld_items_are_never_published("Capped")


def undefined_is_zero(patch) -> Kill:
    patch.setattr(scores.__globals__["MiningScores"], "recall", property(lambda self: 0.0))
    return score_tests.test_nothing_is_frequent


def counts_somebody_twice(patch) -> Kill:
    table = columns.Merged.table
    patch.setattr(columns.Merged, "table", lambda self, pair: 2 * table(self, pair))
    return lambda: table_tests.test_one_person_is_in_one_cell_of_each_table(table_tests.TABLE, True)


def makes_noise_for_one_table(patch) -> Kill:
    patch.setattr(tables, "Spend", lambda *given: _spend(*given[:3], given[3] / (given[6:7] or (1,))[0], *given[4:]))
    return table_tests.test_noise_for_one_cell_of_each_table


def books_half_of_what_it_spends(patch) -> Kill:
    spend = smarttrunc.Spend
    patch.setattr(
        smarttrunc, "Spend", lambda what, length, n, scale, eps, clip: spend(what, length, n, scale, eps / 2, clip)
    )
    return lambda: laws.test_a_total_is_kept("SmartTrunc")


BUGS = (
    forgets_the_cap, caps_by_items_instead_of_candidates, cuts_one_item_too_late, delta_off_by_one,
    clamps_instead_of_redrawing, noise_five_percent_small, perturbs_the_last_level_too, witness_less_likely,
    forgets_the_last_sibling, prunes_no_candidate, global_rng, publishes_what_is_withheld, undefined_is_zero,
    books_half_of_what_it_spends, counts_somebody_twice, makes_noise_for_one_table,
)  # fmt: skip


@pytest.mark.parametrize("plant", BUGS, ids=lambda plant: plant.__name__)
def test_a_planted_bug_is_found(plant, monkeypatch):
    with pytest.raises((AssertionError, ExceptionGroup)):
        plant(monkeypatch)()


@pytest.mark.parametrize("plant", BUGS, ids=lambda plant: plant.__name__)
def test_and_the_test_holds_without_it(plant):
    with pytest.MonkeyPatch.context() as patch:
        kill = plant(patch)
        patch.undo()
        kill()


def test_every_entry_is_complete():
    for key, entry in MINERS.items():
        assert MINERS[key] is entry
        assert entry.label
        assert entry.source
        assert entry.promise
        assert entry.kept
        assert all(caveat.endswith((".", ").")) for caveat in entry.caveats)
        assert entry.caveats
