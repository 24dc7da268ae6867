"""Means: the mean of one column of numbers, how wrong it gets when only a part of its range is sensitive."""

from functools import partial

from ldpapp import charts, words
from ldpapp.compare import strip
from ldpapp.parts import budget, error_unit, levels, planner, widgets
from ldpapp.parts import panels as frame
from ldpapp.parts.cards import HEIGHT, Card, sizes
from ldpapp.parts.panels import Box, Chart, Maker, row, show
from ldpapp.runtime import capture
from ldpapp.state import column_settings
from ldpapp.state.model import table, workspace
from ldpapp.views.means import details, exposed, marks, more, own, panels, personal, sentences, sidebar
from ldpapp.views.means import view as means_view
from ldpapp.views.means.headline import Headline
from ldpapp.views.means.sentences import quantity
from ldpapp.views.means.view import MeansView
from ldpapp.words.language import t
from ldpcore import catalog
from ldpcore.data import DataError, Table
from ldpcore.plan.answers import rounded_down
from ldpcore.study import Study, fitting, intervals, means
from ldpcore.study.means import NumberColumn, compared, facts, usual
from ldpcore.study.means import lines as mean_lines
from ldpcore.study.means.plans import MeanPlans
from ldpcore.study.means.spreads import Spread

ABOUT = (
    ((1, 1, 1), (details.bias, details.distribution, more.advantage)),
    ((40, 28, 30), (personal.personalised, more.repeat, more.theorem)),
)
"""What is told of SDPM, from top to bottom: how wide, and who makes the panels."""


def page(asked: Study, data: NumberColumn) -> None:
    asked = compared.added(asked)
    own.dressed(asked, data)
    view = means_view.current(asked, data, asked.axis)
    widgets.sentence(*_headline(asked, data, view))
    strip.here()
    if text := _codes(asked.column):
        widgets.note(text)
    count = words.plural(len(intervals.parsed(asked.marks.values)), t("interval"), t("intervals"))
    budget.on_phone(asked.at_point(), t("{intervals} marked", intervals=count))
    if not intervals.parsed(asked.marks.values):
        show(partial(marks.proposal, asked, data))
    histogram: Maker = partial(panels.histogram, asked, data, view.focus if view else "")
    if view is None:
        row(histogram, partial(_nobody, facts.off(asked)), widths=(61, 36))
        own.fold(asked, data)
        return
    row(histogram, partial(panels.release, view), widths=(61, 36))
    row(partial(panels.error, view), partial(exposed.adversary, view), widths=(40, 57))
    inside = t(
        "bias and spread · distribution recovered · where the advantage comes from · each marks their own · the exact "
        "repeat · Theorem 4"
    )
    frame.fold("fold_means_sdpm", t("About SDPM"), inside, partial(_about, view))
    draws = t("what is drawn for an answer of your choice")
    report = partial(show, partial(details.report, view))
    frame.fold("fold_means_report", t("One report, step by step"), draws, report)
    planner_fold(view)
    own.fold(asked, data)
    panels.simulate(view)


def _codes(column: str) -> str:
    """What a mean of few numbers supposes; "" for a column of many."""
    profile = fitting.column(table(), column)
    if profile is None or profile.role == "number":
        return ""
    different = words.plural(profile.distinct, t("different number"), t("different numbers"))
    return t(
        "“{column}” has {different} only. Where these are codes, not amounts or grades, their mean says nothing.",
        column=widgets.escape(words.shorten(column, 40)),
        different=different,
    )


def _about(view: MeansView) -> None:
    for widths, makers in ABOUT:
        row(*(partial(maker, view) for maker in makers), widths=widths)


def _nobody(off: tuple[str, ...]) -> frame.Panel:
    """No mechanism that promises anything is compared."""
    hint = t("Mark something, or choose one that protects every value in the sidebar.")
    box = exposed.switched_off(off)
    return frame.Panel("means_release", t("What would be published?"), [Box(box.what, box.why, hint, box.height)])


def _headline(asked: Study, data: NumberColumn, view: MeansView | None) -> tuple[str, str]:
    """And what is published of it: guesses of whoever knows the distribution would tell it."""
    headline = Headline(
        asked.epsilon,
        widgets.escape(asked.column),
        data.interval,
        lambda text: widgets.sensitive(widgets.escape(text)),
        widgets.named,
    )
    marked = intervals.parsed(asked.marks.values)
    if view is None or not marked:
        known = means_view.known(asked, data)
        every = headline.unmarked(known.best)
        supposed = headline.supposed(
            usual.proposed(data), known.supposed, known.best.every
        )  # which may be read off the data
        return f"{every} {supposed}".strip(), every if supposed else ""
    whole, mild = (headline.said(marked, view.best, each, view.study.mechanisms) for each in (view.facts.price, None))
    return whole, mild if view.facts.price else ""


# the Overview --------------------------------------------------------------------------------------------------------


