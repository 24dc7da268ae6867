"""A task's Study is what its settings and the Workspace say, and the other way round: both ways stand here, for each of
the ways in which marks mean something to a task.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from ldpapp.state import column_settings
from ldpapp.state.workspace import ColumnSettings, TaskSettings, Workspace
from ldpcore.data import Table
from ldpcore.study import Marks, Source, Study, clusters, fit, fitting, mark_kinds, means, ranges, relations, review
from ldpcore.study.definition import KINDS, LEVELS
from ldpcore.study.fitting import Draft
from ldpcore.study.mark_kinds import MarkKind
from ldpcore.study.tasks import TASKS, Task

Made = tuple[Workspace, TaskSettings, Study]
"""A Study, and what it was derived from."""


def remembered(made: dict[str, Made], task: str, workspace: Workspace, settings: TaskSettings) -> Study:
    """The Study of a task; the one there is while nothing else is said."""
    known = made.get(task)
    if known is None or known[0] is not workspace or known[1] is not settings:
        made[task] = workspace, settings, derived(task, workspace, settings)
    return made[task][2]


def derived(task: str, workspace: Workspace, settings: TaskSettings) -> Study:
    """The Study that these say. ValueError or TypeError, with a sentence, where they make no sense."""
    draft = Draft(
        Source.of(workspace.table),
        column_of(task, workspace.table, settings),
        epsilon=workspace.epsilon,
        secret_epsilon=workspace.secret_epsilon,
        missing=workspace.missing,
        repetitions=workspace.repetitions,
        seed=workspace.seed,
        task=task,
        axis=settings.axis or KINDS[task].axes[0],
        grid=(),
        n=settings.n,
        bins=settings.bins,
        options=settings.options or KINDS[task].options(),
        choices=settings.choices,
    )
    about = TASKS[task]
    if about.MARKS in _APPLIED and (draft.column or about.MARKS is mark_kinds.RECORDS):
        _APPLIED[about.MARKS](draft, workspace, settings)
    draft.set(mechanisms=_compared(about, draft.marks, settings))
    options = draft.options
    study, refused = fit(draft, workspace.table)
    # What a person chose and the data do not allow stays, and the page says why.
    return replace(study, options=options) if any(each.is_option for each in refused) else study


def column_of(task: str, table: Table, settings: TaskSettings) -> str:
    """The column that a task is about; "" where these data have none for it."""
    about = TASKS[task]
    if about.MARKS is mark_kinds.RECORDS:
        return settings.column
    known = about.columns(table)
    if settings.column in known:
        return settings.column
    usual = about.default_column(table)
    return usual if usual in known or not usual else next(iter(known), "")


def _by_level(about: Task) -> tuple[str, ...]:
    """The mechanisms that are compared only while something is secret, unless somebody chooses them. Several questions
    are asked with the best of all there are: nobody compares them one by one.
    """
    return () if about.MARKS.looked_at else tuple(about.CATALOG.by_level())


def _compared(about: Task, marks: Marks, settings: TaskSettings) -> tuple[str, ...]:
    """The mechanisms, in the catalogue's order; () where nobody has chosen, and the task takes those for these data."""
    by_level, mechanisms = _by_level(about), settings.mechanisms or about.CATALOG.defaults
    if not marks.secret or not by_level:
        return settings.mechanisms
    if settings.leveled is not None:
        return settings.leveled
    if settings.is_empty or {*mechanisms} & {*by_level}:
        return mechanisms
    usual = {key for key in by_level if about.CATALOG[key].default}
    return tuple(key for key in about.CATALOG if key in {*mechanisms, *usual})


def choosing(task: str, settings: TaskSettings, is_secret: bool, chosen: tuple[str, ...]) -> TaskSettings:
    """The settings with these mechanisms chosen, while something is secret or nothing is."""
    by_level = _by_level(TASKS[task])
    if not is_secret or not by_level:
        return replace(settings, mechanisms=chosen, leveled=None, is_empty=False)
    flat = tuple(key for key in chosen if key not in by_level)
    return replace(settings, mechanisms=flat or chosen, leveled=chosen, is_empty=False)


