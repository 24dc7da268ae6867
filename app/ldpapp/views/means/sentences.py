"""What the Means view says below its headline: the error, reports and guesses, every sentence computed."""

from collections.abc import Sequence
from math import log10

import numpy as np

from ldpapp import words
from ldpapp.words.language import t
from ldpcore.domain import Interval
from ldpcore.plan.answers import rounded_down
from ldpcore.study import Study, intervals, means
from ldpcore.study.means import NumberColumn
from ldpcore.study.means.lines import ENOUGH, MeanUnit
from ldpcore.study.means.reports import Law
from ldpcore.study.means.spreads import Spread


def quantity(value: float, digits: int = 3) -> str:
    """A number of the column's units, to three digits or fewer: 0.0371, 4.2; all before the point: 1 240."""
    size = abs(value)
    if size >= 100:
        return words.count(float(f"{value:.{digits}g}") if digits < 3 else value)
    return (
        f"{float(f'{value:.{digits}g}'):g}".replace("-", words.MINUS)
        if size >= 1e-4 or size == 0
        else words.scientific(value)
    )


def seen(value: float, surveys: int) -> str:
    """A typical error seen in so many surveys, with the digits that they tell: known to a share of 1/√(2·surveys)."""
    return quantity(value, int(np.clip(1 + round(log10((2 * surveys) ** 0.5)), 1, 3)))


def typical(spread: Spread) -> str:
    """The typical error of an estimate, with as many digits as are known."""
    return quantity(spread.typical) if spread.exact else seen(spread.typical, len(spread.errors))


def span(pair: tuple[float, float]) -> str:
    return t("{low} to {high}", low=quantity(pair[0]), high=quantity(pair[1]))


def units() -> dict[str, str]:
    """What an error can be written as; before the bracket, in short."""
    return {
        "margin": t("± 95 % (in the column’s units)"),
        "typical": t("typical error (√MSE)"),
        "mse": t("MSE in the column’s units"),
        "scaled": t("MSE on [−1, 1]"),
    }


def margin(spread: Spread) -> str:
    """The 95 % margin of an estimate without bias, with the digits that all numbers of the column have."""
    return f"±{quantity(spread.margin)}"


def published(estimate: float, off: float) -> str:
    """An estimate and its margin, to the digits that the margin has: "40.31 ± 0.52"."""
    error = quantity(off)
    places = len(error.partition(".")[2]) if off >= 1e-4 else words.three_digits(off)
    return t("{estimate} ± {margin}", estimate=words.fixed(estimate, places), margin=error)


def name(pair: tuple[float, float], public: Interval) -> str:
    """What an interval is called: by one end where it reaches the other end of the public range."""
    low, high = pair
    if high >= public.high:
        return t("{low} and more", low=quantity(low))
    return t("{high} and less", high=quantity(high)) if low <= public.low else span(pair)


def names(marked: Sequence[tuple[float, float]], public: Interval) -> str:
    """The marked values, at most two of their intervals by name."""
    if marked and marked[0][0] <= public.low and marked[0][1] >= public.high:
        return t("every value")
    listed = words.listing(name(pair, public) for pair in marked[:2])
    return t("{intervals} …", intervals=listed) if len(marked) > 2 else listed


def place(mechanism: str, marked: Sequence[tuple[float, float]], data: NumberColumn) -> str:
    """uTernary's error is set by the half-width of the marked hull (theory/numbers#uternary); SDPM's is not."""
    if mechanism != "uTernary" or not marked:
        return ""
    width, whole = marked[-1][1] - marked[0][0], data.interval.high - data.interval.low
    if len(marked) > 1 and width > 0.8 * whole:
        return t("Marks at two ends span the whole range, so little is gained at small ε.")
    return t(
        "What counts is the distance from the lowest marked value to the highest: here {width} of a public range of "
        "{whole}.",
        width=quantity(width),
        whole=quantity(whole),
    )


# error -------------------------------------------------------------------------------------------------------------


def error_drawn(unit: str, repetitions: int, axis: str, at: float, fitted: bool = False, every: bool = False) -> str:
    """What the error's panel draws; fitted: lines of EM too, whose error is not all chance. every: all that is pressed
    has its line, not the best alone.
    """
    sentences = [
        {
            "margin": t("± 95 %, in the column’s units."),
            "typical": t("Typical error of the mean, in the column’s units."),
            "mse": t("Mean squared error of the mean."),
            "scaled": t("Mean squared error, the public range as [−1, 1]."),
        }[unit]
    ]
    surveys = words.plural(repetitions, t("survey"), t("surveys"))
    if not fitted and not every:
        sentences.append(t("Line: theory of the best. Mark: {surveys}.", surveys=surveys))
    elif not fitted:
        sentences.append(t("Line: theory. Mark: {surveys}.", surveys=surveys))
    elif repetitions >= ENOUGH:
        sentences.append(t("Line: theory, or (EM, with its bias) {surveys}.", surveys=surveys))
    else:
        sentences.append(t("Lines: theory alone. Marks (EM: with its bias): {surveys}.", surveys=surveys))
    if axis == "share":
        sentences.append(t("Half is marked at each end; at {at} %, what you marked.", at=quantity(at)))
    return " ".join(sentences)


