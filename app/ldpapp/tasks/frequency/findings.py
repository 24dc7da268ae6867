"""What the numbers say: the facts of one view, and the sentences made from them. All of it is computed."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ldpapp import words
from ldpapp.controls import ESTIMATORS
from ldpapp.language import t
from ldpapp.tasks.frequency.looking import View
from ldpcore import catalog
from ldpcore.attacks import labels as leaks
from ldpcore.data import Histogram
from ldpcore.randomizer import NotEnumerable, Randomizer
from ldpcore.study import Study, frequency

Named = Callable[[str], str]
"""A mechanism's name as the page writes it, beside its glyph."""


@dataclass(frozen=True, eq=False)
class Facts:
    """One mechanism in one arm at the chosen point. Errors are typical errors of a share: root mean squares."""

    key: str
    cell: frequency.Cell

    @property
    def mechanism(self) -> Randomizer:
        return self.cell.groups[0].mechanism

    @property
    def marked(self) -> NDArray[np.bool_]:
        return self.cell.marked

    @property
    def freq(self) -> NDArray[np.float64]:
        return self.cell.freq

    @cached_property
    def variance(self) -> NDArray[np.float64]:
        """Expected squared error of every value's share: (k,)."""
        return self.cell.squared_error()

    def error(self, scope: str = "all") -> float:
        part = dict(self.cell.scopes)[scope]
        return float(np.sqrt(self.variance[part].mean()))

    @property
    def unasked(self) -> float:
        """The error of one who asks nobody and says that every value has the same share."""
        return float(np.std(self.freq))

    @cached_property
    def targeted(self) -> float:
        """Success of one who knows that the answer is marked."""
        return self._held(self.cell.success("targeted"), self.marked)

    @property
    def blind(self) -> float:
        """The same one's success without any report."""
        return 1 / int(self.marked.sum())

    @cached_property
    def uniform(self) -> NDArray[np.float64]:
        return self.cell.success("uniform")

    def named(self, part: NDArray[np.bool_]) -> float:
        """Answers of this part that one who knows nothing beforehand names rightly."""
        return self._held(self.uniform, part)

    @cached_property
    def shown(self) -> float:
        """Unmarked answers that a report shows for sure."""
        return self._held(self.mechanism.disclosure(), ~self.marked)

    def _held(self, chance: NDArray[np.float64], part: NDArray[np.bool_]) -> float:
        weight = self.freq * part
        weight = weight if weight.sum() > 0 else part.astype(float)
        return float(chance @ weight / weight.sum()) if part.any() else 0.0

    def lift(self, value: int) -> float:
        """How many times a report can at most multiply the odds of this value against another one."""
        return float(np.exp(self.mechanism.privacy_loss()[value].max()))

    @property
    def promise(self) -> str:
        return catalog.FREQUENCY[self.key].promise


def facts(study: Study, data: Histogram, arm: str) -> dict[str, Facts]:
    """Every chosen mechanism of this arm at the chosen point."""
    here = frequency.current(study, data)
    return {key: Facts(key, frequency.cell(study, data, arm, key, here)) for key in study.mechanisms}


def focus(found: dict[str, Facts], wished: str | None) -> Facts:
    """The mechanism that the cards speak of: the one wished for, else the most exact that keeps a whole promise.

    With nothing marked only those that protect every value promise anything.
    """
    if wished in found:
        return found[wished]
    marked = next(iter(found.values())).marked.any()
    whole = [fact for fact in found.values() if fact.promise in (("LDP", "ULDP") if marked else ("LDP",))]
    best = min(whole or list(found.values()), key=lambda fact: fact.error())
    pair = rivals(found) if marked else None
    return pair[0] if pair and pair[0].error() <= best.error() * (1 + 1e-9) else best


