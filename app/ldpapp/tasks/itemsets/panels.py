"""The panels of the Itemsets view: cards, the sets side by side, scores over the axis and by length."""

import pandas as pd
import streamlit as st

from ldpapp import bind, charts, compute, curves, filling, looks, session, widgets, words
from ldpapp.palette import mark
from ldpapp.tasks.itemsets import data as itemset_data
from ldpapp.tasks.itemsets import findings
from ldpapp.tasks.itemsets import study as own
from ldpapp.tasks.itemsets.data import Shown
from ldpcore.itemsets import Mined, Transactions
from ldpcore.study import Study
from ldpcore.study import itemsets as task

ROWS = 11
"""Sets shown beside each other before the person asks for all."""
MOST = 400
"""Rows of the filtered table: the rest is in the download."""
SCORES = {
    "f": "F",
    "mae_found": "δ over the sets found",
    "mae_candidates": "δ over all candidates",
}


# cards -----------------------------------------------------------------------------------------------------------


def cards(shown: list[Shown], truth: Mined) -> None:
    """One for each miner, at most four in a row."""
    ranked = itemset_data.ranked(truth)
    across = 4 if len(shown) > 3 else 3
    for start in range(0, len(shown), across):
        row = shown[start : start + across]
        for place, one in zip(st.columns(max(len(row), min(across, 3)), gap="medium"), row, strict=False):
            with place:
                _card(one, ranked)


def _card(one: Shown, ranked: pd.DataFrame) -> None:
    entry, scored, color = itemset_data.CATALOG[one.key], one.scores, mark(one.key).color(widgets.is_dark())
    paid, kept = findings.promise(one)
    f = "–" if scored.f != scored.f else f"{scored.f:.2f}"
    numbers = "".join(
        f'<div><div class="big">{words.count(number)}</div><div class="quiet">{what}</div></div>'
        for number, what in (
            (scored.found, f"found of {words.count(len(ranked))}"),
            (scored.missed, "missed"),
            (scored.false, "false"),
        )
    )
    with st.container(key=f"miner_{one.key.replace(' ', '_')}", gap="xxsmall"):
        st.html(
            f'<div class="miner card" style="border-color:{color}"><div class="top"><span class="title" '
            f'role="heading" aria-level="2">{widgets.escape(entry.label)}</span><span class="quiet" '
            f'title="2·found / (2·found + missed + false)">F = {f}</span></div>'
            f'<div class="quiet">{one.how}</div><div class="numbers">{numbers}</div></div>'
        )
        figure = charts.mined_strip(
            ranked, [one.published.get(items, float("nan")) for items in ranked["itemset"]], scored.false, one.key,
            dark=widgets.is_dark(),
        )  # fmt: skip
        widgets.plot(
            figure,
            f"chart_strip_{one.key}",
            f"{entry.label}: {scored.found} of {len(ranked)} frequent sets found, {scored.false} false.",
        )
        st.html(
            f'<div class="miner foot card"><div class="quiet">commonest first; below: false sets</div>'
            f'<table>{_chance(one)}<tr><td class="quiet">privacy bill</td><td>{paid}</td></tr>'
            f'<tr><td class="quiet">promise kept</td><td>{kept}</td></tr></table></div>'
        )


def _chance(one: Shown) -> str:
    """What coin tosses would find, where the miner finds little more."""
    if not one.by_chance:
        return ""
    found, false = map(words.count, one.coins)
    return f'<tr><td class="quiet">coin tosses</td><td>find {found}, {false} false</td></tr>'


# side by side ----------------------------------------------------------------------------------------------------


def side_by_side(shown: list[Shown], truth: Mined, least: int) -> None:
    table = itemset_data.side_by_side(truth, shown)
    what = f"True count, then what each miner published. — missed. <s>Struck</s>: in fewer than {words.count(least)}."
    with widgets.panel("sets", "The same sets, side by side", what) as slot:
        widgets.again(slot, "another run", "itemsets")
        with slot:
            widgets.as_table("sets", _named(table), "itemsets", f"all {words.count(len(table))} sets")
        left, right = st.columns([55, 45], gap="small")
        text = left.text_input(
            "Only sets with this item", key="itemsets_filter", placeholder="Only sets with …",
            label_visibility="collapsed", persist_state="session",
        )  # fmt: skip
        orders = {"some of each": "", "true count": "true", "items per set": "items"}
        orders |= {f"{one.key}’s count": one.key for one in shown}
        if looks.look("itemsets_order") not in orders:
            looks.choose("itemsets_order", "some of each")
        order = right.selectbox(
            "Order", list(orders), key="itemsets_order", label_visibility="collapsed", persist_state="session"
        )
        if orders[order] or text.strip():
            rows = itemset_data.filtered(table, text, orders[order] or "true").head(MOST)
        else:
            rows = itemset_data.example(table, ROWS)
        if not len(rows):
            widgets.note(f"No frequent or published set holds “{widgets.escape(text)}”.")
            return
        heads = "".join(f"<th>{_head(one.key)}</th>" for one in shown)
        body = "".join(_row(row, shown) for row in rows.to_dict("records"))
        st.html(
            f'<div class="sets" style="{widgets.scrolls()}" tabindex="0"><table><thead><tr>'
            f'<th style="{_NARROW}">set</th><th>true</th>{heads}</tr></thead>'
            f"<tbody>{body}</tbody></table></div>"
        )


