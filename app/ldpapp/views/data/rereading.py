"""Reading an upload once more: what its rows are, separator, header and encoding, or the sheet, as the person says."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from ldpapp.words.language import t
from ldpcore import data
from ldpcore.data import ReadOptions

EXCEL = (".xlsx", ".xlsm")


def menu(name: str, read: ReadOptions, columns: Sequence[object], again: Callable[[dict[str, Any]], None]) -> None:
    """The popover. name: the file's; read: how it was read; columns: those found; again: reads it with changes."""
    name = name.lower().removesuffix(".gz")
    with st.popover(t("Read it differently"), type="tertiary", key="upload_options"):
        changes: dict[str, Any] = {"layout": _choice(t("What it holds"), data.LAYOUTS, read.layout)}
        changes |= dict.fromkeys(("user", "item", "category", "description", "answer"))
        if changes["layout"] in ("pairs", "answers"):
            changes |= _columns_of_rows(read, columns, changes["layout"])
        changes["yes"] = None
        if changes["layout"] == "one-hot":
            changes["yes"] = st.text_input(t("The word for yes"), read.yes or "", placeholder=t("recognised")) or None
        if name.endswith(EXCEL):
            sheet = st.text_input(t("Sheet"), read.sheet or "", placeholder=t("the first with anything in it"))
            changes["sheet"] = sheet or None
        elif not name.endswith(".parquet"):
            changes["separator"] = _choice(t("Separator"), _separators(), read.separator)
        changes["decimal"] = _choice(t("Before the decimals of numbers stands"), data.DECIMALS, read.decimal)
        changes["percent"] = _choice(t("Numbers beside percentages are"), data.PERCENTS, read.percent)
        if not name.endswith(".parquet"):
            headers = {True: t("the first line holds names"), False: t("the first line is data")}
            changes["header"] = _choice(t("Names of the columns"), headers, read.header)
        if not name.endswith((*EXCEL, ".parquet")):
            changes["encoding"] = _choice(t("Encoding"), data.ENCODINGS, read.encoding)
        st.button(t("Read again"), key="upload_again", type="primary", on_click=again, args=(changes,))


def _separators() -> dict[str, str]:
    return {",": t("comma  ,"), ";": t("semicolon  ;"), "\t": t("tab"), "|": t("bar  |"), " ": t("blank")}


def _columns_of_rows(read: ReadOptions, columns: Sequence[object], layout: str) -> dict[str, str | None]:
    """Which columns name the person, the item and what else is known of it, of a file that was read as a table; or the
    person, the question and the answer.
    """
    names = {str(name): str(name) for name in columns}
    asked = {
        "user": t("The person"),
        "item": t("The item"),
        "category": t("The item’s category"),
        "description": t("Its description"),
    }
    if layout == "answers":
        asked = {"user": t("The person"), "item": t("The question"), "answer": t("The answer")}
    return {key: _choice(label, names, getattr(read, key)) for key, label in asked.items()}


def _choice(label: str, options: Mapping[Any, str], chosen: Any) -> Any:
    """One of these, or nothing: then the reader recognises it."""
    texts = {None: t("recognised"), **options}
    known = list(texts) if chosen in texts else [*texts, chosen]
    return st.selectbox(label, known, known.index(chosen), format_func=lambda option: texts.get(option, str(option)))
