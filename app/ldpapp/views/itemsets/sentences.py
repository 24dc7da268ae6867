"""The sentences of the Itemsets page, computed: who finds what, at which bill, and what a switch would change."""

import math
from collections.abc import Callable, Mapping

from ldpapp import words
from ldpapp.views.itemsets.terms import Terms
from ldpapp.words.language import t
from ldpcore.itemsets import CandidateLeak
from ldpcore.itemsets.ledger import delta
from ldpcore.itemsets.question import GroundTruth
from ldpcore.study.itemsets import CATALOG, PAIR
from ldpcore.study.itemsets.compare import JOIN, Outcome, best
from ldpcore.study.itemsets.facts import ranked

Named = Callable[[str], str]
Runs = Mapping[str, Outcome]


# the headline ----------------------------------------------------------------------------------------------------


def headline(same: str, runs: Runs, ground: GroundTruth, s: float, epsilon: float, named: Named, said: Terms) -> str:
    """The best of all miners first: what it finds in this run of all that is frequent; then DFDP, or the last of all,
    what it costs, and why its promise does not hold. `runs` with the equal thing of now (`same`: "epsilon" or "s").
    """
    every, frequent = runs, said.frequent(ground.truth.published, ground.least)
    if same == "s":  # the others do not take part in this comparison
        counted = {key: one for key, one in runs.items() if CATALOG[key].per_count}
        same, runs = ("s", counted) if counted else ("epsilon", runs)
    promising = {key: one for key, one in runs.items() if CATALOG[key].promise != "none"}
    if not promising:
        return _exact(frequent, next(iter(runs.values())), named)
    total = t("total ε = {eps}", eps=words.epsilon(epsilon))
    point = t("s = {s}", s=words.epsilon(s)) if same == "s" else total
    first, last = ranked(promising)
    if (overall := best(every)) is not None and overall not in runs:
        first, at = overall, total  # the best of all has no s
    else:
        at = point
    one, two = every[first], promising[last]
    holes = {"one": named(first), "found": words.count(one.scores.found), "false": words.count(one.scores.false)}
    finding = text = t("{one} finds <b>{found}</b> of {frequent}, reports {false} that are not, in this run at {point}",
                            **holes, frequent=frequent, point=at)  # fmt: skip
    if last != first:
        other = named(last) if at == point else t("at {point} {miner}", point=point, miner=named(last))
        holes = {"found": words.count(two.scores.found), "false": words.count(two.scores.false)}
        text = t("{other} {found} and {false}", other=other, **holes)
    if same == "s" and last == "DFDP":  # all else of it is equal but what it costs
        text = t("{results} for {bill}", results=text, bill=bill(two))
    if why := _broken(two):
        text = t("{results}, promise broken: {why}", results=text, why=why)
    text = f"{text}."
    if last != first:
        text = f'{finding}; <span class="quiet">{text}</span>'
    return f"{text} {_given(promising, last, named, said)}".strip()


def _exact(frequent: str, one: Outcome, named: Named) -> str:
    return t(
        "{miner} publishes {found} of {frequent} with their exact counts: nobody is protected.",
        frequent=frequent,
        found=words.count(one.scores.found),
        miner=named(one.key),
    )


def _broken(one: Outcome) -> str:
    """Why what a miner promises does not hold; "" where it does."""
    if one.delta > 0:
        holes = {"clip": f"{one.question.clip:g}", "p": probability(one.delta)}
        return t("±{clip} noise gives somebody away (p {p})", **holes)
    return t("true counts choose what it asks") if one.on_paper else ""


def _given(runs: Runs, last: str, named: Named, said: Terms) -> str:
    """What limited noise gives away, of others than the `last`."""
    limited = next((one for key in (*PAIR, *runs) if (one := runs.get(key)) and one.delta > 0), None)
    if limited is None or limited.key == last:
        return ""
    return said.given(f"{limited.question.clip:g}", probability(limited.delta), named(limited.key))


# the bill --------------------------------------------------------------------------------------------------------


def bill(one: Outcome) -> str:
    """ε as the miner books it."""
    total = one.mined.ledger.total
    if not math.isfinite(total):
        return t("no ε at all")
    return t("ε = {eps}", eps=words.decimals(total) if total >= 10 else words.epsilon(total))


def promise(one: Outcome, said: Terms) -> tuple[str, str]:
    """(the privacy bill, whether the promise is kept) of one card."""
    entry, paid = CATALOG[one.key], bill(one)
    if rest := unspent(one):
        paid = f"{paid} {rest}"
    kept = said.kept(entry.kept)
    if not math.isfinite(one.mined.ledger.total):
        return t("none: the truth is published"), kept
    if one.on_paper:
        return t("<b>{bill} on paper only</b>", bill=paid), kept
    if one.delta > 0:
        limited = t("no: noise within ±{clip}", clip=f"{one.question.clip:g}")
        return t("<b>{bill}</b>, δ = {delta}", bill=paid, delta=probability(one.delta)), limited
    if entry.promise == "LDP":
        return t("<b>{bill}</b> for each person", bill=paid), kept
    return f"<b>{paid}</b>", kept


