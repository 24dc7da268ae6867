"""What Sets says of items with levels: what the third level buys, who can be told, and what is promised, one-sided."""

from collections.abc import Callable

import numpy as np

from ldpapp import words
from ldpapp.parts import levels
from ldpapp.words.language import t
from ldpcore import plan
from ldpcore.study import Study
from ldpcore.study.sets.point import ItemFacts


def sentence(
    study: Study, own: ItemFacts, alike: ItemFacts, named: Callable[[str], str], colored: Callable[[str], str]
) -> str:
    """What the third level buys against treating every marked item as secret, for all shares, the private ones and
    the secret ones.
    """
    finding = levels.bought(study, own.chance["all"], alike.chance["all"])
    return t(
        "{finding} Private shares: {private}, not {private_before}; {secret} ones: {own}, not {own_before}. By {one}; "
        "by {two}.",
        one=named(own.key),
        two=named(alike.key),
        finding=finding,
        private=words.margin(own.chance["private"]),
        private_before=words.margin(alike.chance["private"]),
        secret=colored(t("secret")),
        own=words.margin(own.chance["secret"]),
        own_before=words.margin(alike.chance["secret"]),
    )


def promised(main: ItemFacts) -> str:
    """What an attacker can manage at most who knows all of a person but one item, and that item's level."""
    holes = {
        scope: words.chance_of_100(plan.of_two(main.level_epsilons[scope]), most=True)
        for scope, part in main.here.levels.items()
        if part.sum() > 1
    }
    if not holes:
        return ""
    if "private" not in holes:
        return t(
            "Whoever knows all else of a person, and the item’s level, is right about two secret items for at most "
            "{secret}: that is the promise.",
            **holes,
        )
    if "secret" not in holes:
        return t(
            "Whoever knows all else of a person, and the item’s level, is right about two private items for at most "
            "{private}: that is the promise.",
            **holes,
        )
    return t(
        "Whoever knows all else of a person, and the item’s level, is right about two secret items for at most "
        "{secret}, about two private ones for {private}: that is the promise.",
        **holes,
    )


def covered(main: ItemFacts) -> str:
    """One-sided on purpose: what a report can prove is bounded, what it can rule out is not."""
    bounds = {scope: main.here.epsilons[part] for scope, part in main.here.scopes}
    most = {scope: words.times(float(np.exp(each.max())), most=True) for scope, each in bounds.items()
            if np.isfinite(each).all()}  # fmt: skip
    if not main.here.leveled:
        return t(
            "<b>Covered:</b> no report speaks for what somebody holds over {marked}: nobody can prove a marked item. "
            "<b>Not covered:</b> a public item that a report shows is held for sure, and somebody may be able to rule "
            "a marked one out.",
            marked=most["sensitive"],
        )
    return t(
        "<b>Covered:</b> no report speaks for a secret item over {secret}, whatever else is held, for a private one "
        "over {private}: nobody can prove it. <b>Not covered:</b> a public item that a report shows is held for sure, "
        "somebody may be able to rule a marked one out, and where a private and a secret item always go together, the "
        "one speaks for the other.",
        secret=most["secret"],
        private=most["private"],
    )
