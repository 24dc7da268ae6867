"""Zhang, Yuan, Mao, Zhu 2022: K-modes under local differential privacy (LDPK). Six claims, three figures."""

from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore import clusters
from ldpcore.catalog import CLUSTERINGS
from ldpcore.clusters import Records
from ldpcore.mechanisms.unary import OUE
from ldpcore.papers import sources
from ldpcore.papers.claim import Ask, Check, Finding, Number, Paper, claim, figure, rows, shown
from ldpcore.papers.measures import above, mean, over

PAPER = Paper(
    "ldpk",
    "Privacy protection of K-modes clustering data based on local differential privacy",
    "Zhang, Yuan, Mao, Zhu, Acta Electronica Sinica 50(9), 2022",
)
K, EPSILONS, SIZES = 3, (0.5, 1.0, 2.0, 4.0), (5_000, 10_000, 20_000)
MARITAL = 2
"""Where marital status stands among the six attributes."""
SMALL = 0.05
"""What "a small gap" in AC means here, and a rise that counts."""


@cache
def _people(folder: Path | None) -> tuple[Records, str]:
    codes, levels, said = sources.records(folder)
    return Records.of(codes, levels), said


def runs(ask: Ask, method: str, epsilon: float, n: int | None = None) -> NDArray[np.float64]:
    """AC and entropy (2, starts) against K-modes from the same start, on all people or on n of them."""
    whole, _ = _people(ask.folder)
    out = []
    for i in range(ask.repeats(30, 300)):
        rng = ask.of(PAPER.key).rng(method, epsilon, n or 0, i)
        start = clusters.starting_modes(whole.levels, K, ask.of(PAPER.key).rng("start", i))
        held = whole
        if n is not None:
            held = whole.thinned(rng.multivariate_hypergeometric(whole.counts, min(n, whole.n)))
        truth = clusters.kmodes(held, K, rng, start=start)
        found = CLUSTERINGS[method].run(held, K, epsilon, rng, start=start)
        weights = held.counts if held.kind is None else None
        out.append(
            (
                clusters.accuracy(found.labels, truth.labels, weights),
                clusters.entropy(found.labels, truth.labels, weights),
            )
        )
    return np.array(out).T


def _rise(what: str, low: NDArray[np.float64], high: NDArray[np.float64]) -> Number:
    """A difference of means over the same starts."""
    return mean(what, high - low)


@claim(
    "1",
    "AC rises and the entropy falls as ε grows.",
    "k = 3, ε = 0.5 … 4, mean over random starts",
    "Fig. 2: rising and falling",
)
def rises_with_epsilon(ask: Ask) -> Finding:
    found = [runs(ask, "LDPK", e) for e in EPSILONS]
    checks = []
    for a, b, low, high in zip(EPSILONS, EPSILONS[1:], found, found[1:], strict=False):
        checks.append(Check(_rise(f"AC at ε = {b:g} minus that at {a:g}", low[0], high[0]), least=above(0)))
        checks.append(Check(_rise(f"entropy at ε = {a:g} minus that at {b:g}, bits", high[1], low[1]), least=above(0)))
    return Finding(
        tuple(checks),
        f"AC rises from {mean('', found[0][0]).shown} at ε = 0.5 to {mean('', found[-1][0]).shown} at ε = 4, the "
        f"entropy falls from {shown(found[0][1].mean())} to {shown(found[-1][1].mean())} bits.",
        _people(ask.folder)[1],
    )


@claim(
    "2",
    "Likewise with the number of people N, at ε = 1.",
    "k = 3, ε = 1, N = 5 000 … all, drawn anew",
    "Table 4 (Adult): rising with N",
)
def rises_with_n(ask: Ask) -> Finding:
    sizes = (*SIZES, _people(ask.folder)[0].n)
    found = [runs(ask, "LDPK", 1.0, n) for n in sizes]
    gains = [(0, "AC", found[-1][0] - found[0][0]), (1, "entropy", found[0][1] - found[-1][1])]
    checks = [
        Check(mean(f"{name}: gain from N = {sizes[0]} to {sizes[-1]}", gain), least=above(0)) for _, name, gain in gains
    ]
    for a, b, low, high in zip(sizes, sizes[1:], found, found[1:], strict=False):
        checks.append(Check(_rise(f"AC at N = {b} minus that at {a}", low[0], high[0]), least=above(0)))
    return Finding(
        tuple(checks),
        f"AC is {', '.join(shown(f[0].mean()) for f in found)} at N = {', '.join(map(str, sizes))}; the entropy "
        f"{', '.join(shown(f[1].mean()) for f in found)} bits.",
        _people(ask.folder)[1],
    )


