"""What stands behind the Ranges page: the strategies in figures, covariances, the experiment, the best possible."""

from collections.abc import Callable, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from ldpapp import charts, words
from ldpapp.parts import widgets
from ldpapp.parts.panels import Box, Chart, Control, Html, Line, Part
from ldpapp.runtime import display
from ldpapp.state import view_options
from ldpapp.views.ranges import cached, own, sentences
from ldpapp.views.ranges import cells as strategies
from ldpapp.views.ranges.view import RangesView
from ldpapp.words.language import t
from ldpcore import data, ranges
from ldpcore.study.ranges import strategies as engine
from ldpcore.study.ranges.comparison import compared

MAPPED = 6
"""The largest h whose covariances are drawn cell by cell."""


def tools(view: RangesView) -> None:
    """What stands behind the page, made when somebody opens it."""
    _tool(t("Strategies"), "ranges_strategies", partial(_summary, view), 680)
    _tool(t("Covariance"), "ranges_covariance", partial(_covariance, view), 420)
    _tool(t("Experiment"), "ranges_experiment", partial(_experiment, view), 460)
    _tool(t("Best possible"), "ranges_best", partial(_best, view), 460)


def _tool(label: str, key: str, make: Callable[[], Sequence[Part]], width: int) -> None:
    with st.popover(label, type="tertiary", key=key, on_change="rerun") as place:
        if place.open:
            with st.container(width=width):
                for part in make():
                    part.draw(key)


def _title(text: str) -> Html:
    return Html(f'<div class="title">{text}</div>')


def _download(rows: pd.DataFrame, name: str) -> Control:
    csv = data.as_csv(rows).encode()
    return Control(
        partial(
            st.download_button,
            t("Download CSV"),
            csv,
            f"{name}.csv",
            "text/csv",
            key=f"download_{name}",
            on_click="ignore",
        )
    )


# the strategies ----------------------------------------------------------------------------------------------------


def summary(view: RangesView) -> pd.DataFrame:
    """The table strategy × index."""
    rows = compared(view.study, view.cells.counted)
    return pd.DataFrame(
        {
            "strategy": view.names,
            "what it is": [strategies.detail(name, view.cells.h) for name in view.names],
            "Δ": rows["sensitivity"].astype(int),
            "average typical error": rows["error"],
            t("index at N = {n}", n=words.count(view.cells.size)): rows["index"],
            "its limit": rows["limit"],
            "beats flat from N": ["" if not n > 1 else words.count(n) for n in rows["overtakes"]],
        }
    )


def _summary(view: RangesView) -> list[Part]:
    rows = summary(view)
    right = ' style="text-align:right"'
    heads = "".join(f"<th{right if i > 1 else ''}>{name}</th>" for i, name in enumerate(rows.columns))
    body = "".join(
        f"<tr><td>{widgets.named(row[0])}</td><td>{row[1]}</td>"
        + "".join(f"<td{right}>{words.decimals(v) if isinstance(v, float) else v}</td>" for v in row[2:])
        + "</tr>"
        for row in rows.itertuples(index=False)
    )
    text = t(
        "Average: over {ranges}. Δ: the most that one person more or less changes. The index (log₂N)³/(Δ²c̄), of all N "
        "cells, orders strategies as N grows without end; at this N the average error decides.",
        ranges=view.cells.ranges,
    )
    return [
        Html(f'<div class="card"><table><tr>{heads}</tr>{body}</table></div>'),
        Line(text),
        _download(rows, "strategies"),
    ]


# covariance --------------------------------------------------------------------------------------------------------


def _covariance(view: RangesView) -> list[Part]:
    """How the noise of two cells hangs together."""
    name, h = view.pair[0], min(view.cells.h, MAPPED)
    strategy = engine.built(engine.build_of(name), h)
    matrix = strategy.covariance_matrix() * strategy.noise(view.study.epsilon)
    return [
        _title(t("Covariance of two released cells")),
        Line(sentences.covariance(name, view.cells, 1 << h, matrix)),
        Chart(
            charts.covariance_map(matrix, dark=widgets.is_dark()),
            t("Covariance of every two of {n} cells of {strategy}.", n=1 << h, strategy=name),
            key="chart_covariance",
        ),
        _download(pd.DataFrame(matrix, columns=[str(i + 1) for i in range(1 << h)]), "covariance"),
    ]


# the paper's experiments -------------------------------------------------------------------------------------------


def _experiment(view: RangesView) -> list[Part]:
    """The paper's tables 1, at this N, and 2."""
    with st.spinner(t("Releasing")):
        rows, means = cached.experiment(view.study.seed, view.cells.h), cached.averages(view.study.seed)
    inside, inside_of_means = ranges.holding(rows), ranges.holding(means)
    drawn = pd.DataFrame(
        {
            "length": rows["r"] - rows["l"] + 1,
            "value": rows["experiment"] / rows["theory"],
            "low": rows["low"] / rows["theory"],
            "high": rows["high"] / rows["theory"],
            "name": [t("cells {first} to {last}", first=l, last=r) for l, r in zip(rows["l"], rows["r"], strict=True)],  # noqa: E741
        }
    )
    alt = t("Experiment over theory for {n} ranges; {inside} intervals hold 1.", n=len(rows), inside=inside)
    squares = t(
        "Mean squared error, people², ε = 1, N = 2<sup>m</sup>; {held} of {n} intervals hold the theory.",
        held=inside_of_means,
        n=len(means),
    )
    table = partial(
        st.dataframe,
        means.round(2),
        hide_index=True,
        height=display.grown(144),
        row_height=display.grown(26),
        width=460,
    )
    return [
        _title(t("Theory against experiment")),
        Line(sentences.experiment(view.cells, len(rows), inside)),
        Chart(
            charts.experiment_ratios(drawn, focus=strategies.PRIVELET, dark=widgets.is_dark()),
            alt,
            key="chart_experiment",
        ),
        Line(t("Across: cells in the range. At ε = 1; the ratio is the same at every ε.")),
        _title(t("Over all ranges")),
        Line(squares),
        Control(table),
        _download(rows, "experiment"),
    ]


# the best possible -------------------------------------------------------------------------------------------------


def _best(view: RangesView) -> list[Part]:
    """What is possible at this N."""
    cells = view.cells
    if cells.h > own.DENSE:
        why = t("Choose {n} cells or fewer.", n=words.count(1 << own.DENSE))
        return [Box(t("The search would take long at N = {n}.", n=words.count(cells.size)), why, height=80)]
    text = t(
        "Typical error over {ranges}, people, at N = {n}. “Optimised” is found by descent; none is below the bound.",
        ranges=cells.ranges,
        n=words.count(cells.size),
    )
    wanted = f"best_{cells.h}_{cells.k}"
    head: list[Part] = [_title(t("The best possible")), Line(text)]
    if not view_options.look(wanted):
        choose = {"on_click": view_options.choose, "args": (wanted, True), "key": "ranges_search"}
        return [*head, Control(partial(st.button, t("Search"), type="primary", **choose))]
    error, bound = own.search(cells.size, cells.workload, wanted, view.study.epsilon)
    rows = [(name, view.of(name).average) for name in view.names]
    return [*head, own.table([*rows, (t("Optimised"), error)], bound)]
