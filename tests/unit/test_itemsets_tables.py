"""The miner of tables: what one person moves, what is fitted, what it finds, and an audit of the whole output."""

import math
from dataclasses import replace
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest

from ldpcore import Source, Study, data, run
from ldpcore.baskets import Baskets
from ldpcore.estimators.intervals import proportion_ends
from ldpcore.itemsets import NoTables, apriori, baskets_of, columns, scores, tables
from ldpcore.itemsets.columns import rows
from ldpcore.marginals import drawn, fitting
from ldpcore.marginals import measured as measured_tables
from ldpcore.marginals.measured import CHOICE, SINGLES, table_count
from ldpcore.rng import stream
from tests import real
from tests.laws.test_miners import LISTS

SIZES = (2, 3, 4)


def answers(n=60, seed=3, sizes=SIZES):
    """A table of so many values per column, some cells empty, as baskets whose columns are known."""
    rng = stream(seed, "answers")
    starts = np.cumsum([0, *sizes[:-1]])
    held = [[int(s + rng.integers(k)) for s, k in zip(starts, sizes, strict=True) if rng.random() < 0.8]
            for _ in range(n)]  # fmt: skip
    codes = np.concatenate(held).astype(np.int32)
    bounds = np.concatenate([[0], np.cumsum([len(row) for row in held])])
    return Baskets(tuple(map(str, range(sum(sizes)))), codes, bounds, np.repeat(np.arange(len(sizes)), sizes))


TABLE = answers()
YES_NO = baskets_of(LISTS[:60])


@cache
def census():
    return data.load("census").baskets("all columns")


def neighbours(held):
    """The data without each basket in turn: removed, and left there empty."""
    for gone in range(held.n):
        stays = np.arange(held.n) != gone
        yield held.select(stays)
        yield held.keep(np.repeat(stays, held.lengths))


def measured(held, kept, rest):
    """All that gets noise: single values by column, tables by pair; and what pairs are chosen by."""
    whole = rows(held)
    merged = whole.merged(kept, rest)
    pairs = list(combinations(range(len(merged.sizes)), 2))
    found = [merged.table(pair) for pair in pairs]
    fixed = [np.full(table.shape, 3.5) for table in found]
    scored = [np.abs(table - model).sum() for table, model in zip(found, fixed, strict=True)]
    return [whole.count(column) for column in range(whole.d)], found, np.array(scored)


@pytest.mark.parametrize("rest", [True, False], ids=["with a rest", "some count nowhere"])
@pytest.mark.parametrize("held", [TABLE, YES_NO], ids=["a table", "yes and no"])
def test_one_person_is_in_one_cell_of_each_table(held, rest):
    """Brute force over all neighbours: every count moves by 1 in all at most, and by that much for somebody."""
    whole = rows(held)
    kept = [np.arange(max(1, len(items) - 1)) for items in whole.items]
    before, moved = measured(held, kept, [rest] * whole.d), []
    for other in neighbours(held):
        after = measured(other, kept, [rest] * whole.d)
        for part in (0, 1):
            each = [np.abs(a - b).sum() for a, b in zip(before[part], after[part], strict=True)]
            assert max(each) <= 1
            moved.append(sum(each))
        assert np.abs(before[2] - after[2]).max() <= 1 + 1e-12
    everywhere = rest or held is TABLE  # without a rest whoever says no counts nowhere
    assert max(moved) == math.comb(whole.d if everywhere else int(held.lengths.max()), 2)


def test_noise_for_one_cell_of_each_table():
    """The ledger's scales are (tables)/(their ε), and the spends are the whole ε."""
    found = tables(census(), 3000, 0.5, stream(1), max_length=3)
    single, choice, paired = found.ledger.spends
    many = table_count(0.5, census().n, 8)
    assert (single.epsilon, choice.epsilon) == pytest.approx((0.5 * SINGLES, 0.5 * CHOICE))
    assert (single.scale, paired.scale) == pytest.approx((8 / single.epsilon, many / paired.epsilon))
    assert found.ledger.total == pytest.approx(0.5)
    assert found.ledger.by_basket(1) == pytest.approx(0.5), "who gave one answer is in a cell of each table too"


