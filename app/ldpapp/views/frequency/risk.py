"""What the card of who learns the raw answer says: who learns what, what is promised and what is not, and the price."""

from collections.abc import Sequence

import numpy as np

from ldpapp import words
from ldpapp.words.language import t
from ldpcore.attacks import labels as leaks
from ldpcore.custom import NONE, CustomMechanism
from ldpcore.levels import Levels
from ldpcore.randomizer import NotEnumerable
from ldpcore.study.frequency.facts import ByKey, ShareFacts, original


def who_learns(main: ShareFacts) -> list[tuple[str, ...]]:
    """(who, about marked answers, about the others): collector, intruder, public. Where some are secret: (who, about
    those, about private ones, about the others).
    """
    if main.secret.any():
        return _by_level(main)
    return [
        (t("Collector"), _of_marked(main), _of_others(main)),
        (t("Intruder"), t("as the collector"), t("the same")),
        (t("Public"), t("shares only"), t("shares only")),
    ]


def _by_level(main: ShareFacts) -> list[tuple[str, ...]]:
    """What the collector sees for sure and guesses of each level, of 100, and what a blind guess gets. Of a single
    value there is nothing to guess.
    """
    parts = (main.secret, main.marked & ~main.secret, ~main.marked)
    sure = [main.over(main.mechanism.disclosure(), part) for part in parts]
    won = [*(main.over(main.by_level, part) for part in parts[:2]), main.named(parts[2])]
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


def _of_marked(main: ShareFacts) -> str:
    if not main.marked.any():
        return "–"
    if main.marked.sum() == 1:
        return t(
            'told from the others in <b>{told}</b> <span class="quiet">(blind 50); that it is marked says which</span>',
            told=words.tries(main.told(int(main.marked.argmax()))),
        )
    sure = main.over(main.mechanism.disclosure(), main.marked)
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


def _of_others(main: ShareFacts) -> str:
    if main.marked.all():
        return "–"
    if main.shown > 0:
        return t("sees <b>{shown}</b> as they are", shown=words.chance_of_100(main.shown))
    named = main.named(~main.marked)
    holes = {"named": words.tries(named), "blind": words.tries(1 / len(main.freq), short=True)}
    if named > 0.995:
        return t('guesses <b>{named}</b> <span class="quiet">(knowing no shares; blind {blind})</span>', **holes)
    return t(
        'never for sure; guesses <b>{named}</b> <span class="quiet">(knowing no shares; blind {blind})</span>', **holes
    )


def knowing(main: ShareFacts) -> str:
    """Where a guess that knows no shares is worse than the commonest answer: that of one who knows them; else ""."""
    blind = main.blind_to("population", "all")
    if main.marked.any() or main.named(~main.marked) >= blind:
        return ""
    return t(
        "Whoever knows the shares guesses {won} of 100, without a report {blind}.",
        won=words.of_100(main.recognised),
        blind=words.of_100(blind),
    )


def covered(main: ShareFacts, labels: Sequence[str]) -> tuple[str, str]:
    """What the promise covers, and what it does not, with the numbers of this mechanism."""
    bound = words.times(float(np.exp(main.mechanism.epsilon)), most=True)
    if main.promise == Levels.name and main.marked.any():
        return _covered_by_level(main)
    if main.promise == "LDP":
        return (
            t("no report moves the odds between any two answers over {bound}.", bound=bound),
            t("what many reports of one person add up to."),
        )
    if main.promise == Levels.name and isinstance(main.mechanism, CustomMechanism):
        worst = t("no report raises the odds of a protected value over {bound}.", bound=bound)
        return worst, t("what a report rules out, and values with no ε of their own.")
    if main.promise == NONE:
        return t("nothing: some report proves what was answered."), t("every answer that such a report shows.")
    if not main.marked.any():
        return t("nothing: no value is marked."), t("every answer may be shown as it is.")
    if main.promise == "ULDP":
        return (
            t("no report raises the odds of a marked value over {bound}.", bound=bound),
            t("a report may show an unmarked answer."),
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


def _covered_by_level(main: ShareFacts) -> tuple[str, str]:
    """One-sided on purpose: what a report can prove is bounded, what it can rule out is not."""
    odds = {
        scope: words.times(float(np.exp(main.cell.epsilons[part].max())), most=True)
        for scope, part in main.cell.scopes
        if scope in ("sensitive", "private", "secret")
    }
    if "secret" not in odds:
        within = t(
            "no report raises the odds of a marked value over {marked}: nobody can prove it.", marked=odds["sensitive"]
        )
    elif "private" not in odds:
        within = t(
            "no report raises the odds of a secret value over {secret}: nobody can prove it.", secret=odds["secret"]
        )
    else:
        within = t(
            "no report raises the odds of a secret value over {secret}, of a private one over {private}: nobody can "
            "prove it.",
            secret=odds["secret"],
            private=odds["private"],
        )
    if main.marked.all():
        return within, t("what many reports of one person add up to.")
    return within, t("a report may show that an answer is public, and which; so somebody may be able to rule it out.")


def rare_label(main: ShareFacts, labels: Sequence[str]) -> str:
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


def price(found: ByKey, main: ShareFacts) -> str:
    """Whether the smaller error of marks is paid for in guesses of marked answers; "" where that is not compared."""
    other = original(found, main)
    if other is None or main.marked.sum() < 2 or main.error() >= other.error():
        return ""
    guessed, before = words.tries(main.targeted), words.tries(other.targeted)
    if guessed == before:
        return t("Without marks ({original}) as many are guessed.", original=other.key)
    return t("Without marks ({original}): {before} guessed.", original=other.key, before=before)
