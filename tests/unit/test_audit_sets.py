"""An audit of a function of a set: which sets are tried, which leaks are seen, what is refused."""

import shlex
from itertools import combinations

import numpy as np
import pytest
from click.testing import CliRunner

from ldpcore import custom
from ldpcore.cli import main
from ldpcore.custom import apart
from ldpcore.custom.audit_sets import MOST_TRIED, chosen
from ldpcore.rng import stream
from ldpcore.study import invented

K, M, SURE = 5, 2, np.log(6.25)


def sampled(items, rng, k=K, m=M):
    """One of two items, or of padding 5 and 6, kept with 0.6: ε = ln((0.6 · 7/0.4 + 2)/2) = ln 6.25."""
    item = [*items, k, k + 1][rng.integers(m)]
    return int(item if rng.random() < 0.6 else rng.integers(k + m))


def shows_all(items, rng):
    return set(items) if rng.random() < 0.05 else sampled(items, rng)


def pads_not(items, rng):
    return sampled(items, rng, m=max(1, len(items)))


def keeps_order(items, rng):
    return items[:1]


def shows_a_bit(items, rng):
    bits = rng.random(12) < 0.5
    bits[3] = rng.random() < (0.95 if 3 in items else 0.05)
    return bits


def names_items(items, rng):
    others = set(map(int, rng.permutation(40)[:8] + 9))
    return others | {item for item in items if rng.random() < 0.9}


def text_beside_numbers(items, rng):
    return {"some", int(rng.integers(3)), *([b"all"] if len(items) == M else [])}


LEAKS = [shows_all, pads_not, keeps_order, shows_a_bit, names_items, text_beside_numbers]


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_is_found(leak):
    """Each has a larger ε than the honest one."""
    reports = 6000 if leak in (shows_all, pads_not) else 1200  # one in twenty, against none of so many
    assert custom.audit_sets(leak, K, M, stream(7), claimed=SURE, reports=reports, confidence=0.999).refuted


def test_the_truth_is_not_exceeded_and_nearly_found():
    told = custom.audit_sets(sampled, K, M, stream(7), claimed=SURE, reports=3000)
    assert 0.7 * SURE < told.epsilon < SURE
    assert told.tried == 16


def test_a_true_claim_is_refuted_no_more_often_than_it_says():
    """Forty audits of a report that tells nothing, at 90 % confidence: more than 8 are false once in 50 000."""
    told = [
        custom.audit_sets(lambda items, rng: int(rng.integers(8)), 4, 2, stream(i), None, 0.01, 200, 0.9)
        for i in range(40)
    ]
    assert sum(each.refuted for each in told) <= 8


def test_what_is_sent_once_may_prove_an_unmarked_item():
    """Holders of 3 or 4 say so half of the time, beside a number that never comes again: what is bounded keeps ln 2."""

    def open_item(items, rng):
        public = [item for item in items if item > 2]
        return (str(rng.choice(public)), int(rng.integers(1 << 60))) if public and rng.random() < 0.5 else 0

    marks = np.arange(K) < 3
    at_most = custom.audit_sets(open_item, K, M, stream(7), marks, claimed=np.log(2), reports=1200, confidence=0.999)
    assert 0.3 < at_most.epsilon < np.log(2)
    assert custom.audit_sets(open_item, K, M, stream(7), claimed=np.log(2), reports=1200).refuted


def test_a_list_may_be_changed_and_is_in_order():
    seen = set()

    def greedy(items, rng):
        seen.add(tuple(items))
        items.append(1)
        return int(rng.integers(2))

    custom.audit_sets(greedy, 3, 2, stream(7), reports=100)
    assert seen == {(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2)}


@pytest.mark.parametrize(("k", "m", "marked"), [(9, 3, 0), (40, 2, 3), (169, 4, 20), (12, 1, 5), (7, 5, 2)])
def test_sets_differ_in_everything_in_one_item_and_in_marked_items_alone(k, m, marked):
    mask = stream(1, "marks", k).permutation(k) < marked
    tried = chosen(k, m, mask, stream(2, "chosen", k))
    assert len(set(tried)) == len(tried) == min(MOST_TRIED, k + 1 if m == 1 else MOST_TRIED)
    assert all(list(items) == sorted({*items}) and len(items) <= m for items in tried)
    pairs = [({*a}, {*b}) for a, b in combinations(tried, 2)]
    assert () in tried
    assert any(len(a) == len(b) == m and len(a - b) == 1 for a, b in pairs)
    assert any(len(a ^ b) == 1 for a, b in pairs)
    assert m > k / 2 or any(len(a) == len(b) == m and not a & b for a, b in pairs)
    if marked:
        assert any(a ^ b and mask[[*a ^ b]].all() for a, b in pairs)
        assert any(a - b and mask[[*a ^ b]].all() and not mask[[*a, *b]].all() for a, b in pairs) or m == 1


REFUSED = {
    "rude": "rude([], rng) raises ValueError: a cannot be empty unless no samples are taken in line 5 of mine.py: a "
    "mechanism returns a report for every set of so many items at most, the empty one too",
    "odd": "a report is a number, text, or a sequence or set of these, got dict; return one of these",
}


@pytest.fixture(scope="module")
def code(tmp_path_factory):
    path = tmp_path_factory.mktemp("audit") / "mine.py"
    path.write_text(
        "def leak(items, rng):\n    return items if rng.random() < 0.9 else 0\n\n"
        "def rude(items, rng):\n    return rng.choice(items)\n\ndef odd(items, rng):\n    return [{}]\n"
    )
    return path


@pytest.mark.parametrize("name", REFUSED)
def test_code_that_sends_no_reports_is_told_so(code, name):
    assert apart.answer(code, name, (4, 7, None, 1000, 0.99), apart.SetInputs(2)) == REFUSED[name]


def test_in_the_terminal(code):
    shown = invented.audit_line(4, "--sets 2 --marks 0,1").replace("mechanism.py:report", f"{code}:leak")
    told = CliRunner().invoke(main, [*shlex.split(shown)[1:], "--claimed", "1", "--reports", "400"])
    assert told.exit_code == 0, told.output
    assert told.output.startswith("ε of SULDP-joint is at least ")
    assert "under the set {" in told.output
    assert "So it does not keep ε = 1." in told.output
    assert "Any two sets of at most 2 items are neighbours; 11 were tried" in told.output
    assert "is not counted against a set without it" in told.output


def test_more_items_than_there_are_are_refused():
    with pytest.raises(ValueError, match=r"m \(items per set\) must be between 1 and 4, got 5"):
        custom.audit_sets(sampled, 4, 5, stream(7))


WRONG = {
    ("--sets", "2", "--marks", "4"): "--marks names codes from 0 to 3, apart by commas, got '4'",
    ("--marks", "1"): "--marks goes with --sets",
    ("--sets", "2", "--numbers", "0..1"): "give either --numbers, their public range, or --sets",
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_makes_no_sense_is_refused_with_a_sentence(code, wrong):
    told = CliRunner().invoke(main, ["audit", f"{code}:leak", "--values", "4", *wrong])
    assert told.exit_code == 1
    assert told.output.startswith("Error: ")
    assert WRONG[wrong] in told.output
