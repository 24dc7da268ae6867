"""Ranges: what the page says, of numbers that the Study gives."""

import numpy as np
from numpy.typing import NDArray

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.views.ranges import cells as strategies
from ldpapp.views.ranges.cells import Cells
from ldpapp.views.ranges.view import RangesView
from ldpapp.words.language import t
from ldpcore.data import ColumnProfile, dates
from ldpcore.study.ranges import strategies as engine


def headline(view: RangesView) -> str:
    """How wrong the count is at best, and what that costs: somebody sees the raw data."""
    one, two = (*view.best, view.best[0])[:2]
    holes = {
        "eps": words.epsilon(view.study.epsilon),
        "range": widgets.escape(view.short),
        "one": widgets.named(one),
        "error": words.decimals(view.of(one).margin),
    }
    if one == two:
        known = t("At ε = {eps}, the count of “{range}” is known to ±{error} people with {one}.", **holes)
    elif (other := words.decimals(view.of(two).margin)) == holes["error"]:
        known = t(
            "At ε = {eps}, the count of “{range}” is known to ±{error} people with {one} or {two}.",
            two=widgets.named(two),
            **holes,
        )
    else:
        known = t(
            "At ε = {eps}, the count of “{range}” is known to ±{error} people with {one}, to ±{other} with {two}.",
            two=widgets.named(two),
            other=other,
            **holes,
        )
    return f"{known} {t('The price: a trusted curator sees the raw data.')}"


def overall(view: RangesView) -> str:
    """Which of the two maps is more exact over all ranges, from which N on, and whether a tree is better still."""
    cells, (one, two) = view.cells, view.pair
    if one == two:
        return t("Both maps show {strategy}.", strategy=widgets.named(one))
    better, worse = (one, two) if view.of(one).average <= view.of(two).average else (two, one)
    times = view.of(worse).average / view.of(better).average
    if times < 1.005:
        return t("Over {ranges} {one} and {two} are equally exact.", ranges=cells.ranges, one=one, two=two)
    holes = {
        "ranges": cells.ranges,
        "better": strategies.within(better),
        "worse": strategies.within(worse),
        "times": _times(times),
    }
    parts = [
        _compared(
            holes,
            engine.overtakes(engine.build_of(worse), engine.build_of(better)),
            engine.overtakes(engine.build_of(better), engine.build_of(worse)),
            cells,
        )
    ]
    won = view.of(better).wins(view.of(worse))
    if won is not None:
        parts.append(
            t(
                "In {n} of {all} ranges {better} is the more exact.",
                n=words.count(won),
                all=words.count(cells.own),
                better=holes["better"],
            )
        )
    more = view.of(better).average / view.of(strategies.BEST).average
    if more > 1.03:
        parts.append(t("The best tree is {times} more exact still.", times=_times(more)))
    return " ".join(parts)


def _compared(holes: dict[str, str], turn: int | None, since: int | None, cells: Cells) -> str:
    """turn: log₂ of the N from which on the worse is the better one. since: from which on the better one is."""
    full = cells.k == cells.size
    if turn is not None:
        holes = holes | {"n": words.count(1 << turn)}
        if full:
            return t("Over {ranges} {better} is {times} more exact than {worse}, which overtakes at N = {n}.", **holes)
        return t(
            "Over {ranges} {better} is {times} more exact than {worse}, which without padding overtakes at N = {n}.",
            **holes,
        )
    if since:
        holes = holes | {"n": words.count(1 << since)}
        if full:
            return t("Over {ranges} {better} is {times} more exact than {worse}, as from N = {n} on.", **holes)
        return t("Over {ranges} {better} is {times} more exact than {worse}; without padding from N = {n} on.", **holes)
    return t("Over {ranges} {better} is {times} more exact than {worse}.", **holes)


def _times(ratio: float) -> str:
    return words.times(ratio) if ratio >= 1.95 else t("{ratio} times", ratio=f"{ratio:.2f}")


def seen(view: RangesView) -> list[tuple[str, str, str]]:
    """Who sees what of a person: (who, what, in short)."""
    belief = view.facts.belief
    presence = t("How sure they can be that somebody is in it: before, and at most after.")
    if not words.of_100(belief, most=True).isdigit():  # a bound that is itself "more than 99 %" bounds nothing
        presence = t("How sure they can be that somebody is in it: before and after.")
    return [
        (t("The curator"), t("Collects the answers, and must be trusted."), t("every answer")),
        (t("Whoever reads what is published"), presence, f"50 → {words.percent(belief, most=True)}"),
        (t("Without a curator"), t("What that costs stands in “Other ways”."), t("nobody")),
    ]


