"""Nothing is marked: what protects marked values alone is off, and what could be marked is proposed, in one click."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from ldpapp import words
from ldpapp.parts import panels, widgets
from ldpapp.parts.panels import Control, Html, Line, Panel, Reach, RowOfParts
from ldpapp.state import actions, column_actions, column_settings, navigation
from ldpapp.state.model import workspace
from ldpapp.words import language
from ldpapp.words.language import t
from ldpcore import data
from ldpcore.data import Histogram
from ldpcore.study import Study
from ldpcore.study.frequency.facts.change import MarksChange

NAMED = 3
"""Proposed values in the title; the line below has them all."""


def off(column: str) -> str:
    """Why they are greyed in the sidebar; column: as it is called."""
    none = language.unmarked(widgets.escape(column))
    return t("Off: what protects marked values only. {none}.", none=none)


def unprotected(column: str, names: Sequence[str]) -> str:
    """Nothing of this column, escaped, is marked, and all that is compared needs marks."""
    return t(
        "{none}, and {mechanisms} would protect nothing: mark values, or compare what protects every value.",
        none=language.unmarked(column),
        mechanisms=words.listing(names),
    )


def stands_in(change: MarksChange, number: int) -> str:
    """What protects the answers of a setting that marks nothing; "" where it is what the other setting has, too."""
    this, other = (change.a, change.b) if number == 0 else (change.b, change.a)
    if this.key == other.key or this.marked.any():
        return ""
    return t("{own} stands in for {other}.", own=this.key, other=other.key)


def idle(keys: Sequence[str]) -> Html:
    """Below the curves: those that protect marked values alone, of which none is drawn."""
    text = t(
        "<b>Off: {mechanisms}.</b> They protect marked values only: without marks every answer may be shown as it is.",
        mechanisms=words.listing(widgets.escape(key) for key in keys),
    )
    return Html(f'<div class="box note" style="background:{widgets.colors().tint}"><div>{text}</div></div>')


def alone(study: Study, counted: Histogram, keys: Sequence[str]) -> None:
    """The page where all that is compared protects nothing."""
    widgets.sentence(unprotected(widgets.escape(study.column), [widgets.named(key) for key in keys]))
    propose(study, counted)
    usual = partial(actions.usual_mechanisms, "frequency")
    st.button(t("Show the usual ones"), key="frequency_usual", on_click=usual)


def propose(study: Study, counted: Histogram) -> None:
    panels.show(lambda: proposal(study, counted))


def proposal(study: Study, counted: Histogram) -> Panel | None:
    """What could be marked, and the button that marks it; None where nothing speaks for any value."""
    labels, why = _proposed(study, counted)
    if not labels:
        return None
    share = words.share(float(counted.freq[counted.domain.mask(labels)].sum()))
    title = t(
        "Proposed as {sensitive}: {names}",
        sensitive=widgets.sensitive(t("sensitive")),
        names=_named(labels),
    )
    text = t(
        "A proposal, not a judgement: {why}, {share} of the people. Nothing is marked until you press the button. "
        "{all}",
        why=why,
        share=share,
        all=words.listing(widgets.escape(words.shorten(label, 24)) for label in labels) if len(labels) > NAMED else "",
    )

    def buttons() -> None:
        with st.container(horizontal=True, gap="small", wrap=False):
            st.button(
                t("Mark {values}", values=words.plural(len(labels), t("value"), t("values"))),
                type="primary",
                key="frequency_propose",
                on_click=column_actions.set_marks,
                args=(study.column, labels),
            )
            if st.button(t("Choose on Data"), key="frequency_choose", type="tertiary", on_click=actions.choose_column,
                         args=(study.column,)):  # fmt: skip
                navigation.go("data")

    return Panel(
        "frequency_proposal", title, [RowOfParts([[Control(buttons)], [Line(text)]], [24, 76])], reach=Reach.SCREEN
    )


def _proposed(study: Study, counted: Histogram) -> tuple[tuple[str, ...], str]:
    """Labels to mark, and what speaks for them. Of numbers the bins of their public range's upper end."""
    if study.bins is not None:
        end = column_settings.example("the upper end", study.bins)
        why = t("the upper quarter of the public range, whatever the answers are")
        return tuple(column_settings.labels(workspace(), study.column, end, study.bins)), why
    proposed = data.proposed(counted, study.column)
    if proposed.delicate:
        return proposed.values, t("words from a list of delicate topics")
    return proposed.values, t("not delicate words, only rare: the rarest say most about who gave them")


def _named(labels: Sequence[str]) -> str:
    names = [widgets.escape(words.shorten(label, 28)) for label in labels[:NAMED]]
    if len(labels) > NAMED:
        names.append(t("{n} more", n=words.count(len(labels) - NAMED)))
    return words.listing(names)