@claim(
    "2b",
    "Likewise with N on the USA census of IPUMS.",
    "k = 3, ε = 1, 50 000 records of 5 attributes",
    "Table 5 (USA): rising with N",
)
def rises_with_n_usa(ask: Ask) -> Finding:
    path = sources.need("IPUMS USA", ask.folder)
    frame = pd.read_csv(path, dtype="str").dropna()
    codes = np.stack([pd.factorize(frame[name])[0] for name in frame.columns[:5]], axis=1)
    whole, found = Records.of(codes.astype(np.intp)), []
    for n in (10_000, min(50_000, len(frame))):
        got = []
        for i in range(ask.repeats(30, 300)):
            rng = ask.rng(n, i)
            start = clusters.starting_modes(whole.levels, K, ask.rng("start", i))
            held = whole.thinned(rng.multivariate_hypergeometric(whole.counts, n))
            truth = clusters.kmodes(held, K, rng, start=start)
            own = clusters.ldpk(held, K, 1.0, rng, start=start)
            got.append(clusters.accuracy(own.labels, truth.labels, held.counts))
        found.append(np.array(got))
    rise = _rise("AC at the largest N minus that at 10 000", found[0], found[1])
    why = f"AC is {shown(found[0].mean())} at 10 000 and {shown(found[1].mean())} at the largest N."
    return Finding((Check(rise, least=above(0)),), why, "IPUMS USA, a user's copy")


@claim(
    "3",
    "DPK, with a trusted collector, is slightly better than LDPK; the gap is small.",
    f"k = 3, ε = 0.5 … 4; small: AC at most {SMALL:g} apart",
    "Fig. 3: slightly better, small gap",
)
def small_gap(ask: Ask) -> Finding:
    pairs = [(runs(ask, "LDPK", e)[0], runs(ask, "DPK", e)[0]) for e in EPSILONS]
    gaps = [_rise(f"AC at ε = {e:g}, DPK minus LDPK", *pair) for e, pair in zip(EPSILONS, pairs, strict=True)]
    checks = [Check(gaps[1], least=0)]
    checks += [Check(gap, least=0) for gap in (gaps[0], *gaps[2:])]
    checks += [Check(Number(f"{gap.what}, in size", *sorted_size(gap)), most=SMALL) for gap in gaps]
    return Finding(
        tuple(checks),
        f"The gap in AC is {', '.join(gap.shown for gap in gaps)} at ε = {', '.join(f'{e:g}' for e in EPSILONS)}. The "
        "two do not promise alike: DPK's collector sees every record, LDPK's users send their cluster's number "
        "unprotected.",
        _people(ask.folder)[1],
        mean("fresh users, one round, whole promise: AC at ε = 1", runs(ask, "Fresh", 1.0)[0]),
    )


def sorted_size(number: Number) -> tuple[float, float, float]:
    """|value| and its interval."""
    low, high = sorted((abs(number.low), abs(number.high)))
    return abs(number.value), 0.0 if number.low < 0 < number.high else low, high


@claim(
    "4",
    "To report one sampled attribute is better than to split the budget over all (Lemma 3).",
    "six attributes: variance of OUE(ε) on n/6 people over that of OUE(ε/6) on n, f → 0, exact; AC at ε = 1 and 4",
    "Lemma 3: always a smaller variance",
)
def sampling_is_better(ask: Ask) -> Finding:
    q, grid = _people(ask.folder)[0].q, (0.1, 0.5, 1.0, 2.0, 4.0, 8.0)
    rare = np.r_[0.0, 1.0]
    gain = [OUE(e / q, 2).variance(rare, 1)[0] / OUE(e, 2).variance(rare, 1)[0] / q for e in grid]
    checks = [Check(over("variance, split budget over sampling, ε = 0.1 … 8", gain), least=above(1))]
    checks += [
        Check(Number.of(f"the same at ε = {e:g}", value), least=above(1)) for e, value in zip(grid, gain, strict=True)
    ]
    for e in (1.0, 4.0):
        checks.append(
            Check(
                _rise(
                    f"AC at ε = {e:g}, sampling minus splitting", runs(ask, "LDPK-split", e)[0], runs(ask, "LDPK", e)[0]
                ),
                least=above(0),
            )
        )
    return Finding(
        tuple(checks),
        f"Splitting has {shown(min(gain))} to {shown(max(gain))} times the variance of sampling; AC gains "
        f"{checks[-2].number.shown} at ε = 1 and {checks[-1].number.shown} at ε = 4 from sampling.",
        _people(ask.folder)[1],
    )


