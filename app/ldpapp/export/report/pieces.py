"""Pieces of a page as markup: figures, words, tables."""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from plotly.graph_objects import Figure

from ldpapp import words
from ldpapp.export import svg
from ldpapp.export.report.variant import on_white
from ldpapp.parts import widgets
from ldpapp.runtime.capture import PanelTable, Picture, Piece, Section, Words
from ldpapp.words.language import t

WIDTH = 660
"""px of a figure: an A4 page between its margins."""
MOST, NARROW, WIDE = 160, 4, 9
"""Rows of a table on paper; the page's CSV has all. Columns of one that two of fit side by side; the most that fit on a
sheet: one that is too wide is printed smaller, and all of the paper with it.
"""
_LINKS = re.compile(r"</?a\b[^>]*>")
_TERMS = re.compile(r"</?dfn\b[^>]*>")
_HEADS = re.compile(r"<th(?=[ >])")
_FOCUS = re.compile(r' (?:tabindex|role|aria-level|onclick|target)="[^"]*"')


def markup(said: str) -> str:
    """A page's markup on paper: nothing to press, no links to other pages, heads that say what they are of."""
    plain = _FOCUS.sub("", _LINKS.sub("", _TERMS.sub("", said))).replace("<th></th>", "<td></td>")
    return on_white(_HEADS.sub('<th scope="col"', plain))


class Pieces:
    """The sections of one report; tables are gathered for its end."""

    def __init__(self, dark: bool) -> None:
        self.dark = dark
        self.tables: list[str] = []
        self.pictures = 0

    def body(self, sections: Iterator[Section]) -> str:
        """Sections as they stand on the page; those whose figure stands below several share it."""
        out, level = [], 2
        for group in _together(sections):
            if group[0].fold:
                quiet = "".join(f"<p class='sub'>{markup(p.html)}</p>" for p in _opening(group[0]))
                out.append(f"<h2>{markup(group[0].title)}</h2>{quiet}")
                level = 3
            else:
                out.append(self._section(group, level))
        return "".join(out)

    def _section(self, group: Sequence[Section], level: int) -> str:
        heads = "".join(f"<div>{self._head(section, level)}</div>" for section in group if section.title)
        drawn = [piece for section in group for piece in section.pieces if not _quiet(piece)]
        sheets = [piece for section in group for piece in section.pieces if isinstance(piece, PanelTable)]
        pictures = [piece for piece in drawn if isinstance(piece, Picture)]
        if pictures and not sheets:
            sheets = [PanelTable(rows) for piece in pictures if len(rows := numbers(piece.figure))]
        titles = words.listing(_plain(section.title) for section in group if section.title)
        links = " · ".join(self._table(sheet, titles) for sheet in sheets if len(sheet.rows))
        quiet = " ".join(_plain(lead.html) for lead in _opening(group[-1])[:1])
        first = "".join(self._piece(piece, quiet) for piece in drawn[:1])  # stays with its heading
        rest = "".join(self._piece(piece, quiet) for piece in drawn[1:])
        foot = f'<p class="sub">{links}</p>' if links else ""
        top = f'<div class="keep"><div class="heads">{heads}</div>{first}</div>'
        return f"<section>{top}{rest}{foot}</section>"

    def _head(self, section: Section, level: int) -> str:
        chosen = " · ".join(p.html for p in section.pieces if isinstance(p, Words) and p.look == "chosen")
        quiet = "".join(f"<p class='sub'>{markup(p.html)}</p>" for p in _opening(section))
        shown = f' <span class="chosen">{markup(chosen)}</span>' if chosen else ""
        return f"<h{level}>{markup(section.title)}{shown}</h{level}>{quiet}"

    def _piece(self, piece: Piece, quiet: str) -> str:
        if isinstance(piece, Words):
            return f'<div class="{piece.look}">{markup(piece.html)}</div>'
        if isinstance(piece, PanelTable):  # which stand at the end
            return ""
        self.pictures += 1
        drawn = svg.render(self._light(piece.figure), WIDTH, f"f{self.pictures}", _plain(piece.alt))
        caption = _plain(piece.alt).replace(quiet, "").strip(" :")  # what stands above the figure already
        below = f"<figcaption>{widgets.escape(caption)}</figcaption>" if caption else ""
        return f"<figure>{drawn}{below}</figure>"

    def _light(self, figure: Figure) -> Figure:
        if not self.dark:
            return figure
        return Figure(_recolored(figure.to_plotly_json()), _validate=False)

    def _table(self, sheet: PanelTable, title: str) -> str:
        """Keeps the table for the end; the link to it."""
        number = len(self.tables) + 1
        name = t("Table {n}: {title}", n=number, title=title)
        self.tables.append(table(sheet.rows, f"t{number}", f"{name} ({sheet.label})" if sheet.label else name))
        return f'<a href="#t{number}">{t("Table {n}", n=number)}</a>'


