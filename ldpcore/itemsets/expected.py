"""What can be said of DFDP without running it: its candidates do not depend on chance, so each set has its own odds."""

from math import exp, expm1

import numpy as np

from ldpcore.itemsets.ledger import at_least
from ldpcore.itemsets.question import GroundTruth, MiningQuestion


def dfdp(ground: GroundTruth, question: MiningQuestion) -> dict[str, float]:
    """Expected numbers of sets found, missed and false, recall, and δ_MAE over all candidates.

    found = Σ Pr[count + noise ≥ min_count] over the frequent candidates; δ_MAE = E|noise| = b, with limited noise
    b − c/(e^{c/b} − 1).
    """
    s = ground.each(question.epsilon) if question.s is None else question.s
    counts = np.concatenate([level.counts for level in ground.candidates])
    chance = at_least(ground.least - counts.astype(float), 1 / s, question.clip)
    true = counts >= ground.least
    frequent = sum(len(level.items) for level in ground.truth.levels)
    true_sets, noise = float(chance[true].sum()), 1 / s
    if question.clip is not None:
        noise -= question.clip * exp(-question.clip * s) / -expm1(-question.clip * s)
    return {
        "found": true_sets,
        "missed": frequent - true_sets,
        "false": float(chance[~true].sum()),
        "mae_candidates": noise,
        **({"recall": true_sets / frequent} if frequent else {}),
    }
