"""The words of the Data view on three levels: what they gain and cost against treating all that is marked as secret."""

import numpy as np

from ldpapp import words
from ldpapp.words.language import t
from ldpcore.study.frequency.effects import AnswerEffect
from ldpcore.study.sets.effects import ItemEffect

SAME = 1.05
"""Ratios of errors below this are "about as exact"."""


def ratio_of(before: float, after: float) -> float:
    return before / after if after > 0 else np.inf


def sentence(effect: AnswerEffect | ItemEffect, sensitive: str, k: int, count: int) -> str:
    """Three levels: how many values each has, and what that gains and costs against treating all marked as secret."""
    secret = int(effect.secret.sum())
    holes = {
        "count": words.cardinal(count, start=True),
        "k": words.count(k),
        "secret": words.count(secret),
        "sensitive": sensitive,
    }
    counts = t("{count} of {k} values are marked, {secret} of them {sensitive}.", **holes)
    if isinstance(effect, ItemEffect):
        counts = t("{count} of {k} items are marked, {secret} of them {sensitive}.", **holes)
    if secret == count:
        return t("{counts} No other level is in use yet: mark some as private.", counts=counts)
    private, own = (ratio_of(*effect.errors(scope)) for scope in ("private", "secret"))
    more = words.times(private)
    if private > SAME and own < 1 / SAME:
        return t(
            "{counts} Against treating all as secret, private shares get {private} more exact, secret ones {secret} "
            "less.",
            counts=counts,
            private=more,
            secret=words.times(1 / own),
        )
    if private > SAME and own <= SAME:
        return t(
            "{counts} Against treating all as secret, private shares get {private} more exact, secret ones hardly.",
            counts=counts,
            private=more,
        )
    if private > SAME:
        return t(
            "{counts} Against treating all as secret, private shares get {private} more exact, secret ones {secret}.",
            counts=counts,
            private=more,
            secret=words.times(own),
        )
    return t("{counts} At these two ε the levels change little against treating all as secret.", counts=counts)


def panel(effect: AnswerEffect | ItemEffect) -> tuple[str, str]:
    """The title of what the levels do, and what is compared."""
    eps, secret = words.epsilon(effect.epsilon), words.epsilon(effect.secret_epsilon)
    return t("What the levels do at ε = {eps}, secret {secret}", eps=eps, secret=secret), t(
        "± 95 %, points: from all marked ones treated as secret ({alike}) to each at its level ({levels}).",
        alike=effect.every.key,
        levels=effect.marked.key,
    )
