"""Planted bugs in the cluster room, and what kills each."""

import sys
from dataclasses import replace

import numpy as np
import pytest

from ldpcore.catalog import CLUSTERINGS
from ldpcore.clusters import kmodes
from tests.laws import cluster_laws as laws
from tests.unit import test_clusters, test_trace

kmodes_, fresh_, trace_, reports_ = (
    sys.modules[f"ldpcore.clusters.{name}"] for name in ("kmodes", "fresh", "trace", "reports")
)


def entry(**changes):
    return replace(CLUSTERINGS["LDPK"], **changes)


def last_of_ties(X, k, epsilon, rng, **options):
    found = CLUSTERINGS["LDPK"].run(X, k, epsilon, rng, **options)
    flipped = k - 1 - kmodes(X, k, rng, **options | {"start": found.modes[::-1], "most": 1}).labels
    return replace(found, labels=flipped)


def own_rng(X, k, epsilon, rng, **options):
    return CLUSTERINGS["LDPK"].run(X, k, epsilon, np.random.default_rng(int(np.random.randint(99))), **options)  # noqa: NPY002


def late_start(X, k, epsilon, rng, **options):
    rng.random()
    return CLUSTERINGS["LDPK"].run(X, k, epsilon, rng, **options)


def forgets_a_message(X, k, epsilon, rng, **options):
    found = CLUSTERINGS["LDPK"].run(X, k, epsilon, rng, **options)
    return replace(found, messages=tuple(m for m in found.messages if not m.exact))


@pytest.mark.parametrize(
    ("run", "law"),
    [
        (last_of_ties, laws.labels_are_those_of_the_nearest_mode),
        (own_rng, laws.only_the_given_generator_is_used),
        (late_start, laws.equal_generators_give_equal_starts),
        (forgets_a_message, laws.every_message_is_on_the_bill),
    ],
)
def test_a_wrong_method_breaks_its_law(run, law):
    law(entry())
    with pytest.raises(AssertionError):
        law(entry(run=run))


def test_a_promise_that_does_not_hold_is_seen():
    with pytest.raises(AssertionError):
        laws.every_message_is_on_the_bill(entry(whole=True))


def test_a_bit_off_by_five_percent_is_seen(monkeypatch):
    class Off(test_clusters.OUE):
        def support(self, freq):
            return super().support(freq) * 1.05

    test_clusters.test_sums_of_bits_follow_their_law()
    monkeypatch.setattr(reports_, "OUE", Off)
    with pytest.raises(AssertionError):
        test_clusters.test_sums_of_bits_follow_their_law()


def test_an_adversary_who_learns_from_the_attacked_is_seen(monkeypatch):
    monkeypatch.setattr(trace_, "_halves", lambda records, rng: [(records.counts, records.counts)])
    with pytest.raises(AssertionError):
        test_trace.test_nothing_is_learned_from_the_attacked()


def test_a_user_who_is_asked_twice_is_seen(monkeypatch):
    monkeypatch.setattr(fresh_, "_groups", lambda records, rounds, rng: [records.counts] * rounds)
    with pytest.raises(AssertionError):
        test_clusters.test_nobody_is_asked_twice()


def test_a_mode_that_breaks_ties_upwards_is_seen(monkeypatch):
    def upwards(modes, scores, heard):
        return np.stack([s.shape[1] - 1 - s[:, ::-1].argmax(axis=1) for s in scores], axis=1)

    monkeypatch.setattr(kmodes_, "updated", upwards)
    with pytest.raises(AssertionError):
        test_clusters.test_kmodes_is_the_plain_loop()
