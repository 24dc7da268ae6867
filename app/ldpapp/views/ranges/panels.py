"""The panels of every range: the error of each as a map, averages against N, the accuracy index."""

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from ldpapp import charts, words
from ldpapp.parts import error_unit, widgets
from ldpapp.parts.panels import Chart, Control, Html, Menu, Panel, Sheet
from ldpapp.views.ranges import cells as strategies
from ldpapp.views.ranges import sentences
from ldpapp.views.ranges.cells import Cells
from ldpapp.views.ranges.view import RangesView
from ldpapp.words.language import t
from ldpcore import data, ranges
from ldpcore.study.ranges import strategies as engine


def every_range(view: RangesView) -> Panel:
    cells, dark = view.cells, widgets.is_dark()
    maps = {
        name: ranges.error_map(engine.built(engine.build_of(name), cells.h), view.study.epsilon, cells.k)
        for name in view.pair
    }
    errors, drawn = {name: z for name, (z, _) in maps.items()}, maps[view.pair[0]][1]
    place = [int(np.argmin(np.abs(drawn - end))) for end in view.chosen]
    firsts, lasts = ([names[i - 1] for i in drawn] for names in cells.shown)
    notes = {
        name: t("{range}: {error}", range=_short(view), error=words.decimals(view.of(name).error)) for name in view.pair
    }
    figure = charts.error_maps(
        errors,
        firsts,
        lasts,
        chosen=(place[0], place[1]),
        said=notes,
        ticks=_ticks(cells, drawn),
        dark=dark,
    )
    alt = t(
        "The typical error of every range: {strategies}",
        strategies="; ".join(f"{name}, {text}" for name, text in notes.items()),
    )
    top = max(float(np.nanmax(z)) for z in errors.values())
    return Panel(
        "maps",
        t("Error of every range"),
        [Html(_scale(top, dark)), Chart(figure, alt)],
        head=[
            *(
                Menu(f"{widgets.glyph(name)} {name}", partial(_choose, which), f"ranges_menu_{which}")
                for which, name in zip(("one", "two"), view.pair, strict=True)
            ),
            Control(partial(_sheet, errors, cells, drawn)),
        ],
    )


def _choose(which: str) -> None:
    st.radio(t("Strategy"), engine.names(), key=f"ranges_{which}", persist_state="session", format_func=words.literal)


def _scale(top: float, dark: bool) -> str:
    """From 0 to the largest error, in the colours of the maps."""
    bar = f'<span style="flex:none;width:56px;height:8px;border-radius:2px;background:{charts.map_scale(dark)}"></span>'
    text = t(
        "<span>Across: from. Up: to. Typical error, people:</span><span>0</span>{scale}<span>{top}</span>",
        scale=bar,
        top=words.decimals(top),
    )
    return f'<div class="sub" style="display:flex;gap:8px;align-items:center;flex-wrap:wrap">{text}</div>'


def _short(view: RangesView) -> str:
    return widgets.escape(view.name if len(view.name) <= 26 else view.cells.short(*view.chosen, 9))


def _ticks(cells: Cells, drawn: np.ndarray) -> list[tuple[int, str]]:
    if cells.low is None:
        places = sorted({int(part * (cells.k - 1) + 0.5) for part in (0.1, 0.5, 0.9)})
        return [(i, words.shorten(cells.firsts[i], 9)) for i in places]
    ticks = [(at, text) for at, text in cells.ticks(4) if 0 <= at < cells.k]
    return [(int(np.argmin(np.abs(drawn - 1 - np.floor(at)))), text) for at, text in ticks]


def _sheet(found: dict[str, np.ndarray], cells: Cells, drawn: np.ndarray) -> None:
    """Thousands of rows: made when somebody looks."""
    with st.popover(t("table"), type="tertiary", key="table_maps", on_change="rerun") as place:
        if not place.open:
            return
        last, first = np.nonzero(~np.isnan(next(iter(found.values()))))
        rows = pd.DataFrame(
            {
                "from": [cells.firsts[i - 1] for i in drawn[first]],
                "to": [cells.lasts[i - 1] for i in drawn[last]],
                **{t("{strategy}, typical error", strategy=name): z[last, first] for name, z in found.items()},
            }
        )
        st.dataframe(rows, hide_index=True, height=320, width=460)
        csv = data.as_csv(rows).encode()
        st.download_button(t("Download CSV"), csv, "ranges.csv", "text/csv", key="download_maps", on_click="ignore")


def averages(view: RangesView) -> Panel:
    table, crossings = engine.averages(engine.builds(view.names), view.study.epsilon), {}
    if strategies.FLAT in view.names:
        over = {name: engine.overtakes(engine.build_of(name), engine.build_of(strategies.FLAT)) for name in view.names}
        crossings = {name: float(1 << h) for name, h in over.items() if h}
    squared = error_unit.squared("ranges_unit")
    table = table.assign(value=table["value"] ** 2) if squared else table
    title, subtitle = t("Average error against N"), sentences.averages(bool(crossings), squared)
    figure = charts.average_errors(
        table,
        focus=view.pair[0],
        at=float(view.cells.size),
        crossings=crossings,
        squared=squared,
        dark=widgets.is_dark(),
    )
    value = "MSE" if squared else "typical error, people"
    sheet = Sheet(table.rename(columns={"mechanism": "strategy", "x": "N", "value": value}), "averages")
    head = [Control(partial(error_unit.draw, "ranges_unit", "averages")), sheet]
    return Panel("averages", title, [Chart(figure, f"{title}: {subtitle}")], subtitle, head)


def index(view: RangesView) -> Panel:
    table, subtitle = engine.indices(engine.builds(view.names)), sentences.index(view)
    figure = charts.accuracy_indices(
        table,
        {name: engine.index_limit(view.of(name).build) for name in view.names},
        focus=view.pair[0],
        at=float(view.cells.h),
        dark=widgets.is_dark(),
    )
    sheet = table.rename(columns={"mechanism": "strategy", "x": "h", "value": "index"})
    alt = t("Accuracy index against N: {what}", what=subtitle)
    return Panel("index", t("Accuracy index"), [Chart(figure, alt)], subtitle, [Sheet(sheet, "index")])
