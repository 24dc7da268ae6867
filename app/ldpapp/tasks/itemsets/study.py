"""Itemsets' part of the sidebar: baskets, how many make a set frequent, the miners, and what is equal between them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from ldpapp import bind, columns, session, sidebar, words
from ldpapp.compute.memory import once
from ldpapp.kept import UNMARKED
from ldpapp.tasks.itemsets import cached
from ldpcore import data as tables
from ldpcore.itemsets import Transactions
from ldpcore.itemsets.question import CLIP
from ldpcore.study import Study
from ldpcore.study import itemsets as task

EPSILONS = (0.2, 0.5, 1.0, 2.0, 4.0, 8.0)
BUDGETS = (0.05, 0.1, 0.2, 0.4, 0.7, 1.0)
LOOKS = {"itemsets_score": ("f", "mae_found", "mae_candidates")}


def beside(place: Any, study: Study, table: tables.Table) -> None:
    if not study.column:
        place.number_input("At least, baskets", 1, 1, disabled=True)
        return
    bind.bound(
        place.number_input,
        "At least, baskets",
        key="itemsets_at_least",
        value=least(study),
        change=choose_least,
        step=1,
    )


def least(study: Study) -> int:
    """How many baskets make a set frequent."""
    return int(study.chosen(task.OPTIONS)["min_count"])


def choose_least(count: int) -> None:
    session.option("itemsets", min_count=int(count))


def draw(study: Study, table: tables.Table) -> None:
    """The sidebar."""
    if not study.column:
        sidebar.aside("This data has no column of baskets.")
        return
    found = table.baskets(study.column)
    st.html(f'<div class="sub">{words.count(found.n)} baskets · {words.count(found.k)} items</div>')
    sidebar.aside("Marks do not apply here: a miner protects <b>whole baskets</b>, whatever is in them.")
    marked = columns.said(study.column).arms[0].values
    if marked:
        bind.bound(
            st.toggle,
            f"Withhold the {words.plural(len(marked), 'marked item')}",
            key="itemsets_withhold",
            value=bool(study.arms[0].marks),
            change=lambda held: withhold(study.column, held),
        )
    options = study.chosen(task.OPTIONS)
    if study.axis == "s":
        bind.bound(
            st.number_input,
            "Budget of one count, s",
            key="itemsets_s",
            value=float(options["s"]),
            change=_choose_s,
            step=0.05,
            format="%0.4g",
            help="Every noisy count gets noise of scale 1/s (DFDP), or Δ/s (SmartTrunc, per level).",
        )
    sidebar.epsilon(study, "Total budget ε")
    sidebar.pills("Miners", list(task.CATALOG), "itemsets", "itemsets_miners")
    bind.bound(
        st.toggle,
        f"The paper’s clipping at ±{CLIP:g}",
        key="itemsets_clip",
        value=options["clip"] is not None,
        change=lambda on: session.option("itemsets", clip=CLIP if on else None),
        help="DFDP’s experiment limits its noise to so much. It keeps counts near the truth, and hides nothing for "
        "sure: the page shows the δ that this costs.",
    )
    sidebar.repetitions_and_seed(study, "runs")


def withhold(column: str, held: bool) -> None:
    """Whether the marked items may be published."""
    session.change("itemsets", arms=columns.said(column).arms[:1] if held else UNMARKED)


def _choose_s(s: float) -> None:
    """A budget that makes no sense changes nothing: the box shows the old one again."""
    try:
        session.option("itemsets", s=task.budget(s, "s"))
    except (TypeError, ValueError) as error:
        st.toast(f"{error}.")


def data(study: Study, table: tables.Table) -> Transactions:
    """The baskets, with all that is counted of them. DataError or ValueError where they cannot be mined."""
    if not study.column:
        raise tables.DataError(
            f"“{table.name}” has no baskets.",
            "Itemsets are mined from several items per person: one basket per line, or a column of lists.",
            "The bundled groceries have them; on the Data page a file of your own can be read as baskets.",
        )
    return cached.baskets(study, table)


@once(64)
def along(study: Study, axis: str) -> Study:
    """The same comparison with the other thing equal."""
    return replace(study, axis=axis, grid=())


@once(64)
def about(study: Study, column: str, mechanisms: Sequence[str]) -> Study:
    """These miners on a column of baskets, nothing withheld."""
    return replace(study, column=column, arms=UNMARKED, mechanisms=tuple(mechanisms), grid=())


@once(64)
def curves(study: Study) -> Study:
    """The study behind the curves: no run depends on the chosen point or on the other runs."""
    return replace(study, grid=EPSILONS if study.axis == "epsilon" else BUDGETS)


def full(study: Study, found: Transactions) -> Study:
    """Over the axis of its curves."""
    return curves(study)
