"""The functions that change what a person has: everything else of the app reads it, or calls these.

One frozen Study per task. What tasks share (data, ε, surveys, what is said of a column) follows in all of them at once,
so that sidebar, page, link and file can never disagree. What is said of a column changes in `column_actions`, what is
kept beside a Study in `comparisons`.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import streamlit as st

from ldpapp.state import column_settings
from ldpapp.state.model import KEY, Column, Draft, Kept, kept, named, table
from ldpapp.words.language import t
from ldpcore import data
from ldpcore.data.table import MISSING_LABEL
from ldpcore.study import Marks, Refused, Source, Study, fit, mark_kinds
from ldpcore.study.tasks import TASKS

SHARED = ("epsilon", "secret_epsilon", "missing", "repetitions", "seed")
"""Fields of a Study that are the same in every task."""


def start() -> None:
    """A new session: the first bundled data with the usual settings."""
    st.session_state[KEY] = Kept(next(iter(data.BUNDLED)))
    _opened(None)


# data ------------------------------------------------------------------------------------------------------------


def keep(upload: data.Table) -> None:
    """Take an upload in, and make it the chosen data."""
    before = table().digest
    kept().uploads[upload.name] = upload
    kept().data = upload.name
    _opened(before)


def reread(source: data.Table) -> None:
    """An upload with other values declared missing: what was said of its columns stays, as far as it still holds."""
    own, before = kept(), named(source.name).digest
    own.columns |= {(source.digest, name): told for (digest, name), told in own.columns.items() if digest == before}
    own.shelf[source.digest] = dict(own.studies if own.data == source.name else own.shelf.get(before, {}))
    if before in own.front:
        own.front[source.digest] = own.front[before]
    keep(source)
    for values in source.missing.values():
        for value in values:
            _unmark(value)
    _wear()


def open_data(name: str) -> None:
    """Choose other data: the Studies become those of these data, as they were left or as they usually are."""
    before = table().digest
    kept().data = name
    _opened(before)


def _opened(before: str | None) -> None:
    """The chosen data have changed. What is not about data (mechanisms, ε, surveys) stays as it is."""
    own, here = kept(), table()
    if before is not None:
        own.shelf[before] = dict(own.studies)
    left = own.shelf.get(here.digest, {})
    for task in TASKS:
        now, study = own.studies.get(task), left.get(task) or Study(Source(here.name), "", task=task, grid=())
        if now is not None:
            study = replace(study, mechanisms=now.mechanisms, axis=now.axis, **_shared(now))
            study = study if task in left else replace(study, options=_portable(now))
        _worn(task, study, now)
    if here.digest not in own.front:
        own.front[here.digest] = foremost(here) or own.studies["frequency"].column or own.studies["sets"].column


def foremost(source: data.Table) -> str:
    """The column of sets that these data are mainly about; "" for an ordinary table."""
    name = TASKS["sets"].default_column(source)
    return "" if name == data.ALL_COLUMNS else name


def _shared(study: Study) -> dict[str, Any]:
    return {name: getattr(study, name) for name in SHARED}


def _portable(study: Study) -> tuple[tuple[str, Any], ...]:
    return tuple(option for option in study.options if option[0] in TASKS[study.task].PORTABLE)


# studies ---------------------------------------------------------------------------------------------------------


def change(task: str, **fields: Any) -> None:
    """Change a task's Study. What tasks share follows in all of them.

    ValueError or TypeError, with a sentence, for what makes no sense: then nothing changes.
    """
    own = kept()
    if fields.get("secret_epsilon") is not None:
        own.secret_epsilon = fields["secret_epsilon"]
    elif "epsilon" in fields and own.secret_epsilon is not None:
        # It went down with ε, and comes back with it.
        fields["secret_epsilon"] = min(own.secret_epsilon, fields["epsilon"])
    own.studies[task] = replace(own.studies[task], **fields)
    shared = {name: value for name, value in fields.items() if name in SHARED}
    _share(shared)
    if "missing" in shared:
        _wear()


def _share(fields: dict[str, Any]) -> None:
    """Every task's Study gets these fields. The rule for missing answers may take the value "(missing)" away."""
    own = kept()
    own.studies = {name: replace(study, **fields) for name, study in own.studies.items()}
    if fields.get("missing", "category") != "category":
        _unmark(MISSING_LABEL)


def _unmark(label: str) -> None:
    """A value that no column of the chosen data has any more is marked nowhere, and the person is told."""
    own, digest = kept(), table().digest
    for (where, name), told in list(own.columns.items()):
        if where == digest and label in told.marks.values and label not in column_settings.values(name):
            marks = told.marks.each(lambda values: (value for value in values if value != label))
            own.columns[where, name] = replace(told, marks=marks)
            what = t("No longer marked in “{column}”: {value}.", column=name, value=label)
            refuse(what, t("The rule for missing answers leaves them out."))


