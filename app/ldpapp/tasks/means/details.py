"""The second row of the Means view: one report, bias and spread apart, the distribution recovered."""

import numpy as np
import pandas as pd
import streamlit as st

from ldpapp import charts, looks, widgets, words
from ldpapp.looks import look
from ldpapp.tasks.means import data as means_data
from ldpapp.tasks.means import findings as means_findings
from ldpapp.tasks.means.view import View
from ldpcore import catalog
from ldpcore.study.means import repeats

# one report ----------------------------------------------------------------------------------------------------------


def report(view: View) -> None:
    low, high = view.data.interval.low, view.data.interval.high
    key = f"means_input_{view.study.column}_{low:g}_{high:g}"
    step = max(10.0 ** np.floor(np.log10((high - low) / 100)), repeats.resolution(view.data))
    usual = float(np.clip(np.round(view.data.mean / step) * step, low, high))
    with widgets.panel("means_report", "One report", None) as slot:
        with slot.popover(view.focus, type="tertiary", key="means_focus_menu"):
            looks.wish(
                st.radio,
                "Mechanism",
                view.study.mechanisms,
                key="means_focus",
                shown=view.focus,
                format_func=lambda name: f"{widgets.glyph(name)} {name}",
            )
        m = means_data.built(view.study, view.data, view.focus)
        x = float(look(key, usual))
        law = means_data.density(m, view.data, x)
        mean, spread = (float(part[0]) for part in m.report_moments(view.data.interval.encode([x])))
        centre, sd = float(view.data.interval.decode(mean)), view.data.unit * spread**0.5
        with slot:
            rows = pd.DataFrame({"report": law.at, "density": law.height})
            atoms = pd.DataFrame(law.atoms, columns=["report", "chance"])
            widgets.as_table("means_report", pd.concat([rows, atoms], ignore_index=True), "report")
        quantity = means_findings.quantity
        st.html(
            f'<div class="sub">Mean {quantity(centre)}, spread ±{quantity(sd)}.{means_findings.disclosed(law)}</div>'
        )
        figure = charts.report_density(
            law.at, law.height, law.atoms, x, view.focus, public=(low, high), marked=view.marked, own=law.sent,
            dark=widgets.is_dark(), height=158,
        )  # fmt: skip
        widgets.plot(figure, "chart_means_report", f"The law of {view.focus}'s report when the answer is {x:g}.")
        st.slider("Answer", low, high, x, key=key, step=float(step), label_visibility="collapsed")


# bias and spread -----------------------------------------------------------------------------------------------------


def bias(view: View) -> None:
    found = view.spreads
    with widgets.panel(
        "means_bias",
        "Bias and spread apart",
        f"Estimate − truth. Band: 95 %. Dots: {words.plural(view.study.repetitions, 'survey')}.",
    ) as slot:
        rows = pd.DataFrame(
            {
                "estimate": [s.name for s in found],
                "bias": [s.bias for s in found],
                "standard deviation": [s.sd for s in found],
                "√MSE": [s.typical for s in found],
                "from": ["theory" if s.exact else "surveys" for s in found],
            }
        )
        with slot:
            widgets.as_table("means_bias", rows, "bias")
        strips = [(s.name, s.errors, s.bias, s.sd) for s in found]
        figure = charts.error_strips(strips, dark=widgets.is_dark(), height=212)
        widgets.plot(
            figure, "chart_means_bias", "Each estimate's errors about the truth: bias as a tick, spread as a band."
        )


# the distribution ----------------------------------------------------------------------------------------------------


def distribution(view: View) -> None:
    able = [key for key in view.study.mechanisms if catalog.MEANS[key].factory.recovers]
    with widgets.panel(
        "means_distribution", "Distribution recovered", "One survey, shares in %. Bars: truth, <i>internal</i>."
    ) as slot:
        if not able:
            widgets.state_box(
                "No chosen mechanism tells a distribution.",
                "PM, HM, SW and SDPM send numbers fine enough for EM; Duchi sends one bit.",
                height=190,
            )
            return
        wanted = looks.wished("means_recover")
        name = wanted if wanted in able else view.focus if view.focus in able else able[-1]
        with slot.popover(name, type="tertiary", key="means_recover_menu"):
            looks.wish(st.radio, "Mechanism", able, key="means_recover", shown=name)
        found = means_data.shares(view.at_point, view.data, name)
        true = means_data.coarse(view.data.shares)
        edges = np.linspace(view.data.interval.low, view.data.interval.high, len(true) + 1)
        with slot:
            rows = pd.DataFrame({"from": edges[:-1], "to": edges[1:], "true share (internal)": true})
            widgets.as_table("means_distribution", rows.assign(**found), "distribution")
        figure = charts.recovered(edges, true, found, name, marked=view.marked, dark=widgets.is_dark(), height=212)
        widgets.plot(figure, "chart_means_distribution", f"The distribution that EM recovers from {name}'s reports.")
