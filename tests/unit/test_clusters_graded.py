"""Graded attributes: what is promised to whom, that nothing else is learned, and what the open columns give away."""

import sys
from itertools import product
from math import exp, inf, log

import numpy as np
import pytest

from ldpcore.clusters import (
    Records,
    accuracy,
    by_open,
    by_open_indices,
    graded,
    kmodes,
    ldpk,
    ldpk_open,
    promised,
    reports,
)
from ldpcore.clusters.graded import asked_units, mechanism
from ldpcore.clusters.grades import graded_epsilons, sampled
from ldpcore.clusters.paired import laws
from ldpcore.mechanisms.subset import SS
from ldpcore.rng import stream
from tests.laws.cluster_laws import BEGIN, LEVELS, X
from tests.laws.test_sensitivity import Reports

OWN = (inf, 1.0, 0.4, 1.0)
"""The first attribute of four is open, the third secret."""


def channel(own, levels=LEVELS):
    """All that one user's report can be, given any record: (records, units and subsets)."""
    records = Records.of(np.array(list(product(*map(range, levels)))), levels)
    units, blocks = asked_units(own), []
    for unit in units:
        matrix = mechanism(records, unit, own).channel().matrix
        cell = np.ravel_multi_index([records.columns[j] for j in unit], [levels[j] for j in unit])
        blocks.append(matrix[cell] / len(units))
    return records.codes, np.concatenate(blocks, axis=1)


@pytest.mark.parametrize("own", [OWN, (inf, inf, 0.7, inf), (1.0,) * 4], ids=["levels", "one", "all"])
def test_people_with_the_same_open_answers_are_told_apart_by_the_largest_epsilon(own):
    """Every two records: at most the largest ε of the marked attributes in which they differ, never the sum; reached
    by those that differ in secret ones only, and by those that differ in a sensitive one.
    """
    codes, sent = channel(own)
    assert sent.sum(axis=1) == pytest.approx(1)
    worst = {}
    for a, b in product(range(len(codes)), repeat=2):
        differs = codes[a] != codes[b]
        if a == b or (differs & np.isinf(own)).any():
            continue
        allowed = max(each for each, other in zip(own, differs, strict=True) if other)
        lost = log((sent[a] / sent[b]).max())
        assert lost <= allowed + 1e-9
        worst[allowed] = max(worst.get(allowed, 0.0), lost)
    assert worst == {each: pytest.approx(each) for each in set(own) - {inf}}


@pytest.mark.parametrize("own", [OWN, (inf, 0.7, inf, inf)], ids=["three", "one"])
def test_nothing_is_published_of_marked_attributes_but_what_reports_say(own, monkeypatch):
    """Anybody's marked answers beside five others, of the same open one: everybody is asked once, with at most the ε of
    what is asked, and the same answers make the same modes.
    """
    monkeypatch.setattr(sys.modules["ldpcore.clusters.graded"], "DRAWN", 60)
    others, runs, marked = np.array([[0, 0, 0, 0], [1, 1, 1, 1], [2, 2, 1, 2], [1, 3, 0, 0], [2, 0, 0, 1]]), [], []
    fixed = [j for j in range(4) if own[j] == inf]
    for record in product(*map(range, LEVELS)):
        if any(record[j] for j in fixed) or list(record) in others.tolist():
            continue
        with monkeypatch.context() as patched:
            said = Reports(patched)
            start = np.array([[0, 0, 0, 0], [1, 1, 1, 1]])
            found = graded(np.vstack([record, others]), 2, 1.0, said, levels=LEVELS, start=start, epsilons=own)
        runs.append((found.modes.tolist(), found.sent.tolist()))
        assert sum(counts.sum() for _, counts in said.asked) == 1 + len(others)
        marked.append({(asks.k, asks.epsilon) for asks, _ in said.asked})
    assert len(runs) > 2
    assert len({repr(run) for run in runs}) == 1
    pairs = [(asks.k, asks.epsilon) for asks in (mechanism(Records.of(X, LEVELS), u, own) for u in asked_units(own))]
    assert all(asked <= {*pairs} for asked in marked)


def test_with_everything_marked_or_nothing_it_is_ldpk_or_kmodes():
    plain = kmodes(X, 3, stream(0), levels=LEVELS, start=BEGIN)
    same = ldpk(X, 3, 1.0, stream(4), levels=LEVELS, start=BEGIN)
    other = ldpk_open(X, 3, 1.0, stream(4), levels=LEVELS, start=BEGIN)
    assert other.sent.tolist() == same.sent.tolist()
    for run in (graded, ldpk_open):
        free = run(X, 3, 1.0, stream(4), levels=LEVELS, start=BEGIN, epsilons=(inf,) * 4)
        assert free.modes.tolist() == plain.modes.tolist()
        assert [m.says for m in free.messages if m.round == 0] == ["the whole record, as it is"]


