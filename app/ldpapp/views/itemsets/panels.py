"""The panels of the Itemsets view: cards, the sets side by side, scores over the axis and by length."""

from functools import partial

import pandas as pd
import streamlit as st

from ldpapp import charts, words
from ldpapp.charts.palette import mark
from ldpapp.parts import panels as drawn
from ldpapp.parts import widgets
from ldpapp.parts.panels import Chart, Control, Html, Menu, Panel, Part, Reach, RowOfParts, Sheet
from ldpapp.runtime import display
from ldpapp.state import actions, controlled, view_options
from ldpapp.views.itemsets import sentences
from ldpapp.views.itemsets.sentences import Runs
from ldpapp.views.itemsets.terms import Terms
from ldpapp.words.language import t
from ldpcore.itemsets.question import GroundTruth
from ldpcore.study import Study
from ldpcore.study.itemsets import CATALOG, compare
from ldpcore.study.itemsets.compare import Outcome

ROWS = 7
"""Sets shown beside each other before the person asks for all."""
MOST = 400
"""Rows of the filtered table: the rest is in the download."""
SOME = "some"
"""The order of the sets that shows some of each kind."""


# cards -----------------------------------------------------------------------------------------------------------


def cards(runs: Runs, ground: GroundTruth, said: Terms) -> None:
    """One for each miner, at most four in a row."""
    if not display.stands_here("miners"):
        return
    ranked, shown = compare.ranked(ground.truth), list(runs.values())
    most = max((one.scores.false for one in shown), default=0)
    across = 4 if len(shown) > 3 else 3
    for start in range(0, len(shown), across):
        row = shown[start : start + across]
        for place, one in zip(st.columns(max(len(row), min(across, 3)), gap="medium"), row, strict=False):
            with place, st.container(key=f"miner_{one.key.replace(' ', '_')}", gap="xxsmall"):
                for part in _card(one, ranked, most, said):
                    part.draw(one.key)
    if len(ranked):
        key = t("Bars: frequent sets, commonest left; pale: missed. Strip below: false.")
        st.html(f'<div class="sub">{key}</div>')


def _card(one: Outcome, ranked: pd.DataFrame, most: int, said: Terms) -> list[Part]:
    entry, scored, color = CATALOG[one.key], one.scores, mark(one.key).color(widgets.is_dark())
    hits, missed, false, true = map(words.count, (scored.found, scored.missed, scored.false, len(ranked)))
    f = "–" if scored.f != scored.f else f"{scored.f:.2f}"
    numbers = "".join(
        f'<div><div class="big">{number}</div><div class="quiet">{what}</div></div>'
        for number, what in (
            (hits, t("found")),
            (missed, t("missed")),
            (false, t("false")),
        )
    )
    top = (
        f'<div class="miner card" style="border-color:{color}"><div class="top"><span class="title" '
        f'role="heading" aria-level="2">{widgets.escape(entry.label)}</span><span class="quiet" '
        f'title="{t("2·found / (2·found + missed + false)")}">F = {f}</span></div>'
        f'<div class="quiet">{one.how}</div><div class="numbers">{numbers}</div></div>'
    )
    figure = charts.mined_strip(
        ranked, [one.published.get(items, float("nan")) for items in ranked["itemset"]], scored.false, one.key,
        most=most, dark=widgets.is_dark(),
    )  # fmt: skip
    alt = t(
        "{miner}: {found} of {true} frequent sets found, {false} false.",
        miner=entry.label,
        found=hits,
        true=true,
        false=false,
    )
    foot = f'<div class="miner foot card"><table>{_promised(one, said)}</table></div>'
    inside = Reach.INTERNAL
    return [Html(top, inside), Chart(figure, alt, key=f"chart_strip_{one.key}", reach=inside), Html(foot, inside)]


def _promised(one: Outcome, said: Terms) -> str:
    """Bill and promise; and what coin tosses would find, where the miner finds little more."""
    paid, kept = sentences.promise(one, said)
    rows = [(t("privacy bill"), paid), (t("promise kept"), kept)]
    if one.by_chance:
        hits, false = map(words.count, one.coins)
        rows.insert(0, (t("coin tosses"), t("do as well: {found} found, {false} false", found=hits, false=false)))
    return "".join(f'<tr><td class="quiet">{name}</td><td>{value}</td></tr>' for name, value in rows)


# side by side ----------------------------------------------------------------------------------------------------


