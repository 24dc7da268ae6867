"""Itemsets: baskets, how many make a set frequent, the miners compared, and what is equal between them."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import streamlit as st

import state
import words
from ldpcore import catalog, data
from ldpcore.itemsets.question import CLIP
from ldpcore.study import Arm, Study
from ldpcore.study import itemsets as task
from studies import parts

DEFAULT_MECHANISMS = ("DFDP", "SmartTrunc", "Capped")
USUAL_SHARE = 0.01
"""Of the baskets: what a set needs to be frequent until the person says otherwise."""
EPSILONS = (0.2, 0.5, 1.0, 2.0, 4.0, 8.0)
BUDGETS = (0.05, 0.1, 0.2, 0.4, 0.7, 1.0)
VIEW = {
    "itemsets_same": task.SAME,
    "itemsets_score": ("f", "mae_found", "mae_candidates"),
}


def columns(source: data.Table) -> list[str]:
    """Columns of several items per person."""
    return list(source.sets)


def default_column(source: data.Table) -> str:
    return next(iter(source.sets), "")


def start() -> None:
    st.session_state.update({key: values[0] for key, values in VIEW.items()})
    st.session_state.update(
        itemsets_least={}, itemsets_s=0.2, itemsets_clip=False, itemsets_withhold=False, itemsets_longest=None
    )
    choose_mechanisms(DEFAULT_MECHANISMS)


def beside_data(place: Any) -> None:
    if not state.column():
        place.number_input("At least, baskets", 1, 1, disabled=True)
        return
    digest = state.table().digest
    st.session_state.itemsets_at_least = least()
    place.number_input(
        "At least, baskets",
        step=1,
        key="itemsets_at_least",
        on_change=_choose_least,
        args=(digest, state.column()),
    )


def least(column: str | None = None) -> int:
    """How many baskets make a set frequent; one in a hundred, roundly, until the person says."""
    source, name = state.table(), state.column() if column is None else column
    kept = st.session_state.itemsets_least.get((source.digest, name))
    return usual(source.baskets(name).n) if kept is None else kept


def usual(n: int) -> int:
    """About one basket in a hundred, a round number, and at least two where there are two."""
    wanted = n * USUAL_SHARE
    step = max(1.0, 10 ** (len(str(round(wanted))) - 1) / 2)
    return min(n, max(2, int(round(wanted / step) * step)))


def _choose_least(digest: str, column: str) -> None:
    st.session_state.itemsets_least[digest, column] = st.session_state.itemsets_at_least


def sidebar() -> None:
    session = st.session_state
    if not state.column():
        parts.aside("This data has no column of baskets.")
        return
    found = state.table().baskets(state.column())
    st.html(f'<div class="sub">{words.count(found.n)} baskets · {words.count(found.k)} items</div>')
    parts.aside("Marks do not apply here: a miner protects <b>whole baskets</b>, whatever is in them.")
    marked = state.arms()[0].values
    if marked:
        st.toggle(
            f"Withhold the {words.plural(len(marked), 'marked item')}",
            key="itemsets_withhold",
            persist_state="session",
        )
    if session.itemsets_same == "s":
        st.number_input(
            "Budget of one count, s",
            step=0.05,
            format="%0.4g",
            key="itemsets_s",
            persist_state="session",
            help="Every noisy count gets noise of scale 1/s (DFDP), or Δ/s (SmartTrunc, per level).",
        )
    parts.epsilon("Total budget ε")
    parts.pills("Miners", list(catalog.MINERS), "itemsets_miners")
    st.toggle(
        f"The paper’s clipping at ±{CLIP:g}",
        key="itemsets_clip",
        persist_state="session",
        help="DFDP’s experiment limits its noise to so much. It keeps counts near the truth, and hides nothing for "
        "sure: the page shows the δ that this costs.",
    )
    parts.repetitions_and_seed("runs")


def mechanisms() -> tuple[str, ...]:
    chosen = set(st.session_state.itemsets_miners or ())
    return tuple(key for key in catalog.MINERS if key in chosen)


def choose_mechanisms(keys: Iterable[str]) -> None:
    chosen = set(keys)
    st.session_state.itemsets_miners = [key for key in catalog.MINERS if key in chosen]


def shown() -> Study:
    """The Study of the chosen point; with the usual miners while none is chosen."""
    session, source = st.session_state, state.table()
    if not state.column():
        raise data.DataError(
            f"“{source.name}” has no baskets.",
            "Itemsets are mined from several items per person: one basket per line, or a column of lists.",
            "The bundled groceries have them; on the Data page a file of your own can be read as baskets.",
        )
    made = replace(about(state.column()), axis=session.itemsets_same)
    return replace(made, arms=(state.arms()[0],)) if session.itemsets_withhold else made


def about(column: str) -> Study:
    """The Study of a column of baskets, nothing withheld."""
    session = st.session_state
    return replace(
        state.base(),
        task="itemsets",
        column=column,
        bins=None,
        arms=(Arm("A"),),
        mechanisms=mechanisms() or DEFAULT_MECHANISMS,
        grid=(),
    ).with_options(
        min_count=least(column),
        s=float(session.itemsets_s),
        clip=CLIP if session.itemsets_clip else None,
        max_length=session.itemsets_longest,
    )


def current() -> Study:
    """The same, over the axis of its curves."""
    study = shown()
    return replace(study, grid=EPSILONS if study.axis == "epsilon" else BUDGETS)


def adopt(wanted: Study, source: data.Table, marks: bool, mechanisms: bool) -> None:
    session = st.session_state
    if mechanisms:
        choose_mechanisms(state.known(wanted.mechanisms, catalog.MINERS, "miners") or DEFAULT_MECHANISMS)
    if not state.adopt_column(replace(wanted, bins=None), source, columns(source), default_column(source)):
        return
    try:
        given = wanted.chosen(task.OPTIONS)
        session.itemsets_same = task.same(wanted)
        session.itemsets_least[source.digest, session.column] = (
            task.threshold(given["min_count"], source.baskets(session.column).n)
            if dict(wanted.options).get("min_count") is not None
            else usual(source.baskets(session.column).n)
        )
        session.itemsets_s = task.budget(given["s"], "s")
        session.update(itemsets_clip=given["clip"] is not None, itemsets_longest=given["max_length"])
    except (TypeError, ValueError) as error:
        session.problems.append(state.Problem("The study's options make no sense and were left out.", str(error)))
    if marks:
        known = set(source.baskets(session.column).labels)
        held = [value for value in wanted.arms[0].values if value in known]
        session.itemsets_withhold = bool(held)
        if held:
            state.set_marks(held, 0)
