"""The Overview's card on itemsets: what miners find, at the same noise and at the same bill."""

from functools import partial

from ldpapp import charts, words
from ldpapp.parts import widgets
from ldpapp.parts.cards import HEIGHT, Card
from ldpapp.parts.panels import Box, Chart
from ldpapp.views.itemsets import sidebar, terms
from ldpapp.views.task import plain
from ldpapp.words.language import t
from ldpcore.data import ALL_COLUMNS, DataError, Table
from ldpcore.itemsets import TooManyCandidates
from ldpcore.study import Study
from ldpcore.study import itemsets as task
from ldpcore.study.itemsets import curves
from ldpcore.study.itemsets.compare import best
from ldpcore.study.itemsets.facts import run


def card(asked: Study, source: Table, column: str) -> Card | None:
    """None where the data has no baskets; a sentence in the card where they cannot be mined."""
    if not source.sets or not asked.column:
        return None
    about = column if column in source.sets else asked.column
    try:
        meant = task.strong(sidebar.data(curves.about(asked, about, task.PAIR), source))
        return _card(source, curves.about(asked, about, (*task.PAIR, meant)))
    except TooManyCandidates:
        return _sorry(t("Almost every combination is frequent; a higher number, on the Itemsets page, leaves fewer."))
    except (DataError, ValueError) as error:
        return _sorry(plain(error))


def _sorry(what: str) -> Card:
    return Card("itemsets", "–", t("itemsets"), "", "itemsets", partial(Box(widgets.escape(what)).draw, ""))


def _card(source: Table, study: Study) -> Card:
    baskets = sidebar.data(study, source)
    same, total = curves.along(study, "s"), curves.along(study, "epsilon")
    ground = task.ground(study, baskets, task.current(study))
    s = words.epsilon(float(task.options(study).s))
    runs = [
        (t("same total ε = {eps}", eps=words.epsilon(study.epsilon)), total, study.mechanisms[::-1]),
        (t("same noise, s = {s} a count", s=s), same, task.PAIR),
    ]
    shown = [(group, run(asked, baskets, key)) for group, asked, keys in runs for key in keys]
    least, truth = words.count(ground.least), len(ground.truth.itemsets)
    subtitle = t("In {least} or more baskets.", least=least)
    if study.column == ALL_COLUMNS:
        subtitle = t("Of all answers together; given by {least} or more.", least=least)
    if not truth:
        box = Box(t("No set of items is frequent."), t("A lower number would do, on the Itemsets page."))
        title = t("sets are frequent, {held}", held=terms.of(study.column).at_least(ground.least))
        return Card("itemsets", "0", title, subtitle, "itemsets", partial(box.draw, ""))
    spent, noisy = ({one.key: one for group, one in shown if group == name} for name, _, _ in runs)
    one = spent[best(spent) or max(spent, key=lambda key: spent[key].f)]
    holes = {"found": words.count(one.scores.found), "true": words.count(truth)}
    big, title = (
        t("{found} of {true}", **holes),
        (
            t("frequent sets found by {miner}", miner=one.key)
            if task.CATALOG[one.key].promise == "LDP"
            else t("sets found if a curator sees all")
        ),
    )
    # A miner pays for every set that it counts, whatever it publishes of them.
    paid = noisy[task.PAIR[0]].mined.ledger
    counts, bill = words.plural(paid.numbers, t("count"), t("counts")), words.count(paid.total)
    paid_for = t("At s = {s} a count DFDP’s {counts} add up to ε = {bill}.", s=s, counts=counts, bill=bill)
    subtitle = f"{subtitle} {paid_for}"
    rows = [charts.Mined(group, one.key, one.scores.found, one.scores.false) for group, one in shown]
    alt = f"{big} {title}. {subtitle}"
    chart = Chart(charts.mined_bars(rows, truth, dark=widgets.is_dark(), height=HEIGHT), alt, key="overview_itemsets")
    return Card("itemsets", big, title, subtitle, "itemsets", partial(chart.draw, ""))
