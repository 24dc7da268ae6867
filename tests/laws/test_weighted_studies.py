"""A Study of people with weights: its errors are the engine's of these very people, its surveys have them, nothing of a
study changes where all weights are 1, and the limit stays below every mechanism.

A right engine fails the statistical tests (20 normal deviates beyond 4.5) with a chance below 2e-4; seeds are fixed.
"""

from dataclasses import replace

import numpy as np
import pytest

from ldpcore import catalog, data
from ldpcore.data import ReadOptions, Table
from ldpcore.estimators import weighted
from ldpcore.rng import stream
from ldpcore.study import Marks, Source, Study, frequency, published, run
from ldpcore.study.column import histogram
from ldpcore.study.definition import Choice
from ldpcore.study.frequency import facts, floor
from ldpcore.study.frequency.plans import SharePlans
from tests.each import for_each

LABELS = ("flu", "none", "HIV", "cold")
N = 3000
WEIGHED = ReadOptions().with_column("wt", role="weight")
EVERY = {key: catalog.ANSWERS[key] for key in catalog.ANSWERS}
LEVELED = tuple(catalog.LEVELS)


def people(weights: str = "classes", options: ReadOptions = WEIGHED) -> Table:
    """Invented; who weighs more has other answers. weights: "classes", "spread" (all different), or one number."""
    rng = stream(5, "people")
    codes = rng.choice(4, N, p=[0.2, 0.5, 0.06, 0.24])
    classes = np.where(codes == 2, 3.0, np.where(rng.random(N) < 0.4, 0.5, 1.5))
    drawn = {"classes": classes, "spread": classes * rng.lognormal(0, 0.6, N)}
    w = drawn[weights] if weights in drawn else np.full(N, float(weights))
    lines = "".join(f"{LABELS[c]},{x!r}\n" for c, x in zip(codes, map(float, w), strict=True))
    return data.read(f"answer,wt\n{lines}".encode(), "p.csv", options)


def asked(table: Table, *keys: str, **fields: object) -> Study:
    study = Study(Source.of(table), "answer", Marks.of(["HIV", "flu"]), keys, missing="column", grid=())
    return replace(study.with_options(attacks=0), **fields)  # type: ignore[arg-type]


def answers(table: Table) -> np.ndarray:
    return table.frame["answer"].cat.codes.to_numpy(np.int64)


@for_each("key", EVERY)
def test_the_stated_error_is_that_of_these_people(key):
    for weights in ("classes", "spread"):
        table = people(weights)
        study = asked(table, key, epsilon=0.8)
        if key in LEVELED:
            study = replace(study, secret_epsilon=0.5, marks=Marks((("HIV", "secret"), ("flu", "sensitive"))))
        counted = histogram(study, table)
        here = frequency.cell(study, counted, key, 0.8)
        assert table.weights is not None
        w, codes = table.weights[1], answers(table)
        stated = weighted.variance(here.groups[0].mechanism, codes, w)
        assert here.squared_error() == pytest.approx(stated, rel=1e-10)
        assert here.freq == pytest.approx(np.bincount(codes, w) / w.sum(), rel=1e-12)
        assert here.effective == pytest.approx(w.sum() ** 2 / (w @ w), rel=1e-12)
        # The trap: at shares weighted by w it is another number.
        trap = here.groups[0].mechanism.variance(here.freq, here.effective)
        if not np.allclose(stated, here.groups[0].mechanism.variance(np.full(4, 0.25), here.effective), rtol=1e-3):
            assert np.abs(trap / stated - 1).max() > 1e-3


