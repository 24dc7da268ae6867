"""Uploads: from the browser's file to a Table in the session, and what to say and offer when that fails.

Nothing is written to disk and nothing is logged. The bytes are kept only while they may have to be read again.
"""

import dataclasses
import sys
from collections.abc import Sequence
from typing import Any

import streamlit as st
from starlette.formparsers import MultiPartParser
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import DeletedFile

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.state import actions
from ldpapp.state.model import table, title
from ldpapp.views.data import kept_files, rereading
from ldpapp.words.language import t
from ldpcore import data
from ldpcore.data import DataError, ReadOptions, Table
from ldpcore.data.readings import SourceFile

TYPES = ["csv", "tsv", "txt", "data", "dat", "parquet", "xlsx", "xlsm", "gz", "zip", "json", "jsonl", "ndjson", "sav",
         "zsav", "dta", "sas7bdat", "sas7bcat", "xpt", "arff", "md", "markdown"]  # fmt: skip

LABELS = (".json", ".sas7bcat")
"""How the names of files end that may have labels for the codes of another."""


# Streamlit's server would put what is larger than a megabyte into a temporary file while it arrives.
MultiPartParser.spool_max_size = sys.maxsize


_MISSED = "upload_missed"
"""The session's key of an uploader that holds files of which no change was told: they came while the page was busy."""


def start() -> None:
    """This module's own keys: the upload that failed and why, those that were read and may be read again, and the
    uploader's number.
    """
    usual = {"upload_raw": None, "upload_error": None, "upload_kept": {}, "upload_round": 0}
    for key, value in usual.items():
        st.session_state.setdefault(key, value)
    if missed := st.session_state.pop(_MISSED, None):
        received(missed)
        st.rerun()


# callbacks -------------------------------------------------------------------------------------------------------


def received(key: str) -> None:
    """Take what the uploader holds, once: afterwards it is empty again."""
    files = list(st.session_state[key] or [])
    if not files:
        return
    st.session_state.upload_round += 1
    if any(isinstance(file, DeletedFile) for file in files):
        kept_files.fail(DataError(t("The file did not arrive whole."), t("Choose it again.")))
        return
    given = [(file.name, file.getvalue()) for file in files]
    release(files)
    st.session_state.upload_open = False
    tables = [(name, content) for name, content in given if not name.lower().endswith(LABELS)]
    dictionaries = [content for name, content in given if name.lower().endswith(LABELS)]
    if len(tables) > 1 or len(dictionaries) > 1:
        kept_files.fail(
            DataError(
                t("These are several files at once."), t("Choose one table, and at most one dictionary of labels.")
            )
        )
    elif tables:
        attempt(SourceFile(*tables[0], dictionary=dictionaries[0] if dictionaries else None))
    else:
        _label_or_read(given[0][0], dictionaries[0])


def attempt(upload: SourceFile) -> None:
    """Read it and make it the chosen data; if that fails, what was there before stays."""
    if (made := kept_files.read(upload)) is not None:
        _adopt(made)


def again(changes: dict[str, Any]) -> None:
    """Read the bytes of what failed with other options: a remedy's button, or the person's own choice."""
    upload = st.session_state.upload_raw
    try:
        options = dataclasses.replace(upload.options, **changes)
    except DataError as error:
        kept_files.fail(error)
        return
    attempt(dataclasses.replace(upload, options=options))


def without_labels() -> None:
    attempt(dataclasses.replace(st.session_state.upload_raw, dictionary=None))


def dismiss() -> None:
    """Done with what failed."""
    st.session_state.update(upload_raw=None, upload_error=None)


def choose_another() -> None:
    dismiss()
    st.session_state.upload_open = True


def _label_or_read(name: str, content: bytes) -> None:
    """JSON alone is a dictionary of labels, or a table's records; a catalogue of SAS is one as well."""
    if name.lower().endswith(".sas7bcat"):
        _label(content)
        return
    try:
        data.labels(content)
    except DataError as error:
        attempt(SourceFile(name, content))
        if st.session_state.upload_error is not None:
            st.session_state.upload_raw = None
            kept_files.fail(error)
        return
    _label(content)


def _label(dictionary: bytes) -> None:
    """A dictionary alone belongs to the data on the screen."""
    upload = kept_files.kept(table()) or SourceFile(table().name, b"")
    try:
        labels = dataclasses.replace(upload, dictionary=dictionary).labels()
        labelled = dataclasses.replace(table().with_labels(labels), name=kept_files.free(table().name))
        kept_files.described(table(), dictionary=dictionary)
        _adopt(labelled)
    except DataError as error:
        kept_files.fail(error)


def _adopt(table: Table) -> None:
    """Make it the chosen data."""
    actions.keep(table)
    st.session_state.update(upload_error=None)


