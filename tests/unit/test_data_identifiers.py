"""Identifiers: recognised by name, or by a value of its own in every row; counted where that means something."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from ldpcore.data import load, profile, proposed, read
from ldpcore.data.uncountable import naming, unusable
from ldpcore.study import clusters, fitting, ranges

RNG = np.random.default_rng(3)
N = 400


def table(**columns):
    lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    return read("\n".join(lines).encode(), "people.csv")


def role(values, name="x"):
    made = table(**{name: values, "sex": ["f", "m"] * (len(values) // 2)})
    return made.profile()[0].role


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (range(N), "identifier"),
        (np.sort(RNG.choice(10**7, N, replace=False)), "identifier"),
        (10**7 + RNG.choice(9 * 10**7, N, replace=False), "identifier"),
        ([*range(N - 4), 1, 1, 2, 3], "identifier"),
        ([f"name {i}" for i in range(N)], "identifier"),
        ([f"name {max(i, 8)}" for i in range(N)], "identifier"),
        (RNG.lognormal(10.4, 0.7, N).astype(int), "number"),  # incomes, hardly two alike
        (RNG.normal(70, 12, N).round(4), "number"),
        (range(20, 60), "number"),  # too few rows to tell
        ([f"pupil {i}" for i in range(26)], "identifier"),  # words recur sooner
        ([f"answer {i}" for i in range(10)], "category"),
        (RNG.integers(18, 90, N), "number"),
        (RNG.integers(0, 3, N), "category"),
        ([f"town {i % 90}" for i in range(N)], "category"),
        (np.repeat(np.geomspace(1e3, 1e6, 390).astype(int), [2] * 10 + [1] * 380), "number"),  # sorted, a few alike
        (np.r_[np.geomspace(1e3, 1e6, N).astype(int)], "identifier"),  # in order, and each once
    ],
)
def test_by_their_values(values, expected):
    assert role(list(values)) == expected


@pytest.mark.parametrize("name", ["id", "userId", "Customer ID", "UUID", "case no", "SERIALNO", "Unnamed: 0", "e-mail"])
def test_by_their_names(name):
    assert role([i % 90 for i in range(N)], name) == "identifier"
    assert role([f"u{i % 90}" for i in range(N)], name) == "identifier"
    assert role([i % 9 for i in range(N)], name) == "category", "so few are kinds, not people"


@pytest.mark.parametrize("name", ["paid", "covid", "age", "body mass index", "house number", "ideology"])
def test_names_that_only_look_so(name):
    assert role([i % 90 for i in range(N)], name) == "number"


@pytest.fixture(scope="module")
def ratings():
    """Named, with repeats: it can be counted on purpose."""
    return table(
        userId=[i % 90 for i in range(N)], key=range(N), stars=[i % 5 for i in range(N)], age=[i % 70 for i in range(N)]
    )


def test_an_identifier_is_offered_last_and_never_chosen_first(ratings):
    assert fitting.countable(ratings) == ["stars", "age", "userId"]
    assert fitting.default_countable(ratings) == "stars"
    assert fitting.numeric(ratings) == ["age"]
    assert fitting.averageable(ratings) == ["age", "stars"], "few numbers are offered last: they may be codes"
    assert clusters.categories(ratings) == ("stars",)
    assert ranges.ordered(ratings) == ["stars", "age"]


def test_what_counting_one_means_is_said(ratings):
    user, key, stars, _ = ratings.profile()
    assert "90" in naming(user)
    assert unusable(user) is None
    assert naming(stars) == naming(key) == ""
    assert unusable(key) is not None


def test_none_of_its_values_is_proposed():
    names = table(name=[f"n{i // 4}" for i in range(800)], sex=["f", "m"] * 400)
    assert proposed(names.categorical("name")).values == ()
    assert proposed(load("census").categorical("education")).values == ("Preschool", "1st-4th")


@pytest.mark.parametrize("block", [1, 7, 10_000])
def test_texts_of_any_block_are_counted_once(block, monkeypatch):
    """As many as differ, and the commonest, those that stand first before others."""
    monkeypatch.setattr(profile, "_BLOCK", block)
    texts = [f"town {i * i % 37}" for i in range(300)]
    counts = Counter(texts)
    commonest = sorted(counts, key=lambda text: (-counts[text], texts.index(text)))[:5]
    assert profile._texts(pa.array(texts)) == (len(counts), tuple(commonest))
