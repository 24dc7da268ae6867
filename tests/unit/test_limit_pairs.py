"""Floors of a contrast of two answers whose unmarked half may be disclosed: all columns, nothing below, known cases."""

import numpy as np
import pytest
from scipy.optimize import linprog

from ldpcore import limit, relations
from ldpcore.catalog import FREQUENCY, LEVELS
from ldpcore.custom import CustomMechanism
from ldpcore.limit.pair_contrast import half_open_columns
from ldpcore.rng import stream
from tests.golden import test_relations as golden
from tests.laws import relation_cases

SHAPES = [(2, 2, 1, 1), (4, 2, 2, 1), (3, 3, 1, 1), (3, 2, 3, 1), (7, 2, 4, 1)]
"""Groups, answers, and how many of either are marked."""


def case(kx, ky, sx, sy):
    """Shares, marks and the contrast of the last group with the first."""
    f = relation_cases.table(kx, ky)
    mx, my = np.arange(kx) >= kx - sx, np.arange(ky) >= ky - sy
    return f, (mx, my), relations.contrast(f, [ky - 1], [kx - 1], [0])


def bounds(mx, my):
    """Pairs i, j of pairs of answers for which a report may speak for i against j by ε at most: half-open."""
    pairs = [(x, y) for x in range(len(mx)) for y in range(len(my))]
    return [
        (i, j)
        for i, (x, y) in enumerate(pairs)
        for j, (a, b) in enumerate(pairs)
        if i != j and ((mx[x] and my[y]) or (mx[x] and y == b) or (my[y] and x == a))
    ]


def is_kept(columns, mx, my, growth):
    """By every column (m, K)."""
    return all((columns[:, i] <= growth * columns[:, j] * (1 + 1e-9) + 1e-15).all() for i, j in bounds(mx, my))


@pytest.mark.parametrize("shape", SHAPES[:4])
def test_every_corner_of_the_half_open_promise_is_a_column(shape):
    """What a linear program finds at the ends of the cone, in 80 directions."""
    _, (mx, my), _ = case(*shape)
    growth, k = np.exp(1.2), shape[0] * shape[1]
    columns = half_open_columns(mx, my, growth)
    assert is_kept(columns, mx, my, growth)
    rows = np.zeros((len(bounds(mx, my)), k))
    for row, (i, j) in zip(rows, bounds(mx, my), strict=True):
        row[i], row[j] = 1.0, -growth
    scaled, rng, corners = columns / columns.sum(axis=1, keepdims=True), stream(1, "corners", *shape), set()
    for _ in range(80):
        q = linprog(rng.normal(size=k), A_ub=rows, b_ub=np.zeros(len(rows)), A_eq=np.ones((1, k)), b_eq=[1]).x
        near = np.abs(scaled - q).max(axis=1)
        assert near.min() < 1e-7
        corners.add(int(near.argmin()))
    assert len(corners) > 3


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_nothing_asked_apart_is_below_either_floor(shape, epsilon):
    """Every mechanism of the catalogue, ε shared out in three ways; what is asked apart is half-open too."""
    f, (mx, my), c = case(*shape)
    half_open, most = limit.best_contrast_half_open(f, (mx, my), epsilon, c)
    assert half_open <= most <= half_open + 2e-5 * (most + (f * c * c).sum())
    for part in (0.2, 0.5, 0.8):
        epsilons = part * epsilon, (1 - part) * epsilon
        least, most = limit.best_contrast_apart(f, (mx, my), epsilons, c)
        assert half_open <= least * (1 + 1e-6)
        assert least <= most <= least + 2e-5 * (most + (f * c * c).sum())
        for key in ("uRR", "uSS", "uOUE", "GRR", "OUE"):
            build = FREQUENCY[key].build
            d = relations.apart(build(epsilons[0], shape[0], mx), build(epsilons[1], shape[1], my))
            assert d.spread(f, c, "these") >= least * (1 - 1e-6)


