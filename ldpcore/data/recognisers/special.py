"""Numbers and words that stand for no answer, or for none at all: 99, −9, 9998, "unknown", 88 for "no days"."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ldpcore.data import column_names, sentinels
from ldpcore.data.assumptions import Assumption, AssumptionKind, assumed
from ldpcore.data.errors import plural
from ldpcore.data.profile import ColumnProfile
from ldpcore.data.recognisers.evidence import Evidence

_TOP = 6
"""Of numbers of so many digits the largest are special: 94 to 99, 9994 to 9999."""
_REPEATED = frozenset(int(str(digit) * length) for digit in (5, 6, 7, 8, 9) for length in range(2, 10))
_LOW = frozenset((*range(-9, 0), *(-number for number in _REPEATED), *range(-99, -93), *range(-999, -993)))
_SCALE = 5
"""The longest scale, from 0 or 1 on, behind which 7, 8 and 9 are special."""
_LEAST = 2
_TAIL = 4
"""Rows that may give the next steps but one of a scale whose steps grow rare, without being special."""
_ZERO = 0.2
"""The share of the answers that a special number for "none" has, where nobody answers 0."""
Codes = dict[float, int]


def is_special(value: float) -> bool:
    """May a number of this form be special, above others?"""
    whole = int(value)
    return whole == value and whole > 9 and (whole in _REPEATED or 10 ** len(str(whole)) - whole <= _TOP)


def special(values: NDArray[np.float64], rows: NDArray[np.integer]) -> Codes:
    """Of different numbers in their order, with the rows of each: the special ones and their rows.

    They have the form of one and recur. Above the others they lie farther from these than these from one another, or
    after a gap that is five times as wide as any; 7, 8 and 9 after a short scale that leaves out its next step. Below
    zero they are the only numbers, and no other half of a scale, whose far steps may be left out where few are there.

    >>> special(np.array([0.0, 1, 2, 30, 77, 99]), np.array([9, 9, 9, 9, 4, 2]))
    {77.0: 4, 99.0: 2}
    >>> special(np.array([-2.0, -1, 0, 1, 2]), np.array([9, 9, 9, 9, 9]))
    {}
    >>> special(np.array([-7.0, -6, -4, -3, -2, -1, 0, 1, 2]), np.array([1, 1, 3, 4, 9, 4, 8, 9, 8]))  # few are far
    {}
    """
    below = _below(values, rows)
    rest = np.array([value not in below for value in values], bool)
    above = _above(values[rest], rows[rest]) or _after_a_scale(values[rest], rows[rest])
    return {**below, **above}


def _above(values: NDArray[np.float64], rows: NDArray[np.integer]) -> Codes:
    if len(values) < 3:
        return {}
    first = len(values)
    while first and is_special(float(values[first - 1])):
        first -= 1
    n = int(rows.sum())
    for i in range(max(first, 2), len(values)):
        rest, gap = values[:i], values[i] - values[i - 1]
        usual = max(1.0, float(np.diff(rest[len(rest) // 2 - 1 :]).max(initial=0)))
        wide = gap > rest[-1] - rest[0]
        apart = gap >= 5 * usual and len(rest) >= 8 and rows[i:].sum() >= max(3, 0.005 * n)
        if (wide or apart) and rows[i:].sum() >= _LEAST:
            return dict(zip(values[i:].tolist(), rows[i:].tolist(), strict=True))
    return {}


def _after_a_scale(values: NDArray[np.float64], rows: NDArray[np.integer]) -> Codes:
    coded = np.isin(values, (7.0, 8.0, 9.0))
    rest, at = values[~coded], rows[~coded]
    if not coded.any() or len(rest) < 2 or rest[-1] > _SCALE or rest[0] not in (0, 1) or np.any(np.diff(rest) != 1):
        return {}
    block = rows[coded]
    falling = len(at) > 2 and bool(np.all(np.diff(at[-3:]) < 0)) and block.max() <= min(_TAIL, at[-1])
    if falling or block.sum() < _LEAST or values[coded][0] - rest[-1] < 2:
        return {}
    return dict(zip(values[coded].tolist(), block.tolist(), strict=True))


def _below(values: NDArray[np.float64], rows: NDArray[np.integer]) -> Codes:
    low = values < 0
    below, rest = values[low], values[~low]
    if not low.any() or len(rest) < 2 or len(below) > 6 or any(value not in _LOW for value in below.tolist()):
        return {}
    steps = int(np.cumprod(below[::-1] == -np.arange(1, len(below) + 1)).sum())
    thin = steps > 2 and -below[0] <= 2 * steps + 1 and rows[low][: len(below) - steps].max(initial=0) <= _TAIL
    scale = 0 in rest and (steps == len(below) or thin) and (len(below) > 2 or rest[-1] <= -below[0])
    if scale or rows[low].sum() < _LEAST:
        return {}
    return dict(zip(below.tolist(), rows[low].tolist(), strict=True))


def missing(evidence: Evidence) -> Iterable[Assumption]:
    """Special numbers and words for "nobody knows", which are kept until somebody says that they are no answers."""
    words: dict[str, list[sentinels.Sentinel]] = {}
    for each in evidence.table.sentinels():
        words.setdefault(each.column, []).append(each)
    for name in evidence.names:
        codes = _codes(evidence, name)
        if codes and _none_of(evidence, name, codes) is None:
            yield _of_codes(evidence, name, codes)
        elif not codes and (unknown := [each for each in words.get(name, []) if not each.far]):
            yield _of_words(evidence, name, unknown)
    yield from (each for each in evidence.stated if each.kind == AssumptionKind.MISSING)


def recoded(evidence: Evidence) -> Iterable[Assumption]:
    """A special number for "none", as where 88 stands for no bad days: not 88, and not missing, but 0."""
    for name in evidence.names:
        codes = _codes(evidence, name)
        none = _none_of(evidence, name, codes) if codes else None
        if none is None:
            continue
        others = tuple(_text(code) for code in codes if code != none)
        left = f"; {_listed(others)} {'are' if len(others) > 1 else 'is'} no answer" if others else ""
        changes = {"recode": ((_text(none), "0"),), "missing": others}
        every = tuple(map(_text, codes))
        yield assumed(
            AssumptionKind.RECODE, name,
            f"“{name}”: {_evidence(evidence, name, codes)}, and nobody answers 0. They are read as numbers; perhaps "
            f"{_text(none)} stands for none{left}.",
            f"{_listed(every)} are numbers" if others else f"{every[0]} is a number", evidence.options,
            own=((f"{_text(none)} is 0{left}", changes), (f"{_listed(every)}: no answer", {"missing": every})),
        )  # fmt: skip


def _codes(evidence: Evidence, name: str) -> Codes:
    if name not in evidence.special:
        evidence.special[name] = _found(evidence, name)
    return evidence.special[name]


def _found(evidence: Evidence, name: str) -> Codes:
    if evidence.role(name) not in (None, "question", "amount") or column_names.is_survey_weight(name):
        return {}
    profile = evidence.table.profiles[name]
    if profile.role == "identifier" or (column_names.is_code(name) and profile.role != "category"):
        return {}
    sizes = evidence.sizes(name) if _may_be_special(profile) else None
    if sizes is None or len(sizes[0]) < 3:
        return {}
    values, rows = sizes
    return special(values, rows) or {
        float(each.value): each.rows for each in evidence.table.sentinels() if each.column == name and each.far
    }


def _may_be_special(profile: ColumnProfile) -> bool:
    """Whether the ends of its numbers leave room for any: only then all of them are counted. Above others stands the
    largest, below zero the smallest, behind a scale one below ten.
    """
    if profile.low is None or profile.high is None:
        return False
    return profile.low < 0 or profile.high < 10 or is_special(profile.high) or profile.high in sentinels.CODES


def _none_of(evidence: Evidence, name: str, codes: Codes) -> float | None:
    """The special number that so many give where nobody gives 0, though others begin at 1."""
    sizes = evidence.sizes(name)
    if sizes is None:
        return None
    values, rows = sizes
    rest = values[~np.isin(values, list(codes))]
    common = max(codes, key=lambda code: codes[code])
    counted = len(rest) > 5 and rest[0] == 1 and bool(np.all(rest == np.floor(rest)))
    return common if counted and common > 9 and codes[common] >= _ZERO * rows.sum() else None


def _of_codes(evidence: Evidence, name: str, codes: Codes) -> Assumption:
    texts = tuple(map(_text, codes))
    are = "are numbers" if len(texts) > 1 else "is a number"
    read = "They are read as numbers" if len(texts) > 1 else "It is read as a number"
    choices = [(f"{_listed(texts)} {'are' if len(texts) > 1 else 'is'} no answer", {"missing": texts})]
    choices += [(f"only {text} is no answer", {"missing": (text,)}) for text in texts if len(texts) > 1]
    return assumed(
        AssumptionKind.MISSING, name,
        f"“{name}”: {_evidence(evidence, name, codes)}. {read}; perhaps no answer is meant.",
        f"{_listed(texts)} {are}", evidence.options, own=choices,
    )  # fmt: skip


def _of_words(evidence: Evidence, name: str, held: list[sentinels.Sentinel]) -> Assumption:
    texts = tuple(each.value for each in held)
    quoted = _listed(tuple(f"“{text}”" for text in texts))  # one of them may be "no answer"
    shown = " and ".join(f"“{each.value}” {plural(each.rows, 'time')}" for each in held)
    return assumed(
        AssumptionKind.MISSING, name, f"“{name}” holds {shown}, counted as answers; perhaps no answer is meant.",
        f"{quoted}: an answer", evidence.options, own=((f"count {quoted} as missing", {"missing": texts}),),
    )  # fmt: skip


def _evidence(evidence: Evidence, name: str, codes: Codes) -> str:
    """How often each stands, and where the others lie."""
    sizes = evidence.sizes(name)
    rest = sizes[0][~np.isin(sizes[0], list(codes))] if sizes is not None else np.array([0.0])
    shown = ", ".join(f"{_text(code)} stands {plural(n, 'time')}" for code, n in codes.items())
    where = [f"above {_text(rest[-1])}, the largest of the others"] * any(code > rest[-1] for code in codes)
    where += [f"below {_text(rest[0])}, the smallest of the others"] * any(code < rest[0] for code in codes)
    return f"{shown}, {' and '.join(where)}"


def _text(value: float) -> str:
    return f"{value:.12g}"


def _listed(texts: tuple[str, ...]) -> str:
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"
