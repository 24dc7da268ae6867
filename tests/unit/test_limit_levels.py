"""The limit with one ε per value: its ends, all columns, the printed table."""

from functools import cache
from itertools import product
from math import inf

import numpy as np
import pytest

from ldpcore import limit
from ldpcore.catalog import LEVELS
from ldpcore.limit import best, best_for, best_levels, is_computed, leveled
from ldpcore.rng import stream
from tests.each import for_each
from tests.unit.test_limit import brute_force


@for_each("epsilon", [0.01, 0.5, 1.0, 4.0, 10.0])
@for_each(
    ("k", "marked", "share"), [(2, 1, None), (18, 4, None), (18, 4, 0.9), (64, 16, 0.01), (5, 5, None), (9, 8, 0.3)]
)
def test_two_levels_are_the_limit_that_is_there(k, marked, share, epsilon):
    mask = np.arange(k) < marked
    part = marked / k if share is None else share
    freq = np.where(mask, part / marked, (1 - part) / max(k - marked, 1))
    found = best_levels(np.where(mask, epsilon, inf), freq)
    before = best("ULDP" if marked < k else "LDP", k, marked, epsilon, share=share)
    assert found.gap < (1e-5 if epsilon < 10 else 1e-3)  # there the error is 10⁻⁴ of what is subtracted
    assert found.mse == pytest.approx(before.mse, rel=1e-5)
    assert found.variance[mask] == pytest.approx(before.sensitive, rel=1e-3)
    assert found.variance.mean() == pytest.approx(found.mse)


def test_at_even_shares_it_is_the_limit_for_these_very_shares():
    mask, freq = np.arange(7) < 3, np.array([0.2] * 3 + [0.1] * 4)
    known = best_for("ULDP", freq, mask, 1.3)
    assert best_levels(np.where(mask, 1.3, inf), freq).mse == pytest.approx(known.least, rel=1e-5)


def test_the_printed_limits():
    assert round(best_levels([1.0] * 4 + [inf] * 14).mse, 5) == 0.42856
    assert round(best_levels([1.0] * 16 + [inf] * 48).mse, 4) == 0.6219


@pytest.mark.parametrize(
    "epsilons",
    [(inf, 2, 0.5), (inf, inf, 1, 0.3), (2, 1, 0.5), (inf, 1, 1, 0.3, 0.3), (inf, 3, 2, 1, 0.5), (1, 1, 0.2, 0.2)],
)
def test_no_channel_of_all_columns_is_below(epsilons):
    """Every column that cannot be split, one by one; and shares that differ between levels."""
    growth, k = np.exp(epsilons), len(epsilons)
    hidden = np.isfinite(epsilons)
    columns = [
        np.array(c) for c in product(*((1.0, e) if own else (1.0,) for e, own in zip(growth, hidden, strict=True)))
    ]
    columns = np.array(columns[: len(columns) - bool(hidden.all())] + list(np.eye(k)[~hidden]))
    for share in (None, stream(1, "level").dirichlet(np.ones(k))):
        even = np.full(k, 1 / k)
        for each in np.unique(epsilons) if share is not None else ():
            even[np.array(epsilons) == each] = share[np.array(epsilons) == each].mean()
        exact = brute_force(columns, even, np.full(k, 1 / k))
        found = best_levels(epsilons, share)
        assert found.mse == pytest.approx(exact, rel=3e-6)
        assert found.mse * (1 - found.gap) <= exact * (1 + 1e-9)


