"""A Study as a file and as a link: what goes in comes out, and what makes no sense is answered with a sentence."""

import json
import tomllib
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ldpcore import catalog
from ldpcore.study import Choice, Comparison, Marks, Source, Study, StudyError, from_json, from_toml, to_json, to_toml
from ldpcore.study.definition import KINDS, MISSING
from ldpcore.study.marks import LEVELS
from ldpcore.study.query import from_query, to_query
from ldpcore.study.serial import read_toml, to_dict
from tests.each import for_each

text = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=10)
epsilons = st.floats(1e-3, 40)
marks = st.dictionaries(text, st.sampled_from(LEVELS), max_size=4).map(lambda levels: Marks(tuple(levels.items())))
shares = st.floats(0, 0.5)
names = st.lists(text.filter(str.strip), min_size=2, max_size=2, unique=True)
mechanisms = st.lists(st.sampled_from(sorted(catalog.FREQUENCY)), min_size=1, unique=True).map(tuple)
option = st.one_of(st.integers(-5, 5), st.floats(0, 1), text, st.lists(text, max_size=3).map(tuple))


TASKS = tuple(sorted(KINDS))


def choices(task):
    """Of a task whose people choose their marks: of two kinds of people at most, who are not more than all."""
    known = KINDS[task].choices
    if not known:
        return st.just(())
    holders = st.none() | shares if "holders" in known else st.none()
    return st.lists(st.builds(Choice, marks, shares, holders), max_size=2).map(tuple)


@st.composite
def studies(draw, tasks=TASKS):
    task = draw(st.sampled_from(tasks))
    axis = draw(st.sampled_from(KINDS[task].axes))
    points = st.sampled_from([1.0, 8.0, 1024.0]) if axis == "N" else epsilons
    return Study(
        data=Source(draw(text), draw(st.sampled_from(["", "ab" * 32]))),
        column=draw(text),
        marks=draw(marks),
        choices=draw(choices(task)),
        mechanisms=draw(mechanisms),
        epsilon=draw(epsilons),
        task=task,
        axis=axis,
        grid=tuple(draw(st.lists(points, max_size=4))),
        n=draw(st.none() | st.integers(1, 10**12)),
        missing=draw(st.sampled_from(MISSING)),
        bins=draw(st.none() | st.just((0.0, 10.5, 4))),
        repetitions=draw(st.integers(1, 10_000)),
        seed=draw(st.integers(0, 2**63 - 1)),
        secret_epsilon=draw(st.none() | epsilons),
    ).with_options(**draw(options(task)))


@st.composite
def options(draw, task):
    """Some of the task's options, each with a value that it can have."""
    names = draw(st.lists(st.sampled_from(KINDS[task].options.names()), unique=True, max_size=3))
    values = VALUES | OF_A_REVIEW if task == "review" else VALUES
    return {name: draw(st.sampled_from(values[name])) for name in names}


VALUES = {
    "attacks": (0, 7), "priors": ((), ("uniform", "targeted")), "postprocessing": ((), ("clip",)), "guess": (0.25, 1.0),
    "as_one": ((), ("ä b + sex",)),
    "own": ("0.5 0.5\nä b",), "m": (1, 9), "simulated": (2, 40), "marked": (0.0, 0.5), "targets": (0, 3),
    "estimates": ((), ("em",)), "delta": (0.5, 12.0), "ranges": (0, 9), "asked": ((), ("3:7", "1:8")),
    "columns": ((), ("ä b", "sex")), "k": (2, 50), "attack": (False, True), "min_count": (0.02, 500), "s": (0.4, 2.0),
    "same": ("s",), "clip": (10.0,), "length": (4,), "levels": (3,), "candidate_count": (20.0,), "max_length": (2,),
    "hidden": ((), ("sex",)), "known": ((), ("ä b",)), "scheme": ("one",), "budget": ("person",), "attacker": ("own",),
    "within": (0.02,), "denying": (4,), "parts": ((), ("ä b = 0.8",)), "title": ("Clinic, ä",), "popularity": (0.5,),
    "setting": ("as one", "open"), "groups": ("ä b",), "answer": ((), ("yes", "ä")), "compare": (("x",),),
    "versus": (("y", "z"),), "about": ("these",), "join": (True,), "reports": (0, 500),
}  # fmt: skip
OF_A_REVIEW = {"ranges": ((), ("age = 20..90/7",))}
"""Option → values that it can have."""


