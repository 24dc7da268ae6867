"""What the lower rows of the Means view add: whence the advantage, the exact repeat, and the paper's Theorem 4."""

from collections.abc import Sequence
from math import log10

import numpy as np
import pandas as pd

from ldpapp import charts, words
from ldpapp.parts import widgets
from ldpapp.parts.panels import Chart, Html, Panel, Reach, Sheet
from ldpapp.views.means import cached, sentences
from ldpapp.views.means.sentences import quantity, typical
from ldpapp.views.means.view import MeansView
from ldpapp.words.language import t
from ldpcore.estimators.intervals import mean_interval
from ldpcore.study import Study, axis_points
from ldpcore.study.means import MEASURES, NumberColumn, repeats, reports
from ldpcore.study.means.reports import Disclosed
from ldpcore.study.means.spreads import Spread


def rules(*paragraphs: str) -> Html:
    """Sentences with a rule between them."""
    return Html('<div class="card rules">' + "".join(f"<p>{text}</p>" for text in paragraphs) + "</div>")


def advantage(view: MeansView) -> Panel:
    texts = [t("Nothing is marked, so SDPM promises nothing: mark an interval to see what its advantage comes from.")]
    if view.facts.marked:
        sent = reports.disclosed(view.facts.cell("SDPM"), view.data)
        texts = spread_texts(view.data, view.spreads, sent) or [waiting(view.study)]
    return Panel(
        "means_advantage",
        t("Where the advantage comes from"),
        [rules(*texts)],
        t("SDPM by EM, beside its unbiased score. How far they are off is a typical error."),
        reach=Reach.INTERNAL,
    )


def repeat(view: MeansView) -> Panel:
    """A low value reported as itself is recognised; on a grid it is one suspect among others."""
    title, subtitle = t("The exact repeat"), t("SDPM: an unmarked answer sent as it is.")
    if not view.facts.marked:
        nobody = t("Nothing is marked: no answer is promised to stay hidden, repeated or not.")
        return Panel("means_repeat", title, [rules(nobody)], subtitle)
    shown = repeats.repeat(view.study, view.data, "SDPM")
    if shown is None:
        return Panel("means_repeat", title, [rules(t("Everything is marked: no answer is sent as it is."))], subtitle)
    rows = [
        (t("as recorded"), t("<b>{n}</b> of 100", n=words.of_100(shown.proved)), t("certain")),
        (
            t("on a grid of {step}", step=sentences.quantity(shown.step)),
            t("none"),
            t("right in {n} of 100", n=words.of_100(shown.certain)),
        ),
    ]
    table = widgets.pairs_table(rows, (t("proved to be true"), t("“a repeat is the answer”")))
    why = t(
        "Recorded answers have few decimals, noise has many: a report that repeats an unmarked answer exactly is true "
        "for certain. The promise allows it; people may not expect it."
    )
    remedy = [
        t("Remedy: reports rounded at random to a public grid."),
        t("Here it hardly helps: noise is too thin to hide among.")
        if shown.certain > 0.9
        else t("Here it leaves the answer deniable."),
        t("It adds {cost} to a report’s variance.", cost=words.share(shown.cost)),
        t("uTernary says such answers openly."),
    ]
    return Panel("means_repeat", title, [Html(table), rules(why, " ".join(remedy))], subtitle, reach=Reach.INTERNAL)


def theorem(view: MeansView) -> Panel:
    low, subtitle = sentences.theorem(view.study, view.data)
    grid, epsilon = axis_points.epsilons(0.5, 8), view.study.epsilon
    exact, pm, paper = cached.theorem(low, grid, view.data.unit)
    lines = pd.concat(
        [pd.DataFrame({"mechanism": n, "x": grid, "value": value}) for n, value in (("SDPM", exact), ("PM", pm))],
        ignore_index=True,
    )
    stated = pd.DataFrame({"mechanism": "SDPM", "x": grid, "value": paper})
    rows = lines.merge(stated.rename(columns={"value": "Theorem 4"}), how="left", on=["mechanism", "x"])
    at = epsilon if grid[0] <= epsilon <= grid[-1] else None
    figure = charts.error_curves(
        lines, None, focus="SDPM", at=at, reference=stated, unit="mse", dark=widgets.is_dark(), height=176, width=308
    )
    exact, _, paper = cached.theorem(low, (epsilon, 4.0), 1.0)
    now, later = (words.share(float(part)) for part in exact / paper - 1)
    why = t(
        "The paper leaves out the answers that are sent as they are, and the mean of the reports, which is not the "
        "answer. At ε = {eps} the exact variance is {here} above the paper’s; at ε = 4, {later}.",
        eps=words.epsilon(epsilon),
        here=now,
        later=later,
    )
    return Panel(
        "means_theorem",
        t("The paper’s Theorem 4"),
        [Chart(figure, t("Largest variance of an unmarked report: exact, by Theorem 4, and PM's.")), rules(why)],
        subtitle,
        [Sheet(rows, "theorem4")],
    )


# what the advantage comes from ---------------------------------------------------------------------------------------


def waiting(study: Study) -> str:
    """Why SDPM's EM cannot stand beside its unbiased score yet, and what to do."""
    if "SDPM" not in study.mechanisms:
        return t("Choose SDPM in the sidebar: then its EM stands beside its unbiased score.")
    if study.repetitions < 2:
        return t("EM has no closed form: its error shows in repeated surveys. Set Repetitions to 2 or more.")
    return t("EM has no closed form: its error shows once two surveys are simulated.")


def spread_texts(data: NumberColumn, found: Sequence[Spread], sent: Disclosed | None) -> list[str]:
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
