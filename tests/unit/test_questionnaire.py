"""Exposure through other answers against populations whose Bayes-optimal exposure is known in closed form.

Statistical tests: fixed seeds, false-alarm rate below 1e-6 each unless said.
"""

import itertools
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom, norm, t

from ldpcore import catalog, data, questionnaire
from ldpcore.custom import CustomMechanism
from ldpcore.estimators.intervals import proportion_ends
from ldpcore.questionnaire import ATTACKERS, Scene, again, attackers
from ldpcore.questionnaire.allocation import Allocation, SurveyQuestion, errors, expected_inverse
from ldpcore.questionnaire.attack_split import AttackSplit, QuestionColumn
from ldpcore.questionnaire.pairs import difference, pairs, unpaired
from ldpcore.rng import stream

LABELS = ("a", "b", "c", "d", "e")
MARKS = ("a", "b")
SHARES = np.array([0.2, 0.1, 0.4, 0.2, 0.1])
MASK = np.isin(LABELS, MARKS)
N = 20_000
WIDE = 5.0  # standard errors


def table(**columns) -> data.Table:
    return data.read(pd.DataFrame(columns).to_csv(index=False).encode(), "people.csv")


def of_words(**columns) -> data.Table:
    """What `table` reads of columns of words, without reading: that takes longer than to attack."""
    return data.Table("people.csv", "", pd.DataFrame({name: pd.Categorical(each) for name, each in columns.items()}))


def answers(n: int = N, seed: int = 1) -> np.ndarray:
    return np.array(LABELS)[stream(seed, "answers").choice(5, n, p=SHARES)]


def exactly(mechanism, shares=SHARES) -> float:
    """The pairs that the likelihood ratio of one report tells apart: Neyman and Pearson's, from the exact channel."""
    channel = mechanism.channel().matrix
    marked = shares[MASK] / shares[MASK].sum() @ channel[MASK]
    other = shares[~MASK] / shares[~MASK].sum() @ channel[~MASK]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(marked + other > 0, marked / (marked + other), 0.5)
    order = np.argsort(-ratio)
    marked, other, ratio = marked[order], other[order], ratio[order]
    above = (ratio[:, None] > ratio[None, :] + 1e-12) + 0.5 * (np.abs(ratio[:, None] - ratio[None, :]) <= 1e-12)
    return float(marked @ above @ other)


def error(found: questionnaire.Exposure) -> float:
    low, high = found.told.interval(0.95)
    return (high - low) / 2 / 1.96


@cache
def beside_noise() -> data.Table:
    """The answers, and two columns that have nothing to do with them."""
    noise = stream(2, "noise").choice(["x", "y", "z"], (2, N))
    return table(target=answers(), one=noise[0], two=noise[1])


@pytest.mark.parametrize("key", ["uSS", "uRR", "SS", "GRR", "uOUE"])
def test_the_own_report_alone_is_worth_what_its_channel_says(key: str) -> None:
    """Independent other columns add nothing: every attacker is at or below the optimum, the best within two points."""
    own = catalog.FREQUENCY[key].build(1.0, 5, MASK)
    people = beside_noise()
    assert questionnaire.best(own, MASK, SHARES) == pytest.approx(exactly(own), abs=1e-9)
    best = questionnaire.best(own, MASK, people.categorical("target").counts / N)  # as they were drawn
    for others in ({}, {"one": "open", "two": catalog.FREQUENCY["SS"].build(1.0, 3)}):
        found = questionnaire.exposure(people, target="target", marks=MARKS, own=own, others=others, people=6000)
        for name, share in found.attackers.items():
            assert share <= best + WIDE * error(found) + 1e-9, name
        assert abs(found.pairs - best) < (0.01 + 3 * error(found) if others else 1e-9)
        assert max(found.attackers.values()) == found.pairs == found.attackers[found.attacker]