def test_the_second_randomiser_may_hang_on_the_first_report_and_is_not_below():
    """Y through uSS at more ε, or less, by what the report of X is: columns are products all the same."""
    f, (mx, my), c = case(4, 2, 2, 1)
    least, _ = limit.best_contrast_apart(f, (mx, my), (0.5, 1.0), c)
    p = FREQUENCY["uSS"].build(0.5, 4, mx).channel().matrix
    for budgets in np.random.default_rng(2).uniform(0.2, 1.0, (20, p.shape[1])):
        blocks = [
            np.kron(p[:, [r]], FREQUENCY["uSS"].build(float(e), 2, my).channel().matrix) for r, e in enumerate(budgets)
        ]
        chance = np.hstack(blocks)
        assert np.allclose(chance.sum(axis=1), 1)
        q = chance.T / np.sqrt(f.ravel() @ chance)[:, None]
        assert c.ravel() @ np.linalg.solve(q.T @ q, c.ravel()) - (f * c * c).sum() >= least * (1 - 1e-6)


def test_known_cases():
    """All marked: half-open is the promise of a pair asked as one. One question open: two groups with GRR. One marked
    answer on either side: uSS apart is at its floor.
    """
    f, _, c = case(2, 3, 2, 3)
    every = np.ones(2, bool), np.ones(3, bool)
    one = limit.best_contrast(f, np.ones(6, bool), 1.0, c)[0]
    assert limit.best_contrast_half_open(f, every, 1.0, c)[0] == pytest.approx(one, rel=3e-5)
    assert limit.best_contrast_apart(f, every, (0.5, 0.5), c)[0] > one
    f, _, c = case(3, 2, 0, 2)
    nobody, both = np.zeros(3, bool), np.ones(2, bool)
    binary = relations.apart(3, FREQUENCY["GRR"].build(1.0, 2)).spread(f, c, "these")
    assert limit.best_contrast_apart(f, (nobody, both), (1.0, 1.0), c)[0] == pytest.approx(binary, rel=3e-5)
    assert limit.best_contrast_apart(f, (nobody, ~both), (1.0, 1.0), c) == (0.0, 0.0)
    for k in (2, 4):
        f, (mx, my), c = case(k, k, 1, 1)
        build = FREQUENCY["uSS"].build
        d = relations.apart(build(0.7, k, mx), build(0.4, k, my))
        assert limit.best_contrast_apart(f, (mx, my), (0.7, 0.4), c)[0] == pytest.approx(
            d.spread(f, c, "these"), rel=3e-5
        )


@pytest.mark.parametrize(
    ("name", "apart", "half_open", "times"),
    [
        ("broken × income", (68.357, 13.958, 2.3407), (12.228, 3.2383, 0.3863), (1.00, 1.00, 1.00)),
        ("partners × STI", (149.24, 24.282, 2.7070), (27.521, 7.3186, 0.8678), (1.92, 1.81, 1.55)),
        ("smoking × addiction", (157.86, 25.812, 2.9128), (29.508, 7.8552, 0.9318), (1.92, 1.82, 1.57)),
        ("marital × income", (67.334, 14.189, 2.4765), (13.103, 3.4181, 0.4018), (1.87, 3.32, 2.95)),
    ],
)
def test_floors_of_the_bundled_tables(name, apart, half_open, times):
    """As docs/theory/relations.md prints them, ε = 1, 2, 4; and uSS apart over its floor."""
    counts, mx, my, one, other = golden.setting(name)
    f = counts / counts.sum()
    c = relations.contrast(f, my, one, other)
    for epsilon, *printed in zip((1.0, 2.0, 4.0), apart, half_open, times, strict=True):
        least = limit.best_contrast_apart(f, (mx, my), (epsilon / 2, epsilon / 2), c)[0]
        error = golden.design("apart", mx, my, epsilon).variance(f, my, one, other, "these")
        both = limit.best_contrast_half_open(f, (mx, my), epsilon, c)[0]
        assert [least, both] == pytest.approx(printed[:2], rel=1e-4)
        assert error / least == pytest.approx(printed[2], abs=0.006)
        assert both < limit.best_contrast(f, relations.either(mx, my), epsilon, c)[0]


