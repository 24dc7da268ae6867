"""Lines of a table that are no people: sums and means that a sheet ends with, notes, names again, a second table."""

import re
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ldpcore.data import columns, dates, numbers, totals
from ldpcore.data.assumptions import Assumption, AssumptionKind, assumed
from ldpcore.data.delimited import Raw
from ldpcore.data.errors import plural
from ldpcore.data.options import ReadOptions

_STATISTICS = re.compile(
    r"(the )?(grand |overall )?(mean|average|avg\.?|median|std\.?|std\.? ?dev\.?|s\.?d\.?|stdev|standard deviation|"
    r"min\.?|minimum|max\.?|maximum|variance|count|n|totals?|sum|mittelwert|durchschnitt|mittel|stabw\.?|"
    r"standardabweichung|anzahl|summe|gesamt|moyenne|médiane|écart[- ]type|effectif|total général|somme|media|promedio|"
    r"mediana|desviación( estándar)?|desv\.?|suma|média|desvio( padrão)?|soma|totale|somma|gemiddelde|totaal|"
    r"średnia|mediana|medel|medelvärde|gjennomsnitt|gennemsnit|keskiarvo|ortalama|průměr|átlag|medie|"
    r"平均|平均值|合计|总计|合計|中央値|평균|среднее|медиана|итого|всего)\s*[:=]?",
    re.IGNORECASE,
)
_NOTE = re.compile(
    r"\s*([nN] ?= ?\d|\*|†|‡|§|#|¹|\(?[1a]\)|note|notes|source|sources|data|generated|exported|copyright|©|quelle|"
    r"anmerkung|hinweis|"
    r"stand:|remarque|exporté|fuente|nota|notas|fonte|bron|noot|注|资料来源|数据来源|出典|источник|примечание)",
    re.IGNORECASE,
)
_LOOK = 30
"""Rows at the end that are looked at."""
_WORDS = 12
"""Letters of a note that no word betrays."""


def without(raw: Raw, options: ReadOptions, behind: int = 0) -> Raw:
    """The table without these lines; each kind of them said. behind: rows that follow the last empty line."""
    if options.lines == "keep" or not raw.columns:
        return raw
    raw = _without_names(raw, options)
    raw = _without_second_table(raw, options, behind)
    raw = _without_notes(raw, options)
    summed = totals.without(raw)
    if summed is not raw:
        sentence, summed = summed.notes[-1], replace(summed, notes=summed.notes[:-1])
        summed.assumptions.append(_left_out(sentence, "a sum is no person", options))
    return _without_statistics(summed, options)


def _left_out(sentence: str, taken: str, options: ReadOptions) -> Assumption:
    return assumed(AssumptionKind.LINES, None, sentence, taken, options,
                   ("every line is a person", {"lines": "keep"}), asks=False)  # fmt: skip


def _texts(cells: pa.ChunkedArray) -> pa.Array:
    return pc.utf8_trim_whitespace(columns.one_chunk(cells).cast(pa.string()).fill_null(""))


def _without_names(raw: Raw, options: ReadOptions) -> Raw:
    """Rows that hold the names once more, as files that were put together have them."""
    rows = np.arange(len(raw.columns[0]))
    for name, cells in zip(raw.names, raw.columns, strict=True):
        if not (pa.types.is_string(cells.type) or pa.types.is_large_string(cells.type)):
            return raw
        part = cells if len(rows) == len(cells) else cells.take(pa.array(rows))
        there = pc.equal(part, name).fill_null(False)
        rows = rows[columns.one_chunk(there).to_numpy(zero_copy_only=False)]
        if not len(rows):
            return raw
    if len(raw.names) == 1 and len(rows) > 3 * np.sqrt(len(raw.columns[0])):
        return raw  # an answer that happens to be called as its question
    sentence = f"Left out: {plural(len(rows), 'line')} that hold the names of the columns once more."
    return _less(raw, rows, _left_out(sentence.replace("1 line that hold", "1 line that holds"),
                                      "names are no person", options))  # fmt: skip


def _less(raw: Raw, rows: NDArray[np.integer], said: Assumption) -> Raw:
    keep = np.ones(len(raw.columns[0]), bool)
    keep[rows] = False
    mask = pa.array(keep)
    raw.assumptions.append(said)
    return replace(raw, columns=[cells.filter(mask) for cells in raw.columns])


def _ends(raw: Raw) -> tuple[int, list[list[str]]]:
    """The last rows as text, from this one on."""
    first = max(0, len(raw.columns[0]) - _LOOK)
    last = [_texts(cells.slice(first)).to_pylist() for cells in raw.columns]
    return first, [list(row) for row in zip(*last, strict=True)]


