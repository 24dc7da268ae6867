"""Two settings in one file, one link, one table: `Comparison`, and how exposed a question is in both."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy import stats

from ldpcore import catalog, data, study
from ldpcore.cli import main
from ldpcore.questionnaire.pairs import PairComparison, difference, unpaired
from ldpcore.rng import stream
from ldpcore.study import Choice, Comparison, Marks, Source, Study, StudyError, review
from ldpcore.study.query import from_query, to_query
from ldpcore.study.serial import read_toml, to_toml
from tests.each import for_each
from tests.unit.test_questionnaire import LABELS, MARKS, MASK, SHARES, answers, exactly, table

BASE = Study(Source("health"), "condition", Marks.of(["HIV"]), ("GRR", "uRR"), grid=(), repetitions=1)
OTHERS = {
    "the same": BASE,
    "epsilon": replace(BASE, epsilon=3.0),
    "marks": replace(BASE, marks=Marks.of(["HIV", "diabetes"])),
    "no marks": replace(BASE, marks=Marks()),
    "people and bins": replace(BASE, n=500, bins=(0.0, 10.0, 5)),
    "options": BASE.with_options(attacks=0),
    "mechanisms": replace(BASE, mechanisms=("uSS",)),
    "choices": replace(BASE, choices=(Choice(Marks((("flu", "secret"),)), 0.3, 0.5), Choice(Marks(), 0.2))),
}


@for_each("one", OTHERS)
@for_each("two", OTHERS)
def test_a_file_and_a_link_have_both(one: str, two: str) -> None:
    both = Comparison(OTHERS[two], OTHERS[one], "strict", "mild")
    assert read_toml(to_toml(both)) == both
    assert study.from_toml(to_toml(both)) == both.b
    assert from_query(to_query(both, True), BASE) == (both, [])
    assert from_query(to_query(both, False), BASE) == from_query(to_query(both.b, False), BASE)


def test_only_what_differs_is_said() -> None:
    both = Comparison(OTHERS["epsilon"], BASE)
    said = to_toml(both).partition("[beside]")[2]
    assert said.split() == ["name", "=", '"A"', "other", "=", '"B"', "epsilon", "=", "3.0"]
    only = {name: values for name, values in to_query(both, True).items() if name not in to_query(BASE, True)}
    assert only == {"a.name": ["A"], "a.other": ["B"], "a.eps": ["3"]}


def test_a_file_and_a_link_of_one_setting_have_one() -> None:
    assert read_toml(study.to_toml(BASE)) == BASE
    assert from_query(to_query(BASE, True), BASE) == (BASE, [])


def test_both_are_named_the_kept_one_first() -> None:
    both = Comparison(OTHERS["epsilon"], BASE, "mild", "strict")
    assert both.named == {"mild": OTHERS["epsilon"], "strict": BASE}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"b": Study(Source("health"), "age", task="means")}, "two settings are of one task, got frequency and means"),
        ({"name_a": " "}, "the name of a setting has 1 to 40 characters, got ' '"),
        ({"name_b": "x" * 41}, "the name of a setting has 1 to 40 characters, got 'x"),
        ({"name_a": "B"}, "two settings have different names, got 'B' for both"),
    ],
)
def test_a_comparison_refuses_what_makes_no_sense(changed, message) -> None:
    with pytest.raises(ValueError, match=message):
        replace(Comparison(BASE, OTHERS["epsilon"]), **changed)


@pytest.mark.parametrize(
    "said",
    ['beside = "A"', '[beside]\nname = ""', '[beside]\nname = "B"', "[beside]\nplanet = 1", '[beside]\ntask = "sets"',
     "[beside]\nname = 3", "[beside]\nepsilon = -1.0"],
)  # fmt: skip
def test_nonsense_is_refused_with_a_sentence(said: str) -> None:
    text = 'column = "condition"\ndata = {name = "health"}\n'
    text = f"{said}\n{text}" if said.startswith("beside") else f"{text}{said}"
    with pytest.raises(StudyError, match=r"\w+ \w+ \w+"):
        read_toml(text)


@pytest.mark.parametrize("query", [{"a.name": ["B"]}, {"a.task": ["sets"]}, {"a.name": [""], "a.other": ["A"]}])
def test_a_senseless_link_keeps_its_study(query: dict[str, list[str]]) -> None:
    made, refused = from_query(to_query(BASE, True) | query, BASE)
    assert made == BASE
    assert len(refused) == 1


def test_the_terminal_prints_both_and_says_which(tmp_path) -> None:
    file, out = tmp_path / "study.toml", tmp_path / "out.csv"
    file.write_text(to_toml(Comparison(OTHERS["epsilon"], BASE, "loose", "strict")), encoding="utf-8")
    printed = CliRunner().invoke(main, ["run", str(file)])
    assert printed.exit_code == 0, printed.output
    head, *lines = printed.stdout.strip().splitlines()
    assert head.split()[0] == "setting"
    assert list(dict.fromkeys(line.split()[0] for line in lines)) == ["loose", "strict"]
    assert CliRunner().invoke(main, ["run", str(file), "-o", str(out)]).exit_code == 0
    rows = pd.read_csv(out)
    for name, asked in (("loose", OTHERS["epsilon"]), ("strict", BASE)):
        alone = rows[rows["setting"] == name].drop(columns="setting").reset_index(drop=True)
        pd.testing.assert_frame_equal(alone, study.run(asked), check_dtype=False, rtol=1e-12)


# exposure in both ---------------------------------------------------------------------------------------------------

SURVEY = Study(
    Source("people.csv"), "target", Marks.of([f"target = {mark}" for mark in MARKS]), ("uSS",), 0.5, grid=(),
    task="review",
)  # fmt: skip


@pytest.fixture(scope="module")
def people() -> review.SurveyTable:
    """Independent columns: beside the own report nothing tells anything."""
    noise = stream(2, "noise").choice(["x", "y"], (2, 20_000))
    return review.prepare(SURVEY, table(target=answers(), one=noise[0], two=noise[1]))


def test_the_same_setting_twice_is_no_change(people) -> None:
    found = review.compare(SURVEY, SURVEY, people, "target")
    assert (found.gap, found.low, found.high) == (0, 0, 0)
    assert found.paired
    assert found.none


def test_the_paired_difference_is_that_of_the_closed_forms(people) -> None:
    """Of the own report on independent columns: the interval holds the exact difference, and does not hold 0."""
    found = review.compare(SURVEY, replace(SURVEY, epsilon=3.0), people, "target")
    exact = [exactly(catalog.FREQUENCY["uSS"].build(x, len(LABELS), MASK), SHARES) for x in (0.5, 3.0)]
    assert found.paired
    assert found.low <= exact[1] - exact[0] <= found.high
    assert found.low > 0
    assert found.gap == pytest.approx(found.after.pairs - found.before.pairs)
    assert (found.low, found.high) == difference(found.before.told, found.after.told)[1:]
    back = review.compare(replace(SURVEY, epsilon=3.0), SURVEY, people, "target")
    assert (back.gap, back.low, back.high) == pytest.approx((-found.gap, -found.high, -found.low))


def test_other_marks_are_other_crowds(people) -> None:
    more = replace(SURVEY, marks=Marks.of([f"target = {mark}" for mark in (*MARKS, "c")]))
    found = review.compare(SURVEY, more, people, "target")
    assert not found.paired
    assert (found.gap, found.low, found.high) == unpaired(found.before.told, found.after.told)


def test_the_difference_of_two_crowds_is_wider_than_that_of_one() -> None:
    won = stream(1, "won").random(400)
    one, other = (PairComparison(float(each.mean()), each, each, each, each) for each in (won, won + 0.01))
    assert unpaired(one, other)[0] == difference(one, other)[0] == pytest.approx(0.01)
    low, high = unpaired(one, other)[1:]
    assert high - low == pytest.approx(2 * stats.t.ppf(0.975, 399) * np.sqrt(4 * won.var(ddof=1) / 400), rel=1e-4)
    assert high - low > difference(one, other)[2] - difference(one, other)[1]


def test_fewer_questions_are_the_same_people(people) -> None:
    fewer = SURVEY.with_options(columns=("target", "one"))
    then = review.prepare(fewer, people.table)
    found = review.compare(SURVEY, fewer, people, "target", then)
    assert found.paired
    assert found.none


def test_what_is_open_cannot_be_compared(people) -> None:
    with pytest.raises(ValueError, match="not hidden"):
        review.compare(SURVEY, SURVEY, people, "one")
    whole = SURVEY.with_options(hidden=("one",))
    with pytest.raises(ValueError, match="Every answer"):
        review.compare(whole, whole, people, "one")


def test_the_rows_of_a_run_are_the_compared_ones() -> None:
    source = data.load("census")
    marks = Marks.of(["marital-status = Divorced", "income = >50K"])
    asked = Study(Source.of(source), "income", marks, grid=(), repetitions=1, task="review")
    asked = asked.with_options(columns=("marital-status", "relationship", "income"))
    rows = study.run(asked).set_index(["scope", "metric"])["value"]
    found = review.compare(asked, asked.with_options(attacker="own"), review.prepare(asked, source), "income")
    assert (found.before.pairs, found.after.pairs) == (rows["income", "pairs"], rows["income", "own"])
    assert found.high < 0
