"""The half of SDLDP that is about means: PM against SDPM. Two of its claims, two of its figures."""

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ldpcore.catalog import MEANS
from ldpcore.papers import sources
from ldpcore.papers.check import Check, ClaimReading, Number, shown
from ldpcore.papers.claim import Ask, Figure, Finding, PaperStatement, claim
from ldpcore.papers.measures import EPSILONS, SAID, errors, share
from ldpcore.papers.words import CLOSE, NEAR, ORDERS, TWO_ORDERS
from ldpcore.rng import stream

LOW = {"25": ((-0.75, 0.75),), "50": ((-0.5, 0.5),), "75": ((-0.25, 0.25),)}
"""Low intervals by the share of high values, in %."""


Counted = tuple[NDArray[np.float64], NDArray[np.int64]]
"""Different numbers, to 1/256 of the unit, and how many children have each."""


def _counted(values: NDArray[np.float64]) -> Counted:
    return np.unique(np.round(values * 256) / 256, return_counts=True)


def heights(folder: Path | None) -> tuple[NDArray[np.float64], NDArray[np.int64], str]:
    """Different heights, how many children have each, and where they are from."""
    values, source = sources.heights(folder)
    return *_counted(values), source


@cache
def _attributes(folder: Path | None) -> dict[str, Counted]:
    return {
        name: _counted(sources.heights(folder, weight)[0]) for name, weight in (("heights", False), ("weights", True))
    }


def _skewed() -> Counted:
    return _counted(2 * stream(7, "papers", "Beta(1, 6)").beta(1, 6, 25_000) - 1)


def exact(key: str, how: str, epsilon: float, low: object, x: NDArray[np.float64], counts: NDArray[np.int64]) -> float:
    """Exact MSE of an estimate that has a closed form."""
    centre, spread = MEANS[key].build(epsilon, low).moments(x, how)
    n = counts.sum()
    return float((counts @ (centre - x) / n) ** 2 + counts @ spread / n**2)


