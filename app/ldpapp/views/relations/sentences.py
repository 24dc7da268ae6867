"""What the Relations view says beside its headline: numbers of points, limits, the test, odds and promises."""

import math
from collections.abc import Mapping

from ldpapp import words
from ldpapp.views.relations import cached, names
from ldpapp.views.relations.view import RelationsView
from ldpapp.words.language import t
from ldpcore.plan.answers import rounded_down
from ldpcore.relations import IndependenceTest, RelationEstimate
from ldpcore.study import Study
from ldpcore.study.relations import HOWEVER
from ldpcore.study.relations.mechanism import RelationFacts

WHOLE, TENTHS = 10, 1
"""Points of a margin from which on differences are written in whole points, and in tenths."""
WIDEST = 100
"""Points between which differences of shares lie."""
WORTH = 0.95
"""Another way of asking is worth a word where its margin is so many times this one's."""
CARE = 5.0
"""Standard errors above empty below which a group is to be read with care."""


def points(value: float, margin: float) -> str:
    """A number of points without its sign, with the digits that its margin leaves: "32", "4.2"."""
    digits = 0 if margin >= WHOLE else 1 if margin >= TENTHS else 2
    return f"{abs(value):,.{digits}f}".replace(",", words.THIN)


def margin(value: float) -> str:
    """ "± 12", "± 2.2"; a difference lies within 100 points, and a margin that is wider says no more than that."""
    if value > WIDEST:
        return t("over ± 100")
    return t("± {margin}", margin=points(value, value))


def way(value: float, scale: float) -> str:
    """ "32 points rarer", "4 points commoner"; "" where it rounds to none."""
    written = points(value, scale)
    if float(written.replace(words.THIN, "")) == 0:
        return ""
    return t("{n} points rarer", n=written) if value < 0 else t("{n} points commoner", n=written)


def signed(value: float, scale: float) -> str:
    """ "−32", "+4.2", "0"."""
    written = points(value, scale)
    if float(written.replace(words.THIN, "")) == 0:
        return "0"
    return f"{words.MINUS if value < 0 else '+'}{written}"


def interval(low: float, high: float, scale: float) -> str:
    """ "−45 to −20"; an end that is nowhere is left open."""
    if not (math.isfinite(low) and math.isfinite(high)):
        return t("any difference")
    return t("{low} to {high}", low=signed(low, scale), high=signed(high, scale))


def smaller(one: RelationFacts) -> str:
    """Where a smaller ε, which promises more, is more exact; "" where none is, or while it is not computed."""
    better = cached.smaller(one)
    if better is None or math.isnan(better[0]):
        return ""
    return t(
        "{mechanism} is made for shares, not for differences: at ε = {eps} it is {margin} points.",
        mechanism=one.key,
        eps=words.epsilon(better[0]),
        margin=margin(better[1]),
    )


def limits(least: Mapping[str, float], by_level: bool = False) -> str:
    """What nothing undercuts here, by how it is asked, in this order, nan while it is not computed, or where it is not
    known. by_level: secret answers have their own ε, which that of all that hides both does not know.
    """
    known = {asked: value for asked, value in least.items() if value > 0}
    if next(iter(least)) not in known:
        return ""
    sentence = t("Limits: {limits}.", limits=", ".join(_limit(asked, _least(value)) for asked, value in known.items()))
    if len(known) == 1:
        ((asked, value),) = known.items()
        sentence = t("No mechanism asked so gets below {least} here.", least=_least(value))
        if asked == HOWEVER:
            sentence = t("No mechanism that hides both gets below {least} here.", least=_least(value))
    return f"{sentence} {t('The last of them has one ε for all.')}" if by_level and HOWEVER in known else sentence


def _limit(asked: str, least: str) -> str:
    if asked == HOWEVER:
        return t("{least} however both are hidden", least=least)
    return t("{least} {setting}", least=least, setting=names.setting(asked))


def _least(value: float) -> str:
    """A margin that nothing undercuts: never rounded up."""
    return margin(value) if value > WIDEST else t("± {margin}", margin=words.plain(rounded_down(value)))


