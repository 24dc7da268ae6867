"""Which two questions of a survey have one report for both."""

from collections.abc import Sequence
from itertools import combinations

import streamlit as st

from ldpapp.state import actions, controlled
from ldpapp.words import language
from ldpapp.words.language import t
from ldpcore.study import Study
from ldpcore.study import review as task


def choose(study: Study, asked: Sequence[str], marked: Sequence[str]) -> None:
    """Which two marked questions have one report for both."""
    chosen = [each for each in study.option("as_one") if is_pair_of(each, asked)]
    taken = {half for each in chosen for half in task.parted(each, asked)}
    able = [task.AND.join(two) for two in combinations(marked, 2) if not taken & set(two)]
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


def is_pair_of(text: str, names: Sequence[str]) -> bool:
    """Whether both questions of a pair are among these."""
    try:
        return bool(task.parted(text, names))
    except ValueError:
        return False