def _recolored(part: Any) -> Any:
    """Strings that are colours, in the light scheme."""
    if isinstance(part, Mapping):
        return {key: part[key] if key == "bdata" else _recolored(part[key]) for key in part}
    if isinstance(part, (list, tuple)):
        return [_recolored(each) for each in part]
    if isinstance(part, np.ndarray) and part.dtype == object:
        return [_recolored(each) for each in part]
    return on_white(part) if isinstance(part, str) else part


def _plain(said: str) -> str:
    """Markup as one reads it."""
    return re.sub(r"<[^>]*>", "", said).replace("&nbsp;", " ").replace("&amp;", "&").strip()


def _quiet(piece: Any) -> bool:
    return isinstance(piece, PanelTable) or (isinstance(piece, Words) and piece.look in ("sub", "chosen"))


def _opening(section: Section) -> list[Words]:
    """The quiet lines of a panel: what is drawn, and what it leaves out."""
    return [piece for piece in section.pieces if isinstance(piece, Words) and piece.look == "sub"]


def _together(sections: Iterator[Section]) -> Iterator[list[Section]]:
    """Panels that are heads of one figure, with it; folds alone. A fold or panel without anything is left out."""
    waiting: list[Section] = []
    fold: Section | None = None
    for section in sections:
        if section.fold:
            if waiting:
                yield waiting
            waiting, fold = [], section
            continue
        if not section.pieces:
            continue
        if fold is not None:
            yield [fold]
            fold = None
        waiting.append(section)
        if any(not _quiet(piece) for piece in section.pieces):
            yield waiting
            waiting = []
    if waiting:
        yield waiting


# tables ---------------------------------------------------------------------------------------------------------------


def table(rows: pd.DataFrame, key: str, caption: str) -> str:
    """The first rows, and how many more there are; what is too wide for a sheet turned, or in several tables."""
    rows = rows.dropna(axis="columns", how="all")
    if len(rows.columns) > WIDE and len(rows) < WIDE:
        rows = rows.set_index(rows.columns[0]).T.rename_axis(rows.columns[0]).reset_index()
    rest = range(WIDE, len(rows.columns), WIDE - 1)
    parts = [rows.iloc[:, :WIDE], *(rows.iloc[:, [0, *range(at, min(at + WIDE - 1, rows.shape[1]))]] for at in rest)]
    return "".join(_table(part, f"{key}-{place}" if place else key, caption) for place, part in enumerate(parts))


def _table(rows: pd.DataFrame, key: str, caption: str) -> str:
    head = "".join(f'<th scope="col">{widgets.escape(name)}</th>' for name in rows.columns)
    body = "".join(
        f"<tr>{''.join(f'<td>{widgets.escape(_written(value))}</td>' for value in row)}</tr>"
        for row in rows.head(MOST).itertuples(index=False)
    )
    more = len(rows) - MOST
    rest = t("{n} more rows: the page has all of them as CSV.", n=words.count(more)) if more > 0 else ""
    foot = f'<p class="sub">{rest}</p>' if rest else ""
    look = "numbers narrow" if len(rows) > 12 and len(rows.columns) <= NARROW else "numbers"
    return (
        f'<div class="{look}"><table id="{key}"><caption>{widgets.escape(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{foot}</div>"
    )


def _written(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return t("yes") if value else t("no")
    if isinstance(value, (float, np.floating)):
        if np.isnan(value):
            return ""
        return (words.count(float(value)) if 1e4 <= abs(value) < 1e9 else f"{value:.4g}").replace("-", words.MINUS)
    if isinstance(value, tuple):
        return words.listing(map(str, value))
    return "" if value is None or value is pd.NA else str(value)


def numbers(figure: Figure) -> pd.DataFrame:
    """What a figure without a table of its own shows: the points of all that answers to the mouse."""
    rows = []
    for trace in svg.traces(figure):
        x, y = trace.get("x"), trace.get("y")
        if trace["type"] == "heatmap" or trace.get("hoverinfo") == "skip" or x is None or y is None:
            continue
        points = ((trace.get("name", ""), a, b) for a, b in zip(x, y, strict=True))
        rows += itertools.islice(points, MOST + 1)
    return pd.DataFrame(rows, columns=[t("what"), "x", "y"])