def left_out(view: RelationsView) -> str:
    """How many are not counted; "" for nobody."""
    if not view.people.left_out:
        return ""
    return t("{n} people who left one out are not counted.", n=words.count(view.people.left_out))


def care(estimate: RelationEstimate) -> str:
    """A word of caution where a group passed the rule by little; "" elsewhere."""
    if estimate.told and estimate.size_in_errors < CARE:
        times = words.fixed(float(estimate.size_in_errors), 1)
        return t("The smaller side is estimated at only {times} times its own error: read with care.", times=times)
    return ""


# the test, odds and strength -----------------------------------------------------------------------------------------


def relation(test: IndependenceTest | None, groups: int, answers: int) -> str:
    """How all groups and all answers were tested, in a line: the headline says what it came to."""
    of = t("{groups} × {answers}", groups=groups, answers=answers)
    if test is None:
        return t("Over all {of}: surveys for the test are being drawn.", of=of)
    if not test.df:
        return ""
    degrees = words.plural(test.df, t("degree of freedom"), t("degrees of freedom"))
    first = t("{of} test: {degrees}.", of=of, degrees=degrees)
    drawn = {"permutation": t("By permutation, exact."), "drawn": t("About: by drawn surveys.")}.get(test.how, "")
    return f"{first} {drawn}".strip()


def odds(one: RelationFacts) -> str:
    """The odds ratio with its interval, beside the raw one."""
    ratio, estimate = one.odds, one.odds_estimate
    is_open = not math.isfinite(ratio["high"])
    if not estimate.told or not math.isfinite(ratio["estimate"]) or (is_open and ratio["low"] < 0.005):
        return t("The odds ratio cannot be told.")
    holes = {"low": _odds(ratio["low"]), "high": _odds(ratio["high"]), "ratio": _odds(ratio["estimate"])}
    if is_open:  # one share may be 0 or all: the ratio itself says little
        return t("Odds ratio at least {low}.", low=words.plain(rounded_down(ratio["low"])))
    return t("Odds ratio {ratio} ({low} to {high}).", **holes)


def raw_odds(one: RelationFacts) -> str:
    ratio = one.odds["raw"]
    return t("Raw: {ratio}.", ratio=_odds(ratio)) if math.isfinite(ratio) else ""


def _odds(value: float) -> str:
    if not math.isfinite(value):
        return words.UNBOUNDED
    return f"{value:.2f}" if value < 9.95 else words.decimals(value)


def strength(one: RelationFacts) -> str:
    """Cramér's V, where it is told."""
    value = one.strength
    if not value.told:
        return t("How strong (Cramér’s V): too few people in some groups.")
    holes = {"v": f"{value.value:.2f}", "low": f"{value.low:.2f}", "high": f"{value.high:.2f}"}
    return t("How strong: Cramér’s V {v} ({low} to {high}).", **holes)


# who is exposed ----------------------------------------------------------------------------------------------------


def promised(study: Study, both: bool, shows_unmarked: bool = False) -> str:
    """What ε promises of one answer and of both. both: whether either question has something that is hidden.
    shows_unmarked: whether one report of both may show an answer that is not marked.
    """
    setting, eps = study.option("setting"), words.epsilon(study.epsilon)
    if setting == "open":
        promise = t("Open: everybody sees the groups; ε = {eps} for the answer.", eps=eps)
    elif shows_unmarked:
        promise = t(
            "Half-open: ε = {eps} for an answer if the other is known, and for both; "
            "one that is not marked may be shown.",
            eps=eps,
        )
    elif setting == "as one":
        promise = t("As one: ε = {eps} for either answer, and for both.", eps=eps)
    elif not both:
        promise = t("Only one of the two is hidden, with ε = {eps}.", eps=eps)
    else:
        half = words.epsilon(study.epsilon / 2)
        promise = t("Separate: ε = {half} for an answer if the other is known, ε = {eps} for both.", half=half, eps=eps)
    if not study.marks.secret:
        return promise
    part = 2 if setting == "apart" and both else 1
    least, other = words.epsilon(study.secret_at(study.epsilon) / part), words.epsilon(study.epsilon / part)
    return f"{promise} {t('A secret answer: ε = {eps} in place of {all}.', eps=least, all=other)}"
