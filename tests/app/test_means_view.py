"""The Means view's logic, without a browser."""

from base64 import b64decode
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from ldpapp import words
from ldpapp.export import links, terminal
from ldpapp.state import actions, column_actions, column_settings
from ldpapp.views.means import more, sentences
from ldpapp.views.tasks import TASKS
from ldpcore import catalog, data
from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.plan.answers import rounded_down
from ldpcore.study import invented, run
from ldpcore.study import means as task
from ldpcore.study.means import curves, facts, limit, personal, reports, usual
from ldpcore.study.means.estimates import every_estimate

from .opening import (
    alerts,
    ask,
    boxes,
    charts,
    do,
    drawn,
    emptied,
    html,
    link,
    opened,
    panel,
    panels,
    plain,
    press,
    sentence,
    state,
    study,
    twin,
    upload,
)

USUAL = ["means_marks", "means_release", "means_error", "means_adversary"]
ABOUT = [
    "means_bias", "means_distribution", "means_advantage", "means_personal", "means_repeat", "means_theorem",
]  # fmt: skip


@pytest.fixture(scope="module")
def first() -> AppTest:
    """One survey of three mechanisms."""
    return opened("means", task="means", m=["Duchi", "Laplace", "uTernary"])


@pytest.fixture
def view(first, still) -> AppTest:
    """Its twin, in which nothing more is simulated."""
    return twin(first, "means")


def numbers(at: AppTest) -> task.NumberColumn:
    return task.prepare(replace(study(at, "means"), grid=()), data.load("census"))


def exact_error(at: AppTest, mechanism: str) -> float:
    """The exact error of a mechanism's unbiased mean in the Study of the page."""
    made = replace(study(at, "means"), mechanisms=(mechanism,), axis="epsilon", grid=()).with_options(
        estimates=("mean", "unbiased")
    )
    rows = task.theory(made, numbers(at))
    how = "mse:mean" if catalog.MEANS[mechanism].factory.unbiased else "mse:unbiased"
    return float(rows[rows["metric"] == how]["theory"].iloc[0]) ** 0.5


def margin(at: AppTest, mechanism: str) -> str:
    """Its 95 % margin as it is written."""
    return "±" + sentences.quantity(NORMAL_95 * exact_error(at, mechanism))


def unfolded(at: AppTest, *names: str) -> AppTest:
    """With these folds open."""
    for name in names:
        at.session_state[f"fold_means_{name}"] = True
    return at.run()


TURNS = "turn from one of three values"


def click(at: AppTest, label: str) -> AppTest:
    return next(button for button in at.button if button.label.startswith(label)).click().run()


def test_the_page_opens_with_an_example(view):
    assert study(view, "means").column == "age"
    assert study(view, "means").marks.values == ("70..90",)
    assert panels(view) == USUAL
    assert len(charts(view)) == len(USUAL) + 1, "marked answers and others have a chart each"
    said = plain(sentence(view))
    assert margin(view, "uTernary") in said
    assert margin(view, "Duchi") in said, "which errs less than Laplace noise here"
    assert exact_error(view, "Duchi") < exact_error(view, "Laplace")
    assert sentences.names([(70.0, 90.0)], numbers(view).interval) in said
    assert f"ε = {words.epsilon(1.0)}" in said


def test_the_headline_says_by_whom_answers_are_guessed_and_against_what(view):
    made, found = replace(study(view, "means"), grid=()), numbers(view)
    rows = reports.guessed(made.with_options(delta=8.0), found, (1.0,))
    won = rows[rows["scope"] == "other"].set_index("mechanism")["theory"]
    _, blind = personal.blind(replace(made, mechanisms=("SDPM",)), found, 8.0)
    said = plain(sentence(view))
    assert "collector" in said
    assert f"{words.of_100(won['uTernary'])} of 100" in said
    assert f"not {words.of_100(won['Duchi'])} (blind guess: {words.of_100(blind['other'])})" in said


