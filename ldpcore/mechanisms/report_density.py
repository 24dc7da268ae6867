"""Report laws that are piecewise constant, with atoms: exact integrals, likelihood, and EM's products in O(d).

Under the input x a report has a constant density `level` on a common span (off the `holes`, where x is `holed`), the
density `extra` more on a window of its own, an atom at a place of its own, and atoms at places that are common to all.
A window has a start and a width: the ends of a narrow one are too near to tell it. PM, SW, SDPM, HM, Duchi and
uTernary are such laws; each mechanism only says its numbers.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ldpcore import former
from ldpcore.em import Products
from ldpcore.numeric_randomizer import Intervals, Vector


@dataclass(frozen=True, eq=False)
class ReportDensity:
    """The report laws of n inputs: fields are (n,) unless said; `atoms` (A,), `atom_mass` (n, A)."""

    span: tuple[float, float]
    level: Vector
    start: Vector
    width: Vector
    extra: Vector
    own: Vector
    own_mass: Vector
    atoms: Vector
    atom_mass: Vector
    holes: Intervals = ()
    holed: NDArray[np.bool_] | None = None

    @classmethod
    def of(cls, n: int, span: tuple[float, float], **fields: object) -> "ReportDensity":
        """A law without what is not named."""
        zero = np.zeros(n)
        blank = {"level": zero, "start": zero, "width": zero, "extra": zero, "own": zero, "own_mass": zero}
        return cls(span, **{**blank, "atoms": np.zeros(0), "atom_mass": np.zeros((n, 0)), **fields})  # type: ignore[arg-type]

    def density(self, edges: Vector, power: int = 0, about: Vector | None = None) -> Vector:
        """∫ (y − about)^power · density over each cell, (n, cells): the part without the atoms. about: 0 unless said,
        one place for each input (n,), or one for each of its cells (n, cells).
        """
        at = np.zeros((len(self.level), 1)) if about is None else about.reshape(len(self.level), -1)

        def integral(y: Vector) -> Vector:
            upper, lower = ((end - at) ** (power + 1) / (power + 1) for end in (y[1:], y[:-1]))
            return upper - lower

        flat = integral(np.clip(edges, *self.span))
        if self.holed is not None:
            hollow = sum((integral(np.clip(edges, *hole)) for hole in self.holes), np.zeros(flat.shape))
            flat = flat - np.where(self.holed[:, None], hollow, 0.0)
        out = self.level[:, None] * flat
        return out + self.extra[:, None] * self._window(edges, power, at) if self.extra.any() else out

    def _window(self, edges: Vector, power: int, at: Vector) -> Vector:
        """∫ (y − at)^power over the part of each window in each cell, (n, cells)."""
        past = np.clip(edges - self.start[:, None], 0.0, self.width[:, None])
        length, base = np.diff(past, axis=1), self.start[:, None] - at
        if power == 0:
            # A cell inside has its own length to the last bit, as it has in the flat part: the ratio is E.
            return np.where((past[:, :-1] > 0) & (past[:, 1:] < self.width[:, None]), np.diff(edges), length)
        middle = base + (past[:, 1:] + past[:, :-1]) / 2
        return length * (middle if power == 1 else middle**2 + length**2 / 12)

    def integrals(self, edges: Vector, power: int = 0, about: Vector | None = None) -> Vector:
        """E[(y − about)^power; y in the cell], (n, cells), atoms included. The end cells hold what is beyond them."""
        out = self.density(np.concatenate([[-np.inf], edges[1:-1], [np.inf]]), power, about)
        at = np.zeros((len(out), 1)) if about is None else about.reshape(len(out), -1)
        at = np.broadcast_to(at, out.shape)
        rows, cells = np.arange(len(out)), self.cells(edges, self.own)
        out[rows, cells] += self.own_mass * (self.own - at[rows, cells]) ** power
        for cell, mass, atom in zip(self.cells(edges, self.atoms), self.atom_mass.T, self.atoms, strict=True):
            out[:, cell] += mass * (atom - at[:, cell]) ** power
        return out

    @staticmethod
    def cells(edges: Vector, y: Vector) -> NDArray[np.intp]:
        return np.clip(np.searchsorted(edges, y, side="right") - 1, 0, len(edges) - 2)

    def moments(self) -> tuple[Vector, Vector]:
        """Mean and variance (n,), integrated."""
        whole = np.array(self.span)
        mean = self.integrals(whole, 1)[:, 0]
        return mean, self.integrals(whole, 2)[:, 0] - mean**2

    def log(self, reports: Vector) -> Vector:
        """ln density (reports, n); ln of the atom's probability for a report that is an atom of any of these laws."""
        y = reports[:, None]
        dense = self.level * ((y >= self.span[0]) & (y <= self.span[1]))
        if self.holed is not None:
            dense = dense * ~(self.holed & np.any([(y >= left) & (y < right) for left, right in self.holes], axis=0))
        # Closed, so that a report from a window narrower than the step between floats lies in it.
        dense = dense + self.extra * ((y >= self.start) & (y <= self.start + self.width) & (self.width > 0))
        point = np.where(y == self.own, self.own_mass, 0.0)
        for atom, mass in zip(self.atoms, self.atom_mass.T, strict=True):
            point = point + (y == atom) * mass
        # Where a report has positive probability under one input, a mere density under another is nothing.
        with np.errstate(divide="ignore"):
            return np.log(np.where(point.any(axis=1, keepdims=True), point, dense))

    def products(self, edges: Vector) -> Products:
        """f ↦ fM and w ↦ Mw in O(inputs + cells), equal to `integrals` to rounding (theory/numbers#em-structure). Of
        one vector, or of each row of a table.
        """
        flat = np.diff(np.clip(edges, *self.span))
        hollow = sum((np.diff(np.clip(edges, *hole)) for hole in self.holes), np.zeros(len(flat)))
        holed = self.level * (0.0 if self.holed is None else self.holed)
        has_holes = bool(np.any(holed) and np.any(hollow))
        wide = np.flatnonzero(self.extra * self.width > 0)
        wide = wide[np.argsort(self.start[wide], kind="stable")]
        window = _window(edges, self.start[wide], self.width[wide], self.extra[wide])
        lone = np.flatnonzero(self.own_mass > 0)
        lone_cell, lone_mass = self.cells(edges, self.own[lone]), self.own_mass[lone]
        atom_cell = self.cells(edges, self.atoms)
        level, atom_mass = self.level, self.atom_mass
        inside = slice(None) if np.array_equal(wide, np.arange(len(level))) else wide

        def forward(f: Vector) -> Vector:
            out = np.multiply.outer(f @ level, flat)
            if has_holes:
                out -= np.multiply.outer(f @ holed, hollow)
            if len(wide):
                out += window.spread(f[..., inside])
            if len(lone):
                out += _counted(lone_cell, lone_mass * f[..., lone], len(flat))
            if len(atom_cell):
                np.add.at(out, (..., atom_cell), f @ atom_mass)  # type: ignore[arg-type]
            # Differences of prefix sums round to just below 0 where nothing can fall.
            return np.maximum(out, 1e-300)

        def backward(w: Vector) -> Vector:
            out = np.multiply.outer(w @ flat, level)
            if has_holes:
                out -= np.multiply.outer(w @ hollow, holed)
            if len(wide):
                out[..., inside] += window.collect(w)
            if len(lone):
                out[..., lone] += lone_mass * w[..., lone_cell]
            return out + w[..., atom_cell] @ atom_mass.T if len(atom_cell) else out

        return Products(forward, backward)