def rivals(found: dict[str, Facts]) -> tuple[Facts, Facts] | None:
    """(marks used, everything protected) of a mechanism and its original, so that only the marks differ: the best.

    uSS with w = 1 *is* uRR: then SS, not GRR, is what it is fair to compare with.
    """
    pairs = [
        (fact, other)
        for fact in found.values()
        for other in found.values()
        if fact.promise == "ULDP" and other.promise == "LDP" and catalog.FREQUENCY[fact.key].original == other.key
    ]
    return min(pairs, key=lambda pair: (round(pair[0].error(), 12), pair[1].error()), default=None)


def frequency_sentence(study: Study, found: dict[str, Facts], main: Facts, named: Named, sensitive: str) -> str:
    """The finding of the Frequency view: what the marks buy, and who is still exposed."""
    eps = words.epsilon(study.epsilon)
    count = int(main.marked.sum())
    pair = rivals(found)
    if count == 0:
        return _nothing_marked(eps, found, main, named, sensitive)
    first = _alone(eps, main, named) if pair is None else _gain(eps, *pair, count, named)
    if count == 1:
        return t(
            "{finding} One value is marked: whoever knows that an answer is {sensitive} knows the answer.",
            finding=first,
            sensitive=sensitive,
        )
    who = pair[0] if pair else main
    return t(
        "{finding} A {sensitive} answer is guessed in {success} tries; blind guessing gets {blind}.",
        finding=first,
        sensitive=sensitive,
        success=words.tries(who.targeted),
        blind=words.tries(who.blind, short=True),
    )


def _nothing_marked(eps: str, found: dict[str, Facts], main: Facts, named: Named, sensitive: str) -> str:
    open_ones = [named(key) for key, fact in found.items() if fact.mechanism.disclosure().min() >= 1]
    if open_ones:
        first = t(
            "No value is marked {sensitive}: {mechanisms} would send every answer as it is.",
            sensitive=sensitive,
            mechanisms=words.listing(open_ones),
        )
    else:
        first = t("No value is marked {sensitive}.", sensitive=sensitive)
    if main.promise != "LDP":
        return t("{finding} Mark some, or choose a mechanism that protects every value.", finding=first)
    holes = {"finding": first, "eps": eps, "mechanism": named(main.key), "error": words.points(main.error())}
    if _beats_not_asking(main):
        return t("{finding} At ε = {eps}, {mechanism} protects all of them and is off by {error} points.", **holes)
    return t(
        "{finding} At ε = {eps}, {mechanism} protects all of them and is off by {error} points, worse than not asking: "
        "the guess that all values are equally common is off by {unasked}.",
        **holes,
        unasked=words.points(main.unasked),
    )


def _beats_not_asking(*facts: Facts) -> bool:
    """Whether the most exact of these is nearer than equal shares for all."""
    return min(fact.error() for fact in facts) <= facts[0].unasked


def _alone(eps: str, main: Facts, named: Named) -> str:
    holes = {"eps": eps, "mechanism": named(main.key), "error": words.points(main.error())}
    if _beats_not_asking(main):
        return t("At ε = {eps}, {mechanism} is off by {error} points.", **holes)
    return t(
        "At ε = {eps}, {mechanism} is off by {error} points, worse than not asking: the guess that all values are "
        "equally common is off by {unasked}.",
        **holes,
        unasked=words.points(main.unasked),
    )


def _gain(eps: str, with_marks: Facts, without: Facts, count: int, named: Named) -> str:
    ratio = without.error() / with_marks.error()
    holes = {
        "eps": eps,
        "one": named(with_marks.key),
        "error": words.points(with_marks.error()),
        "two": named(without.key),
        "other": words.points(without.error()),
    }
    if not _beats_not_asking(with_marks, without):
        return t(
            "At ε = {eps}, {one} is off by {error} points, {two} by {other}, both worse than not asking: the guess "
            "that all values are equally common is off by {unasked}.",
            **holes,
            unasked=words.points(with_marks.unasked),
        )
    holes["values"] = words.plural(count, t("value"), t("values"))
    if ratio >= 1.05:
        return t(
            "At ε = {eps}, {one} is off by {error} points, {two} by {other}: marking {values} makes the shares {times} "
            "more exact.",
            **holes,
            times=words.times(ratio),
        )
    if ratio <= 0.95:
        return t(
            "At ε = {eps}, {one} is off by {error} points, {two} by {other}: marking {values} makes the shares {times} "
            "less exact.",
            **holes,
            times=words.times(1 / ratio),
        )
    return t(
        "At ε = {eps}, {one} is off by {error} points, {two} by {other}: marking {values} changes the error little.",
        **holes,
    )


