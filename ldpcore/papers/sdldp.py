"""Chen, Ye, Zhang, Shu 2025: sensitivity in grades (SDLDP). Errors of shares; of means: sdldp_means.py;
variances and the adversary: sdldp_theory.py."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ldpcore.catalog import FREQUENCY
from ldpcore.estimators import personalised
from ldpcore.papers import sources
from ldpcore.papers.check import Check, ClaimReading, Number, shown
from ldpcore.papers.claim import Ask, Finding, Paper, PaperStatement, claim
from ldpcore.papers.measures import EPSILONS, SAID, over
from ldpcore.papers.words import CLOSE, NEAR, ONE_ORDER, ORDER
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
        counts = sources.answers(column, folder)
        out[f"{column}, d = {len(counts.counts)}"] = (counts.counts / counts.counts.sum(), counts.said)
    return out


def said(folder: Path | None) -> str:
    return "uniform shares; education and marital status of " + next(s for _, s in _answers(folder).values() if s)


@claim(
    "1",
    "SDGRR's error is about one order of magnitude below GRR's at 25 % high, and URR's another order below.",
    PaperStatement(
        "Under different privacy budgets the error of SDGRR-25 is about one order of magnitude below GRR's",
        "§5.2.1, Fig. 5",
        "频率估计误差较 GRR 约下降 1 个数量级",
        ONE_ORDER.means,
    ),
    PaperStatement(
        "It is about one order of magnitude above that of URR-25",
        "§5.2.1, Fig. 5",
        "同时高于 URR-25 约 1 个数量级",
        ONE_ORDER.means,
    ),
    setting="18 and 7 values, uniform, and the data; ε = 0.1 … 2, unbiased estimates, exact",
    exact=True,
)
def one_order(ask: Ask) -> Finding:
    first, second, best = [], [], []
    for name, (freq, _) in _answers(ask.folder).items():
        curves = {key: np.array([mse(key, e, freq, 0.25) for e in SAID]) for key in ("GRR", "SDGRR", "uRR", "uSS")}
        first.append(Check(over(f"{name}: MSE, GRR over SDGRR", curves["GRR"] / curves["SDGRR"]), *ORDER))
        second.append(Check(over(f"{name}: MSE, SDGRR over uRR", curves["SDGRR"] / curves["uRR"]), *ORDER))
        best.append(curves["GRR"] / curves["uSS"])
    at_every = ClaimReading("at every ε and on all data", (tuple(first), tuple(second)))
    return Finding.of(
        (at_every, ClaimReading("on average over ε", (_middle(first), _middle(second)))),
        f"GRR's error is {_range(first)} times SDGRR's, SDGRR's {_range(second)} times uRR's. The paper's variance "
        "(12) leaves out the noise of the estimated share of high answers, which is most of the error of the low ones "
        "at small ε.",
        said(ask.folder),
        repair=over("uSS at the same ε, under the stronger ULDP: GRR's error over its", np.concatenate(best)),
    )


def _middle(checks: list[Check]) -> tuple[Check, ...]:
    """The same criteria for the geometric means of the grids."""
    return tuple(
        replace(check, number=Number.of(f"{check.number.what}, geometric mean over ε", check.number.value))
        for check in checks
    )


def _range(checks: list[Check]) -> str:
    return f"{shown(min(c.number.low for c in checks))} to {shown(max(c.number.high for c in checks))}"


@claim(
    "2",
    "The more values are high, the larger the error (25, 50, 75 %).",
    PaperStatement(
        "The higher the share of highly sensitive values in SDGRR, the larger the error",
        "§5.2.1, Fig. 6",
        "SDGRR 中高敏感取值域占比越高, 误差越大",
    ),
    setting="ε = 0.1 … 4, exact",
    exact=True,
)
def grows_with_share(ask: Ask) -> Finding:
    checks = []
    for name, (freq, _) in _answers(ask.folder).items():
        curve = np.array([[mse("SDGRR", e, freq, share) for share in (0.25, 0.5, 0.75)] for e in EPSILONS])
        least = (curve[:, 1:] / curve[:, :-1]).min(axis=0)
        checks += [
            Check(Number.of(f"{name}: smallest ratio, SDGRR-{b} over SDGRR-{a}", value), least=1, strict=True)
            for (a, b), value in zip(((25, 50), (50, 75)), least, strict=True)
        ]
    lost = [c.number for c in checks if not c.decision]
    why = f"The smallest step multiplies the error by {shown(min(c.number.value for c in checks))}."
    if lost:
        why += f" It fails in {len(lost)} of {len(checks)} steps, such as {lost[0].what} = {shown(lost[0].value)}."
    return Finding((tuple(checks),), why, said(ask.folder))


@claim(
    "3",
    "Personalised SDGRR (40/30/30 % of the users at 25/50/75 % high) is close to SDGRR.",
    PaperStatement(
        "SDGRR-Personalized can reach almost the same error as SDGRR",
        "§5.2.1, Fig. 5",
        "SDGRR-Personalized 几乎能达到和 SDGRR 相同的误差",
        f"{NEAR.means}; against SDGRR-25",
    ),
    setting="minimum-variance weights, as in the paper; ε = 0.1 … 4, groups that answer alike, exact",
    exact=True,
)
def personalised_close(ask: Ask) -> Finding:
    checks = []
    for name, (freq, _) in _answers(ask.folder).items():
        plain = np.array([mse("SDGRR", e, freq, 0.25) for e in EPSILONS])
        curve = np.array([personal(e, freq, "minimum-variance") for e in EPSILONS])
        checks.append(Check(over(f"{name}: MSE over SDGRR-25's", curve / plain), *CLOSE))
    n = 30_162
    name, (freq, _) = list(_answers(ask.folder).items())[-2]
    biased, bias2, by_share = unlike(4.0, freq, n)
    one = mse("SDGRR", 4.0, freq, 0.25) / n
    apart = f"{name}, n = {n}, groups that hold what they mark twice as often, ε = 4"
    return Finding(
        (tuple(checks),),
        f"Where all groups answer alike its error is {_range(checks)} times SDGRR-25's. Its weights assume just that: "
        f"where people hold what they mark twice as often, its error is {shown(biased / one)} times SDGRR-25's at "
        f"ε = 4, and {shown(100 * bias2 / biased)} % of it is bias, which more users do not reduce.",
        said(ask.folder),
        (
            Number.of(f"{apart}: MSE over SDGRR-25's", biased / one),
            Number.of(f"{apart}: MSE by share weights, which are unbiased, over minimum variance's", by_share / biased),
        ),
    )


def unlike(epsilon: float, freq: NDArray[np.float64], n: int) -> tuple[float, float, float]:
    """MSE and squared bias of minimum-variance weights, and the MSE of share weights, where a group holds the values
    that it marks twice as often (relative to the others) as the population: exact, averaged over marks.
    """
    k, out = len(freq), np.zeros(3)
    for chosen in zip(*(masks(k, share) for share, _ in GROUPS), strict=True):
        group_shares = np.array([freq * (1 + mask) for mask in chosen])
        group_shares /= group_shares.sum(axis=1, keepdims=True)
        part = np.array([group for _, group in GROUPS])
        truth, sizes = part @ group_shares, [round(group * n) for group in part]
        built = [FREQUENCY["SDGRR"].build(epsilon, k, mask) for mask in chosen]
        within = np.array([m.variance(f, size) for m, f, size in zip(built, group_shares, sizes, strict=True)])
        for at, how in ((0, "minimum-variance"), (2, "share")):
            weight = personalised.weights(built, sizes, how)
            bias2 = float((((weight * group_shares).sum(axis=0) - truth) ** 2).mean())
            out[at] += bias2 + float((weight**2 * within).sum(axis=0).mean())
            out[1] += bias2 if at == 0 else 0.0
    return tuple(out / MARKS)  # type: ignore[return-value]
