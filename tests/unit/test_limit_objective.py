"""The limit's objective, its derivatives and its certificate, against differences and against linear programs."""

import numpy as np
import pytest
from scipy.optimize import linprog

from ldpcore.limit.objective import Program, certificate, gap_of, terms_of
from ldpcore.limit.orbits import orbits
from ldpcore.rng import stream

N = 7


def program(precise, measures=None, openly=(0.4, 0.9)):
    """Two informations of very different size among seven columns, and the total as the only row."""
    rng = stream(1, "program")
    information = rng.random((2, N)) * np.array([[3.0], [0.02]])
    openly = np.array(openly) / information.max(axis=1)
    return Program(
        cost=np.array([2.0, 0.3]),
        information=information,
        loss=1 - openly[:, None] * information,
        openly=openly,
        precise=np.array(precise),
        rows=np.ones((1, N)),
        right=np.ones(1),
        bounded=False,
        measures=np.ones((1, N)) if measures is None else measures,
    )


KINDS = [(False, False), (True, True), (True, False)]
X = stream(2, "channel").dirichlet(np.ones(N))


@pytest.mark.parametrize("precise", KINDS)
def test_the_value_is_cost_times_loss_over_information(precise):
    p = program(precise)
    wanted = sum(c * (1 - o * (i @ X)) / (i @ X) for c, i, o in zip(p.cost, p.information, p.openly, strict=True))
    assert terms_of(p).value(X) == pytest.approx(wanted)
    assert terms_of(p).value(np.zeros(N)) == np.inf


@pytest.mark.parametrize("precise", KINDS)
def test_derivatives_are_the_value_s_along_all_channels(precise):
    """Central differences between neighbouring channels (their sum stays 1)."""
    terms = terms_of(program(precise))
    first, second = terms.derivatives(X)
    assert (first > 0).all()
    assert (second > 0).all()
    for way in np.eye(N) - 1 / N:
        step = 1e-4 * way
        up, at, down = (terms.value(x) for x in (X + step, X, X - step))
        assert first @ (terms.slope @ way) == pytest.approx((up - down) / 2e-4, rel=1e-5, abs=1e-6)
        assert second @ (terms.slope @ way) ** 2 == pytest.approx((up - 2 * at + down) / 1e-8, rel=1e-3, abs=1e-4)


def test_derivatives_are_by_loss_only_where_a_channel_can_lose_next_to_nothing():
    """openly × the largest information is 0.4 and 0.05: only the first is taken by its loss, and only where asked."""
    p = program((True, True), openly=(0.4, 0.05))
    slope = terms_of(p).slope
    assert np.abs(slope).max(axis=1) == pytest.approx([1, 1])
    assert (slope[0] > 0).all()
    assert (slope[1] < 0).all()
    assert (terms_of(program((False, False))).slope < 0).all()


def lowest(p, prices):
    """The least price of a channel as far as the measures tell: Σ ≤ 1 for each of them."""
    return linprog(prices, A_ub=p.measures, b_ub=np.ones(len(p.measures))).fun


@pytest.mark.parametrize("seed", range(6))
def test_no_channel_is_cheaper_than_the_gap_says(seed):
    """Exactly so with one measure, or with measures of columns of their own; else at least."""
    rng = stream(3, "prices", seed)
    prices = rng.normal(size=N)
    apart = np.zeros((2, N))
    apart[0, :3], apart[1, 3:] = rng.random(3) + 0.1, rng.random(4) + 0.1
    for measures, exact in ((np.ones((1, N)), True), (apart, True), (rng.random((3, N)) + 0.05, False)):
        p = program((False, False), measures)
        bound = prices @ X - gap_of(p, prices, X)
        assert bound <= lowest(p, prices) + 1e-12
        if exact:
            assert bound == pytest.approx(lowest(p, prices))
    assert gap_of(p, np.abs(prices), X) == pytest.approx(np.abs(prices) @ X)


def test_the_certificate_is_the_gap_relative_to_the_value():
    """The value is convex, so it lies above its tangent at x: no other channel gets below value·(1 − gap)."""
    p = program((False, True))
    terms = terms_of(p)
    price = np.array([0.7])
    gap, reduced = certificate(p, terms, X, price)
    first = terms.derivatives(X)[0]
    np.testing.assert_allclose(reduced, [first @ terms.slope[:, c] - 0.7 for c in range(N)])
    assert gap * terms.value(X) == pytest.approx(gap_of(p, reduced, X))
    rng = stream(4, "others")
    for other in rng.dirichlet(np.full(N, 0.4), 200):
        assert terms.value(other) >= terms.value(X) * (1 - gap) - 1e-9


def test_what_is_missed_is_relative_to_what_is_asked():
    p = program((False, False))
    two = Program(**{**vars(p), "rows": np.array([np.ones(N), np.arange(N) - 3.0]), "right": np.array([4.0, 0.0])})
    x = np.zeros(N)
    x[0] = 1.0  # rows give 1 and −3
    assert two.missed(x) == pytest.approx(3.0)
    x[6] = 1.0  # and now 2 and 0
    assert two.missed(x) == pytest.approx(0.5)


def test_fewer_columns_are_the_program_of_those_columns():
    p = program((True, False), np.vstack([np.ones(N), np.arange(N) / N]))
    some = np.array([1, 4, 6])
    x = np.zeros(N)
    x[some] = 0.2, 0.5, 0.3
    few = p.restricted(some)
    assert few.missed(x[some]) == p.missed(x)
    np.testing.assert_allclose(few.information @ x[some], p.information @ x)
    np.testing.assert_allclose(few.loss @ x[some], p.loss @ x)
    np.testing.assert_array_equal(few.measures, p.measures[:, some])


@pytest.mark.parametrize("policy", ["LDP", "ULDP", "guarded SDLDP"])
@pytest.mark.parametrize("share", [0.15, 0.7])
@pytest.mark.parametrize(("sigma", "tau"), [(2, 3), (4, 1), (1, 4), (3, 3)])
def test_what_a_channel_loses_is_what_its_information_lacks(policy, share, sigma, tau):
    """For every channel (weights whose rows sum to one for S and for N alike): loss = 1 − openly × information, for S,
    for N, and for which of both a value belongs to; all of the information there is where nothing is lost.
    """
    found = orbits(policy, sigma, tau, 1.7, share)
    rows, rng = np.vstack([np.ones(len(found.i)), found.balance]), stream(5, "channels", policy, share, sigma, tau)
    for _ in range(8):
        prices = rng.exponential(size=len(found.i))
        x = linprog(prices, A_eq=rows, b_eq=[1, 0]).x
        y = linprog(-prices, A_eq=rows, b_eq=[1, 0]).x
        x = 0.3 * x + 0.7 * y
        lacking = 1 - found.openly * (found.information @ x)
        for group, size in enumerate((sigma, tau, 2)):
            if size > 1:
                assert found.loss[group] @ x == pytest.approx(lacking[group], abs=1e-12), group