def cells(view: RangesView, order: str) -> str:
    """What the histogram is made of, and in which order its values stand."""
    parts = [t("{column}: {cells}.", column=widgets.escape(view.study.column), cells=view.cells.said)]
    if view.cells.clipped:
        parts.append(t("{n} outside the public range count in the end cells.", n=words.count(view.cells.clipped)))
    return " ".join([*parts, order] if order else parts)


def margins(view: RangesView, over: bool, squared: bool = False) -> str:
    """What the chart of margins draws. over: against N, not ε. squared: mean squared errors, not margins."""
    holes = {"error": t("Mean squared error") if squared else t("± 95 %, people,"), "range": widgets.escape(view.short)}
    if over:
        return t(
            "{error} for “{range}” at ε = {eps}; lower is better. Right: a wider public range, more empty cells.",
            eps=words.epsilon(view.study.epsilon),
            **holes,
        )
    return t("{error} for “{range}”; lower is better. Exact, whatever the data.", **holes)


def ordered(profile: ColumnProfile, plain: bool, listed: bool) -> str:
    """In which order the values of a category stand, since a range runs along it. plain: it is one. listed: the data
    come with it.
    """
    if listed and plain:
        return t("Its values stand in their known order.")
    if listed:
        return t("Its values stand as the data list them: whether that is an order, you decide.")
    if profile.numeric:
        return t("Its numbers stand by size.")
    if dates.in_order(profile.dates):
        return t("Its dates stand in order of time.")
    if profile.dates:
        return t("Its dates are text in alphabetical order, not in order of time: write them as 2024-01-31.")
    return t("Its values stand in alphabetical order: their order says nothing.")


def averages(crossing: bool, squared: bool = False) -> str:
    """What the panel of averages draws."""
    what = t("Typical error over all ranges of N full cells, people.")
    if squared:
        what = t("Mean squared error over all ranges of N full cells.")
    return f"{what} {t('○ Beats flat from here on.')}" if crossing else what


def index(view: RangesView) -> str:
    """The index of the strategy in focus, here and at last."""
    focus, cells = view.pair[0], view.cells
    return t(
        "(log₂N)³/(Δ²c̄). A limit, reached late: {focus} has {here} at N = {n}, {limit} at last.",
        focus=focus,
        here=words.decimals(view.of(focus).index),
        n=words.count(cells.size),
        limit=f"{engine.index_limit(view.of(focus).build):.3g}",
    )


def listed(view: RangesView) -> str:
    """Which ranges of one's own are averaged over."""
    names = [f"“{widgets.escape(words.shorten(view.cells.name(*pair), 24))}”" for pair in view.listed]
    more = len(names) - 4
    if more > 0:
        names[4:] = [t("{n} more", n=words.count(more))]
    return t(
        "Typical error over {ranges}: {names}. Exact, people.",
        ranges=words.plural(len(view.listed), t("range"), t("ranges")),
        names=words.listing(names),
    )


def without_curator(best: str, trusted: str, ratio: float) -> str:
    """What it costs to trust nobody."""
    return t(
        "Nobody needs to be trusted, and {local} has {times} the margin of {trusted} with a curator. Exact, "
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
    sentences = [
        t(
            "{strategy}, people². A cell's own variance is {variance}.",
            strategy=widgets.named(name),
            variance=words.decimals(found[0, 0]),
        )
    ]
    off = found[~np.eye(len(found), dtype=bool)]
    if not len(off) or np.allclose(off, 0, atol=1e-12 * found[0, 0]):
        sentences.append(t("Cells have noise of their own: nothing hangs together, and a range adds up all of it."))
    else:
        sentences.append(
            t(
                "Two cells have from {low} to {high}: below 0 the noise of neighbours cancels in a range.",
                low=words.decimals(float(off.min())),
                high=words.decimals(float(off.max())),
            )
        )
    if drawn != cells.size:
        sentences.append(t("Drawn at N = {drawn}; at N = {n} it is alike.", drawn=drawn, n=words.count(cells.size)))
    return " ".join(sentences)