def side_by_side(study: Study, table: pd.DataFrame, runs: Runs, ground: GroundTruth, said: Terms) -> Panel:
    text, order = view_options.look("itemsets_filter", "").strip(), _order(runs)
    rows = compare.example(table, ROWS)
    if text or order != SOME:
        rows = filtered(table, text, "true" if order == SOME else order).head(MOST)
    shown: Part = Html(_sets(rows, runs, said))
    if not len(rows):
        none = t("No frequent or published set holds “{text}”.", text=widgets.escape(text))
        shown = Control(partial(widgets.note, none))
    choosers = RowOfParts([[Control(_filter)], [Control(partial(_orders, runs))]], [55, 45])
    return Panel(
        "sets",
        t("Set by set"),
        [choosers, shown],
        t("— missed. <s>Struck</s>: false."),
        [
            Menu(_length(study, said), partial(_limit, study, ground, said), "itemsets_limit_menu"),
            drawn.again(t("another run"), "itemsets"),
            Sheet(_named(table), "itemsets", t("all {n} sets", n=words.count(len(table)))),
        ],
        reach=Reach.INTERNAL,
    )


def _filter() -> None:
    st.text_input(
        t("Only sets with this item"), key="itemsets_filter", placeholder=t("Only sets with …"),
        label_visibility="collapsed", persist_state="session",
    )  # fmt: skip


def _order(runs: Runs) -> str:
    """What the sets are ordered by: SOME, "true", "items" or the key of a miner that is shown."""
    chosen = view_options.look("itemsets_order")
    return chosen if chosen in (SOME, "true", "items", *runs) else SOME


def _orders(runs: Runs) -> None:
    labels = {SOME: t("found, missed, false"), "true": t("true count"), "items": t("items per set")}
    labels |= {key: t("{miner}’s count", miner=key) for key in runs}
    view_options.choose("itemsets_order", _order(runs))
    st.selectbox(
        t("Order"), list(labels), key="itemsets_order", format_func=labels.__getitem__, label_visibility="collapsed",
        persist_state="session",
    )  # fmt: skip


_NARROW = "max-width:0;min-width:min(120px,25vw)"
"""Of the names: on a phone they leave room for every miner's counts."""


def _sets(rows: pd.DataFrame, runs: Runs, said: Terms) -> str:
    heads = "".join(f"<th>{_head(key)}</th>" for key in runs)
    body = "".join(_row(row, runs, said) for row in rows.to_dict("records"))
    return (
        f'<div class="sets" style="{widgets.scrolls()}" tabindex="0"><table><thead><tr>'
        f'<th style="{_NARROW}">{t("set")}</th><th>{t("true")}</th>{heads}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _head(key: str) -> str:
    """The glyph goes above the name where the column is narrow."""
    look = "display:inline-flex;flex-wrap:wrap;justify-content:flex-end;column-gap:4px"
    parts = (f"<span>{part}</span>" for part in widgets.named(key).split("&nbsp;", 1))
    return f'<span style="{look}">{"".join(parts)}</span>'


def _row(row: dict, runs: Runs, said: Terms) -> str:
    cells = "".join(_cell(row[key], row["frequent"], row["true"], said) for key in runs)
    name = widgets.escape(row["set"])
    # Between two of its items a name breaks, as far as its two lines reach.
    items = name.replace(" = ", "\u00a0=\u00a0")
    return (
        f'<tr><td title="{name}" style="{_NARROW}"><div class="itemset">{items}</div></td>'
        f"<td><b>{words.count(row['true'])}</b></td>{cells}</tr>"
    )


def _cell(value: float, frequent: bool, true: int, said: Terms) -> str:
    if value != value:
        return '<td class="none">—</td>'
    text = words.count(value)
    if frequent:
        return f"<td>{text}</td>"
    return f'<td class="false" title="{said.held(true)}"><s>{text}</s></td>'


def _named(table: pd.DataFrame) -> pd.DataFrame:
    return table.rename(columns={"true": "true count (internal)", "frequent": "is frequent (internal)"}).round(1)


def _length(study: Study, said: Terms) -> str:
    """How long the sets may be."""
    longest = study.option("max_length")
    return t("any length") if longest is None else t("up to {items}", items=said.items(longest))


def _limit(study: Study, ground: GroundTruth, said: Terms) -> None:
    chosen = study.option("max_length")
    # Where the length is limited, longer sets than are known may be asked for.
    most = len(ground.truth.levels) + (chosen is not None)
    controlled.bound(
        st.selectbox,
        t("Longest sets that are looked for"),
        [None, *range(1, max(most, chosen or 1) + 1)],
        key="itemsets_longest",
        value=chosen,
        change=lambda longest: actions.option("itemsets", max_length=longest),
        format_func=lambda longest: t("no limit") if longest is None else said.items(longest),
    )


def filtered(table: pd.DataFrame, text: str, order: str) -> pd.DataFrame:
    """The sets whose items contain this text, in this order: "true", "items" or a miner's counts; missing ones last."""
    rows = table[table["set"].str.contains(text.strip(), case=False, regex=False)] if text.strip() else table
    return rows.sort_values(order, ascending=order == "items", kind="stable", na_position="last")
