"""What the numbers say: the sentences at the head of the pages. All of it is computed."""

from collections.abc import Callable

import numpy as np

from ldpapp import words
from ldpapp.parts import curve_words, widgets
from ldpapp.parts import levels as by_level
from ldpapp.words.language import t, unmarked
from ldpcore import catalog
from ldpcore.data import Histogram
from ldpcore.study import Study
from ldpcore.study.frequency.facts import ByKey, ShareFacts, gain, leveled, rivals, smaller

Named = Callable[[str], str]
"""A mechanism's name as the page writes it, beside its glyph."""
GAINED, LOST = 1.05, 0.95
"""Ratios of errors between these change the error little."""


def frequency_sentence(study: Study, found: ByKey, main: ShareFacts, named: Named, sensitive: str) -> str:
    """The finding of the Frequency view: what the marks buy for all shares and for the marked ones, and who is still
    exposed.
    """
    eps = words.epsilon(study.epsilon)
    count = int(main.marked.sum())
    pair = rivals(found)
    if count == 0:
        return _nothing_marked(study, found, main, named, sensitive)
    if found_levels := leveled(found):
        return _by_level(study, *found_levels, named, sensitive)
    first = _alone(eps, main, named) if pair is None else _gain(eps, *pair, named, sensitive)
    if count == 1:
        return t(
            "{finding} One value is marked: whoever knows that an answer is {sensitive} knows the answer.",
            finding=first,
            sensitive=sensitive,
        )
    who = pair[0] if pair else main
    holes = {"finding": first, "success": words.tries(who.targeted), "blind": words.tries(who.blind, short=True)}
    if pair and pair[0].beats_not_asking(pair[1]):  # the marked answers are what was spoken of
        return t("{finding} The collector guesses {success}, blind {blind}.", **holes)
    return t(
        "{finding} The collector guesses {success} of the {sensitive} answers, blind {blind}.",
        **holes,
        sensitive=sensitive,
    )


def larger_epsilon(study: Study, counted: Histogram, main: ShareFacts, named: Named, sensitive: str) -> str:
    """Where a smaller ε is more exact: that, and what the larger one gives away for it; "" where none is."""
    better = smaller(study, counted, main.key)
    if better is None:
        return ""
    published = catalog.RISES in catalog.ANSWERS[main.key].caveats
    errors = main.error(), better.error()
    finding = curve_words.less_exact(named(main.key), published, (study.epsilon, better.cell.x), errors)
    count = int(main.marked.sum())
    if not finding or count == 1:
        return finding
    everybody = np.ones(len(main.marked), bool)
    won, less = (fact.targeted if count else fact.named(everybody) for fact in (main, better))
    holes = {"finding": finding, "won": words.of_100(won), "less": words.of_100(less)}
    if holes["won"] == holes["less"]:
        return finding
    if count:
        return t(
            "{finding} For that, {won} of 100 {sensitive} answers are guessed, not {less}.",
            **holes,
            sensitive=sensitive,
        )
    return t("{finding} For that, {won} of 100 answers are guessed, not {less}.", **holes)


def _by_level(study: Study, levels: ShareFacts, alike: ShareFacts, named: Named, secret: str) -> str:
    """What the third level buys against treating every marked answer as secret, for all shares and for the secret
    ones, and who is guessed.
    """
    finding = by_level.bought(study, named(levels.key), named(alike.key), levels.error(), alike.error())
    holes = {
        "finding": finding,
        "secret": secret,
        "error": words.margin(levels.error("secret")),
        "before": words.margin(alike.error("secret")),
    }
    if levels.secret.sum() == 1:
        return t(
            "{finding} The {secret} share: {error}, not {before}. Whoever knows its level knows the answer.", **holes
        )
    guessed, blind = levels.guessed("secret"), 1 / int(levels.secret.sum())
    return t(
        "{finding} The {secret} shares: {error}, not {before}; guessed in {success} tries, blind {blind}.",
        **holes,
        success=words.tries(guessed),
        blind=words.tries(blind, short=True),
    )


def _nothing_marked(study: Study, found: ByKey, main: ShareFacts, named: Named, sensitive: str) -> str:
    eps, none = words.epsilon(study.epsilon), unmarked(widgets.escape(study.column), sensitive=sensitive)
    first = t("{none}.", none=none)
    open_ones = [named(key) for key, fact in found.items() if fact.mechanism.disclosure().min() >= 1]
    if open_ones:
        first = t(
            "{none}: {mechanisms} would send every answer as it is.",
            none=none,
            mechanisms=words.listing(open_ones),
        )
    if main.promise != "LDP":
        return t("{finding} Mark some, or choose a mechanism that protects every value.", finding=first)
    holes = {"finding": first, "eps": eps, "mechanism": named(main.key), "error": words.margin(main.error())}
    if main.beats_not_asking():
        return t("{finding} At ε = {eps}, {mechanism} protects all of them and is off by {error} points.", **holes)
    return t(
        "{finding} At ε = {eps}, {mechanism} protects all of them and is off by {error} points, worse than not asking: "
        "equal shares for all would be closer.",
        **holes,
    )


def _alone(eps: str, main: ShareFacts, named: Named) -> str:
    holes = {"eps": eps, "mechanism": named(main.key), "error": words.margin(main.error())}
    if main.beats_not_asking():
        return t("At ε = {eps}, {mechanism} is off by {error} points.", **holes)
    return t(
        "At ε = {eps}, {mechanism} is off by {error} points, worse than not asking: equal shares for all would be "
        "closer.",
        **holes,
    )


