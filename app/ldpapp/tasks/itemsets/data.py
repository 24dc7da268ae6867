"""What the Itemsets page shows, as plain tables and numbers: no Streamlit, no figure."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from ldpcore import catalog
from ldpcore.itemsets import Mined, Scores, scores
from ldpcore.itemsets.question import Ground, Question
from ldpcore.itemsets.scores import by_length, hits

CATALOG = catalog.MINERS
NEAR_CHANCE = 1.25
"""Fewer than so many times the sets that coin tosses find are no finding."""
JOIN = " + "


@dataclass(frozen=True, eq=False)
class Shown:
    """One run of one miner beside the truth."""

    key: str
    mined: Mined
    ground: Ground
    question: Question

    @cached_property
    def scores(self) -> Scores:
        return scores(self.mined, self.ground.truth)

    @cached_property
    def by_length(self) -> dict[int, Scores]:
        return by_length(self.mined, self.ground.truth)

    @cached_property
    def published(self) -> dict[tuple, float]:
        """Set → what is published of it."""
        frame = self.mined.itemsets
        return dict(zip(frame["itemset"], frame["noisy_count"], strict=True))

    @cached_property
    def coins(self) -> tuple[float, float]:
        """(found, false): what a toss for each of its candidates would publish, one half of the right and the wrong."""
        right = [hits(self.ground.truth, level) for level in self.mined.levels]
        true = sum(int(mask.sum()) for mask in right)
        return true / 2, (sum(map(len, right)) - true) / 2

    @property
    def by_chance(self) -> bool:
        """Whether its candidates come from the true counts, and the noise leaves little but a toss for each."""
        found, hit = self.coins[0], self.scores.found
        return self.on_paper and self.delta == 0 and found > 0 and hit < NEAR_CHANCE * found

    @property
    def on_paper(self) -> bool:
        """Whether it books an ε that cannot be defended for what it publishes."""
        ledger = self.mined.ledger
        return math.isfinite(ledger.total) and not math.isfinite(ledger.defended)

    @property
    def longest(self) -> int:
        """Items of the longest basket."""
        return int(self.ground.data.lengths.max())

    @property
    def delta(self) -> float:
        return self.mined.ledger.delta(self.longest)

    @property
    def how(self) -> str:
        """What it does, in its own numbers."""
        return CATALOG[self.key].did(self.ground, self.question, self.mined)


def ranked(truth: Mined) -> pd.DataFrame:
    """The frequent sets, commonest first: itemset, count."""
    frame = truth.itemsets[["itemset", "count"]]
    return frame.sort_values("count", ascending=False, kind="stable", ignore_index=True)


def side_by_side(truth: Mined, shown: list[Shown]) -> pd.DataFrame:
    """Every set that is frequent or published: set, items, true count, and what each miner published (NaN: nothing).

    `wrong` says how many miners publish a set that is not frequent. Commonest first.
    """
    true = dict(zip(truth.itemsets["itemset"], truth.itemsets["count"], strict=True))
    counts = dict(true)
    for one in shown:
        frame = one.mined.itemsets
        counts.update(zip(frame["itemset"], frame["count"], strict=True))
    sets = sorted(counts, key=lambda items: (-counts[items], len(items), items))
    table = pd.DataFrame(
        {
            "set": [JOIN.join(map(str, items)) for items in sets],
            "items": [len(items) for items in sets],
            "true": [counts[items] for items in sets],
            "frequent": [items in true for items in sets],
        }
    )
    for one in shown:
        table[one.key] = [one.published.get(items, np.nan) for items in sets]
    return table


def example(table: pd.DataFrame, rows: int) -> pd.DataFrame:
    """A few sets from the commonest to the rarest, and some of the false ones: every kind of outcome."""
    true, false = table[table["frequent"]], table[~table["frequent"]]
    wanted = min(len(true), max(rows - min(len(false), 3), rows // 2))
    picked = np.unique(np.round(np.geomspace(1, max(len(true), 1), wanted)).astype(int)) - 1 if wanted else []
    missing = [place for place in np.linspace(0, len(true) - 1, rows).astype(int) if place not in set(picked)]
    places = sorted({*picked, *missing[: wanted - len(picked)]})
    spread = np.unique(np.linspace(0, len(false) - 1, rows - len(places)).astype(int)) if len(false) else []
    return pd.concat([true.iloc[places], false.iloc[spread]])


def filtered(table: pd.DataFrame, text: str, order: str) -> pd.DataFrame:
    """The sets whose items contain this text, in this order: "true", "items" or a miner's counts; missing ones last."""
    found = table[table["set"].str.contains(text.strip(), case=False, regex=False)] if text.strip() else table
    return found.sort_values(order, ascending=order == "items", kind="stable", na_position="last")
