"""Which answers are sensitive: the editable table with everything that marks its values."""

import zlib
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Protocol

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from ldpapp import columns, levels, panels, screen, session, widgets, words
from ldpapp.curves import MARGIN
from ldpapp.failing import guarded
from ldpapp.kept import front
from ldpapp.language import t
from ldpapp.panels import Control, Panel
from ldpapp.views.data import profiles, rules, settings
from ldpcore import data
from ldpcore.data import Histogram
from ldpcore.study.definition import SECRET, SENSITIVE

ROW, VISIBLE = 26, 16
"""px of a row, and how many are seen without scrolling."""
MOST_ROWS = 2000
LONG = 30
"""Letters of a value that its column cannot show in its usual width."""


class Markable(Protocol):
    """What the table shows: an `effects.Effect`, or its like for items."""

    @property
    def labels(self) -> tuple[str, ...]: ...

    @property
    def mask(self) -> NDArray[np.bool_]: ...

    @property
    def shares(self) -> NDArray[np.float64]: ...

    @property
    def counted(self) -> Histogram: ...

    @property
    def every(self) -> Any: ...

    @property
    def marked(self) -> Any: ...

    @property
    def secret(self) -> NDArray[np.bool_]:
        """Which of the marked are secret, where values are answers."""
        ...

    @property
    def epsilon(self) -> float: ...

    @property
    def names(self) -> tuple[str, str]:
        """The mechanisms behind the two errors, `every` and `marked`."""
        ...

    @property
    def groups(self) -> Mapping[str, tuple[str, ...]] | None:
        """Category → values that can be marked together; None: the values are answers, not items."""
        ...


def show(effect: Markable) -> None:
    """The table of values with everything that marks them. Below its panel, whose buttons are as small as a title.

    Nobody types into it from the last row.
    """
    if screen.projector():
        return
    panels.show(partial(_head, effect))
    with guarded(t("This part")):
        _table(effect, _actions(effect))


def _head(effect: Markable) -> Panel:
    every, marked = effect.names
    subtitle = t(
        "± 95 %, points, at ε = {eps}: all protected ({every}), and only the marked ({marked}).",
        eps=words.epsilon(effect.epsilon),
        every=every,
        marked=marked,
    )
    title = t("Which answers are sensitive?") if effect.groups is None else t("Which items are sensitive?")
    if effect.groups is None and rules.three():
        title = t("Which answers are secret, which private?")
        subtitle = t("<b>Secret</b>: an ε of its own, never above that of private answers.")
        if effect.secret.any():
            subtitle = t(
                "<b>Secret</b>: an ε of its own, never above that of private answers. ± 95 %, points: all marked ones "
                "treated as secret ({every}), and each at its level ({marked}).",
                every=every,
                marked=marked,
            )
    return Panel("marks", title, (), subtitle, [Control(settings.choose)])


def _table(effect: Markable, found: list[int]) -> None:
    if not found:
        widgets.state_box(
            t("No value contains “{text}”.", text=widgets.escape(st.session_state.marks_search)),
            t("There are {n} values. Look for a part of one.", n=words.count(len(effect.labels))),
            height=416,
        )
        return
    if len(found) > MOST_ROWS:
        listed = t(
            "The {n} commonest and all marked ones of {all} are listed; search finds the others.",
            n=words.count(MOST_ROWS),
            all=words.count(len(found)),
        )
        st.html(f'<div class="sub">{listed}</div>')
        found = _foremost(effect, found)
    _editor(effect, found)
    everything = np.arange(len(effect.labels))
    with st.container(horizontal=True, horizontal_alignment="distribute", key="marks_below"):
        if effect.groups is None:
            _third()
        st.download_button(
            t("Download this table"),
            lambda: _frame(effect, everything).to_csv(index=False),
            "values.csv",
            "text/csv",
            key="marks_csv",
            type="tertiary",
            on_click="ignore",
        )


def _third() -> None:
    """The third level, a click away."""
    if rules.three():
        st.button(t("Back to two levels"), key="levels_off", type="tertiary", on_click=rules.third, args=(False,),
                  help=t("What is secret is then marked as any other value, at one ε."))  # fmt: skip
        return
    st.button(t("Add a third level: secret"), key="levels_on", type="tertiary", on_click=rules.third, args=(True,),
              help=t("Secret: an ε of its own, never above that of the other marked values."))  # fmt: skip


