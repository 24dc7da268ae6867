"""Cao, Zhu, He, Zhang 2022: utility-optimised local differential privacy for sets. Its trends: suldp_trends.py."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from ldpcore.attacks import presence
from ldpcore.catalog import SETS
from ldpcore.mechanisms.padding import pad_and_sample
from ldpcore.papers import sources
from ldpcore.papers.claim import Ask, Check, Finding, Number, Paper, claim, shown
from ldpcore.papers.measures import EPSILONS, below, over, steps
from ldpcore.policy import SULDPY0, SULDPJoint
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
M, CLEARLY = 8, 2.0
"""Items per set, and what "clearly worse" means here: at least so many times."""


def mask(k: int, share: float) -> NDArray[np.bool_]:
    return np.arange(k) < round(share * k)


@dataclass(frozen=True, eq=False)
class Ground:
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


def uniform(k: int, share: float = 0.25, m: int = M) -> Ground:
    return Ground(f"simulated, d = {k}", "simulated sets, uniform", k, mask(k, share), m)


@cache
def grounds(folder: Path | None) -> tuple[Ground, ...]:
    """Uniform sets, and the paper's three data sets as far as they are here (m = 8 after padding and sampling)."""
    found, absent = sources.sets(folder)
    out = [uniform(1024)]
    for each in found:
        padded = pad_and_sample(each.baskets, each.baskets.k, M, stream(7, "papers", "padding", each.name))
        held = np.bincount(padded.ravel(), minlength=each.baskets.k)[: each.baskets.k] / len(padded)
        said = each.said + (f" ({', '.join(absent)} absent)" if absent and "standing in" not in each.said else "")
        out.append(Ground(each.name, said, each.baskets.k, each.sensitive, M, M, held, padded))
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
    held, other = 1 - (1 - p) * (1 - q) ** (m - 1), 1 - (1 - q) ** m
    return (f * held + (1 - f) * other - m * q) / (p - q)


@claim(
    "1",
    "All five estimators are unbiased.",
    "d = 64, m = 4, 25 % sensitive, ε = 1, 2 000 users, reports one by one",
    "Theorems 2, 5, 8: unbiased",
)
def unbiased(ask: Ask) -> Finding:
    k, m, n, repeats = 64, 4, 2000, ask.repeats(100, 1000)
    sensitive, people = mask(k, 0.25), drawn_sets(n, k, m, ask.rng("sets"))
    freq = np.bincount(people.ravel(), minlength=k) / n
    checks = []
    for key in FIVE:
        mechanism = SETS[key].build(1.0, k, sensitive, m)
        estimates = np.array([_survey(mechanism, people, ask.rng(key, i)) for i in range(repeats)])
        z2 = (estimates.mean(axis=0) - freq) ** 2 / (mechanism.variance(freq, n) / repeats)
        # The d estimates of a survey depend on one another a little; the bound is generous: one false alarm in 10 000.
        number = Number.of(f"{key}: squared bias over its standard error squared, mean over {k} items", z2.mean())
        checks.append(Check(number, most=stats.chi2.ppf(1 - 1e-4, k / 2) / (k / 2)))
    mechanism = SETS["suGRR"].build(1.0, k, sensitive, m)
    E, sigma = np.exp(1 / m), int(sensitive.sum())
    p, q = E / (sigma + E - 1), 1 / (sigma + E - 1)
    bias = np.abs(as_a_set(mechanism, freq, p, q) - freq[sensitive]).mean()
    spread = np.sqrt(mechanism.variance(freq, n)[sensitive].mean())
    as_set = Number.of("suGRR with y₀ as a set, as written: mean bias in standard errors of one survey", bias / spread)
    checks.append(Check(as_set, most=0.1))
    multi = checks[0].number
    return Finding(
        tuple(checks),
        f"As multisets all five pass (largest mean squared z {shown(max(c.number.value for c in checks[:-1]))}, "
        f"expected 1). The paper sends suGRR's y₀ as a set: equal answers collapse, and each sensitive share is off "
        f"by {shown(bias)} on average, {shown(bias / spread)} standard errors of one survey.",
        "simulated sets",
        Number.of("suGRR's y₀ as a multiset: squared bias over its standard error squared (expected 1)", multi.value),
    )


def _survey(mechanism: SetRandomizer, people: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.float64]:
    return mechanism.estimate(mechanism.tally(mechanism.perturb(people, rng)))


@claim(
    "2",
    "The error falls as ε grows, for all five.",
    "m = 8, ε = 0.1 … 4, exact variances",
    "Fig. 1: falling curves",
    exact=True,
)
def falls(ask: Ask) -> Finding:
    worst = {}
    for (name, key), curve in errors(ask.folder).items():
        if key in FIVE:
            worst[name, key] = float(steps(curve).max())
    checks = [
        Check(Number.of(f"{key} on {name}: largest MSE ratio between neighbouring ε", value), most=below(1))
        for (name, key), value in worst.items()
    ]
    checks.sort(key=lambda check: -check.number.value)
    wheel = [
        SETS["suWheel"].build(e, 1024, mask(1024, 0.25), M).variance(np.full(1024, M / 1024), 1)[-1] for e in EPSILONS
    ]
    return Finding(
        tuple(checks),
        f"Every step of ε lowers every error, the flattest step to {shown(max(worst.values()))} of the one before. "
        f"Only suWheel's error on items that are not sensitive rises, from {shown(wheel[0])} to {shown(wheel[-1])} "
        "per user: too small to see in the mean.",
        said(ask.folder),
    )


