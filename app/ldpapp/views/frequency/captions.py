"""What panels and cards say of what they draw: quantity and encoding, the limit, who learns what, what is promised."""

from collections.abc import Callable

from ldpapp import words
from ldpapp.parts import curve_words
from ldpapp.parts.curve_words import estimators, scopes
from ldpapp.views.frequency.sentences import Named
from ldpapp.words.language import t
from ldpcore.levels import Levels
from ldpcore.study import Study
from ldpcore.study.frequency.curves import FrequencyCurveOptions
from ldpcore.study.frequency.facts import ShareFacts, limits
from ldpcore.study.frequency.facts.limits import EqualRisk, ExposedError


def error_drawn(view: FrequencyCurveOptions, study: Study, main: ShareFacts) -> str:
    """What the error panel draws: the quantity, its lines and marks, and what would be closer."""
    sentences = [ERRORS[view.quantity]()]
    if view.quantity != "largest":
        surveys = words.plural(study.repetitions, t("survey"), t("surveys"))
        if view.estimator == "raw":
            sentences.append(t("Line: theory. Mark: {surveys}.", surveys=surveys))
        else:
            sentences.append(
                t(
                    "Line: theory, unbiased. Mark: {surveys}, {estimator}, with its bias.",
                    surveys=surveys,
                    estimator=estimators()[view.estimator],
                )
            )
    if view.quantity in ("points", "typical") and view.scope == "all" and main.error() > main.unasked:
        unasked = curve_words.written(view.quantity, main.unasked)
        sentences.append(t("Above {unasked} equal shares for all would be closer.", unasked=unasked))
    return " ".join(sentences)


ERRORS: dict[str, Callable[[], str]] = {
    "points": lambda: t("± 95 %, points; lower is better."),
    "typical": lambda: t("Typical error of a share, points; lower is better."),
    "mse": lambda: t("Mean squared error of a share; lower is better."),
    "largest": lambda: t("Largest error of any share, points; no closed form, lines join the marks."),
}


def guessed(whose: str) -> str:
    """What the adversary's panel draws."""
    return {
        "all": t("Answers guessed, of 100; lower is safer."),
        "sensitive": t("Marked answers guessed, of 100; lower is safer."),
        "private": t("Private answers guessed, of 100; lower is safer."),
        "secret": t("Secret answers guessed, of 100; lower is safer."),
        "other": t("Other answers guessed, of 100; lower is safer."),
    }[whose]


def error_in(view: FrequencyCurveOptions, letter: str, limited: bool) -> str:
    """What the curves of one setting draw, beside those of the other."""
    sentences = [SCOPED[view.quantity](scopes()[view.scope])]
    if letter == "B":
        sentences.append(t("Same axes; dotted: A."))
    elif limited:
        sentences.append(t("Shaded: the limit under its marks."))
    return " ".join(sentences)


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
            "Up: ± 95 % on the {scope}, points. Right: risk. Large marks: A at ε = {eps}; dashed to the small ones: B, "
            "against its own blind guess. Grey: beyond A’s limit (ULDP).",
            **holes,
        )
    return t(
        "Up: ± 95 % on the {scope}, points. Right: risk. A line ends at ε = {eps}. Grey: beyond the limit of what "
        "protects marked values (ULDP).",
        **holes,
    )


def placed_apart(study: Study, main: ShareFacts, named: Named, sensitive: str) -> str:
    """Where the mechanism in focus stands whose only marked answer nobody need guess: its error, and its pairs."""
    return t(
        "At ε = {eps} the {sensitive} share is known to {error} points, and one report tells it from others in {pairs} "
        "of 100 pairs (guessing: 50): by {mechanism}.",
        eps=words.epsilon(study.epsilon),
        sensitive=sensitive,
        error=words.margin(main.error("sensitive")),
        pairs=words.of_100(main.apart),
        mechanism=named(main.key),
    )


def told_apart(pairs: float, error: float) -> str:
    """What a point of the plane is."""
    holes = {"error": words.decimals(error), "pairs": words.of_100(pairs / 100)}
    return t("±{error} points, {pairs} of 100 pairs told apart", **holes)


def plane_apart(epsilon: float, scope: str) -> str:
    """What the plane draws where one value is marked."""
    return t(
        "Up: ± 95 % on the {scope}, points. Right: pairs of a marked answer and another that one report tells apart, "
        "exact. A line ends at ε = {eps}.",
        scope=scopes()[scope],
        eps=words.epsilon(epsilon),
    )


def plane_of_levels(scope: str) -> str:
    """What the plane draws where every level has its own ε."""
    return t(
        "Up: ± 95 % on the {scope}, points. Right: answers of one level guessed, by one who knows the level. A line "
        "ends at your ε. Grey: beyond the limit of what keeps the levels, whatever it gives away.",
        scope=scopes()[scope],
    )


def limited(promise: str, epsilon: float, least: str, error: str, key: str, times: float) -> str:
    """The words about the limit: bold up to the colon, and the part after the semicolon where there is room. error: of
    the mechanism, as it is written beside the limit, which is never rounded up.
    """
    reached = t("{mechanism}’s squared error is {times} times the least", mechanism=key, times=f"{times:.2f}")
    if times < 1.005:
        reached = t("{mechanism} gets there", mechanism=key)
        if error != least:
            reached = t("{mechanism} within 1\u00a0%", mechanism=key)
    return LIMITED[promise](least=least, eps=words.epsilon(epsilon), reached=reached)


