"""The setting that is kept beside a task's Study: the only functions, with `ldpapp.session`, that change what a person
has.
"""

from dataclasses import replace

from ldpapp import session
from ldpapp.kept import kept, named, names
from ldpapp.language import t
from ldpcore.data import Table
from ldpcore.study import Beside, Study, fit


def keep(task: str) -> None:
    """Keep the task's Study as A; what is changed from now on is B."""
    own = kept()
    own.beside[task] = Beside(replace(own.studies[task], grid=()))


def drop(task: str) -> None:
    """Compare with nothing any more."""
    kept().beside.pop(task, None)


def name(task: str, called: str, other: str) -> str:
    """What the kept setting and the present one are called; a sentence where that makes no sense."""
    own = kept()
    try:
        own.beside[task] = replace(own.beside[task], name=called.strip(), other=other.strip())
    except ValueError as error:
        return str(error)
    return ""


def swap(task: str) -> None:
    """Edit the kept setting, and keep the present one in its place; each takes its name along."""
    own = kept()
    was, now = own.beside[task], own.studies[task]
    session.adopt(was.study, named(was.study.data.name))
    own.beside[task] = Beside(replace(now, grid=()), was.other, was.name)


def adopt(wanted: Study, source: Table, beside: Beside | None, marks: bool = True, mechanisms: bool = True) -> None:
    """`session.adopt`, with what the study is compared with, which has the same marks and mechanisms where nothing is
    said of them; None leaves what is kept.
    """
    session.adopt(wanted, source, marks, mechanisms)
    if beside is None:
        return
    now, then = kept().studies[wanted.task], beside.study
    arms = then.arms if marks or any(arm.marks for arm in then.arms) else now.arms
    keys = then.mechanisms if mechanisms or then.mechanisms != wanted.mechanisms else now.mechanisms
    _take(replace(beside, study=replace(then, arms=arms, mechanisms=keys)))


def _take(beside: Beside) -> None:
    """Keep this setting, as far as its data have it."""
    own, name = kept(), beside.study.data.name
    if name not in names():
        what = t("The setting “{name}” is about “{data}”, which is not loaded.", name=beside.name, data=name[:40])
        session.refuse(what, t("It was left out."))
        return
    made, refused = fit(beside.study, named(name))
    own.problems += refused
    own.beside[made.task] = replace(beside, study=replace(made, grid=()))
