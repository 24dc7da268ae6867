"""What the Means view says: its headline, the error, reports and guesses, every sentence computed."""

from collections.abc import Callable, Mapping, Sequence
from math import log10

import numpy as np

from ldpapp import words
from ldpapp.language import t
from ldpapp.tasks.means.data import ENOUGH
from ldpcore import catalog
from ldpcore.study import Study, intervals, means
from ldpcore.study.means import Numbers
from ldpcore.study.means.reports import Law
from ldpcore.study.means.spreads import Spread

Say = Callable[[str], str]


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
        "typical": t("typical error (√MSE)"),
        "mse": t("MSE in the column’s units"),
        "scaled": t("MSE on [−1, 1]"),
    }


def focus(found: Sequence[Spread], mechanisms: Sequence[str], wanted: str | None) -> str:
    """The mechanism in focus: the chosen one, else the most exact unbiased one."""
    if wanted is not None and wanted in mechanisms:
        return wanted
    best = most_exact(found)
    return best.mechanism if best else mechanisms[0]


def most_exact(found: Sequence[Spread]) -> Spread | None:
    """The least closed form; None where no mechanism has one for these marks."""
    return min((spread for spread in found if spread.exact), key=lambda spread: spread.typical, default=None)


# headline ------------------------------------------------------------------------------------------------------------


def headline(study: Study, data: Numbers, found: Sequence[Spread], named: Say, sensitive: Say, escape: Say) -> str:
    """Two sentences: the error with and without marks, then what the marks' place has to do with it."""
    graded = [s for s in found if catalog.MEANS[s.mechanism].uses_marks]
    one, two = most_exact(graded), most_exact([s for s in found if s not in graded])
    marked = means.marks(study.arms[0], data.interval)
    here = {"eps": words.epsilon(study.epsilon), "column": escape(study.column)}
    if one is None or two is None:
        return _alone(one or two, here, named, study)
    if not marked:
        return t(
            "Nothing is marked: {mechanism} sends every answer as it is. {rival} is off by {error}.",
            mechanism=named(one.mechanism),
            rival=named(two.mechanism),
            error=_off(two),
        )
    said = t(
        "At ε = {eps} the mean of {column} is off by {error} with {mechanism}, {other} with {rival}.",
        **here,
        error=_off(one),
        mechanism=named(one.mechanism),
        other=_off(two),
        rival=named(two.mechanism),
    )
    gained = _gain(two.typical / one.typical, sensitive(_listed(marked)))
    return " ".join([said, gained, *_place(one.mechanism, marked, data)])


def _off(spread: Spread) -> str:
    return f"±{quantity(spread.typical)}"


def _alone(best: Spread | None, here: Mapping[str, str], named: Say, study: Study) -> str:
    """Where there are not two to compare."""
    if best is None:
        return t(
            "At ε = {eps} {mechanism} has no unbiased mean of {column} for these marks: join them, or take a smaller "
            "ε. EM still has one.",
            **here,
            mechanism=words.listing(named(key) for key in study.mechanisms),
        )
    return t(
        "At ε = {eps} the mean of {column} is off by {error} with {mechanism}, without bias.",
        **here,
        error=_off(best),
        mechanism=named(best.mechanism),
    )


def _gain(gain: float, marks: str) -> str:
    """What marking does to the error of the best mechanism."""
    if gain > 1.05:
        return t("Marking {marks} makes it {times} more exact.", marks=marks, times=words.times(gain))
    if gain < 0.95:
        return t(
            "Marking {marks} gains nothing: protecting everything is {times} more exact.",
            marks=marks,
            times=words.times(1 / gain),
        )
    if gain < 1.005:
        return t("Marking {marks} gains nothing.", marks=marks)
    return t("Marking {marks} gains next to nothing.", marks=marks)


def _listed(marked: Sequence[tuple[float, float]]) -> str:
    said = words.listing(span(pair) for pair in marked[:2])
    return t("{intervals} …", intervals=said) if len(marked) > 2 else said


def _place(mechanism: str, marked: Sequence[tuple[float, float]], data: Numbers) -> list[str]:
    """uTernary's error is set by the half-width of the marked hull (theory/numbers#uternary); SDPM's is not."""
    width = marked[-1][1] - marked[0][0]
    whole = data.interval.high - data.interval.low
    if len(marked) > 1 and width > 0.8 * whole:
        return [t("Marks at two ends span the whole range, so little is gained at small ε.")]
    if mechanism != "uTernary":
        return []
    return [
        t(
            "What counts is the distance from the lowest marked value to the highest: here {width} of a public range "
            "of {whole}.",
            width=quantity(width),
            whole=quantity(whole),
        )
    ]


# error -------------------------------------------------------------------------------------------------------------


def error_drawn(unit: str, repetitions: int, axis: str, at: float) -> str:
    """What the error's panel draws."""
    said = [
        {
            "typical": t("Typical error of the mean, in the column’s units."),
            "mse": t("Mean squared error of the mean."),
            "scaled": t("Mean squared error, the public range as [−1, 1]."),
        }[unit]
    ]
    surveys = words.plural(repetitions, t("survey"), t("surveys"))
    if repetitions >= ENOUGH:
        said.append(t("Line: theory, or (EM) {surveys}.", surveys=surveys))
    else:
        said.append(t("Lines: theory alone. Marks: {surveys}.", surveys=surveys))
    if axis == "share":
        said.append(t("Half is marked at each end; at {at} %, what you marked.", at=quantity(at)))
    return " ".join(said)


