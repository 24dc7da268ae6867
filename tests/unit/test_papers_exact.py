"""What is exact in a stored verdict comes out again, with two repetitions of whatever is simulated beside it."""

import pytest

from ldpcore import papers
from ldpcore.papers import Ask, caveats, measures, stored

TOLD = stored.read()
SLOW = {("sdldp", "3"), ("sdldp", "4"), ("sdldp", "5"), ("suldp", "2")}
"""They take seconds each; other tests look at what they compute with."""
CLAIMS = [(key, own.number) for key, claims in papers.CLAIMS.items() for own in claims]


def exact(number):
    return number.low == number.value == number.high


@pytest.mark.parametrize(("key", "number"), [claim for claim in CLAIMS if claim not in SLOW])
def test_exact_numbers_are_those_that_are_stored(key, number, monkeypatch):
    monkeypatch.setattr(Ask, "repeats", lambda self, quick, full: 2)
    was, now = TOLD.finding(key, number), papers.measure(key, number, Ask())
    assert [check.number.what for check in now.checks] == [check.number.what for check in was.checks]
    for before, after in zip(was.checks, now.checks, strict=True):
        if exact(before.number) and exact(after.number):
            assert after.number.value == pytest.approx(before.number.value, rel=1e-6, abs=1e-12), after.number.what
            assert after.decision == before.decision


def test_many_numbers_are_exact():
    """Else nothing above is compared."""
    checks = [check for claim in CLAIMS if claim not in SLOW for check in TOLD.finding(*claim).checks]
    assert sum(exact(check.number) for check in checks) > 60


def test_nothing_apart_is_exactly():
    assert measures.within(0.0) == "exactly"
    assert measures.within(0.02).startswith("to within ")


def test_the_counterexample_keeps_the_papers_definition_and_breaks_the_guarded_one():
    said = " ".join(" ".join(caveats.weaker()).split())
    assert "a channel that keeps the definition" in said
    assert "that channel breaks it" in said
