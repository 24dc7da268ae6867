"""Two columns of a table, counted together; and what the study compares in them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ldpcore.data import Table
from ldpcore.relations import pair_too_large
from ldpcore.study import fitting
from ldpcore.study.review.people import BETWEEN

Counts = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class PairCounts:
    """counts (kx, ky) of people with each pair of answers; the questions' names and labels; left_out: people who left
    one out, who are not counted.
    """

    names: tuple[str, str]
    labels: tuple[tuple[str, ...], tuple[str, ...]]
    counts: Counts
    left_out: int

    @property
    def n(self) -> int:
        return int(self.counts.sum())

    @property
    def freq(self) -> NDArray[np.float64]:
        """Shares (kx, ky) of all pairs."""
        return self.counts / self.n

    def marks(self, values: Iterable[str]) -> tuple[Mask, Mask]:
        """Marks such as "smoking = every day" as masks (kx,) and (ky,); those of other questions are not looked at."""
        of = split(values, self.names)
        first, second = (np.isin(labels, of[name]) for name, labels in zip(self.names, self.labels, strict=True))
        return first, second

    def giving(self, values: Iterable[str]) -> float:
        """The share of people who give one of these marked answers, to either question."""
        first, second = self.marks(values)
        return float(self.freq[first[:, None] | second[None, :]].sum())

    def codes(self, side: int, labels: Iterable[str]) -> Mask:
        """A mask of these labels; ValueError for one that is not there."""
        wanted = list(labels)
        unknown = [label for label in wanted if label not in self.labels[side]]
        if unknown:
            raise ValueError(
                f"“{self.names[side]}” has no answer {unknown[0]!r}; it has {', '.join(self.labels[side][:8])}"
            )
        return np.isin(self.labels[side], wanted)

    def joined(self, groups: Sequence[Mask], answers: Sequence[Mask]) -> "PairCounts":
        """Each of these sets of groups as one group, of answers as one answer; together they are all."""
        counts = np.array([[self.counts[np.ix_(x, y)].sum() for y in answers] for x in groups])
        labels = tuple(
            tuple("; ".join(np.array(known)[part]) for part in parts)
            for known, parts in zip(self.labels, (groups, answers), strict=True)
        )
        return replace(self, labels=labels, counts=counts)


def written(name: str, labels: Iterable[str]) -> list[str]:
    """Answers of a question as marks.

    >>> written("smoking", ["never"])
    ['smoking = never']
    """
    return [f"{name}{BETWEEN}{label}" for label in labels]


def split(marks: Iterable[str], names: Sequence[str]) -> dict[str, list[str]]:
    """Marks by these questions, as their answers; of two names that a mark may begin with the longer one is meant.

    >>> split(["a = b = c", "a = x", "other = y"], ["a", "a = b"])
    {'a': ['x'], 'a = b': ['c']}
    """
    answers: dict[str, list[str]] = {name: [] for name in names}
    for mark in marks:
        fits = [name for name in names if mark.startswith(f"{name}{BETWEEN}")]
        if fits:
            name = max(fits, key=len)
            answers[name].append(mark.removeprefix(f"{name}{BETWEEN}"))
    return answers


def counted(table: Table, x: str, y: str) -> PairCounts:
    """People by both answers, answers that nobody gave left out. ValueError, in a sentence, where there is no relation.

    >>> from ldpcore import data
    >>> people = counted(data.load("health"), "smoking", "sex")
    >>> people.counts.sum(), people.left_out, people.labels[1]
    (np.int64(20000), 0, ('female', 'male'))
    """
    if x == y:
        raise ValueError("Choose two different questions.")
    codes, labels = [], []
    for name in (x, y):
        profile = fitting.column(table, name)
        if profile is None or not profile.countable or fitting.must_bin(profile):
            raise ValueError(
                f"“{name}” is no question with a list of answers; choose another, or bin its numbers first."
            )
        labels.append(np.array(table.categorical(name, "column").domain.labels))
        codes.append(np.asarray(table.frame[name].astype("category").cat.codes, np.intp))
    both = (codes[0] >= 0) & (codes[1] >= 0)
    if not both.any():
        raise ValueError("No one answered both questions; a relation needs people who did.")
    counts = np.zeros((len(labels[0]), len(labels[1])), np.int64)
    np.add.at(counts, (codes[0][both], codes[1][both]), 1)
    rows, columns = counts.any(axis=1), counts.any(axis=0)
    for name, given in ((x, rows), (y, columns)):
        if given.sum() < 2:
            raise ValueError(f"“{name}” has one answer here; a relation needs two.")
    kept = tuple(labels[0][rows].tolist()), tuple(labels[1][columns].tolist())
    return PairCounts((x, y), kept, counts[np.ix_(rows, columns)], int((~both).sum()))


def pair_refused(people: PairCounts, mx: Mask, my: Mask) -> str:
    """Why these two are not to be asked as one, in a sentence; "" where they can."""
    if too_many := pair_too_large(people.counts.size):
        return too_many
    for name, marked in zip(people.names, (mx, my), strict=True):
        if (mx.any() or my.any()) and not marked.any():
            return f"“{name}” is not marked; asking it with the other hides it for nothing."
    return ""


SAMPLED = (
    "Each person answers one of the two, so nothing ties them together: no relation can be estimated. Ask both, or the "
    "pair as one."
)
"""What to say where a scheme asks each person one question."""

__all__ = ["SAMPLED", "PairCounts", "counted", "pair_refused", "split", "written"]
