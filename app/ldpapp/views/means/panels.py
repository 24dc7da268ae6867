"""The Means view's first questions: what is sensitive, what would be published, how wrong is it; and the simulation."""

from collections.abc import Iterator
from functools import partial
from itertools import chain

import numpy as np
import pandas as pd

from ldpapp import charts, compute, words
from ldpapp.parts import error_unit, panels, widgets
from ldpapp.parts.panels import Box, Chart, Control, Filling, Menu, Panel, Reach, Sheet
from ldpapp.runtime import background, display
from ldpapp.state import view_options
from ldpapp.views.means import marks as means_marks
from ldpapp.views.means import personal, sentences, sidebar
from ldpapp.views.means import view as floors
from ldpapp.views.means.view import MeansView
from ldpapp.words.language import t
from ldpcore.study import Study, intervals
from ldpcore.study.means import NumberColumn, curves, usual
from ldpcore.study.means import lines as mean_lines
from ldpcore.study.means.estimates import unbiased
from ldpcore.study.means.spreads import Spread, spreads

# what is sensitive ---------------------------------------------------------------------------------------------------


def histogram(study: Study, data: NumberColumn, best: str) -> Panel:
    """best: the mechanism in front, for what the menu says of the marks."""
    public, marked = data.interval, intervals.parsed(study.marks.values)
    bars = usual.bars(data)
    edges, inner = bars.edges, bars.step / 2
    counts = np.histogram(public.decode(data.points), edges, weights=data.held * data.n / data.held.sum())[0]
    rows = pd.DataFrame({"from": edges[:-1] + inner, "to": edges[1:] - inner, "people": np.rint(counts).astype(int)})
    share = words.share(usual.within(data, marked))
    texts = [t("sensitive: {marks}", marks=sentences.names(marked, public)), t("{share} of the people", share=share)]
    if len(marked) > 1:
        texts[0] = t("sensitive: {intervals}", intervals=words.plural(len(marked), t("interval"), t("intervals")))
    figure = charts.mean_histogram(
        edges, counts, [bars.shown(pair) for pair in marked], marked_text=texts if marked else (), mean=data.mean,
        mean_text=t("true mean {mean}, <i>internal</i>", mean=sentences.quantity(data.mean)),
        step=bars.step, dark=widgets.is_dark(),
    )  # fmt: skip
    # A new key after every brush: the old selection would stay on the new figure.
    key = f"chart_means_{study.column}_{view_options.look('means_brushes', 0)}"
    brush = {"selection_mode": "box", "on_select": partial(means_marks.brushed, key, data)}
    column = widgets.escape(study.column)
    return Panel(
        "means_marks",
        t("How is {column} distributed, and what is sensitive?", column=column),
        [
            Control(partial(means_marks.pending, study, data)),
            Chart(
                figure, t("Histogram of {column}; drag over it to choose an interval.", column=study.column),
                key=key, options=brush,
            ),
        ],
        head=[
            Menu(
                words.plural(len(marked), t("interval"), t("intervals")) if marked else t("intervals"),
                partial(means_marks.menu, study, data, sentences.place(best, marked, data)),
                "means_intervals",
            ),
            Sheet(rows, "histogram", key="means_histogram"),
        ],
        reach=Reach.INTERNAL,
    )  # fmt: skip


# what would be published ---------------------------------------------------------------------------------------------


def release(view: MeansView) -> Panel:
    title = t("What would be published?")
    subtitle = t("One survey and its ± 95 %, by what is protected.")
    if not any(view.best):
        why = t("For these marks no chosen mechanism has one. EM has: see the error.")
        return Panel("means_release", title, [Box(t("No mean without bias."), why, height=150)], subtitle)
    estimates = surveyed(view)
    if not estimates:
        return Panel("means_release", title, [Box(t("The first survey is being simulated."), height=150)], subtitle)
    draw, truth = widgets.draws("means"), view.facts.truth
    rows = []
    for label, spread in estimates:
        estimate, off = truth + spread.errors[draw % len(spread.errors)], spread.margin
        rows.append(charts.Published(label, spread.mechanism, estimate, off, sentences.published(float(estimate), off)))
    figure = charts.published_means(
        rows, truth, truth_label=t("the answers"),
        truth_text=t("{mean}, <i>internal</i>", mean=sentences.quantity(truth)),
        dark=widgets.is_dark(), height=162 if len(rows) > 1 else 130,
    )  # fmt: skip
    table = pd.DataFrame(
        {
            "protected": [row.label for row in rows],
            "mechanism": [row.mechanism for row in rows],
            "bits": [view.facts.parts[row.mechanism].bits for row in rows],
            "published": [row.estimate for row in rows],
            "± 95 %": [row.margin for row in rows],
            "true mean (internal)": truth,
        }
    )
    alt = t("The mean as one survey would publish it, with its 95 % interval, beside the true mean.")
    head = [
        panels.again(t("draw again"), "means", max(len(spread.errors) for _, spread in estimates)),
        Sheet(table, "published"),
    ]
    return Panel("means_release", title, [Chart(figure, alt, instead=subtitle)], subtitle, head)


