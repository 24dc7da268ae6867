"""What LDPK says of one report: the estimate from it is unbiased, and it is short. Two of its claims."""

from math import log2

import numpy as np

from ldpcore.mechanisms.unary import OUE
from ldpcore.papers.check import Check, Number, shown
from ldpcore.papers.claim import Ask, Finding, PaperStatement, claim
from ldpcore.papers.ldpk import K, people
from ldpcore.papers.words import CLEAR, UNBIASED, WITHOUT_BIAS

ROUNDS = 10
"""Rounds of the caveat: K-modes usually needs fewer."""


@claim(
    "6",
    "The estimated share of an attribute's value is unbiased (Lemma 2).",
    PaperStatement(
        "The estimated share t' of algorithm 2 is unbiased",
        "Lemma 2",
        "計算出的估計頻率t'滿足無偏性",
        WITHOUT_BIAS.means,
    ),
    setting="expected value of the estimate from exact chances of every bit, each attribute's number of values, ε = "
    "0.1 … 4, members of a cluster that does not depend on the reports",
    exact=True,
)
def lemma_2(ask: Ask) -> Finding:
    table, source = people(ask.folder)
    off = []
    for k in sorted(set(table.levels)):
        for e in (0.1, 0.5, 1.0, 2.0, 4.0):
            keep, stray = 0.5, 1 / (np.exp(e) + 1)  # algorithm 1, lines 5 and 7
            share = np.arange(1.0, k + 1) / np.arange(1.0, k + 1).sum()
            bits = share * keep + (1 - share) * stray
            error = np.sqrt(OUE(e, k).variance(share, 1))
            off.append(float(np.abs((bits - stray) / (keep - stray) - share).max() / error.min()))
    return Finding(
        ((Check(Number.of("largest bias, in standard errors of one report", max(off)), most=UNBIASED),),),
        f"The bias is {shown(max(off))}, 0 but for rounding, for a cluster that is given. From the second round on the "
        "clusters follow from the same reports, of which the lemma does not speak.",
        source,
    )


@claim(
    "7",
    "To send one sampled attribute saves most of the communication.",
    PaperStatement(
        "With sampling the users send only the sampled value, which greatly lowers the cost of communication",
        "before Lemma 3",
        "使用戶在發送擾動數據時只需發送采樣值,大大降低了通訊開銷",
        f"{CLEAR.means}",
    ),
    setting="bits of a report: all attributes' bit strings, over one attribute's on average and its number; exact",
    exact=True,
)
def saves_communication(ask: Ask) -> Finding:
    table, source = people(ask.folder)
    whole, one = sum(table.levels), sum(table.levels) / table.q + log2(table.q)
    later = ROUNDS * log2(K)
    return Finding(
        ((Check(Number.of("bits of all attributes over bits of one", whole / one), least=1, strict=True),),),
        f"All {table.q} attributes take {whole} bits, one takes {shown(one)} on average with its number: "
        f"{shown(whole / one)} times less. Each further round sends a cluster's number, {shown(log2(K))} bits.",
        source,
        (Number.of(f"the same with {ROUNDS} cluster numbers each", (whole + later) / (one + later)),),
    )