def test_the_headline_has_the_price_of_those_whom_the_marks_expose_most(first):
    """With both ends marked, a report that shows no other answer points at a marked one."""
    at = do(twin(first, "means"), column_actions.set_intervals, "age", [(10.0, 20.0), (80.0, 90.0)])
    made = replace(study(at, "means"), grid=()).with_options(delta=8.0)
    found = reports.guessed(made, numbers(at), (1.0,)).set_index(["mechanism", "scope"])["theory"]
    best = min(("Laplace", "Duchi"), key=lambda key: exact_error(at, key))
    rise = {scope: found["uTernary", scope] - found[best, scope] for scope in ("sensitive", "other")}
    assert rise["sensitive"] > rise["other"] > 0
    assert f"marked answers to within 8 in {words.of_100(found['uTernary', 'sensitive'])} of 100" in plain(sentence(at))


def test_the_best_is_the_best_of_those_compared_at_the_chosen_point(view):
    """uTernary against SDPM, Duchi against PM: who is best changes with ε, and with who is there."""
    view.button_group(key="means_weaker").set_value(["SDPM"])
    view.button_group(key="means_every").set_value(["Duchi", "PM"]).run()
    for epsilon, rival in ((0.5, "Duchi"), (2.0, "PM")):
        do(view, actions.change, "means", epsilon=epsilon)
        assert exact_error(view, rival) == min(exact_error(view, key) for key in ("Duchi", "PM"))
        assert rows(view) == {"uTernary", rival}, "what protects the marked is not held against a weaker promise"
        assert margin(view, rival) in sentence(view)
    view.button_group(key="means_marked").set_value([]).run()
    assert rows(view) == {"SDPM", "PM"}
    assert "weaker promise" in plain(sentence(view))
    assert margin(view, "SDPM") in sentence(view)


def rows(at: AppTest) -> set[str]:
    """Who is compared."""
    found = charts(at)["chart_means_guessed_other"]["data"]
    return {trace["name"] for trace in found} - {"blind", "rule"}


def test_one_survey_is_published_with_its_margin(first):
    """The estimates are those of the engine's own surveys, one after the other; the margin is that of theory."""
    at = do(twin(first, "means"), actions.change, "means", repetitions=3)
    made = replace(study(at, "means"), mechanisms=("uTernary",), grid=()).with_options(estimates=("mean",), attacks=0)
    simulated = run(made, data.load("census"))
    drawn_now = simulated[(simulated["metric"] == "estimate:mean") & simulated["repetition"].notna()]
    estimates = drawn_now.sort_values("repetition")["value"].tolist()
    off = NORMAL_95 * exact_error(at, "uTernary")
    for estimate in [*estimates, estimates[0]]:
        traces = {trace["name"]: trace for trace in charts(at)["chart_means_release"]["data"]}
        assert traces["uTernary estimate"]["x"] == pytest.approx([estimate])
        assert traces["uTernary"]["x"] == pytest.approx([estimate - off, estimate + off])
        assert traces["truth"]["x"] == pytest.approx([numbers(at).mean] * 2)
        click(at, "draw ")


# nothing marked ------------------------------------------------------------------------------------------------------


def test_nothing_marked_is_a_state_with_a_way_out(view):
    """What protects marks alone has no curve and no line; one click marks the upper end."""
    click(view, "nothing")
    assert panels(view) == ["means_proposal", *USUAL]
    said = plain(sentence(view))
    assert margin(view, "Duchi") in said
    assert rows(view) == {"Duchi"}
    for name, figure in charts(view).items():
        assert not any("uTernary" in str(trace.get("name")) for trace in figure["data"]), name
    assert "uTernary" in panel(view, "means_adversary"), "greyed, and why"
    assert study(view, "means").mechanisms == ("Laplace", "Duchi", "uTernary"), "the Study has them still"
    view.button(key="means_propose").click().run()
    assert study(view, "means").marks.values == ("70..90",)
    assert margin(view, "uTernary") in said, "what was promised of the proposal is what it gives"
    assert panels(view) == USUAL


