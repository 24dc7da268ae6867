"""The figures of SDLDP that need closed forms only."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore.catalog import FREQUENCY
from ldpcore.estimators import personalised
from ldpcore.mechanisms.direct import SDGRR
from ldpcore.papers import live_sdldp
from ldpcore.papers.claim import Ask, figure, rows
from ldpcore.papers.measures import EPSILONS
from ldpcore.papers.sdldp import GROUPS, mse
from ldpcore.papers.sdldp_theory import named, spread, targeted


def _curves(ask: Ask, keys: dict[str, tuple[str, float]]) -> pd.DataFrame:
    freq = np.full(18, 1 / 18)
    return pd.concat(
        [rows(name, EPSILONS, [mse(key, e, freq, share) for e in EPSILONS]) for name, (key, share) in keys.items()]
    )


def _combined(epsilon: float, freq: NDArray[np.float64], chosen: list[NDArray[np.bool_]]) -> float:
    """n·MSE of SDGRR where 40, 30 and 30 % of the people have these marks, by minimum variance: exact."""
    n, built = 100_000, [SDGRR(epsilon, len(freq), mask) for mask in chosen]
    sizes = [round(part * n) for _, part in GROUPS]
    weight = personalised.weights(built, sizes, "minimum-variance")
    within = np.array([m.variance(freq, size) for m, size in zip(built, sizes, strict=True)])
    return n * float((weight**2 * within).sum(axis=0).mean())


@figure(
    "Fig. 2",
    "Variance of low values",
    "d = 18, 4 high, uniform",
    "ε",
    "n × Var",
    exact=True,
    log_x=True,
)
def figure_2(ask: Ask) -> pd.DataFrame:
    mask, freq = np.arange(18) < 4, np.full(18, 1 / 18)
    low = [SDGRR(e, 18, mask) for e in EPSILONS]
    return pd.concat(
        [
            rows("GRR", EPSILONS, [FREQUENCY["GRR"].build(e, 18).variance(freq, 1)[-1] for e in EPSILONS]),
            rows("SDGRR", EPSILONS, [m.variance(freq, 1)[-1] for m in low]),
            rows("SDGRR by (12)", EPSILONS, [m.paper_variance(freq, 1)[-1] for m in low]),
        ]
    )


@figure(
    "Fig. 4",
    "Largest variance of a low report",
    "L = [-0.5, 0.5]",
    "ε",
    "variance",
    exact=True,
    log_x=True,
)
def figure_4(ask: Ask) -> pd.DataFrame:
    exact, theorem, pm = np.array([spread(e) for e in EPSILONS]).T
    lines = (("PM", pm), ("SDPM", exact), ("SDPM by Theorem 4", theorem))
    return pd.concat([rows(name, EPSILONS, y) for name, y in lines])


@figure(
    "Fig. 5",
    "Error at 25 % high",
    "d = 18, uniform; personalised: what is marked overlaps as by chance",
    "ε",
    "n × MSE",
    exact=True,
    log_x=True,
)
def figure_5(ask: Ask) -> pd.DataFrame:
    freq = np.full(18, 1 / 18)
    chosen = live_sdldp.overlapping()
    line = rows("personalised SDGRR", EPSILONS, [_combined(e, freq, chosen) for e in EPSILONS])
    keys = {key: (key, 0.25) for key in ("GRR", "SDGRR", "uRR", "uSS")}
    return pd.concat([_curves(ask, keys), line])


@figure("Fig. 6", "SDGRR's error at 25, 50, 75 % high", "d = 18, uniform", "ε", "n × MSE", exact=True, log_x=True)
def figure_6(ask: Ask) -> pd.DataFrame:
    keys = {f"SDGRR-{round(100 * share)}": ("SDGRR", share) for share, _ in GROUPS}
    return _curves(ask, {"GRR": ("GRR", 0.0), **keys})


@figure(
    "Fig. 9",
    "How often a high value is named",
    "d = 18, 25 % high; uniform prior, and “targeted”, knowing that it is high",
    "ε",
    "success",
    exact=True,
    log_x=True,
    log_y=False,
)
def figure_9(ask: Ask) -> pd.DataFrame:
    parts = [rows(key, EPSILONS, named(key, 18, EPSILONS)) for key in ("GRR", "SDGRR", "uRR")]
    parts += [
        rows(f"{key}, targeted", EPSILONS, [targeted(key, 18, e) for e in EPSILONS]) for key in ("SDGRR", "uRR", "uSS")
    ]
    return pd.concat(parts)
