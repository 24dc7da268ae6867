"""What `ldpcore.data.proposed` would mark where nothing is, to be ticked item by item. A proposal; a person marks."""

from functools import partial

import streamlit as st

from ldpapp import words
from ldpapp.parts.panels import Control, Panel, Reach
from ldpapp.state import actions, column_actions, navigation, view_options
from ldpapp.state.model import study_of
from ldpapp.words.language import t
from ldpcore.catalog import ITEMS, SETS, Coverage
from ldpcore.data import Baskets, MarksProposal
from ldpcore.study import Study

_UNASKED = "sets_unasked"


# the panel -------------------------------------------------------------------------------------------------------


def asked(study: Study) -> bool:
    """Whether to propose: nobody said yet that every item of these data is to be protected."""
    return not study.option("simulated") and view_options.look(_UNASKED) != (study.data.digest, study.column)


def _key(study: Study, item: str) -> str:
    return f"propose_{study.data.digest[:8]}_{item}"


def chosen(study: Study, proposal: MarksProposal) -> list[str]:
    """The items that are still ticked."""
    return [item for item in proposal.values if view_options.look(_key(study, item), True)]


def panel(study: Study, held: Baskets, proposal: MarksProposal, sensitive: str) -> Panel:
    title = t(
        "Proposed as {sensitive}: {n} of {k} items",
        sensitive=sensitive,
        n=len(chosen(study, proposal)),
        k=words.count(held.k),
    )
    if proposal.delicate:
        text = t(
            "A proposal, not a judgement: words from a list of delicate topics. Right: share of the people. Nothing is "
            "marked until you press the button."
        )
    else:
        text = t(
            "Proposed because they are rare, not because they are delicate: the rarest say most about who holds them. "
            "Right: share of the people. Nothing is marked until you press the button."
        )
    return Panel(
        "set_proposal",
        title,
        [Control(partial(_ticks, study, held, proposal)), Control(partial(_buttons, study, proposal))],
        text,
        reach=Reach.SCREEN,
    )


def _ticks(study: Study, held: Baskets, proposal: MarksProposal) -> None:
    """In columns, read from left to right."""
    with st.container(key="proposed"):
        places = st.columns(3, gap="medium")
        counts = held.counts[held.domain.encode(proposal.values)]
        for at, (item, people) in enumerate(zip(proposal.values, counts, strict=True)):
            with places[at % 3].container(
                horizontal=True, horizontal_alignment="distribute", gap="small", wrap=False, vertical_alignment="center"
            ):
                if view_options.look(_key(study, item)) is None:
                    view_options.choose(_key(study, item), True)
                st.checkbox(words.literal(item), key=_key(study, item), persist_state="session")
                share = words.share(people / held.n)
                st.html(f'<div class="sub nowrap">{share}</div>', width="content")


def _buttons(study: Study, proposal: MarksProposal) -> None:
    items = chosen(study, proposal)
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="propose"):
        st.button(
            t("Mark these {n}", n=len(items)),
            key="propose_mark",
            type="primary" if proposal.delicate else "secondary",
            disabled=not items,
            on_click=column_actions.set_marks,
            args=(study.column, items),
        )
        if st.button(t("Choose on Data"), key="propose_data", on_click=actions.choose_column, args=(study.column,)):
            navigation.go("data")
        st.button(
            t("Protect every item, and do not ask again"),
            key="propose_every",
            type="tertiary",
            on_click=_every,
            args=((study.data.digest, study.column),),
        )


def _every(data: tuple[str, str]) -> None:
    """Only what protects every item is compared, and nothing is proposed for these data."""
    view_options.choose(_UNASKED, data)
    every = set(ITEMS.by_coverage()[Coverage.EVERY])
    actions.choose_mechanisms("sets", every & set(study_of("sets").mechanisms) or every & set(SETS.defaults))
