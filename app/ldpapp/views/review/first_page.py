"""The report's first page: the survey's, for whoever signs it. All that decides stands above the line to sign on.

In words of everyday: odds in place of ε, no mechanism, no digest. What is published has no share of the file, and
nothing that an attacker managed.
"""

import html
import re
from collections.abc import Sequence

from ldpapp import words
from ldpapp.charts.palette import LIGHT
from ldpapp.views.review import lies, table
from ldpapp.words.language import t
from ldpcore.catalog import Coverage, coverage
from ldpcore.study import review
from ldpcore.study.review.facts import QuestionFacts, ReviewFacts

NAMED, ROWS, MOST, WORST = 4, 4, 8, 3
"""Answers that a row names; questions of a page with such rows, with shorter ones, and that are shown of more."""
THOUSANDS, NARROW = re.compile(r"(?<=\d) (?=\d{3}\b)"), "\u202f"
"""Where a number of a label must not be broken, and what stands there then."""
UNSEEN = 3
"""Answers too rare to be learned that a row names."""


def markup(known: ReviewFacts, title: str, publishable: bool) -> str:
    """What stands between the head of the page and the line to sign on. title: what the data are called, which stands
    where nobody has named the survey.
    """
    facts = list(known.parts.values())
    many = " many" if len(facts) > ROWS else ""
    return (
        f'<h1>{html.escape(known.study.option("title") or title)}</h1><p class="lead">{lead(known)}</p>{_who(known)}'
        f'<table class="answers{many}">{_heads(publishable)}{_rows(facts, publishable)}'
        f"{_open(known, publishable)}</table>{_key(publishable)}"
        f'<div class="grid"><div class="quarter"><h2>{t("What is promised")}</h2>{_lines(promised(known))}</div>'
        f'<div class="quarter"><h2>{t("What is not")}</h2>{_lines(open_(known, publishable))}</div></div>'
    )


# what is promised ------------------------------------------------------------------------------------------------


def lead(known: ReviewFacts) -> str:
    """What is protected, in odds; first of all that nothing would be learned, where that is so."""
    count = sum(int(one.marked.sum()) for one in known.asked.hidden.values())
    holes = {
        "answers": words.plural(count, t("answer"), t("answers"), start=True),
        "protected": f'<span class="protected" style="color:{LIGHT.sensitive}">{t("protected")}</span>',
        "times": words.times(known.odds["report"]),
        "part": words.of_100(known.believed["report"]),
    }
    text = t(
        "{answers} are {protected}: a random report is sent instead, which raises their odds at most "
        "<b>{times}</b>: from 1 to {part} in 100.",
        **holes,
    )
    if count == 1:
        text = t(
            "One answer is {protected}: a random report is sent instead, which raises its odds at most "
            "<b>{times}</b>: from 1 to {part} in 100.",
            **{name: hole for name, hole in holes.items() if name != "answers"},
        )
    if any(fact.learned for fact in known.every.values()):
        return text
    nothing = t("This survey would learn nothing about its protected answers.")
    return f"<b>{nothing}</b> {text}"


def promised(known: ReviewFacts) -> list[str]:
    """In odds, also of all that one person sends."""
    lines = [t("Nobody can <b>prove</b> a protected answer.")]
    if known.asked.leveled:
        times = words.times(known.odds["secret"])
        lines.append(t("The odds of a <b>secret</b> answer rise at most {times}.", times=times))
    sent = known.asked.rows * max(map(len, known.asked.scheme.blocks))
    if len(known.asked.scheme.blocks) > 1:
        lines.append(t("Each person answers one of the protected questions, drawn by lot."))
    if sent > 1:
        lines.append(
            t(
                "One person’s {n} reports: odds at most <b>{times}</b> (ε\u00a0=\u00a0{eps}), from 1 to {part} in 100.",
                n=words.count(sent),
                times=words.times(known.odds["person"]),
                eps=words.epsilon(known.asked.promised()),
                part=words.of_100(known.believed["person"]),
            )
        )
    return lines


def open_(known: ReviewFacts, publishable: bool) -> list[str]:
    """What is not promised: ruling out, asking again, denial, false reports."""
    covered = {coverage(review.CATALOG[one.key].promise) for one in known.asked.hidden.values()}
    again = t("Asked again, odds multiply.")
    if Coverage.MARKED in covered:
        ruled = t("A report may <b>rule out</b> a protected answer, or show another.")
        again = f"{ruled} {again}"
    lines = [again]
    fact = known.denied_of(known.focus())
    if fact is not None and publishable:
        lines.append(lies.denied_published(known))
    elif fact is not None:
        lines.append(
            t(
                "If 1 in {n} <b>deny</b> {answer}, it reads {bias} points too low.",
                n=words.count(known.study.option("denying")),
                answer=lies.named(fact, fact.deniable),
                bias=words.decimals(100 * (fact.denied or 0.0)),
            )
        )
    if (first := known.easiest) is not None and not publishable:
        lines.append(
            t(
                "<b>{n} false reports</b> move {answer} past its margin.",
                n=words.count(first.false_reports or 0),
                answer=lies.named(first, first.spoken),
            )
        )
    elif publishable:
        lines.append(t("<b>False reports</b> can move a share past its margin."))
    return lines


def _lines(lines: Sequence[str]) -> str:
    return "".join(f"<p>{line}</p>" for line in lines)


# who is asked ----------------------------------------------------------------------------------------------------


def _who(known: ReviewFacts) -> str:
    asked = len(known.asked.hidden) + len(known.asked.open)
    rows = (
        (t("people"), words.count(known.asked.n), ""),
        (t("questions"), words.count(asked), ""),
        (t("collected by"), "", ' class="write"'),
    )
    cells = (f"<div{look}><dt>{name}</dt><dd>{text}</dd></div>" for name, text, look in rows)
    return f'<dl class="who">{"".join(cells)}</dl>'


