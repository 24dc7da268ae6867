"""The one picture, which is a table as well: every answer, hidden ones first."""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from ldpapp import charts, words
from ldpapp.parts import widgets
from ldpapp.parts.panels import Chart, Control, Line, Menu, Panel, Part, Sheet
from ldpapp.state import actions, controlled
from ldpapp.views.results import read, sentences
from ldpapp.words.language import t
from ldpcore.collection.result_facts import ResultFacts
from ldpcore.collection.results import ToolResult

SCROLLED = 24
"""Answers beyond which the open ones scroll."""
SEEN = 0.01
"""A point: an estimate without weights that differs by less is not drawn."""


def panel(known: ResultFacts) -> Panel:
    if known.numbers:
        return _mean(known)
    form = read.draft().form if read.draft().form in known.forms else ""
    shares = known.published(form) if form else None
    rows = _rows(known, shares)
    heads = [t("share, %"), t("95 of 100"), *([t("unweighted")] if known.read.columns.weights else [])]
    untold = known.untold
    remark = t("{n} hidden answers:<br>too rare to tell from 0", n=words.cardinal(untold)) if untold > 2 else ""
    table = known.rows if shares is None else known.rows.assign(published=shares)
    head: list[Part] = [Sheet(table, "results")]
    if known.forms:
        label = t("published: {form}", form=form) if form else t("publish without negative shares")
        head.insert(0, Menu(label, partial(_forms, known), does=not form))
    parts: list[Part] = []
    for key, chosen in _apart(rows):
        figure = charts.results(
            chosen, heads, end=max(row.reach for row in rows), remark=remark, dark=widgets.is_dark(),
        )  # fmt: skip
        parts.append(Chart(figure, _alt(known), key=f"chart_results{key}"))
    if form:
        parts.append(
            Line(t("Grey tick: as {form} prints it, which is biased: rare answers come out too high.", form=form))
        )
    if len(parts) > 1 and len(rows) > SCROLLED:
        parts[1:2] = [Control(partial(_scrolled, parts[1]))]
    return Panel("results", t("Every answer, hidden ones first"), parts, sentences.about(known), head)


def _scrolled(part: Part) -> None:
    with st.container(height=260, border=False, key="results_open"):
        part.draw("results")


def _apart(rows: list[charts.ResultRow]) -> list[tuple[str, list[charts.ResultRow]]]:
    """All in one figure; of many the open ones apart."""
    hidden = [row for row in rows if row.hidden]
    if len(rows) <= SCROLLED or len(hidden) in (0, len(rows)):
        return [("", rows)]
    return [("", hidden), ("_open", [row for row in rows if not row.hidden])]


def _rows(known: ResultFacts, published: np.ndarray | None) -> list[charts.ResultRow]:
    """In percent."""
    out = []
    for i, row in enumerate(known.rows.to_dict("records")):
        share, low, high = (float(row[name]) for name in ("share", "low", "high"))
        above = low > 0
        texts = [
            sentences.percent(share) if above else "",
            sentences.interval(low, high) if above else t("below {high}", high=sentences.percent(high)),
        ]
        plain = row.get("unweighted")
        ring = None
        if plain is not None:
            texts.append(sentences.percent(plain) if above else "")
            ring = 100 * plain if above and abs(plain - share) >= SEEN else None
        tick = None if published is None else 100 * float(published[i])
        out.append(
            charts.ResultRow(
                str(row[known.called]),
                100 * share if above else None,
                100 * low,
                100 * high,
                bool(row["hidden"]),
                texts,
                ring,
                tick,
            )
        )
    return out


def _alt(known: ResultFacts) -> str:
    known_apart = known.rows[known.rows["low"] > 0]
    each = [
        t("{answer} {share} % ({interval})", answer=row[known.called], share=sentences.percent(row["share"]),
          interval=sentences.interval(row["low"], row["high"]))
        for row in known_apart.to_dict("records")
    ]  # fmt: skip
    return t("Shares with 95 % intervals: {each}. Not told from none: {n}.", each="; ".join(each),
             n=int((known.rows["low"] <= 0).sum()))  # fmt: skip


def _mean(known: ResultFacts) -> Panel:
    row = known.rows.iloc[0]
    asked: Any = known.asked
    low, mean, high = (float(row[name]) for name in ("low", "mean", "high"))
    texts = [words.decimals(mean), t("{low}–{high}", low=words.decimals(low), high=words.decimals(high))]
    name = asked.column or t("mean")
    drawn = charts.results(
        [charts.ResultRow(name, mean, low, high, hidden=True, texts=texts)], [t("mean"), t("95 of 100")],
        begin=asked.low, end=asked.high, unit="", dark=widgets.is_dark(),
    )  # fmt: skip
    alt = t("Mean {mean}, 95 % interval {interval}.", mean=texts[0], interval=texts[1])
    return Panel("results", t("The mean"), [Chart(drawn, alt)], sentences.about(known), [Sheet(known.rows, "results")])


def _forms(known: ResultFacts) -> None:
    texts = {"": t("as estimated: unbiased, may be negative"), **{form: form for form in known.forms}}
    controlled.bound(
        st.radio, t("What a publisher would print"), list(texts), key="results_form", value=read.draft().form,
        change=lambda form: actions.take_results(form=form), format_func=partial(_called, texts),
    )  # fmt: skip


def _called(texts: dict[str, str], form: str) -> str:
    return words.literal(texts[form])


def of_tool(found: ToolResult) -> Panel:
    """Of another tool's counts: nothing is known of what was hidden."""
    rows = [
        charts.ResultRow(
            str(row["answer"]), 100 * row["share"] if row["low"] > 0 else None, 100 * row["low"], 100 * row["high"],
            False, [sentences.percent(row["share"]), sentences.interval(row["low"], row["high"])],
        )
        for row in found.table.to_dict("records")
    ]  # fmt: skip
    drawn = charts.results(rows, [t("share, %"), t("95 of 100")], dark=widgets.is_dark())
    about = t("Percent of those who reported, in the order of the file. Dot: estimate; bar: 95 %.")
    return Panel(
        "results", t("Every answer"), [Chart(drawn, _said(found.table))], about, [Sheet(found.table, "results")]
    )


def _said(table: pd.DataFrame) -> str:
    each = [
        t("{answer} {share} %", answer=row["answer"], share=sentences.percent(row["share"]))
        for row in table.to_dict("records")
    ]
    return t("Shares: {each}.", each="; ".join(each))
