"""If people lie: who denies an answer, and who sends a report that nobody drew. Two lines, which are never one."""

from functools import partial

import streamlit as st

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.parts.panels import Control, Html, Panel, Part, Reach
from ldpapp.runtime import capture
from ldpapp.state import actions, controlled
from ldpapp.words.language import t
from ldpcore.study.review.facts import QuestionFacts, ReviewFacts


def panel(known: ReviewFacts) -> Panel | None:
    """None where neither can be said."""
    lines: list[Part] = []
    if (fact := known.denied) is not None:
        lines.append(Control(partial(_denied, known, fact)))
    if text := false_reports(known):
        lines.append(Html(f'<div class="lie">{text}</div>', Reach.INTERNAL))
    return Panel("lies", t("If people lie"), lines) if lines else None


def _denied(known: ReviewFacts, fact: QuestionFacts) -> None:
    capture.piece(capture.Words(denied(known, fact), "text", Reach.INTERNAL, denied_published(known)))
    with capture.unsaid(), st.container(horizontal=True, gap="small", vertical_alignment="center", key="denying"):
        st.html(f"<span>{t('If 1 in')}</span>", width="content")
        controlled.bound(
            st.number_input, t("1 in so many deny it"), 1, 1000, key="review_denying", step=1, width=112,
            value=known.study.option("denying"), label_visibility="collapsed",
            change=lambda n: actions.option("review", denying=int(n)),
        )  # fmt: skip
        st.html(f"<span>{_reads(fact)}</span>", width="stretch")


def _reads(fact: QuestionFacts) -> str:
    return t(
        "deny it, <b>{answer}</b> reads <b>{bias} points too low</b>.",
        answer=named(fact, fact.deniable),
        bias=words.decimals(100 * (fact.denied or 0.0)),
    )


def denied(known: ReviewFacts, fact: QuestionFacts) -> str:
    """The line as a sentence."""
    return t("If 1 in {n} {reads}", n=words.count(known.study.option("denying")), reads=_reads(fact))


def denied_published(known: ReviewFacts) -> str:
    """The same without the share of an answer."""
    one_in = words.count(known.study.option("denying"))
    return t("If 1 in {n} <b>deny</b> an answer, 1 in {n} of its share is missing, however many answer.", n=one_in)


def false_reports(known: ReviewFacts) -> str:
    """How few move an answer past its ±, of the two questions of which fewest do; "" where that is not known."""
    first = known.easiest
    if first is None:
        return ""
    others = [(fact.false_reports, name) for name, fact in known.every.items() if fact is not first]
    second = min((each for each in others if each[0] is not None), default=None)
    if second is None:
        return fewest(first)
    count, name = second
    return t(
        "{fewest}, {n} {answer}.",
        fewest=fewest(first).removesuffix("."),
        n=words.count(count or 0),
        answer=named(known.every[name], known.every[name].spoken),
    )


def fewest(fact: QuestionFacts) -> str:
    """How few false reports move an answer to one question past its ±."""
    return t(
        "<b>{n} false reports</b> move <b>{answer}</b> past its ±.",
        n=words.count(fact.false_reports or 0),
        answer=named(fact, fact.spoken),
    )


def named(fact: QuestionFacts, answer: str) -> str:
    """An answer with its question, as markup."""
    question, label = (widgets.escape(words.shorten(each, 28)) for each in (fact.asked.name, answer))
    return t("{question}: {answer}", question=question, answer=label)
