"""Wu, Chen, Cai, Wang 2018: the error of range queries under the matrix mechanism, Privelet above all. Four claims."""

import sys
from types import FrameType
from typing import Any

import numpy as np
import pandas as pd

from ldpcore.papers.check import Check, Number, shown
from ldpcore.papers.claim import Ask, Figure, Finding, Paper, PaperStatement, claim, figure, rows
from ldpcore.papers.measures import mean, slope, within
from ldpcore.papers.words import CLOSE, IGNORED, NEAR, NEGLIGIBLE
from ldpcore.ranges import Privelet, Tree, best_tree, every_range, table1, table2
from ldpcore.ranges.privelet import pair_counting

PAPER = Paper(
    "privelet",
    "Error analysis of differentially private data release under the matrix mechanism",
    "Wu, Chen, Cai, Wang, Journal of Frontiers of Computer Science and Technology 12(7), 2018",
)
H = 10
INDICES = {"binary tree": (Tree, 1.0), "Boost": (lambda h: Tree(h, consistent=True), 6.0), "Privelet": (Privelet, 6.0)}
"""What builds each strategy from h = log₂ N, and its accuracy index in the paper."""


@claim(
    "1",
    "The variance of any fixed range by algorithm 3 equals the simulated one.",
    PaperStatement(
        "Algorithm 3 gives the mean squared error of any fixed range",
        "§3.3.1, (11)",
        "算法3可以快速有效地求得任意固定查询区间下Prievlet算法的均方误差",
    ),
    PaperStatement(
        "On the whole the experiment is rather near the theory",
        "§5.1, Table 1, Fig. 4",
        "总体上实验结果与理论结果还是比较接近的",
        f"{NEAR.means}; of the mean over the ranges",
    ),
    setting="algorithm 3 against the covariance matrix, all ranges at N = 64, exact; N = 1024, ε = 1, 50 random ranges "
    "× 100 repetitions",
)
def fixed_ranges(ask: Ask) -> Finding:
    table = table1(ask.seed, H, 50, ask.repeats(100, 1000))
    number = mean("experiment over theory, mean of 50 ranges", table["experiment"] / table["theory"])
    inside = ((table["low"] <= table["theory"]) & (table["theory"] <= table["high"])).mean()
    small = Privelet(6)
    cells = small.covariance_matrix()
    ends = zip(*(each.tolist() for each in every_range(small.size)), strict=True)
    dense, three = np.array([(cells[a - 1 : b, a - 1 : b].sum(), pair_counting(a, b, small.h)) for a, b in ends]).T
    off = float(np.abs(three / dense - 1).max())
    equal = Number.of("algorithm 3 against the covariance matrix, all 2 080 ranges, N = 64: largest relative gap", off)
    return Finding(
        ((Check(equal, most=1e-9),), (Check(number, *CLOSE),)),
        f"Algorithm 3 equals the sum over the covariance matrix {within(off)}; experiment over theory is "
        f"{number.shown} on average.",
        "none needed, the error does not depend on them",
        (Number.of("share of the 50 intervals of 95 % that hold the theory", inside),),
    )


@claim(
    "2",
    "The average over all ranges equals the closed form (16), and (17) replaces it for N > 2^10.",
    PaperStatement("(16) is the average over all ranges", "§1, §3.3.2, (16)", "推导出平均均方误差的公式"),
    PaperStatement(
        "For h > 10 the difference between (16) and (17) can be ignored",
        "§3.3.2, (17)",
        "的差别可以忽略不计",
        NEGLIGIBLE.means,
    ),
    PaperStatement(
        "The results of experiment and analysis are almost the same",
        "§5.2, Table 2, Fig. 5",
        "实验结果与分析结果几乎一样",
        f"{NEAR.means}; of the mean over the sizes",
    ),
    setting="all ranges, N = 2^m, m = 0 … 10, ε = 1; the mean of all exact variances, and 1 000 simulated releases",
)
def average_range(ask: Ask) -> Finding:
    exact = {h: float(Privelet(h).coefficients(*every_range(1 << h)).mean()) for h in range(H + 1)}
    off = max(abs(Privelet(h).average_coefficient() / value - 1) for h, value in exact.items())
    table = table2(ask.seed, range(H + 1), ask.repeats(1000, 10_000))
    near = mean("experiment over theory, mean of 11 sizes", table["experiment"] / table["theory"])
    late = max(abs((h / 6 + 1 / 36) / Privelet(h).average_coefficient() - 1) for h in range(H + 1, 41))
    equal = Number.of("closed form (16) against the mean of all ranges, m = 0 … 10: largest relative gap", off)
    limit = Number.of("limit (17) against (16), m = 11 … 40: largest relative gap", late)
    return Finding(
        ((Check(equal, most=1e-9),), (Check(limit, most=IGNORED),), (Check(near, *CLOSE),)),
        f"(16) equals the mean of every range's exact variance {within(off)}; experiment over theory is {near.shown}; "
        f"from m = 11 on (17) is within {shown(100 * late)} %.",
        "none needed, the error does not depend on them",
    )


