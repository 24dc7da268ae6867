"""Studies of version 1, with several settings of marks: their files and links in today's words, and what is refused."""

import json
from dataclasses import replace

import pytest

from ldpcore import data, study
from ldpcore.study import Choice, Comparison, Marks, Source, Study, StudyError, from_toml, means
from ldpcore.study.query import from_query
from ldpcore.study.serial import read_toml
from tests.each import for_each

PAGE = Study(Source("health"), "condition")
HEAD = 'version = 1\ncolumn = "condition"\n'
DATA = '[data]\nname = "health"\n'
FIRST, SECOND = Marks.of(["HIV"]), Marks((("epilepsy", "sensitive"), ("HIV", "secret")))
ARMS = """
[[arms]]
name = "narrow"
marks = { HIV = "sensitive" }
[[arms]]
name = "wide"
marks = { epilepsy = "sensitive", HIV = "secret" }
"""
ONE = ARMS[: ARMS.rindex("[[arms]]")]
LINK = {"arm.narrow": ["HIV"], "arm.wide": ["epilepsy", "HIV"], "secret.wide": ["HIV"]}


def of_file(arms: str = ARMS, options: str = "", head: str = HEAD) -> Study | Comparison:
    return read_toml(f"{head}{DATA}{arms}[options]\n{options}")


def of_link(**changes: list[str]) -> tuple[Study | Comparison, list[str]]:
    return from_query(LINK | {name.replace("_", ".", 1): values for name, values in changes.items()}, PAGE)


# two settings ---------------------------------------------------------------------------------------------------------

BOTH = Comparison(replace(PAGE, marks=FIRST), replace(PAGE, marks=SECOND), "narrow", "wide")


def test_two_settings_are_a_comparison_of_the_first_with_the_second() -> None:
    assert of_file() == BOTH
    assert of_link() == (BOTH, [])


def test_who_wants_one_study_of_it_has_the_first() -> None:
    """As before: phones ask under the first setting of marks."""
    assert from_toml(HEAD + DATA + ARMS) == BOTH.a


def test_one_setting_is_a_study() -> None:
    assert of_file(ONE) == BOTH.a
    assert from_query({"arm.narrow": ["HIV"]}, PAGE) == (BOTH.a, [])
    assert of_file("") == PAGE
    assert of_file(ARMS, head='column = "condition"\n') == BOTH  # without its version


def test_an_arm_without_marks_is_a_setting_too() -> None:
    back, refused = from_query({"arm.A": [""], "arm.B": ["HIV"]}, PAGE)
    assert (back, refused) == (Comparison(PAGE, BOTH.a), [])


def test_what_is_kept_beside_it_stays() -> None:
    """Each was compared with another ε; of two arms the first was shown."""
    beside = '[beside]\nname = "strict"\nother = "mild"\nepsilon = 0.5\n'
    for arms in (ONE, ARMS):
        both = read_toml(HEAD + DATA + arms + beside)
        assert both == Comparison(replace(BOTH.a, epsilon=0.5), BOTH.a, "strict", "mild")
    back = from_query(LINK | {"a.name": ["strict"], "a.other": ["mild"], "a.eps": ["0.5"]}, PAGE)
    assert back == (both, [])
    other = from_query({"arm.A": ["HIV"], "a.arm.A": ["epilepsy"]}, PAGE)
    assert other == (Comparison(replace(PAGE, marks=Marks.of(["epilepsy"])), BOTH.a), [])


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (("x" * 60, "y"), ("x" * 40, "y")),
        (("x" * 60, "x" * 61), ("A", "B")),
        (("", "b"), ("A", "B")),
        ((" a", "a"), ("A", "B")),
    ],
)
def test_names_that_are_none_today_become_some(given, kept) -> None:
    arms = "".join(f'[[arms]]\nname = "{name}"\n' for name in given)
    back, _ = from_query({f"arm.{name}": ["HIV"] for name in given}, PAGE)
    for both in (of_file(arms), back):
        assert (both.name_a, both.name_b) == kept


# people who chose -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "holders"), [({"choose": 0.3}, None), ({"choose": 0.3, "choose_marked": 0.8}, 0.8)]
)
def test_who_chose_the_second_setting_is_a_choice(options, holders) -> None:
    expected = replace(PAGE, marks=FIRST, choices=(Choice(SECOND, 0.3, holders),)).with_options(attacks=0)
    said = "\n".join(f"{name} = {value}" for name, value in {**options, "attacks": 0}.items())
    assert of_file(options=said) == expected
    link = {f"o_{name}": [json.dumps(value)] for name, value in {**options, "attacks": 0}.items()}
    assert of_link(**link) == (expected, [])


