"""The Overview: one number per question, computed, beside its figure; each card is the way to its view."""

import base64

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from ldpapp import words
from ldpapp.state import column_actions
from ldpapp.views.frequency.sentences import overview_sentence
from ldpcore import catalog, data, questionnaire
from ldpcore.study import Marks, Source, Study, run
from ldpcore.study.frequency import facts as frequency
from ldpcore.study.frequency.facts import ShareFacts
from ldpcore.study.sets import facts as set_facts
from ldpcore.study.sets import point

from .opening import (
    ask,
    boxes,
    charts,
    do,
    link,
    opened,
    panel,
    panels,
    plain,
    sentence,
    study,
    twin,
    upload,
)

MARKS = data.BUNDLED["census"].default_marks


@pytest.fixture(scope="module")
def first() -> AppTest:
    return opened("overview")


def _values(drawn: object) -> list[float]:
    """Numbers of a figure, which may be packed."""
    if isinstance(drawn, dict):
        return np.frombuffer(base64.b64decode(drawn["bdata"]), drawn["dtype"]).tolist()
    return list(drawn)  # type: ignore[call-overload]


@pytest.fixture
def view(first) -> AppTest:
    return twin(first, "overview")


def facts(epsilon: float = 1.0, marks: tuple[str, ...] = MARKS) -> dict[str, ShareFacts]:
    made = Study(Source("census"), "education", Marks.of(marks), epsilon=epsilon)
    return frequency.facts(made, data.load("census").categorical("education")).every


def test_the_overview_opens_with_its_cards(view) -> None:
    assert panels(view) == [f"overview_{card}" for card in ("error", "experiment", "adversary", "itemsets")]
    assert {"overview_error", "overview_release", "overview_adversary"} < set(charts(view))
    assert "Of all answers together; given by" in panel(view, "overview_itemsets")
    assert " a count DFDP’s " in panel(view, "overview_itemsets")
    assert f"protecting {len(MARKS)} sensitive values of education, not all 16, makes" in plain(sentence(view))
    assert "5 and 11 bits a report. Mark: 1 survey." in panel(view, "overview_error")


@pytest.mark.parametrize("epsilon", [1.0, 3.0])
def test_the_big_numbers_are_the_engines(view, epsilon) -> None:
    view.number_input(key="epsilon").set_value(epsilon).run()
    pair = frequency.rivals(facts(epsilon))
    assert pair is not None
    assert f"{words.ratio(pair[1].error() / pair[0].error())} ×" in panel(view, "overview_error")
    assert words.tries(pair[0].targeted) in panel(view, "overview_adversary")
    assert words.tries(pair[0].blind, short=True) in panel(view, "overview_adversary")
    assert words.of_100(pair[0].shown) in sentence(view)
    assert f"ε = {words.epsilon(epsilon)}" in plain(sentence(view))


def test_the_experiment_is_the_same_on_both_pages() -> None:
    """The squared error over the predicted one, and where chance would have it were theory right."""
    at = opened("overview", reps="4", column="education", m=["uSS"])
    made = study(at, "frequency").at_point()
    surveys = facts()["uSS"].simulated(data.load("census").categorical("education").domain.labels, run(made))
    ratio, (low, high) = surveys.ratios.mean(), surveys.by_chance
    finding = f"{ratio:.2f} × the error² that theory predicts"
    assert finding in plain(panel(at, "overview_experiment"))
    assert f"{low:.2f}–{high:.2f} by chance. uSS, 4 surveys." in panel(at, "overview_experiment")
    at = opened("frequency", **link(at))
    assert f"{ratio:.2f} × predicted error², {low:.2f}–{high:.2f} by chance." in plain(panel(at, "theory"))


def test_what_an_error_is_over_stands_beside_it(view) -> None:
    pair = frequency.rivals(facts())
    assert pair is not None
    errors = ", ".join(f"{one.key} {words.margin(np.sqrt(one.variance.mean()))}" for one in pair)
    texts = [note["text"] for note in charts(view)["overview_error"]["layout"]["annotations"]]
    assert f"ε = 1: {errors}<br>over all {len(pair[0].variance)}" in texts


