"""Sets: which items are marked, how many items a report is about, and the mechanisms compared on them."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

import state
import words
from ldpcore import catalog, data
from ldpcore.data import Baskets
from ldpcore.data.layout import ALL_COLUMNS
from ldpcore.study import Study
from ldpcore.study import sets as task
from sets import data as set_data
from studies import parts

DEFAULT_MECHANISMS = ("Wheel", "PrivSet", "suRAP", "suWheel", "suWheel-J", "uPrivSet")
GROUPS = parts.by_promise(catalog.SETS)
SIMULATED = (16, 32, 64, 128, 256, 512, 1024)
"""How many items simulated sets are drawn from."""
MOST = 128
"""Items per report that can be typed; a Study file may ask for more, and the attacks then take minutes."""
VIEW = {
    "sets_scope": tuple(set_data.SCOPES),
    "sets_quantity": tuple(set_data.QUANTITIES),
}


def columns(source: data.Table) -> list[str]:
    """The columns of sets."""
    return list(source.sets)


def default_column(source: data.Table) -> str:
    return next(iter(source.sets), "")


def foremost(source: data.Table) -> str:
    """The column of sets that these data are mainly about; "" for an ordinary table."""
    name = default_column(source)
    return "" if name == ALL_COLUMNS else name


def start() -> None:
    session = st.session_state
    session.update(
        set_m={},
        sets_axis="epsilon",
        sets_simulated=0,
        sets_share=25,
        **{key: values[0] for key, values in VIEW.items()},
    )
    choose_mechanisms(DEFAULT_MECHANISMS)


def beside_data(place: Any) -> None:
    parts.column(place)


def sidebar() -> None:
    try:
        held = baskets()
    except data.DataError as error:
        parts.aside(error.sentence)
        return
    _people(held)
    parts.epsilon()
    _m(held)
    parts.groups(GROUPS, "sets")
    parts.repetitions_and_seed()


def baskets() -> Baskets:
    """The chosen column's. DataError where there are none."""
    return state.table().baskets(state.column())


def values(held: Baskets) -> tuple[str, ...]:
    """The marked items; marks that name none of these items are gone, with a sentence."""
    known = set(held.labels)
    state.drop_strangers(known)
    return state.arms()[0].values


def _people(held: Baskets) -> None:
    """How many people and items, and which are sensitive."""
    if st.session_state.sets_simulated:
        items = st.session_state.sets_simulated
        marked = round(items * st.session_state.sets_share / 100)
        parts.aside(
            f"<b>Simulated sets</b> of {words.count(held.n)} people: {words.count(items)} items, all alike, "
            f"{words.count(marked)} of them marked."
        )
        return
    marked = values(held)
    st.html(
        f'<div class="sub">{words.count(held.n)} people · {words.count(held.k)} items, '
        f"{held.lengths.mean():.1f} each</div>"
    )
    mask = held.domain.mask(marked)
    with_one = np.unique(held.people[mask[held.codes]]).size
    parts.marked(marked, "item", f"{words.share(with_one / held.n)} of the people hold one")


def _m(held: Baskets) -> None:
    """Items per set: as proposed, until the person says otherwise."""
    key = _m_key()
    chosen = st.session_state.set_m.get(key)
    proposed = task.items_per_set(_options(base(held), None), held)
    st.session_state.sets_m = chosen or proposed
    left, right = st.columns([3, 2], gap="small", vertical_alignment="center")
    left.markdown(
        "**Items, m**",
        help="Shorter baskets are filled up with dummies, of longer ones m items are drawn. Proposed: what keeps nine "
        "baskets in ten whole.",
    )
    right.number_input(
        "m",
        1,
        max(MOST, st.session_state.sets_m),
        step=1,
        key="sets_m",
        on_change=_chose_m,
        args=(key,),
        label_visibility="collapsed",
    )


def _m_key() -> tuple[str, str, int]:
    return state.table().digest, state.column(), st.session_state.sets_simulated


def _chose_m(key: tuple[str, str, int]) -> None:
    st.session_state.set_m[key] = int(st.session_state.sets_m)


def choose_m(m: int) -> None:
    st.session_state.set_m[_m_key()] = m


def mechanisms() -> tuple[str, ...]:
    chosen = {key for group in GROUPS for key in st.session_state[f"sets_{group}"] or ()}
    return tuple(key for key in catalog.SETS if key in chosen)


def choose_mechanisms(keys: Iterable[str]) -> None:
    chosen = set(keys)
    for group, members in GROUPS.items():
        st.session_state[f"sets_{group}"] = [key for key in members if key in chosen]


def base(held: Baskets) -> Study:
    return replace(
        state.base(),
        task="sets",
        arms=tuple(state.arms()[:1]),
        mechanisms=mechanisms() or DEFAULT_MECHANISMS,
        bins=None,
        grid=(),
    )


def _options(study: Study, m: int | None) -> Study:
    simulated = st.session_state.sets_simulated
    if simulated and m is not None:
        m = min(m, simulated)
    share = st.session_state.sets_share / 100
    return study.with_options(m=m, simulated=simulated or None, marked=share if simulated and share != 0.25 else None)


def shown() -> Study:
    """The Study of the sidebar, at its own point alone. DataError where the data has no baskets."""
    held = baskets()
    values(held)
    return _options(base(held), st.session_state.set_m.get(_m_key()))


def shown_as_data() -> Study:
    """The same on the data's own baskets, whatever the Sets page simulates."""
    held = baskets()
    return base(held).with_options(m=st.session_state.set_m.get((state.table().digest, state.column(), 0)), attacks=0)


def current() -> Study:
    """The same, over the axis that the view shows."""
    study, held = shown(), baskets()
    axis = st.session_state.sets_axis
    return replace(study, axis=axis, grid=set_data.grids(axis, study, held)[0])


def adopt(wanted: Study, source: data.Table, marks: bool, mechanisms: bool) -> None:
    session = st.session_state
    if mechanisms:
        choose_mechanisms(state.known(wanted.mechanisms, catalog.SETS, "mechanisms") or DEFAULT_MECHANISMS)
    session.sets_axis = wanted.axis
    try:
        chosen = task.options(wanted)
    except (TypeError, ValueError) as error:
        session.problems.append(state.Problem("The study's options make no sense and were left out.", str(error)))
        chosen = task.OPTIONS
    session.sets_simulated = chosen["simulated"] or 0
    session.sets_share = round(100 * chosen["marked"])
    if not state.adopt_column(wanted, source, columns(source), default_column(source)):
        return
    if chosen["m"]:
        session.set_m[source.digest, session.column, session.sets_simulated] = chosen["m"]
    if marks:
        known = set(source.baskets(session.column).labels)
        state.adopt_marks(wanted, source, known)
