"""The panels of the Clusters view: modes side by side, scores, and what the messages give away."""

import pandas as pd
import streamlit as st

from ldpapp import bind, charts, compute, curves, filling, session, widgets, words
from ldpapp.looks import look
from ldpapp.tasks.clusters import data as cluster_data
from ldpapp.tasks.clusters import study as own
from ldpapp.tasks.clusters.data import CATALOG, TRUE, Limits, Shown
from ldpapp.tasks.clusters.rounds import attribute, whole
from ldpcore.study import Study, summary
from ldpcore.study import clusters as task
from ldpcore.study.clusters import People

SCORES = {"AC": "in the right cluster", "entropy": "entropy"}
_REGION = 'tabindex="0" role="region" aria-label="Modes side by side"'
AXES = {"epsilon": "ε", "n": "people", "k": "clusters"}


# modes -----------------------------------------------------------------------------------------------------------


def modes(study: Study, people: People, shown: list[Shown]) -> None:
    what = "Same start. <b>Bold</b>: not K-modes’ value. Under the name: people in the right cluster."
    with widgets.panel("modes", "Modes side by side", what) as slot:
        widgets.again(slot, "another start", "clusters")
        with slot:
            widgets.as_table("modes", _table(people, shown), "modes")
        heads = "".join(f"<th>{widgets.named(one.name)}<br>{_right(one)}</th>" for one in shown)
        body = "".join(_cluster(people, shown, r, study.column) for r in range(len(shown[0].modes)))
        width = f"min-width:{88 + 74 * len(shown)}px"
        inside = f'<table style="{width}"><tr><td></td>{heads}</tr>{body}</table>'
        # It scrolls where there are many clusters: also by keyboard.
        st.html(f'<div class="modes tall" style="max-height:384px;{widgets.scrolls()}" {_REGION}>{inside}</div>')


def _right(one: Shown) -> str:
    said = "truth, <i>internal</i>" if one.name == TRUE else f"{words.of_100(one.right)} of 100"
    return f'<span class="quiet">{said}</span>'


def _cluster(people: People, shown: list[Shown], r: int, column: str) -> str:
    """A head with the cluster's size under each method, then its modes."""
    sizes = "".join(f'<td class="quiet">{words.share(one.shares[r])}</td>' for one in shown)
    rows = [f'<tr class="head"><td>cluster {r + 1}</td>{sizes}</tr>']
    for j, (name, domain) in enumerate(zip(people.columns, people.domains, strict=True)):
        true = shown[0].modes[r][j]
        look = whole(name, column)
        cells = "".join(_cell(domain.labels[one.modes[r][j]], one.modes[r][j] == true, one.name, look) for one in shown)
        rows.append(f"<tr>{attribute(name, column)}{cells}</tr>")
    return "".join(rows)


def _cell(label: str, same: bool, name: str, style: str) -> str:
    look, text = "" if name == TRUE else "same" if same else "other", widgets.escape(label)
    return f'<td class="{look}" title="{text}" {style}>{text}</td>'


def _table(people: People, shown: list[Shown]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"cluster": r + 1, "column": name} | {one.name: domain.labels[one.modes[r][j]] for one in shown}
            for r in range(len(shown[0].modes))
            for j, (name, domain) in enumerate(zip(people.columns, people.domains, strict=True))
        ]
    )


# scores ----------------------------------------------------------------------------------------------------------


def curve_study(asked: Study, people: People) -> Study:
    """The study behind the curves, over the axis asked for."""
    return own.curves(own.here(asked), asked.axis, people.n + people.dropped)


def at(study: Study, people: People, axis: str) -> float:
    here = {"epsilon": study.epsilon, "k": float(task.clusters(study))}
    return here.get(axis, float(study.n or people.n))


