"""The cluster room against plain loops: records, K-modes, LDPK's server, fresh users, synthetic records."""

import sys
from itertools import permutations
from math import log2

import numpy as np
import pytest
from scipy import stats

from ldpcore.clusters import (
    Records,
    accuracy,
    cost,
    dpk,
    entropy,
    fresh,
    kmodes,
    ldpk,
    marginals,
    matching,
    noisy_index,
    pairs,
    split,
    starting_modes,
)
from ldpcore.clusters import reports as reports_
from ldpcore.clusters.result import Message
from ldpcore.clusters.synthetic import mutual_information, tree
from ldpcore.mechanisms import bits
from ldpcore.mechanisms.direct import GRR
from ldpcore.mechanisms.subset import SS
from ldpcore.mechanisms.unary import OUE
from ldpcore.rng import stream
from tests.each import for_each
from tests.laws.cluster_laws import LEVELS, X, by_hand

# The room's functions have the names of its modules.
ldpk_, fresh_, synthetic_ = (sys.modules[f"ldpcore.clusters.{name}"] for name in ("ldpk", "fresh", "synthetic"))


def random_records(seed, n=40, levels=(3, 2, 4)):
    rng = stream(seed, "records")
    return np.stack([rng.integers(0, d, n) for d in levels], axis=1)


def most_common(values, d):
    counts = [sum(int(v == value) for v in values) for value in range(d)]
    return counts.index(max(counts))


# --- records ---


@pytest.mark.parametrize("levels", [(3, 2, 4), (2**20, 2**20, 2**23), (1000, 2, 4)], ids=["dense", "huge", "sorted"])
def test_records_are_grouped(levels):
    X = random_records(1)
    records = Records.of(X, levels)
    assert records.codes[records.kind].tolist() == X.tolist()
    assert sorted(map(tuple, records.codes.tolist())) == sorted({tuple(row) for row in X.tolist()})
    assert records.counts.tolist() == np.bincount(records.kind).tolist()
    assert records.n == len(X)


def test_narrow_codes_do_not_overflow():
    X = np.array([[127, 0], [0, 1]], np.int8)
    assert Records.of(X).levels == (128, 2)


def test_starts_are_even_over_the_domain():
    """χ² over the six tuples of a small domain: p > 1e-6."""
    start = starting_modes((2, 3), 12_000, stream(1, "even"))
    assert stats.chisquare(np.bincount(start @ (3, 1))).pvalue > 1e-6


# --- K-modes ---


def by_the_book(X, modes, levels, most=100):
    """Plain loops: assign, take the commonest value, keep the mode of an empty cluster, stop when nothing changes."""
    for _ in range(most):
        labels = by_hand(X, modes)
        fresh_modes = modes.copy()
        for r in range(len(modes)):
            members = X[labels == r]
            if len(members):
                fresh_modes[r] = [most_common(column, d) for column, d in zip(members.T, levels, strict=True)]
        if (fresh_modes == modes).all():
            break
        modes = fresh_modes
    return modes


@for_each("seed", range(12))
@for_each("k", [1, 2, 5])
def test_kmodes_is_the_plain_loop(seed, k):
    X, levels = random_records(seed), (3, 2, 4)
    found = kmodes(X, k, stream(seed, "start"), levels=levels)
    assert found.modes.tolist() == by_the_book(X, found.sent[0], levels).tolist()
    assert found.labels.tolist() == by_hand(X, found.modes).tolist()
    costs = [cost(Records.of(X, levels), modes) for modes in (*found.sent, found.modes)]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] == (found.modes[found.labels] != X).sum()


def test_an_empty_cluster_keeps_its_mode():
    X = np.zeros((5, 2), int)
    found = kmodes(X, 2, stream(0), levels=(2, 2), start=np.array([[0, 0], [1, 1]]))
    assert found.modes.tolist() == [[0, 0], [1, 1]]
    assert found.rounds == 1


# --- scores ---