def comparison_sentence(a: Facts, b: Facts, named: Named) -> str:
    """Going from the first setting of marks to the second, for one mechanism: what it costs, and what it hides."""
    return t("{turn} {hidden}", turn=_turn(a, b, named), hidden=_hidden(a, b))


def _turn(a: Facts, b: Facts, named: Named) -> str:
    before, after = a.error(), b.error()
    # Where everything is disclosed there is no error, and no ratio to it.
    ratio = after / before if before else math.inf if after else 1.0
    holes = {"mechanism": named(a.key), "before": words.points(before), "after": words.points(after)}
    if not _beats_not_asking(a, b):
        return t(
            "From A to B {mechanism} goes {before} → {after} points, both worse than not asking: the guess that all "
            "values are equally common is off by {unasked}.",
            **holes,
            unasked=words.points(a.unasked),
        )
    if ratio > 1.02 and before:
        return t(
            "Going from A to B costs accuracy: {mechanism} {before} → {after} points, {times} more.",
            **holes,
            times=words.times(ratio),
        )
    if ratio > 1.02:
        return t("Going from A to B costs accuracy: {mechanism} {before} → {after} points.", **holes)
    if ratio < 0.98:
        return t("Going from A to B gains accuracy: {mechanism} {before} → {after} points.", **holes)
    return t("Going from A to B hardly changes the error of {mechanism}: {before} → {after} points.", **holes)


def _hidden(a: Facts, b: Facts) -> str:
    more, fewer = int((b.marked & ~a.marked).sum()), int((a.marked & ~b.marked).sum())
    if more and not fewer:
        holes = {
            "answers": words.plural(more, t("more answer"), t("more answers")),
            "guessed": words.tries(b.targeted, short=True),
            "blind": words.tries(b.blind, short=True),
        }
        seen = a._held(a.mechanism.disclosure(), b.marked & ~a.marked)
        if seen:
            return t(
                "It hides {answers}, shown by A in {seen} of 100 cases; marked ones are guessed in {guessed}, blind "
                "{blind}.",
                **holes,
                seen=words.of_100(seen),
            )
        return t(
            "It hides {answers}, which A does not show openly either; marked ones are guessed in {guessed}, blind "
            "{blind}.",
            **holes,
        )
    if fewer and not more:
        return t("It no longer hides {answers}.", answers=words.plural(fewer, t("answer"), t("answers")))
    if more and fewer:
        return t(
            "It hides {answers} and no longer {fewer} of A's.",
            answers=words.plural(more, t("other answer"), t("other answers")),
            fewer=words.cardinal(fewer),
        )
    return t("Both mark the same values.")


def error_drawn(view: View, study: Study, main: Facts) -> str:
    """What the error panel draws: the quantity, its lines and marks, and what would be closer."""
    said = [_ERRORS[view.quantity]()]
    if view.quantity != "largest":
        surveys = words.plural(study.repetitions, t("survey"), t("surveys"))
        if view.estimator == "raw":
            said.append(t("Line: theory. Mark: {surveys}.", surveys=surveys))
        else:
            said.append(
                t(
                    "Line: theory, unbiased. Mark: {surveys}, {estimator}.",
                    surveys=surveys,
                    estimator=ESTIMATORS[view.estimator],
                )
            )
    if view.quantity == "points" and view.scope == "all" and main.error() > main.unasked:
        said.append(t("Above {unasked} equal shares for all would be closer.", unasked=words.points(main.unasked)))
    return " ".join(said)


