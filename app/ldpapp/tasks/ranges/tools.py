"""What stands behind the Ranges page: the strategies in figures, covariances, the experiment, the best possible."""

import numpy as np
import pandas as pd
import streamlit as st

from ldpapp import charts, widgets, words
from ldpapp.looks import choose, look
from ldpapp.tasks.ranges import cached as ranges_cached
from ldpapp.tasks.ranges import data as range_data
from ldpapp.tasks.ranges import findings
from ldpapp.tasks.ranges.panels import View
from ldpcore import ranges

DENSE = 8
"""The largest h at which the best possible strategy is looked for: each doubling takes several times as long."""
MAPPED = 6
"""The largest h whose covariances are drawn cell by cell."""


def tools(view: View) -> None:
    """What stands behind the page: the table of strategies, covariances, the experiment, the best possible."""
    with st.popover("Strategies", type="tertiary", key="ranges_strategies", on_change="rerun") as strategies:
        if strategies.open:
            _summary(view)
    with st.popover("Covariance", type="tertiary", key="ranges_covariance", on_change="rerun") as covariance:
        if covariance.open:
            _covariance(view)
    with st.popover("Experiment", type="tertiary", key="ranges_experiment", on_change="rerun") as experiment:
        if experiment.open:
            _experiment(view)
    with st.popover("Best possible", type="tertiary", key="ranges_best", on_change="rerun") as best:
        if best.open:
            _best(view)


def _summary(view: View) -> None:
    rows = range_data.summary(view.names, view.cells, view.epsilon)
    right = ' style="text-align:right"'
    heads = "".join(f"<th{right if i > 1 else ''}>{name}</th>" for i, name in enumerate(rows.columns))
    body = "".join(
        f"<tr><td>{widgets.named(row[0])}</td><td>{row[1]}</td>"
        + "".join(f"<td{right}>{words.decimals(v) if isinstance(v, float) else v}</td>" for v in row[2:])
        + "</tr>"
        for row in rows.itertuples(index=False)
    )
    with st.container(width=680):
        st.html(f'<div class="card"><table><tr>{heads}</tr>{body}</table></div>')
        st.html(
            f'<div class="sub">Average: over {findings.over(view.cells)}. Δ: the most one person changes. The index '
            "(log₂N)³/(Δ²c̄), of all N cells, orders strategies as N grows "
            "without end; at this N the average error decides.</div>"
        )
        csv = rows.to_csv(index=False).encode()
        st.download_button(
            "Download CSV", csv, "strategies.csv", "text/csv", key="download_strategies", on_click="ignore"
        )


def _experiment(view: View) -> None:
    """The paper's table 1 at this N."""
    cells = view.cells
    with st.spinner("Releasing"):
        rows = ranges_cached.experiment(view.study.seed, cells.h)
    inside = int(((rows["low"] <= rows["theory"]) & (rows["theory"] <= rows["high"])).sum())
    drawn = pd.DataFrame(
        {
            "length": rows["r"] - rows["l"] + 1,
            "value": rows["experiment"] / rows["theory"],
            "low": rows["low"] / rows["theory"],
            "high": rows["high"] / rows["theory"],
            "name": [f"cells {l} to {r}" for l, r in zip(rows["l"], rows["r"], strict=True)],  # noqa: E741
        }
    )
    with st.container(width=460):
        st.html(
            '<div class="title">Theory against experiment</div><div class="sub">Mean squared error over the exact one, '
            f"with 95 %: Privelet, N = {words.count(cells.size)}, {len(rows)} random ranges, shortest first, 100 "
            f"releases each. {inside} of the {len(rows)} intervals hold 1.</div>"
        )
        figure = charts.experiment_ratios(drawn, focus="Privelet", dark=widgets.is_dark())
        widgets.plot(
            figure, "chart_experiment", f"Experiment over theory for {len(rows)} ranges; {inside} intervals hold 1."
        )
        st.html('<div class="sub">Across: cells in the range. At ε = 1; the ratio is the same at every ε.</div>')
        means = ranges_cached.averages(view.study.seed)
        held = int(((means["low"] <= means["theory"]) & (means["theory"] <= means["high"])).sum())
        st.html(
            '<div class="title">Over all ranges</div><div class="sub">Mean squared error, people², ε = 1, N = 2<sup>m'
            f"</sup>; {held} of {len(means)} intervals hold the theory.</div>"
        )
        st.dataframe(means.round(2), hide_index=True, height=144, row_height=26, width=460)
        csv = rows.to_csv(index=False).encode()
        st.download_button(
            "Download CSV", csv, "experiment.csv", "text/csv", key="download_experiment", on_click="ignore"
        )


