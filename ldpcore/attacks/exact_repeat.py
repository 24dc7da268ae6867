"""A value reported as itself can be recognised: recorded data have few decimals, noise has many
(theory/adversary#exact-repeats).

A report of SDPM inside the low region that equals a value of the recorded scale has positive probability under that
value alone. The remedy is a public grid: the collector asks for reports rounded to it, at random to one of the two
neighbours so that no mean moves. Then noise falls on the grid too, and a repeat is evidence, no longer proof.
"""

import numpy as np
from numpy.typing import ArrayLike

from ldpcore import checks
from ldpcore.numeric_randomizer import NumericRandomizer, Vector


def recognised(mechanism: NumericRandomizer, reports: ArrayLike, recorded: ArrayLike) -> Vector:
    """The recorded value (n,) that each report proves, NaN where it proves none.

    `recorded` are the values in [-1, 1] that the data can take, and an adversary knows.
    """
    values = np.unique(checks.scaled(recorded, "recorded"))
    possible = values[mechanism.disclosure(values) > 0]
    if not len(possible):
        return np.full(len(np.atleast_1d(reports)), np.nan)
    places = mechanism.places(possible)
    y = checks.numbers(reports, "reports")
    nearest = np.clip(np.searchsorted(places, y), 0, len(places) - 1)
    return np.where(places[nearest] == y, possible[nearest], np.nan)


def on_grid(reports: ArrayLike, step: float, rng: np.random.Generator) -> Vector:
    """Reports rounded to multiples of `step`, up or down at random so that their mean stays."""
    y = checks.numbers(reports, "reports") / _positive(step)
    down = np.floor(y)
    return (down + (rng.random(len(y)) < y - down)) * step


def cost(mechanism: NumericRandomizer, x: ArrayLike, step: float) -> Vector:
    """What the grid adds to the variance of each report (n,), exactly: E[(y − ⌊y⌋)(⌈y⌉ − y)]; at most step²/4."""
    values = checks.scaled(x)
    edges = _grid(mechanism, step)
    zero = mechanism.mass(values, edges)
    one, two = mechanism.partial_moments(values, edges)
    low, high = edges[:-1], edges[1:]
    return np.maximum(one @ (low + high) - two.sum(axis=1) - zero @ (low * high), 0.0)


def certainty(mechanism: NumericRandomizer, x: ArrayLike, prior: ArrayLike, step: float) -> tuple[Vector, Vector]:
    """(grid values, Pr[the report is the user's own value | it was rounded there]); NaN where no value is sent itself.

    `prior` (n,) are the shares of users at the inputs x. Without the grid every one of these is 1.
    """
    values = checks.scaled(x)
    weight = checks.shares(prior, len(values), "prior")
    edges = _grid(mechanism, step)
    zero, (one, _) = weight @ mechanism.mass(values, edges), mechanism.partial_moments(values, edges)
    rise = (weight @ one - edges[:-1] * zero) / step
    total = np.concatenate([[0.0], rise]) + np.concatenate([zero - rise, [0.0]])
    places, sent = mechanism.places(values), weight * mechanism.disclosure(values)
    cell = np.clip(np.searchsorted(edges, places, side="right") - 1, 0, len(edges) - 2)
    up = sent * (places - edges[cell]) / step
    true = np.bincount(cell + 1, up, len(edges)) + np.bincount(cell, sent - up, len(edges))
    sent_there = true > 1e-15
    with np.errstate(invalid="ignore", divide="ignore"):
        return edges, np.where(sent_there, np.minimum(true / total, 1.0), np.nan)


def _positive(step: float) -> float:
    if not (np.isfinite(step) and step > 0):
        raise ValueError(f"the step of the grid must be positive and finite, got {step:g}")
    return float(step)


def _grid(mechanism: NumericRandomizer, step: float) -> Vector:
    """Multiples of the step that reach over all reports."""
    first, last = mechanism.edges[0] / _positive(step), mechanism.edges[-1] / step
    if last - first > 1e5:
        raise ValueError(f"a grid of step {step:g} has more than 100 000 values over the reports; take a larger step")
    return np.arange(np.floor(first) - 1, np.ceil(last) + 2) * step
