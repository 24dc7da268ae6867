"""Two answers together: what holds for every mechanism of the catalogue that can be used, in every setting.

Exact laws enumerate; statistical ones have fixed streams and fail a right engine less than once in a million
(laws.ALPHA), a coverage where hits are too few at LEAST.
"""

import itertools

import numpy as np
import pytest
from scipy import stats

from ldpcore import plan, questionnaire, relations
from ldpcore.catalog import FREQUENCY
from ldpcore.randomizer import Randomizer
from ldpcore.relations.independence import permuted, statistic, statistics
from ldpcore.rng import stream
from tests.each import for_each
from tests.laws import cases, laws, relation_cases
from tests.laws.relation_cases import ALIKE, ASKED, KEYS, designs, table
from tests.laws.test_intervals import enough

LEAST = 0.93


# one report ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", KEYS)
def test_what_reports_add_has_three_witnesses(key):
    """The mean of scores is the estimate; closed second moments and ends are those of all reports listed."""
    for epsilon, (k, marked) in cases.COVERING:
        m = cases.build(key, epsilon, k, marked)
        weights = stream(1, "weights").normal(size=k)
        assert np.allclose(m.joint_support(), Randomizer.joint_support(m), atol=1e-12)
        listed = m.supported(m.outputs()[m.accepts(m.outputs())]) @ weights
        assert np.allclose(m.reach(weights), [listed.min(), listed.max()], rtol=1e-9)
        reports = m.perturb(np.arange(k).repeat(20), stream(1, "scores", key))
        assert np.allclose(m.supported(reports), Randomizer.supported(m, reports))
        assert np.allclose(m.scores(reports).mean(axis=0), m.estimate(m.tally(reports)))


@pytest.mark.parametrize("key", [key for key in FREQUENCY if key not in KEYS])
def test_scores_without_a_table_are_the_estimate_too(key):
    m = cases.build(key, 1.0, 5, 2)
    reports = m.perturb(np.arange(5).repeat(20), stream(1, "scores", key))
    assert np.allclose(m.scores(reports).mean(axis=0), m.estimate(m.tally(reports)))
    with pytest.raises(ValueError, match=f"{type(m).__name__} has no table of chances; choose GRR, SS, uRR or uSS"):
        relations.apart(2, m)


@pytest.mark.parametrize("key", ASKED)
def test_scores_are_unbiased_balanced_and_have_these_moments(key):
    for kx, ky in ((2, 2), (3, 2), (2, 4)):
        for name, d in designs(key, kx, ky):
            with laws.told(f"{name} {kx} × {ky}"):
                chance, score, f = d.channel(), d.balanced_scores(), table(kx, ky)
                assert np.allclose(chance @ score, np.eye(kx * ky), atol=1e-9)
                assert np.allclose(score.sum(axis=1), 1, atol=1e-9)
                second = score.T @ ((f.ravel() @ chance)[:, None] * score)
                assert np.allclose(d.second(f), second, rtol=1e-9, atol=1e-9)
                u, v = stream(2, "weights").normal(size=(2, kx, ky))
                squares = chance @ ((score @ u.ravel()) * (score @ v.ravel()))
                assert np.allclose(d.squares(u, v), squares, rtol=1e-8, atol=1e-8)


@for_each("key", KEYS)
def test_made_for_a_contrast_it_promises_the_same_and_errs_no_more(key):
    """By all reports, at the guessed shares; of what was chosen for all shares."""
    for epsilon, (k, marked) in cases.COVERING:
        m, c = cases.build(key, epsilon, k, marked), stream(5, "contrast").normal(size=k)
        made = m.made_for(c)
        assert (type(made), made.epsilon, made.k) == (type(m), epsilon, k)
        assert np.array_equal(made.disclosure() > 0, m.disclosure() > 0)
        assert np.array_equal(made.guessed, m.guessed)
        before, after = (each.guessed @ np.exp(each.log_likelihood(each.outputs())).T
                         @ (each.scores(each.outputs()) @ c) ** 2 for each in (m, made))  # fmt: skip
        assert after <= before * (1 + 1e-9)
        laws.keeps_its_policy(made)


