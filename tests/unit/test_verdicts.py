"""The rule of the papers' ledger: a verdict is a function of the checks that the paper's own words make."""

from dataclasses import replace
from itertools import combinations_with_replacement, permutations, product
from math import inf, nan

import numpy as np
import pytest
from scipy import stats

from ldpcore import papers
from ldpcore.papers import (
    BROKEN,
    HOLDS,
    IN_PART,
    UNDECIDED,
    UNTESTABLE,
    Ask,
    Check,
    Finding,
    Number,
    PaperStatement,
    measures,
    sdldp_means,
    sources,
)
from ldpcore.papers.check import CHANCE, verdict
from ldpcore.papers.claim import claim

KEPT = Check(Number.of("kept", 2), least=1)
BROKE = Check(Number.of("broken", 0), least=1)
OPEN = Check(Number("open", 2.0, 0.5, 3.0, chance=1e-6), least=1)
BY = {True: KEPT, False: BROKE, None: OPEN}
ABSURD = (Number.of("absurd", -inf), Number.of("not a number", nan), Number("wide", 0.0, -9.0, 9.0, chance=0.5))


@pytest.fixture(autouse=True)
def nothing_at_home(monkeypatch, tmp_path):
    monkeypatch.delenv(sources.VARIABLE, raising=False)
    monkeypatch.setattr(sources.pooch, "os_cache", lambda _: tmp_path / "cache")


def number(value, low, high):
    return Number("x", value, low, high, chance=1e-3 if low < high else 0.0)


@pytest.mark.parametrize(
    ("made", "decision"),
    [
        (Check(number(2, 2, 2), least=1), True),
        (Check(number(0.5, 0.5, 0.5), least=1), False),
        (Check(number(1, 1, 1), least=1), True),
        (Check(number(1, 1, 1), least=1, strict=True), False),
        (Check(number(1, 1, 1), most=1, strict=True), False),
        (Check(number(2, 1.5, 3), least=1), True),
        (Check(number(2, 0.5, 3), least=1), None),
        (Check(number(0.5, 0.2, 0.9), least=1), False),
        (Check(number(0.5, 0.2, 1), least=1, strict=True), False),
        (Check(number(0.5, 0.2, 1.1), least=1), None),
        (Check(number(5, 1, 9), least=2, most=8), None),
        (Check(number(5, 3, 7), least=2, most=8), True),
        (Check(number(9, 8.5, 9.5), least=2, most=8), False),
        (Check(number(nan, nan, nan), least=1), None),
        (Check(number(inf, inf, inf), most=1), False),
        (Check(Number("grid", 2.0, 0.5, 3.0, spans=True), least=1), False),
        (Check(Number("grid", 2.0, 1.5, 3.0, spans=True), least=1), True),
    ],
)
def test_a_check_is_decided_when_its_whole_interval_is_on_one_side(made, decision):
    """And a check over a grid holds at every point of it, or fails."""
    assert made.decision is decision


STATEMENTS = [own for size in (1, 2, 3) for own in combinations_with_replacement((True, False, None), size)]
CLAIMS = [own for size in (1, 2, 3) for own in product(STATEMENTS, repeat=size)]


def test_the_rule_on_every_claim_of_up_to_three_statements_with_up_to_three_checks():
    assert verdict(()) == UNTESTABLE
    for made in CLAIMS:
        found = verdict(tuple(tuple(BY[each] for each in statement) for statement in made))
        said = [each for statement in made for each in statement]
        if False in said:
            apart = any(False not in own and None not in own for own in made)
            assert found == (IN_PART if apart else BROKEN), made
        else:
            assert found == (UNDECIDED if None in said else HOLDS), made
        if len(made) == 1:
            assert found != IN_PART, made


def test_the_order_of_statements_and_checks_does_not_matter():
    for made in CLAIMS:
        own = tuple(tuple(BY[each] for each in statement) for statement in made)
        assert verdict(own) == verdict(tuple(statement[::-1] for statement in own[::-1]))


@pytest.fixture(scope="module")
def exact():
    """Every claim that closed forms decide, measured once."""
    patch = pytest.MonkeyPatch()
    patch.delenv(sources.VARIABLE, raising=False)
    patch.setattr(sources.pooch, "os_cache", lambda _: "nowhere")
    found = {
        (key, own.number): papers.measure(key, own.number, Ask())
        for key, claims in papers.CLAIMS.items()
        for own in claims
        if own.exact
    }
    patch.undo()
    return found


def test_no_caveat_no_word_and_no_repair_changes_a_verdict(exact):
    for key, finding in exact.items():
        for caveats in ((), ABSURD, finding.caveats + ABSURD):
            other = replace(finding, caveats=caveats, why="", data="", repair=None)
            assert other.verdict == finding.verdict, key


def test_a_decided_failure_or_an_open_check_anywhere_takes_holds_away(exact):
    for key, finding in exact.items():
        for at, statement in enumerate(finding.statements):
            for place in range(len(statement)):
                for planted in (BROKE, OPEN):
                    own = (*statement[:place], planted, *statement[place + 1 :])
                    made = replace(finding, statements=(*finding.statements[:at], own, *finding.statements[at + 1 :]))
                    assert made.verdict != HOLDS, key
                    if finding.verdict == HOLDS:
                        others = len(finding.statements) > 1
                        assert made.verdict == (UNDECIDED if planted is OPEN else IN_PART if others else BROKEN), key