def test_of_means_each_setting_had_its_share() -> None:
    head = 'version = 1\ntask = "means"\ncolumn = "age"\nbins = [18.0, 98.0, 16]\n'
    arms = "".join(f'[[arms]]\nname = "{low}"\nmarks = {{ "{low}..98" = "sensitive" }}\n' for low in (80, 60, 40))
    made = of_file(arms, "choose = [0.5, 0.3, 0.2]", head)
    marks = [Marks.of([f"{low}..98"]) for low in (80, 60, 40)]
    assert (made.marks, made.choices) == (marks[0], (Choice(marks[1], 0.3), Choice(marks[2], 0.2)))
    assert not made.options.changed
    link = {"task": ["means"], "o.choose": ["[0.5, 0.3, 0.2]"], **{f"arm.{x}": [f"{x}..98"] for x in (80, 60, 40)}}
    back, refused = from_query(link, PAGE)
    assert (back.marks, back.choices, refused) == (made.marks, made.choices, [])
    table = data.load("health")
    assert means.fit(made, table)[1] == ()
    assert len(means.cell(made, means.prepare(made, table), "SDPM", 1.0).groups) == 3


@pytest.mark.parametrize("options", ["choose = []", "choose_marked = 0.5"])
def test_where_nobody_chose_two_settings_are_compared(options) -> None:
    assert of_file(options=options) == BOTH
    name, _, value = options.partition(" = ")
    assert of_link(**{f"o_{name}": [value]}) == (BOTH, [])


def test_it_runs() -> None:
    made = of_file(options="choose = 0.3\nattacks = 0")
    rows = study.run(replace(made, mechanisms=("uRR",), grid=(), repetitions=1))
    assert "mse:minimum-variance" in set(rows["metric"])


# refusals -------------------------------------------------------------------------------------------------------------

THREE = ARMS + '[[arms]]\nname = "none"\n'


@for_each(
    ("text", "sentence"),
    [
        ('arms = "A"\n', "the entry 'arms' is a list of tables with a name and marks"),
        ('arms = ["A"]\n', "the entry 'arms' is a list of tables with a name and marks"),
        ("arms = [{marks = {}}]\n", "the entry 'arms' is a list of tables with a name and marks"),
        ('arms = [{name = "A", marks = ["x"]}]\n', "the entry 'marks' is a table of what is marked and how"),
        ('arms = [{name = "A", marks = {x = "hidden"}}]\n', "the level of a mark must be one of sensitive, secret"),
        ("arms = []\n", r"a study needs at least one arm, and names that differ, got \[\]"),
        ('arms = [{name = "A"}, {name = "A"}]\n', r"names that differ, got \['A', 'A'\]"),
        ('marks = {x = "secret"}\n', r"version 1 says its marks in \[\[arms\]\], not in marks: leave one of them out"),
        ("choices = []\n", "not in choices: leave one of them out"),
        ("options = [1]\n", "the entry 'options' is a table"),
    ],
)
def test_an_old_file_is_refused_in_a_sentence(text, sentence) -> None:
    with pytest.raises(StudyError, match=sentence):
        read_toml(f"{HEAD}{text}{DATA}")


@for_each(
    ("arms", "choose", "sentence"),
    [
        (THREE, "[]", r"this study compares 3 settings of marks; two are compared now: keep two \[\[arms\]\]"),
        (THREE, "0.5", r"a share for each of the arms: 2, got 3 \[\[arms\]\]"),
        (ONE, "0.5", "the option choose needs two arms to choose between"),
        (ARMS, "[1.0]", r"a share for each of the arms: 1, got 2 \[\[arms\]\]"),
        (ARMS, "[0.5, 0.4]", "the option choose needs shares that sum to 1"),
        (ARMS, '["x", 0.4]', "the option choose holds shares of people: could not convert"),
        (ARMS, "1.5", "lies between 0 and 1, got 1.5"),
        (ARMS, "[1.5, -0.5]", "lies between 0 and 1, got -0.5"),
        (ARMS, '"x"', "the entry 'share' is a number, got 'x'"),
        (ARMS, "true\nchoose_marked = 2", "lies between 0 and 1, got 2"),
    ],
)
def test_senseless_choices_are_refused_in_a_sentence(arms, choose, sentence) -> None:
    with pytest.raises(StudyError, match=sentence):
        of_file(arms, f"choose = {choose}")


@pytest.mark.parametrize("value", ["1.5", "x", "[0.5]", "[0.5, 0.4]", "{}", "[" * 50_000])
def test_a_link_keeps_its_marks_where_its_choice_makes_no_sense(value) -> None:
    back, (sentence,) = of_link(o_choose=[value])
    assert back == BOTH.a
    assert sentence == f"The link's o.choose ({value[:60]}) makes no sense and was left out."


def test_a_link_compares_two_settings() -> None:
    back, (sentence,) = from_query({**LINK, "arm.third": [""]}, PAGE)
    assert back == BOTH
    assert sentence == "Of the link's 3 settings of marks two are compared; the others were left out."
    back, (sentence,) = from_query({"arm.A": ["x", "x"], "arm.B": ["x"]}, PAGE)
    assert (back, sentence) == (PAGE, "The link's marks make no sense and were left out.")
