"""People who do not tell the truth: what it does to every estimate, and two groups that count one kind of them.

A false *answer* (somebody taps "no") goes in before the noise: every unbiased mechanism then estimates f·T, where
T[x, x'] is the share of those with x who answer x'. That bias hangs on no mechanism, ε or n, and nothing can count it.
A false *report* (dice that are not thrown, a rule that is not kept) moves the estimate by its scores: that hangs on
the mechanism, and groups with different chances count it (theory/honesty). The two are never one number.

>>> from ldpcore import catalog
>>> denied([0.12, 0.88], [True, False], 0.1, instead=1).round(3).tolist()
[-0.012, 0.012]
>>> m = catalog.FREQUENCY["GRR"].build(1.0, 2)
>>> ignored(m, [0.12, 0.88], 0.1, np.array([1])).round(3).tolist()  # a tenth of all always says no
[-0.07, 0.07]
"""

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from ldpcore import checks
from ldpcore.randomizer import Randomizer, Reports
from ldpcore.set_randomizer import SetRandomizer

Array = NDArray[np.float64]
SPLITS = np.linspace(0.01, 0.99, 99)
RANK = 1e-9


class TypeShares(NamedTuple):
    """Shares (types,) of the types of people, which may be negative, and their covariance (types, types)."""

    shares: Array
    covariance: Array


def denied(freq: ArrayLike, who: ArrayLike, share: float, instead: int | None) -> Array:
    """The bias (k,) where this share of those whose answer is in the mask `who` (k,) answers `instead`, whatever n, ε
    and mechanism are. None: they leave their item out, which only sets can. ValueError with a sentence.
    """
    f, mask = np.asarray(freq, float), np.asarray(who, bool)
    if f.ndim != 1 or mask.shape != f.shape:
        raise ValueError(f"who must be a mask with one entry for each of {f.size} shares, got shape {mask.shape}")
    _check_share(share, "the part of those concerned who deny")
    out = np.where(mask, -share * f, 0.0)
    if instead is not None:
        checks.integer(instead, "instead (a code)", 0, len(f) - 1)
        out[instead] += share * f[mask].sum()
    return out


def ignored(
    m: Randomizer | SetRandomizer, freq: ArrayLike, share: float, report: Reports | None, among: ArrayLike | None = None
) -> Array:
    """The bias (k,) where this share of all people does not keep the rule but sends `report`, (1, …); None: any report,
    each as often. among (k,): their true shares; None: as all others'. ValueError for a report that nobody can send.
    """
    f = np.asarray(freq, float)
    if f.shape != (m.k,):
        raise ValueError(f"freq must have one share for each of {m.k} values, got shape {f.shape}")
    _check_share(share, "the part of all people who do not keep the rule")
    truth = f if among is None else np.asarray(among, float)
    if report is None:
        if not isinstance(m, Randomizer):
            raise TypeError("what people tap at random is known of single answers; name the report of a set")
        return share * (m.listed_scores().mean(axis=0) - truth)
    if not m.accepts(report).all():
        raise ValueError(f"no {type(m).__name__} can have sent this report: a collector leaves it out")
    return share * (m.scores(report).mean(axis=0) - truth)


def _check_share(share: float, what: str) -> None:
    if not 0 <= share <= 1:
        raise ValueError(f"share is {what}, between 0 and 1, got {share:g}")


def with_constant(matrix: ArrayLike, report: int) -> Array:
    """A channel (types, reports) with one type more, who always sends this report.

    >>> with_constant([[1.0, 0.0], [0.25, 0.75]], 1).tolist()  # honest holders, honest others, always "no"
    [[1.0, 0.0], [0.25, 0.75], [0.0, 1.0]]
    """
    table = np.asarray(matrix, float)
    return np.vstack([table, np.eye(1, table.shape[1], checks.integer(report, "report", 0, table.shape[1] - 1))])


