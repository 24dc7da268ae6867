"""Every kind of trouble: the reading is right, or one click leads to the right value."""

from collections import Counter

import pytest

from ldpcore.data import AssumptionKind, ReadOptions, read
from ldpcore.data.recognisers import RECOGNISERS
from tests.cases import answers, numbers, rows
from tests.cases.case import Case

CASES = [*numbers.CASES, *rows.CASES, *answers.CASES]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_first_reading_or_one_click_is_right(case: Case):
    first = read(case.content, case.file)
    found = [each for each in first.assumptions if each.kind == case.kind and each.column in (case.column, None)]
    assert found, [each.sentence for each in first.assumptions]
    assert len(found) == 1
    if case.take is None:
        assert case.measure(first) == case.expected
        return
    other = read(case.content, case.file, found[0].alternatives[case.take].options)
    assert case.measure(other) == case.expected
    assert other.digest != first.digest or other.sets != first.sets


def test_every_kind_has_a_recogniser_and_four_cases():
    assert list(RECOGNISERS) == list(AssumptionKind)
    of_kind = Counter(case.kind for case in CASES)
    assert {kind: of_kind[kind] for kind in AssumptionKind if of_kind[kind] < 4} == {}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_is_assumed_is_whole(case: Case):
    """A sentence with evidence, and alternatives that can be read and say that they were decided."""
    first = read(case.content, case.file)
    keys = [each.key for each in first.assumptions]
    assert len(set(keys)) == len(keys)
    for each in first.assumptions:
        assert each.taken
        assert each.alternatives
        assert each.sentence in first.notes
        assert any(sign.isdigit() or sign in "“(" for sign in each.sentence), each.sentence
        if each.kind != case.kind:
            continue
        for other in each.alternatives:
            assert ReadOptions.from_table(other.options.to_table()) == other.options
            again = read(case.content, case.file, other.options)
            assert [decided for decided in again.assumptions if decided.decided], other
        left = read(case.content, case.file, first.options.leaving(each.key))
        assert left.frame.equals(first.frame)
        assert left.digest == first.digest
        assert each.key not in [open_.key for open_ in left.assumptions if open_.is_open]