_NARROW = "max-width:0;min-width:min(120px,25vw)"
"""Of the names: on a phone they leave room for every miner's counts."""


def _head(key: str) -> str:
    """The glyph goes above the name where the column is narrow."""
    look = "display:inline-flex;flex-wrap:wrap;justify-content:flex-end;column-gap:4px"
    parts = (f"<span>{part}</span>" for part in widgets.named(key).split("&nbsp;", 1))
    return f'<span style="{look}">{"".join(parts)}</span>'


def _row(row: dict, shown: list[Shown]) -> str:
    cells = "".join(_cell(row[one.key], row["frequent"], row["true"]) for one in shown)
    name = widgets.escape(row["set"])
    return f'<tr><td title="{name}" style="{_NARROW}">{name}</td><td><b>{words.count(row["true"])}</b></td>{cells}</tr>'


def _cell(value: float, frequent: bool, true: int) -> str:
    if value != value:
        return '<td class="none">—</td>'
    text = words.count(value)
    return f"<td>{text}</td>" if frequent else f'<td class="false" title="in {true} baskets"><s>{text}</s></td>'


def _named(table: pd.DataFrame) -> pd.DataFrame:
    return table.rename(columns={"true": "true count (internal)", "frequent": "is frequent (internal)"}).round(1)


# scores ----------------------------------------------------------------------------------------------------------


def at(study: Study) -> float:
    return study.epsilon if study.axis == "epsilon" else float(study.chosen(task.OPTIONS)["s"])


def scores(study: Study, found: Transactions) -> None:
    along = own.curves(study)
    metric, x_name = looks.look("itemsets_score", "f"), "ε" if study.axis == "epsilon" else "s"
    rows = curves.means(compute.summary(along, found, metric), metric, arm=study.arms[0].name, enough=curves.ENOUGH)
    rows = rows[rows["value"] > 0] if metric != "f" else rows
    unit = "1 is perfect." if metric == "f" else "Mean |published − true|, baskets."
    equal = "total ε" if study.axis == "epsilon" else "s per count"
    with widgets.panel("scores", f"{SCORES[metric]} at the same {equal}", None) as slot:
        with slot.popover("F · δ", type="tertiary", key="itemsets_score_menu"):
            st.radio("Score", list(SCORES), key="itemsets_score", persist_state="session", format_func={
                "f": "F = 2·found / (2·found + missed + false)",
                "mae_found": "δ_MAE over the sets found",
                "mae_candidates": "δ_MAE over all candidates (the paper’s)",
            }.get)  # fmt: skip
        with slot:
            widgets.as_table("scores", rows.rename(columns={"value": metric}), "itemset-scores")
        done = f"{unit} {curves.said(study.repetitions, 'run')}"
        filling.line(found, along, of="runs", done=done)
        if not len(rows):
            widgets.state_box(
                "The first runs are on their way." if metric == "f" else "No such score here.", height=210
            )
            return
        present = list(dict.fromkeys(rows["mechanism"]))
        common = {"at": at(study), "x_name": x_name, "dark": widgets.is_dark(), "height": 300, "width": 400}
        focus = next(key for key in ("Capped", *study.mechanisms[::-1], *present) if key in present)
        figure = (
            charts.score_curves(rows, focus=focus, best=1.0, say=lambda v: f"F = {v:.2f}", **common)
            if metric == "f"
            else charts.error_curves(rows[["mechanism", "x", "value"]], rows, focus=focus, unit="baskets", **common)
        )
        widgets.plot(figure, "chart_scores", f"{SCORES[metric]} against {x_name} for {words.listing(present)}.")


def by_length(study: Study, shown: list[Shown]) -> None:
    rows = pd.DataFrame(
        [
            {"mechanism": one.key, "length": length, "f": each.f, "true": each.found + each.missed,
             "found": each.found, "missed": each.missed, "false": each.false}
            for one in shown
            for length, each in one.by_length.items()
        ]
    )  # fmt: skip
    most, chosen = max((length for length in rows["length"]), default=1), study.option("max_length")
    with widgets.panel("lengths", "F by length", "One run.") as slot:
        with slot.popover("limit", type="tertiary", key="itemsets_limit_menu"):
            bind.bound(
                st.selectbox,
                "Longest sets that are looked for",
                [None, *range(1, max(most, chosen or 1) + 1)],
                key="itemsets_longest",
                value=chosen,
                change=lambda longest: session.option("itemsets", max_length=longest),
                format_func=lambda longest: "no limit" if longest is None else words.plural(longest, "item"),
            )
        with slot:
            widgets.as_table("lengths", rows, "itemsets-by-length")
        widgets.plot(
            charts.scores_by_length(rows, dark=widgets.is_dark()),
            "chart_lengths",
            f"F by items per set for {words.listing(one.key for one in shown)}.",
        )
