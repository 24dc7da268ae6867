"""The trends of SULDP, with the share of sensitive items, the domain and the length of the sets; and its figures."""

import numpy as np
import pandas as pd

from ldpcore.catalog import SETS
from ldpcore.papers.claim import Ask, Check, Finding, Number, claim, figure, rows, shown
from ldpcore.papers.measures import EPSILONS, above, below, slope, steps, within
from ldpcore.papers.suldp import FIVE, ORIGINAL, Ground, M, mask, uniform

SHARES, SIZES, LENGTHS = (0.1, 0.25, 0.5, 0.75, 1.0), (16, 32, 64, 128, 256, 512, 1024), (1, 2, 4, 8, 16, 32, 64)


@claim(
    "5",
    "The error grows with the share of sensitive items, and at 100 % equals the original GRR, RAPPOR and Wheel.",
    "d = 256, m = 8, ε = 1, 10 to 100 % sensitive, exact variances",
    "Fig. 2: rising, worst at 100 %",
    exact=True,
)
def grows_with_share(ask: Ask) -> Finding:
    grows = {key: steps([uniform(256, s).mse(key, 1.0) for s in SHARES]).min() for key in FIVE}
    full = {key: uniform(256, 1.0).mse(key, 1.0) / uniform(256, 1.0).mse(ORIGINAL[key], 1.0) for key in FIVE}
    checks = [
        Check(Number.of(f"{key}: smallest MSE ratio between neighbouring shares", value), least=above(1))
        for key, value in grows.items()
    ]
    checks += [
        Check(Number.of(f"{key} at 100 %: MSE over {ORIGINAL[key]}'s", value), 1 - 1e-9, 1 + 1e-9)
        for key, value in full.items()
    ]
    off = max(abs(value - 1) for value in full.values())
    return Finding(
        tuple(checks),
        f"Each step to a larger share multiplies each error by {shown(min(grows.values()))} or more; at 100 % the "
        f"errors equal the originals' {within(off)}.",
    )


@claim(
    "6",
    "As the domain grows, the GRR-based pair's error stays level and the others' falls.",
    "d = 16 … 1024, 25 % sensitive, ε = 1, m = 8; level: an exponent of d within ±0.1, falling: below -0.1",
    "Fig. 3: level, and falling",
    exact=True,
)
def trend_with_domain(ask: Ask) -> Finding:
    tilt = {key: slope(SIZES[2:], [uniform(k).mse(key, 1.0) for k in SIZES[2:]]) for key in FIVE}
    checks = [
        Check(
            Number.of(f"{key}: exponent of d in its MSE, d ≥ 64", value), *((-0.1, 0.1) if i < 2 else (-np.inf, -0.1))
        )
        for i, (key, value) in enumerate(tilt.items())
    ]
    again = [value - 1 for value in tilt.values()]
    return Finding(
        tuple(checks),
        f"With the mean squared error over the d values, suGRR's error grows like d^{shown(tilt['suGRR'])} and "
        f"suWheel's like d^{shown(tilt['suWheel'])}. The paper's equation for its MSE is lost; divided by d once more "
        f"the exponents would be {shown(again[0])} and {shown(again[-1])}, the picture it shows.",
        repair=Number.of("MSE divided by d once more: suGRR's exponent (the paper's figure has 0)", again[0]),
    )


@claim(
    "7",
    "As sets grow longer, every error grows, suWheel's least.",
    "m = 1 … 64, d = 256, 25 % sensitive, ε = 1, exact variances",
    "Fig. 4: all rising, suWheel least",
    exact=True,
)
def grows_with_length(ask: Ask) -> Finding:
    curves = {key: np.array([uniform(256, m=m).mse(key, 1.0) for m in LENGTHS]) for key in FIVE}
    growth = {key: curve[-1] / curve[0] for key, curve in curves.items()}
    rival = min((value, key) for key, value in growth.items() if key != "suWheel")
    checks = [
        Check(
            Number.of("growth from m = 1 to 64: suWheel over the least of the others", growth["suWheel"] / rival[0]),
            most=below(1),
        )
    ]
    checks += [
        Check(Number.of(f"{key}: smallest MSE ratio between neighbouring m", steps(curve).min()), least=above(1))
        for key, curve in curves.items()
    ]
    return Finding(
        tuple(checks),
        f"From m = 1 to 64 suWheel's error grows {shown(growth['suWheel'])}-fold, that of the next, {rival[1]}, "
        f"{shown(rival[0])}-fold.",
    )