def test_the_best_of_one_report_is_exact_or_refused() -> None:
    grr = catalog.FREQUENCY["GRR"].build(2.0, 5)
    assert questionnaire.best(grr, MASK, SHARES) == pytest.approx(exactly(grr), abs=1e-9)
    for mask in (np.zeros(5, bool), np.ones(5, bool)):
        with pytest.raises(ValueError, match="mark some"):
            questionnaire.best(grr, mask, SHARES)
    certain = CustomMechanism([[0.5, 0.5, 0.0, 0.0], [0.0, 0.5, 0.5, 0.0], [0.0, 0.0, 0.5, 0.5]])
    for mask, told in (([True, False, False], 0.5 + 0.5 * (0.75 + 0.25 / 2)), ([False, True, True], 0.9375)):
        assert questionnaire.best(certain, mask, [0.5, 0.25, 0.25]) == pytest.approx(told, abs=1e-12)
    for key in ("OUE", "OLH"):  # a million reports; a channel for every hash
        with pytest.raises(ValueError, match=key):
            questionnaire.best(catalog.FREQUENCY[key].build(1.0, 20), np.arange(20) < 3, np.full(20, 0.05))


def test_a_copy_gives_everything_away() -> None:
    target = answers()
    found = questionnaire.exposure(table(target=target, copy=target), target="target", marks=MARKS)
    assert found.pairs == 1.0
    assert found.low < 1.0
    assert found.surest == pytest.approx(1.0)
    assert found.named == 1.0
    assert found.blind == pytest.approx(2 / 3, abs=0.05)
    assert found.marked == pytest.approx(0.3, abs=0.02)


@pytest.mark.parametrize("flipped", [0.1, 0.3, 0.5])
def test_a_noisy_copy_gives_away_what_the_formula_says(flipped: float) -> None:
    """Another column says whether the answer is marked, and errs with this chance: of a pair 1 − flipped."""
    target, rng = answers(), stream(3, "flip", flipped)
    says = np.isin(target, MARKS) ^ (rng.random(N) < flipped)
    people = table(target=target, says=np.where(says, "yes", "no"))
    found = questionnaire.exposure(people, target="target", marks=MARKS, people=6000)
    for share in found.attackers.values():
        assert abs(share - (1 - flipped)) < WIDE * error(found) + 1e-9
    (giver,) = questionnaire.predictors(Scene.of(people, target="target", marks=MARKS, people=6000))
    assert (giver.low <= 0 <= giver.high) if flipped == 0.5 else giver.low > 0


def test_a_report_of_the_noisy_copy_through_its_mechanism() -> None:
    """GRR on two values flips with 1/(1 + e^ε), and two flips are one."""
    target, rng = answers(), stream(4, "flip")
    says = np.isin(target, MARKS) ^ (rng.random(N) < 0.1)
    people = table(target=target, says=np.where(says, "yes", "no"))
    sent = {"says": catalog.FREQUENCY["GRR"].build(1.0, 2)}
    found = questionnaire.exposure(people, target="target", marks=MARKS, others=sent, people=6000)
    q = 1 / (1 + np.e)
    assert abs(found.pairs - (1 - (0.1 * (1 - q) + 0.9 * q))) < WIDE * error(found)
    assert "learned" not in found.attackers  # nothing is open


def test_permuting_the_other_columns_leaves_the_own_report() -> None:
    census = data.load("census")
    marks = ("Divorced", "Separated", "Widowed")
    frame = census.frame.copy()
    rng = stream(5, "permute")
    for name in frame.columns:
        if name != "marital-status":
            frame[name] = frame[name].to_numpy()[rng.permutation(len(frame))]
    shuffled = replace(census, digest="", frame=frame)
    domain = shuffled.categorical("marital-status", "column").domain
    own = catalog.FREQUENCY["uSS"].build(1.0, domain.k, domain.mask(marks))
    ask = {"target": "marital-status", "marks": marks, "own": own, "people": 4000}
    alone = questionnaire.exposure(shuffled, others={}, **ask)
    beside = questionnaire.exposure(shuffled, **ask)
    assert beside.pairs <= alone.pairs + WIDE * error(beside)
    real = questionnaire.exposure(census, **ask)
    assert real.low > beside.high + 0.1  # what the permutation has taken away


def test_intervals_cover() -> None:
    """Normal scores of either kind: the exact share is Φ(d/√2). 400 samples each; 93 % or more would be missed by
    chance with probability below 1e-6 only under 91 %."""
    rng = stream(6, "cover")
    for shift in (0.0, 1.0, 2.5):
        exact, hits, apart = norm.cdf(shift / np.sqrt(2)), 0, 0
        for _ in range(400):
            exposed = np.arange(300) < 80
            score = rng.normal(size=300) + shift * exposed
            told = pairs(score, exposed)
            low, high = told.interval()
            hits += low <= exact <= high
            other = score + rng.normal(0, 1, 300)  # a worse score of the same people
            _, low, high = difference(told, pairs(other, exposed))
            apart += low <= norm.cdf(shift / 2) - exact <= high
        assert binom.cdf(hits, 400, 0.95) > 1e-6
        assert binom.cdf(apart, 400, 0.95) > 1e-6


