"""What is said of a column, and how a Study wears it: one home for marks, ranges and readings."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from ldpapp.state.model import Column, kept, table
from ldpapp.words.language import t
from ldpcore import data
from ldpcore.study import Marks, Study, fit, fitting, intervals, mark_kinds, ranges, readings, review
from ldpcore.study.definition import LEVELS
from ldpcore.study.fitting import Range
from ldpcore.study.mark_kinds import MarkKind
from ldpcore.study.tasks import TASKS

EXAMPLES = {"the upper end": data.UPPER, "the lower end": 0.25, "both ends (the paper’s SDPM-50)": 0.5}
"""Marks of numbers in one click → where they begin or end, as a share of the public range. `examples` says them."""


def examples() -> dict[str, str]:
    """Key of EXAMPLES → what it is called."""
    return {
        "the upper end": t("the upper end"),
        "the lower end": t("the lower end"),
        "both ends (the paper’s SDPM-50)": t("both ends (the paper’s SDPM-50)"),
    }


def said(name: str) -> Column:
    """What is said of a column of the chosen data; until somebody does, what its data suggest."""
    source = table()
    if _together(source, name):
        return Column(False, None, _union(source))
    return kept().columns.get((source.digest, name)) or _usual(source, name)


def _usual(source: data.Table, name: str) -> Column:
    """On bundled data something is marked, so that there is something to see."""
    profile, card = fitting.column(source, name), source.card
    if profile is None or not profile.numeric:
        about = card is not None and name == card.default_column
        return Column(False, None, Marks.of(card.default_marks if card and about else ()))
    is_number = profile.role == "number"
    if card is None or not is_number:
        return Column(is_number, None, Marks())
    return Column(True, None, Marks.of(example("the upper end", fitting.proposed(profile))))


# all columns together ----------------------------------------------------------------------------------------------


def _together(source: data.Table, name: str) -> bool:
    """Whether this is the column of items "column = value": those have no marks but their columns'."""
    return name == data.ALL_COLUMNS and name in source.sets


def _items(source: data.Table) -> dict[str, dict[str, str]]:
    """Column → its items → their values; none where they cannot be collected, and whoever collects them says why."""
    try:
        groups = source.baskets(data.ALL_COLUMNS).groups
    except data.DataError:
        return {}
    named = {name: items for name, items in groups.items() if name != data.ALL_COLUMNS}
    return {name: {item: item.removeprefix(f"{name} = ") for item in items} for name, items in named.items()}


def _marked(items: dict[str, str], name: str, marked: Marks) -> dict[str, str]:
    """The items of a column that its marks are about, and at which level."""
    chosen = dict(marked.each(lambda values: labels(name, values, None)).levels)
    return {item: chosen[value] for item, value in items.items() if value in chosen}


def _union(source: data.Table) -> Marks:
    """The marks of every column as marks of items."""
    columns = _items(source).items()
    return Marks(tuple(mark for name, items in columns for mark in _marked(items, name, said(name).marks).items()))


def apart(name: str, told: Column) -> dict[str, Column]:
    """What is said of a column, by the columns that keep it: marks of all columns' items are those of their columns.

    A column none of whose items changed is left out: an interval of numbers keeps its ends.
    """
    source = table()
    if not _together(source, name):
        return {name: told}
    marks_of = {each: _own(items, each, told.marks) for each, items in _items(source).items()}
    return {each: replace(said(each), marks=own) for each, own in marks_of.items() if own != said(each).marks}


def _own(items: dict[str, str], name: str, every: Marks) -> Marks:
    """The marks of one column, of marks of all columns' items."""
    was, chosen = said(name).marks, dict(every.levels)
    now = {item: chosen[item] for item in items if item in chosen}
    if now == _marked(items, name, was):
        return was
    others = readings.split(was.values)[1] if _is_number(name) else was.values  # "(missing)" is no item
    rest = [mark for mark in was.levels if mark[0] in others and mark[0] not in items.values()]
    named = Marks(tuple((items[item], level) for item, level in now.items()))
    return Marks((*named.each(lambda values: marks(name, values, None)).levels, *rest))