# what is said of columns, in a Study ---------------------------------------------------------------------------------


def _answers(draft: Draft, workspace: Workspace, settings: TaskSettings) -> None:
    marks = column_settings.label_marks(workspace, draft.column)
    draft.set(bins=column_settings.bins(workspace, draft.column), marks=marks)


def _items(draft: Draft, workspace: Workspace, settings: TaskSettings) -> None:
    if settings.withholds or TASKS[draft.task].MARKS is not mark_kinds.WITHHELD:
        draft.set(marks=column_settings.of(workspace, draft.column).marks)


def _intervals(draft: Draft, workspace: Workspace, settings: TaskSettings) -> None:
    public = column_settings.public_range(workspace, draft.column)
    if public is None:
        return
    low, high, _ = public
    marks = column_settings.of(workspace, draft.column).marks
    count = settings.bins[2] if settings.bins else means.BINS
    draft.set(bins=(low, high, count), marks=marks.each(lambda values: column_settings.within(values, public)))


def _cells(draft: Draft, workspace: Workspace, settings: TaskSettings) -> None:
    """Ranges are asked by the numbers of their cells: of other cells they would be other ranges."""
    cut = column_settings.cells(workspace, draft, settings.bins[2] if settings.bins else 1 << ranges.HEIGHT)
    if cut != settings.bins:
        draft.set(options=draft.changed_options(asked=None))
    draft.set(bins=cut)


def _questions(draft: Draft, workspace: Workspace, settings: TaskSettings) -> None:
    """What is said of every column: marks, and ranges that somebody has stated."""
    every = {name: column_settings.of(workspace, name) for name in review.questions(workspace.table)}
    marked = [mark for name, each in every.items() for mark in _written(name, each.marks).levels]
    stated = {
        name: each.range
        for name, each in every.items()
        if each.range is not None and column_settings.bins(workspace, name) is not None
    }
    draft.set(options=draft.changed_options(ranges=review.stating(stated) or None), marks=Marks(tuple(marked)))


def _pair(draft: Draft, workspace: Workspace, settings: TaskSettings) -> None:
    """What is said of two columns, each answer for itself."""
    draft.set(marks=_together(workspace, filter(None, relations.asked_pair(draft, workspace.table))))


def _records(draft: Draft, workspace: Workspace, settings: TaskSettings) -> None:
    """What is said of the columns of a record."""
    known = clusters.categories(workspace.table)
    names = [name for name in clusters.options(draft).columns if name in known] or clusters.usual(
        workspace.table, column_settings.marked_beside(workspace, "")
    )
    draft.set(marks=_together(workspace, names))


def _together(workspace: Workspace, names: Iterable[str]) -> Marks:
    """The marks of several columns, each with the name of its own."""
    marked = {name: _one_by_one(workspace, name).levels for name in names}
    return Marks(
        tuple((relations.written(name, [value])[0], level) for name in marked for value, level in marked[name])
    )


def _one_by_one(workspace: Workspace, name: str) -> Marks:
    """The marks of a column as its answers, also where numbers are counted in bins elsewhere."""
    marks = column_settings.of(workspace, name).marks
    return marks.each(lambda values: column_settings.labels(workspace, name, values, None))


def _written(name: str, marked: Marks) -> Marks:
    """Marks of a column as a survey writes them."""
    return marked.each(lambda values: review.written(name, values))


# and back ------------------------------------------------------------------------------------------------------------


def settings_in(study: Study) -> TaskSettings:
    """What a Study that fits its data says of its task."""
    settings = TaskSettings(
        study.column,
        axis=study.axis,
        n=study.n,
        bins=study.bins,
        options=study.options,
        choices=study.choices,
        withholds=bool(study.marks),
    )
    return choosing(study.task, settings, bool(study.marks.secret), study.mechanisms)


def columns_in(study: Study, workspace: Workspace) -> dict[str, ColumnSettings]:
    """What a Study that fits the data says of their columns, where that is something else than is said now."""
    kind = TASKS[study.task].MARKS
    if kind in _READ_TOGETHER:
        return _READ_TOGETHER[kind](study, workspace)
    before = column_settings.of(workspace, study.column)
    return {study.column: _READ[kind](study, workspace, before) if kind in _READ else before}


