"""Files as they came, kept in the session to be read otherwise, and the ways to do that.

Nothing is written to disk and nothing is logged.
"""

import dataclasses
from collections.abc import Iterable
from typing import Any

import streamlit as st

from ldpapp.state import actions
from ldpapp.state.model import table
from ldpapp.words.language import t
from ldpcore import data
from ldpcore.data import Assumption, DataError, ReadOptions, Table
from ldpcore.data.assumptions import leaving
from ldpcore.data.readings import SourceFile
from ldpcore.study import sealed

KEPT_BYTES = 50_000_000
"""Files that are kept, to be read otherwise, have together as many; a larger one is chosen again."""


def kept(source: Table) -> SourceFile | None:
    """The file that this table was read from, as it came; None where its bytes are gone."""
    if source.card is not None and source.name in data.BUNDLED:
        return SourceFile(source.name, b"", options=source.options)
    return st.session_state.get("upload_kept", {}).get(source.name)


def key(source: Table) -> bytes | None:
    """The key of this table's file (`ldpcore.study.sealed`); None where it came without one."""
    return st.session_state.get("upload_seals", {}).get(source.name)


def _keep(name: str, upload: SourceFile) -> None:
    """The files read last, as many as there is room for."""
    files = {other: each for other, each in st.session_state.get("upload_kept", {}).items() if other != name}
    room = KEPT_BYTES - len(upload.content)
    left = {}
    for other, each in reversed(files.items()):
        room -= len(each.content)
        if room >= 0:
            left[other] = each
    fitting = dict(reversed(left.items()))
    st.session_state.upload_kept = fitting | ({name: upload} if len(upload.content) <= KEPT_BYTES else {})


def described(source: Table, **told: Any) -> None:
    """The file of this table came with another one: a dictionary of labels, or what is known of its items."""
    if (upload := kept(source)) is not None:
        _keep(source.name, dataclasses.replace(upload, **told))


def read(upload: SourceFile) -> Table | None:
    """The table, whose file is then kept; None where it cannot be read, and why is said."""
    try:
        made = upload.read(upload.name if upload.is_bundled else free(upload.name))
    except DataError as error:
        st.session_state.upload_raw = upload
        fail(error)
        return None
    st.session_state.upload_raw = None
    if not upload.is_bundled:
        _keep(made.name, upload)
        seals = st.session_state.get("upload_seals", {})
        st.session_state.upload_seals = seals | {made.name: sealed.key(upload.content)}
    return made


def as_read(source: Table, options: ReadOptions) -> Table:
    """The table read by these options, as a Study file has them; as it is where its bytes are gone, whose digest tells
    whether that is the same. DataError: it cannot be read so.
    """
    upload = kept(source)
    if upload is None or options == source.options:
        return source
    upload = dataclasses.replace(upload, options=options)
    made = upload.read(source.name)
    if not upload.is_bundled:
        _keep(source.name, upload)
    return made


def fail(error: DataError) -> None:
    st.session_state.update(upload_error=error)


def free(name: str) -> str:
    """A file may be called like a bundled data set."""
    return t("{name} (yours)", name=name) if name in data.BUNDLED else name


def decide(options: ReadOptions) -> None:
    """Read the chosen data as these options say: what was said of their columns stays, as far as it still holds."""
    source = table()
    upload = kept(source)
    if upload is None:
        fail(DataError(t("The bytes of “{data}” are gone.", data=source.name), t("Choose the file again.")))
        return
    if (made := read(dataclasses.replace(upload, options=options))) is not None:
        actions.reread(made)
        st.session_state.update(upload_error=None)


def leave(assumptions: Iterable[Assumption]) -> None:
    """These are left as they are: nothing is read again."""
    source, keys = table(), {each.key for each in assumptions}
    settled = tuple(dataclasses.replace(each, decided=each.decided or each.key in keys) for each in source.assumptions)
    options = leaving(source.options, [each for each in settled if each.key in keys])
    actions.reread(dataclasses.replace(source, options=options, assumptions=settled))
    st.session_state.update(upload_error=None)
    if (upload := kept(source)) is not None and not upload.is_bundled:
        _keep(source.name, dataclasses.replace(upload, options=options))


def differently(changes: dict[str, Any]) -> None:
    """The person's own choice of how the chosen data are to be read."""
    try:
        decide(dataclasses.replace(table().options, **changes))
    except DataError as error:
        fail(error)
