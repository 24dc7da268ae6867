"""Navigation and the shared sidebar: the Study stands in the same place on every page."""

from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import palette
import range_data
import state
import widgets
import words
from ldpcore import data
from ldpcore.study import StudyError, from_toml, run, to_toml

STATIC = Path(__file__).parent / "static"
PAGES = {"Data": "views/data.py", "Frequency": "views/frequency.py", "Ranges": "views/ranges.py"}
DASHES = {"every": "╌╌╌", "marked": "───", "weaker": "─·─"}
"""How the lines of each promise are drawn."""


def sidebar(page: str) -> None:
    with st.container(key="study"):
        head = st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center")
        head.markdown("#### Study")
        study_menu(head)
        choose_data()
        if page == "Ranges":
            st.html(
                f'<div class="marks" style="border-color:{widgets.colors().ink3}">Marks do not apply here: the noise '
                "protects <b>every person</b> alike, whatever the answer.</div>"
            )
            choose_epsilon()
            choose_strategies()
            keep_hidden()
            st.number_input("Seed", 0, 2**31, step=1, key="seed", help="The same seed gives the same releases.")
            return
        marks_summary()
        choose_epsilon()
        choose_mechanisms()
        left, right = st.columns(2, gap="small")
        options = sorted({*state.REPETITIONS, st.session_state.repetitions})
        left.selectbox("Repetitions", options, key="repetitions", help="Simulated surveys behind every point.")
        right.number_input("Seed", 0, 2**31, step=1, key="seed", help="The same seed gives the same surveys.")


def study_menu(place: DeltaGenerator) -> None:
    with place.popover("link · file", type="tertiary"):
        bundled = st.session_state.data in data.BUNDLED
        st.markdown(
            "The address of this page is a link to this view."
            if bundled
            else "The data were uploaded: the link carries neither them, nor the column, nor the marks. The file names "
            "column and marks, never the answers."
        )
        if state.mechanisms() and state.columns(state.table()):
            # Files are made on the click, outside the script: they may only know what they are given here.
            study, table = state.current(), state.table()
            st.download_button(
                "Download the Study (TOML)",
                lambda: to_toml(study).encode(),
                "study.toml",
                "application/toml",
                on_click="ignore",
            )
            st.download_button(
                "All results (CSV)",
                lambda: run(study, table).to_csv(index=False).encode(),
                "results.csv",
                "text/csv",
                on_click="ignore",
                help="The very table that `ldpcore run study.toml` computes.",
            )
        loaded = st.file_uploader("Load a Study file", type=["toml"], key="study_upload", max_upload_size=1)
        if loaded is not None and st.session_state.get("study_read") != loaded.file_id:
            st.session_state.study_read = loaded.file_id
            load_study(loaded.getvalue())


def load_study(content: bytes) -> None:
    """Take a Study file over, if it is one and its data are here."""
    try:
        wanted = from_toml(content.decode("utf-8"))
    except (StudyError, UnicodeDecodeError) as error:
        st.error(f"That is not a Study file: {error}")
        return
    name = wanted.data.name
    if name not in data.BUNDLED and name not in st.session_state.uploads:
        st.error(
            f"The Study is about “{name}”, which is not loaded. Upload that file on the Data page, then try again."
        )
        return
    source = st.session_state.uploads.get(name) or state.bundled(name)
    if wanted.data.digest and wanted.data.digest != source.digest:
        st.error(f"The Study was made with another version of “{name}”: the digests differ.")
        return
    st.session_state.adopting = (wanted, source)
    st.rerun()


def choose_data() -> None:
    left, right = st.columns(2, gap="small")
    names = [*data.BUNDLED, *st.session_state.uploads]
    left.selectbox(
        "Data", names, key="data", format_func=lambda name: name.capitalize() if name in data.BUNDLED else name
    )
    names = state.columns(state.table())
    if not names:
        right.selectbox("Column", ["none"], disabled=True)
        return
    state.column()
    right.selectbox("Column", names, key="column")


def marks_summary() -> None:
    """How many people, and which answers are sensitive, in the one colour that says so."""
    try:
        counted = state.counted()
    except data.DataError as error:
        st.html(
            f'<div class="marks" style="border-color:{widgets.colors().ink3}">{widgets.escape(error.sentence)}</div>'
        )
        return
    values = state.arms()[0].values
    dropped = f" of {words.count(counted.n + counted.dropped)}" if counted.dropped else ""
    st.html(f'<div class="sub">{words.count(counted.n)}{dropped} people · {counted.domain.k} values</div>')
    color = widgets.colors().sensitive if values else widgets.colors().ink3
    if values:
        shown = words.listing(widgets.escape(v) for v in values[:4]) + (
            f" … (+{len(values) - 4})" if len(values) > 4 else ""
        )
        held = words.share(float(counted.counts[counted.domain.mask(values)].sum() / counted.n))
        text = (
            f'<b style="color:{color}">{words.plural(len(values), "value")} marked sensitive</b><br>{shown}<br>'
            f'<span style="opacity:.72">{held} of the people</span>'
        )
    else:
        text = "<b>No value marked sensitive</b><br>Mark some on the Data page."
    st.html(f'<div class="marks" style="border-color:{color}">{text}</div>')


def choose_epsilon() -> None:
    left, right = st.columns([3, 2], gap="small", vertical_alignment="center")
    left.markdown("**Privacy budget ε**")
    right.number_input(
        "ε", key="epsilon", step=0.1, format="%0.2f", on_change=state.typed, label_visibility="collapsed"
    )
    st.select_slider(
        "Privacy budget ε, slider",
        state.EPSILONS,
        key="slider",
        on_change=state.slid,
        format_func=words.epsilon,
        label_visibility="collapsed",
    )
    st.html(
        '<div class="sub" style="display:flex;justify-content:space-between;margin-top:-6px">'
        "<span>better privacy</span><span>better accuracy</span></div>"
    )
    problem = state.epsilon_problem()
    if problem:
        st.html(
            f'<div class="sub" role="alert"><b>{widgets.escape(problem)}.</b> '
            f"Shown: ε = {words.epsilon(state.epsilon())}.</div>"
        )


def choose_mechanisms() -> None:
    for group, keys in state.GROUPS.items():
        st.pills(
            f"{palette.PROMISES[group]} {DASHES[group]}",
            keys,
            selection_mode="multi",
            key=f"pills_{group}",
            format_func=lambda key: f"{palette.mark(key).glyph} {key}",
        )


def choose_strategies() -> None:
    st.session_state.setdefault("ranges_strategies_shown", list(range_data.NAMES))
    st.pills(
        "Strategies",
        range_data.NAMES,
        selection_mode="multi",
        key="ranges_strategies_shown",
        format_func=lambda key: f"{palette.mark(key).glyph} {key}",
    )


def keep_hidden() -> None:
    """A widget that is not shown would lose its key: the other pages need these."""
    for key in ("repetitions", *(f"pills_{group}" for group in state.GROUPS)):
        st.session_state[key] = st.session_state[key]


def main() -> None:
    st.set_page_config("ldpcore", str(STATIC / "icon.png"), layout="wide", initial_sidebar_state=272)
    st.html(widgets.style())
    st.logo(str(STATIC / "logo.svg"))
    state.start()
    if "adopting" in st.session_state:
        state.adopt(*st.session_state.pop("adopting"))
    page = st.navigation(
        [st.Page(path, title=title, default=title == "Data") for title, path in PAGES.items()], position="top"
    )
    with st.sidebar:
        sidebar(page.title)
    page.run()
    state.write_link()


main()
