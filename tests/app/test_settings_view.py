"""A whole setting kept beside the present one: in every task, in words, in the page's own numbers, in one truth."""

import copy
import html as markup
import re
from base64 import b64decode
from collections.abc import Callable
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from ldpapp import words
from ldpapp.compare import measures
from ldpapp.compare.measures import Change, Measure
from ldpapp.compute import bundled
from ldpapp.export import links, terminal
from ldpapp.state import actions, column_actions, comparisons
from ldpapp.state.model import KeptSetting
from ldpapp.views.tasks import TASKS
from ldpcore import data
from ldpcore.study import Comparison, Marks, Source, Study, clusters, ranges, review, serial
from ldpcore.study.clusters.compare import limits
from ldpcore.study.sets import point
from tests.app.opening import (
    ask,
    do,
    emptied,
    go,
    link,
    opened,
    panel,
    panels,
    press,
    state,
    studies,
    study,
    twin,
)

OPEN = {
    "review": {
        "data": "health",
        "column": "condition",
        "o.columns": '["age", "condition", "weight", "sex"]',
        "n": "2500",
    },
    "sets": {"data": "groceries", "m": ["uPrivSet", "suWheel"], "o.attacks": "10", "n": "1500"},
    "means": {"data": "census", "m": ["PM", "uTernary"]},
    "itemsets": {"data": "groceries"},
    "clusters": {"data": "health", "m": ["LDPK", "Fresh"]},
    "ranges": {"data": "census"},
    "relations": {"data": "census", "m": ["SS", "uSS"]},
}
CHANGED = re.compile(r"(\S+(?: %)?) → (\S+(?: %)?)")


@pytest.fixture(scope="module")
def pages() -> dict[str, AppTest]:
    """Every task's page, simulated to its end."""
    return {task: opened(task, task=task, **query) for task, query in OPEN.items()}


@pytest.fixture(scope="module")
def both(pages) -> dict[str, AppTest]:
    """A is what it was, B has another ε."""
    made = {}
    for task, at in pages.items():
        made[task] = press(twin(at, task), "beside_keep")
        do(made[task], actions.change, task, epsilon=2.0)
    return made


def test_every_task_takes_part() -> None:
    """Frequency shows on its own page what changes (test_frequency_view.py); all others in the same panel."""
    assert all(task.offer is not None for task in TASKS.values())
    assert {key for key, task in TASKS.items() if task.offer.measures is None} == {"frequency"}
    assert OPEN.keys() == TASKS.keys() - {"frequency"}


def shown(at: AppTest) -> str:
    """All that the page says, and not the band."""
    said = (block.proto.body for place in (at.main, at.sidebar) for block in place.get("html"))
    said = [body for body in said if 'class="headline"' not in body]
    drawn = [b64decode(each).decode() for body in said for each in re.findall(r"svg\+xml;base64,([\w+/=]+)", body)]
    bare = re.sub(r"<[^>]*>", " ", " ".join([*said, *drawn]))
    return markup.unescape(bare).replace("\u00a0", " ")


def behind(task: str, made: Study) -> list[str]:
    """Numbers of the band that stand behind a menu or a fold of the page, from the engine."""
    if task == "sets":
        main = point.every(replace(made, grid=()), bundled("groceries").baskets("items"))["uPrivSet"]
        # The band has what cutting sets adds in its ±; the page's headline says it apart.
        return [words.margin(main.error("all")), words.margin(main.error("sensitive"))]
    if task == "ranges":
        asked = replace(made, grid=(), mechanisms=("Best tree",))
        rows = ranges.theory(asked, ranges.prepare(asked, bundled("census"))).set_index(["metric", "scope"])["theory"]
        return [words.decimals(rows["average error", "own"] ** 0.5)]
    if task == "clusters":  # it stands in the picture
        people = clusters.prepare(made, bundled("health"))
        return [words.of_100(limits(people, made.column, made.epsilon).promised, most=True)]
    if task == "review":
        people = review.prepare(made, bundled("health"))
        return [words.epsilon(review.asked(made, people, made.epsilon).promised())]
    return []