def _actions(effect: Markable) -> list[int]:
    """Search and the buttons; returns the places of the values to show."""
    labels, groups = effect.labels, effect.groups
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="marks_actions"):
        typed = st.text_input(
            t("Search values"),
            key="marks_search",
            placeholder=t("Search") if groups else t("Search values"),
            width=104 if groups else 150,
            label_visibility="collapsed",
        )
        wanted = typed.strip().casefold()
        found = [i for i, label in enumerate(labels) if wanted in label.casefold()]
        if wanted:
            _mark_found(labels, tuple(labels[i] for i in found))
        else:
            rare = data.rare(effect.counted)
            st.button(t("Rarer than 1 %"), key="mark_rare", on_click=rules.mark_rare, args=(labels, rare))
            st.button(t("Invert"), key="mark_invert", on_click=rules.invert, args=(labels,))
            st.button(t("Clear"), key="mark_clear", on_click=rules.clear, disabled=not effect.mask.any())
        if groups:
            _categories(labels, groups)
        _pasting(labels)
    if groups is None and rules.three():
        _as_level()
    return found


def _as_level() -> None:
    """At which level the buttons beside it mark."""
    names = levels.names()
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="marks_level"):
        st.html(f'<div class="sub">{t("Buttons, lists and dragging mark as")}</div>', width="content")
        st.segmented_control(
            t("Mark as"),
            [SECRET, SENSITIVE],
            key=rules.LEVEL,
            default=SENSITIVE,
            required=True,
            format_func=lambda level: names[level],
            label_visibility="collapsed",
            persist_state="session",
        )


def _mark_found(labels: Sequence[str], names: tuple[str, ...]) -> None:
    n, none = words.count(len(names)), not names
    st.button(t("Mark {n} found", n=n), key="mark_found", on_click=rules.add, args=(labels, names), disabled=none)
    st.button(
        t("Unmark {n} found", n=n), key="unmark_found", on_click=rules.remove, args=(labels, names), disabled=none
    )


def _pasting(labels: Sequence[str]) -> None:
    st.session_state.setdefault("paste_note", "")
    with st.popover(t("Paste a list"), key="paste_open", on_change="rerun"):
        st.text_area(
            t("Values to mark"), key="paste_text", height=120, placeholder=t("One on each line, or between commas")
        )
        if st.session_state.paste_note:
            st.html(f'<div class="sub" role="alert">{widgets.escape(st.session_state.paste_note)}</div>')
        st.button(t("Mark these"), key="paste_mark", type="primary", on_click=_paste, args=(labels,))


def _foremost(effect: Markable, found: Sequence[int]) -> list[int]:
    """The marked values and the commonest: more rows a browser cannot hold."""
    places = np.asarray(found)
    order = np.lexsort((-effect.shares[places], ~effect.mask[places]))
    return sorted(places[order[:MOST_ROWS]].tolist())


def _categories(labels: Sequence[str], groups: Mapping[str, tuple[str, ...]]) -> None:
    """Whole categories of items at once."""
    with st.popover(t("Category"), key="category_open"):
        chosen = st.multiselect(
            t("Categories"), list(groups), key="category_choice", placeholder=t("Choose categories")
        )
        members = tuple(dict.fromkeys(item for name in chosen for item in groups[name]))
        those, none = words.plural(len(members), t("item"), t("items")), not members
        st.button(
            t("Mark {items}", items=those), key="mark_category", type="primary", on_click=rules.add,
            args=(labels, members), disabled=none,
        )  # fmt: skip
        st.button(
            t("Unmark {items}", items=those), key="unmark_category", on_click=rules.remove,
            args=(labels, members), disabled=none,
        )  # fmt: skip


def _editor(effect: Markable, found: Sequence[int]) -> None:
    shown = tuple(effect.labels[i] for i in found)
    key = f"marks_{zlib.crc32(repr((shown, session.edited(), _round(effect))).encode()):x}"
    frame = _frame(effect, np.asarray(found))
    place = st.container(key="marks_table")
    short = max(map(len, shown)) <= LONG
    place.data_editor(
        _styled(frame),
        key=key,
        on_change=_edited,
        args=(key, effect.labels, shown),
        hide_index=True,
        row_height=ROW,
        height=ROW * min(len(frame), VISIBLE) + 34,
        column_config={
            "Mark": st.column_config.CheckboxColumn(width=58),
            "Level": st.column_config.SelectboxColumn(width=76, options=list(levels.names().values()), required=True),
            "Value": st.column_config.TextColumn(
                disabled=True,
                width=116 if short else 176,
                help=profiles.edges(effect.counted) if columns.bins(front()) else None,
            ),
            "People": st.column_config.NumberColumn(disabled=True, width=64),
            "Share": st.column_config.ProgressColumn(
                format="%.1f %%",
                min_value=0,
                max_value=_scale(effect),
                width=64 if not short else 88 if effect.secret.any() else 104,
                color=widgets.colors().ink2,
            ),
            "± all": st.column_config.NumberColumn(
                t("± all secret") if effect.secret.any() else None,
                disabled=True,
                width=76 if effect.secret.any() else 58,
                help=t("95 of 100 surveys are nearer, in points; everything protected."),
            ),
            "± marked": st.column_config.NumberColumn(
                t("± levels") if effect.secret.any() else None,
                disabled=True,
                width=72,
                help=t("95 of 100 surveys are nearer, in points; only the marked protected."),
            ),
        },
        alt=t("The values of the column with the people who gave them, their share, and the error of that share."),
    )


