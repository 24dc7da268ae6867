"""The bill: every spend of every miner, both totals, what can be defended; and the leak that no bill covers."""

import math

import pandas as pd
import streamlit as st

from ldpapp import looks, widgets, words
from ldpapp.tasks.itemsets import cached as itemsets_cached
from ldpapp.tasks.itemsets import findings
from ldpapp.tasks.itemsets.data import Shown
from ldpcore.itemsets import Transactions
from ldpcore.study import Study


def ledger(shown: list[Shown]) -> None:
    """Both totals of each miner, and the spends one by one as a table."""
    longest = shown[0].longest
    spends = [one.mined.ledger.table.assign(miner=one.key) for one in shown if one.key != "Apriori"]
    with widgets.panel("ledger", "The bill, spend by spend", "ε added up in three ways.") as slot:
        if spends:
            with slot:
                widgets.as_table("ledger", _spends(spends), "ledger", "every spend")
        rows = "".join(_row(one) for one in shown)
        st.html(
            f'<div class="sets bill" style="{widgets.scrolls()}"><table><thead><tr>'
            "<th>ε</th><th>booked</th><th>by basket</th><th>defended</th>"
            f"<th>δ</th></tr></thead><tbody>{rows}</tbody></table></div>"
            f'<div class="sub">Booked: as the miner counts. By basket: what the longest, of {longest} items, can move, '
            "the candidates taken as given. Defended: what holds for the whole release.</div>"
        )


def _spends(each: list[pd.DataFrame]) -> pd.DataFrame:
    return pd.concat(each)[["miner", *each[0].columns[:-1]]]


def _row(one: Shown) -> str:
    paid = one.mined.ledger
    cells = (_epsilon(paid.total), _epsilon(paid.by_basket(one.longest)), _epsilon(paid.defended), _delta(one.delta))
    return f"<tr><td>{widgets.named(one.key)}</td>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _epsilon(value: float) -> str:
    return words.decimals(value) if math.isfinite(value) else "none"


def _delta(value: float) -> str:
    return "0" if value == 0 else findings.probability(value)


def leak(study: Study, found: Transactions, shown: list[Shown], s: float) -> None:
    """The neighbours, the witness, its p; and beside them the repair."""
    with widgets.panel("leak", "What DFDP’s candidates give away", "Two data sets, one basket apart.") as slot:
        try:
            pair = itemsets_cached.leaking(study, found, s, None)
        except ValueError as error:
            widgets.note(f"{widgets.escape(str(error)[:1].upper() + str(error)[1:])}.")
            return
        try:
            own = itemsets_cached.leaking(study, found, s, 0) if pair.taken else pair
        except ValueError:
            own = None
        table = pair.witnesses.assign(itemset=[" + ".join(map(str, items)) for items in pair.witnesses["itemset"]])
        with slot:
            widgets.as_table("leak", table.assign(**{"p without the basket": 0.0}), "leak", "witnesses")
        st.html(f'<div class="card">{findings.leaks(pair, own, s, widgets.escape)} {_repair(shown)}</div>')
        basket = words.listing(widgets.escape(item) for item in pair.removed)
        st.html(f'<div class="sub">The basket: {basket}. s = {words.epsilon(s)}.</div>')


def _repair(shown: list[Shown]) -> str:
    kept = [one for one in shown if math.isfinite(one.mined.ledger.defended) and not one.delta]
    best = max(kept, key=lambda one: one.scores.found - one.scores.false, default=None)
    what = "<b>The repair:</b> candidates from noisy counts, and baskets that can add only so much."
    if best is None:
        return f"{what} Capped + posterior does that."
    return (
        f"{what} {widgets.named(best.key)} does that: at ε = {words.epsilon(best.mined.ledger.total)} it finds "
        f"{words.count(best.scores.found)} sets, {words.count(best.scores.false)} false."
    )


def withheld(shown: list[Shown], values: tuple[str, ...]) -> None:
    """What it costs not to publish the marked items."""
    marked = set(values)
    frame = shown[0].ground.truth.itemsets
    lost = int(sum(bool(marked & set(map(str, items))) for items in frame["itemset"]))
    what = widgets.sensitive(words.plural(len(marked), "marked item", start=True))
    widgets.note(
        f"{what} withheld: no set with one of them is looked for or published. That gives up {words.count(lost)} of "
        f"the {words.count(len(frame))} frequent sets, which count as missed. Whether a basket is protected does not "
        "change: the miner’s promise covers it whole."
    )


STOPPED = "itemsets_stopped"
"""The look that says: counting was stopped."""


def stop_search() -> None:
    looks.choose(STOPPED, True)