def written(mse: float, unit: MeanUnit, down: bool = False) -> str:
    """An error as its axis writes it; down: never rounded up, as what nothing undercuts."""
    error = float(unit(np.asarray(mse)))
    value = quantity(rounded_down(error) if down else error)
    return value if unit.name else f"±{value}"


def limit(least: float, promise: str, axis: str, unit: MeanUnit) -> str:
    """The least squared error under this promise, in this unit; 0 where the program finds none."""
    if not least:
        return t("limit: too small to compute at so large an ε")
    error = written(least, unit, down=True)
    if promise == "LDP":
        return t(
            "limit: no unbiased mean with the promise on every value gets below {error} here",
            error=error,
        )
    if axis == "share":
        return t(
            "limit: no unbiased mean with this promise gets below it; it is {error} with what you marked",
            error=error,
        )
    return t(
        "limit: no unbiased mean with this promise gets below {error} here",
        error=error,
    )


# reports and guesses -------------------------------------------------------------------------------------------------


def steps(law: Law, mechanism: str, marked: bool, people: float, survey: Spread | None) -> list[str]:
    """What becomes of one answer: what is drawn, what the collector reads from it, and what many make of it."""
    x = quantity(law.x)
    open_, hidden = t("1. The answer is {x}; it is not marked.", x=x), t("1. The answer is {x}; it is marked.", x=x)
    sentences = [hidden if marked else open_, _drawn(law, mechanism)]
    sentences.append(
        t("3. Over many draws the report’s mean is {mean}, its standard deviation {sd}.",
          mean=quantity(law.mean), sd=quantity(law.sd))
    )  # fmt: skip
    if survey is not None and survey.exact:
        off = quantity(survey.margin)
        sentences.append(t("4. The estimate from {n} such reports is off by ±{off}.", n=words.count(people), off=off))
    return sentences


def _drawn(law: Law, mechanism: str) -> str:
    """How often the report tells the answer to the collector, and as which number."""
    if law.sent is None:
        return t("2. {mechanism} draws a report from the law shown here; none proves the answer.", mechanism=mechanism)
    holes = {"mechanism": mechanism, "n": words.of_100(law.own)}
    if abs(law.sent - law.x) <= 1e-6 * max(1.0, abs(law.x)):
        return t("2. {mechanism} draws a report: {n} of 100 disclose the answer, sent as it is.", **holes)
    return t(
        "2. {mechanism} draws a report: {n} of 100 disclose the answer, sent as {sent}, stretched so that the mean "
        "stays right.",
        **holes,
        sent=quantity(law.sent),
    )


def switch(key: str, between: tuple[float, float], errors: tuple[float, float], guessed: tuple[float, float]) -> str:
    """Between which ε its reports become another kind, and the ± 95 % and the answers guessed (below, above)."""
    text = t(
        "Between ε = {low} and {high} reports of {mechanism} turn from one of three values into a near number: error "
        "±{before} → ±{after}",
        mechanism=key,
        low=words.epsilon(between[0]),
        high=words.epsilon(between[1]),
        before=quantity(errors[0]),
        after=quantity(errors[1]),
    )
    fewer, more = map(words.of_100, guessed)
    if fewer == more:
        return f"{text}."
    return t("{text}, answers guessed {fewer} → {more} of 100.", text=text, fewer=fewer, more=more)


# the public range ----------------------------------------------------------------------------------------------------


def clipping(data: NumberColumn) -> str:
    """What the public range leaves out, and what that hides."""
    sentences, off = [], quantity(abs(data.hidden))
    if data.clipped:
        n, everybody = words.count(data.clipped), words.count(data.n)
        sentences.append(t("{n} of {all} lie outside the public range and count as its ends.", n=n, all=everybody))
        higher = t("The true mean is {off} higher, which no error here shows.", off=off)
        lower = t("The true mean is {off} lower, which no error here shows.", off=off)
        sentences.append(higher if data.hidden > 0 else lower)
    if data.dropped:
        sentences.append(t("{n} with an answer missing are left out.", n=words.count(data.dropped)))
    return " ".join(sentences) or t("No answer lies outside the public range.")


def brush(data: NumberColumn) -> str:
    """What the histogram shows, and how an interval is marked."""
    how = t("People, <i>internal</i>. Drag over the bars to mark an interval.")
    if not data.clipped:
        return how
    cut = t("{n} lie outside the range and count at its ends.", n=words.count(data.clipped))
    return f"{how} {cut}"


def theorem(study: Study, data: NumberColumn) -> tuple[tuple[float, float], str]:
    """The L = [−c, c] that the paper's Theorem 4 is shown for, on [−1, 1], and what the panel draws of it."""
    low = intervals.complement(means.pairs(study.marks, data.interval), data.interval)
    if len(low) == 1 and abs(low[0][0] + low[0][1]) < 1e-6 and low[0][1] < 1:
        return low[0], t("Largest variance of one unmarked report, for these marks. Dotted: the paper’s.")
    return (-0.5, 0.5), t("Largest variance of one unmarked report, with both ends marked. Dotted: the paper’s.")
