"""Where one signs: the page that is signed, what the last click changed in it, and clicks for what is safer."""

import math
import re

import streamlit as st

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.state import actions, controlled, model, view_options
from ldpapp.views.review import extras, first_page, lies, sentences, sidebar
from ldpapp.views.review.guided import named
from ldpapp.words import glossary
from ldpapp.words.language import t
from ldpcore.study import Study, review
from ldpcore.study.review.facts import ReviewFacts

_SEEN = "review_signed"
"""The session's key of the page as it is now, of which survey, and as it was before the last click."""
TIED = 3
"""Questions of which each makes out as many people alone: so many are offered."""
_PIECE = re.compile(r"(<p\b[^>]*>|<tr><td>|<div(?: class=\"write\")?><dt>)(.*?)(</p>|</tr>|</div>)", re.DOTALL)


def page(known: ReviewFacts) -> None:
    """The report's first page, with a stroke beside whatever the last click changed."""
    paper = first_page.markup(known, model.title(model.table().name), publishable=False, dark=widgets.is_dark())
    before = _before(known, paper)
    was = {_read(piece) for piece in _PIECE.finditer(before or paper)}
    marked = _PIECE.sub(lambda piece: piece[0] if _read(piece) in was else f"{piece[1]}{_stroke()}{piece[2]}{piece[3]}",
                        paper)  # fmt: skip
    if marked != paper:
        st.html(f'<div class="sub signed-news"><i></i> {t("Changed by your last click.")}</div>')
    st.html(glossary.explained(f'<div class="signed">{marked}</div>', set()))


def _read(piece: re.Match) -> str:
    """What one reads in it, but the names of a question's answers, which a shorter table has room for."""
    return re.sub(r"^(<tr><td><b>[^<]*</b>).*?</td>", r"\1", re.sub(r'src="[^"]*"', "", piece[0]))


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
        placeholder=words.untitled(model.title(model.table().name)), max_chars=review.ReviewOptions.LONGEST,
        change=lambda said: actions.option("review", title=" ".join(said.split())),
    )  # fmt: skip


def round_up(known: ReviewFacts) -> None:
    """That an ε which was calculated tells the shares, and a click that makes it coarser; nothing where it was not."""
    if known.in_use:
        epsilon, parts = known.rounded
        st.html(f'<div class="sub">{t("ε was calculated from the shares: published, it tells them.")}</div>')
        st.button(t("Round ε up to tenths"), key="guide_round", on_click=sidebar.take, args=(epsilon, parts))


def clicks(known: ReviewFacts) -> None:
    """A click for each question that gives a marked answer away most, also to what is not asked."""
    names, left = known.alone_less or ([], 0)
    for column in known.givers:
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            extras.drop(known.data, column, f"guide_drop_{column}")
            if column in known.asked.open:
                label = t("Hide {question} too", question=words.literal(words.shorten(column, 30)))
                st.button(label, key=f"guide_hide_{column}", on_click=extras.hide, args=((column,),))
        cost = _cost(known, column) or _of_not_asked(known, column)
        alone = _then_alone(column, left) if column in names else ""
        if cost or alone:
            st.html(f'<div class="sub">{" ".join(filter(None, [cost, alone]))}</div>')


def _cost(known: ReviewFacts, column: str) -> str:
    """What either changes for the question, of those that this one gives away most, that is told apart most; "" where
    it gives away none as a whole.
    """
    giver = widgets.escape(words.shorten(column, 30))
    given_away = [fact for fact in known.most_exposed_first if fact.worst is not None and fact.worst.column == column]
    if not given_away:
        facts = [one.delicate for one in known.every.values()]
        each = next((fact for fact in facts if column in fact.given_by), None)
        if each is None:
            return ""
        away = each.given_by[column]
        what, n = lies.named(each, away.answer), words.of_100(away.pairs)
        return t("{what} is told apart in {n} of 100 pairs by its report and {giver}.", what=what, n=n, giver=giver)
    main = given_away[0]
    now = words.of_100(main.most or 0.5)
    lines = [t("{question} is told apart in {n} of 100 pairs;", question=named(main), n=now)]
    tried = known.changes(main, column, wait=False)
    if tried is None:
        lines.append(t("without {giver}: being computed;", giver=giver))
    for each in reversed(tried or []):
        holes = {"giver": giver, "n": words.of_100(each.after)}
        if each.how == "dropped":
            lines.append(
                t("in {n} if {giver} is not asked (for whoever knows it anyway still {now});", now=now, **holes)
            )
        elif each.how == "hidden":
            lines.append(
                t("in {n} if {giver} is hidden, its shares {margin}, odds of all reports {odds};",
                  margin=words.points(each.margin), odds=words.times(math.exp(each.epsilon), most=True), **holes)
            )  # fmt: skip
    return f"{' '.join(lines).removesuffix(';')}."


def _of_not_asked(known: ReviewFacts, column: str) -> str:
    """Which question that is not asked this one gives away; "" where none."""
    away = [(name, pairs) for name, (pairs, giver) in known.not_asked.items() if giver == column]
    holes = {"giver": widgets.escape(words.shorten(column, 30))}
    lines = [t("{question}, not asked, is told apart in {n} of 100 pairs, most by {giver}.", n=words.of_100(pairs),
               question=widgets.escape(words.shorten(name, 30)), **holes) for name, pairs in away]  # fmt: skip
    return " ".join(lines)


def alone(known: ReviewFacts) -> str:
    """How many people their open answers make out; "" where nobody is alone with them."""
    if not (n := known.alone_openly):
        return ""
    text = t("<b>{n} people</b> are alone with their open answers: whoever knows these knows whose reports they are.",
             n=words.count(n))  # fmt: skip
    if all(fact.shown in (None, 0.0) for fact in known.every.values()):
        return text
    return t("{text} More are for whoever also knows unmarked answers, which reports may show.", text=text)


def less_alone(known: ReviewFacts) -> None:
    """The click that makes out fewest people, one of each that does, but for those that `clicks` has; nothing where
    none helps much.
    """
    names, left = known.alone_less or ([], 0)
    for name in [each for each in names if each not in known.givers][:TIED]:
        extras.drop(known.data, name, f"guide_alone_drop_{name}")
        st.html(f'<div class="sub">{_then_alone(name, left)}</div>')


def _then_alone(name: str, left: int) -> str:
    question = widgets.escape(words.shorten(name, 30))
    return t("{n} people alone without {question}.", n=words.count(left), question=question)


def given(known: ReviewFacts) -> str:
    """Of every question whoever gives its marked answers away most, whichever is in focus, and how much that is; ""
    where nobody does.
    """
    away = []
    for fact in (one.delicate for one in known.every.values()):
        for column, each in fact.given_by.items():
            what = t("a {kind} {question}", kind=sentences.kind(fact), question=named(fact))
            if each.answer:
                what = lies.named(fact, each.answer)
            holes = {"giver": widgets.escape(words.shorten(column, 30)), "what": what}
            holes |= {"own": words.of_100(each.alone), "pairs": words.of_100(each.pairs)}
            if column in known.asked.hidden:
                away.append(t("<b>{giver}</b>, though hidden, of {what}, {own} → {pairs}", **holes))
            else:
                away.append(t("<b>{giver}</b> of {what}, {own} → {pairs}", **holes))
    return t("Others tell more than the own report, of 100 pairs: {given}.", given="; ".join(away)) if away else ""
