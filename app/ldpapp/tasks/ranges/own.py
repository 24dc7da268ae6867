"""Ranges of one's own: a list of the ranges that matter, and a strategy of one's own, beside the built-in ones."""

import re
from io import BytesIO
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from ldpapp import widgets, words
from ldpapp.looks import choose, look
from ldpapp.tasks.ranges import data as range_data
from ldpapp.tasks.ranges import tools as range_tools
from ldpapp.tasks.ranges.data import Cells
from ldpapp.tasks.ranges.panels import View
from ldpcore.ranges import Matrix, Strategy, Workload

MOST = 1000


def panel(view: View) -> None:
    cells = view.cells
    with widgets.panel("own", "Ranges of your own", None) as slot:
        key = f"ranges_list_{view.key}"
        with slot.popover("ranges", type="tertiary", key="ranges_own_list"):
            st.text_area(
                "Ranges, one per line, as “from .. to”",
                _proposed(cells),
                key=key,
                height=180,
                persist_state="session",
                help="In the units of the column; a line with one value is that value alone.",
            )
        with slot.popover("own matrix", type="tertiary", key="ranges_own_matrix"):
            given = st.file_uploader(
                "A strategy matrix (CSV of numbers, no header): a row for each measurement, a column for each cell",
                type=["csv"],
                key="ranges_matrix",
                max_upload_size=20,
            )
        try:
            asked = parse(look(key) or _proposed(cells), cells)
            own = None if given is None else read_matrix(given.getvalue(), cells)
        except ValueError as error:
            widgets.state_box(widgets.escape(str(error)), height=100)
            return
        _errors(view, asked, own, slot)


def _errors(view: View, asked: list[tuple[int, int]], own: Strategy | None, slot: Any) -> None:
    """The typical error over the own ranges, strategy by strategy."""
    cells = view.cells
    strategies = {name: range_data.build(name, cells.h) for name in view.names}
    if own is not None:
        strategies["Own matrix"] = own
    rows = [
        (name, Workload(s.size, *zip(*asked, strict=True)).variance(s, view.epsilon) ** 0.5)
        for name, s in strategies.items()
    ]
    ranges_ = words.plural(len(asked), "range")
    with slot:
        widgets.as_table("own", pd.DataFrame(rows, columns=["strategy", "± people"]), "own-ranges")
    st.html(f'<div class="sub">Typical error over {ranges_}: {_listed(asked, cells)}. Exact, ± people.</div>')
    workload = Workload(cells.size, *zip(*asked, strict=True))
    bound = None
    if look(f"own_{view.key}_{asked}"):
        found, bound = range_tools.search(cells.size, workload, str(asked))
        rows.append(("Optimised", (2 * found) ** 0.5 / view.epsilon))
    rows.sort(key=lambda row: -row[1])
    body = "".join(
        f'<tr><td>{widgets.named(name)}</td><td class="num">±{words.decimals(error)}</td></tr>' for name, error in rows
    )
    if bound is not None:
        body += (
            '<tr><td class="quiet">no strategy is below</td>'
            f'<td class="num">±{words.decimals((2 * bound) ** 0.5 / view.epsilon)}</td></tr>'
        )
    st.html(f'<div class="effects"><table>{body}</table></div>')
    if bound is None and cells.h <= range_tools.DENSE:
        st.button(
            "Look for the best strategy for these ranges",
            type="tertiary",
            key="own_search",
            on_click=choose,
            args=(f"own_{view.key}_{asked}", True),
        )


def _proposed(cells: Cells) -> str:
    """Four equal parts."""
    ends = np.unique(np.linspace(0, cells.k, min(4, cells.k) + 1).astype(int))
    return "\n".join(f"{cells.firsts[a]} .. {cells.lasts[b - 1]}" for a, b in pairwise(ends))


def _listed(asked: list[tuple[int, int]], cells: Cells) -> str:
    shown = [f"“{widgets.escape(words.shorten(cells.name(*pair), 24))}”" for pair in asked[:4]]
    return words.listing(shown) + (f" and {len(asked) - 4} more" if len(asked) > 4 else "")


def parse(text: str, cells: Cells) -> list[tuple[int, int]]:
    """Lines of two ends → cells l, r (1-based, inclusive). ValueError with a sentence for a line that is no range."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise ValueError("No range is given: write one per line, such as “18 .. 25”.")
    if len(lines) > MOST:
        raise ValueError(f"{len(lines)} ranges are given; the page takes {MOST}.")
    found = []
    for line in lines:
        parts = re.split(r"\s*(?:\.\.|…|–| to )\s*", line)
        if len(parts) > 2:
            raise ValueError(
                f"“{line[:40]}” is no range: write two ends, such as “{cells.firsts[0]} .. {cells.lasts[-1]}”."
            )
        first, last = (_cell(end, cells, line) for end in (parts[0], parts[-1]))
        if first > last:
            raise ValueError(f"“{line[:40]}” ends before it begins: exchange its ends.")
        found.append((first, last))
    return found


def _cell(text: str, cells: Cells, line: str) -> int:
    if cells.low is None:
        if text not in cells.firsts:
            raise ValueError(f"“{text[:40]}” is no value of this column; it has {words.listing(cells.firsts[:4])} …")
        return cells.firsts.index(text) + 1
    plain = text.replace(words.THIN, "").replace(words.MINUS, "-").replace(",", "")
    try:
        return cells.cell(float(plain))
    except (ValueError, OverflowError):
        raise ValueError(f"“{line[:40]}” is no range of numbers: write two, such as “18 .. 25”.") from None


def read_matrix(content: bytes, cells: Cells) -> Matrix:
    """A CSV of numbers → a strategy. ValueError with a sentence where it is none for these cells."""
    try:
        array = pd.read_csv(BytesIO(content), header=None).to_numpy(float)
    except (ValueError, UnicodeDecodeError) as error:  # pandas' own errors are ValueErrors
        raise ValueError(f"The file is no matrix of numbers: {str(error).splitlines()[0]}.") from error
    if array.shape[1] not in (cells.k, cells.size):
        raise ValueError(
            f"The matrix has {array.shape[1]} columns; this histogram has {cells.k} cells ({cells.size} with padding). "
            "Give one column for each cell."
        )
    return Matrix(array)
