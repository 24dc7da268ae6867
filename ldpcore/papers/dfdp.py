"""Liao, Feng 2017: frequent itemsets without propagation error (DFDP). Its privacy: dfdp_privacy.py."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore.baskets import Baskets
from ldpcore.itemsets import MiningResult, apriori, dfdp, private, scores, smart_trunc
from ldpcore.itemsets.candidates_by_length import Level
from ldpcore.itemsets.dfdp import candidate_count, perturbed
from ldpcore.papers import sources
from ldpcore.papers.check import Check, ClaimReading, Number, Statement, shown
from ldpcore.papers.claim import Ask, Finding, Paper, PaperStatement, claim, figure, rows
from ldpcore.papers.measures import mean, ratio, share
from ldpcore.papers.words import CLEAR

PAPER = Paper(
    "dfdp",
    "An algorithm for mining frequent itemsets with differential privacy without propagation error",
    "Liao, Feng, Journal of Sichuan Normal University 40(1), 2017",
)
S = (0.2, 0.4, 0.6, 0.8, 1.0)
LEAST, SEEDS, LENGTH, LEVELS, CLIP = 4, 2, 7, 3, 10.0
"""Threshold, SmartTrunc's candidate threshold, where it cuts, how far it looks, and the limit of the noise."""
GROCERIES, TOTAL = 100, 5.0
"""Threshold and total ε of the comparison at equal privacy."""
SETTING = "300 baskets, 50 products, threshold 4, SmartTrunc: candidates from 2, baskets cut to 7; noise within ±10"


@cache
def shop(folder: Path | None) -> tuple[Baskets, MiningResult, tuple[Level, ...], str]:
    baskets, source = sources.supermarket(folder)
    return baskets, apriori(baskets, LEAST), perturbed(baskets, LEAST), source


@cache
def _large(folder: Path | None) -> tuple[Baskets, MiningResult, tuple[Level, ...], str]:
    baskets, source = sources.groceries(folder)
    return baskets, apriori(baskets, GROCERIES), perturbed(baskets, GROCERIES), source


OWN = "SmartTrunc"
LITERAL = "SmartTrunc with Lap(1/s)"
NOISE = {
    OWN: "SmartTrunc's noise is Lap(Δ/s), what s of privacy takes",
    LITERAL: "SmartTrunc's noise is Lap(1/s), as §4.2 writes for both",
}
"""The two ways to read the noise of SmartTrunc: §4.2 says Lap(1/s) of both miners, §1 that noise is Lap(ΔQ/s)."""
ERRORS = ("δ_MAE over the sets found", "δ_MAE over all candidates")
"""The two ways to read δ_MAE: its equation (5) is lost."""
Runs = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]
"""F, δ_MAE over the sets found, δ_MAE over all candidates: (repeats,) each."""


def runs(ask: Ask, miner: str, s: float) -> Runs:
    """What the repetitions of a miner give at this s per count."""
    baskets, truth, levels, _ = shop(ask.folder)
    out = []
    for i in range(ask.repeats(100, 500)):
        rng = ask.of(PAPER.key).rng(miner, s, i)
        if miner == "DFDP":
            mined = dfdp(baskets, LEAST, s, rng, clip=CLIP, levels=levels)
        else:
            moved = 1 if miner == LITERAL else None
            cut = {"length": LENGTH, "levels": LEVELS, "candidate_count": SEEDS, "clip": CLIP}
            mined = smart_trunc(baskets, LEAST, s=s, rng=rng, moved=moved, **cut)
        score = scores(mined, truth)
        out.append((score.f, score.mae_found, score.mae_candidates))
    f, right, candidates = np.array(out).T
    return f, right[~np.isnan(right)], candidates


def _steps(what: str, rising: bool, curves: dict[str, list[NDArray[np.float64]]], chance: float) -> Statement:
    """That each curve falls (rises) from one s to the next."""
    checks = []
    for miner, curve in curves.items():
        for a, b, low, high in zip(S, S[1:], curve, curve[1:], strict=False):
            if rising:
                number = ratio(f"{miner}: {what} at s = {b:g} over that at {a:g}", high, low, chance)
            else:
                number = ratio(f"{miner}: {what} at s = {a:g} over that at {b:g}", low, high, chance)
            checks.append(Check(number, least=1, strict=True))
    return tuple(checks)


def _curves(ask: Ask) -> dict[str, list[Runs]]:
    return {miner: [runs(ask, miner, s) for s in S] for miner in ("DFDP", OWN, LITERAL)}