def _counted(cell: NDArray[np.intp], weights: Vector, cells: int) -> Vector:
    """Sums of weights (…, n) by cell: (…, cells)."""
    if weights.ndim == 1:
        return np.bincount(cell, weights, cells).astype(float)
    return np.stack([np.bincount(cell, row, cells) for row in weights]).astype(float)


NARROW = 1e-3
"""Windows up to this width lie in a few cells each: those are listed. Sums over all windows before an edge would lose
1e-16 over the width.
"""


def _window(edges: Vector, start: Vector, width: Vector, extra: Vector) -> "_Wide | _Narrow":
    return (_Wide if width.min(initial=np.inf) > NARROW else _Narrow)(edges, start, width, extra)


class _Narrow:
    """∫ over cells of Σ_i f_i·extra_i·1[window i], and its transpose, cell by cell; `start` ascends."""

    def __init__(self, edges: Vector, start: Vector, width: Vector, extra: Vector) -> None:
        first, last = (np.searchsorted(edges, end, side="right") - 1 for end in (start, start + width))
        first, last = (np.clip(cell, 0, len(edges) - 2) for cell in (first, last))
        count = last - first + 1
        self.cells, self.windows = len(edges) - 1, len(start)
        self.window = np.repeat(np.arange(len(start)), count)
        step = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        self.cell = first[self.window] + step
        at, size = start[self.window], width[self.window]
        past = [np.clip(edges[self.cell + side] - at, 0.0, size) for side in (0, 1)]
        # What is beyond the last edge counts in the end cells.
        past = [np.where(step == 0, 0.0, past[0]), np.where(self.cell == last[self.window], size, past[1])]
        self.mass = extra[self.window] * (past[1] - past[0])

    def spread(self, f: Vector) -> Vector:
        return _counted(self.cell, self.mass * f[..., self.window], self.cells)

    def collect(self, w: Vector) -> Vector:
        return _counted(self.window, self.mass * w[..., self.cell], self.windows)


class _Wide:
    """The same by prefix sums, in O(windows + cells)."""

    def __init__(self, edges: Vector, start: Vector, width: Vector, extra: Vector) -> None:
        self.edges, self.width, self.extra = edges, np.diff(edges), extra
        ends = np.stack([start, start + width])
        # Windows of one length (all of this family) end in the order in which they start.
        self.before = np.stack([np.searchsorted(end, edges) for end in ends])
        self.cell = np.clip(np.searchsorted(edges, ends, side="right") - 1, 0, len(edges) - 2)
        self.past = ends - edges[self.cell]
        self.start, self.stop = ends

    def spread(self, f: Vector) -> Vector:
        """H(y) = Σ mass_i·(max(y − start_i, 0) − max(y − stop_i, 0)), differenced over the cells."""
        # Made anew in every call: mechanisms are shared between threads.
        mass, sums = self.extra * f, np.zeros((3, *f.shape[:-1], len(self.start) + 1))
        np.add.accumulate(mass, axis=-1, out=sums[0, ..., 1:])
        np.add.accumulate(mass * self.start, axis=-1, out=sums[1, ..., 1:])
        np.add.accumulate(mass * self.stop, axis=-1, out=sums[2, ..., 1:])
        started, stopped = self.before
        slope = sums[0].take(started, -1) - sums[0].take(stopped, -1)
        height = slope * self.edges - sums[1].take(started, -1) + sums[2].take(stopped, -1)
        return height[..., 1:] - height[..., :-1]

    def collect(self, w: Vector) -> Vector:
        below = np.zeros((*w.shape[:-1], w.shape[-1] + 1))
        np.add.accumulate(w * self.width, axis=-1, out=below[..., 1:])
        start, stop = (below.take(cell, -1) + w.take(cell, -1) * past
                       for cell, past in zip(self.cell, self.past, strict=True))  # fmt: skip
        return self.extra * (stop - start)


former.serve(__name__)
