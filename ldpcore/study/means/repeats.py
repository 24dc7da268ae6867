"""What an exact repeat of an unmarked number gives away, and SDPM's variance beside the paper's Theorem 4."""

from dataclasses import dataclass, replace

import numpy as np

from ldpcore import catalog
from ldpcore.attacks import exact_repeat
from ldpcore.bins import gathered
from ldpcore.mechanisms.graded_piecewise import SDPM
from ldpcore.memory import remembered
from ldpcore.study import means
from ldpcore.study.definition import Study
from ldpcore.study.means.numbers import NumberColumn


def resolution(data: NumberColumn) -> float:
    """The step of the recorded scale, in the column's units: the largest power of ten that every number is on."""
    values = data.interval.decode(data.points)
    for power in range(4, -4, -1):
        steps = values / 10.0**power
        if np.abs(steps - np.round(steps)).max() < 1e-6:
            return 10.0**power
    return data.unit / 50


@dataclass(frozen=True)
class Repeat:
    """The grid's step (column's units); chances that an unmarked answer is proved, and that a repeat on the grid is
    one; the grid's part of the variance.
    """

    step: float
    proved: float
    certain: float
    cost: float


MOST_CELLS = 3000
"""A grid over all reports with more cells takes too long to look at; the step is then larger than the recorded one."""


def repeat(study: Study, data: NumberColumn, mechanism: str) -> Repeat | None:
    """The exact repeat at the chosen ε, and what a grid of the recorded step does, to people with the study's own
    marks; None where nothing is sent. Kept with the data: no number of surveys changes it."""
    alone = study.derived(("alone",), lambda: replace(study, grid=(), choices=(), repetitions=1))
    return remembered(data, ("repeat", alone, mechanism), lambda: _repeat(alone, data, mechanism), 64)


def _repeat(alone: Study, data: NumberColumn, mechanism: str) -> Repeat | None:
    m = means.cell(alone, data, mechanism, alone.epsilon).groups[0].mechanism
    recorded, least = resolution(data), float(m.edges[-1] - m.edges[0]) * data.unit / MOST_CELLS
    power = 10.0 ** np.floor(np.log10(least))
    grid_step = max(recorded, next(f * power for f in (1, 2, 5, 10) if f * power >= least) if least > recorded else 0.0)
    step = grid_step / data.unit
    x, counts = gathered(data.points, data.counts, 256)
    proof = m.disclosure(x)
    if not (proof > 0).any():
        return None
    share = counts / counts.sum()
    grid, sure = exact_repeat.certainty(m, x, share, step)
    there = ~np.isnan(sure)
    cell = np.abs(m.places(x)[:, None] - grid[there]).argmin(axis=1)
    sent = share * proof
    spread = m.report_moments(x)[1]
    return Repeat(
        grid_step,
        float(sent.sum() / share[proof > 0].sum()),
        float(sent @ sure[there][cell] / sent.sum()),
        float(share @ exact_repeat.cost(m, x, step) / max(share @ spread, 1e-12)),
    )


Variances = tuple[np.ndarray, np.ndarray, np.ndarray]


def variances(low: tuple[float, float], epsilons: tuple[float, ...], unit: float) -> Variances:
    """Largest variance over x of an unmarked SDPM report and of a PM report, and Theorem 4's; the column's units²."""
    inside, everywhere = np.linspace(*low, 101), np.linspace(-1, 1, 101)
    exact, pm, paper = [], [], []
    for epsilon in epsilons:
        m = SDPM(epsilon, (low,))
        exact.append(m.report_moments(inside)[1].max())
        pm.append(catalog.MEANS["PM"].build(epsilon).report_moments(everywhere)[1].max())
        paper.append(m.paper_variance())
    return np.array(exact) * unit**2, np.array(pm) * unit**2, np.array(paper) * unit**2
