"""Every kind of trouble: the reading is right, or one click leads to the right value."""

from collections import Counter

import pytest

from ldpcore.data import AssumptionKind, ReadOptions, read
from ldpcore.data.recognisers import RECOGNISERS
from tests.cases import answers, audit, brothers, numbers, rows
from tests.cases.case import Case, counted, counts, draw, items, items_of, mean, mean_of, table, text
from tests.cases.case import people as people_of

CASES = [*numbers.CASES, *rows.CASES, *answers.CASES, *brothers.CASES, *audit.CASES]


def of_each_kind(one_in: int) -> list:
    """All cases, of which the usual suite takes one in so many of each kind: its first, and so on."""
    of_kind: Counter[AssumptionKind] = Counter()
    made = []
    for case in CASES:
        made.append(pytest.param(case, marks=pytest.mark.thorough if of_kind[case.kind] % one_in else ()))
        of_kind[case.kind] += 1
    return made


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


@pytest.mark.parametrize("case", of_each_kind(6), ids=str)
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


def test_a_group_that_repeats_is_a_set_of_what_it_holds():
    made = read(brothers.GROUPS, "kobo.json")
    assert items(made) == items_of(("PrEP", "aspirin")[: age % 3] for age in brothers.AGES)


# what looks alike and is none ----------------------------------------------------------------------------------------


def test_classes_and_rooms_are_no_panel():
    """Answers with a letter and a digit name people only in stretches of equally many rows."""
    several = [f"{letter}{n}" for letter in "ab" for n in range(20, 30)]
    shuffled = table(["room", "q"], [draw(1, several, 200), draw(2, "uv", 200)])
    in_turn = table(["room", "q"], [several * 10, draw(2, "uv", 200)])
    uneven = table(["room", "q"], [[room for i, room in enumerate(several) for _ in range(2 + i % 3)],
                                   draw(2, "uv", sum(2 + i % 3 for i in range(20)))])  # fmt: skip
    few = table(["room", "q"], [[room for room in several[:7] for _ in range(9)], draw(2, "uv", 63)])
    words = table(["room", "q"], [[f"{'abcdefghijklmnopqrst'[i]} hall" for i in range(20) for _ in range(9)],
                                  draw(2, "uv", 180)])  # fmt: skip
    for content in (shuffled, in_turn, uneven, few, words):
        assert not [each for each in read(content, "r.csv").assumptions if each.kind == AssumptionKind.PEOPLE]
    panel = table(["room", "q"], [[room for room in several for _ in range(9)], draw(2, "uv", 180)])
    assert [each.column for each in read(panel, "r.csv").assumptions if each.kind == AssumptionKind.PEOPLE] == ["room"]


@pytest.mark.parametrize("content", [
    b"opinion\n" + b"I like tea\nTea is good for all of us\nNo\nNever again\nI do not know\n" * 9,
    b"city\n" + b"New York\nSan Jose\nLos Angeles\nSan Diego\n" * 9,
    b"street number\n" + b"Main street\nOak lane\nElm road\n" * 9,
    b"name, city\n" + b"Ann, Oslo\nBob, Rome\n" * 9,
    b"age, kg\n" + b"34, 70\n51, 80\n" * 9,
])  # fmt: skip
def test_blanks_in_texts_separate_nothing(content):
    made = read(content, "t.csv")
    assert not [each for each in made.assumptions if each.kind == AssumptionKind.FORMAT]
    assert made.frame.shape[1] == 1 + (b"," in content)


@pytest.mark.parametrize("cells", [
    [f"{a}:{b}" for a in range(5) for b in range(5)],                      # football
    [f"{a}:{b}" for a in range(24, 34) for b in (19, 23, 25, 28, 31)],     # handball
    [f"1:{b}" for b in (10, 20, 50, 100, 200, 25)],                        # dilutions
    [f"{a}:{b}" for a in (3, 4, 16, 21) for b in (2, 3, 9, 10)],           # of screens
    [f"{a}-{b:02}" for a in range(2, 9) for b in range(0, 60, 15)],
])  # fmt: skip
def test_scores_and_ratios_are_no_times(cells):
    made = read(table(["result", "g"], [draw(1, cells, 300), draw(2, "ab", 300)]), "r.csv")
    assert not [each for each in made.assumptions if each.kind == AssumptionKind.NUMBERS]


def test_two_columns_with_gaps_are_no_baskets():
    """Amounts, answers that recur on a line, and two fields a line are columns; lines of items are not."""
    gaps = [
        [value, other] for value, other in zip(draw(1, [1.5, 2.25, -3], 60), draw(2, [1.5, 2.25, ""], 60), strict=True)
    ]
    twice = [[*draw(i, ["yes", "no"], 2), *draw(i + 100, ["yes", "no", ""], 1)] for i in range(60)]
    for rows_ in (gaps, twice):
        made = read(text([["a", "b", "c"][: len(rows_[0])], *rows_]), "t.csv")
        assert "items" not in made.sets
        assert len(made.frame) == 60
    things = ["milk", "rice", "soap", "tea", "egg", "jam"]
    lists = [sorted(set(draw(i, things, 1 + i % 4)), key=str.lower)[:: 1 - 2 * (i % 2)] for i in range(60)]
    padded = [[*each, *[""] * (4 - len(each))] for each in lists]
    assert read(text(padded), "b.csv").baskets("items").n == 60


@pytest.mark.parametrize(("end", "quote"), [("\n", '"'), ("\r\n", '"'), ("\r", '"'), ("\r", "")])
def test_line_ends_within_cells_end_no_line(end, quote):
    """Of every system, and of another one than the file's own, which pandas writes without quotes."""
    given = draw(1, ["one", "two\nlines", "three"], 60)
    numbers_ = draw(2, [1.5, 2.25, 70.125], 60)
    content = end.join(
        ["q,n", *(f"{quote}{word}{quote},{number}" for word, number in zip(given, numbers_, strict=True)), ""]
    )
    made = read(content.encode(), "m.csv")
    assert people_of(made) == 60
    assert {" ".join(label.split()): n for label, n in counts("q")(made).items()} == {
        " ".join(label.split()): n for label, n in counted(given).items()
    }
    assert mean("n")(made) == mean_of(numbers_)