def test_scores_are_their_definitions():
    rng = stream(1, "scores")
    for k, m in ((3, 3), (2, 4), (4, 2)):
        labels, truth = rng.integers(0, k, 60), rng.integers(0, m, 60)
        wide = max(k, m)
        best = max(
            sum(int(name[a] == b) for a, b in zip(labels, truth, strict=True)) for name in permutations(range(wide))
        )
        assert accuracy(labels, truth) == pytest.approx(best / 60)
        bits_ = 0.0
        for r in range(k):
            inside = truth[labels == r]
            for share in np.bincount(inside) / max(len(inside), 1):
                bits_ -= len(inside) / 60 * (share * log2(share) if share else 0)
        assert entropy(labels, truth) == pytest.approx(bits_)


def test_scores_at_the_ends():
    labels = np.array([0, 0, 1, 1])
    assert (accuracy(labels, 1 - labels), entropy(labels, 1 - labels)) == (1, 0)
    assert (accuracy(labels, [0, 1, 0, 1]), entropy(labels, [0, 1, 0, 1])) == (0.5, 1)
    assert (accuracy([0], [2]), entropy([0, 0], [0, 2])) == (1, 1)
    weights = [5, 1, 0, 4]
    assert accuracy(labels, [0, 1, 0, 1], weights) == pytest.approx(0.9)
    assert matching(np.array([[0.1, 0.5], [0.4, 0.0], [0.0, 0.0]])).tolist() == [1, 0, -1]


# --- what the reports add up to ---


def test_sums_of_bits_follow_their_law():
    """20 000 kinds of two people who hold value 1 of 3: each of the 27 triples of sums, χ², p > 1e-6."""
    epsilon, kinds = 0.7, 20_000
    got = reports_.ones(np.ones(kinds, np.intp), np.full(kinds, 2), 3, epsilon, stream(1, "ones")).astype(int)
    a, b = OUE(epsilon, 3).support(np.eye(3)[1])[[1, 0]]
    own, other = stats.binom.pmf(range(3), 2, a), stats.binom.pmf(range(3), 2, b)
    expected = (other[:, None, None] * own[:, None] * other).ravel() * kinds
    assert stats.chisquare(np.bincount(got @ (9, 3, 1), minlength=27), expected).pvalue > 1e-6


def test_who_reports_nothing_adds_nothing():
    got = reports_.ones(np.array([0, 1, 1]), np.array([0, 3, 0]), 2, 1.0, stream(0))
    assert not got[[0, 2]].any()


@pytest.mark.parametrize("method", [ldpk, split])
def test_the_server_of_ldpk_is_the_plain_loop(method, monkeypatch):
    """Every person's own bits, kept by hand: the modes of every round are the argmax of t', and it stops in time."""
    X, levels, k, epsilon = random_records(3, 60), (3, 2, 4), 3, 2.0
    records, rng = Records.of(X, levels), stream(3, "bits")
    attribute = rng.integers(0, 3, len(X))
    everybody = method is split
    asks = [np.arange(len(X)) if everybody else np.flatnonzero(attribute == j) for j in range(3)]
    each = epsilon / 3 if everybody else epsilon
    own = [bits.unpack(OUE(each, d).perturb(X[asks[j], j], rng), d) for j, d in enumerate(levels)]

    def added(j):
        sums = np.zeros((len(records.counts), levels[j]))
        np.add.at(sums, records.kind[asks[j]], own[j])
        return sums

    order = iter(range(3))
    monkeypatch.setattr(reports_, "ones", lambda *_: added(next(order)))
    people = np.stack([np.bincount(records.kind[a], minlength=len(records.counts)) for a in asks], axis=1)
    monkeypatch.setattr(reports_, "sampled_attribute", lambda *_: people)
    found = method(X, k, epsilon, stream(4, "start"), levels=levels)

    modes, seen = found.sent[0], []
    while modes.tolist() not in seen and len(seen) < 20:
        seen.append(modes.tolist())
        labels, updated = by_hand(X, modes), modes.copy()
        for r in range(k):
            for j in range(3):
                a, b = OUE(each, 2).support([1, 0])
                of = own[j][labels[asks[j]] == r]
                if len(of):
                    estimate = (of.sum(axis=0) - len(of) * b) / (len(of) * (a - b))
                    updated[r, j] = estimate.tolist().index(max(estimate))
        modes = updated
    assert found.sent.tolist() == seen
    assert found.modes.tolist() == modes.tolist()


