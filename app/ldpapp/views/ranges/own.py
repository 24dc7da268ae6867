"""Ranges of one's own: a list of the ranges that matter, and a strategy of one's own, beside the built-in ones."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from io import BytesIO

import pandas as pd
import streamlit as st

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.parts.panels import Box, Control, Html, Line, Menu, Panel, Part, Sheet
from ldpapp.state import controlled, view_options
from ldpapp.views.ranges import cached, sentences, sidebar
from ldpapp.views.ranges.cells import Cells
from ldpapp.views.ranges.sidebar import Range
from ldpapp.views.ranges.view import RangesView
from ldpapp.words.language import t
from ldpcore import ranges
from ldpcore.ranges import Matrix, Workload

MOST = 1000
_TO = re.compile(r"\.\.|…|–| to ")


def panel(view: RangesView) -> Panel:
    title = t("Ranges of your own")
    menus: list[Part] = [
        Menu(t("ranges"), partial(_list, view), "ranges_own_list", does=True),
        Menu(t("own matrix"), _upload, "ranges_own_matrix", does=True),
    ]
    given, wrong = view_options.look("ranges_matrix"), view_options.look(_wrong(view))
    try:
        if wrong is not None:
            parse(wrong, view.cells)
        matrix = None if given is None else read_matrix(given.getvalue(), view.cells)
    except ValueError as error:
        return Panel("own", title, [Box(widgets.escape(str(error)), height=100)], head=menus)
    return _errors(view, title, menus, matrix)


def _wrong(view: RangesView) -> str:
    """The session's key of a list that was typed and holds what is no range."""
    return f"ranges_wrong_{view.key}"


def _list(view: RangesView) -> None:
    controlled.bound(
        st.text_area,
        t("Ranges, one per line, as “from .. to”"),
        key=f"ranges_list_{view.key}",
        value=view_options.look(_wrong(view)) or written(view.listed, view.cells),
        change=partial(_typed, view),
        height=180,
        help=t("In the units of the column; a line with one value is that value alone."),
    )


def _typed(view: RangesView, text: str) -> None:
    """The Study asks what the list says; a list that says nonsense waits to be mended."""
    try:
        pairs = parse(text, view.cells) if text.strip() else []
    except ValueError:
        view_options.choose(_wrong(view), text)
        return
    view_options.choose(_wrong(view), None)
    sidebar.keep_list(view.cells, tuple(pairs))


def _upload() -> None:
    st.file_uploader(
        t("A strategy matrix (CSV of numbers, no header): a row for each measurement, a column for each cell"),
        type=["csv"],
        key="ranges_matrix",
        max_upload_size=20,
    )


def _errors(view: RangesView, title: str, menus: list[Part], matrix: Matrix | None) -> Panel:
    """The typical error over the own ranges, strategy by strategy."""
    cells = view.cells
    workload = Workload(cells.size, *zip(*view.listed, strict=True))
    rows = [(name, view.of(name).listed_error) for name in view.names]
    if matrix is not None:
        rows.append((t("Own matrix"), workload.variance(matrix, view.study.epsilon) ** 0.5))
    sheet = Sheet(pd.DataFrame(rows, columns=["strategy", "typical error, people"]), "own-ranges")
    asked = f"own_{view.key}_{view.listed}"
    parts: list[Part] = [Line(sentences.listed(view))]
    if view_options.look(asked):
        error, bound = search(cells.size, workload, str(view.listed), view.study.epsilon)
        parts.append(table([*rows, (t("Optimised"), error)], bound))
    else:
        parts.append(table(rows))
        if cells.h <= DENSE:
            parts.append(Control(partial(_search, asked)))
    return Panel("own", title, parts, head=[*menus, sheet])


def _search(asked: str) -> None:
    label = t("Look for the best strategy for these ranges")
    st.button(label, type="tertiary", key="own_search", on_click=view_options.choose, args=(asked, True))


# what is typed -----------------------------------------------------------------------------------------------------


def written(pairs: tuple[Range, ...], cells: Cells) -> str:
    """Ranges as a person types them."""
    ends = ((cells.firsts[first - 1], cells.lasts[last - 1]) for first, last in pairs)
    return "\n".join(first if first == last else f"{first} .. {last}" for first, last in ends)


