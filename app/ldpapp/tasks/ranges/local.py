"""Ranges without a trusted curator: everybody randomises the own answer, and says one level of a tree."""

from functools import lru_cache

import numpy as np
import pandas as pd
import streamlit as st

from ldpapp import widgets, words
from ldpapp.tasks.ranges import data as range_data
from ldpapp.tasks.ranges.panels import View
from ldpcore.mechanisms.unary import OUE
from ldpcore.ranges import LocalHaar, LocalTree
from ldpcore.ranges.local import Local
from ldpcore.rng import stream

FAMILIES = {"Local tree": LocalTree, "Local Haar": LocalHaar}


@lru_cache(32)
def _build(name: str, h: int, epsilon: float) -> Local:
    return FAMILIES[name](h, epsilon)


def panel(view: View) -> None:
    cells, people = view.cells, int(view.cells.counts.sum())
    with widgets.panel(
        "local",
        "Without a curator",
        f"{words.count(people)} people randomise their own answer, each with ε = {words.epsilon(view.epsilon)}. "
        "± people on the range chosen above; one simulated survey.",
    ) as slot:
        rows = [(name, *_local(name, view, people)) for name in ("Local flat", *FAMILIES)]
        best = min(rows, key=lambda row: row[1])
        trusted = min(view.names, key=lambda name: range_data.build(name, cells.h).variance(*view.chosen, view.epsilon))
        error = range_data.build(trusted, cells.h).variance(*view.chosen, view.epsilon) ** 0.5
        with slot:
            table = pd.DataFrame(rows, columns=["strategy", "± people", "one survey", "what it is"])
            widgets.as_table("local", table, "local-ranges")
        body = "".join(
            f'<tr><td style="white-space:normal">{widgets.named(name)} <span class="quiet">{what}</span></td>'
            f'<td class="num">±{words.decimals(e)}</td><td class="num quiet">{words.count(round(one))}</td></tr>'
            for name, e, one, what in rows
        )
        body += (
            f'<tr><td>{widgets.named(trusted)} <span class="quiet">with a curator</span></td>'
            f'<td class="num">±{words.decimals(error)}</td><td class="num quiet">true: '
            f"{words.count(cells.truth(*view.chosen))}</td></tr>"
        )
        st.html(f'<div class="effects"><table>{body}</table></div>')
        st.html(
            f'<div class="sub">Nobody needs to be trusted, and {widgets.named(best[0])} is off by '
            f"{words.times(best[1] / error)} as many people as {widgets.named(trusted)} with a curator. Exact, "
            "given these answers.</div>"
        )


def _local(name: str, view: View, people: int) -> tuple[float, float, str]:
    """The exact standard error on the chosen range, one simulated answer, in people; and what the strategy is."""
    cells, (l, r) = view.cells, view.chosen  # noqa: E741
    rng = stream(view.study.seed, "local ranges", name, float(view.epsilon), cells.h)
    counts = cells.padded.astype(np.int64)
    if name == "Local flat":
        # Given the data the bits of OUE are independent: the variances of the cells add up.
        oracle = OUE(view.epsilon, cells.size)
        variance = float(oracle.variance(counts / people, people)[l - 1 : r].sum())
        one = float(oracle.simulate(counts, rng, 1)[0, l - 1 : r].sum())
        return people * variance**0.5, people * one, "OUE on every cell"
    strategy = _build(name, cells.h, view.epsilon)
    error = people * strategy.variance(l, r, counts / people, people) ** 0.5
    said = f"one of {words.plural(strategy.levels, 'level')}, " + (
        "OUE, consistent" if name == "Local tree" else "Hadamard response"
    )
    return error, people * strategy.simulate(counts, rng, 1)[0].range(l, r), said
