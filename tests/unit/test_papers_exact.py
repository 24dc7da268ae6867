"""What is exact in a stored verdict comes out again, with two repetitions of whatever is simulated beside it."""

import re

import numpy as np
import pytest

from ldpcore import papers
from ldpcore.catalog import FREQUENCY
from ldpcore.papers import Ask, caveats, measures, sdldp_comparisons, sdldp_means, stored, words
from ldpcore.papers.check import shown

TOLD = stored.read()
SLOW = {("sdldp", "3"), ("suldp", "2"), ("sdldp", "12")}
"""They take seconds each; other tests look at what they compute with."""
COUNTED = "share of the 50 intervals of 95 % that hold the theory"
"""It is counted among surveys that are drawn, and shown without an interval."""
CLAIMS = [(key, own.number) for key, claims in papers.CLAIMS.items() for own in claims]


def exact(number):
    return number.low == number.value == number.high and number.what != COUNTED


def checks(finding):
    """Of every way to read a claim, in one order: which of them decides may hang on what is simulated."""
    every = dict([(finding.read, finding.statements), *((other.says, other.statements) for other in finding.others)])
    return [check for says in sorted(every) for statement in every[says] for check in statement]


def numbers(finding):
    """Everything that a claim shows: of its checks, and beside them."""
    return [check.number for check in checks(finding)] + [*finding.caveats] + [finding.repair] * bool(finding.repair)


@pytest.mark.parametrize(("key", "number"), [claim for claim in CLAIMS if claim not in SLOW])
def test_exact_numbers_are_those_that_are_stored(key, number, monkeypatch):
    monkeypatch.setattr(Ask, "repeats", lambda self, quick, full: 2)
    for module in (sdldp_means, sdldp_comparisons):  # ten seconds, and nothing of it is exact
        monkeypatch.setattr(module, "by_em", lambda *asked: np.ones(2))
    was, now = TOLD.finding(key, number), papers.measure(key, number, Ask())
    assert [each.what for each in numbers(now)] == [each.what for each in numbers(was)]
    for before, after in zip(numbers(was), numbers(now), strict=True):
        if exact(before) and exact(after):
            assert after.value == pytest.approx(before.value, rel=1e-6, abs=1e-12), after.what
    for before, after in zip(checks(was), checks(now), strict=True):
        assert (after.least, after.most, after.strict) == (before.least, before.most, before.strict), after.number.what
        if exact(before.number) and exact(after.number):
            assert after.decision == before.decision


def test_many_numbers_are_exact():
    """Else nothing above is compared."""
    found = [TOLD.finding(*claim) for claim in CLAIMS if claim not in SLOW]
    assert sum(exact(check.number) for each in found for check in each.checks) > 60
    assert sum(exact(number) for each in found for number in numbers(each)) > 80


def test_low_labels_speak_as_the_channel_says():
    """SDGRR at ε = 1: one of 4 high values against another, and a low label of its own value against a high one."""
    chance = FREQUENCY["SDGRR"].build(1.0, 18, caveats.HIGH).channel().matrix
    high, low = np.flatnonzero(caveats.HIGH), np.flatnonzero(~caveats.HIGH)
    assert chance[high].min() > 0
    among = np.log(max((chance[x] / chance[z]).max() for x in high for z in high))
    against = np.log(max(chance[v, v] / chance[x, v] for v in low for x in high))
    said = " ".join(caveats.low_labels())
    assert f"(measured {shown(among)})" in said
    assert among == pytest.approx(1)
    assert f"against a high one by {shown(against)}: odds of {shown(np.exp(against))} " in said


def test_figure_9_is_drawn_from_the_channels_of_18_values():
    """Knowing that a value is one of the 4 high ones: Σ over reports of the largest chance among these, a quarter."""
    drawn = papers.draw("sdldp", "Fig. 9", Ask())
    for key in ("SDGRR", "uRR", "uSS"):
        line = drawn[drawn["line"] == f"{key}, targeted"]
        assert len(line) > 3
        for e, value in zip(line["x"], line["value"], strict=True):
            chance = FREQUENCY[key].build(e, 18, caveats.HIGH).channel().matrix[caveats.HIGH]
            assert value == pytest.approx(chance.max(axis=0).sum() / 4)


def test_better_is_less_than_as_much():
    """A ratio that should only be above or below something is compared with 1; SLIGHTLY, a reading, is beside it."""
    for key, number in CLAIMS:
        for check in TOLD.finding(key, number).checks:
            if check.strict and re.search(r"\b(over|ratio)\b", check.number.what):
                assert {check.least, check.most} & {1.0, words.SLIGHTLY}, check.number.what


def test_nothing_apart_is_exactly():
    assert measures.within(0.0) == "exactly"
    assert measures.within(0.02).startswith("to within ")


def test_the_counterexample_keeps_the_papers_definition_and_breaks_the_guarded_one():
    said = " ".join(" ".join(caveats.weaker()).split())
    assert "a channel that keeps the definition" in said
    assert "that channel breaks it" in said
