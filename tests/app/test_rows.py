"""Rows as a session keeps them are the rows that were simulated, to the bit and the type."""

from dataclasses import replace

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from ldpapp.compute.columns import rows, table
from ldpcore import data
from ldpcore.study import tasks
from ldpcore.study.skeleton import CELL
from ldpcore.study.skeleton import table as framed
from tests.laws.test_summary import SHOP, STUDIES


@pytest.mark.parametrize("name", STUDIES)
def test_kept_rows_are_the_simulated_ones(name: str) -> None:
    made = replace(STUDIES[name], repetitions=2)
    task = tasks.of(made)
    source = data.read(SHOP.encode(), "shop.csv") if made.data.name == "shop.csv" else data.load(made.data.name)
    prepared = task.prepare(made, source)
    pieces = [piece() for piece in task.chunks(made, prepared)]
    kept = [rows(piece.columns()) for piece in task.chunks(made, prepared)]
    assert_frame_equal(table(kept), pd.concat(pieces, ignore_index=True))
    assert kept[0]["mechanism"] is kept[-1]["mechanism"], "what is equal is kept once"
    assert kept[0]["value"] is not kept[-1]["value"]
    theory = task.theory(made, prepared)
    assert_frame_equal(table([rows(theory)]), theory)


def test_no_rows_keep_their_types() -> None:
    nothing = framed([], [*CELL, "theory"])
    assert_frame_equal(table([rows(nothing), rows(nothing)]), nothing)


def test_numbers_are_not_mistaken_for_equal_ones_of_another_type() -> None:
    whole, broken = pd.DataFrame({"x": [1, 2]}), pd.DataFrame({"x": [1.0, 2.0]})
    assert_frame_equal(table([rows(whole)]), whole)
    assert_frame_equal(table([rows(broken)]), broken)


@pytest.mark.parametrize("other", [{"x": [3], "more": [4]}, {"more": [4]}, {}], ids=["more", "others", "none"])
def test_parts_with_other_columns_are_refused(other: dict[str, list[int]]) -> None:
    """No column is lost without a word, whichever part has it."""
    one, two = rows(pd.DataFrame({"x": [1, 2]})), rows(pd.DataFrame(other))
    for parts in ([one, two], [one, one, two], [two, one]):
        with pytest.raises(ValueError, match=r"same columns: part \d and the first differ in (more|x)"):
            table(parts)


def test_parts_are_joined_by_name() -> None:
    """In the order of the first; none at all is a table without columns."""
    one, two = rows(pd.DataFrame({"x": [1], "y": [2.0]})), rows(pd.DataFrame({"y": [4.0], "x": [3]}))
    assert_frame_equal(table([one, two]), pd.DataFrame({"x": [1, 3], "y": [2.0, 4.0]}))
    assert table([]).empty
