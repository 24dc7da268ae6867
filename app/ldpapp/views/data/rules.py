"""Marking many values at once: by share, by list, all others, none. These are what the buttons of the Data page do."""

import re
from collections.abc import Iterable, Sequence

import streamlit as st

from ldpapp import columns, session, words
from ldpapp.kept import front
from ldpapp.language import t
from ldpcore.data import Proposal

NAMED = 2
"""Proposed values that a button names."""
_CUTS = re.compile(r"[,;\t]")


def mark(labels: Sequence[str], values: Iterable[str]) -> None:
    """Mark exactly these values, in the column's order."""
    chosen = set(values)
    session.set_marks(front(), [label for label in labels if label in chosen], session.edited())


def marked() -> tuple[str, ...]:
    """The values marked in the setting being edited."""
    return columns.arms(front())[session.edited()].values


def propose(labels: Sequence[str], found: Proposal) -> bool:
    """The button that marks what is proposed; False where nothing is."""
    if not found.values:
        return False
    if found.delicate:
        why = t("A proposal, not a judgement: words from a list of delicate topics.")
    else:
        why = t("A proposal, not a judgement: the rarest, which say most about who gave them.")
    named = [t("“{value}”", value=words.shorten(value, 24)) for value in found.values[:NAMED]]
    if len(found.values) > NAMED:
        named.append(t("{n} more", n=words.count(len(found.values) - NAMED)))
    st.button(
        t("Mark the proposal: {values}", values=words.listing(named)),
        key="start_proposed",
        type="primary",
        on_click=add,
        args=(labels, found.values),
        help=why,
    )
    return True


def mark_rare(labels: Sequence[str], values: Sequence[str]) -> None:
    """Mark these rare values too; what was marked stays marked."""
    before = set(marked())
    if set(values) <= before:
        found = words.plural(len(values), t("value is"), t("values are"))
        if values:
            st.toast(t("{values} rarer than 1 %, marked already.", values=found))
        else:
            st.toast(t("{values} rarer than 1 %.", values=found))
        return
    mark(labels, before | set(values))


def add(labels: Sequence[str], values: Iterable[str]) -> None:
    mark(labels, {*marked(), *values})


def remove(labels: Sequence[str], values: Iterable[str]) -> None:
    mark(labels, set(marked()) - set(values))


def invert(labels: Sequence[str]) -> None:
    mark(labels, set(labels) - set(marked()))


def clear() -> None:
    session.set_marks(front(), (), session.edited())


def recognised(text: str, labels: Sequence[str]) -> tuple[list[str], list[str]]:
    """(values named in a text, what is none of them). One on each line, or several cut by commas, semicolons or tabs.

    A line that is a value as a whole is never cut; upper and lower case only matter where they tell values apart.
    """
    exact = set(labels)
    folded: dict[str, list[str]] = {}
    for label in labels:
        folded.setdefault(label.casefold(), []).append(label)
    known: list[str] = []
    unknown: list[str] = []
    for line in text.splitlines():
        whole = line.strip().strip("\"'“”")
        parts = [whole] if whole in exact or whole.casefold() in folded else _CUTS.split(line)
        for part in (piece.strip().strip("\"'“”") for piece in parts):
            alike = [part] if part in exact else folded.get(part.casefold(), [])
            if len(alike) == 1:
                known.append(alike[0])
            elif part:
                unknown.append(part)
    return list(dict.fromkeys(known)), list(dict.fromkeys(unknown))