def sent(one: Outcome, named: Named, said: Terms) -> str:
    """How long the reports of a miner without a curator are."""
    return t(
        "{miner}: a report has {bits} bits, on average. A curator is sent {whole} as they are.",
        miner=named(one.key), bits=words.count(one.mined.bits), whole=said.whole,
    )  # fmt: skip


def unspent(one: Outcome) -> str:
    """Why a bill is below the budget that all miners have; "" where it is not, and where each count has the same s."""
    asked, total = one.question, one.mined.ledger.total
    if asked.s is not None or not total < 0.995 * asked.epsilon:
        return ""
    return t("of {eps}: the rest is for longer sets, and none was counted", eps=words.epsilon(asked.epsilon))


def elsewhere(same: str, there: Outcome, s: float, epsilon: float) -> str:
    """What DFDP finds in the other comparison, with its misses, its bill and what coin tosses find."""
    scored = there.scores
    holes = {
        "dfdp": there.key,
        "found": words.count(scored.found),
        "true": words.count(scored.found + scored.missed),
        "false": words.count(scored.false),
        "f": f"{there.f:.2f}",
    }
    if same == "epsilon":
        return t(
            "At s = {s} per count {dfdp} finds {found} of {true} frequent sets, {false} false (F = {f}), for a bill of "
            "{bill}.",
            s=words.epsilon(s),
            bill=bill(there),
            **holes,
        )
    holes["eps"] = words.epsilon(epsilon)
    if there.by_chance:
        return t(
            "Cut to ε = {eps} {dfdp} finds {found} of {true} frequent sets, {false} false (F = {f}); a coin toss for "
            "each of its candidates finds {coins}.",
            coins=words.count(there.coins[0]),
            **holes,
        )
    return t("Cut to ε = {eps} {dfdp} finds {found} of {true} frequent sets, {false} false (F = {f}).", **holes)


def limited(one: Outcome, said: Terms) -> str:
    """What limited noise hides: δ of one count, and of all that the longest basket can move."""
    spend, clip = one.mined.ledger.spends[0], f"{one.question.clip:g}"
    return said.proves(clip, one.key, probability(delta(spend.scale, spend.clip)), probability(one.delta))


# the leak --------------------------------------------------------------------------------------------------------


def leaks(
    found: CandidateLeak, own: CandidateLeak | None, least: int, escape: Callable[[object], str], baskets: Terms
) -> str:
    """The leak of the candidates, in plain words with its numbers. `own`: that of the loaded data, where they have one.

    The hinge is in just `least` baskets: with one less it is not frequent.
    """
    witness = escape(JOIN.join(map(str, found.witnesses.iloc[0]["itemset"])))
    sentences = [
        baskets.hinge(escape(JOIN.join(map(str, found.hinge))), least, found.taken),
        baskets.witness(witness, probability(found.p)),
    ]
    if len(found.witnesses) > 1:
        many = words.count(len(found.witnesses))
        sentences.append(t("One or more of {n} such sets: {p}.", n=many, p=probability(found.any)))
    if own is not None and found.taken:
        sentences.append(
            t("With nothing left out, the loaded data themselves have a pair with {p}.", p=probability(own.any))
        )
    return " ".join(sentences)


def repair(runs: Runs, named: Named, said: Terms) -> str:
    """What does not leak so, with what it finds."""
    key, what = best(runs), said.repair()
    if key is None:
        return t("{what} {miner} does that.", what=what, miner=CATALOG["Capped"].label)
    one = runs[key]
    return t(
        "{what} {miner} does that: at {bill} it finds {found} sets, {false} false.",
        what=what,
        miner=named(key),
        bill=bill(one),
        found=words.count(one.scores.found),
        false=words.count(one.scores.false),
    )


def probability(p: float) -> str:
    """0.5 → "0.50", 0.00056 → "0.00056", 0.9996 → "over 0.99"."""
    if p >= 0.995:
        return t("over {p}", p="0.99")
    return f"{p:.2f}" if p >= 0.1 else f"{p:.2g}" if p >= 1e-4 else words.scientific(p)


def published(miners: Runs, epsilon: float, named: Named) -> str:
    """What a report says that is published: how much is found of the truth stays internal."""
    return t(
        "At ε = {eps}: what {miners} promise, and what it costs. How much of the truth they find is internal.",
        eps=words.epsilon(epsilon),
        miners=words.listing(map(named, miners)),
    )
