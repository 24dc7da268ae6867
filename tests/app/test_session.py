"""The session holds Studies: what is chosen on one page stands on every page, in the link, and in the file."""

import math
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import ldpapp
from ldpapp import words
from ldpapp.state import actions, column_actions, column_settings
from ldpapp.state.model import study_of, table
from ldpapp.views.others import VIEWS
from ldpapp.views.tasks import TASKS
from ldpcore import data
from ldpcore.study import Study, from_toml, mark_kinds, ranges, tasks

from .opening import (
    alerts,
    ask,
    boxes,
    do,
    emptied,
    go,
    html,
    link,
    of_columns,
    opened,
    panels,
    plain,
    press,
    sentence,
    state,
    studies,
    study,
    twin,
    upload,
)

PAGES = [*(view.address for view in VIEWS if view.study), *(task.address for task in TASKS.values())]
MINE = data.read(
    b"town,age,pay\n"
    + b"".join(b"%s,%d,%d.5\n" % ((b"A", b"B", b"C", b"D")[i % 4], 20 + i % 60, 7 * i) for i in range(600)),
    "mine.csv",
)
pytestmark = pytest.mark.usefixtures("all_still")


Visited = tuple[AppTest, list[tuple[str, dict[str, object]]]]
"""Where a person has been everywhere, and what was kept after each page."""


def everywhere(at: AppTest) -> Visited:
    seen = [("", everything(at))]
    for page in PAGES:
        agree(go(at, page), page)
        seen.append((page, everything(at)))
    return at, seen


@pytest.fixture(scope="module")
def visited() -> dict[str, Visited]:
    return {"census": everywhere(opened()), "groceries": everywhere(opened(data="groceries"))}


@pytest.fixture(scope="module")
def census(visited) -> AppTest:
    return visited["census"][0]


@pytest.fixture(scope="module")
def groceries(visited) -> AppTest:
    return visited["groceries"][0]


@pytest.fixture(scope="module")
def mine(census) -> AppTest:
    return upload(twin(census), MINE)


SOURCES = {
    "census": ("review", "frequency", "sets", "means", "clusters", "ranges", "relations"),
    "groceries": ("sets", "itemsets"),
}
"""Bundled data → the tasks that are at home there."""
HOMES = [(name, task) for name, own in SOURCES.items() for task in own]


@pytest.fixture
def home(census, groceries) -> dict[str, AppTest]:
    return {"census": census, "groceries": groceries}


# what a page shows, against what the session has ------------------------------------------------------------------


def everything(at: AppTest) -> dict[str, object]:
    """All that a person has said."""
    own = state(at)
    return {
        "data": own.workspace.table.name,
        "studies": studies(at),
        "columns": dict(own.workspace.columns),
        "unchosen": emptied(at),
        "beside": dict(own.compared),
        "front": dict(own.current_column),
        "looks": {key: at.session_state.get(key) for task in TASKS.values() for key in task.looks},
    }


def agree(at: AppTest, address: str) -> None:
    """The sidebar, the page and what is kept say the same."""
    sentence(at)
    shown = next((task for task in TASKS.values() if task.address == address), None)
    own = state(at)
    if shown is None:
        assert at.selectbox(key="column").value == own.current_column[own.workspace.table.digest]
        shown = TASKS["sets" if at.selectbox(key="column").value in ask(at, actions.table).sets else "frequency"]
    elif address not in ("itemsets", "clusters") and study(at, shown.key).column:
        assert at.selectbox(key="column").value == study(at, shown.key).column
    assert at.selectbox(key="data").value == own.workspace.table.name
    made = study(at, shown.key)
    if not made.column:  # these data have nothing for this task: there is no Study to show
        return
    assert at.number_input(key="epsilon").value == at.select_slider(key="slider").value == made.epsilon
    if address == shown.address and boxes(at) == "":
        assert f"ε = {words.epsilon(made.epsilon)}" in plain(html(at))
    assert at.number_input(key="seed").value == made.seed
    if shown.key not in ("ranges", "review"):
        assert at.selectbox(key="repetitions").value == made.repetitions
    if shown.key == "review":
        one = made.mechanisms if len(made.mechanisms) == 1 else ("",)
        assert (at.selectbox(key="review_mechanism").value,) == one
        return
    groups = [pill for pill in at.button_group if pill.key and pill.key.startswith((f"{shown.key}_", "clusterings_"))]
    chosen = {key for pill in groups if isinstance(pill.value, list) for key in pill.value}
    assert chosen == (set() if shown.key in emptied(at) else set(made.mechanisms))
    if shown.key in ("frequency", "sets", "means"):
        bodies = [block.proto.body for block in at.sidebar.get("html")]
        said = [plain(body) for body in bodies if 'class="marks"' in body]
        noun = {"frequency": "value", "sets": "item", "means": "interval"}[shown.key]
        assert len(said) == 1
        assert said[0].startswith(words.plural(len(made.marks), noun)) == bool(made.marks)