def groups(channels: Sequence[ArrayLike], counts: Sequence[ArrayLike]) -> TypeShares:
    """Shares of types of people from independent groups: channels[g] (types, reports) = Pr[report | type] there, and
    counts[g] (reports,) how often each came (Clark and Desharnais 1998; Moshagen, Musch, Erdfelder 2012).

    Least squares of the reports' shares with Σ shares = 1, unbiased and exact where as many cells as types; covariance
    from multinomials, by n − 1. It counts who does not keep the rule, never who taps a false answer. ValueError where
    the groups cannot tell the types apart, or a table makes no sense.

    >>> device = [with_constant([[1, 0], [p, 1 - p]], 1) for p in (10 / 12, 2 / 12)]  # RRreg's minarets
    >>> shares, covariance = groups(device, [[373, 191], [398, 294]])
    >>> shares.round(4).tolist(), round(float(shares[0] + shares[2]), 6)
    ([0.5536, 0.1293, 0.3171], 0.870695)
    """
    tables, seen = _checked(channels, counts)
    cells, types = np.concatenate([table[:, :-1] for table in tables], axis=1).T, len(tables[0])
    # The last type is 1 less the others: the sum is exactly 1.
    basis = np.vstack([np.eye(types - 1), -np.ones(types - 1)])
    design, last = cells @ basis, np.eye(types)[-1]
    if np.linalg.matrix_rank(design, tol=RANK) < types - 1:
        raise ValueError("these groups cannot tell all the types apart: give them different chances, or drop a type")
    solve = basis @ np.linalg.pinv(design)
    parts = [count / count.sum() for count in seen]
    shares = last + solve @ (np.concatenate([part[:-1] for part in parts]) - cells @ last)
    spread = np.zeros((len(cells), len(cells)))
    start = 0
    for part, count in zip(parts, seen, strict=True):
        stop = start + len(part) - 1
        spread[start:stop, start:stop] = (np.diag(part[:-1]) - np.outer(part[:-1], part[:-1])) / (count.sum() - 1)
        start = stop
    return TypeShares(shares, solve @ spread @ solve.T)


def _checked(channels: Sequence[ArrayLike], counts: Sequence[ArrayLike]) -> tuple[list[Array], list[Array]]:
    tables, seen = [np.asarray(each, float) for each in channels], [np.asarray(each, float) for each in counts]
    if not tables or len(tables) != len(seen):
        raise ValueError(f"{len(tables)} tables and {len(seen)} groups of counts do not fit together")
    for table, count in zip(tables, seen, strict=True):
        if table.ndim != 2 or len(table) != len(tables[0]) or count.shape != table.shape[1:]:
            raise ValueError(
                f"every group has a table of {len(tables[0])} types by its reports and one count for each report, got "
                f"shapes {table.shape} and {count.shape}"
            )
        if (table < 0).any() or not np.allclose(table.sum(axis=1), 1, atol=1e-9):
            raise ValueError("every row of a table must be chances that sum to 1")
        if not np.isfinite(count).all() or (count < 0).any() or count.sum() < 2:
            raise ValueError("every group needs counts that are not negative, of two people at least")
    return tables, seen


def people(
    channels: Sequence[ArrayLike], shares: ArrayLike, which: int, within: float, level: float = 0.95
) -> tuple[int, float]:
    """The least number of people for ± `within` on the share of one type, where the types have these shares, and the
    part of them in the first of two groups that needs fewest; of one group it is 1.

    >>> device = [with_constant([[1, 0], [p, 1 - p]], 1) for p in (0.25, 0.75)]
    >>> people(device, [0.108, 0.792, 0.1], 2, 0.05)
    (1291, 0.25)
    """
    theta = checks.shares(shares, len(np.asarray(shares)), "shares")
    if len(channels) not in (1, 2):
        raise ValueError(f"people are split between one group and two, got {len(channels)}")
    if not within > 0:
        raise ValueError(f"within must be above 0, got {within:g}")
    tables, large = [np.asarray(each, float) for each in channels], 1e9  # n·Var hangs on no n
    variances = []
    for asked in range(len(tables)):
        # A group that is much larger than this one adds nothing of its own.
        counts = [theta @ table * large * (1.0 if group == asked else 1e6) for group, table in enumerate(tables)]
        variances.append(float(groups(tables, counts).covariance[which, which]) * large)
    splits = SPLITS if len(tables) == 2 else np.ones(1)
    total = variances[0] / splits + (variances[1] / (1 - splits) if len(tables) == 2 else 0.0)
    best, z = int(np.argmin(total)), -float(ndtri((1 - level) / 2))
    return ceil(float(total[best]) * (z / within) ** 2), float(splits[best])
