"""The benchmarks' own machinery: the fit, the clock, what is promised, the table, and that nothing is left out."""

import itertools
import math
from collections.abc import Iterator

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.stats import linregress

from benchmarks import __main__ as command
from benchmarks import growth, running, stored, timing, written
from benchmarks.case import FLOOR, Case, Family, Growth, Measured, NotHere, Reading
from benchmarks.families import ENGINE, FAMILIES
from ldpcore import catalog
from ldpcore.rng import stream


@pytest.fixture
def clock(monkeypatch) -> list[float]:
    """The processor's time so far, which only the work moves on."""
    now = [0.0]
    monkeypatch.setattr(timing.time, "process_time", lambda: now[0])
    monkeypatch.setattr(timing.time, "perf_counter", lambda: now[0])
    return now


def takes(clock: list[float], seconds: Iterator[float]):
    def work() -> None:
        clock[0] += next(seconds)

    return work


def always(seconds: float) -> Iterator[float]:
    return itertools.repeat(seconds)


def test_the_exponent_and_its_error_are_those_of_a_regression() -> None:
    sizes = np.array([10, 30, 100, 300, 1000])
    values = sizes**1.5 * np.exp(stream(1).normal(0, 0.1, 5))
    found, known = growth.fit(list(sizes), list(values)), linregress(np.log(sizes), np.log(values))
    assert found.exponent == pytest.approx(known.slope)
    assert found.error == pytest.approx(known.stderr)


@pytest.mark.parametrize(("sizes", "values"), [([1, 2], [1, 2]), ([1, 1, 2], [1, 2, 3]), ([1, 2, 3], [1, 0, 2])])
def test_no_exponent_from_too_little(sizes, values) -> None:
    with pytest.raises(ValueError, match=r"three sizes|positive"):
        growth.fit(sizes, values)


def test_the_first_run_warms_up_and_medians_are_of_the_others(clock) -> None:
    (found,) = timing.timed([takes(clock, iter([9.0, 1.0, 2.0, 3.0, 10.0]))], timing.Effort(4, 100, 3))
    assert (found.median, found.low, found.high, found.repeats) == (2.5, 1.75, 4.75, 4)


def test_short_work_is_repeated_within(clock) -> None:
    calls = takes(clock, always(0.001))
    (found,) = timing.timed([calls], timing.Effort(3, 100))
    assert found.median == pytest.approx(0.001)
    assert clock[0] == pytest.approx(0.001 + 3 * 0.005)


def test_a_slow_peer_is_timed_once_and_ours_often_enough(clock) -> None:
    ours, theirs = timing.timed([takes(clock, always(0.1)), takes(clock, always(50.0))], timing.Effort(9, 2.0, 3))
    assert (ours.repeats, theirs.repeats, theirs.median) == (9, 1, 50.0)


@pytest.mark.parametrize(
    ("promise", "kept"),
    [
        ({"least": 3}, True),
        ({"least": 5}, False),
        ({"most": 0.3}, True),
        ({"most": 0.2}, False),
        ({"within": 1}, True),
        ({"within": 0.5}, False),
        ({"least": 3, "within": 0.5}, False),
        ({}, None),
    ],
)
def test_promises(clock, promise, kept) -> None:
    works = takes(clock, always(1.0)), takes(clock, always(2.0))
    case = Case("ours", {}, lambda: works, "peer", times=2, **promise)
    (row,) = running.run(case, timing.FULL)
    assert isinstance(row, running.Row)
    assert row.theirs is not None
    assert row.theirs.median == 4.0
    assert row.kept is kept


def test_readings_and_curves(clock) -> None:
    reading = Reading("page", {}, lambda: lambda: {"first": 1.0, "all": 5.0}, "s", 3, {"first": 2.0, "all": 4.0})
    rows = list(running.run(reading, timing.FULL))
    assert [(row.name, row.kept) for row in rows] == [("page: first", True), ("page: all", False)]
    for most, kept in ((2.0, True), (1.9, False)):
        (curve,) = running.run(Growth("c", "k", (2, 4, 8), lambda k: lambda: k**2, most, unit="MB"), timing.FULL)
        assert isinstance(curve, running.Curve)
        assert curve.exponent == pytest.approx(2.0)
        assert curve.kept is kept


