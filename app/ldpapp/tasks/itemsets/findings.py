"""The sentences of the Itemsets page, computed: who finds what, at which bill, and what a switch would change."""

import math
from collections.abc import Callable, Mapping

import numpy as np

from ldpapp import words
from ldpapp.tasks.itemsets.data import CATALOG, Shown
from ldpcore.itemsets import Leak
from ldpcore.itemsets.ledger import delta

Named = Callable[[str], str]


def sets(one: Shown, of: bool = False) -> str:
    """ "257 of 326 frequent sets, 12 false (F = 0.85)" or "257, 12 false (F = 0.85)": no hits without the misses."""
    scored = one.scores
    true = f" of {words.count(scored.found + scored.missed)} frequent sets" if of else ""
    false = words.count(scored.false) if scored.false else "none"
    return f"{words.count(scored.found)}{true}, {false} false (F = {_f(one):.2f})"


def doubt(one: Shown) -> str:
    """What stands against the hits: an ε that holds on paper only, and what coin tosses would find."""
    if not one.on_paper:
        return ""
    if not one.by_chance:
        return ", on paper only"
    return f", on paper only: a coin toss for each of its candidates finds {words.count(one.coins[0])}"


def bill(one: Shown) -> str:
    """ε as the miner books it."""
    total = one.mined.ledger.total
    if not math.isfinite(total):
        return "no ε at all"
    return f"ε = {words.decimals(total) if total >= 10 else words.epsilon(total)}"


def nothing_frequent(least: int, n: int, most: int) -> str:
    """When no set is frequent."""
    return (
        f"No item is in {words.count(least)} of the {words.count(n)} baskets: nothing is frequent, so nothing can be "
        f"found or missed. The commonest item is in {words.count(most)}."
    )


def sentence(
    same: str,
    point: str,
    shown: Mapping[str, Shown],
    other: Mapping[str, Shown],
    s: float,
    epsilon: float,
    named: Named,
) -> str:
    """`shown` at what is equal now (`same`: "epsilon" or "s"), `other` under the other comparison.

    `point` is the equal thing in words, such as "total ε = 5".
    """
    dfdp, there = shown.get("DFDP"), other.get("DFDP")
    said = [f"At the same {point} {_turn(shown, other, named)}"]
    if dfdp is not None and dfdp.question.clip is not None:
        said.append(_clipped(dfdp))
    elif there is not None and same == "epsilon":
        said.append(f"At s = {words.epsilon(s)} per count DFDP finds {sets(there)}, for a bill of {bill(there)}.")
    elif there is not None and dfdp is not None:
        said.append(
            f"DFDP’s bill is {bill(dfdp)}; cut to ε = {words.epsilon(epsilon)} it finds {sets(there)}{doubt(there)}."
        )
    return " ".join(said)


def _f(one: Shown) -> float:
    return 0.0 if math.isnan(one.scores.f) else one.scores.f


def _turn(shown: Mapping[str, Shown], other: Mapping[str, Shown], named: Named) -> str:
    """The best of those that keep their promise, then DFDP; and whether the other comparison ranks them otherwise."""
    order = sorted(shown, key=lambda key: -_f(shown[key]))
    order = [key for key in order if CATALOG[key].promise != "none"] or order
    first = next((key for key in order if not shown[key].on_paper), order[0])
    last = "DFDP" if "DFDP" in order and first != "DFDP" else order[-1]
    pair = ("DFDP", "SmartTrunc")
    turned = all(key in here for key in pair for here in (shown, other)) and (
        (_f(shown[pair[0]]) - _f(shown[pair[1]])) * (_f(other[pair[0]]) - _f(other[pair[1]])) < 0
    )
    turned = turned and _f(shown[pair[0]]) < _f(shown[pair[1]])
    lead = f"{named(first)} finds {sets(shown[first], True)}{doubt(shown[first])}"
    text = f"{lead}; {named(last)} {sets(shown[last])}{doubt(shown[last])}." if last != first else f"{lead}."
    return f"the ranking turns round: {text}" if turned else text


def _clipped(dfdp: Shown) -> str:
    """What the limit hides: δ of one count, and of all that a basket can move."""
    spend = dfdp.mined.ledger.spends[0]
    one = probability(delta(spend.scale, spend.clip))
    rest = "almost surely" if dfdp.delta >= 0.995 else f"with {probability(dfdp.delta)}"
    return (
        f"What ±{dfdp.question.clip:g} hides: one count of DFDP proves that a basket is there with probability {one}, "
        f"all counts {rest}."
    )


def promise(one: Shown) -> tuple[str, str]:
    """(the privacy bill, whether the promise is kept) of one card."""
    entry, ledger = CATALOG[one.key], one.mined.ledger
    if not math.isfinite(ledger.total):
        return "none: the truth is published", entry.kept
    paid = bill(one)
    if not math.isfinite(ledger.defended):
        return f"<b>{paid} on paper only</b>", entry.kept
    if one.delta > 0:
        return f"<b>{paid}</b>, δ = {probability(one.delta)}", f"no: noise within ±{one.question.clip:g}"
    who = " for each person" if entry.promise == "LDP" else ""
    return f"<b>{paid}</b>{who}", entry.kept


def leaks(found: Leak, own: Leak | None, s: float, escape: Callable[[object], str]) -> str:
    """The leak of the candidates, in plain words with its numbers."""
    hinge, top = " + ".join(map(str, found.hinge)), found.witnesses.iloc[0]
    least = _count(found)
    start = (
        f"Leave {words.plural(found.taken, 'basket')} out, so that <b>{escape(hinge)}</b> is in just {least}."
        if found.taken
        else f"<b>{escape(hinge)}</b> is in just {least} baskets of these data."
    )
    witness = escape(" + ".join(map(str, top["itemset"])))
    text = (
        f"{start} One more basket goes, one that holds it: it is no longer frequent, and DFDP no longer looks at "
        f"<b>{witness}</b>. With that basket DFDP publishes it with probability <b>{probability(found.p)}</b>, without "
        "it <b>never</b>. Seeing it published proves that the basket was there; no ε allows that."
    )
    if len(found.witnesses) > 1:
        text += f" One or more of {len(found.witnesses)} such sets: {probability(found.any)}."
    if own is not None and found.taken:
        text += f" With nothing left out, the loaded data themselves have a pair with {probability(own.any)}."
    return text


def _count(found: Leak) -> str:
    """How many baskets hold every item of the hinge; none holds an item twice."""
    data = found.before
    codes = data.encode(set(found.hinge))
    held = np.bincount(data.owners[np.isin(data.codes, codes)], minlength=1)
    return words.count(int(np.count_nonzero(held == len(codes))))


def probability(p: float) -> str:
    """0.5 → "0.50", 0.00056 → "0.00056", 0.9996 → "over 0.99"."""
    if p >= 0.995:
        return "over 0.99"
    return f"{p:.2f}" if p >= 0.1 else f"{p:.2g}" if p >= 1e-4 else words.scientific(p)