# how marks are written ---------------------------------------------------------------------------------------------


def example(name: str, public: Range) -> list[str]:
    """The marks of one of the EXAMPLES, as they are kept."""
    low, high, _ = public
    share = EXAMPLES[name]
    if name == "the upper end":
        return [intervals.written(*data.upper_end(fitting.interval(public)))]
    if name == "the lower end":
        return [intervals.written(low, low + share * (high - low))]
    return [intervals.written(*pair) for pair in intervals.outer(share, fitting.interval(public))]


def public_range(name: str) -> Range | None:
    """The public range of a column of numbers and its bins: as stated, else a round one; None for other columns."""
    profile = fitting.column(table(), name)
    if profile is None or profile.low is None or not profile.numeric:
        return None
    return said(name).range or fitting.proposed(profile)


def bins(name: str) -> Range | None:
    """How the answers of a column are counted: in these bins, or each value for itself (None)."""
    profile = fitting.column(table(), name)
    must = profile is not None and fitting.must_bin(profile)
    return public_range(name) if must or said(name).binned else None


def values(name: str) -> tuple[str, ...]:
    """The separate values of a column, as written."""
    series = table().frame[name]
    return tuple(map(str, series.cat.categories)) if hasattr(series, "cat") else ()


def _is_number(name: str) -> bool:
    profile = fitting.column(table(), name)
    return profile is not None and profile.numeric


def labels(name: str, marks: Iterable[str], counted: Range | None) -> list[str]:
    """Marks of a column, as they are kept, as the labels of its answers, counted in these bins or each for itself."""
    if not _is_number(name):
        return list(marks)
    return readings.to_bins(marks, counted) if counted else readings.to_values(marks, values(name))


def marks(name: str, chosen: Iterable[str], counted: Range | None) -> list[str]:
    """Labels of a column's answers as its marks are kept."""
    if not _is_number(name):
        return list(chosen)
    return readings.from_bins(chosen, counted) if counted else readings.from_values(chosen, values(name))


def label_marks(name: str) -> Marks:
    """The marks of a column, as the labels of its answers or items."""
    counted = bins(name)
    return said(name).marks.each(lambda values: labels(name, values, counted))


def within(kept_marks: Iterable[str], public: Range) -> list[str]:
    """The intervals among the marks, cut to a public range."""
    low, high, _ = public
    pairs, _ = readings.split(kept_marks)
    cut = [(max(a, low), min(b, high)) for a, b in pairs]
    return [intervals.written(a, b) for a, b in readings.joined(pair for pair in cut if pair[0] < pair[1])]


def worn(study: Study) -> Study:
    """The study as its task fits it to the chosen data, with what is said of its column."""
    made, _ = fit(study, table())
    kind = TASKS[made.task].MARKS
    return made if not made.column or kind not in _WORN else fit(_WORN[kind](made), table())[0]


def _worn_answers(study: Study) -> Study:
    return replace(study, bins=bins(study.column), marks=label_marks(study.column))


def _worn_items(study: Study) -> Study:
    return replace(study, marks=said(study.column).marks)


def _worn_withheld(study: Study) -> Study:
    return replace(study, marks=said(study.column).marks if study.marks else Marks())


def _worn_intervals(study: Study) -> Study:
    public, own = public_range(study.column), said(study.column)
    if public is None:
        return study
    count = study.bins[2] if study.bins else public[2]
    return replace(study, bins=(*public[:2], count), marks=own.marks.each(lambda values: within(values, public)))


def _worn_cells(study: Study) -> Study:
    """Ranges are asked by the numbers of their cells: of other cells they would be other ranges."""
    cut = cells(study, study.bins[2] if study.bins else 1 << ranges.HEIGHT)
    return study if cut == study.bins else replace(study.with_options(asked=None), bins=cut)


