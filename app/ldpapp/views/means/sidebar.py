"""Means' part of the sidebar: a column of numbers, its public range, the intervals marked, the mechanisms compared."""

from collections.abc import Sequence
from contextlib import nullcontext

import streamlit as st

from ldpapp import words
from ldpapp.charts import palette
from ldpapp.compare.measures import Measure, Offer, of_100
from ldpapp.parts import budget, planner, sidebar, weights, widgets
from ldpapp.views.means import cached, sentences
from ldpapp.views.means import view as means_view
from ldpapp.views.means.view import MeansView
from ldpapp.words.language import t
from ldpcore.catalog import Coverage
from ldpcore.data import DataError, Table
from ldpcore.domain import Interval
from ldpcore.study import Study, intervals
from ldpcore.study import means as task
from ldpcore.study.means import NumberColumn

LOOKS = {
    "means_unit": ("margin", "typical", "mse", "scaled"),
    "means_lines": ("best", "all"),
    "fold_means_sdpm": (False, True),
    "fold_means_report": (False, True),
    "fold_means_own": (False, True),
    **planner.folded("means"),
}


def draw(study: Study, table: Table) -> None:
    """The sidebar."""
    if not study.column or study.bins is None:
        sidebar.aside(t("This data has no column of numbers."))
        return
    public = Interval(*study.bins[:2])
    pairs = intervals.parsed(study.marks.values)
    marks = study.marks.each(lambda values: [_named(text) for text in values])
    covered = sum(high - low for low, high in pairs) / (public.high - public.low)
    share = t("{share} of the public range", share=words.share(covered))
    _weights(study, table)
    how = t("Drag over the histogram to mark one.")
    sidebar.marked(marks.values, t("interval"), share, how, marks=marks, column=study.column)
    budget.epsilon(study, by_level=bool(study.marks.secret))
    _mechanisms(study)
    sidebar.repetitions_and_seed(study)


def _weights(study: Study, table: Table) -> None:
    if table.weights is None:
        return
    try:
        weights.line(study, data(study, table), table)
    except ValueError:  # the page says why there are no numbers
        return


def _named(text: str) -> str:
    """An interval as pages write it."""
    return intervals.written(*intervals.parse(text)).replace("..", "–").replace("-", words.MINUS)


def _mechanisms(study: Study) -> None:
    """All of them by how much they promise; with nothing marked some promise nothing, and are greyed."""
    entries, idle = task.CATALOG, not intervals.parsed(study.marks.values)
    for covered, keys in entries.by_coverage().items():
        if keys:
            off = idle and covered != Coverage.EVERY
            place = st.container(key=f"off_means_{covered}") if off else nullcontext()
            label = f"{palette.promises()[covered]} {palette.STROKES[covered]}"
            with place:
                sidebar.pills(label, keys, "means", f"means_{covered}")
    if idle:
        text = t("Off: with nothing marked, what protects marked values promises nothing.")
        st.html(f'<div class="sub">{text}</div>')


def data(study: Study, table: Table) -> task.NumberColumn:
    """The column of numbers within its public range. DataError or ValueError where there is none."""
    if not study.column:
        raise DataError(
            t("“{data}” has no column of numbers.", data=table.name),
            t("A mean is of numbers. Choose other data, or another page."),
        )
    return cached.numbers(study, table)


# two settings --------------------------------------------------------------------------------------------------------


def measures(study: Study, data: NumberColumn) -> Sequence[Measure]:
    """How well the mean is known by the best mechanism, and how often answers are guessed from its reports."""
    view = means_view.current(study, data, "epsilon")
    best = None if view is None else view.best.first
    if view is None or best is None:
        return []
    column = widgets.escape(words.shorten(study.column, 30))
    known = Measure(
        "error", t("Mean of {column} known to", column=column), best.typical, sentences.margin(best),
        note=t("95 %, by {mechanism}.", mechanism=widgets.named(best.mechanism)),
    )  # fmt: skip
    return [
        known,
        *(_guessed(view, scope, best.mechanism) for scope in ("sensitive", "other") if scope in view.facts.blind),
    ]


def _guessed(view: MeansView, scope: str, mechanism: str) -> Measure:
    won, near = view.facts.parts[mechanism].guessed[scope], sentences.quantity(view.facts.near)
    title = t("Other answers guessed to within {near}", near=near)
    if scope == "sensitive":
        marked = widgets.sensitive(t("Marked"))
        title = t("{marked} answers guessed to within {near}", marked=marked, near=near)
    blind = t("by the collector, knowing the distribution; blind {n}.", n=words.of_100(view.facts.blind[scope]))
    if not won and not view.facts.blind[scope]:
        blind = t("by the collector: too few to be guessed, blind or not.")
    # How near a guess must come is of the public range: of another one it is another number.
    return of_100(f"{scope} {near}", title, won, exposed=scope == "other", note=blind)


OFFER = Offer(measures)

# the axes ------------------------------------------------------------------------------------------------------------


COLUMNS = {"epsilon": "epsilon", "n": "people", "share": "% marked"}
"""What a table calls the axis."""


def names() -> dict[str, str]:
    return {"epsilon": t("ε"), "n": t("number of people"), "share": t("% of range marked")}


def short() -> dict[str, str]:
    """The same beside a title."""
    return {"epsilon": t("ε"), "n": t("people"), "share": t("% marked")}
