"""A mechanism of one's own on Frequency: its table of chances, what it keeps, and how far it is from the best."""

from functools import partial

import streamlit as st

from ldpapp.charts import palette
from ldpapp.parts import panels, widgets
from ldpapp.parts.panels import Box, Control, Menu, Panel, Part
from ldpapp.state import actions, controlled, view_options
from ldpapp.views.frequency import own_worth
from ldpapp.words.language import t
from ldpcore import custom
from ldpcore.data import Histogram
from ldpcore.randomizer import NotEnumerable
from ldpcore.study import Study, invented
from ldpcore.study.frequency import own as engine
from ldpcore.study.frequency.facts import ShareFacts

FOLD = "fold_own"
WRONG = "own_wrong"
"""The session's key of a table that was given and makes no sense, until it is mended."""
KEY = invented.KEY


def compared(study: Study, counted: Histogram) -> Study:
    """The study with the own mechanism among those compared, where its table fits these values."""
    try:
        engine.usable(study, counted.domain.labels)
    except (TypeError, ValueError):  # the fold says why
        return study
    return invented.added(study)


def dressed(found: dict[str, ShareFacts]) -> None:
    """Let the own mechanism, where there is one, look like those of the catalogue that promise as much."""
    if KEY in found:
        palette.own_keeps(found[KEY].promise)


def fold(study: Study, counted: Histogram, found: dict[str, ShareFacts]) -> None:
    title, inside = t("Your own mechanism"), t("a table of chances: what it keeps, how exact, how far from the best")
    panels.fold(FOLD, title, inside, lambda: panels.show(lambda: panel(study, counted, found)))


def panel(study: Study, counted: Histogram, found: dict[str, ShareFacts]) -> Panel:
    text, wrong = study.option(invented.OPTION), _wrong(counted)
    title, note = t("Its table"), t("Rows are answers, columns are reports. It stays in this session, in memory alone.")
    if wrong is None and text is None:
        begin = Control(partial(_begin, study, counted))
        return Panel("own_mechanism", title, [Control(partial(_given, "", counted)), begin], note)
    menus: list[Part] = [
        Menu(t("change it"), partial(_edit, wrong or text or "", study, counted), "own_edit", does=True)
    ]
    try:
        engine.usable(study if wrong is None else study.with_options(own=wrong), counted.domain.labels)
    except (TypeError, ValueError) as error:
        why = widgets.escape(_sentence(str(error)))
        box = Box(t("This table is no mechanism for these answers."), why, height=100)
        return Panel("own_mechanism", title, [box, Control(partial(_given, wrong or text or "", counted))], note)
    mine = found.get(KEY)
    if mine is None:  # there, and no part of what is shown
        return Panel(
            "own_mechanism", title, [Box(t("It is not among what is compared here."), height=100)], note, menus
        )
    return own_worth.panel(study, counted, mine, menus, len(str(text)))


def _wrong(counted: Histogram) -> str | None:
    """The table that was given for these answers and makes no sense."""
    labels, text = view_options.look(WRONG) or ((), None)
    return text if labels == counted.domain.labels else None


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith(".") else ".")


# what is given -----------------------------------------------------------------------------------------------------


def _given(text: str, counted: Histogram) -> None:
    """The box to paste into, and the file."""
    left, right = st.columns([64, 36], gap="medium")
    with left:
        controlled.bound(
            st.text_area,
            t("Table of chances, a line for each answer"),
            key="own_text",
            value=text,
            change=partial(give, counted.domain.labels),
            height=150,
            placeholder="answer,A,B\nyes,0.75,0.25\nno,0.25,0.75",
            help=t(
                "Every row sums to 1; fractions such as 1/3 are fine. Names of answers in the first column put rows in "
                "the right order; without names they are taken in the order of the charts."
            ),
        )
    with right:
        upload = st.file_uploader(t("… or a CSV file"), type=["csv", "txt", "tsv"], key="own_file", max_upload_size=10)
        if upload is not None and view_options.look("own_read") != upload.file_id:
            view_options.choose("own_read", upload.file_id)
            give(counted.domain.labels, upload.getvalue().decode("utf-8", "replace"))
            st.rerun()


def give(labels: tuple[str, ...], text: str) -> None:
    """Take a table over; one that makes no sense waits to be mended, and an empty one takes the mechanism away."""
    try:
        if text.strip():
            custom.read(text, labels)
    except (TypeError, ValueError):
        view_options.choose(WRONG, (labels, text))
        return
    view_options.choose(WRONG, None)
    actions.option("frequency", own=text if text.strip() else None)


def _begin(study: Study, counted: Histogram) -> None:
    """Mechanisms of the catalogue, written down to be changed."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f'<div class="sub nowrap">{t("Begin with one of these:")}</div>', width="content")
        for key in ("GRR", "uRR", "SDGRR"):
            st.button(
                widgets.option(key),
                key=f"own_begin_{key}",
                type="tertiary",
                on_click=_begun,
                args=(key, study, counted),
            )


def _begun(key: str, study: Study, counted: Histogram) -> None:
    labels = counted.domain.labels
    try:
        channel = custom.channel_of(key, study.epsilon, len(labels), counted.domain.mask(study.marks.values))
    except NotEnumerable as error:
        actions.refuse(str(error))
        return
    give(labels, custom.to_csv(channel, labels))


def _edit(text: str, study: Study, counted: Histogram) -> None:
    _given(text, counted)
    _begin(study, counted)
    st.button(t("Take it away"), key="own_drop", type="tertiary", on_click=give, args=(counted.domain.labels, ""))
