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
from ldpcore.papers.check import Check, Number, shown
from ldpcore.papers.claim import Ask, Finding, Paper, PaperStatement, claim, figure, rows
from ldpcore.papers.measures import mean, ratio, share

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


def runs(ask: Ask, miner: str, s: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """F and δ_MAE over the sets found, (repeats,) each, at the same s per count."""
    baskets, truth, levels, _ = shop(ask.folder)
    out = []
    for i in range(ask.repeats(100, 500)):
        rng = ask.of(PAPER.key).rng(miner, s, i)
        if miner == "DFDP":
            mined = dfdp(baskets, LEAST, s, rng, clip=CLIP, levels=levels)
        else:
            mined = smart_trunc(
                baskets, LEAST, s=s, rng=rng, length=LENGTH, levels=LEVELS, candidate_count=SEEDS, clip=CLIP
            )
        score = scores(mined, truth)
        out.append((score.f, score.mae_found))
    f, mae = np.array(out).T
    return f, mae[~np.isnan(mae)]


@claim(
    "1",
    "The error of the counts, δ_MAE, falls as s grows.",
    PaperStatement("The larger the privacy budget s, the smaller δ_MAE", "§4.2, Fig. 2", "隱私保護預算s越大,δMAE越小"),
    setting=f"s = 0.2 … 1; {SETTING}",
)
def error_falls(ask: Ask) -> Finding:
    errors = [runs(ask, "DFDP", s)[1] for s in S]
    checks = [
        Check(ratio(f"δ_MAE at s = {a:g} over that at {b:g}", low, high, share(len(S) - 1)), least=1, strict=True)
        for a, b, low, high in zip(S, S[1:], errors, errors[1:], strict=False)
    ]
    return Finding(
        (tuple(checks),),
        f"δ_MAE falls from {shown(errors[0].mean())} at s = 0.2 to {shown(errors[-1].mean())} at s = 1. Without the "
        "limit of ±10 it would be 1/s on average.",
        shop(ask.folder)[-1],
    )


@claim(
    "2",
    "The F-score rises with s.",
    PaperStatement(
        "The larger the privacy budget s, the larger the F-score", "§4.2, Fig. 3", "隱私保護預算s越大,F-score越大"
    ),
    setting=f"s = 0.2 … 1; {SETTING}",
)
def f_rises(ask: Ask) -> Finding:
    f_scores = [runs(ask, "DFDP", s)[0] for s in S]
    checks = [
        Check(ratio(f"F at s = {b:g} over that at {a:g}", high, low, share(len(S) - 1)), least=1, strict=True)
        for a, b, low, high in zip(S, S[1:], f_scores, f_scores[1:], strict=False)
    ]
    return Finding(
        (tuple(checks),),
        f"F rises from {shown(f_scores[0].mean())} at s = 0.2 to {shown(f_scores[-1].mean())} at s = 1, while the "
        f"privacy spent rises from {shown(0.2 * candidate_count(shop(ask.folder)[2]))} to "
        f"{shown(candidate_count(shop(ask.folder)[2]))} in all, as the paper counts.",
        shop(ask.folder)[-1],
    )


@claim(
    "3",
    "DFDP beats SmartTrunc in F and δ_MAE at every s.",
    PaperStatement(
        "δ_MAE is clearly smaller in DFDP than in SmartTrunc", "§4.2, Fig. 2", "DFDP中的δMAE明顯小于SmartTrunc中的δMAE"
    ),
    PaperStatement(
        "The F-score is clearly larger in DFDP than in SmartTrunc",
        "§4.2, Fig. 3",
        "DFDP中的F-score明顯大于SmartTrunc中的F-score",
    ),
    setting=f"s = 0.2 … 1, the same s; {SETTING}. Caveat: the same total ε = {TOTAL:g}, unclipped, 9 835 baskets, "
    f"threshold {GROCERIES}",
)
def beats(ask: Ask) -> Finding:
    error, hits = [], []
    for s in S:
        dfdp_runs, smart_runs = runs(ask, "DFDP", s), runs(ask, "SmartTrunc", s)
        f = ratio(f"same s = {s:g}: F, DFDP over SmartTrunc", dfdp_runs[0], smart_runs[0], share(2 * len(S)))
        mae = ratio(f"same s = {s:g}: δ_MAE, SmartTrunc over DFDP", smart_runs[1], dfdp_runs[1], share(2 * len(S)))
        hits.append(Check(f, least=1, strict=True))
        error.append(Check(mae, least=1, strict=True))
    score, each = _same_total(ask)
    turned = ratio(f"same total ε = {TOTAL:g}: F, DFDP over SmartTrunc", score["DFDP"], score["SmartTrunc"])
    return Finding(
        (tuple(error), tuple(hits)),
        f"At the same s per count DFDP has {hits[0].number.shown} times SmartTrunc's F at s = 0.2. But it then "
        f"spends {shown(0.2 * TOTAL / each)} in all on the groceries, SmartTrunc {LEVELS}·0.2 = 0.6. At the same "
        f"total of 5 the ranking turns round: F is {shown(score['DFDP'].mean())} against "
        f"{shown(score['SmartTrunc'].mean())}.",
        f"{shop(ask.folder)[-1]}; {_large(ask.folder)[-1]}",
        (turned, mean("private miner at ε = 5 in all (the candidates too), F", score["private"])),
    )


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
    parts = []
    for miner in ("DFDP", "SmartTrunc"):
        means = [mean(miner, runs(ask, miner, s)[at]) for s in S]
        parts.append(rows(miner, S, *(np.array([(n.value, n.low, n.high) for n in means]).T)))
    return pd.concat(parts)


@figure("Fig. 2", "Error of the counts of the sets found", "the same s per count", "s", "δ_MAE", log_y=False)
def figure_2(ask: Ask) -> pd.DataFrame:
    return _drawn(ask, 1)


@figure("Fig. 3", "F-score", "the same s per count", "s", "F", log_y=False)
def figure_3(ask: Ask) -> pd.DataFrame:
    return _drawn(ask, 0)