# --- what each report spends ---


@pytest.mark.parametrize(
    ("run", "module", "spent"),
    [
        (ldpk, reports_, {("OUE", 1.2)}),
        (split, reports_, {("OUE", 0.3)}),
        (noisy_index, ldpk_, {("OUE", 0.6), ("GRR", 0.2)}),
        (fresh, fresh_, {("SS", 1.2)}),
        (marginals, synthetic_, {("SS", 1.2)}),
        (pairs, synthetic_, {("OUE", 1.2)}),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_reports_spend_what_they_promise(run, module, spent, monkeypatch):
    """ε = 1.2, four attributes, three rounds: what every mechanism is built with."""
    built = set()

    def noted(name, make):
        def build(epsilon, k):
            built.add((name, round(epsilon, 12)))
            return make(epsilon, k)

        return build

    for name, make in (("OUE", OUE), ("GRR", GRR), ("SS", SS)):
        if hasattr(module, name):
            monkeypatch.setattr(module, name, noted(name, make))
    run(X[:200], 3, 1.2, stream(1), levels=LEVELS)
    assert built == spent


def test_dpk_adds_the_noise_that_five_rounds_need():
    """Add or remove one of four answers in five rounds: Lap(20/ε) on each of the 3·12 counts, empty clusters too."""

    class Noted:
        def __init__(self):
            self.rng, self.scales = stream(1), []

        def laplace(self, low, scale, shape):
            self.scales.append((scale, shape))
            return np.zeros(shape)

    rng = Noted()
    start = np.array([[0, 0, 0, 0], [1, 1, 1, 1], [2, 3, 1, 2]])
    found = dpk(X, 3, 0.5, rng, levels=LEVELS, start=start)
    assert rng.scales == [(40.0, (3, d)) for _ in range(5) for d in LEVELS]
    assert found.modes.tolist() == kmodes(X, 3, stream(0), levels=LEVELS, start=start, most=5).modes.tolist()
    assert found.rounds == 5


# --- fresh users ---


def test_nobody_is_asked_twice():
    records = Records.of(X, LEVELS)
    groups = fresh_._groups(records, 4, stream(1))
    assert sum(groups).tolist() == records.counts.tolist()
    assert [group.sum() for group in groups] == [750] * 4
    found = fresh(X, 3, 1.0, stream(1), rounds=4, levels=LEVELS)
    assert [message.count for message in found.messages if message.sender == "user"] == [750] * 4
    assert found.rounds == 4


def test_shrinking_is_its_formula():
    estimate, share = np.array([[0.3, 0.1], [0.2, 0.4]]), np.array([0.4, 0.6])
    post = fresh_.shrunk(estimate, share, np.full((2, 2), 0.04))
    predicted = 0.4 * 0.5
    assert post[0, 0] == pytest.approx(predicted + 0.16 / (0.16 + 0.04) * (0.3 - predicted))
    assert fresh_.shrunk(estimate, share, np.zeros((2, 2))) == pytest.approx(estimate)
    silent = fresh_.shrunk(estimate, share, np.full((2, 2), 1e9))
    assert silent == pytest.approx(share[:, None] * [0.5, 0.5], abs=1e-6)


def test_the_size_of_a_fresh_report():
    """One of 3 attributes (2 bits), then a subset of w of 2·d cells: w = 2 of 6, 1 of 4, 2 of 8 at ε = 1."""
    assert [SS(1.0, 2 * d).w for d in (3, 2, 4)] == [2, 1, 2]
    found = fresh(random_records(1), 2, 1.0, stream(1), levels=(3, 2, 4))
    said = next(message for message in found.messages if message.sender == "user")
    assert said.bits == pytest.approx(2 + (4 + 2 + 5) / 3)
    assert said.bytes == 1


# --- synthetic records ---


def test_mutual_information():
    assert mutual_information(np.full((2, 3), 1 / 6)) == pytest.approx(0, abs=1e-12)
    assert mutual_information(np.eye(4) / 4) == pytest.approx(np.log(4))


def test_the_tree_finds_a_chain():
    """0 – 2 – 1 – 3: each depends on the one before it only."""
    rng = stream(1, "chain")
    chain = [rng.integers(0, 3, 4000)]
    for _ in range(3):
        chain.append(np.where(rng.random(4000) < 0.7, chain[-1], rng.integers(0, 3, 4000)))
    columns = [chain[0], chain[2], chain[1], chain[3]]
    joint = {
        (i, j): np.bincount(columns[i] * 3 + columns[j], minlength=9).reshape(3, 3) / 4000
        for i in range(4)
        for j in range(i + 1, 4)
    }
    found = tree(joint, 4)
    assert found[0] == (-1, 0)
    assert {frozenset(edge) for edge in found[1:]} == {frozenset(e) for e in ((0, 2), (1, 2), (1, 3))}
    drawn = synthetic_._along_tree(joint, 4, stream(2))
    for (i, j), table in joint.items():
        got = np.bincount(drawn[:, i] * 3 + drawn[:, j], minlength=9) / len(drawn)
        # A pair that is no edge of the tree is joined only through it: the data are such a chain, up to sampling.
        assert got == pytest.approx(table.ravel(), abs=0.02)


def test_independent_attributes_need_no_pairs():
    """Two attributes that always agree: synthetic records of their marginals do not, those of their pair do."""
    X = np.repeat([[0, 0], [1, 1]], 50_000, axis=0)
    start = np.array([[0, 0], [1, 0]])
    assert pairs(X, 2, 30.0, stream(1), start=start).modes.tolist() == [[0, 0], [1, 1]]
    assert noisy_index(X, 2, 30.0, stream(1), start=start).modes.tolist() == [[0, 0], [1, 1]]
    drawn = []

    def noted(X, *args, **options):
        drawn.append(X)
        return kmodes(X, *args, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(synthetic_, "kmodes", noted)
        marginals(X, 2, 30.0, stream(1), start=start)
        pairs(X, 2, 30.0, stream(1), start=start)
    alone, together = ((X[:, 0] == X[:, 1]).mean() for X in drawn)
    assert alone == pytest.approx(0.5, abs=0.02)
    assert together > 0.98


@pytest.mark.parametrize(("bits", "size"), [(0.0, 1), (0.3, 1), (8.0, 1), (8.5, 2), (16.0, 2), (17.0, 3), (72.0, 9)])
def test_a_message_takes_whole_bytes(bits, size):
    assert Message(1, "user", "index", "", 1, bits).bytes == size


def test_strays_of_a_large_cluster_do_not_rule_a_small_one():
    """Of 100 000, 5 % hold (1, 1). With ε = 2 for the number, 12 % of the others call themselves so: more people.

    What is left of value 1 over value 0 is 0.76 · 2 500 · 0.38 = 725 bits, eight of its standard deviations.
    """
    X = np.repeat([[0, 0], [1, 1]], [95_000, 5_000], axis=0)
    start = np.array([[0, 0], [1, 1]])
    assert noisy_index(X, 2, 4.0, stream(2), rounds=1, start=start).modes.tolist() == start.tolist()


# --- nobody drew an attribute ---


@pytest.mark.parametrize("run", [ldpk, fresh, marginals, pairs, noisy_index])
def test_two_people_may_all_draw_the_same_attribute(run):
    for seed in range(20):
        assert run(np.array([[0, 1, 1], [1, 0, 2]]), 2, 1.0, stream(seed), levels=(2, 2, 3)).labels.shape == (2,)
