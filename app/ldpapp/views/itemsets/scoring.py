"""The scores of the Itemsets view: over what is equal for all miners, or over the threshold, and by length."""

import pandas as pd

from ldpapp import charts, compute, words
from ldpapp.parts import curve_words, panels, widgets
from ldpapp.parts.panels import Box, Chart, Filling, Line, Menu, Panel, Part, Reach, Sheet
from ldpapp.state import view_options
from ldpapp.views.itemsets import sidebar
from ldpapp.views.itemsets.sentences import Runs
from ldpapp.views.itemsets.terms import Terms
from ldpapp.words.language import t
from ldpcore.data import Baskets
from ldpcore.study import Study, curves
from ldpcore.study import itemsets as task
from ldpcore.study.itemsets.curves import THRESHOLD, chosen, over, stopped


def _scores() -> dict[str, str]:
    return {"f": "F", "mae_found": t("δ over the sets found"), "mae_candidates": t("δ over all candidates")}


def _choose_score() -> None:
    labels = {
        "f": t("F = 2·found / (2·found + missed + false)"),
        "mae_found": t("δ_MAE over the sets found"),
        "mae_candidates": t("δ_MAE over all candidates"),
    }
    view_options.radio(t("Score"), labels, "itemsets_score")


def scores(study: Study, found: Baskets, said: Terms) -> Panel:
    along, metric = over(study, found), view_options.look("itemsets_score", "f")
    known = compute.summary(along, found, metric, "bits")
    rows = curves.means(known, metric, enough=curve_words.ENOUGH)
    rows = rows[rows["value"] > 0] if metric != "f" else rows
    score, by_threshold = _scores()[metric], study.axis == THRESHOLD
    x_name, what = "ε", t("{score} at the same total ε", score=score)
    if task.same(study) == "s":
        x_name, what = "s", t("{score} at the same s per count", score=score)
    axes = {task.same(study): x_name, THRESHOLD: said.least()}
    x_name = t("threshold") if by_threshold else x_name
    title = t("How well sets are found") if metric == "f" else t("How far counts are off")
    unit = t("{what}; 1 is perfect.", what=what)
    if metric != "f":
        unit = t("{what}, mean |published − true|, {unit}; lower is better.", what=what, unit=said.unit())
    shown: Part = Box(t("The first runs are on their way.") if metric == "f" else t("No such score here."), height=210)
    if len(rows):
        present = list(dict.fromkeys(rows["mechanism"]))
        at, dark = chosen(study, found.n), widgets.is_dark()
        common = {"at": at, "x_name": x_name, "dark": dark, "height": 300, "width": 400}
        focus = next(key for key in ("Capped", *study.mechanisms[::-1], *present) if key in present)
        figure = (
            charts.score_curves(rows, focus=focus, best=1.0, say=lambda v: f"F = {v:.2f}", **common)
            if metric == "f"
            else charts.error_curves(rows[["mechanism", "x", "value"]], rows, focus=focus, unit=said.unit(), **common)
        )
        alt = t("{score} against {axis} for {miners}.", score=score, axis=x_name, miners=words.listing(present))
        shown = Chart(figure, alt)
    halted = stopped(compute.kept(along, found), study.mechanisms)
    note = t("Left out, because noise makes more sets look frequent than can be counted: low {x} of {miners}.",
             x=x_name, miners=words.listing(halted)) if halted else ""  # fmt: skip
    return Panel(
        "scores",
        title,
        [shown, *([Line(note)] if note else [])],
        Filling(found, [along], t("runs"), f"{unit} {curve_words.said(study.repetitions, 'run')}"),
        [
            panels.axis_menu("itemsets", axes, study.axis, {study.axis: x_name}, sidebar.against),
            Menu("F · δ", _choose_score, "itemsets_score_menu"),
            Sheet(curves.sized(rows, known).rename(columns={"value": metric}), "itemset-scores"),
        ],
        reach=Reach.INTERNAL,
    )


def by_length(runs: Runs) -> Panel:
    rows = pd.DataFrame(
        [
            {"mechanism": key, "length": length, "f": each.f, "true": each.found + each.missed,
             "found": each.found, "missed": each.missed, "false": each.false}
            for key, one in runs.items()
            for length, each in one.by_length.items()
        ]
    )  # fmt: skip
    figure = charts.scores_by_length(rows, dark=widgets.is_dark())
    return Panel(
        "lengths",
        t("F by length"),
        [Chart(figure, t("F by items per set for {miners}.", miners=words.listing(runs)))],
        t("One run."),
        [Sheet(rows, "itemsets-by-length")],
        reach=Reach.INTERNAL,
    )