@for_each("key", KEYS)
def test_a_single_answer_errs_as_the_engine_says(key):
    """Of values whose scores are not evened the variance is `Randomizer.variance`; evened ones err no more in sum."""
    for k in (3, 5):
        m, f = cases.build(key, 1.0, k, 2), stream(3, "single").dirichlet(np.ones(k))
        one = relations.apart(2, m)
        shares = np.outer([0.5, 0.5], f)
        spread = one.covariance(shares, 1, "these").reshape(2, k, 2, k).sum(axis=(0, 2)).diagonal()
        even = np.allclose(m.scores(m.outputs()).sum(axis=1), 1)
        assert np.allclose(spread, m.variance(f, 1)) if even else spread.sum() < m.variance(f, 1).sum()


@for_each("key", ASKED)
def test_the_covariance_is_that_of_all_reports_of_three_people(key):
    people = np.array([0, 1, 3])  # pairs
    counts = np.bincount(people, minlength=4).reshape(2, 2)
    for name, d in designs(key):
        chance, score = d.channel(), d.balanced_scores()
        used = [np.flatnonzero(chance[c] > 0) for c in people]
        codes = np.array(list(itertools.product(*used)))
        p = np.prod([chance[c, codes[:, i]] for i, c in enumerate(people)], axis=0)
        found = score[codes].mean(axis=1)
        mean = p @ found
        spread = (found * p[:, None]).T @ found - np.outer(mean, mean)
        with laws.told(name):
            assert np.allclose(mean, counts.ravel() / 3, atol=1e-9)
            assert np.allclose(spread, d.covariance(counts / 3, 3, "these"), atol=1e-8)


@pytest.mark.parametrize("key", ASKED)
def test_people_and_whole_surveys_send_what_the_channel_says(key):
    counts = np.array([[400, 100], [150, 350]])
    x, y = np.repeat([0, 0, 1, 1], counts.ravel()), np.repeat([0, 1, 0, 1], counts.ravel())
    for name, d in designs(key):
        expected = counts.ravel() @ d.channel()
        tallies = {
            "perturb": sum(d.tally(d.perturb(x, y, stream(4, "people", key, name, i))) for i in range(10)),
            "draw": sum(d.draw(counts, stream(4, "draw", key, name), 10)),
            "like": sum(d.draw(counts, stream(4, "like", key, name), 10, "like")),
        }
        for how, tally in tallies.items():
            with laws.told(f"{name} {how}"):
                seen = tally.counts.ravel()
                assert tally.n == 10_000
                assert not seen[expected < 1e-9].any()
                common = expected * 10 > 10
                rest = [seen[~common].sum()], [10 * expected[~common].sum() + 1e-9]
                chi = np.sum((seen[common] - 10 * expected[common]) ** 2 / (10 * expected[common]))
                assert stats.chi2.sf(chi, max(1, common.sum() - 1)) > laws.ALPHA
                assert stats.poisson.sf(rest[0][0] - 1, rest[1][0]) > laws.ALPHA
                assert np.allclose(d.table(tally), (seen @ d.balanced_scores() / tally.n).reshape(2, 2))


@for_each("key", KEYS)
def test_margins_are_the_single_estimates(key):
    for name, d in designs(key, 3, 2):
        if name == "apart":
            x, y = np.arange(300) % 3, np.arange(300) % 2
            a, b = d.perturb(x, y, stream(5, "margins", key))
            found = d.joint(d.tally((a, b))).shares
            assert np.allclose(found.sum(axis=1), d.x.balanced(a).mean(axis=0))
            assert np.allclose(found.sum(axis=0), d.y.balanced(b).mean(axis=0))
            assert found.sum() == pytest.approx(1)


