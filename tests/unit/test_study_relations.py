"""The task of two questions: its curves, its floor, and its facts."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from ldpcore import Marks, Source, Study, data, limit, plan, run
from ldpcore import relations as engine
from ldpcore.catalog import ANSWERS, FREQUENCY, PAIRS
from ldpcore.study import relations
from ldpcore.study.relations import curves
from ldpcore.study.relations.facts import facts
from ldpcore.study.relations.mechanism import RelationFacts
from ldpcore.study.relations.people import counted
from tests.each import for_each

BROKEN = ("Divorced", "Separated", "Widowed", "Married-spouse-absent")
MARKS = Marks.of([*(f"marital-status = {label}" for label in BROKEN), "income = >50K"])
OPTIONS = (("groups", "marital-status"), ("setting", "apart"), ("versus", ("Married-civ-spouse",)))


def study(**changes):
    fields = {"mechanisms": ("uSS",), "grid": (0.5, 4.0), "repetitions": 3, "task": "relations", "options": OPTIONS}
    options = {name: changes.pop(name) for name in list(changes) if name in relations.OPTIONS.names()}
    return Study(Source("census"), "income", **({"marks": MARKS} | fields | changes)).with_options(**options)


@pytest.fixture(scope="module")
def people():
    return counted(data.load("census"), "marital-status", "income")


def test_its_run_has_theory_and_surveys_and_they_agree(people):
    asked = study(repetitions=60, grid=())
    rows = run(asked)
    error = rows[rows["metric"] == "squared error of the difference"]
    times = error["value"].mean() / error["theory"].iloc[0]
    assert 0.45 < times < 1.9  # a mean of 60 squares: once in a million a right engine is outside
    theory = relations.theory(asked, people)
    assert theory[theory["metric"] == "half-width"]["theory"].item() == pytest.approx(0.1018, abs=1e-4)
    told = theory[theory["metric"] == "told apart"].set_index("scope")["theory"].round(3).to_dict()
    assert told == {
        "income: all reports": 0.766, "income: own report": 0.697,
        "marital-status: all reports": 0.695, "marital-status: own report": 0.68,
    }  # fmt: skip
    assert run(asked.with_options(about="these"))["value"].notna().any()


def test_along_people_errors_fall_as_their_root(people):
    rows = relations.theory(study(axis="n", grid=(1000.0, 4000.0)), people)
    half = rows[rows["metric"] == "half-width"].set_index("x")["theory"]
    assert half[1000] == pytest.approx(2 * half[4000])


def test_every_way_to_hide_both_has_its_floor(people):
    """n·Var over its floor as in the theory; no way of the page is below, and what may show more has a lower one."""
    apart = relations.limits(study(about="these", grid=()), people)
    assert apart["times the limit"].round(2).tolist() == [1.14, 1.29]
    assert relations.limits(study(setting="open"), people).empty
    whole = facts(study(), people)
    assert 0 < whole.least_however < whole.least < whole.least_apart < whole.best.margin
    c = whole.compared
    gradient = engine.contrast(c.freq, c.answers, c.one, c.other)
    sampling = (c.freq * gradient**2).sum()
    for floor, (least, _) in (
        (whole.least_apart, limit.best_contrast_apart(c.freq, (c.mx, c.my), (0.5, 0.5), gradient)),
        (whole.least_however, limit.best_contrast_half_open(c.freq, (c.mx, c.my), 1.0, gradient)),
    ):
        assert floor == pytest.approx(100 * plan.quantile(0.95) * ((least + sampling) / whole.n) ** 0.5)
    opened = whole.floor(1.0, asked="open")  # one hidden answer: uSS is at it
    assert opened == pytest.approx(whole.best.half_width("open", 1.0), rel=1e-3)
    assert curves.floors_of(whole.best) == ["apart", "as one", "open", relations.HOWEVER]
    alone = facts(replace(study(), marks=Marks.of(["income = >50K"])), people)
    assert curves.floors_of(alone.best) == ["apart"], "with groups open is the same way"
    assert alone.least_however is None
    assert alone.least_apart == pytest.approx(alone.best.margin, rel=1e-3)  # one hidden answer of two: uSS is at it


def test_a_mechanism_for_pairs_is_asked_as_one_over_the_floor_of_all(people):
    """Half-open: made for what is compared, of the least ε where an answer is secret; refused apart, in a sentence."""
    asked = study(setting="as one", mechanisms=("uSS", "half-open"), epsilon=1.0, grid=(1.0,))
    known = facts(asked, people)
    pair, one = known.parts["half-open"], known.parts["uSS"]
    assert known.best is pair
    assert known.least_however <= pair.margin < 1.4 * known.least_however < one.margin
    c = pair.compared
    by_hand = PAIRS["half-open"].build(1.0, c.mx, c.my, c.answers, c.one, c.other)
    assert np.array_equal(pair.design.channel(), by_hand.channel().matrix)
    far = relations.limits(asked, people).set_index(["mechanism", "metric"])["limit"]
    assert 100 * far["half-open", "half-width"] == pytest.approx(known.least_however, rel=1e-9)
    assert 100 * far["uSS", "half-width"] == pytest.approx(known.least, rel=1e-9)
    refused = facts(asked.with_options(setting="apart"), people).refused["half-open"]
    assert refused == "half-open is a report of both answers together; choose “as one”, or another mechanism"
    secret = replace(c, secrets=(c.mx, np.zeros(2, bool)), secret_epsilon=0.5).design("half-open", "as one", 1.0)
    assert secret.epsilons[0] == 0.5


def test_the_floor_is_of_a_pair_asked_as_one(people):
    found = relations.limits(study(setting="as one", about="these", grid=()), people)
    assert found["times the limit"].round(2).tolist() == [2.54, 6.47]  # and its square
    joined = relations.limits(study(setting="as one", join=True, mechanisms=("uSS", "SS")), people)
    assert (joined["times the limit"] >= 1).all()
    assert set(joined["mechanism"]) == {"uSS", "SS"}
    assert not relations.limits(study(join=True, mechanisms=("GRR",)), people).empty  # all marked: apart too


def test_the_facts_of_the_census(people):
    """The golden numbers of two questions, and one survey that agrees with itself."""
    whole = facts(study(), people)
    page = whole.best
    assert (page.key, whole.n, page.people, whole.left_out) == ("uSS", 32_561, 6_922, 0)
    assert whole.truth == pytest.approx(-32.06, abs=0.01)
    assert page.margin == pytest.approx(10.18, abs=0.01)
    assert page.low < page.difference < page.high
    assert {(way.setting, way.joined) for way in page.others} == {
        ("as one", False), ("open", False), ("apart", True), ("as one", True), ("open", True)
    }  # fmt: skip
    assert page.margins["as one, joined"] < page.margin < page.margins["as one"]
    assert {(way.groups, way.answers) for way in page.others if way.joined} == {(3, 2)}
    assert sum(whole.sizes.values()) == whole.n
    assert {row.label for row in page.groups if row.marked} == set(BROKEN)
    assert all(row.share.low <= row.share.value <= row.share.high for row in page.groups)
    assert any(not row.share.told for row in page.groups)
    assert page.together(0).people == 6754
    one, other = page.together(0), page.together(1)
    assert one.share.value - other.share.value == pytest.approx(page.difference / 100)
    assert 100 * (one.truth - other.truth) == pytest.approx(whole.truth)
    assert 100 * (one.raw - other.raw) == pytest.approx(page.raw)
    assert page.p == page.test.p < 0.001
    assert page.odds["truth"] == pytest.approx(0.16, abs=0.005)
    assert page.odds["low"] <= page.odds["estimate"] <= page.odds["high"]
    assert 0.5 < page.odds["raw"] < 0.85
    assert whole.floor(1.0) < page.half_width("as one", 1.0)
    assert whole.least == pytest.approx(100 * whole.floor(1.0))
    assert page.half_width("open", 1.0) == pytest.approx(0.0223, abs=1e-4)
    assert page.half_width("apart", 1.0, n=4 * whole.n) == pytest.approx(page.margin / 200)
    for setting, joined in (("apart", False), ("as one", True), ("open", False)):
        assert page.people_for(setting, -0.05, joined=joined) == plan.difference(
            *_asked(page, setting, joined), delta=-0.05
        )
    assert page.people_for("apart", 0.05, 0.9) > page.people_for("apart", 0.05, 0.8)
    assert page.exposure("open", 1).all_reports == pytest.approx(0.905, abs=0.001)
    assert page.exposure("as one", 0).own_report == pytest.approx(0.691, abs=0.001)
    assert page.told_apart["income: all reports"] == pytest.approx(0.766, abs=0.001)
    assert np.isclose(page.raw_table.sum(), 1)
    marked = people.counts[np.isin(people.labels[0], BROKEN)].sum() + people.counts[:, 1].sum()
    marked -= people.counts[np.isin(people.labels[0], BROKEN)][:, 1].sum()
    assert whole.marked == pytest.approx(marked / whole.n)


def test_a_difference_is_looked_for_where_there_is_room_for_it():
    """Every size, whatever is compared: the direction of these people's, else the other, else none."""
    for groups in ("sex", "race"):
        asked = replace(study(groups=groups, versus=()), marks=Marks.of(["income = >50K"]))
        one = facts(asked, relations.prepare(asked, data.load("census"))).best
        share = engine.share_within(one.compared.freq, one.compared.answers, one.compared.other)
        likely = -1 if one.compared.truth < 0 else 1
        for size in np.linspace(0.005, 0.995, 12):
            room = [sign for sign in (likely, -likely) if 0 <= share + sign * size <= 1]
            assert one.direction(size) == (room[0] if room else None)
            expected = one.people_for("apart", room[0] * size) if room else None
            assert one.people_seeing("apart", size) == expected


