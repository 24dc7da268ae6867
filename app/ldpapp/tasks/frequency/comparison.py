"""A | B: two settings of marks side by side, and what people who choose between them would get."""

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ldpapp import charts, compute, controls, curves, nav, session, widgets, words
from ldpapp.tasks.frequency import findings, floors, looking, panels
from ldpapp.tasks.frequency.findings import Facts
from ldpapp.tasks.frequency.looking import View
from ldpcore.data import Histogram
from ldpcore.estimators import personalised
from ldpcore.study import Study, frequency
from ldpcore.study.frequency import floor


def page(
    head: DeltaGenerator, view: View, study: Study, counted: Histogram, found: dict[str, Facts], main: Facts
) -> None:
    if len(study.arms) < 2:
        with head:
            widgets.sentence("A | B compares two settings of marks. There is one so far.")
        widgets.state_box(
            "There is no second setting yet.",
            "B starts as a copy of A; change its marks on the Data page, and both are compared here.",
        )
        st.button("Make B from A", type="primary", on_click=session.second_arm, args=(study.column,))
        return
    other = findings.facts(study, counted, study.arms[1].name)
    with head:
        widgets.sentence(findings.comparison_sentence(main, other[main.key], widgets.named))
    heads(study, counted, main, other[main.key])
    measures(found, other)
    both_curves(view, study, counted, main, other[main.key])


def heads(study: Study, counted: Histogram, a: Facts, b: Facts) -> None:
    """Name and marks of either setting; what only B marks is underlined."""
    color = widgets.colors().sensitive
    for place, glyph, arm, fact, rival in zip(
        st.columns(2, gap="medium"), "○●", study.arms, (a, b), (b, a), strict=True
    ):
        only = fact.marked & ~rival.marked if fact is b else np.zeros(len(fact.marked), bool)
        values = [
            f'<u style="text-underline-offset:3px">{widgets.escape(label)}</u>' if only[v] else widgets.escape(label)
            for v, label in enumerate(counted.domain.labels)
            if fact.marked[v]
        ]
        shown = ", ".join(values[:12]) + (f" … (+{len(values) - 12})" if len(values) > 12 else "") or "nothing marked"
        share = words.share(float(fact.freq[fact.marked].sum()))
        with place, widgets.panel(f"head_{glyph}", f"{glyph} {widgets.escape(arm.name)}", None) as slot:
            if slot.button("edit", type="tertiary", key=f"edit_{glyph}"):
                session.edit("○●".index(glyph))
                session.choose_column(study.column)
                nav.go("data")
            st.html(
                f'<div class="card" style="color:{color}"><b>{shown}</b></div>'
                f'<div class="sub">{int(fact.marked.sum())} of {len(fact.marked)} values, {share} of the people</div>'
            )


def measures(found: dict[str, Facts], other: dict[str, Facts]) -> None:
    """Dumbbells: error, guesses as a multiple of blind ones, other answers named."""
    rows = pd.DataFrame([_measures(key, found[key], other[key]) for key in found])
    # Where one setting marks nothing, or everything, it has no such number, and there is nothing to set beside.
    compared = {what for what in ("lift", "named") if not rows[[f"{what}_a", f"{what}_b"]].isna().any(axis=None)}
    rows = rows.dropna(axis=1, how="all")
    firsts = {"A": next(iter(found.values())), "B": next(iter(other.values()))}
    blind = [f"{name} {words.tries(fact.blind, short=True)}" for name, fact in firsts.items() if fact.marked.any()]
    specs = [("Typical error", "All values, percentage points.", charts.Panel("error_a", "error_b", log=True))]
    if "lift" in compared:
        specs.append(
            (
                "Marked answers guessed",
                f"Times the blind guess ({', '.join(blind)} of 100).",
                charts.Panel("lift_a", "lift_b", reference=(1.0, "blind"), text=words.ratio, tick=lambda v: f"{v:g} ×"),
            )
        )
    if "named" in compared:
        specs.append(
            (
                "Other answers named",
                "Of 100, by the collector.",
                charts.Panel("named_a", "named_b", text=lambda v: words.of_100(v / 100), low=0, high=100),
            )
        )
    for place, (title, subtitle, _) in zip(st.columns(len(specs), gap="medium", wrap=False), specs, strict=True):
        with place, widgets.panel(f"measure_{title.split()[0]}", title, subtitle) as slot, slot:
            if title == specs[0][0]:
                widgets.as_table("measures", rows, "comparison")
    figure = charts.dumbbells(rows, [panel for *_, panel in specs], dark=widgets.is_dark())
    widgets.plot(
        figure, "chart_dumbbells", "Setting A and setting B for every mechanism: typical error, guesses, naming."
    )