def test_what_is_read_off_the_data_is_said_to_be_and_is_not_published(still):
    """Hardly a pupil has the upper quarter of the range: the highest tenth is proposed, with how many it holds."""
    rng = np.random.default_rng(20261130)
    money = np.round(np.clip(rng.lognormal(4, 0.6, 7400), 0, 900)).astype(int)
    at = opened("means", data.read(("money\n" + "\n".join(map(str, money))).encode(), "mine.csv"))
    source = state(at).workspace.table
    ((low, high),) = usual.proposed(task.prepare(study(at, "means"), source))
    said, people = plain(panel(at, "means_proposal")), int((money >= low).sum())
    assert f"read off these data: the highest {plain(words.share(people / 7400))} of the people, {people}." in said
    assert f"If only {low:g} and more were sensitive, it would be known to" in plain(sentence(at))
    assert "to within 15, of 100" in plain(html(at))
    paper = terminal.paper(replace(study(at, "means"), grid=(), repetitions=1), source)[0]
    for text in (f"{low:g} and more", "within 15", "within ± 15"):
        assert text not in plain(paper.html(True)), text
    assert f"{low:g} and more" in plain(paper.html(False))
    at.button(key="means_propose").click().run()
    assert study(at, "means").marks.values == (f"{low:g}..{high:g}",)


def heights(trace: dict) -> np.ndarray:
    return np.frombuffer(b64decode(trace["y"]["bdata"]), trace["y"]["dtype"])


def test_a_picture_of_whole_years_is_no_comb(still):
    """Each bar holds one year; what is marked begins with a whole one; guesses are said to go by bins."""
    years = np.arange(1120) % 56 + 15
    at = opened("means", data.read(("age\n" + "\n".join(map(str, years))).encode(), "mine.csv"))
    chart = f"chart_means_{study(at, 'means').column}_0"
    bars = next(trace for trace in charts(at)[chart]["data"] if trace["name"] == "other")
    assert {*heights(bars)} == {20.0}
    assert "<b>57</b><br>20 people" in str(bars)
    at.button(key="means_propose").click().run()
    assert study(at, "means").marks.values == ("57..70",)
    marked = next(trace for trace in charts(at)[chart]["data"] if trace["name"] == "sensitive")
    assert heights(marked).tolist() == [20.0] * 14, "57 to 70, none of them in part"
    assert "Numbers count as the middle of their bin, 0.859 wide." in plain(html(at))


def test_nothing_marked_and_nobody_who_protects_every_value(view):
    view.button_group(key="means_every").set_value([])
    click(view, "nothing")
    assert panels(view) == ["means_proposal", "means_marks", "means_release"]
    assert "uTernary" in boxes(view)
    view.button(key="means_propose").click().run()
    assert panels(view) == USUAL
    assert rows(view) == {"uTernary"}


def test_with_everything_marked_there_is_one_error_and_no_price(first):
    at = do(twin(first, "means"), column_actions.set_intervals, "age", [(10.0, 90.0)])
    best = min(("Laplace", "Duchi", "uTernary"), key=lambda key: exact_error(at, key))
    said = plain(sentence(at))
    assert said.count("±") == 1
    assert margin(at, best) in said
    assert "guesses" not in said


def test_no_axis_shows_an_error_of_nothing(view):
    """With nothing marked SDPM's error by rounding once drew an axis down to 10⁻¹⁴."""
    view.button_group(key="means_weaker").set_value(["SDPM"])
    click(view, "nothing")
    unfolded(view, "sdpm", "report")
    low, high = charts(view)["chart_means_error"]["layout"]["yaxis"]["range"]
    assert high - low < 4, "decades"
    assert low > -3
    assert "±0 " not in plain(" ".join(map(str, [sentence(view), *(panel(view, key) for key in panels(view))])))


# folds ---------------------------------------------------------------------------------------------------------------


