"""The Data page on baskets: how common each item is, and what marking items does."""

from functools import partial

import numpy as np

from ldpapp import charts, words
from ldpapp.parts import widgets
from ldpapp.parts.panels import Box, Chart, Control, Html, Line, Maker, Panel
from ldpapp.state import column_settings
from ldpapp.state.model import current_column, study_of, table, workspace
from ldpapp.views.data import by_level, rules, sentences
from ldpapp.views.sets import sidebar as sets
from ldpapp.words.language import t
from ldpcore import data
from ldpcore.study.sets.effects import ItemEffect


def effect() -> ItemEffect:
    """What the marks being edited do. DataError when there are no baskets."""
    study = study_of("sets")
    baskets = sets.data(study, table())
    return ItemEffect.of(study, baskets, column_settings.label_marks(workspace(), current_column()))


def makers(found: ItemEffect) -> list[Maker]:
    """The panels beside the marks."""
    return [partial(make, found) for make in (_shares, _gain if found.mask.any() else _nothing_marked)]


def _start(found: ItemEffect) -> None:
    """The way to begin, where nothing is marked."""
    rules.propose(found.labels, data.proposed(found.held))


def _shares(found: ItemEffect) -> Panel:
    order = np.argsort(-found.shares, kind="stable")
    figure = charts.histogram(
        [found.labels[i] for i in order],
        found.shares[order],
        found.mask[order],
        secret=found.secret[order],
        dark=widgets.is_dark(),
    )
    alt = t(
        "Bars: the share of holders of each of {k} items; {marked} are marked sensitive.",
        k=len(order),
        marked=int(found.mask.sum()),
    )
    people = words.plural(found.held.n, t("person"), t("people"))
    subtitle = t("Percent of {people} who hold it, the commonest first.", people=people)
    return Panel("shares", t("How common each item is"), [Chart(figure, alt), Line(_lengths(found))], subtitle)


def _lengths(found: ItemEffect) -> str:
    baskets = found.held
    texts = [
        t(
            "{baskets} of {mean} items on average, {most} at most; a report is about {m}.",
            baskets=words.plural(baskets.n, t("basket"), t("baskets")),
            mean=f"{baskets.lengths.mean():.1f}",
            most=words.count(baskets.lengths.max()),
            m=found.marked.here.m,
        ),
        *(widgets.escape(note) for note in baskets.notes),
    ]
    if found.shares.max() == 1:
        common = widgets.escape(found.labels[int(np.argmax(found.shares))])
        texts.append(t("Everybody holds {item}: its share gives nothing away and needs no protection.", item=common))
    return " ".join(texts)


def _gain(found: ItemEffect) -> Panel:
    every, marked = found.names
    title = t("What these marks do at ε = {eps}", eps=words.epsilon(found.epsilon))
    subtitle = t(
        "± 95 %, points: from all items protected ({every}) to the marked ones ({marked}). The Sets page has the rest.",
        every=every,
        marked=marked,
    )
    if found.secret.any():
        title, subtitle = by_level.panel(found)
    return Panel("effect", title, [Html(sentences.rows_html(sentences.item_rows(found, widgets.sensitive)))], subtitle)


def _nothing_marked(found: ItemEffect) -> Panel:
    box = Box(
        t("Mark the items that could hurt someone."),
        t(
            "Those are protected in full, and the shares of all others become nearly exact. Whoever holds another item "
            "may be seen with it."
        ),
        height=120,
    )
    return Panel(
        "effect",
        t("What marks do at ε = {eps}", eps=words.epsilon(found.epsilon)),
        [Control(partial(_start, found)), box],
    )