@pytest.mark.parametrize("shape", SHAPES[:3])
def test_floors_know_levels(shape):
    """Between those of the two ε alone, certified; nothing for levels is below, and of one marked answer each, asked
    apart, gRR is at it.
    """
    f, (mx, my), c = case(*shape)
    x, y = np.where(mx, 2.0, np.inf), np.where(my, 2.0, np.inf)
    x[-1] = 0.5
    pairs, marked = relations.pair_epsilons(x, y), relations.either(mx, my)
    one, apart = limit.best_contrast(f, marked, pairs, c), limit.best_contrast_apart(f, (mx, my), (x / 2, y / 2), c)
    for (least, most), alone in (
        (one, [limit.best_contrast(f, marked, e, c)[0] for e in (2.0, 0.5)]),
        (apart, [limit.best_contrast_apart(f, (mx, my), (e / 2, e / 2), c)[0] for e in (2.0, 0.5)]),
    ):
        assert alone[0] * 1.01 < least < alone[1] / 1.01
        assert least <= most <= least + 2e-5 * (most + (f * c * c).sum())
    build = LEVELS["gRR"].build
    assert relations.as_one(*f.shape, build(pairs)).spread(f, c, "these") >= one[0] * (1 - 1e-9)
    spread = relations.apart(build(x / 2), build(y / 2)).spread(f, c, "these")
    assert spread == pytest.approx(apart[0], rel=1e-3)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_half_open_channel_is_near_its_floor_and_keeps_its_promise(shape):
    """Also where the shares were guessed wrong: then the error alone is more."""
    f, (mx, my), c = case(*shape)
    least, _ = limit.best_contrast_half_open(f, (mx, my), 1.0, c)
    matrix = limit.half_open_channel(f, (mx, my), 1.0, c)
    assert np.allclose(matrix.sum(axis=1), 1, atol=1e-9)
    assert is_kept(matrix.T, mx, my, np.exp(1.0))
    d = relations.as_one(*f.shape, CustomMechanism(matrix, share=f.ravel()))
    assert np.allclose(d.channel() @ d.balanced_scores(), np.eye(f.size), atol=1e-7)
    assert least <= d.spread(f, c, "these") <= 1.06 * least
    guess = np.outer(f.sum(axis=1), f.sum(axis=0))
    blind = limit.half_open_channel(guess, (mx, my), 1.0, relations.contrast(guess, [len(my) - 1], [len(mx) - 1], [0]))
    assert is_kept(blind.T, mx, my, np.exp(1.0))
    other = relations.as_one(*f.shape, CustomMechanism(blind, share=guess.ravel()))
    assert np.allclose(other.channel() @ other.balanced_scores(), np.eye(f.size), atol=1e-7)
    assert other.spread(f, c, "these") >= least


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"freq": np.full(4, 0.25)}, "a table of groups and answers"),
        ({"contrast": np.zeros((2, 2))}, "finite numbers of shape"),
        ({"contrast": np.ones((2, 3))}, "finite numbers of shape"),
        ({"sensitive": ([True], [True, False])}, "one entry for each of the 2 values"),
        ({"sensitive": ([False, False], [True, False])}, "one of the questions has no marks"),
        ({"freq": np.full((9, 8), 1 / 72)}, "at most 64 pairs"),
        ({"freq": np.full((8, 8), 1 / 64), "contrast": np.eye(8), "sensitive": (np.arange(8) > 3,) * 2},
         "kinds of reports, more than 65536; join some answers"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_in_a_sentence(changed, sentence):
    usual = {"freq": np.full((2, 2), 0.25), "sensitive": ([True, False],) * 2, "epsilon": 1.0, "contrast": np.eye(2)}
    with pytest.raises(ValueError, match=sentence):
        limit.best_contrast_half_open(**(usual | changed))
    with pytest.raises(ValueError, match="spare is the part"):
        limit.half_open_channel(**usual, spare=0.0)
