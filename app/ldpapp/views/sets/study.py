"""Sets' part of the sidebar: which items are marked, how many items a report is about, the mechanisms compared."""

from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from ldpapp import words
from ldpapp.compute.memory import once
from ldpapp.parts import curve_words, planner, released_forms, sidebar
from ldpapp.state import actions, controlled
from ldpapp.views.sets import proposal
from ldpapp.words.language import t
from ldpcore.catalog import LEVELED_SETS
from ldpcore.data import Baskets, DataError, Table, proposed
from ldpcore.scope import Scope
from ldpcore.study import Study
from ldpcore.study import sets as task
from ldpcore.study.sets.curves import grids, on

SIMULATED = (16, 32, 64, 128, 256, 512, 1024)
"""How many items simulated sets are drawn from."""
MOST = 128
"""Items per report that can be typed; a Study file may ask for more, and the attacks then take minutes."""
LOOKS = {
    "sets_scope": tuple(Scope),
    "sets_quantity": tuple(curve_words.quantities()),
    "sets_items": ("some", "all"),
    "fold_sets": (False, True),
    **released_forms.choices("sets"),
    **planner.folded("sets"),
}


def beside(place: Any, study: Study, table: Table) -> None:
    sidebar.column(place, task.columns(table), study.column)


def draw(study: Study, table: Table) -> None:
    """The sidebar."""
    try:
        baskets = data(study, table)
    except DataError as error:
        sidebar.aside(error.sentence)
        return
    _people(study, baskets)
    secret = leveled(study)
    sidebar.epsilon(study, by_level=secret)
    _m(study, baskets)
    sidebar.mechanisms("sets", idle=_idle(study), unasked=() if secret else tuple(LEVELED_SETS))
    sidebar.repetitions_and_seed(study)


def data(study: Study, table: Table) -> Baskets:
    """The column's baskets. DataError where there are none."""
    if not study.column:
        raise DataError(
            t("“{table}” has no baskets.", table=table.name),
            t("Sets are several items per person: one basket per line, or a column of lists."),
            t("The bundled groceries have them; on the Data page a file of your own can be read as baskets."),
        )
    return table.baskets(study.column)


def _people(study: Study, held: Baskets) -> None:
    """How many people and items, and which are sensitive."""
    chosen = task.options(study)
    if chosen.simulated:
        items = chosen.simulated
        sidebar.aside(
            t(
                "<b>Simulated sets</b> of {people} people: {items} items, all alike, {marked} of them marked.",
                people=words.count(study.n or held.n),
                items=words.count(items),
                marked=words.count(round(items * chosen.marked)),
            )
        )
        return
    marked = study.marks.values
    size = t(
        "{people} people · {items} items, {each} each",
        people=words.count(held.n),
        items=words.count(held.k),
        each=f"{held.lengths.mean():.1f}",
    )
    st.html(f'<div class="sub">{size}</div>')
    mask = held.domain.mask(marked)
    with_one = np.unique(held.people[mask[held.codes]]).size
    how = ""
    if not marked and proposal.asked(study) and (rarest := proposed(held)).values:
        how = t("{items} proposed", items=words.plural(len(rarest.values), t("item is"), t("items are")))
    of_people = t("{share} of the people hold one", share=words.share(with_one / held.n))
    sidebar.marked(marked, t("item"), of_people, how, marks=study.marks)


def leveled(study: Study) -> bool:
    """Whether some items are secret, and have an ε of their own; of simulated sets none is."""
    return not study.option("simulated") and bool(study.marks.secret)


def _idle(study: Study) -> str:
    """Why what protects marked items alone is off, where nothing is marked."""
    marked = task.options(study).marked > 0 if study.option("simulated") else study.marks
    return "" if marked else t("Off: nothing is marked, and they would protect nothing.")


def _m(study: Study, held: Baskets) -> None:
    """Items per set: as proposed, until the person says otherwise."""
    m = task.items_per_set(study, held)
    left, right = st.columns([3, 2], gap="small", vertical_alignment="center")
    left.markdown(
        f"**{t('Items, m')}**",
        help=t(
            "Shorter sets are filled up with dummies, of longer ones m items are drawn. Proposed: what keeps nine sets "
            "in ten whole."
        ),
    )
    controlled.bound(
        right.number_input, t("m"), 1, max(MOST, m), key="sets_m", value=m, change=choose_m, step=1,
        label_visibility="collapsed",
    )  # fmt: skip


def choose_m(m: int) -> None:
    actions.option("sets", m=int(m))


def simulate(items: int) -> None:
    """Sets invented as in the paper, of so many items; 0 for the data's own baskets. What m was is proposed anew."""
    actions.option("sets", simulated=items or None, marked=None, m=None)


def mark_share(percent: float) -> None:
    """How many of the simulated items are marked."""
    actions.option("sets", marked=percent / 100 if percent != 25 else None)


def here(study: Study) -> Study:
    """The study at its own point alone: with a row for every item, and the attacks."""
    return on("epsilon", study)


@once(64)
def own_baskets(study: Study) -> Study:
    """The same on the data's own baskets, without attacks, whatever the Sets page simulates."""
    return here(study).with_options(simulated=None, marked=None, attacks=0)


@once(16)
def full(study: Study, held: Baskets) -> Study:
    """Over the axis that the view shows."""
    return replace(study, grid=grids(study.axis, study, held)[0])
