"""What somebody adds is everywhere at once: one entry (or, for a task, a folder and a line) and nothing else is edited.

A toy of every kind is listed at run time; its page opens with it, draws it with the dash of its promise, and runs it.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from types import ModuleType

import pandas as pd
import pytest

from ldpapp.charts import palette
from ldpapp.views.task import Sentences, TaskPage
from ldpapp.views.tasks import TASKS
from ldpcore import catalog, clusters
from ldpcore.catalog import Catalog, Construction
from ldpcore.catalog.clusterings import ClusterEntry
from ldpcore.catalog.miners import MinerEntry
from ldpcore.catalog.ranges import RangeEntry
from ldpcore.mechanisms.direct import URR
from ldpcore.mechanisms.duchi import Duchi
from ldpcore.mechanisms.leveled_hits import LeveledHits
from ldpcore.mechanisms.per_item import SUGRR
from ldpcore.ranges import Tree
from ldpcore.study import Source, Study, frequency, mark_kinds, run
from ldpcore.study import tasks as engine
from tests.app.opening import (
    go,
    html,
    link,
    opened,
    study,
)


class ToyRR(URR):
    """Somebody's frequency mechanism."""


class ToySets(SUGRR):
    """Somebody's mechanism for sets."""


class ToyMean(Duchi):
    """Somebody's mechanism for numbers."""


def variant_of(entries: Catalog, key: str, **fields):
    """An entry like this one, under a name of its own."""
    return replace(entries[key], key="Toy", label="Somebody's own", source="nobody", variant="", **fields)


class ToyLevels(LeveledHits):
    """Somebody's mechanism for sets with levels."""


LEVELED = {
    "data": "groceries", "o.m": "2", "eps2": "0.5", "arm.A": ["condoms", "liqueur"], "secret.A": ["condoms"],
}  # fmt: skip
TOYS = {
    "frequency": (catalog.FREQUENCY, variant_of(catalog.FREQUENCY, "uRR", factory=ToyRR), {"data": "census"}),
    "sets": (catalog.SETS, variant_of(catalog.SETS, "suGRR", factory=ToySets), {"data": "groceries", "o.m": "2"}),
    "sets, by level": (
        catalog.LEVELED_SETS, variant_of(catalog.LEVELED_SETS, "gHit", factory=ToyLevels), LEVELED,
    ),
    "means": (
        catalog.MEANS,
        variant_of(catalog.MEANS, "Duchi", factory=ToyMean),
        {"data": "census", "means_lines": "all"},
    ),
    "itemsets": (
        catalog.MINERS,
        MinerEntry(
            key="Toy",
            run=catalog.MINERS["SmartTrunc"].run,
            label="Somebody's own",
            source="nobody",
            promise="ε-DP (central)",
            kept="yes, for baskets",
            construction=Construction.COUNTS,
            caveats=("It is a toy.",),
        ),
        {"data": "groceries"},
    ),
    "clusters": (
        catalog.CLUSTERINGS,
        ClusterEntry(
            "Toy", clusters.fresh, "Somebody's own", "nobody", "ε-LDP, the whole protocol", True, Construction.SYMBOL
        ),
        {"data": "health"},
    ),
    "ranges": (
        catalog.RANGES,
        RangeEntry("Toy", partial(Tree, branching=32), "Somebody's own", "nobody", "ε-DP (central)", Construction.TREE),
        {"data": "census"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", TOYS)
def test_an_entry_is_listed_drawn_and_run(kind: str) -> None:
    task = kind.partition(",")[0]
    entries, toy, query = TOYS[kind]
    entries.add(toy)
    try:
        other = next(key for key in entries.defaults if task != "itemsets" or key == "Capped")
        at = opened(TASKS[task].address, m=["Toy", other], task=task, **query)
        assert not at.exception
        assert study(at, task).mechanisms == tuple(key for key in entries if key in ("Toy", other))
        assert any("Toy" in option for pills in at.get("button_group") for option in _options(pills))
        mark = palette.mark("Toy")
        assert mark.dash == palette.DASHES[catalog.coverage(toy.promise)]
        assert mark.symbol == palette.CONSTRUCTIONS[toy.construction][0]
        drawn = html(at) + "".join(chart.proto.spec for chart in at.get("plotly_chart"))
        assert "Toy" in drawn
    finally:
        entries.remove("Toy")


def _options(group) -> list[str]:
    return [option.content for option in group.proto.options]


def test_a_key_is_given_once() -> None:
    with pytest.raises(ValueError, match="there is a mechanism 'GRR' already"):
        catalog.FREQUENCY.add(replace(catalog.FREQUENCY["GRR"]))


# a seventh task ----------------------------------------------------------------------------------------------------


def toy_engine() -> ModuleType:
    """A task like Frequency that knows nothing of marks: in life a folder of ldpcore/study."""
    task = ModuleType("toy")
    vars(task).update({name: value for name, value in vars(frequency).items() if not name.startswith("__")})
    task.AXES, task.MARKS = ("epsilon",), mark_kinds.CELLS
    task.CATALOG = Catalog(replace(catalog.FREQUENCY["SS"], default=True))
    return task


@pytest.fixture
def seventh() -> Iterator[TaskPage]:
    """One line in the engine's list, one in the app's."""
    import streamlit as st

    from ldpapp.parts import budget, sidebar, widgets
    from ldpapp.parts.cards import Card
    from ldpapp.views.frequency import sidebar as frequency

    engine.add("toy", toy_engine())
    page = TaskPage(
        key="toy",
        name=lambda: "Toy",
        asks=lambda: "Who plays?",
        said=lambda: Sentences("Nothing to play with.", "That is no play.", "Choose.", "None.", "Each is a toy."),
        looks={"toy_look": ("plain", "fancy")},
        beside=lambda place, study, table: sidebar.column(place, ["education"], study.column),
        sidebar=lambda study, table: budget.epsilon(study),
        data=frequency.data,
        page=lambda study, counted: widgets.sentence(f"The toy counts {counted.n} people at ε = {study.epsilon:g}."),
        card=lambda study, table, column: Card("toy", "7", "tasks", "", "toy", lambda: st.html("drawn")),
    )
    TASKS["toy"] = page
    try:
        yield page
    finally:
        del TASKS["toy"]
        engine.remove("toy")


def test_a_task_is_a_folder_and_a_line_on_either_side(seventh: TaskPage) -> None:
    at = opened("toy", task="toy", data="census", eps="0.5")
    assert not at.exception
    assert "The toy counts" in html(at)
    assert "ε = 0.5" in html(at)
    assert at.number_input(key="epsilon").value == 0.5
    assert link(at)["task"] == ["toy"]
    go(at, "overview")
    assert not at.exception
    assert '<span class="number">7</span>' in html(at)
    rows = run(Study(Source("census"), "education", task="toy", grid=(), repetitions=1))
    assert isinstance(rows, pd.DataFrame)
    assert set(rows["mechanism"]) == {"SS"}
