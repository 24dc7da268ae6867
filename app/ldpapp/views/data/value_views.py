"""The Data page on answers: how common each is, what marking them does, and which pairs stay hidden."""

import re
from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from ldpapp import charts, words
from ldpapp.charts.pairs import pair_tones
from ldpapp.parts import widgets
from ldpapp.parts.panels import Box, Chart, Control, Html, Maker, Panel, RowOfParts
from ldpapp.state import column_settings
from ldpapp.state.model import current_column, study_of, table, workspace
from ldpapp.state.view_options import choose, look
from ldpapp.views.data import by_level, profiles, rules, sentences
from ldpapp.views.tasks import TASKS
from ldpapp.words.language import t
from ldpcore import data
from ldpcore.domain import Interval
from ldpcore.study import fitting
from ldpcore.study.frequency import facts
from ldpcore.study.frequency.effects import AnswerEffect


def effect() -> AnswerEffect:
    """What the marks being edited do. DataError when the column cannot be counted."""
    study = study_of("frequency")
    counted = TASKS["frequency"].data(study, table())
    return AnswerEffect.of(
        counted,
        column_settings.label_marks(workspace(), current_column()),
        study.epsilon,
        study.secret_epsilon,
        facts.best(study.at_point(), counted),
    )


def makers(effect: AnswerEffect) -> list[Maker]:
    """The panels beside the marks."""
    drawn = [_gain, _pairs] if effect.mask.any() else [_nothing_marked]
    return [partial(make, effect) for make in (_shares, *drawn)]


def _start(effect: AnswerEffect) -> None:
    """The ways to begin, where nothing is marked: what is proposed, and the rarest answer; of numbers their ends."""
    labels, bins = effect.labels, column_settings.bins(workspace(), current_column())
    with st.container(horizontal=True, gap="small"):
        if bins is not None:
            _ends(effect, bins)
            return
        proposal = rules.propose(labels, data.proposed(effect.counted, current_column()))
        if rarest := data.rarest(effect.counted):
            st.button(
                t("Mark the rarest, “{value}”", value=words.literal(words.shorten(rarest, 18))),
                key="start_rarest",
                type="tertiary" if proposal else "secondary",
                on_click=rules.add,
                args=(labels, (rarest,)),
            )


def _ends(effect: AnswerEffect, bins: fitting.Range) -> None:
    """Of numbers the bins of their range's upper end are proposed, and those of the people with the highest, and with
    the lowest: low incomes are as delicate as high ones.
    """
    end = column_settings.example("the upper end", bins)
    upper = column_settings.labels(workspace(), current_column(), end, bins)
    values, counts = effect.labels[: bins[2]], effect.counted.counts[: bins[2]]
    st.button(
        t("Mark the upper end, {bins}", bins=_stretch(effect, upper)),
        key="start_proposed",
        type="primary",
        on_click=rules.add,
        args=(effect.labels, upper),
        help=t("A proposal, not a judgement: the upper quarter of the public range, whatever the answers are."),
    )
    ends = {"start_highest": values[-data.highest(counts) :], "start_lowest": values[: data.highest(counts[::-1])]}
    for key, chosen in ends.items():
        if list(chosen) in (list(upper), list(values)):
            continue
        part = words.share(effect.shares[np.isin(effect.labels, list(chosen))].sum())
        stretch = _stretch(effect, chosen)
        st.button(
            t("Mark the highest {share}, {bins}", share=part, bins=stretch)
            if key == "start_highest"
            else t("Mark the lowest {share}, {bins}", share=part, bins=stretch),
            key=key,
            type="tertiary",
            on_click=rules.add,
            args=(effect.labels, chosen),
            help=t(
                "The outermost bins, up to a tenth of these people, or the first that holds somebody: who sees the "
                "marks sees where they lie."
            ),
        )


def _stretch(effect: AnswerEffect, marked: Sequence[str]) -> str:
    """From where to where neighbouring bins reach, and who is in them: "6000 to 14000: 9 people"."""
    bins = column_settings.bins(workspace(), current_column())
    (reach,) = column_settings.marks(workspace(), current_column(), marked, bins)
    inside = effect.counted.counts[np.isin(effect.labels, list(marked))].sum()
    n = words.plural(int(inside), t("person"), t("people"))
    return words.literal(t("{bins}: {n}", bins=reach.replace("..", " to "), n=n))


