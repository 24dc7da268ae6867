"""The panels of the Itemsets view: cards, the sets side by side, scores over the axis and by length."""

from functools import partial

import pandas as pd
import streamlit as st

from ldpapp import charts, compute, words
from ldpapp.charts.palette import mark
from ldpapp.parts import curve_words, widgets
from ldpapp.parts import panels as drawn
from ldpapp.parts.panels import Box, Chart, Control, Filling, Html, Line, Menu, Panel, Part, Reach, RowOfParts, Sheet
from ldpapp.runtime import display
from ldpapp.state import actions, controlled, view_options
from ldpapp.views.itemsets import findings
from ldpapp.views.itemsets.findings import Runs
from ldpapp.views.itemsets.terms import Terms
from ldpapp.words.language import t
from ldpcore.data import Baskets
from ldpcore.itemsets.question import GroundTruth
from ldpcore.study import Study, curves
from ldpcore.study import itemsets as task
from ldpcore.study.itemsets import CATALOG, compare
from ldpcore.study.itemsets.compare import Outcome
from ldpcore.study.itemsets.curves import over

ROWS = 11
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
    across = 4 if len(shown) > 3 else 3
    for start in range(0, len(shown), across):
        row = shown[start : start + across]
        for place, one in zip(st.columns(max(len(row), min(across, 3)), gap="medium"), row, strict=False):
            with place, st.container(key=f"miner_{one.key.replace(' ', '_')}", gap="xxsmall"):
                for part in _card(one, ranked, said):
                    part.draw(one.key)