def walked(at: AppTest) -> dict[str, str]:
    """What every page says; visiting them changes nothing, and every page agrees with what is kept."""
    before, said = everything(at), {}
    for page in PAGES:
        go(at, page)
        agree(at, page)
        said[page] = sentence(at)
        assert everything(at) == before, page
    return said


# visiting pages --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["census", "groceries"])
def test_visiting_every_page_changes_nothing(visited, source) -> None:
    """Nor does any of them disagree with what is kept, where somebody comes for the first time."""
    (_, first), *others = visited[source][1]
    assert [page for page, _ in others] == PAGES
    for page, now in others:
        assert now == first, page


def _button(at: AppTest, label: str) -> AppTest:
    return next(button for button in at.button if button.label.startswith(label)).click().run()


def _none(at: AppTest) -> AppTest:
    for group in ("every", "marked", "weaker"):
        at.button_group(key=f"means_{group}").set_value([])
    return at.run()


def _both(at: AppTest) -> AppTest:
    at.button_group(key="compare_choice").set_value("A | B").run()
    press(go(at, "data"), "mark_invert")
    return go(at, "frequency")


Change = tuple[str, Callable[[AppTest], AppTest]]
CHANGES: dict[str, list[Change]] = {
    "columns, marks and what is a task's own": [
        ("data", lambda at: press(at, "mark_clear")),
        ("means", lambda at: at.selectbox(key="column").set_value("hours-per-week").run()),
        ("data", lambda at: press(at, "mark_invert")),
        ("means", lambda at: _button(at, "both ends")),
        ("ranges", lambda at: at.radio(key="ranges_as_ordered").set_value("occupation").run()),
        ("ranges", lambda at: at.button_group(key="ranges_strategies_shown").set_value(["Boost"]).run()),
        ("frequency", lambda at: at.button_group(key="frequency_every").set_value(["SS"]).run()),
        ("frequency", lambda at: at.radio(key="frequency_axis").set_value("n").run()),
        ("frequency", lambda at: at.radio(key="view_quantity").set_value("mse").run()),
        ("clusters", lambda at: at.number_input(key="clusters_k").set_value(2).run()),
        ("clusters", lambda at: at.selectbox(key="clusters_wanted").set_value("occupation").run()),
        ("sets", lambda at: at.number_input(key="sets_m").set_value(3).run()),
    ],
    "other data, A | B, and what tasks share": [
        ("data", lambda at: upload(at, MINE)),
        ("data", lambda at: press(at, "start_rarest")),
        ("frequency", _both),
        ("means", lambda at: at.number_input(key="epsilon").set_value(1.234).run()),
        ("means", lambda at: at.selectbox(key="column").set_value("pay").run()),
        ("means", _none),
        ("ranges", lambda at: at.select_slider(key="slider").set_value(2.0).run()),
        ("clusters", lambda at: at.number_input(key="seed").set_value(5).run()),
        ("frequency", lambda at: at.selectbox(key="repetitions").set_value(3).run()),
    ],
}
"""What a person changes on census: page after page, and how."""


@pytest.mark.parametrize(
    "group", [pytest.param(each, marks=pytest.mark.thorough if place else ()) for place, each in enumerate(CHANGES)]
)
def test_changes_stand_on_every_page_and_stay(census, group) -> None:
    at, here = twin(census), "data"
    for page, change in CHANGES[group]:
        if page != here:
            go(at, page)
        here = page
        before = everything(at)
        change(at)
        assert everything(at) != before
        agree(at, page)
    said = walked(at)
    for page in dict(CHANGES[group]):
        assert sentence(go(at, page)) == said[page]


