"""Which questions to hide besides, so that the other answers tell little more than the own report: one click each."""

from collections.abc import Iterator
from functools import partial

import pandas as pd
import streamlit as st

from ldpapp import words
from ldpapp.parts import panels, widgets
from ldpapp.parts.elements import Part
from ldpapp.parts.panels import Control, Html, Line, Panel, Reach, Sheet
from ldpapp.runtime import capture
from ldpapp.state import actions
from ldpapp.state.model import study_of
from ldpapp.views.review import cached, sidebar
from ldpapp.words.language import t
from ldpcore.study import Study, review
from ldpcore.study.review.facts import QuestionFacts, ReviewFacts
from ldpcore.study.review.safer import EACH, HALF, ONE

FOLD = "fold_review_together"


def work(study: Study, people: review.SurveyTable, main: QuestionFacts) -> Iterator[int]:
    """What is left of the search for them; nothing while nobody looks at it."""
    if panels.unfolded(FOLD) and not capture.wanted() and main.worst is not None:
        yield from cached.recommending(study, people, main).work()


def panel(study: Study, people: review.SurveyTable, main: QuestionFacts) -> Panel | None:
    """None where nothing that is open gives anything away; on paper only what is known by then."""
    if main.worst is None:
        return None
    search = cached.recommending(study, people, main)
    extras = search.found
    if extras is None and capture.wanted():
        return None
    parts: list[Part] = [Line(t("Hiding any of the open questions changes nothing beyond chance."))]
    if extras is None:
        parts = [
            Line(t("Tries what else to hide: {n} so far …", n=words.plural(search.tried, t("attack"), t("attacks"))))
        ]
    elif extras:
        parts = [Html(_table(extras)), Control(partial(_buttons, extras))]
    about = t(
        "Of 100 pairs, told apart now → then, each with those above it hidden too; its own report alone: {own}. In "
        "grey the difference, between attacks on the same people, and what the question’s shares cost, which are exact "
        "now; then ε of all that one person sends.",
        own=words.of_100(main.own or 0.5),
    )
    return Panel(
        "recommended",
        t("What else to hide for {question}", question=widgets.escape(words.shorten(main.asked.name, 30))),
        parts,
        about,
        [Sheet(pd.DataFrame([vars(each) for each in extras or ()]), "recommended")],
        reach=Reach.INTERNAL,
    )


def _table(found: list[review.Extra]) -> str:
    heads = (t("hidden too"), t("told apart"), t("difference ± 95 %"), t("its shares, ± 95 %"), t("ε of all"))
    head = "".join(f"<th>{title}</th>" for title in heads)
    return f'<div class="card"><table><tr>{head}</tr>{"".join(map(_row, found))}</table></div>'


def _row(extra: review.Extra) -> str:
    became = t(
        "{gap} ± {half}",
        gap=words.signed(round(100 * extra.gap, 1)),
        half=f"{max(50 * (extra.high - extra.low), 0.1):.1f}",
    )
    if extra.none:
        became = t("no change alone: {became}", became=became)
    cells = (
        f"<b>{widgets.escape(words.shorten(extra.column, 30))}</b>",
        t("{before} → {after}", before=words.of_100(extra.before), after=words.of_100(extra.after)),
        f'<span class="quiet">{became}</span>',
        t("0 → {error}", error=words.points(extra.margin)),
        words.epsilon(extra.epsilon),
    )
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _buttons(found: list[review.Extra]) -> None:
    with capture.unsaid(), st.container(horizontal=True, gap="medium", key="extras"):
        for place, extra in enumerate(found):
            label = t("Hide {question} too", question=words.literal(words.shorten(extra.column, 30)))
            st.button(label, key=f"extra_{place}", on_click=hide, args=((extra.column,),))
        if len(found) > 1:
            every = tuple(extra.column for extra in found)
            st.button(t("Hide all {n}", n=len(every)), key="extra_all", on_click=hide, args=(every,))


def drop(people: review.SurveyTable, column: str, key: str) -> None:
    """The button that does not ask this question any more; none for the weight, a pair, or one of the last two."""
    rest = [name for name in people.separate if name != column]
    if 2 <= len(rest) < len(people.separate):
        label = t("Do not ask {question}", question=words.literal(words.shorten(column, 30)))
        st.button(label, key=key, on_click=sidebar.ask, args=(rest,))


def safer(known: ReviewFacts) -> None:
    """A click for each way that lowers the odds of all reports, and what each costs."""
    ways = {
        EACH: (t("Each question its own ε, in tenths"), sidebar.take, known.one_by_one_rounded or ()),
        ONE: (t("One question each"), sidebar.choose, ("scheme", "one")),
        HALF: (t("Half of each ε"), sidebar.spend, (known.study.epsilon / 2,)),
    }
    now = words.times(known.odds["person"], most=True)
    if (then := known.odds_without) is not None:
        for name in known.unlearned:
            drop(known.data, name, f"safer_drop_{name}")
        odds = t(
            "Odds of all reports {now} → {then}; its marked answers are too rare to measure. If an attacker knows the "
            "answer anyway, say so below.",
            now=now,
            then=words.times(then, most=True),
        )
        st.html(f'<div class="sub">{odds}</div>')
    few = words.count(sum(len(fact.rare) for fact in known.every.values()))
    for way in known.safer:
        text, click, holes = ways[way.how]
        st.button(words.literal(text), key=f"safer_{way.how}", on_click=click, args=holes)
        odds = t(
            "Odds of all reports {now} → {then}; margins ×{wider}; too rare to measure {few} → {rare}.",
            now=now,
            few=few,
            rare=words.count(way.rare),
            then=words.times(way.odds, most=True),
            wider=words.ratio(way.wider, most=True),
        )
        if known.misses(way.hardest):
            odds = t("{odds} The goal is missed.", odds=odds)
        st.html(f'<div class="sub">{odds}</div>')


def hide(names: tuple[str, ...]) -> None:
    """All answers to these questions go through a mechanism."""
    now = study_of("review").option("hidden")
    actions.option("review", hidden=tuple(dict.fromkeys((*now, *names))))
