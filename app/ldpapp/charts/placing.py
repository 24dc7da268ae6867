"""Where a label beside a point hides nothing: a small search over places around it.

One figure is shown on every screen: its plot is narrower on a phone, where a label stands as many px from its point.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def _around(right: tuple[int, ...], up: tuple[int, ...]) -> NDArray[Any]:
    return np.array([(side * dx, dy) for dx in right for dy in up for side in (1, -1)], float)


_FAR = _around((18, 34, 56, 84), (0, 12, -12, 24, -24, 40, -40, 60, -60, 84, -84, 110))
_NEAR = _around((14, 24, 36, 50), (8, 14, 22, 0, -10, 32, -20))


class Placer:
    """Remembers what is taken in a plot of the given px and finds places for labels one after the other.

    Boxes are rows (left, bottom, right, top) in px from the lower left corner of the plot.
    """

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.boxes = np.empty((0, 4))
        self.points = np.empty((0, 2))
        self.spent = 0.0
        """What all labels so far cost: less is better."""

    def avoid(self, left: float, bottom: float, right: float, top: float) -> None:
        """Nothing may stand on this box."""
        self.boxes = np.r_[self.boxes, [[left, bottom, right, top]]]

    def avoid_points(self, x: NDArray[Any], y: NDArray[Any]) -> None:
        """Points (n,) in px, taken from lines, that labels had better not hide."""
        self.points = np.r_[self.points, np.c_[x, y]]

    def cost(self, x: float, y: float, steps: NDArray, boxes: NDArray) -> NDArray:
        left, bottom, right, top = boxes.T
        outside = (left < 2) | (right > self.width) | (bottom < 2) | (top > self.height)
        px, py = self.points[:, :1].T, self.points[:, 1:].T
        hidden = ((px > left[:, None]) & (px < right[:, None]) & (py > bottom[:, None]) & (py < top[:, None])).sum(1)
        a, b = boxes[:, None], self.boxes[None]
        wide = np.minimum(a[..., 2], b[..., 2]) - np.maximum(a[..., 0], b[..., 0])
        high = np.minimum(a[..., 3], b[..., 3]) - np.maximum(a[..., 1], b[..., 1])
        taken = (np.maximum(wide, 0) * np.maximum(high, 0)).sum(1)
        # The leader, too, should not run over other marks and names: look at points along it.
        part = np.linspace(0.45, 0.95, 6)
        along = np.array([x, y]) + steps[:, None] * part[:, None]
        u, v = along[..., :1], along[..., 1:]
        crossed = ((u > b[..., 0]) & (u < b[..., 2]) & (v > b[..., 1]) & (v < b[..., 3])).sum((1, 2))
        far = np.hypot(*steps.T)
        return 1e4 * outside + 5 * taken + 40 * hidden + 60 * crossed + 0.6 * far + 4 * (steps[:, 0] < 0)


def place(
    plots: Sequence[tuple[Placer, float, float]], wide: float, high: float, near: bool = False
) -> tuple[float, float, str]:
    """The best place for a text of wide × high px called out from a point, which is at (x, y) of each plot.

    (dx, dy, "left" or "right"): the same px away in all of them.
    """
    steps = _NEAR if near else _FAR
    dx, dy = steps.T
    costs, tried = np.zeros(len(steps)), []
    for placer, x, y in plots:
        left = np.where(dx > 0, x + dx, x + dx - wide) - 3
        boxes = np.c_[left, y + dy - high / 2 - 2, left + wide + 6, y + dy + high / 2 + 2]
        costs += placer.cost(x, y, steps, boxes)
        tried.append(boxes)
    best = int(np.argmin(costs))
    along = np.linspace(0.3, 1, 4)
    for (placer, x, y), boxes in zip(plots, tried, strict=True):
        placer.spent += float(costs[best])
        placer.avoid(*boxes[best])
        placer.avoid_points(x + along * dx[best], y + along * dy[best])
    return float(dx[best]), float(dy[best]), "left" if dx[best] > 0 else "right"
