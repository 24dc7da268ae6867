"""Ranges: what the page says, of numbers that the Study gives."""

import math

import numpy as np
from numpy.typing import NDArray

from ldpapp import widgets, words
from ldpapp.language import t
from ldpapp.tasks.ranges import strategies
from ldpapp.tasks.ranges.cells import Cells
from ldpapp.tasks.ranges.view import View
from ldpcore.attacks.bayes import believed
from ldpcore.data import ColumnProfile, dates


def headline(view: View) -> str:
    """Who is trusted and how wrong one range is; then all ranges, and where the order turns round."""
    one, two = view.pair
    said = t(
        "At ε = {eps}, with a curator trusted to see the raw data, {one} is off by ±{error} people on “{range}”, "
        "{two} by ±{other}.",
        eps=words.epsilon(view.epsilon),
        one=widgets.named(one),
        error=words.decimals(view.error(one)),
        range=widgets.escape(view.short),
        two=widgets.named(two),
        other=words.decimals(view.error(two)),
    )
    return said if one == two else " ".join([said, *_overall(view)])


def _overall(view: View) -> list[str]:
    """Which of the two is more exact over all ranges, from which N on, and whether a tree is better still."""
    cells, (one, two) = view.cells, view.pair
    better, worse = (one, two) if view.average(one) <= view.average(two) else (two, one)
    times = view.average(worse) / view.average(better)
    if times < 1.005:
        return [t("Over {ranges} they are equally exact.", ranges=cells.ranges)]
    found = {"ranges": cells.ranges, "better": strategies.within(better), "times": _times(times)}
    turn, since = strategies.overtakes(worse, better), strategies.overtakes(better, worse)
    full = cells.k == cells.size
    if turn is not None:
        found |= {"worse": strategies.within(worse), "n": words.count(1 << turn)}
        if full:
            said = t("Over {ranges} {better} is {times} more exact; {worse} overtakes at N = {n}.", **found)
        else:
            said = t(
                "Over {ranges} {better} is {times} more exact; without padding {worse} overtakes at N = {n}.", **found
            )
    elif since:
        found |= {"n": words.count(1 << since)}
        if full:
            said = t("Over {ranges} {better} is {times} more exact, as from N = {n} on.", **found)
        else:
            said = t("Over {ranges} {better} is {times} more exact; without padding from N = {n} on.", **found)
    else:
        said = t("Over {ranges} {better} is {times} more exact.", **found)
    more = view.average(better) / view.average(strategies.BEST)
    return [said, t("The best tree is {times} more exact still.", times=_times(more))] if more > 1.03 else [said]


def _times(ratio: float) -> str:
    return words.times(ratio) if ratio >= 1.95 else t("{ratio} times", ratio=f"{ratio:.2f}")


def promise(view: View, order: str) -> str:
    """What the release gives away, what the histogram is made of, and in which order its values stand."""
    belief = believed(0.5, math.exp(view.epsilon))
    if words.of_100(belief).isdigit():
        gives = t(
            "What is published is ε-DP: whether someone is in it, believed to 50&nbsp;%, is believed to {belief} at "
            "most.",
            belief=words.percent(belief),
        )
    else:  # a bound that is itself "more than 99 %" bounds nothing
        gives = t(
            "What is published is ε-DP: whether someone is in it, believed to 50&nbsp;%, may be believed to {belief}.",
            belief=words.percent(belief),
        )
    parts = [gives, t("{column}: {cells}.", column=widgets.escape(view.study.column), cells=view.cells.said)]
    if view.cells.clipped:
        parts.append(
            t("{n} outside the public range count in the end cells.", n=words.count(view.cells.clipped)),
        )
    return " ".join([*parts, order] if order else parts)


def ordered(profile: ColumnProfile, known: bool) -> str:
    """In which order the values of a category stand, since a range runs along it."""
    if known:
        return t("Its values stand in their known order.")
    if profile.numeric:
        return t("Its numbers stand by size.")
    if dates.in_order(profile.dates):
        return t("Its dates stand in order of time.")
    if profile.dates:
        return t("Its dates are text in alphabetical order, not in order of time: write them as 2024-01-31.")
    return t("Its values stand in alphabetical order: their order says nothing.")


def averages(crossing: bool) -> str:
    """What the panel of averages draws."""
    if crossing:
        return t("Typical error over all ranges of N full cells, people. ○ Beats flat from here on.")
    return t("Typical error over all ranges of N full cells, people.")


def index(view: View) -> str:
    """The index of the strategy in focus, here and at last."""
    focus, cells = view.pair[0], view.cells
    return t(
        "(log₂N)³/(Δ²c̄). A limit, reached late: {focus} has {here} at N = {n}, {limit} at last.",
        focus=focus,
        here=words.decimals(strategies.build(focus, cells.h).accuracy_index()),
        n=words.count(cells.size),
        limit=f"{strategies.limit(focus):.3g}",
    )


def listed(view: View) -> str:
    """Which ranges of one's own are averaged over."""
    names = [f"“{widgets.escape(words.shorten(view.cells.name(*pair), 24))}”" for pair in view.listed]
    more = len(names) - 4
    if more > 0:
        names[4:] = [t("{n} more", n=words.count(more))]
    return t(
        "Typical error over {ranges}: {names}. Exact, ± people.",
        ranges=words.plural(len(view.listed), t("range"), t("ranges")),
        names=words.listing(names),
    )


def without_curator(best: str, trusted: str, ratio: float) -> str:
    """What it costs to trust nobody."""
    return t(
        "Nobody needs to be trusted, and {local} is off by {times} as many people as {trusted} with a curator. Exact, "
        "given these answers.",
        local=widgets.named(best),
        times=words.times(ratio),
        trusted=widgets.named(trusted),
    )


def experiment(cells: Cells, count: int, inside: int) -> str:
    """What the paper's first experiment shows, of so many ranges."""
    return t(
        "Mean squared error over the exact one, with 95&nbsp;%: Privelet, N = {n}, {ranges} random ranges, shortest "
        "first, 100 releases each. {inside} of the {ranges} intervals hold 1.",
        n=words.count(cells.size),
        ranges=count,
        inside=inside,
    )


def covariance(name: str, cells: Cells, drawn: int, found: NDArray[np.float64]) -> str:
    """How the noise of two cells hangs together: covariances (m, m) of m = `drawn` cells, in people²."""
    said = [
        t(
            "{strategy}, people². A cell's own variance is {variance}.",
            strategy=widgets.named(name),
            variance=words.decimals(found[0, 0]),
        )
    ]
    off = found[~np.eye(len(found), dtype=bool)]
    if not len(off) or np.allclose(off, 0, atol=1e-12 * found[0, 0]):
        said.append(t("Cells have noise of their own: nothing hangs together, and a range adds up all of it."))
    else:
        said.append(
            t(
                "Two cells have from {low} to {high}: below 0 the noise of neighbours cancels in a range.",
                low=words.decimals(float(off.min())),
                high=words.decimals(float(off.max())),
            )
        )
    if drawn != cells.size:
        said.append(t("Drawn at N = {drawn}; at N = {n} it is alike.", drawn=drawn, n=words.count(cells.size)))
    return " ".join(said)