@pytest.mark.parametrize("epsilon", [1e-6, 0.1, 1.0, 30.0])
def test_the_number_of_tables_is_known_beforehand(epsilon):
    many = [table_count(epsilon, n, 8) for n in (10, 1000, 10**5, 10**7)]
    assert many == sorted(many)
    assert 7 <= many[0] <= many[-1] <= 28
    assert table_count(epsilon, 1000, 1) == 0
    assert table_count(epsilon, 1000, 2) == 1


def test_a_chain_is_fitted_exactly():
    """X – Y – Z from its two pair tables: P(x, y)·P(y, z)/P(y), whatever groups the tables are fitted in."""
    rng = stream(4)
    left, right = rng.random((3, 4)), rng.random((4, 5))
    joint = left[:, :, None] * right[None] / 60
    pairs = {(0, 1): joint.sum(axis=2), (1, 2): joint.sum(axis=0)}
    singles = [joint.sum(axis=tuple({0, 1, 2} - {axis})) for axis in range(3)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fitting, "BLOCK", 1)
        assert len(fitting.grouped(pairs, joint.shape)) == 2
        assert np.allclose(fitting.fitted(singles, pairs, joint.sum()), joint, rtol=0.02)
    assert np.allclose(fitting.fitted(singles, pairs, joint.sum()), joint, rtol=0.02)


@pytest.mark.parametrize("least", [0.0, 1.5, 4.0, 1e9])
def test_margins_are_sums_and_none_is_missed(least):
    joint = stream(5).random((3, 2, 4))
    joint[0] = 0.0
    places, sums = fitting.margins(joint, [2, 2, 3], least)
    wanted = {}
    for place in product(range(3), range(3), range(4)):
        here = tuple(slice(None) if at == kept else at for at, kept in zip(place, (2, 2, 3), strict=True))
        wanted[place] = joint[here].sum()
    reached = {place: there for place, there in wanted.items() if there >= least}
    assert [tuple(place) for place in places.tolist()] == list(reached), "in the order of the cells"
    assert sums == pytest.approx(list(reached.values()))


def test_counts_are_projected_and_pulled():
    rng = stream(6)
    noisy, guess = rng.normal(50, 40, (6, 5)), np.full((6, 5), 50.0)
    near = fitting.simplex(noisy, 100.0)
    assert near.min() >= 0
    assert near.sum() == pytest.approx(100)
    other = rng.dirichlet(np.ones(30)).reshape(6, 5) * 100
    assert ((near - noisy) ** 2).sum() < ((other - noisy) ** 2).sum()
    assert np.allclose(fitting.pulled(noisy, guess, 1e-12), noisy)
    assert np.allclose(fitting.pulled(noisy, guess, 1e12), guess, atol=1e-3)


def test_rows_that_are_drawn_have_all_tables():
    """A ring of three tables, which no tree holds, and two columns apart from it, one of them joined to nothing."""
    rng = stream(7)
    joint = np.multiply.outer(rng.dirichlet(np.full(24, 0.6)).reshape(2, 3, 4), rng.dirichlet(np.ones(6)).reshape(3, 2))
    joint = np.multiply.outer(joint, [0.25, 0.75]) * 5000
    singles = [joint.sum(axis=tuple({*range(6)} - {axis})) for axis in range(6)]
    pairs = [(0, 1), (1, 2), (0, 2), (3, 4)]
    found = {pair: joint.sum(axis=tuple({*range(6)} - {*pair})) for pair in pairs}
    assert len(drawn.tree(found)) == 3
    codes = drawn.rows(singles, found, 5000.0, stream(8), 40_000)
    for (a, b), table in found.items():
        seen = np.bincount(codes[:, a] * table.shape[1] + codes[:, b], minlength=table.size) / 8
        assert np.abs(seen - table.ravel()).sum() < 0.01 * 5000, (a, b)
    for column, single in enumerate(singles):
        assert np.abs(np.bincount(codes[:, column], minlength=len(single)) / 8 - single).sum() < 0.01 * 5000, column
    apart = np.bincount(codes[:, 2] * 2 + codes[:, 5], minlength=8) / 8
    assert np.abs(apart - np.outer(singles[2], singles[5]).ravel() / 5000).sum() < 0.02 * 5000


def test_a_table_with_too_many_cells_is_mined_by_rows_that_are_drawn():
    """Twenty columns of six values are 7²⁰ cells: no value is left out, and nothing is refused."""
    wide = answers(400, 7, (6,) * 20)
    truth = apriori(wide, 40, max_length=2)
    found = tables(wide, 40, 50.0, stream(1), max_length=2)
    assert found.ledger.total == pytest.approx(50.0)
    assert scores(found, truth).f > 0.9
    with pytest.raises(ValueError, match="cells"):
        tables(wide, 40, 1.0, stream(1), cells=1)


