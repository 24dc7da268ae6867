"""What somebody said of how a file is to be read, as assumptions that are decided."""

from collections.abc import Iterator
from dataclasses import fields

from ldpcore.data.assumptions import Alternative, Assumption, AssumptionKind
from ldpcore.data.column_options import ROLES, ColumnOptions
from ldpcore.data.options import CHOICES, ReadOptions

OF_THE_FILE = {
    "separator": AssumptionKind.FORMAT, "header": AssumptionKind.HEADER, "encoding": AssumptionKind.ENCODING,
    "sheet": AssumptionKind.SHEET, "member": AssumptionKind.SHEET, "layout": AssumptionKind.LAYOUT,
    "user": AssumptionKind.LAYOUT, "item": AssumptionKind.LAYOUT, "category": AssumptionKind.LAYOUT,
    "description": AssumptionKind.LAYOUT, "answer": AssumptionKind.LAYOUT,
    "decimal": AssumptionKind.DECIMAL, "percent": AssumptionKind.PERCENT,
    "yes": AssumptionKind.YES, "described": AssumptionKind.HEADER, "lines": AssumptionKind.LINES,
    "spelling": AssumptionKind.SPELLING, "blank": AssumptionKind.BLANK, "first": AssumptionKind.LAYOUT,
    "rows": AssumptionKind.PEOPLE, "hidden": AssumptionKind.SHEET, "merged": AssumptionKind.SHEET,
    "dates": AssumptionKind.DATES, "numbers": AssumptionKind.NUMBERS, "format": AssumptionKind.FORMAT,
    "escape": AssumptionKind.FORMAT,
}  # fmt: skip
"""What each option of a file decides."""
OF_A_COLUMN = {
    "missing": AssumptionKind.MISSING, "recode": AssumptionKind.RECODE, "order": AssumptionKind.ORDER,
    "yes": AssumptionKind.YES, "inside": AssumptionKind.CELLS, "answers": AssumptionKind.NONE,
    "classes": AssumptionKind.WEIGHTS, "time": AssumptionKind.NUMBERS,
}  # fmt: skip
"""What each option of a column decides; its role decides what ROLE_KINDS says."""
ROLE_KINDS = {
    "question": AssumptionKind.CODES, "amount": AssumptionKind.NUMBERS, "code": AssumptionKind.CODES,
    "weight": AssumptionKind.WEIGHTS, "count": AssumptionKind.COUNTS, "person": AssumptionKind.PEOPLE,
}  # fmt: skip


TOGETHER = {AssumptionKind.MISSING: AssumptionKind.RECODE, AssumptionKind.LAYOUT: AssumptionKind.YES}
"""Kinds that are decided in one click with another: "88 is 0; 77 and 99 are no answer"; which answer says yes, and that
each column is an item. Then they are one decision.
"""


def keys(options: ReadOptions) -> set[str]:
    """Those of every assumption that nobody needs to make any more."""
    return {f"{kind}:{column or ''}" for kind, column, _ in _said(options)}


def decisions(options: ReadOptions) -> tuple[Assumption, ...]:
    """One for each kind and column of which something is said, and the way back."""
    sentences: dict[tuple[AssumptionKind, str | None], list[str]] = {}
    for kind, column, sentence in _said(options):
        sentences.setdefault((kind, column), []).append(sentence)
    kinds = {(kind, column): [kind] for kind, column in sentences}
    for kind, other in TOGETHER.items():
        for column in [column for each, column in sentences if each is kind and (other, column) in sentences]:
            sentences[other, column] += sentences.pop((kind, column))
            kinds[other, column] += kinds.pop((kind, column))
    return tuple(_decided(key[0], key[1], taken, kinds[key], options) for key, taken in sentences.items())


def _decided(
    kind: AssumptionKind, column: str | None, sentences: list[str], kinds: list[AssumptionKind], options: ReadOptions
) -> Assumption:
    """kinds: of everything that this one takes back."""
    about = f"“{column}”" if column else "The file"
    taken = "; ".join(sentences)
    return Assumption(kind, column, f"{about} is read as somebody decided: {taken}.", taken,
                      (Alternative("as it would be recognised", _without(kinds, column, options)),),
                      asks=False, decided=True)  # fmt: skip


def _without(kinds: list[AssumptionKind], column: str | None, options: ReadOptions) -> ReadOptions:
    """The options without what decides these kinds, of a column or of the file."""
    if column is None:
        return options.changed(**{name: None for name, kind in OF_THE_FILE.items() if kind in kinds})
    nothing, role = ColumnOptions(), options.of(column).role
    gone = {name: getattr(nothing, name) for name, kind in OF_A_COLUMN.items() if kind in kinds}
    gone |= {"role": None} if role is not None and ROLE_KINDS[role] in kinds else {}
    return options.with_column(column, **gone)


def _said(options: ReadOptions) -> Iterator[tuple[AssumptionKind, str | None, str]]:
    for name, kind in OF_THE_FILE.items():
        if (value := getattr(options, name)) is not None:
            meant = CHOICES.get(name, {}).get(value) if isinstance(value, str) else None
            yield kind, None, f"{name} = {value!r}" + (f" ({meant})" if meant else "")
    for column, of_column in options.columns.items():
        for each in fields(of_column):
            value = getattr(of_column, each.name)
            if value == each.default:
                continue
            if each.name == "role":
                yield ROLE_KINDS[value], column, ROLES[value]
            else:
                yield OF_A_COLUMN[each.name], column, _of_column(each.name, value)


def _of_column(name: str, value: object) -> str:
    if name == "recode" and isinstance(value, tuple):
        return ", ".join(f"{before} is {after}" for before, after in value)
    shown = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return {
        "missing": f"{shown}: no answer",
        "order": f"in the order {shown}",
        "yes": f"“{shown}” is yes",
        "inside": f"several answers, separated by “{shown}”" if shown else "one answer in a cell",
        "answers": f"{shown}: an answer",
        "classes": f"rounded to {shown} classes",
        "time": f"times are counted in {shown}",
    }[name]
