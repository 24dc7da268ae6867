"""Zhang, Yuan, Mao, Zhu 2022: K-modes under local differential privacy (LDPK). Its promise: ldpk_promise.py."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore import clusters
from ldpcore.catalog import CLUSTERINGS
from ldpcore.clusters import Records
from ldpcore.papers import sources
from ldpcore.papers.check import CHANCE, Check, Number, shown
from ldpcore.papers.claim import Ask, Figure, Finding, Paper, PaperStatement, claim
from ldpcore.papers.measures import mean, ratio, share
from ldpcore.papers.words import NOT_FAR, SLIGHT, SLIGHTLY, SMALL

PAPER = Paper(
    "ldpk",
    "Privacy protection of K-modes clustering data based on local differential privacy",
    "Zhang, Yuan, Mao, Zhu, Acta Electronica Sinica 50(9), 2022",
)
K, EPSILONS, SIZES = 3, (0.5, 1.0, 2.0, 4.0), (5_000, 10_000, 20_000)
SAID = EPSILONS[:-1]
"""Where words about ε are checked (measures.SAID)."""
STARTS = (100, 1000)
"""Quick, full (the paper has 300)."""


@cache
def people(folder: Path | None) -> tuple[Records, str]:
    codes, levels, source = sources.records(folder)
    return Records.of(codes, levels), source


def runs(ask: Ask, method: str, epsilon: float, n: int | None = None) -> NDArray[np.float64]:
    """AC and entropy (2, starts) against K-modes from the same start, on all people or on n of them."""
    return _runs(ask.of(PAPER.key), people(ask.folder)[0], method, epsilon, n)


def _runs(ask: Ask, whole: Records, method: str, epsilon: float, n: int | None) -> NDArray[np.float64]:
    out = []
    for i in range(ask.repeats(*STARTS)):
        rng = ask.rng(method, epsilon, n or 0, i)
        start = clusters.starting_modes(whole.levels, K, ask.rng("start", i))
        sample = whole
        if n is not None:
            sample = whole.thinned(rng.multivariate_hypergeometric(whole.counts, min(n, whole.n)))
        truth = clusters.kmodes(sample, K, rng, start=start)
        clustering = CLUSTERINGS[method].run(sample, K, epsilon, rng, start=start)
        weights = sample.counts if sample.kind is None else None
        out.append(
            (
                clusters.accuracy(clustering.labels, truth.labels, weights),
                clusters.entropy(clustering.labels, truth.labels, weights),
            )
        )
    return np.array(out).T


def rise(what: str, low: NDArray[np.float64], high: NDArray[np.float64], chance: float = CHANCE) -> Number:
    """A difference of means over the same starts."""
    return mean(what, high - low, chance)


def _rises(
    x: tuple[float, ...], name: str, found: list[NDArray[np.float64]]
) -> tuple[tuple[Check, ...], tuple[Check, ...]]:
    """From one x to the next: AC rises; the entropy falls."""
    pairs, chance = list(zip(x, x[1:], found, found[1:], strict=False)), share(2 * (len(x) - 1))
    rises = [rise(f"AC at {name} = {b:g} minus that at {a:g}", lo[0], hi[0], chance) for a, b, lo, hi in pairs]
    falls = [
        rise(f"entropy at {name} = {a:g} minus that at {b:g}, bits", hi[1], lo[1], chance) for a, b, lo, hi in pairs
    ]
    ac, entropy = (tuple(Check(number, least=0, strict=True) for number in numbers) for numbers in (rises, falls))
    return ac, entropy


def _sizes(whole: Records) -> tuple[int, ...]:
    return (*(n for n in SIZES if n < whole.n), whole.n)


@claim(
    "1",
    "AC rises and the entropy falls as ε grows.",
    PaperStatement(
        "As ε grows, the accuracy of the clustering rises",
        "experiments, Fig. 2",
        "隨著ε的增大,聚類結果的準確率隨之提升",
    ),
    PaperStatement("The entropy falls", "experiments, Fig. 2", "熵隨之降低"),
    setting="k = 3, ε = 0.5, 1, 2, mean over random starts",
)
def rises_with_epsilon(ask: Ask) -> Finding:
    scores = [runs(ask, "LDPK", e) for e in SAID]
    return Finding(
        _rises(SAID, "ε", scores),
        f"AC goes from {mean('', scores[0][0]).shown} at ε = {SAID[0]:g} to {mean('', scores[-1][0]).shown} at ε = "
        f"{SAID[-1]:g}, the entropy from {shown(scores[0][1].mean())} to {shown(scores[-1][1].mean())} bits.",
        people(ask.folder)[1],
    )


@claim(
    "2",
    "Likewise with the number of people N, at ε = 1.",
    PaperStatement(
        "As the data set grows, the accuracy of the clustering rises",
        "experiments, Table 4 (Adult)",
        "隨著數據集的增大,聚類結果的準確率隨之增加",
    ),
    PaperStatement("The entropy falls", "experiments, Table 4 (Adult)", "熵隨之降低"),
    setting="k = 3, ε = 1, N = 5 000 … all, drawn anew; always 1 000 starts, fewer do not decide it",
)
def rises_with_n(ask: Ask) -> Finding:
    ask, (whole, source) = replace(ask, full=True), people(ask.folder)
    sizes = _sizes(whole)
    scores = [runs(ask, "LDPK", 1.0, n) for n in sizes]
    gain = rise(f"AC: gain from N = {sizes[0]} to {sizes[-1]}", scores[0][0], scores[-1][0])
    less = rise(f"entropy: drop from N = {sizes[0]} to {sizes[-1]}, bits", scores[-1][1], scores[0][1])
    return Finding(
        _rises(sizes, "N", scores),
        f"AC is {', '.join(shown(f[0].mean()) for f in scores)} at N = {', '.join(map(str, sizes))}; the entropy "
        f"{', '.join(shown(f[1].mean()) for f in scores)} bits.",
        source,
        (gain, less),
    )


@claim(
    "2b",
    "Likewise with N on the USA census of IPUMS.",
    PaperStatement(
        "As the data set grows, the accuracy of the clustering rises",
        "experiments, Table 5 (USA)",
        "隨著數據集的增大,聚類結果的準確率隨之增加",
    ),
    PaperStatement("The entropy falls", "experiments, Table 5 (USA)", "熵隨之降低"),
    setting="k = 3, ε = 1, 10 000 and 50 000 records of 5 attributes",
)
def rises_with_n_usa(ask: Ask) -> Finding:
    path = sources.need("IPUMS USA", ask.folder)
    frame = pd.read_csv(path, dtype="str").dropna()
    codes = np.stack([pd.factorize(frame[name])[0] for name in frame.columns[:5]], axis=1)
    whole = Records.of(codes.astype(np.intp))
    sizes = (10_000, min(50_000, len(frame)))
    scores = [_runs(ask, whole, "LDPK", 1.0, n) for n in sizes]
    return Finding(
        _rises(sizes, "N", scores),
        f"AC is {shown(scores[0][0].mean())} at N = {sizes[0]} and {shown(scores[1][0].mean())} at {sizes[1]}.",
        "IPUMS USA, a user's copy",
    )


@claim(
    "3",
    "DPK, with a trusted collector, is slightly better than LDPK; the gap is small.",
    PaperStatement(
        "The quality of DPK's clustering is slightly better than LDPK's",
        "experiments, Fig. 3",
        "DPK的聚類結果質量略優于LDPK",
        f"{SLIGHT.means}; of AC, at every ε",
    ),
    PaperStatement(
        "The quality of LDPK's clustering is not far from DPK's",
        "experiments, Fig. 3",
        "LDPK的聚類結果質量與DPK相比差距不大",
        NOT_FAR.means,
    ),
    setting="k = 3, ε = 0.5, 1, 2, mean over random starts",
)
def small_gap(ask: Ask) -> Finding:
    chance = share(3 * len(SAID))
    both = [(runs(ask, "LDPK", e)[0], runs(ask, "DPK", e)[0]) for e in SAID]
    gaps = [rise(f"AC at ε = {e:g}, DPK minus LDPK", *pair, chance) for e, pair in zip(SAID, both, strict=True)]
    times = [
        ratio(f"AC at ε = {e:g}, DPK over LDPK", central, local, chance)
        for e, (local, central) in zip(SAID, both, strict=True)
    ]
    return Finding(
        (
            (
                *(Check(gap, least=0, strict=True) for gap in gaps),
                *(Check(number, most=SLIGHTLY, strict=True) for number in times),
            ),
            tuple(Check(gap, -SMALL, SMALL) for gap in gaps),
        ),
        f"The gap in AC is {', '.join(gap.shown for gap in gaps)} at ε = {', '.join(f'{e:g}' for e in SAID)}. The "
        "two do not promise alike: DPK's collector sees every record, LDPK's users send their cluster's number "
        "unprotected.",
        people(ask.folder)[1],
        repair=mean("fresh users, one round, whole promise: AC at ε = 1", runs(ask, "Fresh", 1.0)[0]),
    )


@claim(
    "3b",
    "Likewise by entropy: DPK is slightly better, the gap is small.",
    PaperStatement(
        "The quality of DPK's clustering is slightly better than LDPK's",
        "experiments, Fig. 3 (entropy)",
        "DPK的聚類結果質量略優于LDPK",
        f"{SLIGHT.means}; of the score 1 − entropy/log₂ 3, at every ε",
    ),
    PaperStatement(
        "The quality of LDPK's clustering is not far from DPK's",
        "experiments, Fig. 3 (entropy)",
        "LDPK的聚類結果質量與DPK相比差距不大",
        f"{NOT_FAR.means}: 1 − entropy/log₂ 3",
    ),
    setting="k = 3, ε = 0.5, 1, 2, mean over random starts",
)
def small_gap_in_entropy(ask: Ask) -> Finding:
    chance = share(3 * len(SAID))
    local, central = ({e: 1 - runs(ask, key, e)[1] / np.log2(K) for e in SAID} for key in ("LDPK", "DPK"))
    gaps = [rise(f"score by entropy at ε = {e:g}, DPK minus LDPK", local[e], central[e], chance) for e in SAID]
    times = [ratio(f"score by entropy at ε = {e:g}, DPK over LDPK", central[e], local[e], chance) for e in SAID]
    better = (Check(gap, least=0, strict=True) for gap in gaps)
    slightly = (Check(number, most=SLIGHTLY, strict=True) for number in times)
    return Finding(
        ((*better, *slightly), tuple(Check(gap, -SMALL, SMALL) for gap in gaps)),
        f"DPK's score by entropy is {', '.join(number.shown for number in times)} times LDPK's at ε = "
        f"{', '.join(f'{e:g}' for e in SAID)}, the gap {', '.join(shown(gap.value) for gap in gaps)}.",
        people(ask.folder)[1],
    )


FIGURE_2 = Figure(
    "Fig. 2",
    "Entropy of the true cluster, the found one known",
    "k = 3, mean over random starts",
    "ε",
    "entropy, bits",
    log_x=True,
    log_y=False,
)
FIGURE_3 = Figure(
    "Fig. 3",
    "Share of records in matching clusters",
    "k = 3, mean over starts; DPK has a trusted collector, Fresh keeps the whole promise",
    "ε",
    "AC",
    log_x=True,
    log_y=False,
)
TABLE_4 = Figure("Table 4", "AC against the number of people", "k = 3, ε = 1", "N", "AC", log_x=True, log_y=False)
