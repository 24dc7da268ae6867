"""The setting that is kept beside a task's Study, A of A | B: what keeps, names, swaps and drops it."""

from collections.abc import Iterable
from dataclasses import replace

from ldpapp.state import actions
from ldpapp.state.model import Setting, Told, kept, named, names, table
from ldpapp.words.language import t
from ldpcore import data
from ldpcore.data import Table
from ldpcore.study import Comparison, Study, fit
from ldpcore.study.tasks import TASKS


def keep(task: str) -> None:
    """Keep the task's Study as A; what is changed from now on is B."""
    own = kept()
    own.beside[task] = Setting(replace(own.studies[task], grid=()))
    own.told[task] = _told(task, _names(own.studies[task]))


def drop(task: str) -> None:
    """Compare with nothing any more."""
    kept().beside.pop(task, None)
    kept().told.pop(task, None)


def name(task: str, called: str, other: str) -> str:
    """What the kept setting and the present one are called; a sentence where that makes no sense."""
    own = kept()
    setting = replace(own.beside[task], name=called.strip(), other=other.strip())
    try:
        setting.beside(own.studies[task])
    except ValueError as error:
        return str(error)
    own.beside[task] = setting
    return ""


def swap(task: str) -> None:
    """Edit the kept setting, and keep the present one in its place; each takes its name along, and what was said beside
    it: of its columns, say, which a link would leave as they are.
    """
    own = kept()
    was, now, told = own.beside[task], own.studies[task], own.told.get(task)
    present = _told(task, [*_names(now), *(told.columns if told else ())])
    elsewhere = (was.study.data, was.study.column) != (now.data, now.column)
    actions.adopt(was.study, named(was.study.data.name), follow=elsewhere)
    own.beside[task] = Setting(replace(now, grid=()), was.other, was.name)
    own.told[task] = present
    if told is not None:
        _tell(task, told)


def _names(study: Study) -> list[tuple[str, str]]:
    """The columns whose marks and ranges a study wears."""
    source = table()
    every = TASKS[study.task].MARKS.every_column or study.column == data.ALL_COLUMNS
    return [(source.digest, str(name)) for name in (source.frame.columns if every else [study.column])]


def _told(task: str, names: Iterable[tuple[str, str]]) -> Told:
    own = kept()
    # Tasks that know no answer "missing" take it for another rule; Frequency knows all of them.
    missing = own.studies["frequency"].missing
    return Told({name: own.columns.get(name) for name in names}, missing, task in own.unchosen)


def _tell(task: str, told: Told) -> None:
    own = kept()
    for name, column in told.columns.items():
        own.columns.pop(name, None)
        own.columns |= {} if column is None else {name: column}
    (own.unchosen.add if told.unchosen else own.unchosen.discard)(task)
    actions.change(task, missing=told.missing)  # and every Study wears its columns again


def adopt(wanted: Study | Comparison, source: Table, marks: bool = True, mechanisms: bool = True) -> None:
    """`session.adopt` of a study, or of two settings: the kept one has the same marks and mechanisms as the present one
    where nothing is said of them. A study alone leaves what is kept.
    """
    if isinstance(wanted, Study):
        actions.adopt(wanted, source, marks, mechanisms)
        return
    actions.adopt(wanted.b, source, marks, mechanisms)
    now, then = kept().studies[wanted.b.task], wanted.a
    then = replace(
        then,
        marks=then.marks if marks or then.marks else now.marks,
        mechanisms=then.mechanisms if mechanisms or then.mechanisms != wanted.b.mechanisms else now.mechanisms,
    )
    _take(Setting(then, wanted.name_a, wanted.name_b))


def _take(setting: Setting) -> None:
    """Keep this setting, as far as its data have it."""
    own, name = kept(), setting.study.data.name
    if name not in names():
        what = t("The setting “{name}” is about “{data}”, which is not loaded.", name=setting.name, data=name[:40])
        actions.refuse(what, t("It was left out."))
        return
    made, refused = fit(setting.study, named(name))
    own.problems += refused
    own.beside[made.task] = replace(setting, study=replace(made, grid=()))
