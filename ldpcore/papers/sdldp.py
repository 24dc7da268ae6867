"""Chen, Ye, Zhang, Shu 2025: sensitivity in grades (SDLDP). What it says of shares; of means: sdldp_means.py."""

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ldpcore.attacks import bayes
from ldpcore.catalog import FREQUENCY, MEANS
from ldpcore.estimators import personalised
from ldpcore.mechanisms.direct import SDGRR
from ldpcore.mechanisms.graded_piecewise import SDPM
from ldpcore.papers import sources
from ldpcore.papers.claim import Ask, Check, Finding, Number, Paper, claim, shown
from ldpcore.papers.measures import EPSILONS, above, below, over
from ldpcore.papers.sdldp_means import LOW
from ldpcore.rng import stream

PAPER = Paper(
    "sdldp",
    "SDLDP: a local differential private framework for multi-level sensitive data",
    "Chen, Ye, Zhang, Shu, Journal of Cyber Security, 2025, doi 10.19363/J.cnki.cn10-1380/tn.2025.07.10",
)
ATTRIBUTES = {"education": 18, "marital-status": 7}
"""The paper's two attributes and the number of their values."""
GROUPS = ((0.25, 0.4), (0.5, 0.3), (0.75, 0.3))
"""Personalised marks: the share of high values, and of the users who choose so."""
ORDER, CLOSE = (5.0, 20.0), (0.5, 2.0)
"""What "about one order of magnitude" and "close" mean here."""
MARKS = 40
"""Random choices of the high values, over which errors on data are averaged (the paper does not say which it took)."""


def masks(k: int, share: float, count: int = MARKS) -> list[NDArray[np.bool_]]:
    """Random masks with this share of high values."""
    rng = stream(7, "papers", "sdldp marks", k, share)
    return [rng.permutation(np.arange(k) < round(share * k)) for _ in range(count)]


def mse(key: str, epsilon: float, freq: NDArray[np.float64], share: float, n: int = 1) -> float:
    """Exact MSE over all values, averaged over choices of the high values."""
    k = len(freq)
    chosen = masks(k, share) if FREQUENCY[key].uses_marks else masks(k, share, 1)
    return float(np.mean([FREQUENCY[key].build(epsilon, k, mask).variance(freq, n).mean() for mask in chosen]))


def personal(epsilon: float, freq: NDArray[np.float64], how: str) -> float:
    """n·MSE of personalised SDGRR when all groups have the same shares: exact."""
    k, n, total = len(freq), 100_000, 0.0
    drawn = zip(*(masks(k, share) for share, _ in GROUPS), strict=True)
    for chosen in drawn:
        built = [FREQUENCY["SDGRR"].build(epsilon, k, mask) for mask in chosen]
        sizes = [round(part * n) for _, part in GROUPS]
        weight = personalised.weights(built, sizes, how)
        within = np.array([m.variance(freq, size) for m, size in zip(built, sizes, strict=True)])
        total += n * float((weight**2 * within).sum(axis=0).mean())
    return total / MARKS


@cache
def _answers(folder: Path | None) -> dict[str, tuple[NDArray[np.float64], str]]:
    """Uniform shares with the paper's numbers of values, and the shares of the data."""
    out = {f"uniform, d = {k}": (np.full(k, 1 / k), "") for k in ATTRIBUTES.values()}
    for column in ATTRIBUTES:
        found = sources.answers(column, folder)
        out[f"{column}, d = {len(found.counts)}"] = (found.counts / found.counts.sum(), found.said)
    return out


def said(folder: Path | None) -> str:
    return "uniform shares; education and marital status of " + next(s for _, s in _answers(folder).values() if s)


@claim(
    "1",
    "SDGRR's error is about one order of magnitude below GRR's at 25 % high, and URR's another order below.",
    "18 and 7 values, uniform, and the data; ε = 0.1 … 4, unbiased estimates, exact; an order: 5 to 20 times",
    "Fig. 5: about 10 times each",
    exact=True,
)
def one_order(ask: Ask) -> Finding:
    checks, best = [], []
    for name, (freq, _) in _answers(ask.folder).items():
        curves = {key: np.array([mse(key, e, freq, 0.25) for e in EPSILONS]) for key in ("GRR", "SDGRR", "uRR", "uSS")}
        checks.append(Check(over(f"{name}: MSE, GRR over SDGRR", curves["GRR"] / curves["SDGRR"]), *ORDER))
        checks.append(Check(over(f"{name}: MSE, SDGRR over uRR", curves["SDGRR"] / curves["uRR"]), *ORDER))
        best.append(curves["GRR"] / curves["uSS"])
    first, second = checks[0::2], checks[1::2]
    small = over("", np.concatenate(best))
    return Finding(
        tuple(checks),
        f"GRR's error is {shown(min(c.number.value for c in first))} to {shown(max(c.number.value for c in first))} "
        f"times SDGRR's (geometric means over ε), SDGRR's {shown(min(c.number.value for c in second))} to "
        f"{shown(max(c.number.value for c in second))} times uRR's. The paper's variance (12) leaves out the noise of "
        "the estimated share of high answers, which is most of the error of the low ones at small ε.",
        said(ask.folder),
        Number(
            "uSS at the same ε, under the stronger ULDP: GRR's error over its (range over ε and columns)",
            small.value,
            small.low,
            small.high,
            spans=True,
        ),
    )


