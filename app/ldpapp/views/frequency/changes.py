"""From A to B in three changes, each a number before and after: the best first, what stays exposed last."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ldpapp import words
from ldpapp.compare.measures import big, ratio
from ldpapp.parts import panels, widgets
from ldpapp.parts.panels import Html, Panel
from ldpapp.views.frequency.sentences import Named
from ldpapp.words.language import t
from ldpcore.study.frequency.facts.change import MarksChange


def row(change: MarksChange, labels: Sequence[str]) -> None:
    panels.row(*(lambda made=panel: made for panel in made(change, labels)))


def made(change: MarksChange, labels: Sequence[str]) -> list[Panel]:
    """Two changes by how much they gain, then who is seen in both settings or newly."""
    first = [_error(change)]
    if change.hidden.any():
        first.append(_hidden(change, labels))
    elif change.tightened.any() or change.loosened.any():
        first.append(_graded(change, labels))
    elif change.a.marked.any() and change.b.marked.any():
        first.append(_guessed(change))
    first.sort(key=lambda each: each[0])
    last = _exposed(change, labels) if change.exposed.any() else _open(change) if change.open.any() else None
    return [*(panel for _, panel in first), *([last] if last else [])]


def _panel(key: str, title: str, numbers: tuple[str, str], unit: str, subtitle: str) -> Panel:
    return Panel(f"change_{key}", title, [Html(big(*numbers, unit))], subtitle)


def _error(change: MarksChange) -> tuple[float, Panel]:
    before, after = change.errors
    if change.marked.any():
        answers = words.plural(int(change.marked.sum()), t("answer"), t("answers"))
        names = words.listing(dict.fromkeys((change.a.key, change.b.key)))
        subtitle = t("± 95 %, {answers} that A or B marks, {mechanism}.", answers=answers, mechanism=names)
    else:
        subtitle = t("± 95 % of all answers.")
    numbers = words.margin(before), words.margin(after)
    title = t("Error of {marked} shares", marked=widgets.sensitive(t("marked")))
    return ratio(before, after), _panel("error", title, numbers, t("points"), subtitle)


def _of_100(chances: tuple[float, float]) -> tuple[str, str]:
    return words.of_100(chances[0]), words.of_100(chances[1])


def _hidden(change: MarksChange, labels: Sequence[str]) -> tuple[float, Panel]:
    chances = change.named(change.hidden)
    title = t("Newly hidden: {names}", names=some(labels, change.hidden))
    subtitle = t(
        "Guessed by one who knows nothing; blind {blind}.",
        blind=words.of_100(1 / len(change.a.freq)),
    )
    if chances[1] >= chances[0]:  # hidden is then less than it seems
        before, after = _of_100(change.shown(change.hidden))
        sure = t("Seen for sure: {before} → {after}.", before=before, after=after)
        subtitle = t("{guessed} {sure}", guessed=subtitle, sure=sure)
    return ratio(*chances), _panel("hidden", title, _of_100(chances), t("of 100"), subtitle)


def _guessed(change: MarksChange) -> tuple[float, Panel]:
    chances = change.a.targeted, change.b.targeted
    subtitle = t(
        "By one who knows that they are marked; blind {a}, {b}.",
        a=words.of_100(change.a.blind),
        b=words.of_100(change.b.blind),
    )
    title = t("{marked} answers guessed", marked=widgets.sensitive(t("Marked")))
    return ratio(*chances), _panel("guessed", title, _of_100(chances), t("of 100"), subtitle)


def _graded(change: MarksChange, labels: Sequence[str]) -> tuple[float, Panel]:
    """Answers whose level changed: how far one report can raise their odds."""
    if change.tightened.any():
        part, names = change.tightened, some(labels, change.tightened)
        title = t("Newly secret: {names}", names=names)
    else:
        part, names = change.loosened, some(labels, change.loosened)
        title = t("No longer secret: {names}", names=names)
    odds = change.odds(part)
    text = t("By how much one report can raise their odds at most.")
    before, after = (words.ratio(each, most=True) for each in odds)
    return ratio(*odds), _panel("graded", title, (before, after), t("times"), text)


def _exposed(change: MarksChange, labels: Sequence[str]) -> Panel:
    names = some(labels, change.exposed)
    seen = change.shown(change.exposed)[1]
    unit = t("of 100")
    if seen > 0:
        title, numbers = t("Newly exposed: {names}", names=names), _of_100(change.shown(change.exposed))
        return _panel("exposed", title, numbers, unit, t("Seen as they are by the collector."))
    title, numbers = t("No longer marked: {names}", names=names), _of_100(change.named(change.exposed))
    blind = words.of_100(1 / len(change.a.freq))
    subtitle = t("Guessed by one who knows nothing; blind {blind}.", blind=blind)
    return _panel("exposed", title, numbers, unit, subtitle)


def _open(change: MarksChange) -> Panel:
    """Who is exposed by both settings."""
    answers = words.plural(int(change.open.sum()), t("answer"), t("answers"))
    seen = change.shown(change.open)
    if max(seen) > 0:
        title, numbers = t("Stay exposed: all other answers"), _of_100(seen)
        subtitle = t("The {answers} that neither marks; by the collector.", answers=answers)
    else:
        title, numbers = t("All other answers guessed"), _of_100(change.named(change.open))
        subtitle = t("The {answers} that neither marks, by one who knows nothing.", answers=answers)
    return _panel("open", title, numbers, t("of 100"), subtitle)


# in words ------------------------------------------------------------------------------------------------------------


def sentence(change: MarksChange, labels: Sequence[str], named: Named) -> str:
    """Going from the first setting of marks to the second, for one mechanism: what the marked shares gain or lose, who
    is newly hidden, who newly exposed.
    """
    sentences = [_turn(change, named)]
    if change.tightened.any():
        sentences.append(_tightened(change, some(labels, change.tightened)))
    if change.loosened.any():
        sentences.append(_loosened(change, some(labels, change.loosened)))
    if change.hidden.any():
        sentences.append(_told_hidden(change, some(labels, change.hidden), not change.exposed.any()))
    if change.exposed.any():
        sentences.append(_told_exposed(change, some(labels, change.exposed)))
    if len(sentences) == 1 and change.errors[0] == change.errors[1]:
        return _same(change, named)
    if len(sentences) == 1:
        sentences.append(_told_guessed(change))
    return " ".join(sentences)


def _told_guessed(change: MarksChange) -> str:
    """Where both mark the same values: what it costs those who hold them, if anything."""
    before, after = change.a.targeted, change.b.targeted
    if not change.marked.any() or words.tries(before) == words.tries(after):
        return t("Both mark the same values.")
    holes = {"after": words.tries(after), "before": words.tries(before, short=True)}
    return t("Both mark the same values; these are guessed in {after}, not {before}.", **holes)


def _same(change: MarksChange, named: Named) -> str:
    """A has just been kept, or what was changed changes no error."""
    holes = {"mechanism": named(change.a.key), "error": words.margin(change.errors[0])}
    if not change.marked.any():
        return t("A and B do not differ so far: {mechanism} errs by {error} points.", **holes)
    return t("A and B do not differ so far: the marked shares are off by {error} points with {mechanism}.", **holes)


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
    holes = {"names": names, "after": words.times(after, most=True), "before": words.ratio(before, most=True)}
    if words.ratio(after, most=True) == holes["before"]:
        return t("Newly secret: {names}. One report raises their odds {after} at most, as before.", **holes)
    return t("Newly secret: {names}. One report raises their odds {after} at most, not {before}.", **holes)


def _loosened(change: MarksChange, names: str) -> str:
    """Answers that are secret no longer, in the same way."""
    before, after = change.odds(change.loosened)
    holes = {"names": names, "after": words.times(after, most=True), "before": words.ratio(before, most=True)}
    if words.ratio(after, most=True) == holes["before"]:
        return t("No longer secret: {names}. One report may raise their odds {after}, as before.", **holes)
    return t("No longer secret: {names}. One report may raise their odds {after}, not {before}.", **holes)


def _told_hidden(change: MarksChange, names: str, room: bool) -> str:
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


def _told_exposed(change: MarksChange, names: str) -> str:
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
