"""From a case to what stands in the table: rows and curves, with what they promise and whether they keep it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from benchmarks import growth, timing
from benchmarks.case import Case, Growth, Measured, NotHere, Reading
from benchmarks.timing import Effort, Spread

Sizes = Mapping[str, int | float | str]


@dataclass(frozen=True)
class Row:
    """One number of ours, beside the peer's. bound: what is promised in words; kept: whether it is, None without one.

    why: why there is no number.
    """

    name: str
    sizes: Sizes
    unit: str = "s"
    ours: Spread | None = None
    peer: str = ""
    theirs: Spread | None = None
    bound: str = ""
    kept: bool | None = None
    why: str = ""


@dataclass(frozen=True)
class Curve:
    """Numbers by one size, and the fitted exponent with its standard error."""

    name: str
    letter: str
    fixed: Sizes
    unit: str
    points: tuple[tuple[int, float], ...] = ()
    exponent: float | None = None
    error: float | None = None
    bound: str = ""
    kept: bool | None = None
    why: str = ""


def run(measured: Measured, effort: Effort) -> Iterator[Row | Curve]:
    """What it finds; what fails, fails alone, with a sentence in its row, and the check fails on it."""
    try:
        match measured:
            case Case():
                yield _row(measured, effort)
            case Reading():
                yield from _rows(measured, effort)
            case Growth():
                yield _curve(measured, effort)
    except (NotHere, ModuleNotFoundError) as absent:
        yield _none(measured, absence(absent), None)
    except Exception as error:
        yield _none(measured, f"failed: {type(error).__name__}: {error}", False)


def absence(absent: NotHere | ModuleNotFoundError) -> str:
    """What is not on this machine, as a sentence."""
    return f"{absent.name} is not installed" if isinstance(absent, ModuleNotFoundError) else str(absent)


def _none(measured: Measured, why: str, kept: bool | None) -> Row | Curve:
    why = " ".join(why.split())
    if isinstance(measured, Growth):
        fixed, unit = dict(measured.fixed), measured.unit
        return Curve(measured.name, measured.letter, fixed, unit, kept=kept, why=why)
    peer = measured.peer if isinstance(measured, Case) else ""
    return Row(measured.name, dict(measured.sizes), peer=peer, kept=kept, why=why)


def _row(case: Case, effort: Effort) -> Row:
    own, *other = timing.timed([work for work in case.work() if work is not None], effort)
    peer = other[0].times(case.times) if other else None
    promises = dict(_promises(case, own, peer))
    return Row(
        case.name,
        dict(case.sizes),
        ours=own,
        peer=case.peer,
        theirs=peer,
        bound=", ".join(promises),
        kept=all(promises.values()) if promises else None,
    )


def _promises(case: Case, own: Spread, peer: Spread | None) -> Iterator[tuple[str, bool]]:
    """In words, and whether it is kept."""
    if peer is not None and case.least is not None:
        yield f"theirs / ours ≥ {case.least:g}", peer.median / own.median >= case.least
    if peer is not None and case.most is not None:
        yield f"ours / theirs ≤ {case.most:g}", own.median / peer.median <= case.most
    if case.within is not None:
        yield f"≤ {case.within:g} s", own.median <= case.within


def _rows(reading: Reading, effort: Effort) -> Iterator[Row]:
    read = reading.work()
    found = [read() for _ in range(min(reading.repeats, effort.repeats))]
    for name in found[0]:
        values = timing.spread([one[name] for one in found])
        most = reading.within.get(name)
        yield Row(
            f"{reading.name}: {name}" if name else reading.name,
            dict(reading.sizes),
            reading.unit,
            values,
            bound="" if most is None else f"≤ {most:g} {reading.unit}",
            kept=None if most is None else values.median <= most,
        )


def _curve(asked: Growth, effort: Effort) -> Curve:
    points = []
    for size in asked.sizes:
        work = asked.work(size)
        points.append((size, timing.timed([work], effort)[0].median if asked.unit == "s" else float(work())))
    found = growth.fit([size for size, _ in points], [value for _, value in points])
    return Curve(
        asked.name,
        asked.letter,
        dict(asked.fixed),
        asked.unit,
        tuple(points),
        found.exponent,
        found.error,
        f"≤ {asked.most:g}",
        found.exponent - 2 * found.error <= asked.most,
    )
