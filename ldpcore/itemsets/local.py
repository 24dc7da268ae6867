"""A local miner after SVIM and SVSM (Wang, Li, Jha 2018): nobody is trusted, every person sends one noisy report.

Four groups of people, each asked once with the whole ε: how many items they hold; one of their items; how many of the
guessed pairs; one of those pairs. "One of": the basket is cut or padded with dummies to ℓ, one entry is drawn, and sent
by GRR, whose ε the drawing amplifies to ln(ℓ(e^ε − 1) + 1), or by OUE, whichever has the smaller variance.
"""

from math import exp, expm1, log1p
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldpcore import checks
from ldpcore.baskets import Baskets
from ldpcore.itemsets.counting import Items
from ldpcore.itemsets.given import baskets_of, threshold
from ldpcore.itemsets.ledger import Ledger, Spend
from ldpcore.itemsets.mined import MiningResult, ReleasedCandidates, exact_counts
from ldpcore.mechanisms.direct import GRR
from ldpcore.mechanisms.unary import OUE
from ldpcore.randomizer import Randomizer

Vector = NDArray[np.float64]
GROUPS = (0.05, 0.45, 0.05, 0.45)
"""Shares of the people: lengths, items, how many pairs, pairs."""
LENGTHS = 64
"""Different lengths that are told apart, from 0 on: public, and longer baskets answer the last."""
FEWEST = 40
PAIRS = 64
WHOLE = 0.9
"""ℓ is long enough for this share of the people."""


def local(data: Any, min_count: float, epsilon: float, rng: np.random.Generator, *, pairs: int = PAIRS) -> MiningResult:
    """Frequent items and pairs from reports that are ε-LDP each; `pairs` guesses are tried, the likeliest first.

    Who holds more than ℓ of what is asked is cut to ℓ: counts of long baskets come out low. ValueError below 40 people.
    """
    baskets = baskets_of(data)
    least, each = threshold(min_count, baskets.n), checks.epsilon(epsilon)
    tried = checks.integer(pairs, "pairs (how many are tried)", 0)
    if baskets.n < FEWEST:
        raise ValueError(
            f"the local miner splits people into four groups and needs at least {FEWEST} baskets, got {baskets.n}"
        )
    group = np.searchsorted(np.cumsum(GROUPS[:-1]), (rng.permutation(baskets.n) + 0.5) / baskets.n)
    lengths, single, several, paired = (baskets.select(group == place) for place in range(4))
    size = OUE(each, LENGTHS)
    ell = _length(lengths.lengths, size, rng)
    every = np.arange(baskets.k, dtype=np.int32)[:, None]
    asked = [(lengths, size), (single, oracle(baskets.k, ell, each))]
    noisy = _one_of(single, ell, asked[-1][1], rng) * baskets.n
    levels, spent = [_release(baskets, every, noisy, least)], f"reports about {baskets.k} items, one of ℓ = {ell}"
    a, b = np.triu_indices(baskets.k, 1)
    likely = np.argsort(-(np.maximum(noisy[a], 0) * np.maximum(noisy[b], 0)), kind="stable")[:tried]
    guessed = np.sort(np.stack([a[likely], b[likely]], axis=1), axis=1).astype(np.int32)
    guessed = guessed[np.lexsort(guessed.T[::-1])]
    if len(guessed) > 1:
        ell = _length(_holding(several, guessed).lengths, size, rng)
        asked += [(several, size), (paired, oracle(len(guessed), ell, each))]
        noisy = _one_of(_holding(paired, guessed), ell, asked[-1][1], rng) * baskets.n
        levels.append(_release(baskets, guessed, noisy, least))
        spent += f", then about {len(guessed)} pairs, one of ℓ = {ell}"
    ledger = Ledger((Spend(f"one report per person: {spent}", 1, 1, 1 / each, each),))
    sizes, people = zip(*((mechanism.report_bits(), some.n) for some, mechanism in asked), strict=True)
    return MiningResult(baskets.labels, least, tuple(levels), ledger, float(np.average(sizes, weights=people)))


def _release(data: Baskets, items: Items, noisy: Vector, least: int) -> ReleasedCandidates:
    return ReleasedCandidates(items, exact_counts(data, items), noisy, noisy >= least)


def _holding(data: Baskets, pairs: Items) -> Baskets:
    """The same people with the pairs that each of them holds, as if these were items."""
    used = np.unique(pairs)
    baskets = data.onto(used)
    bits, ranks = baskets.bits(), np.searchsorted(used, pairs)
    rows = (bits[ranks[:, 0]] & bits[ranks[:, 1]]).view(np.uint8)
    owner, pair = np.nonzero(np.unpackbits(rows, axis=1, bitorder="little")[:, : data.n].T)
    starts = np.searchsorted(owner, np.arange(data.n + 1))
    return Baskets(tuple(range(len(pairs))), pair.astype(np.int32), starts.astype(np.int64))


def oracle(d: int, ell: int, epsilon: float) -> Randomizer:
    """GRR at the amplified ε where d < ℓ(4ℓ − 1)e^ε + 1, else OUE: over d values and ℓ dummies (SVIM, §4.3)."""
    if d < ell * (4 * ell - 1) * exp(epsilon) + 1:
        amplified = min(log1p(ell * expm1(epsilon)), checks.MAX_EPSILON)
        return GRR(amplified, d + ell)
    return OUE(epsilon, d + ell)


def _one_of(data: Baskets, ell: int, mechanism: Randomizer, rng: np.random.Generator) -> Vector:
    """Estimated shares (k,) of holders from one report per person."""
    place = (rng.random(data.n) * np.maximum(data.lengths, ell)).astype(np.int64)
    truthful = place < data.lengths
    # A uniform entry of the basket, or of its padding: the same law as cutting or padding first.
    sent = data.k + rng.integers(ell, size=data.n)
    sent[truthful] = data.codes[data.starts[:-1][truthful] + place[truthful]]
    counts = np.bincount(sent, minlength=mechanism.k)
    return ell * mechanism.simulate(counts, rng, 1)[0, : data.k]


def _length(lengths: NDArray[np.int64], mechanism: Randomizer, rng: np.random.Generator) -> int:
    """The length that covers 90 % of these people, from one report of each."""
    counts = np.bincount(np.minimum(lengths, mechanism.k - 1), minlength=mechanism.k)
    shares = np.maximum(mechanism.simulate(counts, rng, 1)[0], 0.0)
    upto = np.cumsum(shares) / max(shares.sum(), 1e-12)
    return max(1, int(np.searchsorted(upto, WHOLE)))
