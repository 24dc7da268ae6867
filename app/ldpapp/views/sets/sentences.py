"""What the panels of the Sets view say, from their numbers."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

from ldpapp import words
from ldpapp.parts import curve_words
from ldpapp.parts.panels import Box
from ldpapp.words.language import t
from ldpcore.study import Study
from ldpcore.study.sets.curves import SetsCurveOptions
from ldpcore.study.sets.exposure import CROWD
from ldpcore.study.sets.facts import CUT, leaky
from ldpcore.study.sets.point import ItemFacts
from ldpcore.study.sets.truncation import Padding
from ldpcore.study.sets.undisclosed import LEAKY

Named = Callable[[str], str]
"""A mechanism's name as the page writes it, beside its glyph."""
WORTH = 0.05
"""A smaller gain in error is not worth another m."""


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
