"""The ledger's rule, over all claims: a vague word has one reading, and the reading that favours a paper decides."""

from itertools import permutations

import numpy as np
import pytest

from ldpcore import papers
from ldpcore.papers import BROKEN, HOLDS, IN_PART, UNDECIDED, Ask, Check, Finding, Number, stored
from ldpcore.papers.check import FAVOUR, ClaimReading, favouring
from ldpcore.papers.words import WORDS
from ldpcore.ranges import Privelet, Tree
from tests.each import for_each

CLAIMS = [(key, own) for key, claims in papers.CLAIMS.items() for own in claims]
STATEMENTS = [(key, own, at, words) for key, own in CLAIMS for at, words in enumerate(own.words)]


def said(words, original):
    return any(each in original for each in words.originals)


@for_each("word", WORDS)
def test_a_vague_word_has_one_reading_in_every_claim_and_is_checked_by_it(word):
    """In what is stored; what is not testable has no checks."""
    found, told = 0, stored.read()
    for key, own, at, words in STATEMENTS:
        assert said(word, words.original) == (word.means in words.reading), (key, own.number, words.says)
        finding = told.finding(key, own.number)
        if said(word, words.original) and finding is not None and finding.statements:
            every = [finding.statements, *(other.statements for other in finding.others)]
            assert all(any(map(word.checks, statements[at])) for statements in every), (key, own.number)
            found += 1
    assert found, "a word that no claim uses"


def test_no_other_reading_favours_a_paper_more_than_the_one_that_decides():
    told = stored.read()
    several = 0
    for key, own in CLAIMS:
        finding = told.finding(key, own.number)
        assert finding is not None
        names = [says for says, _ in finding.readings]
        assert len(set(names)) == len(names)
        assert bool(finding.read) == bool(finding.others)
        for other in finding.others:
            several += 1
            assert FAVOUR.index(finding.verdict) <= FAVOUR.index(other.verdict), (key, own.number, other.says)
            assert len(other.statements) == len(own.words)
    assert several >= 10


def test_the_readings_that_decide_and_the_verdicts_of_the_others():
    """Each by its claim: what decides, and what every other way to read the words would say."""
    told = stored.read()
    verdicts = {
        ("suldp", "1"): [HOLDS, IN_PART],
        ("suldp", "6"): [HOLDS, IN_PART],
        ("suldp", "12"): [HOLDS, BROKEN],
        ("sdldp", "1"): [BROKEN, BROKEN],
        ("sdldp", "5"): [HOLDS, UNDECIDED],
        ("sdldp", "7"): [HOLDS, IN_PART, IN_PART],
        ("dfdp", "1"): [HOLDS, HOLDS, HOLDS, UNDECIDED],
        ("dfdp", "2"): [HOLDS, UNDECIDED],
        ("dfdp", "3"): [HOLDS, HOLDS, UNDECIDED, UNDECIDED],
        ("privelet", "5"): [HOLDS, BROKEN],
    }
    assert {
        (key, own.number): [came for _, came in found.readings]
        for key, own in CLAIMS
        if (found := told.finding(key, own.number)) is not None and found.others
    } == verdicts
    as_read = {each for each, (first, *others) in verdicts.items() if first == HOLDS and {IN_PART, BROKEN} & {*others}}
    known = {key: told.finding(key[0], key[1].number) for key in CLAIMS}
    assert {(key, own.number) for (key, own), each in known.items() if each is not None and each.as_read} == as_read
    noise = {number: told.finding("dfdp", number).read.split(",")[0].split(";")[0] for number in "23"}
    assert "Lap(1/s)" in noise["2"]
    assert "Lap(Δ/s)" in noise["3"], "claims 2 and 3 hold by readings that exclude one another"


def test_the_favourite_is_found_whatever_the_order():
    exact = {True: Check(Number.of("x", 2), least=1), False: Check(Number.of("x", 0), least=1),
             None: Check(Number("x", 2.0, 0.5, 3.0, chance=1e-3), least=1)}  # fmt: skip
    made = {
        HOLDS: ClaimReading("a", ((exact[True],), (exact[True],))),
        UNDECIDED: ClaimReading("b", ((exact[True],), (exact[None],))),
        IN_PART: ClaimReading("c", ((exact[True],), (exact[False],))),
        BROKEN: ClaimReading("d", ((exact[False],), (exact[False],))),
    }
    assert {name: each.verdict for name, each in made.items()} == {name: name for name in made}
    for order in permutations(made.values()):
        assert [each.verdict for each in favouring(*order)] == list(made)
        found = Finding.of(order, "why")
        assert (found.verdict, found.read, len(found.others)) == (HOLDS, "a", 3)
        assert Finding.of(order[1:], "why").verdict != BROKEN
    twice = ClaimReading("e", made[HOLDS].statements)
    assert favouring(made[HOLDS], twice)[0].says == "a", "of equal ones the first"


