"""The setting that a task's present one is compared with, A of A | B: what keeps, names, swaps and drops it."""

from dataclasses import replace

from ldpapp.state import actions, studies
from ldpapp.state.model import KeptSetting, named, names, settings_of, state, study_of, table, workspace
from ldpapp.state.workspace import Workspace
from ldpapp.words.language import t
from ldpcore import data
from ldpcore.data import Table
from ldpcore.study import Comparison, Study, fit, mark_kinds
from ldpcore.study.tasks import TASKS


def keep(task: str) -> None:
    """Keep the task's present setting as A; what is changed from now on is B."""
    state().compared[task] = _present(task)


def _present(task: str, name: str = "A", other: str = "B") -> KeptSetting:
    return KeptSetting(study_of(task), workspace(), settings_of(task), name, other)


def drop(task: str) -> None:
    """Compare with nothing any more."""
    state().compared.pop(task, None)


def name(task: str, called: str, other: str) -> str:
    """What the kept setting and the present one are called; a sentence where that makes no sense."""
    setting = replace(state().compared[task], name=called.strip(), other=other.strip())
    try:
        setting.compared(study_of(task))
    except ValueError as error:
        return str(error)
    state().compared[task] = setting
    return ""


def swap(task: str) -> None:
    """Edit the kept setting, and keep the present one in its place; each takes its name along, and what was said of its
    columns.
    """
    session, was = state(), state().compared[task]
    present = _present(task, was.other, was.name)
    source = was.workspace.table
    if source.digest != table().digest:
        actions.open_data(source.name)
    digest = table().digest  # the file may have been read otherwise since
    kept = {(digest, key[1]): each for key, each in was.workspace.columns.items() if _is_about(key, was)}
    others = {key: each for key, each in workspace().columns.items() if key[0] != digest or not _is_of(key[1], was)}
    session.workspace = replace(was.workspace, table=table(), columns={**others, **kept})
    session.settings[table().digest, task] = was.settings
    session.compared[task] = present
    is_elsewhere = (present.study.data, present.study.column) != (was.study.data, was.study.column)
    actions.unmark_gone(name for _, name in kept)
    is_pair = TASKS[task].MARKS is mark_kinds.PAIRS  # which is of its own page
    if is_elsewhere and not is_pair and was.study.column in (*table().frame.columns, *table().sets):
        actions.choose_column(was.study.column)


def _is_about(key: tuple[str, str], setting: KeptSetting) -> bool:
    """Whether what is said of this column is a part of the setting."""
    return key[0] == setting.study.data.digest and _is_of(key[1], setting)


def _is_of(column: str, setting: KeptSetting) -> bool:
    """Whether the setting is about this column of its data."""
    study = setting.study
    every = TASKS[study.task].MARKS.every_column or study.column == data.ALL_COLUMNS
    return every or column == study.column


def adopt(wanted: Study | Comparison, source: Table, marks: bool = True, mechanisms: bool = True) -> None:
    """`actions.adopt` of a study, or of two settings: the kept one has the same marks and mechanisms as the present one
    where nothing is said of them. A study alone leaves what is kept.
    """
    if isinstance(wanted, Study):
        actions.adopt(wanted, source, marks, mechanisms)
        return
    actions.adopt(wanted.b, source, marks, mechanisms)
    now, then = study_of(wanted.b.task), wanted.a
    then = replace(
        then,
        marks=then.marks if marks or then.marks else now.marks,
        mechanisms=then.mechanisms if mechanisms or then.mechanisms != wanted.b.mechanisms else now.mechanisms,
    )
    _take(then, wanted.name_a, wanted.name_b)


def _take(study: Study, name: str, other: str) -> None:
    """Compare with this setting, as far as its data have it."""
    if study.data.name not in names():
        what = t("The setting “{name}” is about “{data}”, which is not loaded.", name=name, data=study.data.name[:40])
        actions.refuse(what, t("It was left out."))
        return
    source = named(study.data.name)
    made, refused = fit(study, source)
    state().problems += refused
    shared = {each: getattr(study, each) for each in actions.SHARED}
    then = Workspace(source, workspace().columns, **shared)
    columns = {(source.digest, column): each for column, each in studies.columns_in(made, then).items()}
    then = replace(then, columns={**then.columns, **columns})
    state().compared[made.task] = KeptSetting(replace(made, grid=()), then, studies.settings_in(made), name, other)