def _asked(page, setting, joined):
    """What the planner is asked, made here from the table itself."""
    compared = page.compared.joined() if joined else page.compared
    design = compared.design("uSS", setting, 1.0)
    return design, compared.freq, compared.answers, compared.one, compared.other


def test_the_survey_looked_at_is_the_repetition_of_that_number(people):
    asked = study(grid=(), repetitions=3)
    rows = run(asked)
    difference = rows[rows["metric"] == "difference"].sort_values("repetition")["value"]
    for number, value in enumerate(difference):
        assert facts(asked, people, drawn=number).best.difference == pytest.approx(100 * value)


def test_the_most_exact_with_a_whole_promise_is_shown(people):
    keys = ("GRR", "OLH", "SS", "uRR", "uSS", "SDGRR")
    whole = facts(study(mechanisms=keys), people)
    assert whole.best.key == "uSS"
    assert set(whole.refused) == {"OLH"}
    assert "no table of chances" in whole.refused["OLH"]
    weak = facts(study(mechanisms=("SDGRR", "GRR")), people)
    assert weak.best.key == "GRR"
    unmarked = Study(Source("census"), "income", mechanisms=("uSS",), task="relations", options=OPTIONS)
    with pytest.raises(ValueError, match="nothing is marked in “marital-status” or “income”, and uSS protects"):
        _ = facts(unmarked, people).best
    assert facts(Study(Source("census"), "income", task="relations", options=OPTIONS), people).best.key in ("SS", "OUE")


