"""The Sets view's logic, without a browser."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

MAIN = Path(__file__).parents[2] / "app" / "main.py"
PAGE = "views/sets.py"


def opened() -> AppTest:
    """On bundled baskets, with few surveys: what is tested here does not depend on how many."""
    app = AppTest.from_file(MAIN, default_timeout=120)
    app.query_params["data"] = "groceries"
    app.query_params["reps"] = "1"
    return app.run().switch_page(PAGE).run()


def sentence(app: AppTest) -> str:
    return next(block.proto.body for block in app.get("html") if 'class="sentence"' in block.proto.body)


def words(app: AppTest) -> str:
    return " ".join(block.proto.body for block in app.get("html"))


def test_the_view_opens_and_its_controls_work() -> None:
    app = opened()
    assert not app.exception
    assert "At ε = 1" in sentence(app)
    assert "uPrivSet" in sentence(app)
    said = words(app)
    assert "What a report tells" in said
    assert "<b>Claim</b> of" in said
    assert "<b>Repaired:</b>" in said
    assert "25 items marked sensitive" in said
    for axis in ("share", "m", "n"):
        app.session_state["sets_axis"] = axis
        app.run()
        assert not app.exception, axis
        assert len(app.get("plotly_chart")) >= 2, axis
    for scope, quantity in (("sensitive", "mse"), ("other", "largest")):
        app.radio(key="sets_scope").set_value(scope)
        app.radio(key="sets_quantity").set_value(quantity).run()
        assert not app.exception, (scope, quantity)


def test_epsilon_and_m_change_the_sentence() -> None:
    app = opened()
    before = sentence(app)
    app.number_input(key="epsilon").set_value(2.0).run()
    assert "At ε = 2" in sentence(app)
    app.number_input(key="epsilon").set_value(1.0).run()
    app.number_input(key="sets_m").set_value(2).run()
    assert not app.exception
    assert sentence(app) != before
    assert "at most 2 items" in words(app)
    app.number_input(key="epsilon").set_value(-1.0).run()
    assert "epsilon must be positive" in words(app)
    assert "At ε = 1" in sentence(app)


def test_a_floor_is_drawn_and_called_what_it_is() -> None:
    app = opened()
    said = words(app) + "".join(chart.proto.spec for chart in app.get("plotly_chart"))
    assert "east error found for what keeps the whole report private" in said
    assert "the best of a family of reports" in said
    assert "not proven" in said
    assert "imit of what" not in said


def test_simulated_sets_need_no_padding() -> None:
    app = opened()
    app.selectbox(key="sets_simulated").set_value(16).run()
    assert not app.exception
    assert "nothing is padded or cut" in words(app)
    assert "16 items, all alike, 4 of them marked" in words(app)
    # uPrivSet draws its subsets beside the user's own items: 4 marked ones are too few for m = 8.
    assert "uPrivSet is not shown" in words(app)


@pytest.mark.parametrize("group", ["every", "marked", "weaker"])
def test_no_mechanism_is_a_state_not_an_error(group) -> None:
    app = opened()
    for other in ("every", "marked", "weaker"):
        app.session_state[f"sets_{other}"] = []
    app.run()
    assert "Choose at least one mechanism" in sentence(app)
    app.session_state[f"sets_{group}"] = {"every": ["Wheel"], "marked": ["suRAP"], "weaker": ["suWheel"]}[group]
    app.run()
    assert not app.exception
    assert "At ε = 1" in sentence(app)


def test_any_table_has_sets_and_one_without_says_so() -> None:
    app = AppTest.from_file(MAIN, default_timeout=120)
    app.query_params["reps"] = "1"
    app.run().switch_page(PAGE).run()
    assert not app.exception
    assert app.session_state["column"] == "all columns"
    assert "No item marked sensitive" in words(app)
    assert "At ε = 1" in sentence(app)


def test_items_are_marked_on_the_data_page() -> None:
    app = AppTest.from_file(MAIN, default_timeout=120)
    app.query_params.update(data="groceries", task="sets", column="items", reps="1")
    app.run()
    assert not app.exception
    assert "25 of 169 items are marked" in sentence(app)
    assert "2\u202f500 of 9\u202f835 people hold one" in sentence(app)
    app.multiselect(key="category_choice").set_value(["pets"]).run()
    app.button(key="mark_category").click().run()
    assert "29 of 169 items are marked" in sentence(app)
    app.button(key="mark_clear").click().run()
    assert "No item is marked" in sentence(app)
    app.button(key="mark_rare").click().run()
    assert not app.exception
    assert "items are marked" in sentence(app)
    app.button(key="mark_invert").click().run()
    assert not app.exception
