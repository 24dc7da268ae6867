"""Studies of means and of sets of people with weights: their errors are the engine's of these very people, by squared
weights, their surveys have them, and weights of 1 change no byte.

A right engine fails the statistical tests (18 normal deviates beyond 4.5) with a chance below 2e-4; seeds are fixed.
"""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from ldpcore import catalog, data
from ldpcore.attacks import within
from ldpcore.data import ReadOptions, Table
from ldpcore.estimators import weighted
from ldpcore.rng import stream
from ldpcore.study import Choice, Marks, Source, Study, means, run, sets
from ldpcore.study.execute import prepare
from ldpcore.study.means import facts as mean_facts
from ldpcore.study.means import limit as mean_limit
from ldpcore.study.means.numbers import NumberColumn
from ldpcore.study.means.plans import MeanPlans
from ldpcore.study.means.reports import disclosed
from ldpcore.study.sets import limit as set_limit
from ldpcore.study.sets import point as set_point
from ldpcore.study.sets import surveys
from ldpcore.study.sets.plans import HolderPlans
from tests.each import for_each

N = 1500
ITEMS = ("milk", "tea", "beer", "gin", "rum", "ale")
WEIGHED = ReadOptions().with_column("wt", role="weight")
UNBIASED = ("mean", "unbiased")


def weights(kind: str) -> np.ndarray:
    """classes: 3 for a fifth of the people, else ½ or 1½; spread: all different; or one number."""
    rng = stream(5, "weights")
    classes = np.where(rng.random(N) < 0.2, 3.0, np.where(rng.random(N) < 0.4, 0.5, 1.5))
    drawn = {"classes": classes, "spread": classes * rng.lognormal(0, 0.6, N)}
    return drawn[kind] if kind in drawn else np.full(N, float(kind))


def people(kind: str, options: ReadOptions = WEIGHED) -> Table:
    """Invented: who weighs more is older, and holds other items."""
    rng, w = stream(6, "people"), weights(kind)
    heavy = weights("classes") == 3
    age = np.clip(np.rint(np.where(heavy, 70, 40) + 15 * rng.standard_normal(N)), 18, 98)
    chance = np.where(heavy[:, None], (0.2, 0.6, 0.4, 0.1, 0.1, 0.3), (0.5, 0.3, 0.1, 0.3, 0.2, 0.1))
    held = rng.random((N, 6)) < chance
    lists = [";".join(np.array(ITEMS)[row]) for row in held]
    lines = "".join(f"{a:g},{items},{x!r}\n" for a, items, x in zip(age, lists, map(float, w), strict=True))
    return data.read(f"age,items,wt\n{lines}".encode(), "p.csv", options)


def of_means(table: Table, *keys: str, **fields: object) -> Study:
    study = Study(
        Source.of(table), "age", Marks.of(["70..98"]), keys, bins=(18, 98, 64), task="means", missing="column"
    )
    return replace(study.with_options(attacks=0, estimates=UNBIASED), **{"grid": (), **fields})  # type: ignore[arg-type]


def of_sets(table: Table, *keys: str, m: int = 2, **fields: object) -> Study:
    study = Study(Source.of(table), "items", Marks.of(["gin", "rum"]), keys, task="sets", grid=())
    return replace(study.with_options(attacks=0, m=m), **fields)  # type: ignore[arg-type]


def numbers(table: Table) -> np.ndarray:
    """Everybody's age on [-1, 1]."""
    return (table.frame["age"].to_numpy(float) - 58) / 40


def mean_of(w: np.ndarray, x: np.ndarray) -> float:
    return float(w @ x / w.sum())


# means ---------------------------------------------------------------------------------------------------------------


@for_each("key", catalog.NUMBERS)
def test_a_mean_errs_as_these_people_with_their_weights(key):
    for kind in ("classes", "spread"):
        table = people(kind)
        study, w, x = of_means(table, key), weights(kind), numbers(table)
        column = prepare(study, table)
        here = means.cell(study, column, key, study.epsilon)
        m = here.groups[0].mechanism
        mean, variance = here.moments("mean" if m.unbiased else "unbiased")
        assert (here.mean, mean) == pytest.approx((mean_of(w, x),) * 2, rel=1e-9)
        (exact,) = weighted.variance(m, x, w)
        assert variance == pytest.approx(exact, rel=1e-9)
        each = m.moments(x, "unbiased")[1]
        if np.ptp(each) > 0.02 * each.mean():  # the trap: by w it is another number
            assert abs(mean_of(w, each) * (w @ w) / w.sum() ** 2 / exact - 1) > 1e-3
        assert column.mean == pytest.approx(58 + 40 * mean_of(w, x), rel=1e-12)
        assert column.design_effect == pytest.approx(N * (w @ w) / w.sum() ** 2, rel=1e-12)