# nothing hidden: the classical numbers -------------------------------------------------------------------------------

OPEN = relations.apart(2, 2)
COUNTS = np.array([[40, 12], [23, 31]])


def wilson(hits: int, n: int, z: float, side: int) -> float:
    """With continuity (Newcombe 1998, method 4)."""
    p = hits / n
    inside = z * z + side * 2 - 1 / n + 4 * p * (n * (1 - p) - side)
    return (2 * n * p + z * z + side * (1 + z * np.sqrt(inside))) / (2 * (n + z * z))


def test_nothing_hidden_is_the_classical_survey():
    tally = OPEN.draw(COUNTS, stream(0), 1)[0]
    assert np.array_equal(tally.counts, COUNTS)
    r, z = OPEN.joint(tally), plan.quantile(0.95)
    chi = stats.chi2_contingency(COUNTS, correction=False)
    assert statistic(OPEN, tally) == (pytest.approx(chi.statistic), chi.dof)
    ends = {}
    for group in (0, 1):
        hits, n = COUNTS[group, 1], COUNTS[group].sum()
        found = r.within(y=[1], group=[group])
        ends[group] = hits / n, wilson(hits, n, z, -1), wilson(hits, n, z, 1)
        assert (found.value, found.low, found.high) == pytest.approx(ends[group], abs=1e-7)
    (a, al, ah), (b, bl, bh) = ends[1], ends[0]
    found = r.difference(y=[1], one=[1], other=[0])  # MOVER of two independent intervals is Newcombe's
    assert found.value == pytest.approx(a - b)
    assert found.low == pytest.approx(a - b - np.hypot(a - al, bh - b), abs=1e-7)
    assert found.high == pytest.approx(a - b + np.hypot(ah - a, b - bl), abs=1e-7)
    assert r.odds_ratio(y=[1], one=[1], other=[0]).value == pytest.approx(a / (1 - a) / (b / (1 - b)))
    assert r.ratio(y=[1], one=[1], other=[0]).value == pytest.approx(a / b)
    sizes = COUNTS.sum(axis=1) / COUNTS.sum()
    proportions = a * (1 - a) / sizes[1] + b * (1 - b) / sizes[0]
    assert OPEN.variance(COUNTS / 106, [1], [1], [0]) == pytest.approx(proportions)
    assert OPEN.variance(COUNTS / 106, [1], [1], [0], "these") == pytest.approx(0, abs=1e-12)
    low, high = r.interval(about="these")
    assert np.allclose(low, COUNTS / 106)
    assert np.allclose(high, COUNTS / 106)


def test_nothing_hidden_strength_and_correlation_are_the_classical_ones():
    r = OPEN.joint(OPEN.draw(COUNTS * 100, stream(0), 1)[0])
    phi = stats.contingency.association(COUNTS, correction=False)
    assert r.strength().value == pytest.approx(phi, abs=0.002)  # less its noise
    found = r.correlation([0, 1], [0, 1])
    assert found.value == pytest.approx(phi)
    assert found.low < phi < found.high
    pearson = stats.bootstrap(  # the delta method beside the bootstrap
        (np.repeat([0, 0, 1, 1], 100 * COUNTS.ravel()), np.repeat([0, 1, 0, 1], 100 * COUNTS.ravel())),
        lambda x, y, axis: stats.pearsonr(x, y, axis=axis).statistic, paired=True, vectorized=True, n_resamples=400,
        rng=stream(6, "bootstrap"), method="percentile",
    ).confidence_interval  # fmt: skip
    assert (found.low, found.high) == pytest.approx((pearson.low, pearson.high), abs=0.005)


