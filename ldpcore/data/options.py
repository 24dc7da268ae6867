"""How a file is to be read; None leaves the recognition to the reader."""

from dataclasses import dataclass

from ldpcore.data.errors import DataError
from ldpcore.data.percent import PERCENTS

DECIMALS = {".": "a point, as in 1,000.5", ",": "a comma, as in 1.000,5"}
"""What can stand before the decimals."""
LAYOUTS = {
    "table": "a row per person",
    "baskets": "a line per transaction",
    "pairs": "a row per item of a person",
    "one-hot": "a column per item, yes or no",
}
"""The ways in which a file can hold people's answers."""


@dataclass(frozen=True)
class ReadOptions:
    """separator: one character. header: does the first line hold names? encoding: a Python codec. sheet: in Excel.
    member: the file in a zip archive. decimal: "." or ",", which settles numbers that can be read in two ways, such as
    "1,000". percent: "percent" or "share", what a number without a sign is in a column with percentages.

    layout: "table" (a row per person), "baskets" (a line per transaction), "pairs" (a row per item of a person) or
    "one-hot" (a column per item). user, item, category, description: the columns of a layout "pairs".
    """

    separator: str | None = None
    header: bool | None = None
    encoding: str | None = None
    sheet: str | None = None
    member: str | None = None
    layout: str | None = None
    user: str | None = None
    item: str | None = None
    category: str | None = None
    description: str | None = None
    decimal: str | None = None
    percent: str | None = None

    def __post_init__(self) -> None:
        if self.layout is not None and self.layout not in LAYOUTS:
            raise DataError(f"“{self.layout}” is no way to read a file.", f"Choose one of {', '.join(LAYOUTS)}.")
        if self.decimal is not None and self.decimal not in DECIMALS:
            raise DataError(f"“{self.decimal}” is no decimal mark.", "Choose a point or a comma.")
        if self.percent is not None and self.percent not in PERCENTS:
            raise DataError(f"“{self.percent}” is nothing that numbers beside percentages can be.",
                            f"Choose one of {', '.join(PERCENTS)}.")  # fmt: skip
        if self.separator is not None and (len(self.separator) != 1 or self.separator in '\r\n"\0'):
            raise DataError(
                f"“{self.separator}” cannot separate columns.",
                "A separator is one character, for example a comma, a semicolon, a tab or a bar.",
            )
