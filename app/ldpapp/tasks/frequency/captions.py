"""What panels and cards say of what they draw: quantity and encoding, the limit, who learns what, what is promised."""

from collections.abc import Callable, Sequence

import numpy as np

from ldpapp import curves, words
from ldpapp.controls import estimators, scopes
from ldpapp.language import t
from ldpapp.tasks.frequency.facts import Facts, original
from ldpapp.tasks.frequency.looking import View
from ldpcore.attacks import labels as leaks
from ldpcore.own import NONE, Own
from ldpcore.randomizer import NotEnumerable
from ldpcore.study import Study

LEVELS = "levels"


def error_drawn(view: View, study: Study, main: Facts) -> str:
    """What the error panel draws: the quantity, its lines and marks, and what would be closer."""
    said = [ERRORS[view.quantity]()]
    if view.quantity != "largest":
        surveys = words.plural(study.repetitions, t("survey"), t("surveys"))
        if view.estimator == "raw":
            said.append(t("Line: theory. Mark: {surveys}.", surveys=surveys))
        else:
            said.append(
                t(
                    "Line: theory, unbiased. Mark: {surveys}, {estimator}, with its bias.",
                    surveys=surveys,
                    estimator=estimators()[view.estimator],
                )
            )
    if view.quantity in ("points", "typical") and view.scope == "all" and main.error() > main.unasked:
        unasked = curves.written(view.quantity, main.unasked)
        said.append(t("Above {unasked} equal shares for all would be closer.", unasked=unasked))
    return " ".join(said)


ERRORS: dict[str, Callable[[], str]] = {
    "points": lambda: t("± 95 % of a share, points."),
    "typical": lambda: t("Typical error of a share, points."),
    "mse": lambda: t("Mean squared error of a share."),
    "largest": lambda: t("Largest error of any share, points; no closed form, lines join the marks."),
}


def guessed(whose: str) -> str:
    """What the adversary's panel draws."""
    return {
        "all": t("Answers guessed, of 100."),
        "sensitive": t("Marked answers guessed, of 100."),
        "private": t("Private answers guessed, of 100."),
        "secret": t("Secret answers guessed, of 100."),
        "other": t("Other answers guessed, of 100."),
    }[whose]


def error_in(view: View, letter: str, limited: bool) -> str:
    """What the curves of one setting draw, beside those of the other."""
    said = [SCOPED[view.quantity](scopes()[view.scope])]
    if letter == "B":
        said.append(t("Same axes; dotted: A."))
    elif limited:
        said.append(t("Shaded: the limit under its marks."))
    return " ".join(said)


SCOPED: dict[str, Callable[[str], str]] = {
    "points": lambda scope: t("± 95 %, {scope}, points.", scope=scope),
    "typical": lambda scope: t("Typical error, {scope}, points.", scope=scope),
    "mse": lambda scope: t("Mean squared error, {scope}.", scope=scope),
    "largest": lambda scope: t("Largest error, {scope}, points; lines join the marks.", scope=scope),
}


def plane_drawn(epsilon: float, scope: str, two: bool = False) -> str:
    """What the plane draws; two: beside A, where B stands."""
    holes = {"eps": words.epsilon(epsilon), "scope": scopes()[scope]}
    if two:
        return t(
            "Up: ± 95 % on the {scope}, points. Right: marked answers guessed, of 100. Large marks: A at ε = {eps}; "
            "dashed to the small ones: B, against its own blind guess. Grey: no mechanism that protects A’s marks "
            "(ULDP) and is fixed before the answers are known gets there.",
            **holes,
        )
    return t(
        "Up: ± 95 % on the {scope}, percentage points. Right: marked answers guessed, of 100. Solid: up to your "
        "ε = {eps} (the large mark). Dotted: beyond. Grey: no mechanism that protects the marked values (ULDP) and is "
        "fixed before the answers are known gets there, averaged over which answers are common.",
        **holes,
    )


def plane_of_levels(scope: str) -> str:
    """What the plane draws where every level has its own ε."""
    return t(
        "Up: ± 95 % on the {scope}, percentage points. Right: answers of one level guessed, of 100, by one who knows "
        "the level. Solid: up to your ε (the large mark). Dotted: beyond. Grey: no mechanism that keeps the levels and "
        "is fixed before the answers are known gets there, however much it gives away.",
        scope=scopes()[scope],
    )


