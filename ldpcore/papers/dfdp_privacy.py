"""What DFDP says of its privacy: the sensitivity, and the promise. Two of its claims."""

from collections.abc import Hashable

import numpy as np

from ldpcore.baskets import Baskets
from ldpcore.itemsets import dfdp, leak, private
from ldpcore.itemsets.dfdp import perturbed
from ldpcore.itemsets.ledger import at_least
from ldpcore.itemsets.private import CAPS, SHARES
from ldpcore.papers.check import Check, Number, shown
from ldpcore.papers.claim import Ask, Finding, PaperStatement, claim
from ldpcore.papers.dfdp import CLIP, LEAST, shop


@claim(
    "5",
    "The global sensitivity is 1.",
    PaperStatement(
        "A new mapping brings the global sensitivity down to 1: that of the count of each single set, ΔQᵢ = 1",
        "abstract, §3.2; Definition 4",
        "通過一種新的函數映射將全局敏感度降為1",
    ),
    setting="the most that one basket moves one count",
    exact=True,
)
def sensitivity(ask: Ask) -> Finding:
    data, _, levels, source = shop(ask.folder)
    baskets = [set(data.codes[a:b].tolist()) for a, b in zip(data.starts, data.starts[1:], strict=False)]
    sets = [frozenset(row) for level in levels for row in level.items.tolist()]
    holds = np.array([[itemset <= basket for itemset in sets] for basket in baskets])
    moved = int(holds.sum(axis=1).max())
    return Finding(
        ((Check(Number.of("most that one basket moves one count", holds.max()), most=1),),),
        f"Each count alone moves by at most 1, as the paper says. But all are published, and one of these baskets "
        f"moves {moved} of them: noise of scale 1/s on each protects a basket with {moved}·s, not with s.",
        source,
        (
            Number.of(f"most of the {len(sets)} published counts that one of these baskets moves", moved),
            Number.of("capped counts of the private miner: all pair counts together move by at most", CAPS[1]),
        ),
    )


@claim(
    "6",
    "DFDP is differentially private, with |∪C_k|·s.",
    PaperStatement(
        "DFDP satisfies |∪C_k|·s differential privacy",
        "§3.2",
        "DFDP滿足|∪kCk|×s-差分隱私",
    ),
    setting="two sets of baskets that differ in one, and a set that only one of them can publish; s = 0.2, noise "
    "without a limit, as the proof has it",
    exact=True,
)
def is_private(ask: Ask) -> Finding:
    baskets, _, levels, source = shop(ask.folder)
    witness = leak(baskets, LEAST, 0.2, levels=levels)
    run = dfdp(baskets, LEAST, 0.2, ask.rng("once"), clip=CLIP, levels=levels)
    itemset = witness.witnesses["itemset"].iloc[0]
    with_it, without = (_chance(data, itemset) for data in (witness.before, witness.after))
    with np.errstate(divide="ignore"):
        loss = float(np.log(with_it) - np.log(without))
    delta = run.ledger.delta(int(baskets.lengths.max()))
    kept = private(baskets, LEAST, 1.0, ask.rng("private"), caps=CAPS, shares=SHARES).ledger.defended
    return Finding(
        ((Check(Number.of("log ratio of the chances of one set under neighbours", loss), most=run.ledger.total),),),
        f"Without one basket {{{', '.join(map(str, witness.hinge))}}} is no longer frequent, and "
        f"{{{', '.join(map(str, itemset))}}} is published with probability {shown(without)}; with it, with "
        f"{shown(with_it)}. No finite ε allows that. The bill as the paper counts is {shown(run.ledger.total)}.",
        source,
        (Number.of("δ that the experiments' limit of ±10 adds, longest basket", delta),),
        Number.of("private miner, told to spend 1: ε that can be defended for the whole release", kept),
    )


def _chance(data: Baskets, itemset: tuple[Hashable, ...]) -> float:
    """That DFDP publishes this set at s = 0.2: none where it is no candidate."""
    codes = data.encode(itemset)
    for level in perturbed(data, LEAST):
        if level.length == len(codes):
            row = np.flatnonzero((level.items == codes).all(axis=1))
            return float(at_least(LEAST - level.counts[row].astype(float), 5.0)[0]) if len(row) else 0.0
    return 0.0
