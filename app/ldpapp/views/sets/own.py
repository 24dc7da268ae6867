"""A mechanism of one's own on Sets: a table of chances for items, what it keeps of sets, how exact it is."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd

from ldpapp import words
from ldpapp.compute.memory import remember
from ldpapp.parts import own_table, widgets
from ldpapp.parts.own_table import OwnTable
from ldpapp.parts.panels import Html, Panel, Part
from ldpapp.views.sets import data as set_data
from ldpapp.words.language import t
from ldpcore import custom
from ldpcore.custom import CustomSets
from ldpcore.data import Baskets
from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.policy import LDP
from ldpcore.study import Study, invented, sets
from ldpcore.study.sets import compared as engine
from ldpcore.study.sets.compared import ComparedSets
from ldpcore.study.sets.point import ItemFacts

KEY = invented.KEY
NAMED = 3
"""Items of a set that a sentence names."""


def fold(study: Study, held: Baskets) -> None:
    inside = t("a table of chances for items: what it keeps, how exact, how far from the best")
    own_table.fold("fold_sets_own", lambda: table(study, held).panel(partial(_worth, study, held)), inside)


def table(study: Study, held: Baskets) -> OwnTable:
    return OwnTable(
        study,
        (study.column, study.option("simulated"), sets.items_per_set(study, held)),
        lambda text: sets.usable(study.with_options(own=text), held),
        engine.begin(study),
        partial(engine.written, study, held),
        t("Table of chances, a line for each item"),
        "item,A,B,C\ntea,0.6,0.2,0.2\nmilk,0.2,0.6,0.2\npadding,0.2,0.2,0.6",
        t(
            "Rows are items, columns are reports; of a person's m items one is drawn, and sent by its row. The last "
            "row, or the one named padding, is for whoever has fewer. Without names rows are taken in the data's order."
        ),
        engine.audit_line(study, held),
    )


# what it is worth ----------------------------------------------------------------------------------------------------


def _worth(study: Study, held: Baskets, menus: list[Part], size: int) -> Panel:
    beside = remember("sets_own", 16, (study, held), lambda: engine.compared(study, held))
    parts = [
        _beside(beside),
        _sampled(beside.made),
        _where(study, beside.made, size),
        *([_levels(beside.mine)] if beside.mine.here.leveled else []),
        *([own_table.speaking("sets_focus")] if beside.mine.protects else []),
    ]
    headline = t("{keeps} {exact}", keeps=_keeps(beside.made), exact=_exact(beside))
    return own_table.worth(headline, parts, menus, _by_item(beside.mine, beside.made))


def _keeps(made: CustomSets) -> str:
    claim = made.promise
    holes = {
        "report": widgets.escape(words.shorten(made.table.labels[claim.report], 24)),
        "against": _set(made, claim.against),
    }
    if claim.definition == custom.NONE:
        return t("It keeps no promise: a report “{report}” proves that one's set is not {against}.", **holes)
    holes |= {"eps": own_table.written(claim.epsilon), "value": _set(made, claim.value)}
    if claim.definition == LDP.name:
        return t(
            "It keeps LDP at ε = {eps}: a report “{report}” speaks for the set {value} against {against} by as much.",
            **holes,
        )
    return t(
        "It keeps SULDP-joint at ε = {eps}: a report “{report}” speaks for the set {value} against {against} by as "
        "much. A report that proves an unmarked item is bounded among its holders alone.",
        **holes,
    )


def _set(made: CustomSets, codes: Sequence[int]) -> str:
    """A set by its items; padding is no item."""
    names = [made.items[code] for code in codes if code < made.k]
    if not names:
        return t("of nothing")
    shown = [f"“{widgets.escape(words.shorten(name, 24))}”" for name in names[:NAMED]]
    if len(names) > NAMED:
        shown.append(t("{n} more", n=words.count(len(names) - NAMED)))
    return words.listing(shown)


def _exact(beside: ComparedSets) -> str:
    error = words.margin(beside.mine.error())
    if not beside.times > 0:
        return t("A share is off by {error} points. No limit is known for it here.", error=error)
    noise = float(np.sqrt(beside.mine.here.noise(beside.made).mean()))
    return t(
        "A share is off by {error} points. Its noise alone is {noise}, the least found with this promise at this ε "
        "{least}: {times} times that, squared.",
        error=error,
        noise=words.margin(noise),
        least=words.margin(noise / float(np.sqrt(beside.times))),
        times=words.decimals(beside.times),
    )


def _beside(beside: ComparedSets) -> Html:
    """The own one and the best of the catalogue at the same ε: error, and size of a report."""
    rows = [(KEY, beside.made.epsilon, beside.mine, "")]
    if beside.best is not None:
        rows.append((beside.best.key, beside.best.here.least_epsilon, beside.best, t("best at this ε")))
    drawn = (
        (key, own_table.written(epsilon), words.margin(one.error()), words.count(one.bits), why)
        for key, epsilon, one, why in rows
    )
    caption = t("± 95 % of a share, over all items.")
    return own_table.beside(drawn, (t("± points"), t("bits of a report")), caption)


def _sampled(made: CustomSets) -> str:
    """What sampling hides."""
    of_items = made.table.kept[LDP.name].epsilon
    if made.m == 1 or made.promise.definition != LDP.name or not np.isfinite(of_items):
        return t("Of a person's items one is drawn, each as likely, and sent by its row.")
    return t(
        "Of a person's {m} items one is drawn and sent. So a report that is {item} likelier from one item than from "
        "another is at most {sets} likelier from one set than from another.",
        m=words.count(made.m),
        item=words.times(float(np.exp(of_items)), most=True),
        sets=words.times(float(np.exp(made.epsilon)), most=True),
    )


def _where(study: Study, made: CustomSets, size: int) -> str:
    if made.promise.definition == custom.NONE:
        return t("It promises nothing, so that it stands in none of the panels above; the Study file has it.")
    return own_table.where(study, made.epsilon, size)


def _levels(mine: ItemFacts) -> str:
    """Whether it keeps the ε that the Study gives each level."""
    wanted = {scope: float(mine.here.epsilons[part].max()) for scope, part in mine.here.levels.items()}
    over = {scope: mine.level_epsilons[scope] - epsilon for scope, epsilon in wanted.items()}
    worst = max(over, key=lambda scope: over[scope])
    if over[worst] <= 1e-9 * wanted[worst]:
        return t("It keeps the levels of this Study.")
    return t(
        "It does not keep the levels of this Study: some report speaks for {items} by {least}, their ε is {eps}.",
        items=set_data.scopes()[worst],
        least=own_table.written(mine.level_epsilons[worst]),
        eps=own_table.written(wanted[worst]),
    )


def _by_item(mine: ItemFacts, made: CustomSets) -> pd.DataFrame:
    """What it says of every item."""
    setting = mine.here
    return pd.DataFrame(
        {
            t("item"): setting.baskets.labels,
            "marked": setting.marked,
            t("least ε towards it"): made.towards_items,
            "± 95 %, points": 100 * NORMAL_95 * np.sqrt(mine.variance),
            "bias, sets cut": 100 * setting.bias,
        }
    )