def far_off(rows: pd.DataFrame, metrics: tuple[str, ...]) -> float:
    """How many standard deviations the simulated squared errors, all over their theory, are from 1."""
    part = rows[rows["metric"].isin(metrics) & (rows["scope"] == "all")]
    ratio = (part["value"] / part["theory"]).groupby([part["mechanism"], part["repetition"]]).mean().to_numpy()
    return abs(ratio.mean() - 1) / (ratio.std(ddof=1) / len(ratio) ** 0.5)


@pytest.mark.one_in(2)  # spread weights: the exact error is compared above, with each of the mechanisms
@pytest.mark.parametrize(("kind", "surveys"), [("classes", 150), ("spread", 50)])
def test_surveys_of_means_have_that_error(kind, surveys):
    table, truth = people(kind), 58 + 40 * mean_of(weights(kind), numbers(people(kind)))
    for key, how in (("PM", "mean"), ("uTernary", "mean"), ("SDPM", "unbiased")):
        rows = run(of_means(table, key, repetitions=surveys, epsilon=2.0).with_options(estimates=(how,)), table)
        assert far_off(rows, (f"mse:{how}",)) < 4.5, key
        inside = rows[rows["metric"] == f"mse:{how}"]
        assert (inside["value"] <= 1.96**2 * inside["theory"]).mean() > 0.87, "the margin covers, 95 of 100"
        told = rows[rows["metric"] == f"estimate:{how}"]["value"].to_numpy()
        assert abs(told.mean() - truth) < 4.5 * told.std(ddof=1) / len(told) ** 0.5, key


def test_a_fitted_distribution_is_that_of_the_weighted_people():
    """At a large ε reports are nearly answers: EM finds the weighted shares of the bins, not those of the rows."""
    table = people("classes")
    study = replace(of_means(table, "SW", epsilon=12.0, repetitions=1), bins=(18, 98, 4)).with_options(
        estimates=("mle",)
    )
    rows = run(study, table)
    found = rows[rows["metric"] == "share:mle"]["value"].to_numpy()
    bins = np.digitize(table.frame["age"].to_numpy(float), [38, 58, 78])
    shares = np.bincount(bins, weights("classes")) / weights("classes").sum()
    assert found == pytest.approx(shares, abs=0.03)
    assert np.abs(np.bincount(bins) / N - shares).max() > 0.08


CHANGES = [{}, {"n": 777}, {"choices": (Choice(Marks.of(["18..30"]), 0.3),)}, {"axis": "n", "grid": (50, 3000)}]


@pytest.mark.parametrize("changes", CHANGES, ids=lambda changes: "-".join(changes) or "plain")
def test_weights_of_one_change_no_mean(changes):
    tables = []
    for kind, role in (("1", "question"), ("1", "weight"), ("4", "weight")):
        table = people(kind, ReadOptions().with_column("wt", role=role))  # type: ignore[arg-type]
        study = of_means(table, "PM", "SDPM", "SW", repetitions=2, **changes)
        tables.append(run(study.with_options(attacks=20, estimates=("mean", "unbiased", "em")), table))
    assert tables[0].equals(tables[1]), "weights of 1: the same bytes"
    for name in ("value", "theory"):
        assert tables[2][name].to_numpy() == pytest.approx(tables[0][name].to_numpy(), rel=1e-6, nan_ok=True)


def test_what_a_page_of_means_says_is_weighted():
    table = people("classes")
    study, w, x = of_means(table, "PM", "uTernary", "SDPM"), weights("classes"), numbers(table)
    column: NumberColumn = prepare(study, table)
    known = mean_facts.facts(study, column)
    (exact,) = weighted.variance(known.cell("PM").groups[0].mechanism, x, w)
    assert known.parts["PM"].margin == pytest.approx(1.959964 * 40 * exact**0.5, rel=1e-6)
    age = 58 + 40 * x
    assert known.held == pytest.approx(w[age >= 70].sum() / w.sum(), rel=1e-9)
    near = max(np.sum(w[np.abs(age - guess) <= 8]) for guess in np.arange(18, 99)) / w.sum()
    assert known.blind["all"] == pytest.approx(near, abs=0.02)
    assert column.shares[0] == pytest.approx(w[age < 19.25].sum() / w.sum(), rel=1e-9)
    told = disclosed(known.cell("SDPM"), column)
    chance = known.cell("SDPM").groups[0].mechanism.disclosure(x)
    middle = chance @ (w * x) / (chance @ w)
    assert told is not None
    assert told.people == pytest.approx(chance.sum(), rel=1e-9)
    assert told.bias == pytest.approx(40 * (middle - mean_of(w, x)), rel=1e-6)
    spread = (w**2 * chance * (1 - chance)) @ (x - middle) ** 2
    assert told.sd == pytest.approx(40 * spread**0.5 / (chance @ w), rel=1e-6)
    # Nothing gets below the limit, and it is that of the people by their squared weights.
    rows = mean_limit.distances(study, column)
    assert (rows["times the limit"].dropna() > 1 - 1e-6).all()
    assert known.parts["PM"].least == pytest.approx(rows.set_index("mechanism")["limit"]["PM"] ** 0.5, rel=1e-9)
    plan = MeanPlans(column, ((-1.0, 0.3),), 0.1, worst=False, promise="LDP")
    assert plan.of("PM").within(study.epsilon, N) == pytest.approx(1.959964 * exact**0.5, rel=1e-6)
    limit = plan.limit()
    assert limit is not None
    assert 40 * limit.within(study.epsilon, N) == pytest.approx(1.959964 * known.parts["PM"].least, rel=0.02)


