"""What SDLDP says of errors beside its figures: at small ε, against URR, and GRR on small domains."""

import numpy as np
from numpy.typing import NDArray

from ldpcore.catalog import FREQUENCY
from ldpcore.papers.check import Check, Number, shown
from ldpcore.papers.claim import Ask, Finding, PaperStatement, claim
from ldpcore.papers.measures import SAID, errors, over, share
from ldpcore.papers.sdldp import ATTRIBUTES, mse
from ldpcore.papers.sdldp_means import LOW, by_em, exact, heights
from ldpcore.papers.words import CLOSE, NEAR, ONE_ORDER, ORDER, ORDERS, TWO_ORDERS

SMALL_EPSILONS = (0.1, 0.2, 0.3)
REPEATS = {0.1: (40, 400), 0.2: (40, 400), 0.3: (150, 400)}
"""Quick, full: as many as decide the statement."""
RIVALS = ("RAPPOR", "OUE", "OLH")
"""The mechanisms for shares that §2 names beside GRR."""


@claim(
    "8",
    "For ε ≤ 0.3 SDGRR's error is about one order below GRR's, SDPM's about two orders below PM's.",
    PaperStatement(
        "At small budgets (ε ≤ 0.3) the mean squared error of SDGRR is about one order below GRR's",
        "§1",
        "SDGRR 的均方误差比 GRR(General Random Response)低约 1 个数量级",
        ONE_ORDER.means,
    ),
    PaperStatement(
        "That of SDPM is about two orders below PM's",
        "§1",
        "SDPM 的均方误差低于 PM(Piecewise Mechanism)约 2 个数量级",
        TWO_ORDERS.means,
    ),
    setting="ε = 0.1, 0.2, 0.3: 18 and 7 values, uniform, 25 % high, exact; 25 000 heights, half of the range low, "
    "PM's plain mean against SDPM with the paper's EM",
)
def small_budgets(ask: Ask) -> Finding:
    x, counts, source = heights(ask.folder)
    chance, gains = share(len(SMALL_EPSILONS)), []
    for e in SMALL_EPSILONS:
        fitted = by_em("SDPM", e, LOW["50"], x, counts, ask.repeats(*REPEATS[e]), ask.rng(e))
        plain = exact("PM", "mean", e, (), x, counts)
        gains.append(errors(f"heights, ε = {e:g}: MSE, PM over SDPM-50", plain, fitted, chance))
    shares = [
        over(f"uniform, d = {k}: MSE, GRR over SDGRR-25", _over("GRR", "SDGRR", k, SMALL_EPSILONS))
        for k in ATTRIBUTES.values()
    ]
    return Finding(
        (tuple(Check(number, *ORDER) for number in shares), tuple(Check(number, *ORDERS) for number in gains)),
        f"GRR's error is {', '.join(number.shown for number in shares)} times SDGRR's, with 18 and 7 values. PM's is "
        f"{', '.join(shown(number.value) for number in gains)} times SDPM's at ε = 0.1, 0.2, 0.3: two orders at 0.1 "
        "only, and those are the pull of the stopped EM to its start (claim 4).",
        source,
    )


def _over(above: str, below: str, k: int, epsilons: tuple[float, ...]) -> NDArray[np.float64]:
    """Ratio of two mechanisms' exact errors at 25 % high, uniform shares."""
    freq = np.full(k, 1 / k)
    return np.array([mse(above, e, freq, 0.25) / mse(below, e, freq, 0.25) for e in epsilons])


@claim(
    "10",
    "SDGRR-25's error is close to URR-25's.",
    PaperStatement(
        "SDGRR-25 is lowest, and close to URR-25", "§5.2.1, Fig. 6", "SDGRR-25 最低, 接近 URR-25", NEAR.means
    ),
    setting="18 and 7 values, uniform, ε = 0.1 … 2, exact",
    exact=True,
)
def close_to_urr(ask: Ask) -> Finding:
    spans = [
        over(f"uniform, d = {k}: MSE, SDGRR-25 over URR-25", _over("SDGRR", "uRR", k, SAID))
        for k in ATTRIBUTES.values()
    ]
    return Finding(
        (tuple(Check(number, *CLOSE) for number in spans),),
        f"It is {', '.join(number.shown for number in spans)} times URR-25's, with 18 and 7 values. The same section "
        "says of figure 5 that it is about an order of magnitude above it (claim 1): it is neither.",
    )


@claim(
    "11",
    "GRR errs least on small domains: fewer than 3e^ε + 2 values.",
    PaperStatement(
        "It performs best where the domain is small (|X| < 3e^ε + 2)",
        "§3.3, after Wang et al. 2017",
        "在数据取值域较小时 (|X| < 3e^ε + 2) 表现最优",
        "best: of GRR, RAPPOR, OUE and OLH, by the variance of a rare value",
    ),
    setting="every number of values below 3e^ε + 2, ε = 0.5, 1, 2; and the first at which OUE errs less; exact",
    exact=True,
)
def grr_on_small_domains(ask: Ask) -> Finding:
    checks, turns = [], {}
    for e in (0.5, 1.0, 2.0):
        end = 3 * np.exp(e) + 2
        below = range(2, int(np.ceil(end)))
        rest = [min(_rare(key, e, k) for key in RIVALS) / _rare("GRR", e, k) for k in below]
        what = f"ε = {e:g}, 2 to {below[-1]} values: variance, the best of the others over GRR"
        checks.append(Check(over(what, rest), least=1, strict=True))
        turns[e] = next(k for k in range(2, 1000) if _rare("OUE", e, k) < _rare("GRR", e, k))
    listed = ", ".join(f"{k} values at ε = {e:g}" for e, k in turns.items())
    return Finding(
        (tuple(checks),),
        f"OUE errs less than GRR from {listed} on: where 3e^ε + 2 is passed.",
        caveats=tuple(
            Number.of(f"ε = {e:g}: least number of values at which OUE errs less", k) for e, k in turns.items()
        ),
    )


def _rare(key: str, epsilon: float, k: int) -> float:
    """n·Var of the share of a value that nobody holds."""
    return float(FREQUENCY[key].build(epsilon, k).variance(np.eye(k)[0], 1)[-1])
