"""A | B: two settings side by side, and what people who choose between their marks would get."""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ldpapp import charts, words
from ldpapp.compare import strip
from ldpapp.compare.strip import Band
from ldpapp.parts import curve_words, error_unit, levels, widgets
from ldpapp.parts import panels as drawn
from ldpapp.parts.panels import Box, Chart, Control, Html, Line, Menu, Panel, Part, Reach, RowOfParts, Sheet
from ldpapp.runtime.errors import guarded
from ldpapp.state import actions, comparisons, navigation, view_options
from ldpapp.views.frequency import captions, changes, looking, own, panels, unmarked
from ldpapp.words.language import t
from ldpcore.data import Histogram
from ldpcore.estimators import personalised
from ldpcore.study import Choice, Study, curves, frequency
from ldpcore.study.frequency import facts, floor
from ldpcore.study.frequency import own as engine_own
from ldpcore.study.frequency.curves import FrequencyCurveOptions, parts
from ldpcore.study.frequency.facts import FrequencyFacts, ShareFacts
from ldpcore.study.frequency.facts.change import MarksChange, between

SHOWN = 12
"""Marked values that are named above the charts."""


@dataclass(frozen=True, eq=False)
class Side:
    """One of the two settings: its name, its Study at its own point, its data, what is known of them, and how its
    curves are looked at.
    """

    name: str
    study: Study
    counted: Histogram
    facts: FrequencyFacts
    view: FrequencyCurveOptions


def page(
    head: DeltaGenerator,
    view: FrequencyCurveOptions,
    study: Study,
    counted: Histogram,
    known: FrequencyFacts,
    both: Band,
) -> bool:
    """Both settings beside each other; False, and nothing is drawn, where they cannot be: of other values, say."""
    asked = engine_own.added(replace(both.before, axis=view.axis), both.other.domain.labels)
    if both.other.domain.labels != counted.domain.labels:
        return False
    before = asked.at_point()
    a = Side(
        both.beside.name,
        before,
        both.other,
        facts.facts(before, both.other),
        looking.current(asked, both.other),
    )
    b = Side(both.beside.other, study, counted, known, view)
    if not a.facts.listed or not b.facts.listed or not a.facts.protecting.keys() & b.facts.protecting.keys():
        return False
    # The headline and the cards are about the Study's ε, where one's own mechanism does not stand.
    change = between(a.facts.listed, b.facts.listed, view_options.wished("focus"))
    labels = counted.domain.labels
    with head:
        widgets.sentence(changes.sentence(change, labels, widgets.named))
    if not change.marked.any():
        unmarked.propose(study, counted)
    drawn.row(*(partial(setting_panel, each, number, labels, change) for number, each in enumerate((a, b))))
    with guarded(t("This part")):
        changes.row(change, labels)
    drawn.row(*both_curves(a, b, change))
    every, choose = t("Every mechanism"), t("If everyone chooses A or B for themselves")
    with guarded(t("This part")):
        inside = t("error, guesses, naming under A and B")
        drawn.fold("fold_measures", every, inside, partial(_both_measured, a.facts.protecting, b.facts.protecting))
    with guarded(t("This part")):
        inside = t("one estimate from both groups, its error and bias")
        drawn.fold("fold_choosing", choose, inside, lambda: drawn.show(lambda: choosing(a, b, change.b)))
    panels.simulate(view, study, counted, change.b)
    return True


def setting_panel(side: Side, number: int, labels: tuple[str, ...], change: MarksChange) -> Panel:
    """Name, marks, ε and people of a setting; what is marked in it and not in the first is underlined."""
    first, fact = change.a, (change.a, change.b)[number]
    glyph, only = "○●"[number], fact.marked & ~first.marked
    order = [*np.flatnonzero(fact.secret), *np.flatnonzero(fact.marked & ~fact.secret)]
    values = [
        f'<u style="text-underline-offset:3px">{widgets.escape(labels[v])}</u>'
        if only[v]
        else widgets.escape(labels[v])
        for v in order
    ]
    values = [f"<b>{name}</b>" if fact.secret[v] else name for v, name in zip(order, values, strict=True)]
    shown = ", ".join(values[:SHOWN]) + (f" … (+{len(values) - SHOWN})" if len(values) > SHOWN else "")
    people = t(
        "{marked} of {k} values, {share} of the people; ε = {eps}",
        marked=len(values),
        k=len(labels),
        share=words.share(float(fact.freq[fact.marked].sum())),
        eps=words.epsilon(side.study.epsilon),
    )
    shown = f"<b>{shown or t('nothing marked')}</b>"
    if fact.secret.any():
        chips = levels.counted(side.study.marks, widgets.is_dark())
        shown = f"{chips} {shown.removeprefix('<b>').removesuffix('</b>')}"
    card = f'<div class="card" style="color:{widgets.colors().sensitive}">{shown}</div>'
    if side.facts.idle:
        gone = words.listing(widgets.escape(key) for key in side.facts.idle)
        holes = {"held": people, "mechanisms": gone, "instead": unmarked.stands_in(change, number)}
        people = t("{held}. Off: {mechanisms}, which would protect nothing. {instead}", **holes)
    return Panel(
        f"head_{glyph}",
        f"{glyph} {widgets.escape(side.name)}",
        [Html(card), Line(people, Reach.INTERNAL)],
        head=[*_kept(number), Control(partial(_edit, side.study.column, number, glyph))],
    )


