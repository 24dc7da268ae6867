"""A table as CSV that a spreadsheet shows and does not run."""

import pandas as pd

from ldpcore import checks

_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What makes a cell a formula, or hides that it is one (OWASP, "CSV injection")."""


def as_csv(rows: pd.DataFrame) -> str:
    """The rows as CSV, without the index. A name or text that a spreadsheet would take for a formula has an apostrophe
    before it, which spreadsheets hide; numbers, also those written as text, stay as they are.

    >>> print(as_csv(pd.DataFrame({"answer": ["=1+1", "-5", "yes"], "share": [0.5, -0.25, 0.25]})), end="")
    answer,share
    '=1+1,0.5
    -5,-0.25
    yes,0.25
    """
    safe = rows.rename(columns={name: _quoted(name) for name in rows.columns})
    for name in safe.columns:
        if not pd.api.types.is_numeric_dtype(safe[name].dtype):
            safe[name] = safe[name].astype(object).map(_quoted)
    return safe.to_csv(index=False)


def _quoted(cell: object) -> object:
    return (
        f"'{cell}"
        if isinstance(cell, str) and cell.lstrip(" ").startswith(_STARTS) and not checks.is_number(cell)
        else cell
    )
