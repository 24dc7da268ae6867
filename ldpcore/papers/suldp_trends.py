"""The trends of SULDP, with the share of sensitive items, the domain and the length of the sets; and its figures."""

from math import lgamma, log, log2

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore.catalog import SETS
from ldpcore.mechanisms.ring import PLACE_BITS, SEED_BITS
from ldpcore.papers.check import Check, ClaimReading, Number, shown
from ldpcore.papers.claim import Ask, Finding, PaperStatement, claim, figure, rows
from ldpcore.papers.measures import EPSILONS, slope, steps, within
from ldpcore.papers.suldp import FIVE, ORIGINAL, ErrorData, M, mask, uniform
from ldpcore.papers.words import CLEAR, CLOSE, NEAR, SLIGHT, SLIGHTLY

SHARES, SIZES, LENGTHS = (0.1, 0.25, 0.5, 0.75, 1.0), (16, 32, 64, 128, 256, 512, 1024), (1, 2, 4, 8, 16, 32, 64)


@claim(
    "5",
    "The error grows with the share of sensitive items, and at 100 % equals the original GRR, RAPPOR and Wheel.",
    PaperStatement(
        "As |X_sen| grows, the MSE of all five mechanisms grows",
        "§5.2.2, Fig. 2",
        "隨著|Xsen|的增大,5種機制的MSE都會增大",
    ),
    PaperStatement(
        "With all values sensitive it is the same as to use the original GRR, RAPPOR and so on",
        "§5.2.2",
        "等同于直接使用原始的GRR,RAPPOR等機制進行處理",
    ),
    setting="d = 256, m = 8, ε = 1, 10 to 100 % sensitive, exact variances",
    exact=True,
)
def grows_with_share(ask: Ask) -> Finding:
    grows = {key: steps([uniform(256, s).mse(key, 1.0) for s in SHARES]).min() for key in FIVE}
    full = {key: uniform(256, 1.0).mse(key, 1.0) / uniform(256, 1.0).mse(ORIGINAL[key], 1.0) for key in FIVE}
    rising = tuple(
        Check(Number.of(f"{key}: smallest MSE ratio between neighbouring shares", value), least=1, strict=True)
        for key, value in grows.items()
    )
    equal = tuple(
        Check(Number.of(f"{key} at 100 %: MSE over {ORIGINAL[key]}'s", value), 1 - 1e-9, 1 + 1e-9)
        for key, value in full.items()
    )
    off = max(abs(value - 1) for value in full.values())
    return Finding(
        (rising, equal),
        f"Each step to a larger share multiplies each error by {shown(min(grows.values()))} or more; at 100 % the "
        f"errors equal the originals' {within(off)}.",
    )


@claim(
    "6",
    "As the domain grows, the GRR-based pair's error stays level and the others' falls.",
    PaperStatement(
        "As d grows, the MSE of suGRR and suGRR-Sample stays as it is: two influences cancel",
        "§5.2.3, Fig. 3; the equation (12) of the MSE is lost",
        "隨著d的增大,suGRR和suGRR-Sample的MSE呈現不變的趨勢",
        f"{NEAR.means}, from d = 16 to 1024",
    ),
    PaperStatement("The MSE of the other three falls", "§5.2.3, Fig. 3", "因此前者的影響占了主導地位,MSE呈下降趨勢"),
    setting="d = 16 … 1024, 25 % sensitive, ε = 1, m = 8, exact variances",
    exact=True,
)
def trend_with_domain(ask: Ask) -> Finding:
    mean = {key: np.array([uniform(k).mse(key, 1.0) for k in SIZES]) for key in FIVE}
    once = ClaimReading("MSE: the mean of the squared errors over the d values", _trend(mean, "mean over the values"))
    size = np.array(SIZES, float)
    twice = ClaimReading(
        "MSE: the sum of the squared errors over d², in which growth with |X_sen|² cancels, as §5.2.3 says",
        _trend({key: curve / size for key, curve in mean.items()}, "sum over d²"),
    )
    tilt = {key: slope(SIZES[2:], mean[key][2:] / size[2:]) for key in FIVE}
    return Finding.of(
        (once, twice),
        "What the paper calls MSE decides it, and the equation is lost in the text. §5.2.3 says that the pair's growth "
        "with |X_sen|² cancels, so the sum of the squared errors is divided by d²: from d = 64 on the exponents of d "
        f"are then {', '.join(f'{shown(value)} ({key})' for key, value in tilt.items())}, the picture the paper shows. "
        f"By the mean over the d values suGRR's error grows like d^{shown(tilt['suGRR'] + 1)}, and suWheel's is level.",
        caveats=tuple(
            Number.of(f"{key}: exponent of d in the sum over d², d = 64 … 1024", value) for key, value in tilt.items()
        ),
    )


def _trend(curves: dict[str, NDArray[np.float64]], what: str) -> tuple[tuple[Check, ...], tuple[Check, ...]]:
    """The pair within half to twice over the whole range; the others lower at every step."""
    pair = (Number.of(f"{key}, {what}: at d = 1024 over d = 16", curves[key][-1] / curves[key][0]) for key in FIVE[:2])
    rest = (
        Number.of(f"{key}, {what}: largest ratio between neighbouring d", steps(curves[key]).max()) for key in FIVE[2:]
    )
    return tuple(Check(each, *CLOSE) for each in pair), tuple(Check(each, most=1, strict=True) for each in rest)