def by_em(
    key: str,
    epsilon: float,
    low: object,
    x: NDArray[np.float64],
    counts: NDArray[np.int64],
    repeats: int,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Squared errors (repeats,) of EM with the paper's stop; low None: personalised, by minimum variance."""
    truth = counts @ x / counts.sum()
    if low is not None:
        return (MEANS[key].build(epsilon, low).simulate(x, rng, repeats, "em", counts) - truth) ** 2
    people = rng.multivariate_hypergeometric(counts, round(0.4 * counts.sum()))
    rest = counts - people
    second = rng.multivariate_hypergeometric(rest, rest.sum() // 2)
    estimates, weight = [], []
    for users, low_range in zip((people, second, rest - second), LOW.values(), strict=True):
        built = MEANS[key].build(epsilon, low_range)
        occupied = users > 0
        estimates.append(built.simulate(x[occupied], rng, repeats, "em", users[occupied]))
        weight.append(users.sum() / built.report_moments(np.linspace(-1, 1, 401))[1].max())
    return (np.average(estimates, axis=0, weights=weight) - truth) ** 2


REPEATS = (400, 2000)
"""Quick, full (the paper has 10)."""
MORE = {0.1: 2000, 0.2: 2400, 1.0: 1600}
"""Where the two errors of claim 4 are nearly twice one another, fewer do not tell whether they are; of the heights at
ε = 0.2 these do not either: 2.1 times, 1.8 to 2.4.
"""


@claim(
    "4",
    "SDPM-50 has a smaller error than PM at every ε, two orders of magnitude at ε = 0.1; personalised is close.",
    PaperStatement(
        "Under different privacy budgets SDPM-50 and SDPM-Personalized both perform better than PM",
        "§5.2.2, Fig. 7",
        "SDPM-50 与 SDPM-Personalized 表现均优于 PM",
    ),
    PaperStatement(
        "At ε = 0.1 the mean squared error of SDPM-50 is about two orders of magnitude below PM's",
        "§5.2.2, Fig. 7",
        "SDPM-50 相较于 PM 均方误差降低约 2 个数量级",
        TWO_ORDERS.means,
    ),
    PaperStatement(
        "The error of SDPM-Personalized is close to that of SDPM-50",
        "§5.2.2, Fig. 7",
        "SDPM-Personalized 的误差表现与 SDPM-50 接近",
        NEAR.means,
    ),
    setting="25 000 heights and weights on [-1, 1], ε = 0.1 … 2, PM's plain mean against SDPM with the paper's EM",
)
def two_orders(ask: Ask) -> Finding:
    better, orders, close = [], [], []
    chance = share(2 * (3 * len(SAID) + 1))
    for name, (x, counts) in _attributes(ask.folder).items():
        for e in SAID:
            repeats = ask.repeats(MORE.get(e, REPEATS[0]), REPEATS[1])
            plain = exact("PM", "mean", e, (), x, counts)
            fitted = by_em("SDPM", e, LOW["50"], x, counts, repeats, ask.rng(name, "50", e))
            personalised = by_em("SDPM", e, None, x, counts, repeats, ask.rng(name, "personal", e))
            gain = errors(f"{name}, ε = {e:g}: MSE, PM over SDPM-50", plain, fitted, chance)
            better.append(Check(gain, least=1, strict=True))
            gained = errors(f"{name}, ε = {e:g}: MSE, PM over personalised SDPM", plain, personalised, chance)
            better.append(Check(gained, least=1, strict=True))
            alike = errors(f"{name}, ε = {e:g}: MSE, personalised SDPM over SDPM-50", personalised, fitted, chance)
            close.append(Check(alike, *CLOSE))
            if e == SAID[0]:
                orders.append(Check(gain, *ORDERS))
    repeats, (x, counts, source) = ask.repeats(*REPEATS), heights(ask.folder)
    first, (em, unbiased, skewed) = orders[0].number, _like_with_like(ask, x, counts, repeats)
    return Finding(
        (tuple(better), tuple(orders), tuple(close)),
        f"At ε = 0.1 PM's plain mean has {first.shown} times the error of SDPM with the stopped EM (heights); like "
        f"with like it is {em.shown} (both EM) and {unbiased.shown} (both unbiased). EM stops early and stays near its "
        "uniform start, whose mean is 0: that flatters data whose mean is near 0. On skewed data the ratio is "
        f"{skewed.shown}. {_open((*better, *orders, *close))}",
        source,
        (em, unbiased, skewed, *_at_four(ask, repeats)),
        Number.of(
            "SDPM's unbiased score at ε = 0.1: MSE (PM's mean has "
            f"{shown(exact('PM', 'mean', 0.1, (), x, counts))}, Duchi "
            f"{shown(exact('Duchi', 'mean', 0.1, (), x, counts))})",
            exact("SDPM", "unbiased", 0.1, LOW["50"], x, counts),
        ),
    )


def _like_with_like(
    ask: Ask, x: NDArray[np.float64], counts: NDArray[np.int64], repeats: int
) -> tuple[Number, Number, Number]:
    """What the paper does not compare, at ε = 0.1: both with EM, both without bias, and data that lie to one side."""
    ours = by_em("SDPM", 0.1, LOW["50"], x, counts, repeats, ask.rng("like", "50"))
    theirs = by_em("PM", 0.1, (), x, counts, repeats, ask.rng("like", "PM"))
    score = exact("PM", "mean", 0.1, (), x, counts) / exact("SDPM", "unbiased", 0.1, LOW["50"], x, counts)
    skewed, users = _skewed()
    bent = by_em("SDPM", 0.1, LOW["50"], skewed, users, repeats, ask.rng("skewed"))
    return (
        errors("heights, ε = 0.1: MSE, PM with EM over SDPM-50 with EM", theirs, ours),
        Number.of("heights, ε = 0.1: MSE, PM over SDPM-50, both unbiased", score),
        errors("skewed Beta(1, 6), ε = 0.1: MSE, PM over SDPM-50", exact("PM", "mean", 0.1, (), skewed, users), bent),
    )


def _at_four(ask: Ask, repeats: int) -> list[Number]:
    """PM over SDPM-50 where ε is large."""
    out, e = [], EPSILONS[-1]
    for name, (x, counts) in _attributes(ask.folder).items():
        fitted = by_em("SDPM", e, LOW["50"], x, counts, repeats, ask.rng(name, "50", e))
        out.append(errors(f"{name}, ε = {e:g}: MSE, PM over SDPM-50", exact("PM", "mean", e, (), x, counts), fitted))
    return out


def _open(checks: tuple[Check, ...]) -> str:
    """What is undecided."""
    left = sum(check.decision is None for check in checks)
    return f"{left} of {len(checks)} checks are undecided." if left else ""


@claim(
    "5",
    "The fewer values are high, the smaller SDPM's error: SDPM-25 < SDPM-50 < SDPM-75.",
    PaperStatement(
        "Under all privacy budgets SDPM-25 performs better than SDPM-50 and SDPM-75: the smaller the highly sensitive "
        "range, the more accurate the mean",
        "§5.2.2, Fig. 8",
        "SDPM-25 表现均优于 SDPM-50 与 SDPM-75, 高敏感区间越小, 则均值估计结果越准确",
    ),
    setting="25 000 heights and weights on [-1, 1], ε = 0.1 … 2, EM with the paper's stop",
)
def fewer_is_better(ask: Ask) -> Finding:
    repeats, least, last = ask.repeats(*REPEATS), [], []
    for name, (x, counts) in _attributes(ask.folder).items():
        for e in SAID:
            squared = {
                key: by_em("SDPM", e, low, x, counts, repeats, ask.rng(name, key, e)) for key, low in LOW.items()
            }
            for a, b, checks in (("25", "50", least), ("25", "75", least), ("50", "75", last)):
                what = f"{name}, ε = {e:g}: MSE, SDPM-{b} over SDPM-{a}"
                checks.append(Check(errors(what, squared[b], squared[a], share(6 * len(SAID))), least=1, strict=True))
    nearest = min((check.number for check in last), key=lambda number: number.value)
    x, counts, source = heights(ask.folder)
    scores = [exact("SDPM", "unbiased", 0.1, low, x, counts) for low in LOW.values()]
    why = (
        f"SDPM-25 has the smallest error in {sum(check.decision is True for check in least)} of {len(least)} "
        f"comparisons, SDPM-75 a larger one than SDPM-50 in {sum(check.decision is True for check in last)} of "
        f"{len(last)}: for large ε these two err alike ({nearest.what}: {nearest.shown}). With the "
        "unbiased score, without EM's pull, the errors at ε = 0.1 are "
        f"{', '.join(map(shown, scores))} for 25, 50 and 75 %: marking less gains little."
    )
    gain = exact("SDPM", "unbiased", 0.1, LOW["25"], x, counts) / exact(
        "uTernary", "mean", 0.1, ((-1.0, 0.5),), x, counts
    )
    return Finding.of(
        [
            ClaimReading("SDPM-25 has the smallest error of the three", (tuple(least),)),
            ClaimReading("and SDPM-50 has a smaller one than SDPM-75, too, at every ε", ((*least, *last),)),
        ],
        why,
        source,
        repair=Number.of(
            "mark one end only, [0.5, 1], and use uTernary: SDPM-25's error (unbiased) over its, ε = 0.1", gain
        ),
    )


FIGURE_7 = Figure("Fig. 7", "Error of the mean, by estimator", "25 000 heights", "ε", "MSE", log_x=True)
FIGURE_8 = Figure("Fig. 8", "SDPM's error at 25, 50, 75 % high", "25 000 heights, EM", "ε", "MSE", log_x=True)