def test_joined_from_the_start_there_is_nothing_more_to_join(people):
    page = facts(study(join=True), people).best
    assert all(way.joined for way in page.others)
    assert page.margin == pytest.approx(facts(study(), people).best.margins["apart, joined"])
    assert page.half_width("as one", 1.0, joined=True) == page.half_width("as one", 1.0)


def test_only_what_is_compared_is_asked():
    """Partners and sexually transmitted infections, 2 × 2 of 4 × 20; what else is marked stays apart from the rest."""
    sti = ("HIV", "hepatitis B", "hepatitis C", "chlamydia")
    health = data.load("health")
    marks = Marks.of([*(f"condition = {each}" for each in (*sti, "depression")), "partners = 5 or more"])
    options = {"groups": "partners", "answer": sti, "compare": ("2-4", "5 or more"), "versus": ("0", "1")}
    asked = Study(Source("health"), "condition", marks, ("uSS",), task="relations", options=options)
    counted_ = relations.prepare(asked, health)
    whole = relations.Compared.of(asked, counted_)
    small = whole.joined()
    assert small.people.counts.shape == (2, 3)
    assert (small.mx.tolist(), small.my.tolist()) == ([True, False], [True, True, False])
    assert small.people.n == counted_.n
    assert small.truth == pytest.approx(whole.truth) == pytest.approx(0.0421, abs=5e-5)
    frame = health.frame[["partners", "condition"]].dropna()
    many, sick = frame["partners"].isin(["2-4", "5 or more"]), frame["condition"].isin(sti)
    assert small.people.counts[:, 0].tolist() == [(many & sick).sum(), (~many & sick).sum()]
    assert small.people.counts[0, 1] == (many & (frame["condition"] == "depression")).sum()
    page = facts(asked, counted_).best
    assert page.half_width("as one", 1.0) is None, "of 80 pairs; the joined ones are 6"
    assert page.half_width("as one", 1.0, joined=True) < page.half_width("apart", 1.0)


