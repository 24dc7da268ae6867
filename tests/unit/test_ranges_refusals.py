"""Bad input is refused with a sentence."""

import numpy as np
import pytest

from ldpcore.ranges import Identity, Matrix, NestedTree, Privelet, Tree, overtakes, pad
from ldpcore.ranges.privelet import pair_counting
from ldpcore.rng import stream

RNG = stream(0)
FACES = [Identity(3), Privelet(3), Tree(3), Tree(3, 4, True), NestedTree(3, (1, 2), (1.0, 1.0)), Matrix(np.eye(8))]


@pytest.mark.parametrize("p", FACES, ids=lambda p: type(p).__name__)
def test_every_face_refuses_the_same(p):
    with pytest.raises(ValueError, match="must not end before it begins, got l = 5, r = 4; swap them"):
        p.coefficient(5, 4)
    with pytest.raises(ValueError, match="within cells 1 to 8, got 0 to 4"):
        p.coefficient(0, 4)
    with pytest.raises(ValueError, match="within cells 1 to 8, got 1 to 9"):
        p.variance(1, 9, 1.0)
    with pytest.raises(TypeError, match="l must hold whole numbers"):
        p.coefficient(1.5, 4)
    with pytest.raises(TypeError, match="r must hold whole numbers"):
        p.coefficient(1, np.nan)
    with pytest.raises(TypeError, match="r must hold whole numbers"):
        p.coefficient(1, np.inf)
    with pytest.raises(ValueError, match="epsilon must be positive and finite, got -1"):
        p.variance(1, 2, -1)
    with pytest.raises(ValueError, match="epsilon must be positive and finite, got 0"):
        p.release(np.ones(8), 0, RNG)
    with pytest.raises(ValueError, match=r"one count for each of the 8 cells, got 7; 7 is not a power of two"):
        p.release(np.ones(7), 1.0, RNG)
    with pytest.raises(ValueError, match="one count for each of the 8 cells, got 4; see"):
        p.release(np.ones(4), 1.0, RNG)
    with pytest.raises(ValueError, match="at least one cell"):
        p.release([], 1.0, RNG)
    with pytest.raises(ValueError, match="finite and not negative"):
        p.release([1, 2, 3, 4, 5, 6, 7, -1], 1.0, RNG)
    with pytest.raises(ValueError, match="finite and not negative"):
        p.release([1, 2, 3, 4, 5, 6, 7, np.nan], 1.0, RNG)
    with pytest.raises(ValueError, match="within cells 1 to 8"):
        p.covariance(0, 1)
    with pytest.raises(ValueError, match="must not end before it begins"):
        p.release(np.ones(8), 1.0, RNG).range(5, 4)


@pytest.mark.parametrize("build", [Identity, Privelet, Tree, NestedTree])
def test_heights(build):
    with pytest.raises(ValueError, match=r"h \(log₂ of the number of cells\) must be between 0 and 50, got -1"):
        build(-1)
    with pytest.raises(ValueError, match="between 0 and 50, got 51"):
        build(51)
    with pytest.raises(TypeError, match=r"must be a whole number, got 2\.5"):
        build(2.5)


def test_trees_and_levels():
    with pytest.raises(ValueError, match="branching must be a power of two, so that blocks tile 2\\^h cells, got 3"):
        Tree(3, 3)
    with pytest.raises(ValueError, match=r"branching \(children of a node\) must be at least 2, got 1"):
        Tree(3, 1)
    for sizes in ((2, 4), (1, 1), (1, 3), ()):
        with pytest.raises(ValueError, match="sizes must begin with 1 and each divide the next"):
            NestedTree(3, sizes, (1.0,) * len(sizes))
    for weights in ((1.0,), (1.0, 0.0), (1.0, float("inf"))):
        with pytest.raises(ValueError, match="weights must be one positive number for each of the 2 sizes"):
            NestedTree(3, (1, 2), weights)


def test_matrices():
    with pytest.raises(ValueError, match=r"must have rank 3, its number of columns, .* its rank is 1 "):
        Matrix(np.ones((4, 3)))
    with pytest.raises(ValueError, match="A must be a matrix with a row for each measurement"):
        Matrix(np.ones(3))
    with pytest.raises(ValueError, match="A must hold finite numbers"):
        Matrix(np.diag([1.0, np.inf]))
    with pytest.raises(ValueError, match="too large to write out, at most 4096"):
        Matrix(np.ones((4097, 1)))
    for p in (Privelet(13), Tree(13), Identity(13)):
        with pytest.raises(ValueError, match="8192 cells is too large to write out"):
            p.matrix()
        with pytest.raises(ValueError, match="8192 cells is too large to write out"):
            p.covariance_matrix()


def test_the_rest():
    with pytest.raises(ValueError, match="l must be between 1 and 8, got 0"):
        pair_counting(0, 3, 3)
    with pytest.raises(ValueError, match="must not end before it begins"):
        pair_counting(4, 3, 3)
    with pytest.raises(ValueError, match=r"most .* must be between 0 and 50, got 99"):
        overtakes(Privelet, most=99)
    with pytest.raises(ValueError, match="at least one cell"):
        pad([])


def test_padding():
    assert pad([1, 2, 3]).tolist() == [1, 2, 3, 0]
    assert pad([5]).tolist() == [5]
    assert len(pad(np.ones(74))) == 128
