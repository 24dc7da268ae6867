"""Tables, and the ways in which pandas, R and Excel write one: what comes back has to be that table."""

import csv
import datetime
import io
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

Cell = float | str | bool | datetime.date | None
MANY = 40
"""People of a table: enough for its columns to show what they are."""


@dataclass(frozen=True)
class Written:
    """columns: name → the cells of each person, None for no answer. index: whether a column of row names is beside."""

    columns: dict[str, list[Cell]]
    content: bytes
    file: str
    how: str


# columns -------------------------------------------------------------------------------------------------------------

WORDS = (
    ("red", "green", "blue", "grey"),
    ("Zürich", "Łódź", "São Paulo", "Kyoto"),
    ("yes, often", "no", 'he said "no"', "it's so"),
    ("a;b c", "d|e", "f/g h", "plain"),
    ("NA", "DE", "FR", "IT"),
    ("None", "Cat", "Dog", "Bird"),
    ("1st", "2nd", "3rd", "4th"),
    ("#1", "*", "+x", "=y"),
    ("two\nlines", "one", "three", "four"),
    ("yes", "no", "maybe", "never"),
    ("low", "medium", "high", "very high"),
    ("A", "B", "C", "D"),
    ("sehr gut", "gut", "schlecht", "weiß nicht"),
    ("1-4", "5-9", "10-14", "15+"),
    ("x" * 9000, "y" * 3000, "short", "z"),
)
"""Answers with all that a file may trip over: separators, quotes, line ends, words for nothing, long texts."""


def numbers(rng: random.Random, n: int, decimals: int) -> list[Cell]:
    """Amounts with so many decimals, some below zero or above a thousand."""
    low, high = rng.choice(((0, 1), (18, 95), (-20, 40), (500, 250_000), (0, 3_000_000)))
    out: list[Cell] = [round(rng.uniform(low, high), decimals) for _ in range(n)]
    return out


COLUMNS: dict[str, Callable[[random.Random, int], list[Cell]]] = {
    "few": lambda rng, n: [float(rng.randint(1, 5)) for _ in range(n)],
    "whole": lambda rng, n: numbers(rng, n, 0),
    "one decimal": lambda rng, n: numbers(rng, n, 1),
    "two decimals": lambda rng, n: numbers(rng, n, 2),
    "three decimals": lambda rng, n: numbers(rng, n, 3),
    "measured": lambda rng, n: [rng.lognormvariate(0, 6) for _ in range(n)],
    "boolean": lambda rng, n: [rng.random() < 0.4 for _ in range(n)],
    "date": lambda rng, n: [datetime.date(2023, 1, 1) + datetime.timedelta(rng.randint(0, 500)) for _ in range(n)],
    "word": lambda rng, n: list(rng.choices(rng.choice(WORDS), k=n)),
}
"""What a column holds → its cells, without gaps."""


def columns(kinds: Sequence[str], gaps: bool, seed: int) -> dict[str, list[Cell]]:
    """One column of each of these kinds, whose second has gaps."""
    rng, out = random.Random(seed), dict[str, list[Cell]]()
    for place, kind in enumerate(kinds):
        cells = COLUMNS[kind](rng, MANY)
        if gaps and place % 2:
            cells = [None if rng.random() < 0.15 else cell for cell in cells]
        out[f"q{place + 1} {kind}"] = cells
    return out


def frame(held: dict[str, list[Cell]]) -> pd.DataFrame:
    """As pandas has it: whole numbers with a gap are floats, so that 1 is written as 1.0."""
    return pd.DataFrame({name: _series(cells) for name, cells in held.items()})


def _series(cells: list[Cell]) -> pd.Series:
    given = [cell for cell in cells if cell is not None]
    if all(isinstance(cell, bool | str) for cell in given):
        return pd.Series(cells, dtype=object) if None in cells or isinstance(given[0], str) else pd.Series(cells)
    if isinstance(given[0], datetime.date):
        return pd.Series(pd.to_datetime(pd.Series(cells)))
    values = pd.Series([np.nan if cell is None else cell for cell in cells], dtype=float)
    whole = all(float(cell).is_integer() for cell in given)  # type: ignore[arg-type]
    return values.astype("int64") if whole and None not in cells else values


# writers -------------------------------------------------------------------------------------------------------------


def pandas_csv(held: dict[str, list[Cell]], **options: Any) -> bytes:
    """DataFrame.to_csv, in any encoding."""
    encoding = options.pop("encoding", "utf-8")
    text = frame(held).to_csv(**options)
    return text.encode(encoding, "strict")


def of_r(
    held: dict[str, list[Cell]], separator: str = ",", decimal: str = ".", rows: str = "none", na: str = "NA",
    quote: bool = True, end: str = "\n", doubled: bool = True,
) -> bytes:  # fmt: skip
    """write.csv, write.csv2 and write.table: texts in quotes, and NA for nothing, without any.

    rows: "none", "named" (write.csv has an empty name above them) or "shifted" (write.table has none at all).
    """

    def quoted(text: str) -> str:
        inner = text.replace('"', '""') if doubled else text.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{inner}"' if quote else text

    def written(cell: Cell) -> str:
        if cell is None:
            return na
        if isinstance(cell, bool):
            return str(cell).upper()
        if isinstance(cell, float):
            return f"{cell:.15g}".replace(".", decimal)
        return quoted(str(cell)) if isinstance(cell, str) else str(cell)

    names = [quoted(name) for name in held]
    names = [quoted(""), *names] if rows == "named" else names
    lines = [names]
    for place, cells in enumerate(zip(*held.values(), strict=True), 1):
        lines.append([*([] if rows == "none" else [quoted(str(place))]), *map(written, cells)])
    return (end.join(separator.join(line) for line in lines) + end).encode()


