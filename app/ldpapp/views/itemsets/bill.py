"""The bill: every spend of every miner, both totals, what can be defended; and the leak that no bill covers."""

import math
from functools import partial

import pandas as pd

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.parts.panels import Control, Html, Line, Panel, Part, Reach, Sheet
from ldpapp.views.itemsets import sentences
from ldpapp.views.itemsets.sentences import Runs
from ldpapp.views.itemsets.terms import Terms
from ldpapp.words.language import t
from ldpcore.data import Baskets
from ldpcore.study import Study
from ldpcore.study.itemsets.compare import Outcome
from ldpcore.study.itemsets.facts import leaking


def ledger(runs: Runs, there: str, said: Terms) -> Panel:
    """Both totals of each miner, and the spends one by one as a table. `there`: the other comparison, in words."""
    longest = next(iter(runs.values())).longest
    spends = [one.mined.ledger.table.assign(miner=key) for key, one in runs.items() if one.mined.ledger.spends]
    rows = "".join(_row(one) for one in runs.values())
    parts: list[Part] = [
        Html(
            f'<div class="sets bill" style="{widgets.scrolls()}"><table><thead><tr>'
            f"<th>ε</th><th>{t('booked')}</th><th>{said.by_one()}</th><th>{t('defended')}</th>"
            f"<th>δ</th></tr></thead><tbody>{rows}</tbody></table></div>"
        ),
        Line(said.bill(longest)),
        *(Line(sentences.sent(one, widgets.named, said)) for one in runs.values() if math.isfinite(one.mined.bits)),
        *(Line(f"{widgets.named(one.key)}: {rest}.") for one in runs.values() if (rest := sentences.unspent(one))),
        *(Line(sentences.limited(one, said)) for one in runs.values() if one.delta > 0),
    ]
    if there:
        parts.append(Line(there, Reach.INTERNAL))
    sheets = []
    if spends:
        sheets.append(Sheet(pd.concat(spends)[["miner", *spends[0].columns[:-1]]], "ledger", t("every spend")))
    return Panel("ledger", t("The bill, spend by spend"), parts, t("ε added up in three ways."), sheets)


def _row(one: Outcome) -> str:
    paid = one.mined.ledger
    delta = "0" if one.delta == 0 else sentences.probability(one.delta)
    cells = (*map(_epsilon, (paid.total, paid.by_basket(one.longest), paid.defended)), delta)
    return f"<tr><td>{widgets.named(one.key)}</td>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _epsilon(value: float) -> str:
    return words.decimals(value) if math.isfinite(value) else t("none")


def leak(study: Study, found: Baskets, runs: Runs, s: float, said: Terms) -> Panel:
    """The neighbours, the witness, its p; and beside them the repair."""
    title, subtitle = t("What DFDP’s candidates give away"), said.apart()
    least = next(iter(runs.values())).ground.least
    pair = leaking(study, found, s, None)
    if pair is None:
        return Panel("leak", title, [Control(partial(widgets.note, said.harmless(least)))], subtitle)
    mine = leaking(study, found, s, 0) if pair.taken else pair
    texts = [sentences.leaks(pair, mine, least, widgets.escape, said), sentences.repair(runs, widgets.named, said)]
    removed = said.removed(words.listing(map(widgets.escape, pair.removed)), words.epsilon(s))
    names = [" + ".join(map(str, items)) for items in pair.witnesses["itemset"]]
    table = pair.witnesses.assign(itemset=names, **{"p without it": 0.0})
    card = Html(f'<div class="card">{" ".join(texts)}</div>')
    return Panel("leak", title, [card, Line(removed)], subtitle, [Sheet(table, "leak", t("witnesses"))], Reach.SCREEN)
