"""The report's first page: the survey's, for whoever signs it. All that decides stands above the line to sign on.

In words of everyday: odds beside ε, of the mechanisms their names alone, no digest. What is published has no share of
the file, its margins hold whatever people answer (`ReviewFacts.published`), and nobody is attacked.
"""

import html
import math
import re
from collections.abc import Sequence

from ldpapp import words
from ldpapp.charts.palette import LIGHT, scheme
from ldpapp.views.review import exactness, planner, promises, sentences, table
from ldpapp.words.language import t
from ldpcore.study import review
from ldpcore.study.review.facts import QuestionFacts, ReviewFacts

NAMED, AMPLE = 4, 8
"""Answers that a row names, and where the questions are FEW."""
FEW, ROWS, MOST, WORST = 3, 5, 8, 3
"""Questions that are few; of a page with rows that name answers (where what is open, or not asked, has one besides,
they stand closer), with shorter ones, and that are shown of more.
"""
THOUSANDS, NARROW = re.compile(r"(?<=\d) (?=\d{3}\b)"), "\u202f"
"""Where a number of a label must not be broken, and what stands there then."""
UNSEEN = 3  # answers too rare to be learned that a row names


def markup(known: ReviewFacts, title: str, publishable: bool, dark: bool = False) -> str:
    """What stands between the head of the page and the line to sign on. title: what the data are called, which stands
    where nobody has named the survey. dark: on a dark screen; paper is light.
    """
    known = known.published if publishable else known
    facts = list(known.parts.values())
    others = bool(known.asked.open) + bool(known.data.unasked) + bool(known.asked.known)
    many = " many" if len(facts) + others > ROWS else ""
    return (
        f"<h1>{html.escape(known.study.option('title') or words.untitled(title))}</h1>"
        f'<p class="lead">{lead(known, scheme(dark).sensitive)}</p>{_who(known, publishable)}'
        f'<table class="answers{many}">{_heads(publishable)}{_rows(known, facts, publishable, dark)}'
        f"{_open(known, publishable)}</table>{_key(known, publishable)}"
        f'<div class="grid">{_quarter(t("What is promised"), promises.promised(known, publishable))}'
        f"{_quarter(t('What is not'), promises.open_(known, publishable))}</div>"
    )


# what is promised ------------------------------------------------------------------------------------------------


def lead(known: ReviewFacts, color: str = LIGHT.sensitive) -> str:
    """How many answers are protected, and how; first of all that none can be measured, where that is so. color: of
    what is protected.
    """
    count = known.asked.protected
    protected = f'<span class="protected" style="color:{color}">{t("protected")}</span>'
    answers = words.plural(count, t("answer"), t("answers"), start=True)
    text = t("{answers} are {protected}: each phone changes them at random.", answers=answers, protected=protected)
    if count == 1:
        text = t("One answer is {protected}: each phone changes it at random.", protected=protected)
    if any(fact.learned for fact in known.every.values()):
        return text
    nothing = t("This survey can measure none of its protected answers.")
    return f"<b>{nothing}</b> {text}"


def _quarter(title: str, lines: Sequence[str]) -> str:
    text = "".join(f"<p>{line}</p>" for line in lines)
    return f'<div class="quarter"><h2>{title}</h2>{text}</div>'


# who is asked ----------------------------------------------------------------------------------------------------


def _who(known: ReviewFacts, publishable: bool) -> str:
    each = [epsilon for one in known.asked.hidden.values() for epsilon in one.epsilons if epsilon < math.inf]
    people = words.count(known.asked.n)
    rows = [(t("people"), people, ""), (t("ε each"), words.span((min(each), max(each)), to="–"), "")]
    used = dict.fromkeys(review.CATALOG.name(one.key) for one in known.asked.hidden.values())
    rows.append((t("mechanism"), ", ".join(used), ""))
    if known.study.option("within") and not publishable:  # with it an ε that was calculated tells shares
        rows.append((t("goal"), exactness.kept(known, planner.wanted(known)), ""))
    rows.append((t("collected by"), "", ' class="write"'))
    cells = (f"<div{look}><dt>{name}</dt><dd>{text}</dd></div>" for name, text, look in rows)
    return f'<dl class="who">{"".join(cells)}</dl>'


# question by question --------------------------------------------------------------------------------------------


