"""Laws of a clustering method: each takes an entry (key, run, promise …) and knows no method by name."""

from collections.abc import Callable

import numpy as np
import pytest

from ldpcore.catalog.clusterings import ClusterEntry
from ldpcore.clusters import Records, kmodes, starting_modes
from ldpcore.rng import stream

LEVELS = (3, 4, 2, 3)
Law = Callable[[ClusterEntry], None]


def planted(n: int = 3000) -> np.ndarray:
    """Three clusters of 50, 30 and 20 %, each attribute at its mode with 90 %."""
    rng = stream(5, "planted", n)
    modes = np.array([[0, 0, 0, 0], [1, 1, 1, 1], [2, 3, 0, 2]])
    noise = np.stack([rng.integers(0, d, n) for d in LEVELS], axis=1)
    own = modes[rng.choice(3, n, p=(0.5, 0.3, 0.2))]
    return np.where(rng.random((n, len(LEVELS))) < 0.9, own, noise)


X = planted()
BEGIN = np.array([[0, 0, 0, 1], [1, 1, 0, 1], [2, 3, 0, 0]])


def by_hand(X: np.ndarray, modes: np.ndarray) -> np.ndarray:
    """The nearest mode of every record, in plain loops."""
    distances = [[sum(int(a != b) for a, b in zip(record, mode, strict=True)) for mode in modes] for record in X]
    return np.array([row.index(min(row)) for row in distances])


def labels_are_those_of_the_nearest_mode(entry: ClusterEntry) -> None:
    found = entry.run(X[:400], 3, 1.0, stream(1, entry.key), levels=LEVELS)
    assert found.labels.tolist() == by_hand(X[:400], found.modes).tolist()
    assert found.modes.shape == (3, 4)
    assert (found.modes >= 0).all()
    assert (found.modes < LEVELS).all()


def equal_generators_give_equal_starts(entry: ClusterEntry) -> None:
    expected = starting_modes(LEVELS, 3, stream(3, "start"))
    found = entry.run(X, 3, 1.0, stream(3, "start"), levels=LEVELS)
    assert found.sent[0].tolist() == expected.tolist()
    assert kmodes(X, 3, stream(3, "start"), levels=LEVELS).sent[0].tolist() == expected.tolist()


def only_the_given_generator_is_used(entry: ClusterEntry) -> None:
    before = repr(np.random.get_state())  # noqa: NPY002
    one, two, other = (entry.run(X, 3, 0.3, stream(seed, "rng"), levels=LEVELS) for seed in (1, 1, 2))
    assert repr(np.random.get_state()) == before  # noqa: NPY002
    assert one.modes.tolist() == two.modes.tolist()
    assert one.modes.tolist() != other.modes.tolist()


def records_and_codes_are_the_same_to_it(entry: ClusterEntry) -> None:
    codes = entry.run(X, 3, 1.0, stream(4), levels=LEVELS)
    grouped = entry.run(Records.of(X, LEVELS), 3, 1.0, stream(4))
    assert codes.modes.tolist() == grouped.modes.tolist()
    assert codes.labels.tolist() == grouped.labels.tolist()


def one_cluster_holds_everybody(entry: ClusterEntry) -> None:
    found = entry.run(X, 1, 30.0, stream(6), levels=LEVELS)
    assert not found.labels.any()
    assert found.modes.tolist() == [[0, 0, 0, 0]]


def as_many_clusters_as_records(entry: ClusterEntry) -> None:
    found = entry.run(X[:3], 3, 1.0, stream(7), levels=LEVELS)
    assert found.labels.shape == (3,)


def every_message_is_on_the_bill(entry: ClusterEntry) -> None:
    """Everybody says something; what a whole promise covers is never a function of the true record to a stranger."""
    found = entry.run(X, 3, 1.0, stream(8), levels=LEVELS)
    said = [message for message in found.messages if message.sender == "user"]
    assert all(message.count > 0 and message.bits > 0 and message.bytes >= 1 for message in found.messages)
    assert sum(message.count for message in said) >= len(X)
    exact_rounds = sum(message.exact and message.round > 0 for message in said)
    assert exact_rounds == (0 if entry.whole else found.rounds)
    assert len(found.sent) == found.rounds
    if exact_rounds == 0 and not any(message.exact for message in said):
        assert sum(message.count * message.epsilon for message in said) == pytest.approx(len(X) * 1.0)


def at_the_largest_budget_it_is_plain(entry: ClusterEntry) -> None:
    """ε = 40: the modes of K-modes from the same start, stopped after as many updates as the method has made.

    The clusters of the planted data stand apart, so an estimate from a sample finds the same modes. Methods that
    cluster synthetic records say that they are not plain.
    """
    if not entry.plain:
        return
    found = entry.run(X, 3, 40.0, stream(9), levels=LEVELS, start=BEGIN)
    updates = found.rounds if entry.whole else 100
    assert found.modes.tolist() == kmodes(X, 3, stream(0), levels=LEVELS, start=BEGIN, most=updates).modes.tolist()


LAWS: tuple[Law, ...] = (
    labels_are_those_of_the_nearest_mode,
    equal_generators_give_equal_starts,
    only_the_given_generator_is_used,
    records_and_codes_are_the_same_to_it,
    one_cluster_holds_everybody,
    as_many_clusters_as_records,
    every_message_is_on_the_bill,
    at_the_largest_budget_it_is_plain,
)