@claim(
    "7",
    "As sets grow longer, every error grows, suWheel's least.",
    PaperStatement(
        "As m grows, the utility of all five mechanisms becomes lower",
        "§5.2.4, Fig. 4",
        "隨著m的增大,5種機制的數據效用都會變低",
    ),
    PaperStatement(
        "The MSE of suWheel grows clearly less than that of the other four",
        "§5.2.4, Fig. 4",
        "suWheel的MSE增大的幅度要明顯小于另外4個機制",
        f"{CLEAR.means}: growth from m = 1 to 64",
    ),
    setting="m = 1 … 64, d = 256, 25 % sensitive, ε = 1, exact variances",
    exact=True,
)
def grows_with_length(ask: Ask) -> Finding:
    curves = {key: np.array([uniform(256, m=m).mse(key, 1.0) for m in LENGTHS]) for key in FIVE}
    growth = {key: curve[-1] / curve[0] for key, curve in curves.items()}
    rival = min((value, key) for key, value in growth.items() if key != "suWheel")
    rising = tuple(
        Check(Number.of(f"{key}: smallest MSE ratio between neighbouring m", steps(curve).min()), least=1, strict=True)
        for key, curve in curves.items()
    )
    less = Number.of("growth from m = 1 to 64: the least of the others over suWheel", rival[0] / growth["suWheel"])
    return Finding(
        (rising, (Check(less, least=1, strict=True),)),
        f"From m = 1 to 64 suWheel's error grows {shown(growth['suWheel'])}-fold, that of the next, {rival[1]}, "
        f"{shown(rival[0])}-fold.",
    )


@claim(
    "8",
    "suWheel's reports are slightly longer than suGRR-Sample's.",
    PaperStatement(
        "suWheel is slightly higher than suGRR-Sample, which is still acceptable",
        "§4.4; Table 3, which counts, is lost",
        "suWheel雖然比suGRR-Sample略高,但是仍然是可以接受的",
        f"{SLIGHT.means}, counting for suWheel only the items that it discloses, in the shortest code there is",
    ),
    setting="m = 8, 25 % sensitive, ε = 1, d = 256 and 1024, expected bits",
    exact=True,
)
def report_size(ask: Ask) -> Finding:
    sizes = (1024, 256)
    sample = {k: log2(k) for k in sizes}
    least = {k: disclosed_bits(k) for k in sizes}
    bits = {(key, k): SETS[key].build(1.0, k, mask(k, 0.25), M).report_bits() for key in KEYS for k in sizes}
    number = {k: Number.of(f"d = {k}: bits, suWheel at least, over suGRR-Sample", least[k] / sample[k]) for k in sizes}
    checks = [Check(number[k], least=1, strict=True) for k in sizes]
    checks += [Check(number[k], most=SLIGHTLY, strict=True) for k in sizes]
    return Finding(
        (tuple(checks),),
        f"suGRR-Sample sends one item, {shown(sample[1024])} bits at d = 1024. suWheel discloses most items that are "
        f"not sensitive, and no code says which in less than {shown(least[1024])} bits on average, hash and place free "
        f"of charge. Here a 64-bit seed and a 64-bit place make {shown(bits['suWheel', 1024])} of it; suRAP sends "
        f"{shown(bits['suRAP', 1024])}.",
        caveats=tuple(
            Number.of(f"d = {k}: bits, suWheel with a 64-bit seed and place, over suRAP", bits["suWheel", k] / k)
            for k in sizes
        ),
        repair=Number.of("uPrivSet, joint promise and smaller error, at d = 1024: bits", bits["uPrivSet", 1024]),
    )


KEYS = ("suWheel", "suRAP", "uPrivSet")


def disclosed_bits(k: int) -> float:
    """Bits below which no code names suWheel's disclosed items on average, sets drawn alike, at ε = 1, d = k.

    t of N items need log₂ C(N, t) ≥ t·log₂(N − M + 1) − log₂ M!, E[t] = (items not sensitive)·(1 − pE/Ω), and whoever
    knows hash and place can rule out those that lie there: a share p = 0.03 of them, so that half remain for certain.
    """
    built = SETS["suWheel"].build(1.0, k, mask(k, 0.25), M)
    free = int((~mask(k, 0.25)).sum())
    disclosed = (built.report_bits() - SEED_BITS - PLACE_BITS) / built.code_bits
    return disclosed * log2(free // 2 - M + 1) - lgamma(M + 1) / log(2)


def _lines(x: tuple[float, ...], at: list[ErrorData], epsilons: tuple[float, ...]) -> pd.DataFrame:
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
    "25 % sensitive, ε = 1, m = 8; the sum of the squared errors over d², as §5.2.3 reads",
    "d",
    "n × MSE/d",
    exact=True,
    log_x=True,
)
def figure_3(ask: Ask) -> pd.DataFrame:
    drawn = _lines(SIZES[1:], [uniform(k) for k in SIZES[1:]], (1.0,) * len(SIZES[1:]))
    return drawn.assign(**{name: drawn[name] / drawn["x"] for name in ("value", "low", "high")})


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