def limited(promise: str, epsilon: float, least: str, key: str, times: float) -> str:
    """The words about the limit: bold up to the colon, and the part after the semicolon where there is room."""
    return LIMITED[promise](least=least, eps=words.epsilon(epsilon), mechanism=key, times=f"{times:.2f}")


LIMITED: dict[str, Callable[..., str]] = {
    "levels": lambda **holes: t(
        "limit: no mechanism that keeps every level’s own promise and is fixed before the answers are known gets below "
        "{least} at ε = {eps}, averaged over which answers are common; {mechanism}’s squared error is {times} times "
        "the least",
        **holes,
    ),
    "LDP": lambda **holes: t(
        "limit: no mechanism that keeps the promise on every value and is fixed before the answers are known gets "
        "below {least} at ε = {eps}, averaged over which answers are common; {mechanism}’s squared error is {times} "
        "times the least",
        **holes,
    ),
    "ULDP": lambda **holes: t(
        "limit: no mechanism that keeps the promise on the marked values and is fixed before the answers are known "
        "gets below {least} at ε = {eps}, averaged over which answers are common; {mechanism}’s squared error is "
        "{times} times the least",
        **holes,
    ),
    "guarded SDLDP": lambda **holes: t(
        "limit: no mechanism that keeps the guarded promise and is fixed before the answers are known gets below "
        "{least} at ε = {eps}, averaged over which answers are common; {mechanism}’s squared error is {times} times "
        "the least",
        **holes,
    ),
}


def limited_for_shares(limit: str, least: str, most: str) -> str:
    """Beside a limit, that for mechanisms made for these very shares: between `least` and `most`."""
    if least == limit:
        return t("Nor would one that is made for these very shares.")
    if least == most:
        return t(
            "Made for these very shares, if they were known, none gets below {least}, and one gets there.", least=least
        )
    return t(
        "Made for these very shares, if they were known, none gets below {least}, and one gets to {most}.",
        least=least,
        most=most,
    )


# the risk card ---------------------------------------------------------------------------------------------------


def who_learns(main: Facts) -> list[tuple[str, ...]]:
    """(who, about marked answers, about the others): collector, intruder, public. Where some are secret: (who, about
    those, about private ones, about the others).
    """
    if main.secret.any():
        return _by_level(main)
    return [
        (t("Collector"), _of_marked(main), _of_others(main)),
        (t("Intruder"), t("the same as the collector"), t("the same")),
        (t("Public"), t("shares only"), t("shares only")),
    ]


def _by_level(main: Facts) -> list[tuple[str, ...]]:
    """What the collector sees for sure and guesses of each level, of 100, and what a blind guess gets. Of a single
    value there is nothing to guess.
    """
    parts = (main.secret, main.marked & ~main.secret, ~main.marked)
    sure = [main.held(main.mechanism.disclosure(), part) for part in parts]
    won = [*(main.held(main.by_level, part) for part in parts[:2]), main.named(parts[2])]
    blind = [1 / max(int(part.sum()), 1) for part in parts[:2]] + [1 / len(main.freq)]
    alone = [part.sum() < 2 for part in parts[:2]] + [False]
    return [
        (t("Seen"), *(words.of_100(each) if each > 0 else t("never") for each in sure)),
        (
            t("Guessed"),
            *(t("one value") if one else f"<b>{words.of_100(each)}</b>" for one, each in zip(alone, won, strict=True)),
        ),
        (t("Blind"), *("–" if one else words.of_100(each) for one, each in zip(alone, blind, strict=True))),
    ]


def _of_marked(main: Facts) -> str:
    if not main.marked.any():
        return "–"
    sure = main.held(main.mechanism.disclosure(), main.marked)
    holes = {"guessed": words.tries(main.targeted), "blind": words.tries(main.blind, short=True)}
    if sure > 0:
        return t(
            'for sure <b>{sure}</b> of 100; guesses <b>{guessed}</b> <span class="quiet">(blind {blind})</span>',
            **holes,
            sure=words.of_100(sure),
        )
    if main.targeted > 0.995:  # "never for sure" would deny what follows
        return t('guesses <b>{guessed}</b> <span class="quiet">(blind {blind})</span>', **holes)
    return t('never for sure; guesses <b>{guessed}</b> <span class="quiet">(blind {blind})</span>', **holes)


