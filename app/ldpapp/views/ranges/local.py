"""Ranges without a trusted curator: the local strategies of the catalogue, each with one collection."""

import pandas as pd

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.parts.panels import Html, Line, Panel, Reach, Sheet
from ldpapp.views.ranges import sentences
from ldpapp.views.ranges.view import RangesView
from ldpapp.words.language import t
from ldpcore.catalog import LOCAL_RANGES
from ldpcore.ranges import Local
from ldpcore.study.ranges import local

COLUMNS = ["strategy", "± 95 %, people", "one survey", "bits", "what it is"]
"""Of the table of strategies."""


def panel(view: RangesView) -> Panel:
    rows = found(view)
    best, trusted = min(rows, key=lambda row: row[1]), view.best[0]
    subtitle = t(
        "{n} people randomise their own answer, each with ε = {eps}. ± 95 %, people, on the range chosen above; "
        "one simulated survey.",
        n=words.count(view.cells.counted.n),
        eps=words.epsilon(view.study.epsilon),
    )
    truth = t("true: {n}", n=words.count(view.cells.truth(*view.chosen)))
    lines = [*((name, what, error, words.count(round(one))) for name, error, one, _, what in rows)]
    curator = t("with a curator, who gets the answers themselves")
    whole, published = (
        "".join(_row(*line) for line in [*lines, (trusted, curator, view.of(trusted).margin, beside)])
        for beside in (truth, "")
    )
    return Panel(
        "local",
        t("Without a curator"),
        [
            Html(_table(whole), Reach.INTERNAL, _table(published)),
            Line(sentences.without_curator(best[0], trusted, best[1] / view.of(trusted).margin)),
        ],
        subtitle,
        [Sheet(pd.DataFrame(rows, columns=COLUMNS), "local-ranges")],
    )


def _table(body: str) -> str:
    return f'<div class="effects"><table>{body}</table></div>'


def found(view: RangesView) -> list[tuple[str, float, float, float, str]]:
    """Of every local strategy: its name, the 95 % margin on the chosen range (a sum of many reports is nearly
    normal), what one collection says of it, both in people, the bits of a report, and what the strategy is.
    """
    each = local.each(view.alone, view.cells.counted, view.chosen)
    return [
        (LOCAL_RANGES.name(key), margin, one, built.report_bits(), _what(LOCAL_RANGES[key].label, built))
        for key, margin, one, built in each
    ]


def _what(label: str, built: Local) -> str:
    bits = words.count(built.report_bits())
    if built.levels == 1:
        return t("{strategy}, {bits} bits a report", strategy=label, bits=bits)
    levels = words.plural(built.levels, t("level"), t("levels"))
    return t("{strategy}, one of {levels}, {bits} bits a report on average", strategy=label, levels=levels, bits=bits)


def _row(name: str, what: str, error: float, beside: str) -> str:
    return (
        f'<tr><td style="white-space:normal">{widgets.named(name)} <span class="quiet">{what}</span></td>'
        f'<td class="num">±{words.decimals(error)}</td><td class="num quiet">{beside}</td></tr>'
    )
