"""A claim that does not hold: words of a paper, what was measured, and the verdict."""

from dataclasses import dataclass, replace
from math import isfinite

import streamlit as st

from ldpapp import words
from ldpapp.charts.base import escape
from ldpapp.views.learn.lesson import Lesson, Note, QuizQuestion, among
from ldpapp.views.learn.pictures import Bar, bars
from ldpapp.views.papers.live import LIVE, Live
from ldpapp.words import language
from ldpapp.words.language import t
from ldpcore import papers
from ldpcore.papers import BROKEN, HOLDS, Check, Claim, Finding
from ldpcore.papers.check import shown

REFUTED = ("ldpk-5", "dfdp-6", "suldp-9", "suldp-8", "sdldp-1")
"""Paper and number of claims that do not hold and can be seen on a page."""


@dataclass(frozen=True, eq=False)
class Refuted:
    """counts: of all claims, how many have which verdict."""

    claim: Claim
    finding: Finding
    check: Check
    counts: dict[str, int]
    live: Live


def _found(x: str) -> Refuted:
    paper, _, number = x.partition("-")
    claim = next(each for each in papers.CLAIMS[paper] if each.number == number)
    kept = papers.stored.read()
    finding = kept.finding(paper, number)
    if finding is None or finding.deciding is None:
        raise ValueError(f"nothing is stored of {x}: run `{papers.stored.RENEW}`")
    at = f"papers?paper={paper}&claim={x}"  # there its number is said
    live = replace(LIVE[paper, number], panel="papers_claims", papers=at)
    return Refuted(claim, finding, finding.deciding, kept.counts(), live)


def _title(found: Refuted) -> str:
    language.notice(found.claim.says)
    sentence = escape(found.claim.says.rstrip("."))
    return t("“{claim}”: {verdict}.", claim=sentence, verdict=found.finding.verdict)


def _picture(found: Refuted) -> None:
    """How the claims of all papers fare."""
    total = sum(found.counts.values())
    st.html(f'<div class="measured">{t("Of five papers’ {n} claims", n=total)}</div>')
    whole, refuted = found.counts[HOLDS], found.counts[BROKEN]
    rows = ((HOLDS, whole, False), (BROKEN, refuted, True), (t("neither"), total - whole - refuted, False))
    bars(*(Bar(escape(says), words.count(n), n / total, chosen=chosen) for says, n, chosen in rows))


HALF = 0.5
"""Where a claimed bound stands beside a bar without end."""


def _because(found: Refuted) -> str:
    """Whose the number is where the words have none; of a promise to items what is known of these."""
    if papers.words.vague(found.check):
        return t("“{criterion}” is this page’s reading.", criterion=escape(found.check.criterion))
    if (beside := found.finding.of_sensitive_items) is None:
        return t("One such case refutes the sentence.")
    original, points = beside.what.split()[-1].removesuffix("'s"), escape(shown(beside.value))
    return t(
        "Holding a sensitive item: guessed {n} points more often than with {original}.", n=points, original=original
    )


def _question(found: Refuted) -> QuizQuestion:
    """How far beyond what is claimed: two others are too."""
    number, low, high = found.check.number, found.check.least, found.check.most
    below = isfinite(low) and not number.value > high
    claimed = low if below else high  # the end that it is beyond
    longest = max(claimed, number.value) if isfinite(number.value) else claimed / HALF
    others = (claimed / 2, claimed / 10) if below else (2 * claimed, 10 * claimed)
    options, place = among(number.value, others, shown)
    language.notice(number.what)
    drawn = (
        Bar(t("claimed"), escape(found.check.criterion), claimed / longest),
        Bar(t("measured"), escape(shown(number.value)), min(number.value, longest) / longest, chosen=True),
    )
    because = _because(found)
    asked = number.what[:1].upper() + number.what[1:] if number.what[:1].isascii() else number.what
    return QuizQuestion(t("{what}?", what=escape(asked)), options, place, because, drawn)


CLAIM = Lesson(
    key="claim",
    name=lambda: t("A claim, measured"),
    label=lambda: t("Claim"),
    values=REFUTED,
    usual=REFUTED[0],
    found=_found,
    title=_title,
    picture=_picture,
    question=_question,
    note=lambda: Note(
        5,
        t("What would you have to see to believe such a sentence?"),
        t(
            "The class laughs at the authors. One counterexample refutes a sentence, not a paper: most of the claims "
            "hold. The page Papers has all of them, and how each was checked."
        ),
    ),
    link=lambda found: found.live,
    say=lambda x: x.replace("-", " ").upper() if x else x,
)