@pytest.mark.parametrize("task", OPEN)
def test_the_numbers_are_the_page_s_own(pages, both, task: str) -> None:
    """What A says stood on the page when A was kept, what B says stands on it now."""
    found = CHANGED.findall(panel(both[task], "beside"))
    assert 0 < len(found) <= measures.MOST
    for number, at in enumerate((pages[task], both[task])):
        said, more = shown(at), behind(task, study(at, task))
        for pair in found:
            value = pair[number].removesuffix(".00")
            assert re.search(rf"(?<![\d.]){re.escape(value)}(?!\d)", said) or value in more, (pair, number)
        assert all(any(value == pair[number] for pair in found) for value in more)


@pytest.mark.parametrize("task", OPEN)
def test_only_epsilon_differs_and_only_that_is_said(both, task: str) -> None:
    assert "A: ε = 1 · B: ε = 2" in panel(both[task], "beside")


@pytest.mark.parametrize("task", OPEN)
def test_nothing_differs_at_first(pages, task: str, still: None) -> None:
    at = press(twin(pages[task], task), "beside_keep")
    assert "same" in panel(at, "beside")
    assert "→" not in panel(at, "beside")


@pytest.mark.parametrize("task", OPEN)
def test_link_and_file_have_both(both, task: str, still: None) -> None:
    at = do(twin(both[task], task), comparisons.name, task, "strict", "mild")
    beside = state(at).compared[task]
    assert (beside.name, beside.other) == ("strict", "mild")
    again = opened(task, **link(at))
    assert state(again).compared == {task: beside}
    assert study(again, task) == study(at, task)
    assert "strict" in panel(again, "beside")
    text = serial.to_toml(ask(at, links.setting, TASKS[task]))
    fresh, wanted = opened(), serial.read_toml(text)
    go(do(fresh, comparisons.adopt, wanted, bundled(wanted.b.data.name)), task)
    assert state(fresh).compared == {task: beside}
    assert study(fresh, task) == study(at, task)
    assert panel(fresh, "beside") == panel(again, "beside")


def what(setting: KeptSetting) -> tuple[Study, str, str]:
    return setting.study, setting.name, setting.other


@pytest.mark.one_in(2, 1)  # swapping knows no task (state/comparisons.py)
@pytest.mark.parametrize("task", OPEN)
def test_swapping_edits_the_kept_one(both, task: str, still: None) -> None:
    at = twin(both[task], task)
    was, now = state(at).compared[task].study, replace(study(at, task), grid=())
    press(at, "beside_swap")
    assert study(at, task) == was
    assert what(state(at).compared[task]) == (now, "B", "A")
    assert "B: ε = 2 · A: ε = 1" in panel(at, "beside")
    press(at, "beside_swap")
    assert study(at, task) == now
    assert what(state(at).compared[task]) == (was, "A", "B")


@pytest.mark.parametrize(
    ("task", "first", "then"),
    [
        ("review", (), (column_actions.set_range, "age", 0, 100, 10)),  # A has no range stated, and B another
        ("means", (), (actions.choose_mechanisms, "means", ())),
        ("means", (), (column_actions.set_intervals, "age", [])),
    ],
)
def test_swapping_twice_loses_nothing(pages, task: str, first, then, still: None) -> None:
    def whole(at: AppTest) -> list:
        return [studies(at), dict(state(at).workspace.columns), emptied(at)]

    at = twin(pages[task], task)
    if first:
        do(at, *first)
    was = copy.deepcopy(whole(at))
    do(at, comparisons.keep, task)
    do(at, *then)
    now = copy.deepcopy(whole(at))
    assert whole(do(at, comparisons.swap, task)) == was
    assert whole(do(at, comparisons.swap, task)) == now