def _card(one: Outcome, ranked: pd.DataFrame, said: Terms) -> list[Part]:
    entry, scored, color = CATALOG[one.key], one.scores, mark(one.key).color(widgets.is_dark())
    hits, missed, false, true = map(words.count, (scored.found, scored.missed, scored.false, len(ranked)))
    f = "–" if scored.f != scored.f else f"{scored.f:.2f}"
    numbers = "".join(
        f'<div><div class="big">{number}</div><div class="quiet">{what}</div></div>'
        for number, what in (
            (hits, t("found of {true}", true=true)),
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
        dark=widgets.is_dark(),
    )  # fmt: skip
    alt = t(
        "{miner}: {found} of {true} frequent sets found, {false} false.",
        miner=entry.label,
        found=hits,
        true=true,
        false=false,
    )
    below = t("commonest first; below: false")
    foot = f'<div class="miner foot card"><div class="quiet">{below}</div><table>{_promised(one, said)}</table></div>'
    inside = Reach.INTERNAL
    return [Html(top, inside), Chart(figure, alt, key=f"chart_strip_{one.key}", reach=inside), Html(foot, inside)]


def _promised(one: Outcome, said: Terms) -> str:
    """Bill and promise; and what coin tosses would find, where the miner finds little more."""
    paid, kept = findings.promise(one, said)
    rows = [(t("privacy bill"), paid), (t("promise kept"), kept)]
    if one.by_chance:
        hits, false = map(words.count, one.coins)
        rows.insert(0, (t("coin tosses"), t("find {found}, {false} false", found=hits, false=false)))
    return "".join(f'<tr><td class="quiet">{name}</td><td>{value}</td></tr>' for name, value in rows)


# side by side ----------------------------------------------------------------------------------------------------


def side_by_side(study: Study, runs: Runs, ground: GroundTruth, said: Terms) -> Panel:
    table = compare.side_by_side(ground.truth, runs)
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
        t("The same sets, side by side"),
        [choosers, shown],
        t(
            "True count, then what each miner published. — missed. <s>Struck</s>: in fewer than {least}.",
            least=words.count(ground.least),
        ),
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
    labels = {SOME: t("some of each"), "true": t("true count"), "items": t("items per set")}
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
    return f'<tr><td title="{name}" style="{_NARROW}">{name}</td><td><b>{words.count(row["true"])}</b></td>{cells}</tr>'


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


# scores ----------------------------------------------------------------------------------------------------------


def at(study: Study) -> float:
    return study.epsilon if study.axis == "epsilon" else float(task.options(study).s)


def _scores() -> dict[str, str]:
    return {"f": "F", "mae_found": t("δ over the sets found"), "mae_candidates": t("δ over all candidates")}


def _choose_score() -> None:
    labels = {
        "f": t("F = 2·found / (2·found + missed + false)"),
        "mae_found": t("δ_MAE over the sets found"),
        "mae_candidates": t("δ_MAE over all candidates (the paper’s)"),
    }
    view_options.radio(t("Score"), labels, "itemsets_score")


def scores(study: Study, found: Baskets, said: Terms) -> Panel:
    along, metric = over(study), view_options.look("itemsets_score", "f")
    rows = curves.means(compute.summary(along, found, metric), metric, enough=curve_words.ENOUGH)
    rows = rows[rows["value"] > 0] if metric != "f" else rows
    score, x_name = _scores()[metric], "ε"
    title = t("{score} at the same total ε", score=score)
    if study.axis == "s":
        x_name, title = "s", t("{score} at the same s per count", score=score)
    unit = t("1 is perfect.") if metric == "f" else t("Mean |published − true|, {unit}.", unit=said.unit())
    shown: Part = Box(t("The first runs are on their way.") if metric == "f" else t("No such score here."), height=210)
    if len(rows):
        present = list(dict.fromkeys(rows["mechanism"]))
        common = {"at": at(study), "x_name": x_name, "dark": widgets.is_dark(), "height": 300, "width": 400}
        focus = next(key for key in ("Capped", *study.mechanisms[::-1], *present) if key in present)
        figure = (
            charts.score_curves(rows, focus=focus, best=1.0, say=lambda v: f"F = {v:.2f}", **common)
            if metric == "f"
            else charts.error_curves(rows[["mechanism", "x", "value"]], rows, focus=focus, unit=said.unit(), **common)
        )
        alt = t("{score} against {axis} for {miners}.", score=score, axis=x_name, miners=words.listing(present))
        shown = Chart(figure, alt)
    stopped = [key for key in study.mechanisms if _stops(compute.kept(along, found), key)]
    note = t("Left out, because noise makes more sets look frequent than can be counted: low {x} of {miners}.",
             x=x_name, miners=words.listing(stopped)) if stopped else ""  # fmt: skip
    return Panel(
        "scores",
        title,
        [shown, *([Line(note)] if note else [])],
        Filling(found, [along], t("runs"), f"{unit} {curve_words.said(study.repetitions, 'run')}"),
        [
            Menu("F · δ", _choose_score, "itemsets_score_menu"),
            Sheet(rows.rename(columns={"value": metric}), "itemset-scores"),
        ],
        reach=Reach.INTERNAL,
    )


def _stops(rows: pd.DataFrame, miner: str) -> bool:
    """Whether some run of this miner could not go on."""
    return bool(rows.loc[(rows["mechanism"] == miner) & (rows["metric"] == "f"), "value"].isna().any())


def by_length(runs: Runs) -> Panel:
    rows = pd.DataFrame(
        [
            {"mechanism": key, "length": length, "f": each.f, "true": each.found + each.missed,
             "found": each.found, "missed": each.missed, "false": each.false}
            for key, one in runs.items()
            for length, each in one.by_length.items()
        ]
    )  # fmt: skip
    figure = charts.scores_by_length(rows, dark=widgets.is_dark())
    return Panel(
        "lengths",
        t("F by length"),
        [Chart(figure, t("F by items per set for {miners}.", miners=words.listing(runs)))],
        t("One run."),
        [Sheet(rows, "itemsets-by-length")],
        reach=Reach.INTERNAL,
    )


def filtered(table: pd.DataFrame, text: str, order: str) -> pd.DataFrame:
    """The sets whose items contain this text, in this order: "true", "items" or a miner's counts; missing ones last."""
    rows = table[table["set"].str.contains(text.strip(), case=False, regex=False)] if text.strip() else table
    return rows.sort_values(order, ascending=order == "items", kind="stable", na_position="last")