@pytest.mark.parametrize("epsilons", [(inf, 2, 0.5), (2, 1, 0.5), (inf, inf, 1, 0.4)])
def test_no_channel_of_all_columns_is_below_in_any_scope(epsilons):
    """The same where only some levels count; the others must not even be estimated."""
    given, k = np.array(epsilons, float), len(epsilons)
    hidden = np.isfinite(given)
    columns = list(product(*((1.0, np.exp(e)) if own else (1.0,) for e, own in zip(given, hidden, strict=True))))
    columns = np.array(columns[: len(columns) - bool(hidden.all())] + [tuple(row) for row in np.eye(k)[~hidden]])
    share = np.where(given == given.min(), 1.0, 3.0)
    for counted in (hidden, ~hidden, given == given.min(), given == given[hidden].max()):
        if not counted.any():
            continue
        found = best_levels(epsilons, share / share.sum(), counted)
        weight = np.where(counted, 1 / counted.sum(), 1e-4)  # with none at all the program has no inverse to begin with
        exact = brute_force(columns, share / share.sum(), weight)
        assert found.mse * (1 - found.gap) <= exact * (1 + 1e-7)
        assert found.mse == pytest.approx(exact, rel=0.1)
        assert found.mse <= best_levels(epsilons, share / share.sum()).variance[counted].mean() * (1 + 1e-6)
        assert np.isnan(found.variance[~counted]).all()


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
@pytest.mark.parametrize(("k", "marked", "share"), [(18, 4, None), (18, 4, 0.9), (9, 8, 0.3)])
def test_two_levels_are_the_limit_that_is_there_in_any_scope(k, marked, share, epsilon):
    mask = np.arange(k) < marked
    part = marked / k if share is None else share
    freq = np.where(mask, part / marked, (1 - part) / (k - marked))
    for scope, counted in (("sensitive", mask), ("other", ~mask)):
        before = getattr(best("ULDP", k, marked, epsilon, share=share, weight=scope), scope)
        assert best_levels(np.where(mask, epsilon, inf), freq, counted).mse == pytest.approx(before, rel=1e-5)
    # Of values that are alike it makes no difference which of them count.
    some = best_levels(np.where(mask, epsilon, inf), freq, np.arange(k) < 2).mse
    assert some == pytest.approx(best("ULDP", k, marked, epsilon, share=share, weight="sensitive").sensitive, rel=1e-5)


def test_more_levels_between_two_lie_between_their_limits():
    middle = best_levels([inf] * 4 + [4.0] * 3 + [2.0] * 3 + [1.0] * 3 + [0.5] * 3)
    secret, private = (best_levels([inf] * 4 + [epsilon] * 12) for epsilon in (0.5, 4.0))
    assert private.mse < middle.mse < secret.mse
    assert np.all(np.diff(middle.variance[[0, 4, 7, 10, 13]]) > 0)
    assert middle.gap < 1e-5


def test_it_has_few_columns_that_make_a_channel():
    found = best_levels([inf] * 8 + [2.0] * 5 + [0.5] * 5)
    assert len(found.columns) <= 10
    weight = np.array([c.weight for c in found.columns])
    part = np.array([c.raised for c in found.columns]) / 5
    assert weight @ (1 + np.expm1([0.5, 2.0]) * part) == pytest.approx(1, abs=1e-12)
    assert weight.sum() + found.disclosing == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("nobody", ["public", "secret"])
def test_where_nobody_is(nobody):
    """A level without people is still estimated."""
    epsilons = np.array([inf, inf, 2.0, 2.0, 0.5, 0.5])
    freq = np.where(np.isinf(epsilons) if nobody == "public" else epsilons == 0.5, 0.0, 1.0)
    found = best_levels(epsilons, freq / freq.sum())
    assert np.isfinite(found.mse)
    assert found.gap < 1e-5
    m = LEVELS["gTable"].build(epsilons, freq / freq.sum())
    assert m.channel().matrix.sum(axis=1) == pytest.approx(np.ones(6), abs=1e-12)


@pytest.mark.parametrize("public", [1, 2])
def test_whoever_has_the_one_value_that_is_not_public_is_known(public):
    found = limit.best_levels([inf] * public + [1.0], [0.0] * public + [1.0])
    assert found.mse == 0
    assert not found.variance.any()
    m = LEVELS["gTable"].build([inf] * public + [1.0], [0.0] * public + [1.0])
    assert m.channel().matrix.sum(axis=1) == pytest.approx(np.ones(public + 1), abs=1e-12)
    assert m.variance(None, 1).sum() == pytest.approx(LEVELS["gRR"].build(m.epsilons).variance(None, 1).sum())


