"""Marking many values at once: by share, by list, all others, none. These are what the buttons of the Data page do."""

from collections.abc import Iterable, Mapping, Sequence

import streamlit as st

from ldpapp import words
from ldpapp.state import actions, column_actions, column_settings
from ldpapp.state.model import current_column, study_of, table, workspace
from ldpapp.state.view_options import choose, look
from ldpapp.views.frequency import sidebar as frequency
from ldpapp.words.language import t
from ldpcore import catalog
from ldpcore.data import MarksProposal
from ldpcore.study.definition import SECRET, SENSITIVE
from ldpcore.study.frequency import facts

LEVEL = "mark_level"
"""The session's key of the level at which buttons mark."""
NAMED = 2
"""Proposed values that a button names."""


def mark(labels: Sequence[str], values: Iterable[str]) -> None:
    """Mark exactly these values, in the column's order; those that are secret stay so."""
    now = levels()
    grade(labels, {value: now.get(value, SENSITIVE) for value in values})


def grade(labels: Sequence[str], chosen: Mapping[str, str]) -> None:
    """Mark exactly these values, each at its level. With the first secret one the best mechanism for levels is
    compared, too.
    """
    before = study_of("frequency")
    column_actions.set_levels(current_column(), {label: chosen[label] for label in labels if label in chosen})
    study = study_of("frequency")
    if {*before.mechanisms} & {*catalog.LEVELS} or not {*study.mechanisms} & {*catalog.LEVELS}:
        return
    best = facts.best(study.at_point(), frequency.data(study, table()))[-1]
    actions.choose_mechanisms("frequency", (*before.mechanisms, best))


def marked() -> tuple[str, ...]:
    """The values marked."""
    return column_settings.label_marks(workspace(), current_column()).values


def levels() -> dict[str, str]:
    """The marked values, each with its level."""
    return dict(column_settings.label_marks(workspace(), current_column()).levels)


def three() -> bool:
    """Whether this column's values have three levels: somebody asked for the third, or uses it."""
    return look("levels_of") == current_column() or bool(column_settings.of(workspace(), current_column()).marks.secret)


def graded() -> dict[str, str] | None:
    """`levels`, where the column has three of them; None where a value is marked or not."""
    return levels() if three() else None


def third(wanted: bool) -> None:
    """Ask for the third level; without it what was secret counts as any other marked value."""
    choose("levels_of", current_column() if wanted else "")
    if not wanted:
        column_actions.flatten(current_column())


def propose(labels: Sequence[str], found: MarksProposal) -> bool:
    """The button that marks what is proposed; False where nothing is."""
    if not found.values:
        return False
    named = [t("“{value}”", value=words.literal(words.shorten(value, 24))) for value in found.values[:NAMED]]
    if len(found.values) > NAMED:
        named.append(t("{n} more", n=words.count(len(found.values) - NAMED)))
    values, wanted = words.listing(named), {"key": "start_proposed", "on_click": add, "args": (labels, found.values)}
    if found.delicate:
        why = t("A proposal, not a judgement: words from a list of delicate topics.")
        st.button(t("Mark the proposal: {values}", values=values), type="primary", help=why, **wanted)
    else:
        st.button(t("Mark those rarer than 1 %: {values}", values=values), **wanted)
        why = t("Proposed because they are rare, not because they are delicate: that is yours to know.")
        st.html(f'<div class="sub">{why}</div>', width="content")
    return True


def mark_rare(labels: Sequence[str], values: Sequence[str]) -> None:
    """Mark these rare values too; what was marked stays marked."""
    before = levels()
    if all(before.get(value) in (SECRET, _level()) for value in values):
        several = words.plural(len(values), t("value is"), t("values are"))
        if values:
            st.toast(t("{values} rarer than 1 %, marked already.", values=several))
        else:
            st.toast(t("{values} rarer than 1 %.", values=several))
        return
    add(labels, values)


def add(labels: Sequence[str], values: Iterable[str]) -> None:
    """Mark these too, at the level that is chosen for it; nothing gets less protected."""
    now = levels()
    new = {value: SECRET if now.get(value) == SECRET else _level() for value in values}
    grade(labels, {**now, **new})


def _level() -> str:
    """At which level buttons mark."""
    return look(LEVEL, SENSITIVE) if three() else SENSITIVE


def remove(labels: Sequence[str], values: Iterable[str]) -> None:
    mark(labels, set(marked()) - set(values))


def invert(labels: Sequence[str]) -> None:
    mark(labels, set(labels) - set(marked()))


def clear() -> None:
    column_actions.set_marks(current_column(), ())