def test_folds_are_closed_and_their_work_is_not_done(first):
    """EM's surveys wait until somebody looks, and the link carries that the fold is open."""
    at = twin(first, "means")
    at.button_group(key="means_weaker").set_value(["SDPM"]).run()
    fitted = {key for key in at.session_state["simulated"] if "'em'" in str(key)}
    assert fitted == set()
    unfolded(at, "sdpm", "report")
    assert panels(at) == [*USUAL, *ABOUT, "means_report"]
    assert {key for key in at.session_state["simulated"] if "'em'" in str(key)}
    again = opened(**link(at), address="means")
    assert panels(again) == [*USUAL, *ABOUT, "means_report"]


def test_all_lines_are_there_on_demand(first):
    view = twin(first, "means")
    view.button_group(key="means_every").set_value(["Laplace", "Duchi", "PM"]).run()
    names = {trace["name"] for trace in charts(view)["chart_means_error"]["data"]}
    assert "Laplace" not in names
    assert "theory of the best." in panel(view, "means_error"), "what is pressed, and not drawn, is said to be left out"
    view.radio(key="means_lines").set_value("all").run()
    names = {trace["name"] for trace in charts(view)["chart_means_error"]["data"]}
    assert {"Laplace", "Duchi", "PM (mean)", "PM (EM)", "uTernary"} <= names
    assert "theory of the best." not in panel(view, "means_error")
    assert "bias" in panel(view, "means_error"), "EM's error is not all chance"


def test_the_main_controls_change_the_sentence(view):
    before = margin(view, "uTernary")
    view.select_slider(key="slider").set_value(0.2).run()
    assert margin(view, "uTernary") != before
    assert margin(view, "uTernary") in sentence(view)
    both = next(name for name in column_settings.EXAMPLES if name.startswith("both ends"))
    click(view, "both ends")
    public = study(view, "means").bins
    assert list(study(view, "means").marks.values) == column_settings.example(both, public)
    assert margin(view, "uTernary") in sentence(view)
    click(view, "nothing")
    assert study(view, "means").marks.values == ()
    assert margin(view, "Duchi") in sentence(view)


@pytest.mark.parametrize(("answer", "marks"), [("Mark it sensitive", ("20..30", "70..90")), ("No", ("70..90",))])
def test_a_brushed_interval_waits_for_an_answer(view, answer, marks):
    view.session_state.means_pending = (20.0, 30.0)
    view.run()
    assert sentences.span((20.0, 30.0)) in panel(view, "means_marks")
    assert study(view, "means").marks.values == ("70..90",)
    click(view, answer)
    assert study(view, "means").marks.values == marks
    assert not any(button.label == answer for button in view.button)


def test_one_survey_claims_no_more_than_it_tells(view):
    """Marks without lines, what to do for more, and a rough table of EM."""
    unfolded(view, "sdpm")
    assert "1 survey" in panel(view, "means_error")
    without = more.waiting(study(view, "means"))
    assert without in panel(view, "means_advantage")
    assert TURNS in panel(view, "means_adversary")
    view.button_group(key="means_weaker").set_value(["SDPM"])
    view.button_group(key="means_marked").set_value([]).run()
    assert study(view, "means").mechanisms == ("Laplace", "Duchi", "SDPM")
    once = more.waiting(study(view, "means"))
    assert once != without
    assert "2" in once, "the remedy: so many repetitions"
    assert once in panel(view, "means_advantage")
    assert f"{personal.SURVEYS} simulated surveys" in panel(view, "means_personal")
    assert TURNS not in panel(view, "means_adversary")


def test_the_input_can_be_dragged(view):
    unfolded(view, "report")
    box = next(slider for slider in view.slider if slider.label == "Answer")
    before = drawn(view)
    assert "mean is 80" not in panel(view, "means_report")
    box.set_value(80.0).run()
    assert "mean is 80" in panel(view, "means_report"), "the mechanism in focus is unbiased"
    changed = {key for key, figure in drawn(view).items() if figure != before[key]}
    assert changed == {"chart_means_report"}


