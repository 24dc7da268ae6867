"""The limit: its printed numbers, brute force over all columns, the channels themselves, and what it refuses."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from ldpcore.limit import Limit, best, curve, interior, subset_errors, uldp_curve
from tests.each import for_each

POLICIES = ("LDP", "ULDP", "guarded SDLDP")


# --- printed numbers (theory/limits#three-scalars, theory/limits#error-against-exposure) ---


@pytest.mark.parametrize(
    ("k", "marked", "ldp", "uldp"), [(18, 4, 3.234, 0.4286), (64, 16, 3.553, 0.6219), (1024, 256, 3.675, 0.6807)]
)
def test_limits_at_uniform_shares(k, marked, ldp, uldp):
    for policy, printed, digits in (("LDP", ldp, 3), ("ULDP", uldp, 4)):
        limit = best(policy, k=k, marked=marked, epsilon=1.0)
        assert round(limit.mse, digits) == printed
        assert limit.gap < 1e-5


def test_guarded_limit_is_a_mixture_of_two_subset_sizes():
    limit = best("guarded SDLDP", k=18, marked=4, epsilon=1.0)
    single = min(sum(subset_errors("guarded SDLDP", 4, 14, 1.0, 4 / 18, w)) / 18 for w in (1, 2, 3))
    assert limit.mse == pytest.approx(0.385590, abs=1e-6)
    assert single == pytest.approx(0.386891, abs=1e-6)
    assert {orbit.i for orbit in limit.columns} >= {1, 2}
    assert all(orbit.decoy and orbit.j == 0 for orbit in limit.columns)


@pytest.mark.parametrize(("k", "marked", "printed", "sdgrr"), [(18, 4, 0.588, 1.64), (64, 16, 0.739, 5.72)])
def test_sdgrr_is_dominated_at_its_own_exposure(k, marked, printed, sdgrr):
    growth = math.e
    exposure = (growth + k / marked - 1) / (k + growth - 1)
    limit = best("ULDP", k=k, marked=marked, epsilon=1.0, exposure=exposure)
    assert round(limit.mse, 3) == printed
    assert limit.exposure == pytest.approx(exposure, abs=1e-9)
    assert sum(variances("SDGRR", k, marked, 1.0, marked / k)) / k == pytest.approx(sdgrr, abs=0.005)


@pytest.mark.parametrize("lift", [1.05, 1.2, 1.5, 1.6, 2.2])
def test_closed_curve_for_many_marked_values(lift):
    limit = best("ULDP", k=1024, marked=256, epsilon=1.0, exposure=lift / 256, weight="sensitive")
    assert uldp_curve(1.0, 0.25, lift) == pytest.approx(limit.sensitive, rel=0.009)


def test_closed_curve_ends():
    growth = math.e
    assert uldp_curve(1.0, 0.25, 1.0) == math.inf
    least = (math.sqrt(growth) + math.sqrt(1 + (growth - 1) * 0.25)) ** 2 / (growth - 1) ** 2
    assert uldp_curve(1.0, 0.25, growth) == pytest.approx(least)
    assert uldp_curve(1.0, 1.0, growth) == pytest.approx(4 * growth / (growth - 1) ** 2)


# --- the mechanisms, written here from theory/frequency#support ---


def variances(name, k, sigma, epsilon, share):
    """(Σ_S, Σ_N) of n·Var, f uniform within S and within N."""
    growth, tau = math.exp(epsilon), k - sigma
    half = math.exp(epsilon / 2)
    f_s, f_n = share / sigma, (1 - share) / tau

    def support(a, b, f):
        return (f * a * (1 - a) + (1 - f) * b * (1 - b)) / (a - b) ** 2

    def everywhere(a, b):
        return sigma * support(a, b, f_s), tau * support(a, b, f_n)

    if name == "GRR":
        return everywhere(growth / (k + growth - 1), 1 / (k + growth - 1))
    if name == "RAPPOR":
        return everywhere(half / (half + 1), 1 / (half + 1))
    if name == "OUE":
        return everywhere(1 / 2, 1 / (growth + 1))
    if name == "OLH":
        g = round(growth) + 1
        return everywhere(growth / (growth + g - 1), 1 / g)
    if name == "SS":
        w = max(1, round(k / (growth + 1)))
        a = w * growth / (w * growth + k - w)
        return everywhere(a, (a * (w - 1) + (1 - a) * w) / (k - 1))
    if name == "uRR":
        total = sigma + growth - 1
        return sigma * support(growth / total, 1 / total, f_s), tau * support((growth - 1) / total, 0, f_n)
    if name == "uRAP":
        return sigma * support(half / (half + 1), 1 / (half + 1), f_s), tau * support(1 - 1 / half, 0, f_n)
    if name == "uOUE":
        return sigma * support(1 / 2, 1 / (growth + 1), f_s), tau * support((growth - 1) / (2 * growth), 0, f_n)
    if name == "uSS":
        return min((subset_sums(w, sigma, growth, share) for w in range(1, max(sigma, 2))), key=sum)
    assert name == "SDGRR"
    return sdgrr(k, sigma, growth, share)


def subset_sums(w, sigma, growth, share):
    size = w * growth + sigma - w
    r = w * (growth - 1) / size
    other = (1 - share) * (1 - r) / r
    if sigma == 1:
        return other + share - share, other
    inside = (sigma - 1) ** 2 * size * (sigma + (growth - 1) * w * share)
    inside /= (growth - 1) ** 2 * w * (sigma - w) * sigma
    return inside + other / sigma + share / sigma - share, other


def sdgrr(k, sigma, growth, share):
    c1, c2 = growth / (k + growth - 1), 1 / (k + growth - 1)
    c3, t = (k - sigma + growth - 1) / (k + growth - 1), c2 / (c1 - c2)
    f_s, f_n = share / sigma, (1 - share) / (k - sigma)
    high = sigma * (f_s * c1 * (1 - c1) + (1 - f_s) * c2 * (1 - c2)) / (c1 - c2) ** 2

    def both(p, q):
        return p * (1 - p) + t * t * q * (1 - q) + 2 * t * p * q

    low = share * both(c2, c1 + (sigma - 1) * c2) + f_n * both(c3, sigma * c2)
    low += (1 - share - f_n) * both(0, sigma * c2)
    return high, (k - sigma) * low / c3**2


TABLE = """18 4 0.5 | 3.11 1.14 1.13 1.14 1 | 1.21 2.00 1.99 1 5.54
18 4 1 | 2.12 1.21 1.16 1.16 1 | 1.10 2.19 2.16 1 3.82
64 16 1 | 6.33 1.10 1.04 1.04 1 | 2.50 1.60 1.53 1 9.20
1024 256 1 | 94.6 1.07 1.002 1.005 1 | 32.1 1.44 1.36 1 128
1024 256 4 | 5.25 2.42 1.03 1.03 1 | 2.88 4.14 1.83 1 9.04"""


@pytest.mark.parametrize("line", TABLE.splitlines())
def test_distance_of_the_mechanisms_to_their_limit(line):
    where, left, right = (part.split() for part in line.split("|"))
    k, sigma, epsilon = int(where[0]), int(where[1]), float(where[2])
    for policy, names, printed in (
        ("LDP", ("GRR", "RAPPOR", "OUE", "OLH", "SS"), left),
        ("ULDP", ("uRR", "uRAP", "uOUE", "uSS", "SDGRR"), right),
    ):
        limit = best(policy, k=k, marked=sigma, epsilon=epsilon).mse
        for name, number in zip(names, printed, strict=True):
            ratio = sum(variances(name, k, sigma, epsilon, sigma / k)) / k / limit
            digits = len(number.partition(".")[2]) or (2 if number == "1" else 0)
            assert round(ratio, digits) == float(number), name


@pytest.mark.one_in(2)  # every domain, ε and share with half of the others; the whole catalogue: tests/laws
@pytest.mark.parametrize("share", [0.0, 0.01, 0.2, 0.7, 0.99, 1.0])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
@pytest.mark.parametrize(("k", "sigma"), [(2, 1), (5, 2), (18, 4), (18, 17), (64, 32)])
def test_no_mechanism_is_below_its_limit(k, sigma, epsilon, share):
    for policy, names in (
        ("LDP", ("GRR", "RAPPOR", "OUE", "OLH", "SS")),
        ("ULDP", ("uRR", "uRAP", "uOUE", "uSS")),
        ("guarded SDLDP", ("uRR", "uSS")),
    ):
        for weight, parts in (("all", (1, 1)), ("sensitive", (1, 0)), ("other", (0, 1))):
            limit = best(policy, k=k, marked=sigma, epsilon=epsilon, share=share, weight=weight)
            size = {"all": k, "sensitive": sigma, "other": k - sigma}[weight]
            for name in names:
                error = np.dot(parts, variances(name, k, sigma, epsilon, share)) / size
                assert error >= limit.objective * (1 - 1e-6) - 1e-12, (name, weight)


@for_each("share", [0.02, 0.3, 0.9])
@for_each("epsilon", [0.2, 1.0, 3.0])
@for_each(("k", "sigma"), [(5, 2), (18, 4), (64, 16), (200, 100)])
def test_subset_selection_is_near_the_limit(k, sigma, epsilon, share):
    for policy in ("ULDP", "guarded SDLDP"):
        limit = best(policy, k=k, marked=sigma, epsilon=epsilon, share=share)
        errors = [subset_errors(policy, sigma, k - sigma, epsilon, share, w) for w in range(1, sigma)]
        least = min(map(sum, errors)) / k
        assert limit.mse * (1 - 1e-7) <= least <= 1.033 * limit.mse
    for w in range(1, sigma):
        independent = subset_sums(w, sigma, math.exp(epsilon), share)
        assert subset_errors("ULDP", sigma, k - sigma, epsilon, share, w) == pytest.approx(independent)


@pytest.mark.parametrize("w", [1, 2, 3])
def test_sdss_estimated_best_has_the_closed_form(w):
    """SDSS written out; the plain estimate, counts less F̂_S/τ, has a larger error."""
    k, sigma, tau, share, growth = 9, 4, 5, 0.3, math.exp(1.2)
    size = w * growth + sigma - w
    r = w * (growth - 1) / size
    reports = [r * np.eye(k)[v] for v in range(sigma, k)]
    for z in itertools.combinations(range(sigma), w):
        inside = np.where(np.isin(np.arange(sigma), z), growth, 1.0) * sigma / size / math.comb(sigma, w)
        for v in range(sigma, k):
            reports.append(np.append(inside / tau, np.zeros(tau)) + (1 - r) / math.comb(sigma, w) * np.eye(k)[v])
    matrix, freq = np.array(reports).T, group_shares(k, sigma, share)
    assert matrix.sum(axis=1) == pytest.approx(np.ones(k))
    errors = np.diag(np.linalg.inv((matrix / (freq @ matrix)) @ matrix.T)) - freq
    sums = subset_errors("guarded SDLDP", sigma, tau, 1.2, share, w)
    assert (errors[:sigma].sum(), errors[sigma:].sum()) == pytest.approx(sums)
    plain = (1 - share) * (1 - r) / (r * tau) + share * (tau - 1) / tau
    assert sums[1] < plain


def test_far_from_uniform_one_subset_size_loses_more():
    """Mixing sizes gains at most 3 % (theory/frequency#best-subset-size): near F = σ/k, not where marked values are
    rare among users.
    """
    limit = best("ULDP", k=5, marked=3, epsilon=2.0, share=0.01)
    least = min(sum(subset_errors("ULDP", 3, 2, 2.0, 0.01, w)) / 5 for w in (1, 2))
    assert least / limit.mse == pytest.approx(1.0671, abs=1e-4)
    assert [orbit.i for orbit in limit.columns] == [1, 2]


# --- brute force: every column that cannot be split, no symmetry used ---


def extreme_columns(policy, k, sigma, growth):
    columns = [np.array(bits) for bits in itertools.product((1.0, growth), repeat=k)][:-1]
    if policy != "LDP":
        columns += list(np.eye(k)[sigma:])
    if policy == "guarded SDLDP":
        for v, bits in itertools.product(range(sigma, k), itertools.product((1.0, growth), repeat=sigma)):
            columns.append(np.append(bits, np.zeros(k - sigma)) / (k - sigma) + np.eye(k)[v])
    return np.array(columns)


def brute_force(columns, freq, weights, lift=None, sigma=0):
    """min Σ weights·diag(J⁻¹ − diag f) over the weights of the given columns."""
    mean = columns @ freq

    def error(x):
        inverse = np.linalg.inv((columns * (x / mean)[:, None]).T @ columns)
        slope = -np.einsum("ci,ij,cj->c", columns, inverse @ np.diag(weights) @ inverse, columns) / mean
        return np.sum(weights * (np.diag(inverse) - freq)), slope

    constraints = [{"type": "eq", "fun": lambda x: columns.T @ x - 1, "jac": lambda x: columns.T}]
    if lift is not None:
        top = columns[:, :sigma].max(axis=1)
        constraints.append({"type": "ineq", "fun": lambda x: lift - top @ x, "jac": lambda x: -top})
    start = np.full(len(columns), 0.5 / columns.sum(axis=0).max())
    scale = error(start)[0]
    found = minimize(
        lambda x: tuple(part / scale for part in error(x)), start, jac=True, method="SLSQP",
        bounds=[(0, 1)] * len(columns), constraints=constraints, options={"maxiter": 1000, "ftol": 1e-14},
    )  # fmt: skip
    assert np.abs(columns.T @ found.x - 1).max() < 1e-8
    return found.fun * scale


def group_shares(k, sigma, share):
    return np.repeat([share / max(sigma, 1), (1 - share) / max(k - sigma, 1)], [sigma, k - sigma])


CASES = [
    (policy, k, sigma, epsilon, share)
    for policy in POLICIES
    for k, sigma in ((2, 1), (3, 1), (3, 2), (4, 1), (4, 2), (4, 3))
    for epsilon, share in ((0.5, 0.3), (1.0, 0.05), (2.0, 0.8))
]


@pytest.mark.one_in(2)  # each case with one of the two weights
@pytest.mark.parametrize("weight", [(1.0, 1.0), (1.0, 0.2)])
@pytest.mark.parametrize(("policy", "k", "sigma", "epsilon", "share"), CASES)
def test_equals_brute_force(policy, k, sigma, epsilon, share, weight):
    limit = best(policy, k=k, marked=sigma, epsilon=epsilon, share=share, weight=weight)
    columns = extreme_columns(policy, k, sigma, math.exp(epsilon))
    weights = np.repeat(weight, [sigma, k - sigma])
    assert brute_force(columns, group_shares(k, sigma, share), weights) == pytest.approx(limit.objective, rel=2e-5)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("k", "sigma"), [(3, 2), (4, 2), (4, 3)])
@pytest.mark.parametrize("part", [0.2, 0.6])
def test_equals_brute_force_under_an_exposure_bound(policy, k, sigma, part):
    growth, share = math.e, 0.4
    free = best(policy, k=k, marked=sigma, epsilon=1.0, share=share)
    exposure = 1 / sigma + part * (free.exposure - 1 / sigma)
    limit = best(policy, k=k, marked=sigma, epsilon=1.0, share=share, exposure=exposure)
    columns = extreme_columns(policy, k, sigma, growth)
    # Columns in between have a smaller maximum on S: they must not help.
    between = [np.append(np.where(np.array(bits) > 1, 1 + (growth - 1) * t, 1.0), rest)
               for t in (0.3, 0.7) for bits in itertools.product((1, 2), repeat=sigma)
               for rest in itertools.product((1.0, growth), repeat=k - sigma)]  # fmt: skip
    freq, lift = group_shares(k, sigma, share), sigma * exposure
    least = brute_force(columns, freq, np.ones(k), lift, sigma) / k
    assert least == pytest.approx(limit.mse, rel=2e-5)
    assert brute_force(np.vstack([columns, between]), freq, np.ones(k), lift, sigma) / k > limit.mse * (1 - 2e-5)


# --- the channel itself ---


def channel_of(limit: Limit) -> np.ndarray:
    """(k, reports) from the orbits, as their docstring says."""
    k, sigma, tau, growth = limit.k, limit.marked, limit.k - limit.marked, math.exp(limit.epsilon)
    reports = []
    for orbit in limit.columns:
        count = math.comb(sigma, orbit.i) * math.comb(tau, orbit.j)
        for z in itertools.combinations(range(sigma), orbit.i):
            for u in itertools.combinations(range(sigma, k), orbit.j):
                column = np.ones(k)
                column[[*z, *u]] = growth
                if orbit.decoy:
                    inside = np.append(column[:sigma] / tau, np.zeros(tau))
                    reports += [(inside + np.eye(k)[v]) * orbit.weight / count for v in range(sigma, k)]
                else:
                    reports.append(column * orbit.weight / count)
    if limit.disclosing:
        reports += [limit.disclosing * np.eye(k)[v] for v in range(sigma, k)]
    return np.array(reports).T


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(POLICIES), st.integers(2, 7), st.floats(0.05, 5), st.floats(0.01, 0.99), st.floats(0.05, 1),
    st.data(),
)  # fmt: skip
def test_the_columns_are_a_channel_with_that_error(policy, k, epsilon, share, part, data):
    sigma = data.draw(st.integers(0 if policy == "LDP" else 1, k))
    share = share if 0 < sigma < k else sigma / k
    exposure = None if part > 0.8 or not sigma else 1 / sigma + (1 - 1 / sigma) * part
    limit = best(policy, k=k, marked=sigma, epsilon=epsilon, share=share, exposure=exposure)
    matrix, freq, growth = channel_of(limit), group_shares(k, sigma, share), math.exp(epsilon)
    assert limit.gap < 1e-5
    assert matrix.sum(axis=1) == pytest.approx(np.ones(k), abs=1e-9)
    errors = np.diag(np.linalg.inv((matrix / (freq @ matrix)) @ matrix.T)) - freq
    assert errors.sum() / k == pytest.approx(limit.mse, rel=1e-6)
    if sigma:
        assert errors[:sigma] == pytest.approx(np.full(sigma, limit.sensitive), rel=1e-5)
        assert matrix[:sigma].max(axis=0).sum() / sigma == pytest.approx(limit.exposure, abs=1e-9)
        assert exposure is None or limit.exposure <= exposure + 1e-8
    if sigma < k:
        assert errors[sigma:] == pytest.approx(np.full(k - sigma, limit.other), rel=1e-5)
    for column in matrix.T:
        low = np.flatnonzero(column[sigma:])
        if policy != "LDP" and np.any(column == 0):
            assert len(low) == 1
            inside = column[:sigma]
            assert inside.max(initial=0) <= growth * inside.min(initial=np.inf) * (1 + 1e-9) or not inside.any()
            allowed = growth * column[sigma:].mean() * (1 + 1e-9) if policy == "guarded SDLDP" else 0.0
            assert inside.max(initial=0) <= allowed
        else:
            assert column.max() <= growth * column.min() * (1 + 1e-9)


# --- order, ends and speed ---


@pytest.mark.parametrize("policy", POLICIES)
def test_falls_with_epsilon_and_rises_with_a_tighter_bound(policy):
    errors = [limit.mse for limit in curve(policy, np.linspace(0.1, 6, 30), k=18, marked=4, share=0.6)]
    assert np.all(np.diff(errors) < 0)
    free = best(policy, k=18, marked=4, epsilon=1.0)
    bounds = np.linspace(0.251, free.exposure, 20)
    errors = [best(policy, k=18, marked=4, epsilon=1.0, exposure=bound).mse for bound in bounds]
    assert np.all(np.diff(errors) < 1e-6)
    for loose in (free.exposure + 0.05, 1.0):
        assert best(policy, k=18, marked=4, epsilon=1.0, exposure=loose).mse == pytest.approx(free.mse, rel=1e-6)


def test_a_weaker_promise_has_a_lower_limit():
    for epsilon, share in itertools.product((0.3, 1.0, 3.0), (0.0, 0.05, 0.5, 1.0)):
        ldp, uldp, guarded = (best(policy, 18, 4, epsilon, share).mse for policy in POLICIES)
        assert guarded <= uldp * (1 + 1e-6)
        assert uldp <= ldp * (1 + 1e-6)


@for_each("policy", POLICIES)
@for_each(("k", "sigma"), [(2, 1), (7, 1), (7, 3), (7, 6)])
@for_each(("end", "near"), [(0.0, 1e-9), (1.0, 1 - 1e-9)])
def test_all_or_no_user_with_a_marked_value(policy, k, sigma, end, near):
    for weight in ("all", "sensitive"):
        at, beside = (best(policy, k, sigma, 1.0, share, weight=weight) for share in (end, near))
        assert at.objective == pytest.approx(beside.objective, rel=1e-4, abs=1e-6)
        assert at.gap < 1e-5


def test_nothing_or_everything_marked():
    everything = [best(policy, 9, 9, 1.0).mse for policy in POLICIES]
    nothing = best("LDP", 9, 0, 1.0)
    assert everything == pytest.approx([nothing.mse] * 3)
    assert math.isnan(nothing.sensitive)
    assert math.isnan(nothing.exposure)
    assert nothing.mse == pytest.approx(best("LDP", 9, 3, 1.0).mse, rel=1e-6)
    for policy in ("ULDP", "guarded SDLDP"):
        open_channel = best(policy, 9, 0, 1.0)
        assert (open_channel.mse, open_channel.disclosing, open_channel.columns) == (0.0, 1.0, ())


def test_blind_within_the_marked_values():
    for policy in POLICIES:
        assert best(policy, 6, 3, 1.0, exposure=1 / 3).mse == math.inf
        other = best(policy, 6, 3, 1.0, exposure=1 / 3, weight="other")
        assert math.isfinite(other.other)
        assert other.sensitive == math.inf
        assert other.exposure == pytest.approx(1 / 3)


@for_each("policy", POLICIES)
@for_each("epsilon", [1e-4, 0.01, 8.0, 15.0, 25.0, 40.0])
@for_each("share", [0.0, 1e-6, 0.3, 1.0])
def test_certified_at_extreme_epsilon(policy, epsilon, share):
    limit = best(policy, 18, 4, epsilon, share)
    assert limit.gap < 1e-5
    assert limit.mse > 0


@pytest.mark.parametrize("policy", POLICIES)
def test_certified_at_a_thousand_values(policy):
    for epsilon, share, exposure in ((0.1, None, None), (3.0, 0.9, None), (1.0, 0.02, 1.3 / 400)):
        assert best(policy, 1000, 400, epsilon, share, exposure).gap < 1e-6


# --- what is refused ---


@for_each(
    ("change", "sentence"),
    [
        ({"policy": "SDLDP"}, "policy must be one of LDP, ULDP, guarded SDLDP, got 'SDLDP'"),
        ({"k": 1}, "k .* must be at least 2, got 1"),
        ({"marked": 19}, "marked .* must be between 0 and 18, got 19"),
        ({"marked": -1}, "marked .* must be between 0 and 18, got -1"),
        ({"epsilon": math.inf}, "epsilon must be positive and finite"),
        ({"epsilon": 0}, "epsilon must be positive and finite"),
        ({"epsilon": 50}, "epsilon must be at most 40"),
        ({"share": 1.2}, "share .* must be between 0 and 1, got 1.2"),
        ({"share": math.nan}, "share .* must be between 0 and 1, got nan"),
        ({"marked": 18, "share": 0.5}, "share must be 1 when every value is marked, got 0.5"),
        ({"marked": 0, "share": 0.5}, "share must be 0 when no value is marked, got 0.5"),
        ({"exposure": 0.2}, "exposure .* must be between 0.25 and 1, got 0.2; 0.25 is what a blind guess reaches"),
        ({"exposure": 1.1}, "exposure .* must be between 0.25 and 1, got 1.1"),
        ({"marked": 0, "exposure": 0.5}, "none is marked; leave it out"),
        ({"weight": "low"}, 'weight must be "all", "sensitive", "other" or a pair'),
        ({"weight": (-1, 1)}, "weight must be finite and not negative"),
        ({"weight": (0, 0)}, "counts no value's error"),
        ({"weight": "sensitive", "marked": 0}, "counts no value's error"),
        ({"weight": "other", "marked": 18}, "counts no value's error"),
    ],
)
def test_refuses_with_a_sentence(change, sentence):
    with pytest.raises(ValueError, match=sentence):
        best(**{"policy": "ULDP", "k": 18, "marked": 4, "epsilon": 1.0} | change)


@pytest.mark.parametrize("change", [{"share": "half"}, {"exposure": [1]}, {"weight": 3}, {"marked": 2.5}])
def test_refuses_other_types(change):
    with pytest.raises(TypeError, match="must be"):
        best(**{"policy": "ULDP", "k": 18, "marked": 4, "epsilon": 1.0} | change)


def test_closed_forms_refuse_other_policies():
    with pytest.raises(ValueError, match='policy must be "ULDP"'):
        subset_errors("LDP", 4, 14, 1.0, 0.2, 1)


@pytest.mark.parametrize("marked", [20, 39, 50])
@pytest.mark.parametrize("weight", ["all", "sensitive"])
def test_the_careful_path_does_not_stand_still(monkeypatch, marked, weight):
    """Where the plain one arrives, too: with steps as short as 1/4000 of the full one it ended at a gap of 6."""
    gaps, follow = [], interior._follow

    def both(program, start):
        terms = interior.terms_of(program)
        scaled = replace(terms, cost=terms.cost / terms.value(start))
        gaps.append(interior._path(program, scaled, start, 60, careful=True)[0])
        return follow(program, start)

    monkeypatch.setattr(interior, "_follow", both)
    best("ULDP", k=200, marked=marked, epsilon=8.0, share=0.001, weight=weight)
    assert gaps
    assert max(gaps) < interior.TARGET