def _shares(effect: AnswerEffect) -> Panel:
    """How common each answer is; on numbers, dragging marks bins."""
    bins = column_settings.bins(workspace(), current_column())
    if bins is not None and effect.counted.domain.k > bins[2]:
        bins = None  # a bar for the missing answers stands beside the numbers: these are categories now
    alt = t(
        "Bars: the share of each of {k} answers; {marked} are marked sensitive.",
        k=len(effect.labels),
        marked=int(effect.mask.sum()),
    )
    if bins is None:
        figure = charts.histogram(
            effect.labels, effect.shares, effect.mask, secret=effect.secret, dark=widgets.is_dark()
        )
        drawn = Chart(figure, alt)
    else:
        drawn = _number_shares(effect, bins, alt)
    return Panel("shares", t("How common each answer is"), [drawn], _drawn(effect, bins is not None))


def _drawn(effect: AnswerEffect, numbers: bool) -> str:
    """Unit and encoding, and whom the bars leave out."""
    counted = effect.counted
    people = words.plural(counted.n, t("person"), t("people"))
    if numbers:
        texts = [
            t("{people}; drag over the bars to mark.", people=people),
            widgets.escape(profiles.edges(counted)),
        ]
    elif counted.weighing is not None:
        texts = [t("Percent of {people}, weighted.", people=people)]
    elif counted.dropped:
        texts = [t("Percent of {people}.", people=people)]
    else:
        texts = [t("Percent of {people}, marked values in colour.", people=people)]
    if counted.dropped:
        rule, about = study_of("frequency").missing, fitting.column(table(), current_column())
        if rule == "any" and about is not None and about.missing < counted.dropped:
            texts.append(
                t(
                    "{n} left out for a gap in any column, {gaps} in this one.",
                    n=words.count(counted.dropped),
                    gaps=words.count(about.missing),
                )
                if about.missing
                else t("{n} left out for gaps in other columns.", n=words.count(counted.dropped))
            )
        else:
            texts.append(t("{n} with missing answers left out.", n=words.count(counted.dropped)))
        if rule == "column":
            texts.append(t("In Review they count as one answer."))
    if counted.clipped:
        texts.append(t("{n} outside the range.", n=words.count(counted.clipped)))
    return " ".join(texts)


def _number_shares(effect: AnswerEffect, bins: tuple[float, float, int], alt: str) -> Chart:
    edges, _ = Interval(bins[0], bins[1]).bins(bins[2])
    figure = charts.number_histogram(
        edges,
        effect.counted.counts,
        _intervals(effect.mask, edges),
        secret=_intervals(effect.secret, edges),
        dark=widgets.is_dark(),
    )
    # A new key after every brush: the old selection would stay on the new figure.
    key = f"chart_numbers_{look('brushes', 0)}"
    brushed = partial(_brushed, key, edges, effect)
    return Chart(figure, alt, key=key, options={"selection_mode": "box", "on_select": brushed})


def _intervals(part: np.ndarray, edges: np.ndarray) -> list[tuple[float, float]]:
    """The bins of this part as intervals of numbers."""
    return [(float(edges[i]), float(edges[i + 1])) for i in np.flatnonzero(part[: len(edges) - 1])]


def _brushed(key: str, edges: np.ndarray, effect: AnswerEffect) -> None:
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


def _gain(effect: AnswerEffect) -> Panel:
    rows = sentences.rows_html(sentences.value_rows(effect, widgets.sensitive))
    if effect.secret.any():
        title, subtitle = by_level.panel(effect)
        return Panel("effect", title, [Html(rows)], subtitle)
    return Panel(
        "effect",
        t("What these marks do"),
        [Html(rows)],
        t("± 95 %, points. Guessed: which marked; shares unknown."),
    )


def _nothing_marked(effect: AnswerEffect) -> Panel:
    box = Box(
        t("Mark the answers that could hurt someone."),
        t(
            "Those are protected in full, and all other shares become more exact. Whoever gave another answer may be "
            "seen."
        ),
        height=120,
    )
    title = t("What marks do")
    return Panel("effect", title, [Control(partial(_start, effect)), box])


def _pairs(effect: AnswerEffect) -> Panel:
    dark, lines = widgets.is_dark(), sentences.pairs_key(effect)
    alt = re.sub(r"</?b>", "", " ".join(text for _, text in lines))
    chart = Chart(
        charts.loss_heatmap(effect.loss, effect.mask, effect.labels, secret=effect.secret, dark=dark),
        t("Pairs of values: {kinds}", kinds=alt),
    )
    tones = pair_tones(dark)
    key = "".join(
        f'<div class="row"><i style="background:{tones[tone]}"></i><span>{text}</span></div>' for tone, text in lines
    )
    beside = RowOfParts(
        [[chart], [Html(f'<div class="card key">{key}</div>')]], [34, 66], {"gap": "small", "wrap": False}
    )
    return Panel(
        "pairs",
        t("Which pairs stay hidden"),
        [beside],
    )
