"""The best strategy there is, looked for by descent, and the table of strategies that it stands in."""

from collections.abc import Sequence

import streamlit as st

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.parts.panels import Html
from ldpapp.views.ranges import cached
from ldpapp.words.language import t
from ldpcore import ranges

DENSE = 8
"""The largest h at which the best possible strategy is looked for: each doubling takes several times as long."""


def search(size: int, workload: ranges.Workload | None, key: str, epsilon: float) -> tuple[float, float]:
    """The typical error, in people, of the best strategy found by descent, and the least possible; with progress. A new
    input stops it.

    `key` names the workload.
    """
    if not cached.searched(size, key):
        bar = st.progress(0.0, t("Searching"))
        cached.search(
            size,
            key,
            workload,
            lambda done, total: bar.progress(min(done / total, 1.0), t("Step {number}", number=words.count(done))),
        )
        bar.empty()
    error, bound = ((2 * cost) ** 0.5 / epsilon for cost in cached.search(size, key, workload))
    return error, bound


def table(rows: Sequence[tuple[str, float]], bound: float | None = None) -> Html:
    """Strategies with their typical errors, the largest first, and the bound below all of them."""
    ordered = [(widgets.named(name), error, "") for name, error in sorted(rows, key=lambda row: -row[1])]
    if bound is not None:
        ordered.append((t("no strategy is below"), bound, ' class="quiet"'))
    body = "".join(
        f'<tr><td{quiet}>{who}</td><td class="num">{words.decimals(error)}</td></tr>' for who, error, quiet in ordered
    )
    return Html(f'<div class="effects"><table>{body}</table></div>')
