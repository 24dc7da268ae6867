"""The headline of the Sets view, from its numbers: what is known, who is guessed, by what."""

from collections.abc import Mapping

import pandas as pd

from ldpapp import words
from ldpapp.parts import curve_words, widgets
from ldpapp.views.sets import by_level
from ldpapp.views.sets.sentences import Named
from ldpapp.words.language import t
from ldpcore import catalog, plan
from ldpcore.data import Baskets
from ldpcore.study import Study
from ldpcore.study import sets as task
from ldpcore.study.sets.facts import CUT, MEMBERSHIP, PRESENCE, leaky, leveled, smaller
from ldpcore.study.sets.point import ItemFacts
from ldpcore.study.sets.tables import COIN, success, worst

USELESS = 0.5
"""A typical error above this is worse than saying that every second person holds every item."""


def sentence(
    study: Study,
    found: Mapping[str, ItemFacts],
    main: ItemFacts,
    attacked: pd.DataFrame,
    named: Named,
    colored: Named,
    filling: bool = False,
) -> str:
    """What the estimates are worth, and who is still exposed, by what surveys of the `attacked` tell. `found` are
    those that protect something; `colored` writes a word in the colour of what is marked. filling: more surveys of
    those that it speaks of are to come.
    """
    eps = words.epsilon(study.epsilon)
    if not main.here.marked.any():
        return _every(eps, main, named)
    if pair := leveled(found.values()):
        return by_level.sentence(study, *pair, named, colored)
    holes = {"known": _known(eps, main, colored), "by": _by(found, main, named)}
    # The mechanism whose promise leaves the whole report out, where one is compared.
    seen_from = leaky(found, main)
    guess = _guess(study, attacked, main, filling)
    if not guess:
        return t('{known} <span class="quiet">{by}.</span>', **holes)
    if seen_from is main:
        return t('{known} {guess} <span class="quiet">{by}.</span>', guess=guess, **holes)
    right, low, high = (success(attacked, seen_from.key, PRESENCE, end) for end in ("value", "low", "high"))
    if right is None or low is None or high is None:
        return t('{known} {guess} <span class="quiet">{by}.</span>', guess=guess, **holes)
    rate = t("{right} ({low}–{high})", right=words.of_100(right), low=words.of_100(low), high=words.of_100(high))
    return t(
        '{known} {guess} <span class="quiet">{by}; {mechanism}: {rate} of 100.</span>',
        guess=guess,
        mechanism=named(seen_from.key),
        rate=words.of_100(right) if filling else rate,
        **holes,
    )


def _guess(study: Study, attacked: pd.DataFrame, main: ItemFacts, filling: bool) -> str:
    """How often one report tells whether anything marked is held, how far from a coin's 50 where its interval does not
    hold that, and what else it tells more surely; "" before the first survey.
    """
    right, low, high = (success(attacked, main.key, PRESENCE, end) for end in ("value", "low", "high"))
    if right is None or low is None or high is None:
        return ""
    rate = t("{right} of 100 so far", right=words.of_100(right)) if filling else words.chance_of_100(right)
    inside, ends = low <= COIN <= high, {"low": words.of_100(low), "high": words.of_100(high)}
    if not filling:
        span = t("{low}–{high}; coin: 50", **ends) if inside else t("{low}–{high}", **ends)
        rate = f"{rate} ({span})"
    if inside:
        finding = t("Who holds one is guessed in {rate}", rate=rate)
    elif right > COIN:
        finding = t("Who holds one is guessed in {rate}, {gap} above a coin", rate=rate, gap=words.of_100(right - COIN))
    else:
        finding = t("Who holds one is guessed in {rate}, {gap} below a coin", rate=rate, gap=words.of_100(COIN - right))
    best = None if filling else worst(study, attacked, main)
    if best is None or best.metric != MEMBERSHIP:
        return t("{finding}.", finding=finding)
    items = main.here.targets(task.options(study).targets)[best.scope]
    return t(
        "{finding}, “{item}” in {right} ({low}–{high}).",
        finding=finding,
        item=words.listing(widgets.escape(words.shorten(main.here.baskets.labels[i], 30)) for i in items),
        right=words.of_100(best.right),
        low=words.of_100(best.low),
        high=words.of_100(best.high),
    )


def larger_epsilon(study: Study, held: Baskets, main: ItemFacts, named: Named) -> str:
    """Where a smaller ε, which promises more, is more exact; "" where none is."""
    better = smaller(study, held, main)
    if better is None:
        return ""
    published = catalog.RISES in catalog.ITEMS[main.key].caveats
    epsilons = main.here.least_epsilon, better[0]
    finding = curve_words.less_exact(named(main.key), published, epsilons, (main.error(), better[1]))
    if not finding or not main.whole:
        return finding
    won, less = (words.of_100(plan.of_two(epsilon), most=True) for epsilon in epsilons)
    if won == less:
        return finding
    return t(
        "{finding} For that, which of two hidden items is held may be told in {won} of 100 cases, not {less}.",
        finding=finding,
        won=won,
        less=less,
    )


def _every(eps: str, main: ItemFacts, named: Named) -> str:
    """Nothing is marked, and something protects every item."""
    text = t(
        "Nothing is marked. As if all items were, at ε = {eps} shares are known to {error} points, by {mechanism}",
        eps=eps,
        error=words.margin(main.chance["all"]),
        mechanism=named(main.key),
    )
    return _lost(text, main, "all")


def _known(eps: str, main: ItemFacts, colored: Named) -> str:
    """What is protected, and how well its shares of holders are known, then those of others. Each ± is chance; what cut
    sets lose stands beside it.
    """
    marked = int(main.here.marked.sum())
    holes = {"eps": eps, "error": words.margin(main.chance["sensitive"]), "sensitive": colored(t("sensitive"))}
    holes["of"] = words.count(len(main.here.marked))
    text = t(
        "At ε = {eps}, {n} {sensitive} items of {of} are known to {error} points",
        n=words.count(marked), **holes,
    )  # fmt: skip
    if marked == 1:
        text = t("At ε = {eps}, the {sensitive} item of {of} is known to {error} points", **holes)
    if rare := main.too_rare:
        few = t("{n} too rare", n=words.count(rare))
        text = f"{text} ({t('too rare') if marked == 1 else few})"
    if "other" not in main.chance:
        text = text if marked == 1 else t("{known}, on average", known=text)
    else:
        text = t("{known}, others to {other}, on average", known=text, other=words.margin(main.chance["other"]))
    return _lost(text, main, "sensitive")


def _by(found: Mapping[str, ItemFacts], main: ItemFacts, named: Named) -> str:
    """By what, and the least error on sensitive items of what knows no marks."""
    every = [fact for fact in found.values() if fact.promise == "LDP" and fact is not main]
    if not every or main.promise == "LDP" or main.chance["sensitive"] > USELESS:
        return t("By {mechanism}", mechanism=named(main.key))
    best = min(every, key=ItemFacts.error)
    return t(
        "By {mechanism}; {best}, without marks: {more}",
        mechanism=named(main.key),
        best=named(best.key),
        more=words.margin(best.chance["sensitive"]),
    )


def _lost(text: str, main: ItemFacts, scope: str) -> str:
    """A sentence about chance, of items of this scope, and what cut sets lose besides, the most of any of them."""
    if main.chance[scope] > USELESS:
        return t("{text}, worse than guessing 50 % throughout.", text=text)
    if main.cut[scope] < CUT:
        return f"{text}."
    return t("{text}; cuts take up to {loss} more.", text=text, loss=words.decimals(100 * main.cut[scope]))
