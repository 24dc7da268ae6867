"""Uploads: from the browser's file to a Table in the session, and what to say and offer when that fails.

Nothing is written to disk and nothing is logged. The bytes are kept only while they may have to be read again.
"""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ldpapp import session, widgets, words
from ldpapp.kept import kept, table, title
from ldpcore import data
from ldpcore.data import DataError, ReadOptions, Table

TYPES = ["csv", "tsv", "txt", "data", "dat", "parquet", "xlsx", "xlsm", "gz", "json"]
EXCEL = (".xlsx", ".xlsm")
KEPT_BYTES = 50_000_000
"""Larger files are let go of as soon as they are read; to read one differently it is chosen again."""
SEPARATORS = {None: "recognised", ",": "comma  ,", ";": "semicolon  ;", "\t": "tab", "|": "bar  |", " ": "blank"}
HEADERS = {None: "recognised", True: "the first line holds names", False: "the first line is data"}
LAYOUTS = {None: "recognised", **data.LAYOUTS}
DECIMALS = {None: "recognised", **data.DECIMALS}
PERCENTS = {None: "recognised", **data.PERCENTS}
ENCODINGS = {None: "recognised", "utf-8": "UTF-8", "cp1252": "Windows-1252", "latin-1": "Latin-1", "utf-16": "UTF-16"}


@dataclass(frozen=True, eq=False)
class Upload:
    """A file as it came, perhaps with a dictionary of labels, and how it was last read."""

    name: str
    content: bytes
    dictionary: bytes | None = None
    options: ReadOptions = dataclasses.field(default_factory=ReadOptions)


def start() -> None:
    """This module's own keys: the upload in hand, why it failed, what to announce, and the uploader's number."""
    for key, value in (("upload_raw", None), ("upload_error", None), ("upload_news", None), ("upload_round", 0)):
        st.session_state.setdefault(key, value)


# callbacks -------------------------------------------------------------------------------------------------------


def received(key: str) -> None:
    """Take what the uploader holds, once: afterwards it is empty again."""
    files = list(st.session_state[key] or [])
    if not files:
        return
    given = [(file.name, file.getvalue()) for file in files]
    _release(files)
    st.session_state.upload_round += 1
    st.session_state.upload_open = False
    tables = [(name, content) for name, content in given if not name.lower().endswith(".json")]
    dictionaries = [content for name, content in given if name.lower().endswith(".json")]
    if len(tables) > 1 or len(dictionaries) > 1:
        _fail(DataError("That are several files at once.", "Choose one table, and at most one dictionary of labels."))
    elif tables:
        attempt(Upload(*tables[0], dictionary=dictionaries[0] if dictionaries else None))
    else:
        _label(dictionaries[0])


def attempt(upload: Upload) -> None:
    """Read it and make it the chosen data; if that fails, what was there before stays."""
    try:
        table = data.read(upload.content, _free(upload.name), upload.options)
        if upload.dictionary is not None:
            table = table.with_labels(data.labels(upload.dictionary))
    except DataError as error:
        st.session_state.upload_raw = upload
        _fail(error)
        return
    st.session_state.upload_raw = upload if len(upload.content) <= KEPT_BYTES else None
    _adopt(table)


def again(changes: dict[str, Any]) -> None:
    """Read the same bytes with other options: a remedy's button, or the person's own choice."""
    upload = st.session_state.upload_raw
    try:
        options = dataclasses.replace(upload.options, **changes)
    except DataError as error:
        _fail(error)
        return
    attempt(dataclasses.replace(upload, options=options))


def without_labels() -> None:
    attempt(dataclasses.replace(st.session_state.upload_raw, dictionary=None))


def dismiss() -> None:
    """Done with this upload: the table stays, its bytes go."""
    st.session_state.update(upload_raw=None, upload_error=None, upload_news=None)


def choose_another() -> None:
    dismiss()
    st.session_state.upload_open = True


def _label(dictionary: bytes) -> None:
    """A dictionary alone belongs to the data on the screen."""
    try:
        _adopt(dataclasses.replace(table().with_labels(data.labels(dictionary)), name=_free(table().name)))
    except DataError as error:
        _fail(error)


def _adopt(table: Table) -> None:
    session.keep(table)
    st.session_state.update(upload_error=None, upload_news=table.name)


def _fail(error: DataError) -> None:
    st.session_state.update(upload_error=error, upload_news=None)


def _free(name: str) -> str:
    """A file may be called like a bundled data set."""
    return f"{name} (yours)" if name in data.BUNDLED else name


def described(key: str) -> None:
    """A file about the items of the baskets on the screen: their categories and names."""
    file = st.session_state[key]
    if file is None:
        return
    name, content = file.name, file.getvalue()
    _release([file])
    st.session_state.upload_round += 1
    st.session_state.upload_open = False
    try:
        here = table()
        told = here.with_items(data.read(content, name, ReadOptions(layout="table")))
        _adopt(dataclasses.replace(told, name=_free(here.name)))
    except DataError as error:
        _fail(error)


