"""Sets' part of the sidebar: which items are marked, how many items a report is about, the mechanisms compared."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from ldpapp import words
from ldpapp.compare.measures import Gap, Measure, Offer, of_100
from ldpapp.parts import budget, curve_words, planner, released_forms, sidebar, weights, widgets
from ldpapp.state import actions, controlled, view_options
from ldpapp.state.model import is_public
from ldpapp.views.sets import data as set_data
from ldpapp.views.sets import invented, proposal
from ldpapp.words.language import t
from ldpcore.catalog import LEVELED_SETS
from ldpcore.data import ALL_COLUMNS, Baskets, DataError, Table, proposed
from ldpcore.data.set_sources import AllColumns
from ldpcore.study import Study
from ldpcore.study import sets as task
from ldpcore.study.sets import compared, tables
from ldpcore.study.sets import facts as set_facts
from ldpcore.study.sets.facts import PRESENCE
from ldpcore.study.sets.point import ItemFacts

LEFT = 3
"""Columns left out that are named."""
MOST = 128
"""Items per report that can be typed; a Study file may ask for more, and the attacks then take minutes."""
LOOKS = {
    "sets_scope": set_data.OVER,
    "sets_quantity": tuple(curve_words.quantities()),
    "sets_items": ("some", "all"),
    "fold_sets": (False, True),
    "fold_sets_own": (False, True),
    **released_forms.choices("sets"),
    **planner.folded("sets"),
}


def _left_out(table: Table, column: str) -> None:
    """Which columns of somebody’s file are no items, where all are asked for at once."""
    every = table.sets.get(column)
    kept = every.columns if isinstance(every, AllColumns) else tuple(map(str, table.frame.columns))
    left = [name for name in map(str, table.frame.columns) if name not in kept]
    if left and not is_public():
        names = words.listing(widgets.escape(words.shorten(name, 24)) for name in left[:LEFT])
        more = "" if len(left) <= LEFT else t(" and {n} more", n=len(left) - LEFT)
        sidebar.aside(t("No list of answers, so left out: {names}{more}.", names=names, more=more))


def draw(study: Study, table: Table) -> None:
    """The sidebar."""
    try:
        baskets = data(study, table)
    except DataError as error:
        sidebar.aside(error.sentence)
        return
    invented.draw(study)
    _people(study, baskets)
    _left_out(table, study.column)
    weights.line(study, baskets, table)
    secret = leveled(study)
    budget.epsilon(study, by_level=secret)
    whole = t("One ε for a person’s whole set.")
    if study.column == ALL_COLUMNS:
        whole = t("One ε for all a person’s answers; Review: one each.")
    st.html(f'<div class="sub">{whole}</div>')
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
                "<b>Simulated sets</b> of {people} people: {items} items, {alike}, {marked} of them marked.",
                people=words.count(study.n or held.n),
                items=words.count(items),
                alike=invented.popularity(chosen.popularity),
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
    sidebar.marked(marked, t("item"), of_people, how, marks=study.marks, column=study.column)


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


# two settings --------------------------------------------------------------------------------------------------------


def _shown(study: Study, held: Baskets) -> dict[str, ItemFacts]:
    return compared.protecting(study.at_point(), held)


def measures(study: Study, held: Baskets) -> Sequence[Measure]:
    """The error over all items and over the marked ones, and who is told to hold one."""
    shown = _shown(study, held)
    if not shown:
        return []
    main = set_facts.focus(shown, view_options.wished("sets_focus"))
    by = t("± 95 %, by {mechanism}.", mechanism=widgets.named(main.key))
    if set_facts.cuts(main.here):
        by = t("± 95 %, by {mechanism}, with what cutting sets takes off.", mechanism=widgets.named(main.key))
    rows = [_error(main, "all", t("Error of a share, all items"), by)]
    if main.here.marked.any():
        marked = t("Error of {marked} shares", marked=widgets.sensitive(t("marked")))
        rows.append(_error(main, "sensitive", marked, by))
        if main.here.secret.any():
            secret = t("Error of {marked} shares", marked=widgets.sensitive(t("secret")))
            rows.append(_error(main, "secret", secret, by))
        rows.append(_presence(study, held, shown, main))
    return rows


def _error(main: ItemFacts, scope: str, title: str, note: str) -> Measure:
    off = main.error(scope)
    return Measure(scope, title, off, words.margin(off), t("points"), note=note)


def _presence(study: Study, held: Baskets, shown: dict[str, ItemFacts], main: ItemFacts) -> Measure:
    key = set_facts.leaky(shown, main).key
    success = _success(study, held, key)
    return of_100(
        "presence",
        t("Guessed right: is a {sensitive} item held?", sensitive=widgets.sensitive(t("sensitive"))),
        success[0] if success else None,
        exposed=True,
        note=t("by the collector, from {mechanism}; yes and no as likely, blind 50.", mechanism=widgets.named(key)),
        gap=lambda kept, then: _gap(kept, then, success),
    )


Interval = tuple[float, float, float]


def _success(study: Study, held: Baskets, key: str) -> Interval | None:
    """Of 1, with its interval; None while it is simulated."""
    attacked = set_data.told(compared.attacked(study, held), held)
    right, low, high = (tables.success(attacked, key, PRESENCE, end) for end in ("value", "low", "high"))
    return None if right is None or low is None or high is None else (right, low, high)


def _gap(kept: Study, held: Baskets, after: Interval | None) -> Gap | None:
    """Of two simulations of their own."""
    shown = _shown(kept, held)
    if not shown or after is None:
        return None
    before = _success(kept, held, set_facts.leaky(shown, set_facts.focus(shown, view_options.wished("sets_focus"))).key)
    if before is None:
        return None
    gap = after[0] - before[0]
    half = math.hypot(*((high - low) / 2 for _, low, high in (before, after)))
    return Gap(gap, gap - half, gap + half)


def option(study: Study, name: str) -> str:
    value: Any = "" if name == "axis" else study.option(name)
    if name == "m":
        return t("m = {m}", m=value) if value else t("m as proposed")
    if name == "simulated":
        return t("simulated sets of {n} items", n=words.count(value)) if value else t("the sets of the data")
    if name == "marked":
        return t("{share} of the items marked", share=words.share(value))
    return t("{n} people attacked", n=words.count(value)) if name == "attacks" else ""


OFFER = Offer(measures, option, compared.attacked)
