"""A mechanism of one's own, on every page that has one: the box and the file that its table comes by, what is wrong
with it, what one begins from, and the panel around what the page says of it.
"""

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from ldpapp import words
from ldpapp.charts import palette
from ldpapp.parts import panels, widgets
from ldpapp.parts.panels import Box, Control, Html, Line, Menu, Panel, Part, Sheet
from ldpapp.state import actions, controlled, view_options
from ldpapp.words.language import t
from ldpcore.randomizer import NotEnumerable
from ldpcore.study import Study, invented
from ldpcore.study.query import LONGEST


@dataclass(frozen=True)
class OwnTable:
    """The table of one's own of a page. about: the answers that it is for, so that what was wrong for others is
    forgotten. check(text) raises ValueError or TypeError with a sentence where it is no mechanism for them.
    written(key) is one of the catalogue, of `begin`, as such a table. placeholder: an example; rows: what a row is.
    audit: the line for a terminal that bounds the ε of a function instead, "" where there is none.
    """

    study: Study
    about: Hashable
    check: Callable[[str], object]
    begin: Sequence[str]
    written: Callable[[str], str]
    label: str
    placeholder: str
    rows: str
    audit: str

    @property
    def text(self) -> str | None:
        return self.study.option(invented.OPTION)

    @property
    def wrong(self) -> str | None:
        """The table that was given for these answers and makes no sense, until it is mended."""
        about, text = view_options.look(_wrong(self.study.task)) or ((), None)
        return text if about == self.about else None

    def panel(self, worth: Callable[[list[Part], int], Panel | None]) -> Panel:
        """worth(menus, length of the table): what is said of it; None where it is no part of what is compared."""
        text, title = self.wrong or self.text or "", t("Its table")
        note = t("{rows} It stays in this session, in memory alone.", rows=self.rows)
        if self.audit:
            line = f"<code>{widgets.escape(self.audit)}</code>"
            note = t("{note} A function instead of a table: {line} bounds its ε from below.", note=note, line=line)
        if not text:
            return Panel("own_mechanism", title, [Control(partial(self._given, "")), Control(self._begin)], note)
        menus: list[Part] = [Menu(t("change it"), partial(self._edit, text), "own_edit", does=True)]
        try:
            self.check(text)
        except (TypeError, ValueError) as error:
            box = Box(t("This table is no mechanism for these answers."), widgets.escape(_sentence(error)), height=100)
            return Panel("own_mechanism", title, [box, Control(partial(self._given, text))], note)
        idle = Box(t("It is not among what is compared here."), height=100)
        return worth(menus, len(text)) or Panel("own_mechanism", title, [idle], note, menus)

    def give(self, text: str) -> None:
        """Take a table over; one that makes no sense waits to be mended, and an empty one takes the mechanism away."""
        try:
            if text.strip():
                self.check(text)
        except (TypeError, ValueError):
            view_options.choose(_wrong(self.study.task), (self.about, text))
            return
        view_options.choose(_wrong(self.study.task), None)
        actions.option(self.study.task, own=text if text.strip() else None)

    def _given(self, text: str, box: str = "own_text") -> None:
        """The box to paste into, and the file. box: its key; where another box stood, the browser would go on saying
        what was in that one.
        """
        left, right = st.columns([64, 36], gap="medium")
        with left:
            controlled.bound(
                st.text_area,
                words.literal(self.label),
                key=box,
                value=text,
                change=self.give,
                height=150,
                placeholder=self.placeholder,
                help=words.literal(t("Every row sums to 1; fractions such as 1/3 are fine. {rows}", rows=self.rows)),
            )
        with right:
            key = f"own_file_{self.study.task}"
            upload = st.file_uploader(t("… or a CSV file"), type=["csv", "txt", "tsv"], key=key, max_upload_size=10)
            if upload is not None and view_options.look("own_read") != upload.file_id:
                view_options.choose("own_read", upload.file_id)
                self.give(upload.getvalue().decode("utf-8", "replace"))
                st.rerun()

    def _begin(self) -> None:
        """Mechanisms of the catalogue, written down to be changed."""
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.html(f'<div class="sub nowrap">{t("Begin with one of these:")}</div>', width="content")
            for key in self.begin:
                st.button(
                    widgets.option(key), key=f"own_begin_{key}", type="tertiary", on_click=self._begun, args=(key,)
                )

    def _begun(self, key: str) -> None:
        try:
            self.give(self.written(key))
        except (NotEnumerable, ValueError) as error:
            actions.refuse(str(error))

    def _edit(self, text: str) -> None:
        self._given(text, "own_edited")
        self._begin()
        st.button(t("Take it away"), key="own_drop", type="tertiary", on_click=self.give, args=("",))


