"""What an exact repeat gives away in a Study of a mean, against counting over the people and against simulation."""

import numpy as np
import pandas as pd
import pytest

from ldpcore import data
from ldpcore.attacks import exact_repeat
from ldpcore.catalog import MEANS
from ldpcore.mechanisms.graded_piecewise import SDPM
from ldpcore.rng import stream
from ldpcore.study import Marks, Source, Study, means
from ldpcore.study.means import exposure, repeats


def numbers(values, low=0.0, high=100.0):
    table = data.read(pd.DataFrame({"x": values}).to_csv(index=False).encode(), "x.csv")
    marks = Marks.of([f"{low + 0.6 * (high - low):g}..{high:g}"])
    study = Study(
        Source("x.csv", table.digest), "x", marks, ("SDPM", "PM"), task="means", bins=(low, high, 32), grid=()
    )
    return study, means.prepare(study, table)


@pytest.mark.parametrize(
    ("values", "step"),
    [
        ([10, 20, 40, 70, 30], 10),
        ([10, 25, 40, 70, 30], 1),
        ([10, 25.5, 40, 70, 30], 0.1),
        ([10, 25.25, 40, 70, 30], 0.01),
        ([10, 25.125, 40, 70, 30], 0.001),
        ([10, 25.0625, 40, 70, 30], 1.0),  # beyond three decimals: a fiftieth of half the range
    ],
)
def test_the_step_of_a_scale_is_the_largest_power_of_ten(values, step):
    assert repeats.resolution(numbers(values)[1]) == pytest.approx(step)


def test_large_scales_have_large_steps():
    assert repeats.resolution(numbers([10, 25.0004, 40, 700], 0, 1000)[1]) == 10  # on none of the steps
    assert repeats.resolution(numbers([20_000, 70_000, 10_000, 50_000, 0], 0, 100_000)[1]) == 10_000
    assert repeats.resolution(numbers([200_000, 700_000, 100_000, 500_000], 0, 1_000_000)[1]) == 10_000


AGES = np.round(stream(1, "ages").beta(2, 3, 3000) * 100)


def test_what_is_proved_is_counted_over_those_who_may_be():
    """60..100 is marked: of the others each sends its own value with the chance `disclosure`."""
    study, found = numbers(AGES)
    m = means.cell(study, found, "SDPM", study.epsilon).groups[0].mechanism
    low = AGES[m.disclosure(found.interval.encode(AGES)) > 0]
    assert low.max() < 60 <= AGES.max()
    held = repeats.repeat(study, found, "SDPM")
    assert held.step == 1
    assert held.proved == pytest.approx(m.disclosure(found.interval.encode(low)).mean())
    assert repeats.repeat(study, found, "PM") is None


def test_a_repeat_on_the_grid_is_as_certain_as_simulated():
    """A million reports rounded to whole years; 5 standard errors, and the cost of the grid within 2 %."""
    study, found = numbers(AGES)
    held = repeats.repeat(study, found, "SDPM")
    m = means.cell(study, found, "SDPM", study.epsilon).groups[0].mechanism
    rng, step = stream(2, "grid"), 1 / found.unit
    x = rng.choice(found.interval.encode(AGES), 1_000_000)
    sent = m.perturb(x, rng)
    own = (sent == m.places(x)) & (m.disclosure(x) > 0)
    rounded = exact_repeat.on_grid(sent, step, rng)
    cell = np.round(rounded / step).astype(int)
    shift = -cell.min()
    total, true = np.bincount(cell + shift), np.bincount(cell + shift, own)
    at = np.round(x[own] / step).astype(int) + shift
    certain = true[at] / total[at]
    assert held.certain == pytest.approx(certain.mean(), abs=5 * 0.5 / np.sqrt(len(at)) + 1e-3)
    added = (rounded - sent).var() / np.average(m.report_moments(found.points)[1], weights=found.counts)
    assert held.cost == pytest.approx(added, rel=0.02)


@pytest.mark.parametrize("high", [100, 340])
def test_a_recorded_step_too_fine_to_look_at_is_enlarged_to_one_two_or_five(high):
    """The least of 1, 2, 5, 10 … times a power of ten that leaves at most 3000 cells over all reports."""
    study, found = numbers(np.round(stream(3, "fine", high).random(500) * high, 3), 0, high)
    m = means.cell(study, found, "SDPM", study.epsilon).groups[0].mechanism
    span = float(m.edges[-1] - m.edges[0]) * found.unit
    steps = [f * 10.0**power for power in range(-4, 4) for f in (1, 2, 5)]
    assert repeats.repeat(study, found, "SDPM").step == pytest.approx(
        min(step for step in steps if span / step <= repeats.MOST_CELLS)
    )


def test_the_largest_variances_are_found_by_looking_everywhere():
    """On a finer grid of inputs, and in the column's units²."""
    exact, pm, _ = repeats.variances((-0.4, 0.4), (0.5, 2.0), 40.0)
    for i, epsilon in enumerate((0.5, 2.0)):
        sdpm = SDPM(epsilon, ((-0.4, 0.4),))
        assert exact[i] == pytest.approx(1600 * sdpm.report_moments(np.linspace(-0.4, 0.4, 4001))[1].max(), rel=1e-4)
        plain = MEANS["PM"].build(epsilon)
        assert pm[i] == pytest.approx(1600 * plain.report_moments(np.linspace(-1, 1, 4001))[1].max(), rel=1e-4)


@pytest.mark.parametrize("at", [1.0, 50.0, 99.0])
def test_whom_everybody_is_like_is_guessed(at):
    """All in one bin, the first, one within, or the last: the guess is this bin for whatever report."""
    study, found = numbers([at, at, at + 0.5, at])
    cell = means.cell(study, found, "PM", 1.0)
    rows = {(metric, scope): value for metric, scope, value in exposure.attack(found, cell, 0.01, 50, stream(4))}
    assert rows["guessed", "all"] == 1.0
    assert {(m, s): v for m, s, v in exposure.exposed(found, cell, 0.01)}["guessed", "all"] == pytest.approx(1)