def test_who_is_guessed_counts_by_weight():
    """Of every age the chance is the study's own with that age alone; the prior is that of the weighted people."""
    table = people("classes")
    study, w = of_means(table, "PM", epsilon=1.5), weights("classes")
    column = prepare(study, table)
    m, x = means.cell(study, column, "PM", 1.5).groups[0].mechanism, numbers(table)
    prior = np.bincount(within.bins(m, x), w, len(m.points))
    won = within.success(m, 0.2, prior / prior.sum(), x)
    guessed = mean_facts.facts(study, column).parts["PM"].guessed
    assert guessed["all"] == pytest.approx(mean_of(w, won), rel=1e-9)
    old = 58 + 40 * x >= 70
    assert guessed["sensitive"] == pytest.approx(mean_of(w[old], won[old]), rel=1e-9)
    plain = np.bincount(within.bins(m, x), minlength=len(m.points)) / N
    assert abs(mean_of(w, within.success(m, 0.2, plain, x)) / guessed["all"] - 1) > 0.001


def test_what_rounding_weights_takes_off_is_put_back():
    """At a large ε reports are answers: a survey of 1500 different weights says the people's own mean and shares."""
    table, w = people("spread"), weights("spread")
    column = prepare(of_means(table, "PM"), table)
    here = means.cell(of_means(table, "PM"), column, "PM", 1.0)
    assert abs(here.rounding) > 1e-5
    rows = run(of_means(table, "PM", epsilon=30.0, repetitions=1).with_options(estimates=("mean",)), table)
    said = rows[rows["metric"] == "estimate:mean"]["value"].iloc[0]
    assert said == pytest.approx(58 + 40 * mean_of(w, numbers(table)), abs=2e-4)
    study = of_sets(table, "PrivSet", m=6)
    baskets = prepare(study, table)
    sample = sets.setting(study, baskets, 1.0).sample
    assert np.abs(sample.drawn).max() > 1e-5

    def exactly(held: np.ndarray, rng: object, repeats: int) -> np.ndarray:
        return (held[:, :, None] == np.arange(6)).any(axis=1).mean(axis=0)[None]

    sent = sets.sets(7, baskets, 6, 6, 0)
    told = surveys.estimated(SimpleNamespace(simulate=exactly), sent, sample, stream(1))  # type: ignore[arg-type]
    assert told == pytest.approx(sample.freq, abs=1e-12)


# sets ----------------------------------------------------------------------------------------------------------------


@for_each("key", catalog.ITEMS)
def test_a_set_errs_as_these_people_with_their_weights(key):
    """Sampling aside, where the sets of m = 6 items keep everything: the engine's error of everybody's own set."""
    table = people("spread")
    study, w = of_sets(table, key, m=6), weights("spread")
    baskets = prepare(study, table)
    here = sets.setting(study, baskets, study.epsilon)
    if sets.refusal(study, baskets, key, study.epsilon) is not None:
        pytest.skip("it does not exist here")
    m = here.build(key)
    sent = sets.sets(7, baskets, 6, here.dummies, 0)
    held = (sent[:, :, None] == np.arange(6)).any(axis=1)
    assert here.freq == pytest.approx(w @ held / w.sum(), rel=1e-12)
    assert here.kept == pytest.approx(here.freq, rel=1e-12)
    assert here.noise(m) == pytest.approx(here.variance(m), rel=1e-12), "nothing is drawn"
    if not m.hashed:
        freq = np.bincount(sent.ravel(), np.repeat(w**2, 6), m.inner)[:6] / (w @ w)
        exact = m.variance(freq, w.sum() ** 2 / (w @ w), m.company(sent, w**2))
        assert here.noise(m) == pytest.approx(exact, rel=1e-8)
        assert weighted.variance(m, sent, w) == pytest.approx(exact, rel=1e-12)


