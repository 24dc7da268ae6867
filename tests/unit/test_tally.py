"""Tallies are a commutative monoid: a file can be read in parts, in any order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldpcore.tally import Tally

K = 4
tallies = st.builds(
    lambda n, total: Tally(n, np.array(total, np.int64)),
    st.integers(0, 10**12),
    st.lists(st.integers(0, 10**12), min_size=K, max_size=K),
)
nothing = Tally(0, np.zeros(K, np.int64))


@given(tallies, tallies, tallies)
def test_monoid(a, b, c):
    assert (a + b) + c == a + (b + c)
    assert a + b == b + a
    assert a + nothing == a == nothing + a
    assert sum([a, b, c]) == a + b + c
    assert (a + b).n == a.n + b.n


@given(tallies, tallies)
def test_adding_changes_neither(a, b):
    kept = a.n, a.total.copy()
    _ = a + b
    assert a == Tally(*kept)


@given(tallies)
def test_equality_looks_at_both(a):
    assert a != Tally(a.n + 1, a.total)
    assert a != Tally(a.n, a.total + 1)
    assert a != "a tally"


def test_tallies_of_different_questions_cannot_be_added():
    with pytest.raises(ValueError, match="tallies of 4 and of 2 values cannot be added; they must come from the same"):
        nothing + Tally(1, np.zeros(2, np.int64))


def test_only_tallies_can_be_added():
    with pytest.raises(TypeError):
        nothing + 1
    with pytest.raises(TypeError):
        1 + nothing


def test_a_tally_is_frozen_and_has_no_hash():
    with pytest.raises(AttributeError):
        nothing.n = 3
    with pytest.raises(TypeError):
        hash(nothing)
