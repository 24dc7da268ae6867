"""Clusterings side by side, what their messages give away, and one person's part in a round."""

import math
from itertools import product

import numpy as np
import pytest

from ldpcore import data
from ldpcore.catalog import CLUSTERINGS
from ldpcore.clusters import Clustering, Records, accuracy, kmodes, nearest
from ldpcore.rng import stream
from ldpcore.study import Source, Study, clusters, run
from ldpcore.study.clusters import compare, rounds
from tests.each import for_each
from tests.laws.cluster_laws import LEVELS, X

COLUMNS = ("sex", "condition", "smoking")
STUDY = Study(
    Source("health"), "condition", mechanisms=("LDPK", "DPK", "Fresh"), grid=(), repetitions=3, task="clusters",
    options=(("columns", COLUMNS),),
)  # fmt: skip


@pytest.fixture(scope="module")
def people():
    return clusters.prepare(STUDY, data.load("health"))


@pytest.fixture(scope="module")
def rows():
    return run(STUDY)


def test_side_by_side_follows_the_truth():
    """The same clusters under other numbers: matched back, largest first, all right."""
    records = Records.of(X, LEVELS)
    start = np.array([[0, 0, 0, 1], [1, 1, 0, 1], [2, 3, 0, 0]])
    true = kmodes(records, 3, stream(0), start=start)
    turned = Clustering(true.labels, true.modes[[2, 0, 1]], 1, true.sent)
    half = Clustering(true.labels, np.repeat(true.modes[:1], 3, axis=0), 1, true.sent)
    shown = compare.side_by_side(records, true, {"turned": turned, "half": half})
    assert list(shown) == [compare.TRUE, "turned", "half"]
    own = shown[compare.TRUE]
    assert shown["turned"].modes.tolist() == own.modes.tolist()
    # Ties go to the lowest number, and that is another cluster now.
    assert shown["turned"].shares == pytest.approx(own.shares, abs=0.02)
    assert own.shares.tolist() == sorted(own.shares, reverse=True)
    assert shown["turned"].right > 0.98
    assert shown["half"].right == pytest.approx(own.shares[0])
    assert sorted(shown["half"].shares) == pytest.approx([0, 0, 1])


def test_another_number_of_clusters_has_no_partners():
    records = Records.of(X, LEVELS)
    true, other = kmodes(records, 3, stream(0)), kmodes(records, 2, stream(0))
    with pytest.raises(ValueError, match="other has 2 clusters and the truth 3"):
        compare.side_by_side(records, true, {"other": other})


def test_untouched_is_the_mean_over_the_studys_own_starts(people):
    """As many starts as the methods' means have, not only the first."""
    each = []
    for repetition in range(STUDY.repetitions):
        here = clusters.cell(STUDY, people, 1.0, repetition)
        found, true = (nearest(here.records, modes) for modes in (here.start, here.true.modes))
        each.append(accuracy(found, true, here.records.counts))
    assert len(set(each)) > 1
    assert compare.untouched(STUDY, people) == pytest.approx(np.mean(each))


def test_limits_and_leaks(people, rows):
    said = compare.leaks(STUDY, people, rows)
    assert set(zip(said["column"], said["mechanism"], strict=True)) == set(product(COLUMNS, STUDY.mechanisms))
    attacked = said["mean"].notna()
    assert set(said.loc[attacked, "mechanism"]) == {"LDPK", "Fresh"}, "no attack on DPK is known"
    for one in said[attacked].to_dict("records"):
        held = people.records.codes[people.records.kind][:, COLUMNS.index(one["column"])]
        shares = np.sort(np.bincount(held))[::-1] / len(held)
        blind, ways = shares[0], range(1, len(shares) + 1)
        assert one["blind"] == pytest.approx(blind)
        assert one["promised"] == pytest.approx(max(math.e * shares[:m].sum() / (math.e + m - 1) for m in ways))
        values = compare.guessed(rows, one["mechanism"], one["column"])
        assert values is not None
        assert len(values) == STUDY.repetitions
        assert (one["mean"], one["least"], one["most"]) == (values.mean(), values.min(), values.max())
    assert compare.guessed(rows, "DPK", "condition") is None
    with pytest.raises(ValueError, match="'age' is not among the columns"):
        compare.limits(people, "age", 1.0)


# rounds ----------------------------------------------------------------------------------------------------------


def test_a_person_is_found_with_and_without_their_number():
    records = Records.of(X, LEVELS)
    assert [rounds.record_of(records, i) for i in (0, 7, 2999)] == [X[i].tolist() for i in (0, 7, 2999)]
    counted = Records(records.codes, records.counts, records.levels)
    everybody = [tuple(rounds.record_of(counted, i)) for i in range(counted.n)]
    seen, held = np.unique(everybody, axis=0, return_counts=True)
    kinds = dict(zip(map(tuple, records.codes.tolist()), records.counts.tolist(), strict=True))
    assert {tuple(map(int, code)): int(n) for code, n in zip(seen, held, strict=True)} == kinds
    with pytest.raises(ValueError, match="between 0 and 2999"):
        rounds.record_of(records, 3000)


@for_each("key", list(CLUSTERINGS))
def test_a_round_is_what_the_run_sent(key):
    records, record = Records.of(X, LEVELS), X[5].tolist()
    found = CLUSTERINGS[key].run(records, 3, 2.0, stream(1, key))
    spent = rounds.bill(found)
    assert len(spent) == len(found.messages)
    assert set(spent["round"]) == set(rounds.rounds(found))
    assert np.isinf(spent["epsilon"]).any() == (CLUSTERINGS[key].central or not CLUSTERINGS[key].whole)
    for t in rounds.rounds(found):
        heard = rounds.exchange(found, records, t, record, stream(2))
        assert (heard.asked is None) == (not heard.answers)
        assert heard.everybody == (heard.asked is not None and key != "Fresh-2")
        if heard.modes is None:
            assert heard.nearest is None
            continue
        agree = [sum(a == b for a, b in zip(mode, record, strict=True)) for mode in heard.modes.tolist()]
        assert list(heard.agreements) == agree
        assert heard.nearest == agree.index(max(agree))
        if heard.asked is not None and heard.asked.kind == "index":
            assert heard.answers[0].sent == (heard.nearest,)
    with pytest.raises(ValueError, match="nothing is sent in round 99"):
        rounds.exchange(found, records, 99, record, stream(2))