def _of_others(main: Facts) -> str:
    if main.marked.all():
        return "–"
    if main.shown > 0:
        return t("sees <b>{shown}</b> as they are", shown=words.chance_of_100(main.shown))
    named = main.named(~main.marked)
    if named > 0.995:
        return t("guesses <b>{named}</b>", named=words.tries(named))
    return t("never for sure; guesses <b>{named}</b>", named=words.tries(named))


def covered(main: Facts, labels: Sequence[str]) -> tuple[str, str]:
    """What the promise covers, and what it does not, with the numbers of this mechanism."""
    bound = words.times(float(np.exp(main.mechanism.epsilon)))
    if main.promise == "levels" and main.marked.any():
        return _covered_by_level(main)
    if main.promise == "LDP":
        return (
            t("no report moves the odds between any two answers over {bound}.", bound=bound),
            t("what many reports of one person add up to."),
        )
    if main.promise == LEVELS and isinstance(main.mechanism, Own):
        worst = t("no report raises the odds of a protected value over {bound}.", bound=bound)
        return worst, t("what a report rules out, and values with no ε of their own.")
    if main.promise == NONE:
        return t("nothing: some report proves what was answered."), t("every answer that such a report shows.")
    if not main.marked.any():
        return t("nothing: no value is marked."), t("every answer may be shown as it is.")
    if main.promise == "ULDP":
        return (
            t("no report raises the odds of a marked value over {bound}.", bound=bound),
            t("a report may show that an answer is unmarked, and which."),
        )
    if main.promise != "SDLDP":
        within = t(
            "no report moves the odds between two marked values over {bound}. None raises “marked” against the average "
            "of the others over {bound}.",
            bound=bound,
        )
        return within, rare_label(main, labels)
    within = t("no report moves the odds between two marked values over {bound}.", bound=bound)
    return within, t("marked against unmarked. {label}", label=rare_label(main, labels))


def _covered_by_level(main: Facts) -> tuple[str, str]:
    """One-sided on purpose: what a report can prove is bounded, what it can rule out is not."""
    said = {
        scope: words.times(float(np.exp(main.cell.epsilons[part].max())))
        for scope, part in main.cell.scopes
        if scope in ("sensitive", "private", "secret")
    }
    if "secret" not in said:
        within = t(
            "no report raises the odds of a marked value over {marked}: nobody can prove it.", marked=said["sensitive"]
        )
    elif "private" not in said:
        within = t(
            "no report raises the odds of a secret value over {secret}: nobody can prove it.", secret=said["secret"]
        )
    else:
        within = t(
            "no report raises the odds of a secret value over {secret}, of a private one over {private}: nobody can "
            "prove it.",
            secret=said["secret"],
            private=said["private"],
        )
    if main.marked.all():
        return within, t("what many reports of one person add up to.")
    return within, t("a report may show that an answer is public, and which; so somebody may be able to rule it out.")


def rare_label(main: Facts, labels: Sequence[str]) -> str:
    """What the most telling label of an unmarked answer says about being marked, on these data."""
    try:
        telling = leaks.odds(main.mechanism, main.marked, main.freq)
    except NotEnumerable:
        return t("A label that is rare among the others points to a marked answer.")
    if not np.any(telling > 0):
        return t("A report may show that an answer is unmarked, and which.")
    worst = int(np.nanargmax(telling))
    label = words.shorten(labels[worst], 20)
    if np.isinf(telling[worst]):
        return t("A report “{label}” proves that the answer is marked.", label=label)
    times = words.times(float(telling[worst]))
    return t("A report “{label}” multiplies the odds of a marked answer {times}.", label=label, times=times)


def price(found: dict[str, Facts], main: Facts) -> str:
    """Whether the smaller error of marks is paid for in guesses of marked answers; "" where that is not compared."""
    other = original(found, main)
    if other is None or main.marked.sum() < 2 or main.error() >= other.error():
        return ""
    guessed, before = words.tries(main.targeted), words.tries(other.targeted)
    holes = {"mechanism": main.key, "original": other.key, "guessed": guessed, "before": before}
    if guessed == before:
        del holes["before"]
        return t(
            "{mechanism} errs less than {original} here, and marked answers are guessed as often: in {guessed} tries.",
            **holes,
        )
    if main.targeted > other.targeted:
        return t(
            "{mechanism} errs less than {original} here, and marked answers are guessed more often: in {guessed} "
            "tries, not in {before}.",
            **holes,
        )
    return t(
        "{mechanism} errs less than {original} here, and marked answers are guessed less often: in {guessed} tries, "
        "not in {before}.",
        **holes,
    )
