"""The limit of one contrast: nothing is below it, its ends meet, and known cases are what they are."""

import numpy as np
import pytest
from scipy.optimize import linprog

from ldpcore import limit
from ldpcore.custom import CustomMechanism
from ldpcore.limit.contrast import all_columns
from ldpcore.rng import stream


def test_two_values_are_known():
    growth = np.exp(0.7)
    least, most = limit.best_contrast([0.2, 0.8], [True, True], 0.7, [3.0, -1.0])
    exact = 16 * growth / (growth - 1) ** 2
    assert least <= exact * (1 + 1e-9)
    assert (least, most) == pytest.approx((exact, exact), rel=5e-5)


@pytest.mark.parametrize(("k", "marked", "epsilon"), [(3, 3, 1.0), (4, 2, 1.0), (5, 4, 0.5), (6, 6, 3.0), (8, 3, 2.0)])
def test_no_channel_that_is_found_is_below(k, marked, epsilon):
    """Mixtures of random channels that keep the promise, each with its best estimate."""
    rng = stream(1, "floor", k)
    f, c, marks = rng.dirichlet(np.ones(k)), rng.normal(size=k), np.arange(k) < marked
    least, most = limit.best_contrast(f, marks, epsilon, c)
    assert least <= most <= least + 2e-5 * (most + c @ (f * c))
    columns = all_columns(marks, np.exp(epsilon))
    corners = np.array([  # channels that keep the promise are mixtures of these
        linprog(rng.normal(size=len(columns)), A_eq=columns.T, b_eq=np.ones(k), method="highs").x for _ in range(60)
    ])  # fmt: skip
    assert len(np.unique(corners.round(9), axis=0)) > 2
    for _ in range(300):
        x = rng.dirichlet(np.full(len(corners), rng.choice([0.05, 0.3]))) @ corners
        q = columns * x[:, None]
        assert np.allclose(q.sum(axis=0), 1)
        seen = q @ f
        used = seen > 1e-12
        information = (q[used] / seen[used, None]).T @ q[used]
        if np.linalg.cond(information) < 1e10:
            assert c @ np.linalg.solve(information, c) - c @ (f * c) >= least * (1 - 1e-9)


def test_more_marks_and_less_budget_never_err_less():
    f, c = [0.4, 0.3, 0.2, 0.1], [1.0, -1.0, 0.5, 0.0]
    few = [limit.best_contrast(f, np.arange(4) < s, 1.0, c)[0] for s in (0, 1, 2, 3, 4)]
    assert few == sorted(few)
    assert few[0] == 0
    assert limit.best_contrast(f, [True] * 4, 0.5, c)[0] > limit.best_contrast(f, [True] * 4, 1.0, c)[0]


def test_a_scaled_contrast_errs_by_its_square_and_sixteen_values_are_possible():
    rng = stream(2, "floor")
    f, c = rng.dirichlet(np.ones(16)), rng.normal(size=16)
    least, most = limit.best_contrast(f, np.arange(16) < 11, 1.0, c)
    ten = limit.best_contrast(f.reshape(4, 4), (np.arange(16) < 11).reshape(4, 4), 1.0, 10 * c.reshape(4, 4))
    assert ten == pytest.approx((100 * least, 100 * most))
    assert most - least < 1e-4 * most


@pytest.mark.parametrize(
    ("f", "marks", "c", "sentence"),
    [
        ([1 / 17] * 17, [True] * 17, [1.0] * 17, "2 to 16 values, got 17; join some"),
        ([0.5, 0.5], [True, True], [0.0, 0.0], "finite numbers, one for each value, not all 0"),
        ([0.5, 0.5], [True, True], [1.0], "2 finite numbers"),
        ([0.5, 0.6], [True, True], [1.0, 0.0], "sum to 1"),
        ([0.5, 0.5], [True], [1.0, 0.0], "one entry for each of the 2 values"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(f, marks, c, sentence):
    with pytest.raises(ValueError, match=sentence):
        limit.best_contrast(f, marks, 1.0, c)


@pytest.mark.parametrize(("k", "marked"), [(4, 4), (6, 3), (8, 5), (14, 11)])
@pytest.mark.parametrize("spare", [0.0, 0.02, 0.3])
def test_the_channel_of_the_floor_is_a_mechanism_near_it(k, marked, spare):
    """As a table of chances it has a sampler, a likelihood and an exact error of its own; its promise is computed."""
    rng = stream(3, "channel", k)
    f, c, marks = rng.dirichlet(np.full(k, 3.0)), rng.normal(size=k), np.arange(k) < marked
    matrix = limit.contrast_channel(f, marks, 1.0, c, spare)
    assert np.allclose(matrix.sum(axis=1), 1, atol=1e-12)
    assert (matrix >= 0).all()
    m = CustomMechanism(matrix, sensitive=marks, share=f)
    assert m.promise.definition == ("LDP" if marked == k else "ULDP")
    assert m.promise.epsilon <= 1.0 + 1e-9
    least, _ = limit.best_contrast(f, marks, 1.0, c)
    scores = m.scores(m.outputs())
    error = f @ (matrix @ (scores @ c) ** 2) - c @ (f * c)
    assert least * (1 - 1e-6) <= error <= least * (1.03 if spare < 0.1 else 1.6) + 0.03 * (c @ (f * c))
    reports = m.perturb(rng.choice(k, 20_000, p=f), rng)
    far = c @ (m.estimate(m.tally(reports)) - f)
    assert abs(far) < 5 * np.sqrt((error + c @ (f * c)) / 20_000)


def test_a_channel_is_refused_where_nothing_is_hidden_or_too_much_is_spared():
    with pytest.raises(ValueError, match="send every answer as it is"):
        limit.contrast_channel([0.5, 0.5], [False, False], 1.0, [1.0, -1.0])
    with pytest.raises(ValueError, match="between 0 and 1, got 2"):
        limit.contrast_channel([0.5, 0.5], [True, False], 1.0, [1.0, -1.0], spare=2.0)


@pytest.mark.parametrize("epsilon", [0.01, 0.05, 0.25, 2.0, 6.0, 8.0])
def test_ends_meet_at_every_budget_of_the_planner(epsilon):
    """14 pairs as uneven as those of a survey: one share of 2.5 in ten thousand."""
    f = np.array([2400, 2900, 800, 900, 3000, 220, 13, 8, 100, 12, 280, 30, 270, 29], float)
    f, c = f / f.sum(), np.array([1.0, 0.2, -0.4, 0.3, -1.0, 0, 0, 0, 0.1, 0.9, -0.1, 0.9, -0.1, 0.9])
    for marked in (14, 11):
        least, most = limit.best_contrast(f, np.arange(14) < marked, epsilon, c)
        assert 0 < least <= most <= least + 3e-5 * (most + c @ (f * c))