# the test ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ALIKE)
def test_reports_as_many_as_answers_have_the_test_of_their_own_table(key):
    """T is that of canonical correlations, which no invertible turn of the reports changes: Pearson's χ² of them."""
    for kx, ky in ((2, 2), (3, 4)):
        x, y = (FREQUENCY[key].build(e, k, cases.marks(k, 2)) for e, k in ((0.7, kx), (1.1, ky)))
        d = relations.apart(x, y)
        if d.x.reports != kx or d.y.reports != ky:
            continue
        tally = d.draw(np.rint(2000 * table(kx, ky)).astype(int), stream(7, "pearson"), 1)[0]
        seen = tally.counts[np.ix_(tally.counts.any(axis=1), tally.counts.any(axis=0))]
        assert statistic(d, tally)[0] == pytest.approx(stats.chi2_contingency(seen, correction=False).statistic)
    assert ALIKE


def test_permuting_reports_is_exact():
    """Of tables with two reports each, T given the margins is hypergeometric."""
    d = relations.apart(2, FREQUENCY["GRR"].build(1.0, 2))
    tally = d.draw(np.array([[20, 8], [9, 13]]), stream(8, "tally"), 1)[0]
    drawn = permuted(d, tally.counts, stream(8, "permuted"), 20_000)
    n, rows, columns = tally.n, tally.counts.sum(axis=1), tally.counts.sum(axis=0)
    law = stats.hypergeom(n, rows[0], columns[0])
    cells = np.arange(*law.support()) if law.support()[0] < law.support()[1] else np.array([law.support()[0]])
    cells = np.append(cells, law.support()[1])
    expected = rows[0] * columns[0] / n
    chi = (cells - expected) ** 2 * n**3 / (rows[0] * rows[1] * columns[0] * columns[1])
    value = statistic(d, tally)[0]
    exact = law.pmf(cells[chi >= value - 1e-9]).sum()
    hits = np.count_nonzero(drawn >= value - 1e-9)
    assert stats.binomtest(hits, 20_000, exact).pvalue > laws.ALPHA


@pytest.mark.parametrize("name", ["open", "apart", "as one"])
def test_the_level_is_kept_without_a_relation(name):
    """Few people: permuted, or drawn (about, so with room); 120 surveys at 5 %."""
    d, f = dict(designs("uSS"))[name], np.outer([0.6, 0.4], [0.8, 0.2])
    tallies = d.draw(np.rint(f * 300).astype(int), stream(9, "level", name), 120, "like")
    p = np.array([d.joint(each).independence(stream(9, i), draws=99).p for i, each in enumerate(tallies)])
    most = 0.05 if name != "as one" else 0.08
    assert stats.binom.sf((p <= 0.05).sum() - 1, len(p), most) > laws.ALPHA
    assert stats.binom.cdf((p <= 0.5).sum(), len(p), 0.45) > laws.ALPHA


# what raw tables show ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ALIKE)
def test_a_raw_table_of_separate_reports_shrinks_a_relation(key):
    f = relation_cases.TABLE
    for name, d in designs(key):
        if name == "as one" or d.x.reports != 2 or d.y.reports != 2:
            continue
        raw, p, q = d.raw(f), d.x.channel @ d.x.named, d.y.channel @ d.y.named
        departure = raw - np.outer(raw.sum(axis=1), raw.sum(axis=0))
        truth = f - np.outer(f.sum(axis=1), f.sum(axis=0))
        assert np.allclose(departure, p.T @ truth @ q)
        assert abs(departure[0, 0]) <= abs(truth[0, 0])


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0, 4.0])
def test_randomised_response_shrinks_by_a_known_factor_and_as_one_invents(epsilon):
    build, f, growth = FREQUENCY["GRR"].build, relation_cases.TABLE, np.exp(epsilon)
    raw = relations.apart(build(epsilon / 2, 2), build(epsilon / 2, 2)).raw(f)
    departure = raw[1, 1] - raw[1].sum() * raw[:, 1].sum()
    assert departure == pytest.approx(np.tanh(epsilon / 4) ** 2 * (f[1, 1] - f[1].sum() * f[:, 1].sum()))
    fx, fy = np.array([0.7, 0.2, 0.1]), np.array([0.9, 0.1])
    raw, alpha = relations.as_one(3, 2, build(epsilon, 6)).raw(np.outer(fx, fy)), (growth - 1) / (growth + 5)
    invented = alpha * (1 - alpha) * np.outer(fx - 1 / 3, fy - 1 / 2)
    assert np.allclose(raw - np.outer(raw.sum(axis=1), raw.sum(axis=0)), invented)


