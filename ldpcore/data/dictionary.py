"""A dictionary of codes: what "6" means in the column MSP."""

import hashlib
import json
from collections.abc import Mapping

import pandas as pd

from ldpcore import checks
from ldpcore.data import survey_files
from ldpcore.data.errors import DataError, plural

_BOUNDS = ("min", "max")


def labels(content: bytes, beside: tuple[str, bytes] | None = None) -> dict[str, dict[str, str]]:
    """JSON {column: {"values": {code: label}}} (or {column: {code: label}}) → {column: {code: label}}, in its order.

    "min" and "max" with numbers describe a range, not codes, and are left out. A catalogue of SAS (.sas7bcat) is read
    as well: which of its labels are of which column stands in the SAS file `beside` (name, bytes). DataError when it is
    no such file.
    """
    if survey_files.is_catalog(content):
        if beside is None:
            raise DataError("This catalogue of SAS has nothing beside it.", "Choose it together with its .sas7bdat.")
        return survey_files.catalog_labels(beside[1], content, beside[0])
    try:
        document = json.loads(content.decode("utf-8-sig"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        raise _no_dictionary("It is not JSON.") from None
    if not isinstance(document, dict):
        raise _no_dictionary("Its outermost level is not an object.")
    out: dict[str, dict[str, str]] = {}
    for column, entry in document.items():
        values = entry.get("values", {} if "description" in entry else entry) if isinstance(entry, dict) else None
        if not isinstance(values, dict) or any(isinstance(label, (dict, list)) for label in values.values()):
            raise _no_dictionary(f"The entry “{column}” does not list codes and their labels.")
        codes = {
            str(code): str(label)
            for code, label in values.items()
            if not (code in _BOUNDS and isinstance(label, (int, float)))
        }
        if codes:
            out[str(column)] = codes
    return out


def _no_dictionary(reason: str) -> DataError:
    return DataError(
        "This is no dictionary of codes.",
        f'{reason} It should be JSON of the form {{"SEX": {{"values": {{"1": "Male", "2": "Female"}}}}}}.',
    )


def apply(
    frame: pd.DataFrame, dictionary: Mapping[str, Mapping[str, str]]
) -> tuple[pd.DataFrame, dict[str, tuple[str, ...]], str]:
    """The frame with labels for codes, the orders that follow, and a note. DataError when no column is in it."""
    common = [
        name for name in frame.columns
        if name in dictionary and isinstance(frame[name].dtype, pd.CategoricalDtype)
        and any(code in dictionary[name] for code in frame[name].cat.categories)
    ]  # fmt: skip
    if not common:
        raise DataError(
            "The dictionary fits no column of this table.",
            f"It names {checks.name_list(dictionary)}; the table has {checks.name_list(frame.columns)}. "
            "Choose the dictionary that belongs to the table.",
        )
    out, orders = frame.copy(deep=False), {}
    for name in common:
        out[name] = _labelled(pd.Series(frame[name]), dictionary[name])
        orders[name] = tuple(out[name].cat.categories)
    return out, orders, f"Labels from the dictionary in {plural(len(common), 'column')}: {checks.name_list(common)}."


def _labelled(series: pd.Series, codes: Mapping[str, str]) -> pd.Series:
    """Codes in the dictionary's order, then the others in the order they had; then labels, told apart if equal."""
    present = list(series.cat.categories)
    ordered = [code for code in codes if code in set(present)] + [code for code in present if code not in codes]
    names = [codes.get(code, code) for code in ordered]
    unique = [name if names.count(name) == 1 else f"{name} ({code})" for name, code in zip(names, ordered, strict=True)]
    return series.cat.reorder_categories(ordered).cat.rename_categories(unique)


def digest(data: str, dictionary: Mapping[str, Mapping[str, str]]) -> str:
    """The digest of a table with labels: SHA-256 of the data's digest and the dictionary."""
    text = json.dumps({column: dict(codes) for column, codes in dictionary.items()}, ensure_ascii=True)
    return hashlib.sha256(f"{data}\n{text}".encode()).hexdigest()
