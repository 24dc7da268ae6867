"""Data: which table, which answers are sensitive, and what marking them does."""

import numpy as np
import streamlit as st

from ldpapp import charts, columns, session, widgets, words
from ldpapp.charts.pairs import pair_tones
from ldpapp.kept import front, kept, table, title
from ldpapp.looks import choose, look
from ldpapp.tasks import TASKS
from ldpapp.views.data import effects, marking, profiles, rules, set_effects, set_views, uploads
from ldpapp.views.data.effects import Effect
from ldpapp.views.data.set_effects import SetEffect
from ldpcore.data import DataError, Table
from ldpcore.domain import Interval
from ldpcore.study import Study


def page() -> None:
    uploads.start()
    source, column = table(), front()
    head, tools = st.columns([79.3, 20.7], gap="small")
    with tools.container(horizontal=True, horizontal_alignment="right", gap="small", key="data_tools"):
        _tools(source)
    baskets = column in source.sets
    try:
        effect = set_views.effect() if baskets else _effect()
    except DataError as error:
        with head:
            which = f"Column “{column}” of " if column else ""
            widgets.sentence(widgets.escape(f"{which}“{title(source.name)}” cannot be counted."))
        uploads.outcome()
        problems()
        _unusable(source, error)
        return
    with head:
        arms = columns.said(column).arms
        which = f"{widgets.escape(arms[session.edited()].name)}: " if len(arms) > 1 else ""
        marked = widgets.sensitive("sensitive")
        if isinstance(effect, SetEffect):
            widgets.sentence(which + set_effects.sentence(effect, marked))
        else:
            widgets.sentence(which + effects.sentence(effect, marked, widgets.escape))
    uploads.outcome()
    problems()
    if isinstance(effect, SetEffect):
        set_views.page(effect)
        return
    left, right = st.columns([52, 44.6], gap="medium")
    with left:
        marking.panel(effect, _epsilon())
    with right:
        _shares(effect)
        if effect.mask.any():
            _gain(effect)
            _pairs(effect)
        else:
            _nothing_marked(effect)


def _study() -> Study:
    """That of the answers of the column chosen last."""
    return kept().studies["frequency"]


def _epsilon() -> float:
    return _study().epsilon


def _effect() -> Effect:
    """What the marks being edited do. DataError when the column cannot be counted."""
    counted = TASKS["frequency"].data(_study(), table())
    marks = columns.arms(front())[session.edited()].values
    return Effect.of(counted, [label for label in counted.domain.labels if label in marks], _epsilon())


def _tools(source: Table) -> None:
    with st.popover("Upload", type="tertiary", key="upload_open", on_change="rerun"):
        uploads.panel()
    with st.popover("Columns", type="tertiary", key="columns_open", on_change="rerun") as columns:
        if columns.open:
            with st.container(width=560):
                profiles.panel(source)
    with st.popover("About", type="tertiary", key="about_open", on_change="rerun") as about:
        if about.open:
            with st.container(width=560):
                profiles.about(source)


def problems() -> None:
    """What a link, a Study file or a change of data could not bring along; once."""
    found = kept().problems
    if not found:
        return
    box, button = st.columns([88, 12], gap="small", vertical_alignment="center")
    with box:
        lines = [f"<b>{widgets.escape(p.what)}</b> {widgets.escape(p.why)}" for p in found]
        widgets.note("<br>".join(lines))
    with button.container(horizontal=True, horizontal_alignment="right"):
        st.button("OK", key="problems_ok", on_click=found.clear)


# states ----------------------------------------------------------------------------------------------------------


def _unusable(source: Table, error: DataError) -> None:
    """The column cannot be counted: why, and the next step."""
    widgets.state_box(widgets.escape(error.sentence), widgets.escape(error.why), widgets.escape(error.hint))
    with st.container(horizontal=True, gap="small"):
        if _study().column and _study().missing == "any" and any(p.missing for p in source.profile()):
            st.button(
                "Leave out only rows that miss this column",
                key="missing_column",
                type="primary",
                on_click=profiles.set_missing,
                args=("column",),
            )
        st.button("Choose another file", key="upload_another_one", on_click=uploads.choose_another)


