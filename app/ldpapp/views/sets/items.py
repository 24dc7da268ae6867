"""What would be published of the items: each by its name, with its margin and the truth."""

import math
from functools import partial

import numpy as np
import pandas as pd

from ldpapp import words
from ldpapp.parts import levels, panels, widgets
from ldpapp.parts.panels import Html, Line, Menu, Panel, Part, Reach, RowOfParts, Sheet
from ldpapp.state import view_options
from ldpapp.words.language import t
from ldpcore.study.definition import SECRET, SENSITIVE
from ldpcore.study.sets import facts as set_facts
from ldpcore.study.sets import tables
from ldpcore.study.sets.point import ItemFacts
from ldpcore.study.sets.sample import SetSetting
from ldpcore.study.simulated_shares import SimulatedShares

NAMED = 5
"""Items that either list begins with."""
MOST = 500
"""Rows of the page's longest list; the table beside the title has all."""


def items_panel(found: dict[str, ItemFacts], main: ItemFacts, surveys: SimulatedShares) -> Panel:
    """The marked items and the commonest others, or all; `surveys` are those of all items with rows of their own."""
    setting, every = main.here, view_options.look("sets_items", "some") == "all"
    published = surveys.draw(widgets.draws("sets")) if len(surveys.estimates) else np.full(len(setting.shown), np.nan)
    rows = tables.of_items(main, published)
    lists = halves(setting, MOST if every else NAMED)
    which = {"some": t("the marked and the commonest"), "all": t("all items")}
    head: list[Part] = (
        [] if panels.unfolded("fold_sets") else [panels.again(t("draw again"), "sets", len(surveys.estimates))]
    )
    head += [
        Menu(main.key, partial(widgets.mechanism, list(found), "sets_focus", main.key), "sets_focus_menu"),
        Menu(
            t("all items") if every else t("by name"),
            partial(view_options.radio, t("Items"), which, "sets_items"),
            "sets_items_menu",
        ),
        Sheet(rows, "items", internal=["bias, sets cut"]),
    ]
    parts: list[Part] = [
        RowOfParts([[_listed(rows.loc[part], text)] for text, part in lists], options={"gap": "medium"})
    ]
    if every and len(setting.shown) > sum(len(part) for _, part in lists):
        parts.append(Line(t("The {n} commonest of either; the table has the others.", n=words.count(MOST))))
    if rare := _rare(rows.loc[np.concatenate([part for _, part in lists])]):
        parts.append(Line(rare))
    line = Line(_said(main), Reach.INTERNAL, t("One survey: share of the people, its ± 95 %."))
    return Panel("set_items", t("What would be published?"), parts, line, head)


def _rare(rows: pd.DataFrame) -> str:
    """That shares of these are grey which one survey does not tell from 0; "" where none is. The headline counts all
    marked items that are too rare for any survey, by what is true.
    """
    return t("Grey: below their ±.") if (rows["published"] < rows["± 95 %"]).any() else ""


def _said(main: ItemFacts) -> str:
    if set_facts.cuts(main.here):
        return t(
            "One survey: share of the people, its ± 95 %, apart from it the bias of sets cut at m = {m}, and the "
            "truth, <i>internal</i>.",
            m=main.here.m,
        )
    return t("One survey; truth: <i>internal</i>.")