def _names(publishable: bool) -> list[str]:
    measured = [t("protected answers"), t("measured")]
    if publishable:
        return [*measured, t("odds, at most")]
    return [*measured, t("told apart, of 100 pairs (guessing: 50)"), t("helped by")]


def _heads(publishable: bool) -> str:
    cells = (f"<th>{name}</th>" for name in _names(publishable))
    return f"<thead><tr>{''.join(cells)}</tr></thead>"


def _rows(known: ReviewFacts, facts: list[QuestionFacts], publishable: bool, dark: bool) -> str:
    """All of them, or of very many the most exposed, and one line for the rest."""
    shown = facts
    if len(facts) > MOST:
        shown = sorted(facts, key=lambda fact: -(fact.most or 0.0))[:WORST]
    rows = "".join(_row(known, fact, publishable, len(facts) > ROWS, dark) for fact in shown)
    if len(shown) == len(facts):
        return rows
    rest = [fact for fact in facts if fact not in shown]
    margin = words.points(max(fact.margin for fact in rest))
    more = t("<b>{n} more</b>, all within {margin} points: on the next pages", n=words.count(len(rest)), margin=margin)
    return f'{rows}<tr><td colspan="{3 if publishable else 4}">{more}</td></tr>'


def _row(known: ReviewFacts, fact: QuestionFacts, publishable: bool, many: bool, dark: bool) -> str:
    marks = fact.asked.aimed(fact.secretly).marks
    spans = [review.MARKS.written(each, t(" to ")) for each in known.data.said(fact.asked.name, marks)]
    counted = words.plural(len(marks), t("answer"), t("answers"))
    some = words.listing(words.shorten(each, 28) for each in spans)
    if len(spans) < len(marks):
        some = t("{ranges} ({answers})", ranges=some, answers=counted)
    if len(spans) > (1 if many else AMPLE if len(known.parts) <= FEW else NAMED):
        some = counted
    name = words.shorten(fact.asked.name, 28)
    secret = f'<span class="level">{t("secret")}</span> ' if fact.secretly else ""
    named = f"<b>{html.escape(name)}</b><br>{secret}{THOUSANDS.sub(NARROW, html.escape(some))}"
    if fact.unanswered and not fact.secretly:
        absent = t("{n} gave no answer: counted as one", n=words.count(fact.unanswered))
        named = f"{named}<br>{t('No answer counts as one') if publishable else absent}"
    cells = [named, _learned(fact, publishable, marks, many)]
    if known.study.option("parts") and not many:
        cells[1] += f"<br>{t('ε = {eps}', eps=words.epsilon(fact.epsilon))}"
    if publishable:
        cells.append(words.times(fact.odds, most=True))
    else:
        cells += [_exposed(fact, dark), _with(fact)]
    heads = _names(publishable)[1:]  # on a phone each stands above its number
    labelled = (f'<td data-label="{head}">{cell}</td>' for head, cell in zip(heads, cells[1:], strict=True))
    return f"<tr><td>{cells[0]}</td>{''.join(labelled)}</tr>"


def _with(fact: QuestionFacts) -> str:
    """What tells it apart beside the own report, and to how many pairs."""
    if fact.worst is not None:
        name = html.escape(words.shorten(fact.worst.column, 20))
        return f"<b>{name}:</b> {words.of_100(fact.worst.pairs)}"
    named = fact.together is not None or fact.worst_answer_giver is not None
    if fact.interval is not None and not named:
        return f"<b>{t('nothing sure')}</b>"
    return table.giver(fact).partition("<br>")[0] if not named else table.giver(fact)


def _learned(fact: QuestionFacts, publishable: bool, marks: Sequence[str], many: bool) -> str:
    """How exact, and of which answers not: those are named where they are few. To the public the margin alone, which
    holds whatever people answer.
    """
    marked = len(marks)
    margin = words.points(fact.margin)
    if publishable:
        return f"<b>{t('{margin} points', margin=margin)}</b>"
    if not fact.learned and many:
        return f"<b>{t('too rare')}</b><br>{t('rarer than {margin}', margin=margin)}"
    if not fact.learned:
        why = t("rarer than {margin}", margin=margin) if marked == 1 else t("each rarer than {margin}", margin=margin)
        return f"<b>{t('too rare')}</b><br>{why}"
    low, high = min(fact.learned.values()), max(fact.learned.values())
    on = t("on {share}", share=words.share(low))
    if high > low:
        on = t("on {low}–{high}", low=words.share(low).removesuffix("\u00a0%"), high=words.share(high))
    if len(fact.learned) < marked:
        on = t("on {n} of {all}", n=len(fact.learned), all=marked)
        spans = fact.survey.data.said(fact.asked.name, [label for label in marks if label not in fact.learned])
        unseen = [html.escape(words.shorten(review.MARKS.written(each, t(" to ")), 20)) for each in spans]
        if many:
            return f"<b>{t('{margin} points', margin=margin)}</b><br>{on}"
        if len(unseen) > UNSEEN:
            on = t("{on}; the others are rarer", on=on)
        else:
            on = t("not on {answers}", answers=words.listing(unseen))
    return f"<b>{t('{margin} points', margin=margin)}</b><br>{on}"