def test_it_stays_from_page_to_page_and_can_be_dropped(both, still: None) -> None:
    at = twin(both["means"], "means")
    before = panel(at, "beside")
    assert not panel(go(at, "frequency"), "beside")
    assert panel(go(at, "means"), "beside") == before
    assert not panel(press(at, "beside_drop"), "beside")
    assert not state(at).compared
    assert not any(name.startswith("a.") for name in link(at))


def said(at: AppTest) -> list[str]:
    return [block.proto.body for block in at.get("html")]


def test_names_that_make_no_sense_are_refused_in_a_sentence(both, still: None) -> None:
    at = twin(both["ranges"], "ranges")
    at.text_input(key="beside_name").set_value("B").run()
    assert state(at).compared["ranges"].name == "A"
    assert any('role="alert"' in block.proto.body for block in at.get("html"))
    at.run()  # as a page does that still fills in, before anybody has read it
    assert any('role="alert"' in block.proto.body for block in at.get("html"))
    assert not any('role="alert"' in body for body in said(do(twin(at, "ranges"), actions.change, "ranges", seed=9)))
    at.text_input(key="beside_name").set_value("<b>five</b>").run()
    assert panel(at, "beside").startswith("From <b>five</b> to B")
    assert not any('role="alert"' in block.proto.body for block in at.get("html"))


def test_another_column_or_other_data_are_never_compared_silently(both, still: None) -> None:
    at = twin(both["means"], "means")
    do(at, actions.choose_column, "hours-per-week")
    assert "→" not in panel(at, "beside")
    assert "age" in panel(at, "beside")
    do(at, actions.choose_column, "age")
    assert "→" in panel(at, "beside")
    at.selectbox(key="data").set_value("health").run()
    assert "→" not in panel(at, "beside")
    assert "census" in panel(at, "beside")
    again = opened("means", **link(at))
    assert state(again).compared == state(at).compared
    press(again, "beside_swap")
    assert state(again).workspace.table.name == "census"
    assert study(again, "means").column == "age"


def test_the_question_in_focus_is_the_same_in_both(both) -> None:
    at = do(twin(both["review"], "review"), actions.choose_column, "age")
    assert "age told apart" in panel(at, "beside")
    assert "condition" not in panel(at, "beside")


def test_a_question_that_only_one_hides_is_open_in_the_other(pages) -> None:
    at = do(twin(pages["review"], "review"), actions.choose_column, "weight")
    do(at, column_actions.set_marks, "weight", [])
    press(at, "beside_keep")
    do(at, column_actions.set_marks, "weight", ["140 to 160", "160 to 180"])
    said = panel(at, "beside")
    assert "exact → ±" in said
    assert "100 → " in said


def test_what_it_costs_in_another_question_is_said(pages) -> None:
    """A question that is hidden besides errs, which was exact; one that is hidden less errs less."""
    at = press(twin(pages["review"], "review"), "beside_keep")
    do(at, actions.option, "review", hidden=("sex",))
    made = study(at, "review")
    off = review.asked(made, review.prepare(made, bundled("health")), made.epsilon).errors()["sex"][1]
    said = panel(at, "beside")
    assert f"exact → {words.margin(off**0.5)}" in said
    assert said.index("exact →") < said.index("sex off by") < said.index("condition told apart")
    assert f"{words.margin(off**0.5)} → exact" in panel(press(at, "beside_swap"), "beside")


def test_inside_the_interval_there_is_no_change(pages) -> None:
    """Another seed of the reports is another draw, and nothing else."""
    at = press(twin(pages["review"], "review"), "beside_keep")
    do(at, actions.option, "review", scheme="one", attacker="own")
    do(at, comparisons.keep, "review")
    do(at, actions.change, "review", seed=9)
    said = panel(at, "beside")
    assert "seed 7" in said
    assert "no change" in said.partition("told apart")[2]


