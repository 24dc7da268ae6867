"""What the lower rows of the Means view add: whence the advantage, the exact repeat, and the paper's Theorem 4."""

import numpy as np
import pandas as pd
import streamlit as st

from ldpapp import charts, widgets, words
from ldpapp.tasks.means import cached as means_cached
from ldpapp.tasks.means import findings as means_findings
from ldpapp.tasks.means.view import View


def advantage(view: View) -> None:
    with widgets.panel("means_advantage", "Where the advantage comes from", "SDPM by EM, beside its unbiased score."):
        said = means_findings.advantage(view.point, view.data, view.spreads) or [means_findings.waiting(view.study)]
        st.html('<div class="card rules">' + "".join(f"<p>{sentence}</p>" for sentence in said) + "</div>")


def repeat(view: View) -> None:
    """A low value reported as itself is recognised; on a grid it is one suspect among others."""
    with widgets.panel("means_repeat", "The exact repeat", "SDPM: an unmarked answer sent as it is."):
        found = means_cached.repeat(view.study, view.data, "SDPM")
        if found is None:
            st.html('<div class="card rules"><p>Everything is marked: no answer is sent as it is.</p></div>')
            return
        step = means_findings.quantity(found.step)
        rows = [
            ("as recorded", f"<b>{words.of_100(found.proved)}</b> of 100", "certain"),
            (
                f"on a grid of {step}",
                "none",
                f"right in {words.of_100(found.certain)} of 100",
            ),
        ]
        table = widgets.pairs_table(rows, ("proved to be true", "“a repeat is the answer”"))
        thin = "hardly helps: noise is too thin to hide among" if found.certain > 0.9 else "leaves the answer deniable"
        st.html(
            f"{table}<div class='card rules'><p>Recorded answers have few decimals, noise has many: a report that "
            "repeats an unmarked answer exactly is true for certain. The promise allows it; people may not expect it."
            "</p>"
            f"<p>Remedy: reports rounded at random to a public grid. Here it {thin}, and adds "
            f"{words.share(found.cost)} to a report’s variance. uTernary says such answers openly.</p></div>"
        )


def theorem(view: View) -> None:
    low, whose = means_findings.theorem(view.study, view.data)
    grid, epsilon = tuple(np.geomspace(0.5, 8, 25)), view.study.epsilon
    exact, pm, paper = means_cached.theorem(low, grid, view.data.unit)
    lines = pd.concat(
        [pd.DataFrame({"mechanism": n, "x": grid, "value": value}) for n, value in (("SDPM", exact), ("PM", pm))],
        ignore_index=True,
    )
    said = pd.DataFrame({"mechanism": "SDPM", "x": grid, "value": paper})
    with widgets.panel(
        "means_theorem",
        "The paper’s Theorem 4",
        f"Largest variance of one unmarked report, {whose}. Dotted: the paper’s.",
    ) as slot:
        with slot:
            rows = lines.merge(said.rename(columns={"value": "Theorem 4"}), how="left", on=["mechanism", "x"])
            widgets.as_table("means_theorem", rows, "theorem4")
        at = epsilon if grid[0] <= epsilon <= grid[-1] else None
        figure = charts.error_curves(
            lines, None, focus="SDPM", at=at, reference=said, unit="mse", dark=widgets.is_dark(), height=176, width=308
        )
        widgets.plot(
            figure, "chart_means_theorem", "Largest variance of an unmarked report: exact, by Theorem 4, and PM's."
        )
        exact, _, paper = means_cached.theorem(low, (epsilon, 4.0), 1.0)
        above = exact / paper - 1
        st.html(
            '<div class="card rules"><p>The paper leaves out the answers that are sent as they are, and the mean of '
            f"the reports, which is not the answer. At ε = {words.epsilon(epsilon)} the exact variance is "
            f"{words.share(float(above[0]))} above the paper’s; at ε = 4, {words.share(float(above[1]))}.</p></div>"
        )
