"""Which two questions of a survey have one report for both."""

from collections.abc import Sequence

import streamlit as st

from ldpapp.state import actions, controlled
from ldpapp.views.review import cached
from ldpapp.words import language
from ldpapp.words.language import t
from ldpcore.data import DataError, Table
from ldpcore.study import Study
from ldpcore.study import review as task


def choose(study: Study, table: Table, asked: Sequence[str], marked: Sequence[str]) -> None:
    """Which two marked questions have one report for both; pairs with too many answers are not offered."""
    chosen = [each for each in study.option("as_one") if task.is_pair(each, asked)]
    taken = {half for each in chosen for half in task.parted(each, asked)}
    able = _able(study, table, [name for name in marked if name not in taken])
    if not (chosen or able):
        return
    language.notice(*chosen, *able)
    controlled.bound(
        st.multiselect,
        t("Asked as one"),
        [*chosen, *able],
        key="review_as_one",
        value=chosen,
        change=lambda pairs: actions.option("review", as_one=tuple(pairs) or None),
        help=t("One report for both answers, and one ε: of a pair whose answers belong together, as a relation does."),
    )


def _able(study: Study, table: Table, names: Sequence[str]) -> list[str]:
    try:
        apart = study.derived(("apart",), lambda: study.with_options(as_one=None))
        return task.able(cached.people(apart, table), names)
    except (DataError, ValueError):  # the page says why
        return []