def scores(asked: Study, study: Study, people: People, point: pd.DataFrame, start: float) -> None:
    axis, score = asked.axis, look("clusters_score", "AC")
    along = curve_study(asked, people)
    metric, factor = ("ac", 100.0) if score == "AC" else ("entropy", 1.0)
    here = point.assign(x=at(study, people, axis))
    rows = pd.concat([compute.kept(along, people), here], ignore_index=True)
    rows = rows.drop_duplicates(["mechanism", "x", "repetition", "metric", "scope"])
    summed = summary(along, people, rows[rows["metric"] == metric])
    found = curves.means(summed, metric, enough=curves.ENOUGH, factor=factor)
    unit = (
        "Of 100 people, those in K-modes’ cluster."
        if metric == "ac"
        else "What is left open about the true cluster, bits."
    )
    with widgets.panel("scores", f"Nearness to K-modes against {AXES[axis]}", None) as slot:
        with slot.popover(SCORES[score], type="tertiary", key="clusters_scores_menu"):
            st.radio("Score", list(SCORES), key="clusters_score", persist_state="session",
                     format_func={"AC": "AC: people in matching clusters", "entropy": "entropy, bits"}.get)  # fmt: skip
            bind.bound(
                st.radio, "Against", list(AXES), key="clusters_axis", value=axis, format_func=AXES.get,
                change=lambda axis: session.change("clusters", axis=axis),
            )  # fmt: skip
        with slot:
            widgets.as_table("scores", found.rename(columns={"value": metric}), "scores")
        done = f"{unit} {curves.said(study.repetitions, 'start')}"
        filling.line(people, along, of="starts", done=done)
        figure = charts.score_curves(
            found,
            focus=study.mechanisms[0],
            at=at(study, people, axis),
            best=100.0 if metric == "ac" else 0.0,
            say=(lambda v: f"{words.of_100(v / 100)} of 100") if metric == "ac" else (lambda v: f"{v:.2f} bits"),
            reference=(start * 100, f"start {words.of_100(start)}") if metric == "ac" else None,
            x_name=AXES[axis],
            log_x=axis != "k",
            dark=widgets.is_dark(),
            height=210,
        )
        widgets.plot(
            figure,
            "chart_scores",
            f"{unit} Against {AXES[axis]}, for {words.listing(study.mechanisms)}.",
        )


# leak ------------------------------------------------------------------------------------------------------------


def leak(study: Study, people: People, point: pd.DataFrame, bounds: Limits) -> None:
    column, epsilon = study.column, words.epsilon(study.epsilon)
    found = {key: cluster_data.guessed(point, key, column) for key in study.mechanisms}
    local = [key for key in study.mechanisms if not CATALOG[key].central]
    rows = [(key, None if values is None else values * 100) for key, values in found.items() if key in local]
    # The line is paler than the page's ink: vermilion would be too faint in it.
    what = f"People whose <b>{widgets.escape(column)}</b> is named, of 100. Dot: a start. Tick: mean."
    with widgets.panel("leak", "What the messages give away", what) as slot:
        with slot:
            widgets.as_table("leak", _leaks(study, people, point), "leak", "all columns")
        if rows:
            figure = charts.trace_leaks(
                rows, blind=bounds.blind * 100, promised=bounds.promised * 100, epsilon=epsilon, dark=widgets.is_dark()
            )
            widgets.plot(
                figure, "chart_leak", f"How often {column} is guessed from the messages of {words.listing(local)}."
            )
        st.html(f'<div class="card">{_said(study, local, found, bounds)}</div>')


def _said(study: Study, local: list[str], found: dict, bounds: Limits) -> str:
    said = []
    open_ = next((key for key in local if not CATALOG[key].whole and found[key] is not None), None)
    if open_ is not None:
        values = found[open_]
        within = "here within what ε allows, uncovered still."
        over = "above what ε allows." if values.mean() > bounds.promised else within
        said.append(
            "<b>The paper claims</b> that the method is ε-LDP since the first report is. <b>Measured</b> from "
            f"{widgets.named(open_)}’s numbers alone, by an adversary who knows half of the people: "
            f"{words.of_100(values.mean())} on average, {words.of_100(values.min())} to {words.of_100(values.max())} "
            f"from start to start, {over}"
        )
    kept = next((key for key in local if CATALOG[key].whole and found[key] is not None), None)
    if kept is not None:
        said.append(
            f"<b>The repair:</b> {widgets.named(kept)} asks everybody once, for mode and value together: "
            f"{words.of_100(found[kept].mean())}, blind guessing {words.of_100(bounds.blind)}."
        )
    if any(CATALOG[key].central for key in study.mechanisms):
        said.append("A curator sees every record; DPK covers only what is published.")
    return " ".join(said)


def _leaks(study: Study, people: People, point: pd.DataFrame) -> pd.DataFrame:
    out = []
    for column in people.columns:
        bounds = cluster_data.limits(people, column, study.epsilon)
        row: dict[str, object] = {
            "column": column,
            "blind": round(bounds.blind, 3),
            "ε allows": round(bounds.promised, 3),
        }
        for key in study.mechanisms:
            values = cluster_data.guessed(point, key, column)
            if values is not None:
                row |= {
                    key: round(values.mean(), 3),
                    f"{key} from": round(values.min(), 3),
                    f"{key} to": round(values.max(), 3),
                }
        out.append(row)
    return pd.DataFrame(out).round(3)
