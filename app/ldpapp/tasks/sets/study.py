"""Sets' part of the sidebar: which items are marked, how many items a report is about, the mechanisms compared."""

from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from ldpapp import bind, session, sidebar, words
from ldpapp.compute.memory import once
from ldpapp.tasks.sets import data as set_data
from ldpcore.data import Baskets, DataError, Table
from ldpcore.study import Study
from ldpcore.study import sets as task

SIMULATED = (16, 32, 64, 128, 256, 512, 1024)
"""How many items simulated sets are drawn from."""
MOST = 128
"""Items per report that can be typed; a Study file may ask for more, and the attacks then take minutes."""
LOOKS = {
    "sets_scope": tuple(set_data.SCOPES),
    "sets_quantity": tuple(set_data.QUANTITIES),
}


def beside(place: Any, study: Study, table: Table) -> None:
    sidebar.column(place, task.columns(table), study.column)


def draw(study: Study, table: Table) -> None:
    """The sidebar."""
    try:
        held = data(study, table)
    except DataError as error:
        sidebar.aside(error.sentence)
        return
    _people(study, held)
    sidebar.epsilon(study)
    _m(study, held)
    sidebar.mechanisms("sets")
    sidebar.repetitions_and_seed(study)


def data(study: Study, table: Table) -> Baskets:
    """The column's baskets. DataError where there are none."""
    if not study.column:
        raise DataError(
            f"“{table.name}” has no baskets.",
            "Sets are several items per person: one basket per line, or a column of lists.",
            "The bundled groceries have them; on the Data page a file of your own can be read as baskets.",
        )
    return table.baskets(study.column)


def _people(study: Study, held: Baskets) -> None:
    """How many people and items, and which are sensitive."""
    chosen = task.options(study)
    if chosen["simulated"]:
        items = chosen["simulated"]
        sidebar.aside(
            f"<b>Simulated sets</b> of {words.count(held.n)} people: {words.count(items)} items, all alike, "
            f"{words.count(round(items * chosen['marked']))} of them marked."
        )
        return
    marked = study.arms[0].values
    st.html(
        f'<div class="sub">{words.count(held.n)} people · {words.count(held.k)} items, '
        f"{held.lengths.mean():.1f} each</div>"
    )
    mask = held.domain.mask(marked)
    with_one = np.unique(held.people[mask[held.codes]]).size
    sidebar.marked(marked, "item", f"{words.share(with_one / held.n)} of the people hold one")


def _m(study: Study, held: Baskets) -> None:
    """Items per set: as proposed, until the person says otherwise."""
    m = task.items_per_set(study, held)
    left, right = st.columns([3, 2], gap="small", vertical_alignment="center")
    left.markdown(
        "**Items, m**",
        help="Shorter baskets are filled up with dummies, of longer ones m items are drawn. Proposed: what keeps nine "
        "baskets in ten whole.",
    )
    bind.bound(
        right.number_input, "m", 1, max(MOST, m), key="sets_m", value=m, change=choose_m, step=1,
        label_visibility="collapsed",
    )  # fmt: skip


def choose_m(m: int) -> None:
    session.option("sets", m=int(m))


def simulate(items: int) -> None:
    """Sets invented as in the paper, of so many items; 0 for the data's own baskets. What m was is proposed anew."""
    session.option("sets", simulated=items or None, marked=None, m=None)


def mark_share(percent: float) -> None:
    """How many of the simulated items are marked."""
    session.option("sets", marked=percent / 100 if percent != 25 else None)


@once(64)
def here(study: Study) -> Study:
    """The study at its own point alone."""
    return replace(study, axis="epsilon", grid=())


@once(64)
def own_baskets(study: Study) -> Study:
    """The same on the data's own baskets, without attacks, whatever the Sets page simulates."""
    return here(study).with_options(simulated=None, marked=None, attacks=0)


@once(16)
def full(study: Study, held: Baskets) -> Study:
    """Over the axis that the view shows."""
    return replace(study, grid=set_data.grids(study.axis, study, held)[0])