def _round(effect: Markable) -> int:
    """Counts up whenever the marks changed otherwise than in the table: its own edits are then outdated."""
    seen = _seen(effect.labels)
    if st.session_state.get("marks_seen") != seen:
        st.session_state.marks_seen = seen
        st.session_state.marks_round = st.session_state.get("marks_round", 0) + 1
    return st.session_state.marks_round


def _seen(labels: tuple[str, ...]) -> tuple[object, ...]:
    return labels, session.edited(), rules.three(), tuple(rules.levels().items())


def _paste(labels: Sequence[str]) -> None:
    """Mark the pasted values; what is not among the column's values is named and stays in the box."""
    known, unknown = rules.recognised(st.session_state.paste_text, labels)
    rules.add(labels, known)
    st.session_state.paste_open = bool(unknown)
    st.session_state.paste_text = "\n".join(unknown)
    st.session_state.paste_note = ""
    if unknown:
        st.session_state.paste_note = _strangers(unknown, len(known))


def _strangers(unknown: Sequence[str], marked: int) -> str:
    """What was pasted and is no value of the column; and how many others were."""
    named = [f"“{words.shorten(name, 40)}”" for name in unknown[:5]]
    if len(unknown) > 5:
        named.append(t("{n} more", n=words.count(len(unknown) - 5)))
    strangers = words.listing(named)
    if not marked:
        return t("Not among the values: {strangers}.", strangers=strangers)
    values = words.plural(marked, t("value is"), t("values are"))
    return t("Not among the values: {strangers}; {values} marked.", strangers=strangers, values=values)


def _edited(key: str, labels: tuple[str, ...], shown: tuple[str, ...]) -> None:
    chosen, named = rules.levels(), {name: level for level, name in levels.names().items()}
    for row, change in st.session_state[key]["edited_rows"].items():
        level = named[change["Level"]] if "Level" in change else SENSITIVE if change.get("Mark") else levels.PUBLIC
        if "Mark" in change or "Level" in change:
            chosen.pop(shown[int(row)], None)
            chosen |= {} if level == levels.PUBLIC else {shown[int(row)]: level}
    rules.grade(labels, chosen)
    st.session_state.marks_seen = _seen(labels)


def _frame(effect: Markable, places: np.ndarray) -> pd.DataFrame:
    mark: dict[str, Any] = {"Mark": effect.mask[places]}
    if effect.groups is None and rules.three():
        names, now = levels.names(), rules.levels()
        mark = {"Level": [names[now.get(effect.labels[i], levels.PUBLIC)] for i in places]}
    return pd.DataFrame(
        {
            **mark,
            "Value": [effect.labels[i] for i in places],
            "People": effect.counted.counts[places],
            "Share": effect.shares[places] * 100,
            "± all": np.sqrt(effect.every.variance[places]) * MARGIN,
            "± marked": np.sqrt(effect.marked.variance[places]) * MARGIN,
        }
    )


def _styled(frame: pd.DataFrame) -> Any:
    """Thin spaces between thousands, and the names of marked values in the colour that means sensitive."""
    colors = widgets.colors()
    color, filled = f"color:{colors.sensitive}", f"color:{colors.page};background-color:{colors.sensitive}"
    written: Any = {"People": words.count, "± all": words.decimals, "± marked": words.decimals}
    if "Level" in frame:
        secret, private, _ = levels.names().values()
        look = frame["Level"].map({secret: filled, private: color}).fillna("").tolist()
    else:
        look = np.where(frame["Mark"], color, "").tolist()
    style = frame.style.apply(lambda _: look, subset=["Value"])
    return style.format(written)


def _scale(effect: Markable) -> float:
    """The end of the bars: a round share above the largest."""
    top = float(effect.shares.max()) * 100
    return next(end for end in (1, 2, 5, 10, 20, 50, 100) if end >= min(top, 100))
