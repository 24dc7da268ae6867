"""The editable table of values: their marks or levels, how many people gave them, and the error of their share."""

import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from ldpapp import words
from ldpapp.parts import levels, widgets
from ldpapp.runtime import display
from ldpapp.state import column_settings
from ldpapp.state.model import current_column, workspace
from ldpapp.views.data import profiles, rules
from ldpapp.words.language import t
from ldpcore.study.curves import MARGIN
from ldpcore.study.definition import SENSITIVE
from ldpcore.study.effects import MarkingEffect

ROW, VISIBLE = 26, 16
"""px of a row, and how many are seen without scrolling."""
PHONE = {"Mark": 58, "Level": 70, "Value": 96, "Share": 56, "± all": 60, "± marked": 72}
"""px of the columns that a phone shows side by side: all but the people, which the share says too."""
LONG = 30
"""Letters of a value that its column cannot show in its usual width."""


def show(effect: MarkingEffect, found: Sequence[int]) -> None:
    shown = tuple(effect.labels[i] for i in found)
    key = display.sized(f"marks_{zlib.crc32(repr((shown, _round(effect))).encode()):x}")
    rows = frame(effect, np.asarray(found), rules.graded())
    place = st.container(key="marks_table")
    short, leveled, narrow = max(map(len, shown)) <= LONG, effect.secret.any(), display.narrow()
    place.data_editor(
        _styled(rows),
        key=key,
        on_change=_edited,
        args=(key, effect.labels, shown),
        hide_index=True,
        row_height=display.grown(ROW),
        height=display.grown(ROW) * min(len(rows), VISIBLE) + display.grown(34),
        column_order=[name for name in rows if name in PHONE] if narrow else None,
        column_config={
            "Mark": st.column_config.CheckboxColumn(width=58),
            "Level": st.column_config.SelectboxColumn(
                width=PHONE["Level"] if narrow else 76, options=list(levels.names().values()), required=True
            ),
            "Value": st.column_config.TextColumn(
                disabled=True,
                width=PHONE["Value"] if narrow else 116 if short else 176,
                help=words.literal(profiles.edges(effect.counted))
                if column_settings.bins(workspace(), current_column())
                else None,
            ),
            "People": st.column_config.NumberColumn(disabled=True, width=64),
            "Share": st.column_config.NumberColumn(format="%.1f %%", disabled=True, width=PHONE["Share"])
            if narrow
            else st.column_config.ProgressColumn(
                format="%.1f %%",
                min_value=0,
                max_value=_scale(effect),
                width=64 if not short else 88 if leveled else 104,
                color=widgets.colors().ink2,
            ),
            "± all": st.column_config.NumberColumn(
                t("± all secret") if leveled else None,
                disabled=True,
                width=PHONE["± all"] if narrow else 76 if leveled else 58,
                help=t("95 of 100 surveys are nearer, in points; all marked values treated as secret.")
                if leveled
                else t("95 of 100 surveys are nearer, in points; everything protected."),
            ),
            "± marked": st.column_config.NumberColumn(
                t("± levels") if leveled else None,
                disabled=True,
                width=72,
                help=t("95 of 100 surveys are nearer, in points; each value at its own level.")
                if leveled
                else t("95 of 100 surveys are nearer, in points; only the marked protected."),
            ),
        },
        alt=t("The values of the column with the people who gave them, their share, and the error of that share."),
    )


def _round(effect: MarkingEffect) -> int:
    """Counts up whenever the marks changed otherwise than in the table: its own edits are then outdated."""
    seen = _seen(effect.labels)
    if st.session_state.get("marks_seen") != seen:
        st.session_state.marks_seen = seen
        st.session_state.marks_round = st.session_state.get("marks_round", 0) + 1
    return st.session_state.marks_round


def _seen(labels: tuple[str, ...]) -> tuple[object, ...]:
    return labels, rules.three(), tuple(rules.levels().items())


def _edited(key: str, labels: tuple[str, ...], shown: tuple[str, ...]) -> None:
    chosen, named = rules.levels(), {name: level for level, name in levels.names().items()}
    for row, change in st.session_state[key]["edited_rows"].items():
        level = named[change["Level"]] if "Level" in change else SENSITIVE if change.get("Mark") else levels.PUBLIC
        if "Mark" in change or "Level" in change:
            chosen.pop(shown[int(row)], None)
            chosen |= {} if level == levels.PUBLIC else {shown[int(row)]: level}
    rules.grade(labels, chosen)
    st.session_state.marks_seen = _seen(labels)


def frame(effect: MarkingEffect, places: np.ndarray, graded: Mapping[str, str] | None) -> pd.DataFrame:
    """The rows of these values. graded: what `rules.graded` says; a download is made where no session is at hand."""
    mark: dict[str, Any] = {"Mark": effect.mask[places]}
    if graded is not None:
        names = levels.names()
        mark = {"Level": [names[graded.get(effect.labels[i], levels.PUBLIC)] for i in places]}
    return pd.DataFrame(
        {
            **mark,
            "Value": [effect.labels[i] for i in places],
            "People": effect.counted.counts[places],
            "Share": effect.shares[places] * 100,
            "± all": np.sqrt(effect.every.variance[places]) * MARGIN,
            "± marked": np.sqrt(effect.marked.variance[places]) * MARGIN if effect.mask.any() else np.nan,
        }
    )


def _styled(frame: pd.DataFrame) -> Any:
    """Thin spaces between thousands, and the names of marked values in the colour that means sensitive."""
    colors = widgets.colors()
    color, filled = f"color:{colors.sensitive}", f"color:{colors.page};background-color:{colors.sensitive}"
    written: Any = {"People": words.count, "± all": words.decimals, "± marked": words.decimals}
    if frame["± marked"].isna().all():  # nothing is marked: a grid writes None into every empty cell
        frame = frame.drop(columns=["± marked"])
        del written["± marked"]
    if "Level" in frame:
        secret, private, _ = levels.names().values()
        look = frame["Level"].map({secret: filled, private: color}).fillna("").tolist()
    else:
        look = np.where(frame["Mark"], color, "").tolist()
    style = frame.style.apply(lambda _: look, subset=["Value"])
    return style.format(written)


def _scale(effect: MarkingEffect) -> float:
    """The end of the bars: a round share above the largest."""
    top = float(effect.shares.max()) * 100
    return next(end for end in (1, 2, 5, 10, 20, 50, 100) if end >= min(top, 100))