@claim(
    "1",
    "The error of the counts, δ_MAE, falls as s grows.",
    PaperStatement(
        "The larger the privacy budget s, the smaller δ_MAE",
        "§4.2, Fig. 2; its equation (5) is lost",
        "隱私保護預算s越大,δMAE越小",
        "both curves of the figure",
    ),
    setting=f"s = 0.2 … 1; {SETTING}",
)
def error_falls(ask: Ask) -> Finding:
    curves, chance = _curves(ask), share(2 * 3 * (len(S) - 1))
    steps = {
        (miner, at): _steps(ERRORS[at - 1], False, {miner: [run[at] for run in curve]}, chance)
        for miner, curve in curves.items()
        for at in (1, 2)
    }
    readings = [
        ClaimReading(f"{NOISE[other]}; {ERRORS[at - 1]}", (steps["DFDP", at] + steps[other, at],))
        for other in NOISE
        for at in (1, 2)
    ]
    return Finding.of(
        readings,
        f"DFDP's δ_MAE over the sets found falls from {_ends(curves['DFDP'], 1)}, SmartTrunc's from "
        f"{_ends(curves[LITERAL], 1)} with Lap(1/s). With Lap(Δ/s) it goes from {_ends(curves[OWN], 1)}: within ±10 "
        "that noise is nearly uniform at every s. Without the limit DFDP's would be 1/s on average.",
        shop(ask.folder)[-1],
    )


def _ends(curve: list[Runs], at: int) -> str:
    """A curve's values at the least and the largest s."""
    return f"{shown(curve[0][at].mean())} at s = {S[0]:g} to {shown(curve[-1][at].mean())} at s = {S[-1]:g}"


@claim(
    "2",
    "The F-score rises with s.",
    PaperStatement(
        "The larger the privacy budget s, the larger the F-score",
        "§4.2, Fig. 3",
        "隱私保護預算s越大,F-score越大",
        "both curves of the figure",
    ),
    setting=f"s = 0.2 … 1; {SETTING}",
)
def f_rises(ask: Ask) -> Finding:
    curves, chance = _curves(ask), share(3 * (len(S) - 1))
    steps = {miner: _steps("F", True, {miner: [run[0] for run in curve]}, chance) for miner, curve in curves.items()}
    return Finding.of(
        [ClaimReading(says, (steps["DFDP"] + steps[other],)) for other, says in NOISE.items()],
        f"DFDP's F rises from {_ends(curves['DFDP'], 0)}, while the privacy spent rises from "
        f"{shown(0.2 * candidate_count(shop(ask.folder)[2]))} to {shown(candidate_count(shop(ask.folder)[2]))} in all, "
        f"as the paper counts. SmartTrunc's rises from {_ends(curves[LITERAL], 0)} with Lap(1/s); with Lap(Δ/s) it "
        f"stays: {_ends(curves[OWN], 0)}.",
        shop(ask.folder)[-1],
    )


@claim(
    "3",
    "DFDP beats SmartTrunc in F and δ_MAE at every s.",
    PaperStatement(
        "δ_MAE is clearly smaller in DFDP than in SmartTrunc",
        "§4.2, Fig. 2; its equation (5) is lost",
        "DFDP中的δMAE明顯小于SmartTrunc中的δMAE",
        CLEAR.means,
    ),
    PaperStatement(
        "The F-score is clearly larger in DFDP than in SmartTrunc",
        "§4.2, Fig. 3",
        "DFDP中的F-score明顯大于SmartTrunc中的F-score",
        CLEAR.means,
    ),
    setting=f"s = 0.2 … 1, the same s; {SETTING}. Caveat: the same total ε = {TOTAL:g}, unclipped, 9 835 baskets, "
    f"threshold {GROCERIES}",
)
def beats(ask: Ask) -> Finding:
    curves, chance = _curves(ask), share(2 * 3 * len(S))
    hits = {other: _better(curves, other, 0, chance) for other in NOISE}
    error = {(other, at): _better(curves, other, at, chance) for other in NOISE for at in (1, 2)}
    score, each = _same_total(ask)
    turned = ratio(f"same total ε = {TOTAL:g}: F, DFDP over SmartTrunc", score["DFDP"], score["SmartTrunc"])
    alike = ", ".join(shown(check.number.value) for check in error[LITERAL, 1])
    return Finding.of(
        [
            ClaimReading(f"{NOISE[other]}; {ERRORS[at - 1]}", (error[other, at], hits[other]))
            for other in NOISE
            for at in (1, 2)
        ],
        f"At the same s per count DFDP has {hits[OWN][0].number.shown} times SmartTrunc's F at s = 0.2, where "
        "SmartTrunc's noise is what its promise takes. With the same Lap(1/s) for both, as §4.2 has it, their errors "
        f"are alike ({alike} of each other) and F is {hits[LITERAL][0].number.shown} times at s = 0.2, "
        f"{hits[LITERAL][-1].number.shown} at 1. By that reading claims 1 and 2 hold for both curves, and this one's "
        f"errors are not smaller. And DFDP spends {shown(0.2 * TOTAL / each)} in all on the groceries, SmartTrunc "
        f"{LEVELS}·0.2 = 0.6: at the same total of 5 F is {shown(score['DFDP'].mean())} against "
        f"{shown(score['SmartTrunc'].mean())}.",
        f"{shop(ask.folder)[-1]}; {_large(ask.folder)[-1]}",
        (turned, mean("private miner at ε = 5 in all (the candidates too), F", score["private"])),
    )


