"""What is marked, and who marks something else for themselves."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

SENSITIVE, SECRET = LEVELS = ("sensitive", "secret")
"""Levels that a value can be marked with, each more protected than those before it; unmarked values are public."""


@dataclass(frozen=True)
class Marks:
    """What is marked: `levels` are pairs of a value and its level. Values that are not named are public.

    A sensitive value is protected by the study's `epsilon`, a secret one by its `secret_epsilon`.

    >>> Marks.of(["HIV", "hepatitis B"]).levels
    (('HIV', 'sensitive'), ('hepatitis B', 'sensitive'))
    >>> Marks((("HIV", "secret"), ("flu", "sensitive"))).secret
    ('HIV',)
    """

    levels: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        for _, level in self.levels:
            if level not in LEVELS:
                raise ValueError(f"the level of a mark must be one of {', '.join(LEVELS)}, got {level!r}")
        repeated = len(self.levels) - len(set(self.values))
        if repeated:
            raise ValueError(f"{repeated} value(s) are marked twice; each value has one level")

    def __bool__(self) -> bool:
        return bool(self.levels)

    def __len__(self) -> int:
        return len(self.levels)

    @classmethod
    def of(cls, values: Iterable[Any], level: str = SENSITIVE) -> "Marks":
        """All these values at one level."""
        return cls(tuple((str(value), level) for value in values))

    @property
    def values(self) -> tuple[str, ...]:
        """The marked values, of whatever level."""
        return tuple(value for value, _ in self.levels)

    @property
    def secret(self) -> tuple[str, ...]:
        """The values that are more than sensitive."""
        return tuple(value for value, level in self.levels if level == SECRET)

    @property
    def by_protection(self) -> list[str]:
        """The marked values, the most protected first.

        >>> Marks((("flu", "sensitive"), ("HIV", "secret"))).by_protection
        ['HIV', 'flu']
        """
        return [value for level in LEVELS[::-1] for value, at in self.levels if at == level]

    def each(self, change: Callable[[tuple[str, ...]], Iterable[str]]) -> "Marks":
        """The same marks in other words: `change` writes the values of one level anew, level by level. What is then at
        two levels (a bin that holds a bit of both) keeps the more protected one.

        >>> Marks((("1", "sensitive"), ("2", "secret"))).each(lambda values: ["low", *values]).levels
        (('low', 'secret'), ('1', 'sensitive'), ('2', 'secret'))
        """
        written: dict[str, str] = {}
        for level in LEVELS:
            written |= dict.fromkeys(change(tuple(value for value, at in self.levels if at == level)), level)
        return Marks(tuple(written.items()))

    def within(self, known: Collection[str]) -> "Marks":
        """The same marks without those of other values."""
        return Marks(tuple(mark for mark in self.levels if mark[0] in known))

    def flat(self) -> "Marks":
        """The same values marked, all at one level."""
        return Marks.of(self.values)


UNMARKED = Marks()
"""Nothing is marked."""


@dataclass(frozen=True)
class Choice:
    """Other marks, which a part of the people choose for themselves instead of the study's: this `share` of all, or of
    the `holders` of what they mark another (None: the same).

    >>> Choice(Marks.of(["flu"]), 0.3).holding
    0.3
    """

    marks: Marks
    share: float
    holders: float | None = None

    def __post_init__(self) -> None:
        for share in (self.share, self.holding):
            if not 0 <= share <= 1:
                raise ValueError(f"the share of people who choose other marks lies between 0 and 1, got {share:g}")

    @property
    def holding(self) -> float:
        """The share that chooses these marks among people whose answer they cover."""
        return self.share if self.holders is None else self.holders


def most(choices: Sequence[Choice]) -> float:
    """The largest share, over all answers, of people with that answer who choose other marks.

    >>> round(most([Choice(Marks.of(["flu"]), 0.2, 0.9), Choice(Marks.of(["HIV"]), 0.05)]), 9)
    0.95
    """
    marked = [set(choice.marks.values) for choice in choices]
    answers = [None, *set().union(*marked)]
    return max(
        sum(
            choice.holding if answer in values else choice.share for choice, values in zip(choices, marked, strict=True)
        )
        for answer in answers
    )