def _of_answers(study: Study, workspace: Workspace, before: ColumnSettings) -> ColumnSettings:
    marks = study.marks.each(lambda values: column_settings.marks(workspace, study.column, values, study.bins))
    return ColumnSettings(study.bins is not None, study.bins or before.range, marks)


def _of_intervals(study: Study, workspace: Workspace, before: ColumnSettings) -> ColumnSettings:
    if study.bins is None:
        return before
    low, high, _ = study.bins
    return ColumnSettings(before.binned, fitting.round_bins(low, high), study.marks)


def _of_cells(study: Study, workspace: Workspace, before: ColumnSettings) -> ColumnSettings:
    if study.bins is None:
        return replace(before, binned=False)
    low, high, count = study.bins
    # Whole numbers one by one: the last cell ends one after the range does.
    high -= (high - low) / count if (high - low) == count else 0
    return replace(before, binned=True, range=fitting.round_bins(low, high))


def _of_questions(study: Study, workspace: Workspace) -> dict[str, ColumnSettings]:
    names = review.questions(workspace.table)
    marks_of, stated = _by_question(study.marks, names), review.stated(study.option("ranges"), names)
    changed: dict[str, ColumnSettings] = {}
    for name in names:
        before = column_settings.of(workspace, name)
        now = replace(before, marks=marks_of.get(name, Marks()), range=stated.get(name, before.range))
        if now != before:
            changed[name] = now
    return changed


def _apart(study: Study, workspace: Workspace, names: Sequence[str]) -> dict[str, ColumnSettings]:
    """Marks of these columns together, as what is said of each."""
    changed: dict[str, ColumnSettings] = {}
    for name in names:
        labels = study.marks.each(lambda values, name=name: relations.split(values, names)[name])
        if set(labels.levels) != set(_one_by_one(workspace, name).levels):
            now = labels.each(lambda values, name=name: column_settings.marks(workspace, name, values, None))
            changed[name] = replace(column_settings.of(workspace, name), marks=now)
    return changed


def _by_question(marked: Marks, names: Sequence[str]) -> dict[str, Marks]:
    """Marks of a survey by their columns."""
    by_column: dict[str, list[tuple[str, str]]] = {}
    for level in LEVELS:
        of_level = (value for value, each in marked.levels if each == level)
        for name, values in review.split(of_level, names).items():
            by_column.setdefault(name, []).extend((value, level) for value in values)
    return {name: Marks(tuple(levels)) for name, levels in by_column.items()}


_APPLIED: dict[MarkKind, Callable[[Draft, Workspace, TaskSettings], None]] = {
    mark_kinds.ANSWERS: _answers,
    mark_kinds.ITEMS: _items,
    mark_kinds.INTERVALS: _intervals,
    mark_kinds.QUESTIONS: _questions,
    mark_kinds.PAIRS: _pair,
    mark_kinds.RECORDS: _records,
    mark_kinds.WITHHELD: _items,
    mark_kinds.CELLS: _cells,
}
_READ: dict[MarkKind, Callable[[Study, Workspace, ColumnSettings], ColumnSettings]] = {
    mark_kinds.ANSWERS: _of_answers,
    mark_kinds.ITEMS: lambda study, workspace, before: replace(before, marks=study.marks),
    mark_kinds.INTERVALS: _of_intervals,
    mark_kinds.WITHHELD: lambda study, workspace, before: replace(before, marks=study.marks or before.marks),
    mark_kinds.CELLS: _of_cells,
}
_READ_TOGETHER: dict[MarkKind, Callable[[Study, Workspace], dict[str, ColumnSettings]]] = {
    mark_kinds.QUESTIONS: _of_questions,
    mark_kinds.PAIRS: lambda study, workspace: _apart(study, workspace, [study.option("groups"), study.column]),
    mark_kinds.RECORDS: lambda study, workspace: _apart(study, workspace, study.option("columns")),
}
"""How what is said of columns goes into a Study, and how it is read off one: of one column, of several together."""
