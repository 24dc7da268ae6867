"""Every fast formula equals a dense computation, for all ranges at N ≤ 64."""

# ruff: noqa: E741 (l and r are the contract's names for the ends of a range)

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldpcore.ranges import Identity, Matrix, NestedTree, Privelet, Tree, every_range
from ldpcore.ranges.privelet import pair_counting, phi

HEIGHTS = range(7)
BRANCHINGS = (2, 4, 8, 16)


def trees(h, consistent):
    return [Tree(h, b, consistent, root) for b in BRANCHINGS for root in (True, False)]


def summing(h):
    """Those whose answer to a range is the sum of its cells."""
    weighted = (
        [NestedTree(h, (1, 2, 8), (0.5, 1.0, 2.0)), NestedTree(h, (1, 2, 1 << h), (3.0, 0.1, 1.0))] if h > 3 else []
    )
    return [Identity(h), Privelet(h), *trees(h, True), *weighted]


def plain(h):
    weighted = [NestedTree(h, (1, 4, 16), (0.5, 1.0, 2.0), consistent=False)] if h > 3 else []
    return [*trees(h, False), *weighted]


def canonical_selector(p):
    """Rows: ranges; columns: p's measurements; the weight of each in the answer, by descent from the largest blocks."""
    ends = list(zip(*every_range(p.size), strict=True))
    out = np.zeros((len(ends), sum(p.size // s for s in p.sizes)))
    offsets = np.concatenate([[0], np.cumsum([p.size // s for s in p.sizes])])

    def descend(row, level, node, l, r):
        size = p.sizes[level]
        start, end = node * size + 1, (node + 1) * size
        if end < l or start > r:
            return
        if l <= start and end <= r:
            out[row, offsets[level] + node] = 1 / p.weights[level]
            return
        step = size // p.sizes[level - 1]
        for child in range(node * step, (node + 1) * step):
            descend(row, level - 1, child, l, r)

    for row, (l, r) in enumerate(ends):
        for node in range(p.size // p.sizes[-1]):
            descend(row, len(p.sizes) - 1, node, l, r)
    return out


@pytest.mark.parametrize("h", HEIGHTS)
def test_sums_of_cells_equal_the_pseudo_inverse(h):
    l, r = every_range(1 << h)
    for p in summing(h):
        dense = Matrix(p.matrix())
        assert p.sensitivity == pytest.approx(dense.sensitivity, rel=1e-14), p
        assert p.coefficients(l, r) == pytest.approx(dense.coefficients(l, r), rel=1e-10), p
        assert p.covariance_matrix() == pytest.approx(dense.covariance_matrix(), abs=1e-12), p
        assert p.average_coefficient() == pytest.approx(dense.average_coefficient(), rel=1e-10), p


@pytest.mark.parametrize("h", HEIGHTS)
def test_the_dense_witness_is_itself_checked(h):
    """Matrix against I·Cov·Iᵀ with Cov by lstsq, written out."""
    l, r = every_range(1 << h)
    rows = (np.arange(1, (1 << h) + 1) >= l[:, None]) & (np.arange(1, (1 << h) + 1) <= r[:, None])
    A = Tree(h, 4, True).matrix()
    inverse = np.linalg.lstsq(A, np.eye(len(A)), rcond=None)[0]
    expected = ((rows @ inverse) ** 2).sum(axis=1)
    assert Matrix(A).coefficients(l, r) == pytest.approx(expected, rel=1e-10)
    assert Matrix(A).average_coefficient() == pytest.approx(expected.mean(), rel=1e-10)


@pytest.mark.parametrize("h", HEIGHTS)
def test_plain_trees_equal_their_selector(h):
    l, r = every_range(1 << h)
    for p in plain(h):
        expected = (canonical_selector(p) ** 2).sum(axis=1)
        assert p.coefficients(l, r) == pytest.approx(expected, rel=1e-12), p
        assert p.average_coefficient() == pytest.approx(expected.mean(), rel=1e-12), p
        assert p.sensitivity == pytest.approx(np.abs(p.matrix()).sum(axis=0).max()), p


@pytest.mark.parametrize("h", HEIGHTS)
def test_releases_are_unbiased_and_use_every_measurement_as_the_formula_says(h):
    """The noise replaced by unit vectors: the answers' squares sum to c. No statistics, no false alarm."""

    class Unit:
        def __init__(self, at):
            self.at, self.seen = at, 0

        def laplace(self, _, __, shape):
            out = np.zeros(int(np.prod(shape)))
            if 0 <= self.at - self.seen < len(out):
                out[self.at - self.seen] = 1
            self.seen += len(out)
            return out.reshape(shape)

    l, r = every_range(1 << h)
    x = np.arange(1.0, (1 << h) + 1) ** 2
    exact = np.concatenate([[0], np.cumsum(x)])
    for p in [*summing(h)[:6], *summing(h)[-2:], *plain(h)[:4], *plain(h)[-1:], Matrix(Privelet(h).matrix())]:
        if h > 4 and isinstance(p, Matrix):
            continue
        truth = exact[r] - exact[l - 1]
        assert p.release(x, 1.0, Unit(-1)).ranges(l, r) == pytest.approx(truth, rel=1e-10), p
        squares = sum((p.release(0 * x, 1.0, Unit(i)).ranges(l, r)) ** 2 for i in range(len(p.matrix())))
        assert squares == pytest.approx(p.coefficients(l, r), rel=1e-9), p


@pytest.mark.parametrize("h", HEIGHTS)
def test_pair_counting_is_the_direct_formula(h):
    for l, r in zip(*every_range(1 << h), strict=True):
        assert pair_counting(l, r, h) == pytest.approx(Privelet(h).coefficient(l, r), rel=1e-13)


@given(st.integers(0, 40).flatmap(lambda h: st.tuples(st.just(h), st.integers(1, 2**h), st.integers(1, 2**h))))
def test_pair_counting_at_any_size(case):
    h, l, r = case
    l, r = min(l, r), max(l, r)
    assert pair_counting(l, r, h) == pytest.approx(Privelet(h).coefficient(l, r), rel=1e-9)


@given(st.integers(1, 12), st.data())
def test_a_range_and_its_mirror_cost_the_same(h, data):
    l = data.draw(st.integers(1, 2**h))
    r = data.draw(st.integers(l, 2**h))
    for p in (Identity(h), Privelet(h), Tree(h, 4, True), Tree(h, 4, False, False)):
        assert p.coefficient(2**h + 1 - r, 2**h + 1 - l) == pytest.approx(p.coefficient(l, r), rel=1e-10)


@pytest.mark.parametrize("h", [3, 5, 8])
def test_covariances_of_privelet(h):
    """Φ_k (the paper, theorem 2) from the matrix's own inverse."""
    cov = np.linalg.inv(Privelet(h).matrix())
    cov = cov @ cov.T
    cells = np.arange(1 << h)
    for k in range(1, h + 1):
        i = np.flatnonzero((cells[:, None] ^ cells).ravel() == (1 << k) - 1)
        assert cov.ravel()[i] == pytest.approx(phi(k, h), abs=1e-14)
    assert np.diag(cov) == pytest.approx((1 + 2 * 4.0**-h) / 3, abs=1e-14)


@pytest.mark.parametrize("h", HEIGHTS)
def test_xiaos_weighted_haar_is_the_same_by_law(h):
    """Half the difference of the halves' means, noise Lap((h+1)/ε)/2^height: times 2^height it is Privelet's row."""
    rows, weights = [np.full(1 << h, 2.0**-h)], [2.0**h]
    for k in range(h, 0, -1):
        for node in range(1 << (h - k)):
            row = np.zeros(1 << h)
            row[node << k : (node << k) + (1 << k)] = np.repeat([1, -1], 1 << (k - 1)) / 2**k
            rows.append(row)
            weights.append(2.0**k)
    assert np.array_equal(np.array(weights)[:, None] * np.array(rows), Privelet(h).matrix())


# Trees of eight children with blocks of the root left over, and without; large sizes are below.
@pytest.mark.parametrize("h", [8, 9, 10])
@pytest.mark.parametrize("build", [Identity, Privelet, lambda h: Tree(h, 8, True), lambda h: Tree(h, 8, False, False)])
def test_averages_are_means_over_all_ranges(h, build):
    p = build(h)
    total = sum(p.coefficients(l, np.arange(l, p.size + 1)).sum() for l in range(1, p.size + 1))
    assert p.average_coefficient() == pytest.approx(total / (p.size * (p.size + 1) / 2), rel=1e-11)


def test_a_trillion_cells_need_no_matrix():
    for p in (Identity(40), Privelet(40), Tree(40), Tree(40, 16), Tree(40, 2, True), Tree(40, 16, True, False)):
        assert 0 < p.coefficient(123_456_789, 987_654_321_012) < np.inf
        assert 0 < p.average_coefficient() < np.inf
        assert p.accuracy_index() >= 0
    counted = pair_counting(123_456_789, 987_654_321_012, 40)
    assert counted == pytest.approx(Privelet(40).coefficient(123_456_789, 987_654_321_012), rel=1e-9)


@pytest.mark.parametrize("h", [40, 50])
def test_nothing_cancels_at_large_n(h):
    """A range inside one small block costs almost the same however large N is; whole numbers say what averages are."""
    for build in (lambda h: Tree(h, 2, True, False), lambda h: Tree(h, 4, True)):
        assert build(h).coefficient(6, 11) == pytest.approx(build(30).coefficient(6, 11), rel=1e-6)
    assert Tree(h).average_coefficient() == pytest.approx(h - 2, abs=1e-6)
    assert Tree(h, 2, True).average_coefficient() == pytest.approx(h / 6, rel=0.2)
    assert Privelet(h).average_coefficient() == pytest.approx(h / 6 + 1 / 36, rel=1e-12)


def test_dense_takes_any_size_and_any_matrix():
    A = np.vstack([np.eye(5), np.ones((1, 5)), [[1, 1, 0, 0, 0]]])
    p = Matrix(A)
    assert p.size == 5
    assert p.sensitivity == 3
    assert p.coefficient(1, 2) == pytest.approx(np.array([1, 1, 0, 0, 0]) @ np.linalg.inv(A.T @ A) @ [1, 1, 0, 0, 0])