@claim(
    "3",
    "Algorithm 3 needs O(log N) steps.",
    PaperStatement("Its time complexity is O(h), that is O(lb N)", "§3.3.1", "其时间复杂度为O(h),即O(lbN)"),
    setting="lines of algorithm 3 that are run for a range with both ends cut, N = 2^5 … 2^40",
    exact=True,
)
def logarithmic(ask: Ask) -> Finding:
    heights = (5, 10, 20, 40)
    lines = [_lines(2, (1 << h) - 1, h) for h in heights]
    power = slope(heights, lines)
    return Finding(
        ((Check(Number.of("exponent of log N in the number of steps", power), most=1.1),),),
        f"{lines[0]} lines are run at N = 2^5 and {lines[-1]} at N = 2^40: the number grows like (log "
        f"N)^{shown(power)} while N grows 34-billion-fold.",
    )


def _lines(l: int, r: int, h: int) -> int:  # noqa: E741
    """Lines of `pair_counting` itself that one call runs."""
    counted, code = [0], pair_counting.__code__

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code is not code:
            return None
        counted[0] += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        pair_counting(l, r, h)
    finally:
        sys.settrace(before)
    return counted[0]


@claim(
    "4",
    "Accuracy indices: binary tree 1, Boost 6, Privelet 6.",
    PaperStatement(
        "The accuracy indices of the plain binary tree, of Boost and of Privelet are 1, 6 and 6",
        "§4, Definition 3",
        "精确度指标分别为1、6、6",
        "as limits for N → ∞, within 2 %",
    ),
    setting="(log₂ N)³/(Δ²c̄), extrapolated to N → ∞ from 2^12, 2^25 and 2^50",
    exact=True,
)
def indices(ask: Ask) -> Finding:
    limits, at_paper_size = {}, []
    for name, (build, _) in INDICES.items():
        # 1/index is a polynomial in 1/h up to exponentially small terms: three points determine its value at 0.
        h = np.array([12.0, 25.0, 50.0])
        inverse = [1 / build(int(each)).accuracy_index() for each in h]
        limits[name] = 1 / float(np.polyfit(1 / h, inverse, 2)[-1])
        at_paper_size.append(Number.of(f"{name}: the index at the paper's N = 1024", build(H).accuracy_index()))
    checks = tuple(
        Check(Number.of(f"{name}: limit", limits[name]), 0.98 * paper, 1.02 * paper)
        for name, (_, paper) in reversed(INDICES.items())
    )
    gain = Privelet(H).average_variance(1.0) / best_tree(H).average_variance(1.0)
    return Finding(
        (checks,),
        f"As limits they are {', '.join(f'{shown(limits[n])} ({n})' for n in INDICES)}. At N = 1024 they are "
        f"{', '.join(n.shown for n in at_paper_size)}: the index comes near its limit slowly, so it should be quoted "
        "with its N.",
        caveats=(
            *at_paper_size,
            Number.of("best consistent tree at N = 1024: times less error than Privelet", gain),
        ),
    )


FIGURE_4 = Figure(
    "Fig. 4", "Fixed ranges", "50 random ranges, N = 1024, ε = 1", "theory", "variance of the range", log_x=True
)
FIGURE_5 = Figure("Fig. 5", "The average over all ranges", "ε = 1", "N", "mean variance", log_x=True)


@figure(
    "indices",
    "The accuracy index is slow to come near its limit",
    "limits 1, 6, 6",
    "N",
    "(log₂ N)³/(Δ²c̄)",
    exact=True,
    log_x=True,
    log_y=False,
)
def figure_indices(ask: Ask) -> pd.DataFrame:
    heights = np.arange(2, 41)
    built = {name: [build(int(h)).accuracy_index() for h in heights] for name, (build, _) in INDICES.items()}
    return pd.concat([rows(name, 2.0**heights, values) for name, values in built.items()])
