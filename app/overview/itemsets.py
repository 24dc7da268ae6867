"""The Overview's card on what is bought together: what miners find, at the same noise and at the same bill."""

from dataclasses import replace

import charts
import compute
import state
import widgets
import words
from itemsets.data import Shown
from ldpcore.data import DataError, Table
from ldpcore.data.layout import ALL_COLUMNS
from ldpcore.itemsets import TooManyCandidates
from ldpcore.study import Study
from ldpcore.study import itemsets as task
from overview.card import HEIGHT, Card
from studies import itemsets


def card(source: Table) -> Card | None:
    """None where the data has no baskets; a sentence in the card where they cannot be mined."""
    if not source.sets:
        return None
    column = state.column() if state.column() in source.sets else itemsets.default_column(source)
    try:
        return _card(source, _study(source, column))
    except (DataError, TooManyCandidates, ValueError) as error:
        said = widgets.escape(str(error))
        return Card("itemsets", "–", "itemsets", "", "itemsets", lambda: widgets.state_box(said))


def _study(source: Table, column: str) -> Study:
    made = itemsets.about(column)
    return replace(made, mechanisms=("DFDP", "SmartTrunc", "Capped"), arms=made.arms[:1])


def _card(source: Table, study: Study) -> Card:
    found = compute.itemsets.baskets(study, source)
    same, total = replace(study, axis="s"), replace(study, axis="epsilon")
    ground = task.ground(study, found, study.arms[0].name, task.current(study))
    s = words.epsilon(float(dict(study.options)["s"]))
    runs = [
        (f"same noise, s = {s}", same, ("DFDP", "SmartTrunc")),
        (f"same total ε = {words.epsilon(study.epsilon)}", total, ("DFDP", "SmartTrunc", "Capped")),
    ]
    shown = [
        (group, Shown(key, compute.itemsets.mined(run, found, key), ground, task.question(run, task.current(run))))
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
