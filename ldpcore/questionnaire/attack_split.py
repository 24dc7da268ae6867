"""The people of a questionnaire: their answers as codes, and the two halves, one to learn from and one to attack."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore.data import DataError, Table
from ldpcore.randomizer import Randomizer
from ldpcore.rng import stream

Codes = NDArray[np.intp]
Mask = NDArray[np.bool_]

OPEN = "open"
"""An answer that is sent as it is."""
MOST = 200
"""Values of a column that an attacker tells apart: of more text the most common ones, of more numbers as many bins."""
FEWEST = 10
"""People with a marked answer, and without, in either half: with fewer nothing can be learned, or said."""

Sent = Randomizer | str
"""How a column is answered: through a mechanism, or OPEN."""


@dataclass(frozen=True, eq=False)
class QuestionColumn:
    """One question. codes (n,): everybody's answer, below k. sent: how it reaches the collector."""

    name: str
    codes: Codes
    k: int
    sent: Sent


@dataclass(frozen=True, eq=False)
class AttackSplit:
    """target (n,): the answers to the question that is attacked, below len(marked); marked (k,): which are marked;
    own: how it is answered, None where it is not sent at all; others: the other questions, by name. learn, attacked:
    which people are known to the attacker, and which are attacked; disjoint. weight (attacked,): how many people of
    that half each of the attacked stands for, since marked people are drawn more often.
    """

    target: Codes
    marked: Mask
    labels: tuple[str, ...]
    own: Randomizer | None
    others: Mapping[str, QuestionColumn]
    learn: Codes
    attacked: Codes
    weight: NDArray[np.float64]
    seed: int

    @property
    def exposed(self) -> Mask:
        """Which of the attacked (m,) gave a marked answer."""
        return self.marked[self.target[self.attacked]]


def attack_split(
    table: Table,
    *,
    target: str,
    marks: Iterable[str],
    own: Randomizer | None = None,
    others: Mapping[str, Sent] | None = None,
    seed: int = 1,
    people: int = 2000,
) -> AttackSplit:
    """The people of this table, for an attack on the marked answers `marks` to the question `target`.

    own: the mechanism of its report; None: it is not sent. others: column → "open" or the mechanism of its report (over
    the column's labels in their order, a missing answer last); None: all other columns, open. people: attacked at most,
    of the half from which nothing is learned. DataError or ValueError with a sentence where nothing can be said.
    """
    histogram = table.categorical(target, "column")
    labels = histogram.domain.labels
    marked = histogram.domain.mask(marks)
    if not marked.any():
        raise DataError(f"Nothing is marked in “{target}”.", "Mark the answers that are sensitive.")
    if marked.all():
        raise DataError(
            f"Everything is marked in “{target}”.", "There is nobody to tell marked people from. Mark fewer answers."
        )
    if own is not None and own.k != len(labels):
        raise ValueError(f"the mechanism is for {own.k} values, “{target}” has {len(labels)}")
    codes: Codes = np.asarray(table.frame[target].cat.codes, np.intp)
    answered = np.flatnonzero(codes >= 0)
    rng = stream(seed, "questionnaire", target)
    shuffled = answered[rng.permutation(len(answered))]
    learn, rest = shuffled[: len(shuffled) // 2], shuffled[len(shuffled) // 2 :]
    exposed = marked[codes[rest]]
    for half, part in ((learn, marked[codes[learn]]), (rest, exposed)):
        if min(part.sum(), len(half) - part.sum()) < FEWEST:
            raise DataError(
                f"Too few people in “{target}” have a marked answer, or too few have another.",
                f"The attack learns from one half of the people and is tried on the other: each needs {FEWEST} of "
                "either kind. Mark other answers, or bring more people.",
            )
    attacked, weight = _drawn(rest, exposed, people)
    chosen = _chosen(table, target, others)
    columns = {name: _column(table, name, sent, len(codes)) for name, sent in chosen.items()}
    return AttackSplit(codes, marked, labels, own, columns, learn, attacked, weight, seed)


def _drawn(rest: Codes, exposed: Mask, people: int) -> tuple[Codes, NDArray[np.float64]]:
    """At most so many of this half, as many of either kind as there are; and for how many each stands."""
    kinds = [rest[exposed], rest[~exposed]]
    fewer = min(len(kinds[0]), len(kinds[1]), people // 2)
    sizes = [min(len(kind), people - fewer) if len(kind) > fewer else len(kind) for kind in kinds]
    if min(len(kind) for kind in kinds) > fewer:
        sizes = [fewer, people - fewer]
    drawn = [kind[:size] for kind, size in zip(kinds, sizes, strict=True)]
    return np.concatenate(drawn), np.repeat([len(k) / s for k, s in zip(kinds, sizes, strict=True)], sizes)


def _chosen(table: Table, target: str, others: Mapping[str, Sent] | None) -> dict[str, Sent]:
    """The other questions; None: all, sent openly."""
    if others is None:
        return dict.fromkeys((name for name in table.frame.columns if name != target), OPEN)
    if target in others:
        raise ValueError(f"“{target}” is attacked, so it is not among the other questions; pass its mechanism as own")
    return dict(others)


def _column(table: Table, name: str, sent: Sent, n: int) -> QuestionColumn:
    if name not in table.frame.columns:
        raise DataError(f"“{table.name}” has no column “{name}”.", "Choose among its columns.")
    codes, k = _codes(table.frame[name])
    if isinstance(sent, str):
        if sent != OPEN:
            raise ValueError(f"“{name}” is answered through a mechanism or {OPEN!r}, got {sent!r}")
        return QuestionColumn(name, codes, k, sent)
    if sent.k < k:
        raise ValueError(f"the mechanism of “{name}” is for {sent.k} values, it has {k}; count a missing answer too")
    return QuestionColumn(name, codes, sent.k, sent)


def _codes(series: pd.Series) -> tuple[Codes, int]:
    """Codes (n,) and their number; a missing answer is one of them where there is any."""
    codes: Codes
    if isinstance(series.dtype, pd.CategoricalDtype):
        codes, k = np.asarray(series.cat.codes, np.intp), len(series.cat.categories)
    elif pd.api.types.is_numeric_dtype(series.dtype):
        ranks = series.rank(pct=True).to_numpy(float)
        codes = np.where(np.isnan(ranks), -1, np.ceil(np.nan_to_num(ranks) * MOST) - 1).astype(np.intp)
        k = MOST
    else:
        # Of text that has more values the common ones; the rest are one.
        common = series.value_counts().index[: MOST - 1]
        codes = np.asarray(pd.Categorical(series, common).codes, np.intp)
        codes = np.where((codes < 0) & np.asarray(series.notna()), len(common), codes)
        k = len(common) + 1
    return (np.where(codes < 0, k, codes), k + 1) if np.any(codes < 0) else (codes, k)
