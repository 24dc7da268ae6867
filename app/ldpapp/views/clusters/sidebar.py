"""Clusters' part of the sidebar: the columns of a record, how many clusters, the methods, and who is attacked."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from ldpapp import compute, words
from ldpapp.compare.measures import Measure, Offer, of_100
from ldpapp.compute.memory import once
from ldpapp.parts import budget, sidebar, widgets
from ldpapp.state import actions, column_actions, column_settings, controlled
from ldpapp.state.model import study_of, table, workspace
from ldpapp.views.clusters import cached
from ldpapp.words.language import t
from ldpcore.data import DataError, Table
from ldpcore.study import Marks, Study
from ldpcore.study import clusters as task
from ldpcore.study.clusters import curves, grading
from ldpcore.study.clusters.facts import facts

LOOKS = {
    "clusters_score": ("AC", "entropy"),
    "fold_clusters_modes": (False, True),
    "fold_clusters_rounds": (False, True),
}


def beside(place: Any, study: Study, table: Table) -> None:
    controlled.bound(
        place.number_input, t("Clusters"), 1, task.MOST_CLUSTERS, key="clusters_k", value=task.clusters(study),
        change=lambda k: actions.option("clusters", k=int(k)), step=1, help=t("k of K-modes."),
    )  # fmt: skip


def draw(study: Study, table: Table) -> None:
    """The sidebar."""
    names = list(study.option("columns"))
    if not names:
        sidebar.aside(t("This data has no column of categories."))
        return
    several = t("{columns} make a record", columns=words.plural(len(names), t("column"), t("columns")))
    with st.popover(t("1 column makes a record") if len(names) == 1 else several, width="stretch"):
        controlled.bound(
            st.multiselect,
            t("Columns of a record"),
            task.categories(table),
            key="cluster_columns",
            value=names,
            change=choose_columns,
            help=t("Columns of categories. Every person's answers to these make one record."),
        )
    controlled.bound(
        st.selectbox,
        t("The adversary wants"),
        names,
        key="clusters_wanted",
        value=study.column,
        change=lambda name: actions.change("clusters", column=name),
        help=t("The column whose values are guessed from the messages."),
    )
    _marked(study, names)
    budget.epsilon(study, by_level=bool(study.marks.secret))
    labels = {
        "first": t("The first report only ─·─"),
        "central": t("A curator who is trusted ╌╌╌"),
        "whole": t("The whole protocol ╌╌╌"),
        "marked": t("The marked columns only ───"),
    }
    for what, keys in curves.groups().items():
        sidebar.pills(labels[what], keys, "clusters", f"clusterings_{what}")
    sidebar.own_elsewhere()
    sidebar.repetitions_and_seed(study, "runs")


def _marked(study: Study, names: Sequence[str]) -> None:
    """Which columns are marked, what that does, and the way to mark others."""
    level_of = grading.levels(study, names)
    does = t("Graded methods leave the others open.")
    sidebar.marked(list(level_of), t("column"), does, does, t("columns"), Marks(tuple(level_of.items())))
    _left_out(names)
    with st.popover(t("mark columns"), key="clusters_marks", width="stretch"):
        controlled.bound(
            st.multiselect, t("Columns with a marked answer"), names, key="clusters_marked", value=list(level_of),
            change=partial(mark_columns, tuple(level_of)), help=t("Here all answers of a column are marked, or none."),
        )  # fmt: skip


def _left_out(names: Sequence[str]) -> None:
    """Marked columns that are not in the record: which, and a click to add them."""
    marked = column_settings.marked_beside(workspace(), "")
    rest = [name for name in task.categories(table()) if name in marked and name not in names]
    if not rest:
        return
    column = widgets.escape(words.shorten(words.listing(rest), 60))
    st.html(f'<div class="sub">{t("Marked, but not in the record: {column}.", column=column)}</div>')
    st.button(
        t("Add to the record"), key="clusters_add_marked", type="tertiary", on_click=choose_columns,
        args=([name for name in task.categories(table()) if name in {*names, *rest}],),
    )  # fmt: skip


def mark_columns(before: Sequence[str], names: Sequence[str]) -> None:
    """Mark every answer of the columns that are new, and none of those that are gone."""
    for name in sorted({*names} ^ {*before}):
        column_actions.set_marks(name, column_settings.values(table(), name) if name in names else ())


def choose_columns(names: Sequence[str]) -> None:
    """The columns of a record; none at all: the usual ones. The one attacked stays where it can."""
    study = study_of("clusters")
    marked = column_settings.marked_beside(workspace(), "")
    chosen = tuple(names) or task.usual(table(), marked)
    column = study.column if study.column in chosen else task.delicate(chosen, marked)
    actions.change("clusters", column=column, options=study.changed_options(columns=chosen))


def data(study: Study, table: Table) -> task.ClusterRecords:
    """The records. DataError or ValueError where there are none, or where they are too few for what is asked."""
    if not study.column:
        raise DataError(
            t("“{data}” has no column of categories.", data=table.name),
            t(
                "Clusters are of records of categories. Cut numbers into named groups in a file of your own, or choose "
                "other data."
            ),
        )
    records, k = cached.people(study, table), task.clusters(study)
    many = {"k": words.plural(k, t("cluster"), t("clusters")), "n": words.count(min(records.n, study.n or records.n))}
    if k > records.n and records.dropped:
        raise ValueError(
            t("{k} cannot be made of the {n} records without a missing answer; choose at most {n} clusters", **many)
        )
    if k > records.n:
        raise ValueError(t("{k} cannot be made of {n} records; choose at most {n} clusters, or more data", **many))
    if study.n is not None and k > study.n:
        raise ValueError(t("{k} cannot be made of the {n} people who are asked; choose at most {n} clusters", **many))
    if "Pairs" in study.mechanisms and len(records.columns) < 2:
        raise ValueError(
            t("Pairs asks everybody about two columns, and a record has one here; add a column, or switch Pairs off")
        )
    return task.checked(study.at_point(), records)


@once(16)
def full(study: Study, people: task.ClusterRecords) -> Study:
    """Over the axis that the view shows."""
    return replace(study, grid=curves.grid(study.axis, study, min(people.n, study.n or people.n)))


# two settings --------------------------------------------------------------------------------------------------------


def measures(study: Study, people: task.ClusterRecords) -> Sequence[Measure]:
    """What the messages name, how many people are in the right cluster, and what ε allows."""
    known = facts(study.at_point(), people, compute.kept(study.at_point(), people))
    column, bounds = widgets.escape(words.shorten(study.column, 30)), known.bounds
    best = known.best or max(known.parts.values(), key=lambda one: one.right)
    right = best.right if known.played else None
    by, most = t("by {method}.", method=widgets.named(best.key)), t("at most; blind {n}.", n=words.of_100(bounds.blind))
    rows = [
        of_100("right", t("People in the right cluster"), right, more=True, note=by),
        of_100("allowed", t("ε lets “{column}” be named", column=column), bounds.promised, most=True, note=most),
    ]
    first = known.leaking or best
    leak = first.leak
    if leak is not None or not known.played:
        named = None if leak is None else first.named
        starts = words.plural(known.played or study.repetitions, t("start"), t("starts"))
        by = t("from the messages of {method}, mean of {starts}.", method=widgets.named(first.key), starts=starts)
        rows.append(of_100("leak", t("“{column}” named", column=column), named, exposed=True, note=by))
    return rows


def option(study: Study, name: str) -> str:
    value: Any = "" if name == "axis" else study.option(name)
    if name == "k":
        return words.plural(value, t("cluster"), t("clusters"))
    return t("{n} columns make a record", n=len(value)) if name == "columns" else ""


OFFER = Offer(measures, option, lambda study, people: study.at_point())
