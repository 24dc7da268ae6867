"""The sidebar: the files, what was asked, what a report may tell, what counts, and by what."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from ldpapp import words
from ldpapp.parts import sidebar, widgets
from ldpapp.state import actions, controlled, view_options
from ldpapp.views.results import opening, read
from ldpapp.views.results.read import CLIENT, REPORTS
from ldpapp.words.language import t
from ldpcore.collection.result_facts import ResultFacts


def show(known: ResultFacts | None) -> None:
    """known: None where the files do not go together."""
    with st.sidebar.container(key="study"):
        st.markdown(f"#### {t('Survey')}")
        opening.here(REPORTS, t("Reports"))
        opening.here(CLIENT, t("Client"))
        _question()
        if known is not None:
            _what(known)
            choice("by", t("By group"))
        kept = t("Nothing is written to disk. Reports are protected; weights and groups are not.")
        st.html(f'<div class="sub">{kept}</div>')


def _question() -> None:
    names = list(read.client().questions)
    if len(names) > 1:
        controlled.bound(
            st.selectbox, t("Question"), names, key="results_question", value=read.question(), change=_ask,
        )  # fmt: skip


def _ask(name: str) -> None:
    """Another question of the same people: weights and groups stay."""
    actions.take_results(question=name, form="", always="")


def _what(known: ResultFacts) -> None:
    asked = known.asked
    texts = [widgets.escape(f"“{words.shorten(text, 90)}”") for text in [known.question] if text]
    if not known.numbers:
        texts.append(words.plural(len(known.labels), t("answer"), t("answers")))
    texts.append(t("{mechanism}, ε = {epsilon}", mechanism=asked.key, epsilon=words.epsilon(asked.epsilon)))
    st.html(f'<div class="sub">{" · ".join(texts)}</div>')
    raises = t("a report raises the odds of one at most {times} times", times=words.ratio(known.odds, most=True))
    if known.numbers:
        sidebar.aside(
            t("a report raises the odds of a number at most {times} times", times=words.ratio(known.odds, most=True))
        )
    else:
        hidden = words.plural(int(known.hidden.sum()), t("answer hidden"), t("answers hidden"))
        color = widgets.colors().sensitive
        sidebar.aside(f'<b style="color:{color}">{hidden}</b><br>{raises}', color)
    if (several := read.client()).questionnaire is not None:
        all_of_it = t("all reports of a person together: ε = {epsilon}", epsilon=words.epsilon(several.epsilon))
        sidebar.aside(all_of_it)
    counted = words.plural(known.n, t("report counts"), t("reports count"))
    refused = t("{n} refused", n=words.count(known.refused))
    sidebar.aside(f"<b>{counted}</b><br>{refused}")
    if column := known.read.columns.weights:
        weighted = t("Weighted by {column}", column=widgets.escape(column))
        as_many = t("n {n} counts as {effective}", n=words.count(known.n), effective=words.count(known.effective))
        sidebar.aside(f"<b>{weighted}</b><br>{as_many}")


def chooser(label: str, names: Sequence[str], field: str, value: str) -> None:
    """One of these for a field of what is chosen on this page."""
    controlled.bound(
        st.selectbox, label, names, key=f"results_{field}", value=value,
        change=lambda chosen: actions.take_results(**{field: chosen}),
    )  # fmt: skip


def choice(name: str, label: str, key: str = "results") -> None:
    """Which column beside the reports is the weight, the stratum, the cluster or the group."""
    names = ["", *read.beside()]
    controlled.bound(
        st.selectbox, label, names, key=f"{key}_{name}", value=getattr(read.draft().columns, name),
        change=partial(read.choose_column, name), format_func=_named,
    )  # fmt: skip
    if name == "by" and (why := view_options.look(read.REFUSED, "")):
        opening.alert(why)


def _named(name: str) -> str:
    return name or t("none")