def test_drawn_rows_say_what_the_written_joint_says():
    truth = apriori(census(), 350)
    for epsilon in (0.3, 3.0):
        written, rows_ = (
            scores(tables(census(), 350, epsilon, stream(8), cells=cells), truth).f for cells in (10**7, 2)
        )
        assert rows_ > written - 0.03, epsilon


def test_all_columns_of_real_answers_are_found():
    """17 columns, sets of up to three. F in twenty runs: 0.931 at ε = 1, with a standard deviation of 0.006."""
    acs = real.opened("acs2019-nist.csv.gz").baskets("all columns")
    assert scores(tables(acs, 300, 1.0, stream(8), max_length=3), apriori(acs, 300, max_length=3)).f > 0.9


def test_the_census_is_found_again():
    """F in twenty runs: 0.971 at ε = 1, 0.861 at 0.1, with standard deviations of 0.002 and 0.022."""
    truth = apriori(census(), 350)
    assert scores(tables(census(), 350, 1.0, stream(8)), truth).f > 0.96
    assert scores(tables(census(), 350, 0.1, stream(8)), truth).f > 0.78


def test_many_items_have_no_tables():
    many = baskets_of([[i, (i + 1) % 65] for i in range(65)])
    with pytest.raises(NoTables, match="65 items and no columns; choose"):
        tables(many, 2, 1.0, stream(1))
    assert columns.refusal(replace(many, columns=np.repeat(np.arange(13), 5))) == ""


def test_two_values_of_one_column_are_no_row():
    with pytest.raises(ValueError, match="two values of one column"):
        tables(replace(YES_NO, columns=np.zeros(YES_NO.k, int)), 2, 1.0, stream(1))


def test_columns_follow_their_items():
    """From a table over a part of the items to the baskets of some people."""
    held = data.load("census").baskets("all columns")
    some = held.onto([not label.startswith("education") for label in held.labels])
    assert some.columns is not None
    assert len(np.unique(some.columns)) == 7
    part = some.onto(np.arange(0, some.k, 2)).select(np.arange(some.n) < 9)
    assert part.columns is not None
    assert part.columns.tolist() == some.columns[::2].tolist()
    assert data.load("groceries").baskets("items").columns is None


def test_a_study_says_nothing_where_there_are_no_tables():
    asked = Study(
        Source("groceries"), "items", mechanisms=("Tables", "Capped"), grid=(), repetitions=1, task="itemsets"
    )
    values = run(asked.with_options(min_count=500)).query("metric == 'f' and scope == 'all'")
    values = values.set_index("mechanism")["value"]
    assert math.isnan(values["Tables"])
    assert values["Capped"] > 0


# the audit -----------------------------------------------------------------------------------------------------------

RUNS = 1500
PEOPLE = {
    "two columns": [["a", "b"]] + [["a"]] * 20 + [["b"]] * 20,
    "a choice of tables": [["a", "b", "c", "d"]] + [["a"]] * 15 + [["d"]] * 10,
}


def outputs(held, epsilon, seed, cells):
    """The whole release, run for run: the count of every set that can be published, 0 where it is not; sum; number."""
    sets = [items for size in range(1, held.k + 1) for items in combinations(range(held.k), size)]
    place, out = {items: number for number, items in enumerate(sets)}, np.zeros((RUNS, len(sets)))
    rng = stream(seed, "audit")
    for number in range(RUNS):
        for level in tables(held, 1, epsilon, rng, cells=cells).levels:
            for items, count, kept in zip(level.items.tolist(), level.noisy, level.kept, strict=True):
                out[number, place[tuple(items)]] = count * kept
    return np.column_stack([out, out.sum(axis=1), (out > 0).sum(axis=1)])


def proven(often, seldom, runs):
    """The ε that events prove which happened so often in so many runs of either kind (99.8 %: exact intervals)."""
    low, _ = proportion_ends(often, np.full(len(often), runs), 0.998)
    _, high = proportion_ends(seldom, np.full(len(seldom), runs), 0.998)
    return np.log(np.maximum(low, 1e-9) / high)