def test_open_attributes_cost_nothing_and_help():
    """One marked attribute of four, 3 000 people at ε = 0.1, from a kind start: 98 of 100 as K-modes, LDPK 81.

    Of 16 seeds, whose means have the standard errors 0.004 and 0.027: each is 4 of its own from the line between.
    """
    plain = kmodes(X, 3, stream(0), levels=LEVELS, start=BEGIN)
    own, right, without = (inf, 0.1, inf, inf), [], []
    for seed in range(16):
        found = graded(X, 3, 0.1, stream(seed, "graded"), levels=LEVELS, start=BEGIN, epsilons=own)
        right.append(accuracy(found.labels, plain.labels))
        lost = ldpk(X, 3, 0.1, stream(seed, "ldpk"), levels=LEVELS, start=BEGIN)
        without.append(accuracy(lost.labels, plain.labels))
    assert np.mean(right) > 0.96
    assert np.mean(without) < 0.92


def exact(records, units):
    """What reports without noise would say: sums in two halves, each kind's people split evenly."""
    half = records.counts // 2
    out = {}
    for unit in units:
        cell = np.ravel_multi_index([records.columns[j] for j in unit], [records.levels[j] for j in unit])
        sums = half[:, None] * np.eye(int(np.prod([records.levels[j] for j in unit])))[cell]
        out[unit] = [sums, sums], [half, half]
    return out


def test_a_marked_attribute_follows_what_says_most_about_it():
    """Of 1 000 people: attribute 2 repeats attribute 0 (open), 3 repeats 2; 1 (open) says nothing: shares are exact."""
    one = np.repeat([0, 1, 2], [500, 300, 200])
    codes = np.stack([one, np.tile([0, 1], 500), one, (one + 1) % 3], axis=1)
    records = Records.of(codes, (3, 2, 3, 3))
    first, second = laws(records, exact(records, [(2, 3)]), [0, 1])
    assert (first.attribute, first.parent, second.parent) in {(2, 0, 0), (2, 0, 2), (3, 0, 0), (3, 0, 3)}
    for law in (first, second):
        expected = np.zeros((3, 3))
        expected[codes[:, law.parent], codes[:, law.attribute]] = 1
        assert law.shares == pytest.approx(expected)
    alone = laws(records, exact(records, [(2, 3)]), [1])
    assert alone[1].parent == alone[0].attribute
    assert alone[1].shares.argmax(axis=1).tolist() == ([1, 2, 0] if alone[0].attribute == 2 else [2, 0, 1])
    (free,) = laws(records, exact(records, [(2,)]), [])
    assert free.shares == pytest.approx(np.array([[0.5, 0.3, 0.2]]))


def test_laws_are_without_bias():
    """The share of a value given an open one, over 400 surveys at ε = 1: within 5 standard errors, 5 % is seen.

    A right engine fails it once in 10⁶ choices of the seed.
    """
    from ldpcore.clusters.graded import _heard

    truth = np.array([[0.6, 0.3, 0.1], [0.1, 0.2, 0.7]])
    codes = np.repeat([[g, v] for g in range(2) for v in range(3)], np.round(truth.ravel() * 400).astype(int), axis=0)
    records, own = Records.of(codes, (2, 3)), (inf, 1.0)
    found = []
    for seed in range(400):
        sums, people = _heard(records, (1,), records.counts, own, stream(seed, "bias"))
        found.append(sum(sums).reshape(2, 3, 3).sum(axis=1) / 400)
        assert sum(people).tolist() == records.counts.tolist()
    spread = np.std(found, axis=0) / 20
    assert np.abs(np.mean(found, axis=0) - truth).max() < 5 * spread.max() < 0.05 * truth.max()


def test_one_of_the_marked_is_asked_of_each_and_all_of_the_open():
    records = Records.of(X, LEVELS)
    asked = sampled(records, OWN, stream(1))
    assert asked[:, 0].tolist() == records.counts.tolist()
    assert asked[:, 1:].sum(axis=1).tolist() == records.counts.tolist()
    assert asked[:, 1:].sum(axis=0) == pytest.approx(np.full(3, 1000), abs=130)


# what the open columns give away -------------------------------------------------------------------------------------

SHARES = np.array([0.5, 0.3, 0.2])


def told(open_of, epsilon, clustering):
    """20 000 people whose marked answer has these shares, beside an open attribute that is a function of it."""
    marked = np.repeat([0, 1, 2], (SHARES * 20_000).astype(int))
    records = Records.of(np.stack([open_of[marked], marked], axis=1), (2, 3))
    return by_open(records, clustering, epsilon, stream(3), (inf, epsilon))


