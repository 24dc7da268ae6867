"""Tables of a study of sets: what attacks tell, every item, and what of curves protects something.

>>> told = pd.DataFrame({"mechanism": ["uPrivSet"], "metric": ["presence"], "scope": ["all"], "value": [0.5]})
>>> success(told, "uPrivSet", "presence"), success(told, "PrivSet", "presence")
(0.5, None)
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ldpcore.catalog import ITEMS
from ldpcore.estimators.intervals import NORMAL_95, clopper_pearson
from ldpcore.policy import LDP
from ldpcore.study import sets
from ldpcore.study.curves import CurveOptions
from ldpcore.study.definition import Study
from ldpcore.study.sets.exposure import decisions
from ldpcore.study.sets.facts import LEVEL, MEMBERSHIP, PRESENCE
from ldpcore.study.sets.point import ItemFacts

COIN = 0.5
"""How often a coin is right about yes or no, both being as likely."""


def success(told: pd.DataFrame, key: str, metric: str, end: str = "value", scope: str = "all") -> float | None:
    """Mean success over the surveys so far, or an `end` of its interval: "low" or "high"."""
    rows = told[(told["mechanism"] == key) & (told["metric"] == metric) & (told["scope"] == scope)]
    return float(rows[end].iloc[0]) if len(rows) else None


@dataclass(frozen=True)
class Decision:
    """What attackers decide of one report: by which metric, of which scope, how often rightly, with an interval."""

    metric: str
    scope: str
    right: float
    low: float
    high: float


def decided(study: Study, told: pd.DataFrame, main: ItemFacts) -> list[Decision]:
    """All that attackers decide of this mechanism's reports; the intervals hold all at once, with 95 % (Bonferroni)."""
    rows = told[(told["mechanism"] == main.key) & told["metric"].isin([PRESENCE, MEMBERSHIP, LEVEL])]
    chosen, each_one = sets.options(study), list[Decision]()
    for row in rows.to_dict("records"):
        each = decisions(chosen, main.here, row["scope"]) if row["metric"] == MEMBERSHIP else chosen.attacks
        trials = each * int(row["repetitions"])
        ends = clopper_pearson(round(float(row["value"]) * trials), trials, 1 - 0.05 / len(rows))
        each_one.append(Decision(row["metric"], row["scope"], float(row["value"]), *ends))
    return each_one


def worst(study: Study, told: pd.DataFrame, main: ItemFacts) -> Decision | None:
    """Of all that attackers decide what they decide best, where that is beyond a coin; None where none is."""
    beyond = (each for each in decided(study, told, main) if each.low > COIN)
    return max(beyond, key=lambda each: each.right, default=None)


def attacks(told: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """One row per mechanism: presence, and membership of a marked and of another item, of 100, with 95 % intervals;
    where there are secret items also their presence, and which of two of a level is held.
    """
    out = pd.DataFrame({"mechanism": keys})
    for name, metric, scope in (
        ("presence", PRESENCE, "all"),
        ("marked item", MEMBERSHIP, "sensitive"),
        ("other item", MEMBERSHIP, "other"),
        ("secret presence", PRESENCE, "secret"),
        ("secret of two", LEVEL, "secret"),
        ("private of two", LEVEL, "private"),
    ):
        part = told[(told["metric"] == metric) & (told["scope"] == scope)].set_index("mechanism")
        if part.empty and metric != MEMBERSHIP and scope != "all":  # of levels that there are not
            continue
        for column, end in ((name, "value"), (f"{name}, low", "low"), (f"{name}, high", "high")):
            out[column] = 100 * part[end].reindex(keys).to_numpy(float)
    return out


def of_items(main: ItemFacts, published: np.ndarray) -> pd.DataFrame:
    """A row for each item with one of its own, by its place among all. The margin is that of chance; what cutting long
    sets takes off on average stands apart.
    """
    setting, shown = main.here, main.here.shown
    margin = NORMAL_95 * np.sqrt(main.variance[shown])
    return pd.DataFrame(
        {
            "item": [setting.baskets.labels[i] for i in shown],
            "marked": setting.marked[shown],
            **({"secret": setting.secret[shown]} if setting.secret.any() else {}),
            "published": published,
            "± 95 %": margin,
            "bias, sets cut": setting.bias[shown],
            "true share (internal)": setting.freq[shown],
        },
        index=shown,
    )


def protected(view: CurveOptions, rows: pd.DataFrame, beside: Collection[str] = ()) -> pd.DataFrame:
    """Where no item is marked, at the end of the axis of the share marked, only what protects every item; beside: what
    does so and is in no catalogue.
    """
    every = rows["mechanism"].isin([*beside, *(key for key, entry in ITEMS.items() if entry.promise == LDP.name)])
    return rows[every | (rows["x"] > 0)].reset_index(drop=True) if view.axis == "share" else rows
