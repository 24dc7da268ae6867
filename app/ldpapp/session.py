"""The functions that change what a person has: everything else of the app reads it, or calls these.

One frozen Study per task. What tasks share (data, ε, surveys, what is said of a column) follows in all of them at once,
so that sidebar, page, link and file can never disagree. What is kept beside a Study changes in `ldpapp.aside`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from ldpapp import columns
from ldpapp.kept import KEY, Column, Draft, Kept, front, kept, named, table
from ldpapp.language import t
from ldpcore import catalog, data
from ldpcore.catalog import Catalog
from ldpcore.data.table import MISSING_LABEL
from ldpcore.domain import Interval
from ldpcore.study import Arm, Refused, Source, Study, fit, intervals, readings
from ldpcore.study.definition import SECRET, SENSITIVE
from ldpcore.study.tasks import TASKS

LEVELED = {"frequency": catalog.LEVELS, "sets": catalog.LEVELED_SETS, "means": catalog.LEVELED_MEANS}
"""Task → its mechanisms with an ε for every level."""
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
        marked = any(label in arm.values for arm in told.arms)
        if where == digest and marked and label not in columns.values(name):
            arms = tuple(arm.each(lambda values: (value for value in values if value != label)) for arm in told.arms)
            own.columns[where, name] = replace(told, arms=arms)
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
    own.studies[task] = now = columns.worn(study)
    levels: Catalog | None = LEVELED.get(task)
    secret, was = (any(arm.secret for arm in each.arms) for each in (now, before))
    if levels is None or secret == was or task in own.unchosen:
        return
    chosen = {*now.mechanisms, *levels.defaults} if secret else {*now.mechanisms} - {*levels}
    if secret and {*now.mechanisms} & {*levels}:
        return
    choose_mechanisms(task, chosen or now.mechanisms)


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


def compare(task: str, both: bool) -> None:
    """Show two settings of marks beside each other, or the first alone."""
    own = kept()
    (own.comparing.add if both else own.comparing.discard)(task)
    wear(task)


def choose_column(name: str, page: str = "") -> None:
    """A column chosen on one page is the column of every page that can be about it; of Ranges where its order is
    plain, or where it is asked for there (`page`, a task).
    """
    own, source = kept(), table()
    own.front[source.digest] = name
    for task, now in own.studies.items():
        about = TASKS[task]
        fitting = about.columns if task == page else getattr(about, "ordered", about.columns)
        if about.MARKS != "records" and now.column != name and name in fitting(source):
            bare = tuple(Arm(arm.name) for arm in now.arms)
            options = now.options if about.MARKS == "questions" else _portable(now)  # of all columns, not of one
            _worn(task, replace(now, column=name, arms=bare, bins=None, options=options), now)


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
    if marks or len(made.arms) > 1:
        (own.comparing.add if len(made.arms) > 1 else own.comparing.discard)(task)
    own.unchosen.discard(task)
    asked = wanted.column == made.column or any(arm.marks for arm in made.arms)
    if made.column and asked:
        if TASKS[task].MARKS == "questions":
            own.columns |= {(source.digest, name): told for name, told in columns.surveyed(made).items() if marks}
        else:
            before = columns.said(made.column)
            told = columns.heard(made, before)
            _say(made.column, told if marks else replace(told, arms=before.arms))
        if follow:
            choose_column(made.column)
    _wear()


# what is said of a column ------------------------------------------------------------------------------------------


def describe(name: str, **fields: Any) -> None:
    """Say something else of a column; every Study about it follows."""
    own = kept()
    _say(name, replace(columns.said(name), **fields))
    own.editing = min(own.editing, len(columns.said(name).arms) - 1)
    for task, now in own.studies.items():
        of_all = TASKS[task].MARKS == "questions" or data.ALL_COLUMNS in (now.column, name)
        if now.column == name or of_all:  # whose marks are those of the columns
            _worn(task, now)


def _say(name: str, told: Column) -> None:
    """Keep this of a column; what is said of all columns together, of each of them."""
    digest = table().digest
    kept().columns |= {(digest, each): said for each, said in columns.apart(name, told).items()}


def edited() -> int:
    """Which setting of the front column's marks is edited."""
    return min(kept().editing, len(columns.said(front()).arms) - 1)


def edit(arm: int) -> None:
    kept().editing = arm


def set_marks(name: str, labels: Iterable[str], arm: int = 0) -> None:
    """Mark exactly these answers or items in one setting; those that are secret stay so."""
    secret = set(columns.arms(name)[arm].secret)
    set_levels(name, {label: SECRET if label in secret else SENSITIVE for label in labels}, arm)


def set_levels(name: str, levels: Mapping[str, str], arm: int = 0) -> None:
    """Mark exactly these answers or items in one setting, each at its level.

    Secret values need an ε of their own: half of that of the others, until somebody chooses.
    """
    settings, counted = list(columns.said(name).arms), columns.bins(name)
    said = Arm(settings[arm].name, tuple(levels.items()))
    settings[arm] = said.each(lambda values: columns.marks(name, values, counted))
    describe(name, arms=tuple(settings))
    study = kept().studies["frequency"]
    if said.secret and study.secret_epsilon is None:
        change("frequency", secret_epsilon=study.epsilon / 2)


def flatten(name: str) -> None:
    """Back to two levels: what was secret is marked as any other value."""
    describe(name, arms=tuple(arm.flat() for arm in columns.said(name).arms))


def set_intervals(name: str, pairs: Iterable[intervals.Pair]) -> str:
    """Mark exactly these intervals of numbers; a sentence where they make no sense, and nothing changes then."""
    public, settings = columns.public_range(name), list(columns.said(name).arms)
    if public is None:
        return t("“{column}” holds no numbers", column=name)
    try:
        found = intervals.parse_all((intervals.written(*pair) for pair in pairs), Interval(*public[:2]))
    except ValueError as error:
        return str(error)
    _, others = readings.split(settings[0].values)
    levels = dict(settings[0].marks)
    marked = [*(intervals.written(*pair) for pair in found), *others]
    settings[0] = Arm(settings[0].name, tuple((value, levels.get(value, SENSITIVE)) for value in marked))
    describe(name, arms=tuple(settings))
    return ""


def set_range(name: str, low: float, high: float, count: int) -> None:
    """State the public range of a column of numbers, and its bins."""
    describe(name, range=(low, high, count))


def second_arm(name: str) -> None:
    """Keep the marks as A and begin B as a copy of them, to be edited."""
    settings = columns.said(name).arms
    if len(settings) == 1:
        describe(name, arms=(settings[0], replace(settings[0], name="B")))
    kept().editing = 1


def rename_arm(name: str, arm: int, called: str) -> None:
    settings = list(columns.said(name).arms)
    settings[arm] = replace(settings[arm], name=called)
    describe(name, arms=tuple(settings))


def drop_arm(name: str, arm: int) -> None:
    """Back to one setting: the other one, called A."""
    settings = list(columns.said(name).arms)
    del settings[arm]
    describe(name, arms=(replace(settings[0], name="A"),))
    kept().editing = 0


def refuse(what: str, why: str = "") -> None:
    """Something to tell the person on the Data page."""
    kept().problems.append(Refused(what, why))


def stop(work: Study | None) -> None:
    """Stop filling in the work of this name; None goes on."""
    kept().stopped = work


def ask(made: Draft) -> None:
    """What the page Class would ask."""
    kept().draft = made