def test_a_margin_is_written_alike_wherever_it_stands(view):
    """In the headline and the bars to three digits, as in the curves: "±180" stood where ±177 is right."""
    right = "±" + sentences.quantity(NORMAL_95 * exact_error(view, "uTernary"))
    bars = charts(view)["chart_means_release"]
    texts = str(bars["layout"]["annotations"]) + str(bars["data"])
    assert right in plain(sentence(view))
    assert right.replace("±", "± ") in texts


def test_the_adversary_guesses_within_delta(view):
    for delta in (8.0, 20.0):
        if delta == 20.0:
            view.number_input(key="means_delta_age_10_90").set_value(delta).run()
        made = replace(study(view, "means"), epsilon=1.0, grid=(), mechanisms=("SDPM",))
        _, blind = personal.blind(made, numbers(view), delta)
        said = panel(view, "means_adversary")
        assert f"within {sentences.quantity(delta)}" in said
        nobody = "too few to be guessed, blind or not"
        assert (nobody if not blind["sensitive"] else f"blind {words.of_100(blind['sensitive'])}") in said
        assert f"blind {words.of_100(blind['other'])}" in said


def test_those_who_choose(view):
    unfolded(view, "sdpm")
    before = drawn(view)["chart_means_personal"]
    for key, value in (("means_choice_mix", "few"), ("means_choice_place", "upper")):
        view.radio(key=key).set_value(value).run()
        now = drawn(view)["chart_means_personal"]
        assert now != before, key
        before = now


def test_those_who_hide_their_own_answer(view):
    """Others' errors, and no survey by EM."""
    unfolded(view, "sdpm")
    before, table = drawn(view)["chart_means_personal"], panel(view, "means_personal")
    view.radio(key="means_choice_who").set_value("own").run()
    assert "EM*" in table
    assert "EM*" not in panel(view, "means_personal")
    assert drawn(view)["chart_means_personal"] != before


def test_marks_that_make_no_sense_are_refused_beside_the_table(view):
    before = study(view, "means")
    said = ask(view, column_actions.set_intervals, "age", [(60.0, 50.0)])
    assert "60..50" in said
    assert study(view, "means") == before
    view.session_state.means_problem = said
    view.run()
    assert said in alerts(view)


def test_the_public_range_is_stated(view):
    next(box for box in view.number_input if box.label == "To").set_value(80.0).run()
    assert study(view, "means").bins[:2] == (10.0, 80.0)
    assert study(view, "means").marks.values == ("70..80",), "marks are cut to the range"
    found = numbers(view)
    assert found.clipped
    assert words.count(found.clipped) in panel(view, "means_marks")
    assert margin(view, "uTernary") in sentence(view)


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("arm.A", "30..20", "30..20"),
        ("bins", "50", "bins"),
        ("column", "workclass", "“workclass”"),
    ],
)
def test_a_link_that_makes_no_sense(still, name, value, told):
    query = {"column": "age", "bins": ["10.0", "90.0", "64"]} | {name: value}
    at = opened(task="means", data="census", m=["Duchi"], **query)
    assert any(told in f"{problem.what} {problem.why}" for problem in state(at).problems)
    assert all(problem.what in boxes(at) for problem in state(at).problems)
    assert study(at, "means").column == "age"
    assert study(at, "means").bins[:2] == (10.0, 90.0)


def test_no_mechanism_is_a_state_not_an_error(view):
    for group in ("every", "marked", "weaker"):
        view.button_group(key=f"means_{group}").set_value([])
    view.run()
    assert emptied(view) == {"means"}
    assert panels(view) == []
    assert boxes(view)


def test_words_have_no_mean(view):
    upload(view, data.read(b"text\n" + b"a\nb\n" * 20, "words.csv"))
    assert study(view, "means").column == ""
    assert panels(view) == []
    assert "“words.csv”" in boxes(view)
    assert view.selectbox(key="data").value == "words.csv"


