"""The objective over channels, its derivatives, and what certifies that a channel is optimal."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Program:
    """min Σ_l cost·loss/information (both rows linear in x) subject to rows·x = right, x ≥ 0.

    The first row is the total: ones, and 0 for the slack of the exposure bound, which is the last column then.
    """

    cost: Array
    """(l,) positive"""
    information: Array
    """(l, n)"""
    loss: Array
    """(l, n) equal to 1 − openly·information for every channel"""
    openly: Array
    """(l,)"""
    precise: NDArray[np.bool_]
    """(l,) where derivatives are taken by loss, not by information: where a channel can lose next to nothing."""
    rows: Array
    """(a, n)"""
    right: Array
    """(a,)"""
    bounded: bool
    """The last row bounds the exposure: its multiplier is not positive."""
    measures: Array
    """(b, n) not negative, and for every channel Σ ≤ 1: what the certificate may raise reduced costs by."""

    def missed(self, x: Array) -> float:
        """By how much x is not a channel, relative to what each row asks for."""
        return float(np.max(np.abs(self.right - self.rows @ x) / np.where(self.right > 0, self.right, 1.0)))

    def restricted(self, columns: NDArray[np.int64]) -> "Program":
        return replace(
            self,
            information=self.information[:, columns],
            loss=self.loss[:, columns],
            rows=self.rows[:, columns],
            measures=self.measures[:, columns],
        )


@dataclass(frozen=True)
class ObjectiveTerms:
    """The objective with unit rows. `slope` rows stand for the variables of its derivatives: loss, or −information."""

    cost: Array
    information: Array
    loss: Array
    slope: Array
    factor: Array

    def value(self, x: Array) -> float:
        information = self.information @ x
        return float(np.sum(self.cost * (self.loss @ x) / information)) if information.min() > 0 else np.inf

    def derivatives(self, x: Array) -> tuple[Array, Array]:
        """First and second derivatives with respect to the slopes, all positive."""
        information = self.information @ x
        first = self.cost / information**2 * self.factor
        return first, 2 * first * self.factor / information


def terms_of(program: Program) -> ObjectiveTerms:
    top = program.information.max(axis=1)
    worst = program.loss.max(axis=1)
    by_loss = program.precise & (program.openly * top > 0.1)
    slope = np.where(by_loss[:, None], program.loss / worst[:, None], -program.information / top[:, None])
    factor = np.where(by_loss, worst / np.where(by_loss, program.openly * top, 1.0), 1.0)
    return ObjectiveTerms(program.cost / top, program.information / top[:, None], program.loss, slope, factor)


def certificate(program: Program, terms: ObjectiveTerms, x: Array, multipliers: Array) -> tuple[float, Array]:
    """The relative gap of x over all columns, and their reduced costs."""
    reduced = terms.derivatives(x)[0] @ terms.slope - multipliers @ program.rows
    return gap_of(program, reduced, x) / terms.value(x), reduced


def gap_of(program: Program, reduced: Array, x: Array) -> float:
    """How far x can be from the optimum: what it costs to raise every negative reduced cost to zero."""
    low = np.flatnonzero(reduced < 0)
    if not len(low):
        return float(reduced @ x)
    measures = program.measures[:, low]
    strongest = np.argmax(measures, axis=0)
    needed = -reduced[low] / measures[strongest, np.arange(len(low))]
    return float(reduced @ x) + sum(
        float(np.max(needed, initial=0.0, where=strongest == row)) for row in range(len(measures))
    )
