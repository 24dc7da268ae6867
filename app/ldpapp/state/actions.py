"""The functions that change what a person has: everything else of the app reads it, or calls these.

What tasks share is said once, in the Workspace, and a task's own settings beside it; the Studies follow. What is said
of a column changes in `column_actions`, what is compared in `comparisons`.
"""

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

import streamlit as st

from ldpapp.compute import bundled
from ldpapp.state import column_settings, studies
from ldpapp.state.model import KEY, ClassDraft, SessionState, named, settings_of, state, study_of, table, workspace
from ldpapp.state.workspace import ColumnSettings, TaskSettings, Workspace
from ldpapp.words.language import t
from ldpcore import data
from ldpcore.data.histogram import MISSING_LABEL
from ldpcore.study import Refused, Study, fit, mark_kinds
from ldpcore.study.tasks import TASKS

SHARED = ("epsilon", "secret_epsilon", "missing", "repetitions", "seed")
"""Fields of a Study that are the Workspace's."""


def start() -> None:
    """A new session: the first bundled data with the usual settings."""
    st.session_state[KEY] = SessionState(Workspace(bundled(next(iter(data.BUNDLED)))))
    _settle({})


# data ------------------------------------------------------------------------------------------------------------


def keep(upload: data.Table) -> None:
    """Take an upload in, and make it the chosen data."""
    state().uploads[upload.name] = upload
    _open(upload)


def reread(source: data.Table) -> None:
    """An upload read otherwise, or with other values declared missing: what was said of its columns stays, as far as it
    still holds.
    """
    session, before = state(), named(source.name).digest
    columns = {(source.digest, name): each for (digest, name), each in workspace().columns.items() if digest == before}
    session.workspace = replace(workspace(), columns={**workspace().columns, **columns})
    session.settings |= {
        (source.digest, task): each for (digest, task), each in session.settings.items() if digest == before
    }
    if session.current_column.get(before, "") in (*source.frame.columns, *source.sets):
        session.current_column[source.digest] = session.current_column[before]
    keep(source)
    unmark_gone(name for _, name in columns)
    _forget(before)


def unmark_gone(columns: Iterable[str]) -> None:
    """Marks of values that these columns have no more, since the file was read otherwise."""
    source = table()
    for name in columns:
        marked = workspace().columns[source.digest, name].marks.values
        _unmark_in(source.digest, name, column_settings.gone(source, name, marked), t("It is read otherwise now."))


def _forget(digest: str) -> None:
    """Lets go of what was said of a reading that nothing shows any more."""
    session = state()
    if digest in {table().digest, *(each.digest for each in session.uploads.values())}:
        return
    session.settings = {key: each for key, each in session.settings.items() if key[0] != digest}
    session.current_column.pop(digest, None)
    columns = {key: each for key, each in workspace().columns.items() if key[0] != digest}
    session.workspace = replace(workspace(), columns=columns)


def open_data(name: str) -> None:
    """Choose other data: their settings are as they were left, or as they usually are."""
    _open(named(name))


def _open(source: data.Table) -> None:
    """What is not about data (mechanisms, the axis, what all data have) stays as it is."""
    session = state()
    now = {task: settings_of(task) for task in TASKS}
    session.workspace = replace(session.workspace, table=source)
    _settle(now)


def _settle(now: dict[str, TaskSettings]) -> None:
    """Every task has settings of the chosen data; what is not about data is as it is now."""
    session, source = state(), table()
    for task in TASKS:
        before = now.get(task, TaskSettings())
        left = session.settings.get((source.digest, task))
        if left is None:
            left = TaskSettings(options=before.options and before.options.portable)
        session.settings[source.digest, task] = replace(
            left,
            mechanisms=before.mechanisms,
            leveled=before.leveled,
            is_empty=before.is_empty,
            axis=before.axis,
        )
    if source.digest not in session.current_column:
        session.current_column[source.digest] = foremost(source) or _column("frequency") or _column("sets")


def _column(task: str) -> str:
    return studies.column_of(task, table(), settings_of(task))


def foremost(source: data.Table) -> str:
    """The column of sets that these data are mainly about; "" for an ordinary table."""
    name = TASKS["sets"].default_column(source)
    return "" if name == data.ALL_COLUMNS else name


# studies ---------------------------------------------------------------------------------------------------------


def share(**fields: Any) -> None:
    """Change what every task shares."""
    change("frequency", **fields)


def change(task: str, **fields: Any) -> None:
    """Change fields of a task's Study: those that tasks share in the Workspace, the others in its settings.

    ValueError or TypeError, with a sentence, for what makes no sense: then nothing changes.
    """
    session, before, was = state(), workspace(), settings_of(task)
    shared = {name: value for name, value in fields.items() if name in SHARED}
    of_task = {name: value for name, value in fields.items() if name not in SHARED}
    if "options" in of_task and "bins" not in of_task:
        of_task["bins"] = study_of(task).bins  # the cells that options may be about
    session.workspace = replace(before, **shared) if shared else before
    session.settings[table().digest, task] = replace(was, **of_task) if of_task else was
    try:
        study_of(task)
    except (TypeError, ValueError):
        session.workspace, session.settings[table().digest, task] = before, was
        raise
    if "missing" in shared:
        _forget_missing()


