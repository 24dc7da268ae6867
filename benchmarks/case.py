"""What is measured, as values: a case beside a peer, a reading that the work takes itself, a curve over sizes."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

Work = Callable[[], Any]
"""What is timed."""
FLOOR = "rng.random"
"""The peer that no sampler undercuts which draws a random number for every part of its report."""


class NotHere(Exception):
    """What a case needs is not on this machine: the sentence stands in its row."""


LINEAR = 1.1
"""The exponent that is promised of what grows in proportion: a tenth is for caches that larger sizes no longer fit."""


@dataclass(frozen=True)
class Case:
    """Our seconds, beside those of a peer that does the same in the same run.

    work: sets up what is not timed, and gives what is: ours, and the peer's (None without one).
    times: the peer has so many times fewer people, and its seconds are multiplied by that (theirs / ours is then too
    small rather than too large: what it sets up is counted once for each).
    least: theirs / ours must not be less. most: ours / theirs must not be more. within: seconds of ours at most.
    entry: the catalogue's entry that it is about.
    """

    name: str
    sizes: Mapping[str, int | float | str]
    work: Callable[[], tuple[Work, Work | None]]
    peer: str = ""
    times: float = 1
    least: float | None = None
    most: float | None = None
    within: float | None = None
    entry: object = None


@dataclass(frozen=True)
class Reading:
    """Numbers that the work itself reads off, a row for each: megabytes, or seconds by the clock of a browser.

    work: sets up, and gives what is called `repeats` times. within: so much at most, by the name of the number.
    """

    name: str
    sizes: Mapping[str, int | float | str]
    work: Callable[[], Callable[[], Mapping[str, float]]]
    unit: str
    repeats: int = 3
    within: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Growth:
    """How seconds, or what is read off, grow with one size: time ∝ size^exponent, fitted over `sizes`.

    work: size → what is timed; where `unit` is not seconds, what it returns is the number. most: the exponent that is
    promised; the check fails where the fitted one is more by over two standard errors.
    """

    name: str
    letter: str
    sizes: tuple[int, ...]
    work: Callable[[int], Work]
    most: float
    fixed: Mapping[str, int | float | str] = field(default_factory=dict)
    unit: str = "s"


Measured = Case | Reading | Growth


@dataclass(frozen=True)
class Family:
    """What stands in one section of the table. cases: quick? → its cases; set up and run one after the other, so that a
    generator may keep a dashboard open between them. app: it needs a browser.
    """

    key: str
    title: str
    note: str
    cases: Callable[[bool], Iterable[Measured]]
    app: bool = False