def _exposed(fact: QuestionFacts, dark: bool) -> str:
    if not fact.asked.apart:
        return table.whole(fact, dark, "div", "sub") or t("every answer is hidden: nobody to compare with")
    if fact.own is None:
        return t("too few people to try")
    below = table.most_of(fact) if fact.attacked else t("too few people for the rest")
    drawn = table.apart(fact, fact.own, dark, alone=not fact.attacked)
    return f'{drawn}<div class="sub">{below}</div>' if below else drawn


def _open(known: ReviewFacts, publishable: bool) -> str:
    span = "" if publishable else ' colspan="2"'
    away = {} if publishable else known.not_asked
    elsewhere = known.asked.known
    rest = [name for name in known.data.unasked if name not in away and name not in elsewhere]
    exact, openly = t("exact"), [sentences.in_classes(known.data, name) for name in known.asked.open]
    anyway = t("known anyway")
    if not publishable:
        n = words.count(known.alone_openly) if known.alone_openly else t("nobody")
        exact = t("{exact}</b><br><b>{n} alone", exact=exact, n=n)
    rows = [(t("open"), exact, openly)]
    if not publishable:  # what is not asked is no part of the survey that the public hears of
        rows.append((t("not asked"), t("others may hint"), rest))
    rows.append((t("not asked"), anyway, [*elsewhere]))
    text = "".join(
        f"<tr><td><b>{how}</b></td><td><b>{learned}</b></td><td{span}>{_named(names)}</td></tr>"
        for how, learned, names in rows
        if names
    )
    return text + "".join(_not_asked(name, pairs, giver) for name, (pairs, giver) in away.items())


def _not_asked(name: str, pairs: float, giver: str) -> str:
    """A marked question that is not asked, and what tells it all the same."""
    cells = (
        f"<b>{html.escape(words.shorten(name, 28))}</b>",
        f"<b>{t('not asked')}</b>",
        t("told apart all the same: <b>{n}</b>", n=words.of_100(pairs)),
        t("most by <b>{giver}</b>", giver=html.escape(words.shorten(giver, 20))),
    )
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _named(questions: Sequence[str]) -> str:
    """Questions by name, of many the first."""
    names = [words.shorten(name, 24) for name in questions[:12]]
    if len(questions) > 12:
        names[11:] = [t("{n} more", n=words.count(len(questions) - 11))]
    return html.escape(words.listing(names))


def _key(known: ReviewFacts, publishable: bool) -> str:
    """What the numbers are, and what they leave out: the choice of these people, and where ranges are from."""
    with_choice = words.points(known.margin_with_choice)
    others = ""
    if (of_others := known.margin_of_others) is not None and of_others > (known.margin or 0.0):
        others = t("; other answers: {margin}", margin=words.points(of_others))
    lines = [t("±: noise{others}; with sampling: {margin}.", others=others, margin=with_choice)]
    if publishable:
        lines = [
            t(
                "±: noise at most, whatever people answer{others}; with sampling up to {margin}. An answer rarer than "
                "its ± is not measured.",
                others=others,
                margin=with_choice,
            )
        ]
    if known.data.dropped and known.study.n is None and not publishable:
        lines.append(sentences.left_out(known))
    if known.read_off:
        names = words.listing(html.escape(words.shorten(name, 28)) for name in known.read_off)
        lines.append(t("Ranges read off the data: {names}.", names=names))
    text = f'<p class="sub key">{" ".join(lines)}</p>'
    if publishable:
        return text
    stroke, dot = '<i class="stroke"></i>', '<i class="dot"></i>'
    drawn = t(
        "{stroke} own report {dot} all others",
        stroke=stroke,
        dot=dot,
    )
    return f'<p class="sub key">{drawn}</p>{text}'
