"""Files of SPSS, Stata and SAS, by pyreadstat, which the extra "survey" brings; from memory, nothing is written."""

import importlib
import importlib.util
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ldpcore import checks
from ldpcore.data import cells, extent, recognise
from ldpcore.data.columns import MAX_VALUES
from ldpcore.data.delimited import Raw
from ldpcore.data.errors import DataError, plural
from ldpcore.data.foreign import bounded
from ldpcore.data.text import too_large, unpack

KINDS = {
    "sav": ("an SPSS file", "In SPSS: File, Export, CSV, with value labels."),
    "dta": ("a Stata file", "In Stata: export delimited."),
    "sas7bdat": ("a SAS file", "In SAS: proc export, dbms=csv."),
    "xport": ("a SAS transport file", "In SAS: proc export, dbms=csv."),
}
"""What can be read, by pyreadstat's names; what it is, and how it is saved as CSV."""
COMMAND = 'pip install "ldpcore[survey]"'
_SAS, _CATALOG = (bytes(12) + begins for begins in (b"\xc2\xea\x81\x60", b"\xc2\xea\x81\x63"))
_BEGINS = (
    (b"$FL2", "sav"), (b"$FL3", "sav"), (b"<stata_dta>", "dta"), (_SAS, "sas7bdat"),
    (b"HEADER RECORD*******LIB", "xport"),
)  # fmt: skip
_OLD_STATA = range(102, 116)
_MOST = 1_000_000_000
"""Bytes of a file whose labels are looked up: as many as one on one's own machine may have."""
_LARGER = 4
"""Times that a table takes more memory than the file says that its cells have."""


def kind_of(content: bytes, name: str) -> str | None:
    """Which of KINDS these bytes are, by how they begin."""
    if is_catalog(content):
        raise DataError(f"“{name}” has labels, and no answers.", "Choose it together with its .sas7bdat.")
    for begins, kind in _BEGINS:
        if content.startswith(begins):
            return kind
    old = name.lower().removesuffix(".gz").endswith(".dta") and len(content) > 100 and content[0] in _OLD_STATA
    return "dta" if old and content[1] in (1, 2) else None


def read(content: bytes, name: str, kind: str, limit: int) -> Raw:
    """Labels for codes, in the order of the codes; what the file says is no answer as missing; questions' texts; and
    sets of answers that belong together as sets. DataError: pyreadstat is not there, damaged, too large.
    """
    what, instead = KINDS[kind]
    reader = getattr(_pyreadstat(name, what, instead), f"read_{kind}")
    missing: dict[str, Any] = {} if kind == "xport" else {"user_missing": True}
    with bounded(name, what):
        _, about = reader(io.BytesIO(content), metadataonly=True)
        _check(about, name, limit)
        columns, about = reader(
            io.BytesIO(content), output_format="dict", row_limit=extent.max_rows(limit) + 1, **missing
        )
    return _raw(columns, about, name, kind, limit)


def is_catalog(content: bytes) -> bool:
    """Whether these bytes are a catalogue of SAS (.sas7bcat), which has the labels of codes in data beside it."""
    return content.startswith(_CATALOG)


def catalog_labels(content: bytes, catalog: bytes, name: str) -> dict[str, dict[str, str]]:
    """Labels of codes, column → code → label, for a SAS file (also packed with gzip) from the catalogue beside it: as
    `Table.with_labels` wants them. DataError: pyreadstat is not there; no SAS file; damaged; no label fits a column.
    """
    content = unpack(content, name, _MOST)
    if kind_of(content, name) != "sas7bdat":
        raise DataError(f"“{name}” is no SAS file.", "A .sas7bcat has labels for the .sas7bdat that it came with.")
    pyreadstat = _pyreadstat(name, KINDS["sas7bdat"][0], KINDS["sas7bdat"][1])
    with bounded(name, "a SAS file with its catalogue"):
        _, about = pyreadstat.read_sas7bdat(io.BytesIO(content), metadataonly=True)
        _, formats = pyreadstat.read_sas7bcat(io.BytesIO(catalog))
    names, _ = recognise.tidy_names(list(about.column_names))
    out = {}
    for given, column in zip(about.column_names, names, strict=True):
        labels = formats.value_labels.get(about.variable_to_label.get(given), {})
        if labels:
            out[column] = {_written(code): str(text) for code, text in labels.items()}
    if not out:
        raise DataError(f"The catalogue has no labels for “{name}”.", "Choose the .sas7bcat that came with it.")
    return out