def audited(people, epsilon, cells=10**7):
    """A lower bound on ε (99.8 %): an event chosen on a third of the runs, tested on the others.

    Neighbours: with the first basket, and with that one empty (so that n, which is public, stays).
    """
    held = baskets_of(people)
    emptied = held.keep(np.repeat(np.arange(held.n) > 0, held.lengths))
    runs, chosen = (outputs(held, epsilon, 11, cells), outputs(emptied, epsilon, 12, cells)), RUNS // 3
    first = runs[0][:chosen]
    cuts = [np.unique(np.quantile(column, np.linspace(0.02, 0.98, 25))) for column in first.T]
    events = [(column, cut, above) for column in range(len(cuts)) for cut in cuts[column] for above in (True, False)]

    def happened(events, part):
        return np.array([[np.sum((x[part, column] > cut) == above) for column, cut, above in events] for x in runs])

    # What it proves on the third alone: of tails of a few runs, nothing.
    seen = happened(events, slice(0, chosen))
    bounds = np.array([proven(*seen, chosen), proven(*seen[::-1], chosen)])
    turned, best = np.unravel_index(np.argmax(bounds), bounds.shape)
    tested = happened([events[best]], slice(chosen, RUNS))
    return float(proven(*tested[:: -1 if turned else 1], RUNS - chosen)[0])


def seen_at_most(tables, columns, times, runs):
    """What `proven` comes to, on average, of the best of all events on the noisy numbers themselves, of which the whole
    release is made (Neyman and Pearson), with so many times too little noise at ε = 1: one cell of each table moves by
    1 and one count of each column; what is chosen counts in full.
    """
    scales = np.r_[np.full(tables, tables / (1 - SINGLES - CHOICE)), np.full(columns, columns / SINGLES)] / times
    noise = stream(13, "audit", tables).laplace(0.0, scales, (200_000, len(scales)))
    odds = np.sort(((np.abs(1 + noise) - np.abs(noise)) / scales).sum(axis=1))[::-1]
    share = np.arange(0.02, 0.98, 0.01)
    against = np.cumsum(np.exp(-odds))[(share * len(odds)).astype(int) - 1] / len(odds) * math.exp(-CHOICE)
    return float(proven(share * runs, against * runs, runs).max())


@pytest.mark.parametrize("name", ["two columns", pytest.param("a choice of tables", marks=pytest.mark.thorough)])
def test_the_audit_stays_below_epsilon(name):
    """A right miner fails this for fewer than two of a thousand seeds."""
    assert audited(PEOPLE[name], 1.0) < 1.0


@pytest.mark.thorough
def test_the_audit_of_drawn_rows_stays_below_epsilon(monkeypatch):
    monkeypatch.setattr(drawn, "ROWS", 200)
    monkeypatch.setitem(globals(), "RUNS", 800)
    assert audited(PEOPLE["a choice of tables"], 1.0, cells=2) < 1.0


@pytest.mark.parametrize(
    ("name", "times"), [("two columns", 2), pytest.param("a choice of tables", 4, marks=pytest.mark.thorough)]
)
def test_the_audit_finds_too_little_noise(monkeypatch, name, times):
    """The planted bug: a half of the noise, or a quarter where three tables share ε."""
    real = tables.__globals__["laplace"]
    less = lambda size, scale, clip, rng: real(size, scale / times, clip, rng)  # noqa: E731
    monkeypatch.setitem(tables.__globals__, "laplace", less)
    tabled = measured_tables.noisy
    fewer = lambda counted, pairs, scale, rng: tabled(counted, pairs, scale / times, rng)  # noqa: E731
    monkeypatch.setitem(tables.__globals__, "noisy", fewer)
    assert audited(PEOPLE[name], 1.0) > 1.0


def test_what_so_many_runs_can_find():
    """Halved noise in three tables shows in no event, even to whoever saw the noisy numbers and knew which event is the
    best: each table spends a third of ε, and together they do only where all three err the same way. A quarter shows.
    """
    assert table_count(1.0, 26, 4) == 3
    assert seen_at_most(3, 4, 2, RUNS // 2) < seen_at_most(3, 4, 2, RUNS * 2 // 3) < 1.0
    assert seen_at_most(3, 4, 4, RUNS * 2 // 3) > 1.5
    assert seen_at_most(1, 2, 2, RUNS * 2 // 3) > 1.2
    assert seen_at_most(1, 2, 1, 100 * RUNS) < 1.0