# who is exposed ------------------------------------------------------------------------------------------------------


@for_each("key", ASKED)
def test_a_report_tells_apart_what_the_questionnaire_says(key):
    f = table(3, 2)
    for name, d in designs(key, 3, 2):
        if name == "open y":
            continue
        mx, my = np.array([False, True, True]), np.array([False, True])
        if name == "as one":
            exact = questionnaire.best(d.pair.mechanism, np.repeat(mx, 2), f.ravel())
            found = d.exposure(f, x=mx)
            assert (found.own_report, found.all_reports) == pytest.approx((exact, exact))
            continue
        found = d.exposure(f, y=my)
        assert found.own_report == pytest.approx(questionnaire.best(d.y.mechanism, my, f.sum(axis=0)))
        assert found.all_reports >= found.own_report - 1e-12
        assert found.named >= found.blind - 1e-12
        if name == "open":
            assert d.exposure(f, x=mx).own_report == pytest.approx(1)
        unrelated = d.exposure(np.outer(f.sum(axis=1), f.sum(axis=0)), y=my)
        assert unrelated.all_reports == pytest.approx(unrelated.own_report)
        assert d.exposure(f, x=mx, y=my).all_reports >= 0.5


@for_each("key", KEYS)
def test_marks_on_either_answer_hide_both(key):
    """Whatever the attacker believes of pairs, a marked answer moves the odds by ε at most, where the pair's does."""
    m = cases.build(key, 1.0, 4, 3)
    if m.policy.name not in ("LDP", "ULDP"):
        return
    mx = my = np.array([False, True])
    d = relations.as_one(2, 2, FREQUENCY[key].build(1.0, 4, relations.either(mx, my)))
    beliefs = stream(10, "beliefs").dirichlet(np.ones(2), size=200)  # of y, given x
    chance = d.channel().reshape(2, 2, -1)
    of_x = np.einsum("by,xyr->bxr", beliefs, chance)
    with np.errstate(divide="ignore", invalid="ignore"):
        for other in (0, 1):
            loss = of_x[:, 1, None, :] / of_x[None, :, other]
            assert np.nanmax(loss) <= np.exp(1.0) + 1e-9


# intervals, power ----------------------------------------------------------------------------------------------------

SHOWN = [("uSS", 4, 0.5, 3000), ("uSS", 4, 2.0, 3000), ("GRR", 2, 1.0, 3000), ("OUE", 3, 4.0, 300)]


