"""What an answer can be."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldpcore import Categorical, Interval, Items

labels = st.lists(st.text(max_size=8), min_size=1, max_size=12, unique=True)


@given(labels, st.data())
def test_labels_survive_the_round_trip(names, data):
    domain = Categorical(names)
    values = data.draw(st.lists(st.sampled_from(names)))
    codes = domain.encode(values)
    assert codes.shape == (len(values),)
    assert domain.decode(codes) == values
    assert domain.k == len(names)


@given(labels, st.data())
def test_a_mask_marks_exactly_the_named(names, data):
    domain = Categorical(names)
    marked = data.draw(st.sets(st.sampled_from(names)))
    mask = domain.mask(marked)
    assert mask.dtype == bool
    assert {name for name, on in zip(names, mask, strict=True) if on} == marked


@given(st.lists(st.text(max_size=3), min_size=1))
def test_from_values_keeps_the_order_of_first_appearance(values):
    domain = Categorical.from_values(values)
    assert list(domain.labels) == sorted(set(values), key=values.index)


def test_equal_domains_are_equal_and_hash_alike():
    assert Categorical("ab") == Categorical(["a", "b"])
    assert hash(Categorical("ab")) == hash(Categorical(["a", "b"]))


def test_repeated_labels_are_refused():
    with pytest.raises(ValueError, match=r"labels must differ from one another, repeated: b$"):
        Categorical(["a", "b", "b"])


def test_an_unknown_label_is_named_with_the_labels_there_are():
    message = r"not in the domain: Paris; its labels are Rome, Oslo\. Correct the spelling, or build"
    with pytest.raises(ValueError, match=message):
        Categorical(["Rome", "Oslo"]).encode(["Rome", "Paris", "Paris"])
    with pytest.raises(ValueError, match=r"0, 1, 2, 3, 4 … \(\+5\)"):
        Categorical(map(str, range(10))).mask(["x"])


def test_a_code_out_of_range_is_refused():
    with pytest.raises(ValueError, match="values must be codes from 0 to 1, got -1 to 0"):
        Categorical("ab").decode([0, -1])


finite = st.floats(-1e6, 1e6)


@given(finite, st.floats(1e-3, 1e6), st.lists(st.floats(0, 1), min_size=1))
def test_numbers_survive_the_round_trip(low, width, places):
    interval = Interval(low, low + width)
    values = np.clip(low + width * np.array(places), low, low + width)
    scaled = interval.encode(values)
    assert (np.abs(scaled) <= 1 + 1e-9).all()
    assert np.allclose(interval.decode(scaled), values, rtol=1e-9, atol=1e-6)
    assert interval.outside(values) == 0


@given(finite, st.floats(1e-3, 1e6), st.integers(2, 40))
def test_bins_cover_the_range(low, width, count):
    edges, _ = Interval(low, low + width).bins(count)
    assert edges[0] == low
    assert edges[-1] == low + width
    assert len(edges) == count + 1
    assert np.allclose(np.diff(edges), width / count, rtol=1e-6, atol=1e-8)


def test_bins_are_named_by_their_ends():
    assert Interval(0, 100).bins(4)[1].labels == ("0 to 25", "25 to 50", "50 to 75", "75 to 100")
    assert Interval(0, 1).bins(4)[1].labels == ("0 to 0.25", "0.25 to 0.5", "0.5 to 0.75", "0.75 to 1")
    with pytest.raises(ValueError, match="the number of bins must be between 2 and 10000, got 1"):
        Interval(0, 1).bins(1)


@given(st.integers(-(10**12), 10**12), st.integers(1, 10**6), st.integers(2, 40), st.sampled_from([1, 8, 10, 100]))
def test_the_ends_of_a_range_are_written_as_they_are(low, width, count, parts):
    """What is between may be rounded: to a tenth of a bin at most."""
    here = Interval(low / parts, (low + width) / parts)
    edges, named = here.bins(count)
    written = [label.split(" to ") for label in named.labels]
    assert (float(written[0][0]), float(written[-1][1])) == (here.low, here.high)
    assert np.abs(np.array([float(high) for _, high in written]) - edges[1:]).max() <= (edges[1] - edges[0]) / 10


def test_edges_with_a_few_decimals_keep_them():
    assert Interval(-1000000003.75, 1000000003.75).bins(2)[1].labels == ("-1000000003.75 to 0", "0 to 1000000003.75")
    assert Interval(0, 100).bins(8)[1].labels[:2] == ("0 to 12.5", "12.5 to 25")
    assert Interval(0, 100).bins(7)[1].labels[:2] == ("0 to 14", "14 to 29")


def test_bins_of_huge_and_tiny_ranges_have_short_names_that_differ():
    assert Interval(-1e150, 1e150).bins(2)[1].labels == ("-1e+150 to 0", "0 to 1e+150")
    for low, high in ((0, 5.9e-299), (1e17, 1e17 + 400), (-1e150, 1e150)):
        labels = Interval(low, high).bins(10)[1].labels
        assert len(set(labels)) == 10
        assert max(map(len, labels)) < 60
    with pytest.raises(ValueError, match=r"floating point has no 8 different numbers between 1e\+18 and .*wider range"):
        Interval(1e18, 1e18 + 128).bins(8)


@pytest.mark.parametrize(("low", "high"), [(-1e308, 1e308), (0, 1e151), (-2e150, 0)])
def test_a_range_whose_squares_are_not_finite_is_refused(low, high):
    with pytest.raises(ValueError, match=r"must lie within ±1e\+150, got .*choose a narrower one"):
        Interval(low, high)
    assert Interval(-1e150, 1e150).encode([-1e308, 0, 1e308]) == pytest.approx([-1, 0, 1])


def test_the_range_clips_and_counts():
    interval = Interval(0, 10)
    assert interval.encode([-5, 0, 5, 10, 12]).tolist() == [-1, -1, 0, 1, 1]
    assert interval.outside([-5, 0, 5, 10, 12]) == 2
    assert interval.decode(2.0) == 15


@pytest.mark.parametrize(("low", "high", "count"), [(0, 1, 10), (0, 10, 100), (3, 10, 35), (-1, 1, 20), (0, 100, 1000)])
def test_a_number_on_an_edge_begins_the_cell_above(low, high, count):
    """As it is written with few decimals, one number per cell; np.histogram would put 58 of 100 into another one."""
    interval = Interval(low, high)
    on_edges = [float(f"{low + (high - low) * j / count:.6g}") for j in range(count)]
    assert interval.cells(on_edges, count).tolist() == list(range(count))
    width = (high - low) / count
    assert interval.cells(np.array(on_edges) + 0.999 * width, count).tolist() == list(range(count))
    assert interval.cells([-np.inf, low - width, low, high, high + width, np.inf], count).tolist() == [
        0, 0, 0, count - 1, count - 1, count - 1,
    ]  # fmt: skip


def test_several_intervals_mark_together():
    interval = Interval(0, 10)
    assert interval.mask([0, 1, 2, 5, 9], [(1, 2), (9, 10)]).tolist() == [False, True, True, False, True]
    assert not interval.mask([1, 2], []).any()


@pytest.mark.parametrize(("low", "high"), [(1, 1), (2, 1), (0, np.inf), (np.nan, 1)])
def test_an_empty_range_is_refused(low, high):
    with pytest.raises(ValueError, match="the public range needs two finite ends with low < high, got"):
        Interval(low, high)


def test_items_are_sets():
    items = Items.from_baskets([["milk", "bread", "milk"], ["tea"], []])
    assert items.k == 3
    codes = items.encode([["bread", "milk", "bread"], []])
    assert [code.tolist() for code in codes] == [[0, 1], []]
    assert items.decode(codes) == [["milk", "bread"], []]
    assert items.mask(["tea"]).tolist() == [False, False, True]