def _measures(key: str, a: Facts, b: Facts) -> dict[str, object]:
    row: dict[str, object] = {"mechanism": key}
    for name, fact in (("a", a), ("b", b)):
        row[f"error_{name}"] = fact.error() * 100
        row[f"lift_{name}"] = fact.targeted / fact.blind if fact.marked.any() else np.nan
        least = floor.of_cell(fact.cell, "all")
        row[f"MSE, times the limit ({name.upper()})"] = fact.error() ** 2 / least if least > 0 else np.nan
        row[f"named_{name}"] = fact.named(~fact.marked) * 100 if not fact.marked.all() else np.nan
    return row


def both_curves(view: View, study: Study, counted: Histogram, a: Facts, b: Facts) -> None:
    """Both settings on the same axes; A is dotted in B."""
    theory = compute.theory(view.theoretical(study), counted)
    lines = [curves.error_lines(view, theory, arm.name) for arm in study.arms]
    marks = [curves.error_marks(view, view.simulated(study), counted, arm.name) for arm in study.arms]
    both = charts.error_range([*lines, *marks], 184)
    for place, letter, fact, line, mark in zip(st.columns(2, gap="medium"), "AB", (a, b), lines, marks, strict=True):
        below, text = floors.floor(view, study, fact)
        note = "Shaded: the limit under its marks." if letter == "A" else "Same axes; dotted: A."
        with (
            place,
            widgets.panel(
                f"curves_{letter}",
                f"{letter}: error against {looking.AXES[view.axis]}",
                f"Typical error, {controls.SCOPES[view.scope]}, points. {note}",
            ) as slot,
        ):
            if letter == "A":
                with slot.popover(controls.SCOPES[view.scope], type="tertiary"):
                    looking.error_menu(view)
            else:
                with slot:
                    widgets.as_table(
                        "curves", pd.concat([lines[0].assign(arm="A"), lines[1].assign(arm="B")]), "curves"
                    )
            figure = charts.error_curves(
                line,
                mark,
                focus=fact.key,
                at=view.at(study, counted),
                limit=below,
                limit_text="" if letter == "A" else text,
                y_range=both,
                reference=lines[0] if letter == "B" else None,
                dark=widgets.is_dark(),
                unit="mse" if view.quantity == "mse" else "points",
                x_name=looking.AXES[view.axis],
                log_x=view.log_x,
                height=184,
                width=470,
            )
            widgets.plot(figure, f"chart_curves_{letter}", f"Error of every mechanism under setting {letter}.")
            widgets.below_chart(figure, "" if letter == "A" else text)
    choosing(study, counted, a)
    panels.simulate(view, study, counted, a)


def choosing(study: Study, counted: Histogram, main: Facts) -> None:
    """People who choose A or B for themselves: the personalised estimate, combined in two ways."""
    with widgets.panel(
        "choosing",
        "If everyone chooses A or B for themselves",
        f"One estimate from both groups, {main.key}. The share of people who choose B is a guess of yours.",
    ):
        left, middle, right = st.columns([1, 1, 2], gap="medium")
        everyone = left.slider("Choose B, of 100", 1, 99, 50, key="choose") / 100
        holders = middle.slider("… whose answer B marks", 1, 99, 50, key="choose_marked") / 100
        mixed = study.with_options(choose=everyone, choose_marked=holders)
        here = frequency.current(mixed, counted)
        cell = frequency.cell(mixed, counted, frequency.CHOICE, main.key, here)
        lines = []
        for how in personalised.HOW if len(cell.groups) > 1 else ("share",):
            error = float(np.sqrt(cell.squared_error(how).mean()))
            weight = cell.weights(how)
            group_shares = np.array([g.counts / g.counts.sum() for g in cell.groups])
            bias = np.abs(np.sum(weight * group_shares, axis=0) - cell.freq).max()
            name = {"share": "by the groups' sizes", "minimum-variance": "by minimum variance"}[how]
            held = "unbiased whoever chooses what" if how == "share" else f"largest bias {words.points(bias)} points"
            lines.append(f"<tr><td>{name}</td><td><b>{words.points(error)}</b> points</td><td>{held}</td></tr>")
        right.html(
            f'<div class="card"><table>{"".join(lines)}</table><span class="quiet">Minimum variance assumes that '
            "those who choose A and those who choose B have the same answers.</span></div>"
        )
