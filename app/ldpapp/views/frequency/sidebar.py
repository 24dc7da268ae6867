"""Frequency's part of the sidebar, and the grids of its axes."""

import streamlit as st

from ldpapp import compute, words
from ldpapp.compare.measures import Offer
from ldpapp.parts import budget, sidebar, weights, widgets
from ldpapp.state import view_options
from ldpapp.views.frequency import looking, unmarked
from ldpapp.words.language import t
from ldpcore import catalog
from ldpcore.data import DataError, Histogram, Table
from ldpcore.data.uncountable import nothing
from ldpcore.study import Study
from ldpcore.study.frequency import facts


def draw(study: Study, table: Table) -> None:
    """The sidebar."""
    _marks(study, table)
    secret = bool(study.marks.secret)
    budget.epsilon(study, by_level=secret)
    off = "" if bool(study.marks) else unmarked.off(study.column)
    sidebar.mechanisms("frequency", _best(study, table), off, () if secret else tuple(catalog.LEVELS))
    sidebar.repetitions_and_seed(study)


def _marks(study: Study, table: Table) -> None:
    """How many people, and which answers are sensitive."""
    try:
        counted = data(study, table)
    except DataError as error:
        sidebar.aside(widgets.escape(error.sentence))
        return
    st.html(f'<div class="sub">{_counted(counted, study.missing)}</div>')
    if counted.weighing is not None:
        weights.line(study, counted, table, _ignored(study, counted))
    marked = counted.domain.mask(study.marks.values)
    share = words.share(float(counted.freq[marked].sum()))
    of_people = t("{share} of the people", share=share)
    if counted.weighing is None:
        people = words.plural(int(counted.counts[marked].sum()), t("person"), t("people"))
        of_people = t("{people}, {share}", people=people, share=share)
    sidebar.marked(study.marks.values, t("value"), of_people, nouns=t("values"), marks=study.marks, column=study.column)


def _best(study: Study, table: Table) -> dict[str, str]:
    """The best mechanism of each promise at the chosen point → what it protects."""
    try:
        keys = facts.best(study.at_point(), data(study, table))
    except DataError:
        return {}
    every, *marked = keys
    best = {every: t("{key} protects everything", key=every)}
    best |= {key: t("{key} protects the marked", key=key) for key in marked[:1]}
    return best | {key: t("{key} protects each level", key=key) for key in marked[1:]}


def _counted(counted: Histogram, missing: str) -> str:
    people, k = words.count(counted.n), counted.domain.k
    if counted.dropped:
        everyone = words.count(counted.n + counted.dropped)
        if missing != "column":
            return t("{n} of {all} people, who left nothing out · {k} values", n=people, all=everyone, k=k)
        text = t("{n} of {all} people, who answered · {k} values", n=people, all=everyone, k=k)
        return t("{text}. In Review, no answer counts as one.", text=text)
    return t("{n} people · {k} values", n=people, k=k)


def _ignored(study: Study, counted: Histogram) -> str:
    """What would be said without the weights, beside the noise of the mechanism in focus; "" where that is nothing."""
    known = facts.facts(study.at_point(), counted)
    ignored = known.ignored
    if ignored is None or not known.listed or ignored.unweighted == ignored.weighted:
        return ""
    main = facts.focus(known.listed, view_options.wished("focus"))
    without = t(
        "Without them {value} is {before}, not {share}; the noise of {mechanism} is {error} points.",
        value=widgets.escape(words.shorten(ignored.label, 24)),
        before=words.share(ignored.unweighted),
        share=words.share(ignored.weighted),
        mechanism=main.key,
        error=words.points(known.ignored_margins[main.key]),
    )
    return f"<br>{without}"


def data(study: Study, table: Table) -> Histogram:
    """The column, counted. DataError when it cannot be."""
    if not study.column:
        raise nothing(table)
    return compute.histogram(study, table)


# two settings --------------------------------------------------------------------------------------------------------


def option(study: Study, name: str) -> str:
    if name == "axis":
        return t("against {axis}", axis=looking.axes()[study.axis])
    guess = study.option("guess")
    return t("guess {share}", share=words.share(guess)) if name == "guess" and guess is not None else ""


def work(study: Study, counted: Histogram) -> Study:
    """The surveys behind the marks on the kept setting's curves."""
    return looking.current(study, counted).simulated(study.at_point())


OFFER = Offer(None, option, work)
