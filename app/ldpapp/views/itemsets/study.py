"""Itemsets' part of the sidebar: baskets, how many make a set frequent, the miners, and what is equal between them."""

from functools import partial
from typing import Any

import streamlit as st

from ldpapp import words
from ldpapp.compute.memory import remember
from ldpapp.parts import budget, sidebar
from ldpapp.state import actions, column_settings, controlled
from ldpapp.state.model import table as kept_table
from ldpapp.state.model import workspace
from ldpapp.views.itemsets import terms
from ldpapp.words.language import t
from ldpcore import data as tables
from ldpcore.data import Baskets
from ldpcore.itemsets import MiningProposal
from ldpcore.itemsets.question import CLIP
from ldpcore.study import Study
from ldpcore.study import itemsets as task
from ldpcore.study.itemsets import curves

LOOKS = {
    "itemsets_score": ("f", "mae_found", "mae_candidates"),
    "fold_itemsets_bill": (False, True),
    "fold_itemsets_leak": (False, True),
}


def beside(place: Any, study: Study, table: tables.Table) -> None:
    label = terms.of(study.column).least()
    if not study.column:
        place.number_input(label, 1, 1, disabled=True)
        return
    count = curves.least(study, table.baskets(study.column).n)
    controlled.bound(place.number_input, label, key="itemsets_at_least", value=count, change=choose_least, step=1)


def choose_least(count: int) -> None:
    actions.option("itemsets", min_count=int(count))


def search(question: MiningProposal) -> None:
    """Ask another question of the exact search."""
    actions.option("itemsets", min_count=question.min_count, max_length=question.max_length)


def first(study: Study) -> MiningProposal | None:
    """The proposal that the study asks; None where it is the usual question, or somebody chose another."""
    proposed = task.proposed(kept_table().baskets(study.column))
    asked = study.option("min_count"), study.option("max_length")
    return proposed if proposed.bounded and asked == (proposed.min_count, proposed.max_length) else None


def draw(study: Study, table: tables.Table) -> None:
    """The sidebar."""
    if not study.column:
        sidebar.aside(t("This data has no column of baskets."))
        return
    baskets, nouns = table.baskets(study.column), terms.of(study.column)
    st.html(f'<div class="sub">{nouns.holders(baskets.n)} · {nouns.items(baskets.k)}</div>')
    sidebar.aside(nouns.unmarked())
    marked = column_settings.of(workspace(), study.column).marks.values
    if marked:
        controlled.bound(
            st.toggle,
            t("Withhold the {items}", items=words.literal(nouns.marked(len(marked)))),
            key="itemsets_withhold",
            value=bool(study.marks),
            change=partial(actions.withhold, "itemsets"),
        )
    options = task.options(study)
    if study.axis == "s":
        controlled.bound(
            st.number_input,
            t("Budget of one count, s"),
            key="itemsets_s",
            value=float(options.s),
            change=_choose_s,
            step=0.05,
            format="%0.4g",
            help=t("Every noisy count gets noise of scale 1/s (DFDP), or Δ/s (SmartTrunc, per level)."),
        )
    budget.epsilon(study, t("Total budget ε"))
    sidebar.pills(t("Miners"), list(task.CATALOG), "itemsets", "itemsets_miners")
    controlled.bound(
        st.toggle,
        t("The paper’s clipping at ±{clip}", clip=f"{CLIP:g}"),
        key="itemsets_clip",
        value=options.clip is not None,
        change=lambda on: actions.option("itemsets", clip=CLIP if on else None),
        help=t(
            "DFDP’s experiment limits its noise to so much. It keeps counts near the truth, and hides nothing for "
            "sure: the page shows the δ that this costs."
        ),
    )
    sidebar.repetitions_and_seed(study, "runs")


def _choose_s(s: float) -> None:
    """A budget that makes no sense changes nothing: the box shows the old one again."""
    try:
        actions.option("itemsets", s=task.budget(s, "s"))
    except (TypeError, ValueError):
        st.toast(t("A budget of {s} is none: s must be more than 0.", s=f"{s:g}"))


def data(study: Study, table: tables.Table) -> Baskets:
    """The baskets, with all that is counted of them. DataError or ValueError where they cannot be mined."""
    if not study.column:
        raise tables.DataError(
            t("“{data}” has no baskets.", data=table.name),
            t("Itemsets are mined from several items per person: one basket per line, or a column of lists."),
            t("The bundled groceries have them; on the Data page a file of your own can be read as baskets."),
        )
    baskets = table.baskets(study.column)
    asked = curves.least(study, baskets.n)
    if not 1 <= asked <= baskets.n:
        raise ValueError(terms.of(study.column).impossible(asked, baskets.n))
    if set(study.marks.values) >= set(map(str, baskets.labels)):
        raise ValueError(
            t("Every item is marked and withheld, so nothing can be published; unmark some, or do not withhold them")
        )
    made = task.prepare(study, table)  # with all that is counted and mined of them
    return remember("baskets", 4, (table.digest, study.column), lambda: made)


def full(study: Study, found: Baskets) -> Study:
    """Over the axis of its curves."""
    return curves.over(study)
