"""Who is told apart: people with a marked answer from others, by that answer's own report and by all reports."""

import pandas as pd

from ldpapp import words
from ldpapp.charts import palette
from ldpapp.parts import widgets
from ldpapp.parts.panels import Html, Line, Panel, Reach, Sheet
from ldpapp.views.relations import names, sentences
from ldpapp.views.relations.view import RelationsView
from ldpapp.words.language import t, unmarked
from ldpcore.relations import PairExposure
from ldpcore.study.relations import SETTINGS, curves

AXIS = "".join(
    f'<span style="position:absolute;left:{2 * (n - 50)}%;transform:translateX(-50%)">{n}</span>' for n in (50, 75, 100)
)
"""Below the strokes and dots, as far as they go."""
GROUND = "position:relative;display:block;height:14px;min-width:64px"


def panel(view: RelationsView) -> Panel:
    people, dark = view.compared.people, widgets.is_dark()
    body, rows = "", []
    bits = {each: view.best.size(each, view.study.epsilon, view.options.join) for each in SETTINGS}
    for side, name in enumerate(people.names):
        every = view.best.exposures_by_setting(side)
        each = {setting: every[setting] for setting in SETTINGS if setting in curves.distinct(view.best)}
        body += f'<tr><td colspan="3">{_head(view, side)}</td></tr>'
        if not any(each.values()):
            body += f'<tr><td class="quiet" colspan="3">{_why(view, side)}</td></tr>'
            continue
        for setting, one in each.items():
            body += _row(view, setting, one, dark)
            if one is not None:
                rows.append((name, setting, 100 * one.own_report, 100 * one.all_reports, bits[setting]))
        secret = view.best.secret_exposures[side]
        if secret is not None:
            body += _row(view, view.options.setting, secret, dark, t("secret answers alone"))
            now = view.options.setting
            rows.append((f"{name}, secret", now, 100 * secret.own_report, 100 * secret.all_reports, bits[now]))
    if rows:
        body += (
            f'<tr><td></td><td class="quiet" aria-hidden="true"><span style="{GROUND}">{AXIS}</span></td><td></td></tr>'
        )
    sheet = pd.DataFrame(
        rows, columns=["question", "asked", "own report, of 100 pairs", "all reports, of 100 pairs", "bits"]
    )
    both = bool(view.compared.mx.any() and view.compared.my.any()) or not view.study.marks
    promise = sentences.promised(view.study, both, view.best.shows_unmarked)
    return Panel(
        "relations_exposed",
        t("Who is told apart?"),
        [Html(f'<div class="effects"><table>{body}</table></div>'), Line(promise)],
        t("Of 100 pairs: own report → all reports."),
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
    if not marked.any():
        return t("{none}.", none=unmarked(names.question(view.compared.people.names[side])))
    return t("Its reports are too many to list.")


def _row(view: RelationsView, setting: str, one: PairExposure | None, dark: bool, label: str = "") -> str:
    label = label or names.settings()[setting]
    if setting == view.options.setting:
        label = f"<b>{label}</b>"
    if one is None:
        return f'<tr><td>{label}</td><td class="quiet" colspan="2">{t("not asked so")}</td></tr>'
    if one.own_report > 1 - 1e-9:
        return f'<tr><td>{label}</td><td class="quiet" colspan="2">{t("everybody sees it")}</td></tr>'
    holes = {"own": words.of_100(one.own_report), "all": words.of_100(one.all_reports)}
    written = t("{own} → <b>{all}</b>", **holes) if holes["own"] != holes["all"] else f"<b>{holes['all']}</b>"
    return f'<tr><td>{label}</td><td>{_drawn(one, dark)}</td><td class="num">{written}</td></tr>'


def _drawn(one: PairExposure, dark: bool) -> str:
    """A stroke for the own report, a dot for all, from 50 to 100 of 100 pairs; the numbers stand beside it."""
    colors = palette.scheme(dark)
    first, last = (round(200 * (chance - 0.5), 1) for chance in (one.own_report, one.all_reports))
    place = "position:absolute;display:block"
    line = (
        f"{place};left:{min(first, last)}%;width:{abs(last - first)}%;top:6px;height:2px;background:{colors.sensitive}"
    )
    stroke = f"{place};left:calc({first}% - 1px);top:2px;width:2px;height:10px;background:{colors.ink}"
    dot = (
        f"{place};left:calc({last}% - 4px);top:3px;width:8px;height:8px;border-radius:50%;background:{colors.sensitive}"
    )
    marks = "".join(f'<i style="{look}"></i>' for look in (line, stroke, dot))
    ground = f"{GROUND};box-shadow:-1px 0 0 {colors.ink3}"
    return f'<span aria-hidden="true" style="{ground}">{marks}</span>'