@pytest.mark.one_in(2)  # usual: a small ε, at which least is shown, and two answers
@pytest.mark.parametrize(("key", "kx", "epsilon", "n"), SHOWN)
def test_shown_intervals_cover(key, kx, epsilon, n):
    """At 95 % of what is shown, where enough is; withheld ones do not count."""
    sizes = np.r_[np.full(kx - 1, 0.85 / (kx - 1)), 0.15]
    f = np.column_stack([sizes * np.r_[np.full(kx - 1, 0.8), 0.6], sizes * np.r_[np.full(kx - 1, 0.2), 0.4]])
    counts, truth = np.rint(f * n).astype(int), {}
    f = counts / counts.sum()
    a, b = f[-1, 1] / f[-1].sum(), f[0, 1] / f[0].sum()
    truth = {"within": a, "difference": a - b, "ratio": a / b, "odds_ratio": a / (1 - a) / (b / (1 - b))}
    shown = 0
    for name, d in designs(key, kx, 2, epsilon):
        for about in ("like", "these"):
            drawn = d.of_shares(d.simulate(counts, stream(11, key, name, about), 150, about), n)
            low, high = drawn.interval(about)
            hits = ((low <= f + 1e-9) & (f <= high + 1e-9)).sum(axis=0)
            assert enough(hits, 150, LEAST).all(), (name, about, hits)
            for what, exact in truth.items():
                sides = ([kx - 1],) if what == "within" else ([kx - 1], [0])
                found = getattr(drawn, what)([1], *sides, about=about)
                hit = (found.low <= exact + 1e-9) & (exact <= found.high + 1e-9)
                shown += found.told.sum()
                assert enough(hit[found.told].sum(), found.told.sum(), LEAST), (name, about, what, hit.mean())
    assert shown > 1000


@pytest.mark.parametrize("name", ["open", "apart", "as one"])
def test_planned_people_tell_a_difference_and_a_relation(name):
    """Power .8, within 4 points: 1500 surveys fail a right plan less than once in a thousand at 3.3 errors more."""
    d, f = dict(designs("uSS", 2, 2, 2.0))[name], np.array([[0.56, 0.14], [0.18, 0.12]])
    n = plan.difference(d, f, [1], [1], [0])
    drawn = d.of_shares(_like(d, f, n, 1500), n).difference([1], [1], [0])
    assert abs(np.mean((drawn.low > 0) | (drawn.high < 0)) - 0.8) < 0.04 + 3.3 * np.sqrt(0.16 / 1500)
    half = plan.half_width(d, f, [1], [1], [0], n)
    assert np.median(drawn.high - drawn.low) / 2 == pytest.approx(half, rel=0.06)
    delta = plan.least_difference(d, f, [1], [1], [0], n)
    assert delta == pytest.approx(0.4 - 0.2, abs=0.002)
    people = plan.independence(d, f)
    tallies = d.draw(np.rint(f * people * 10).astype(int), stream(12, name), 1, "like")
    assert d.joint(tallies[0]).independence().p < 0.001  # ten times as many


def _like(d, f, n, repeats):
    chance = f.ravel() @ d.channel()
    counts = stream(13, "power").multinomial(n, chance / chance.sum(), repeats)
    return (counts @ d.balanced_scores() / n).reshape(repeats, d.kx, d.ky)


def test_a_small_group_of_many_is_not_taken_as_sure():
    """Of 32 noisy pairs a projection leaves few: at its margins the interval covers 53 times in 100."""
    marks = np.arange(16) >= 11
    d = relations.apart(*(FREQUENCY["uSS"].build(0.25, k, m) for k, m in ((16, marks), (2, np.array([False, True])))))
    sizes = np.r_[np.full(15, 0.733 / 15), 0.267]
    f = np.column_stack([0.98 * sizes, 0.02 * sizes])
    found = d.of_shares(_like(d, f, 3000, 600), 3000).within([1], [0])
    assert enough(np.count_nonzero((found.low <= 0.02) & (found.high >= 0.02)), 600, LEAST)
    exact = sizes[0] / np.sqrt(d.covariance(f, 3000).reshape(16, 2, 16, 2)[0, :, 0].sum())
    assert np.median(found.size_in_errors) == pytest.approx(exact, rel=0.1)