def halves(here: SetSetting, most: int) -> list[tuple[str, np.ndarray]]:
    """The two lists, the commonest first: marked and other items, or where all are alike the first and the next."""
    marked, others = (set_facts.commonest(here, part) for part in (here.marked, ~here.marked))
    if not len(marked) or not len(others):
        order = set_facts.commonest(here)
        most = min(most, (len(order) + 1) // 2)
        of = words.count(len(here.marked))
        return [(t("the commonest of {n} items", n=of), order[:most]), (t("the next"), order[most : 2 * most])]
    sensitive = widgets.sensitive(t("sensitive"))
    title = t("{sensitive}: commonest of {n}", sensitive=sensitive, n=words.count(here.marked.sum()))
    if here.marked.sum() == 1:
        title = sensitive
    if here.secret.any():
        dark, (secret, private, _) = widgets.is_dark(), levels.names().values()
        kinds = " ".join([levels.chip(SECRET, secret, dark), levels.chip(SENSITIVE, private, dark)])
        title = t("{levels} of {n}", levels=kinds, n=words.count(here.marked.sum()))
    return [
        (title, marked[:most]),
        (t("others: commonest of {n}", n=words.count((~here.marked).sum())), others[:most]),
    ]


def _listed(rows: pd.DataFrame, title: str) -> Html:
    """One list, and the same without the truth."""
    published = rows.assign(**{"true share (internal)": np.nan, "bias, sets cut": 0.0})
    return Html(_list(rows, title), Reach.INTERNAL, _list(published, title))


def _list(rows: pd.DataFrame, title: str) -> str:
    """Its bars have an axis of their own, from 0 to a round number above its largest value."""
    truth = rows["true share (internal)"]
    top = float(max((rows["published"].fillna(0) + rows["± 95 %"]).max(), truth.fillna(0).max(), 1e-9))
    top = min(top, 1.0)  # no share is more, whatever an estimate says
    step = 10 ** math.floor(math.log10(top))
    top = math.ceil(round(top / step, 9)) * step
    cut = bool(rows["bias, sets cut"].min() < -set_facts.CUT)
    scale = f"<span>0</span><span>{words.plain(100 * top)}\u00a0%</span>"
    first = f'<th colspan="2">{title}<span class="scale">{scale}</span></th>'
    heads = [
        t("published"),
        "± 95 %",
        *([t("bias")] if cut else []),
        *([t("<i>truth</i>")] if truth.notna().any() else []),
    ]
    body = "".join(_row(row, top, cut) for row in rows.to_dict("records"))
    named = first + "".join(f"<th>{head}</th>" for head in heads)
    return f'<div class="sets held"><table><tr>{named}</tr>{body}</table></div>'


def _row(row: dict, top: float, cut: bool) -> str:
    name = widgets.escape(row["item"])
    published, margin = row["published"], row["± 95 %"]
    cells = [
        _named(row, name),
        _bar(row, top),
        _published(published, margin),
        words.points(margin),
        *([words.decimals(100 * row["bias, sets cut"])] if cut else []),
        *([] if np.isnan(row["true share (internal)"]) else [f"<i>{words.share(row['true share (internal)'])}</i>"]),
    ]
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _published(share: float, margin: float) -> str:
    """Grey where one survey does not tell it from 0."""
    if np.isnan(share):
        return "…"
    return f'<span class="quiet">{words.share(share)}</span>' if share < margin else words.share(share)


def _named(row: dict, name: str) -> str:
    """In the look of its level."""
    if "secret" in row and row["marked"]:
        return levels.chip(SECRET if row["secret"] else SENSITIVE, name, widgets.is_dark())
    return widgets.sensitive(name) if row["marked"] else name


def _bar(row: dict, top: float) -> str:
    """The published share, its margin as a line, the truth as a tick."""
    colors, published, margin = widgets.colors(), row["published"], row["± 95 %"]
    truth = row["true share (internal)"]
    parts = [] if np.isnan(truth) else [_block(truth / top, 0, 0, 11, colors.ink, "min-width:2px")]
    if not np.isnan(published):
        low, high = (float(np.clip(end, 0.0, top)) for end in (published - margin, published + margin))
        fill = colors.sensitive if row["marked"] else colors.other
        parts.insert(0, _block(0, float(np.clip(published, 0.0, top)) / top, 2, 7, fill, "opacity:.55"))
        parts.insert(1, _block(low / top, (high - low) / top, 5, 1, colors.ink2, ""))
    return f'<div class="bar">{"".join(parts)}</div>'


def _block(left: float, width: float, top: int, height: int, color: str, more: str) -> str:
    place = f"left:{100 * left:.1f}%;width:{100 * width:.1f}%;top:{top}px;height:{height}px"
    return f'<i style="{place};background:{color};{more}"></i>'
