"""Runs of several miners beside the truth: what each finds, what chance alone would find, and whose promise holds.

>>> from ldpcore import Source, Study, data
>>> from ldpcore.study import itemsets
>>> miners = ("DFDP", "Capped")
>>> study = Study(Source("groceries"), "items", mechanisms=miners, grid=(), task="itemsets").with_options(min_count=200)
>>> held = itemsets.prepare(study, data.load("groceries"))
>>> runs = {key: outcome(study, held, key) for key in study.mechanisms}
>>> {key: (one.scores.found, one.scores.false, one.kept) for key, one in runs.items()}
{'DFDP': (93, 792, False), 'Capped': (136, 18, True)}
>>> runs["DFDP"].coins  # (found, false) by a coin toss for each of its candidates
(76.0, 838.0)
>>> runs["DFDP"].by_chance, best(runs)
(True, 'Capped')
>>> side_by_side(runs["DFDP"].ground.truth, runs).head(2).round(0).values.tolist()
[['milk', 1, 2510, True, 2557.0, 2740.0], ['tomatoes', 1, 2040, True, 6153.0, 2121.0]]
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from ldpcore.baskets import Baskets
from ldpcore.itemsets import MiningResult, MiningScores
from ldpcore.itemsets.question import GroundTruth, MiningQuestion
from ldpcore.itemsets.scores import hits, scored
from ldpcore.study import itemsets
from ldpcore.study.definition import Study

NEAR_CHANCE = 1.25
"""Fewer than so many times the sets that coin tosses find are no finding."""
JOIN = " + "


@dataclass(frozen=True, eq=False)
class Outcome:
    """One run of one miner beside the truth: `ground` has the baskets and their exact counts, `question` was asked."""

    key: str
    mined: MiningResult
    ground: GroundTruth
    question: MiningQuestion

    @cached_property
    def _scored(self) -> tuple[MiningScores, dict[int, MiningScores]]:
        return scored(self.mined, self.ground.truth)

    @property
    def scores(self) -> MiningScores:
        """Found, missed and false sets (theory/itemsets#scores)."""
        return self._scored[0]

    @property
    def f(self) -> float:
        """F, 0 also where nothing is frequent, so that runs can be ordered."""
        return 0.0 if math.isnan(self.scores.f) else self.scores.f

    @property
    def by_length(self) -> dict[int, MiningScores]:
        """Items per set → the scores of those sets."""
        return self._scored[1]

    @cached_property
    def published(self) -> dict[tuple, float]:
        """Set → what is published of it: a noisy count of baskets."""
        frame = self.mined.itemsets
        return dict(zip(frame["itemset"], frame["noisy_count"], strict=True))

    @cached_property
    def coins(self) -> tuple[float, float]:
        """(found, false): what a coin toss for each candidate publishes on average, half of the right and the wrong.

        Where candidates come from the true counts, as DFDP's do, so many hits need no count at all.
        """
        right = [hits(self.ground.truth, level) for level in self.mined.levels]
        true = sum(int(mask.sum()) for mask in right)
        return true / 2, (sum(map(len, right)) - true) / 2

    @property
    def by_chance(self) -> bool:
        """Whether its candidates come from the true counts, and the noise leaves little but a toss for each.

        Limited noise (δ > 0) is no toss: it leaves every count near the truth.
        """
        by_tossing, hit = self.coins[0], self.scores.found
        return self.on_paper and self.delta == 0 and by_tossing > 0 and hit < NEAR_CHANCE * by_tossing

    @property
    def on_paper(self) -> bool:
        """Whether it books an ε that cannot be defended for what it publishes (theory/itemsets#ledger)."""
        ledger = self.mined.ledger
        return math.isfinite(ledger.total) and not math.isfinite(ledger.defended)

    @property
    def kept(self) -> bool:
        """Whether the ε that it books holds for the whole release: nothing leaks, and no noise is limited."""
        return math.isfinite(self.mined.ledger.defended) and self.delta == 0

    @property
    def longest(self) -> int:
        """Items of the longest basket."""
        return int(self.ground.data.lengths.max())

    @property
    def delta(self) -> float:
        """The chance that limited noise proves a basket of the longest kind (theory/itemsets#limited-noise)."""
        return self.mined.ledger.delta(self.longest)

    @property
    def how(self) -> str:
        """What it does, in its own numbers."""
        return itemsets.CATALOG[self.key].did(self.ground, self.question, self.mined)


def outcome(study: Study, baskets: Baskets, mechanism: str, repetition: int = 0) -> Outcome:
    """One run at the study's chosen point: the very run that `run(study)` scores."""
    x = itemsets.current(study)
    mined = itemsets.mine(study, baskets, mechanism, x, repetition)
    return Outcome(mechanism, mined, itemsets.ground(study, baskets, x), itemsets.question(study, x))


def best(runs: Mapping[str, Outcome]) -> str | None:
    """The key of the largest F among the runs whose promise is kept; None where none is."""
    return max((key for key, one in runs.items() if one.kept), key=lambda key: runs[key].f, default=None)


def ranked(truth: MiningResult) -> pd.DataFrame:
    """The frequent sets, commonest first: itemset (a tuple of labels), count (baskets)."""
    frame = truth.itemsets[["itemset", "count"]]
    return frame.sort_values("count", ascending=False, kind="stable", ignore_index=True)


def given_up(ground: GroundTruth) -> int:
    """How many frequent sets hold a withheld item: nobody can find them."""
    return sum(int(np.isin(level.items, list(ground.withheld)).any(axis=1).sum()) for level in ground.truth.levels)


def side_by_side(truth: MiningResult, runs: Mapping[str, Outcome]) -> pd.DataFrame:
    """Every set that is frequent or published, commonest first.

    set (its items, joined), items (how many), true (its count of baskets), frequent (bool), and under each run's name
    the count that it published, NaN where it published nothing.
    """
    true = dict(zip(truth.itemsets["itemset"], truth.itemsets["count"], strict=True))
    counts = dict(true)
    for one in runs.values():
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
    for name, one in runs.items():
        table[name] = [one.published.get(items, np.nan) for items in sets]
    return table


def example(table: pd.DataFrame, rows: int) -> pd.DataFrame:
    """At most so many rows of `side_by_side`: sets from the commonest to the rarest, and up to three or so false ones.

    The frequent ones are spread evenly over the logarithm of their rank, so that every kind of outcome is among them.
    """
    true, false = table[table["frequent"]], table[~table["frequent"]]
    wanted = min(len(true), max(rows - min(len(false), 3), rows // 2))
    picked = np.unique(np.round(np.geomspace(1, max(len(true), 1), wanted)).astype(int)) - 1 if wanted else []
    missing = [place for place in np.linspace(0, len(true) - 1, rows).astype(int) if place not in set(picked)]
    places = sorted({*picked, *missing[: wanted - len(picked)]})
    spread = np.unique(np.linspace(0, len(false) - 1, rows - len(places)).astype(int)) if len(false) else []
    return pd.concat([true.iloc[places], false.iloc[spread]])
