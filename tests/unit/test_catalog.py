"""Everything there is, is listed."""

import importlib
import inspect
import pkgutil

import numpy as np
import pytest

from ldpcore import catalog, mechanisms
from ldpcore.numeric_randomizer import NumericRandomizer
from ldpcore.randomizer import Randomizer
from ldpcore.ranges import Identity, Privelet, Strategy, Tree, best_tree
from tests.each import for_each


def concrete(kind=Randomizer):
    """Every mechanism of a kind that can be built, wherever in the package it is written."""
    found = set()
    for info in pkgutil.walk_packages(mechanisms.__path__, mechanisms.__name__ + "."):
        module = importlib.import_module(info.name)
        for _, cls in inspect.getmembers(module, inspect.isclass):
            if issubclass(cls, kind) and not inspect.isabstract(cls) and cls.__module__ == module.__name__:
                found.add(cls)
    return found


CATALOGS = {name: value for name, value in vars(catalog).items() if type(value) is catalog.Catalog}  # none that joins


def test_every_mechanism_has_an_entry_and_only_one():
    entries = [entry for entries in CATALOGS.values() for entry in entries.values()]
    kinds = (catalog.frequency.Entry, catalog.levels.LeveledEntry)
    listed = [entry.factory for entry in entries if isinstance(entry, kinds)]
    assert concrete() <= set(listed)
    assert len(set(listed)) == len(listed)


@for_each("entry", catalog.FREQUENCY.values())
def test_an_entry_is_complete(entry):
    assert catalog.FREQUENCY[entry.key] is entry
    assert entry.label
    assert entry.source
    assert entry.construction
    assert entry.promise
    assert entry.factory.__doc__, "a reference in every algorithm's docstring"
    assert entry.caveats or not entry.uses_marks
    assert all(caveat.endswith(".") for caveat in entry.caveats)
    assert isinstance(entry.build(1.0, 3, np.array([True, False, False])), entry.factory)


def test_every_mechanism_for_numbers_has_an_entry():
    listed = [entry.factory for entry in (*catalog.MEANS.values(), *catalog.LEVELED_MEANS.values())]
    assert concrete(NumericRandomizer) == set(listed)
    assert len(set(listed)) == len(listed)


@pytest.mark.parametrize("entry", catalog.MEANS.values(), ids=lambda entry: entry.key)
def test_an_entry_for_numbers_is_complete(entry):
    assert catalog.MEANS[entry.key] is entry
    assert entry.label
    assert entry.source
    assert entry.construction
    assert entry.factory.__doc__, "a reference in every algorithm's docstring"
    assert entry.caveats or not entry.uses_marks
    assert all(caveat.endswith(".") for caveat in entry.caveats)
    m = entry.build(1.0, (-0.5, 0.5))
    assert isinstance(m, entry.factory)
    assert m.policy(np.linspace(-1, 1, 5)).name == entry.promise


def test_a_guess_is_asked_for_where_it_sets_the_error():
    assert catalog.MEANS["uTernary"].takes_share


@for_each("entry", catalog.RANGES.values())
def test_an_entry_for_ranges_is_complete(entry):
    assert catalog.RANGES[entry.key] is entry
    assert entry.label
    assert entry.source
    assert entry.promise == "ε-DP (central)"
    assert entry.caveats
    assert all(caveat.endswith(".") for caveat in entry.caveats)
    strategy = entry.build(5)
    assert isinstance(strategy, Strategy)
    assert strategy.size == 32
    assert type(strategy).__doc__, "a reference in every algorithm's docstring"


def test_every_strategy_is_built_as_it_is_called():
    trees = {("Tree", "Boost")[boost] + ("" if b == 2 else str(b)): Tree(6, b, boost) for b in (2, 4, 8, 16)
             for boost in (False, True)}  # fmt: skip
    called = {"Identity": Identity(6), "Privelet": Privelet(6), "Best tree": best_tree(6), **trees}
    assert {key: catalog.RANGES[key].build(6) for key in called} == called


def test_the_caveat_of_the_root_holds():
    """Leaving the total out answers the average range better, at every N up to 2^20."""
    warned = [entry.build(1) for entry in catalog.RANGES.values() if catalog.ranges.ROOT in entry.caveats]
    assert len(warned) == 8
    for tree in warned:
        for h in range(1, 21):
            errors = [Tree(h, tree.branching, tree.consistent, root).average_variance(1.0) for root in (False, True)]
            assert errors[0] < errors[1]


def test_the_caveat_of_the_index_holds():
    assert catalog.RANGES["Privelet"].build(10).accuracy_index() == pytest.approx(4.87, abs=0.005)
    assert catalog.RANGES["Privelet"].build(10).index_limit == 6


@for_each("entries", CATALOGS.values())
def test_labels_differ(entries):
    assert len({entry.label for entry in entries.values()}) == len(entries)


def test_an_unknown_key_is_answered_with_those_there_are():
    with pytest.raises(ValueError, match="there is no mechanism 'uGRR'; there are GRR, RAPPOR, OUE"):
        catalog.FREQUENCY["uGRR"]
    with pytest.raises(ValueError, match="there is no strategy 'Wavelet'; there are Identity, Tree, Tree4"):
        catalog.RANGES["Wavelet"]
    assert "uGRR" not in catalog.FREQUENCY
    assert "GRR" in catalog.FREQUENCY