def of_excel(held: dict[str, list[Cell]], german: bool, encoding: str, separator: str) -> bytes:
    """“CSV”, “CSV UTF-8” and “Unicode text” of Excel: dates and decimals as the country has them."""

    def written(cell: Cell) -> str:
        if cell is None:
            return ""
        if isinstance(cell, bool):
            return ("WAHR" if cell else "FALSCH") if german else str(cell).upper()
        if isinstance(cell, float):
            return f"{cell:.15g}".replace(".", "," if german else ".")
        if isinstance(cell, datetime.date):
            return f"{cell:%d.%m.%Y}" if german else f"{cell:%Y-%m-%d}"
        return str(cell)

    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\r\n")
    writer.writerow(held)
    writer.writerows([map(written, cells) for cells in zip(*held.values(), strict=True)])
    return out.getvalue().encode(encoding)


def workbook(held: dict[str, list[Cell]]) -> bytes:
    out = io.BytesIO()  # what begins with = would be a formula
    plain = {name: [f" {cell}" if cell == "=y" else cell for cell in cells] for name, cells in held.items()}
    frame(plain).to_excel(out, index=False)
    return out.getvalue()


def parquet(held: dict[str, list[Cell]]) -> bytes:
    out = io.BytesIO()
    frame(held).to_parquet(out, index=False)
    return out.getvalue()


def _one_decimal(value: float) -> str:
    """1.0 where it is whole, as many programs write a number."""
    return f"{value:.1f}" if float(value).is_integer() else repr(float(value))


WRITERS: dict[str, tuple[str, Callable[[dict[str, list[Cell]]], bytes]]] = {
    "to_csv": ("a.csv", lambda held: pandas_csv(held, index=False)),
    "to_csv, with its index": ("a.csv", lambda held: pandas_csv(held)),
    "to_csv, semicolon and decimal comma": ("a.csv", lambda held: pandas_csv(held, index=False, sep=";", decimal=",")),
    "to_csv, comma and decimal comma": ("a.csv", lambda held: pandas_csv(held, index=False, decimal=",")),
    "to_csv, tab": ("a.tsv", lambda held: pandas_csv(held, index=False, sep="\t")),
    "to_csv, bar": ("a.csv", lambda held: pandas_csv(held, index=False, sep="|")),
    "to_csv, all quoted": ("a.csv", lambda held: pandas_csv(held, index=False, quoting=csv.QUOTE_ALL)),
    "to_csv, texts quoted": ("a.csv", lambda held: pandas_csv(held, index=False, quoting=csv.QUOTE_NONNUMERIC)),
    "to_csv, in UTF-8 with its mark": ("a.csv", lambda held: pandas_csv(held, index=False, encoding="utf-8-sig")),
    "to_csv, in UTF-16": ("a.csv", lambda held: pandas_csv(held, index=False, encoding="utf-16")),
    "to_csv, in UTF-16 without its mark": (
        "a.csv", lambda held: pandas_csv(held, index=False, encoding="utf-16-le"),
    ),
    "to_csv, lines of Windows": ("a.csv", lambda held: pandas_csv(held, index=False, lineterminator="\r\n")),
    "to_csv, lines of old Macs": ("a.csv", lambda held: pandas_csv(held, index=False, lineterminator="\r")),
    "to_csv, nothing is NaN": ("a.csv", lambda held: pandas_csv(held, index=False, na_rep="NaN")),
    "to_csv, nothing is NULL": ("a.csv", lambda held: pandas_csv(held, index=False, na_rep="NULL")),
    "to_csv, one decimal": ("a.csv", lambda held: pandas_csv(held, index=False, float_format=_one_decimal)),
    "to_csv, scientific": ("a.csv", lambda held: pandas_csv(held, index=False, float_format="%.15e")),
    "to_csv, day first": ("a.csv", lambda held: pandas_csv(held, index=False, date_format="%d/%m/%Y")),
    "write.csv": ("a.csv", lambda held: of_r(held, rows="named")),
    "write.csv, without row names": ("a.csv", of_r),
    "write.csv2": ("a.csv", lambda held: of_r(held, ";", ",", rows="named")),
    "write.table, tab": ("a.tsv", lambda held: of_r(held, "\t", rows="shifted")),
    "write.table": ("a.txt", lambda held: of_r(held, " ", rows="shifted", doubled=False)),
    "write.table, without row names": ("a.txt", lambda held: of_r(held, " ", doubled=False)),
    "write_csv": ("a.csv", lambda held: pandas_csv(held, index=False, na_rep="NA")),
    "Excel, CSV UTF-8": ("a.csv", lambda held: of_excel(held, False, "utf-8-sig", ",")),
    "Excel, CSV in German": ("a.csv", lambda held: of_excel(held, True, "utf-8-sig", ";")),
    "Excel, Unicode text": ("a.txt", lambda held: of_excel(held, False, "utf-16", "\t")),
    "Excel, Unicode text in German": ("a.txt", lambda held: of_excel(held, True, "utf-16", "\t")),
    "to_excel": ("a.xlsx", workbook),
    "to_parquet": ("a.parquet", parquet),
}  # fmt: skip
"""A program's way of writing a table → a name for the file, and the writer."""
