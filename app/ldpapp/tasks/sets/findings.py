"""What the Sets view says, from its numbers."""

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

from ldpapp import words
from ldpapp.language import t
from ldpapp.panels import Box
from ldpapp.tasks.sets import data as set_data
from ldpapp.tasks.sets.data import MEMBERSHIP, PRESENCE, Fact, View
from ldpcore.data import Baskets
from ldpcore.study import Study
from ldpcore.study import sets as task
from ldpcore.study.sets import point
from ldpcore.study.sets.truncation import Padding
from ldpcore.study.sets.undisclosed import LEAKY

Named = Callable[[str], str]
"""A mechanism's name as the page writes it, beside its glyph."""
WORTH = 0.05
"""A smaller gain in error is not worth another m."""
USELESS = 0.5
"""A typical error above this is worse than saying that every second person holds every item."""


def sentence(
    epsilon: float,
    found: Mapping[str, Fact],
    main: Fact,
    told: pd.DataFrame,
    named: Named,
    sensitive: str,
) -> str:
    """What the estimates are worth, and who is still exposed, by what the reports have `told` in surveys."""
    said = [_off(words.epsilon(epsilon), found, main, named)]
    if main.error() > USELESS:
        said.append(t("{mechanism} does worse than guessing 50 % throughout.", mechanism=named(main.key)))
    if not main.here.marked.any():
        return " ".join([_unprotected(found, named, sensitive), *said])
    # The mechanism whose promise leaves the whole report out, where one is compared.
    leaky = next((fact for fact in found.values() if fact.promise == LEAKY), main)
    right, low, high = (success(told, leaky.key, PRESENCE, end) for end in ("value", "low", "high"))
    if right is not None and low is not None and high is not None:
        said.append(
            t(
                "{mechanism}’s reports tell whether someone holds a {sensitive} item in {right} ({low}–{high}) of 100 "
                "cases; guessing gets 50.",
                mechanism=named(leaky.key),
                sensitive=sensitive,
                right=words.of_100(right),
                low=words.of_100(low),
                high=words.of_100(high),
            )
        )
    return " ".join(said)


def _unprotected(found: Mapping[str, Fact], named: Named, sensitive: str) -> str:
    """Nothing is marked: who then protects nothing."""
    open_ones = [named(key) for key, fact in found.items() if not fact.whole]
    if not open_ones:
        return t("No item is marked {sensitive}.", sensitive=sensitive)
    return t(
        "No item is marked {sensitive}: {mechanisms} would protect nothing.",
        sensitive=sensitive,
        mechanisms=words.listing(open_ones),
    )


def _off(eps: str, found: Mapping[str, Fact], main: Fact, named: Named) -> str:
    """The error of the mechanism in focus, and the least of those that know no marks."""
    holes = {"eps": eps, "mechanism": named(main.key), "error": words.points(main.error())}
    every = [fact for fact in found.values() if fact.promise == "LDP" and fact is not main]
    marked = main.here.marked.any()
    if main.promise == "LDP" and not marked:
        return t("At ε = {eps}, {mechanism} protects every item and is off by {error} points.", **holes)
    if main.promise == "LDP" or not marked or not every:
        return t("At ε = {eps}, {mechanism} is off by {error} points.", **holes)
    best = min(every, key=Fact.error)
    return t(
        "At ε = {eps}, {mechanism} is off by {error} points, {other}, which knows no marks, by {more}.",
        **holes,
        other=named(best.key),
        more=words.points(best.error()),
    )


def refusals(reasons: Mapping[str, str]) -> str:
    """Why mechanisms do not exist here, a sentence each."""
    return " ".join(t("{mechanism}: {why}.", mechanism=key, why=why) for key, why in reasons.items())


def success(told: pd.DataFrame, key: str, metric: str, end: str = "value") -> float | None:
    """Mean success over the surveys so far, or an `end` of its interval: "low" or "high"."""
    rows = told[(told["mechanism"] == key) & (told["metric"] == metric)]
    return float(rows[end].iloc[0]) if len(rows) else None


