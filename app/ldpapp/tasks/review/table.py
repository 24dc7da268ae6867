"""What each question promises and costs: a row per hidden question, one line for all that are open."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from ldpapp import charts, widgets, words
from ldpapp.language import t
from ldpapp.panels import Control, Filling, Html, Line, Menu, Panel, Reach, Sheet
from ldpapp.tasks.review import cached, findings, guide
from ldpapp.tasks.review import study as own
from ldpapp.tasks.review.facts import Fact
from ldpcore.study import Study, review


def panel(study: Study, people: review.People, here: review.Asked, found: Mapping[str, Fact], main: Fact) -> Panel:
    rows = "".join(_row(study, people, here, fact) for fact in found.values())
    heads = (t("question, marks"), "ε", t("± 95 %"), t("told apart, of 100 pairs"), t("worst giver"))
    head = "".join(f'<span role="columnheader">{said}</span>' for said in heads)
    axis = charts.apart_axis(t("The axis: from 50 of 100, guessing, to 100"), widgets.is_dark())
    open_ = _open(here)
    told = [fact for fact in found.values() if fact.own is not None]
    exact = t(", exact") if told and all(fact.exact for fact in told) else ""
    key = t(
        "± in points, over the marked answers. Stroke: own report{exact}; dot: with every other answer; dotted: "
        "guessing.",
        exact=exact,
    )
    if study.option("attacker", "every") == "own":
        key = t(
            "± in points, over the marked answers. Dot: told apart by the own report{exact}; dotted: guessing.",
            exact=exact,
        )
    said = findings.surest(main, widgets.escape(main.asked.name))
    copied = findings.copied(cached.copies(study, people, here), widgets.escape)
    return Panel(
        "review",
        t("What each question promises and costs"),
        [
            *([Html(f'<div class="card" role="alert">{copied}</div>', Reach.INTERNAL)] if copied else []),
            Html(
                f'<div class="review" role="table"><div class="row head" role="row">{head}</div>{rows}'
                f'<div class="row foot" role="row">{"".join(map(_cell, ("", "", "", axis, "")))}</div>{open_}</div>',
                Reach.INTERNAL,
                f"{_signed(found)}{open_}",
            ),
            Line(said, Reach.INTERNAL),
        ],
        Filling(people, [study], t("looks at the questions"), key, pieces=True),
        [
            Control(guide.reopen),
            Menu(t("edit"), lambda: _edit(people), "review_edit", does=True),
            Sheet(sheet(found), "review", internal=ATTACKED),
        ],
    )


def _edit(people: review.People) -> None:
    st.html(f'<div class="sub">{t("Another question: “Column” in the sidebar.")}</div>')
    own.edit_marks(people)


def _signed(found: Mapping[str, Fact]) -> str:
    """The same without what an attacker managed on the true answers: what each question promises and costs."""
    heads = (t("question"), t("sensitive"), t("mechanism"), "ε", t("± 95 %, points"))
    rows = [
        (fact.asked.name, ", ".join(fact.asked.marks), fact.asked.key, words.epsilon(fact.asked.epsilon),
         words.margin(fact.mse**0.5))
        for fact in found.values()
    ]  # fmt: skip
    head = "".join(f"<th>{each}</th>" for each in heads)
    body = "".join(f"<tr>{''.join(f'<td>{widgets.escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f'<div class="card"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _row(study: Study, people: review.People, here: review.Asked, fact: Fact) -> str:
    one = fact.asked
    cells = [
        f'<span role="cell" class="what"><b>{widgets.escape(words.shorten(one.name, 32))}</b><br>{_chips(one)}</span>',
        f'<span role="cell" class="eps">{words.epsilon(one.epsilon)}</span>',
        f'<span role="cell" class="error"><b>{words.margin(fact.mse**0.5)}</b></span>',
        f'<span role="cell" class="told">{_drawn(study, people, here, fact)}</span>',
        f'<span role="cell" class="giver">{_giver(fact)}</span>',
    ]
    return f'<div class="row" role="row">{"".join(cells)}</div>'


def _cell(text: str) -> str:
    return f'<span role="cell">{text}</span>'


def _chips(one: review.Hidden) -> str:
    colors = widgets.colors()
    if one.marked.all():
        hidden = t("all {n} hidden", n=len(one.marked))
        return f'<i class="chip" style="border:1px solid {colors.ink3}">{hidden}</i>'
    marked, rest = int(one.marked.sum()), int((~one.marked).sum())
    sensitive, other = t("{n} sensitive", n=marked), t("{n} other", n=rest)
    return (
        f'<i class="chip" style="background:{colors.sensitive};color:{colors.page}">{sensitive}</i> '
        f'<i class="chip" style="background:{colors.floor}">{other}</i>'
    )


def _drawn(study: Study, people: review.People, here: review.Asked, fact: Fact) -> str:
    if fact.own is None:
        known = fact.told.get("mse") is not None
        return widgets.escape(review.refusal(study, people, here, fact.asked.name)) if known else t("not looked at yet")
    alt = t("{own} of 100 pairs by the own report", own=words.of_100(fact.own))
    if fact.pairs is not None:
        alt = t(
            "{own} of 100 pairs by the own report, {every} with every other answer",
            own=words.of_100(fact.own),
            every=words.of_100(fact.pairs),
        )
    return charts.apart(fact.own, fact.pairs, alt, widgets.is_dark())


def _giver(fact: Fact) -> str:
    if fact.worst is None:
        return f'<span class="quiet">{t("none")}</span>' if fact.pairs is not None else ""
    told = t("{n} with it", n=words.of_100(fact.worst.pairs))
    return f'<b>{widgets.escape(words.shorten(fact.worst.column, 20))}</b> <span class="quiet nowrap">{told}</span>'


def _open(here: review.Asked) -> str:
    if not here.open:
        return ""
    names = widgets.escape(words.listing(here.open[:8]))
    if len(here.open) > 8:
        names = t("{names} and {n} more", names=widgets.escape(", ".join(here.open[:7])), n=len(here.open) - 7)
    said = t("<b>{names}</b>: open: everyone sees these answers, and they are exact", names=names)
    return f'<div class="open" role="row">{_cell(said)}</div>'


ATTACKED = (
    "told apart: own report", "told apart: every report", "low", "high", "guessed", "blind", "surest hundredth",
    "worst giver", "told apart: with it",
)  # fmt: skip
"""Columns of the sheet that compare with the true answers."""


def sheet(found: Mapping[str, Fact]) -> pd.DataFrame:
    """The numbers of the table, as fractions."""
    return pd.DataFrame(
        [
            {
                "question": name,
                "mechanism": fact.asked.key,
                "ε": fact.asked.epsilon,
                "people": round(fact.told.get("people", 0)),
                "√MSE of marked": fact.mse**0.5,
                "told apart: own report": fact.own,
                "told apart: every report": fact.pairs,
                "low": fact.told.get("pairs:low"),
                "high": fact.told.get("pairs:high"),
                "guessed": fact.told.get("named"),
                "blind": fact.told.get("blind"),
                "surest hundredth": fact.surest,
                "worst giver": fact.worst.column if fact.worst else "",
                "told apart: with it": fact.worst.pairs if fact.worst else None,
            }
            for name, fact in found.items()
        ]
    )
