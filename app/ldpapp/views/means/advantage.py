"""Where SDPM's small error by EM comes from, in the order in which one would ask."""

from collections.abc import Sequence
from math import log10

import numpy as np

from ldpapp import words
from ldpapp.views.means.findings import quantity, typical
from ldpapp.words.language import t
from ldpcore.estimators.intervals import mean_interval
from ldpcore.study import Study
from ldpcore.study.means import MEASURES, NumberColumn
from ldpcore.study.means.reports import Disclosed
from ldpcore.study.means.spreads import Spread


def waiting(study: Study) -> str:
    """Why SDPM's EM cannot stand beside its unbiased score yet, and what to do."""
    if "SDPM" not in study.mechanisms:
        return t("Choose SDPM in the sidebar: then its EM stands beside its unbiased score.")
    if study.repetitions < 2:
        return t("EM has no closed form: its error shows in repeated surveys. Set Repetitions to 2 or more.")
    return t("EM has no closed form: its error shows once two surveys are simulated.")


def sentences(data: NumberColumn, found: Sequence[Spread], sent: Disclosed | None) -> list[str]:
    """What surveys tell of it; nothing until there are two. `sent`: the answers that SDPM sends as they are."""
    mine = {spread.how: spread for spread in found if spread.mechanism == "SDPM"}
    em, mle, free = (mine.get(how) for how in ("em", "mle", "unbiased"))
    if em is None or free is None:
        return []
    least, most = MEASURES["mse"].interval(em.errors**2)
    holes = {"em": typical(em), "free": typical(free)}
    if least > free.typical**2:
        return [
            t(
                "By EM SDPM is off by ±{em}, by its unbiased score ±{free}: here EM is the worse of the two: {share} "
                "of its squared error is bias, the pull to its flat start.",
                **holes,
                share=words.share(em.bias**2 / em.typical**2),
            )
        ]
    if most > free.typical**2:
        first = t(
            "By EM with the paper’s stop SDPM is off by ±{em}, by its unbiased score ±{free}: {surveys} cannot tell "
            "which is better.",
            **holes,
            surveys=words.plural(len(em.errors), t("survey"), t("surveys")),
        )
    else:
        first = t(
            "By EM with the paper’s stop SDPM’s squared error is {times} smaller than that of its unbiased score, from "
            "the very same reports.",
            times=words.times((free.typical / em.typical) ** 2),
        )
    away = (data.interval.low + data.interval.high) / 2 - data.mean
    return [first, *_sent(sent, em), *_stop(em, mle, away), _flattered(away / data.unit)]


def _sent(sent: Disclosed | None, em: Spread) -> list[str]:
    """What the answers that are sent as they are tell by themselves."""
    if sent is None:
        return []
    n, off = words.count(sent.people), quantity(sent.typical)
    lines = [t("Some {n} unmarked answers are sent as they are.", n=n)]
    if sent.typical < 1.5 * em.typical:
        lines.append(t("Their plain mean alone is off by only ±{off}.", off=off))
        lines.append(
            t("EM leans on them, and is right as far as people with marked answers are few, or like the others.")
        )
    else:
        lines.append(t("Their plain mean alone is off by ±{off}, since people with marked answers differ.", off=off))
        lines.append(t("What EM makes of the noisy reports has to close that gap."))
    return [" ".join(lines)]


def _stop(em: Spread, mle: Spread | None, away: float) -> list[str]:
    """Where EM stops, and how wrong it is at the end."""
    if mle is None:
        return []
    end = t("Run to the maximum of the likelihood it is off by ±{mle}.", mle=typical(mle))
    return [f"{t('The rest is where it stops.')} {halt(em, away)} {end}"]


def halt(em: Spread, away: float) -> str:
    """Where EM stops on average, as far as surveys tell; `away` is from the true mean to the middle of the range."""
    low, high = mean_interval(em.errors)
    doubt = (high - low) / 2
    if abs(em.bias) <= doubt:
        return t(
            "Begun at the flat distribution, it halts nearer the truth than {surveys} can tell (±{doubt}).",
            surveys=words.plural(len(em.errors), t("survey"), t("surveys")),
            doubt=quantity(doubt, 1),
        )
    digits = int(np.clip(1 + np.floor(log10(abs(em.bias) / doubt)), 1, 3)) if doubt else 3
    off, pull = quantity(abs(em.bias), digits), em.bias / away if away else 0.0
    above = t("Begun at the flat distribution, it halts {off} above the truth.", off=off)
    below = t("Begun at the flat distribution, it halts {off} below the truth.", off=off)
    sentence = above if em.bias > 0 else below
    if not 0.02 < pull < 1.2:
        return sentence
    return f"{sentence} {t('That is {share} of the way to the middle of the range.', share=words.share(pull))}"


def _flattered(away: float) -> str:
    return t(
        "Here the true mean lies {share} of half the range off its middle: the nearer, the more the stop flatters. The "
        "unbiased score shows what the reports hold.",
        share=words.share(abs(away)),
    )
