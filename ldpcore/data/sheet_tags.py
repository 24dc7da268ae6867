"""The tags of a worksheet's rows, block by block, as arrays: where each begins and ends, and that they nest as usual.

Rows as office programs and libraries write them: <row r="2"><c r="A2" s="1" t="n"><f>…</f><v>…</v></c></row>.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

(ROW, ROW_EMPTY, ROW_END, CELL, CELL_EMPTY, CELL_END, FORMULA, FORMULA_EMPTY, FORMULA_END, VALUE, VALUE_EMPTY,
 VALUE_END, INLINE, INLINE_END, TEXT, TEXT_END, UNKNOWN) = range(17)  # fmt: skip
_VALUE_SPACED = UNKNOWN + 1
_SPELT = {
    ROW: (b'<row r="',), ROW_END: (b"</row>",), CELL: (b'<c r="',), CELL_END: (b"</c>",),
    FORMULA: (b"<f>", b"<f ", b"<f/"), FORMULA_END: (b"</f>",), VALUE: (b"<v>",), VALUE_EMPTY: (b"<v/>",),
    _VALUE_SPACED: (b"<v />",), VALUE_END: (b"</v>",), INLINE: (b"<is>",), INLINE_END: (b"</is>",),
    TEXT: (b"<t>", b"<t "), TEXT_END: (b"</t>",),
}  # fmt: skip
"""How each begins; two bytes after the < tell them apart."""
_NEXT = {
    ROW: (CELL, CELL_EMPTY, ROW_END), ROW_EMPTY: (ROW, ROW_EMPTY), ROW_END: (ROW, ROW_EMPTY),
    CELL: (FORMULA, FORMULA_EMPTY, VALUE, VALUE_EMPTY, INLINE, CELL_END), CELL_EMPTY: (CELL, CELL_EMPTY, ROW_END),
    CELL_END: (CELL, CELL_EMPTY, ROW_END), FORMULA: (FORMULA_END,), FORMULA_END: (VALUE, VALUE_EMPTY, CELL_END),
    FORMULA_EMPTY: (VALUE, VALUE_EMPTY, CELL_END), VALUE: (VALUE_END,), VALUE_END: (CELL_END,),
    VALUE_EMPTY: (CELL_END,), INLINE: (TEXT,), TEXT: (TEXT_END,), TEXT_END: (INLINE_END,), INLINE_END: (CELL_END,),
}  # fmt: skip
"""What may come after each: of these tags no other order is a row."""
ATTRIBUTES = re.compile(rb'(?: [A-Za-z][A-Za-z0-9]*+(?::[A-Za-z][A-Za-z0-9]*+)?="[^"<>&]*")*+ ?')
_AT_ONCE, _LONGEST, _PAD = 1 << 18, 1 << 22, 64
"""Bytes that are looked at in one go, those of a row at most (a longer one repeats its cells), zeros behind them."""

_ALLOWED = np.zeros((_VALUE_SPACED, _VALUE_SPACED), bool)
for _kind, _after in _NEXT.items():
    _ALLOWED[_kind, list(_after)] = True
_KINDS = np.full(1 << 16, UNKNOWN, np.uint8)
for _kind, _begins in _SPELT.items():
    for _text in _begins:
        _KINDS[int.from_bytes(_text[1:3], "little")] = _kind
MASKS = np.array([(1 << 8 * n) - 1 for n in range(9)], np.uint64)
"""Of a word of eight bytes the first n."""
_SURE = np.array([len(_SPELT.get(kind, (b"",))[0]) if kind not in (FORMULA, TEXT) else 2
                  for kind in range(_VALUE_SPACED + 1)])  # fmt: skip
_WORDS = np.array([int.from_bytes(_SPELT.get(kind, (b"",))[0][: _SURE[kind]], "little")
                   for kind in range(_VALUE_SPACED + 1)], np.uint64)  # fmt: skip
_EMPTY = np.arange(_VALUE_SPACED + 1, dtype=np.uint8)
_EMPTY[[ROW, CELL, FORMULA]] += 1
_HOLDS_TEXT = np.isin(np.arange(_VALUE_SPACED + 1), (FORMULA, VALUE, TEXT))


@dataclass(frozen=True, eq=False)
class Tags:
    """text: the block's bytes; words (bytes,): the eight from each place on. kinds (tags,); starts, ends: of each the
    places of its < and its >.
    """

    text: bytes
    words: NDArray[np.uint64]
    kinds: NDArray[np.uint8]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    def pieces(self, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> list[bytes]:
        text = self.text
        return [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


def blocks(xml: bytes, start: int, end: int) -> Iterator[Tags | None]:
    """Whole rows from everything between these; None for what is written in another way, and then no more."""
    while start < end:
        stop = end
        if end - start > _AT_ONCE:
            last = xml.rfind(b"</row>", start, start + _AT_ONCE)
            last = xml.find(b"</row>", start, min(end, start + _LONGEST)) if last < 0 else last
            stop = last + len(b"</row>") if last >= 0 else -1
        made = None if stop < 0 else _tags(xml[start:stop])
        yield made
        if made is None:
            return
        start = stop


def _tags(text: bytes) -> Tags | None:
    padded = np.frombuffer(text + bytes(_PAD), np.uint8)
    starts, ends = np.flatnonzero(padded == ord("<")), np.flatnonzero(padded == ord(">"))
    if not len(starts) or len(starts) != len(ends) or starts[0] != 0 or ends[-1] != len(text) - 1:
        return None
    words: NDArray[np.uint64] = np.ndarray(len(padded) - 7, "<u8", padded, strides=(1,))
    begin = words[starts]
    kinds = _KINDS[(begin >> np.uint64(8)) & np.uint64(0xFFFF)]
    if np.any(begin & MASKS[_SURE[kinds]] != _WORDS[kinds]):
        return None
    kinds[kinds == _VALUE_SPACED] = VALUE_EMPTY
    closed = padded[ends - 1] == ord("/")
    kinds[closed] = _EMPTY[kinds[closed]]
    between = starts[1:] - ends[:-1]
    if (
        kinds[0] not in (ROW, ROW_EMPTY) or kinds[-1] not in (ROW_END, ROW_EMPTY)
        or np.any(starts > ends) or np.any(between < 1)
        or np.any((between > 1) & ~_HOLDS_TEXT[kinds[:-1]])
        or not np.all(_ALLOWED[kinds[:-1], kinds[1:]])
        or np.any(closed & ((kinds == TEXT) | (kinds == UNKNOWN)))
    ):  # fmt: skip
        return None
    return Tags(text, words, kinds, starts, ends)