@pytest.mark.parametrize(("marked", "more"), [*itertools.product((10, 40, 300), (0.0, 0.3, 1.0, 2.0))])
def test_intervals_against_an_own_report_that_is_known_cover(marked: int, more: float) -> None:
    """Normal scores: the own report's alone, and with another that tells as much again or more. As exact on average as
    the plain number, with a narrower interval, and the exact number itself where nothing else tells anything."""
    rng, exposed, hits, widths, shares = stream(12, "beside", marked, more), np.arange(400 + marked) < marked, 0, [], []
    exact, true = norm.cdf(1 / np.sqrt(2)), norm.cdf(np.hypot(1, more) / np.sqrt(2))
    for _ in range(400):
        own, other = rng.normal(size=(2, len(exposed))) + np.array([[1.0], [more]]) * exposed
        told = pairs(own + more * other, exposed)
        against = told.against(pairs(own, exposed), exact)
        low, high = against.interval()
        hits += low - 1e-12 <= true <= high + 1e-12
        widths.append((high - low, np.subtract(*told.interval()[::-1])))
        shares.append(against.share)
    assert binom.cdf(hits, 400, 0.95) > 1e-6
    assert np.less(*np.mean(widths, axis=0))
    assert abs(np.mean(shares) - true) < 0.004 + 5 * np.std(shares) / 20
    if not more:
        assert np.allclose(shares, exact)


def test_intervals_cover_where_few_are_marked() -> None:
    """Ten people with a marked answer, the fewest that are attacked, one of twenty looks: 1 of 390 intervals misses, of
    either kind; with a normal quantile 3 do."""
    rng, exposed = stream(7, "few"), np.arange(110) < 10
    exact, missed, apart = norm.cdf(1 / np.sqrt(2)), 0, 0
    for _ in range(4000):
        score, other = rng.normal(size=(2, 110)) + exposed
        told = pairs(score, exposed)
        low, high = told.interval(looks=20)
        missed += not low <= exact <= high
        _, low, high = difference(told, pairs(other, exposed), looks=20)
        apart += not low <= 0 <= high
    assert binom.sf(max(missed, apart) - 1, 4000, 1 - 0.95 ** (1 / 20)) > 1e-6


@pytest.mark.parametrize(("marked", "slips"), [(5, 0.3), (7, 0.3), (10, 0.1), (12, 0.3), (10, 0.02)])
def test_intervals_cover_where_the_few_score_alike(marked: int, slips: float) -> None:
    """An answer that copies the mark, but for some slips: exactly 1 − slips. Often no marked person's has slipped, and
    low was above it in 17 of 100 crowds. 1 of 40 may be, at either end."""
    rng, exposed = stream(8, "alike", marked, slips), np.arange(500 + marked) < marked
    ends = np.array([
        pairs((exposed ^ (rng.random(len(exposed)) < slips)).astype(float), exposed).interval() for _ in range(1000)
    ])  # fmt: skip
    for missed in (ends[:, 0] > 1 - slips + 1e-12, ends[:, 1] < 1 - slips - 1e-12):
        assert binom.sf(missed.sum() - 1, 1000, 0.025) > 1e-6


@pytest.mark.parametrize("rate", [0.03, 0.1, 0.3])
def test_a_rare_answer_that_says_nothing_gives_nothing_away(rate: float) -> None:
    """Held by marked people as by others: among ten to fourteen it is often missing, which was a finding in most crowds
    of ten such columns. One of twenty looks: 1 of 390 intervals may miss. A copy with slips is found nevertheless."""
    rng, missed, found = stream(9, "rare", rate), 0, 0
    for marked in np.repeat([10, 12, 14], 100):
        exposed = np.arange(400 + marked) < marked
        before = pairs(np.zeros(len(exposed)), exposed)
        for score in (1.0, -1.0):
            _, low, high = difference(before, pairs(score * (rng.random(len(exposed)) < rate), exposed), looks=20)
            missed += not low <= 0 <= high
        copy = exposed ^ (rng.random(len(exposed)) < 0.05)
        found += difference(before, pairs(copy.astype(float), exposed), looks=20)[1] > 0
    assert binom.sf(missed - 1, 600, 1 - 0.95 ** (1 / 20)) > 1e-6
    assert found > 0.95 * 300