def test_a_constant_column_is_told_so(view):
    ages = "\n".join(str(a) for a in np.r_[np.full(40, 200), np.arange(201, 240)])
    upload(view, data.read(f"age\n{ages}\n".encode(), "ages.csv"))
    assert panels(view) == ["means_proposal", *USUAL], "nothing is marked in an upload"
    do(view, column_actions.set_range, "age", 0.0, 100.0, 10)
    assert panels(view) == []
    assert "“age”" in boxes(view)
    assert "100" in boxes(view)


def test_the_distribution_needs_fine_reports(view):
    unfolded(view, "sdpm")
    assert not catalog.MEANS["Duchi"].factory.recovers
    view.button_group(key="means_every").set_value(["Duchi"])
    view.button_group(key="means_marked").set_value([]).run()
    assert "chart_means_distribution" not in charts(view)
    assert "Duchi" in boxes(view)
    view.button_group(key="means_every").set_value(["Duchi", "PM"]).run()
    assert "chart_means_distribution" in charts(view)
    assert every_estimate(study(view, "means").mechanisms)[-1][0] == "PM"


# against what the error is drawn -------------------------------------------------------------------------------------


def traced(at: AppTest, name: str) -> tuple[np.ndarray, np.ndarray]:
    """x and y of a line or of marks in the error's chart."""
    found = charts(at)["chart_means_error"]["data"]
    trace = next(trace for trace in found if trace["name"] == name)
    return tuple(np.frombuffer(b64decode(trace[of]["bdata"]), trace[of]["dtype"]) for of in "xy")


@pytest.mark.parametrize("axis", ["n", "share"])
def test_the_error_is_drawn_against_the_study_s_axis(first, axis):
    """The switch, the link and the terminal's table speak of the same points."""
    at = twin(first, "means")
    headline = sentence(at)
    assert traced(at, "Duchi")[0][0] == pytest.approx(0.1)
    at.radio(key="means_axis").set_value(axis).run()
    assert study(at, "means").axis == axis
    assert sentence(at) == headline, "the Study itself is where it was"
    made = curves.over(study(at, "means"), numbers(at))
    rows = task.theory(made, numbers(at))
    for name in ("Duchi", "uTernary"):
        exact = rows[(rows["mechanism"] == name) & (rows["metric"] == "mse:mean")].set_index("x")["theory"]
        line = {round(float(x), 6): y for x, y in zip(*traced(at, name), strict=True)}
        for x in made.grid:
            shown = round(100 * x if axis == "share" else x, 6)
            assert line[shown] == pytest.approx(NORMAL_95 * exact[x] ** 0.5), (name, x)
        assert len(traced(at, f"{name} simulated")[0]) == len(made.grid) + 1, "and the Study's own point"
    again = opened(**link(at), address="means")
    assert study(again, "means").axis == axis
    assert again.radio(key="means_axis").value == axis


@pytest.mark.one_in(2, 1)  # the usual ones are those about people's number, on the axis or said
@pytest.mark.parametrize("changes", [{}, {"axis": "n"}, {"axis": "share"}, {"n": 500}])
def test_the_limit_is_that_of_the_study_s_people(first, changes):
    """Of as many as the link names, not of as many as there are data."""
    at = do(twin(first, "means"), actions.change, "means", **changes)
    made = study(at, "means")
    people = made.n or numbers(at).n
    least = limit.least(made, numbers(at), "ULDP", made.epsilon) * numbers(at).unit ** 2 / people
    assert f"±{sentences.quantity(rounded_down(NORMAL_95 * least**0.5))} " in limit_words(at)
    at.radio(key="means_unit").set_value("typical").run()
    assert f"±{sentences.quantity(rounded_down(least**0.5))} " in limit_words(at), "and as the axis has it"
    assert least**0.5 < exact_error(at, "uTernary")