def test_the_verdicts_that_exact_checks_give(exact):
    """Issue by issue: each follows from the words, and from nothing beside them."""
    broken = {("suldp", "8"), ("suldp", "9"), ("sdldp", "1"), ("sdldp", "10"), ("dfdp", "6")}
    assert {key for key, finding in exact.items() if finding.verdict == BROKEN} == broken
    assert {key for key, finding in exact.items() if finding.verdict == IN_PART} == {("sdldp", "6"), ("suldp", "10")}
    assert {key for key, finding in exact.items() if finding.verdict in (UNTESTABLE, UNDECIDED)} == set()
    assert exact["suldp", "10"].decisions == (True, False)
    assert exact["sdldp", "6"].decisions == (True, True, False, False)


@pytest.mark.thorough
def test_few_repetitions_leave_a_claim_undecided_and_exact_failures_do_not_wait(monkeypatch):
    """With three repetitions nothing simulated is decided; that LDPK's whole protocol breaks ε-LDP is. EM of 25 000
    people takes long: at the least and the largest ε that the paper speaks of.
    """
    monkeypatch.setattr(Ask, "repeats", lambda self, quick, full: 3)
    monkeypatch.setattr(sdldp_means, "SAID", sdldp_means.SAID[:: len(sdldp_means.SAID) - 1])
    for key, own in (("ldpk", "1"), ("ldpk", "2"), ("ldpk", "3"), ("sdldp", "5"), ("dfdp", "3")):
        assert papers.measure(key, own, Ask()).verdict == UNDECIDED, (key, own)
    assert papers.measure("ldpk", "5", Ask()).verdict == BROKEN


@pytest.mark.thorough
def test_dfdp_beats_smarttrunc_as_it_says_whatever_the_same_total_brings():
    finding = papers.measure("dfdp", "3", Ask())
    assert finding.verdict == HOLDS
    assert finding.caveats[0].high < 1  # at the same total the ranking turns round, and that is not the paper's claim


def test_every_claim_quotes_its_paper():
    for claims in papers.CLAIMS.values():
        for own in claims:
            assert own.words
            for words in own.words:
                assert words.says
                assert words.where
                assert any("\u4e00" <= letter <= "\u9fff" for letter in words.original), own.number


@pytest.mark.parametrize("order", list(permutations((True, False, None))))
def test_the_check_shown_first_fails_or_is_open_where_none_fails(order):
    made = tuple(BY[decision] for decision in order)
    assert Finding((made,), "why").deciding is BROKE
    assert Finding((tuple(check for check in made if check is not BROKE),), "why").deciding is OPEN
    assert Finding(((KEPT,),), "why").deciding is KEPT
    assert Finding((), "why").deciding is None


def test_the_intervals_of_a_claim_share_its_chance():
    half = Check(Number("x", 2.0, 1.5, 3.0, chance=CHANCE / 2), least=1)
    assert Finding(((half, half),), "why").verdict == HOLDS
    with pytest.raises(ValueError, match="share the chance"):
        Finding(((half, half), (half,)), "why")
    with pytest.raises(ValueError, match="needs its chance to miss"):
        Number("x", 2.0, 1.5, 3.0)
    with pytest.raises(ValueError, match="every statement of a claim needs a check"):
        Finding(((half,), ()), "why")


def test_every_statement_has_its_checks():
    @claim(
        "1",
        "Two.",
        PaperStatement("Two.", "§1", "二"),
        PaperStatement("Three.", "§2", "三"),
        setting="arithmetic",
        exact=True,
    )
    def both(ask):
        return Finding(((KEPT,),), "why")

    with pytest.raises(ValueError, match="quotes 2 statements and checks 1"):
        both(Ask())


@pytest.mark.parametrize("shift", [0.0, 0.7, 4.0])
@pytest.mark.parametrize("n", [5, 20])
def test_intervals_of_errors_cover(shift, n):
    """Squared normal errors with bias: 1 000 intervals that may miss in 5 %. More than 82 misses at 5 % have
    probability 1e-5 (binomial); with bias they are wider than needed.
    """
    rng, draws, chance = np.random.default_rng(11), 1000, 0.05
    worst = stats.binom.isf(1e-5, draws, chance)
    above, below = ((rng.standard_normal((2, draws, n)) + shift) ** 2) * np.array([3.0, 1.0])[:, None, None]
    true = 1 + shift**2
    made = [measures.errors("", a, b, chance) for a, b in zip(above, below, strict=True)]
    assert sum(not each.low <= 3 <= each.high for each in made) <= worst
    one = [measures.errors("", 3 * true, b, chance) for b in below]
    assert sum(not each.low <= 3 <= each.high for each in one) <= worst
    alone = [measures.square("", b, chance) for b in below]
    assert sum(not each.low <= true <= each.high for each in alone) <= worst
    assert np.median([each.high / each.low for each in one]) < 20  # and they are not endlessly wide


def test_the_interval_of_a_bias_covers_and_finds_one():
    """64 values, 100 surveys, 400 times, at 5 %: more than 41 misses have probability 1e-5."""
    rng, draws, off = np.random.default_rng(12), 400, np.linspace(0, 0.6, 64)
    true = float(np.sqrt(np.mean(off**2)))
    made = [measures.bias("", rng.standard_normal((100, 64)) + off, 0.0, np.ones(64), 0.05) for _ in range(draws)]
    assert sum(not each.low <= true <= each.high for each in made) <= stats.binom.isf(1e-5, draws, 0.05)
    assert np.mean([each.low for each in made]) > 0.2
    none = [measures.bias("", rng.standard_normal((100, 64)), 0.0, np.ones(64), 0.05) for _ in range(draws)]
    assert sum(each.low > 0 for each in none) <= stats.binom.isf(1e-5, draws, 0.05)
