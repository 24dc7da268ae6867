"""SAS files, written by the library that pyreadstat reads them with: it can write them, which pyreadstat offers to no
one, so its own functions are called.
"""

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any

_STRING, _DOUBLE = 0, 5
_WRITER = ctypes.CFUNCTYPE(ctypes.c_ssize_t, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)
_POINTERS = ("readstat_writer_init", "readstat_add_label_set", "readstat_add_variable")


class _Writing:
    """One file in the making."""

    def __init__(self) -> None:
        import pyreadstat._readstat_writer as compiled

        self.library = ctypes.CDLL(compiled.__file__)
        for name in _POINTERS:
            getattr(self.library, name).restype = ctypes.c_void_p
        self.parts: list[bytes] = []
        self.writer = ctypes.c_void_p(self.library.readstat_writer_init())
        self._keep = _WRITER(self._take)
        self.call("set_data_writer", self._keep)

    def _take(self, data: int, length: int, _: Any) -> int:
        self.parts.append(ctypes.string_at(data, length))
        return length

    def call(self, name: str, *args: Any) -> Any:
        return getattr(self.library, f"readstat_{name}")(self.writer, *args)

    def done(self, *, code: int) -> bytes:
        assert code == 0
        assert self.call("end_writing", None) == 0
        self.library.readstat_writer_free(self.writer)
        return b"".join(self.parts)


def data(columns: Mapping[str, Sequence[float | str | None]], formats: Mapping[str, str]) -> bytes:
    """A .sas7bdat. formats: column → what its labels are called in the catalogue."""
    made = _Writing()
    variables = []
    for name, cells in columns.items():
        is_text = any(isinstance(cell, str) for cell in cells)
        kind, width = (_STRING, 24) if is_text else (_DOUBLE, 0)
        variable = ctypes.c_void_p(made.call("add_variable", name.encode(), kind, ctypes.c_size_t(width)))
        if name in formats:
            made.library.readstat_variable_set_format(variable, formats[name].encode())
        variables.append(variable)
    rows = list(zip(*columns.values(), strict=True))
    code = made.call("begin_writing_sas7bdat", None, ctypes.c_long(len(rows)))
    for row in rows:
        made.call("begin_row")
        for variable, cell in zip(variables, row, strict=True):
            if cell is None:
                made.call("insert_missing_value", variable)
            elif isinstance(cell, str):
                made.call("insert_string_value", variable, cell.encode())
            else:
                made.call("insert_double_value", variable, ctypes.c_double(cell))
        made.call("end_row")
    return made.done(code=code)


def catalog(formats: Mapping[str, Mapping[float, str]]) -> bytes:
    """A .sas7bcat with these labels."""
    made = _Writing()
    for name, labels in formats.items():
        there = ctypes.c_void_p(made.call("add_label_set", _DOUBLE, name.encode()))
        for code, text in labels.items():
            made.library.readstat_label_double_value(there, ctypes.c_double(code), text.encode())
    return made.done(code=made.call("begin_writing_sas7bcat", None))
