"""Answers that may stand for none: whether 999 is a number or a hole is asked once, and can be taken back."""

from collections.abc import Iterable, Mapping, Sequence

import streamlit as st

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.state import actions, view_options
from ldpapp.words.language import t
from ldpcore.data import Sentinel, Table

MOST = 3
"""Questions at once, and columns that one of them names."""


def show(source: Table) -> None:
    """A question for each value that may be none, and what was declared."""
    if source.card is not None:
        return  # whoever made bundled data has said what its values are
    _told(source)
    for value, found in list(_open(source).items())[:MOST]:
        box, buttons = st.columns([66, 34], gap="small", vertical_alignment="center")
        with box:
            widgets.note(_question(value, found))
        with buttons.container(horizontal=True, horizontal_alignment="right", gap="xsmall"):
            st.button(
                t("Treat as missing"),
                key=f"sentinel_missing_{value}",
                on_click=_declare,
                args=(source, value, [each.column for each in found]),
            )
            st.button(t("It is an answer"), key=f"sentinel_answer_{value}", on_click=_answer, args=(source, value))


def _open(source: Table) -> Mapping[str, list[Sentinel]]:
    """Value → where it stands, of those nobody has decided about."""
    out: dict[str, list[Sentinel]] = {}
    for each in source.sentinels():
        if each.value not in view_options.look(_key(source), ()):
            out.setdefault(each.value, []).append(each)
    return out


def _question(value: str, found: Sequence[Sentinel]) -> str:
    where = [
        t(
            "{n} in “{column}”",
            n=words.plural(each.rows, t("time"), t("times")),
            column=widgets.escape(words.shorten(each.column, 30)),
        )
        for each in found[:MOST]
    ]
    if len(found) > MOST:
        where.append(t("in {columns}", columns=words.plural(len(found) - MOST, t("more column"), t("more columns"))))
    holes = {"value": widgets.escape(value), "where": words.listing(where)}
    if all(each.far for each in found):
        return t("<b>“{value}” stands {where}, far from all other numbers.</b> Treat it as missing?", **holes)
    return t("<b>“{value}” stands {where}.</b> Treat it as missing?", **holes)


def _told(source: Table) -> None:
    """What is treated as missing, and the way back."""
    if not source.missing:
        return
    told = [
        t("{values} in “{column}”", values=words.listing(_quoted(values)), column=widgets.escape(column))
        for column, values in source.missing.items()
    ]
    box, button = st.columns([80, 20], gap="small", vertical_alignment="center")
    with box:
        widgets.note(t("Treated as missing: {told}.", told=words.listing(told)))
    with button.container(horizontal=True, horizontal_alignment="right"):
        st.button(t("Count them as answers"), key="sentinels_back", on_click=_take_back, args=(source,))


def _quoted(values: Iterable[str]) -> list[str]:
    return [t("“{value}”", value=widgets.escape(value)) for value in values]


def _key(source: Table) -> str:
    """Of the file, whatever of it is declared missing."""
    return f"sentinels_{(source.before or source).digest[:12]}"


def _declare(source: Table, value: str, columns: Iterable[str]) -> None:
    told = dict(source.missing)
    for column in columns:
        told[column] = (*told.get(column, ()), value)
    actions.reread(source.with_missing(told))


def _answer(source: Table, *values: str) -> None:
    """Not asked again."""
    view_options.choose(_key(source), (*view_options.look(_key(source), ()), *values))


def _take_back(source: Table) -> None:
    """They are answers, and not asked about again."""
    _answer(source, *(value for values in source.missing.values() for value in values))
    actions.reread(source.with_missing({}))