def surveyed(view: MeansView) -> list[tuple[str, Spread]]:
    """What each row protects, and its estimate in the surveys so far; those of which there is one."""
    labels = (t("weaker promise") if view.best.weaker else t("marked"), t("every value"))
    seen = {(spread.mechanism, spread.how): spread for spread in spreads(view.drawn.point, view.data, view.at_point)}
    pairs = [(label, seen[best.mechanism, best.how]) for label, best in zip(labels, view.best, strict=True) if best]
    return [(label, spread) for label, spread in pairs if len(spread.errors)]


# error -------------------------------------------------------------------------------------------------------------


def error(view: MeansView) -> Panel:
    simulated = pd.concat([view.at_point, compute.kept(view.drawn.simulated, view.data)], ignore_index=True)
    lines, marks = view.drawn.tables(view.lines, simulated, view.unit)
    at = curves.scale(view.axis) * view.drawn.at
    fitted = any(pair != unbiased(pair[0]) for pair in view.drawn.pairs)
    what = sentences.error_drawn(view.unit.key, view.study.repetitions, view.axis, at, fitted, view.wide)
    below, text = floors.floor(view)
    called = mean_lines.labels(view.drawn.pairs)
    name = next((called[pair] for pair in view.drawn.pairs if pair[0] == view.focus), "")
    axis = sidebar.names()[view.axis]
    figure = charts.error_curves(
        lines, marks, limit=below, limit_text=text, focus=name, at=at, unit=view.unit.name,
        x_name=axis, log_x=view.axis != "share", dark=widgets.is_dark(), height=178, width=345,
    )  # fmt: skip
    unit = sentences.units()[view.unit.key]
    alt = t("{what} One line for each mechanism and estimate.", what=what)
    both = lines.merge(marks.rename(columns={"value": "simulated"}), how="outer", on=["mechanism", "x"])
    sizes = {called[pair]: view.facts.parts[pair[0]].bits for pair in view.drawn.pairs}
    both = both.assign(bits=both["mechanism"].map(sizes))
    return Panel(
        "means_error",
        t("Error against {axis}", axis=axis),
        [Chart(figure, alt, text, instead=unit)],
        Filling(view.data, [view.drawn.point, view.drawn.simulated], t("surveys"), what, unit),
        [
            panels.axis_menu("means", sidebar.names(), view.axis, sidebar.short()),
            error_unit.control("means_unit"),
            Menu(sentences.units()[view.unit.key].partition(" (")[0], _error_menu, "means_unit_menu"),
            Sheet(
                both.rename(columns={"x": sidebar.COLUMNS[view.axis], "value": "error"}),
                "error",
                internal=["simulated", "low", "high", "repetitions"],
            ),
        ],
    )


def _error_menu() -> None:
    view_options.radio(t("Error as"), sentences.units(), "means_unit")
    kinds = {"best": t("the best under each promise"), "all": t("all chosen mechanisms, and EM")}
    view_options.radio(t("Lines"), kinds, "means_lines")


# simulation ----------------------------------------------------------------------------------------------------------


def simulate(view: MeansView) -> None:
    """What is still to be computed: surveys at the chosen point, the limit, lines, and what open folds show."""
    surveys, along = (compute.surveys(study, view.data) for study in (view.drawn.point, view.drawn.simulated))
    background.steps(chain(surveys, floors.work(view), along, *_folded(view)), view.drawn.simulated)


def _folded(view: MeansView) -> Iterator[Iterator[object]]:
    if view_options.look("fold_means_sdpm") or display.single():
        yield from (
            compute.surveys(study, view.data) for study in (view.drawn.full_point, *personal.fitted(view).every)
        )
