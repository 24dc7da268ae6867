"""What SDLDP promises and proves: its theorems 1, 3 and 5, high told from low, and its remark on MinID-LDP."""

import numpy as np

from ldpcore import em
from ldpcore.catalog import FREQUENCY, MEANS
from ldpcore.channel import Channel, ReportColumn
from ldpcore.mechanisms.graded_piecewise import SDPM
from ldpcore.papers.check import Check, Number, shown
from ldpcore.papers.claim import Ask, Finding, PaperStatement, claim
from ldpcore.papers.measures import SAID
from ldpcore.papers.sdldp_means import LOW, heights
from ldpcore.papers.words import LIKELY
from ldpcore.policy import SDLDP

HIGH = np.arange(18) < 4
STEPS, BINS, GAP = 20_000, 16, 0.1
"""Plain EM steps, bins of [-1, 1], and nats of all reports together that count as converged."""


@claim(
    "9",
    "ULDP may tell high from low, and so more than SDLDP.",
    PaperStatement(
        "An attacker is certain that a report outside the protected ones comes from a value that is not sensitive",
        "§1",
        "攻击者可以确定非敏感型输出 Y_i 的原始真实数据为非敏感型",
    ),
    PaperStatement(
        "Who guesses that a protected report comes from a sensitive value is probably right",
        "§1",
        "攻击者若推测敏感型输出 Y_p 的原始真实数据为敏感型则大概率是正确的",
        f"{LIKELY.means}, where high and low are equally likely beforehand",
    ),
    PaperStatement(
        "From SDLDP's reports an attacker cannot tell high from low with a high probability: better than from ULDP's",
        "§4.1; §1",
        "使得敌手在观察噪声数据时, 无法以较高的概率区分高敏感输入与低敏感输入的扰动输出",
        "not with a high probability: with a lower one than under URR, at every ε",
    ),
    setting="18 values, 4 high, ε = 0.1 … 2, high and low equally likely and the values of each alike, exact",
    exact=True,
)
def high_from_low(ask: Ask) -> Finding:
    success = {key: np.array([_told(key, e) for e in SAID]) for key in ("uRR", "SDGRR")}
    right = [_right("uRR", e) for e in SAID]
    open_ = max(float(FREQUENCY["uRR"].build(e, 18, HIGH).channel().matrix[HIGH][:, ~HIGH].max()) for e in SAID)
    at = SAID.index(1.0)
    return Finding(
        (
            (Check(Number.of("URR: largest chance of an open report under a sensitive value", open_), most=0),),
            tuple(
                Check(Number.of(f"URR, ε = {e:g}: chance that a protected report comes from a sensitive value", v),
                      least=0.5, strict=True)
                for e, v in zip(SAID, right, strict=True)
            ),
            tuple(
                Check(Number.of(f"ε = {e:g}: success on high or low, SDGRR less URR, points", 100 * (b - a)),
                      most=0, strict=True)
                for e, a, b in zip(SAID, success["uRR"], success["SDGRR"], strict=True)
            ),
        ),
        f"At ε = 1 whoever guesses high or low is right {shown(100 * success['uRR'][at])} % of the time from URR's "
        f"reports and {shown(100 * success['SDGRR'][at])} % from SDGRR's; blind, 50 %. That they can be told apart is "
        "what both definitions allow.",
    )  # fmt: skip


def _told(key: str, epsilon: float) -> float:
    """Success of the best guess of high or low, equally likely beforehand."""
    chance = FREQUENCY[key].build(epsilon, 18, HIGH).channel().matrix
    return float(np.maximum(chance[HIGH].mean(axis=0), chance[~HIGH].mean(axis=0)).sum() / 2)


def _right(key: str, epsilon: float) -> float:
    """Posterior of high after a report that names a high value."""
    chance = FREQUENCY[key].build(epsilon, 18, HIGH).channel().matrix[:, HIGH]
    high, low = chance[HIGH].sum(axis=1).mean(), chance[~HIGH].sum(axis=1).mean()
    return float(high / (high + low))