def test_what_tasks_share_is_the_same_in_all_of_them(census) -> None:
    at = twin(census, "clusters")
    at.number_input(key="epsilon").set_value(0.7)
    at.number_input(key="seed").set_value(11)
    at.selectbox(key="repetitions").set_value(3).run()
    for made in studies(at).values():
        assert (made.epsilon, made.seed, made.repetitions) == (0.7, 11, 3)


@pytest.mark.one_in(3, 1)  # one box of ε for all pages (parts/budget.py)
@pytest.mark.parametrize(("source", "task"), HOMES)
def test_an_impossible_epsilon_gets_a_sentence_and_changes_nothing(home, source, task) -> None:
    at = twin(home[source], TASKS[task].address)
    before, said = everything(at), sentence(at)
    impossible = ((0.0, "0.1"), (-1.0, "0.1"), (1000.0, "40")) if task == "frequency" else ((-1.0, "0.1"),)
    for typed, remedy in impossible:
        at.number_input(key="epsilon").set_value(typed).run()
        assert f"{typed:g}" in alerts(at)
        assert remedy in alerts(at)
        assert everything(at) == before
        assert sentence(at) == said
        assert at.number_input(key="epsilon").value == study(at, task).epsilon
    assert not alerts(at.run()), "it is said once"
    with pytest.raises(ValueError, match="epsilon"):
        ask(at, lambda: actions.change(task, epsilon=math.nan))
    assert everything(at) == before


def test_sessions_do_not_share(census) -> None:
    one, two = twin(census, "frequency"), twin(census, "frequency")
    before = everything(two)
    one.number_input(key="epsilon").set_value(3.0).run()
    press(go(one, "data"), "mark_clear")
    upload(one, MINE)
    assert everything(two.run()) == before
    assert "mine.csv" not in two.selectbox(key="data").options


# marks have one home ---------------------------------------------------------------------------------------------


def marked(at: AppTest, column: str) -> set[str]:
    """As the Data page marks them."""
    return set(ask(at, of_columns(column_settings.label_marks), column).values)


def test_bins_marked_on_data_are_marked_everywhere(census) -> None:
    at = twin(census)
    at.selectbox(key="column").set_value("age").run()
    press(at, "mark_clear")
    labels = at.session_state.marks_seen[0]
    at.text_area(key="paste_text").set_value(f"{labels[2]}\n{labels[3]}").run()
    press(at, "paste_mark")
    assert marked(at, "age") == {labels[2], labels[3]}
    low, high, bins = study(at, "frequency").bins
    step = (high - low) / bins
    assert set(study(at, "frequency").marks.values) == {labels[2], labels[3]}
    assert study(at, "means").marks.values == (f"{low + 2 * step:g}..{low + 4 * step:g}",)
    go(at, "means")
    agree(at, "means")
    assert study(at, "ranges").marks.levels == (), "its noise protects everybody alike"


def test_an_interval_marked_on_means_is_marked_on_data(census) -> None:
    at = twin(census, "means")
    at.session_state.means_pending = (33.0, 37.0)
    next(button for button in at.run().button if button.label == "Mark it sensitive").click().run()
    assert study(at, "means").marks.values == ("33..37", "70..90")
    go(at, "data").selectbox(key="column").set_value("age").run()
    assert marked(at, "age") == {"30 to 40", "70 to 80", "80 to 90"}, "a bin that is sensitive in part is sensitive"
    go(at, "frequency")
    assert set(study(at, "frequency").marks.values) == {"30 to 40", "70 to 80", "80 to 90"}
    assert study(go(at, "means"), "means").marks.values == ("33..37", "70..90"), "and nothing is rounded by looking"


def test_values_marked_one_by_one_are_intervals_of_the_mean(census) -> None:
    at = twin(census)
    do(at, actions.choose_column, "age")
    do(at, column_actions.describe, "age", binned=False)
    do(at, column_actions.set_marks, "age", ["40", "41"])
    assert study(at, "frequency").bins is None
    assert study(at, "frequency").marks.values == ("40", "41")
    assert study(at, "means").marks.values == ("39.5..41.5",)