@st.composite
def comparisons(draw):
    b = draw(studies())
    changed = draw(studies((b.task,)))
    told = draw(st.lists(st.sampled_from(CHANGES), unique=True))
    return Comparison(replace(b, **{name: getattr(changed, name) for name in told}), b, *draw(names))


CHANGES = ("data", "column", "marks", "choices", "mechanisms", "n", "missing", "bins", "repetitions", "seed", "options")
"""What two settings may differ in apart from one another; ε comes with its secret one, the axis with its grid."""


@given(studies())
def test_files_round_trip(study):
    assert from_toml(to_toml(study)) == study
    assert from_json(to_json(study)) == study
    # A file is plain data: another program can read it.
    assert tomllib.loads(to_toml(study)) == json.loads(to_json(study)) == to_dict(study)


@settings(max_examples=20)
@given(comparisons())
def test_files_of_two_settings_round_trip(both):
    assert read_toml(to_toml(both)) == both
    assert from_toml(to_toml(both)) == both.b


PAGE = Study(Source("x"), "", missing="column", seed=1)


def of_link(study, page):
    """What a link has of it."""
    grid = page.grid if study.axis == KINDS[study.task].axes[0] else ()
    return replace(study, data=Source(study.data.name), grid=grid)


@settings(max_examples=30)
@given(studies())
def test_links_round_trip(study):
    """For public data the link carries everything but the grid, which is the page's own, and the digest."""
    page = replace(PAGE, missing="any")
    back, refused = from_query(to_query(study, public=True), page)
    assert refused == []
    assert back == of_link(study, page)


@settings(max_examples=20)
@given(comparisons())
def test_links_of_two_settings_round_trip(both):
    page = replace(PAGE, missing="any")
    back, refused = from_query(to_query(both, public=True), page)
    assert refused == []
    assert back == replace(both, a=of_link(both.a, page), b=of_link(both.b, page))
    assert to_query(both, public=False) == to_query(both.b, public=False)


@settings(max_examples=30)
@given(studies())
def test_the_link_of_an_upload_carries_nothing_of_the_data(study):
    page = PAGE
    link = to_query(study, public=False)
    assert set(link) - {"missing", "task", "axis", "n", "eps2"} == {"eps", "m", "reps", "seed"}
    back, refused = from_query(link, page)
    assert refused == []
    assert (back.data, back.column, back.marks, back.choices) == (page.data, page.column, page.marks, page.choices)
    assert (back.epsilon, back.mechanisms) == (study.epsilon, study.mechanisms)


PAGE = Study(Source("census"), "education")


def test_no_marks_survive_the_link():
    assert from_query(to_query(PAGE, public=True), replace(PAGE, marks=Marks.of(["x"])))[0].marks == Marks()


@for_each(
    ("query", "sentence"),
    [
        ({"eps": ["-1"]}, "The link's eps (-1) makes no sense and was left out."),
        ({"eps": ["much"]}, "The link's eps (much) makes no sense and was left out."),
        ({"eps": ["nan"]}, "The link's eps (nan) makes no sense and was left out."),
        ({"reps": ["0"]}, "The link's reps (0) makes no sense and was left out."),
        ({"seed": ["1.5"]}, "The link's seed (1.5) makes no sense and was left out."),
        ({"marks": ["x", "x"]}, "The link's marks make no sense and were left out."),
        ({"choices": ["[1.5, null, {}]"]}, "The link's choices ([1.5, null, {}]) makes no sense and was left out."),
        ({"choices": ["[0.5]"]}, "The link's choices ([0.5]) makes no sense and was left out."),
    ],
)
def test_nonsense_in_a_link_is_left_out_and_said(query, sentence):
    study, refused = from_query(query, PAGE)
    assert study == PAGE
    assert refused == [sentence]


def test_the_rest_of_a_link_still_counts():
    study, refused = from_query({"eps": ["no"], "reps": ["3"], "utm_source": ["mail"]}, PAGE)
    assert study == replace(PAGE, repetitions=3)
    assert len(refused) == 1


@given(
    st.dictionaries(
        st.sampled_from(
            [
                "eps",
                "m",
                "reps",
                "seed",
                "data",
                "column",
                "arm.",
                "arm.A",
                "o.choose",
                "marks",
                "choices",
                "a.eps",
                "x",
            ]
        ),
        st.lists(st.text(max_size=6), max_size=3),
    )
)
def test_any_link_gives_a_study(query):
    study, refused = from_query(query, PAGE)
    assert isinstance(study, Study | Comparison)
    assert all(sentence.endswith("left out.") for sentence in refused)


