"""What the Means view says: its headline, and where an advantage comes from, computed sentence by sentence."""

from collections.abc import Callable, Sequence
from math import log10

import numpy as np

from ldpapp import words
from ldpapp.tasks.means.data import Density, Spread, built, mechanism_of
from ldpcore import catalog
from ldpcore.numeric_randomizer import NumericRandomizer
from ldpcore.study import Study, intervals, means
from ldpcore.study.means import Numbers

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
    return f"{quantity(pair[0])} to {quantity(pair[1])}"


def focus(found: Sequence[Spread], mechanisms: Sequence[str], wanted: str | None) -> str:
    """The mechanism in focus: the chosen one, else the most exact unbiased one."""
    if wanted is not None and wanted in mechanisms:
        return wanted
    exact = [spread for spread in found if spread.exact]
    return mechanism_of(min(exact, key=lambda s: s.typical).name) if exact else mechanisms[0]


def headline(study: Study, data: Numbers, found: Sequence[Spread], named: Say, sensitive: Say, escape: Say) -> str:
    """Two sentences: the error with and without marks, then what the marks' place has to do with it."""
    exact = [s for s in found if s.exact]
    graded = [s for s in exact if catalog.MEANS[mechanism_of(s.name)].uses_marks]
    plain = [s for s in exact if s not in graded]
    marked = means.marks(study.arms[0], data.interval)
    at = f"At ε = {words.epsilon(study.epsilon)} the mean of {escape(study.column)}"
    if not graded or not plain:
        best = min(exact, key=lambda s: s.typical)
        return f"{at} is off by ±{quantity(best.typical)} with {named(mechanism_of(best.name))}, without bias."
    one, two = (min(part, key=lambda s: s.typical) for part in (graded, plain))
    first, second = named(mechanism_of(one.name)), named(mechanism_of(two.name))
    if not marked:
        return f"Nothing is marked: {first} sends every answer as it is. {second} is off by ±{quantity(two.typical)}."
    said = f"{at} is off by ±{quantity(one.typical)} with {first}, ±{quantity(two.typical)} with {second}: "
    gain = two.typical / one.typical
    if gain > 1.05:
        said += f"marking {sensitive(_listed(marked))} makes it {words.times(gain)} more exact."
    else:
        said += f"marking {sensitive(_listed(marked))} gains {'nothing' if gain < 1.005 else 'next to nothing'}."
    return f"{said} {_hull(marked, data)}"


def _listed(marked: Sequence[tuple[float, float]]) -> str:
    return words.listing([span(pair) for pair in marked[:2]]) + (" …" if len(marked) > 2 else "")


def _hull(marked: Sequence[tuple[float, float]], data: Numbers) -> str:
    """The half-width of the marked hull sets the error (theory/numbers#uternary)."""
    width = marked[-1][1] - marked[0][0]
    whole = data.interval.high - data.interval.low
    if len(marked) > 1 and width > 0.8 * whole:
        return "Marks at two ends span the whole range, so little is gained at small ε."
    return (
        f"What counts is the distance from the lowest marked value to the highest: here {quantity(width)} of a public "
        f"range of {quantity(whole)}."
    )


def disclosed(law: Density) -> str:
    """How often this answer is told to the collector, and as which number. Nothing where it never is."""
    if law.sent is None:
        return ""
    how = f"{words.of_100(law.own)} of 100 disclose the answer"
    if abs(law.sent - law.x) <= 1e-6 * max(1.0, abs(law.x)):
        return f" {how}, sent as it is."
    return f" {how}: sent as {quantity(law.sent)}, stretched so that the mean stays right."


def switch(key: str, at: float, errors: tuple[float, float], guessed: tuple[float, float]) -> str:
    """What the other construction beyond this ε does to the error and to answers guessed, (below, above) each."""
    before, after = (f"±{quantity(error)}" for error in errors)
    fewer, more = (words.of_100(share) for share in guessed)
    return (
        f"{key} changes its construction at ε = {words.epsilon(at)}, hence the step: error {before} → {after}, answers "
        f"guessed {fewer} → {more} of 100."
    )


def waiting(study: Study) -> str:
    """Why SDPM's EM cannot stand beside its unbiased score yet, and what to do."""
    if "SDPM" not in study.mechanisms:
        return "Choose SDPM in the sidebar: then its EM stands beside its unbiased score."
    if study.repetitions < 2:
        return "EM has no closed form: its error shows in repeated surveys. Set Repetitions to 2 or more."
    return "EM has no closed form: its error shows once two surveys are simulated."