def test_who_sees_the_open_columns_guesses_by_them_and_by_the_report():
    """Exactly, for an open attribute that tells value 0 from the two others, at ε = 1.

    Alone it is right for the commonest of each side, ½ + 0.3; with a report of SS for more, by the closed form on the
    two values that are left. 6 000 people, standard error 0.005: within 4 of them; 5 % of 0.8 are 8.
    """
    sides, epsilon = np.array([0, 1, 1]), 1.0
    seen = told(sides, epsilon, None)
    assert seen[0] == 1.0
    assert seen[1] == pytest.approx(0.8, abs=0.02)
    matrix = SS(epsilon, 3).channel().matrix
    best = 0.5 + np.maximum(0.3 * matrix[1], 0.2 * matrix[2]).sum()
    both = told(sides, epsilon, graded(X, 3, 1.0, stream(1)))
    assert best > 0.82
    assert both[1] == pytest.approx(best, abs=0.02)
    assert best <= promised(0.8, epsilon) + 1e-12


def test_a_report_about_a_pair_is_guessed_by_its_own_channel():
    """Nothing is open: two independent attributes, asked as one cell of six."""
    first, second = np.array([0.7, 0.3]), np.array([0.5, 0.3, 0.2])
    joint = np.outer(first, second)
    codes = np.repeat(
        [[a, b] for a in range(2) for b in range(3)], np.round(joint.ravel() * 20_000).astype(int), axis=0
    )
    found = by_open(Records.of(codes, (2, 3)), graded(X, 3, 1.0, stream(1)), 1.5, stream(2), (1.5, 1.5))
    named = (joint.ravel()[:, None] * SS(1.5, 6).channel().matrix).reshape(2, 3, -1)
    expected = [named.sum(axis=1).max(axis=0).sum(), named.sum(axis=0).max(axis=0).sum()]
    assert found == pytest.approx(np.array(expected), abs=0.02)
    assert max(expected) < exp(1.5) * 0.7 / (1 + (exp(1.5) - 1) * 0.7)


def test_indices_add_to_what_the_open_columns_say():
    """The open attribute tells value 0 from the rest, the nearest mode 1 from 2: together everybody is named."""
    marked = np.repeat([0, 1, 2], (SHARES * 2000).astype(int))
    records = Records.of(np.stack([np.array([0, 1, 1])[marked], marked], axis=1), (2, 3))
    found = ldpk_open(records, 2, 1.0, stream(1), start=np.array([[0, 1], [0, 2]]), epsilons=(inf, 1.0))
    assert by_open_indices(records, found, 1.0, stream(2), (inf, 1.0)).tolist() == [1.0, 1.0]
    assert by_open(records, None, 1.0, stream(2), (inf, 1.0))[1] == pytest.approx(0.8, abs=0.03)


def test_of_a_trace_that_nobody_has_sent_the_open_columns_speak():
    """Everybody's nearest mode is their own: no known person has sent it, but the open attribute repeats the second."""
    who = np.arange(300)
    records = Records.of(np.stack([who, who % 3, who % 3], axis=1), (300, 3, 3))
    own_modes = np.stack([who, who % 3, who % 3], axis=1)
    found = ldpk_open(records, 300, 1.0, stream(1), start=own_modes, epsilons=(1.0, 1.0, inf))
    assert by_open_indices(records, found, 1.0, stream(2), (1.0, 1.0, inf))[1] == 1.0


def test_open_answers_are_summed_as_they_are():
    people, column = np.array([5, 0, 7]), np.array([1, 0, 2])
    assert reports.ones(column, people, 3, inf, stream(1)).tolist() == (people[:, None] * np.eye(3)[column]).tolist()


def test_epsilons_that_make_no_sense():
    assert graded_epsilons(None, 1.0, 3) == (1.0, 1.0, 1.0)
    with pytest.raises(ValueError, match="epsilons must have one entry for each of the 4 attributes, got 2"):
        graded(X, 3, 1.0, stream(1), epsilons=(1.0, inf))
    with pytest.raises(ValueError, match="no attribute is protected by more than epsilon = 1, got 2; raise epsilon"):
        ldpk_open(X, 3, 1.0, stream(1), epsilons=(2.0, 1.0, inf, inf))
    with pytest.raises(ValueError, match="epsilon must be positive and finite"):
        graded(X, 3, 1.0, stream(1), epsilons=(0.0, 1.0, inf, inf))


def test_few_people():
    few = Records.of(X[:1], LEVELS)
    assert np.isnan(by_open(few, graded(few, 1, 1.0, stream(1)), 1.0, stream(1))).all()
    assert graded(X[:2], 2, 1.0, stream(1), levels=LEVELS, epsilons=OWN).modes.shape == (2, 4)
    assert np.isfinite(by_open_indices(few, ldpk_open(few, 1, 1.0, stream(1)), 1.0, stream(1))).all()
