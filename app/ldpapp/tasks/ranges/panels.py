"""The panels of the Ranges view: one range, the error of every range, averages against N, the accuracy index."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from ldpapp import bind, charts, session, widgets, words
from ldpapp.looks import choose as look_so
from ldpapp.looks import look
from ldpapp.tasks.ranges import data as range_data
from ldpapp.tasks.ranges import study as own
from ldpapp.tasks.ranges.data import Cells
from ldpcore.catalog import RANGES
from ldpcore.study import Study


@dataclass(frozen=True)
class View:
    """What the page shows: the cells, the chosen range (1-based, inclusive), the strategies, ε."""

    study: Study
    cells: Cells
    chosen: tuple[int, int]
    names: tuple[str, ...]
    pair: tuple[str, str]
    epsilon: float
    key: str
    """Tells this column and its cells from others, in the keys of widgets."""

    @property
    def name(self) -> str:
        return self.cells.name(*self.chosen)

    @property
    def short(self) -> str:
        """The same, cut where a value is a long text."""
        return self.cells.short(*self.chosen)


# one range -------------------------------------------------------------------------------------------------------


def one_range(view: View) -> None:
    cells, (first, last) = view.cells, view.chosen
    with widgets.panel("range", "One range", None) as slot:
        if cells.low is not None:
            with slot.popover(f"N = {words.count(cells.size)}", type="tertiary", key="ranges_cells"):
                bind.bound(
                    st.radio,
                    "Cells",
                    own.heights(view.study),
                    key="ranges_h",
                    value=own.height(view.study),
                    change=own.cut,
                    format_func=lambda h: words.count(1 << h),
                    horizontal=True,
                    help="Strategies work on a power of two. Cells have a round width; empty ones fill up.",
                )
        else:
            _numbers_button(slot)
        with slot:
            widgets.again("draw again", "ranges")
        rows = range_data.releases(
            view.names, cells, view.chosen, view.epsilon, (view.study.seed, widgets.draws("ranges"))
        )
        with slot:
            widgets.as_table("range", _release_table(view, rows), "range", "table")
        _ends(view)
        alt = f"Bars: how many people are in each of {cells.k} cells; {view.short} is chosen."
        figure = charts.range_histogram(
            cells.counts.astype(float),
            *cells.shown,
            view.chosen,
            ticks=range_data.round_ticks(cells, 8),
            dark=widgets.is_dark(),
            height=118,
        )
        # A new key after every brush: the old selection would stay on the new figure.
        key = f"chart_range_{view.key}_{look('range_brushes', 0)}"
        widgets.plot(figure, key, alt, selection_mode="box", on_select=lambda: _brushed(key, view))
        st.html(
            '<div class="sub">One release of each, ± standard error. Line: 95 %. Rule: truth, <i>internal</i>.</div>'
        )
        truth = float(cells.truth(first, last))
        widgets.plot(
            charts.range_releases(rows, truth, dark=widgets.is_dark(), row=20),
            "chart_range_releases",
            f"One release of {view.short} by each strategy, with 95 % intervals, beside the truth.",
        )


def _numbers_button(slot: Any) -> None:
    """Ranges are asked of numbers: the way to the first number column."""
    numbers = own.columns_of_numbers()
    if numbers:
        slot.button(
            f"ask about {words.shorten(numbers[0], 16)}",
            type="tertiary",
            on_click=session.choose_column,
            args=(numbers[0],),
            key="ranges_number",
        )


def _ends(view: View) -> None:
    """The two ends as inputs: the route without a mouse."""
    cells, (first, last) = view.cells, view.chosen
    place = st.container(horizontal=True, vertical_alignment="center", gap="xsmall", wrap=False)
    place.html('<div class="sub">People per cell; drag to choose.</div>', width="stretch")
    for which, at in (("from", first), ("to", last)):
        if which == "to":
            place.html('<div class="sub">to</div>', width="content")
        key = f"ranges_{which}_{view.key}"
        options: dict[str, Any] = {
            "key": key,
            "width": 124 if cells.low is None else 104,
            "label_visibility": "collapsed",
            "on_change": _typed,
            "args": (view, key, which),
        }
        if cells.low is None:
            st.session_state[key] = (cells.firsts if which == "from" else cells.lasts)[at - 1]
            place.selectbox(f"Range {which}", list(cells.firsts), **options)
            continue
        shift = 0 if which == "from" else cells.step - (1 if cells.whole else 0)
        cast: Any = int if cells.whole else float
        st.session_state[key] = cast(cells.low + (at - 1) * cells.step + shift)
        low, high = cells.low + shift, cells.low + (cells.k - 1) * cells.step + shift
        place.number_input(f"Range {which}", cast(low), cast(high), step=cast(cells.step), **options)


def _typed(view: View, key: str, which: str) -> None:
    """An end was given: the other one follows where the range would end before it begins."""
    value, cells, (first, last) = st.session_state[key], view.cells, view.chosen
    if cells.low is None:
        at = cells.firsts.index(value) + 1
    else:
        # The upper end of a cell of measured numbers belongs to the next one.
        at = cells.cell(float(value) - (0 if cells.whole or which == "from" else cells.step / 2))
    own.choose((at, max(at, last)) if which == "from" else (min(first, at), at))


def _brushed(key: str, view: View) -> None:
    boxes = st.session_state[key]["selection"]["box"]
    if not boxes:
        return
    low, high = sorted(boxes[-1]["x"])
    first = min(max(int(np.floor(low)), 0), view.cells.k - 1) + 1
    own.choose((first, max(first, min(int(np.ceil(high)), view.cells.k))))
    look_so("range_brushes", look("range_brushes", 0) + 1)


def _release_table(view: View, rows: pd.DataFrame) -> pd.DataFrame:
    value, half = rows["value"], rows["half"]
    return pd.DataFrame(
        {
            "strategy": rows["mechanism"],
            "range": view.name,
            "true (internal)": view.cells.truth(*view.chosen),
            "published": value.round(1),
            "standard error": rows["error"],
            "95 % from": (value - half).round(1),
            "95 % to": (value + half).round(1),
        }
    )


# every range -----------------------------------------------------------------------------------------------------


def every_range(view: View) -> None:
    cells, dark = view.cells, widgets.is_dark()
    found = {name: range_data.errors(name, cells, view.epsilon) for name in view.pair}
    drawn = next(iter(found.values()))[1]
    top = max(float(np.nanmax(z)) for z, _ in found.values())
    with widgets.panel("maps", "Error of every range", None) as slot:
        for which, name in zip(("one", "two"), view.pair, strict=True):
            with slot.popover(f"{widgets.glyph(name)} {name}", type="tertiary", key=f"ranges_menu_{which}"):
                st.radio("Strategy", _listed(), key=f"ranges_{which}", persist_state="session")
        with slot.popover("table", type="tertiary", key="table_maps", on_change="rerun") as table:
            if table.open:
                _maps_table(found, cells, drawn)
        st.html(
            '<div class="sub" style="display:flex;gap:8px;align-items:center;flex-wrap:wrap"><span>Across: from. Up: '
            "to. Standard error:</span><span>0</span><span style='flex:none;width:56px;height:8px;border-radius:2px;"
            f"background:{charts.map_scale(dark)}'></span><span>±{words.decimals(top)} people</span></div>"
        )
        place = [int(np.argmin(np.abs(drawn - end))) for end in view.chosen]
        firsts, lasts = ([names[i - 1] for i in drawn] for names in cells.shown)
        said = {name: f"{_short(view)}: ±{words.decimals(_error(name, view))}" for name in view.pair}
        figure = charts.error_maps(
            {name: z for name, (z, _) in found.items()},
            firsts,
            lasts,
            chosen=(place[0], place[1]),
            said=said,
            ticks=_map_ticks(cells, drawn),
            dark=dark,
            height=288,
        )
        widgets.plot(
            figure,
            "chart_maps",
            "The standard error of every range: " + "; ".join(f"{n}, {t}" for n, t in said.items()),
        )


def _listed() -> tuple[str, ...]:
    return range_data.names(tuple(RANGES))


def _short(view: View) -> str:
    return widgets.escape(view.name if len(view.name) <= 26 else view.cells.short(*view.chosen, 9))


def _error(name: str, view: View) -> float:
    return range_data.build(name, view.cells.h).variance(*view.chosen, view.epsilon) ** 0.5


def _map_ticks(cells: Cells, drawn: np.ndarray) -> list[tuple[int, str]]:
    if cells.low is None:
        places = sorted({int(part * (cells.k - 1) + 0.5) for part in (0.1, 0.5, 0.9)})
        return [(i, words.shorten(cells.firsts[i], 9)) for i in places]
    found = [(at, text) for at, text in range_data.round_ticks(cells, 4) if 0 <= at < cells.k]
    return [(int(np.argmin(np.abs(drawn - 1 - np.floor(at)))), text) for at, text in found]


def _maps_table(found: dict[str, Any], cells: Cells, drawn: np.ndarray) -> None:
    last, first = np.nonzero(~np.isnan(next(iter(found.values()))[0]))
    rows = pd.DataFrame(
        {
            "from": [cells.firsts[i - 1] for i in drawn[first]],
            "to": [cells.lasts[i - 1] for i in drawn[last]],
            **{f"± {name}": z[last, first] for name, (z, _) in found.items()},
        }
    )
    st.dataframe(rows, hide_index=True, height=320, width=460)
    csv = rows.to_csv(index=False).encode()
    st.download_button("Download CSV", csv, "ranges.csv", "text/csv", key="download_maps", on_click="ignore")


# averages and index ----------------------------------------------------------------------------------------------


def averages(view: View) -> None:
    names = view.names
    table = range_data.averages(names, view.epsilon)
    over = {name: range_data.overtakes(name) for name in names if name != range_data.FLAT}
    crossings = {name: float(1 << h) for name, h in over.items() if h}
    title, subtitle = "Average error against N", "Typical error over all ranges of N full cells, people."
    if crossings and range_data.FLAT in names:
        subtitle += " ○ Beats flat from here on."
    with widgets.panel("averages", title, subtitle) as slot:
        with slot:
            widgets.as_table(
                "averages",
                table.rename(columns={"mechanism": "strategy", "x": "N", "value": "± people"}),
                "averages",
            )
        figure = charts.average_errors(
            table,
            focus=view.pair[0],
            at=float(view.cells.size),
            crossings=crossings if range_data.FLAT in names else None,
            dark=widgets.is_dark(),
            height=142,
        )
        widgets.plot(figure, "chart_averages", f"{title}: {subtitle}")


def index(view: View) -> None:
    cells, focus = view.cells, view.pair[0]
    here = range_data.build(focus, cells.h).accuracy_index()
    subtitle = (
        f"(log₂N)³/(Δ²c̄). A limit, reached late: {focus} has {words.decimals(here)} at N = {words.count(cells.size)}, "
        f"{range_data.limit(focus):.3g} at last."
    )
    with widgets.panel("index", "Accuracy index", subtitle) as slot:
        with slot:
            table = range_data.index_lines(view.names)
            renamed = table.rename(columns={"mechanism": "strategy", "x": "h", "value": "index"})
            widgets.as_table("index", renamed, "index")
        figure = charts.accuracy_indices(
            table,
            {name: range_data.limit(name) for name in view.names},
            focus=focus,
            at=float(cells.h),
            dark=widgets.is_dark(),
            height=142,
        )
        widgets.plot(figure, "chart_index", f"Accuracy index against N: {subtitle}")


# the page --------------------------------------------------------------------------------------------------------


def current(study: Study, cells: Cells) -> View:
    """What the page shows of this Study."""
    shown = range_data.names(study.mechanisms)
    pair = tuple(
        wanted if (wanted := look(f"ranges_{which}")) in range_data.names(tuple(RANGES)) else usual
        for which, usual in (("one", range_data.PRIVELET), ("two", range_data.FLAT))
    )
    key = f"{study.data.digest[:12]}_{study.column}_{study.missing}_{study.bins}_{cells.k}"
    return View(study, cells, own.chosen(study, cells), shown, (pair[0], pair[1]), study.epsilon, key)