def _nothing_marked(effect: Effect) -> None:
    labels = effect.labels
    rare = rules.rarer(effect.counted.counts.tolist(), labels)
    rarest = labels[int(np.argmin(effect.counted.counts))]
    with widgets.panel(
        "effect",
        f"What marks do at ε = {words.epsilon(_epsilon())}",
        "From protecting every value (SS) to protecting the marked ones (uSS).",
    ):
        pass
    widgets.state_box(
        "No value is marked sensitive.",
        "Mark the answers that could hurt someone: those are protected in full, and all other shares become more "
        "exact. Whoever gave another answer may be seen.",
    )
    with st.container(horizontal=True, gap="small"):
        if rare:
            st.button(
                "Mark values rarer than 1 %", key="start_rare", type="primary", on_click=rules.add, args=(labels, rare)
            )
        st.button(
            f"Mark the rarest, “{words.shorten(rarest, 18)}”",
            key="start_rarest",
            type="secondary" if rare else "primary",
            on_click=rules.add,
            args=(labels, (rarest,)),
        )


# panels ----------------------------------------------------------------------------------------------------------


def _shares(effect: Effect) -> None:
    """How common each answer is; on numbers, dragging marks bins."""
    counted, bins, dark = effect.counted, columns.bins(front()), widgets.is_dark()
    left_out = f" {words.count(counted.dropped)} with missing answers left out." if counted.dropped else ""
    people = words.plural(counted.n, "person", "people")
    clipped = f" {words.count(counted.clipped)} outside the range." if counted.clipped else ""
    if bins is None or counted.domain.k > bins[2]:
        bins = None  # a bar for the missing answers stands beside the numbers: these are categories now
        how = f"Percent of {people}{'.' if left_out else ', marked values in colour.'}"
    else:
        how = f"{people}; drag over the bars to mark. {widgets.escape(profiles.edges(counted))}"
    with widgets.panel("shares", "How common each answer is", f"{how}{left_out}{clipped}"):
        alt = f"Bars: the share of each of {len(effect.labels)} answers; {int(effect.mask.sum())} are marked sensitive."
        if bins is None:
            figure = charts.histogram(effect.labels, effect.shares, effect.mask, dark=dark)
            widgets.plot(figure, "chart_shares", alt)
        else:
            _number_shares(effect, bins, alt)


def _number_shares(effect: Effect, bins: tuple[float, float, int], alt: str) -> None:
    edges, _ = Interval(bins[0], bins[1]).bins(bins[2])
    figure = charts.number_histogram(
        edges, effect.counted.counts, effects.intervals(effect, edges), brush=True, dark=widgets.is_dark()
    )
    # A new key after every brush: the old selection would stay on the new figure.
    key = f"chart_numbers_{look('brushes', 0)}"
    widgets.plot(figure, key, alt, selection_mode="box", on_select=lambda: _brushed(key, edges, effect))


def _brushed(key: str, edges: np.ndarray, effect: Effect) -> None:
    boxes = st.session_state[key]["selection"]["box"]
    middle = (edges[:-1] + edges[1:]) / 2
    chosen = {
        label
        for box in boxes
        for label, x in zip(effect.labels, middle, strict=False)
        if min(box["x"]) <= x <= max(box["x"])
    }
    if chosen:
        rules.add(effect.labels, chosen)
        choose("brushes", look("brushes", 0) + 1)


def _gain(effect: Effect) -> None:
    with widgets.panel(
        "effect",
        f"What these marks do at ε = {words.epsilon(_epsilon())}",
        "From protecting every value (SS) to protecting the marked ones (uSS).",
    ):
        st.html(effects.rows_html(effects.table(effect, widgets.sensitive)))


def _pairs(effect: Effect) -> None:
    subtitle = "Row against column: how far one report can shift the odds."
    with widgets.panel("pairs", "Which pairs stay hidden", subtitle):
        chart, key = st.columns([34, 66], gap="small", wrap=False)
        with chart:
            figure = charts.loss_heatmap(effect.loss, effect.mask, effect.labels, dark=widgets.is_dark())
            alt = "Pairs of values: " + " ".join(_plain(text) for _, text in effects.pairs_key(effect))
            widgets.plot(figure, "chart_pairs", alt)
        tones = pair_tones(widgets.is_dark())
        lines = "".join(
            f'<div class="row"><i style="background:{tones[tone]}"></i><span>{text}</span></div>'
            for tone, text in effects.pairs_key(effect)
        )
        key.html(f'<div class="card key">{lines}</div>')


def _plain(text: str) -> str:
    return text.replace("<b>", "").replace("</b>", "")
