"""The Clusters view's logic, without a browser."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ldpcore import data, study
from ldpcore.study import Source, Study

MAIN = Path(__file__).parents[2] / "app" / "main.py"
PAGE = "views/clusters.py"
SIX = ("workclass", "education", "marital-status", "occupation", "relationship", "race")
FEW = b"colour,size\n" + b"red,small\nblue,large\ngreen,large\n" * 20
NUMBERS = b"a,b\n" + b"".join(b"%d.5,%d\n" % (i, 7 * i) for i in range(100))


@pytest.fixture(scope="module", autouse=True)
def two_points():
    """The curves are the engine's; two points of them are enough here."""
    from ldpapp.tasks.clusters import study as clusters

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clusters, "EPSILONS", (1.0, 4.0))
        yield


def opened(**session) -> AppTest:
    """The page with one repetition, so that nothing is waited for."""
    app = AppTest.from_file(MAIN, default_timeout=120).run()
    for key, value in ({"repetitions": 1} | session).items():
        app.session_state[key] = value
    return app.switch_page(PAGE).run()


@pytest.fixture(scope="module")
def first() -> AppTest:
    return opened()


def html(app: AppTest) -> list[str]:
    return [block.proto.body for block in app.get("html")]


def sentence(app: AppTest) -> str:
    return next(body for body in html(app) if 'class="sentence"' in body)


def words_of(app: AppTest) -> str:
    return " ".join(html(app))


def test_the_view_opens_with_its_own_words(first) -> None:
    assert not first.exception
    assert "At ε = 1, " in sentence(first)
    for title in (
        "Modes side by side",
        "Round by round",
        "Nearness to K-modes against ε",
        "What the messages give away",
    ):
        assert title in words_of(first)
    assert "truth, <i>internal</i>" in words_of(first)
    assert len(first.get("plotly_chart")) == 2


def test_the_sentence_is_what_the_study_computes(first) -> None:
    from ldpapp import words

    here = Study(
        Source("census"), "marital-status", mechanisms=("LDPK", "Fresh"), grid=(), repetitions=1, task="clusters",
        options=(("columns", SIX), ("k", 3)),
    )  # fmt: skip
    rows = study.run(here).set_index(["mechanism", "metric", "scope"])["value"]
    said = sentence(first)
    for key in ("LDPK", "Fresh"):
        assert f"{words.of_100(rows[key, 'ac', 'all'])} of 100" in said
        assert words.of_100(rows[key, "guessed", "marital-status"]) in said
    assert "ε allows 70" in said
    assert "blind guessing names 46" in said


def test_the_controls_change_what_is_said() -> None:
    app = opened()
    before = sentence(app)
    app.selectbox(key="clusters_wanted").set_value("race").run()
    assert ">race</b>”" in sentence(app)
    app.number_input(key="epsilon").set_value(3.0).run()
    assert "At ε = 3, " in sentence(app)
    assert sentence(app) != before
    app.number_input(key="clusters_k").set_value(2).run()
    assert "cluster 2" in words_of(app)
    assert "cluster 3" not in words_of(app)
    app.radio(key="clusters_score").set_value("entropy").run()
    assert "left open about the true cluster" in words_of(app)
    app.radio(key="clusters_axis").set_value("k").run()
    assert "Nearness to K-modes against clusters" in words_of(app)
    assert not app.exception


def test_every_method_plays_its_rounds(first) -> None:
    app = first
    said = {
        "LDPK": "as it is",
        "LDPK-split": "all 6 attributes",
        "Fresh": "A user of this round",
        "DPK": "hands over the whole record",
    }
    for key, text in said.items():
        app.radio(key="clusters_played").set_value(key).run()
        found = [box for box in app.select_slider if box.label == "Round"]
        if key == "LDPK-split":
            found[0].set_value(0).run()
        assert text in words_of(app), key
        assert not app.exception
    app.radio(key="clusters_played").set_value("Fresh").run()
    before = words_of(app)
    next(box for box in app.slider if box.label == "User").set_value(4242).run()
    assert "User 4\u202f242" in words_of(app)
    assert words_of(app) != before


def test_another_start_is_another_run() -> None:
    app = opened(repetitions=3)
    before = next(body for body in html(app) if "modes tall" in body)
    app.button(key="clusters_again").click().run()
    assert next(body for body in html(app) if "modes tall" in body) != before


@pytest.mark.parametrize(
    ("content", "k", "said"),
    [
        (NUMBERS, 3, "“mine.csv” has no column of categories."),
        (FEW[:-200], 50, "k must not exceed the number of records: 50 clusters of"),
        (b"a,b\n" + b"x,\n,y\nz,\n,w\n" * 20, 2, "Nobody is left in “a”."),
    ],
    ids=["numbers", "few", "gaps"],
)
def test_bad_data_gets_a_sentence(content, k, said) -> None:
    app = opened(uploads={"mine.csv": data.read(content, "mine.csv")})
    app.selectbox(key="data").set_value("mine.csv").run()
    app.number_input(key="clusters_k").set_value(k).run()
    assert not app.exception
    assert said in words_of(app)


def test_few_records_are_clustered() -> None:
    app = opened(uploads={"few.csv": data.read(FEW, "few.csv")}, clusters_k=2)
    app.selectbox(key="data").set_value("few.csv").run()
    assert not app.exception
    assert ">colour</b>”" in sentence(app)


def test_the_link_brings_the_view_back() -> None:
    app = opened()
    app.number_input(key="clusters_k").set_value(4).run()
    app.selectbox(key="clusters_wanted").set_value("occupation").run()
    query = dict(app.query_params)
    again = AppTest.from_file(MAIN, default_timeout=120)
    for key, value in query.items():
        again.query_params[key] = value
    again.run()
    again.switch_page(PAGE).run()
    assert sentence(again) == sentence(app)
    assert "cluster 4" in words_of(again)