@claim(
    "2",
    "The more values are high, the larger the error (25, 50, 75 %).",
    "ε = 0.1 … 4, exact",
    "Fig. 6: in this order",
    exact=True,
)
def grows_with_share(ask: Ask) -> Finding:
    checks = []
    for name, (freq, _) in _answers(ask.folder).items():
        curve = np.array([[mse("SDGRR", e, freq, share) for share in (0.25, 0.5, 0.75)] for e in EPSILONS])
        least = (curve[:, 1:] / curve[:, :-1]).min(axis=0)
        checks += [
            Check(Number.of(f"{name}: smallest ratio, SDGRR-{b} over SDGRR-{a}", value), least=above(1))
            for (a, b), value in zip(((25, 50), (50, 75)), least, strict=True)
        ]
    lost = [c.number for c in checks if not c.holds]
    why = f"The smallest step multiplies the error by {shown(min(c.number.value for c in checks))}."
    if lost:
        why += f" It fails in {len(lost)} of {len(checks)} steps, such as {lost[0].what} = {shown(lost[0].value)}."
    return Finding(tuple(checks), why, said(ask.folder))


@claim(
    "3",
    "Personalised SDGRR (40/30/30 % of the users at 25/50/75 % high) is close to SDGRR.",
    "minimum-variance weights, as in the paper; ε = 0.1 … 4, groups that answer alike, exact; and at ε = 4, n = 30 "
    "162, groups that hold what they mark twice as often; close: half to twice SDGRR-25's MSE",
    "Fig. 5: almost the same",
    exact=True,
)
def personalised_close(ask: Ask) -> Finding:
    checks = []
    for name, (freq, _) in _answers(ask.folder).items():
        plain = np.array([mse("SDGRR", e, freq, 0.25) for e in EPSILONS])
        curve = np.array([personal(e, freq, "minimum-variance") for e in EPSILONS])
        checks.append(Check(over(f"{name}, groups alike: MSE over SDGRR-25's", curve / plain), *CLOSE))
    n = 30_162
    name, (freq, _) = list(_answers(ask.folder).items())[-2]
    biased, bias2, share = unlike(4.0, freq, n)
    one = mse("SDGRR", 4.0, freq, 0.25) / n
    checks.append(Check(Number.of(f"{name}, groups unlike, ε = 4: MSE over SDGRR-25's", biased / one), *CLOSE))
    values = [c.number.value for c in checks[:-1]]
    return Finding(
        tuple(checks),
        f"Where all groups answer alike its error is {shown(min(values))} to {shown(max(values))} times SDGRR-25's. "
        "Its weights assume just that: where people hold what they mark twice as often, its error is "
        f"{shown(biased / one)} times SDGRR-25's at ε = 4, and {shown(100 * bias2 / biased)} % of it is bias, which "
        "more users do not reduce.",
        said(ask.folder),
        Number.of("share weights, unbiased whatever the groups are: MSE there over minimum variance's", share / biased),
    )


def unlike(epsilon: float, freq: NDArray[np.float64], n: int) -> tuple[float, float, float]:
    """MSE and squared bias of minimum-variance weights, and the MSE of share weights, where a group holds the values
    that it marks twice as often (relative to the others) as the population: exact, averaged over marks.
    """
    k, out = len(freq), np.zeros(3)
    for chosen in zip(*(masks(k, share) for share, _ in GROUPS), strict=True):
        held = np.array([freq * (1 + mask) for mask in chosen])
        held /= held.sum(axis=1, keepdims=True)
        part = np.array([group for _, group in GROUPS])
        truth, sizes = part @ held, [round(group * n) for group in part]
        built = [FREQUENCY["SDGRR"].build(epsilon, k, mask) for mask in chosen]
        within = np.array([m.variance(f, size) for m, f, size in zip(built, held, sizes, strict=True)])
        for at, how in ((0, "minimum-variance"), (2, "share")):
            weight = personalised.weights(built, sizes, how)
            bias2 = float((((weight * held).sum(axis=0) - truth) ** 2).mean())
            out[at] += bias2 + float((weight**2 * within).sum(axis=0).mean())
            out[1] += bias2 if at == 0 else 0.0
    return tuple(out / MARKS)  # type: ignore[return-value]


