"""Which questions give marked answers away, said where one signs, with a click for each: also to what is not asked."""

import streamlit as st

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.state import column_settings, model
from ldpapp.state.model import workspace
from ldpapp.views.review import cached, extras, sentences
from ldpapp.views.review.guided import named
from ldpapp.words.language import t
from ldpcore.data import DataError
from ldpcore.study import review
from ldpcore.study.review.facts import ReviewFacts


def clicks(known: ReviewFacts) -> None:
    """A click for each question that gives a marked answer away most, also to what is not asked."""
    worst = [fact.delicate.worst for fact in known.every.values()]
    givers = [giver.column for giver in worst if giver] + [giver for _, giver in _tellers(known).values()]
    for column in dict.fromkeys(givers):
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            extras.drop(known.data, column, f"guide_drop_{column}")
            if column in known.asked.open:
                label = t("Hide {question} too", question=words.literal(words.shorten(column, 30)))
                st.button(label, key=f"guide_hide_{column}", on_click=extras.hide, args=((column,),))
            st.html(f'<div class="sub">{_cost(known, column)}</div>')


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


def said(known: ReviewFacts) -> str:
    """Of every question whoever gives its marked answers away most, whichever is in focus; "" where nobody does."""
    given = []
    for fact in (one.delicate for one in known.every.values()):
        if fact.worst is not None:
            giver = widgets.escape(words.shorten(fact.worst.column, 30))
            holes = {"kind": sentences.kind(fact), "giver": giver, "question": named(fact)}
            if fact.worst.column in known.asked.hidden:
                given.append(t("<b>{giver}</b>, though hidden, gives a {kind} {question} away", **holes))
            else:
                given.append(t("<b>{giver}</b> gives a {kind} {question} away", **holes))
    if not given:
        return ""
    return t(
        "Before you do: {given}. What to hide besides stands below, in the fold “Who gives … away together”, column by "
        "column.",
        given=words.listing(given),
    )


def _tellers(known: ReviewFacts) -> dict[str, tuple[float, str]]:
    """Marked question that is not asked → pairs told apart by what else is sent, and the question that tells most."""
    tellers = {}
    for name in known.data.unasked:
        if not (marks := column_settings.of(workspace(), name).marks.values):
            continue
        with_it = known.study.with_options(columns=(*known.study.option("columns"), name))
        try:
            people = cached.people(with_it, model.table())
        except DataError:  # nobody has answered this question and all others
            continue
        if (tells := review.not_asked(known.study, people, known.asked, name, marks)) is not None:
            tellers[name] = tells[0].pairs, tells[1]
    return tellers


def not_asked(known: ReviewFacts) -> list[str]:
    """Of every marked question that is not asked what the answers to the others tell of it."""
    return [
        t(
            "<b>{question}, though not asked</b>, is told apart in <b>{told}</b> of 100 pairs by what else is sent, "
            "most by <b>{giver}</b>.",
            question=widgets.escape(words.shorten(name, 30)),
            told=words.of_100(pairs),
            giver=widgets.escape(words.shorten(giver, 30)),
        )
        for name, (pairs, giver) in _tellers(known).items()
    ]
