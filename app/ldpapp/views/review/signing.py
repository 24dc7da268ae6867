"""Where one signs: the page that is signed, what the last click changed in it, and clicks for what is safer."""

import re

import streamlit as st

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.state import actions, controlled, model, view_options
from ldpapp.views.review import cached, extras, first_page, sentences
from ldpapp.views.review.guided import named
from ldpapp.words import glossary
from ldpapp.words.language import t
from ldpcore.study import Study, review
from ldpcore.study.review.facts import ReviewFacts

_SEEN = "review_signed"
"""The session's key of the page as it is now, of which survey, and as it was before the last click."""
_PIECE = re.compile(r"(<p\b[^>]*>|<tr><td>|<div(?: class=\"write\")?><dt>)(.*?)(</p>|</tr>|</div>)", re.DOTALL)


def page(known: ReviewFacts) -> None:
    """The report's first page, with a stroke beside whatever the last click changed."""
    paper = first_page.markup(known, model.title(model.table().name), publishable=False, dark=widgets.is_dark())
    before = _before(known, paper)
    news = {piece[0] for piece in _PIECE.finditer(paper)} - {piece[0] for piece in _PIECE.finditer(before or paper)}
    marked = _PIECE.sub(
        lambda piece: f"{piece[1]}{_stroke()}{piece[2]}{piece[3]}" if piece[0] in news else piece[0], paper
    )
    if news:
        st.html(f'<div class="sub signed-news"><i></i> {t("Changed by your last click.")}</div>')
    st.html(glossary.explained(f'<div class="signed">{marked}</div>', set()))


def _before(known: ReviewFacts, paper: str) -> str | None:
    """The page before the last click that changed the survey; None before the first."""
    survey = review.identity(known.study)
    was, now, before = view_options.look(_SEEN, (survey, paper, None))
    view_options.choose(_SEEN, (survey, paper, before if was == survey else now))
    return before if was == survey else now


def _stroke() -> str:
    return f'<i class="new" role="img" aria-label="{t("changed:")}"></i>'


def title(study: Study) -> None:
    """What the survey is called on the page that is signed."""
    controlled.bound(
        st.text_input, t("Title of the survey, on the page to sign"), key="guide_title", value=study.option("title"),
        placeholder=model.title(model.table().name), max_chars=review.ReviewOptions.LONGEST,
        change=lambda said: actions.option("review", title=" ".join(said.split())),
    )  # fmt: skip


def clicks(known: ReviewFacts) -> None:
    """A click for each question that gives a marked answer away most, also to what is not asked."""
    worst = [fact.delicate.worst for fact in known.every.values()]
    givers = [giver.column for giver in worst if giver] + [giver for _, giver in known.not_asked.values()]
    for column in dict.fromkeys(givers):
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            extras.drop(known.data, column, f"guide_drop_{column}")
            if column in known.asked.open:
                label = t("Hide {question} too", question=words.literal(words.shorten(column, 30)))
                st.button(label, key=f"guide_hide_{column}", on_click=extras.hide, args=((column,),))
        if cost := _cost(known, column):
            st.html(f'<div class="sub">{cost}</div>')


def _cost(known: ReviewFacts, column: str) -> str:
    """What either changes, of the question that is told apart most; "" where this one gives another away."""
    main = known.most_exposed[0]
    if main.worst is None or main.worst.column != column:
        return ""
    texts = {"dropped": t("not asked"), "hidden": t("hidden")}
    floor = (main.own or 0.0) if main.exact else 0.0  # whoever ignores all else does no worse
    ways = [
        t("{how}: {told} of 100, all reports ε = {eps}", how=texts[each.how], told=words.of_100(max(each.after, floor)),
          eps=words.epsilon(each.epsilon))
        if each.how == "dropped"
        else t("{how}: {told} of 100, its shares {margin}, all reports ε = {eps}", how=texts[each.how],
               told=words.of_100(max(each.after, floor)), margin=words.points(each.margin),
               eps=words.epsilon(each.epsilon))
        for each in reversed(cached.changes(known.study, known.data, main, column))
        if each.how in texts
    ]  # fmt: skip
    return t(
        "{question}, told apart now in {told}; {ways}.",
        question=named(main),
        told=words.of_100(main.most or 0.5),
        ways="; ".join(ways),
    )


def given(known: ReviewFacts) -> str:
    """Of every question whoever gives its marked answers away most, whichever is in focus; "" where nobody does."""
    away = []
    for fact in (one.delicate for one in known.every.values()):
        if fact.worst is not None:
            giver = widgets.escape(words.shorten(fact.worst.column, 30))
            holes = {"kind": sentences.kind(fact), "giver": giver, "question": named(fact)}
            if fact.worst.column in known.asked.hidden:
                away.append(t("<b>{giver}</b>, though hidden, gives a {kind} {question} away", **holes))
            else:
                away.append(t("<b>{giver}</b> gives a {kind} {question} away", **holes))
    return t("Before you sign: {given}.", given=words.listing(away)) if away else ""
