"""How wrong the count of the chosen range is, and who sees what: one release, its margin, who is trusted."""

from functools import partial

from ldpapp import charts, words
from ldpapp.parts import error_unit, panels, widgets
from ldpapp.parts.panels import Chart, Html, Line, Menu, Panel, Part, Reach, Sheet
from ldpapp.state import view_options
from ldpapp.views.ranges import sentences
from ldpapp.views.ranges.view import RangesView
from ldpapp.words.language import t
from ldpcore.study.definition import DEFAULT_GRID
from ldpcore.study.ranges import release as published
from ldpcore.study.ranges import strategies as engine

AXIS, UNIT = "ranges_axis", "ranges_unit"


def release(view: RangesView) -> Panel:
    number = widgets.draws("ranges")
    rows = published.releases(view.facts, view.alone, number)
    table, truth = published.table(view.facts, view.alone, number, view.name), view.facts.count
    alt = t("One release of {range} by each strategy, with 95 % intervals, beside the truth.", range=view.short)
    instead = t("One release of {range} by each strategy, with 95 % intervals.", range=view.short)
    figure = charts.range_releases(rows, float(truth), dark=widgets.is_dark())
    return Panel(
        "range_release",
        t("What would be published?"),
        [Chart(figure, alt, key="chart_range_releases", instead=instead)],
        Line(
            t("One release of each, ± 95 %. Rule: truth, <i>internal</i>."),
            Reach.INTERNAL,
            t("One release of each, ± 95 %."),
        ),
        [panels.again(t("draw again"), "ranges"), Sheet(table, "range", key="range")],
    )


def margins(view: RangesView) -> Panel:
    """The exact margin of the chosen range, against ε or against N."""
    over, squared = view_options.look(AXIS) == "N", error_unit.squared(UNIT)
    asked = engine.builds(view.names), view.cells.h, view.chosen
    if over:
        table = engine.margins_over_n(*asked, view.study.epsilon, squared)
    else:
        table = engine.margins_over_epsilon(*asked, (*DEFAULT_GRID, view.study.epsilon), squared)
    name, at = ("N", float(view.cells.size)) if over else ("ε", view.study.epsilon)
    figure = charts.error_curves(
        table, None, focus=view.best[0], at=at, unit="" if squared else t("people"), x_name=name,
        dark=widgets.is_dark(), height=200,
    )  # fmt: skip
    subtitle = sentences.margins(view, over, squared)
    axes = {"epsilon": t("ε, the privacy budget"), "N": t("N, a wider public range")}
    value = "MSE" if squared else "± 95 %, people"
    sheet = table.rename(columns={"mechanism": "strategy", "x": name, "value": value})
    title = t("Squared error against {axis}", axis=name) if squared else t("Margin against {axis}", axis=name)
    return Panel(
        "range_margins",
        title,
        [Chart(figure, f"{title}: {subtitle}")],
        subtitle,
        [
            error_unit.control(UNIT),
            Menu(name, partial(view_options.radio, t("Against"), axes, AXIS), "ranges_against"),
            Sheet(sheet, "range-margins"),
        ],
    )


def who(view: RangesView) -> Panel:
    body: list[Part] = [
        Html('<div class="effects"><table>' + "".join(_row(*row) for row in sentences.seen(view)) + "</table></div>")
    ]
    return Panel("ranges_who", t("Who sees the raw data?"), body)


def _row(who: str, what: str, short: str) -> str:
    return (
        f'<tr><td style="white-space:normal"><b>{who}</b><br><span class="quiet">{what}</span></td>'
        f'<td class="num">{words.unbroken(short)}</td></tr>'
    )
