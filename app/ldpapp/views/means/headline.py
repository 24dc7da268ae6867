"""Means in two lines: how well the mean is known, and what that costs people; and what marking would gain."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ldpapp import words
from ldpapp.views.means.sentences import margin, names, quantity
from ldpapp.words.language import t, unmarked
from ldpcore.domain import Interval
from ldpcore.study import intervals
from ldpcore.study.means.facts import BestMeans, GuessedAnswers
from ldpcore.study.means.spreads import Spread

Say = Callable[[str], str]
GAINS = 0.95
"""Marking gains something where the error is below so much of that with every value protected."""


@dataclass(frozen=True)
class Headline:
    """What every sentence needs; column is escaped, `sensitive` gives a text the colour that says so."""

    epsilon: float
    column: str
    public: Interval
    sensitive: Say
    named: Say

    def said(
        self, marked: Sequence[intervals.Pair], best: BestMeans, price: GuessedAnswers | None, mechanisms: Sequence[str]
    ) -> str:
        """Where something is marked: both errors, and the price."""
        first = best.first
        if first is None:
            return t(
                "At ε = {eps} {mechanism} has no unbiased mean of {column} for these marks: join them, or take a "
                "smaller ε. EM still has one.",
                **self._here(),
                mechanism=words.listing(map(self.named, mechanisms)),
            )
        if list(marked) == [(self.public.low, self.public.high)]:
            return t(
                "Everything is marked: at ε = {eps} the mean of {column} is known to <b>{error}</b>.",
                **self._here(),
                error=margin(min(filter(None, best), key=lambda spread: spread.typical)),
            )
        if best.marked is None:
            return t(
                "At ε = {eps} the mean of {column} is known to <b>{error}</b> with every value {sensitive}. No chosen "
                "mechanism makes use of the marks.",
                **self._here(),
                error=margin(first),
                sensitive=self.sensitive(t("sensitive")),
            )
        return " ".join([self._known(marked, best.marked, best), *([_price(price)] if price else [])])

    def unmarked(self, best: BestMeans) -> str:
        """With nothing marked: every value is protected."""
        if best.every is None:
            return t(
                "{none}: at ε = {eps} no chosen mechanism protects an answer.",
                none=unmarked(self.column),
                eps=words.epsilon(self.epsilon),
            )
        return t(
            "{none}. If every value is protected, at ε = {eps} the mean is known to <b>{error}</b>.",
            none=unmarked(self.column),
            eps=words.epsilon(self.epsilon),
            error=margin(best.every),
        )

    def supposed(self, proposed: Sequence[intervals.Pair], spread: Spread | None, every: Spread | None) -> str:
        """What the proposal would gain beside every value protected; "" where no mechanism would use it."""
        if spread is None or every is None:
            return ""
        if spread.typical > GAINS * every.typical:
            return t(
                "Marking {marks} alone would gain <b>nothing</b>: {error}.",
                marks=names(proposed, self.public),
                error=margin(spread),
            )
        return t(
            "If only {marks} were {sensitive}, it would be known to {error}.",
            marks=names(proposed, self.public),
            sensitive=self.sensitive(t("sensitive")),
            error=margin(spread),
        )

    def _here(self) -> dict[str, str]:
        return {"eps": words.epsilon(self.epsilon), "column": self.column}

    def _known(self, marked: Sequence[intervals.Pair], one: Spread, best: BestMeans) -> str:
        """The error where only the marked values are protected, beside that where every value is."""
        holes = self._here() | {
            "marks": names(marked, self.public),
            "sensitive": self.sensitive(t("sensitive")),
            "one": margin(one),
        }
        if best.every is None:
            only = t("At ε = {eps} the mean of {column} is known to <b>{one}</b> with {marks} {sensitive}.", **holes)
            weak = t(
                "At ε = {eps} the mean of {column} is known to <b>{one}</b> with a weaker promise for {marks}, which "
                "is {sensitive}.",
                **holes,
            )
            return weak if best.weaker else only
        holes["two"] = margin(best.every)
        if best.weaker:
            return t(
                "At ε = {eps} the mean of {column} is known to <b>{one}</b> with a weaker promise for {marks}, to "
                "{two} if every value is {sensitive}.",
                **holes,
            )
        if one.typical > GAINS * best.every.typical:
            return t(
                "At ε = {eps} marking gains nothing: the mean of {column} is known to <b>{one}</b> with {marks} "
                "{sensitive}, to {two} with every value.",
                **holes,
            )
        if len(marked) > 1:
            return t(
                "At ε = {eps} the mean of {column} is known to <b>{one}</b> if {marks} are {sensitive}, to {two} if "
                "every value is.",
                **holes,
            )
        return t(
            "At ε = {eps} the mean of {column} is known to <b>{one}</b> if {marks} is {sensitive}, to {two} if every "
            "value is.",
            **holes,
        )


def _price(price: GuessedAnswers) -> str:
    """Whom it costs what: by whom, and against which blind guess."""
    holes = {"near": quantity(price.near), "won": words.of_100(price.won), "blind": words.of_100(price.blind)}
    holes["whose"] = t("the marked answers") if price.scope == "sensitive" else t("other answers")
    if price.rival is None:
        return t(
            "The price: the collector, knowing the distribution, guesses {whose} to within {near} in {won} of "
            "100 cases (blind guess: {blind}).",
            **holes,
        )
    holes["rival"] = words.of_100(price.rival)
    if price.rise > 0 and holes["won"] != holes["rival"]:
        return t(
            "The price: the collector, knowing the distribution, guesses {whose} to within {near} in <b>{won} "
            "of 100</b> cases, not {rival} "
            "(blind guess: {blind}).",
            **holes,
        )
    return t(
        "The collector, knowing the distribution, guesses {whose} to within {near} in {won} of 100 cases; with "
        "every value protected in {rival} "
        "(blind guess: {blind}).",
        **holes,
    )
