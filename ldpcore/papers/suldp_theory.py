"""What SULDP says of its mechanisms in theory: how errors depend on m, against ULDP mechanisms, sets of one item."""

import numpy as np

from ldpcore.catalog import FREQUENCY, SETS
from ldpcore.papers.check import Check, ClaimReading, Number, shown
from ldpcore.papers.claim import Ask, Finding, PaperStatement, claim
from ldpcore.papers.measures import SAID, slope
from ldpcore.papers.suldp import FIVE, M, mask, uniform
from ldpcore.papers.suldp_trends import LENGTHS
from ldpcore.papers.words import IN_PROPORTION, LINEAR, SQUARE
from ldpcore.policy import SULDPY0, ULDP, SULDPJoint

ULDPS: dict[str, str] = dict(zip(FIVE[:4], ("uRR", "uRR", "uRAP", "uRAP"), strict=True))
"""What each of them is with one item per person; suWheel has no elder."""
LONG = LENGTHS[3:]
"""Where the exponent of m is read off: what is small beside m has gone."""


@claim(
    "10",
    "On sensitive items the error grows with m for suWheel, with m² for the other four.",
    PaperStatement(
        "The MSE of suWheel's sensitive part is in proportion to m",
        "§5.2.4, by §4.4; Table 2, which has the orders, is lost",
        "suWheel的敏感部分的MSE與m呈正相關",
        f"{IN_PROPORTION.means}; that it grows at all is claim 7",
    ),
    PaperStatement(
        "That of the other four mechanisms is even in proportion to m²",
        "§5.2.4, by §4.4",
        "其余4種機制更是與m2呈正相關",
        IN_PROPORTION.means,
    ),
    setting="d = 1024, 25 % sensitive, ε = 1, m = 8 … 64: exponent of m in the mean error of sensitive items, exact",
    exact=True,
)
def orders_in_length(ask: Ask) -> Finding:
    k, sensitive = 1024, mask(1024, 0.25)
    built = {key: [SETS[key].build(1.0, k, sensitive, m) for m in LONG] for key in FIVE}
    errors = {key: [b.variance(np.full(k, b.m / k), 1)[sensitive].mean() for b in each] for key, each in built.items()}
    tilt = {key: slope(LONG, each) for key, each in errors.items()}
    numbers = {key: Number.of(f"{key}: exponent of m", value) for key, value in tilt.items()}
    return Finding(
        ((Check(numbers["suWheel"], *LINEAR),), tuple(Check(numbers[key], *SQUARE) for key in FIVE[:4])),
        f"suWheel's error grows like m^{shown(tilt['suWheel'])}. suGRR's grows like m^{shown(tilt['suGRR'])}, not m²: "
        "each of its m answers has the budget ε/m, whose error is m² times that of ε, and there are m of them. That "
        f"makes m³; the other three grow like m^{shown(max(tilt[key] for key in FIVE[1:4]))}.",
    )


@claim(
    "11",
    "suRAP errs less than uRAP with a split budget.",
    PaperStatement(
        "suRAP is built on the improved RAPPOR, and performs better than uRAP with a split privacy budget",
        "§5.2.1",
        "suRAP則是基于改進的RAPPOR[22]實現的,效果比劃分隱私預算的uRAP要更好",
    ),
    setting="d = 256, m = 8, 25 % sensitive, ε = 0.1 … 2; uRAP(ε/m) on each of the m items of every person, exact",
    exact=True,
)
def beats_split(ask: Ask) -> Finding:
    k, share = 256, np.full(256, 1 / 256)
    gains = []
    for e in SAID:
        split = M * FREQUENCY["uRAP"].build(e / M, k, mask(k, 0.25)).variance(share, 1).mean()
        gains.append(float(split / uniform(k).mse("suRAP", e)))
    checks = tuple(
        Check(Number.of(f"ε = {e:g}: MSE, uRAP with a split budget over suRAP", gain), least=1, strict=True)
        for e, gain in zip(SAID, gains, strict=True)
    )
    return Finding(
        (checks,),
        f"The split budget has {shown(min(gains))} to {shown(max(gains))} times suRAP's error, near m = {M}: both draw "
        "bits at ε/(2m), but suRAP sends one string of bits for the whole set, where the split budget sends m of them.",
    )


@claim(
    "12",
    "With one item per person SULDP is ULDP.",
    PaperStatement(
        "If every set has one item, the SULDP model becomes ULDP: ULDP is a special case of SULDP",
        "§3.2",
        "如果限定每個輸入集合大小為1時,即|s|=1,那么SULDP將退化到ULDP模型",
    ),
    setting="m = 1, 6 items, 3 of them sensitive, ε = 1: exact losses of the channels under both definitions, and "
    "errors against uRR and uRAP",
    exact=True,
)
def one_item(ask: Ask) -> Finding:
    k, epsilon, sensitive = 6, 1.0, mask(6, 0.5)
    freq = np.arange(1.0, k + 1) / sum(range(1, k + 1))
    joint, spoken, errors = [], [], []
    for key, elder in ULDPS.items():
        ours, theirs = SETS[key].build(epsilon, k, sensitive, 1), FREQUENCY[elder].build(epsilon, k, sensitive)
        alone = ULDP(epsilon, sensitive).check(theirs.channel())
        for policy, checks in ((SULDPJoint, joint), (SULDPY0, spoken)):
            checked = policy(epsilon, ours.marked).check(ours.channel())
            gap = abs(checked.loss - alone.loss) if checked.holds and alone.holds else np.inf
            checks.append(Check(Number.of(f"{key}: loss, against {elder}'s under ULDP: gap", gap), most=1e-9))
        off = float(np.abs(ours.variance(freq, 1) / theirs.variance(freq, 1) - 1).max())
        what = f"{key}: variance against {elder}'s, largest relative gap"
        errors.append(Check(Number.of(what, off), most=1e-9))
    return Finding.of(
        (
            ClaimReading("the whole report, among sets that hold what it discloses, as in ULDP", ((*joint, *errors),)),
            ClaimReading("y₀ alone between any two sets, also an empty one, as (11) has it", ((*spoken, *errors),)),
        ),
        "With m = 1 suGRR is uRR and suRAP is uRAP: the same loss, the same variance of every share. Only (11) taken "
        "literally compares suGRR's empty y₀, which nobody with a sensitive item sends. suWheel has no elder.",
    )
