"""The Itemsets view: it says what is found, turns round with its switches, and takes bad input with a sentence."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ldpapp.tasks.itemsets import data as itemset_data
from ldpapp.tasks.itemsets import findings as itemset_findings
from ldpapp.tasks.itemsets import study as itemsets
from ldpcore.catalog import MINERS
from ldpcore.data import load
from ldpcore.itemsets.question import Ground, Question
from ldpcore.rng import stream
from tests.laws.test_miners import DATA

MAIN = Path(__file__).parents[2] / "app" / "main.py"


def opened(**state):
    page = AppTest.from_file(MAIN, default_timeout=120)
    page.run()
    page.session_state["data"] = "groceries"
    page.session_state["repetitions"] = 1
    page.session_state["stopped"] = None
    for key, value in state.items():
        page.session_state[key] = value
    return page.switch_page("views/itemsets.py").run()


def texts(page):
    return [element.proto.body for element in page.get("html")]


def sentence(page):
    assert not page.exception
    found = [text for text in texts(page) if 'class="sentence"' in text]
    assert len(found) == 1
    return re.sub(r"<[^>]+>", "", found[0].replace("&nbsp;", " "))


@pytest.fixture(scope="module")
def page():
    return opened()


def test_it_finds_bills_and_explains(page):
    said = sentence(page)
    assert "the ranking turns round" in said
    assert "for a bill of ε =" in said
    everything = " ".join(texts(page))
    for title in ("The same sets, side by side", "F at the same total ε", "What DFDP’s candidates give away",
                  "The bill, spend by spend", "F by length"):  # fmt: skip
        assert title in everything
    assert "Seeing it published proves that the basket was there" in everything
    assert "no: candidates use true counts" in everything
    assert "on paper only" in everything


def test_one_switch_shows_the_reversal_and_one_what_the_limit_hides(page):
    page.session_state["itemsets_same"] = "s"
    said = sentence(page.run())
    assert "At the same s = 0.2" in said
    assert re.search(r"DFDP’s bill is ε = \d", said)
    page.session_state["itemsets_same"] = "epsilon"
    page.session_state["itemsets_clip"] = True
    said = sentence(page.run())
    assert "What ±10 hides: one count of DFDP proves that a basket is there with probability 0.05" in said
    assert "all counts almost surely" in said
    page.session_state["itemsets_clip"] = False


def test_withheld_items_cost_what_the_page_says(page):
    page.session_state["itemsets_withhold"] = True
    page.run()
    assert not page.exception
    note = next(text for text in texts(page) if "withheld: no set with one of them" in text)
    assert re.search(r"gives up \d+ of the", note)
    page.session_state["itemsets_withhold"] = False


def test_filter_and_order(page):
    page.text_input(key="itemsets_filter").set_value("yogurt").run()
    table = next(text for text in texts(page) if '<div class="sets" ' in text)
    names = re.findall(r'<td title="([^"]+)"', table)
    assert len(names) > 11
    assert all("yogurt" in name for name in names)
    page.text_input(key="itemsets_filter").set_value("unicorn").run()
    assert any("No frequent or published set holds “unicorn”." in text for text in texts(page))
    page.text_input(key="itemsets_filter").set_value("").run()


@pytest.mark.parametrize(
    ("least", "words"),
    [
        (9_800, "nothing is frequent"),
        (0, "The number of baskets must be between 1 and 9835"),
        (10**6, "The number of baskets must be between 1 and 9835"),
    ],
)
def test_thresholds_that_make_no_sense_get_a_sentence(page, least, words):
    page.session_state["itemsets_least"] = {(load("groceries").digest, "items"): least}
    page.run()
    page.session_state["itemsets_least"] = {}
    assert not page.exception
    assert any(words in text for text in texts(page))


def test_no_miner(page):
    page.session_state["itemsets_miners"] = []
    assert "Choose at least one miner" in sentence(page.run())
    page.session_state["itemsets_miners"] = list(itemsets.DEFAULT_MECHANISMS)


def test_a_usual_threshold_is_round():
    assert [itemsets.usual(n) for n in (1, 2, 100, 9835, 32_561, 10**6)] == [1, 2, 2, 100, 350, 10_000]


# what the page shows, without the page


def shown(key, least=60, **fields):
    ground = Ground(DATA, least)
    question = Question(4.0, **fields)
    return itemset_data.Shown(key, MINERS[key].mine(ground, question, stream(1, key)), ground, question)


def test_the_table_holds_every_set_that_is_true_or_published():
    each = [shown("DFDP"), shown("Capped")]
    truth = each[0].ground.truth
    table = itemset_data.side_by_side(truth, each)
    for one in each:
        published = table[one.key].notna()
        assert int((published & table["frequent"]).sum()) == one.scores.found
        assert int((published & ~table["frequent"]).sum()) == one.scores.false
        assert int((~published & table["frequent"]).sum()) == one.scores.missed
    assert table["true"].is_monotonic_decreasing
    for rows in (3, 11, 40):
        some = itemset_data.example(table, rows)
        assert len(some) <= rows
        assert some.index.is_unique
    assert itemset_data.filtered(table, "i0", "Capped")["set"].str.contains("i0").all()


@pytest.mark.parametrize("little", [False, True])
def test_sentences_follow_the_numbers(little):
    """The ranking is said to turn round only where it does."""
    each = {key: shown(key) for key in ("DFDP", "SmartTrunc", "Capped")}
    other = {key: shown(key, s=0.001 if little else 5.0) for key in ("DFDP", "SmartTrunc")}
    said = itemset_findings.sentence("epsilon", "total ε = 4", each, other, 5.0, 4.0, str)
    f = {
        place: [here[key].scores.f for key in ("DFDP", "SmartTrunc")]
        for place, here in (("now", each), ("then", other))
    }
    turned = (f["now"][0] - f["now"][1]) * (f["then"][0] - f["then"][1]) < 0
    assert ("turns round" in said) <= turned
    assert str(other["DFDP"].scores.found) in said


@pytest.mark.parametrize(("p", "text"), [(0.5, "0.50"), (0.00056, "0.00056"), (0.9999, "over 0.99"), (1e-6, "10⁻⁶")])
def test_probabilities(p, text):
    assert itemset_findings.probability(p) == text


def test_what_coin_tosses_find_is_said_beside_hits_that_are_no_better():
    little, much = shown("DFDP", s=1e-6), shown("DFDP", s=50.0)
    right, wrong = little.coins
    assert right + wrong == sum(len(level.items) for level in little.mined.levels) / 2
    assert little.by_chance
    assert not much.by_chance
    for one, tossed in ((little, True), (much, False)):
        said = itemset_findings.sentence("epsilon", "total ε = 4", {"DFDP": one}, {}, 5.0, 4.0, str)
        assert f"{one.scores.false or 'none'} false (F = {one.scores.f:.2f})" in said
        assert "on paper only" in said
        assert ("coin toss" in said) == tossed


def test_a_promise_that_is_kept_comes_first():
    each = {key: shown(key) for key in ("DFDP", "SmartTrunc", "Capped")}
    said = itemset_findings.sentence("epsilon", "total ε = 4", each, {}, 5.0, 4.0, str)
    best = max(("SmartTrunc", "Capped"), key=lambda key: each[key].scores.f)
    assert said.startswith(f"At the same total ε = 4 {best} finds")
    assert "; DFDP " in said
    assert not each[best].on_paper