def option(task: str, **changes: Any) -> None:
    """Set options of a Study; None removes one."""
    change(task, options=kept().studies[task].with_options(**changes).options)


def wear(task: str) -> None:
    """Look again at what is said of the columns: other columns are asked now."""
    _worn(task, kept().studies[task])


def _wear() -> None:
    """The same in every task."""
    for task, study in kept().studies.items():
        _worn(task, study)


def _worn(task: str, study: Study, before: Study | None = None) -> None:
    """A task's Study with what is said of the columns now. With the first secret mark the mechanisms for levels are
    compared, too, and with the last one they go, unless nothing else is compared.
    """
    own = kept()
    before = before or own.studies.get(task, study)
    own.studies[task] = now = column_settings.worn(study)
    about = TASKS[task]
    levels = about.CATALOG.by_level()
    secret, was = (bool(each.marks.secret) for each in (now, before))
    # Several questions are asked with the best of all there are: levels or not, nobody compares them one by one.
    if about.MARKS.every_column or not levels or secret == was or task in own.unchosen:
        return
    compared = {*now.mechanisms}
    if not secret:
        choose_mechanisms(task, compared - {*levels} or compared)
    elif not compared & {*levels}:
        choose_mechanisms(task, {*compared, *(key for key in levels if about.CATALOG[key].default)})


def choose_mechanisms(task: str, keys: Iterable[str]) -> None:
    """Compare these, in the catalogue's order. None at all is a state of its own."""
    wanted = set(keys)
    found = tuple(key for key in TASKS[task].CATALOG if key in wanted)
    if found:
        kept().unchosen.discard(task)
        change(task, mechanisms=found)
    else:
        kept().unchosen.add(task)


def usual_mechanisms(task: str) -> None:
    choose_mechanisms(task, TASKS[task].CATALOG.defaults)


def choose_column(name: str, page: str = "") -> None:
    """A column chosen on one page is the column of every page that can be about it; of Ranges where its order is
    plain, or where it is asked for there (`page`, a task).
    """
    own, source = kept(), table()
    own.front[source.digest] = name
    for task, now in own.studies.items():
        about = TASKS[task]
        fitting = about.columns if task == page else getattr(about, "ordered", about.columns)
        if about.MARKS is not mark_kinds.RECORDS and now.column != name and name in fitting(source):
            options = now.options if about.MARKS.every_column else _portable(now)  # of all columns, not of one
            _worn(task, replace(now, column=name, marks=Marks(), choices=(), bins=None, options=options), now)


def adopt(wanted: Study, source: data.Table, marks: bool = True, mechanisms: bool = True, follow: bool = True) -> None:
    """Make a study of a link or a file the session's, with a sentence for everything that these data do not have.

    marks or mechanisms false: a link that says nothing of them leaves them as they are. follow: whether other pages
    turn to its column.
    """
    if kept().data != source.name:
        open_data(source.name)
    own, task = kept(), wanted.task
    made, refused = fit(wanted, source)
    own.problems += refused
    own.secret_epsilon = wanted.secret_epsilon
    _share(_shared(wanted))
    if not mechanisms:
        made = replace(made, mechanisms=own.studies[task].mechanisms)
    own.studies[task] = made = replace(made, grid=())
    own.unchosen.discard(task)
    asked = wanted.column == made.column or bool(made.marks)
    if made.column and asked:
        if TASKS[task].MARKS.every_column:
            own.columns |= {
                (source.digest, name): told for name, told in column_settings.surveyed(made).items() if marks
            }
        else:
            before = column_settings.said(made.column)
            told = column_settings.heard(made, before)
            say(made.column, told if marks else replace(told, marks=before.marks))
        if follow:
            choose_column(made.column)
    _wear()


def say(name: str, told: Column) -> None:
    """Keep this of a column; what is said of all columns together, of each of them."""
    digest = table().digest
    kept().columns |= {(digest, each): said for each, said in column_settings.apart(name, told).items()}


def refuse(what: str, why: str = "") -> None:
    """Something to tell the person on the Data page."""
    kept().problems.append(Refused(what, why))


def clear_problems() -> None:
    """The person has seen what could not be taken over."""
    kept().problems.clear()


def stop(work: Study | None) -> None:
    """Stop filling in the work of this name; None goes on."""
    kept().stopped = work


def ask(made: Draft) -> None:
    """What the page Class would ask."""
    kept().draft = made
