"""Without a client file: another tool's counts, with its parameters or with the whole table of its chances."""

from functools import partial

import streamlit as st

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.parts.panels import Control, Line, Panel, Part, show
from ldpapp.runtime import capture
from ldpapp.state import actions, controlled, view_options
from ldpapp.views.results import beside, opening, picture, read, sentences, signed
from ldpapp.views.results.read import COUNTS, MATRIX
from ldpapp.words.language import t
from ldpcore.collection import results


def page() -> None:
    if read.file(COUNTS) is None:
        widgets.sentence(t("Counts of another tool: what it counted, and by what chances its reports were drawn."))
        show(partial(_asked, None))
        return
    try:
        result = read.of_another_tool()
    except ValueError as error:
        widgets.sentence(t("These counts and these chances do not go together."))
        show(partial(_asked, opening.sorry(error)))
        return
    head, place = st.columns([85, 15], gap="small", vertical_alignment="center")
    with head:
        widgets.sentence(sentences.of_tool(result))
    with place:
        signed.save(t("counts of another tool"))
    for doubt in result.doubts:
        opening.alert(doubt)
    show(partial(picture.of_tool, result))
    with capture.unsaid():  # what asks for files is none of the report's
        show(partial(_asked, None))
    signed.record_tool(result)


def is_read() -> bool:
    """Whether the counts and their chances go together."""
    if read.file(COUNTS) is None:
        return False
    try:
        read.of_another_tool()
    except ValueError:
        return False
    return True


def _asked(why: str | None) -> Panel:
    parts: list[Part] = [] if why is None else [Control(partial(opening.alert, why))]
    about = t(
        "A count for each answer (or, with a matrix, for each report), a row each, alone or after a name. A matrix has "
        "a row for each answer and a column for each report."
    )
    return Panel("results_tool", t("Counts, and the chances behind them"), [*parts, Control(_form), Line(about)])


def _form() -> None:
    made = read.draft()
    left, right = st.columns(2, gap="large")
    with left:
        _file(COUNTS, t("Counts, CSV"))
    with right:
        _file(MATRIX, t("Chances, CSV: instead of a tool"))
    if read.file(MATRIX) is None:
        places = st.columns(5)
        with places[0]:
            beside.chooser(t("Tool"), list(results.TOOLS), "tool", made.tool)
        for place, (name, value) in zip(places[1:], read.parameters().items(), strict=False):
            with place:
                controlled.bound(
                    st.number_input, words.literal("ε" if name == "epsilon" else name), 0.0, 20.0,
                    key=f"results_parameter_{name}", value=value, change=partial(_set, name), step=0.05,
                )  # fmt: skip
        if made.tool in results.SEVERAL:
            with places[4]:
                controlled.bound(
                    st.number_input, t("People who reported"), 1, 10**12, key="results_people", value=made.people,
                    change=_people,
                )  # fmt: skip
    st.button(t("Back to the two files"), key="results_back", type="tertiary", on_click=_back)


def _back() -> None:
    opening.drop(COUNTS, MATRIX)
    view_options.choose("no_client", False)


def _file(role: str, label: str) -> None:
    st.html(f'<div class="sub">{label}</div>')
    if read.file(role) is None:
        opening.uploader(role, label)
    else:
        opening.here(role)


def _set(name: str, value: float) -> None:
    actions.take_results(parameters=read.parameters() | {name: float(value)})


def _people(people: int) -> None:
    actions.take_results(people=int(people))