@claim(
    "5",
    "The whole protocol satisfies ε-LDP.",
    "marital status guessed from the cluster numbers alone, split halves, mean over starts; no ε-LDP report lets "
    "anybody exceed E·π/(1+(E−1)π), π the commonest value's share; ε = 1",
    "Lemma 1: ε-LDP",
)
def whole_promise(ask: Ask) -> Finding:
    people, said = _people(ask.folder)
    blind = float(clusters.marginal(people)[MARITAL])
    repeats, won = ask.repeats(30, 300), {}
    for key in ("LDPK", "Fresh"):
        own = CLUSTERINGS[key]
        rates = []
        for i in range(repeats):
            rng = ask.rng(key, i)
            start = clusters.starting_modes(people.levels, K, ask.rng("start", i))
            found = own.run(people, K, 1.0, rng, start=start)
            if own.attack is not None and (key == "LDPK" or i < 3):
                rates.append(own.attack(people, found, 1.0, rng)[MARITAL])
        won[key] = np.array(rates)
    low, high = won["LDPK"].min(), won["LDPK"].max()
    seen = mean("marital status guessed from LDPK's cluster numbers, share right", won["LDPK"])
    worst = Number.of("the same after the worst start", high)
    checks = [Check(number, most=clusters.promised(blind, 1.0)) for number in (seen, worst)]
    checks.append(
        Check(Number.of("loss of the first report alone (OUE)", float(OUE(1.0, 7).privacy_loss().max())), most=1 + 1e-9)
    )
    score = mean("", runs(ask, "Fresh", 1.0)[0])
    return Finding(
        tuple(checks),
        f"From the cluster numbers alone an adversary names marital status for {seen.shown} of the people, "
        f"{shown(low)} to {shown(high)} from start to start, without any message for {shown(blind)}; ε-LDP at ε = 1 "
        f"allows at most {shown(clusters.promised(blind, 1.0))}. The numbers are functions of the true record, sent "
        "in every round, and cost no ε: the proof covers the first report only.",
        said,
        Number(
            "fresh users, one round, whole promise: AC at ε = 1 (marital status then guessed for "
            f"{shown(won['Fresh'].mean())})",
            score.value,
            score.low,
            score.high,
        ),
    )


def _drawn(ask: Ask, at: int, methods: tuple[str, ...]) -> pd.DataFrame:
    parts = []
    for method in methods:
        found = [mean(method, runs(ask, method, e)[at]) for e in EPSILONS]
        parts.append(rows(method, EPSILONS, *np.array([(n.value, n.low, n.high) for n in found]).T))
    return pd.concat(parts)


@figure(
    "Fig. 2",
    "Entropy of the true cluster, the found one known",
    "k = 3, mean over random starts",
    "ε",
    "entropy, bits",
    log_x=True,
    log_y=False,
)
def figure_2(ask: Ask) -> pd.DataFrame:
    return _drawn(ask, 1, ("LDPK", "DPK"))


@figure(
    "Fig. 3",
    "Share of records in matching clusters",
    "k = 3, mean over starts; DPK has a trusted collector, Fresh keeps the whole promise",
    "ε",
    "AC",
    log_x=True,
    log_y=False,
)
def figure_3(ask: Ask) -> pd.DataFrame:
    return _drawn(ask, 0, ("LDPK", "DPK", "Fresh"))


@figure("Table 4", "AC against the number of people", "k = 3, ε = 1", "N", "AC", log_x=True, log_y=False)
def table_4(ask: Ask) -> pd.DataFrame:
    sizes = (*SIZES, _people(ask.folder)[0].n)
    found = [mean("LDPK", runs(ask, "LDPK", 1.0, n)[0]) for n in sizes]
    return rows("LDPK", sizes, *np.array([(n.value, n.low, n.high) for n in found]).T)
