"""A link of one's own data: the file is nowhere but with its owner, so that they choose it again, and then all is as it
was. What was said of it stands in the link, sealed with the file (`ldpcore.study.sealed`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import streamlit as st

from ldpapp.state import actions, comparisons, view_options
from ldpapp.state.model import current_column, is_public, table, workspace
from ldpapp.state.workspace import ColumnSettings
from ldpapp.views.data import kept_files
from ldpapp.views.tasks import TASKS
from ldpapp.words.language import t
from ldpcore.data import DataError, Table
from ldpcore.study import Comparison, Marks, Source, Study, StudyError, comparison, sealed, serial, to_toml

OWN = "own"
"""The link's parameter."""
LONGEST = 6000
"""Characters of it: what is longer is not carried, and the Study file has it."""
_AWAITED, _OTHER = "own_awaited", "own_other"
"""The session's keys of the link whose file is awaited, and of the one that was opened in its place, with that file."""


def written(setting: Study | Comparison, wishes: Mapping[str, str]) -> dict[str, list[str]]:
    """What the link of an upload says of it. wishes: what is wished of its page, which may name answers."""
    seal_key = kept_files.key(table())
    if seal_key is None:
        return {OWN: [""]}
    columns: dict[str, Any] = {}
    for (digest, name), each in workspace().columns.items():
        if digest == table().digest:
            columns[name] = asdict(each) | {"marks": each.marks.levels}
    words = {"setting": to_toml(setting), "column": current_column(), "columns": columns, "wishes": dict(wishes)}
    text = sealed.seal(words, seal_key)
    return {OWN: [text if len(text) <= LONGEST else ""]}


def wait(query: Mapping[str, Sequence[str]]) -> None:
    """A link of somebody's own data: nothing is shown in their place until the file is here."""
    view_options.choose(_AWAITED, {name: list(values) for name, values in query.items()})


def awaited() -> dict[str, list[str]]:
    """What the link said whose file is not here; empty where none is awaited."""
    return view_options.look(_AWAITED) or {}


def go_on() -> None:
    """Without the file: with the data that are open."""
    st.session_state.pop(_AWAITED, None)


def is_other() -> bool:
    """Whether the file that is open was chosen for a link that is not its own."""
    return view_options.look(_OTHER, (None,))[0] == table().digest


def again() -> None:
    """The link's file is awaited again: the one that is open is another."""
    actions.clear_problems()
    wait(view_options.look(_OTHER)[1])


def resume() -> None:
    """A file is here: what the link has sealed with it is as it was."""
    query = awaited()
    if not query or is_public() or is_other():
        return
    go_on()
    text, seal_key = query[OWN][0], kept_files.key(table())
    if not text or seal_key is None:
        actions.refuse(t("This link names nothing of its file."), t("Mark anew, or load the Study file."))
        return
    try:
        opened = sealed.unseal(text, seal_key)
    except ValueError:
        view_options.choose(_OTHER, (table().digest, query))
        actions.refuse(t("This is another file than the link’s."), t("What was marked and decided there is left out."))
        return
    try:
        _take(opened)
    except (StudyError, DataError, KeyError, TypeError, ValueError, AttributeError) as error:
        actions.refuse(t("Not all of the link could be taken over."), str(error))


def _take(said: Mapping[str, Any]) -> None:
    setting = comparison.renamed(serial.read_toml(said["setting"]), table().name)
    wanted = setting.b if isinstance(setting, Comparison) else setting
    source = _as_read(table(), wanted.data)
    comparisons.adopt(setting, source)
    for name, each in said["columns"].items():
        if name in (*source.frame.columns, *source.sets):
            marks = Marks(tuple((str(value), str(level)) for value, level in each["marks"]))
            low_high = each["range"] and (float(each["range"][0]), float(each["range"][1]), int(each["range"][2]))
            actions.say(name, ColumnSettings(bool(each["binned"]), low_high, marks))
    view_options.wish_as(TASKS[wanted.task].wishes, said.get("wishes", {}))
    if said["column"] != current_column() and said["column"] in (*source.frame.columns, *source.sets):
        actions.choose_column(said["column"])


def _as_read(source: Table, wanted: Source) -> Table:
    """The file as it was read, with what was decided of it."""
    made = kept_files.as_read(source, wanted.read).with_missing(dict(wanted.missing))
    if made is not source:
        actions.reread(made)
    if made.options != wanted.read:
        actions.refuse(t("The file is too large to be read otherwise here."), t("It is read as usual."))
    return made