def parse(text: str, cells: Cells) -> list[Range]:
    """Lines of two ends → cells l, r (1-based, inclusive). ValueError with a sentence for a line that is no range."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise ValueError(t("No range is given: write one per line, such as “18 .. 25”."))
    if len(lines) > MOST:
        raise ValueError(t("{n} ranges are given; the page takes {most}.", n=len(lines), most=MOST))
    return [_range(line, cells) for line in lines]


def _range(line: str, cells: Cells) -> Range:
    ways = list(_splits(line))
    # A value may hold what also stands between two ends: the way of reading it that gives two values is meant.
    known = [(cells.named(a), cells.named(b, last=a != b)) for a, b in ways]
    for first, last in known:
        if first is not None and last is not None:
            if first > last:
                raise ValueError(t("“{line}” ends before it begins: exchange its ends.", line=line[:40]))
            return first, last
    if len(ways) > 2:
        raise ValueError(
            t(
                "“{line}” is no range: write two ends, such as “{first} .. {last}”.",
                line=line[:40],
                first=cells.firsts[0],
                last=cells.lasts[-1],
            )
        )
    if cells.low is not None:
        raise ValueError(t("“{line}” is no range of numbers: write two, such as “18 .. 25”.", line=line[:40]))
    ends = ways[-1]
    odd = next(end for end in ends if cells.named(end) is None)
    raise ValueError(
        t(
            "“{value}” is no value of this column; it has {values} …",
            value=odd[:40],
            values=words.listing(cells.firsts[:4]),
        )
    )


def _splits(line: str) -> Iterator[tuple[str, str]]:
    """The line as one value, and cut at everything that can stand between two ends."""
    yield line, line
    for cut in _TO.finditer(line):
        yield line[: cut.start()].strip(), line[cut.end() :].strip()


def read_matrix(content: bytes, cells: Cells) -> Matrix:
    """A CSV of numbers → a strategy. ValueError with a sentence where it is none for these cells."""
    try:
        array = pd.read_csv(BytesIO(content), header=None).to_numpy(float)
    except (ValueError, UnicodeDecodeError) as error:  # pandas' own errors are ValueErrors
        text = t("The file is no matrix of numbers: {why}.", why=str(error).splitlines()[0])
        raise ValueError(text) from error
    if array.shape[1] not in (cells.k, cells.size):
        raise ValueError(
            t(
                "The matrix has {columns} columns; this histogram has {k} cells ({n} with padding). Give one column "
                "for each cell.",
                columns=array.shape[1],
                k=cells.k,
                n=cells.size,
            )
        )
    return Matrix(array)


# the best strategy there is ------------------------------------------------------------------------------------------


DENSE = 8
"""The largest h at which the best possible strategy is looked for: each doubling takes several times as long."""


def search(size: int, workload: ranges.Workload | None, key: str, epsilon: float) -> tuple[float, float]:
    """The typical error, in people, of the best strategy found by descent, and the least possible; with progress. A new
    input stops it.

    `key` names the workload.
    """
    if not cached.searched(size, key):
        bar = st.progress(0.0, t("Searching"))
        cached.search(
            size,
            key,
            workload,
            lambda done, total: bar.progress(min(done / total, 1.0), t("Step {number}", number=words.count(done))),
        )
        bar.empty()
    error, bound = ((2 * cost) ** 0.5 / epsilon for cost in cached.search(size, key, workload))
    return error, bound


def table(rows: Sequence[tuple[str, float]], bound: float | None = None) -> Html:
    """Strategies with their typical errors, the largest first, and the bound below all of them."""
    ordered = [(widgets.named(name), error, "") for name, error in sorted(rows, key=lambda row: -row[1])]
    if bound is not None:
        ordered.append((t("no strategy is below"), bound, ' class="quiet"'))
    body = "".join(
        f'<tr><td{quiet}>{who}</td><td class="num">{words.decimals(error)}</td></tr>' for who, error, quiet in ordered
    )
    return Html(f'<div class="effects"><table>{body}</table></div>')
