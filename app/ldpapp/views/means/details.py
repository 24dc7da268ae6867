"""One report, bias and spread apart, and the distribution recovered."""

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from ldpapp import charts, words
from ldpapp.parts import widgets
from ldpapp.parts.panels import Box, Chart, Control, Menu, Panel, Reach, RowOfParts, Sheet
from ldpapp.state import view_options
from ldpapp.views.means import sentences
from ldpapp.views.means.more import rules
from ldpapp.views.means.view import MeansView
from ldpapp.words.language import t
from ldpcore import catalog
from ldpcore.study.means import lines, repeats, reports
from ldpcore.study.means.spreads import coarse, recovered

# one report ----------------------------------------------------------------------------------------------------------


def report(view: MeansView) -> Panel:
    low, high = view.data.interval.low, view.data.interval.high
    key = f"means_input_{view.study.column}_{low:g}_{high:g}"
    step = max(10.0 ** np.floor(np.log10((high - low) / 100)), repeats.resolution(view.data))
    usual = float(np.clip(np.round(view.data.mean / step) * step, low, high))
    x = float(view_options.look(key, usual))
    name = view.reporting
    law = reports.law(view.facts.cell(name).groups[0].mechanism, view.data, x)
    rows = pd.DataFrame({"report": law.at, "density": law.height})
    atoms = pd.DataFrame(law.atoms, columns=["report", "chance"])
    figure = charts.report_density(
        law.at, law.height, law.atoms, x, name, public=(low, high), marked=view.facts.marked, own=law.sent,
        dark=widgets.is_dark(), height=176, width=560,
    )  # fmt: skip
    alt = t("The law of {mechanism}'s report when the answer is {x}.", mechanism=name, x=f"{x:g}")
    slider = partial(st.slider, t("Answer"), low, high, x, key=key, step=float(step), label_visibility="collapsed")
    inside = any(first <= x <= last for first, last in view.facts.marked)
    people = view.study.n or view.data.n
    steps = sentences.steps(law, widgets.named(name), inside, people, view.facts.parts[name].spread)
    return Panel(
        "means_report",
        t("One report"),
        [RowOfParts([[Chart(figure, alt), Control(slider)], [rules(*steps)]], [6, 4])],
        t("The law of the report of one answer; the slider chooses the answer."),
        [
            Menu(name, partial(widgets.mechanism, view.study.mechanisms, "means_focus", name), "means_focus_menu"),
            Sheet(pd.concat([rows, atoms], ignore_index=True), "report"),
        ],
        reach=Reach.INTERNAL,  # the answer is the mean, until somebody chooses another
    )


# bias and spread -----------------------------------------------------------------------------------------------------


def bias(view: MeansView) -> Panel:
    named = {lines.named(spread.mechanism, spread.how): spread for spread in view.spreads}
    rows = pd.DataFrame(
        {
            "estimate": list(named),
            "bias": [s.bias for s in named.values()],
            "standard deviation": [s.sd for s in named.values()],
            "√MSE": [s.typical for s in named.values()],
            "from": ["theory" if s.exact else "surveys" for s in named.values()],
        }
    )
    strips = [(name, s.errors, s.bias, s.sd) for name, s in named.items()]
    surveys = words.plural(view.study.repetitions, t("survey"), t("surveys"))
    alt = t("Each estimate's errors about the truth: bias as a tick, spread as a band.")
    return Panel(
        "means_bias",
        t("Bias and spread apart"),
        [Chart(charts.error_strips(strips, dark=widgets.is_dark()), alt)],
        t("Estimate − truth. Band: 95 %. Dots: {surveys}.", surveys=surveys),
        [Sheet(rows, "bias")],
        reach=Reach.INTERNAL,
    )


# the distribution ----------------------------------------------------------------------------------------------------


def distribution(view: MeansView) -> Panel:
    able = tuple(
        key for key in view.study.mechanisms if key in catalog.NUMBERS and catalog.NUMBERS[key].factory.recovers
    )
    title = t("Distribution recovered")
    subtitle = t("One survey, shares in %. Bars: truth, <i>internal</i>.")
    if not able:
        why = t("PM, HM, SW and SDPM send numbers fine enough for EM; Duchi sends one bit.")
        return Panel(
            "means_distribution",
            title,
            [Box(t("No chosen mechanism tells a distribution."), why, height=190)],
            subtitle,
        )
    wanted = view_options.wished("means_recover")
    name = wanted if wanted in able else view.focus if view.focus in able else able[-1]
    shares = recovered(view.at_full_point, view.data, name)
    true = coarse(view.data.shares)
    edges = np.linspace(view.data.interval.low, view.data.interval.high, len(true) + 1)
    rows = pd.DataFrame({"from": edges[:-1], "to": edges[1:], "true share (internal)": true})
    figure = charts.recovered(edges, true, shares, name, marked=view.facts.marked, dark=widgets.is_dark(), height=212)
    alt = t("The distribution that EM recovers from {mechanism}'s reports.", mechanism=name)
    return Panel(
        "means_distribution",
        title,
        [Chart(figure, alt)],
        subtitle,
        [
            Menu(name, partial(widgets.mechanism, able, "means_recover", name), "means_recover_menu"),
            Sheet(rows.assign(**shares), "distribution"),
        ],
        reach=Reach.INTERNAL,
    )
