"""What the plane says at its head: how far what is chosen stands from the least error at its exposure."""

from ldpapp import words
from ldpapp.views.frequency.findings import GAINED, Named
from ldpapp.words.language import t
from ldpcore.study import Study
from ldpcore.study.frequency.facts import ShareFacts
from ldpcore.study.frequency.facts.limits import ExposedError


def sentence(epsilon: float, blind: float, gap: ExposedError | None, named: Named, sensitive: str) -> str:
    """How far the mechanism that is worst for its exposure is from the least error there."""
    holes = {"eps": words.epsilon(epsilon), "blind": words.tries(blind, short=True), "sensitive": sensitive}
    if gap is None:
        return t(
            "At ε = {eps} every chosen mechanism is within 5 % of the least error that its guesses of {sensitive} "
            "answers (blind {blind}) allow.",
            **holes,
        )
    holes |= {
        "mechanism": named(gap.key),
        "guessed": words.of_100(gap.exposure),
        "error": words.margin(gap.error),
        "least": words.margin(gap.least),
        "percent": str(round(100 * (1 - gap.least / gap.error))),
    }
    if gap.scope == "sensitive":
        return t(
            "At ε = {eps}, whoever knows that an answer is {sensitive} guesses {guessed} of 100 by {mechanism}, blind "
            "{blind}; their shares err by {error} points. At the same risk {least} is possible: {percent}&nbsp;% less.",
            **holes,
        )
    return t(
        "At ε = {eps}, whoever knows that an answer is {sensitive} guesses {guessed} of 100 by {mechanism}, blind "
        "{blind}; all shares err by {error} points. At the same risk {least} is possible: {percent}&nbsp;% less.",
        **holes,
    )


def of_levels(
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
    error = main.error("sensitive")
    holes = {"finding": finding, "error": words.margin(error)}
    if not least > 0:
        return t("{finding} The marked shares err by {error} points.", **holes)
    if error < GAINED * least:
        return t(
            "{finding} The marked shares err by {error} points; no mechanism gets below that, whatever it gives away.",
            **holes,
        )
    return t(
        "{finding} The marked shares err by {error} points; {least} is the limit, whatever is given away.",
        **holes,
        least=words.margin(least),
    )
