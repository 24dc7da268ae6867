"""What is in the data: its columns, the rules for missing answers and for ranges of numbers, its card and a sample."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.runtime import display
from ldpapp.state import actions, column_actions, column_settings, controlled
from ldpapp.state.model import study_of, workspace
from ldpapp.words.language import t
from ldpcore.data import MAX_VALUES, ColumnProfile, DataError, Histogram, Table, dates
from ldpcore.data.uncountable import unusable
from ldpcore.study import fitting

RULES = ("any", "column", "category")
"""For missing answers."""
MAX_BINS = 200
LISTED = 230
"""px of a list on a phone, which scrolls in itself."""


def edges(binned: Histogram) -> str:
    """Which of two bins counts a number at their edge: their names, which marks and Study files use, say both ends."""
    upper = binned.domain.labels[1]
    return t("{edge} counts in “{bin}”.", edge=upper.split(" to ")[0], bin=upper)


def count(table: Table, column: str, missing: str) -> Histogram:
    """The column under another rule for missing answers."""
    bins = column_settings.bins(workspace(), column)
    return table.binned(column, *bins, missing) if bins else table.categorical(column, missing)  # type: ignore[arg-type]


# columns ---------------------------------------------------------------------------------------------------------


def panel(table: Table) -> None:
    """The popover "Columns"."""
    roles = {
        "category": t("category"),
        "number": t("number"),
        "identifier": t("identifier"),
        "constant": t("one value"),
        "weight": t("weight"),
    }
    if display.narrow():
        _below_one_another(table, roles)
    else:
        _side_by_side(table, roles)
    reasons = [" ".join(reason) for p in table.profile() if (reason := unusable(p))]
    if reasons:
        said = reasons[:3]
        if len(reasons) > 3:
            more = words.plural(len(reasons) - 3, t("more column"), t("more columns"))
            said.append(t("{columns} cannot be counted either.", columns=more))
        st.html(f'<div class="sub">{widgets.escape(" ".join(said))}</div>')
    timed = [dates.said(words.shorten(p.name, 40), p.dates) for p in table.profile() if p.dates]
    if timed:
        st.html(f'<div class="sub">{widgets.escape(" ".join(timed[:3]))}</div>')
    if _counted():
        _missing(table, _counted())
        _numbers(table, _counted())


def _below_one_another(table: Table, roles: Mapping[str, str]) -> None:
    """The columns on a phone, which has no room for a table of them."""
    entries = []
    for p in table.profile():
        what = t(
            "{role} · {values} · {missing} missing",
            role=roles[p.role],
            values=words.plural(p.distinct, t("value"), t("values")),
            missing=words.count(p.missing),
        )
        examples = widgets.escape(", ".join(p.examples))
        text = f'<b>{widgets.escape(words.shorten(p.name, 60))}</b><br>{what}<br><span class="quiet">{examples}</span>'
        entries.append(f'<div class="row"><div>{text}</div></div>')
    with st.container(height=display.grown(LISTED)):
        st.html(f'<div class="card">{"".join(entries)}</div>')


def _side_by_side(table: Table, roles: Mapping[str, str]) -> None:
    shown = pd.DataFrame(
        [(p.name, roles[p.role], p.distinct, p.missing, ", ".join(p.examples)) for p in table.profile()],
        columns=["Column", "Role", "Values", "Missing", "Examples"],
    )
    written: Any = {"Values": words.count, "Missing": words.count}
    st.dataframe(
        shown.style.format(written),
        key=display.sized("columns_profile"),
        hide_index=True,
        row_height=display.grown(26),
        height=display.grown(
            26 * min(len(shown), 5 if _counted() and column_settings.bins(workspace(), _counted()) else 7) + 34
        ),
        alt=t("The columns with their roles, numbers of values, missing answers and examples."),
        column_config={
            "Values": st.column_config.NumberColumn(width=60),
            "Role": st.column_config.Column(width=80),
            "Missing": st.column_config.NumberColumn(width=65),
        },
    )


def _counted() -> str:
    """The column whose answers are counted; "" where there is none."""
    return study_of("frequency").column


def _missing(table: Table, column: str) -> None:
    people = {}
    for rule in RULES:
        try:
            people[rule] = count(table, column, rule).n
        except DataError:
            people[rule] = 0
    controlled.bound(
        st.radio,
        t("Missing answers in “{column}”", column=words.literal(words.shorten(column, 30))),
        RULES,
        key="missing_choice",
        value=study_of("frequency").missing,
        change=set_missing,
        format_func=lambda rule: _rule(rule, words.plural(people[rule], t("person"), t("people"))),
    )


def _rule(rule: str, people: str) -> str:
    """What a person chooses, and how many people it leaves."""
    if rule == "any":
        return t("Leave out rows incomplete in any column: {people}", people=people)
    if rule == "column":
        return t("Leave out rows that miss this column: {people}", people=people)
    return t("Count a missing answer as a value of its own: {people}", people=people)


def set_missing(rule: str) -> None:
    actions.change("frequency", missing=rule)


def _numbers(table: Table, column: str) -> None:
    """Numbers: separate values or bins of a public range."""
    profile = fitting.column(table, column)
    if profile is None or not profile.numeric:
        return
    name = words.shorten(profile.name, 30)
    is_number = column_settings.bins(workspace(), column) is not None
    if profile.distinct <= MAX_VALUES:
        controlled.bound(
            st.segmented_control,
            t("Count the numbers of “{column}” as", column=words.literal(name)),
            [False, True],
            key=f"role_{table.digest[:8]}_{profile.name}",
            value=is_number,
            change=lambda binned: column_actions.describe(column, binned=binned),
            required=True,
            format_func=lambda binned: t("bins of a range") if binned else t("separate values"),
        )
    if is_number:
        _range(table, profile)


def _range(table: Table, profile: ColumnProfile) -> None:
    bins = column_settings.bins(workspace(), profile.name)
    if bins is None:
        return
    low, high, count_ = bins
    stated = column_settings.of(workspace(), profile.name).range is not None
    with st.form("range", border=False):
        one, two, three, four = st.columns([3, 3, 2, 2], gap="small", vertical_alignment="bottom")
        low = one.number_input(t("From"), value=low, format="%g")
        high = two.number_input(t("To"), value=high, format="%g")
        count_ = int(three.number_input(t("Bins"), 2, MAX_BINS, min(count_, MAX_BINS), step=1))
        pressed = four.form_submit_button(t("Use"), width="stretch")
    if pressed:
        try:
            table.binned(profile.name, low, high, count_, "column")
        except DataError as error:
            sentence = f"<b>{widgets.escape(error.sentence)}</b> {widgets.escape(error.why)}"
            st.html(f'<div class="sub" role="alert">{sentence}</div>')
        else:
            column_actions.set_range(profile.name, low, high, count_)
            st.rerun()  # the sidebar and the page above were drawn with the old range
    st.html(f'<div class="sub">{_about_range(count(table, profile.name, "column"), stated)}</div>')


def _about_range(binned: Histogram, stated: bool) -> str:
    """Where a range may come from, and which bin counts what lies at an edge or outside."""
    sentences = [
        t(
            "The range must be public knowledge, such as ages from 0 to 100: taken from the data it would give away "
            "the smallest and the largest answer."
        )
    ]
    if not stated:
        sentences.append(t("This one was proposed from the data: state your own."))
    if binned.clipped:
        answers = words.plural(binned.clipped, t("answer"), t("answers"))
        sentences.append(t("{answers} outside count in the first or last bin.", answers=answers))
    else:
        sentences.append(t("It holds every answer."))
    sentences += [widgets.escape(edges(binned)), t("The last bin holds its upper end too.")]
    return " ".join(sentences)


# the card --------------------------------------------------------------------------------------------------------


def about(table: Table) -> None:
    """The popover "About"."""
    card = table.card
    rows = words.plural(len(table.frame), t("row"), t("rows"))
    wide = words.plural(len(table.frame.columns), t("column"), t("columns"))
    many = (t("How many"), t("{rows}, {columns}", rows=rows, columns=wide))
    if card is not None:
        facts = [
            (t("What"), card.what),
            many,
            (t("Origin"), card.origin),
            (t("Licence"), card.licence),
            (t("How made"), card.how_made),
        ]
        if card.synthetic:
            facts.append((t("Synthetic"), t("Nobody in it exists.")))
        title = card.title
    else:
        facts = [
            many,
            (t("Recognised"), " ".join(table.notes) or t("Nothing was ambiguous.")),
            (t("Kept"), t("In this computer’s memory, until you close the page.")),
        ]
        title = table.name
    body = "".join(f'<tr><td class="quiet">{name}</td><td>{widgets.escape(text)}</td></tr>' for name, text in facts)
    st.html(
        f'<div class="card"><div class="title" role="heading" aria-level="2">'
        f"{widgets.escape(title)}</div><table>{body}</table></div>"
    )
    st.html(f'<div class="sub">{t("The first rows")}</div>')
    if display.narrow():
        first = table.frame.head(2)
        with st.container(height=display.grown(LISTED)):
            cells = [[name, *("" if pd.isna(cell) else cell for cell in first[name])] for name in first]
            texts = [[widgets.escape(words.shorten(str(cell), 20)) for cell in row] for row in cells]
            st.html(widgets.pairs_table(texts, [str(row) for row in range(1, len(first) + 1)]))
        return
    sample: Any = table.frame.head(5)
    rows = t("The first five rows of the data.")
    st.dataframe(sample, key=display.sized("first_rows"), hide_index=True, row_height=display.grown(26), alt=rows)