def _pyreadstat(name: str, what: str, instead: str) -> Any:
    """The package. DataError: it is not there."""
    if importlib.util.find_spec("pyreadstat") is None:
        raise DataError(
            f"“{name}” is {what}.", f"To read it, one more package is needed: {COMMAND}. Or save it as CSV. {instead}"
        )
    return importlib.import_module("pyreadstat")


def _check(about: Any, name: str, limit: int) -> None:
    """DataError for more than fits into memory, before it is read. Some files do not say how many rows they have."""
    extent.check_columns(about.number_columns or 0, name)
    rows = max(about.number_rows or 0, 0)
    extent.check_cells(rows, rows * (about.number_columns or 0), name, limit)
    widths = sum(min(max(width or 0, 1), 1 << 20) for width in about.variable_storage_width.values())
    if rows * widths > _LARGER * limit:
        raise too_large(name, f"holds {rows * widths / 1e6:,.0f} MB of cells", limit)


def _raw(columns: Mapping[str, Sequence], about: Any, name: str, kind: str, limit: int) -> Raw:
    rows = len(next(iter(columns.values()), ()))
    if not rows:
        raise DataError(f"“{name}” has names but no rows.", "Choose a file with answers.")
    extent.check_cells(rows, rows * len(columns), name, limit)
    names, notes = recognise.tidy_names(list(columns))
    raw = Raw(names, [], notes, {})
    absent: list[str] = []
    for given, column in zip(columns, names, strict=True):
        labels = {_plain(code): str(text) for code, text in about.variable_value_labels.get(given, {}).items()}
        cells_, left_out = _answers(columns[given], labels, _ranges(about, given), column, raw.orders)
        raw.columns.append(cells_)
        absent += [f"“{text}” of {column} {plural(n, 'time')}" for text, n in left_out.items()]
        if text := (about.column_names_to_labels.get(given) or "").strip():
            raw.texts[column] = text
    if absent:
        more = f" and {len(absent) - 6} more" if len(absent) > 6 else ""
        raw.notes.append(f"Read as missing, as the file says: {', '.join(absent[:6])}{more}.")
    if kind == "sas7bdat" and not any(about.variable_value_labels.values()):
        raw.notes.append(
            "The file has codes without labels: SAS keeps them in a .sas7bcat beside it: choose both together."
        )
    _with_sets(raw, about, dict(zip(columns, names, strict=True)))
    return raw


def _ranges(about: Any, given: str) -> list[tuple[Any, Any]]:
    """From and to, of what the file says is no answer: numbers, or texts such as Stata's "a" for .a."""
    ranges = [(each["lo"], each["hi"]) for each in about.missing_ranges.get(given, [])]
    return ranges + [(value, value) for value in about.missing_user_values.get(given, [])]


def _answers(
    values: Sequence, labels: Mapping[Any, str], ranges: list[tuple[Any, Any]], column: str,
    orders: dict[str, tuple[str, ...]],
) -> tuple[pa.ChunkedArray, dict[str, int]]:  # fmt: skip
    """The answers of a column, and what was left out of them with its rows."""
    array = np.asarray(values)
    if array.dtype.kind in "iuf":
        present = ~np.isnan(array) if array.dtype.kind == "f" else np.ones(len(array), bool)
        gone = np.zeros(len(array), bool)
        for low, high in ranges:
            if isinstance(low, int | float) and isinstance(high, int | float):
                gone |= present & (array >= low) & (array <= high)
        codes, _place, _rows = np.unique(array[present & gone], return_inverse=False, return_counts=True), None, None
        left_out = {labels.get(_plain(code), f"{code:.12g}"): int(n) for code, n in zip(*codes, strict=True)}
        return _of_numbers(array, present & ~gone, labels, column, orders), left_out
    special = {low for low, _ in ranges if isinstance(low, str)}
    absent: dict[str, int] = {}
    texts: list[str | None] = []
    for value in array.tolist():
        if value is None or value != value or value in special:
            text = None if value not in special else labels.get(value, f".{value}")
            if text is not None:
                absent[text] = absent.get(text, 0) + 1
            texts.append(None)
        else:
            texts.append(labels.get(_plain(value), _written(value)))
    if texts and all(text is None or checks.is_number(text) for text in texts) and not labels:
        numbers = [None if text is None else float(text) for text in texts]
        return pa.chunked_array([pa.array(numbers, pa.float64())]), absent
    return pa.chunked_array([pa.array(texts, pa.string())]), absent


