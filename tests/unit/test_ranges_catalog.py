"""Local strategies: every entry of the catalogue is complete, exact and what it says of itself."""

import numpy as np
import pytest

from ldpcore import ranges
from ldpcore.catalog import LOCAL_RANGES, RANGES, Coverage, coverage
from ldpcore.data import Histogram
from ldpcore.domain import Categorical
from ldpcore.mechanisms.unary import OUE, RAPPOR
from ldpcore.ranges import Local, LocalHaar, LocalTree, local_flat
from ldpcore.rng import stream
from ldpcore.study import Source, Study
from ldpcore.study.ranges import local

COUNTS = np.array([30, 1, 2, 0, 10, 10])
DATA = Histogram(Categorical("abcdef"), COUNTS, 53, 0)
STUDY = Study(Source("t"), "x", task="ranges").with_options(asked=("1:1", "2:5", "1:6"))


@pytest.mark.parametrize("entry", LOCAL_RANGES.values(), ids=LOCAL_RANGES)
def test_an_entry_is_complete(entry):
    assert entry.label
    assert entry.source
    assert coverage(entry.promise) is Coverage.EVERY
    assert entry.caveats
    assert all(caveat.endswith(".") for caveat in entry.caveats)
    assert entry.key not in RANGES, "one name, one look"
    built = entry.build(5, 0.5)
    assert isinstance(built, Local)
    assert (built.size, built.epsilon) == (32, 0.5)


def test_flat_is_the_sum_of_independent_cells():
    """Given the data the bits of OUE are independent: the variances of the cells add up."""
    freq, n = np.append(COUNTS, [0, 0]) / 53, 53
    for oracle in (OUE, RAPPOR):
        exact = oracle(1.5, 8).variance(freq, n)
        flat = local_flat(3, 1.5, oracle)
        for first, last in ((1, 1), (2, 5), (1, 8), (7, 8)):
            assert flat.variance(first, last, freq, n) == pytest.approx(exact[first - 1 : last].sum())


def test_the_caveats_hold():
    """Haar against the tree, over every range of even shares; from ε = 3 on it loses, at ε = 0.5 it wins."""
    first, last = ranges.every_range(16)
    even = np.full(16, 1 / 16)
    for epsilon, wins in ((0.5, True), (3.0, False), (6.0, False)):
        means = [
            np.mean([s.variance(int(a), int(b), even, 1000) for a, b in zip(first, last, strict=True)])
            for s in (LocalHaar(4, epsilon), LocalTree(4, epsilon))
        ]
        assert (means[0] < means[1]) == wins


@pytest.mark.parametrize("key", LOCAL_RANGES)
def test_a_studys_local_errors_are_those_of_its_collections(key):
    """500 collections; |z| of a mean of squares below 5, of nearly normal errors: no false alarm in 10^5 seeds."""
    rows = local.theory(STUDY, DATA)
    rows = rows[rows["mechanism"] == key].set_index("scope")["theory"]
    assert list(rows.index) == ["1:1", "2:5", "1:6"]
    answers = [local.release(STUDY, DATA, key, number) for number in range(500)]
    for scope, exact in rows.items():
        first, last = map(int, str(scope).split(":"))
        errors = np.array([answer.range(first, last) for answer in answers]) - COUNTS[first - 1 : last].sum()
        spread = (errors**2).std() / len(errors) ** 0.5
        assert abs((errors**2).mean() - exact) < 5 * spread


def test_a_release_has_a_stream_of_its_own():
    one, same, other = (local.release(STUDY, DATA, "Local tree", number).cells for number in (0, 0, 1))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)
    wanted = LocalTree(3, 1.0).simulate(np.append(COUNTS, [0, 0]), stream(7, "local ranges", "Local tree", 1.0, 0), 1)
    assert one == pytest.approx(53 * wanted[0].cells)


def test_without_a_range_of_ones_own_the_usual_one_is_asked():
    assert set(local.theory(STUDY.with_options(asked=None), DATA)["scope"]) == {"2:3"}