def test_an_interval_knows_that_it_is_shown():
    """One group of four, seldom told from an empty one: without that knowledge 72 of 100 cover."""
    mx, my = np.arange(4) == 3, np.array([False, True])
    d = relations.as_one(4, 2, FREQUENCY["uSS"].build(0.5, 8, relations.either(mx, my)))
    sizes = np.r_[np.full(3, 0.8667 / 3), 0.1333]
    share = np.r_[np.full(3, 0.01), 0.025]
    f = np.column_stack([sizes * (1 - share), sizes * share])
    found = d.of_shares(_like(d, f, 300, 5000), 300).within([1], [0])
    hit = (found.low <= 0.01) & (found.high >= 0.01)
    assert found.told.sum() > 250
    assert enough(hit[found.told].sum(), found.told.sum(), LEAST)
    # Once it is told well, the knowledge costs nothing: ± z·√(cᵀA(f)c/n), c the gradient of the share.
    many = d.of_shares(_like(d, f, 100_000, 200), 100_000).within([1], [0])
    assert np.median(many.size_in_errors) > 8
    c = np.zeros((4, 2))
    c[0] = (np.array([0, 1]) - 0.01) / sizes[0]
    plain = plan.quantile(0.95) * np.sqrt(f.ravel() @ d.squares(c, c) / 100_000)
    assert np.median(many.high - many.low) < 2.1 * plain


def test_ends_of_a_joint_share_are_where_it_is_just_rejected():
    """Its own variance at that share, the other pairs as they are likely to be."""
    z, n = plan.quantile(0.95), 4000
    for key in ("GRR", "OUE", "uSS"):
        d = dict(designs(key))["as one"]
        r = d.of_shares(_like(d, relation_cases.TABLE, n, 1)[0], n)
        low, high = r.interval()
        for x, y in ((0, 0), (1, 1)):
            pair = np.zeros((2, 2))
            pair[x, y] = 1
            step = np.ptp(d.balanced_scores()[:, 2 * x + y]) / (2 * n)
            for end in (low[x, y], high[x, y]):
                f = np.where(pair, end, r.plausible * (1 - end) / (1 - r.plausible[x, y]))
                v = d.covariance(f / f.sum(), n).reshape(2, 2, 2, 2)[x, y, x, y]
                assert abs(r.shares[x, y] - end) == pytest.approx(step + z * np.sqrt(v), rel=1e-6)


@pytest.mark.parametrize("key", KEYS)
def test_one_person_and_few_have_intervals_that_cover(key):
    """Of one person exactly, all reports listed; and no estimate outside [0, 1] is sure, as a bare clip would say."""
    for name, d in designs(key):
        chance, scores = d.channel(), d.balanced_scores().reshape(-1, 2, 2)
        low, high = d.of_shares(scores, 1).interval()
        for f in (relation_cases.TABLE, np.array([[0.97, 0.01], [0.02, 0.0]])):
            covers = np.tensordot(f.ravel() @ chance, (low <= f) & (f <= high), 1)
            assert (covers >= 0.95).all(), (name, covers)
        low, high = (np.clip(end, 0, 1) for end in d.of_shares(_like(d, f, 100, 200), 100).interval())
        assert (high - low > 1e-3).all(), name


def test_for_many_people_the_statistic_has_its_law():
    """A pair asked as one, 4 × 2, without a relation: χ² with 3 degrees of freedom."""
    d = dict(designs("uSS", 4, 2, 2.0))["as one"]
    f = np.outer([0.4, 0.3, 0.2, 0.1], [0.8, 0.2])
    moments = d.drawn_moments(f, 30_000, stream(14, "law"), 600)
    values, df = statistics(d, 30_000, moments)
    assert set(df) == {3}
    assert stats.kstest(values, stats.chi2(3).cdf).pvalue > 1e-4


def test_strength_without_a_relation_is_mostly_none():
    """Freed of its noise: of φ² one in three surveys is above its mean, by its law (χ² with 1 degree of freedom)."""
    drawn = stream(15, "none").multinomial(500, [0.42, 0.18, 0.28, 0.12], 300).reshape(300, 2, 2) / 500
    none = sum(OPEN.of_shares(each, 500).strength().value == 0 for each in drawn)
    assert abs(none / 300 - stats.chi2(1).cdf(1)) < 5 * np.sqrt(0.25 / 300)
