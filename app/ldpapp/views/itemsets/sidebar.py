"""Itemsets' part of the sidebar: baskets, how many make a set frequent, the miners, and what is equal between them."""

from functools import partial
from typing import Any

import streamlit as st

from ldpapp import words
from ldpapp.compute.memory import remember
from ldpapp.parts import budget, sidebar
from ldpapp.state import actions, column_settings, controlled
from ldpapp.state.model import study_of, workspace
from ldpapp.state.model import table as kept_table
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
    controlled.bound(
        place.number_input, label, key="itemsets_at_least", value=count, step=1,
        change=lambda least: actions.option("itemsets", min_count=int(least)),
    )  # fmt: skip


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
    sidebar.aside(nouns.unmarked(any(task.CATALOG[key].promise != "LDP" for key in study.mechanisms)))
    marked = column_settings.of(workspace(), study.column).marks.values
    if marked:
        controlled.bound(
            st.toggle,
            t("Withhold the {n} marked", n=words.count(len(marked))),
            key="itemsets_withhold",
            value=bool(study.marks),
            change=partial(actions.withhold, "itemsets"),
        )
    options = task.options(study)
    if task.same(study) == "s":
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
    if "SmartTrunc" in study.mechanisms:
        _cutting(study, curves.least(study, baskets.n))
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
    sidebar.own_elsewhere()


def _cutting(study: Study, least: int) -> None:
    """How SmartTrunc cuts baskets, how long the sets are that it looks for, and which of them make candidates."""
    options = task.options(study)
    items, levels = words.plural(options.length, t("item"), t("items")), words.count(options.levels)
    with st.popover(t("SmartTrunc: {items}, {levels} levels", items=items, levels=levels), width="stretch"):
        controlled.bound(
            st.number_input, t("Items that a basket is cut to"), 1, 1000, key="itemsets_length", value=options.length,
            change=lambda length: actions.option("itemsets", length=int(length)), step=1,
        )  # fmt: skip
        controlled.bound(
            st.number_input, t("Levels: it looks for sets of up to so many items"), 1, 64, key="itemsets_levels",
            value=options.levels, change=lambda levels: actions.option("itemsets", levels=int(levels)), step=1,
        )  # fmt: skip
        controlled.bound(
            st.number_input, t("Noisy count from which a set makes candidates"), 0.0, None, key="itemsets_seeds",
            value=float(least if options.candidate_count is None else options.candidate_count),
            change=partial(_choose_seeds, least), step=1.0, format="%0.4g",
            help=t("Usually that which makes a set frequent; the paper’s experiment takes half of it."),
        )  # fmt: skip


def _choose_seeds(least: int, count: float) -> None:
    """The usual one is not said, so that it goes with what makes a set frequent."""
    actions.option("itemsets", candidate_count=None if count == least else float(count))


def against(axis: str) -> None:
    """Draw the scores along the threshold, or along what is equal for all miners, which stays so."""
    study = study_of("itemsets")
    same = task.same(study)
    if axis == curves.THRESHOLD:
        actions.change("itemsets", axis=axis, options=study.changed_options(same=same))
    else:
        actions.change("itemsets", axis=same)


def equal(same: str) -> None:
    """What is equal for all miners: the total ε, or s per count."""
    study = study_of("itemsets")
    if study.axis == curves.THRESHOLD:
        actions.option("itemsets", same=same)
    else:
        actions.change("itemsets", axis=same)


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