def test_simulated_surveys_have_that_error_whatever_the_weights():
    off = []
    for weights in ("classes", "spread"):
        table = people(weights)
        for key in ("GRR", "uSS", "OUE"):
            here = frequency.cell(asked(table, key), histogram(asked(table, key), table), key, 1.0)
            made = published.of_cell(here, 3, forms=("unbiased",), surveys=1500)["unbiased"].errors
            for scope, part in here.scopes:
                each = (made[:, part] ** 2).mean(axis=1)
                expected = here.squared_error()[part].mean()
                off.append((scope, (each.mean() - expected) / (each.std(ddof=1) / len(each) ** 0.5)))
    assert len(off) == 18
    assert max(abs(z) for _, z in off) < 4.5, off


def test_the_rows_of_a_run_are_errors_of_the_weighted_shares():
    table = people()
    rows = run(asked(table, "uSS", repetitions=150), table)
    for metric in ("mse", "squared error"):
        part = rows[(rows["metric"] == metric) & (rows["scope"] == ("all" if metric == "mse" else "none"))]
        each = part["value"].to_numpy()
        assert abs(each.mean() - part["theory"].iloc[0]) < 4.5 * each.std(ddof=1) / len(each) ** 0.5
    shown = rows[rows["metric"] == "estimate"].set_index("scope")["theory"].groupby(level=0).first()
    counted = histogram(asked(table, "uSS"), table)
    assert shown[list(counted.domain.labels)].to_numpy() == pytest.approx(counted.freq)


def test_a_drawn_tally_has_both_sums():
    """At a large ε reports are answers: Σ w t and Σ w² t are those of the people."""
    m, mine = catalog.FREQUENCY["GRR"].build(25.0, 4), histogram(asked(people()), people()).weighing
    (one,) = weighted.drawn(m, mine.weights, mine.counts, stream(2, "drawn"), 1)
    assert one.total / one.weight == pytest.approx(mine.freq, rel=1e-6)
    assert one.squared / one.square == pytest.approx(mine.noise, rel=1e-6)
    assert one.effective == pytest.approx(mine.effective, rel=1e-6)
    assert weighted.of_tally(m, one) == pytest.approx(m.variance(mine.noise, mine.effective), rel=1e-3, abs=1e-12)


@pytest.mark.parametrize(
    "changes",
    [
        {"grid": (0.5,)},
        {"n": 777},
        {"axis": "k", "grid": (3,)},
        {"axis": "share", "grid": (0.5,)},
        {"axis": "n", "grid": (50,)},
        {"choices": (Choice(Marks.of(["cold"]), 0.3),)},
        {"missing": "category"},
    ],
    ids=lambda changes: "-".join(changes),
)
def test_weights_of_one_change_nothing(changes):
    forms = ("clip", "norm-sub", "em", "em-reports", "base-cut")
    plain, ones, same = (people("1"), people("1"), people("4"))
    plain = people("1", ReadOptions().with_column("wt", role="question"))
    tables = []
    for table in (plain, ones, same):
        study = asked(table, "GRR", "uSS", "HR", repetitions=2, **changes)
        tables.append(run(study.with_options(attacks=20, postprocessing=forms), table))
    assert tables[0].equals(tables[1]), "weights of 1: the same bytes"
    for name in ("value", "theory"):
        assert tables[2][name].to_numpy() == pytest.approx(tables[0][name].to_numpy(), rel=1e-9, nan_ok=True)


def test_axes_keep_whose_weights_are_whose():
    """Fewer values are the commonest by weight, with their own weights; more people keep shares and design effect."""
    table = people("spread")
    study = asked(table, "uSS")
    counted = histogram(study, table)
    mine = counted.weighing
    common = np.sort(np.argsort(-mine.total)[:2])
    here = frequency.cell(replace(study, axis="k"), counted, "uSS", 2.0)
    assert here.freq == pytest.approx(mine.total[common] / mine.total[common].sum())
    assert here.noise == pytest.approx(mine.square[common] / mine.square[common].sum())
    for n in (60_000, 600):
        here = frequency.cell(replace(study, axis="n"), counted, "uSS", float(n))
        assert here.people == n
        assert here.freq == pytest.approx(mine.freq, abs=0.002)
        assert here.people / here.effective == pytest.approx(mine.design_effect, rel=0.02)
        assert here.groups[0].weighing.n == pytest.approx(n, rel=0.1)
    here = frequency.cell(replace(study, axis="share"), counted, "uSS", 0.75)
    assert here.marked.sum() == 3
    assert not here.marked[np.argmax(mine.total)], "the commonest by weight is marked last"


