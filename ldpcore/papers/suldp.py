"""Cao, Zhu, He, Zhang 2022: utility-optimised local differential privacy for sets. Its trends: suldp_trends.py;
its protection: suldp_protection.py."""

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ldpcore.catalog import SETS
from ldpcore.mechanisms.padding import pad_and_sample
from ldpcore.papers import sources
from ldpcore.papers.check import Check, ClaimReading, Number, shown
from ldpcore.papers.claim import Ask, Finding, Paper, PaperStatement, claim
from ldpcore.papers.measures import EPSILONS, SAID, bias, over, share, steps
from ldpcore.papers.words import CLEAR, UNBIASED, WITHOUT_BIAS
from ldpcore.rng import stream
from ldpcore.set_randomizer import SetRandomizer

PAPER = Paper(
    "suldp",
    "Frequency estimation over sets with utility-optimised local differential privacy",
    "Cao, Zhu, He, Zhang, Journal of Computer Research and Development 59(10), 2022",
)
FIVE = ("suGRR", "suGRR-Sample", "suRAP", "suRAP-Sample", "suWheel")
ORIGINAL: dict[str, str] = dict(zip(FIVE, ("GRR", "GRR-Sample", "RAPPOR", "RAPPOR-Sample", "Wheel"), strict=True))
OURS = ("suWheel-J", "uPrivSet")
M = 8
"""Items per set."""
LARGE = 1000
"""From so many items on a domain is large here; the paper's data sets have thousands."""


def mask(k: int, share: float) -> NDArray[np.bool_]:
    return np.arange(k) < round(share * k)


@dataclass(frozen=True, eq=False)
class ErrorData:
    """Data on which exact errors are compared: shares after padding, who holds what with what."""

    name: str
    said: str
    k: int
    sensitive: NDArray[np.bool_]
    m: int = M
    dummies: int = 0
    freq: NDArray[np.float64] | None = None
    sets: NDArray[np.intp] | None = None

    def mse(self, key: str, epsilon: float) -> float:
        """n·MSE over all values: exact."""
        mechanism = SETS[key].build(epsilon, self.k, self.sensitive, self.m, self.dummies)
        freq = np.full(self.k, self.m / self.k) if self.freq is None else self.freq
        company = mechanism.company(self.sets) if self.sets is not None and key in OURS else None
        return float(mechanism.variance(freq, 1, company).mean())


def uniform(k: int, share: float = 0.25, m: int = M) -> ErrorData:
    return ErrorData(f"simulated, d = {k}", "simulated sets, uniform", k, mask(k, share), m)


@cache
def grounds(folder: Path | None) -> tuple[ErrorData, ...]:
    """Uniform sets, and the paper's three data sets as far as they are here (m = 8 after padding and sampling)."""
    data_sets, absent = sources.sets(folder)
    out = [uniform(1024)]
    for each in data_sets:
        padded = pad_and_sample(each.baskets, each.baskets.k, M, stream(7, "papers", "padding", each.name))
        freq = np.bincount(padded.ravel(), minlength=each.baskets.k)[: each.baskets.k] / len(padded)
        source = each.said + (f" ({', '.join(absent)} absent)" if absent and "standing in" not in each.said else "")
        out.append(ErrorData(each.name, source, each.baskets.k, each.sensitive, M, M, freq, padded))
    return tuple(out)


@cache
def errors(folder: Path | None) -> dict[tuple[str, str], NDArray[np.float64]]:
    """(ground, mechanism) → exact n·MSE at every ε of the grid."""
    return {
        (ground.name, key): np.array([ground.mse(key, epsilon) for epsilon in EPSILONS])
        for ground in grounds(folder)
        for key in (*FIVE, *OURS)
    }


def said(folder: Path | None) -> str:
    return "; ".join(ground.said for ground in grounds(folder))


def drawn_sets(n: int, k: int, m: int, rng: np.random.Generator) -> NDArray[np.intp]:
    return np.sort(np.argsort(rng.random((n, k)), axis=1)[:, :m], axis=1)


