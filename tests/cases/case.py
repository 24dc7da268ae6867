"""A case: a file, what is measured of it, and what that should be."""

import csv
import io
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ldpcore.data import AssumptionKind, Table

KINDS = AssumptionKind
Measure = Callable[[Table], Any]


@dataclass(frozen=True)
class Case:
    """kind: of the assumption that must be there. take: the alternative that leads to the expected value, by its place;
    None where the first reading has it. column: what the assumption is about.
    """

    kind: AssumptionKind
    title: str
    content: bytes
    file: str
    measure: Measure
    expected: Any
    take: int | None = None
    column: str | None = None

    def __str__(self) -> str:
        return f"{self.kind}-{self.title}".replace(" ", "-")


def text(rows: Iterable[Sequence[object]], separator: str = ",", encoding: str = "utf-8") -> bytes:
    """Rows as a program writes them."""
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator="\n").writerows(rows)
    return out.getvalue().encode(encoding)


def table(
    names: Sequence[str], columns: Sequence[Sequence[object]], separator: str = ",", encoding: str = "utf-8"
) -> bytes:
    return text([names, *zip(*columns, strict=True)], separator, encoding)


def draw(seed: int, values: Sequence[Any], n: int, weights: Sequence[float] | None = None) -> list[Any]:
    return random.Random(seed).choices(list(values), weights, k=n)


def mean(column: str) -> Measure:
    """(mean, how many) of a column's numbers."""

    def measured(read: Table) -> tuple[float, int]:
        numbers = read.numbers(column, "column")
        return round(float(numbers.mean()), 6), len(numbers)

    return measured


def mean_of(values: Iterable[float]) -> tuple[float, int]:
    held = list(values)
    return round(sum(held) / len(held), 6), len(held)


def people(read: Table) -> int:
    return len(read.frame)


def counts(column: str) -> Measure:
    """Answer → people."""

    def measured(read: Table) -> dict[str, int]:
        found = read.categorical(column, "column")
        return {label: int(n) for label, n in zip(found.domain.labels, found.counts, strict=True) if n}

    return measured


def counted(values: Iterable[object]) -> dict[str, int]:
    return dict(Counter(map(str, values)))


def items(read: Table) -> tuple[int, dict[str, int]]:
    """(people, item → people) of the first column of sets."""
    held = read.baskets(next(iter(read.sets)))
    return held.n, {label: int(n) for label, n in zip(held.labels, held.counts, strict=True) if n}


def items_of(baskets: Iterable[Iterable[str]]) -> tuple[int, dict[str, int]]:
    held = [set(basket) for basket in baskets]
    return len(held), dict(Counter(item for basket in held for item in basket))


def labels(column: str) -> Measure:
    """The answers in their order."""
    return lambda read: read.categorical(column, "column").domain.labels
