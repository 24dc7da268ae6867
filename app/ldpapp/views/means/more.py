"""What the lower rows of the Means view add: whence the advantage, the exact repeat, and the paper's Theorem 4."""

import pandas as pd

from ldpapp import charts, words
from ldpapp.parts import widgets
from ldpapp.parts.panels import Chart, Html, Panel, Reach, Sheet
from ldpapp.views.means import advantage as told
from ldpapp.views.means import cached, findings
from ldpapp.views.means.view import MeansView
from ldpapp.words.language import t
from ldpcore.study import axis_points
from ldpcore.study.means import repeats, reports


def rules(*paragraphs: str) -> Html:
    """Sentences with a rule between them."""
    return Html('<div class="card rules">' + "".join(f"<p>{text}</p>" for text in paragraphs) + "</div>")


def advantage(view: MeansView) -> Panel:
    texts = [t("Nothing is marked, so SDPM promises nothing: mark an interval to see what its advantage comes from.")]
    if view.facts.marked:
        sent = reports.disclosed(view.facts.cell("SDPM"), view.data)
        texts = told.sentences(view.data, view.spreads, sent) or [told.waiting(view.study)]
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
            t("on a grid of {step}", step=findings.quantity(shown.step)),
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
    low, subtitle = findings.theorem(view.study, view.data)
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