def as_a_set(mechanism: SetRandomizer, freq: NDArray[np.float64], p: float, q: float) -> NDArray[np.float64]:
    """Expected suGRR estimate of the sensitive items when y₀ is a set, so that an item counts once: exact."""
    m, f = mechanism.m, freq[mechanism.sensitive]
    present, other = 1 - (1 - p) * (1 - q) ** (m - 1), 1 - (1 - q) ** m
    return (f * present + (1 - f) * other - m * q) / (p - q)


@claim(
    "1",
    "All five estimators are unbiased.",
    PaperStatement(
        "The frequency estimates of suGRR and suGRR-Sample are both unbiased",
        "Theorem 2; y₀ is a set by §4.1.1, and a multiset in the proof",
        "suGRR和suGRR-Sample頻率估計結果均為無偏估計",
        WITHOUT_BIAS.means,
    ),
    PaperStatement(
        "The frequency estimates of suRAP and suRAP-Sample are both unbiased",
        "Theorem 5",
        "suRAP和suRAP-Sample頻率估計結果均為無偏估計",
        WITHOUT_BIAS.means,
    ),
    PaperStatement(
        "The frequency estimate of suWheel is unbiased",
        "Theorem 8",
        "suWheel頻率估計結果為無偏估計",
        WITHOUT_BIAS.means,
    ),
    setting="d = 64, m = 4, 25 % sensitive, ε = 1, 2 000 users, reports one by one",
)
def unbiased(ask: Ask) -> Finding:
    k, m, n, repeats = 64, 4, 2000, ask.repeats(200, 1000)
    sensitive, people = mask(k, 0.25), drawn_sets(n, k, m, ask.rng("sets"))
    freq = np.bincount(people.ravel(), minlength=k) / n
    biases = {}
    for key in FIVE:
        mechanism = SETS[key].build(1.0, k, sensitive, m)
        estimates = np.array([_survey(mechanism, people, ask.rng(key, i)) for i in range(repeats)])
        what = f"{key}: bias in standard errors of one survey, root mean square over {k} items"
        biases[key] = bias(what, estimates, freq, mechanism.variance(freq, n), share(len(FIVE)))
    multi = Check(replace(biases["suGRR"], what=f"{biases['suGRR'].what}, y₀ a multiset"), most=UNBIASED)
    mechanism = SETS["suGRR"].build(1.0, k, sensitive, m)
    E, sigma = np.exp(1 / m), int(sensitive.sum())
    p, q = E / (sigma + E - 1), 1 / (sigma + E - 1)
    off = np.abs(as_a_set(mechanism, freq, p, q) - freq[sensitive])
    error = np.sqrt(mechanism.variance(freq, n)[sensitive])
    as_set = Number.of("suGRR with y₀ as a set, as written: mean bias in standard errors", (off / error).mean())
    checks = [Check(number, most=UNBIASED) for key, number in biases.items() if key != "suGRR"]
    readings = [
        ClaimReading(says, ((first, checks[0]), tuple(checks[1:3]), tuple(checks[3:])))
        for says, first in (
            ("y₀ a multiset, as the proof of Theorem 2 counts", multi),
            ("y₀ a set, as §4.1.1 says", Check(as_set, most=UNBIASED)),
        )
    ]
    return Finding.of(
        readings,
        "Theorem 2 holds of what its proof counts: each item's answer by itself, so y₀ is a multiset. §4.1.1 sends y₀ "
        f"as a set: equal answers become one, and each sensitive share is then off by {shown(off.mean())} on average, "
        f"{shown(as_set.value)} standard errors of one survey. The others are unbiased.",
        "simulated sets",
        (as_set,),
    )


def _survey(mechanism: SetRandomizer, people: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.float64]:
    return mechanism.estimate(mechanism.tally(mechanism.perturb(people, rng)))