def fold(key: str, draw: Callable[[], Panel], inside: str) -> None:
    """The fold of a page that holds the panel."""
    panels.fold(key, t("Your own mechanism"), inside, lambda: panels.show(draw))


def dressed(found: Mapping[str, Any]) -> None:
    """Let the own mechanism, where it is among these facts, look like those of the catalogue that promise as much."""
    if invented.KEY in found:
        palette.own_keeps(found[invented.KEY].promise)


def worth(headline: str, parts: Sequence[Part | str], menus: Sequence[Part], rows: pd.DataFrame) -> Panel:
    """What is said of it: what it keeps and how exact it is, then parts and lines; rows: what it does to each."""
    drawn = [Line(part) if isinstance(part, str) else part for part in parts]
    card = Html(f'<div class="card" style="font-size:1rem">{headline}</div>')
    return Panel("own_mechanism", t("What it is worth"), [card, *drawn], "", [*menus, Sheet(rows, "own")])


def beside(rows: Iterable[tuple[str, str, str, str, str]], heads: tuple[str, str], caption: str) -> Html:
    """The own one and the best of the catalogue: key, ε, error, what the last head says, and why it stands there."""
    body = "".join(
        f'<tr><td>{widgets.named(key)} <span class="quiet">{why}</span></td><td>{epsilon}</td>'
        f"<td><b>{error}</b></td><td>{last}</td></tr>"
        for key, epsilon, error, last, why in rows
    )
    head = "".join(f"<th>{head}</th>" for head in ("", "ε", *heads))
    return Html(f'<div class="card"><table><tr>{head}</tr>{body}</table><span class="quiet">{caption}</span></div>')


def where(study: Study, epsilon: float, table_length: int) -> str:
    """Where it stands along ε, and what carries it."""
    sentences = [t("★ has one ε: along ε it is drawn there alone, and “How many people, which ε?” leaves it out.")]
    if math.isfinite(epsilon) and abs(epsilon - study.epsilon) > 1e-9:
        sentences.append(t("The others stand at ε = {eps}.", eps=words.epsilon(study.epsilon)))
    if table_length > LONGEST:
        sentences.append(t("Its table is too large for a link: the Study file has it."))
    return " ".join(sentences)


def speaking(focus: str) -> Control:
    """Whether the panels above speak of it, or of the best again; focus: the wish that says of which they do."""

    def draw() -> None:
        mine = view_options.wished(focus) == invented.KEY
        text = t("The panels above speak of the best again") if mine else t("Let the panels above speak of ★ Own")
        chosen = (focus, None if mine else invented.KEY)
        st.button(text, key="own_focus", type="tertiary", on_click=view_options.want, args=chosen)

    return Control(draw)


def written(epsilon: float) -> str:
    """An ε, which is without end where nothing is promised."""
    return words.epsilon(epsilon) if epsilon < float("inf") else "∞"


def _wrong(task: str) -> str:
    """The session's key of a table that makes no sense."""
    return f"own_wrong_{task}"


def _sentence(error: Exception) -> str:
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith(".") else ".")