def attack_rows(told: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """One row per mechanism: presence, and membership of a marked and of another item, of 100, with 95 % intervals."""
    out = pd.DataFrame({"mechanism": keys})
    for name, metric, scope in (
        ("presence", PRESENCE, "all"),
        ("marked item", MEMBERSHIP, "sensitive"),
        ("other item", MEMBERSHIP, "other"),
    ):
        part = told[(told["metric"] == metric) & (told["scope"] == scope)].set_index("mechanism")
        for column, end in ((name, "value"), (f"{name}, low", "low"), (f"{name}, high", "high")):
            out[column] = 100 * part[end].reindex(keys).to_numpy(float)
    return out


def padding(found: Padding, main: Fact, escape: Named) -> str:
    """What becomes of sets that are longer or shorter than m."""
    items = words.plural(main.here.m, t("item"), t("items"))
    if found.whole == 1:
        return t("No set has more than {items}: all stay whole.", items=items)
    holes = {"whole": words.share(found.whole), "items": items}
    if found.loss < 5e-5:
        said = t(
            "{whole} of the sets have at most {items} and stay whole; cutting the others hardly changes a share.",
            **holes,
        )
    else:
        said = t(
            "{whole} of the sets have at most {items} and stay whole; cutting the others takes {loss} points off "
            "{item}, the most.",
            **holes,
            loss=words.decimals(100 * found.loss),
            item=escape(found.item),
        )
    if found.gain < WORTH:
        return said
    return t(
        "{padding} With m = {best} the error of {mechanism} would be {gain} % smaller.",
        padding=said,
        best=found.best,
        mechanism=main.key,
        gain=words.ratio(100 * found.gain),
    )


def hidden(reasons: Mapping[str, str], escape: Named) -> list[str]:
    """Which of the chosen mechanisms are not shown, and why."""
    return [
        t("{mechanism} is not shown: {why}.", mechanism=escape(key), why=escape(why)) for key, why in reasons.items()
    ]


# the error -------------------------------------------------------------------------------------------------------


def error_drawn(view: View, study: Study) -> str:
    """What the error panel draws."""
    holes = {
        "scope": set_data.scopes()[view.scope],
        "surveys": words.plural(study.repetitions, t("survey"), t("surveys")),
    }
    if view.quantity == "largest":
        return t("Largest error of any share, points; lines join the marks. Over {scope}. Mark: {surveys}.", **holes)
    if view.quantity == "mse":
        return t("Mean squared error of a share. Over {scope}. Line: theory. Mark: {surveys}.", **holes)
    return t("Typical error of a share, points. Over {scope}. Line: theory. Mark: {surveys}.", **holes)


def floor(main: Fact, least: float, scope: str) -> str:
    """The least error found for the promise in focus, and how far the mechanism is from it; `least` is its square."""
    part = dict(main.here.scopes)[scope]
    times = float(main.here.noise(main.mechanism)[part].mean()) / least
    holes = {"least": words.points(np.sqrt(least)), "mechanism": main.key, "times": f"{times:.2f}"}
    if main.promise == "LDP":
        return t(
            "least error found for what protects every item: {least}; the squared noise of {mechanism} is {times} "
            "times it",
            **holes,
        )
    return t(
        "least error found for what keeps the whole report private: {least}; the squared noise of {mechanism} is "
        "{times} times it",
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
    why = t(
        "An attack needs {n} people who hold what it asks for, and as many who do not. Mark other items.", n=task.CROWD
    )
    return Box(t("Too few people to attack."), why, height=height)


def targets(study: Study, held: Baskets, escape: Named) -> str:
    """The items whose holders the adversary looks for."""
    here = point.setting(study, held)
    names = {
        scope: words.listing(escape(here.baskets.labels[i]) for i in items)
        for scope, items in here.targets(task.options(study)["targets"]).items()
    }
    said = [t("This sensitive item: {items}.", items=names["sensitive"])] if "sensitive" in names else []
    said += [t("This other item: {items}.", items=names["other"])] if "other" in names else []
    return " ".join(said)
