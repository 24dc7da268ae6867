"""K-modes on one private table: what one record moves is paid for, and what is drawn is what the people are."""

import numpy as np
import pytest

from ldpcore.catalog import CLUSTERINGS
from ldpcore.clusters import Records, accuracy, fitted, kmodes
from ldpcore.clusters.fitted import DRAWN, margins, synthetic
from ldpcore.marginals import measured
from ldpcore.marginals.measured import CHOICE, SINGLES
from ldpcore.rng import stream
from tests.laws.cluster_laws import BEGIN, LEVELS, X

ALL = Records.of(X[:40], LEVELS)
EPSILON = 0.8


def asked(records, epsilon, monkeypatch):
    """What is measured of these records, each with the scale of its noise; and what choosing the pairs costs.

    Noise is replaced by nothing, so that neighbours can be compared number by number.
    """
    got = []

    class Still:
        """A generator that draws no noise."""

        def laplace(self, loc, scale, size):
            got.append(scale)
            return np.zeros(size)

        def gumbel(self, size):
            return np.zeros(size)

    spent = []
    real = measured.chosen

    def choosing(counted, singles, many, cost, total, rng):
        spent.append(cost)
        real(counted, singles, many, cost, total, rng)
        return [(0, 1), (1, 2), (2, 3)][:many]  # the same for neighbours: choosing is paid for apart

    def tables(counted, pairs, scale, rng):
        found.extend((counted(pair), scale) for pair in pairs)
        return real_noisy(counted, pairs, scale, rng)

    found, real_noisy = [], measured.noisy
    with monkeypatch.context() as patch:
        patch.setattr(measured, "chosen", choosing)
        patch.setattr(measured, "noisy", tables)
        patch.setattr(measured, "table_count", lambda *_: 3)
        singles = fitted._singles(records, epsilon * SINGLES, Still())
        fitted._joint(records, singles, fitted._kept([c for c, _ in singles]), epsilon, Still())
    scale = got[0]
    return [*((count, scale) for count, _ in singles), *found], spent[0]


def test_one_record_costs_epsilon_and_no_more(monkeypatch):
    """Every record removed in turn: the sum of all changes over their scales, and the choice, is ε."""
    whole, cost = asked(ALL, EPSILON, monkeypatch)
    assert cost == pytest.approx(EPSILON * CHOICE)
    for kind in range(len(ALL.counts)):
        less = ALL.thinned(ALL.counts - (np.arange(len(ALL.counts)) == kind))
        rest, _ = asked(Records(less.codes, less.counts, LEVELS), EPSILON, monkeypatch)
        moved = sum(np.abs(a - b).sum() / scale for (a, scale), (b, _) in zip(whole, rest, strict=True))
        assert moved + cost == pytest.approx(EPSILON)


@pytest.mark.parametrize("q", [1, 2, 4])
def test_what_is_drawn_is_what_the_people_are(q):
    people = Records.of(X[:, :q], LEVELS[:q])
    drawn = synthetic(people, 20.0, stream(1))
    assert drawn.shape == (DRAWN, q)
    for j in range(q):
        true = np.bincount(X[:, j], minlength=LEVELS[j]) / len(X)
        assert np.bincount(drawn[:, j], minlength=LEVELS[j]) / DRAWN == pytest.approx(true, abs=0.01)
        assert margins(people, 20.0, stream(2))[j] == pytest.approx(len(X) * true, abs=0.01 * len(X))
    if q > 1:
        table = np.zeros(LEVELS[:2])
        np.add.at(table, (drawn[:, 0], drawn[:, 1]), 1 / DRAWN)
        true = np.zeros(LEVELS[:2])
        np.add.at(true, (X[:, 0], X[:, 1]), 1 / len(X))
        assert table == pytest.approx(true, abs=0.01)


def test_a_table_too_large_tells_its_rarest_values_apart_no_more(monkeypatch):
    """Up to 20 cells instead of 72: what is merged is still drawn, by its own counts."""
    counts = [np.bincount(X[:, j], minlength=d).astype(float) for j, d in enumerate(LEVELS)]
    kept = fitted._kept(counts, 20)
    assert np.prod([len(own) + (len(own) < d) for own, d in zip(kept, LEVELS, strict=True)]) <= 20
    monkeypatch.setattr(fitted, "_kept", lambda counts: kept)
    drawn = synthetic(Records.of(X, LEVELS), 20.0, stream(3))
    for j, d in enumerate(LEVELS):
        assert np.bincount(drawn[:, j], minlength=d) / DRAWN == pytest.approx(counts[j] / len(X), abs=0.01)


def test_attributes_without_room_are_drawn_by_themselves(monkeypatch):
    """100 attributes are more than an array has axes; of 2^100 cells 64 are left."""
    real, wide = fitted._kept, np.column_stack([X % 2] * 25)[:300]
    monkeypatch.setattr(fitted, "_kept", lambda counts: real(counts, 64))
    monkeypatch.setattr(fitted, "DRAWN", 3000)
    found = CLUSTERINGS["Tables"].run(wide, 2, 1.0, stream(4), levels=(2,) * 100)
    assert found.labels.shape == (300,)
    drawn = synthetic(Records.of(wide, (2,) * 100), 200.0, stream(4))
    assert drawn.mean(axis=0) == pytest.approx(wide.mean(axis=0), abs=0.08)


def test_with_little_noise_it_finds_the_clusters():
    true = kmodes(X, 3, stream(0), levels=LEVELS, start=BEGIN)
    found = CLUSTERINGS["Tables"].run(X, 3, 5.0, stream(5), levels=LEVELS, start=BEGIN)
    assert accuracy(found.labels, true.labels) > 0.97
