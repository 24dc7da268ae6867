"""Which columns a survey's review asks about: those with more than one answer, no answer being one where it counts."""

import pandas as pd
import pytest

from ldpcore.study.review import people


@pytest.mark.parametrize(
    ("values", "missing", "several"),
    [
        (["a", "b"], "any", True),
        (["a", "a"], "any", False),
        (["a", None, "a"], "any", False),
        (["a", None, "a"], "answer", True),
        ([None, None], "answer", False),
    ],
)
def test_a_column_says_something_where_two_answers_differ(values, missing, several):
    assert people._several(pd.Series(values, dtype="category"), missing) == several