def limit(least: float, promise: str, axis: str) -> str:
    """The least typical error under this promise; 0 where the program finds none."""
    if not least:
        return t("limit: too small to compute at so large an ε")
    if promise == "LDP":
        return t(
            "limit: no unbiased mean that keeps the promise on every value gets below ±{least} here",
            least=quantity(least),
        )
    if axis == "share":
        return t(
            "limit: no unbiased mean that keeps the promise on the marked values gets below it; ±{least} with what you "
            "marked",
            least=quantity(least),
        )
    return t(
        "limit: no unbiased mean that keeps the promise on the marked values gets below ±{least} here",
        least=quantity(least),
    )


# reports and guesses -------------------------------------------------------------------------------------------------


def report(law: Law) -> str:
    """Mean and spread of one report; how often it tells the answer to the collector, and as which number."""
    holes = {"mean": quantity(law.mean), "sd": quantity(law.sd), "n": words.of_100(law.own)}
    if law.sent is None:
        return t("Mean {mean}, spread ±{sd}.", mean=holes["mean"], sd=holes["sd"])
    if abs(law.sent - law.x) <= 1e-6 * max(1.0, abs(law.x)):
        return t("Mean {mean}, spread ±{sd}. {n} of 100 disclose the answer, sent as it is.", **holes)
    return t(
        "Mean {mean}, spread ±{sd}. {n} of 100 disclose the answer: sent as {sent}, stretched so that the mean stays "
        "right.",
        **holes,
        sent=quantity(law.sent),
    )


def guessed(epsilon: float, mechanism: str, won: Mapping[str, float], blind: Mapping[str, float]) -> str:
    """What one report gives away of the answers in each scope, beside the blind guess."""
    holes = {"eps": words.epsilon(epsilon), "mechanism": mechanism}
    holes |= {scope: words.of_100(chance) for scope, chance in won.items()}
    holes |= {f"blind_{scope}": words.of_100(blind[scope]) for scope in won}
    if "other" not in won:
        return t(
            "At ε = {eps} a report of {mechanism} lets one guess marked answers in <b>{sensitive}</b> of 100 (blind "
            "{blind_sensitive}).",
            **holes,
        )
    if "sensitive" not in won:
        return t(
            "At ε = {eps} a report of {mechanism} lets one guess other answers in <b>{other}</b> of 100 (blind "
            "{blind_other}).",
            **holes,
        )
    return t(
        "At ε = {eps} a report of {mechanism} lets one guess marked answers in <b>{sensitive}</b> of 100 (blind "
        "{blind_sensitive}) and other answers in <b>{other}</b> of 100 (blind {blind_other}).",
        **holes,
    )


def switch(key: str, at: float, errors: tuple[float, float], guessed: tuple[float, float]) -> str:
    """What the other construction beyond this ε does to the error and to answers guessed, (below, above) each."""
    return t(
        "{mechanism} changes its construction at ε = {eps}, hence the step: error ±{before} → ±{after}, answers "
        "guessed {fewer} → {more} of 100.",
        mechanism=key,
        eps=words.epsilon(at),
        before=quantity(errors[0]),
        after=quantity(errors[1]),
        fewer=words.of_100(guessed[0]),
        more=words.of_100(guessed[1]),
    )


# the public range ----------------------------------------------------------------------------------------------------


def clipping(data: Numbers) -> str:
    """What the public range leaves out, and what that hides."""
    said, off = [], quantity(abs(data.hidden))
    if data.clipped:
        n, everybody = words.count(data.clipped), words.count(data.n)
        said.append(t("{n} of {all} lie outside the public range and count as its ends.", n=n, all=everybody))
        higher = t("The true mean is {off} higher, which no error here shows.", off=off)
        lower = t("The true mean is {off} lower, which no error here shows.", off=off)
        said.append(higher if data.hidden > 0 else lower)
    if data.dropped:
        said.append(t("{n} with an answer missing are left out.", n=words.count(data.dropped)))
    return " ".join(said) or t("No answer lies outside the public range.")


def brush(data: Numbers) -> str:
    """What the histogram shows, and how an interval is marked."""
    how = t("People, <i>internal</i>. Drag over the bars to mark an interval.")
    if not data.clipped:
        return how
    cut = t("{n} lie outside the range and count at its ends.", n=words.count(data.clipped))
    return f"{how} {cut}"


def theorem(study: Study, data: Numbers) -> tuple[tuple[float, float], str]:
    """The L = [−c, c] that the paper's Theorem 4 is shown for, on [−1, 1], and what the panel draws of it."""
    low = intervals.complement(means.marks(study.arms[0], data.interval), data.interval)
    if len(low) == 1 and abs(low[0][0] + low[0][1]) < 1e-6 and low[0][1] < 1:
        return low[0], t("Largest variance of one unmarked report, for these marks. Dotted: the paper’s.")
    return (-0.5, 0.5), t("Largest variance of one unmarked report, with both ends marked. Dotted: the paper’s.")
