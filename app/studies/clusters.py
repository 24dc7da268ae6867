"""Clusters: the columns that make a record, how many clusters, the methods, and the column whose trace is attacked."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import streamlit as st

import state
import words
from ldpcore import catalog, data
from ldpcore.study import Study
from ldpcore.study import clusters as task
from studies import parts

DEFAULT_MECHANISMS = ("LDPK", "LDPK-split", "DPK", "Fresh")
GROUPS = {
    "The first report only ─·─": [key for key, entry in catalog.CLUSTERINGS.items() if not entry.whole],
    "The whole protocol ╌╌╌": [k for k, entry in catalog.CLUSTERINGS.items() if entry.whole and not entry.central],
    "A curator who is trusted ╌╌╌": [k for k, entry in catalog.CLUSTERINGS.items() if entry.central],
}
"""What ε covers → keys."""
MOST_COLUMNS = 6
ATTACKED = ("marital-status", "condition")
"""Columns of the bundled data that people would rather keep to themselves: the attack is first shown on them."""
EPSILONS = (0.2, 0.4, 0.7, 1.0, 1.6, 2.5, 4.0)
VIEW = {
    "clusters_score": ("AC", "entropy"),
    "clusters_axis": ("epsilon", "n", "k"),
}


def columns(source: data.Table) -> list[str]:
    """Columns that a record can be made of. The one attacked is kept apart: it is a choice of this page alone."""
    return list(task.categories(source))


def default_column(source: data.Table) -> str:
    return attacked(source)


def attacked(source: data.Table) -> str:
    """The column whose trace is attacked, one of those of the records."""
    names = chosen(source)
    kept = st.session_state.cluster_attacked.get(source.digest)
    if kept in names:
        return kept
    return next((name for name in ATTACKED if name in names), names[0] if names else "")


def chosen(source: data.Table) -> tuple[str, ...]:
    """The columns of the records: those picked, else the first six categories with more than two values."""
    kept = st.session_state.cluster_columns.get(source.digest)
    return kept or usual(source)


def usual(source: data.Table) -> tuple[str, ...]:
    names = task.categories(source)
    distinct = {column.name: column.distinct for column in source.profile()}
    rich = tuple(name for name in names if distinct[name] > 2)
    return (rich or names)[:MOST_COLUMNS]


def start() -> None:
    st.session_state.update(cluster_columns={}, cluster_attacked={}, clusters_k=3)
    st.session_state.update({key: values[0] for key, values in VIEW.items()})
    choose_mechanisms(DEFAULT_MECHANISMS)


def beside_data(place: Any) -> None:
    place.number_input(
        "Clusters", 1, task.MOST_CLUSTERS, step=1, key="clusters_k", persist_state="session", help="k of K-modes."
    )


def sidebar() -> None:
    source = state.table()
    names = list(chosen(source))
    if not names:
        parts.aside("This data has no column of categories.")
        return
    with st.popover(f"{words.plural(len(names), 'column')} make a record", width="stretch"):
        key = f"cluster_columns_{source.digest[:12]}"
        st.session_state[key] = names
        st.multiselect(
            "Columns of a record",
            task.categories(source),
            key=key,
            on_change=_choose_columns,
            args=(source.digest, key),
            help="Columns of categories. Every person's answers to these make one record.",
        )
    st.session_state.clusters_wanted = attacked(source)
    st.selectbox(
        "The adversary wants",
        names,
        key="clusters_wanted",
        on_change=_choose_attacked,
        args=(source.digest,),
        help="The column whose values are guessed from the messages. Every record is protected whole or not at all: "
        "single values cannot be marked here.",
    )
    parts.epsilon()
    for label, keys in GROUPS.items():
        parts.pills(label, keys, f"clusterings_{label}")
    parts.repetitions_and_seed("runs")


def _choose_columns(digest: str, key: str) -> None:
    st.session_state.cluster_columns[digest] = tuple(st.session_state[key])


def _choose_attacked(digest: str) -> None:
    st.session_state.cluster_attacked[digest] = st.session_state.clusters_wanted


def mechanisms() -> tuple[str, ...]:
    picked = {key for label in GROUPS for key in st.session_state[f"clusterings_{label}"] or ()}
    return tuple(key for key in catalog.CLUSTERINGS if key in picked)


def choose_mechanisms(keys: Iterable[str]) -> None:
    wanted = set(keys)
    for label, members in GROUPS.items():
        st.session_state[f"clusterings_{label}"] = [key for key in members if key in wanted]


def shown() -> Study:
    """The Study of the sidebar, at its own point alone. DataError where the data has no categories."""
    source = state.table()
    names = chosen(source)
    if not names:
        raise data.DataError(
            f"“{source.name}” has no column of categories.",
            "Clusters are of records of categories. Cut numbers into named groups in a file of your own, or choose "
            "other data.",
        )
    return replace(
        state.base(),
        task="clusters",
        column=attacked(source),
        mechanisms=mechanisms() or DEFAULT_MECHANISMS,
        bins=None,
        grid=(),
        options=(("columns", names), ("k", int(st.session_state.clusters_k))),
    )


def current() -> Study:
    """The same, over the axis that the view shows."""
    study = shown()
    axis = st.session_state.clusters_axis
    return replace(study, axis=axis, grid=grid(axis, study))


def grid(axis: str, study: Study) -> tuple[float, ...]:
    """Where the curves are simulated."""
    if axis == "epsilon":
        return EPSILONS
    records = len(state.table().frame)
    if axis == "n":
        steps = (300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000)
        return tuple(float(n) for n in steps if n >= task.clusters(study))
    return tuple(float(k) for k in (1, 2, 3, 4, 6, 8, 12) if k <= records)


def adopt(wanted: Study, source: data.Table, marks: bool, mechanisms: bool) -> None:
    session = st.session_state
    if mechanisms:
        choose_mechanisms(state.known(wanted.mechanisms, catalog.CLUSTERINGS, "methods") or DEFAULT_MECHANISMS)
    try:
        session.clusters_k = task.clusters(wanted)
        named = wanted.option("columns", ())
    except (TypeError, ValueError) as error:
        session.problems.append(state.Problem("The study's options make no sense and were left out.", str(error)))
        named = ()
    known = tuple(state.known(named, task.categories(source), "columns")) if named else ()
    if known:
        session.cluster_columns[source.digest] = known
    session.clusters_axis = wanted.axis
    if wanted.column in chosen(source):
        session.cluster_attacked[source.digest] = wanted.column
    elif wanted.column:
        what = f"“{wanted.column[:40]}” is none of the columns of a record."
        session.problems.append(state.Problem(what, "Another one is attacked."))