def _release(files: Sequence[Any]) -> None:
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
    place.file_uploader(
        "A table with one row per person, or baskets",
        type=TYPES,
        accept_multiple_files=True,
        key=key,
        on_change=received,
        args=(key,),
    )
    place.html(
        '<div class="sub">CSV, TSV, Parquet or Excel, also packed with gzip; a JSON dictionary of codes and labels may '
        "come with it. Baskets: a line per transaction, a row per item of a person, or a column per item. "
        "It stays in this computer’s memory until you close the page: nothing is saved, nothing is sent "
        "on.<br>A file over 200 MB is refused. Keep only the columns you need, save it as Parquet, or run the Study in "
        "a terminal: <code>ldpcore run study.toml --data FILE</code> reads up to 1 GB.</div>"
    )
    if session.foremost(table()):
        about = f"items_{st.session_state.upload_round}"
        place.file_uploader(
            "What the items of these baskets are: categories, names",
            type=[kind for kind in TYPES if kind != "json"],
            key=about,
            on_change=described,
            args=(about,),
            help="One column calls the items as the baskets do; columns of words are their categories, one called name "
            "or title names them.",
        )


def outcome() -> None:
    """What became of the last upload, above the data: an error with its remedies, or what was recognised."""
    error: DataError | None = st.session_state.upload_error
    name = st.session_state.upload_news
    if error is not None:
        _error(error)
    elif name is not None and name == kept().data:
        _news(kept().uploads[name])


def _error(error: DataError) -> None:
    stays = f"“{widgets.escape(title(kept().data))}” is still here."
    hint = f"{widgets.escape(error.hint)}<br>{stays}" if error.hint else stays
    with st.container(key="upload_error_box"):
        widgets.state_box(widgets.escape(error.sentence), widgets.escape(error.why), hint, height=112)
    with st.container(horizontal=True, gap="small", key="upload_remedies"):
        upload = st.session_state.upload_raw
        if upload is not None:
            for i, remedy in enumerate(error.remedies):
                st.button(
                    remedy.label,
                    key=f"remedy_{i}",
                    type="primary" if i == 0 else "secondary",
                    on_click=again,
                    args=(dict(remedy.options),),
                )
            if upload.dictionary is not None:
                st.button("Read without the dictionary", key="remedy_labels", on_click=without_labels)
            if upload.content.strip():
                _read_differently(upload)
        st.button("Choose another file", key="upload_another", on_click=choose_another)
        st.button("Dismiss", key="upload_dismiss", type="tertiary", on_click=dismiss)


def _news(table: Table) -> None:
    people, columns = len(table.frame), len(table.frame.columns)
    head = f"“{widgets.escape(table.name)}” is read: {words.plural(people, 'row')}, {words.plural(columns, 'column')}."
    said = list(table.notes)
    try:
        if session.foremost(table):
            held = table.baskets(session.foremost(table))
            size = f"{words.plural(held.n, 'basket')} of {words.count(held.k)} items"
            head = f"“{widgets.escape(table.name)}” is read: {size}."
            said += [note for note in held.notes if note not in said]
    except DataError as error:
        said.append(str(error))
    notes = "".join(f"<br>{widgets.escape(note)}" for note in said)
    box, buttons = st.columns([74, 26], gap="small", vertical_alignment="center")
    with box:
        widgets.note(f"<b>{head}</b>{notes}")
    with buttons.container(horizontal=True, horizontal_alignment="right", gap="xsmall", key="upload_news_buttons"):
        upload = st.session_state.upload_raw
        if upload is not None:
            _read_differently(upload)
        st.button("OK", key="upload_dismiss", on_click=dismiss)


def _read_differently(upload: Upload) -> None:
    """What the rows are, separator, header and encoding, or the sheet, chosen by the person."""
    name = upload.name.lower().removesuffix(".gz")
    with st.popover("Read it differently", key="upload_options"):
        changes: dict[str, Any] = {"layout": _choice("What it holds", LAYOUTS, upload.options.layout)}
        changes |= dict.fromkeys(("user", "item", "category", "description"))
        if changes["layout"] == "pairs":
            changes |= _columns_of_pairs(upload)
        if name.endswith(EXCEL):
            sheet = st.text_input("Sheet", upload.options.sheet or "", placeholder="the first with anything in it")
            changes["sheet"] = sheet or None
        elif not name.endswith(".parquet"):
            changes["separator"] = _choice("Separator", SEPARATORS, upload.options.separator)
        changes["decimal"] = _choice("Before the decimals of numbers stands", DECIMALS, upload.options.decimal)
        changes["percent"] = _choice("Numbers beside percentages are", PERCENTS, upload.options.percent)
        if not name.endswith(".parquet"):
            changes["header"] = _choice("Names of the columns", HEADERS, upload.options.header)
        if not name.endswith((*EXCEL, ".parquet")):
            changes["encoding"] = _choice("Encoding", ENCODINGS, upload.options.encoding)
        st.button("Read again", key="upload_again", type="primary", on_click=again, args=(changes,))


def _columns_of_pairs(upload: Upload) -> dict[str, str | None]:
    """Which columns name the person, the item and what else is known of it, of a file that was read as a table."""
    table = kept().uploads.get(_free(upload.name))
    names = {None: "recognised"} | {str(name): str(name) for name in (table.frame.columns if table else ())}
    asked = {
        "user": "The person",
        "item": "The item",
        "category": "The item’s category",
        "description": "Its description",
    }
    return {key: _choice(label, dict(names), getattr(upload.options, key)) for key, label in asked.items()}


def _choice(label: str, options: dict[Any, str], chosen: Any) -> Any:
    known = list(options) if chosen in options else [*options, chosen]
    return st.selectbox(label, known, known.index(chosen), format_func=lambda option: options.get(option, str(option)))