def test_items_marked_on_data_are_those_of_sets_and_can_be_withheld(groceries) -> None:
    at = twin(groceries)
    press(press(at, "mark_clear"), "mark_rare")
    rare = marked(at, "items")
    assert rare
    assert set(study(at, "sets").marks.values) == rare
    assert study(at, "itemsets").marks.levels == ()
    go(at, "itemsets").toggle(key="itemsets_withhold").set_value(True).run()
    assert set(study(at, "itemsets").marks.values) == rare
    press(go(at, "data"), "mark_clear")
    assert study(at, "sets").marks.levels == study(at, "itemsets").marks.levels == ()


def test_marks_are_kept_as_a_on_the_data_page(census) -> None:
    at = twin(census)
    press(press(at, "beside_keep"), "mark_invert")
    assert len(state(at).compared["frequency"].study.marks) == 4
    assert len(study(at, "frequency").marks) == 12
    go(at, "frequency")
    assert "curves_A" in panels(at)
    agree(at, "frequency")
    press(go(at, "data"), "beside_swap")
    assert len(study(at, "frequency").marks) == 4
    press(at, "beside_drop")
    assert not state(at).compared


def test_a_public_range_is_stated_once(census) -> None:
    at = twin(census, "means")
    next(box for box in at.number_input if box.label == "To").set_value(100.0).run()
    do(at, actions.choose_column, "age")
    assert study(at, "means").bins[:2] == (10.0, 100.0)
    assert study(at, "frequency").bins[:2] == (10.0, 100.0)
    assert study(at, "ranges").bins[:2] == (10.0, 101.0), "whole numbers one by one: both ends have a cell"


# columns ---------------------------------------------------------------------------------------------------------


CHOSEN = [
    (page, column)
    for page, some in {
        "data": ["race", "age", data.ALL_COLUMNS],
        "overview": ["age"],
        "frequency": ["race", "age"],
        "means": ["hours-per-week"],
        "ranges": ["race", "age"],
    }.items()
    for column in some
]


@pytest.mark.one_in(2)  # every page that chooses is usual, with one of its columns
@pytest.mark.parametrize(("page", "column"), CHOSEN)
def test_a_column_chosen_on_one_page_is_that_of_every_page_that_can_be_about_it(census, page, column) -> None:
    at = twin(census)
    ask(at, actions.choose_column, "education")
    before, table = dict(studies(at)), data.load("census")
    go(at, page)
    asked = page == "ranges" and column not in ranges.ordered(table)  # Ranges offers nominal columns on request
    (at.radio(key="ranges_as_ordered") if asked else at.selectbox(key="column")).set_value(column).run()
    agree(at, page)
    about = {
        task
        for task, one in tasks.TASKS.items()
        if one.MARKS is not mark_kinds.RECORDS and column in one.columns(table)
    }
    if column not in ranges.ordered(table) and page != "ranges":
        about.discard("ranges")
    assert about >= {"frequency" if column in table.frame else "sets"}
    for task in tasks.TASKS:
        assert study(at, task).column == (column if task in about else before[task].column), task
        if task not in about:
            assert study(at, task) == before[task]
    assert state(at).current_column[table.digest] == column


# data ------------------------------------------------------------------------------------------------------------


def test_leaving_data_and_coming_back_restores_the_studies(census) -> None:
    at = twin(census)
    press(at, "mark_invert")
    go(at, "means").number_input(key="epsilon").set_value(0.5).run()
    at.session_state.means_pending = (20.0, 30.0)
    next(button for button in at.run().button if button.label == "Mark it sensitive").click().run()
    go(at, "clusters").number_input(key="clusters_k").set_value(5).run()
    go(at, "ranges").radio(key="ranges_h").set_value(4).run()
    go(at, "frequency").radio(key="frequency_axis").set_value("share").run()
    touched = ("frequency", "data", "means")
    left, said = everything(at), {page: sentence(at if page == "frequency" else go(at, page)) for page in touched}
    upload(at, MINE)
    for page in ("frequency", "means"):
        agree(go(at, page), page)
    assert {made.data.name for made in studies(at).values()} == {MINE.name}
    assert {made.epsilon for made in studies(at).values()} == {0.5}
    assert study(at, "frequency").axis == "share", "how it is drawn goes along"
    at.selectbox(key="data").set_value("census").run()
    came = everything(at)
    assert came["studies"] == left["studies"]
    assert {key: told for key, told in came["columns"].items() if key in left["columns"]} == left["columns"]
    assert came["front"][data.load("census").digest] == left["front"][data.load("census").digest]
    assert {page: sentence(go(at, page)) for page in touched} == said


