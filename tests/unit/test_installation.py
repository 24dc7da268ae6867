"""`ldpcore check`: it walks every catalogue, and each of its laws fails on what it is there to find."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner

from ldpcore import catalog, cli
from ldpcore.mechanisms.direct import GRR
from ldpcore.mechanisms.piecewise import PM
from ldpcore.policy import LDP
from ldpcore.study import installation
from ldpcore.study.installation import TriedLaw


@pytest.fixture
def _few(monkeypatch):
    """Enough to call everything; the laws themselves have so many reports in the terminal."""
    monkeypatch.setattr(installation, "REPORTS", 4000)


def failed(findings) -> set[str]:
    return {each.law for each in findings if each.kept is False}


@pytest.mark.usefixtures("_few")
def test_everything_that_there_is_is_tried_and_kept():
    found = list(installation.examine())
    assert not failed(found)
    estimated = [each.of for each in found if each.law == "estimates"]
    assert estimated == [*catalog.ANSWERS, *catalog.ITEMS, *catalog.NUMBERS]
    listed = {each.of for each in found if each.law == "sampler"}
    assert {*catalog.ANSWERS, *catalog.ITEMS} - listed == {"SHE"}, "numbers without end are not listed"
    assert {"GRR", "uSS", "RAPPOR"} <= {each.of for each in found if each.law == "whole numbers"}


def answers() -> set[str]:
    return failed(installation.of_answers("GRR", catalog.ANSWERS["GRR"]))


def test_a_sampler_that_is_a_little_off_is_found(monkeypatch):
    assert answers() == set()
    right = GRR.perturb

    def lazy(self, values, rng):
        """One report in ten is of anybody: the chance of the truth is 5 % off."""
        reports = right(self, values, rng)
        return np.where(rng.random(len(reports)) < 0.1, rng.integers(0, self.k, len(reports)), reports)

    monkeypatch.setattr(GRR, "perturb", lazy)
    assert answers() == {"sampler", "estimates"}


def test_a_promise_that_is_not_kept_is_found(monkeypatch):
    monkeypatch.setattr(GRR, "policy", property(lambda self: LDP(0.95 * self.epsilon)))
    assert answers() == {"promise"}


def test_estimates_that_are_off_are_found(monkeypatch):
    right, mean = GRR.estimate, PM.bias
    monkeypatch.setattr(GRR, "estimate", lambda self, tally: 1.05 * right(self, tally))
    assert answers() == {"estimates"}
    assert failed(installation.whole_numbers("GRR")) == {"whole numbers"}
    assert installation.of_numbers("PM", catalog.NUMBERS["PM"]).kept
    monkeypatch.setattr(PM, "bias", lambda self, x, how="unbiased": mean(self, x, how) + 0.05)
    assert not installation.of_numbers("PM", catalog.NUMBERS["PM"]).kept


def test_a_variance_that_is_too_small_is_found():
    off = np.array([0.0, 5.0]) * 0.01
    kept = [installation._estimated("x", off, np.full(2, (0.01 * less) ** 2)).kept for less in (1.05, 1.0, 0.98)]
    assert kept == [True, True, False], "two of them may be 5.03 standard deviations away"


def test_a_machine_that_computes_otherwise_is_found(monkeypatch):
    assert failed(installation.machine()) == set()
    monkeypatch.setattr(installation, "FIRST", (0.2065592475486520, 0.03376497308448945))
    monkeypatch.setattr(math, "exp", lambda x: np.e**x * (1 + 2e-15))
    monkeypatch.setattr(installation.time, "perf_counter", lambda: 1.0)
    assert failed(installation.machine()) == {"random streams", "exponentials", "clock"}


def test_where_there_is_no_browser_nothing_is_said_of_one(monkeypatch):
    monkeypatch.setattr(installation.shutil, "which", lambda name: None)
    browser = [each for each in installation.machine() if each.law == "browser"]
    assert [each.kept for each in browser] == [None]
    assert "browser: not tried (none is here)" in installation.written(browser, "2026-11-26")


def test_the_terminal_says_what_failed_and_ends_with_one(monkeypatch, tmp_path):
    right = [TriedLaw("promise", "GRR", True), TriedLaw("sampler", "GRR", True)]
    monkeypatch.setattr(installation, "examine", lambda: iter(right))
    ran = CliRunner().invoke(cli.main, ["check", "-o", str(tmp_path / "check.txt")])
    assert ran.exit_code == 0, ran.output
    text = (tmp_path / "check.txt").read_text(encoding="utf-8")
    assert ran.output.startswith(text)
    assert "promise: 1 of 1 kept" in text
    assert ": 2 laws, all kept; ldpcore " in text
    wrong = [right[0], TriedLaw("sampler", "GRR", False, "reports of [2] are not drawn so")]
    monkeypatch.setattr(installation, "examine", lambda: iter(wrong))
    ran = CliRunner().invoke(cli.main, ["check"])
    assert ran.exit_code == 1
    assert "NOT KEPT: sampler of GRR: reports of [2] are not drawn so" in ran.output
    assert installation.line(wrong, "2026-11-26")[-16:] != installation.line(right, "2026-11-26")[-16:]
    assert CliRunner().invoke(cli.main, ["check", "-o", "check.csv"]).exit_code == 1


@pytest.mark.usefixtures("_few")
def test_whoever_reads_along_sees_how_far_it_is(monkeypatch, capsys):
    """What the process behind a page prints, and what is read of it; one that breaks off has no line."""
    monkeypatch.setattr(installation, "examine", lambda: iter([TriedLaw("a", "b", True), TriedLaw("c", "d", False)]))
    installation.announce()
    printed = capsys.readouterr().out
    assert printed.startswith("1\n2\nChecked ")
    assert "2 laws, 1 NOT KEPT" in installation.today()
    for text, tried in ((printed, 2), ("1\n", 1)):
        process = SimpleNamespace(stdout=text.splitlines(keepends=True), wait=lambda: 0)
        monkeypatch.setattr(installation.subprocess, "Popen", lambda *a, p=process, **b: p)
        check = installation.RunningCheck()
        check._reader.join()
        assert (check.running, check.tried) == (False, tried)
        assert check.line == (printed.splitlines()[-1] if text == printed else "")
