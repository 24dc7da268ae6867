"""The sentence over the Clusters page, computed: what is won, what leaks, what repairs it."""

from collections.abc import Callable

import pandas as pd

from ldpapp import words
from ldpapp.tasks.clusters.data import CATALOG, Limits, guessed

Named = Callable[[str], str]


def sentence(
    mechanisms: tuple[str, ...],
    rows: pd.DataFrame,
    column: str,
    bounds: Limits,
    epsilon: float,
    named: Named,
    wanted: str,
) -> str:
    """`rows` of the chosen point; `wanted` is the attacked column as the page writes it."""
    scores = rows[rows["metric"] == "ac"].groupby("mechanism", sort=False)["value"].mean()
    known = [key for key in mechanisms if key in scores]
    leaking = [key for key in known if not CATALOG[key].whole]
    kept = [key for key in known if CATALOG[key].whole and not CATALOG[key].central]
    said = []
    for key in leaking[:1]:
        text = f"{named(key)} puts {words.of_100(scores[key])} of 100 people into the right cluster"
        leak = guessed(rows, key, column)
        if leak is not None:
            over = "but" if leak.mean() > bounds.promised else "and"
            text += (
                f", {over} the numbers that they send openly name the “{wanted}” of {words.of_100(leak.mean())}; "
                f"ε allows {words.of_100(bounds.promised)}"
            )
        said.append(text)
    if kept:
        key = max(kept, key=lambda key: scores[key])
        text = f"{named(key)} keeps the whole promise: {words.of_100(scores[key])} of 100 right"
        leak = guessed(rows, key, column)
        if leak is not None:
            blind = words.of_100(bounds.blind)
            text += f", {words.of_100(leak.mean())} named, where blind guessing names {blind}"
        said.append(text)
    if not said:
        right = words.of_100(scores[known[0]])
        said.append(
            f"{named(known[0])} puts {right} of 100 people into the right cluster; a curator who sees every record "
            "must be trusted"
        )
    return f"At ε = {words.epsilon(epsilon)}, {'. '.join(said)}."