@pytest.mark.one_in(2)  # spread weights: the exact error is compared above, with each of the mechanisms
@pytest.mark.parametrize(("kind", "surveys"), [("classes", 150), ("spread", 40)])
def test_surveys_of_sets_have_that_error(kind, surveys):
    """Sampled to one item of several, so that the error of drawing is in it."""
    table = people(kind)
    for key in ("PrivSet", "uPrivSet", "suGRR"):
        rows = run(of_sets(table, key, m=1, repetitions=surveys, epsilon=2.0), table)
        assert far_off(rows, ("mse:kept", "mse")) < 4.5, key
        fact = set_point.every(of_sets(table, key, m=1, epsilon=2.0), prepare(of_sets(table, key), table))[key]
        told = rows[rows["metric"] == "estimate"]["value"].to_numpy().reshape(surveys, -1)
        low, high = fact.interval(told)
        assert ((low <= fact.here.kept) & (fact.here.kept <= high)).mean() > 0.9, "of six items, 95 of 100"


@pytest.mark.parametrize("kind", ["classes", "spread"])
def test_drawing_items_errs_by_squared_weights(kind):
    """`kept` and `wobble` by everybody's own chance; at m = 1 that is one in as many as they hold."""
    table, w = people(kind), weights(kind)
    study = of_sets(table, "PrivSet", m=1)
    baskets = prepare(study, table)
    sample = sets.setting(study, baskets, study.epsilon).sample
    chance = 1 / np.maximum(baskets.lengths, 1)[baskets.people]
    each = w[baskets.people]
    assert sample.kept == pytest.approx(np.bincount(baskets.codes, each * chance, 6) / w.sum(), rel=1e-9)
    drawn = np.bincount(baskets.codes, each**2 * chance * (1 - chance), 6) / w.sum() ** 2
    assert sample.wobble == pytest.approx(drawn, rel=1e-9)
    assert sample.effective == pytest.approx(w.sum() ** 2 / (w @ w), rel=1e-12)
    assert np.abs(sample.drawn).max() < 0.01, "rounding to classes moves little"
    assert sample.layers.sum() == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize(
    "changes", [{}, {"n": 777}, {"axis": "k", "grid": (3,)}, {"axis": "share", "grid": (0.5,)}], ids="-".join
)
def test_weights_of_one_change_no_set(changes):
    tables = []
    for kind, role in (("1", "question"), ("1", "weight"), ("4", "weight")):
        table = people(kind, ReadOptions().with_column("wt", role=role))  # type: ignore[arg-type]
        study = of_sets(table, "PrivSet", "uPrivSet", repetitions=2, **changes)
        tables.append(run(study.with_options(attacks=20, postprocessing=("clip", "base-cut")), table))
    assert tables[0].equals(tables[1]), "weights of 1: the same bytes"
    for name in ("value", "theory"):
        assert tables[2][name].to_numpy() == pytest.approx(tables[0][name].to_numpy(), rel=1e-9, nan_ok=True)


def test_what_a_page_of_sets_says_is_weighted():
    table = people("classes")
    study = of_sets(table, "PrivSet", "uPrivSet")
    baskets = prepare(study, table)
    found = set_point.every(study, baskets)
    here = found["uPrivSet"].here
    exact = here.variance(here.build("uPrivSet")) + here.bias**2
    assert found["uPrivSet"].error() == pytest.approx(float(exact.mean() ** 0.5), rel=1e-12)
    low, high = found["uPrivSet"].interval(here.kept)
    width = 2 * 1.96 * np.sqrt(here.variance(here.build("uPrivSet")))
    assert high - low == pytest.approx(width, rel=0.14), (
        "a score interval is not symmetric; of all n it is a fifth narrower"
    )
    rows = set_limit.distances(study, baskets)
    assert len(rows) > 3
    assert (rows["times the limit"].dropna() > 1 - 1e-6).all()
    plan = HolderPlans(here, False, False, "SULDP-joint").of("PrivSet")
    worst = 1.959964 * np.sqrt(here.variance(here.build("PrivSet")).max())
    assert plan.within(study.epsilon, N) == pytest.approx(worst, rel=1e-3)


def test_long_tables_and_invented_sets_have_no_weights():
    long = b"who,item,wt\n" + b"".join(b"%d,%s,2.5\n" % (i // 2, (b"tea", b"gin")[i % 2]) for i in range(40))
    table = data.read(long, "l.csv", replace(WEIGHED, user="who", item="item"))
    assert table.weights is not None
    assert set(table.sets) == {"item by who"}
    assert all(table.baskets(name).weights is None for name in table.sets)
    some = people("classes").baskets("items").select(np.arange(N) < 10)
    assert some.weights is not None
    assert some.weights.tolist() == weights("classes")[:10].tolist()
