"""Scopes: parts that fit together, and plain text wherever they are written."""

import json
import pickle

import numpy as np

from ldpcore import limit
from ldpcore.scope import ALIKE, LEVELS, Scope, parts
from ldpcore.study import Marks, Source, Study, run

MARKED, SECRET = np.array([True, True, False, False]), np.array([False, True, False, False])


def test_the_levels_are_the_two_parts_of_what_is_marked():
    found = parts(MARKED, SECRET)
    assert tuple(found) == (*ALIKE, *LEVELS)
    assert set(found) == set(Scope)
    assert (found[Scope.PRIVATE] ^ found[Scope.SECRET]).tolist() == found[Scope.SENSITIVE].tolist() == MARKED.tolist()
    assert (found[Scope.SENSITIVE] ^ found[Scope.OTHER]).tolist() == found[Scope.ALL].tolist()
    assert tuple(parts(MARKED)) == ALIKE


def test_rows_and_files_hold_plain_text():
    marks = Marks((("HIV", "secret"), ("hepatitis B", "sensitive")))
    rows = run(Study(Source("health"), "condition", marks, ("uSS",), grid=(), repetitions=1))
    mse = rows[rows["metric"] == "mse"]["scope"].to_numpy(object)
    assert set(mse) == set(Scope)
    assert {type(each) for each in mse} == {str}
    assert json.dumps([Scope.OTHER]) == '["other"]'
    assert f"{Scope.OTHER}" == "other"
    assert pickle.loads(pickle.dumps(Scope.OTHER)) is Scope.OTHER


def test_the_limit_takes_a_scope_as_text():
    for scope in ALIKE:
        assert limit.best("ULDP", 9, 3, 1.0, weight=str(scope)) == limit.best("ULDP", 9, 3, 1.0, weight=scope)
        one, other = (limit.best_sets(9, 3, 2, 1.0, weight=weight) for weight in (str(scope), scope))
        assert repr(one) == repr(other)  # what was not minimised is nan