def test_while_it_is_simulated_the_band_says_so(still: None) -> None:
    at = press(opened("clusters", task="clusters", **OPEN["clusters"]), "beside_keep")
    do(at, actions.change, "clusters", epsilon=2.0)
    at.session_state["simulated"].clear()
    said = panel(at.run(), "beside")
    assert "… →" in said
    assert "0 of 2" in said


def test_the_frequency_page_has_it_too(still: None) -> None:
    at = opened("frequency", data="census", **{"a.eps": "2"})
    assert state(at).compared["frequency"].study.epsilon == 2
    assert not state(at).problems
    assert "curves_A" in panels(at)


def test_the_link_of_an_upload_has_nothing_of_it(still: None) -> None:
    mine = data.read(b"age\n" + b"".join(b"%d.5\n" % (20 + i % 60) for i in range(600)), "mine.csv")
    at = press(opened("means", mine), "beside_keep")
    do(at, actions.change, "means", epsilon=2.0)
    assert "→" in panel(at, "beside")
    assert not any(name.startswith("a.") for name in link(at))
    both = state(at).compared["means"].compared(study(at, "means"))
    assert serial.read_toml(serial.to_toml(both)) == both


def test_the_report_has_the_band_and_both_settings() -> None:
    source = bundled("health")
    made = Study(Source.of(source), "weight", Marks.of(["120..150"]), task="means", repetitions=1, grid=())
    paper, refused = terminal.paper(Comparison(replace(made, epsilon=0.5), made, "strict", "mild"), source)
    assert not refused
    section = next(each for each in paper.shown.sections if each.key == "beside")
    assert section.title == "From strict to mild"
    text, public = paper.html(), paper.html(publishable=True)
    assert "From strict to mild" in text
    assert "guessed" in text.partition("From strict")[2][:2500]
    assert "guessed" not in public.partition("From strict")[2].partition("</section>")[0]
    found = re.search(r"<pre>(.*?)</pre>", text, re.DOTALL)
    assert found
    both = serial.read_toml(markup.unescape(found[1]))
    assert (both.name_a, both.a.epsilon, both.b.epsilon) == ("strict", 0.5, 1.0)
    assert both.a.grid == both.b.grid


# words --------------------------------------------------------------------------------------------------------------

BASE = Study(Source("health"), "condition", Marks.of(["HIV", "diabetes"]), ("uSS",), grid=(), task="review")
SAID: list[tuple[Callable[[Study], Study], tuple[str, ...], tuple[str, ...]]] = [
    (lambda s: replace(s, epsilon=2.0), ("1",), ("2",)),
    (lambda s: replace(s, marks=Marks.of(["HIV", "asthma"])), ("2", "diabetes"), ("2", "asthma")),
    (lambda s: replace(s, marks=Marks()), ("diabetes", "HIV"), ("nothing",)),
    (lambda s: replace(s, mechanisms=("OUE", "uRR")), ("uSS",), ("OUE", "uRR")),
    (lambda s: replace(s, n=5000), ("data",), ("5 000".replace(" ", "\u202f"),)),
    (lambda s: replace(s, missing="category"), ("left out",), ("counted",)),
    (lambda s: replace(s, seed=8), ("7",), ("8",)),
    (lambda s: s.with_options(scheme="one"), ("all questions",), ("one question",)),
    (lambda s: s.with_options(attacker="own"), ("every report",), ("one report",)),
]


@pytest.mark.parametrize("number", range(len(SAID)))
def test_what_differs_is_named_and_nothing_else(number: int) -> None:
    changed, before, after = SAID[number]
    option = TASKS["review"].offer.option
    those, these = measures.differences(BASE, changed(BASE), option)
    assert len(those) == len(these) == 1
    assert all(word in those[0] for word in before)
    assert all(word in these[0] for word in after)
    assert measures.differences(changed(BASE), BASE, option) == (these, those)


