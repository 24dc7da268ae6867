"""Group by group: the share of the answers in each, as a survey estimates it, as it is, and as raw reports have it."""

from ldpapp import charts, words
from ldpapp.charts import ForestRow
from ldpapp.parts import panels, widgets
from ldpapp.parts.panels import Chart, Line, Panel, Part, Reach, Sheet
from ldpapp.views.relations import names, sentences
from ldpapp.views.relations.view import RelationsView
from ldpapp.words.language import t
from ldpcore.study.relations import tables
from ldpcore.study.relations.rows import GroupRow

MOST = 12
"""Groups that are drawn, the largest first."""
FEW = 8
"""Rows that have more room."""


def panel(view: RelationsView) -> Panel:
    one, answers = view.best, names.side(view.compared, 2)
    largest = sorted(one.groups, key=lambda row: -row.size)
    called = {view.compared.people.labels[0][x]: name for x, name in names.listed(view.compared, view.people, 0)}
    rows = [_row(row, called[row.label]) for row in largest[:MOST]]
    rows += [_together(view, side, apart=not place) for place, side in enumerate(view.compared.several)]
    figure = charts.forest(
        rows, key=one.key, ends=(0, 100), unit="%", people=t("people"), dark=widgets.is_dark(), width=452,
        row=30 if len(rows) <= FEW else 24,
    )  # fmt: skip
    mark, alt = widgets.glyph(one.key), t("One line for each of {n} groups.", n=len(largest[:MOST]))
    subtitle = t("{mark} and line: 95 % for all at once. Tick: truth, <i>internal</i>. ✕: raw reports.", mark=mark)
    published = t("{mark} and line: 95 % for all at once. ✕: raw reports.", mark=mark)
    parts: list[Part] = [Chart(figure, alt)]
    if len(largest) > MOST:
        parts.append(Line(t("The {n} largest groups; the table has all {all}.", n=MOST, all=len(largest))))
    if left_out := sentences.left_out(view):
        parts.append(Line(left_out, Reach.INTERNAL))
    return Panel(
        "relations_groups",
        t("How common is {answers}, group by group?", answers=answers),
        parts,
        Line(subtitle, Reach.INTERNAL, published),
        [panels.again(t("draw again"), "relations", view.study.repetitions), Sheet(tables.groups(one), "groups")],
    )


def _row(row: GroupRow, label: str, together: bool = False, apart: bool = False) -> ForestRow:
    share, is_told = row.share, bool(row.share.told)
    scale = 100 * (share.high - share.low) / 2
    hover = t("<b>{group}</b><br>too few to tell", group=widgets.escape(row.label))
    if is_told:
        hover = t(
            "<b>{group}</b><br>{value} % ({low} to {high})", group=widgets.escape(row.label),
            value=sentences.points(100 * share.value, scale), low=sentences.points(100 * share.low, scale),
            high=sentences.points(100 * share.high, scale),
        )  # fmt: skip
    return ForestRow(
        label,
        marked=row.marked,
        value=100 * share.value if is_told else None,
        low=100 * share.low,
        high=100 * share.high,
        truth=100 * row.truth,
        raw=100 * row.raw,
        instead="" if is_told else t("too few"),
        hover=hover,
        text=words.count(row.people),
        bold=together,
        apart=apart,
    )


def _together(view: RelationsView, side: int, apart: bool) -> ForestRow:
    row = view.best.together(side)
    return _row(row, names.short(view.compared, side), True, apart)
