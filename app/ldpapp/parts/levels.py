"""Levels of answers: what they are called, and how they look. Ink follows protection: filled, outlined, grey.

With two levels the marked answers are "sensitive"; with three they are private or secret, and the word always stands in
the chip.
"""

from ldpapp import words
from ldpapp.charts import palette
from ldpapp.words.language import t
from ldpcore.study import Marks, Study
from ldpcore.study.definition import SECRET, SENSITIVE
from ldpcore.study.frequency.facts import ShareFacts

PUBLIC = "public"
ORDER = (SECRET, SENSITIVE, PUBLIC)
"""The most protected first."""


def names() -> dict[str, str]:
    """What the three are called, the most protected first."""
    return {SECRET: t("secret"), SENSITIVE: t("private"), PUBLIC: t("public")}


def word(study: Study) -> str:
    """What the most protected answers of the first setting are called."""
    return t("secret") if study.marks.secret else t("sensitive")


def chip(level: str, text: str, dark: bool) -> str:
    """A word in the look of its level, as HTML; `text` is markup already."""
    colors = palette.scheme(dark)
    look = {
        SECRET: f"background:{colors.sensitive};border-color:{colors.sensitive};color:{colors.page}",
        SENSITIVE: f"border-color:{colors.sensitive};color:{colors.sensitive}",
        PUBLIC: f"background:{colors.floor};border-color:{colors.floor}",
    }[level]
    return f'<i class="chip" style="{look}">{text}</i>'


def counted(marks: Marks, dark: bool, of: int = 0) -> str:
    """How many values have each level, as chips; of: how many values there are, 0: the public ones are not counted."""
    counts = {SECRET: len(marks.secret), SENSITIVE: len(marks) - len(marks.secret), PUBLIC: max(of - len(marks), 0)}
    texts = {
        SECRET: t("{n} secret", n=counts[SECRET]),
        SENSITIVE: t("{n} private", n=counts[SENSITIVE]),
        PUBLIC: t("{n} public", n=counts[PUBLIC]),
    }
    return " ".join(chip(level, texts[level], dark) for level in ORDER if counts[level])


def one_epsilon(name: str, epsilon: float) -> str:
    """A mechanism, named so, that does not know levels: all that is marked has the ε of what is secret."""
    return t("{key} treats all that is marked as secret: ε = {secret}.", key=name, secret=words.epsilon(epsilon))


def both_epsilons(epsilon: float, times: float) -> str:
    """The ε of what is secret, and of what is private: so many times as much."""
    return t(
        "Secret: ε = {secret}, private: ε = {private}, which is always {times} times as much.",
        secret=words.epsilon(epsilon),
        private=words.epsilon(times * epsilon),
        times=f"{times:.3g}",
    )


def bought(study: Study, error: float, alike: float) -> str:
    """What the third level buys for all shares: with it they err by `error`, with all that is marked as secret by
    `alike`: typical errors, between 0 and 1.
    """
    return t(
        "At ε = {eps}, secret {own}, shares are known to {error} points, to {alike} if all marked were secret.",
        eps=words.epsilon(study.epsilon),
        own=words.epsilon(study.secret_at(study.epsilon)),
        error=words.margin(error),
        alike=words.margin(alike),
    )


def price(marks: ShareFacts, every: ShareFacts) -> str:
    """What marks cost against protecting every value: other answers that a report shows for sure, and marked ones that
    are guessed more often by one who knows that they are marked; a single one is told from the others instead.
    """
    alone = marks.marked.sum() == 1
    chances = [one.told(int(one.marked.argmax())) if alone else one.targeted for one in (marks, every)]
    won, less = (words.tries(chance, short=True) for chance in chances)
    seen = t("The price: <b>{shown} of 100</b> other answers are seen", shown=words.of_100(marks.shown))
    if chances[0] <= chances[1] or won == less:
        return t("{seen} as they are.", seen=seen) if marks.shown > 0 else t("No report shows another answer for sure.")
    if marks.shown <= 0:
        seen = t("The price: no answer is seen for sure")
    if alone:
        return t("{seen}, the marked one told from others in <b>{won}</b>, not {less}.", seen=seen, won=won, less=less)
    return t("{seen}, marked ones guessed in <b>{won}</b>, not {less}.", seen=seen, won=won, less=less)