@claim(
    "3",
    "The GRR-based pair is clearly worse than the other three on large domains.",
    "m = 8, ε = 0.1 … 4; clearly: the better of the pair at least twice the worst of the three",
    "Fig. 1: far above the others",
    exact=True,
)
def pair_is_worse(ask: Ask) -> Finding:
    checks = []
    for ground in grounds(ask.folder):
        curves = {key: errors(ask.folder)[ground.name, key] for key in FIVE}
        pair = np.minimum(curves["suGRR"], curves["suGRR-Sample"])
        rest = np.max([curves[key] for key in FIVE[2:]], axis=0)
        checks += [
            Check(
                Number.of(f"{ground.name}, ε = {e:g}: MSE, better of the pair over worst of the three", v),
                least=CLEARLY,
            )
            for e, v in zip(EPSILONS, pair / rest, strict=True)
        ]
    middle = EPSILONS.index(1.0)
    checks = [checks[middle], *checks[:middle], *checks[middle + 1 :]]
    lost = [check for check in checks if not check.holds]
    why = (
        f"At ε = 1, d = 1024, the pair's better one has {checks[0].number.shown} times the error of the three's worst."
    )
    if not lost:
        return Finding(tuple(checks), why, said(ask.folder))
    least = min(lost, key=lambda check: check.number.value).number
    why += (
        f" It fails at {len(lost)} of {len(checks)} points, all at large ε ({least.what.split(':')[0]}: "
        f"{shown(least.value)} times): e^ε then outweighs the size of the domain."
    )
    place = least.what.split(":")[0]
    use = Number.of(f"suGRR-Sample instead of suRAP where ε is large, MSE ratio ({place})", least.value)
    return Finding(tuple(checks), why, said(ask.folder), use)


@claim(
    "4", "suWheel is the best of the five.", "m = 8, ε = 0.1 … 4, exact variances", "Fig. 1: lowest curve", exact=True
)
def wheel_is_best(ask: Ask) -> Finding:
    checks, joint = [], []
    for ground in grounds(ask.folder):
        curves = {key: errors(ask.folder)[ground.name, key] for key in (*FIVE, *OURS)}
        rest = np.min([curves[key] for key in FIVE[:-1]], axis=0)
        number = over(f"{ground.name}: MSE, suWheel over the best of the other four", curves["suWheel"] / rest)
        checks.append(Check(Number(number.what, number.high, number.low, number.high, spans=True), most=1.0))
        joint.append(float((curves["uPrivSet"] / curves["suWheel"]).max()))
    return Finding(
        tuple(checks),
        f"Its error is at most {shown(max(c.number.value for c in checks))} of the next best one's. It promises less "
        f"than the others, though (claim 9). With a joint promise, uPrivSet's error is at most {shown(max(joint))} "
        "times suWheel's.",
        said(ask.folder),
        Number.of("uPrivSet, with a joint promise: largest MSE ratio to suWheel", max(joint)),
    )


@claim(
    "9",
    "Sensitive items are protected exactly as by the originals.",
    "exact channels, 6 items, 3 of them sensitive, m = 2, ε = 1, three known hashes; presence: does a person hold any "
    "sensitive item?",
    "exactly the same protection (Theorems 1, 4, 7)",
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
        Check(
            Number.of(f"{key}: loss of the whole report, sets that hold what it discloses", whole[key]),
            most=epsilon + 1e-9,
        )
        for key in reversed(FIVE)
    ]
    checks += [
        Check(Number.of(f"{key}: loss of y₀ over all pairs of sets (Definition 3)", spoken[key]), most=epsilon + 1e-9)
        for key in FIVE
    ]
    checks += [
        Check(Number.of(f"{key}: presence attack, success beyond {ORIGINAL[key]}'s", gain[key] - base[key]), most=1e-9)
        for key in FIVE
    ]
    return Finding(
        tuple(checks),
        f"suWheel bounds y₀ (loss {shown(spoken['suWheel'])}) but not the whole report "
        f"(loss {shown(whole['suWheel'])}: a missing disclosure points to a sensitive item); suGRR bounds the whole "
        f"report among sets that hold what it discloses, but not y₀ over all sets (loss {shown(spoken['suGRR'])}). Who "
        f"holds a sensitive item is guessed right {shown(100 * gain['suWheel'])} % of the time from suWheel's reports, "
        f"{shown(100 * base['suWheel'])} % from Wheel's, {shown(100 * gain['suWheel-J'])} % from suWheel-J's.",
        "none needed, exact channels",
        Number.of("suWheel-J: loss of the whole report at ε = 1", whole["suWheel-J"]),
    )


def _presence(key: str, k: int, sensitive: NDArray[np.bool_], m: int, epsilon: float, hashes: tuple[int, ...]) -> float:
    """Success of the presence attack, all sets alike: exact, averaged over the known hashes."""
    built = SETS[key].build(epsilon, k, sensitive, m)
    seeds = hashes if built.hashed else (None,)
    return float(np.mean([presence.success(built, sensitive, public=seed).success for seed in seeds]))
