"""What the numbers say: the sentences at the head of the pages. All of it is computed."""

from collections.abc import Callable, Sequence

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


def frequency_sentence(
    study: Study, found: ByKey, main: ShareFacts, named: Named, sensitive: str, labels: Sequence[str] = ()
) -> str:
    """The finding of the Frequency view: how well shares are known, how well those of marked values, and who is still
    exposed; then by what, and what that would be without marks. labels: of all values, where a single one that is not
    marked is to be named.
    """
    pair = rivals(found)
    if not main.marked.any():
        return _nothing_marked(study, found, main, named, sensitive)
    if found_levels := leveled(found):
        return _by_level(study, *found_levels, named, sensitive)
    who, *others = pair or (main,)
    known, by = _known(study, who, others, sensitive, labels), _by(who, others, named)
    if who.marked.sum() == 1:
        return _alone(who, known, by, labels)
    return t(
        "{known} The collector guesses <b>{success}</b> marked answers, a blind guess {blind}. {by}",
        known=known,
        success=words.tries(who.targeted),
        blind=words.tries(who.blind, short=True),
        by=by,
    )


def _alone(who: ShareFacts, known: str, by: str, labels: Sequence[str]) -> str:
    """Where one value is marked: what its report tells of it, as whoever knows that it is marked knows the answer."""
    open_ = [label for label, marked in zip(labels, who.marked, strict=False) if not marked]
    other = t("any other")
    if len(open_) == 1:
        other = t("“{answer}”", answer=widgets.escape(words.shorten(open_[0], 24)))
    pairs = words.of_100(who.told(int(who.marked.argmax())))
    return t(
        "{known} The collector tells it from {other} in <b>{pairs}</b> of 100 pairs (guessing: 50). {by}",
        known=known,
        other=other,
        pairs=pairs if np.isfinite(who.apart) else t("{pairs} or more", pairs=pairs),
        by=by,
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
    finding = by_level.bought(study, levels.error(), alike.error())
    holes = {
        "finding": finding,
        "secret": secret,
        "error": words.margin(levels.error("secret")),
        "before": words.margin(alike.error("secret")),
        "one": named(levels.key),
        "two": named(alike.key),
    }
    if levels.secret.sum() == 1:
        return t(
            "{finding} The {secret} share: {error}, not {before}. Whoever knows its level knows the answer. By {one}; "
            "by {two}.",
            **holes,
        )
    guessed, blind = levels.guessed("secret"), 1 / int(levels.secret.sum())
    return t(
        "{finding} The {secret} shares: {error}, not {before}; guessed in {success} tries, blind {blind}. By {one}; "
        "by {two}.",
        **holes,
        success=words.tries(guessed),
        blind=words.tries(blind, short=True),
    )


def _nothing_marked(study: Study, found: ByKey, main: ShareFacts, named: Named, sensitive: str) -> str:
    eps, none = words.epsilon(study.epsilon), unmarked(widgets.escape(study.column), sensitive=sensitive)
    shown = [named(key) for key, fact in found.items() if fact.mechanism.disclosure().min() >= 1]
    then = t("{mechanisms} would send every answer as it is.", mechanisms=words.listing(shown)) if shown else ""
    if main.promise != "LDP":
        more = t("{none}. Mark some, or choose a mechanism that protects every value.", none=none)
        return f"{more} {then}".strip()
    holes = {"none": none, "eps": eps, "mechanism": named(main.key), "error": words.margin(main.error())}
    finding = t(
        "{none}. As if all were, at ε = {eps} shares are known to {error} points, by {mechanism}.",
        **holes,
    )
    if not main.beats_not_asking():
        finding = t(
            "{none}. As if all were, at ε = {eps} shares are known to {error} points, by {mechanism}, "
            "worse than not asking: equal shares for all would be closer.",
            **holes,
        )
    return f"{finding} {then}".strip()


def _known(study: Study, who: ShareFacts, others: Sequence[ShareFacts], sensitive: str, labels: Sequence[str]) -> str:
    """How well shares are known, and those of marked values, which marks gain less; how many of them are rarer."""
    holes = {"eps": words.epsilon(study.epsilon), "error": words.margin(who.error())}
    if not who.beats_not_asking(*others):
        return t(
            "At ε = {eps} shares are known to {error} points, worse than not asking: equal shares for all would be "
            "closer.",
            **holes,
        )
    finding = _rarer(_marked(words.epsilon(study.epsilon), who, sensitive), who)
    if who.marked.all():
        return t("{finding}.", finding=finding)
    holes = {"finding": finding, "error": words.margin(who.error("other"))}
    open_ = [label for label, marked in zip(labels, who.marked, strict=False) if not marked]
    if len(open_) == 1:
        return t("{finding}, “{other}” to <b>{error}</b>.", other=widgets.escape(words.shorten(open_[0], 24)), **holes)
    return t("{finding}, others to <b>{error}</b>.", **holes)


def _marked(eps: str, who: ShareFacts, sensitive: str) -> str:
    """How well the shares of marked values are known; of all, where all are marked."""
    holes = {"eps": eps, "error": words.margin(who.error("sensitive"))}
    if who.marked.all():
        return t("At ε = {eps} shares are known to <b>{error}</b> points", **holes)
    holes["sensitive"] = sensitive
    if who.marked.sum() == 1:
        return t("At ε = {eps} the {sensitive} share is known to <b>{error}</b> points", **holes)
    return t("At ε = {eps} {sensitive} shares are known to <b>{error}</b> points", **holes)


def _rarer(finding: str, who: ShareFacts) -> str:
    """How many of the marked values are rarer than their error."""
    rare, marked = who.unmeasurable, int(who.marked.sum())
    if not rare:
        return finding
    if marked == 1:
        return t("{finding} (too rare)", finding=finding)
    if rare == marked:
        return t("{finding} (all {marked} too rare)", finding=finding, marked=marked)
    if rare == 1:
        return t("{finding} (one of {marked} too rare)", finding=finding, marked=marked)
    return t("{finding} ({rare} of {marked} too rare)", finding=finding, rare=words.count(rare), marked=marked)


def _by(who: ShareFacts, others: Sequence[ShareFacts], named: Named) -> str:
    """By what, and what that is where marks change nothing: in small type, beside the finding."""
    by = t("By {mechanism}.", mechanism=named(who.key))
    if others:
        scopes = ("all",) if who.marked.all() or not who.beats_not_asking(others[0]) else ("sensitive", "other")
        errors = ", ".join(words.margin(others[0].error(scope)) for scope in scopes)
        by = t("By {one}; without marks, {two}: {errors}.", one=named(who.key), two=named(others[0].key), errors=errors)
    return f'<span class="quiet">{by}</span>'


def overview_sentence(column: str, study: Study, found: ByKey, main: ShareFacts, named: Named, sensitive: str) -> str:
    """What a stakeholder takes home: what the marks buy, and its price. column: its name, as HTML."""
    pair = rivals(found) if main.marked.any() and not main.marked.all() and not leveled(found) else None
    if pair is None:
        return frequency_sentence(study, found, main, named, sensitive)
    holes = {
        "eps": words.epsilon(study.epsilon),
        "sensitive": sensitive,
        "marked": int(main.marked.sum()),
        "k": len(main.marked),
        "column": column,
    }
    only = t("At ε = {eps}, protecting {marked} {sensitive} values of {column}, not all {k},", **holes)
    if holes["marked"] == 1:
        only = t("At ε = {eps}, protecting {marked} {sensitive} value of {column}, not all {k},", **holes)
    ratio, price = gain(*pair), by_level.price(*pair)
    alike = words.times(gain(*pair, "sensitive")) == words.times(ratio) and not pair[0].unmeasurable
    if ratio >= GAINED and alike:
        return t("{only} makes all shares <b>{times} more exact</b>. {price}",
                 only=only, times=words.times(ratio), price=price)  # fmt: skip
    if ratio >= GAINED:
        return t("{only} makes shares <b>{times} more exact</b>, {marked} {price}",
                 only=only, times=words.times(ratio), marked=_own(*pair), price=price)  # fmt: skip
    if ratio <= LOST:
        return t("{only} makes the shares less exact. {price}", only=only, price=price)
    return t("{only} changes the error little. {price}", only=only, price=price)


def _own(with_marks: ShareFacts, without: ShareFacts) -> str:
    """What of a gain over all shares reaches the marked values themselves."""
    ratio, rare = gain(with_marks, without, "sensitive"), with_marks.unmeasurable
    if int(with_marks.marked.sum()) == 1:
        finding = t("that one {times}", times=words.times(ratio)) if ratio >= GAINED else t("not that one")
        return t("{finding} (it stays too rare).", finding=finding) if rare else t("{finding}.", finding=finding)
    finding = (
        t("the sensitive ones {times}", times=words.times(ratio)) if ratio >= GAINED else t("not the sensitive ones")
    )
    if not rare:
        return t("{finding}.", finding=finding)
    if rare == 1:
        return t("{finding} (one stays too rare).", finding=finding)
    return t("{finding} ({rare} stay too rare).", finding=finding, rare=rare)