# question by question --------------------------------------------------------------------------------------------


def _heads(publishable: bool) -> str:
    names = [t("protected answers"), t("what we learn")]
    names += [t("odds, at most")] if publishable else [t("exposed, of 100 pairs"), t("by what")]
    cells = (f"<th>{name}</th>" for name in names)
    return f"<thead><tr>{''.join(cells)}</tr></thead>"


def _rows(facts: list[QuestionFacts], publishable: bool) -> str:
    """All of them, or of very many the most exposed, and one line for the rest."""
    shown = facts
    if len(facts) > MOST:
        shown = sorted(facts, key=lambda fact: -(fact.most or 0.0))[:WORST]
    rows = "".join(_row(fact, publishable, len(facts) > ROWS) for fact in shown)
    if len(shown) == len(facts):
        return rows
    rest = [fact for fact in facts if fact not in shown]
    margin = words.points(max(fact.margin for fact in rest))
    more = t("<b>{n} more</b>, all within {margin} points: on the next pages", n=words.count(len(rest)), margin=margin)
    return f'{rows}<tr><td colspan="{3 if publishable else 4}">{more}</td></tr>'


def _row(fact: QuestionFacts, publishable: bool, many: bool) -> str:
    one = fact.asked.aimed(fact.secretly)
    marks = one.marks
    some = words.listing(words.shorten(each, 28) for each in marks)
    if len(marks) > (1 if many else NAMED):
        some = words.plural(len(marks), t("answer"), t("answers"))
    name = words.shorten(fact.asked.name, 28)
    secret = f'<span class="level">{t("secret")}</span> ' if fact.secretly else ""
    cells = [
        f"<b>{html.escape(name)}</b><br>{secret}{THOUSANDS.sub(NARROW, html.escape(some))}",
        _learned(fact, publishable, marks, many),
    ]
    if publishable:
        cells.append(words.times(fact.odds))
    else:
        by = table.giver(fact).partition("<br>")[0] if many and fact.worst is None else table.giver(fact)
        cells += [_exposed(fact), by]
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _learned(fact: QuestionFacts, publishable: bool, marks: Sequence[str], many: bool) -> str:
    """How exact, and of which answers not: those are named where they are few, but not to the public."""
    marked = len(marks)
    margin = words.points(fact.margin)
    if not fact.learned and many and not publishable:
        return f"<b>{t('nothing')}</b><br>{t('rarer than {margin} points', margin=margin)}"
    if not fact.learned:
        if publishable:
            why = t("each is rarer than its margin") if marked > 1 else t("it is rarer than its margin")
            return f"<b>{t('nothing')}</b><br>{why}"
        why = t("each rarer than {margin} points", margin=margin)
        if marked == 1:
            why = t("rarer than {margin} points", margin=margin)
        near = f"({_share(fact, marked)})" if fact.nearest else ""
        return f"<b>{t('nothing')}</b><br>{why} {near}"
    low, high = min(fact.learned.values()), max(fact.learned.values())
    on = ""
    if not publishable:
        on = t("on {share}", share=words.share(low))
        if high > low:
            on = t("on {low}–{high}", low=words.share(low).removesuffix("\u00a0%"), high=words.share(high))
    if len(fact.learned) < marked:
        on = t("on {n} of {all}", n=len(fact.learned), all=marked)
        unseen = [html.escape(words.shorten(label, 20)) for label in marks if label not in fact.learned]
        if many:
            return f"<b>{t('{margin} points', margin=margin)}</b><br>{on}"
        if publishable or len(unseen) > UNSEEN:
            on = t("{on}; the others are rarer", on=on)
        else:
            on = t("{on}, not {answers}", on=on, answers=words.listing(unseen))
    return f"<b>{t('{margin} points', margin=margin)}</b><br>{on}"


def _share(fact: QuestionFacts, marked: int) -> str:
    """That of the commonest marked answer, by name where there are several."""
    share = words.share(fact.share_of(fact.nearest))
    if marked == 1:
        return share
    return t("{answer}: {share}", answer=html.escape(words.shorten(fact.nearest, 24)), share=share)


def _exposed(fact: QuestionFacts) -> str:
    if fact.own is None:
        return t("too few people to try")
    few = "" if fact.attacked else f'<div class="sub">{t("too few people for the rest")}</div>'
    return f"{table.apart(fact, fact.own, alone=not fact.attacked)}{few}"


def _open(known: ReviewFacts, publishable: bool) -> str:
    open_names = known.asked.open
    if not open_names:
        return ""
    names = [words.shorten(name, 24) for name in open_names[:12]]
    if len(open_names) > 12:
        names[11:] = [t("{n} more", n=words.count(len(open_names) - 11))]
    seen = t("<b>Sent openly:</b> {names}.", names=html.escape(words.listing(names)))
    asked = words.plural(len(open_names), t("question"), t("questions"))
    span = "" if publishable else ' colspan="2"'
    return f"<tr><td><b>{t('open')}</b><br>{asked}</td><td><b>{t('exact')}</b></td><td{span}>{seen}</td></tr>"


def _key(publishable: bool) -> str:
    if publishable:
        return ""
    stroke, dot = '<i class="stroke"></i>', '<i class="dot"></i>'
    text = t(
        "{stroke} own report {dot} with all others: how often, of two people, the one with a protected answer is "
        "picked (guessing: 50), not how many are found out.",
        stroke=stroke,
        dot=dot,
    )
    return f'<p class="sub key">{text}</p>'