def test_how_it_is_looked_at_is_no_difference() -> None:
    option = TASKS["means"].offer.option
    means = Study(Source("census"), "age", task="means")
    assert measures.differences(means, replace(means, axis="n", grid=()), option) == ([], [])
    itemsets = Study(Source("groceries"), "items", task="itemsets")
    other = replace(itemsets, axis="s", grid=())
    assert len(measures.differences(itemsets, other, TASKS["itemsets"].offer.option)[0]) == 1


@pytest.mark.parametrize("task", OPEN)
def test_every_option_that_a_person_can_set_has_words(task: str) -> None:
    """In whatever task, an option says something, or no number of the band depends on it."""
    said = {
        "review": {"scheme": "one", "budget": "person", "attacker": "own", "columns": ("sex",), "hidden": ("sex",)},
        "sets": {"m": 3, "simulated": 64, "marked": 0.5},
        "means": {},
        "itemsets": {"min_count": 50, "s": 0.5, "clip": 10.0, "max_length": 2},
        "clusters": {"k": 4, "columns": ("sex", "condition")},
        "ranges": {"asked": ("2:9",)},
        "relations": {
            "setting": "open", "groups": "sex", "answer": ("HIV",), "compare": ("male",), "versus": ("female",),
            "about": "these", "join": True,
        },
    }[task]  # fmt: skip
    base = Study(Source("health"), "condition", task=task)
    for name, value in said.items():
        here = measures.differences(base, base.with_options(**{name: value}), TASKS[task].offer.option)
        assert all(here), name
        assert here[0] != here[1]


def test_the_best_gain_comes_first_and_the_exposed_last() -> None:
    def told(**values: float) -> list[Measure]:
        kinds = {"f": {"more": True}, "seen": {"exposed": True}}
        return [Measure(key, key, value, f"{value:g}", **kinds.get(key, {})) for key, value in values.items()]

    found = measures.changes(told(off=4, bill=1, f=0.5, seen=0.9), told(seen=0.1, bill=2, f=0.75, off=1))
    assert [each.after.key for each in found] == ["off", "bill", "seen"]
    assert [each.ratio for each in found] == pytest.approx([0.25, 2, 1 / 9])
    gains = measures.changes(told(off=4, bill=2, f=0.5, seen=0.9), told(seen=0.1, bill=1, f=0.75, off=1))
    assert [each.after.key for each in gains] == ["off", "bill", "seen"], "where nothing costs the best gains"
    assert measures.changes(told(off=1), told(f=1)) == []
    assert Change(*told(off=1, f=1)).same


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        # Nothing changes but aside: the cost is told, and the promise gives way where it does not change.
        ({"bill": 1, "off": 2, "one": 1, "two": 1}, {"bill": 1, "off": 2, "one": 1, "two": 3}, ["bill", "two"]),
        ({"bill": 1, "off": 2, "one": 0, "two": 0}, {"bill": 2, "off": 2, "one": 1, "two": 3}, ["bill", "two"]),
        ({"bill": 1, "off": 2, "one": 1, "two": 3}, {"bill": 1, "off": 2, "one": 3, "two": 1}, ["two", "one"]),
        ({"bill": 1, "off": 2, "one": 4, "two": 3}, {"bill": 2, "off": 1, "one": 2, "two": 2}, ["off", "bill"]),
        ({"bill": 1, "off": 2, "one": 4, "two": 3}, {"bill": 2, "off": 1, "one": 1, "two": 12}, ["off", "two"]),
        ({"bill": 2, "off": 2, "one": 4, "two": 3}, {"bill": 1, "off": 2, "one": 1, "two": 3}, ["one", "bill"]),
    ],
)
def test_the_worst_cost_is_told_in_whatever_question_it_is(before, after, shown) -> None:
    def told(values: dict[str, float]) -> list[Measure]:
        return [
            *(Measure(key, key, value, f"{value:g}", aside=key in ("one", "two")) for key, value in values.items()),
            Measure("seen", "seen", 0.5, "50", exposed=True),
        ]

    found = measures.changes(told(before), told(after))
    assert [each.after.key for each in found] == [*shown, "seen"]