def test_choosing_groups_add_up_to_the_weighted_shares():
    table = people("spread")
    study = asked(table, "uSS", choices=(Choice(Marks.of(["cold"]), 0.4),))
    counted = histogram(study, table)
    here = frequency.cell(study, counted, "uSS", 1.0)
    assert len(here.groups) == 2
    assert here.freq == pytest.approx(counted.freq, rel=1e-9)
    assert sum(group.held.sum() for group in here.groups) == pytest.approx(counted.weighing.total.sum(), rel=1e-9)


@for_each("key", catalog.FREQUENCY)
def test_the_limit_of_weighted_people_stays_below(key):
    table = people()
    study = asked(table, key, grid=(0.5, 2.0))
    rows = floor.distances(study, histogram(study, table))
    assert (rows["times the limit"].dropna() > 1 - 1e-6).all(), rows
    here = frequency.cell(study, histogram(study, table), key, 0.5)
    at = rows[rows["x"] == 0.5].set_index("scope")["limit"]
    for scope, _ in here.scopes:
        assert floor.of_cell(here, scope) == pytest.approx(at[scope], nan_ok=True), "page and table have one limit"


def test_a_planner_multiplies_people_by_the_design_effect_and_the_limit_too():
    table = people()
    study = asked(table, "uSS")
    here = frequency.cell(study, histogram(study, table), "uSS", 1.0)
    plain = SharePlans.of_levels("ULDP", here.epsilons, here.freq)
    with_d = replace(plain, noise=tuple(map(float, here.noise)), design_effect=here.people / here.effective)
    stated = with_d.of("uSS").within(1.0, N)
    worst = 1.959963984540054 * np.sqrt(here.squared_error().max())
    # The plan's mechanism is made for even shares of marked answers, as nobody knows them beforehand.
    assert stated == pytest.approx(worst, rel=0.02)
    assert with_d.limit().within(1.0, N) <= stated * (1 + 1e-9)
    of_all = frequency.cell(asked(table, "GRR"), histogram(study, table), "GRR", 1.0)
    exact = 1.959963984540054 * np.sqrt(of_all.squared_error().max())
    assert with_d.of("GRR").within(1.0, N) == pytest.approx(exact, rel=1e-9)
    for d in (1.3, 2.0):
        more, base = replace(plain, design_effect=d), plain
        assert more.of("uSS").people(1.0, 0.02) == pytest.approx(d * base.of("uSS").people(1.0, 0.02), rel=1e-3)
        assert more.limit().people(1.0, 0.02) == pytest.approx(d * base.limit().people(1.0, 0.02), rel=1e-3)
    with pytest.raises(ValueError, match="design_effect is above 0"):
        replace(plain, design_effect=0.0).of("uSS")


def test_facts_say_what_ignoring_the_weights_would_err():
    table = people()
    study = asked(table, "uSS")
    counted = histogram(study, table)
    known = facts.facts(study, counted)
    w, codes = table.weights[1], answers(table)
    off = np.abs(np.bincount(codes) / N - np.bincount(codes, w) / w.sum())
    assert known.ignored.place == off.argmax()
    assert known.weighted - known.unweighted == pytest.approx(
        (np.bincount(codes, w) / w.sum() - np.bincount(codes) / N)[off.argmax()]
    )
    assert known.effective == pytest.approx(w.sum() ** 2 / (w @ w))
    assert replace(known, study=replace(study, n=500)).effective == pytest.approx(500 / known.design_effect)
    assert facts.facts(study, replace(counted, weighing=None)).ignored is None