@claim(
    "8",
    "suWheel's reports are slightly longer than suGRR-Sample's and far shorter than suRAP's.",
    "m = 8, 25 % sensitive, ε = 1, d = 256 and 1024, expected bits; slightly: at most twice, far: at most half",
    "Table 3: slightly above, far below",
    exact=True,
)
def report_size(ask: Ask) -> Finding:
    bits = {
        (key, k): SETS[key].build(1.0, k, mask(k, 0.25), M).report_bits()
        for key in ("suWheel", "suGRR-Sample", "suRAP", "uPrivSet")
        for k in (1024, 256)
    }
    checks = []
    for k in (1024, 256):
        wheel = bits["suWheel", k]
        small, large = wheel / bits["suGRR-Sample", k], wheel / bits["suRAP", k]
        checks.append(Check(Number.of(f"d = {k}: bits, suWheel over suGRR-Sample", small), most=2))
        checks.append(Check(Number.of(f"d = {k}: bits, suWheel over suRAP", large), most=0.5))
    return Finding(
        tuple(checks),
        f"At d = 1024 suWheel sends {shown(bits['suWheel', 1024])} bits, suGRR-Sample "
        f"{shown(bits['suGRR-Sample', 1024])} and suRAP {shown(bits['suRAP', 1024])}: a 64-bit place and a 64-bit seed "
        f"are most of it. At d = 256 suRAP's {shown(bits['suRAP', 256])} bits are not far more than "
        f"suWheel's {shown(bits['suWheel', 256])}.",
        repair=Number.of("uPrivSet, joint promise and smaller error, at d = 1024: bits", bits["uPrivSet", 1024]),
    )


def _lines(x: tuple[float, ...], at: list[Ground], epsilons: tuple[float, ...]) -> pd.DataFrame:
    pairs = list(zip(at, epsilons, strict=True))
    return pd.concat([rows(key, x, [ground.mse(key, e) for ground, e in pairs]) for key in (*FIVE, "suWheel-J")])


@figure("Fig. 1", "Error against ε", "d = 1024, m = 8, 25 % sensitive", "ε", "n × MSE", exact=True, log_x=True)
def figure_1(ask: Ask) -> pd.DataFrame:
    return _lines(EPSILONS, [uniform(1024)] * len(EPSILONS), EPSILONS)


@figure(
    "Fig. 2",
    "Error against the share of sensitive items",
    "d = 256, m = 8, ε = 1",
    "share sensitive",
    "n × MSE",
    exact=True,
)
def figure_2(ask: Ask) -> pd.DataFrame:
    return _lines(SHARES, [uniform(256, share) for share in SHARES], (1.0,) * len(SHARES))


@figure(
    "Fig. 3",
    "Error against the size of the domain",
    "25 % sensitive, ε = 1, m = 8",
    "d",
    "n × MSE",
    exact=True,
    log_x=True,
)
def figure_3(ask: Ask) -> pd.DataFrame:
    return _lines(SIZES[1:], [uniform(k) for k in SIZES[1:]], (1.0,) * len(SIZES[1:]))


@figure(
    "Fig. 4",
    "Error against the length of the sets",
    "d = 256, 25 % sensitive, ε = 1",
    "m",
    "n × MSE",
    exact=True,
    log_x=True,
)
def figure_4(ask: Ask) -> pd.DataFrame:
    short = LENGTHS[:-1]
    return _lines(short, [uniform(256, m=m) for m in short], (1.0,) * len(short))
