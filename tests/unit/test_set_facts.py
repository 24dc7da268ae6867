"""What is known of mechanisms for sets at a Study's own point: against surveys, and reports as they are sent."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from ldpcore import catalog, data
from ldpcore.mechanisms.padding import pad_and_sample
from ldpcore.rng import stream
from ldpcore.study import Marks, Source, Study, run, sets
from ldpcore.study.sets import point, truncation, undisclosed

ITEMS = "abcdefghij"
LUCK = stream(1, "facts").random((150, 10))
TEXT = "".join(
    ",".join(v for v, u in zip(ITEMS, row, strict=True) if u * (1 + i % 3) < 0.6) + "\n" for i, row in enumerate(LUCK)
)
KEYS = ("PrivSet", "suRAP", "suWheel", "suWheel-J", "uPrivSet")
BASE = Study(
    Source("baskets.csv"), "items", Marks.of("bdgj"), KEYS, task="sets",
    options=(("attacks", 0), ("m", 3)),
)  # fmt: skip
BARE = replace(BASE, marks=Marks())


@pytest.fixture(scope="module")
def table():
    return data.read(TEXT.encode(), "baskets.csv")


@pytest.fixture(scope="module")
def held(table):
    return sets.prepare(BASE, table)


def surveys(fact: point.ItemFacts, count: int) -> np.ndarray:
    """Squared errors (count, k) of surveys whose people are padded, report and are counted one by one."""
    own, m, rng = fact.here.baskets, fact.mechanism, stream(5, fact.key, fact.here.m)
    out = np.empty((count, own.k))
    for row in out:
        sent = m.perturb(pad_and_sample(own, own.k, fact.here.m, rng), rng)
        row[:] = (m.estimate(m.tally(sent)) - fact.here.freq) ** 2
    return out


@pytest.mark.one_in(2)  # the error of all mechanisms is a survey's: tests/laws/test_sets.py
@pytest.mark.parametrize("key", KEYS)
def test_the_error_of_every_scope_is_that_of_surveys(held, key):
    """300 surveys, the spread from the sample: 15 comparisons at 1e-6 in all; a 20 % error shows."""
    fact = point.every(BASE, held)[key]
    for scope, part in fact.here.scopes:
        seen = surveys(fact, 300)[:, part].mean(axis=1)
        z = (seen.mean() - fact.error(scope) ** 2) / (seen.std() / np.sqrt(300))
        assert abs(z) < stats.norm.isf(1e-6 / 30), scope


@pytest.mark.parametrize("key", ["uPrivSet", "PrivSet"])
def test_what_the_headline_says_is_that_of_reports_drawn_from_the_channel(held, key):
    """4000 surveys, each set cut and each report drawn by numpy from the channel's matrix: their spread is known to
    1.1 % or better, and what cutting takes off nearly exactly, so that 5 % show.
    """
    fact, rng = point.every(BASE, held)[key], np.random.default_rng(11)
    channel, m = fact.mechanism.channel(), fact.here.m
    place = {frozenset(row): at for at, row in enumerate(channel.sets.tolist())}
    seen = fact.mechanism.perturb(np.tile(channel.sets, (200, 1)), rng)
    where = {column: at for at, column in enumerate(fact.mechanism.describe(seen))}
    one = [where[column] for column in channel.columns]
    answers = np.array([fact.mechanism.estimate(fact.mechanism.tally(seen[at : at + 1])) for at in one])
    drawn, kept = np.zeros((4000, held.k)), np.zeros(held.k)
    for codes in np.split(held.codes, held.starts[1:-1]):
        pool = np.concatenate([codes, held.k + np.arange(max(0, m - len(codes)))])
        cut = np.argsort(rng.random((4000, len(pool))), axis=1)[:, :m]
        sets = np.array([place[frozenset(row)] for row in pool[cut].tolist()])
        kept += np.bincount(pool[cut].ravel(), minlength=held.k + m)[: held.k] / 4000 / held.n
        reports = np.empty(4000, np.intp)
        for row in np.unique(sets):
            reports[sets == row] = rng.choice(len(answers), np.sum(sets == row), p=channel.matrix[row])
        drawn += answers[reports] / held.n
    marked = np.isin(held.labels, list("bdgj"))
    for scope, part in (("all", np.ones(held.k, bool)), ("sensitive", marked), ("other", ~marked)):
        assert fact.chance[scope] == pytest.approx(np.sqrt(drawn[:, part].var(axis=0).mean()), rel=0.03)
        assert fact.cut[scope] == pytest.approx((held.counts / held.n - kept)[part].max(), rel=0.03)


def test_facts_are_those_of_the_studys_table_whatever_its_axis(table, held):
    rows = run(replace(BASE, repetitions=1, grid=()), table)
    rows = rows.set_index(["mechanism", "metric", "scope"])["theory"]
    for axis in sets.AXES:
        for key, fact in point.every(replace(BASE, axis=axis, grid=(3.0,)), held).items():
            assert fact.error("sensitive") ** 2 == pytest.approx(rows[key, "mse", "sensitive"])
            assert fact.bits == pytest.approx(rows[key, "bits", "all"])


@pytest.mark.parametrize("key", KEYS)
def test_reports_are_as_long_as_the_fact_says(held, key):
    """5000 reports: a wheel's size varies by 8 bits or so."""
    fact = point.every(BASE, held)[key]
    rng = stream(6, key)
    people = [pad_and_sample(held, held.k, 3, rng) for _ in range(5000 // held.n + 1)]
    sent = fact.mechanism.perturb(np.concatenate(people), rng)
    assert fact.mechanism.measure_bits(sent) == pytest.approx(fact.bits, abs=1)


def test_marks_and_no_marks(held):
    marked, bare = point.every(BASE, held), point.every(BARE, held)
    assert {key for key, fact in marked.items() if fact.whole} == set(KEYS) - {"suWheel"}
    assert [key for key, fact in bare.items() if fact.whole] == ["PrivSet"], "what knows marks has nothing to protect"
    with pytest.raises(ValueError, match="no item is in the scope 'sensitive'; there are items in 'all', 'other'"):
        bare["PrivSet"].error("sensitive")


def test_refused_mechanisms_say_why(held):
    """uPrivSet's subsets need one marked item or dummy beside the user's own: 3 dummies are too few for m = 3."""
    reasons = point.refused(BARE, held)
    assert list(reasons) == ["uPrivSet"]
    assert "needs more than m = 3 sensitive items" in reasons["uPrivSet"]
    assert set(point.every(BARE, held)) == set(KEYS) - {"uPrivSet"}
    assert point.refused(BASE, held) == {}


def test_a_least_error_is_searched_once_for_the_same_people(table, monkeypatch):
    """By whoever asks first; of another ε, promise or scope it is another."""
    held, search, asked = sets.prepare(BASE, table), sets.sample.limit.best_sets, []
    monkeypatch.setattr(sets.sample.limit, "best_sets", lambda *args: (asked.append(args), search(*args))[1])
    bare = replace(BASE, epsilon=1.25, mechanisms=("PrivSet",))
    first = [sets.setting(bare, held, 1.25).least("LDP", scope) for scope in ("all", "sensitive")]
    again = [sets.setting(replace(bare, repetitions=3), held, 1.25).least("LDP", s) for s in ("all", "sensitive")]
    assert again == first
    assert first[0] != first[1]
    assert len(asked) == 2
    law = sets.setting(bare, held, 1.25).sample.layers
    assert first[0] == search(10, 4, 3, 1.25, law, 3, "all", "LDP").mse / held.n
    others = [
        sets.setting(bare, held, 2.0).least("LDP", "all"),
        sets.setting(bare, held, 1.25).least("SULDP-joint", "all"),
    ]
    assert len({first[0], *others}) == 3


# what m costs ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("m", [1, 3, 8])
def test_errors_by_m_are_those_of_surveys(held, m):
    """As above, 3 comparisons at 1e-6; at m = 1 most of the error is the bias of cutting."""
    error = truncation.errors_by_m(BASE, held, "suWheel-J", sizes=(m,))[m]
    fact = point.every(BASE.with_options(m=m), held)["suWheel-J"]
    seen = surveys(fact, 300).mean(axis=1)
    assert abs(seen.mean() - error**2) < stats.norm.isf(1e-6 / 6) * seen.std() / np.sqrt(300)


def test_errors_by_m_are_the_studys_axis(table, held):
    along = replace(BASE, axis="m", grid=(1.0, 2.0, 8.0), repetitions=1, mechanisms=("suRAP",))
    rows = run(along, table)
    rows = rows[(rows["metric"] == "mse") & (rows["scope"] == "all")].set_index("x")["theory"]
    found = truncation.errors_by_m(BASE, held, "suRAP")
    assert list(found) == [1, 2, 3, 4, 6, 8], "up to the longest basket, and the study's own"
    assert [found[m] ** 2 for m in (1, 2, 3, 8)] == pytest.approx([rows[m] for m in (1.0, 2.0, 3.0, 8.0)])


def test_padding_is_what_sampling_does(held):
    """400 paddings at m = 2: a share's standard error is at most 0.001 or so."""
    study = BASE.with_options(m=2)
    found = truncation.padding(study, held, "suRAP")
    assert found.whole == np.mean(held.lengths <= 2)
    rng, kept = stream(7), np.zeros(held.k)
    for _ in range(400):
        kept += np.bincount(pad_and_sample(held, held.k, 2, rng).ravel(), minlength=held.k + 2)[: held.k]
    lost = held.counts / held.n - kept / 400 / held.n
    assert found.loss == pytest.approx(lost.max(), abs=0.005)
    assert lost[held.labels.index(found.item)] == pytest.approx(lost.max(), abs=0.005)


def test_the_best_m_is_the_best(held):
    errors = {m: point.every(BASE.with_options(m=m), held)["suRAP"].error() for m in (1, 2, 3, 4, 6, 8)}
    found = truncation.padding(BASE, held, "suRAP")
    assert found.best == min(errors, key=lambda m: errors[m])
    assert errors[3] * (1 - found.gain) == pytest.approx(errors[found.best])


def test_padding_refuses_what_has_none(held):
    with pytest.raises(ValueError, match="simulated sets have exactly m items"):
        truncation.padding(BASE.with_options(simulated=16), held, "suRAP")
    with pytest.raises(ValueError, match="uPrivSet does not exist at m = 3 on these baskets"):
        truncation.padding(BARE, held, "uPrivSet")


# claim, leak, repair ---------------------------------------------------------------------------------------------


def test_the_leak_is_the_published_one():
    """theory/sets#undisclosed-slot: m = 8, ε = 0.1, e^ε = 1.1, yet 2.7. At ε = 1 the number shown keeps within e^ε."""
    found, larger = (
        undisclosed.leak(catalog.SETS["suWheel"].build(epsilon, 64, np.arange(64) < 16, 8)) for epsilon in (0.1, 1.0)
    )
    assert found is not None
    assert larger is not None
    assert larger.times < larger.promised
    assert (found.with_one, found.with_none) == pytest.approx((0.724, 0.266), abs=1e-3)
    assert (found.times, found.promised) == pytest.approx((2.7, np.exp(0.1)), abs=0.05)


@pytest.mark.parametrize("m", [1, 2, 3])
def test_the_leak_is_that_of_reports(m):
    """Sets padded with one dummy, and of unmarked items only: 6 comparisons of 20 000 reports, z < 5 (6e-7)."""
    built = catalog.SETS["suWheel"].build(1.0, 10, np.arange(10) < 4, m, dummies=m)
    found, n = undisclosed.leak(built), 20_000
    assert found is not None
    for whose, chance in ((np.r_[4 : 3 + m, 10], found.with_one), (np.arange(4, 4 + m), found.with_none)):
        reports = built.perturb(np.tile(whose, (n, 1)), stream(8, m, chance))
        seen = np.mean((reports["disclosed"] >= 0).sum(axis=1) == m - 1)
        assert abs(seen - chance) <= 5 * np.sqrt(chance * (1 - chance) / n)


def test_what_has_no_undisclosed_slot_leaks_nothing_there(held):
    assert all(
        undisclosed.leak(fact.mechanism) is None for key, fact in point.every(BASE, held).items() if key != "suWheel"
    )
    marks = np.arange(10) < 8
    assert undisclosed.leak(catalog.SETS["suWheel"].build(1.0, 10, marks, 2)) is not None
    assert undisclosed.leak(catalog.SETS["suWheel"].build(1.0, 10, marks, 3)) is None, (
        "nobody has 3 of 2 unmarked items"
    )
    assert undisclosed.leak(catalog.SETS["suWheel"].build(1.0, 10, np.ones(10, bool), 3)) is None


def test_repairs_keep_the_promise_on_the_whole_report(held):
    here = point.setting(BASE, held)
    fixes = undisclosed.repairs(here)
    assert [fix.key for fix in fixes] == ["suWheel-J", "uPrivSet"]
    assert all(fix.promise == "SULDP-joint" and fix.here is here for fix in fixes)
    for fix in fixes:
        assert fix.mechanism.policy.check(fix.mechanism.channel(public=7 if fix.mechanism.hashed else None)).holds
    bare = point.setting(BARE, held)
    assert [fix.key for fix in undisclosed.repairs(bare)] == ["suWheel-J"], "where one does not exist, the other does"


def test_a_mechanism_that_errs_more_at_a_larger_epsilon_is_found_with_these_people(held):
    """suWheel discloses less of what is not marked at a larger ε: here all have three items, and none is marked."""
    asked = replace(BASE, epsilon=4.0).with_options(simulated=12, marked=0.0)
    fact = point.every(asked, held)["suWheel"]
    assert not fact.here.marked.any()
    found = point.dominated(fact)
    assert found is not None
    assert found.epsilon == 4.0
    smaller = point.every(replace(asked, epsilon=found.better), held)["suWheel"]
    assert fact.error() / smaller.error() == pytest.approx(found.times)
    assert found.times > 1.05
    marked = replace(asked, mechanisms=("uPrivSet", "PrivSet", "suWheel-J")).with_options(marked=0.5)
    assert [point.dominated(each) for each in point.every(marked, held).values()] == [None] * 3


def test_former_names_open_with_a_warning():
    for name, now in (("facts", point.every), ("Fact", point.ItemFacts)):
        with pytest.warns(DeprecationWarning, match=now.__name__):
            assert getattr(point, name) is now
    with pytest.raises(AttributeError, match="no attribute 'fact'"):
        point.fact  # noqa: B018
