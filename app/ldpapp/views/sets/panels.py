"""The panels of the Sets view: error, adversary, one release and theory against experiment; what fills them in."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from ldpapp import charts, compute, words
from ldpapp.charts import ExposedColumn
from ldpapp.parts import curve_words, error_unit, panels, survey_panels, widgets
from ldpapp.parts import released_forms as releases
from ldpapp.parts.cards import beside_rule
from ldpapp.parts.panels import Box, Chart, Filling, Line, Menu, Panel, Part, Sheet
from ldpapp.runtime import background
from ldpapp.runtime.errors import guarded
from ldpapp.state import controlled, view_options
from ldpapp.views.sets import by_level
from ldpapp.views.sets import data as set_data
from ldpapp.views.sets import sentences as set_findings
from ldpapp.views.sets.promise import promise_panel
from ldpapp.words.language import t
from ldpcore import limit
from ldpcore.data import Baskets
from ldpcore.estimators.publishing import SET_FORMS
from ldpcore.study import Study, curves
from ldpcore.study import sets as task
from ldpcore.study.published import LEAST, of_estimates
from ldpcore.study.review.people import BETWEEN
from ldpcore.study.sets import curves as set_curves
from ldpcore.study.sets import facts as set_facts
from ldpcore.study.sets import point, tables
from ldpcore.study.sets.curves import SetsCurveOptions
from ldpcore.study.sets.point import ItemFacts
from ldpcore.study.simulated_shares import SimulatedShares


def error_panel(view: SetsCurveOptions, study: Study, held: Baskets, main: ItemFacts, height: int = 206) -> Panel:
    """The error against ε, the share marked, the number of items, m or the number of people."""
    lines, marks = set_data.curves_of(view, study, held)
    quantity, margins = curve_words.quantities()[view.quantity], view.quantity == "points" and view.axis == "epsilon"
    cut = view.axis == "m" or set_facts.cuts(main.here)
    what, rows = set_findings.error_drawn(view, study, cut), marks.rename(columns={"value": "simulated"})
    if view.quantity == "largest":
        lines = marks[["mechanism", "x", "value"]]
    else:
        rows = lines.rename(columns={"value": "theory"}).merge(rows, how="outer", on=["mechanism", "x"])
    known = [compute.theory(each, held) for each in (view.theoretical(study), view.simulated(study))]
    rows = curves.sized(rows, *known, view=view)
    drawn: Part = Box(t("Surveys are being simulated."), t("The largest error has no closed form."), height=218)
    if not lines.empty:
        least = floor(view, study, held, main, lines)
        alt = t(
            "{what} At ε = {eps} a share by {mechanism} is off by {error} points, 95 %.",
            what=what,
            mechanism=main.key,
            eps=words.epsilon(main.epsilon),
            error=words.margin(main.error(view.scope)),
        )
        axis, at = set_data.axes()[view.axis], view.at(study, held)
        every, of = view.scope == "all", int(dict(main.here.scopes)[view.scope].sum())
        over = curve_words.over(of, t("items") if every else set_data.scopes()[view.scope], every)
        now = beside_rule(at, over, (main.key, main.error(view.scope))) if margins else ""
        figure = error_unit.curves(view, lines, marks, main.key, at, least, x_name=axis, height=height, rule_text=now)
        drawn = Chart(figure, alt, least[1], instead=quantity)
    return Panel(
        "set_error",
        t("How far off a share is"),
        [drawn],
        Filling(held, [view.simulated(study)], t("simulated surveys"), what, quantity),
        [
            panels.axis_menu("sets", set_data.axes(), view.axis, set_data.short_axes()),
            error_unit.control("sets_quantity"),
            Menu(set_data.scopes()[view.scope], partial(_error_menu, main, view.scope)),
            Sheet(rows, "error", internal=("simulated", "low", "high")),
        ],
    )


def _error_menu(main: ItemFacts, scope: str) -> None:
    there, names = dict(main.here.scopes), set_data.scopes()
    controlled.bound(
        st.radio,
        t("Over"),
        [key for key in names if key in there],
        key="sets_scope_shown",
        value=scope,
        change=partial(view_options.choose, "sets_scope"),
        format_func=names.__getitem__,
    )
    view_options.radio(t("Quantity"), curve_words.quantities(), "sets_quantity")
    text = t(
        "The grey floor is the least error found for a promise on the whole report: the best of a "
        "family of reports fixed before the sets are known, by a search, averaged over which items are common. "
        "On domains so small that all reports could be tried, it was the least there is, or at most 4 % above it; on "
        "larger ones that is not proven, and a better mechanism may exist. For more than {most} items per report it is "
        "not computed, nor for fewer where marked items, other items and padding mix in too many ways.",
        most=limit.MOST_ITEMS,
    )
    if main.here.leveled:
        text = t(
            "Where items differ in their ε, nobody knows the least error yet: no floor is drawn but that of what "
            "protects every item."
        )
    st.html(f'<div class="sub">{text}</div>')


def floor(
    view: SetsCurveOptions, study: Study, held: Baskets, main: ItemFacts, lines: pd.DataFrame
) -> tuple[pd.DataFrame | None, str]:
    """The least error found for the focus's promise, where it is computed already, between its points; in words.

    lines: the mechanisms' own curves, of which none that keeps the promise is below it.
    """
    along, points = set_curves.limited_for(main, view, study, held)
    if not points or view.quantity == "largest":
        return None, ""
    known = {x: set_data.least_error(along, held, main.promise, view.scope, x) for x in points}
    floors = {x: value for x, value in known.items() if value is not None and value > 0}
    if points[0] not in floors or len(floors) < 2:
        return None, ""
    text = set_findings.floor(main, floors[points[0]], view)
    return set_curves.floor(view, floors, lines, main.promise), text


LETTERS = 12
"""Of a line in the head of a column: three stand beside one another on a phone."""


def targets(study: Study, held: Baskets) -> dict[str, str]:
    """Scope → whether its commonest item is held, which the adversary tells, in two short lines: "income", "= 50K?"."""
    setting, asked = point.setting(study, held), dict[str, str]()
    for scope, items in setting.targets(task.options(study).targets).items():
        labels = words.listing(setting.baskets.labels[i] for i in items)
        question, between, answer = labels.partition(BETWEEN)
        rows = [words.shorten(question, LETTERS), words.shorten(f"{between.lstrip()}{answer}", LETTERS)]
        if not answer:
            rows = textwrap.wrap(labels, LETTERS, max_lines=2, placeholder="…")
        asked[scope] = t("{item}?", item="<br>".join(map(widgets.escape, rows)))
    return asked


def questions(study: Study, held: Baskets, main: ItemFacts) -> list[ExposedColumn]:
    """What the adversary asks, and the columns of the table with the answers."""
    if main.here.secret.any():
        heads = {
            "secret presence": t("any secret<br>item?"),
            "secret of two": t("which of two<br>secret items?"),
            "private of two": t("which of two<br>private items?"),
        }
    else:
        names, marked = targets(study, held), int(main.here.marked.sum())
        several = t("any of {n}<br>sensitive?", n=words.count(marked))
        heads = {
            "presence": several if marked > 1 else t("the sensitive<br>one?"),
            "marked item": names.get("sensitive", ""),
            "other item": names.get("other", ""),
        }
    return [
        ExposedColumn(head, name, f"{name}, low", f"{name}, high", marked=name != "other item")
        for name, head in heads.items()
    ]


def answered(rows: pd.DataFrame, question: ExposedColumn) -> bool:
    """Whether there is a number to show."""
    return question.value in rows and bool(rows[question.value].notna().any())


def adversary_panel(
    study: Study,
    held: Baskets,
    found: Mapping[str, ItemFacts],
    main: ItemFacts,
    told: pd.DataFrame,
    idle: Sequence[str] = (),
) -> Panel:
    """Presence and membership side by side; `idle` are those that would protect nothing here."""
    options, done = task.options(study), int(told["repetitions"].max()) if len(told) else 0
    rows = tables.attacks(told, list(found))
    parts: list[Part] = [set_findings.unattacked(told, options.attacks, 200)]
    asked = [each for each in questions(study, held, main) if answered(rows, each)]
    if asked:
        figure = charts.exposed(
            rows,
            asked,
            focus=main.key,
            dark=widgets.is_dark(),
            height=max(150, min(206, 42 + 27 * len(rows))),
        )
        alt = t(
            "How often an adversary decides rightly from one report whether a person holds any marked item, the "
            "commonest marked item, or the commonest other item: yes and no are as likely beforehand."
        )
        below = ""
        if main.here.secret.any():
            alt = t(
                "How often an adversary decides rightly from one report whether a person holds any secret item, and "
                "which of two items of one level it is that a person holds, all else being known."
            )
            below = by_level.promised(main)
        parts = [Chart(figure, alt), *([Line(below)] if below else [])]
    if idle:
        parts.append(set_findings.idle(idle, widgets.escape))
    return Panel(
        "set_adversary",
        t("What a report tells"),
        parts,
        t(
            "Right of 100 (dotted: coin); {n} attacks. Line: 95 %.",
            n=words.count(options.attacks * done),
        ),
        [Sheet(rows.assign(bits=[found[key].bits for key in rows["mechanism"]]), "adversary")],
    )


def release_fold(found: Mapping[str, ItemFacts], main: ItemFacts, survey: SimulatedShares, told: pd.DataFrame) -> None:
    """What experts ask of one mechanism."""

    def draw() -> None:
        left, right = st.columns([60, 37], gap="medium")
        with left, guarded(t("This part")):
            survey_panels.show("sets", survey, (), "sets_focus", t("item"), height=196)
        with right:
            panels.show(lambda: promise_panel(found, main, told))

    title = t("One release, theory, bits")
    panels.fold("fold_sets", title, set_findings.inside(found, main), draw)


def forms_fold(main: ItemFacts, survey: SimulatedShares) -> None:
    """What one would publish of the mechanism in focus: over the surveys simulated so far."""

    def make() -> releases.Released:
        seen, made = survey.estimates, {}
        if len(seen) >= LEAST:
            made = of_estimates(seen, survey.truth, SET_FORMS, np.sqrt(survey.variance), main.here.m)
        return releases.Released(main.key, survey.labels, survey.marked, made, one=False)

    releases.fold("sets", make)


def simulate(view: SetsCurveOptions, study: Study, along: Study, held: Baskets, main: ItemFacts) -> None:
    """Surveys and attacks at the chosen point first, of those before all that the headline speaks of; then the floor,
    then the marks on the curves `along` the axis.
    """
    background.steps(_work(view, study, along, held, main), view.simulated(along))


def _work(view: SetsCurveOptions, study: Study, along: Study, held: Baskets, main: ItemFacts) -> Iterator[object]:
    yield from compute.surveys(set_facts.spoken(study, held, main), held)
    yield from compute.surveys(study, held)
    limits, points = set_curves.limited_for(main, view, study, held)
    for x in points:
        if set_data.least_error(limits, held, main.promise, view.scope, x) is None:
            set_data.least_error(limits, held, main.promise, view.scope, x, wait=True)
            yield x
    yield from compute.surveys(view.simulated(along), held)