def _kept(number: int) -> list[Menu]:
    """What can be done with the kept setting, beside its name."""
    return [Menu(t("A | B"), partial(strip.menu, "frequency"), "beside_menu", does=True)] if number == 0 else []


def _edit(column: str, number: int, glyph: str) -> None:
    """Go and mark in this setting: the kept one takes the place of the present one for that."""
    if st.button(t("edit"), type="tertiary", key=f"edit_{glyph}"):
        if number == 0:
            comparisons.swap("frequency")
        actions.choose_column(column)
        navigation.go("data")


def _both_measured(found: dict[str, ShareFacts], other: dict[str, ShareFacts]) -> None:
    """Only what protects something in both settings can be compared."""
    both = [key for key in found if key in other]
    measures({key: found[key] for key in both}, {key: other[key] for key in both})
    for key in set(both) - set(facts.listed(found)):
        where = [own.promised(each[key].mechanism) for each in (found, other)]
        text = t(
            "{own} stands at the ε that its table keeps: {a} under A, {b} under B.", own=key, a=where[0], b=where[1]
        )
        Line(text).draw("measures")


def measures(found: dict[str, ShareFacts], other: dict[str, ShareFacts]) -> None:
    """Dumbbells under headings of their own: error, guesses as a multiple of blind ones, other answers named."""
    rows = pd.DataFrame([_measures(key, found[key], other[key]) for key in found])
    # Where one setting marks nothing, or everything, it has no such number, and there is nothing to set beside.
    compared = {what for what in ("lift", "named") if not rows[[f"{what}_a", f"{what}_b"]].isna().any(axis=None)}
    rows = rows.dropna(axis=1, how="all")
    table = Sheet(rows, "comparison", key="measures")
    heads = [Panel("measure_Typical", t("Error of a share"), (), t("± 95 %, all values, percentage points."), [table])]
    columns = [charts.DumbbellColumn("error_a", "error_b", log=True)]
    if "lift" in compared:
        blind = [words.tries(next(iter(each.values())).blind, short=True) for each in (found, other)]
        text = t("Times the blind guess (A {a}, B {b} of 100).", a=blind[0], b=blind[1])
        heads.append(Panel("measure_Marked", t("Marked answers guessed"), (), text))
        times = charts.DumbbellColumn(
            "lift_a", "lift_b", reference=(1.0, t("blind")), text=words.ratio, tick=lambda v: f"{v:g} ×"
        )
        columns.append(times)
    if "named" in compared:
        heads.append(Panel("measure_Other", t("Other answers named"), (), t("Of 100, by the collector.")))
        of_100 = charts.DumbbellColumn("named_a", "named_b", text=lambda v: words.of_100(v / 100), low=0, high=100)
        columns.append(of_100)
    drawn.row(*[lambda made=head: made for head in heads], wrap=False)
    alt = t("Setting A and setting B for every mechanism: 95 % margins, guesses, naming.")
    Chart(charts.dumbbells(rows, columns, dark=widgets.is_dark()), alt).draw("dumbbells")


def _measures(key: str, a: ShareFacts, b: ShareFacts) -> dict[str, object]:
    row: dict[str, object] = {"mechanism": key}
    for name, fact in (("a", a), ("b", b)):
        row[f"error_{name}"] = fact.error() * curves.MARGIN
        row[f"bits_{name}"] = fact.bits
        row[f"lift_{name}"] = fact.targeted / fact.blind if fact.marked.any() else np.nan
        least = floor.of_cell(fact.cell, "all")
        row[t("MSE, times the limit ({setting})", setting=name.upper())] = (
            fact.error() ** 2 / least if least > 0 else np.nan
        )
        row[f"named_{name}"] = fact.named(~fact.marked) * 100 if not fact.marked.all() else np.nan
    return row