def test_intervals_of_all_readings_share_the_chance_and_a_number_counts_once():
    half = [Check(Number(name, 2.0, 1.5, 3.0, chance=0.005), least=1) for name in "abc"]
    kept = Finding.of([ClaimReading("x", ((half[0], half[1]),)), ClaimReading("y", ((half[0],),))], "why")
    assert kept.verdict == HOLDS
    with pytest.raises(ValueError, match="share the chance"):
        Finding.of([ClaimReading("x", ((half[0], half[1]),)), ClaimReading("y", ((half[2],),))], "why")


def test_an_infinite_end_is_no_end():
    infinite = Number.of("loss", np.inf)
    assert Check(infinite, least=0, strict=True).decision is True
    assert Check(infinite, most=1, strict=True).decision is False
    assert Check(Number.of("loss", -np.inf), most=1, strict=True).decision is True


# numbers of claims that closed forms decide, against formulas written out here ----------------------------------------


def checked(paper, number):
    return {check.number.what: check.number for check in papers.measure(paper, number, Ask()).checks}


def test_orders_in_the_length_of_the_sets():
    """Theorem 3 written out: suGRR's variance of a sensitive share is (f·p(1−p) + (m−f)·q(1−q))/(p−q)²."""
    lengths, variances = np.array([8, 16, 32, 64]), []
    for m in lengths:
        E, f = np.exp(1 / m), m / 1024
        p, q = E / (256 + E - 1), 1 / (256 + E - 1)
        variances.append((f * p * (1 - p) + (m - f) * q * (1 - q)) / (p - q) ** 2)
    found = checked("suldp", "10")
    assert found["suGRR: exponent of m"].value == pytest.approx(np.polyfit(np.log(lengths), np.log(variances), 1)[0])
    assert found["suGRR: exponent of m"].value == pytest.approx(3.05, abs=0.01)
    assert found["suWheel: exponent of m"].value == pytest.approx(1.04, abs=0.01)


def test_a_split_budget_costs_as_many_times_as_there_are_items():
    """Sensitive items: m·pq/(p−q)² against pq/(p−q)², whatever the share; the others cost f(1−r)/r both ways."""
    found, m, k, f = checked("suldp", "11"), 8, 256, 8 / 256
    for epsilon in (0.1, 1.0):
        a = np.exp(epsilon / (2 * m))
        noise, clear = a / (a - 1) ** 2, f / (a - 1)
        ratio = (k / 4 * m * noise + 3 * k / 4 * clear) / (k / 4 * noise + 3 * k / 4 * clear)
        value = found[f"ε = {epsilon:g}: MSE, uRAP with a split budget over suRAP"].value
        assert value == pytest.approx(ratio, rel=1e-9)


def test_high_is_told_from_low_as_two_formulas_say():
    E, k, high = np.e, 18, 4
    urr = (1 + (E - 1) / (high + E - 1)) / 2
    graded = (k + 2 * E - 2) / (k + E - 1) / 2
    assert (urr, graded) == (pytest.approx(0.650, abs=5e-4), pytest.approx(0.5436, abs=5e-5))
    value = checked("sdldp", "9")["ε = 1: success on high or low, SDGRR less URR, points"].value
    assert value == pytest.approx(100 * (graded - urr))
    right = checked("sdldp", "9")["URR, ε = 1: chance that a protected report comes from a sensitive value"].value
    assert right == pytest.approx(1 / (1 + high / (high + E - 1)))


def test_grr_loses_from_3e_plus_2_on():
    caveats = papers.measure("sdldp", "11", Ask()).caveats
    assert [each.value for each in caveats] == [np.floor(3 * np.exp(e) + 2) + 1 for e in (0.5, 1.0, 2.0)] == [7, 11, 25]


def test_neighbours_of_privelet():
    finding = papers.measure("privelet", "5", Ask())
    moved = [finding.checks[0].number.value, finding.others[0].statements[0][0].number.value]
    assert moved == [7, 12]  # h + 1 and 2h at h = 6
    assert finding.caveats[0].value == pytest.approx((20 / 11) ** 2)


def test_the_index_and_errors_by_matrices():
    """N = 16, where Boost is worst beside Privelet, by dense matrices: the mean of all ranges' variances."""
    size, total = 16, {}
    ranges = np.array([[a <= i <= b for i in range(size)] for a in range(size) for b in range(a, size)], float)
    for name, matrix in (("Boost", Tree(4).matrix()), ("Privelet", Privelet(4).matrix())):
        spread = np.linalg.inv(matrix.T @ matrix)
        total[name] = np.abs(matrix).sum(axis=0).max() ** 2 * np.einsum("ri,ij,rj->r", ranges, spread, ranges).mean()
    found = {each.what: each for each in (check.number for check in papers.measure("privelet", "6", Ask()).checks)}
    assert found["average variance, Boost over Privelet"].high == pytest.approx(total["Boost"] / total["Privelet"])


def test_one_sampled_attribute_is_short():
    number = checked("ldpk", "7")["bits of all attributes over bits of one"].value
    assert number == pytest.approx(55 / (55 / 6 + np.log2(6)))