def limit_words(at: AppTest) -> str:
    """In the chart where it has room for them, else below it."""
    inside = [note["text"].replace("<br>", " ") for note in charts(at)["chart_means_error"]["layout"]["annotations"]]
    return " ".join([plain(" ".join(inside)), panel(at, "means_error")])


def test_marks_for_which_sdpm_has_no_unbiased_mean(still):
    """Two intervals a whole number of windows apart fix one another's score: EM alone is left."""
    query = {"task": "means", "data": "census", "column": "age", "bins": ["10.0", "90.0", "64"], "eps": "4.0"}
    at = opened("means", **query, **{"arm.A": ["40..60"]}, m=["SDPM"])
    assert panels(at) == USUAL
    assert "simulated" not in boxes(at), "no survey will bring one"
    assert "SDPM" in sentence(at)
    at.button_group(key="means_every").set_value(["Duchi"]).run()
    assert panels(at) == USUAL
    assert margin(at, "Duchi") in sentence(at)


def test_few_numbers_have_a_mean_and_codes_are_warned_of():
    """Grades are offered behind all numbers; no other page turns this one to them, since they may be codes."""
    rows = [f"{age},{age % 5 + 1},{'f' if age % 2 else 'm'}" for age in range(18, 90)] * 3
    at = opened("means", data.read("\n".join(["age,grade,sex", *rows]).encode(), "class.csv"))
    assert study(at, "means").column == "age"
    assert "codes" not in html(at)
    do(at, actions.choose_column, "grade")
    assert study(at, "frequency").column == "grade"
    assert study(at, "means").column == "age"
    do(at, actions.choose_column, "grade", "means")
    assert study(at, "means").column == "grade"
    assert "codes" in html(at)
    assert study(at, "means").bins[:2] == (1.0, 5.0)


# a mechanism of one's own ----------------------------------------------------------------------------------------


@pytest.fixture
def inventing(view) -> AppTest:
    view.session_state["fold_means_own"] = True
    return view.run()


def test_a_table_for_numbers_is_measured_beside_the_best_and_drawn(inventing) -> None:
    before = sentence(inventing)
    at = press(inventing, "own_begin_Duchi")
    text = plain(panel(at, "own_mechanism"))
    assert "It keeps LDP at ε = 1" in text
    assert "best at this ε" in text
    assert sentence(at) == before  # the headline is about the Study's ε and the catalogue
    for chart in ("chart_means_error", "chart_means_guessed_other"):
        star = next(trace for trace in charts(at)[chart]["data"] if trace["name"] == "Own")
        assert star["mode"] == "markers"
        assert np.frombuffer(b64decode(star["x"]["bdata"])) == pytest.approx([1.0])
    made = study(at, "means")
    assert made.option("own").startswith("number,")
    assert "Own" not in made.mechanisms
    assert "Own" in ask(at, links.full, TASKS["means"]).mechanisms  # the Study file
    mine = facts.facts(invented.added(made), numbers(at)).parts["Own"]
    assert f"±{sentences.quantity(mine.margin)}" in text
    assert study(press(at, "own_drop"), "means").option("own") is None


def test_marks_decide_what_a_table_for_numbers_promises(inventing) -> None:
    at = press(inventing, "own_begin_uTernary")
    assert "Towards marked numbers it keeps ε = 1" in panel(at, "own_mechanism")
    do(at, column_actions.set_marks, study(at, "means").column, ())
    assert "It keeps no promise" in panel(at, "own_mechanism")


@pytest.mark.one_in(2)  # every reason: tests/unit/test_own_numbers.py
@pytest.mark.parametrize("text", ["0.5 0.5\n0.5 0.5", "not a table", "number,A,B\n0,1,0\n7,0,1"])
def test_what_is_no_mechanism_for_numbers_is_told_why_and_waits(inventing, text) -> None:
    at = inventing.text_area(key="own_text").set_value(text).run()
    assert "no mechanism for these answers" in panel(at, "own_mechanism")
    assert at.text_area(key="own_text").value == text
    assert study(at, "means").option("own") is None