def test_nobody_is_nobody_though_shares_are_rounded():
    """The other shares sum to 1 less one digit: that is nobody with a public value."""
    epsilons, marked = [inf, 1.0, 0.5, 0.5, 0.5], [False, True, True, True, True]
    freq = np.append([0.0, 0.003], np.full(3, (1 - 0.003) / 3))
    few = best_levels(epsilons, freq + np.array([1e-9, -1e-9, 0, 0, 0]), marked)
    assert best_levels(epsilons, freq, marked).mse == pytest.approx(few.mse, rel=1e-5)


def test_everything_public_errs_nothing():
    assert best_levels([inf, inf]).mse == 0


def test_refusals():
    with pytest.raises(ValueError, match="computed up to ε = 10, got 12"):
        best_levels([inf, 12.0])
    with pytest.raises(ValueError, match="use fewer levels"):
        best_levels([inf] + [0.1 * level for level in range(1, 6) for _ in range(15)])
    with pytest.raises(TypeError, match=r"write math\.inf for a public value"):
        best_levels(["secret", "public"])
    with pytest.raises(ValueError, match="epsilon must be positive"):
        best_levels([inf, 0.0])
    with pytest.raises(ValueError, match="counts no value's error"):
        best_levels([inf, 1.0], counted=[False, False])
    with pytest.raises(ValueError, match="one entry for each of the 2 values"):
        best_levels([inf, 1.0], [0.2, 0.3, 0.5])


# --- the table of docs/theory/levels.md#what-it-buys: computed, uniform shares ---

TABLE = [
    ((8, 5, 5), (2, 0.5), "2.966", ("1.108", "9.23", "0.214"), "1.47", "1.43", "2.19"),
    ((8, 5, 5), (4, 1), "0.599", ("0.131", "1.89", "0.086"), "1.62", "1.21", "2.40"),
    ((32, 16, 16), (2, 0.5), "3.356", ("0.914", "12.4", "0.056"), "1.13", "3.5", "1.98"),
    ((32, 16, 16), (2, 1), "0.846", ("0.617", "2.71", "0.027"), "1.11", "2.9", "1.71"),
    ((512, 256, 256), (2, 0.5), "3.717", ("0.879", "14.0", "0.0036"), "1.008", "50", "1.89"),
    ((512, 256, 256), (4, 2), "0.149", ("0.080", "0.513", "0.001"), "1.04", "14", "1.86"),
]


def printed(number, like):
    return f"{number:.{len(like.partition('.')[2])}f}"


@cache
def levels_of(sizes, budgets):
    return tuple(np.repeat([inf, *budgets], sizes).tolist())


@pytest.mark.parametrize(("sizes", "budgets", "mse", "each", "subset", "symbol", "secret"), TABLE)
def test_the_table_of_the_theory(sizes, budgets, mse, each, subset, symbol, secret):
    epsilons = levels_of(sizes, budgets)
    found, k = limit.best_levels(epsilons), sum(sizes)
    assert printed(found.mse, mse) == mse
    places = (sizes[0], k - 1, 0)  # private, secret, public
    assert [printed(found.variance[place], like) for place, like in zip(places, each, strict=True)] == list(each)
    even = np.full(k, 1 / k)
    for key, like in (("gSub", subset), ("gRR", symbol)):
        assert printed(LEVELS[key].build(epsilons).variance(even, 1).mean() / found.mse, like) == like
    alike = best("ULDP", k, k - sizes[0], budgets[1])
    assert printed(alike.mse / found.mse, secret) == secret


@pytest.mark.parametrize("values", [1, 2, 4])
def test_it_is_computed_up_to_so_many_kinds_of_reports(values):
    """A report raises 0 … n of the n values of each level."""
    most = int(np.log(leveled.MOST_ORBITS) / np.log(values + 1))
    for levels in range(2, most + 3):
        epsilons = np.repeat(np.arange(1, levels + 1) / 10, values)
        assert is_computed(epsilons) == ((values + 1) ** levels <= leveled.MOST_ORBITS), levels
