"""What the Sets view says, from its numbers."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

from ldpapp import words
from ldpapp.parts import curve_words, widgets
from ldpapp.parts.panels import Box
from ldpapp.views.sets import by_level
from ldpapp.words.language import t
from ldpcore import catalog, plan
from ldpcore.data import Baskets
from ldpcore.study import Study
from ldpcore.study import sets as task
from ldpcore.study.sets.curves import SetsCurveOptions
from ldpcore.study.sets.exposure import CROWD
from ldpcore.study.sets.facts import CUT, MEMBERSHIP, PRESENCE, leaky, leveled, smaller
from ldpcore.study.sets.point import ItemFacts
from ldpcore.study.sets.tables import COIN, success, worst
from ldpcore.study.sets.truncation import Padding
from ldpcore.study.sets.undisclosed import LEAKY

Named = Callable[[str], str]
"""A mechanism's name as the page writes it, beside its glyph."""
WORTH = 0.05
"""A smaller gain in error is not worth another m."""
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


def proposal(count: int, others: ItemFacts, sensitive: str) -> str:
    """What the marks would buy that are proposed: so many, and the other items' error with them."""
    items = words.plural(count, t("proposed item is"), t("proposed items are"))
    left = len(others.here.marked) - count
    error = words.margin(others.error("other"))
    return t(
        "If only the {items} {sensitive}, the other {left} would be known to {error}.",
        items=items,
        sensitive=sensitive,
        left=words.count(left),
        error=error,
    )


def unprotected(keys: Iterable[str], named: Named) -> str:
    """Nothing is marked, and all that is compared needs marks."""
    return t(
        "Nothing is marked, and {mechanisms} would protect nothing: mark items, or compare what protects every item.",
        mechanisms=words.listing(named(key) for key in keys),
    )


def idle(keys: Sequence[str], escape: Named) -> Box:
    """In the place of the curves of those that protect marked items alone, where none is marked."""
    names = words.listing(escape(key) for key in keys)
    return Box(
        t("Off: {mechanisms}", mechanisms=names),
        t(
            "They protect marked items only. Nothing is marked: every item may be shown as it is, so error and "
            "exposure are not compared."
        ),
        height=84,
    )


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


def refusals(reasons: Mapping[str, str]) -> str:
    """Why mechanisms do not exist here, a sentence each."""
    return " ".join(t("{mechanism}: {why}.", mechanism=key, why=why) for key, why in reasons.items())


def padding(found: Padding, main: ItemFacts, escape: Named) -> str:
    """What becomes of sets that are longer than m; "" where none is."""
    items = words.plural(main.here.m, t("item"), t("items"))
    if found.whole == 1:
        return ""
    holes = {"whole": words.share(found.whole), "items": items}
    if found.loss < CUT:
        text = t(
            "{whole} of the sets have at most {items} and stay whole; cutting the others hardly changes a share.",
            **holes,
        )
    else:
        text = t(
            "{whole} of the sets have at most {items} and stay whole; cutting the others takes {loss} points off "
            "{item}, the most: beside the ± above; the curves count it in.",
            **holes,
            loss=words.decimals(100 * found.loss),
            item=escape(found.item),
        )
    if found.gain < WORTH:
        return text
    return t(
        "{padding} With m = {best} the error of {mechanism} would be {gain} % smaller.",
        padding=text,
        best=found.best,
        mechanism=main.key,
        gain=words.ratio(100 * found.gain),
    )


def hidden(reasons: Mapping[str, str], escape: Named) -> list[str]:
    """Which of the chosen mechanisms are not shown, and why."""
    return [
        t("{mechanism} is not shown: {why}.", mechanism=escape(key), why=escape(why)) for key, why in reasons.items()
    ]


def inside(found: Mapping[str, ItemFacts], main: ItemFacts) -> str:
    """What the fold holds."""
    least = leaky(found, main)
    if least.promise == LEAKY and least.here.marked.any():
        return t(
            "{mechanism} · what {leaky} leaks",
            mechanism=main.key,
            leaky=least.key,
        )
    return t("{mechanism} over all items · what is promised", mechanism=main.key)


# the error -------------------------------------------------------------------------------------------------------


def error_drawn(view: SetsCurveOptions, study: Study, cut: bool) -> str:
    """What the error panel draws. cut: whether long sets are, which is a bias."""
    holes = {"surveys": words.plural(study.repetitions, t("survey"), t("surveys"))}
    if view.quantity == "largest":
        return t("Largest error of any share, points; lines join the marks. Mark: {surveys}.", **holes)
    if view.quantity == "mse":
        return t("Mean squared error of a share; lower is better. Line: theory. Mark: {surveys}.", **holes)
    if view.quantity == "typical":
        return t("Typical error of a share, points; lower is better. Line: theory. Mark: {surveys}.", **holes)
    if cut:
        return t("± 95 %, points, with the bias of cut sets; lower is better. Line: theory. Mark: {surveys}.", **holes)
    return t("± 95 %, points; lower is better. Line: theory. Mark: {surveys}.", **holes)


def floor(main: ItemFacts, least: float, view: SetsCurveOptions) -> str:
    """The least error found for the promise in focus, and how far the mechanism is from it, in the unit of the curves;
    `least` is its square.
    """
    part = dict(main.here.scopes)[view.scope]
    squared = float(main.here.noise(main.mechanism)[part].mean()) / least
    times = squared if view.quantity == "mse" else np.sqrt(squared)
    holes = {
        "least": curve_words.written(view.quantity, np.sqrt(least)),
        "times": f"{times:.2f}",
    }
    if main.promise == "LDP":
        return t(
            "least error found for what protects every item: {least}; noise: {times} times the least",
            **holes,
        )
    return t(
        "least error found: {least}; noise: {times} times the least",
        **holes,
    )


# the adversary ---------------------------------------------------------------------------------------------------


def unattacked(told: pd.DataFrame, people: int, height: int) -> Box:
    """Why there is no attack to show."""
    if not people:
        return Box(
            t("Nobody is attacked."), t("This Study asks for no attacks: its option attacks is 0."), height=height
        )
    if told.empty:
        return Box(t("People are being attacked."), t("The first answers come with the first surveys."), height=height)
    why = t("An attack needs {n} people who hold what it asks for, and as many who do not. Mark other items.", n=CROWD)
    return Box(t("Too few people to attack."), why, height=height)
