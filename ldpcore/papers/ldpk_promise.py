"""What LDPK proves: the lemma on sampling, and the promise of the whole protocol. Two of its claims."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ldpcore import clusters
from ldpcore.catalog import CLUSTERINGS
from ldpcore.clusters import Records
from ldpcore.clusters.kmodes import nearest
from ldpcore.mechanisms.unary import OUE
from ldpcore.papers.check import Check, Number, shown
from ldpcore.papers.claim import Ask, Finding, PaperStatement, claim
from ldpcore.papers.ldpk import STARTS, K, people, rise, runs
from ldpcore.papers.measures import mean

MARITAL = 2
"""Where marital status stands among the six attributes."""


@claim(
    "4",
    "To report one sampled attribute is better than to split the budget over all (Lemma 3).",
    PaperStatement(
        "To sample the users' data makes the perturbed data more useful than to split the budget",
        "Lemma 3",
        "對用戶數據采樣相比于分割隱私預算可以提高擾動數據的可用性",
        "more useful: a smaller variance of a share, as the proof has it",
    ),
    setting="six attributes: variance of OUE(ε) on n/6 people over that of OUE(ε/6) on n, f → 0, ε = 0.1 … 8, exact",
)
def sampling_is_better(ask: Ask) -> Finding:
    q, grid = people(ask.folder)[0].q, (0.1, 0.5, 1.0, 2.0, 4.0, 8.0)
    rare = np.r_[0.0, 1.0]
    gain = [OUE(e / q, 2).variance(rare, 1)[0] / OUE(e, 2).variance(rare, 1)[0] / q for e in grid]
    checks = [
        Check(Number.of(f"ε = {e:g}: variance, split budget over sampling", value), least=1, strict=True)
        for e, value in zip(grid, gain, strict=True)
    ]
    gains = tuple(
        rise(f"AC at ε = {e:g}, sampling minus splitting", runs(ask, "LDPK-split", e)[0], runs(ask, "LDPK", e)[0])
        for e in (1.0, 4.0)
    )
    return Finding(
        (tuple(checks),),
        f"Splitting has {shown(min(gain))} to {shown(max(gain))} times the variance of sampling; AC gains "
        f"{gains[0].shown} at ε = 1 and {gains[1].shown} at ε = 4 from sampling.",
        people(ask.folder)[1],
        gains,
    )


@claim(
    "5",
    "The whole protocol satisfies ε-LDP.",
    PaperStatement(
        "Only Algorithm 1 needs budget; so as long as it satisfies local differential privacy, LDPK satisfies it too",
        "privacy analysis, before Lemma 1",
        "因此只要算法1滿足本地差分隱私的定義,則LDPK方法同樣滿足該定義",
    ),
    setting="chances of one person's first cluster number under two records, ε = 1. Caveat: marital status guessed "
    "from the cluster numbers alone, split halves",
)
def whole_promise(ask: Ask) -> Finding:
    records, source = people(ask.folder)
    start = clusters.starting_modes(records.levels, K, ask.rng("start", 0))
    sent = nearest(records, start)
    other = int((sent != sent[0]).argmax())
    with np.errstate(divide="ignore"):
        loss = -float(np.log(sent[other] == sent[0]))
    shares = clusters.frequencies(records)[MARITAL]
    blind = float(shares.max())
    won = {key: _guessed(ask, records, key, starts) for key, starts in (("LDPK", ask.repeats(*STARTS)), ("Fresh", 3))}
    seen = mean("marital status guessed from LDPK's cluster numbers, share right, over starts", won["LDPK"])
    allowed, score = clusters.nameable(shares, 1.0), mean("", runs(ask, "Fresh", 1.0)[0])
    return Finding(
        ((Check(Number.of("log ratio of the chances of one cluster number under two records", loss), most=1.0),),),
        "A person's cluster number is a function of the true record, sent in every round without noise: two records "
        "near different centres never send the same. The proof covers the first report only. From the numbers alone an "
        f"adversary names marital status for {seen.shown} of the people, {shown(won['LDPK'].min())} to "
        f"{shown(won['LDPK'].max())} from start to start, without any message for {shown(blind)}; from no ε-LDP "
        f"report at ε = 1 can anybody name it for more than {shown(allowed)}.",
        source,
        (
            seen,
            Number.of("the same share, the most that any ε-LDP report allows, ε = 1", allowed),
            Number.of("loss of the first report alone (OUE), ε = 1", float(OUE(1.0, 7).privacy_loss().max())),
        ),
        replace(
            score,
            what="fresh users, one round, whole promise: AC at ε = 1 (marital status then guessed for "
            f"{shown(won['Fresh'].mean())})",
        ),
    )


def _guessed(ask: Ask, held: Records, key: str, starts: int) -> NDArray[np.float64]:
    """Share of the people whose marital status the attack on this method names, for each start."""
    entry, rates = CLUSTERINGS[key], []
    for i in range(starts):
        rng = ask.rng(key, i)
        start = clusters.starting_modes(held.levels, K, ask.rng("start", i))
        clustering = entry.run(held, K, 1.0, rng, start=start)
        if entry.attack is not None:
            rates.append(entry.attack(held, clustering, 1.0, rng)[MARITAL])
    return np.array(rates)