LIMITED: dict[str, Callable[..., str]] = {
    Levels.name: lambda **holes: t(
        "limit: nothing fixed in advance that keeps every level’s own promise gets below {least} at ε = {eps}, "
        "averaged over which answers are common; {reached}",
        **holes,
    ),
    "LDP": lambda **holes: t(
        "limit: nothing fixed in advance that keeps the promise on every value gets below {least} at ε = {eps}, "
        "averaged over which answers are common; {reached}",
        **holes,
    ),
    "ULDP": lambda **holes: t(
        "limit: nothing fixed in advance that keeps the promise on marked values gets below {least} at "
        "ε = {eps}, averaged over which answers are common; {reached}",
        **holes,
    ),
    "guarded SDLDP": lambda **holes: t(
        "limit: nothing fixed in advance that keeps the guarded promise gets below {least} at ε = {eps}, averaged "
        "over which answers are common; {reached}",
        **holes,
    ),
}


def limited_for_shares(limit: str, least: str, most: str) -> str:
    """Beside a limit, that for mechanisms made for these very shares: between `least` and `most`, "" where one gets
    to the least.
    """
    if least == limit:
        return t("Even one that knew these shares gets no lower.")
    if not most:
        return t("Of those that knew these shares none gets below {least}, and one gets there.", least=least)
    return t(
        "Of those that knew these shares none gets below {least}, and one gets to {most}.",
        least=least,
        most=most,
    )


# the plane of error against exposure ---------------------------------------------------------------------------------


def placed(
    study: Study,
    main: ShareFacts,
    gap: ExposedError | None,
    even: EqualRisk | None,
    scope: str,
    named: Named,
    sensitive: str,
) -> str:
    """What the mechanism in focus costs in error and in exposure, and how much less error its exposure allows under
    its promise; where another one that is drawn is more exact at equal exposure, that.
    """
    holes = {
        "eps": words.epsilon(study.epsilon),
        "mechanism": named(main.key),
        "shares": ERRING[scope](sensitive),
        "error": words.margin(main.error(scope)),
        "guessed": words.of_100(main.targeted),
        "blind": words.tries(main.blind, short=True),
    }
    finding = t(
        "At ε = {eps} {shares} are known to {error} points, and {guessed} of 100 marked answers guessed, blind "
        "{blind}: by {mechanism}.",
        **holes,
    )
    if gap is not None:
        finding = t(
            "{finding} At that risk {least} is possible: {percent}&nbsp;% less error.",
            finding=finding,
            least=words.margin(gap.least),
            percent=str(round(100 * (1 - gap.least / gap.error))),
        )
    elif even is None and limits.is_bounded(main):
        # A curve may pass below at a larger ε, a weaker promise, and where ε has no end nothing is the least: whoever
        # sends a part of the answers as they are errs little for the few that are guessed.
        finding = t("{finding} None with that ε, promise and risk errs 5&nbsp;% less.", finding=finding)
    return finding if even is None else _beaten(finding, study, main, even, named)


def _beaten(finding: str, study: Study, main: ShareFacts, even: EqualRisk, named: Named) -> str:
    """Where the risk is the same, by which of the two has a smaller ε for it."""
    holes = {
        "finding": finding,
        "risk": words.of_100(even.exposure),
        "other": named(even.key),
        "error": words.margin(even.error),
        "own": words.margin(even.others_error),
    }
    least = min(even.epsilon, even.others_epsilon)
    if even.others_epsilon < study.epsilon:
        mechanism = named(main.key)
        holes["own"] = t(
            "{own}, {mechanism} with ε = {eps}", own=holes["own"], mechanism=mechanism, eps=words.epsilon(least)
        )
    elif even.epsilon < study.epsilon:
        holes["other"] = t("{other} (ε = {eps})", other=holes["other"], eps=words.epsilon(least))
    return t("{finding} At equal risk ({risk} of 100) {other} errs less: {error}, not {own}.", **holes)


ERRING: dict[str, Callable[[str], str]] = {
    "sensitive": lambda sensitive: t("{sensitive} shares", sensitive=sensitive),
    "all": lambda _: t("all shares"),
}


def placed_by_level(
    study: Study, whose: str, main: ShareFacts, blind: float, least: float, named: Named, colored: str
) -> str:
    """Where the mechanism in focus stands, and the limit in points, which holds whatever is guessed. whose: the level
    that is guessed at; colored: its word.
    """
    finding = t(
        "At ε = {eps}, secret {own}, {guessed} of 100 {level} answers are guessed by {mechanism}, blind {blind}.",
        eps=words.epsilon(study.epsilon),
        own=words.epsilon(study.secret_at(study.epsilon)),
        level=colored,
        guessed=words.of_100(main.guessed(whose)),
        mechanism=named(main.key),
        blind=words.of_100(blind),
    )
    holes = {"finding": finding, "error": words.margin(main.error("sensitive"))}
    if not least > 0:
        return t("{finding} The marked shares err by {error} points.", **holes)
    return t(
        "{finding} The marked shares err by {error} points; {least} is the limit, whatever is given away.",
        **holes,
        least=curve_words.least("points", least),
    )