@claim(
    "6",
    "The reports of low values vary less: SDGRR-low less than GRR, SDPM-low less than PM, by (12) and Theorem 4.",
    "n·Var at d = 18, 4 high, uniform; largest variance of a report with L = [-0.5, 0.5]; ε = 0.1 … 4, exact",
    "Figs. 2 and 4: lower everywhere",
    exact=True,
)
def varies_less(ask: Ask) -> Finding:
    mask, freq = np.arange(18) < 4, np.full(18, 1 / 18)
    pairs = [(SDGRR(e, 18, mask), FREQUENCY["GRR"].build(e, 18)) for e in EPSILONS]
    low, paper, grr = np.array(
        [(a.variance(freq, 1)[-1], a.paper_variance(freq, 1)[-1], b.variance(freq, 1)[-1]) for a, b in pairs]
    ).T
    own, theorem, pm = np.array([spread(e) for e in EPSILONS]).T
    checks = [
        Check(_largest("SDGRR-low's exact variance over GRR's", low / grr), most=below(1)),
        Check(_largest("SDPM-low's exact variance over PM's", own / pm), most=below(1)),
        Check(Number.of("(12) over SDGRR-low's exact variance, ε = 0.1", paper[0] / low[0]), 0.9, 1.1),
        Check(Number.of("Theorem 4 over SDPM-low's exact variance, ε = 4", theorem[-1] / own[-1]), 0.9, 1.1),
    ]
    return Finding(
        tuple(checks),
        f"The curves lie as drawn (SDGRR-low at most {shown((low / grr).max())} of GRR, SDPM-low at most "
        f"{shown((own / pm).max())} of PM), the formulas do not: at ε = 0.1 (12) gives {shown(paper[0])} where the "
        f"exact n·Var is {shown(low[0])}, since it takes the estimated share of high answers as known; Theorem 4 "
        f"leaves out the point mass and the mean, {shown(theorem[-1])} for {shown(own[-1])} at ε = 4.",
        repair=Number.of("exact n·Var of SDGRR-low at ε = 0.1, d = 18, 4 high", low[0]),
    )


@claim(
    "7",
    "The adversary names a high value as seldom under SDGRR as under GRR, about 30 % more seldom than under URR; and "
    "marital status more often than education.",
    "18 and 7 values, 25 % high, uniform prior, ε = 0.5 … 4, exact; about 30 %: 20 to 40 points",
    "Fig. 9: equal, and 30 % lower",
    exact=True,
)
def adversary(ask: Ask) -> Finding:
    at = EPSILONS[2:]
    won = {(key, k): named(key, k, at) for key in ("GRR", "SDGRR", "uRR") for k in ATTRIBUTES.values()}
    checks = [
        Check(
            Number.of(
                "ε = 1, d = 18: points by which SDGRR is below URR",
                100 * (won["uRR", 18] - won["SDGRR", 18])[at.index(1.0)],
            ),
            20,
            40,
        ),
        *(
            Check(
                over(f"d = {k}: points by which SDGRR is below URR, over ε", 100 * (won["uRR", k] - won["SDGRR", k])),
                20,
                40,
            )
            for k in ATTRIBUTES.values()
        ),
        *(
            Check(
                Number.of(f"d = {k}: success, SDGRR minus GRR", np.abs(won["SDGRR", k] - won["GRR", k]).max()),
                most=1e-9,
            )
            for k in ATTRIBUTES.values()
        ),
        Check(
            Number.of("SDGRR: success, marital status over education", (won["SDGRR", 7] / won["SDGRR", 18]).min()),
            least=above(1),
        ),
    ]
    target = {key: targeted(key, 18, 1.0) for key in ("GRR", "SDGRR", "uRR", "uSS")}
    return Finding(
        tuple(checks),
        f"At ε = 1, d = 18 SDGRR's success is {shown(100 * won['SDGRR', 18][at.index(1.0)])} %, URR's "
        f"{shown(100 * won['uRR', 18][at.index(1.0)])} %. But part of that is guesses spent on values that are not "
        f"high: an adversary who knows that the answer is high is right {shown(100 * target['SDGRR'])} % of the time "
        f"under SDGRR and {shown(100 * target['uRR'])} % under URR (blind: 25 %).",
        repair=Number.of("uSS, targeted adversary, % right (stronger definition, smaller error)", 100 * target["uSS"]),
    )


def _largest(what: str, values: NDArray[np.float64]) -> Number:
    return Number(what, float(values.max()), float(values.min()), float(values.max()), spans=True)


def spread(epsilon: float) -> tuple[float, float, float]:
    """Largest variance of a low report of SDPM-50, the paper's Theorem 4, and PM's largest."""
    x = np.linspace(-0.5, 0.5, 201)
    built = SDPM(epsilon, LOW["50"])
    pm = MEANS["PM"].build(epsilon).report_moments(np.array([1.0]))[1][0]
    return float(built.report_moments(x)[1].max()), built.paper_variance(), float(pm)


def named(key: str, k: int, epsilons: tuple[float, ...]) -> NDArray[np.float64]:
    """Success on a high value, uniform prior."""
    mask = masks(k, 0.25, 1)[0]
    return np.array([bayes.success(FREQUENCY[key].build(e, k, mask))[mask].mean() for e in epsilons])


def targeted(key: str, k: int, epsilon: float) -> float:
    mask = masks(k, 0.25, 1)[0]
    built = FREQUENCY[key].build(epsilon, k, mask)
    return float(bayes.success(built, bayes.targeted_prior(mask))[mask].mean())
