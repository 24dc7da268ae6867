"""Miners of frequent itemsets."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

import numpy as np

from ldpcore.baskets import Baskets
from ldpcore.catalog.entries import Catalog, Construction
from ldpcore.itemsets import (
    MiningResult,
    apriori,
    dfdp,
    laplace_apriori,
    local,
    private,
    privbasis,
    smart_trunc,
    tables,
)
from ldpcore.itemsets.columns import refusal
from ldpcore.itemsets.privbasis import ITEMS
from ldpcore.itemsets.question import GroundTruth, MiningQuestion

Run = Callable[[GroundTruth, MiningQuestion, np.random.Generator], MiningResult]


@dataclass(frozen=True, kw_only=True)
class MinerEntry:
    """One miner: what runs it, what it promises, and whether the promise is kept.

    refuses: why it cannot run on such baskets, "" where it can; it looks at what is public alone. None: it always can.
    how: what a run did, in its own numbers; None: the label says it.
    per_count: it has a budget s for each count (or level), so that it takes part in the comparison "same s".
    exact_at_infinity: without noise, and where no basket is longer than what it is cut to, it finds just the truth.
    """

    key: str
    run: Run
    label: str
    source: str
    promise: str
    kept: str
    construction: Construction
    caveats: tuple[str, ...]
    per_count: bool = False
    exact_at_infinity: bool = True
    how: Callable[[GroundTruth, MiningQuestion, MiningResult], str] | None = None
    refuses: Callable[[Baskets], str] | None = None
    default: bool = False
    variant: str = ""
    name: str = ""

    def did(self, ground: GroundTruth, question: MiningQuestion, mined: MiningResult) -> str:
        """What a run did, in a few words."""
        return self.label if self.how is None else self.how(ground, question, mined)

    def refused(self, data: Baskets) -> str:
        """Why it cannot run on these baskets, and what to do; "" where it can."""
        return "" if self.refuses is None else self.refuses(data)

    def mine(self, ground: GroundTruth, question: MiningQuestion, rng: np.random.Generator) -> MiningResult:
        """One run, in the codes of all items."""
        return ground.restored(self.run(ground, question, rng))


def _apriori(ground: GroundTruth, question: MiningQuestion, rng: np.random.Generator) -> MiningResult:
    return apriori(ground.released, ground.least, max_length=question.max_length)


def _dfdp(ground: GroundTruth, question: MiningQuestion, rng: np.random.Generator) -> MiningResult:
    s = ground.each(question.epsilon) if question.s is None else question.s
    return dfdp(ground.released, ground.least, s, rng, clip=question.clip, levels=ground.candidates)


def _levels(question: MiningQuestion) -> int:
    return min(question.levels, question.max_length or question.levels)


def _smart_trunc(ground: GroundTruth, question: MiningQuestion, rng: np.random.Generator) -> MiningResult:
    return smart_trunc(
        ground.released,
        ground.least,
        question.epsilon if question.s is None else None,
        rng,
        s=question.s,
        length=question.length,
        levels=_levels(question),
        candidate_count=question.candidate_count,
        clip=question.clip,
    )


def _laplace(ground: GroundTruth, question: MiningQuestion, rng: np.random.Generator) -> MiningResult:
    levels = _levels(question)
    epsilon = question.epsilon if question.s is None else question.s * levels
    # Whoever does not cut must take the longest basket as public.
    longest = max(1, int(ground.released.lengths.max(initial=1)))
    return laplace_apriori(
        ground.released, ground.least, epsilon, rng, longest=longest, levels=levels, clip=question.clip
    )


def _private(ground: GroundTruth, question: MiningQuestion, rng: np.random.Generator) -> MiningResult:
    levels = question.max_length or inf
    if levels >= 3:
        return private(ground.released, ground.least, question.epsilon, rng, max_length=question.max_length)
    caps, shares = ((3.0,), (1.0,)) if levels == 1 else ((3.0, 6.0), (0.25, 0.75))
    return private(ground.released, ground.least, question.epsilon, rng, caps=caps, shares=shares)


def _tables(ground: GroundTruth, question: MiningQuestion, rng: np.random.Generator) -> MiningResult:
    return tables(ground.released, ground.least, question.epsilon, rng, max_length=question.max_length)


def _privbasis(ground: GroundTruth, question: MiningQuestion, rng: np.random.Generator) -> MiningResult:
    return privbasis(ground.released, ground.least, question.epsilon, rng, max_length=question.max_length)


def _local(ground: GroundTruth, question: MiningQuestion, rng: np.random.Generator) -> MiningResult:
    pairs = question.max_length is None or question.max_length > 1
    return local(ground.released, ground.least, question.epsilon, rng, **({} if pairs else {"pairs": 0}))


def _how_dfdp(ground: GroundTruth, question: MiningQuestion, mined: MiningResult) -> str:
    spends = mined.ledger.spends
    return f"{mined.ledger.numbers:,} counts".replace(",", "\u202f") + f", each s = {1 / spends[0].scale:.3g}"


def _how_cut(ground: GroundTruth, question: MiningQuestion, mined: MiningResult) -> str:
    levels = _levels(question)
    return f"Cut to {question.length} items each, {levels} level{'s' * (levels != 1)}"


def _how_longest(ground: GroundTruth, question: MiningQuestion, mined: MiningResult) -> str:
    return f"Noise for up to {int(ground.data.lengths.max())} items each"


def _how_capped(ground: GroundTruth, question: MiningQuestion, mined: MiningResult) -> str:
    *first, last = (f"{spend.most:g}" for spend in mined.ledger.spends[1::2])
    return f"Everybody adds at most {', '.join(first)} and {last}" if first else f"Everybody adds at most {last}"


def _how_tables(ground: GroundTruth, question: MiningQuestion, mined: MiningResult) -> str:
    most = mined.ledger.spends[-1].most
    if mined.ledger.spends[-1].length == 1:
        return "Counts of single values"
    return f"{most:g} noisy tables of two columns"


def _how_bases(ground: GroundTruth, question: MiningQuestion, mined: MiningResult) -> str:
    return f"{ITEMS} items, all their combinations"


CENTRAL, NONE = "ε-DP (central)", "none"
YES = "yes, for whole baskets"
PUBLIC = "The list of items and the number of baskets are taken as public."
LEAK = (
    "Its candidates come from the true counts: a set can be published for some baskets, and never without one of them "
    "(“Leak of candidates” in docs/theory/itemsets.md)."
)
CUT = "Long baskets are cut, so that sets of many items are counted too low."

LONGEST = "Its noise is made for the longest basket, whose length is taken as public."
THREE = "It looks for sets of up to three items, and of up to five where single items are very common."
DOZEN = "It finds what a dozen items hold, and nothing else."
PAIRED = (
    "It is strong where everybody answers the same few questions, and no use for baskets of many different items: "
    "there it does not run."
)
BEYOND = "What three columns together say beyond their pairs is lost."
PAIRS = "It tries single items and 64 pairs."
AGRAWAL, LIAO, ZENG = "Agrawal, Srikant 1994", "Liao, Feng 2017", "Zeng, Naughton, Cai 2012"
DWORK, LI, WANG = "Dwork, McSherry, Nissim, Smith 2006", "Li, Qardaji, Su, Cao 2012", "Wang, Li, Jha 2018"
MCKENNA = "after McKenna, Miklau, Sheldon 2021"
HOUSE = "ours"
TRUE, BOUND = "no: candidates use true counts", "yes, if the longest basket is public"
NOTHING, ANYONE = "nothing is promised", "yes, even from the collector"

COUNTS, CUT_BASKETS = Construction.COUNTS, Construction.CUT_BASKETS

# One entry each.
MINERS = Catalog(
    MinerEntry(
        key="Apriori",
        run=_apriori,
        label="Apriori (exact)",
        source=AGRAWAL,
        promise=NONE,
        kept=NOTHING,
        construction=COUNTS,
        caveats=("It publishes the truth.",),
        how=lambda *_: "Exact counts, no noise",
    ),
    MinerEntry(
        key="DFDP",
        run=_dfdp,
        label="DFDP",
        source=LIAO,
        promise="ε-DP, by its authors",
        kept=TRUE,
        construction=COUNTS,
        caveats=(LEAK,),
        per_count=True,
        how=_how_dfdp,
        default=True,
    ),
    MinerEntry(
        key="SmartTrunc",
        run=_smart_trunc,
        label="SmartTrunc",
        source=ZENG,
        promise=CENTRAL,
        kept=YES,
        construction=CUT_BASKETS,
        caveats=(CUT, PUBLIC),
        per_count=True,
        how=_how_cut,
        default=True,
    ),
    MinerEntry(
        key="Laplace Apriori",
        run=_laplace,
        label="Laplace Apriori",
        source=DWORK,
        promise=CENTRAL,
        kept=BOUND,
        construction=Construction.NOISE,
        caveats=(LONGEST, PUBLIC),
        per_count=True,
        how=_how_longest,
    ),
    MinerEntry(
        key="Capped",
        run=_private,
        label="Capped + posterior",
        source=HOUSE,
        promise=CENTRAL,
        kept=YES,
        construction=Construction.WEIGHED_BASKETS,
        caveats=(THREE, PUBLIC),
        per_count=False,
        exact_at_infinity=False,
        how=_how_capped,
        default=True,
    ),
    MinerEntry(
        key="Tables",
        run=_tables,
        label="Tables + fitted joint",
        source=MCKENNA,
        promise=CENTRAL,
        kept=YES,
        construction=Construction.FITTED_TABLES,
        caveats=(PAIRED, BEYOND, PUBLIC),
        per_count=False,
        exact_at_infinity=False,
        how=_how_tables,
        refuses=refusal,
    ),
    MinerEntry(
        key="PrivBasis",
        run=_privbasis,
        label="PrivBasis",
        source=LI,
        promise=CENTRAL,
        kept=YES,
        construction=COUNTS,
        caveats=(DOZEN, PUBLIC),
        per_count=False,
        exact_at_infinity=False,
        how=_how_bases,
    ),
    MinerEntry(
        key="Local",
        run=_local,
        label="Local (SVSM)",
        source=WANG,
        promise="LDP",
        kept=ANYONE,
        construction=Construction.HASH,
        caveats=(PAIRS, CUT),
        per_count=False,
        exact_at_infinity=False,
        how=lambda *_: "One noisy report from every person",
    ),
    noun="miner",
)
"""Miners of the sets of items that many baskets hold."""
