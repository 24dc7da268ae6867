"""Going from setting A to setting B in one sentence: what the marked shares gain, who is newly hidden, who exposed."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.views.frequency.findings import Named
from ldpapp.words.language import t
from ldpcore.study.frequency.facts.change import MarksChange


def sentence(change: MarksChange, labels: Sequence[str], named: Named) -> str:
    """Going from the first setting of marks to the second, for one mechanism: what the marked shares gain or lose, who
    is newly hidden, who newly exposed.
    """
    said = [_turn(change, named)]
    if change.tightened.any():
        said.append(_tightened(change, some(labels, change.tightened)))
    if change.loosened.any():
        said.append(_loosened(change, some(labels, change.loosened)))
    if change.hidden.any():
        said.append(_hidden(change, some(labels, change.hidden), not change.exposed.any()))
    if change.exposed.any():
        said.append(_exposed(change, some(labels, change.exposed)))
    if len(said) == 1:
        said.append(t("Both mark the same values."))
    return " ".join(said)


NAMED = 2
"""Answers that a sentence names; more are counted."""


def some(labels: Sequence[str], which: NDArray[np.bool_]) -> str:
    """These answers by name, as HTML, as far as they are few."""
    names = [widgets.escape(words.shorten(label, 20)) for label, there in zip(labels, which, strict=True) if there]
    if len(names) > NAMED:
        names = [*names[: NAMED - 1], t("{n} more", n=len(names) - NAMED + 1)]
    return words.listing(names)


def _turn(change: MarksChange, named: Named) -> str:
    before, after = change.errors
    holes = {"before": words.margin(before), "after": words.margin(after)}
    if not change.marked.any():
        return t(
            "Neither A nor B marks anything: {mechanism} errs by {before} and {after} points.",
            **holes,
            mechanism=named(change.a.key),
        )
    if not change.a.beats_not_asking(change.b):
        return t(
            "From A to B the marked shares go from {before} to {after} points, worse than not asking.",
            **holes,
        )
    return t("From A to B the marked shares go from {before} to {after} points.", **holes)


def _tightened(change: MarksChange, names: str) -> str:
    """Newly secret answers: what one report does to their odds, unless both levels have the same ε."""
    before, after = change.odds(change.tightened)
    holes = {"names": names, "after": words.times(after), "before": words.ratio(before)}
    if words.ratio(after) == holes["before"]:
        return t("Newly secret: {names}. One report raises their odds {after} at most, as before.", **holes)
    return t("Newly secret: {names}. One report raises their odds {after} at most, not {before}.", **holes)


def _loosened(change: MarksChange, names: str) -> str:
    """Answers that are secret no longer, in the same way."""
    before, after = change.odds(change.loosened)
    holes = {"names": names, "after": words.times(after), "before": words.ratio(before)}
    if words.ratio(after) == holes["before"]:
        return t("No longer secret: {names}. One report may raise their odds {after}, as before.", **holes)
    return t("No longer secret: {names}. One report may raise their odds {after}, not {before}.", **holes)


def _hidden(change: MarksChange, names: str, room: bool) -> str:
    """Newly hidden answers: how often they are named then, and were before; against blind guesses, if there is room."""
    before, after = change.named(change.hidden)
    holes = {"names": names, "after": words.tries(after), "before": words.tries(before, short=True)}
    one = change.hidden.sum() == 1
    if after >= before and one:  # few marked values: a report that names one of them is mostly right, never sure
        return t("{names} is newly hidden: never seen for sure, yet guessed in {after}, not {before}.", **holes)
    if after >= before:
        return t("{names} are newly hidden: never seen for sure, yet guessed in {after}, not {before}.", **holes)
    if not room and one:
        return t("{names} is newly hidden: guessed in {after}, not {before}.", **holes)
    if not room:
        return t("{names} are newly hidden: guessed in {after}, not {before}.", **holes)
    holes["blind"] = words.tries(1 / len(change.a.freq), short=True)
    if one:
        return t("{names} is newly hidden: guessed in {after}, not {before} (blind {blind}).", **holes)
    return t("{names} are newly hidden: guessed in {after}, not {before} (blind {blind}).", **holes)


def _exposed(change: MarksChange, names: str) -> str:
    """Newly exposed answers: how many are seen as they are, or else named."""
    seen, (before, after) = change.shown(change.exposed)[1], change.named(change.exposed)
    holes: dict[str, object] = {"names": names, "seen": words.tries(seen)}
    one = change.exposed.sum() == 1
    if seen > 0 and one:
        return t("{names} is newly exposed: seen openly in {seen}.", **holes)
    if seen > 0:
        return t("{names} are newly exposed: seen openly in {seen}.", **holes)
    holes = {"names": names, "after": words.tries(after), "before": words.tries(before, short=True)}
    if one:
        return t("{names} is no longer marked: guessed in {after}, before {before}.", **holes)
    return t("{names} are no longer marked: guessed in {after}, before {before}.", **holes)
