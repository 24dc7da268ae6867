"""Itemsets: by what two settings are compared."""

import math
from collections.abc import Sequence
from typing import Any

from ldpapp import words
from ldpapp.compare.measures import Measure, Offer
from ldpapp.parts import widgets
from ldpapp.runtime.capture import Reach
from ldpapp.views.itemsets import terms
from ldpapp.views.itemsets.page import MOST_SETS
from ldpapp.words.language import t
from ldpcore.data import Baskets
from ldpcore.itemsets import TooManyCandidates
from ldpcore.study import Study
from ldpcore.study import itemsets as task
from ldpcore.study.itemsets.facts import facts


def measures(study: Study, found: Baskets) -> Sequence[Measure]:
    """F, false sets and bill of the best miner whose promise holds, else of the best."""
    ground = task.ground(study, found, task.current(study))
    try:
        ground.search(lambda length, done, total: None, MOST_SETS)
    except TooManyCandidates as error:
        raise ValueError(t("almost every combination is frequent there.")) from error
    if set(task.refused(study, found)) == set(study.mechanisms):
        raise ValueError(t("no miner that is chosen can run on these baskets."))
    known = facts(study, found, repetition=widgets.draws("itemsets") % 10_000)
    one = known.runs[known.best or max(known.runs, key=lambda key: known.runs[key].f)]
    by, bill = t("by {miner}.", miner=widgets.named(one.key)), one.mined.ledger.total
    false, wrong = one.scores.false, t("False sets published")
    return [
        Measure("f", "F", one.f, f"{one.f:.2f}", "", Reach.INTERNAL, more=True, note=by),
        Measure("false", wrong, float(false), words.count(false), t("sets"), Reach.INTERNAL, note=by),
        Measure(
            "bill", t("Privacy bill"), bill, words.decimals(bill) if math.isfinite(bill) else t("none"), "ε",
            exposed=True, note=by,
        ),
    ]  # fmt: skip


def option(study: Study, name: str) -> str:
    if name == "axis":
        return t("the same s for all") if study.axis == "s" else t("the same total ε for all")
    value: Any = task.options(study).least if name == "min_count" else study.option(name)
    if name == "min_count":
        return terms.of(study.column).at_least(value) if value >= 1 else t("{share} make a set frequent",
                                                                           share=words.share(value))  # fmt: skip
    if name == "s":
        return t("s = {s}", s=words.epsilon(value))
    if name == "clip":
        return t("noise within ±{clip}", clip=f"{value:g}") if value is not None else t("noise without limit")
    if name == "max_length":
        return t("sets of at most {n} items", n=value) if value else t("sets of any length")
    return ""


OFFER = Offer(measures, option)
