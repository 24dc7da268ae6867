"""Who is told apart: people with a marked answer from others, by that answer's own report and by all reports."""

import pandas as pd

from ldpapp import charts, words
from ldpapp.parts import widgets
from ldpapp.parts.panels import Html, Line, Panel, Reach, Sheet
from ldpapp.views.relations import findings, names
from ldpapp.views.relations.view import RelationsView
from ldpapp.words.language import t
from ldpcore.relations import PairExposure
from ldpcore.study.relations import SETTINGS


def exposures(view: RelationsView, side: int) -> dict[str, PairExposure | None]:
    """Setting → who is told apart of the marked groups (0) or answers (1)."""
    return {setting: view.best.exposure(setting, side, view.options.join) for setting in SETTINGS}


def panel(view: RelationsView) -> Panel:
    people, dark = view.compared.people, widgets.is_dark()
    body, rows = "", []
    for side, name in enumerate(people.names):
        each = exposures(view, side)
        body += f'<tr><td colspan="3">{_head(view, side)}</td></tr>'
        if not any(each.values()):
            body += f'<tr><td class="quiet" colspan="3">{_why(view, side)}</td></tr>'
            continue
        for setting, one in each.items():
            body += _row(view, setting, one, dark)
            if one is not None:
                rows.append((name, setting, 100 * one.own_report, 100 * one.all_reports))
    sheet = pd.DataFrame(rows, columns=["question", "asked", "own report, of 100 pairs", "all reports, of 100 pairs"])
    both = bool(view.compared.mx.any() and view.compared.my.any()) or not view.study.marks
    said = findings.promised(view.options.setting, view.study.epsilon, both)
    return Panel(
        "relations_exposed",
        t("Who is told apart?"),
        [Html(f'<div class="effects"><table>{body}</table></div>'), Line(said)],
        t("Of 100 pairs. Stroke: by the own report; dot: by all reports."),
        [Sheet(sheet, "told-apart")],
        reach=Reach.INTERNAL,
    )


def _head(view: RelationsView, side: int) -> str:
    name = names.question(view.compared.people.names[side])
    return widgets.sensitive(name) if (view.compared.mx, view.compared.my)[side].any() else f"<b>{name}</b>"


def _why(view: RelationsView, side: int) -> str:
    marked = (view.compared.mx, view.compared.my)[side]
    if marked.all():
        return t("Every answer is marked: there is nobody to tell them from.")
    return t("No answer is marked.") if not marked.any() else t("Its reports are too many to list.")


def _row(view: RelationsView, setting: str, one: PairExposure | None, dark: bool) -> str:
    label = names.setting(setting)
    if setting == view.options.setting:
        label = f"<b>{label}</b>"
    if one is None:
        return f'<tr><td>{label}</td><td class="quiet" colspan="2">{t("not asked so")}</td></tr>'
    if one.own_report > 1 - 1e-9:
        return f'<tr><td>{label}</td><td class="quiet" colspan="2">{t("everybody sees it")}</td></tr>'
    holes = {"own": words.of_100(one.own_report), "all": words.of_100(one.all_reports)}
    alt = t("{own} of 100 pairs by the own report, {all} by all reports", **holes)
    written = t("{own} → {all}", **holes) if holes["own"] != holes["all"] else holes["all"]
    picture = charts.apart(one.own_report, one.all_reports, alt, dark)
    return f'<tr><td>{label}</td><td>{picture}</td><td class="num">{written}</td></tr>'
