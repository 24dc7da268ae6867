"""When the last reference to somebody's data is dropped, nothing of them is left in this process."""

import gc
import importlib
import pickle
import pkgutil
import weakref
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

import ldpcore
from ldpcore import data
from ldpcore.memory import Remembering, remembered
from ldpcore.numeric_randomizer import NumericRandomizer
from ldpcore.study import Marks, Source, Study, execute, tasks
from ldpcore.study.frequency import floor

PUBLIC = {"_byte_table", "_legendre", "_picks_after", "drawn", "multipliers"}
"""Caches of the whole process: they know sizes, probabilities and seeds that are public."""
ONE = "answer,weight\n" + "".join(f"{'abcd'[i * i % 7 % 4]},{i * 7 % 90}\n" for i in range(400))
SEVERAL = "".join(
    ",".join("abcdefghij"[j] for j in range(10) if i % (j + 2) == 0 or j == i % 7) + "\n" for i in range(300)
)
STUDIES = {
    "frequency": (ONE, Study(Source("one.csv"), "answer", Marks.of("b"), ("GRR", "uSS"), grid=(), repetitions=1)),
    "means": (
        ONE,
        Study(Source("one.csv"), "weight", Marks.of(["30..60"]), ("PM", "SDPM"), grid=(), task="means",
              bins=(0, 100, 16), repetitions=1),
    ),
    "sets": (
        SEVERAL,
        Study(Source("several.csv"), "items", Marks.of("a"), ("suGRR", "suWheel-J"), grid=(), task="sets",
              options=(("m", 2),), repetitions=1),
    ),
    "simulated": (
        SEVERAL,
        Study(Source("several.csv"), "items", Marks.of("a"), ("suGRR",), grid=(), task="sets",
              options=(("simulated", 9), ("m", 2)), repetitions=1),
    ),
}  # fmt: skip


def caches():
    """Every lru_cache of the engine, and how much it holds."""
    for key, value in _cached().items():
        yield key, value.cache_info().currsize


@cache
def _cached():
    return {
        (value.__module__, name): value
        for info in pkgutil.walk_packages(ldpcore.__path__, "ldpcore.")
        for name, value in vars(importlib.import_module(info.name)).items()
        if hasattr(value, "cache_info")
    }


@pytest.mark.parametrize("name", STUDIES)
def test_nothing_is_left_of_the_data(name):
    text, study = STUDIES[name]
    prepared = execute.prepare(study, data.read(text.encode(), study.data.name))
    before, there = dict(caches()), set(map(id, _mechanisms()))
    task = tasks.of(study)
    task.theory(study, prepared)
    for chunk in task.chunks(study, prepared):
        chunk()
    if name == "frequency":
        floor.distances(study, prepared)
    memo = vars(prepared).get("_memo", {}).values()
    inner = [weakref.ref(value) for value in memo if not isinstance(value, list)]  # which none can refer to
    assert inner or name == "frequency", "what is computed is kept with the data"
    gone = weakref.ref(prepared)
    del prepared, chunk, memo
    gc.collect()
    assert gone() is None
    assert not [ref for ref in inner if ref() is not None]
    assert {id(m) for m in _mechanisms()} <= there
    grown = {key[1] for key, size in caches() if size > before[key]}
    assert grown <= PUBLIC


def _mechanisms():
    """By their types: an abstract class takes long to say of each object whether it is one."""
    kinds, left = set(), [NumericRandomizer]
    while left:
        kinds.add(kind := left.pop())
        left += kind.__subclasses__()
    return [found for found in gc.get_objects() if type(found) in kinds]


@dataclass(frozen=True, eq=False)
class People(Remembering):
    ages: tuple[int, ...]


def test_the_newest_of_each_kind_are_kept():
    people, made = People((1, 2)), []

    def ask(*key, most=2):
        return remembered(people, key, lambda: made.append(key) or np.ones(1), most)

    assert ask("a", 1) is ask("a", 1)
    ask("b", 1), ask("a", 2), ask("a", 3)
    assert made == [("a", 1), ("b", 1), ("a", 2), ("a", 3)]
    ask("b", 1), ask("a", 3)
    assert len(made) == 4
    ask("a", 1)
    assert made[-1] == ("a", 1)


def test_data_travel_without_what_is_remembered():
    people = People((1, 2))
    remembered(people, ("a",), lambda: lambda: None)  # cannot be pickled
    assert vars(pickle.loads(pickle.dumps(people))) == {"ages": (1, 2)}
