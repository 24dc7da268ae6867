"""The Data page on baskets: which items are sensitive, how common they are, and what marking them does."""

import numpy as np
import streamlit as st

from ldpapp import charts, columns, session, widgets, words
from ldpapp.kept import front, kept, table
from ldpapp.tasks.sets import study as sets
from ldpapp.views.data import effects, marking, rules, set_effects
from ldpapp.views.data.set_effects import SetEffect


def effect() -> SetEffect:
    """What the marks being edited do. DataError when there are no baskets."""
    study = kept().studies["sets"]
    held = sets.data(study, table())
    return SetEffect.of(sets.own_baskets(study), held, columns.arms(front())[session.edited()].values)


def _epsilon() -> float:
    return kept().studies["sets"].epsilon


def page(found: SetEffect) -> None:
    left, right = st.columns([52, 44.6], gap="medium")
    with left:
        marking.panel(found, _epsilon(), found.names, found.held.groups)
    with right:
        _shares(found)
        _lengths(found)
        if found.mask.any():
            _gain(found)
        else:
            _nothing_marked(found)


def _shares(found: SetEffect) -> None:
    order = np.argsort(-found.shares, kind="stable")
    subtitle = f"Percent of {words.plural(found.held.n, 'person', 'people')} who hold it, the commonest first."
    with widgets.panel("shares", "How common each item is", subtitle):
        figure = charts.histogram(
            [found.labels[i] for i in order], found.shares[order], found.mask[order], dark=widgets.is_dark()
        )
        alt = f"Bars: the share of holders of each of {len(order)} items; {int(found.mask.sum())} are marked sensitive."
        widgets.plot(figure, "chart_shares", alt)


def _lengths(found: SetEffect) -> None:
    held = found.held
    parts = [
        f"{words.plural(held.n, 'basket')} of {held.lengths.mean():.1f} items on average, "
        f"{words.count(held.lengths.max())} at most; a report is about {found.marked.here.m}."
    ]
    parts += [widgets.escape(note) for note in held.notes]
    if found.shares.max() == 1:
        common = found.labels[int(np.argmax(found.shares))]
        parts.append(f"Everybody holds {widgets.escape(common)}: its share gives nothing away and needs no protection.")
    st.html(f'<div class="sub">{" ".join(parts)}</div>')


def _gain(found: SetEffect) -> None:
    every, marked = found.names
    with widgets.panel(
        "effect",
        f"What these marks do at ε = {words.epsilon(_epsilon())}",
        f"From protecting every item ({every}) to protecting the marked ones ({marked}). The Sets page has the rest.",
    ):
        st.html(effects.rows_html(set_effects.table(found, widgets.sensitive("marked"))))


def _nothing_marked(found: SetEffect) -> None:
    rare = rules.rarer(found.held.counts.tolist(), found.labels, found.held.n)
    widgets.state_box(
        "No item is marked sensitive.",
        "Mark the items that could hurt someone: those are protected in full, and the shares of all others become "
        "nearly exact. Whoever holds another item may be seen with it.",
        height=120,
    )
    if rare:
        st.button(
            "Mark items rarer than 1 %", key="start_rare", type="primary", on_click=rules.add, args=(found.labels, rare)
        )