def card(asked: Study, source: Table, column: str) -> Card | None:
    """None where the column chosen last is not read as numbers, or no mean of it is unbiased; a sentence where it
    cannot be averaged.
    """
    if column != asked.column or not column_settings.of(workspace(), column).binned:
        return None
    try:
        view = means_view.current(asked, sidebar.data(asked.at_point(), source), "epsilon")
    except (DataError, ValueError) as error:
        box = Box(widgets.escape(str(error)))
        return Card("mean", "–", t("the mean"), "", "means", lambda: box.draw("overview_mean"))
    best = view.best.first if view else None
    if view is None or best is None:
        return None
    marked = words.plural(len(view.facts.marked), t("interval"), t("intervals"))
    subtitle = t("± 95 % of the mean against ε, in the column’s units; {intervals} marked.", intervals=marked)
    if error_unit.squared("means_unit"):
        subtitle = t("Mean squared error of the mean against ε; {intervals} marked.", intervals=marked)
    subtitle = t("{what} {sizes}", what=subtitle, sizes=sizes(view.facts.parts[best.mechanism].bits))
    title = t(
        "is how exactly the mean of {column} is known, by {mechanism}",
        column=widgets.escape(asked.column),
        mechanism=best.mechanism,
    )
    big = sentences.margin(best)
    return Card("mean", big, title, subtitle, "means", partial(_draw, view, best, subtitle), "means_unit")


def _draw(view: MeansView, best: Spread, alt: str) -> None:
    figure = charts.error_curves(
        mean_lines.lines(view.lines, view.drawn.pairs, view.unit),
        None,
        focus=mean_lines.labels(view.drawn.pairs)[best.mechanism, best.how],
        at=view.study.epsilon,
        unit=view.unit.name,
        dark=widgets.is_dark(),
        height=HEIGHT,
    )
    Chart(figure, alt, key="overview_mean").draw("overview_mean")


# the planner ---------------------------------------------------------------------------------------------------------


def planner_fold(view: MeansView) -> None:
    planner.fold("means", lambda: planned(view))


def planned(view: MeansView) -> planner.PlannerSubject:
    study, data = view.study, view.data
    near = view.facts.near
    if capture.wanted() and near == usual.near(data):  # read off the data: a report for publication has the range's
        near = 2 * usual.NEAR * data.unit
    low = tuple(intervals.complement(intervals.parsed(study.marks.values), data.interval))
    levels = means.parts(study, data, study.epsilon)
    least = float(levels.epsilons.min(initial=study.epsilon))
    several = len(set(levels.epsilons[levels.hidden])) > 1
    parts = tuple((left, right, epsilon / least) for left, right, epsilon in levels.pieces) if several else ()
    able = [key for key, entry in catalog.MEANS.items() if view.facts.marked or entry.promise == "LDP"]
    able += [key for key in catalog.LEVELED_MEANS if several or key == view.focus]
    return planner.PlannerSubject(
        "means",
        lambda every, worst: MeanPlans(data, low, near / data.unit, worst, view.facts.parts[view.focus].promise, parts),
        able,
        tuple(key for key in study.mechanisms if key in catalog.NUMBERS),
        view.focus,
        catalog.NUMBERS.name,
        view.facts.cell(view.focus).groups[0].n,
        least,
        unit(view),
        t(
            "Two are given, one is answered, for the mean of <b>{column}</b>; ± is noise alone.",
            column=widgets.escape(study.column),
        ),
        lambda key: t("With {key} the mean is off by at most", key=key),
        partial(_guessed, several, bool(view.facts.marked), near=quantity(near)),
        label=t("ε of secret answers") if several else "",
        both=partial(_both, view.focus, study.epsilon / least) if several else None,
    )


def _both(key: str, times: float, epsilon: float) -> str:
    """The ε of either level; of a mechanism that knows one only, that one."""
    if key in catalog.LEVELED_MEANS:
        return levels.both_epsilons(epsilon, times)
    return levels.one_epsilon(catalog.NUMBERS.name(key), epsilon)


def unit(view: MeansView) -> planner.ErrorUnit:
    """The column's."""
    scale, public = view.data.unit, view.data.interval
    return planner.ErrorUnit(
        scale,
        t("Within ±, in the column’s units"),
        t("±"),
        lambda error: f"±{quantity(error * scale)}",
        lambda error: f"±{quantity(rounded_down(error * scale))}",
        f"_{view.study.column}_{public.low:g}_{public.high:g}",
    )


def _guessed(several: bool, some: bool, **holes: str) -> str:
    """What the attacker manages. several: levels have an ε each; some: something is marked."""
    if several:
        return t(
            "At ε = {eps}, whoever does not know the distribution guesses a secret number to within ± {near} from one "
            "report for {won} people; whoever knows only that it is secret, for {blind}.",
            **holes,
        )
    if some:
        return t(
            "At ε = {eps}, whoever does not know the distribution guesses a marked number to within ± {near} from one "
            "report for {won} people; whoever knows only that it is marked, for {blind}.",
            **holes,
        )
    return t(
        "At ε = {eps}, whoever does not know the distribution guesses a number to within ± {near} from one "
        "report for {won} people; a blind guess gets {blind}.",
        **holes,
    )