def spend(study: Study) -> None:
    """Take the ε of this study, and that of its secret answers."""
    change(study.task, epsilon=study.epsilon, secret_epsilon=study.secret_epsilon)


def _forget_missing() -> None:
    """The rule for missing answers may take the value "(missing)" away."""
    if workspace().missing != "category":
        _unmark(MISSING_LABEL)


def _unmark(label: str) -> None:
    """A value that no column of the chosen data has any more is marked nowhere, and the person is told."""
    source = table()
    for (digest, name), settings in workspace().columns.items():
        # Items are no answers: none of theirs is a missing one. A column may be gone since the file was read otherwise.
        is_of_answers = digest == source.digest and name in source.frame.columns and name not in source.sets
        if is_of_answers and label in settings.marks.values and label not in column_settings.values(source, name):
            _unmark_in(digest, name, [label], t("The rule for missing answers leaves them out."))


def _unmark_in(digest: str, name: str, gone: Collection[str], why: str) -> None:
    """These values of a column are not marked any more, and the person is told."""
    if not gone:
        return
    settings = workspace().columns[digest, name]
    marks = settings.marks.each(lambda values: (value for value in values if value not in gone))
    columns = {**workspace().columns, (digest, name): replace(settings, marks=marks)}
    state().workspace = replace(workspace(), columns=columns)
    refuse(t("No longer marked in “{column}”: {value}.", column=name, value=", ".join(gone)), why)


def option(task: str, **changes: Any) -> None:
    """Set options of a Study; None removes one."""
    change(task, options=study_of(task).changed_options(**changes))


def withhold(task: str, is_withheld: bool) -> None:
    """Whether what is marked is left out of what a task publishes."""
    change(task, withholds=is_withheld)


def choose_mechanisms(task: str, keys: Iterable[str]) -> None:
    """Compare these, in the catalogue's order. None at all is a state of its own."""
    wanted = set(keys)
    chosen = tuple(key for key in TASKS[task].CATALOG if key in wanted)
    settings = replace(settings_of(task), is_empty=True)
    if chosen:
        settings = studies.choosing(task, settings, bool(study_of(task).marks.secret), chosen)
    state().settings[table().digest, task] = settings


def usual_mechanisms(task: str) -> None:
    """Nobody has chosen: the task takes those for these data."""
    state().settings[table().digest, task] = replace(settings_of(task), mechanisms=(), leveled=None, is_empty=False)


def choose_column(name: str, page: str = "") -> None:
    """A column chosen on one page is the column of every page that can be about it; of Ranges where its order is
    plain, or where it is asked for there (`page`, a task).
    """
    session, source = state(), table()
    session.current_column[source.digest] = name
    for task, about in TASKS.items():
        fitting = about.columns if task == page else getattr(about, "ordered", about.columns)
        if about.MARKS is mark_kinds.RECORDS or _column(task) == name or name not in fitting(source):
            continue
        now = settings_of(task)
        options = now.options  # of all columns, where this one is only looked at
        if not about.MARKS.looked_at:
            options = options and options.portable
        session.settings[source.digest, task] = replace(now, column=name, choices=(), bins=None, options=options)


def adopt(wanted: Study, source: data.Table, marks: bool = True, mechanisms: bool = True, follow: bool = True) -> None:
    """Make a study of a link or a file the session's, with a sentence for everything that these data do not have.

    marks or mechanisms false: a link that says nothing of them leaves them as they are. follow: whether other pages
    turn to its column.
    """
    if table().name != source.name:
        open_data(source.name)
    session, task = state(), wanted.task
    made, refused = fit(wanted, source)
    session.problems += refused
    session.workspace = replace(workspace(), **{name: getattr(wanted, name) for name in SHARED})
    _forget_missing()
    settings, now = studies.settings_in(made), settings_of(task)
    if not mechanisms:
        settings = replace(settings, mechanisms=now.mechanisms, leveled=now.leveled)
    session.settings[source.digest, task] = settings
    if made.column and (wanted.column == made.column or made.marks):
        for name, each in studies.columns_in(made, workspace()).items():
            before = column_settings.of(workspace(), name)
            after = each if marks else replace(each, marks=before.marks)
            if after != before:
                say(name, after)
        if follow and TASKS[task].MARKS is not mark_kinds.PAIRS:  # a pair is of its own page
            choose_column(made.column)


def say(name: str, settings: ColumnSettings) -> None:
    """Keep this of a column; what is said of all columns together, of each of them."""
    now, digest = workspace(), table().digest
    columns = {(digest, each): kept for each, kept in column_settings.apart(now, name, settings).items()}
    state().workspace = replace(now, columns={**now.columns, **columns})


def refuse(what: str, why: str = "") -> None:
    """Something to tell the person on the Data page."""
    state().problems.append(Refused(what, why))


def clear_problems() -> None:
    """The person has seen what could not be taken over."""
    state().problems.clear()


def stop(work: Study | None) -> None:
    """Stop filling in the work of this name; None goes on."""
    state().stopped = work


def ask(made: ClassDraft) -> None:
    """What the page Class would ask."""
    state().draft = made


def take_results(**changes: Any) -> None:
    """Other files on the page Results, or the same read otherwise."""
    state().results = replace(state().results, **changes)
