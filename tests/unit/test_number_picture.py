"""What a drawing beside a question shows: the numbers and those that may be none, as they are counted by hand."""

import re

import pytest

from ldpapp.views.data import drawings
from ldpcore.data import AssumptionKind, read
from ldpcore.data.number_picture import picture
from ldpcore.data.readings import ReadingQuestion
from tests.cases.case import draw, table

AGES = [*draw(1, range(18, 90), 300), *[-99] * 17, *[999] * 8]
SEXES = draw(2, "fm", len(AGES))


def test_bars_and_special_numbers_are_all_people():
    made = read(table(["age", "sex"], [AGES, SEXES]), "a.csv")
    lies = picture(made, "age", ["999", "-99", "x"], 12)
    assert lies is not None
    assert (lies.low, lies.high) == (min(age for age in AGES if age > 0), max(age for age in AGES if age < 99))
    assert (lies.below, lies.within, lies.above) == ((("-99", 17),), (), (("999", 8),))
    width = (lies.high - lies.low) / 12
    right = [0] * 12
    for age in AGES[:300]:
        right[min(11, int((age - lies.low) / width))] += 1
    assert list(lies.counts) == right
    assert lies.most == max(right)


@pytest.mark.parametrize(("column", "special"), [("sex", ["f"]), ("age", []), ("age", ["x"]), ("none", ["9"])])
def test_nothing_is_drawn_of_what_has_no_numbers(column, special):
    assert picture(read(table(["age", "sex"], [AGES, SEXES]), "a.csv"), column, special) is None
    same = read(table(["age", "sex"], [[5] * 20 + [99] * 5, SEXES[:25]]), "a.csv")
    assert picture(same, "age", ["99"]) is None, "one number has no range"
    inside = picture(read(table(["age"], [AGES]), "a.csv"), "age", ["50"])
    assert inside is not None
    assert inside.within == (("50", AGES.count(50)),)


def test_the_drawing_says_how_often_each_stands():
    made = read(table(["age", "sex"], [AGES, SEXES]), "a.csv")
    question = ReadingQuestion(AssumptionKind.MISSING, tuple(each for each in made.assumptions), made.options)
    shown = drawings.drawn(question, made, "age")
    assert re.findall(r"<span>(\d+) ×</span>", shown) == ["17", "8"]
    assert re.findall(r"<b>(-?\d+)</b>", shown) == ["-99", "999"]
    heights = [int(height) for height in re.findall(r"height:(\d+)%", shown)]
    assert max(heights) == 100
    assert len(heights) == 2 + 24


def test_a_cell_is_drawn_with_its_answers():
    cells = ["; ".join(sorted(set(draw(i, ["PrEP", "<b>", "insulin", "statin"], 1 + i % 3)))) for i in range(120)]
    made = read(table(["drugs", "age"], [cells, draw(3, range(20, 70), 120)]), "d.csv")
    (about,) = (each for each in made.assumptions if each.kind is AssumptionKind.CELLS)
    shown = drawings.drawn(ReadingQuestion(AssumptionKind.CELLS, (about,), made.options), made, "")
    first = next(cell for cell in cells if ";" in cell)
    assert re.findall(r"<b>(.*?)</b>", shown) == [part.replace("<b>", "&lt;b&gt;") for part in first.split("; ")]
