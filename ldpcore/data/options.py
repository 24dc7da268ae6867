"""How a file is to be read; None leaves the recognition to the reader."""

from dataclasses import dataclass

from ldpcore.data.errors import DataError


@dataclass(frozen=True)
class ReadOptions:
    """separator: one character. header: does the first line hold names? encoding: a Python codec. sheet: in Excel."""

    separator: str | None = None
    header: bool | None = None
    encoding: str | None = None
    sheet: str | None = None

    def __post_init__(self) -> None:
        if self.separator is not None and (len(self.separator) != 1 or self.separator in '\r\n"\0'):
            raise DataError(
                f"“{self.separator}” cannot separate columns.",
                "A separator is one character, for example a comma, a semicolon, a tab or a bar.",
            )