_ERRORS: dict[str, Callable[[], str]] = {
    "points": lambda: t("Typical error of a share, points."),
    "mse": lambda: t("Mean squared error of a share."),
    "largest": lambda: t("Largest error of any share, points; no closed form, lines join the marks."),
}


def guessed(whose: str) -> str:
    """What the adversary's panel draws."""
    return {
        "all": t("Answers guessed, of 100."),
        "sensitive": t("Marked answers guessed, of 100."),
        "other": t("Other answers guessed, of 100."),
    }[whose]


def blind(main: Facts, prior: str, scope: str) -> float:
    """Success of the same adversary without a report: it always names its likeliest value (ties shared)."""
    if prior == "uniform":
        return 1 / len(main.freq)
    part = {"all": np.ones(len(main.freq), bool), "sensitive": main.marked, "other": ~main.marked}[scope]
    top = main.freq == main.freq.max()
    mass = main.freq[part].sum()
    return float(main.freq[part & top].sum() / top.sum() / mass) if mass > 0 else 0.0


def who_learns(main: Facts) -> list[tuple[str, str, str]]:
    """(who, about marked answers, about the others): collector, intruder, public."""
    marked = "–"
    if main.marked.any():
        sure = main._held(main.mechanism.disclosure(), main.marked)
        hidden = "never for sure" if sure == 0 else f"for sure <b>{words.of_100(sure)}</b> of 100"
        certain = "" if sure == 0 and main.targeted > 0.995 else f"{hidden}; "  # it would deny what follows
        marked = (
            f"{certain}guesses <b>{words.tries(main.targeted)}</b> "
            f'<span class="quiet">(blind {words.tries(main.blind, short=True)})</span>'
        )
    others = "–"
    if not main.marked.all():
        if main.shown > 0:
            others = f"sees <b>{words.chance_of_100(main.shown)}</b> as they are"
        else:
            named = main.named(~main.marked)
            others = f"{'' if named > 0.995 else 'never for sure; '}guesses <b>{words.tries(named)}</b>"
    return [
        ("Collector", marked, others),
        ("Intruder", "the same as the collector", "the same"),
        ("Public", "shares only", "shares only"),
    ]


def covered(main: Facts, labels: Sequence[str]) -> tuple[str, str]:
    """What the promise covers, and what it does not, with the numbers of this mechanism."""
    bound = words.times(float(np.exp(main.mechanism.epsilon)))
    if main.promise == "LDP":
        return (
            f"no report moves the odds between any two answers over {bound}.",
            "what many reports of one person add up to.",
        )
    if not main.marked.any():
        return "nothing: no value is marked.", "every answer may be shown as it is."
    if main.promise == "ULDP":
        return (
            f"no report raises the odds of a marked value over {bound}.",
            "a report may show that an answer is unmarked, and which.",
        )
    within = f"no report moves the odds between two marked values over {bound}."
    if main.promise != "SDLDP":
        return f"{within} None raises “marked” against the average of the others over {bound}.", rare_label(
            main, labels
        )
    return within, f"marked against unmarked. {rare_label(main, labels)}"


def rare_label(main: Facts, labels: Sequence[str]) -> str:
    """What the most telling label of an unmarked answer says about being marked, on these data."""
    try:
        telling = leaks.odds(main.mechanism, main.marked, main.freq)
    except NotEnumerable:
        return "A label that is rare among the others points to a marked answer."
    if not np.any(telling > 0):
        return "A report may show that an answer is unmarked, and which."
    worst = int(np.nanargmax(telling))
    times = (
        "proves that the answer is marked"
        if np.isinf(telling[worst])
        else (f"multiplies the odds of a marked answer {words.times(float(telling[worst]))}")
    )
    return f"A report “{words.shorten(labels[worst], 20)}” {times}."


def smaller_than_error(main: Facts, labels: Sequence[str]) -> list[str]:
    """Marked values that hold people, yet fewer than their own standard error."""
    small = main.marked & (main.freq > 0) & (main.freq < np.sqrt(main.variance))
    return [label for label, little in zip(labels, small, strict=True) if little]