def _best(view: View) -> None:
    """What is possible at this N."""
    cells = view.cells
    if cells.h > DENSE:
        widgets.state_box(
            f"The search would take long at N = {words.count(cells.size)}.",
            f"Choose {words.count(1 << DENSE)} cells or fewer.",
            height=80,
        )
        return
    with st.container(width=460):
        st.html(
            f'<div class="title">The best possible</div><div class="sub">Typical error over {findings.over(cells)}, '
            f"people, at N = {words.count(cells.size)}. “Optimised” is found by descent; none is below the bound.</div>"
        )
        wanted = f"best_{cells.h}_{cells.k}"
        if not look(wanted):
            st.button("Search", type="primary", on_click=_search, args=(wanted,), key="ranges_search")
            return
        padded = cells.k < cells.size
        found, bound = search(cells.size, range_data.every_range(cells.h, cells.k) if padded else None, wanted)
        unit = 2 / view.epsilon**2
        rows = [(widgets.named(name), range_data.average(name, cells, view.epsilon)) for name in view.names]
        rows.append((widgets.named("optimised"), (unit * found) ** 0.5))
        rows.sort(key=lambda row: -row[1])
        rows.append(("no strategy is below", (unit * bound) ** 0.5))
        body = "".join(f'<tr><td>{who}</td><td class="num">±{words.decimals(error)}</td></tr>' for who, error in rows)
        st.html(f'<div class="effects"><table>{body}</table></div>')


def _search(wanted: str) -> None:
    choose(wanted, True)


def _covariance(view: View) -> None:
    """How the noise of two cells hangs together."""
    name, h = view.pair[0], min(view.cells.h, MAPPED)
    strategy = range_data.build(name, h)
    found = strategy.covariance_matrix() * strategy.noise(view.epsilon)
    other = "" if h == view.cells.h else f" Drawn at N = {1 << h}; at N = {words.count(view.cells.size)} it is alike."
    with st.container(width=420):
        st.html(
            '<div class="title">Covariance of two released cells</div>'
            f'<div class="sub">{widgets.named(name)}, people². '
            f"A cell's own variance is {words.decimals(found[0, 0])}. {_hangs(found)}{other}</div>"
        )
        figure = charts.covariance_map(found, dark=widgets.is_dark())
        widgets.plot(figure, "chart_covariance", f"Covariance of every two of {1 << h} cells of {name}.")
        rows = pd.DataFrame(found, columns=[str(i + 1) for i in range(1 << h)])
        csv = rows.to_csv(index=False).encode()
        st.download_button(
            "Download CSV", csv, "covariance.csv", "text/csv", key="download_covariance", on_click="ignore"
        )


def _hangs(found: np.ndarray) -> str:
    off = found[~np.eye(len(found), dtype=bool)]
    if not len(off) or np.allclose(off, 0, atol=1e-12 * found[0, 0]):
        return "Cells have noise of their own: nothing hangs together, and a range adds up all of it."
    return (
        f"Two cells have from {words.decimals(float(off.min()))} to {words.decimals(float(off.max()))}: below 0 the "
        "noise of neighbours cancels in a range."
    )


def search(size: int, workload: ranges.Workload | None, key: str) -> tuple[float, float]:
    """The mean Δ²c of the best strategy found by descent, and the bound; with progress. A new input stops it.

    `key` names the workload.
    """
    if not ranges_cached.searched(size, key):
        bar = st.progress(0.0, "Searching")
        ranges_cached.search(
            size, key, workload, lambda done, total: bar.progress(min(done / total, 1.0), f"Step {done}")
        )
        bar.empty()
    return ranges_cached.search(size, key, workload)
