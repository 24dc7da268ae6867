"""How many people tell a difference of two groups, or a relation at all; and what so many people tell.

v(f) is n·Var of the difference at shares f, f₀ has both groups at the pooled share, f₁ the difference Δ:

    n = (z_{α/2}√v(f₀) + z_β√v(f₁))²/Δ²;   independence: noncentral χ², λ per person = Dᵀ V₀⁻¹ D, V₀ at f_x ⊗ f_y.

There are no worst data: an empty group makes it infinite. So shares are asked for; with nothing hidden it is the
classical plan of two proportions (theory/relations#people).
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import chdtri, chndtr, ndtri

from ldpcore import checks
from ldpcore.relations import PairDesign
from ldpcore.relations.groups import Members, share_within, sides, some_answers
from ldpcore.relations.independence import turned, whitening

from .solve import quantile

Array = NDArray[np.float64]

LEAST, HALVINGS = 1e-9, 60
"""The least difference that is looked for."""
MOST_PEOPLE = 1e15
"""More people are nobody's plan."""


def difference(
    design: PairDesign,
    freq: ArrayLike,
    y: Members,
    one: Members,
    other: Members,
    delta: float | None = None,
    power: float = 0.8,
    level: float = 0.95,
    about: str = "like",
) -> int | None:
    """The least number of people of whom Pr[y | one] − Pr[y | other] is told from 0, at this level, `power` times in 1.

    freq (kx, ky): the shares that are expected; delta: the difference, None for that of freq; else one's share becomes
    other's + delta. None where there is no difference to tell.

    >>> from ldpcore import relations
    >>> open_ = relations.apart(2, 2)  # the classical plan of two proportions, .30 and .45
    >>> difference(open_, [[0.35, 0.15], [0.275, 0.225]], y=[1], one=[1], other=[0])
    325
    """
    table = design.shares(freq)
    moved = _moved(table, y, one, other, delta)
    gap = share_within(moved, y, one) - share_within(moved, y, other)
    if abs(gap) < LEAST:
        return None
    v0, v1 = _spreads(design, table, moved, y, one, other, about)
    people = ((quantile(level) * math.sqrt(v0) + _ahead(power) * math.sqrt(v1)) / gap) ** 2
    return max(1, math.ceil(people * (1 - 1e-12))) if people < MOST_PEOPLE else None


def least_difference(
    design: PairDesign,
    freq: ArrayLike,
    y: Members,
    one: Members,
    other: Members,
    n: int,
    power: float = 0.8,
    level: float = 0.95,
    about: str = "like",
) -> float | None:
    """The least Δ above 0 that n people tell; None where they tell none that can be.

    >>> from ldpcore import relations
    >>> open_ = relations.apart(2, 2)
    >>> delta = least_difference(open_, [[0.35, 0.15], [0.35, 0.15]], y=[1], one=[1], other=[0], n=1000)
    >>> round(delta, 4), difference(open_, [[0.35, 0.15], [0.35, 0.15]], [1], [1], [0], delta)
    (0.084, 1000)
    """
    people, table = checks.integer(n, "n (the number of people)", 1), design.shares(freq)
    low, high = 0.0, 1 - share_within(table, y, other)

    def enough(delta: float) -> bool:
        needed = difference(design, table, y, one, other, delta, power, level, about)
        return needed is not None and needed <= people

    if not enough(high):
        return None
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def half_width(
    design: PairDesign,
    freq: ArrayLike,
    y: Members,
    one: Members,
    other: Members,
    n: int,
    level: float = 0.95,
    about: str = "like",
) -> float:
    """± of the difference with n people, z√(v/n); the page's error against ε."""
    v = design.variance(freq, y, one, other, about)
    return quantile(level) * math.sqrt(max(v, 0.0) / checks.integer(n, "n (the number of people)", 1))


def independence(design: PairDesign, freq: ArrayLike, power: float = 0.8, level: float = 0.95) -> int | None:
    """The least number of people whose test of independence, at this level, tells this relation `power` times in 1.
    None where there is none.

    >>> from ldpcore import relations
    >>> independence(relations.apart(2, 2), [[0.35, 0.15], [0.275, 0.225]])
    328
    """
    table = design.shares(freq)
    per_person, df = _noncentrality(design, table)
    if per_person < LEAST**2 or not df:
        return None
    _ahead(power)
    beyond = chdtri(df, 1 - level)
    low, high = 0.0, 1.0
    while chndtr(beyond, df, high) > 1 - power:
        low, high = high, 2 * high
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if chndtr(beyond, df, middle) > 1 - power else (low, middle)
    people = high / per_person
    return max(1, math.ceil(people * (1 - 1e-12))) if people < MOST_PEOPLE else None


def _noncentrality(design: PairDesign, table: Array) -> tuple[float, int]:
    """λ per person, and degrees of freedom."""
    fx, fy = table.sum(axis=1), table.sum(axis=0)
    turn, independent = turned(fx[None], fy[None])[0], np.outer(fx, fy)
    white, rank = whitening((turn @ design.covariance(independent, 1, "like") @ turn.T)[None])
    departure = (table - independent)[:-1, :-1].ravel()
    return float(np.sum((departure @ white[0]) ** 2)), int(rank[0])


def _ahead(power: float) -> float:
    """z_β."""
    if not 0 < power < 1:
        raise ValueError(f"power is a share between 0 and 1, such as 0.8, got {power!r}")
    return float(ndtri(power))


def _with_share(table: Array, answers: NDArray[np.bool_], side: NDArray[np.bool_], share: float) -> Array:
    """The table whose people in this group have the answers so often; the group keeps its size, its people with and
    without keep their patterns, or get that of everybody where there are none.
    """
    out, size = table.copy(), table[side].sum()
    for part, wanted in ((answers, share), (~answers, 1 - share)):
        inside = table[np.ix_(side, part)]
        pattern = inside if inside.sum() > 0 else np.outer(table[side].sum(axis=1), table[:, part].sum(axis=0) + LEAST)
        out[np.ix_(side, part)] = pattern / pattern.sum() * wanted * size
    return out


def _moved(table: Array, y: Members, one: Members, other: Members, delta: float | None) -> Array:
    """f₁."""
    answers, (first, second) = some_answers(y, table.shape[1]), sides(one, other, table.shape[0])
    for side in (first, second):
        if table[side].sum() <= 0:
            raise ValueError("nobody is in one of the groups, so no number of people compares with it; choose another")
    if delta is None:
        return table
    wanted = share_within(table, answers, second) + float(delta)
    if not 0 <= wanted <= 1:
        raise ValueError(
            f"a share of {wanted - float(delta):.3g} and a difference of {float(delta):.3g} make none between 0 and 1"
        )
    return _with_share(table, answers, first, wanted)


def _spreads(
    design: PairDesign, table: Array, moved: Array, y: Members, one: Members, other: Members, about: str
) -> tuple[float, float]:
    """v(f₀) and v(f₁)."""
    answers, (first, second) = some_answers(y, table.shape[1]), sides(one, other, table.shape[0])
    pooled = share_within(moved, answers, first | second)
    level = _with_share(_with_share(moved, answers, first, pooled), answers, second, pooled)
    v0, v1 = (max(design.variance(f, answers, first, second, about), 0.0) for f in (level, moved))
    return v0, v1