def test_what_is_not_about_data_goes_along(census) -> None:
    at = twin(census, "ranges")
    at.button_group(key="ranges_strategies_shown").set_value(["Boost"]).run()
    at.number_input(key="epsilon").set_value(0.3).run()
    at.selectbox(key="data").set_value("groceries").run()
    at.number_input(key="seed").set_value(3).run()
    at.selectbox(key="data").set_value("census").run()
    made = study(at, "ranges")
    assert (made.mechanisms, made.epsilon, made.seed) == (("Boost",), 0.3, 3)


# links and files -------------------------------------------------------------------------------------------------


def changed(at: AppTest, task: str) -> AppTest:
    """The page of a task after a person has changed everything that its link can say."""
    ask(at, _change, task)
    for key, values in TASKS[task].looks.items():
        if key != "plane":
            at.session_state[key] = values[-1]
    for key in TASKS[task].wishes:
        at.session_state[f"{key}_wished"] = WISHED.get(key.removeprefix(f"{task}_"), mechanisms(task)[1])
    return at.run()


def mechanisms(task: str) -> list[str]:
    return list(tasks.TASKS[task].CATALOG)


WISHED = {
    "plan_people": 4321,
    "plan_epsilon": 2.5,
    "plan_success": 40,
    "plan_within": 3.25,
    "plan_design": 1.5,
    "plan_of": "_hours-per-week_0_90",
    "plan_answer": "White",
    "odds_value": "Black",
}
"""What somebody types or picks where a page offers something that follows from the data; else a mechanism."""


def _change(task: str) -> None:
    own = tasks.TASKS[task]
    actions.change(task, epsilon=0.7, seed=5)
    actions.choose_mechanisms(task, list(own.CATALOG)[:2])
    if len(own.AXES) > 1:
        actions.change(task, axis=own.AXES[1])
    if task in ("frequency", "means", "ranges"):
        actions.choose_column({"frequency": "race", "means": "hours-per-week", "ranges": "occupation"}[task], task)
    if task == "frequency":
        column_actions.set_marks("race", ["White", "Black"])
    if task == "means":
        column_actions.set_range("hours-per-week", 0.0, 90.0, 9)
        column_actions.set_intervals("hours-per-week", [(10.0, 20.0), (40.5, 60.25)])
    if task == "sets":
        actions.option("sets", m=3)
    if task == "itemsets":
        actions.option("itemsets", min_count=500, max_length=3)
    if task == "clusters":
        options = study_of("clusters").changed_options(columns=("race", "sex"), k=4)
        actions.change("clusters", column="race", options=options)
    if task == "ranges":
        actions.option("ranges", asked=("2:5",))
    if task == "relations":
        actions.choose_column("sex")
        column_actions.set_marks("race", ["White", "Black"])
        options = {"groups": "race", "compare": ("Black",), "versus": ("Other", "White"), "about": "these"}
        actions.option("relations", answer=("Male",), join=True, setting="open", **options)
    if task == "review":
        actions.choose_column("sex")
        column_actions.set_marks("race", ["White", "Black"])
        column_actions.set_range("hours-per-week", 0.0, 90.0, 9)
        actions.option("review", scheme="one", hidden=("sex",), columns=("age", "education", "race", "sex"))


@pytest.mark.parametrize(("source", "task"), HOMES)
def test_the_link_of_a_page_as_it_opens(home, source, task) -> None:
    at = twin(home[source], TASKS[task].address)
    again = opened(**link(at))
    assert state(again).problems == []
    # The link of Ranges says which range is shown, also where nobody has asked for another.
    pinned = {"options": study(again, task).options} if task == "ranges" else {}
    assert study(again, task) == replace(study(at, task), **pinned)


