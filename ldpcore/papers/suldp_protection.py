"""What SULDP protects, against the originals: exact channels. One of its claims."""

import numpy as np
from numpy.typing import NDArray

from ldpcore.attacks import presence
from ldpcore.catalog import SETS
from ldpcore.papers.check import Check, Number, shown
from ldpcore.papers.claim import Ask, Finding, PaperStatement, claim
from ldpcore.papers.suldp import FIVE, ORIGINAL, OURS, mask
from ldpcore.policy import SULDPY0, SULDPJoint


@claim(
    "9",
    "Sensitive items are protected exactly as by the originals.",
    PaperStatement(
        "The five mechanisms give sensitive data exactly the same protection as the existing mechanisms of local "
        "differential privacy",
        "§1; Theorems 1, 4 and 7 say so of y₀, for any two sets (11)",
        "實現與現有的本地差分隱私機制完全相同的保護效果",
        "the same protection: log ratio at most ε, for y₀ between any two sets, as (11) has it, and for the whole "
        "report between sets that hold the items it discloses",
    ),
    setting="exact channels, 6 items, 3 of them sensitive, m = 2, ε = 1, three known hashes",
    exact=True,
)
def protects_alike(ask: Ask) -> Finding:
    epsilon, k, m, hashes = 1.0, 6, 2, (1, 2, 3)
    sensitive = mask(k, 0.5)
    whole, spoken, gain = {}, {}, {}
    for key in (*FIVE, *OURS):
        built = SETS[key].build(epsilon, k, sensitive, m)
        channels = [built.channel(seed) for seed in hashes] if built.hashed else [built.channel()]
        whole[key] = max(SULDPJoint(epsilon, built.marked).check(channel).loss for channel in channels)
        spoken[key] = max(SULDPY0(epsilon, built.marked).check(channel).loss for channel in channels)
        gain[key] = _presence(key, k, sensitive, m, epsilon, hashes)
    base = {key: _presence(ORIGINAL[key], k, sensitive, m, epsilon, hashes) for key in FIVE}
    checks = [
        Check(Number.of(f"{key}: loss of {what}", loss[key]), most=epsilon + 1e-9)
        for key in reversed(FIVE)
        for what, loss in (("the whole report", whole), ("y₀", spoken))
    ]
    return Finding(
        (tuple(checks),),
        f"suWheel bounds y₀ (loss {shown(spoken['suWheel'])}) but not the whole report "
        f"(loss {shown(whole['suWheel'])}: a missing disclosure points to a sensitive item); suGRR bounds the whole "
        f"report among sets that hold what it discloses, but not y₀ over all sets (loss {shown(spoken['suGRR'])}). Who "
        f"holds a sensitive item is guessed right {shown(100 * gain['suWheel'])} % of the time from suWheel's reports, "
        f"{shown(100 * base['suWheel'])} % from Wheel's, {shown(100 * gain['suWheel-J'])} % from suWheel-J's.",
        "none needed, exact channels",
        tuple(
            Number.of(
                f"{key}: does a person hold any sensitive item? Points of success beyond {ORIGINAL[key]}'s",
                100 * (gain[key] - base[key]),
            )
            for key in reversed(FIVE)
        ),
        Number.of("suWheel-J: loss of the whole report at ε = 1", whole["suWheel-J"]),
    )


def _presence(key: str, k: int, sensitive: NDArray[np.bool_], m: int, epsilon: float, hashes: tuple[int, ...]) -> float:
    """Success of the presence attack, all sets alike: exact, averaged over the known hashes."""
    built = SETS[key].build(epsilon, k, sensitive, m)
    seeds = hashes if built.hashed else (None,)
    return float(np.mean([presence.success(built, sensitive, public=seed).success for seed in seeds]))