def test_the_plan_is_that_of_the_page(people):
    page = facts(study(), people).best
    made = page.compared.planned("uSS", "apart")
    assert made.within(1.0, page.n) == pytest.approx(page.margin / 100)
    limit = facts(study(setting="as one"), people).compared.floored()
    assert limit.within(1.0, page.n) == pytest.approx(facts(study(), people).floor(1.0))
    wide = Study(Source("census"), "occupation", MARKS, task="relations", options={"groups": "education"})
    assert relations.Compared.of(wide, relations.prepare(wide, data.load("census"))).floored() is None


def test_a_study_fits_what_the_data_have(people):
    health = data.load("health")
    made, refused = relations.fit(study(), health)
    assert made.data.name == "health"
    assert made.column in relations.columns(health)
    assert made.option("groups") in relations.columns(health)
    assert made.option("groups") != made.column
    assert refused
    assert relations.prepare(made, health).n > 0
    again, refused = relations.fit(study(), data.load("census"))
    assert not refused
    assert again.marks == MARKS


def table(**columns):
    return data.read(pd.DataFrame(columns).to_csv(index=False).encode(), "mine.csv")


@pytest.mark.parametrize(
    ("columns", "pair", "sentence"),
    [
        ({"a": ["x", "y"] * 20, "b": ["u", "v"] * 20}, ("a", "a"), "Choose two different questions."),
        ({"a": ["x", "y"] * 10 + [None] * 20, "b": [None] * 20 + ["u", "v"] * 10}, ("a", "b"), "No one answered both"),
        ({"a": ["x", "y"] * 20, "b": ["u"] * 20 + [None, "v"] * 10}, ("a", "c"), "“c” is no question with a list"),
    ],
)
def test_what_makes_no_relation_is_refused_in_a_sentence(columns, pair, sentence):
    with pytest.raises(ValueError, match=sentence):
        counted(table(**columns), *pair)