def _without_second_table(raw: Raw, options: ReadOptions, behind: int) -> Raw:
    """What follows an empty line, with names of its own: none of its first cells stands above, nor is a number."""
    total = len(raw.columns[0])
    if not 2 <= behind <= min(_LOOK, total // 3) or len(raw.names) < 2:
        return raw
    first, rows = _ends(raw)
    names = rows[total - behind - first]
    named = [(cells, name) for cells, name in zip(raw.columns, names, strict=True) if name]
    if len(named) < 2 or any(name.replace(".", "").isdecimal() for _, name in named):
        return raw
    if any(pc.any(pc.equal(_texts(cells.slice(0, total - behind)), name)).as_py() for cells, name in named):
        return raw
    shown = ", ".join(f"“{name}”" for _, name in named)
    sentence = f"Left out: {behind} lines at the end, behind an empty one, which are another table ({shown})."
    return _less(raw, np.arange(total - behind, total), _left_out(sentence, "another table is no people", options))


def _without_notes(raw: Raw, options: ReadOptions) -> Raw:
    """Lines at the end with a text in their first cell alone, where the rows above have answers in others."""
    if len(raw.names) < 2:
        return raw
    first, rows = _ends(raw)
    gone: list[int] = []
    shown: list[str] = []
    for at in range(len(rows) - 1, -1, -1):
        filled = [place for place, cell in enumerate(rows[at]) if cell]
        if not filled:
            continue
        text = rows[at][filled[0]]
        if len(filled) > 1 or not _is_note(text, raw.columns[filled[0]].slice(0, first + at)):
            break
        gone.append(first + at)
        shown.append(text)
    above = rows[: gone[-1] - first] if gone else []
    alone = sum(sum(map(bool, row)) == 1 for row in above)
    if not gone or len(gone) > _LOOK // 2 or alone > 0.2 * len(above) or (not above and first == 0):
        return raw
    text = shown[-1] if len(shown[-1]) <= 60 else shown[-1][:59] + "…"
    more = " and more" if len(shown) > 1 else ""
    sentence = f"Left out: {plural(len(gone), 'line')} at the end with a text alone: “{text}”{more}."
    return _less(raw, np.array(gone), _left_out(sentence, "notes are no people", options))


def _is_note(text: str, above: pa.ChunkedArray) -> bool:
    """Words that a note has, or so many, and no answer: no number, no day, nor what somebody else answered."""
    if not (_NOTE.match(text) or len(text) > _WORDS) or dates.is_date(text):
        return False
    is_number = numbers.parse(pa.array([text]), np.ones(1, np.int64)) is not None
    return not is_number and not pc.any(pc.equal(_texts(above), text)).as_py()


def _without_statistics(raw: Raw, options: ReadOptions) -> Raw:
    """Means, deviations and the like below the rows, called so and near to what these rows have."""
    if len(raw.names) < 2 or len(raw.columns[0]) < 6:
        return raw
    first, rows = _ends(raw)
    gone: list[int] = []
    for at in range(len(rows) - 1, -1, -1):
        filled = [cell for cell in rows[at] if cell]
        if not filled:
            continue
        if not (_STATISTICS.fullmatch(filled[0]) or totals.is_called(filled[0])) or len(filled) < 2:
            break
        gone.append(at)
    if all(totals.is_called(next(filter(None, rows[at]))) for at in gone):
        return _other_sum(raw, first, rows, gone, options)
    if gone[-1] == 0 or not _agree(raw, first + gone[-1], [rows[at] for at in gone]):
        return raw
    called = [next(filter(None, rows[at])) for at in reversed(gone)]
    sentence = f"Left out: {plural(len(gone), 'line')} at the end that sum up the others: “{'”, “'.join(called)}”."
    return _less(raw, first + np.array(gone), _left_out(sentence, "statistics are no people", options))


def _other_sum(raw: Raw, first: int, rows: list[list[str]], gone: list[int], options: ReadOptions) -> Raw:
    """A last row that is called a sum, as nothing above it is, and is none of these rows: asked."""
    if len(gone) != 1:
        return raw
    called = next(filter(None, rows[gone[0]]))
    place = rows[gone[0]].index(called)
    if any(map(totals.is_called, _texts(raw.columns[place].slice(0, first + gone[0])).to_pylist())):
        return raw
    if options.lines == "drop":
        sentence = f"Left out: the last row, “{called}”, which is no sum of the rows above it."
        return _less(raw, first + np.array(gone), _left_out(sentence, "it is no person", options))
    sentence = f"The last row is called “{called}”, and holds no sum of the rows above it: it is read as a person."
    dropped = ("it is no person", {"lines": "drop"})
    raw.assumptions.append(assumed(AssumptionKind.LINES, None, sentence, "it is a person", options, dropped))
    return raw


def _agree(raw: Raw, above: int, rows: list[list[str]]) -> bool:
    """Is a number of these rows the mean, median, least, largest, number, sum or deviation of those above it?"""
    for place, cells in enumerate(raw.columns):
        texts = _texts(cells.slice(0, above))
        present = texts.filter(pc.invert(pc.is_in(texts, value_set=pa.array(columns.MISSING_MARKS))))
        parsed = numbers.parse(present, np.ones(len(present), np.int64), numbers.Reading(raw.decimal))
        if parsed is None:
            continue
        sizes = parsed.values[parsed.is_number]
        known = np.array([sizes.mean(), np.median(sizes), sizes.min(), sizes.max(), len(sizes), sizes.std()])
        for row in rows:
            try:
                value = float(row[place].replace(",", ".") if raw.decimal == "," else row[place])
            except ValueError:
                continue
            if np.any(np.abs(known - value) <= 0.02 * np.abs(known) + 1e-9):
                return True
    return False
