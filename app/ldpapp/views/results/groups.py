"""One answer within each group of a column beside the reports."""

from functools import partial

import pandas as pd

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.parts.panels import Control, Html, Menu, Panel, Part, Reach
from ldpapp.views.results import beside, read, sentences
from ldpapp.words.language import t
from ldpcore.collection.refusals import FEW, withheld
from ldpcore.collection.result_facts import ResultFacts


def panel(known: ResultFacts) -> Panel:
    """A row per group, the answer of the headline first; the table has all answers."""
    name = "" if known.numbers else _chosen(known)
    table = known.groups(name)
    column = widgets.escape(known.read.columns.by)
    title = t("By {column}", column=column) if known.numbers else t(
        "{answer}, by {column}", answer=sentences.answer(name), column=column)  # fmt: skip
    about = t(
        "Groups below {few} reports have no estimate. A group is not protected: whoever collects sees it.", few=FEW
    )
    shown, instead = (_rows(known, table, published) for published in (False, True))
    whole = partial(widgets.as_table, "results_groups", known.read.table(), "results-by-group")
    head: list[Part] = [Control(whole)]
    if not known.numbers:
        choose = partial(beside.chooser, t("Answer"), list(known.rows[known.called]), "answer", name)
        head.insert(0, Menu(words.shorten(name, 24), choose))
    return Panel("results_groups", title, [Html(shown, Reach.INTERNAL, instead)], about, head)


def _chosen(known: ResultFacts) -> str:
    if (wished := read.draft().answer) in known.labels:
        return wished
    return known.leading or known.commonest or known.labels[0]


def _rows(known: ResultFacts, table: pd.DataFrame, published: bool) -> str:
    """A row per group; published: without counts that tell of fewer than FEW."""
    number = words.decimals if known.numbers else sentences.percent
    value = "mean" if known.numbers else "share"
    left_out = withheld(table["n"].to_numpy()) if published else [False] * len(table)
    rows = []
    for row, hidden in zip(table.to_dict("records"), left_out, strict=True):
        few = row["n"] < FEW
        shown = "" if few else number(row[value])
        ends = "" if few else t("{low}–{high}", low=number(row["low"]), high=number(row["high"]))
        n = t("left out") if hidden else words.count(row["n"])
        rows.append((widgets.escape(str(row[known.read.columns.by])), n, shown, ends))
    return widgets.pairs_table(rows, (t("reports"), value if known.numbers else t("share, %"), t("95 of 100")))
