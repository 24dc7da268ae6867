"""What is in the data: its columns, the rules for missing answers and for ranges of numbers, its card and a sample."""

from typing import Any

import pandas as pd
import streamlit as st

from ldpapp import bind, columns, session, widgets, words
from ldpapp.kept import kept
from ldpcore.data import MAX_VALUES, ColumnProfile, DataError, Histogram, Table, dates
from ldpcore.data.uncountable import unusable
from ldpcore.study import fitting

ROLES = {"category": "category", "number": "number", "identifier": "identifier", "constant": "one value"}
MISSING = {
    "any": "Leave out rows incomplete in any column",
    "column": "Leave out rows that miss this column",
    "category": "Count a missing answer as a value of its own",
}
"""Rule for missing answers → what the person chooses."""
MAX_BINS = 200


def edges(binned: Histogram) -> str:
    """Which of two bins counts a number at their edge: their names, which marks and Study files use, say both ends."""
    upper = binned.domain.labels[1]
    return f"{upper.split(' to ')[0]} counts in “{upper}”."


def count(table: Table, column: str, missing: str) -> Histogram:
    """The column under another rule for missing answers."""
    bins = columns.bins(column)
    return table.binned(column, *bins, missing) if bins else table.categorical(column, missing)  # type: ignore[arg-type]


# columns ---------------------------------------------------------------------------------------------------------


def panel(table: Table) -> None:
    """The popover "Columns"."""
    shown = pd.DataFrame(
        [(p.name, ROLES[p.role], p.distinct, p.missing, ", ".join(p.examples)) for p in table.profile()],
        columns=["Column", "Role", "Values", "Missing", "Examples"],
    )
    written: Any = {"Values": words.count, "Missing": words.count}
    st.dataframe(
        shown.style.format(written),
        hide_index=True,
        row_height=26,
        height=26 * min(len(shown), 5 if _counted() and columns.bins(_counted()) else 7) + 34,
        alt="The columns with their roles, numbers of values, missing answers and examples.",
        column_config={
            "Values": st.column_config.NumberColumn(width=60),
            "Role": st.column_config.Column(width=80),
            "Missing": st.column_config.NumberColumn(width=65),
        },
    )
    reasons = [" ".join(reason) for p in table.profile() if (reason := unusable(p))]
    if reasons:
        more = f" {words.plural(len(reasons) - 3, 'more column')} cannot be counted either." if len(reasons) > 3 else ""
        st.html(f'<div class="sub">{widgets.escape(" ".join(reasons[:3]) + more)}</div>')
    timed = [dates.said(words.shorten(p.name, 40), p.dates) for p in table.profile() if p.dates]
    if timed:
        st.html(f'<div class="sub">{widgets.escape(" ".join(timed[:3]))}</div>')
    if _counted():
        _missing(table, _counted())
        _numbers(table, _counted())


def _counted() -> str:
    """The column whose answers are counted; "" where there is none."""
    return kept().studies["frequency"].column


def _missing(table: Table, column: str) -> None:
    people = {}
    for rule in MISSING:
        try:
            people[rule] = count(table, column, rule).n
        except DataError:
            people[rule] = 0
    bind.bound(
        st.radio,
        f"Missing answers in “{words.shorten(column, 30)}”",
        list(MISSING),
        key="missing_choice",
        value=kept().studies["frequency"].missing,
        change=set_missing,
        format_func=lambda rule: f"{MISSING[rule]}: {words.plural(people[rule], 'person', 'people')}",
    )


def set_missing(rule: str) -> None:
    session.change("frequency", missing=rule)


def _numbers(table: Table, column: str) -> None:
    """Numbers: separate values or bins of a public range."""
    profile = fitting.column(table, column)
    if profile is None or not profile.numeric:
        return
    name = words.shorten(profile.name, 30)
    is_number = columns.bins(column) is not None
    if profile.distinct <= MAX_VALUES:
        bind.bound(
            st.segmented_control,
            f"Count the numbers of “{name}” as",
            [False, True],
            key=f"role_{table.digest[:8]}_{profile.name}",
            value=is_number,
            change=lambda binned: session.describe(column, binned=binned),
            required=True,
            format_func=lambda binned: "bins of a range" if binned else "separate values",
        )
    if is_number:
        _range(table, profile)


def _range(table: Table, profile: ColumnProfile) -> None:
    bins = columns.bins(profile.name)
    if bins is None:
        return
    low, high, count_ = bins
    stated = columns.said(profile.name).range is not None
    with st.form("range", border=False):
        one, two, three, four = st.columns([3, 3, 2, 2], gap="small", vertical_alignment="bottom")
        low = one.number_input("From", value=low, format="%g")
        high = two.number_input("To", value=high, format="%g")
        count_ = int(three.number_input("Bins", 2, MAX_BINS, min(count_, MAX_BINS), step=1))
        pressed = four.form_submit_button("Use", width="stretch")
    if pressed:
        try:
            table.binned(profile.name, low, high, count_, "column")
        except DataError as error:
            said = f"<b>{widgets.escape(error.sentence)}</b> {widgets.escape(error.why)}"
            st.html(f'<div class="sub" role="alert">{said}</div>')
        else:
            session.set_range(profile.name, low, high, count_)
            st.rerun()  # the sidebar and the page above were drawn with the old range
    clipped = count(table, profile.name, "column").clipped
    outside = (
        f"{words.plural(clipped, 'answer')} outside count in the first or last bin."
        if clipped
        else "It holds every answer."
    )
    origin = "" if stated else " This one was proposed from the data: state your own."
    st.html(
        '<div class="sub">The range must be public knowledge, such as ages from 0 to 100: taken from the data it would '
        f"give away the smallest and the largest answer.{origin} {outside} "
        f"{widgets.escape(edges(count(table, profile.name, 'column')))} The last bin holds its upper end too.</div>"
    )


# the card --------------------------------------------------------------------------------------------------------


def about(table: Table) -> None:
    """The popover "About"."""
    card = table.card
    people, number = words.plural(len(table.frame), "row"), words.plural(len(table.frame.columns), "column")
    if card is not None:
        facts = [
            ("What", card.what),
            ("How many", f"{people}, {number}"),
            ("Origin", card.origin),
            ("Licence", card.licence),
            ("How made", card.how_made),
        ]
        if card.synthetic:
            facts.append(("Synthetic", "Nobody in it exists."))
        title = card.title
    else:
        facts = [
            ("How many", f"{people}, {number}"),
            ("Recognised", " ".join(table.notes) or "Nothing was ambiguous."),
            ("Kept", "In this computer’s memory, until you close the page."),
        ]
        title = table.name
    rows = "".join(f'<tr><td class="quiet">{name}</td><td>{widgets.escape(text)}</td></tr>' for name, text in facts)
    st.html(
        f'<div class="card"><div class="title" role="heading" aria-level="2">'
        f"{widgets.escape(title)}</div><table>{rows}</table></div>"
    )
    sample: Any = table.frame.head(5)
    st.html('<div class="sub">The first rows</div>')
    st.dataframe(sample, hide_index=True, row_height=26, alt="The first five rows of the data.")
