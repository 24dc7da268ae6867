"""Two answers together: the answers of the question that is looked at, within the answers of another one."""

from collections.abc import Hashable, Mapping
from functools import partial

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.parts.panels import Control, Html, Line, Panel, Part, Sheet
from ldpapp.views.results import beside, opening, read, sentences
from ldpapp.words.language import t
from ldpcore.client.questionnaire import ONE
from ldpcore.collection.result_facts import ResultFacts


def others() -> list[str]:
    """The other questions of which the same people answered all; [] where there is none."""
    client = read.client()
    if client.questionnaire is None or client.questionnaire.asks == ONE:
        return []
    return [name for name in client.questions if name != read.question()]


def panel(known: ResultFacts) -> Panel:
    other = read.other(others())
    choose = partial(beside.chooser, t("Within the answers to"), others(), "other", other)
    parts: list[Part] = [Control(choose)]
    try:
        both = read.together(other)
        name = known.leading or known.commonest or known.labels[0]
        table = both.compared(name)
    except ValueError as error:
        return Panel("results_together", t("Two answers together"), [
            *parts, Control(partial(opening.alert, opening.sorry(error)))])  # fmt: skip
    rows = [
        (sentences.answer(row["group"]), *(_ends(row, each) for each in ("within", "difference")))
        for row in table.to_dict("records")
    ]
    heads = (t("of these say {answer}, %", answer=sentences.answer(name)), t("difference from all others, points"))
    test = both.relation.independence()
    p = t("below 0.001") if test.p < 0.001 else f"{test.p:.3f}"
    text = t("Is there a relation? p {p}. {n} people sent both; 95 of 100, of several groups all at once.",
             p=p, n=words.count(both.relation.n))  # fmt: skip
    parts += [Html(widgets.pairs_table(rows, heads)), Line(text)]
    if known.read.columns.named:
        parts.append(Line(t("Weights, strata and clusters are not used here: rows count alike.")))
    parts.append(Sheet(table, "results-together"))
    return Panel("results_together", t("Two answers together"), parts)


def _ends(row: Mapping[Hashable, float], name: str) -> str:
    """A share or a difference with its interval; nothing where the group is not told from an empty one."""
    value, low, high = (row[each] for each in (name, f"{name} low", f"{name} high"))
    if value != value:
        return t("not told from an empty group")
    each = words.difference if name == "difference" else sentences.percent
    return t("{value} ({low} to {high})", value=each(value), low=each(low), high=each(high))