@pytest.mark.parametrize(("source", "task"), HOMES)
def test_link_and_study_file_bring_everything_back(home, source, task, monkeypatch) -> None:
    at = changed(twin(home[source], TASKS[task].address), task)
    assert study(at, task) != study(home[source], task)
    again = opened(TASKS[task].address, **link(at))
    assert state(again).problems == []
    assert study(again, task) == study(at, task)
    assert sentence(again) == sentence(at)
    for key in TASKS[task].looks:
        assert again.session_state.get(key) == at.session_state.get(key)
    for key in TASKS[task].wishes:
        assert again.session_state[f"{key}_wished"] == at.session_state[f"{key}_wished"]
    assert link(again) == link(at)
    content = downloads(at, monkeypatch)["study.toml"]
    assert replace(from_toml(content.decode()), grid=()) == study(at, task)
    fresh = load(twin(home[source]), content)
    assert state(fresh).problems == []
    assert study(fresh, task) == study(at, task)
    agree(go(fresh, TASKS[task].address), TASKS[task].address)


@pytest.mark.parametrize(
    ("query", "refused"),
    [
        ({"eps": "-3", "m": "XYZ"}, "-3"),
        ({"eps": "abc"}, "abc"),
        ({"data": "nowhere"}, "nowhere"),
        ({"column": "nothing"}, "nothing"),
        ({"reps": "-1", "seed": "x"}, "-1"),
        ({"arm.A": "nobody"}, "nobody"),
    ],
    ids=str,
)
def test_a_link_of_nonsense_opens_something_sensible(query, refused) -> None:
    at = opened("frequency", **query)
    assert "ε" in plain(sentence(at))
    assert any(refused in repr(problem) for problem in state(at).problems), state(at).problems


def test_the_link_of_two_settings_opens_both(census) -> None:
    at = _both(twin(census, "frequency"))
    again = opened("frequency", **link(at))
    assert study(again, "frequency") == study(at, "frequency")
    assert state(again).compared == state(at).compared
    assert sentence(again) == sentence(at)


def test_the_link_of_a_page_about_no_single_task(census) -> None:
    at = twin(census)
    do(at, actions.choose_column, "age")
    press(at, "mark_invert")
    again = opened(**link(at))
    assert study(again, "frequency") == study(at, "frequency")
    assert study(again, "means").marks == study(at, "means").marks
    assert sentence(again) == sentence(at)
    assert link(go(at, "overview")) == link(again)


def test_the_link_of_an_upload_names_nothing_of_it(mine) -> None:
    at = twin(mine)
    press(at, "mark_invert")
    for task in ("frequency", "means", "clusters", "ranges", "relations"):
        said = repr(link(go(at, TASKS[task].address)))
        assert not any(word in said for word in ("mine", "town", "age", "pay", "arm", "marks", MINE.digest)), said


def downloads(at: AppTest, monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """File → what a click on its button downloads."""
    found: dict[str, Any] = {}

    def button(label: str, content: Any, name: str, *_: object, **__: object) -> None:
        found[name] = content

    with monkeypatch.context() as patch:
        patch.setattr("ldpapp.export.links.st.download_button", button)
        at.run()
    return {name: found[name] for name in found if name == "study.toml"}


def load(at: AppTest, content: bytes) -> AppTest:
    at.file_uploader(key="study_upload").set_value(("study.toml", content, "application/toml"))
    return at.run()


def test_the_study_file_of_an_upload_needs_the_upload(mine, census, monkeypatch) -> None:
    at = twin(mine, "frequency")
    do(at, column_actions.set_marks, "town", ["A", "C"])
    content = downloads(at, monkeypatch)["study.toml"]
    here = load(twin(mine), content)
    assert study(here, "frequency") == study(at, "frequency")
    elsewhere = twin(census)
    before = everything(elsewhere)
    load(elsewhere, content)
    assert any(words.literal("mine.csv") in error.value for error in elsewhere.error)
    assert everything(elsewhere) == before
    other = twin(census)
    state(other).uploads[MINE.name] = data.read(b"town\nA\nB\n", MINE.name)
    load(other, content)
    assert any("digest" in error.value for error in other.error), "another table of this name"
    assert everything(other) == before


def test_a_file_that_is_no_study_is_refused(census) -> None:
    for content in (b"no study", b"\xff\xfe", b"[study]\nepsilon = 'x'\n"):
        at = twin(census)
        before = everything(at)
        load(at, content)
        assert at.error
        assert everything(at) == before


# work ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "pages"), [("census", PAGES), ("groceries", ["data", "overview", "sets", "itemsets"])]
)
def test_a_warm_rerun_makes_hardly_a_study(home, source, pages, monkeypatch) -> None:
    at, made, check = twin(home[source]), Counter(), Study.__post_init__
    for page in pages:
        go(at, page)

        def counted(self: Study, page: str = page) -> None:
            made[page] += 1
            check(self)

        with monkeypatch.context() as patch:
            patch.setattr(Study, "__post_init__", counted)
            at.run()
        assert sentence(at)
    assert {page: count for page, count in made.items() if count > 2} == {}