def _better(curves: dict[str, list[Runs]], other: str, at: int, chance: float) -> Statement:
    """That DFDP has the larger F (0), or the smaller error (1, 2), at every s."""
    checks = []
    for s, ours, theirs in zip(S, curves["DFDP"], curves[other], strict=True):
        if at == 0:
            number = ratio(f"same s = {s:g}: F, DFDP over {other}", ours[0], theirs[0], chance)
        else:
            number = ratio(f"same s = {s:g}: {ERRORS[at - 1]}, {other} over DFDP", theirs[at], ours[at], chance)
        checks.append(Check(number, least=1, strict=True))
    return tuple(checks)


def _same_total(ask: Ask) -> tuple[dict[str, NDArray[np.float64]], float]:
    """F of the miners at the same total ε, which the paper does not compare, and what DFDP then has for each count."""
    baskets, truth, levels, _ = _large(ask.folder)
    each = TOTAL / candidate_count(levels)
    miners: dict[str, Callable[[int], MiningResult]] = {
        "DFDP": lambda i: dfdp(baskets, GROCERIES, each, ask.rng("DFDP", i), levels=levels),
        "SmartTrunc": lambda i: smart_trunc(baskets, GROCERIES, TOTAL, ask.rng("smart", i)),
        "private": lambda i: private(baskets, GROCERIES, TOTAL, ask.rng("private", i)),
    }
    repeats = range(ask.repeats(10, 50))
    return {name: np.array([scores(mine(i), truth).f for i in repeats]) for name, mine in miners.items()}, each


@claim(
    "4",
    "There is no propagation error: a frequent set is lost only through its own noise.",
    PaperStatement(
        "DFDP is free of propagation error: that a frequent set is marked as not frequent by the algorithm, and all "
        "its supersets with it",
        "§5; Definition 1",
        "DFDP無傳播誤差",
    ),
    setting=f"frequent sets that are no candidate, s = 0.2; {SETTING}",
)
def no_propagation(ask: Ask) -> Finding:
    baskets, truth, levels, source = shop(ask.folder)
    true = {frozenset(row) for level in truth.levels for row in level.items.tolist()}
    repeats = ask.repeats(20, 100)

    def missing(mined: MiningResult) -> int:
        return len(true - {frozenset(row) for level in mined.levels for row in level.items.tolist()})

    missed = [missing(dfdp(baskets, LEAST, 0.2, ask.rng("DFDP", i), clip=CLIP, levels=levels)) for i in range(repeats)]
    options = {"length": LENGTH, "levels": LEVELS, "candidate_count": SEEDS, "clip": CLIP}
    other = mean(
        f"of the {len(true)} frequent sets, no candidate of SmartTrunc, on average",
        [missing(smart_trunc(baskets, LEAST, s=0.2, rng=ask.rng("smart", i), **options)) for i in range(repeats)],
    )
    lost = Number.of(f"most of the {len(true)} frequent sets that were no candidate of DFDP", max(missed))
    return Finding(
        ((Check(lost, most=0),),),
        f"All {len(true)} frequent sets are candidates in every run of DFDP; of SmartTrunc's {other.shown} are "
        "missing on average. The candidates follow from the true counts, and that is what claim 6 pays for.",
        source,
        (other,),
    )


def _drawn(ask: Ask, at: int) -> pd.DataFrame:
    """The line that no run has: noise that the page's SmartTrunc may not draw."""
    means = [mean(LITERAL, runs(ask, LITERAL, s)[at]) for s in S]
    return rows(LITERAL, S, *np.array([(n.value, n.low, n.high) for n in means]).T)


@figure("Fig. 2", "Error of the counts of the sets found", "the same s per count", "s", "δ_MAE", log_y=False)
def figure_2(ask: Ask) -> pd.DataFrame:
    return _drawn(ask, 1)


@figure("Fig. 3", "F-score", "the same s per count", "s", "F", log_y=False)
def figure_3(ask: Ask) -> pd.DataFrame:
    return _drawn(ask, 0)
