"""Clusters' part of the sidebar: the columns of a record, how many clusters, the methods, and who is attacked."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from ldpapp import bind, session, sidebar, words
from ldpapp.compute.memory import once
from ldpapp.kept import kept, table
from ldpapp.tasks.clusters import cached
from ldpcore.data import DataError, Table
from ldpcore.study import Study
from ldpcore.study import clusters as task

EPSILONS = (0.2, 0.4, 0.7, 1.0, 1.6, 2.5, 4.0)
LOOKS = {"clusters_score": ("AC", "entropy")}


def groups() -> dict[str, list[str]]:
    """What ε covers → keys."""
    found: dict[str, list[str]] = {}
    for key, entry in task.CATALOG.items():
        if not entry.whole:
            what = "The first report only ─·─"
        else:
            what = "A curator who is trusted ╌╌╌" if entry.central else "The whole protocol ╌╌╌"
        found.setdefault(what, []).append(key)
    return found


def beside(place: Any, study: Study, table: Table) -> None:
    bind.bound(
        place.number_input, "Clusters", 1, task.MOST_CLUSTERS, key="clusters_k", value=task.clusters(study),
        change=lambda k: session.option("clusters", k=int(k)), step=1, help="k of K-modes.",
    )  # fmt: skip


def draw(study: Study, table: Table) -> None:
    """The sidebar."""
    names = list(study.option("columns", ()))
    if not names:
        sidebar.aside("This data has no column of categories.")
        return
    with st.popover(f"{words.plural(len(names), 'column')} make a record", width="stretch"):
        bind.bound(
            st.multiselect,
            "Columns of a record",
            task.categories(table),
            key="cluster_columns",
            value=names,
            change=choose_columns,
            help="Columns of categories. Every person's answers to these make one record.",
        )
    bind.bound(
        st.selectbox,
        "The adversary wants",
        names,
        key="clusters_wanted",
        value=study.column,
        change=lambda name: session.change("clusters", column=name),
        help="The column whose values are guessed from the messages. Every record is protected whole or not at all: "
        "single values cannot be marked here.",
    )
    sidebar.epsilon(study)
    for label, keys in groups().items():
        sidebar.pills(label, keys, "clusters", f"clusterings_{label}")
    sidebar.repetitions_and_seed(study, "runs")


def choose_columns(names: Sequence[str]) -> None:
    """The columns of a record; none at all: the usual ones. The one attacked stays where it can."""
    study = kept().studies["clusters"]
    chosen = tuple(names) or task.usual(table())
    column = study.column if study.column in chosen else task.delicate(chosen)
    session.change("clusters", column=column, options=study.with_options(columns=chosen).options)


def data(study: Study, table: Table) -> task.People:
    """The records. DataError or ValueError where there are none."""
    if not study.column:
        raise DataError(
            f"“{table.name}” has no column of categories.",
            "Clusters are of records of categories. Cut numbers into named groups in a file of your own, or choose "
            "other data.",
        )
    return task.checked(here(study), cached.people(study, table))


@once(64)
def here(study: Study) -> Study:
    """The study at its own point alone."""
    return replace(study, axis="epsilon", grid=())


def grid(axis: str, study: Study, records: int) -> tuple[float, ...]:
    """Where the curves are simulated."""
    if axis == "epsilon":
        return EPSILONS
    if axis == "n":
        steps = (300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000)
        return tuple(float(n) for n in steps if n >= task.clusters(study))
    return tuple(float(k) for k in (1, 2, 3, 4, 6, 8, 12) if k <= records)


@once(64)
def curves(study: Study, axis: str, records: int) -> Study:
    """The study behind the curves: it does not change with the chosen ε where ε is the axis."""
    along = grid(axis, study, records)
    base = replace(study, axis=axis, grid=along).with_options(attack=False)
    return replace(base, epsilon=along[0]) if axis == "epsilon" else base


@once(16)
def full(study: Study, people: task.People) -> Study:
    """Over the axis that the view shows."""
    return replace(study, grid=grid(study.axis, study, people.n + people.dropped))