def _of_numbers(
    array: NDArray, present: NDArray[np.bool_], labels: Mapping[Any, str], column: str,
    orders: dict[str, tuple[str, ...]],
) -> pa.ChunkedArray:  # fmt: skip
    """Codes as their labels where those that occur have one; else numbers, of which the ends of a scale may have."""
    codes, place = np.unique(array[present], return_inverse=True)
    named = [labels.get(_plain(code)) for code in codes]
    if not any(named) or len(codes) > MAX_VALUES or sum(map(bool, named)) < 0.75 * len(codes):
        return pa.chunked_array([pa.array(np.where(present, array, np.nan), pa.float64(), from_pandas=True)])
    texts = [text if text else f"{code:.12g}" for text, code in zip(named, codes, strict=True)]
    texts = [
        text if texts.count(text) == 1 else f"{text} ({code:.12g})" for text, code in zip(texts, codes, strict=True)
    ]
    indices = np.full(len(array), -1, np.int32)
    indices[present] = place
    orders[column] = tuple(texts)
    coded = pa.array(indices, mask=indices < 0)
    return pa.chunked_array([pa.DictionaryArray.from_arrays(coded, pa.array(texts, pa.string())).dictionary_decode()])


def _with_sets(raw: Raw, about: Any, called: Mapping[str, str]) -> None:
    """A column for every set of answers that belong together, in whose cells they stand as a list."""
    known = {given.casefold(): column for given, column in called.items()}
    for title, described in (getattr(about, "mr_sets", None) or {}).items():
        members = [known[each.casefold()] for each in described.get("variable_list", []) if each.casefold() in known]
        if len(members) < 2:
            continue
        label = str(described.get("label") or title).strip(" $")
        name = label if label not in raw.names else f"{label} (set)"
        places = [raw.names.index(member) for member in members]
        answers = [raw.columns[place].to_pylist() for place in places]
        if described.get("is_dichotomy"):
            counted = str(described.get("counted_value", "1"))
            yes = [_label(about, given, counted) for given in described["variable_list"] if given.casefold() in known]
            items = [raw.texts.get(member, member) for member in members]
            rows = [[item for item, word, cell in zip(items, yes, row, strict=True)
                     if _written(cell) in (word, counted)]
                    for row in zip(*answers, strict=True)]  # fmt: skip
        else:
            rows = [[_written(cell) for cell in row if cell is not None] for row in zip(*answers, strict=True)]
        raw.names.append(name)
        raw.columns.append(pa.chunked_array([pa.array([json.dumps(row, ensure_ascii=False) for row in rows])]))
        raw.sets[name] = cells.LISTED


def _label(about: Any, given: str, counted: str) -> str:
    """What a code of a variable is called."""
    labels = about.variable_value_labels.get(given, {})
    return next((str(text) for code, text in labels.items() if _written(code) == counted), counted)


def _plain(code: Any) -> Any:
    """1.0 and 1 are one code."""
    return float(code) if isinstance(code, int | float | np.number) and not isinstance(code, bool) else code


def _written(value: Any) -> str:
    if isinstance(value, str) and checks.is_number(value):
        value = float(value)
    return f"{value:.15g}" if isinstance(value, int | float) and not isinstance(value, bool) else str(value).strip()
