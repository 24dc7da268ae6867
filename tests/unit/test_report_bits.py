"""How long a report is: by hand, by the number of different reports, in the facts and in the planner's table."""

from math import comb

import numpy as np
import pytest

from ldpcore import Marks, Source, Study, catalog, plan
from ldpcore.plan.answers import Given, table
from ldpcore.study import facts
from ldpcore.study.quantities import table as quantities
from tests.each import for_each
from tests.laws import cases

K, MARKS = 16, np.arange(16) < 6
BY_HAND = {
    "GRR": 4, "RAPPOR": 16, "OUE": 16, "THE": 16, "SHE": 16 * 32, "OLH": 64 + 2, "SS": 11,  # C(16, 4) = 1 820
    "uRR": 4, "uRAP": 10, "uOUE": 10,  # 2⁶ patterns beside one of 10 open bits or none
    "uSS": 5, "uLH": 64 + 4, "SDGRR": 4,  # C(6, 2) + 10 = 25; 4 buckets + 10
}  # fmt: skip


@for_each("key", BY_HAND)
def test_by_hand(key):
    m = catalog.FREQUENCY[key].build(1.0, K, MARKS)
    assert m.report_bits() == BY_HAND[key]


def test_by_hand_where_the_size_is_chosen():
    assert (catalog.FREQUENCY["SS"].build(1.0, K).w, comb(16, 4)) == (4, 1820)
    assert catalog.FREQUENCY["uSS"].build(1.0, K, MARKS).w == 2
    assert [entry.build(1.0).report_bits() for entry in catalog.MEANS.values()] == [
        1 if key == "Duchi" else 64 for key in catalog.MEANS
    ]


@for_each("key", [*cases.TABLED, *catalog.LEVELS])
def test_all_reports_have_a_code_of_this_length_and_none_shorter(key):
    leveled = key in catalog.LEVELS
    m = catalog.LEVELS[key].build([np.inf, 2.0, 2.0, 0.5]) if leveled else cases.build(key, 1.0, 5, 2)
    different = len(np.unique(m.outputs(), axis=0))
    assert 2 ** m.report_bits() >= different > 2 ** (m.report_bits() - 1)


class OneColumn:
    def of(self, key):
        return plan.frequency(key, K, MARKS)

    def limit(self):
        return plan.limit("ULDP", K, 6)


def test_the_planner_says_it_at_the_epsilon_that_it_answers():
    given = Given("epsilon", "epsilon", people=10_000, epsilon=1.0, success=0.5, within=0.05)
    rows = table(OneColumn(), ["GRR", "uSS", "OLH"], given).set_index("mechanism")
    for key in ("GRR", "uSS", "OLH"):
        built = catalog.FREQUENCY[key].guessing(None, rows.loc[key, "epsilon"], K, MARKS)
        assert rows.loc[key, "bits"] == built.report_bits()
    assert np.isnan(rows.loc["", "bits"])
    of_sets = plan.sets("uPrivSet", 64, 4, [True] * 16 + [False] * 48)
    assert of_sets.bits(1.0) == catalog.SETS["uPrivSet"].build(1.0, 64, [True] * 16 + [False] * 48, 4).report_bits()
    assert plan.means("Duchi").bits(1.0) == 1


def test_facts_say_it():
    asked = Study(Source("census"), "education", marks=Marks.of(["Doctorate"]), mechanisms=("GRR", "OUE"), epsilon=1.0)
    found = quantities(facts(asked))
    said = found[(found["name"] == "bits")]
    assert dict(zip(said["mechanism"], said["value"], strict=True)) == {"GRR": 4, "OUE": 16}
    asked = Study(Source("health"), "weight", mechanisms=("Duchi", "PM"), task="means", bins=(30, 150, 32))
    found = quantities(facts(asked))
    said = found[(found["name"] == "bits")]
    assert dict(zip(said["mechanism"], said["value"], strict=True)) == {"Duchi": 1, "PM": 64}


@pytest.mark.parametrize("key", ["GRR", "uSS"])
def test_two_answers_are_two_reports_and_a_pair_is_one(key):
    """Smoking has 4 answers, sex 2; in the open a group takes 2 bits."""
    marks = Marks.of(["smoking = every day", "sex = male"])
    made = Study(Source("health"), "sex", marks, (key,), epsilon=2.0, task="relations", options={"groups": "smoking"})
    sizes = {setting: facts(made.with_options(setting=setting)).parts[key] for setting in ("apart", "as one", "open")}
    each = [one.mechanism.report_bits() for one in (sizes["apart"].design.x, sizes["apart"].design.y)]
    assert sizes["apart"].bits == sum(each)
    assert sizes["as one"].bits == sizes["as one"].design.pair.mechanism.report_bits()
    assert sizes["open"].bits == 2 + sizes["open"].design.y.mechanism.report_bits()
    if key == "GRR":
        assert [one.bits for one in sizes.values()] == [2 + 1, 3, 2 + 1]


def test_every_hidden_question_of_a_review_says_it():
    asked = Study(Source("census"), "education", Marks.of(["education = Doctorate"]), grid=(), task="review")
    known = facts(asked.with_options(columns=("education", "sex")))
    for one in known.every.values():
        assert one.bits == one.asked.built.report_bits() >= 1
