"""What curves draw, in words. What a choice is called is asked for when it is shown: its keys are fixed, its texts are
those of a language.
"""

from ldpapp import words
from ldpapp.words.language import t
from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.plan.answers import rounded_down
from ldpcore.scope import Scope

ENOUGH = 4
"""Runs of miners and starts of clusterings: the interval of fewer is as wide as the axis, and says nothing."""


def scopes() -> dict[str, str]:
    return {
        Scope.ALL: t("all values"),
        Scope.SENSITIVE: t("marked values"),
        Scope.OTHER: t("other values"),
        Scope.PRIVATE: t("private values"),
        Scope.SECRET: t("secret values"),
    }


def over(n: int, values: str, every: bool = True) -> str:
    """What one error of n values is over, "over all 16", or "over 9 marked items"; "" of a single one. values: their
    name, where it is of some.
    """
    if n == 1:
        return ""
    return t("over all {n}", n=n) if every else t("over {n} {values}", n=n, values=values)


def quantities() -> dict[str, str]:
    return {
        "points": t("± 95 %, points"),
        "typical": t("typical error, points (expert)"),
        "mse": t("mean squared error"),
        "largest": t("largest error, points"),
    }


def estimators() -> dict[str, str]:
    return {
        "raw": t("as estimated, unbiased"),
        "clip": t("clipped to 0…1"),
        "norm-sub": t("nearest distribution (norm-sub)"),
        "em": t("maximum likelihood (EM)"),
    }


def written(quantity: str, error: float) -> str:
    """A root mean squared error in words that agree with the axis: the 95 % margin, unless typical errors are asked."""
    return words.points(error) if quantity == "typical" else words.margin(error)


def least(quantity: str, error: float) -> str:
    """The same of an error that nothing undercuts: in three digits, never rounded up."""
    points = 100 * error * (1 if quantity == "typical" else NORMAL_95)
    return f"±{words.plain(rounded_down(points))}" if points > 0 else "0"


def less_exact(name: str, published: bool, epsilons: tuple[float, float], errors: tuple[float, float]) -> str:
    """A mechanism that errs more at an ε than at a smaller one, which promises more; "" where that does not show.

    published: it is so at the shares that it is made for, by its own formula. epsilons: the larger, the smaller;
    errors: root mean squared, likewise.
    """
    more, less = map(words.margin, errors)
    if more == less:
        return ""
    holes = {"mechanism": name, "eps": words.epsilon(epsilons[0]), "smaller": words.epsilon(epsilons[1])}
    if published:
        return t(
            "{mechanism} as published is less exact at ε = {eps} ({more}) than at {smaller} ({less}).",
            **holes,
            more=more,
            less=less,
        )
    return t(
        "{mechanism} is made for other shares, and less exact at ε = {eps} ({more}) than at {smaller} ({less}).",
        **holes,
        more=more,
        less=less,
    )


def said(repetitions: int, noun: str, nouns: str | None = None) -> str:
    """What is drawn, in words: "Mean of 10 runs, its 95 % interval."."""
    if repetitions == 1:
        return t("One {noun}.", noun=noun)
    many = words.plural(repetitions, noun, nouns)
    if repetitions < ENOUGH:
        return t("Mean of {many}.", many=many)
    return t("Mean of {many}, its 95&nbsp;% interval.", many=many)
