"""What the Means view says: its headline, and where an advantage comes from, computed sentence by sentence."""

from collections.abc import Callable, Sequence

import numpy as np

import words
from ldpcore import catalog
from ldpcore.study import Study, intervals, means
from ldpcore.study.means import Numbers
from means.data import Spread, built, mechanism_of

Say = Callable[[str], str]


def quantity(value: float) -> str:
    """A number of the column's units, three digits: 0.0371, 4.2, 1 240."""
    size = abs(value)
    if size >= 100:
        return words.count(value)
    return f"{value:.3g}".replace("-", words.MINUS) if size >= 1e-4 or size == 0 else words.scientific(value)


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
    """The half-width of the marked hull sets the error (limits-and-repairs.md §9)."""
    width = marked[-1][1] - marked[0][0]
    whole = data.interval.high - data.interval.low
    if len(marked) > 1 and width > 0.8 * whole:
        return "Marks at two ends span the whole range, so little is gained at small ε."
    return f"What counts: all marks lie within {quantity(width)} of a range of {quantity(whole)}."


def advantage(study: Study, data: Numbers, found: Sequence[Spread]) -> list[str]:
    """Where SDPM's small error by EM comes from, in the order in which one would ask."""
    by_name = {spread.name: spread for spread in found}
    em, mle, free = (by_name.get(f"SDPM ({how})") for how in ("EM", "MLE", "unbiased"))
    if em is None or free is None:
        return []
    times = (free.typical / em.typical) ** 2
    if times <= 1:
        return [
            f"By EM SDPM is off by ±{quantity(em.typical)}, by its unbiased score ±{quantity(free.typical)}: "
            f"here EM is the worse of the two: {words.share(em.bias**2 / em.typical**2)} of its squared error is bias, "
            "the pull to its flat start."
        ]
    said = [
        f"By EM with the paper’s stop SDPM’s squared error is {words.times(times)} smaller than that of its unbiased "
        "score, from the very same reports."
    ]
    m = built(study, data, "SDPM")
    sent = m.disclosure(data.points) * data.counts
    if sent.sum() > 1:
        mean = float(sent @ data.points / sent.sum())
        sd = float(np.sqrt(sent @ (data.points - mean) ** 2)) / sent.sum()
        off = np.array([mean - data.points @ data.counts / data.n, sd]) * data.unit
        naive = float(np.hypot(*off))
        seen = f"Some {words.count(sent.sum())} unmarked answers are sent as they are. Their plain mean alone"
        if naive < 1.5 * em.typical:
            said.append(
                f"{seen} is off by only ±{quantity(naive)}: EM leans on them, and is right as far as people with "
                "marked answers are few, or like the others."
            )
        else:
            said.append(
                f"{seen} is off by ±{quantity(naive)}, since people with marked answers differ; what EM makes of the "
                "noisy reports has to close that gap."
            )
    centre = (data.interval.low + data.interval.high) / 2
    away = centre - data.mean
    if mle is not None:
        pull = em.bias / away if away else 0.0
        halts = f"{quantity(abs(em.bias))} {'above' if em.bias > 0 else 'below'} the truth"
        if 0.02 < pull < 1.2:
            halts += f", {words.share(pull)} of the way to the middle of the range"
        said.append(
            f"The rest is where it stops. Begun at the flat distribution, it halts {halts}; run to the maximum of the "
            f"likelihood it is off by ±{quantity(mle.typical)}."
        )
    off_centre = abs(away) / data.unit
    said.append(
        f"Here the true mean lies {words.share(off_centre)} of half the range off its middle: the nearer, the more the "
        "stop flatters. The unbiased score shows what the reports hold."
    )
    return said


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