def test_marks_move_the_overview(view) -> None:
    do(view, column_actions.set_marks, "education", ())
    main = frequency.focus(facts(marks=()), None)
    assert words.margin(main.error()) in panel(view, "overview_error")
    assert words.margin(main.error()) in sentence(view)
    assert "×" not in panel(view, "overview_error"), "there is nothing to compare with"
    do(view, column_actions.set_marks, "education", ("Preschool",))
    main = frequency.focus(facts(marks=("Preschool",)), None)
    assert "exact, that one" in plain(sentence(view))
    assert "it stays too rare" in sentence(view)
    built, counted = catalog.FREQUENCY[main.key], data.load("census").categorical("education")
    mask, shares = counted.domain.mask(("Preschool",)), counted.counts / counted.n
    pairs = questionnaire.best(built.build(1.0, counted.domain.k, mask), mask, shares)
    assert main.told(int(mask.argmax())) == main.apart == pairs
    assert f"{words.tries(pairs)} told apart: sensitive or not (guessing: 50)" in plain(
        panel(view, "overview_adversary")
    )
    drawn = {line["name"]: line for line in charts(view)["overview_adversary"]["data"]}
    assert drawn["blind"]["y"] == [50, 50]
    assert 100 * pairs in _values(drawn["uSS"]["y"])
    assert f"told from others in {words.tries(pairs, short=True)}" in plain(sentence(view))


def test_what_is_gained_alike_is_said_once() -> None:
    """Of two answers of which one is marked: "1.5 times more exact, that one 1.5 times" was one number twice."""
    counted = data.load("census").categorical("sex")
    study = Study(Source("census"), "sex", Marks.of(["Female"]), ("SS", "uSS"), grid=())
    every = frequency.facts(study, counted).every
    said = overview_sentence("sex", study, every, every["uSS"], str, "sensitive")
    times = words.times(frequency.gain(every["uSS"], every["SS"]))
    assert times == words.times(frequency.gain(every["uSS"], every["SS"], "sensitive"))
    assert said.count(times) == 1
    assert f"makes all shares <b>{times} more exact</b>. The price" in said


def test_the_overview_of_baskets(still) -> None:
    at = opened("overview", data="groceries")
    assert {"overview_error", "overview_adversary"} <= set(panels(at))
    found = ask(at, lambda: point.every(study(at, "sets").at_point(), data.load("groceries").baskets("items")))
    main = set_facts.focus(found, None)
    assert all(words.margin(main.chance[scope]) in sentence(at) for scope in ("sensitive", "other"))
    assert "25 sensitive items of 169" in plain(sentence(at))


def test_a_column_that_cannot_be_counted_is_a_state(view) -> None:
    upload(view, data.read(b"answer\n" + b"yes\n" * 20, "one.csv"))
    assert panels(view) == []
    assert "“answer”" in boxes(view)


@pytest.mark.thorough
def test_an_empty_quarter_says_what_would_fill_it_and_offers_it(view) -> None:
    """An upload of one column of answers has nothing that goes together; beside it, a column of numbers has a mean."""
    answers = "".join(f"{'abc'[i % 3]}\n" for i in range(90))
    one = upload(view, data.read(f"town\n{answers}".encode(), "one.csv"))
    assert panels(one)[-1] == "overview_unfilled"
    assert len(panels(one)) == 4
    one.button(key="unfilled_sets").click().run()
    assert panels(one)[-1] == "overview_itemsets"
    rows = "".join(f"{'abc'[i % 3]},{20 + i % 60}.5\n" for i in range(90))
    two = upload(view, data.read(f"town,age\n{rows}".encode(), "two.csv"))
    assert panels(two)[-1] == "overview_unfilled"
    two.button(key="unfilled_mean").click().run()
    assert study(two, "means").column == "age"
    assert panels(two)[-1] == "overview_mean"