def cells(study: Study, count: int) -> Range | None:
    """The public range cut into at most the power of two that `count` fills up to; None for categories."""
    counted = bins(study.column)
    if counted is None:
        return None
    most = max(2, 1 << (count - 1).bit_length())
    return ranges.cells(counted[0], counted[1], most, ranges.whole(table(), study))


def heard(study: Study, before: Column) -> Column:
    """What a study of a link or a file says of its column: the other way round from `worn`."""
    kind = TASKS[study.task].MARKS
    return _HEARD[kind](study, before) if kind in _HEARD else before


def _heard_answers(study: Study, before: Column) -> Column:
    own = study.marks.each(lambda values: marks(study.column, values, study.bins))
    return Column(study.bins is not None, study.bins or before.range, own)


def _heard_items(study: Study, before: Column) -> Column:
    return replace(before, marks=study.marks)


def _heard_withheld(study: Study, before: Column) -> Column:
    return replace(before, marks=study.marks) if study.marks else before


def _heard_intervals(study: Study, before: Column) -> Column:
    if study.bins is None:
        return before
    low, high, _ = study.bins
    return Column(before.binned, fitting.round_bins(low, high), study.marks)


def _heard_cells(study: Study, before: Column) -> Column:
    if study.bins is None:
        return replace(before, binned=False)
    low, high, count = study.bins
    # Whole numbers one by one: the last cell ends one after the range does.
    high -= (high - low) / count if (high - low) == count else 0
    return replace(before, binned=True, range=fitting.round_bins(low, high))


# a whole survey ----------------------------------------------------------------------------------------------------


def survey(study: Study) -> Study:
    """The study of a whole survey with what is said of every column: marks, and ranges that somebody has stated."""
    every = {name: said(name) for name in review.questions(table())}
    marked = [mark for name, own in every.items() for mark in _written(name, own.marks).levels]
    stated = {name: own.range for name, own in every.items() if own.range is not None and bins(name) is not None}
    return replace(study.with_options(ranges=review.stating(stated) or None), marks=Marks(tuple(marked)))


def _written(name: str, marked: Marks) -> Marks:
    """Marks of a column as a survey writes them."""
    return marked.each(lambda values: review.written(name, values))


def surveyed(study: Study) -> dict[str, Column]:
    """What a survey of a link or a file says of every column, where that is something else than is said now."""
    names = review.questions(table())
    marks_of, stated = _of_each(study.marks, names), review.stated(study.option("ranges", ()), names)
    changed: dict[str, Column] = {}
    for name in names:
        before = said(name)
        now = replace(before, marks=Marks(tuple(marks_of.get(name, ()))), range=stated.get(name, before.range))
        if now != before:
            changed[name] = now
    return changed


def _of_each(marked: Marks, names: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
    """Marks of a survey by their columns."""
    by_column: dict[str, list[tuple[str, str]]] = {}
    for level in LEVELS:
        for name, values in review.split((value for value, own in marked.levels if own == level), names).items():
            by_column.setdefault(name, []).extend((value, level) for value in values)
    return by_column


_WORN: dict[MarkKind, Callable[[Study], Study]] = {
    mark_kinds.ANSWERS: _worn_answers,
    mark_kinds.ITEMS: _worn_items,
    mark_kinds.INTERVALS: _worn_intervals,
    mark_kinds.QUESTIONS: survey,
    mark_kinds.WITHHELD: _worn_withheld,
    mark_kinds.CELLS: _worn_cells,
}
_HEARD: dict[MarkKind, Callable[[Study, Column], Column]] = {
    mark_kinds.ANSWERS: _heard_answers,
    mark_kinds.ITEMS: _heard_items,
    mark_kinds.INTERVALS: _heard_intervals,
    mark_kinds.WITHHELD: _heard_withheld,
    mark_kinds.CELLS: _heard_cells,
}
"""How what is said of columns goes into a Study and back, by what marks are to its task. A survey's is `surveyed`."""
