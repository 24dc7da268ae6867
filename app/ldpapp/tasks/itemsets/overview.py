"""The Overview's card on what is bought together: what miners find, at the same noise and at the same bill."""

from ldpapp import charts, widgets, words
from ldpapp.cards import HEIGHT, Card
from ldpapp.tasks.itemsets import cached as itemsets_cached
from ldpapp.tasks.itemsets import study as own
from ldpapp.tasks.itemsets.data import Shown
from ldpcore.data import DataError, Table
from ldpcore.data.layout import ALL_COLUMNS
from ldpcore.itemsets import TooManyCandidates
from ldpcore.study import Study
from ldpcore.study import itemsets as task

THERE = ("DFDP", "SmartTrunc", "Capped")
"""The miners of the card, whatever the page compares."""


def card(asked: Study, source: Table, column: str) -> Card | None:
    """None where the data has no baskets; a sentence in the card where they cannot be mined."""
    if not source.sets or not asked.column:
        return None
    about = column if column in source.sets else asked.column
    try:
        return _card(source, own.about(asked, about, THERE))
    except (DataError, TooManyCandidates, ValueError) as error:
        said = widgets.escape(str(error))
        return Card("itemsets", "–", "itemsets", "", "itemsets", lambda: widgets.state_box(said))


def _card(source: Table, study: Study) -> Card:
    found = own.data(study, source)
    same, total = own.along(study, "s"), own.along(study, "epsilon")
    ground = task.ground(study, found, study.arms[0].name, task.current(study))
    s = words.epsilon(float(study.chosen(task.OPTIONS)["s"]))
    runs = [
        (f"same noise, s = {s}", same, ("DFDP", "SmartTrunc")),
        (f"same total ε = {words.epsilon(study.epsilon)}", total, THERE),
    ]
    shown = [
        (group, Shown(key, itemsets_cached.mined(run, found, key), ground, task.question(run, task.current(run))))
        for group, run, keys in runs
        for key in keys
    ]
    truth = len(ground.truth.itemsets)
    first = shown[0][1]
    bill = f"ε = {words.count(round(first.mined.ledger.total))}"
    title = f"is the bill, on paper, for DFDP’s {words.plural(first.scores.found, 'set')}"
    many = f"{words.count(ground.least)} or more"
    what = f"Answers that {many} people share." if study.column == ALL_COLUMNS else f"Itemsets in {many} baskets."
    subtitle = f"{what} Colour: found. Hatched: false."
    if not truth:
        bill, title = "0", f"sets are in {many} baskets"
    rows = [charts.Mined(group, one.key, one.scores.found, one.scores.false) for group, one in shown]

    def draw() -> None:
        if not truth:
            widgets.state_box("No set of items is frequent.", "Fewer baskets would do, on the Itemsets page.")
            return
        figure = charts.mined_bars(rows, truth, dark=widgets.is_dark(), height=HEIGHT)
        widgets.plot(figure, "overview_itemsets", f"{bill} {title}. {subtitle}")

    return Card("itemsets", bill, title, subtitle, "itemsets", draw)
