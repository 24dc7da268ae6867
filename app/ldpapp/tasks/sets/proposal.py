"""What could be marked where nothing is: items of delicate topics, else the rarest. A proposal; a person marks."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import streamlit as st

from ldpapp import looks, nav, session, words
from ldpapp.compute.memory import once
from ldpapp.kept import kept
from ldpapp.language import t
from ldpapp.panels import Control, Panel
from ldpapp.tasks.sets.data import Fact
from ldpcore.catalog import SETS, Coverage
from ldpcore.data import Baskets
from ldpcore.data.baskets import NO, YES
from ldpcore.study import Arm, Study
from ldpcore.study.sets import point

DELICATE = re.compile(
    r"\b(hiv|aids|hepatitis|chlamydia|gonorrh\w*|syphilis|herpes|sti|std|schizophren\w*|bipolar|depress\w*|anxiety|"
    r"eating disorder|psych\w*|suicid\w*|self-harm|addict\w*|dependen(?:ce|t)|drugs?|overdose|alcoholi\w*|abortion|"
    r"pregnan\w*|miscarriage|contracepti\w*|condoms?|viagra|incontinence|lice|cancer|tumou?r|epilep\w*|dementia|"
    r"disab\w*|bisexual|gay|lesbian|homosexual|queer|trans(?:gender|sexual)|asexual|porn\w*|abuse\w*|rape|violence|"
    r"convict\w*|prison\w*|criminal\w*|bankrupt\w*|insolven\w*|undocumented|refugee|asylum)\b",
    re.IGNORECASE,
)
"""Words of topics that laws and surveys call sensitive: health, sexuality, crime, money lost, status. English."""
RARE = 0.01
"""Items of fewer people are proposed where no word is delicate."""
MOST = 18
"""Items that are proposed: so many can be read one by one."""
_UNASKED = "sets_unasked"
_MARKUP = re.compile(r"([\\`*_{}\[\]()#+\-.!:$|<>~&=])")


@dataclass(frozen=True)
class Proposal:
    """items: places among the baskets' items. delicate: by their words, not because they are rare."""

    items: tuple[int, ...]
    delicate: bool


def delicate(label: str) -> bool:
    """Whether an item is about a delicate topic. Of "column = value" the value says it; a yes, its column; a no, never.

    >>> [delicate(item) for item in ("condition = HIV", "pregnancy = yes", "pregnancy = no", "drug = never", "milk")]
    [True, True, False, False, False]
    """
    column, equals, value = label.rpartition(" = ")
    if not equals:
        return DELICATE.search(label) is not None
    answer = value.casefold()
    if answer in NO | {"none", "never"}:
        return False
    return DELICATE.search(column if answer in YES else value) is not None


def proposed(held: Baskets) -> Proposal:
    """The commonest delicate items; where there is none, the rarest of those that few hold."""
    found = [i for i, label in enumerate(held.labels) if delicate(label) and 0 < held.counts[i] < held.n]
    if found:
        return Proposal(tuple(sorted(found, key=lambda i: -held.counts[i])[:MOST]), True)
    rare = np.flatnonzero((held.counts > 0) & (held.counts < RARE * held.n))
    return Proposal(tuple(rare[np.argsort(held.counts[rare], kind="stable")][:MOST].tolist()), False)


@once(16)
def _marking(study: Study, values: tuple[str, ...]) -> Study:
    joint = tuple(key for key in study.mechanisms if SETS[key].promise == "SULDP-joint")
    return replace(study, arms=(Arm.of("A", values),), mechanisms=joint or ("suWheel-J", "uPrivSet"))


def others(study: Study, held: Baskets, items: Sequence[int]) -> Fact | None:
    """The most exact mechanism with these items marked, by the error of the others; None where there is none."""
    found = point.facts(_marking(study, tuple(held.labels[i] for i in items)), held)
    if not found or len(items) == held.k:
        return None
    return min(found.values(), key=lambda fact: fact.error("other"))


# the panel -------------------------------------------------------------------------------------------------------


def asked(study: Study) -> bool:
    """Whether to propose: nobody said yet that every item of these data is to be protected."""
    return not study.option("simulated") and looks.look(_UNASKED) != (study.data.digest, study.column)


def _key(study: Study, item: int) -> str:
    return f"propose_{study.data.digest[:8]}_{item}"


def chosen(study: Study, proposal: Proposal) -> list[int]:
    """The items that are still ticked."""
    return [i for i in proposal.items if looks.look(_key(study, i), True)]


def panel(study: Study, held: Baskets, proposal: Proposal, sensitive: str) -> Panel:
    title = t(
        "Proposed as {sensitive}: {n} of {k} items",
        sensitive=sensitive,
        n=len(chosen(study, proposal)),
        k=words.count(held.k),
    )
    if proposal.delicate:
        said = t(
            "A proposal, not a judgement: words from a list of delicate topics. Right: share of the people. Nothing is "
            "marked until you press the button."
        )
    else:
        said = t(
            "A proposal, not a judgement: the rarest items, which say most about who holds them. Right: share of the "
            "people. Nothing is marked until you press the button."
        )
    return Panel(
        "set_proposal",
        title,
        [Control(partial(_ticks, study, held, proposal)), Control(partial(_buttons, study, held, proposal))],
        said,
    )


def _ticks(study: Study, held: Baskets, proposal: Proposal) -> None:
    """In columns, read from left to right."""
    with st.container(key="proposed"):
        places = st.columns(3, gap="medium")
        for at, item in enumerate(proposal.items):
            with places[at % 3].container(
                horizontal=True, horizontal_alignment="distribute", gap="small", wrap=False, vertical_alignment="center"
            ):
                if looks.look(_key(study, item)) is None:
                    looks.choose(_key(study, item), True)
                st.checkbox(_plain(held.labels[item]), key=_key(study, item), persist_state="session")
                share = words.share(held.counts[item] / held.n)
                st.html(f'<div class="sub nowrap">{share}</div>', width="content")


def _plain(label: str) -> str:
    """A label of the person's data as Markdown that says just that."""
    return _MARKUP.sub(r"\\\1", label)


def _buttons(study: Study, held: Baskets, proposal: Proposal) -> None:
    items = [held.labels[i] for i in chosen(study, proposal)]
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="propose"):
        st.button(
            t("Mark these {n}", n=len(items)),
            key="propose_mark",
            type="primary",
            disabled=not items,
            on_click=session.set_marks,
            args=(study.column, items),
        )
        if st.button(t("Choose on Data"), key="propose_data", on_click=session.choose_column, args=(study.column,)):
            nav.go("data")
        st.button(
            t("Protect every item, and do not ask again"),
            key="propose_every",
            type="tertiary",
            on_click=_every,
            args=((study.data.digest, study.column),),
        )


def _every(data: tuple[str, str]) -> None:
    """Only what protects every item is compared, and nothing is proposed for these data."""
    looks.choose(_UNASKED, data)
    every = set(SETS.by_coverage()[Coverage.EVERY])
    session.choose_mechanisms("sets", every & set(kept().studies["sets"].mechanisms) or every & set(SETS.defaults))
