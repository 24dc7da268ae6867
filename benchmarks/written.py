"""The table: everything that is kept, as Markdown. Nothing in it is typed."""

import math
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.case import FLOOR, Family
from benchmarks.running import Curve, Row, Sizes
from benchmarks.stored import Found
from benchmarks.timing import Spread

PATH = Path(__file__).parent / "RESULTS.md"
HEAD = """# Benchmarks

Written by `python -m benchmarks`, from what it measured and keeps in `benchmarks/results/`; do not edit.

Numbers are medians of the repeats within one run, quartiles in brackets. Where the unit is seconds of the engine, they
are the processor's, of all threads; BLAS has one thread. A peer is timed in turns with ours. Where it takes
long it gets fewer people, and its seconds are multiplied: fair where its time grows with people. `{floor}` is the
floor: drawing random numbers, as many as the section says.
"""
NO, YES = "**no**", "yes"


def page(found: Sequence[tuple[Family, Found]]) -> str:
    """The whole file, families in their order."""
    return "\n".join(
        [HEAD.format(floor=FLOOR), *_summary(found), *(part for family, one in found for part in section(family, one))]
    )


def section(family: Family, found: Found) -> list[str]:
    """One family's lines."""
    lines = [f"## {family.title}", "", family.note, ""]
    if found.rows:
        lines += _table(("case", "sizes", "ours", "peer", "theirs", "ratio", "promised", "kept"), map(_row, found.rows))
    if found.curves:
        lines += ["### Growth: " + family.title, ""]
        head = ("curve", "fixed", "numbers", "exponent ± standard error", "promised", "kept")
        lines += _table(head, map(_curve, found.curves))
    return lines


def _summary(found: Sequence[tuple[Family, Found]]) -> list[str]:
    machines: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for family, one in found:
        machines.setdefault(tuple(one.machine.items()), []).append(family.key)
    lines = []
    for machine, keys in machines.items():
        lines += [f"Measured on ({', '.join(keys)}):", "", *(f"- {name}: {value}" for name, value in machine), ""]
    rows = (
        (
            family.title,
            one.date,
            one.commit,
            f"{one.took:.0f} s",
            f"{one.load[0]:.1f} → {one.load[1]:.1f}",
            str(len(one.rows) + len(one.curves)),
            ", ".join(each.name for each in one.broken) or "none",
        )
        for family, one in found
    )
    head = ("family", "when (UTC)", "version", "took", "load average before → after", "rows", "promises not kept")
    return [*lines, *_table(head, rows)]


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [_line(head), _line(["---"] * len(head)), *map(_line, rows), ""]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '∣') for cell in cells)} |"


def _row(row: Row) -> Sequence[str]:
    if row.ours is None:
        return row.name, _sizes(row.sizes), row.why, row.peer, "", "", "", _kept(row.kept)
    theirs = _spread(row.theirs, row.unit) if row.theirs else ""
    return (
        row.name,
        _sizes(row.sizes),
        _spread(row.ours, row.unit),
        row.peer,
        theirs,
        _ratio(row),
        row.bound,
        _kept(row.kept),
    )


def _curve(curve: Curve) -> Sequence[str]:
    if curve.exponent is None:
        return curve.name, _sizes(curve.fixed), curve.why, "", "", _kept(curve.kept)
    numbers = ", ".join(f"{_count(size)}: {_number(value, curve.unit)}" for size, value in curve.points)
    exponent = f"{curve.exponent:.2f} ± {curve.error:.2f}"
    return (
        f"{curve.name}, by {curve.letter}",
        _sizes(curve.fixed),
        numbers,
        exponent,
        curve.bound,
        _kept(curve.kept),
    )


def _ratio(row: Row) -> str:
    if row.theirs is None or row.ours is None:
        return ""
    faster = row.theirs.median / row.ours.median
    if row.peer == FLOOR:
        return f"{1 / faster:.3g} floors"
    return f"{_digits(faster)} × faster" if faster >= 1 else f"{_digits(1 / faster)} × slower"


def _kept(kept: bool | None) -> str:
    return "" if kept is None else YES if kept else NO


def _sizes(sizes: Sizes) -> str:
    return ", ".join(f"{name} = {_count(size)}" for name, size in sizes.items())


def _count(size: float | str) -> str:
    if isinstance(size, str):
        return size
    power = len(str(size)) - 1
    if isinstance(size, int) and size >= 10_000 and size == 10**power:
        return f"10^{power}"
    return f"{size:,}".replace(",", "\u202f") if isinstance(size, int) else f"{size:g}"


def _spread(values: Spread, unit: str) -> str:
    """Median and quartiles, in the unit that suits the median."""
    factor, name = _unit(values.median, unit)
    median, low, high = (_digits(value * factor) for value in (values.median, values.low, values.high))
    told = median if math.isinf(values.median) else f"{median} {name}"
    return f"{told} (once)" if values.repeats == 1 else f"{told} ({low} – {high})"


def _number(value: float, unit: str) -> str:
    factor, name = _unit(value, unit)
    return f"{_digits(value * factor)} {name}"


def _unit(value: float, unit: str) -> tuple[float, str]:
    if unit != "s" or value >= 1:
        return 1.0, unit
    return (1e3, "ms") if value >= 1e-3 else (1e6, "µs")


def _digits(value: float) -> str:
    """Three digits that say something, without an exponent."""
    if math.isinf(value):
        return "given up"
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"