@claim(
    "2",
    "The error falls as ε grows, for all five.",
    PaperStatement(
        "As the privacy budget ε grows, the MSE of all five mechanisms falls",
        "§5.2.1, Fig. 1",
        "隨著隱私預算ε的增大,5種機制的MSE都在減小",
    ),
    setting="m = 8, ε = 0.1 … 4, exact variances",
    exact=True,
)
def falls(ask: Ask) -> Finding:
    worst = {}
    for (name, key), curve in errors(ask.folder).items():
        if key in FIVE:
            worst[name, key] = float(steps(curve).max())
    checks = [
        Check(Number.of(f"{key} on {name}: largest MSE ratio between neighbouring ε", value), most=1, strict=True)
        for (name, key), value in worst.items()
    ]
    checks.sort(key=lambda check: -check.number.value)
    wheel = [
        SETS["suWheel"].build(e, 1024, mask(1024, 0.25), M).variance(np.full(1024, M / 1024), 1)[-1] for e in EPSILONS
    ]
    return Finding(
        (tuple(checks),),
        f"Every step of ε lowers every error, the flattest step to {shown(max(worst.values()))} of the one before. "
        f"Only suWheel's error on items that are not sensitive rises, from {shown(wheel[0])} to {shown(wheel[-1])} "
        "per user: too small to see in the mean.",
        said(ask.folder),
    )


@claim(
    "3",
    "The GRR-based pair is clearly worse than the other three on large domains.",
    PaperStatement(
        "The utility of the two mechanisms built on GRR is clearly lower than that of the other three: the domains in "
        "the experiments are all large",
        "§5.2.1, Fig. 1",
        "基于GRR的2個機制的效用要明顯低于另外3個",
        f"{CLEAR.means}: the error of the better of the pair over that of the worst of the three; large: at least "
        f"{LARGE} items",
    ),
    setting="m = 8, ε = 0.1 … 2, exact variances",
    exact=True,
)
def pair_is_worse(ask: Ask) -> Finding:
    checks, caveats = [], []
    for ground in grounds(ask.folder):
        curves = {key: errors(ask.folder)[ground.name, key] for key in FIVE}
        pair = np.minimum(curves["suGRR"], curves["suGRR-Sample"])
        ratios = pair / np.max([curves[key] for key in FIVE[2:]], axis=0)
        for e, value in zip(EPSILONS, ratios, strict=True):
            what = f"{ground.name}, ε = {e:g}: MSE, better of the pair over worst of the three"
            if ground.k >= LARGE and e in SAID:
                checks.append(Check(Number.of(what, value), least=1, strict=True))
            elif value < 2:
                caveats.append(Number.of(what, value))
    least = min(check.number.value for check in checks)
    why = (
        f"On large domains the better one of the pair has at least {shown(least)} times the error of the three's worst."
    )
    if caveats:
        last = min(caveats, key=lambda number: number.value)
        why += (
            f" Not so where e^ε outweighs the size of the domain: {last.what.split(':')[0]}, {shown(last.value)} times."
        )
    return Finding((tuple(checks),), why, said(ask.folder), tuple(caveats))


@claim(
    "4",
    "suWheel is the best of the five.",
    PaperStatement("suWheel is the mechanism that performs best", "§5.2.1, Fig. 1", "suWheel都是表現最優的機制"),
    setting="m = 8, ε = 0.1 … 4, exact variances",
    exact=True,
)
def wheel_is_best(ask: Ask) -> Finding:
    checks, joint = [], []
    for ground in grounds(ask.folder):
        curves = {key: errors(ask.folder)[ground.name, key] for key in (*FIVE, *OURS)}
        rest = np.min([curves[key] for key in FIVE[:-1]], axis=0)
        number = over(f"{ground.name}: MSE, suWheel over the best of the other four", curves["suWheel"] / rest)
        checks.append(Check(number, most=1, strict=True))
        joint.append(float((curves["uPrivSet"] / curves["suWheel"]).max()))
    return Finding(
        (tuple(checks),),
        f"Its error is at most {shown(max(c.number.high for c in checks))} of the next best one's. It promises less "
        "than the others, though (claim 9).",
        said(ask.folder),
        (Number.of("uPrivSet, which has a joint promise: largest MSE ratio to suWheel", max(joint)),),
    )