def both_curves(a: Side, b: Side, change: MarksChange) -> list[drawn.Maker]:
    """Both settings on the same axes; A is dotted in B."""
    errors = [_errors(each) for each in (a, b)]
    both = charts.error_range([*(lines for lines, _ in errors), *(marks for _, marks in errors)], 184)

    def panel(letter: str, side: Side, fact: ShareFacts) -> Panel:
        view, study, counted = side.view, side.study, side.counted
        lines, marks = errors["AB".index(letter)]
        below, text = looking.floor(view, study, counted, fact)
        text, first = ("", None) if letter == "A" else (text, errors[0][0])
        made: list[Part] = [Box(t("Surveys are being simulated."), height=184)]
        if not lines.empty:
            figure = error_unit.curves(
                view, lines, marks, fact.key, view.at(study, counted), (below, text),
                x_name=looking.axes()[view.axis], y_range=both, reference=first, height=184, width=470,
            )  # fmt: skip
            made = [Chart(figure, t("Error of every mechanism under setting {letter}.", letter=letter), text)]
        # One menu and one table are about both.
        menu = partial(looking.error_menu, parts(study, counted))
        head: list[Part] = [looking.axis_menu(view), error_unit.control("view_quantity")]
        head.append(Menu(curve_words.scopes()[view.scope], menu))
        if first is not None:
            rows = [
                looking.sized(drawn_lines, side.view, side.study, side.counted).assign(setting=name)
                for name, side, (drawn_lines, _) in zip("AB", (a, b), errors, strict=True)
            ]
            head = [Sheet(pd.concat(rows), "curves", key="curves")]
        return Panel(
            f"curves_{letter}",
            t("{letter}: error against {axis}", letter=letter, axis=looking.axes()[view.axis]),
            made,
            captions.error_in(view, letter, below is not None),
            head,
        )

    return [lambda: panel("A", a, change.a), lambda: panel("B", b, change.b)]


def _errors(side: Side) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Lines and marks, without what protects nothing."""
    lines, marks = looking.errors(side.view, side.study, side.counted)
    return tuple(rows[~rows["mechanism"].isin(side.facts.idle)] for rows in (lines, marks))  # type: ignore[return-value]


def choosing(a: Side, b: Side, main: ShareFacts) -> Panel:
    """People who choose A or B for themselves: the personalised estimate, combined in two ways, at B's ε."""
    everyone, holders = (view_options.look(key, 50) / 100 for key in ("choose", "choose_marked"))
    choice = Choice(b.study.marks, everyone, holders)
    mixed = replace(b.study, marks=a.study.marks, choices=(choice,))
    cell = frequency.cell(mixed, b.counted, main.key, frequency.current(mixed, b.counted))
    rows = "".join(_combined(cell, how) for how in (personalised.HOW if len(cell.groups) > 1 else ("share",)))
    assumed = t("Minimum variance assumes that those who choose A and those who choose B have the same answers.")
    card = f'<div class="card"><table>{rows}</table><span class="quiet">{assumed}</span></div>'
    sliders = [
        Control(partial(st.slider, t("Choose B, of 100"), 1, 99, 50, key="choose", persist_state="session")),
        Control(
            partial(st.slider, t("… whose answer B marks"), 1, 99, 50, key="choose_marked", persist_state="session")
        ),
    ]
    return Panel(
        "choosing",
        t("If everyone chooses A or B for themselves"),
        [RowOfParts([*([slider] for slider in sliders), [Html(card)]], [1, 1, 2], {"gap": "medium"})],
        t(
            "One estimate from both groups, {mechanism}. The share of people who choose B is a guess of yours.",
            mechanism=main.key,
        ),
    )


def _combined(cell: frequency.FrequencyDesignPoint, how: str) -> str:
    """A row: one way to combine both groups, its error, and its bias."""
    error = float(np.sqrt(cell.squared_error(how).mean()))
    if how == "share":
        off = t("<b>{error}</b> points", error=words.margin(error))
        name, meaning = t("by the groups' sizes"), t("unbiased whoever chooses what")
    else:
        bias = np.abs(cell.bias(how)).max()
        off = t("<b>{error}</b> points, its bias included", error=words.margin(error))
        name, meaning = t("by minimum variance"), t("largest bias {bias} points", bias=words.decimals(100 * bias))
    return f"<tr><td>{name}</td><td>{off}</td><td>{meaning}</td></tr>"