def advantage(study: Study, data: Numbers, found: Sequence[Spread]) -> list[str]:
    """Where SDPM's small error by EM comes from, in the order in which one would ask."""
    by_name = {spread.name: spread for spread in found}
    em, mle, free = (by_name.get(f"SDPM ({how})") for how in ("EM", "MLE", "unbiased"))
    if em is None or free is None:
        return []
    least, most = means.MEASURES["mse"].interval(em.errors**2)
    if least > free.typical**2:
        return [
            f"By EM SDPM is off by ±{typical(em)}, by its unbiased score ±{typical(free)}: here EM is the worse of the "
            f"two: {words.share(em.bias**2 / em.typical**2)} of its squared error is bias, the pull to its flat start."
        ]
    if most > free.typical**2:
        said = [
            f"By EM with the paper’s stop SDPM is off by ±{typical(em)}, by its unbiased score ±{typical(free)}: "
            f"{words.plural(len(em.errors), 'survey')} cannot tell which is better."
        ]
    else:
        said = [
            "By EM with the paper’s stop SDPM’s squared error is "
            f"{words.times((free.typical / em.typical) ** 2)} smaller than that of its unbiased score, from the very "
            "same reports."
        ]
    away = (data.interval.low + data.interval.high) / 2 - data.mean
    said += _sent(built(study, data, "SDPM"), data, em)
    if mle is not None:
        said.append(
            f"The rest is where it stops. Begun at the flat distribution, it halts {_halt(em, away)}; run to the "
            f"maximum of the likelihood it is off by ±{typical(mle)}."
        )
    said.append(
        f"Here the true mean lies {words.share(abs(away) / data.unit)} of half the range off its middle: the nearer, "
        "the more the stop flatters. The unbiased score shows what the reports hold."
    )
    return said


def _sent(m: NumericRandomizer, data: Numbers, em: Spread) -> list[str]:
    """What the answers that are sent as they are tell by themselves."""
    sent = m.disclosure(data.points) * data.counts
    if sent.sum() <= 1:
        return []
    mean = float(sent @ data.points / sent.sum())
    sd = float(np.sqrt(sent @ (data.points - mean) ** 2)) / sent.sum()
    off = np.array([mean - data.points @ data.counts / data.n, sd]) * data.unit
    naive = float(np.hypot(*off))
    said = f"Some {words.count(sent.sum())} unmarked answers are sent as they are. Their plain mean alone is off by "
    if naive < 1.5 * em.typical:
        return [
            f"{said}only ±{quantity(naive)}: EM leans on them, and is right as far as people with marked answers are "
            "few, or like the others."
        ]
    return [
        f"{said}±{quantity(naive)}, since people with marked answers differ; what EM makes of the noisy reports has to "
        "close that gap."
    ]


def _halt(em: Spread, away: float) -> str:
    """Where EM stops on average, as far as surveys tell; `away` is from the true mean to the middle of the range."""
    surveys = len(em.errors)
    low, high = means.MEASURES["estimate"].ends(np.array([em.bias]), np.array([em.sd**2]), np.array([float(surveys)]))
    doubt = float(high[0] - low[0]) / 2
    if abs(em.bias) <= doubt:
        return f"nearer the truth than {words.plural(surveys, 'survey')} can tell (±{quantity(doubt, 1)})"
    digits = int(np.clip(1 + np.floor(log10(abs(em.bias) / doubt)), 1, 3))
    said = f"{quantity(abs(em.bias), digits)} {'above' if em.bias > 0 else 'below'} the truth"
    pull = em.bias / away if away else 0.0
    return f"{said}, {words.share(pull)} of the way to the middle of the range" if 0.02 < pull < 1.2 else said


def clipping(data: Numbers) -> str:
    """What the public range leaves out, and what that hides."""
    parts = []
    if data.clipped:
        parts.append(
            f"{words.count(data.clipped)} of {words.count(data.n)} lie outside the public range and count as its ends: "
            f"the true mean is {quantity(abs(data.hidden))} {'higher' if data.hidden > 0 else 'lower'}, which no error "
            "here shows"
        )
    if data.dropped:
        parts.append(f"{words.count(data.dropped)} with an answer missing are left out")
    return "; ".join(parts) + "." if parts else "No answer lies outside the public range."


def theorem(study: Study, data: Numbers) -> tuple[tuple[float, float], str]:
    """The L = [−c, c] that the paper's Theorem 4 is shown for, on [−1, 1], and whose it is."""
    low = intervals.complement(means.marks(study.arms[0], data.interval), data.interval)
    if len(low) == 1 and abs(low[0][0] + low[0][1]) < 1e-6 and low[0][1] < 1:
        return low[0], "for these marks"
    return (-0.5, 0.5), "with both ends marked"