@pytest.mark.parametrize(
    ("task", "name"), [("frequency", "census"), ("means", "census"), ("relations", "census"), ("sets", "groceries"),
                       ("itemsets", "groceries")],
)  # fmt: skip
def test_code_begins_with_the_mechanism_of_which_the_page_speaks(task: str, name: str) -> None:
    at = opened(task, data=name, task=task, reps="1")
    spoken = ask(at, lambda: TASKS[task].speaks(study_of(task), TASKS[task].data(study_of(task), table())))
    assert spoken in study(at, task).mechanisms[1:], "not the first, as it happens"
    assert spoken in plain(sentence(at)) if task not in ("means", "relations") else spoken.startswith("u")


def test_a_look_is_of_one_task() -> None:
    keys = [key for task in TASKS.values() for key in (*task.looks, *task.wishes)]
    assert len(keys) == len(set(keys))


def test_whatever_can_be_wished_is_in_the_link() -> None:
    """Every wish that a module of the app reads by name; the code's mechanism is of a menu, which no link opens."""
    sources = [path.read_text(encoding="utf-8") for path in Path(ldpapp.__file__).parent.rglob("*.py")]
    read = {key for source in sources for key in re.findall(r'\bwished\("(\w+)"\)', source)}
    assert {"focus", "means_recover"} < read
    assert read - {"code_mechanism"} <= {key for task in TASKS.values() for key in task.wishes}


def test_a_link_s_wish_that_makes_no_sense_is_left_out() -> None:
    at = opened("frequency", frequency_plan_people="0", frequency_plan_within="nan", frequency_plan_design="2,5")
    assert len([each for each in state(at).problems if "makes no sense" in str(each)]) == 3
    assert not [key for key in link(at) if "plan" in key]


READ_OTHERWISE = data.read(b"town,age\nA,20\nB,30\n" * 60, MINE.name, data.ReadOptions(header=False))


@pytest.mark.one_in(2)  # each rule and each kind of mark once
@pytest.mark.parametrize("missing", [None, "column"])
@pytest.mark.parametrize("of", ["items", "a column that is gone"])
def test_epsilon_moves_whatever_is_marked(census, groceries, of, missing) -> None:
    """Marks of a column of sets, and of a column that the file has no more since it was read otherwise."""
    at = twin(groceries if of == "items" else census)
    if of == "items":
        do(at, column_actions.set_marks, "items", ["condoms"])
    else:
        upload(at, MINE)
        do(at, column_actions.set_marks, "town", ["A"])
        do(at, actions.reread, READ_OTHERWISE)
        assert "town" not in READ_OTHERWISE.frame.columns
    rule = {} if missing is None else {"missing": missing}
    do(at, actions.change, "frequency", epsilon=2.0, **rule)
    assert not at.exception
    assert state(at).workspace.epsilon == 2.0
    if of == "items":
        assert set(ask(at, of_columns(column_settings.label_marks), "items").values) == {"condoms"}


def test_that_nothing_is_marked_is_one_sentence_on_every_page() -> None:
    at = opened("frequency", data="census", task="frequency", column="race")
    do(at, column_actions.set_marks, "age", ())
    do(at, column_actions.set_marks, "race", ())
    for page, column in (("frequency", "race"), ("means", "age"), ("data", "race")):
        if page == "means":
            do(at, actions.choose_column, "age")
        elif page == "data":
            do(at, actions.choose_column, "race")
        go(at, page)
        assert f"Nothing of {column} is marked sensitive" in plain(sentence(at)), page