GOOD = to_dict(PAGE)
BAD = {
    "no data": ({k: v for k, v in GOOD.items() if k != "data"}, "a study needs the entry 'data'"),
    "no column": ({k: v for k, v in GOOD.items() if k != "column"}, "a study needs the entry 'column'"),
    "unknown entry": (GOOD | {"epsilons": [1]}, "a study has no entry epsilons; it knows axis, bins, choices"),
    "later version": (GOOD | {"version": 3}, "this study has version 3; this ldpcore reads versions 1 and 2"),
    "epsilon 0": (GOOD | {"epsilon": 0}, "this is not a usable study: epsilon must be positive and finite, got 0"),
    "epsilon text": (GOOD | {"epsilon": "x"}, "the entry 'epsilon' is a number, got 'x'"),
    "data text": (GOOD | {"data": "census"}, "the entry 'data' is a table with a name"),
    "data without name": (GOOD | {"data": {"digest": "x"}}, "the entry 'data' is a table with a name"),
    "missing list": (GOOD | {"data": {"name": "census", "missing": ["x"]}}, "missing is a table, too"),
    "missing text": (GOOD | {"data": {"name": "census", "missing": {"a": "b"}}}, "columns and answers in lists"),
    "marks list": (GOOD | {"marks": ["x"]}, "the entry 'marks' is a table of what is marked and how"),
    "a level": (GOOD | {"marks": {"x": "hidden"}}, "the level of a mark must be one of sensitive, secret"),
    "choices text": (GOOD | {"choices": "x"}, "the entry 'choices' is a list of tables with marks and a share"),
    "choice text": (GOOD | {"choices": ["x"]}, "the entry 'choices' is a list of tables with marks and a share"),
    "no share": (GOOD | {"choices": [{"marks": {}}]}, "the entry 'choices' is a list of tables with marks and a share"),
    "share text": (GOOD | {"choices": [{"share": "x"}]}, "the entry 'share' is a number, got 'x'"),
    "holders text": (GOOD | {"choices": [{"share": 0.1, "holders": "x"}]}, "the entry 'holders' is a number, got 'x'"),
    "a share": (GOOD | {"choices": [{"share": 1.5}]}, "lies between 0 and 1, got 1.5"),
    "shares": (GOOD | {"choices": [{"share": 0.6}, {"share": 0.6}]}, "add up to more than 1"),
    "choices in sets": (GOOD | {"task": "sets", "axis": "epsilon", "choices": [{"share": 0.6}]}, "not in sets"),
    "two bins": (GOOD | {"bins": [0, 1]}, "the entry 'bins' is a list of three numbers, from, to and how many, got 2"),
    "bins text": (GOOD | {"bins": [0, 1, "x"]}, "the entry 'bins' holds numbers alone, got 'x'"),
    "options list": (GOOD | {"options": [1]}, "the entry 'options' is a table"),
    "grid text": (GOOD | {"grid": "abc"}, "the entry 'grid' is a list of numbers"),
    "mechanisms text": (GOOD | {"mechanisms": "GRR"}, "the entry 'mechanisms' is a list of names, got str"),
    "a list": ([GOOD], "a study is a table of entries, got list"),
    "a number": (5, "a study is a table of entries, got int"),
    "nothing": (None, "a study is a table of entries, got NoneType"),
}


@for_each(("content", "sentence"), BAD.values())
def test_a_bad_file_is_refused_in_a_sentence(content, sentence):
    with pytest.raises(StudyError, match=sentence):
        from_json(json.dumps(content))


def test_what_is_no_file_of_that_kind_at_all():
    with pytest.raises(StudyError, match="this is not a TOML file: "):
        from_toml("a = = b")
    with pytest.raises(StudyError, match="this is not a JSON file: "):
        from_json("{")


def test_a_short_file_takes_the_defaults():
    short = from_toml('column = "education"\n[data]\nname = "census"\n')
    assert short == PAGE


def test_whole_floats_in_a_file_are_whole():
    written = to_toml(PAGE).replace("repetitions = 10", "repetitions = 10.0") + "\n"
    assert from_toml("n = 1e6\n" + written.split("\n", 1)[1]) == replace(PAGE, n=1_000_000)
