"""The Itemsets view: it says what is found, turns round with its switches, and takes bad input with a sentence."""

import re
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from ldpapp import words
from ldpapp.state import actions
from ldpapp.views.itemsets import panels as itemset_panels
from ldpapp.views.itemsets import sentences as itemset_findings
from ldpapp.views.itemsets import terms
from ldpcore import data
from ldpcore.catalog import MINERS
from ldpcore.data import load
from ldpcore.itemsets.ledger import delta
from ldpcore.itemsets.question import CLIP, GroundTruth, MiningQuestion
from ldpcore.rng import stream
from ldpcore.study import itemsets as task
from ldpcore.study import run
from ldpcore.study.itemsets import curves
from ldpcore.study.itemsets.compare import Outcome, side_by_side
from tests.laws.test_miners import DATA

from .opening import (
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

USUAL = ["sets", "scores"]
LAYOUT = data.ReadOptions(layout="table")
FOLDS = {"fold_itemsets_bill": ["ledger", "lengths"], "fold_itemsets_leak": ["leak"]}


@pytest.fixture(scope="module")
def first() -> AppTest:
    return opened("itemsets", data="groceries")


@pytest.fixture
def page(first) -> AppTest:
    return twin(first, "itemsets")


def scores(at: AppTest, metric: str = "f") -> dict[str, float]:
    """What the Study of the page computes at its own point."""
    rows = run(curves.along(study(at, "itemsets"), study(at, "itemsets").axis))
    rows = rows[(rows["metric"] == metric) & (rows["scope"] == "all") & (rows["repetition"] == 0)]
    return dict(zip(rows["mechanism"], rows["value"], strict=True))


def ground(at: AppTest) -> GroundTruth:
    """The exact counts that the page compares with, of the baskets whole."""
    made = study(at, "itemsets")
    return task.ground(made, task.prepare(made, load("groceries")), task.current(made))


def unfolded(at: AppTest) -> AppTest:
    """The page with its folds open, as a link asks for them."""
    for key in FOLDS:
        at.session_state[key] = True
    return at.run()


def card(at: AppTest, key: str) -> str:
    return next(text for text in html(at).split("\n") if f">{MINERS[key].label}</span>" in text)


def listed(at: AppTest) -> list[str]:
    """The sets that the table shows."""
    table = next(text for text in html(at).split("\n") if '<div class="sets" ' in text)
    return re.findall(r'<td title="([^"]+)" style', table)


def test_it_finds_bills_and_explains(page):
    assert panels(page) == USUAL
    assert {"chart_scores", *(f"chart_strip_{key}" for key in study(page, "itemsets").mechanisms)} == set(charts(page))
    assert "no: candidates use true counts" in html(page)
    assert "Bars: frequent sets, commonest left; pale: missed. Strip below: false." in html(page)
    assert " counts, each s = " in html(page)
    assert "on paper only" in html(page)
    found, false, said = scores(page, "found"), scores(page, "false"), plain(sentence(page))
    true = ground(page).truth.published
    assert said.startswith(
        f"⬟ Capped finds {words.count(found['Capped'])} of {words.count(true)} sets of items in {ground(page).least} "
        f"or more baskets, reports {words.count(false['Capped'])} that are not, in this run at total ε = "
    )
    hits = f"DFDP {words.count(found['DFDP'])} and {words.count(false['DFDP'])}"
    assert f"{hits}, promise broken: true counts choose what it asks." in said
    assert all(f"F = {value:.2f}" in plain(html(page)) for value in scores(page).values())


def test_whom_people_must_trust_is_said(page):
    """Every miner but Local sees whole baskets: beside the data, and on the Overview's card."""
    side = plain(" ".join(each.proto.body for each in page.sidebar.get("html")))
    assert "A trusted curator sees whole baskets" in side
    do(page, actions.choose_mechanisms, "itemsets", ["Local"])
    side = plain(" ".join(each.proto.body for each in page.sidebar.get("html")))
    assert "curator sees" not in side
    overview = opened("overview", task="itemsets", data="groceries")
    assert "sets found if a curator sees all" in plain(panel(overview, "overview_itemsets"))


def test_the_bill_and_the_leak_are_behind_folds(page):
    there = run(replace(curves.along(study(page, "itemsets"), "s"), repetitions=1)).set_index(
        ["mechanism", "metric", "scope"]
    )["value"]
    assert not set(panels(page)) & {key for each in FOLDS.values() for key in each}
    assert set(link(page)) & set(FOLDS) == set()
    assert panels(unfolded(page)) == [*USUAL, *FOLDS["fold_itemsets_bill"], *FOLDS["fold_itemsets_leak"]]
    assert "chart_lengths" in charts(page)
    assert set(link(page)) >= set(FOLDS), "the link opens them"
    assert f"finds {words.count(there['DFDP', 'found', 'all'])} of" in panel(page, "ledger"), "what the bill buys"
    assert f"{words.count(there['DFDP', 'false', 'all'])} false" in panel(page, "ledger")
    assert words.decimals(there["DFDP", "total", "all"]) in plain(panel(page, "ledger"))


def test_the_study_file_finds_what_the_page_shows(page):
    """Cards show the very run that `ldpcore run` computes."""
    for metric in ("found", "false"):
        for key, value in scores(page, metric).items():
            assert f">{words.count(value)}</div>" in card(page, key), (metric, key)


def test_one_switch_shows_the_reversal_and_one_what_the_limit_hides(page):
    before = drawn(page)["chart_scores"]
    page.button_group(key="itemsets_same").set_value("s").run()
    assert study(page, "itemsets").axis == "s"
    s = study(page, "itemsets").option("s")
    assert f"s = {words.epsilon(s)}" in plain(sentence(page))
    assert f"{words.count(scores(page, 'found')['DFDP'])} and" in plain(sentence(page))
    assert page.number_input(key="itemsets_s").value == s
    assert drawn(page)["chart_scores"] != before
    page.button_group(key="itemsets_same").set_value("epsilon").run()
    assert drawn(page)["chart_scores"] == before
    page.toggle(key="itemsets_clip").set_value(True).run()
    unfolded(page)
    assert study(page, "itemsets").option("clip") == CLIP
    one = 1 / ground(page).each(1.0)
    assert itemset_findings.probability(delta(one, CLIP)) in panel(page, "ledger")
    assert f"±{CLIP:g}" in plain(sentence(page))
    page.toggle(key="itemsets_clip").set_value(False).run()
    assert study(page, "itemsets").option("clip") is None


def test_a_budget_of_one_count_is_typed(page):
    page.button_group(key="itemsets_same").set_value("s").run()
    page.number_input(key="itemsets_s").set_value(0.4).run()
    assert study(page, "itemsets").option("s") == 0.4
    assert "s = 0.4" in plain(sentence(page))
    page.number_input(key="itemsets_s").set_value(-1.0).run()
    assert study(page, "itemsets").option("s") == 0.4
    assert any("-1" in toast.value for toast in page.toast)


def test_withheld_items_cost_what_the_page_says(page):
    items, frequent = set(data.BUNDLED["groceries"].default_marks), ground(page).truth.itemsets["itemset"]
    lost = sum(bool(items & set(map(str, names))) for names in frequent)
    assert study(page, "itemsets").marks.levels == ()
    page.toggle(key="itemsets_withhold").set_value(True).run()
    assert set(study(page, "itemsets").marks.values) == items
    assert f"{words.count(lost)} of the {words.count(len(frequent))}" in boxes(page)
    page.toggle(key="itemsets_withhold").set_value(False).run()
    assert study(page, "itemsets").marks.levels == ()


def test_filter_and_order(page):
    page.text_input(key="itemsets_filter").set_value("yogurt").run()
    assert len(listed(page)) > 11
    assert all("yogurt" in name for name in listed(page))
    page.text_input(key="itemsets_filter").set_value("unicorn").run()
    assert "“unicorn”" in boxes(page)
    page.text_input(key="itemsets_filter").set_value("").run()
    usual = listed(page)
    page.selectbox(key="itemsets_order").set_value("true").run()
    assert listed(page) != usual
    assert len(listed(page)) > len(usual)


def test_sets_can_be_kept_short(page):
    page.selectbox(key="itemsets_longest").set_value(1).run()
    assert study(page, "itemsets").option("max_length") == 1
    page.selectbox(key="itemsets_order").set_value("true").run()
    assert all(" + " not in name for name in listed(page))
    assert "1 level" in card(page, "SmartTrunc"), "no more than is looked for"
    assert "adds at most 3<" in card(page, "Capped")


@pytest.mark.parametrize("least", [9_800, 0, 10**6])
def test_thresholds_that_make_no_sense_get_a_sentence(page, least):
    held = load("groceries").baskets("items")
    page.number_input(key="itemsets_at_least").set_value(least).run()
    assert curves.least(study(page, "itemsets"), held.n) == least
    said = (boxes(page) + plain(sentence(page))).replace(words.THIN, "")
    assert "min_count" not in said
    if 0 < least <= held.n:
        assert str(least) in said
        assert str(held.counts.max()) in said, "the commonest item"
    else:
        assert f"between 1 and {held.n}" in said, "the remedy"
    assert set(panels(page)) <= {"sets"}


def test_no_miner(page):
    before = study(page, "itemsets").mechanisms
    page.button_group(key="itemsets_miners").set_value([]).run()
    assert emptied(page) == {"itemsets"}
    assert panels(page) == []
    next(button for button in page.button if button.label == "Show the usual ones").click().run()
    assert study(page, "itemsets").mechanisms == before
    assert before == ("DFDP", "SmartTrunc", "Capped"), "baskets are no table, and nobody has asked for Tables"
    assert panels(page) == USUAL


def answers(columns: int, people: int = 400) -> data.Table:
    """A table in which nearly everybody gives the same answers: every combination of many is frequent."""
    rare = stream(4, "answers").random((people, columns)) < 0.05
    rows = "\n".join(",".join("no" if other else "yes" for other in row) for row in rare)
    return data.read(f"{','.join(f'q{i}' for i in range(columns))}\n{rows}\n".encode(), "survey.csv", LAYOUT)


@pytest.mark.thorough
def test_dense_answers_open_with_a_first_picture(page):
    """They once opened with advice about min_count and max_length."""
    upload(page, answers(24))
    made = study(page, "itemsets")
    assert panels(page) == USUAL
    assert made.option("max_length") == 3
    assert "A first picture" in boxes(page)
    assert f"up to 3 answers given by at least {words.count(made.option('min_count'))} people" in boxes(page)
    said = plain(html(page) + page.number_input(key="itemsets_at_least").label)
    assert "basket" not in said.replace("basketAll items", ""), (
        "people gave answers; the word is explained all the same"
    )
    page.number_input(key="itemsets_at_least").set_value(made.option("min_count") + 1).run()
    assert "A first picture" not in boxes(page), "somebody chose"
    page.selectbox(key="itemsets_longest").set_value(4).run()
    assert study(page, "itemsets").option("max_length") == 4, "longer than what is known"
    unfolded(page)
    assert "basket" not in plain(html(page)).replace("basketAll items", "")


@pytest.mark.thorough
def test_too_many_sets_lead_to_the_nearest_question(page):
    upload(page, answers(24))
    ask(page, lambda: actions.option("itemsets", min_count=5, max_length=None))
    assert panels(page.run()) == []
    assert "min_count" not in boxes(page)
    next(button for button in page.button if "Sets of up to 3 answers" in button.label).click().run()
    assert panels(page) == USUAL
    page.selectbox(key="data").set_value("groceries").run()
    assert study(page, "itemsets").option("max_length") is None, "other data get a question of their own"
    assert "A first picture" not in boxes(page)


def test_another_run_is_another_release(page):
    before, table = panel(unfolded(page), "leak"), listed(page)
    press(page, "itemsets_again")
    assert listed(page) != table
    assert panel(page, "leak").partition("The repair")[0] == before.partition("The repair")[0], "it is exact"


def test_a_table_without_baskets_says_so_and_leads_on(page):
    upload(page, data.read(b"a\n" + b"".join(b"%d.5\n" % i for i in range(100)), "plain.csv"))
    assert panels(page) == []
    assert "“plain.csv”" in boxes(page)
    next(button for button in page.button if "groceries" in button.label).click().run()
    assert state(page).workspace.table.name == "groceries"
    assert panels(page) == USUAL


def test_a_usual_threshold_is_round():
    assert [task.usual(n) for n in (1, 2, 100, 9835, 32_561, 10**6)] == [1, 2, 2, 100, 350, 10_000]


def test_a_share_of_the_baskets_is_shown_as_their_number(page):
    """A study file may say 0.02; the box beside the data says how many that is."""
    ask(page, lambda: actions.option("itemsets", min_count=0.02))
    assert page.run().number_input(key="itemsets_at_least").value == ground(page).least > 1


@pytest.mark.one_in(2)  # all miners together are usual, which says what each of them does
@pytest.mark.parametrize("miners", [("Apriori",), ("Capped",), ("DFDP",), ("Capped", "Local"), tuple(MINERS)])
@pytest.mark.parametrize("axis", ["epsilon", pytest.param("s", marks=pytest.mark.thorough)])
def test_any_choice_of_miners_has_a_finding(page, miners, axis):
    ask(page, lambda: actions.change("itemsets", mechanisms=miners, axis=axis))
    said = plain(sentence(page.run()))
    assert panels(page) == USUAL
    if miners == ("Apriori",):
        assert "nobody is protected" in said
        assert "ε" not in said, "it books none"
    elif "DFDP" not in miners:
        assert f"ε = {words.epsilon(study(page, 'itemsets').epsilon)}" in said, "no budget per count is equal here"
    assert (";" in said) == (len(set(miners) - {"Apriori"}) > 1), "another one beside it"


def test_a_miner_that_cannot_run_is_left_out_with_a_reason(page):
    """Groceries are no table: the others are shown, and where there is no other, the reason alone."""
    ask(page, lambda: actions.change("itemsets", mechanisms=("Capped", "Tables")))
    page.run()
    assert panels(page) == USUAL
    left = MINERS["Tables"].refused(ground(page).data)
    assert left
    assert left in html(page)
    ask(page, lambda: actions.change("itemsets", mechanisms=("Tables",)))
    page.run()
    assert panels(page) == []
    assert left in boxes(page)


# what the page shows, without the page


def mined(key, least=60, **fields):
    ground, question = GroundTruth(DATA, least), MiningQuestion(4.0, **fields)
    return Outcome(key, MINERS[key].mine(ground, question, stream(1, key)), ground, question)


def headline(same, runs):
    """Without what a frequent set is."""
    ground = next(iter(runs.values())).ground
    said = plain(itemset_findings.headline(same, runs, ground, 5.0, 4.0, str, terms.baskets()))
    frequent = f" of {ground.truth.published} sets of items in {ground.least} or more baskets"
    assert said.count(frequent) == 1
    return said.replace(frequent, "")


def test_sets_are_filtered_by_what_they_hold():
    each = {key: mined(key) for key in ("DFDP", "Capped")}
    table = side_by_side(each["DFDP"].ground.truth, each)
    assert itemset_panels.filtered(table, "i0", "Capped")["set"].str.contains("i0").all()


@pytest.mark.parametrize(("p", "text"), [(0.5, "0.50"), (0.00056, "0.00056"), (0.9999, "over 0.99"), (1e-6, "10⁻⁶")])
def test_probabilities(p, text):
    assert itemset_findings.probability(p) == text


def test_a_headline_is_two_results_and_a_cost():
    each = {key: mined(key) for key in ("DFDP", "SmartTrunc", "Capped")}
    for same, clip in (("epsilon", None), ("s", None), ("epsilon", CLIP)):
        runs = {key: mined(key, clip=clip) for key in each}
        said = headline(same, runs)
        assert len(re.findall(r"[.](?: |$)", said)) in (1, 2), "results, and a cost"
        assert (clip is None) == ("gives" not in said)
        assert said.count("in this run") == said.count("promise broken: ") == 1
        assert len(said) < 160, "two lines, with what a frequent set is"


def test_what_coin_tosses_find_is_said_beside_hits_that_are_no_better():
    little, much = mined("DFDP", s=1e-6), mined("DFDP", s=50.0)
    for one, tossed in ((little, True), (much, False)):
        said = itemset_findings.elsewhere("s", one, 5.0, 4.0)
        assert f"{one.scores.false} false (F = {one.scores.f:.2f})" in said
        assert ("coin toss" in said) == tossed
        found, false = words.count(one.scores.found), words.count(one.scores.false)
        assert headline("epsilon", {"DFDP": one}) == (
            f"DFDP finds {found}, reports {false} that are not, in this run at total ε = 4, promise broken: true "
            "counts choose what it asks."
        )


def test_a_promise_that_is_kept_comes_first():
    each = {key: mined(key) for key in ("DFDP", "SmartTrunc", "Capped")}
    best = max(("SmartTrunc", "Capped"), key=lambda key: each[key].f)
    assert headline("epsilon", each).startswith(f"{best} finds ")
    assert headline("epsilon", each).endswith("promise broken: true counts choose what it asks.")
    # Noise within a limit hides nothing for sure: that promise is not kept, however much is found.
    limited = each | {"SmartTrunc": mined("SmartTrunc", s=50.0, clip=CLIP)}
    assert limited["SmartTrunc"].f > each["Capped"].f
    assert headline("epsilon", limited).startswith("Capped finds ")
    assert "SmartTrunc’s noise gives the longest basket away" in headline("epsilon", limited), "its limit costs"
    clipped = each | {"DFDP": mined("DFDP", s=50.0, clip=CLIP)}
    assert "DFDP" in headline("epsilon", clipped).partition("promise broken: ±10 noise gives somebody away")[0]


def test_the_best_that_keeps_its_promise_comes_first_though_it_has_no_s():
    """Tables has no budget per count: where it finds most, the comparison of equal s does not hide it."""
    runs = {key: mined(key, s=0.001) for key in ("DFDP", "SmartTrunc")} | {"Tables": mined("Tables")}
    table, dfdp = runs["Tables"].scores, runs["DFDP"].scores
    assert runs["Tables"].f > runs["SmartTrunc"].f
    said = headline("s", runs)
    assert said.startswith(
        f"Tables finds {table.found}, reports {table.false} that are not, in this run at total ε = 4; at s = 5 DFDP "
        f"{words.count(dfdp.found)} and {words.count(dfdp.false)} for {itemset_findings.bill(runs['DFDP'])}, "
        "promise broken: "
    )
    runs["SmartTrunc"] = mined("SmartTrunc", s=500.0)
    assert runs["SmartTrunc"].f == runs["Tables"].f == 1
    found = runs["SmartTrunc"].scores.found
    assert headline("s", runs).startswith(
        f"SmartTrunc finds {found}, reports 0 that are not, in this run at s = 5; DFDP "
    )


def test_the_repair_is_what_keeps_its_promise():
    each = {"DFDP": mined("DFDP", s=50.0), "SmartTrunc": mined("SmartTrunc", clip=CLIP), "Capped": mined("Capped")}
    assert "Capped does that: at" in itemset_findings.repair(each, str, terms.baskets())
    del each["Capped"]
    assert MINERS["Capped"].label in itemset_findings.repair(each, str, terms.baskets())
