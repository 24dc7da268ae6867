"""Records, clusters and rounds that make no sense are refused with a sentence."""

from dataclasses import replace

import numpy as np
import pytest

from ldpcore import data
from ldpcore.catalog import CLUSTERINGS
from ldpcore.clusters import accuracy, fresh, kmodes, noisy_index, pairs, promised
from ldpcore.rng import stream
from ldpcore.study import Marks, Source, Study, run
from tests.each import for_each

GOOD = np.array([[0, 1], [1, 0], [1, 1]])
RNG = stream(0)


@for_each("key", CLUSTERINGS)
def test_every_method_refuses_the_same(key):
    method = CLUSTERINGS[key].run
    with pytest.raises(ValueError, match=r"k must not exceed the number of records: 4 clusters of 3 records; lower k"):
        method(GOOD, 4, 1.0, RNG)
    with pytest.raises(ValueError, match=r"k \(the number of clusters\) must be at least 1, got 0"):
        method(GOOD, 0, 1.0, RNG)
    with pytest.raises(ValueError, match="attribute 1 has a single value, which tells nobody apart; leave it out"):
        method(GOOD[1:, [0, 1]] * [1, 0], 2, 1.0, RNG)
    with pytest.raises(ValueError, match=r"2 record\(s\) miss an answer .*leave them out, or count a missing answer"):
        method(np.array([[0, -1], [1, 0], [-1, -1]]), 2, 1.0, RNG)
    with pytest.raises(ValueError, match="epsilon must be positive and finite, got -1"):
        method(GOOD, 2, -1, RNG)


def test_records():
    with pytest.raises(TypeError, match=r"X must be int codes of shape \(records, attributes\), got shape \(3,\)"):
        kmodes([0, 1, 2], 2, RNG)
    with pytest.raises(TypeError, match="dtype float64; encode each column"):
        kmodes(GOOD * 0.5, 2, RNG)
    with pytest.raises(ValueError, match=r"at least one record and one attribute, got shape \(0, 2\)"):
        kmodes(GOOD[:0], 1, RNG)
    with pytest.raises(ValueError, match="levels must have one entry for each of the 2 attributes, got 3"):
        kmodes(GOOD, 2, RNG, levels=(2, 2, 2))
    with pytest.raises(ValueError, match="attribute 0 must hold codes from 0 to 1, got 5; raise its levels"):
        kmodes(GOOD * [5, 1], 2, RNG, levels=(2, 2))
    with pytest.raises(ValueError, match=r"start must hold 2 tuples of 2 codes of the domain, got shape \(2, 3\)"):
        kmodes(GOOD, 2, RNG, start=np.zeros((2, 3), int))
    with pytest.raises(ValueError, match="start must hold 2 tuples"):
        kmodes(GOOD, 2, RNG, start=np.array([[0, 0], [0, 2]]))


def test_rounds_pairs_and_scores():
    with pytest.raises(ValueError, match="rounds must be between 1 and 3, got 4"):
        fresh(GOOD, 2, 1.0, RNG, rounds=4)
    with pytest.raises(ValueError, match="rounds must be between 1 and 100, got 0"):
        noisy_index(GOOD, 2, 1.0, RNG, rounds=0)
    with pytest.raises(ValueError, match="pairs of attributes need at least two attributes, got one"):
        pairs(GOOD[:, :1], 2, 1.0, RNG)
    with pytest.raises(ValueError, match="must be as long and not empty"):
        accuracy([0, 1], [0])
    with pytest.raises(ValueError, match="numbers of clusters from 0; got a negative one"):
        accuracy([0, -1], [0, 1])
    with pytest.raises(ValueError, match="blind must be a share above 0, got 0"):
        promised(0.0, 1.0)


CSV = b"colour,size,weight,same\n" + b"red,small,1.5,x\nblue,large,2.25,x\nred,,3.125,x\nblue,small,4.5,x\n" * 30
FEW = b"colour,size\n" + b"red,small\nblue,large\n" * 10
BASE = Study(
    Source("things.csv"), "colour", mechanisms=("LDPK",), grid=(), repetitions=1, task="clusters",
    options=(("columns", ("colour", "size")), ("k", 2)),
)  # fmt: skip


def refused(message, table=None, **changes):
    options = changes.pop("options", {})
    with pytest.raises((TypeError, ValueError), match=message):
        run(replace(BASE, **changes).with_options(**options), table or data.read(CSV, "things.csv"))


def test_studies():
    refused(
        "marked are red, which no column of the records has; write a mark as “colour = blue”", marks=Marks.of(["red"])
    )
    refused("“colour”, whose trace is looked at, is not among the columns", options={"columns": ("size",)})
    refused("the option columns is a list, such as .*colour.*, got 'colour'", options={"columns": "colour"})
    refused("has no column “shape”", options={"columns": ("colour", "shape")})
    refused("“same” has a single value", options={"columns": ("colour", "same")})
    refused(r"the option k \(the number of clusters\) must be between 1 and 50, got 51", options={"k": 51})
    refused("the clusters task has no option rounds; it has columns, k, attack", options={"rounds": 3})
    refused("k must not exceed the number of records: 50 clusters", data.read(FEW, "few.csv"), options={"k": 50})
    refused("a number of clusters must be between 1 and 50, got 99", axis="k", grid=(99.0,))
    refused("k must not exceed the number of records", data.read(FEW, "few.csv"), axis="k", grid=(49.0,))
    refused(r"n \(the number of people, who make 2 clusters\) must be at least 2, got 1", axis="n", grid=(1.0,))
    refused(r"n \(the number of people, who make 2 clusters\) must be at least 2, got 1", n=1)
    refused("'OUE' belongs to the task frequency, not to clusters", mechanisms=("OUE",))


def test_no_column_of_categories():
    numbers = data.read(b"a,b\n" + b"".join(b"%d.5,%d\n" % (i, 7 * i) for i in range(100)), "numbers.csv")
    refused("“numbers.csv” has no column of categories, and clusters are of records", numbers, options={"columns": ()})


def test_everybody_misses_something():
    half = data.read(b"a,b\n" + b"x,\n,y\nz,\n,w\n" * 20, "half.csv")
    refused("Nobody is left in “a”", half, column="a", options={"columns": ("a", "b")})
    refused("every record misses an answer", half, column="a", missing="column", options={"columns": ("a", "b")})