def test_one_answer_that_is_left_is_refused_and_who_left_one_out_is_counted():
    columns = {"a": ["x", "y"] * 20, "b": ["u", None] * 10 + ["u", "v"] * 10}
    found = counted(table(**columns), "a", "b")
    assert (found.n, found.left_out) == (30, 10)
    with pytest.raises(ValueError, match="“a” has one answer here; a relation needs two"):
        counted(table(a=["x", "y"] * 20, b=["u", None, "v", None] * 10), "a", "b")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"setting": "sampled"}, "the option setting is 'apart' or 'as one' or 'open'"),
        ({"compare": ("Divorced",), "versus": ("Divorced",)}, "A group stands on one side only"),
        ({"compare": ("nobody",)}, "“marital-status” has no answer 'nobody'"),
    ],
)
def test_options_that_make_no_sense_are_refused(people, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        relations.theory(study(**options), people)


def test_a_pair_with_an_unmarked_question_is_not_asked_as_one(people):
    marks = Marks.of(["income = >50K"])
    asked = Study(Source("census"), "income", marks, ("uSS",), task="relations", options=OPTIONS)
    with pytest.raises(
        ValueError, match="“marital-status” is not marked; asking it with the other hides it for nothing"
    ):
        relations.theory(asked.with_options(setting="as one"), people)
    apart = RelationFacts.of(asked, people, "uSS")
    assert apart.design.epsilons[1] == 1.0  # all of ε for the one that is hidden
    assert "sampled" not in relations.SAMPLED
    assert "no relation can be estimated" in relations.SAMPLED


@pytest.mark.parametrize(
    ("key", "epsilon", "less"), [("uSS", 1.0, False), ("uSS", 1.8, False), ("uSS", 4.0, False), ("uHR", 3.0, True)]
)
def test_a_smaller_epsilon_that_errs_less_is_the_least_of_all_below(people, key, epsilon, less):
    best = facts(study(mechanisms=(key,), epsilon=epsilon), people).best
    below = {x: 100 * best.half_width("apart", x) for x in np.geomspace(epsilon / 4, epsilon, 97)[:-1]}
    there, off = best.smaller_epsilon, best.smaller_margin
    assert (there is not None) == (off is not None) == less == (min(below.values()) < 0.99 * best.margin)
    if less:
        assert off == pytest.approx(100 * best.half_width("apart", there), rel=1e-12)
        assert off < 1.02 * min(below.values())  # as exact as the forty that are looked at


def test_subsets_are_made_for_what_is_compared_at_even_shares(people):
    """The gradient of the difference there, of each question or of the pair; many ε, so that sizes differ."""
    for compare in ((), ("Divorced",), ("Divorced", "Widowed")):
        c = relations.Compared.of(study(compare=compare), people)
        even = np.full(people.counts.shape, 1 / people.counts.size)
        gradient = engine.contrast(even, c.answers, c.one, c.other)
        u, b = engine.guessed_contrast(c.answers, c.one, c.other)
        np.testing.assert_allclose(np.outer(u, b) * people.counts.shape[0], gradient)
        sizes = set()
        for epsilon in np.geomspace(0.1, 6, 12):
            pair = FREQUENCY["uSS"].build(epsilon, gradient.size, engine.either(c.mx, c.my)).made_for(gradient.ravel())
            sizes.add(c.design("uSS", "as one", epsilon).pair.mechanism.size)
            assert c.design("uSS", "as one", epsilon).pair.mechanism.size == pair.size
        assert len(sizes) > 3


LEVELED = Marks(
    (*((mark, "sensitive") for mark in MARKS.values if "Widowed" not in mark), ("marital-status = Widowed", "secret"))
)


@for_each("key", ["gRR", "gSub", "uSS", "GRR"])
@for_each("setting", ["apart", "as one", "open"])
def test_levels_carry_over_to_two_questions(people, key, setting):
    """Every answer has its ε, a pair the smaller of two, each half of it apart; whoever knows one ε takes the least."""
    asked = study(setting=setting, marks=LEVELED, secret_epsilon=0.5, epsilon=2.0)
    compared = relations.Compared.of(asked, people)
    broken = np.isin(people.labels[0], BROKEN)
    ex = np.where(np.array(people.labels[0]) == "Widowed", 0.5, np.where(broken, 2.0, np.inf))
    ey = np.array([np.inf, 2.0])
    build = ANSWERS[key].protecting
    by_hand = {
        "apart": lambda: engine.apart(build(ex / 2, 1.0), build(ey / 2, 1.0)),
        "as one": lambda: engine.as_one(7, 2, build(engine.pair_epsilons(ex, ey), 2.0)),
        "open": lambda: engine.apart(7, build(ey, 2.0)),
    }[setting]()
    design = compared.design(key, setting, 2.0)
    if key == "uSS":  # its subsets are made for the difference
        assert design.epsilons == by_hand.epsilons
    else:
        assert np.array_equal(design.second(people.freq), by_hand.second(people.freq))
    joined = compared.joined()
    kept = dict(zip(joined.people.labels[0], joined.epsilons(2.0)[0], strict=True))
    assert kept["Divorced; Married-spouse-absent; Separated; Widowed"] == 0.5
    assert sorted(kept.values()) == [0.5, np.inf, np.inf]
    assert np.unique(compared.epsilons(0.3)[0]).tolist() == [0.3, np.inf]  # a secret answer never has more


def test_without_secret_answers_there_are_no_levels(people):
    plain, other = study(), study(secret_epsilon=0.2)
    rows = [relations.theory(each, people) for each in (plain, other)]
    assert rows[0]["theory"].tolist() == rows[1]["theory"].tolist()
    leveled = facts(
        study(marks=LEVELED, secret_epsilon=0.5, epsilon=2.0, setting="as one", mechanisms=("uSS", "gRR")), people
    )
    assert leveled.best.key == "gRR"
    assert leveled.least < leveled.best.margin < leveled.parts["uSS"].margin
    one, c = leveled.best, leveled.compared
    pairs = engine.pair_epsilons(*c.epsilons(2.0))
    gradient = engine.contrast(c.freq, c.answers, c.one, c.other)
    by_level = limit.best_contrast(c.freq, engine.either(c.mx, c.my), pairs, gradient)[0]
    drawn = float((c.freq * gradient**2).sum())
    assert leveled.least == pytest.approx(196 * np.sqrt((by_level + drawn) / people.n), rel=1e-4)
    widowed = np.repeat(np.array(people.labels[0]) == "Widowed", 2)  # told from all others, by hand: of all pairs
    chance, f = one.design.channel(), c.freq.ravel()
    of, others = (chance[mask].T @ f[mask] / f[mask].sum() for mask in (widowed, ~widowed))
    sure = of[:, None] * others - of * others[:, None]
    told = (np.outer(of, others) * np.where(sure > 1e-15, 1.0, np.where(sure < -1e-15, 0.0, 0.5))).sum()
    assert one.secret_exposures[0].own_report == pytest.approx(told, abs=1e-6)
    assert one.secret_exposures[1] is None
    assert one.told_apart["marital-status, secret: all reports"] == one.secret_exposures[0].all_reports
    assert told < one.exposures[0].own_report
