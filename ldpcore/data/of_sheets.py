"""What a sheet shows otherwise than its cells: other sheets, hidden rows, merged cells, and dates that were none."""

import datetime

from ldpcore.data.assumptions import Assumption, AssumptionKind, assumed
from ldpcore.data.errors import plural
from ldpcore.data.options import ReadOptions
from ldpcore.data.workbook import Workbook
from ldpcore.data.worksheet import Worksheet

_OFFERED = 6
_FEW = 20
"""Answers that a column has at most in which dates are steps that a spreadsheet took for such."""


def assumptions(
    title: str, sheets: list[str], book: Workbook, sheet: Worksheet, options: ReadOptions
) -> list[Assumption]:
    """Which sheet was read, what of it is hidden, and what merged cells stand for."""
    sentences: list[str] = []
    others: list[tuple[str, dict]] = []
    rest = [other for other in sheets if other != title]
    if rest and options.sheet is None:
        sentences.append(f"Read from the sheet “{title}”; the others are {', '.join(rest)}.")
        others += [(f"the sheet “{other}”" + (", which is hidden" if other in book.hidden else ""), {"sheet": other})
                   for other in rest[:_OFFERED]]  # fmt: skip
    if sheet.hidden:
        are = "is hidden in the sheet and" if sheet.hidden == 1 else "are hidden in the sheet and"
        skip = options.hidden == "skip"
        sentences.append(f"{plural(sheet.hidden, 'row')} {are} {'left out' if skip else 'read all the same'}.")
        others.append(
            ("hidden rows are read", {"hidden": "read"}) if skip else ("without hidden rows", {"hidden": "skip"})
        )
    if sheet.merged and options.merged != "empty":
        rows = sum(last - first for _, first, last in sheet.merged)
        stand = "stand" if len(sheet.merged) > 1 else "stands"
        cells = plural(len(sheet.merged), "merged cell")
        sentences.append(f"{cells} {stand} for {plural(rows, 'more row')}: filled down.")
        others.append(("a merged cell stands in its first row alone", {"merged": "empty"}))
    if not sentences:
        return []
    asks = bool(sheet.hidden or sheet.merged)
    return [
        assumed(AssumptionKind.SHEET, None, " ".join(sentences), f"the sheet “{title}”", options, *others, asks=asks)
    ]


def people(rows: list[list[object]], sheet: Worksheet, options: ReadOptions) -> list[list[object]]:
    """The rows with merged cells filled down, and without hidden ones where these are not wanted."""
    top, left = sheet.first
    if options.merged != "empty":
        for column, first, last in sheet.merged:
            at, place = first - top, column - left
            if 0 <= at < len(rows) and 0 <= place < len(rows[at]):
                for row in rows[at + 1 : last - top + 1]:
                    if row[place] == "":
                        row[place] = rows[at][place]
    if options.hidden == "skip":
        rows = [row for i, row in enumerate(rows) if i + top not in sheet.hidden_rows]
    return rows


def dates_among(column: str, values: list[object], options: ReadOptions) -> list[Assumption]:
    """Dates among answers that are none: a spreadsheet makes the 4th of May of "4-5"."""
    if not any(issubclass(kind, datetime.date) for kind in set(map(type, values))):
        return []
    days = {value for value in values if isinstance(value, datetime.date)}
    texts = {value for value in values if value != "" and not isinstance(value, datetime.date)}
    if not days or not texts or len(days) + len(texts) > _FEW or options.of(column).recode:
        return []
    rows = sum(isinstance(value, datetime.date) for value in values)
    written = {value.isoformat()[:10]: value for value in sorted(days, key=str) if isinstance(value, datetime.date)}
    day = {text: f"{value.day}-{value.month}" for text, value in written.items()}
    month = {text: f"{value.month}-{value.day}" for text, value in written.items()}
    first = next(iter(written))
    beside = ", ".join(f"“{text}”" for text in sorted(map(str, texts))[:3])
    return [assumed(
        AssumptionKind.DATES, column,
        f"“{column}” holds dates in {plural(rows, 'row')}, such as {first}, beside {beside}: a spreadsheet makes them "
        f"of “{month[first]}”.",
        "they are dates", options,
        own=((f"{first} is “{month[first]}”", {"recode": tuple(month.items())}),
             (f"{first} is “{day[first]}”", {"recode": tuple(day.items())})),
    )]  # fmt: skip