def described(key: str) -> None:
    """A file about the items of the baskets on the screen: their categories and names."""
    file = st.session_state[key]
    if file is None:
        return
    name, content = file.name, file.getvalue()
    release([file])
    st.session_state.upload_round += 1
    st.session_state.upload_open = False
    try:
        source = table()
        labelled = source.with_items(data.read(content, name, ReadOptions(layout="table")))
        kept_files.described(source, items=(name, content))
        _adopt(dataclasses.replace(labelled, name=kept_files.free(source.name)))
    except DataError as error:
        kept_files.fail(error)


def release(files: Sequence[Any]) -> None:
    """Streamlit would hold the bytes until the session ends."""
    context = get_script_run_ctx()
    manager: Any = context and context.uploaded_file_mgr
    if context is not None and hasattr(manager, "remove_file"):
        for file in files:
            manager.remove_file(context.session_id, file.file_id)


# what is shown ---------------------------------------------------------------------------------------------------


def panel() -> None:
    """The uploader, in its popover."""
    key = f"upload_{st.session_state.upload_round}"
    place = st.container(width=440)
    held = place.file_uploader(
        t("A table with one row per person, or baskets"),
        type=TYPES,
        accept_multiple_files=True,
        key=key,
        on_change=received,
        args=(key,),
    )
    if held:  # whatever is taken is not held any more
        st.session_state[_MISSED] = key
        st.rerun()
    about_files = t(
        "CSV, TSV, Parquet, Excel, JSON records, SPSS, Stata or SAS, also packed with gzip or zip; a JSON dictionary "
        "of codes and labels may come with it. Baskets: a line per transaction, a row per item of a person, or a "
        "column per item. It stays in this "
        "computer’s memory until you close the page: nothing is saved, nothing is sent on.<br>A file over 200 MB is "
        "refused. Keep only the columns you need, save it as Parquet, or run the Study in a terminal: <code>ldpcore "
        "run study.toml --data FILE</code> reads up to 1 GB."
    )
    place.html(f'<div class="sub">{about_files}</div>')
    if actions.foremost(table()):
        about = f"items_{st.session_state.upload_round}"
        place.file_uploader(
            t("What the items of these baskets are: categories, names"),
            type=[kind for kind in TYPES if kind != "json"],
            key=about,
            on_change=described,
            args=(about,),
            help=t(
                "One column calls the items as the baskets do; columns of words are their categories, one called name "
                "or title names them."
            ),
        )


def outcome() -> None:
    """Why the last upload failed, above the data, with its remedies; `checks` says what was read."""
    if (error := st.session_state.upload_error) is not None:
        _error(error)


def _error(error: DataError) -> None:
    stays = t("“{data}” is still here.", data=widgets.escape(title(table().name)))
    hint = f"{widgets.escape(error.hint)}<br>{stays}" if error.hint else stays
    with st.container(key="upload_error_box"):
        widgets.state_box(widgets.escape(error.sentence), widgets.escape(error.why), hint, height=112)
    with st.container(horizontal=True, gap="small", key="upload_remedies"):
        upload = st.session_state.upload_raw
        if upload is not None:
            for i, remedy in enumerate(error.remedies):
                st.button(
                    words.literal(remedy.label),
                    key=f"remedy_{i}",
                    type="primary" if i == 0 else "secondary",
                    on_click=again,
                    args=(dict(remedy.options),),
                )
            if upload.dictionary is not None:
                st.button(t("Read without the dictionary"), key="remedy_labels", on_click=without_labels)
            if upload.content.strip():
                rereading.menu(upload.name, upload.options, [], again)
        st.button(t("Choose another file"), key="upload_another", on_click=choose_another)
        st.button(t("Dismiss"), key="upload_dismiss", type="tertiary", on_click=dismiss)


def notes(table: Table) -> list[str]:
    """All that was recognised, certain or not, sentence by sentence."""
    out = list(table.notes)
    try:
        if actions.foremost(table):
            baskets = table.baskets(actions.foremost(table))
            out += [note for note in baskets.notes if note not in out]
    except DataError as error:
        out.append(str(error))
    return out


def what_was_read(table: Table) -> str:
    """What was read, and how much of it."""
    name = words.literal(table.name)
    try:
        if actions.foremost(table):
            held_baskets = table.baskets(actions.foremost(table))
            baskets = words.plural(held_baskets.n, t("basket"), t("baskets"))
            items = words.count(held_baskets.k)
            holes = {"name": name, "baskets": baskets, "items": items}
            column = words.literal(actions.foremost(table))
            return t("“{name}” is read: in “{column}” {baskets} of {items} items.", column=column, **holes)
    except DataError:  # said below the head
        pass
    rows = words.plural(len(table.frame), t("row"), t("rows"))
    columns = words.plural(len(table.frame.columns), t("column"), t("columns"))
    return t("“{name}” is read: {rows}, {columns}.", name=name, rows=rows, columns=columns)