def test_what_is_absent_says_so_and_what_fails_fails_alone() -> None:
    def absent():
        raise NotHere("the file is not here")

    def fails():
        return lambda: 1 / 0, None

    def missing():
        import a_library_that_nobody_has  # noqa: F401  # type: ignore

    found = [one for work in (absent, missing, fails) for one in running.run(Case("c", {}, work), timing.QUICK)]
    assert [(one.why, one.kept) for one in found] == [
        ("the file is not here", None),
        ("a_library_that_nobody_has is not installed", None),
        ("failed: ZeroDivisionError: division by zero", False),
    ]


def test_what_is_kept_is_read_again_and_written(tmp_path) -> None:
    half = timing.Spread(0.0125, 0.012, 0.013, 9)
    rows = (
        running.Row("GRR", {"n": 100_000, "k": 128}, ours=half, peer="other", theirs=half.times(43), kept=True),
        running.Row("OUE", {"n": 5}, ours=half, peer=FLOOR, theirs=half.times(1 / 3), bound="≤ 2 | s", kept=False),
        running.Row("page", {}, ours=timing.Spread(math.inf, 0.5, math.inf, 3), bound="≤ 2 s", kept=False),
        running.Row("file", {}, why="not here"),
    )
    curves = (running.Curve("GRR", "n", {"k": 2}, "s", ((10, 0.1), (100, 1.0)), 1.0, 0.01, "≤ 1", True),)
    found = stored.Found("frequency", "2026-01-01 00:00", {"processor": "x"}, "abc", (0.5, 1.5), 12.0, rows, curves)
    stored.write(found, tmp_path)
    assert stored.read("frequency", tmp_path) == found
    assert stored.read("sets", tmp_path) is None
    page = written.page([(FAMILIES["frequency"], found)])
    assert "| GRR | n = 10^5, k = 128 | 12.5 ms (12 – 13) | other | 538 ms" in page
    assert "| 43 × faster |" in page
    assert "| 3 floors | ≤ 2 ∣ s | **no** |" in page
    assert "| page |  | given up (0.5 – given up) |" in page
    assert "| file |  | not here |" in page
    assert "| GRR, by n | k = 2 | 10: 100 ms, 100: 1 s | 1.00 ± 0.01 | ≤ 1 | yes |" in page
    assert "| 0.5 → 1.5 | 5 | OUE, page |" in page


@pytest.mark.parametrize(("seconds", "code"), [(1e-9, 1), (1e9, 0)])
def test_the_check_fails_on_a_broken_promise(monkeypatch, seconds, code) -> None:
    def cases(quick: bool) -> list[Measured]:
        return [Case("sum", {}, lambda: (lambda: sum(range(1000)), None), within=seconds)]

    monkeypatch.setitem(command.FAMILIES, "frequency", Family("frequency", "One", "Note.", cases))
    done = CliRunner().invoke(command.main, ["--only", "frequency", "--quick", "--check"])
    assert done.exit_code == code, done.output
    assert ("**no**" in done.output) is bool(code)


def test_a_look_judges_no_promise_at_sizes_that_it_was_not_made_for(clock) -> None:
    def cases(quick: bool) -> Iterator[Measured]:
        for n in (10, 20) if quick else (20, 40):
            yield Case("slow", {"n": n}, lambda: (takes(clock, always(5.0)), None), within=1.0)
        yield Case("fails", {"n": 10 if quick else 40}, lambda: 1 / 0, within=1.0)  # type: ignore[arg-type]

    looked = command.measured(Family("x", "X", "", cases), quick=True).rows
    assert [(row.sizes["n"], row.kept, row.bound) for row in looked[:2]] == [(10, None, ""), (20, False, "≤ 1 s")]
    assert looked[2].kept is False, "what fails, fails at any size"
    assert all(row.kept is False for row in command.measured(Family("x", "X", "", cases), quick=False).rows)


def test_every_entry_of_every_catalogue_has_a_case() -> None:
    timed = {id(case.entry) for family in ENGINE for case in family.cases(True) if isinstance(case, Case)}
    missing = [entry.key for listed in catalog.ALL for entry in listed.values() if id(entry) not in timed]
    assert missing == []
