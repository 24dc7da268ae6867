"""Two answers together: what is refused, in which sentence; tallies; what a survey of few people is told."""

import numpy as np
import pytest

from ldpcore import plan, relations
from ldpcore.catalog import FREQUENCY
from ldpcore.relations.answers import sent
from ldpcore.relations.tallies import PairTally
from ldpcore.rng import stream
from tests.each import for_each

BUILD = {key: FREQUENCY[key].build for key in FREQUENCY}
APART = relations.apart(3, BUILD["GRR"](1.0, 2))
AS_ONE = relations.as_one(3, 2, BUILD["SS"](1.0, 6))
COUNTS = np.array([[300, 100], [200, 150], [100, 150]])


def survey(design=APART, n=1, seed=1):
    return design.joint(design.draw(COUNTS * n, stream(seed, "survey"), 1)[0])


@for_each(
    ("act", "sentence"),
    [
        (lambda: relations.apart(2, BUILD["OLH"](1.0, 4)), "OLH has no table of chances; choose GRR, SS, uRR or uSS."),
        (lambda: relations.apart(2, BUILD["SHE"](1.0, 4)), "SHE has no table of chances; choose GRR, SS, uRR or uSS."),
        (lambda: relations.as_one(16, 16, BUILD["GRR"](1.0, 256)),
         "The pair has 256 answers, more than 64; join some, or ask separately."),
        (lambda: relations.as_one(2, 2, BUILD["GRR"](1.0, 6)), "the mechanism is for 6 values, the pair has 2 · 2 = 4"),
        (lambda: relations.as_one(2, 1, BUILD["GRR"](1.0, 2)), "ky .* must be at least 2, got 1"),
        (lambda: relations.apart(1, 2), "must be at least 2, got 1"),
        (lambda: relations.apart(BUILD["GRR"](1.0, 200), 2), "at most 128 answers here, got 200; join some"),
        (lambda: survey().difference([1], [0, 1], [1]), "A group stands on one side only; each side needs one."),
        (lambda: survey().difference([1], [], [1]), "A group stands on one side only; each side needs one."),
        (lambda: survey().difference([1], [True, False, False], [False] * 3), "A group stands on one side only"),
        (lambda: survey().within([0, 1], [0]), "the share of all answers is 1 in every group"),
        (lambda: survey().within([], [0]), "name some of the answers"),
        (lambda: survey().within([2], [0]), "codes from 0 to 1, got 2"),
        (lambda: survey().within([1], [0], about="them"), 'about is "like" .* or "these"'),
        (lambda: APART.joint(PairTally(0, np.zeros((3, 2), int), np.zeros((5, 5)))),
         "a tally without reports has no relation; collect at least one"),
        (lambda: APART.tally((np.zeros(3, int), np.zeros(2, int))), "3 reports of one question and 2 of the other"),
        (lambda: AS_ONE.perturb([0, 1], [0], stream(1)), "2 answers to one question and 1 to the other"),
        (lambda: APART.of_shares(np.ones((2, 2)) / 4, 100), "shares are .…, 3, 2. here, got shape .2, 2."),
        (lambda: APART.of_shares(COUNTS / 1000, 100).independence(), "the test needs the reports themselves"),
        (lambda: APART.of_shares(np.ones((4, 3, 2)) / 6, 100).strength(), "asked of one survey, not of several"),
        (lambda: APART.variance([[0, 0], [0.5, 0.2], [0.2, 0.1]], [1], [0], [1]), "nobody is in one of the groups"),
        (lambda: APART.covariance([[1, 0], [1, 0], [0, 0]], 10), "shares that are not negative and sum to 1"),
        (lambda: APART.exposure(COUNTS / 1000), "exposure is of marked answers"),
        (lambda: APART.exposure(COUNTS / 1000, y=[0, 1]), "mark some answers, and not all"),
        (lambda: survey().correlation([0, 1], [0, 1]), "needs 3 and 2 numbers"),
        (lambda: survey().correlation([1, 1, 1], [0, 1]), "give each its own"),
        (lambda: plan.difference(APART, COUNTS / 1000, [1], [2], [0], delta=0.9), "make none between 0 and 1"),
        (lambda: plan.difference(APART, COUNTS / 1000, [1], [2], [0], power=1.0), "power is a share between 0 and 1"),
        (lambda: plan.independence(APART, COUNTS / 1000, power=0.0), "power is a share between 0 and 1"),
        (lambda: APART.draw(COUNTS, stream(1), 1)[0] + AS_ONE.draw(COUNTS, stream(1), 1)[0], "cannot be added"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_in_a_sentence(act, sentence):
    with pytest.raises(ValueError, match=sentence):
        act()


def test_a_report_that_nobody_sent_is_refused():
    with pytest.raises(ValueError, match="cannot send"):
        APART.tally((np.array([0]), np.array([5], np.int32)))
    with pytest.raises(ValueError, match="codes from 0 to 2"):
        APART.tally((np.array([3]), np.array([0], np.int32)))


@pytest.mark.parametrize("design", [APART, AS_ONE, relations.apart(BUILD["SS"](0.5, 3), BUILD["OUE"](0.5, 2))])
def test_tallies_add_up_and_estimates_are_their_mean_scores(design):
    x, y = np.repeat(np.arange(6), COUNTS.ravel()) // 2, np.repeat(np.arange(6), COUNTS.ravel()) % 2
    reports = design.perturb(x, y, stream(2, "reports"))
    cut = (lambda part: tuple(each[part] for each in reports)) if design.is_apart else (lambda part: reports[part])
    whole, parts = design.tally(reports), [design.tally(cut(slice(a, a + 400))) for a in range(0, 1000, 400)]
    added = sum(parts)
    assert added.n == whole.n == 1000
    assert np.array_equal(added.counts, whole.counts)
    assert np.allclose(added.moments, whole.moments)
    assert design.joint(whole).shares.sum() == pytest.approx(1)
    assert design.joint(whole).covariance.shape == (6, 6)


def test_too_many_reports_are_kept_as_moments():
    """SS of 20 answers at ε = ½ has 125 970 reports."""
    hidden = BUILD["SS"](0.5, 20)
    design = relations.apart(hidden, BUILD["GRR"](1.0, 2))
    counts = np.zeros((20, 2), int)
    counts[:, 0], counts[:3, 1] = 20, 30
    tally = design.draw(counts, stream(3, "many"), 1)[0]
    assert tally.counts is None
    assert sent(hidden).reports is None
    r = design.joint(tally)
    assert r.shares.sum() == pytest.approx(1)
    assert r.independence(draws=49).how == "drawn"
    assert design.variance(counts / counts.sum(), [1], [0, 1, 2], list(range(3, 20))) > 0
    found = r.difference([1], [0, 1, 2], list(range(3, 20)))
    assert found.low <= found.value <= found.high
    with pytest.raises(ValueError, match="too many to list"):
        design.raw_of(tally)
    with pytest.raises(ValueError, match="no table of chances"):
        design.raw(counts / counts.sum())
    with pytest.raises(ValueError, match="too many pairs of reports"):
        design.channel()
    pair = relations.as_one(10, 2, BUILD["SS"](0.3, 20))
    tally = pair.draw(np.full((10, 2), 100), stream(3, "pair"), 1)[0]
    assert tally.counts is None
    assert np.ptp(pair.corners(np.arange(10) < 2, np.arange(2) < 1)[:, 0]) > 0
    assert pair.joint(tally).within([1], [0, 1, 2, 3, 4]).low >= 0


def test_a_group_that_is_nearly_empty_tells_nothing():
    design = relations.apart(BUILD["GRR"](0.5, 3), BUILD["GRR"](0.5, 2))
    r = design.joint(design.draw(np.array([[500, 400], [60, 30], [5, 5]]), stream(4), 1)[0])
    assert not r.within([1], [2]).told
    assert not r.difference([1], [2], [0]).told
    assert not r.strength().told
    assert r.within([1], [0]).told
    assert r.within([1], [0]).size_in_errors > 3
    below = design.of_shares(np.array([[0.6, 0.5], [0.0, 0.0], [-0.05, -0.05]]), 100).within([1], [2])
    assert (below.low, below.high, below.told) == (0, 1, False)


def test_every_group_against_all_others_is_wider_than_alone():
    r = survey(n=20)
    together, alone = r.against_others([1]), r.difference([1], [0], [1, 2])
    assert len(together) == 3
    assert together[0].value == pytest.approx(alone.value)
    assert together[0].low < alone.low < alone.high < together[0].high
    assert r.within([1], [0], looks=3).low < r.within([1], [0]).low
    assert r.within([1], [0], level=0.99).low < r.within([1], [0]).low


def test_several_surveys_at_once_are_each_of_them():
    tables = APART.simulate(COUNTS, stream(5), 4)
    every = APART.of_shares(tables, 1000)
    for each, table in enumerate(tables):
        one = APART.of_shares(table, 1000)
        for ask in (
            lambda r: r.within([1], [0]), lambda r: r.difference([1], [0], [2]), lambda r: r.ratio([1], [0], [2]),
            lambda r: r.odds_ratio([1], [0], [2], about="these"),
        ):  # fmt: skip
            found, alone = ask(every), ask(one)
            assert (found.value[each], found.low[each], found.high[each]) == pytest.approx(
                (alone.value, alone.low, alone.high)
            )
        assert np.allclose([end[each] for end in every.interval()], one.interval())


def test_promises_of_both_answers():
    assert AS_ONE.epsilons == (1.0, 1.0, 1.0)
    assert relations.apart(BUILD["GRR"](0.5, 2), BUILD["GRR"](1.5, 2)).epsilons == (0.5, 1.5, 2.0)
    assert relations.apart(2, 2).epsilons == (np.inf, np.inf, np.inf)
    assert "Only the combination is protected" in relations.BOTH


def test_nobody_needs_people_for_no_difference():
    even = np.array([[0.25, 0.25], [0.25, 0.25]])
    design = relations.apart(2, 2)
    assert plan.difference(design, even, [1], [0], [1]) is None
    assert plan.independence(design, even) is None
    assert plan.least_difference(design, even, [1], [0], [1], n=2) is None
    assert plan.difference(design, even, [1], [0], [1], delta=0.2) == plan.difference(design, even, [0], [0], [1], 0.2)


def test_exposure_in_blocks_is_that_of_all_at_once(monkeypatch):
    design = relations.apart(BUILD["SS"](1.0, 6), BUILD["OUE"](1.0, 5))
    f = stream(6).dirichlet(np.ones(30)).reshape(6, 5)
    exact = design.exposure(f, x=[0, 1])
    monkeypatch.setattr("ldpcore.relations.exposure.AT_ONCE", 64)
    blocks = design.exposure(f, x=[0, 1])
    assert blocks.all_reports == pytest.approx(exact.all_reports, abs=2e-6)
    assert (blocks.named, blocks.own_report) == pytest.approx((exact.named, exact.own_report))


def test_the_table_that_reports_name_is_on_average_the_raw_one():
    for design in (APART, AS_ONE, relations.apart(BUILD["SS"](1.0, 3), BUILD["uSS"](1.0, 2, [False, True]))):
        tallies = sum(design.draw(COUNTS, stream(7), 200))
        assert np.allclose(design.raw_of(tallies), design.raw(COUNTS / 1000), atol=0.005)