def test_scores_that_are_the_same_do_not_differ() -> None:
    rng, exposed = stream(10, "same"), np.arange(60) < 10
    one = pairs(rng.normal(size=60), exposed)
    assert difference(one, one) == (0.0, 0.0, 0.0)
    assert one.won_astray.mean() == pytest.approx(0.5)
    assert one.lost_astray.mean() == pytest.approx(0.5)


@pytest.mark.parametrize(("marked", "others"), [(3, 60), (10, 60), (60, 12)])
def test_the_reach_of_an_interval_is_student_s_of_the_fewer(marked: int, others: int) -> None:
    """With one degree of freedom less than there are people of the kind of whom there are fewer, at any confidence: of
    two intervals of the same people the ratio of widths is that of two quantiles, whatever the error is.
    """
    rng, exposed = stream(8, "student"), np.arange(marked + others) < marked
    one, other = (pairs(rng.normal(size=len(exposed)) + sign * 1.5 * exposed, exposed) for sign in (-1, 1))
    degrees = min(marked, others) - 1
    wanted = t.ppf(0.975, degrees) / t.ppf(0.55, degrees)
    for made in (difference, unpaired):
        widths = [high - low for _, low, high in (made(one, other, confidence) for confidence in (0.95, 0.1))]
        assert widths[0] / widths[1] == pytest.approx(wanted, rel=1e-9)
    widths = [width_in_odds(*other.interval(confidence)) for confidence in (0.95, 0.1)]
    assert widths[0] / widths[1] == pytest.approx(wanted, rel=1e-9)


def width_in_odds(low: float, high: float) -> float:
    """The width on the log-odds scale."""
    return float(np.log(high / (1 - high)) - np.log(low / (1 - low)))


def test_pairs_are_those_counted_one_by_one() -> None:
    rng = stream(7, "pairs")
    score, exposed = rng.integers(0, 6, 60).astype(float), rng.random(60) < 0.3
    one, other = score[exposed][:, None], score[~exposed][None, :]
    assert pairs(score, exposed).share == pytest.approx(float(np.mean((one > other) + 0.5 * (one == other))))


def test_marked_people_are_drawn_more_often_and_weigh_less() -> None:
    """2 % marked, a copy: the surest hundredth is marked, and the share of the marked is that of all people."""
    target = np.where(np.arange(N) % 50 == 0, "a", "c")
    people = table(target=stream(8, "order").permutation(target))
    scene = Scene.of(people, target="target", marks=["a"], others={}, people=1000)
    assert scene.crowd.exposed.sum() >= 190
    found = questionnaire.exposure(people, target="target", marks=["a"], people=1000, others={})
    assert found.marked == pytest.approx(0.02, abs=0.004)
    assert found.surest == pytest.approx(found.marked)  # nobody is told from anybody
    assert found.pairs == 0.5