@claim(
    "12",
    "SDGRR and SDPM satisfy SDLDP, and EM comes to the maximum of the likelihood.",
    PaperStatement("SDGRR satisfies (X_H, X_L, ε)-SDLDP", "Theorem 1", "定理 1. SDGRR 满足"),
    PaperStatement("SDPM satisfies (X_H, X_L, ε)-SDLDP", "Theorem 3", "定理 3. SDPM 满足"),
    PaperStatement(
        "EM converges at last to the maximum-likelihood estimate of the distribution",
        "Theorem 5",
        "EM 算法最终收敛到输入数据分布 f 的最大似然估计",
        f"converges at last: less than {GAP:g} nats of all reports below the maximum after {STEPS} steps with no stop",
    ),
    setting="exact channels, ε = 0.1 … 2: 18 values, 4 high; SDPM on its own cells, half of the range low. EM: 25 000 "
    f"reports of heights, ε = 1, {BINS} bins",
    exact=True,
)
def theorems(ask: Ask) -> Finding:
    one, three = [], []
    for e in SAID:
        checked = SDLDP(e, HIGH).check(FREQUENCY["SDGRR"].build(e, 18, HIGH).channel())
        one.append(Check(Number.of(f"SDGRR, ε = {e:g}: largest loss less ε", checked.loss - e), most=1e-9))
        built = MEANS["SDPM"].build(e, LOW["50"])
        checked = built.policy(built.points).check(built.channel())
        three.append(Check(Number.of(f"SDPM, ε = {e:g}: largest loss less ε", checked.loss - e), most=1e-9))
    short, long, left = _converged(ask)
    return Finding(
        (tuple(one), tuple(three), (Check(Number.of("EM: nats below the maximum at most", long), most=GAP),)),
        f"Both channels keep the definition at every ε. EM without a stop is at most {shown(long)} nats below the "
        f"maximum after {STEPS} steps; by the paper's own stop it ends {shown(short)} nats below that, and its mean is "
        f"{shown(left)} away from the maximum's: the theorem is not about the estimate that is used.",
        heights(ask.folder)[2],
        (
            Number.of("EM by the paper's stop: nats below EM without a stop", short),
            Number.of("EM by the paper's stop: distance of the mean from that without a stop", left),
        ),
    )


def _converged(ask: Ask) -> tuple[float, float, float]:
    """Nats that the paper's stop loses, nats that EM is below the maximum at most after STEPS, gap between the means.

    By duality the maximum is above a value at f by at most n·(max over bins of the mean of M/(fM) − 1).
    """
    built = SDPM(1.0, LOW["50"], BINS)
    x, counts, _ = heights(ask.folder)
    tally = built.tally(built.perturb(np.repeat(x, counts), ask.rng("EM")))
    seen, matrix = np.asarray(tally.counts, float), built.mass(built.points, built.edges)
    products = em.Products.of(matrix)
    stop, long = (
        em.plain(seen, products, len(built.points), gain=gain, max_steps=STEPS) for gain in (np.e * 1e-3, -1.0)
    )
    law = long.freq @ matrix
    slope = matrix @ np.divide(seen, law, out=np.zeros_like(seen), where=seen > 0)
    short = long.log_likelihood - stop.log_likelihood
    return short, float(slope.max() - seen.sum()), float(abs(built.points @ (long.freq - stop.freq)))


@claim(
    "13",
    "MinID-LDP is stricter than ULDP: it is 2·min ε-LDP, and ULDP is no special case of it.",
    PaperStatement(
        "MinID-LDP satisfies 2·min ε_x-LDP",
        "§2, by a theorem of Gu et al. 2020",
        "MinID-LDP 满足 2min{ε_x|x∈X}-LDP",
    ),
    PaperStatement(
        "Though it says that ULDP is a special case of it, MinID-LDP is in fact stricter",
        "§2",
        "虽然 MinID-LDP 声明可以将 ULDP 归纳为其一种特例, 但事实上 MinID-LDP 更为严格",
    ),
    setting="ε = 1 for one value, any ε for two others: the channel of two reports that tells these two apart most; "
    "and URR's own channel, 4 of 18 marked, under MinID-LDP with ε = 1 and ∞",
    exact=True,
)
def min_id(ask: Ask) -> Finding:
    epsilon = 1.0
    loss = _apart(epsilon).privacy_loss()
    kept = max(loss[0].max(), loss[:, 0].max())
    urr = FREQUENCY["uRR"].build(epsilon, 18, HIGH).channel().privacy_loss()
    least = np.minimum(*np.meshgrid(np.where(HIGH, epsilon, np.inf), np.where(HIGH, epsilon, np.inf)))
    with np.errstate(invalid="ignore"):
        broken = float(np.where(np.isfinite(least), urr - least, -np.inf).max())
    return Finding(
        (
            (
                Check(Number.of("loss against the value with ε = 1, at most 1", float(kept)), most=epsilon + 1e-9),
                Check(Number.of("largest loss of all, least ε = 1", float(loss.max())), 2 - 1e-9, 2 + 1e-9),
            ),
            (Check(Number.of("URR: largest loss less what MinID-LDP allows", broken), least=0, strict=True),),
        ),
        f"Two values are each within e^1 of a third, so within e^2 of each other, and no ε of their own raises that: a "
        f"channel reaches {shown(float(loss.max()))}. URR's open reports exclude every sensitive value, a loss of "
        f"{shown(float(urr.max()))}, which MinID-LDP allows against no value with a finite ε.",
    )


def _apart(epsilon: float) -> Channel:
    """Three values, the first within ε of both others, these as far apart as that allows: 2ε."""
    rare = 0.01
    yes = np.array([rare, rare * np.exp(epsilon), rare * np.exp(-epsilon)])
    return Channel(np.stack([yes, 1 - yes], axis=1), (ReportColumn("yes"), ReportColumn("no")))
