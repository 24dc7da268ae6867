"""Everything there is, is listed."""

import importlib
import inspect
import pkgutil

import numpy as np
import pytest

from ldpcore import catalog, mechanisms
from ldpcore.randomizer import Randomizer


def concrete():
    """Every mechanism that can be built, wherever in the package it is written."""
    found = set()
    for info in pkgutil.walk_packages(mechanisms.__path__, mechanisms.__name__ + "."):
        module = importlib.import_module(info.name)
        for _, cls in inspect.getmembers(module, inspect.isclass):
            if issubclass(cls, Randomizer) and not inspect.isabstract(cls) and cls.__module__ == module.__name__:
                found.add(cls)
    return found


CATALOGS = {name: value for name, value in vars(catalog).items() if isinstance(value, catalog.Catalog)}


def test_every_mechanism_has_an_entry_and_only_one():
    listed = [entry.factory for entries in CATALOGS.values() for entry in entries.values()]
    assert concrete() <= set(listed)
    assert len(set(listed)) == len(listed)


@pytest.mark.parametrize("entry", catalog.FREQUENCY.values(), ids=lambda entry: entry.key)
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


def test_labels_differ():
    assert len({entry.label for entry in catalog.FREQUENCY.values()}) == len(catalog.FREQUENCY)


def test_an_unknown_key_is_answered_with_those_there_are():
    with pytest.raises(ValueError, match="there is no mechanism 'uGRR'; there are GRR, RAPPOR, OUE"):
        catalog.FREQUENCY["uGRR"]
    assert "uGRR" not in catalog.FREQUENCY
    assert "GRR" in catalog.FREQUENCY
