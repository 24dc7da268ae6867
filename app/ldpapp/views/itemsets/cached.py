"""Itemsets: baskets, runs of the miners, and neighbours that show a leak."""

from ldpapp.compute.memory import remember
from ldpcore import data
from ldpcore.data import Baskets
from ldpcore.itemsets import CandidateLeak, MiningResult, leak
from ldpcore.study import Study, itemsets


def baskets(study: Study, table: data.Table) -> Baskets:
    """The study's baskets, with all that is counted of them. DataError or ValueError where they cannot be mined."""
    made = itemsets.prepare(study, table)
    return remember("baskets", 4, (table.digest, study.column), lambda: made)


def mined(study: Study, found: Baskets, mechanism: str, repetition: int = 0) -> MiningResult:
    """One run at the study's own point."""
    x = itemsets.current(study)
    key = itemsets.identity(study, mechanism, x, repetition)
    return remember("mined", 48, key, lambda: itemsets.mine(study, found, mechanism, x, repetition))


def leaking(study: Study, found: Baskets, s: float, taken: int | None) -> CandidateLeak:
    """The neighbours that show DFDP's leak at this s. ValueError where there are none."""
    here = itemsets.ground(study, found, itemsets.current(study))
    asked = itemsets.question(study, itemsets.current(study))
    key = (study.data.digest, study.column, here.least, here.withheld, here.max_length, s, asked.clip, taken)
    return remember(
        "leaks",
        16,
        key,
        lambda: leak(here.released, here.least, s, clip=asked.clip, taken=taken, levels=here.candidates),
    )