def _gain(eps: str, with_marks: ShareFacts, without: ShareFacts, named: Named, sensitive: str) -> str:
    """What marks make of all shares, and of those of the marked values, which gain less."""
    holes = {
        "eps": eps,
        "one": named(with_marks.key),
        "error": words.margin(with_marks.error()),
        "two": named(without.key),
    }
    if not with_marks.beats_not_asking(without):
        return t(
            "At ε = {eps}, {one} is off by {error} points, {two} by {other}, both worse than not asking: equal shares "
            "for all would be closer.",
            **holes,
            other=words.margin(without.error()),
        )
    ratio = gain(with_marks, without)
    if ratio >= GAINED:
        finding = t(
            "At ε = {eps}, {one} ({error} points) is {times} more exact than {two}.", **holes, times=words.times(ratio)
        )
    elif ratio <= LOST:
        finding = t(
            "At ε = {eps}, {one} ({error} points) is {times} less exact than {two}.",
            **holes,
            times=words.times(1 / ratio),
        )
    else:
        finding = t("At ε = {eps}, {one} ({error} points) is about as exact as {two}.", **holes)
    return t("{all} {marked}", all=finding, marked=_gain_of_marked(with_marks, without, sensitive))


def _gain_of_marked(with_marks: ShareFacts, without: ShareFacts, sensitive: str) -> str:
    """The gain of the marked shares, and how many of them hold fewer people than their margin."""
    ratio, rare = gain(with_marks, without, "sensitive"), with_marks.unmeasurable
    marked = int(with_marks.marked.sum())
    holes = {"sensitive": sensitive, "error": words.margin(with_marks.error("sensitive"))}
    if ratio >= GAINED:
        finding = t("The {sensitive} shares: {times} ({error}).", **holes, times=words.times(ratio))
    elif ratio <= LOST:
        finding = t("The {sensitive} shares: {times} less exact ({error}).", **holes, times=words.times(1 / ratio))
    else:
        finding = t("The {sensitive} shares: no more exact ({error}).", **holes)
    if not rare:
        return finding
    if marked == 1:
        return t("{gain} It is below that ±.", gain=finding)
    if rare == marked:
        return t("{gain} All {marked} are below their ±.", gain=finding, marked=marked)
    if rare == 1:
        return t("{gain} One of {marked} is below its ±.", gain=finding, marked=marked)
    rare = words.cardinal(rare, start=True)
    return t("{gain} {rare} of {marked} are below their ±.", gain=finding, rare=rare, marked=marked)


def overview_sentence(
    where: tuple[str, str], study: Study, found: ByKey, main: ShareFacts, named: Named, sensitive: str
) -> str:
    """What a stakeholder takes home: what the marks buy, and its price. where: data and column, as HTML."""
    pair = rivals(found) if main.marked.any() and not leveled(found) else None
    holes: dict[str, object] = {"data": where[0], "column": where[1], "eps": words.epsilon(study.epsilon)}
    if pair is None:
        finding = frequency_sentence(study, found, main, named, sensitive)
        if leveled(found):
            return t("{data}, {column}. {finding}", data=where[0], column=where[1], finding=finding)
        return t("{data}, {column}, ε = {eps}. {finding}", **holes, finding=finding)
    shown = words.of_100(pair[0].shown)
    price = (
        t("{shown} of 100 of the <b>other</b> answers are then seen as they are.", shown=shown)
        if pair[0].shown > 0
        else t("No report shows another answer for sure.")
    )
    holes |= {"marked": int(main.marked.sum()), "k": len(main.marked), "sensitive": sensitive, "price": price}
    ratio = gain(*pair)
    if ratio >= GAINED:
        holes |= {"times": words.times(ratio), "own": _own(*pair)}
        return t(
            "{data}, {column}, ε = {eps}: marking {marked} of {k} values as {sensitive} makes the shares {times} more "
            "exact. {own} {price}",
            **holes,
        )
    if ratio <= LOST:
        return t(
            "{data}, {column}, ε = {eps}: marking {marked} of {k} values as {sensitive} makes the shares less exact. "
            "{price}",
            **holes,
        )
    return t(
        "{data}, {column}, ε = {eps}: marking {marked} of {k} values as {sensitive} changes the error little. {price}",
        **holes,
    )


def _own(with_marks: ShareFacts, without: ShareFacts) -> str:
    """What of a gain over all shares reaches the marked values themselves."""
    ratio, rare = gain(with_marks, without, "sensitive"), with_marks.unmeasurable
    marked = int(with_marks.marked.sum())
    if marked == 1:
        finding = t("The marked one gets {times} more exact", times=words.times(ratio))
        finding = finding if ratio >= GAINED else t("The marked one gets no more exact")
        return t("{finding}, and is below its ±.", finding=finding) if rare else t("{finding}.", finding=finding)
    finding = t("The marked ones get {times} more exact", times=words.times(ratio))
    finding = finding if ratio >= GAINED else t("The marked ones get no more exact")
    if not rare:
        return t("{finding}.", finding=finding)
    if rare == 1:
        return t("{finding}, and one of {marked} is below its ±.", finding=finding, marked=marked)
    return t("{finding}, and {rare} of {marked} are below their ±.", finding=finding, rare=rare, marked=marked)