def test_reports_that_nobody_known_can_have_sent() -> None:
    """Two open values under uRR are sent as they are, by one person each: nobody known fits both."""
    n = 400
    codes = np.arange(n) % 60
    people = table(target=answers(n), a=[f"v{c:02d}" for c in codes], b=[f"w{c:02d}" for c in codes[::-1] // 2])
    sent = {name: catalog.FREQUENCY["uRR"].build(8.0, k, np.arange(k) < 1) for name, k in (("a", 60), ("b", 30))}
    with np.errstate(invalid="raise"):
        found = questionnaire.exposure(people, target="target", marks=MARKS, others=sent, people=200)
    assert all(np.isfinite(share) for share in found.attackers.values())


def test_nobody_is_known_and_attacked() -> None:
    scene = Scene.of(table(target=answers()), target="target", marks=MARKS, others={}, seed=3, people=4000)
    assert not set(scene.crowd.learn) & set(scene.crowd.attacked)


def test_what_is_seen_of_a_scene_is_what_a_scene_of_it_shows() -> None:
    target = answers(2000)
    people = table(target=target, copy=target, noise=stream(12, "noise").choice(["x", "y"], 2000))
    own = catalog.FREQUENCY["uSS"].build(1.0, 5, MASK)
    asked = {"target": "target", "marks": MARKS, "own": own}
    whole = Scene.of(people, **asked)
    for names in ((), ("noise",), ("noise", "copy")):
        sent = dict.fromkeys(names, "open")
        assert questionnaire.measured(whole.only(names)) == questionnaire.exposure(people, others=sent, **asked)
    alone = Scene.of(people, **{**asked, "own": None}).only(("noise",))
    few, many = (questionnaire.measured(alone, looks=looks) for looks in (0, 20))
    assert (few.pairs, many.low < few.low, few.high < many.high) == (many.pairs, True, True)


def test_who_gives_it_away_together() -> None:
    """A copy and its copy: the second adds nothing, noise adds nothing."""
    target = answers()
    says = np.where(np.isin(target, MARKS) ^ (stream(9, "flip").random(N) < 0.2), "yes", "no")
    people = table(target=target, says=says, again=says, noise=stream(9, "noise").choice(["x", "y"], N))
    found = questionnaire.together(Scene.of(people, target="target", marks=MARKS))
    assert [giver.column for giver in found] in (["says"], ["again"])
    assert found[0].pairs == pytest.approx(0.8, abs=0.04)


def test_the_best_of_many_that_tell_nothing_is_not_taken_for_a_giver() -> None:
    """30 columns of noise, 40 crowds: with one interval each most crowds would have a giver; 1 in 20 may."""
    found = 0
    for seed in range(40):
        target = answers(1200, seed)
        noise = stream(seed, "noise").choice(["x", "y"], (30, 1200))
        people = of_words(target=target, **{f"q{i}": row for i, row in enumerate(noise)})
        found += bool(questionnaire.together(Scene.of(people, target="target", marks=MARKS, seed=seed, people=600)))
    assert binom.sf(found - 1, 40, 0.05) > 1e-6


def test_nor_is_it_where_few_are_marked() -> None:
    """The same with ten people to attack, 40 columns and 100 crowds; a normal quantile finds one in every third."""
    found, target = 0, np.where(np.arange(1200) % 600 < 10, "a", "c")
    codes, half = np.isin(target, "c").astype(np.intp), np.arange(1200) < 600
    for seed in range(100):
        noise = stream(seed, "few").choice(4, (40, 1200), p=[0.5, 0.2, 0.2, 0.1])
        others = {f"q{i}": QuestionColumn(f"q{i}", row, 4, "open") for i, row in enumerate(noise)}
        learn, attacked = np.flatnonzero(half), np.flatnonzero(~half)
        own = catalog.FREQUENCY["uRR"].build(1.0, 2, [True, False])
        crowd = AttackSplit(
            codes, np.array([True, False]), ("a", "c"), own, others, learn, attacked, np.ones(600), seed
        )
        found += any(giver.low > 0 for giver in questionnaire.predictors(Scene(crowd)))
    assert binom.sf(found - 1, 100, 0.06) > 1e-6


@pytest.mark.parametrize(
    ("columns", "marks", "what"),
    [
        ({"target": ["a", "b"] * 50}, [], "Nothing is marked in"),
        ({"target": ["a", "b"] * 50}, ["a", "b"], "Everything is marked in"),
        ({"target": ["a", "b"]}, ["a"], "Too few people in"),
        ({"target": ["a"] * 100}, ["a"], "single value"),
        ({"target": ["a", "b"] * 50}, ["z"], "z"),
        ({"target": ["a"] + ["b"] * 100}, ["a"], "people"),
    ],
)
def test_what_cannot_be_attacked_is_said(columns, marks, what) -> None:
    with pytest.raises(ValueError, match=what):
        questionnaire.exposure(table(**columns, other=["x"] * len(columns["target"])), target="target", marks=marks)


def test_columns_of_words_are_what_is_read_of_them() -> None:
    noise = stream(13, "noise").choice(["x", "y", "z"], (3, 300))
    columns = {"target": answers(300), **{f"q{i}": row for i, row in enumerate(noise)}}
    made, read = of_words(**columns), table(**columns)
    assert made.frame.astype(str).equals(read.frame.astype(str))
    for name in columns:
        assert list(made.frame[name].cat.categories) == list(read.frame[name].cat.categories)
    assert made.profile() == read.profile()


def test_columns_that_tell_nothing_or_are_odd() -> None:
    """Constant, missing everywhere, an identifier, half missing: none breaks the attack."""
    n = 400
    target = answers(n)
    half = np.where(np.arange(n) % 2 == 0, "x", None)
    people = table(target=target, same=["x"] * n, none=[None] * n, id=[f"p{i}" for i in range(n)], half=half)
    found = questionnaire.exposure(people, target="target", marks=MARKS)
    assert found.low <= 0.5 <= found.high + 0.1
    with pytest.raises(ValueError, match="mechanism"):
        questionnaire.exposure(people, target="target", marks=MARKS, others={"same": "hidden"})
    with pytest.raises(ValueError, match="3 values"):
        questionnaire.exposure(people, target="target", marks=MARKS, own=catalog.FREQUENCY["SS"].build(1.0, 3))


def test_five_hundred_columns() -> None:
    target = answers(2000)
    noise = stream(10, "noise").choice(["x", "y", "z"], (500, 2000))
    people = of_words(target=target, **{f"q{i}": row for i, row in enumerate(noise)})
    found = questionnaire.exposure(people, target="target", marks=MARKS, people=500)
    assert found.low <= 0.5 + WIDE * error(found)
    assert set(found.attackers) == set(ATTACKERS)


# several questions --------------------------------------------------------------------------------------------------


def asked() -> list[SurveyQuestion]:
    return [
        SurveyQuestion("a", "SS", [0.5, 0.3, 0.2]),
        SurveyQuestion("b", "uSS", SHARES, MASK, share=2.0),
        SurveyQuestion("c", "GRR", [0.9, 0.1]),
    ]


@pytest.mark.parametrize(
    "scheme",
    [
        Allocation.everything("abc"),
        Allocation.one_each("abc"),
        Allocation.one_each("abc", [0.5, 0.3, 0.2]),
        Allocation((("a", "b"), ("c",)), (0.8, 0.2)),
    ],
)
def test_errors_of_a_scheme_are_those_of_its_surveys(scheme: Allocation) -> None:
    """Who is asked what is drawn for 3 000 surveys of 60 people, and what each then errs is exact, as variances are
    linear in the shares: within 6 standard errors, and rounding where everybody is asked everything.
    """
    n, repeats, epsilon = 60, 3000, 2.0
    found = errors(asked(), scheme, n=n, epsilon=epsilon).set_index("question")
    rng = stream(11, "schemes")
    for question in asked():
        freq = np.asarray(question.freq)
        truth = np.repeat(np.arange(question.k), np.round(freq * n).astype(int))
        row = found.loc[question.name]
        built = catalog.FREQUENCY[question.key].build(row["epsilon"], question.k, question.sensitive)
        chance = next(share for block, share in scheme.drawn.items() if question.name in block)
        everybody = np.eye(question.k)[truth]
        noise = [built.variance(alike, 1).mean() for alike in np.eye(question.k)]
        counts = (rng.random((repeats, n)) < chance) @ everybody
        asked_of = counts.sum(axis=1, keepdims=True)
        counts, asked_of = counts[asked_of[:, 0] > 0], asked_of[asked_of > 0, None]
        missed = counts / asked_of - everybody.mean(axis=0)
        squared = counts @ noise / asked_of[:, 0] ** 2 + np.mean(missed**2, axis=1)
        assert abs(squared.mean() - row["mse"]) < 6 * squared.std() / np.sqrt(len(squared)) + 1e-12 * row["mse"]
    assert found["people"].sum() == pytest.approx(n * sum(len(b) * share for b, share in scheme.drawn.items()))


def test_the_mean_of_one_over_a_binomial() -> None:
    for n, chance in ((1, 0.3), (5, 0.2), (40, 0.9), (300, 0.01)):
        m = np.arange(1, n + 1)
        mass = binom.pmf(m, n, chance)
        assert expected_inverse(n, chance) == pytest.approx(mass @ (1 / m) / mass.sum(), rel=1e-10)
    assert expected_inverse(10**7, 0.1) == pytest.approx(1e-6, rel=1e-5)


def test_one_person_alone_is_drawn_for_certain() -> None:
    """Whoever is asked is everybody: nothing is missed, and the error is that of one report."""
    alone = errors(asked(), Allocation.one_each("abc"), n=1, epsilon=2.0).set_index("question")
    for question in asked():
        assert alone.loc[question.name, "mse"] == pytest.approx(question.variance(2.0).mean(), rel=1e-12)


def test_sampling_wins_by_the_number_of_questions_at_small_epsilon() -> None:
    """Everything protected: splitting ε costs C²/ε² a question, asking one of C only C (LDPK, Lemma 3)."""
    same = [SurveyQuestion(name, "SS", np.full(8, 1 / 8)) for name in "abcd"]
    split, sample = (
        errors(same, scheme, n=10**6, epsilon=0.1)["mse"].mean()
        for scheme in (Allocation.everything("abcd"), Allocation.one_each("abcd"))
    )
    assert split / sample == pytest.approx(4, rel=0.05)


def test_the_promise_of_the_whole_report_on_the_product_channel() -> None:
    """Two questions at once: the largest loss over reports of both is the sum, for one marked answer its own."""
    first = catalog.FREQUENCY["uRR"].build(0.7, 3, [True, True, False])
    second = catalog.FREQUENCY["GRR"].build(1.4, 2)
    two = [
        SurveyQuestion("a", "uRR", [0.3, 0.3, 0.4], [True, True, False]),
        SurveyQuestion("b", "GRR", [0.5, 0.5], share=2.0),
    ]
    told = questionnaire.promise(two, Allocation.everything("ab"), epsilon=2.1).iloc[0]
    channel = np.kron(first.channel().matrix, second.channel().matrix)
    with np.errstate(divide="ignore", invalid="ignore"):
        loss = np.nanmax(np.log(channel[:, None, :] / channel[None, :, :]), axis=2)
    both = loss[0, 3]  # another marked answer to a, and another answer to b
    assert both == pytest.approx(told["marked"]) == pytest.approx(2.1)
    assert loss[0, 1] == pytest.approx(told["answer"]) == pytest.approx(1.4)
    nothing = questionnaire.promise([SurveyQuestion("a", "uRR", [0.5, 0.5])], Allocation.everything("a"), epsilon=1.0)
    assert nothing["marked"].iloc[0] == 0.0


@pytest.mark.parametrize("blocks", [(), ((),), (("a",), ("a",))])
def test_a_scheme_that_is_none(blocks) -> None:
    with pytest.raises(ValueError, match="block"):
        Allocation(blocks)


# asked again --------------------------------------------------------------------------------------------------------


def test_independent_reports_tell_more_and_the_same_one_does_not() -> None:
    """GRR on three values, two reports: the exact success from the product channel."""
    built = catalog.FREQUENCY["GRR"].build(1.0, 3)
    channel = built.channel().matrix
    product = np.einsum("xy,xz->xyz", channel, channel).reshape(3, -1)
    exact = float(product.max(axis=0).sum() / 3)
    told = questionnaire.rounds("GRR", k=3, epsilon=1.0, n=1000, counts=(1, 2), attacks=20_000).set_index(
        ["way", "rounds"]
    )
    row = told.loc["fresh", 2]
    assert row["low"] == row["success"] == row["high"] == pytest.approx(exact, abs=1e-12)
    assert told.loc["fresh", 1]["success"] == told.loc["the same again", 2]["success"]
    assert told.loc["fresh", 2]["mse"] == pytest.approx(told.loc["fresh", 1]["mse"] / 2)
    assert told.loc["the same again", 2]["mse"] == told.loc["fresh", 1]["mse"]
    assert told.loc["fresh", 2]["epsilon"] == 2 * told.loc["fresh, ε shared", 2]["epsilon"] == 2.0


@pytest.mark.parametrize("key", ["GRR", "SS", "uRR", "uSS", "OUE"])
def test_several_reports_are_exact_where_they_are_few_and_as_simulated(key: str, monkeypatch) -> None:
    """Each of nine simulated numbers within Clopper and Pearson's interval at 1 − 1e-5, so that a right engine fails
    once in 10 000 choices of the stream; what is simulated says so by its interval.
    """
    asked = {"k": 5, "sensitive": [True] * 3 + [False] * 2, "epsilon": 1.0, "n": 100, "counts": (2, 3, 5)}
    exact = questionnaire.rounds(key, **asked)
    monkeypatch.setattr(again, "LISTED", 0)
    drawn = questionnaire.rounds(key, **asked, attacks=40_000, seed=3)
    several = drawn["way"].isin(["fresh", "fresh, ε shared"])
    assert (drawn["low"] < drawn["high"])[several].all()
    listed = several & (exact["low"] == exact["high"])
    assert listed.sum() == (6 if key != "OUE" else 4), "of 32 reports five come out in 376 992 ways"
    for won, tried in zip(exact["success"][listed], drawn["success"][listed], strict=True):
        low, high = proportion_ends(np.array([tried * 40_000]), np.array([40_000.0]), 1 - 1e-5)
        assert low[0] <= won <= high[0]


@pytest.mark.parametrize("key", ["GRR", "SS", "uRR", "uSS"])
def test_one_report_is_no_worse_than_several_with_the_same_epsilon(key: str) -> None:
    told = questionnaire.rounds(key, k=6, sensitive=[True] * 4 + [False] * 2, epsilon=0.5, n=1000, counts=(2, 6))
    by = told.set_index(["rounds", "way"])["mse"]
    for count in (2, 6):
        assert by[count, "once, all ε"] <= by[count, "fresh"] * (1 + 1e-9)


def test_the_neighbours_are_weighed_one_by_one() -> None:
    """In blocks and by rows they are the sums that their definition writes: more people than one block holds."""
    truth = answers(700)
    says = np.where(stream(8, "slip").random(700) < 0.2, "a", truth)
    people = table(answer=truth, says=says, told=answers(700, 5))
    own, sent = (catalog.FREQUENCY["GRR"].build(1.0, 5) for _ in range(2))
    asked = {"target": "answer", "marks": MARKS, "own": own, "others": {"says": "open", "told": sent}}
    scene = Scene.of(people, **asked)
    crowd, (open_, told) = scene.crowd, scene.crowd.others.values()
    assert len(crowd.attacked) > attackers.BLOCK
    fits = np.where(open_.codes[crowd.attacked][:, None] == open_.codes[crowd.learn], 1.0, attackers.SLIP)
    fits = fits * scene.likelihood(told)[:, told.codes[crowd.learn]]
    known = np.stack([fits[:, scene.known == answer].sum(axis=1) for answer in range(5)], axis=1)
    largest = fits.max(axis=1, keepdims=True)
    wanted = np.logaddexp(np.log(known / largest), scene.before + np.log(1e-3)) + scene.own
    assert ATTACKERS["neighbours"](scene) == pytest.approx(wanted, abs=1e-4)


@pytest.mark.parametrize("weights", [(1.0,), (1.5, -0.5), (1.0, 0.0), (0.5, 0.4)])
def test_weights_that_are_none(weights) -> None:
    with pytest.raises(ValueError, match="weights are positive, one for each block"):
        Allocation.one_each("ab", weights)


@pytest.mark.parametrize("key", catalog.FREQUENCY)
@pytest.mark.parametrize("epsilon", [1e-6, 40.0])
def test_every_score_is_a_number(key, epsilon) -> None:
    """With certain reports, ln 0 for whole kinds of answers, and answers that nobody known has; ±inf is a number."""
    rare = np.r_[answers(160, 3), [f"only {one}" for one in range(40)]]
    people = of_words(answer=rare, other=np.roll(rare, 7), copy=rare)
    k = len(np.unique(rare))
    for hidden in (np.zeros(k, bool), np.arange(k) < 2, np.ones(k, bool)):
        mechanism = catalog.FREQUENCY[key].build(epsilon, k, hidden)
        for own, others in ((mechanism, {"copy": mechanism, "other": "open"}), (None, {"copy": mechanism})):
            scene = Scene.of(people, target="answer", marks=MARKS, own=own, others=others)
            for name in ("naive Bayes", "neighbours"):
                assert not np.isnan(scene.odds(ATTACKERS[name](scene))).any(), (name, hidden.sum())


def test_what_is_no_number_orders_nobody() -> None:
    """A mechanism that excludes what it sends: ln 0 − ln 0."""

    class Denied(type(catalog.FREQUENCY["GRR"].build(1.0, 5))):
        def log_likelihood(self, reports):
            return np.where(np.asarray(reports)[:, None] == 0, -np.inf, super().log_likelihood(reports))

    people = of_words(answer=answers(400))
    with np.errstate(invalid="ignore"), pytest.raises(ValueError, match=r"of 200 scores are no number.*log_likelihood"):
        questionnaire.exposure(people, target="answer", marks=MARKS, own=Denied(1.0, 5), others={})
    with pytest.raises(ValueError, match="1 of 2 scores"):
        pairs(np.array([np.nan, 1.0]), np.array([True, False]))
    with pytest.raises(ValueError, match="some people need a marked answer"):
        pairs(np.array([0.0, 1.0]), np.array([True, True]))
    certain = pairs(np.array([np.inf, -np.inf, 0.0, -np.inf]), np.array([True, True, False, False]))
    assert certain.share == 0.625
