"""The plane's other axis: error against what one false report counts as, with the limit of that."""

from math import inf, isfinite

import pandas as pd

from ldpapp import charts, words
from ldpapp.parts import curve_words, widgets
from ldpapp.parts.panels import Chart, Menu, Panel, Sheet
from ldpapp.state import view_options
from ldpapp.words.language import t
from ldpcore.data import Histogram
from ldpcore.plan.answers import rounded_down
from ldpcore.study import Study
from ldpcore.study.frequency import facts
from ldpcore.study.frequency.curves import FrequencyCurveOptions
from ldpcore.study.frequency.facts import ShareFacts, plane


def against() -> Menu:
    """The switch of the axis: it says what it stands at."""
    names = {"exposure": t("exposure"), "liars": t("one liar counts as")}

    def draw() -> None:
        view_options.radio(t("Against"), names, "plane_against")

    return Menu(t("x: {axis}", axis=names[view_options.look("plane_against", "exposure")]), draw, "plane_against_menu")


def finding(study: Study, main: ShareFacts, scope: str, named: str) -> str:
    """What one false report to the mechanism in focus counts as, and what it counts as under any at least."""
    eps, most = words.epsilon(facts.epsilon_of(study, main)), main.liar[scope]
    if most == inf:
        return t(
            "At ε = {eps}, {mechanism} has reports without an end: one false report counts as any number of people.",
            eps=eps,
            mechanism=named,
        )
    if not isfinite(most):
        return t("{mechanism} has too many reports to list: what a false one counts as is not known.", mechanism=named)
    holes = {
        "eps": eps,
        "mechanism": named,
        "most": words.decimals(most),
        "range": words.decimals(main.liar_range[scope]),
    }
    least = main.least_range[scope]
    if not isfinite(least):
        return t(
            "At ε = {eps}, {mechanism}: a false report counts as up to {most} honest people, a range of {range}.",
            **holes,
        )
    return t(
        "At ε = {eps}, {mechanism}: a false report counts as up to {most} honest people, a range of {range}; none with "
        "this promise can be below {least}.",
        **holes,
        least=words.plain(rounded_down(least)),
    )


def panel(
    view: FrequencyCurveOptions,
    study: Study,
    counted: Histogram,
    found: dict[str, ShareFacts],
    main: ShareFacts,
    other: dict[str, ShareFacts] | None,
) -> Panel:
    """other: what the mechanisms are under the second setting of marks, where there is one."""
    standing = plane.rigged(found, view.scope)
    second = None if other is None else plane.rigged(other, view.scope)
    lines = plane.rigged_curves(study, counted, tuple(standing["mechanism"]), view)
    least = main.least_range[view.scope]
    edge = plane.rigged_edge(main, view.scope)
    scopes = curve_words.scopes()
    figure = charts.plane(
        lines,
        None,
        standing,
        edge,
        at=study.epsilon,
        blind=least if isfinite(least) else float(standing["x"].min()),
        focus=main.key,
        second=second,
        said=_where,
        dark=widgets.is_dark(),
        limit_text=t("limit at ε = {eps}", eps=words.epsilon(study.epsilon)),
        blind_text=t("limit, {least}", least=words.plain(rounded_down(least))) if isfinite(least) else "",
        x_text=t("range of one false report, in honest people"),
    )
    table = pd.DataFrame(
        [
            (
                key,
                one.liar[view.scope],
                one.liar_range[view.scope],
                one.least_range[view.scope],
                one.error(view.scope),
                one.bits,
            )
            for key, one in found.items()
        ],
        columns=["mechanism", "counts as up to", "range", "least range", "error", "bits"],
    )
    return Panel(
        "plane",
        t("Error against false reports"),
        [
            Chart(
                figure, t("Error of every mechanism against what one false report counts as, with the limits of both.")
            )
        ],
        _drawn(view.scope, study, counted),
        [
            Menu(scopes[view.scope], lambda: view_options.radio(t("Over"), _offered(), "plane_scope")),
            against(),
            Sheet(table, "plane"),
            Sheet(lines, "along ε", t("along ε"), "along"),
        ],
    )


def _offered() -> dict[str, str]:
    return {scope: curve_words.scopes()[scope] for scope in ("sensitive", "all")}


def _where(width: float, error: float) -> str:
    holes = {"error": words.decimals(error), "range": words.decimals(width)}
    return t("±{error} points, a false report spans {range} people", **holes)


def _drawn(scope: str, study: Study, counted: Histogram) -> str:
    """Unit and encoding."""
    holes = {"scope": curve_words.scopes()[scope], "eps": words.epsilon(study.epsilon)}
    if counted.weighing is not None:
        return t(
            "Up: ± 95 % on the {scope}, points. Right: from the most that one false report takes from a share to the "
            "most that it adds, in honest people of the same weight. A line ends at ε = {eps}. Grey: "
            "beyond the limits.",
            **holes,
        )
    return t(
        "Up: ± 95 % on the {scope}, points. Right: from the most that one false report takes from a share to the most "
        "that it adds, in honest people. A line ends at ε = {eps}. Grey: beyond the limits.",
        **holes,
    )
