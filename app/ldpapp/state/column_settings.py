"""What is said of a column of a Workspace: one home for marks, ranges and readings."""

from collections.abc import Iterable
from dataclasses import replace

from ldpapp.state.workspace import ColumnSettings, Workspace
from ldpapp.words.language import t
from ldpcore import data
from ldpcore.study import Marks, Study, fitting, intervals, ranges, readings
from ldpcore.study.fitting import Range

EXAMPLES = {"the upper end": data.UPPER, "the lower end": 0.25, "both ends (the paper’s SDPM-50)": 0.5}
"""Marks of numbers in one click → where they begin or end, as a share of the public range. `examples` says them."""


def examples() -> dict[str, str]:
    """Key of EXAMPLES → what it is called."""
    return {
        "the upper end": t("the upper end"),
        "the lower end": t("the lower end"),
        "both ends (the paper’s SDPM-50)": t("both ends (the paper’s SDPM-50)"),
    }


def of(workspace: Workspace, name: str) -> ColumnSettings:
    """What is said of a column of the chosen data; until somebody does, what its data suggest."""
    source = workspace.table
    if _together(source, name):
        return ColumnSettings(False, None, _union(workspace))
    return workspace.columns.get((source.digest, name)) or _usual(source, name)


def marked_beside(workspace: Workspace, name: str) -> list[str]:
    """The other columns of the chosen data in which something is marked."""
    source = workspace.table
    others = [one for one in (*source.frame.columns, *source.sets) if one not in (name, data.ALL_COLUMNS)]
    return [one for one in others if of(workspace, one).marks]


def _usual(source: data.Table, name: str) -> ColumnSettings:
    """On bundled data something is marked, so that there is something to see."""
    profile, card = fitting.column(source, name), source.card
    if profile is None or not profile.numeric:
        return ColumnSettings(False, None, Marks.of(card.marks(name) if card else ()))
    is_number = profile.role == "number"
    if card is None or not is_number:
        return ColumnSettings(is_number, None, Marks())
    return ColumnSettings(True, None, Marks.of(example("the upper end", fitting.proposed(profile))))


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


def _marked(workspace: Workspace, items: dict[str, str], name: str, marked: Marks) -> dict[str, str]:
    """The items of a column that its marks are about, and at which level."""
    chosen = dict(marked.each(lambda values: labels(workspace, name, values, None)).levels)
    return {item: chosen[value] for item, value in items.items() if value in chosen}


def _union(workspace: Workspace) -> Marks:
    """The marks of every column as marks of items."""
    columns = _items(workspace.table).items()
    return Marks(
        tuple(
            mark
            for name, items in columns
            for mark in _marked(workspace, items, name, of(workspace, name).marks).items()
        )
    )


def apart(workspace: Workspace, name: str, settings: ColumnSettings) -> dict[str, ColumnSettings]:
    """What is said of a column, by the columns that keep it: marks of all columns' items are those of their columns.

    A column none of whose items changed is left out: an interval of numbers keeps its ends.
    """
    source = workspace.table
    if not _together(source, name):
        return {name: settings}
    before = {each: of(workspace, each) for each in _items(source)}
    marks_of = {each: _own(workspace, items, each, settings.marks) for each, items in _items(source).items()}
    return {each: replace(before[each], marks=now) for each, now in marks_of.items() if now != before[each].marks}


def _own(workspace: Workspace, items: dict[str, str], name: str, every: Marks) -> Marks:
    """The marks of one column, of marks of all columns' items."""
    was, chosen = of(workspace, name).marks, dict(every.levels)
    now = {item: chosen[item] for item in items if item in chosen}
    if now == _marked(workspace, items, name, was):
        return was
    others = readings.split(was.values)[1] if _is_number(workspace, name) else was.values  # "(missing)" is no item
    rest = [mark for mark in was.levels if mark[0] in others and mark[0] not in items.values()]
    named = Marks(tuple((items[item], level) for item, level in now.items()))
    return Marks((*named.each(lambda values: marks(workspace, name, values, None)).levels, *rest))


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


def public_range(workspace: Workspace, name: str) -> Range | None:
    """The public range of a column of numbers and its bins: as stated, else a round one; None for other columns."""
    profile = fitting.column(workspace.table, name)
    if profile is None or profile.low is None or not profile.numeric:
        return None
    return of(workspace, name).range or fitting.proposed(profile)


def bins(workspace: Workspace, name: str) -> Range | None:
    """How the answers of a column are counted: in these bins, or each value for itself (None)."""
    profile = fitting.column(workspace.table, name)
    must = profile is not None and fitting.must_bin(profile)
    return public_range(workspace, name) if must or of(workspace, name).binned else None


def values(table: data.Table, name: str) -> tuple[str, ...]:
    """The separate values of a column, as written."""
    series = table.frame[name]
    return tuple(map(str, series.cat.categories)) if hasattr(series, "cat") else ()


def gone(table: data.Table, name: str, marked: Iterable[str]) -> list[str]:
    """Which of a column's marks are about nothing that the table has."""
    profile = fitting.column(table, name)
    if name in table.sets and not _together(table, name):
        try:
            items: Iterable[str] = table.baskets(name).labels
        except data.DataError:  # whoever asks for the baskets says why
            items = ()
        return [value for value in marked if value not in items]
    if profile is None:
        return list(marked)
    others = readings.split(marked)[1] if profile.numeric else list(marked)
    return [value for value in others if value not in values(table, name) and value != data.MISSING_LABEL]


def _is_number(workspace: Workspace, name: str) -> bool:
    profile = fitting.column(workspace.table, name)
    return profile is not None and profile.numeric


def labels(workspace: Workspace, name: str, marks: Iterable[str], counted: Range | None) -> list[str]:
    """Marks of a column, as they are kept, as the labels of its answers, counted in these bins or each for itself."""
    if not _is_number(workspace, name):
        return list(marks)
    return readings.to_bins(marks, counted) if counted else readings.to_values(marks, values(workspace.table, name))


def marks(workspace: Workspace, name: str, chosen: Iterable[str], counted: Range | None) -> list[str]:
    """Labels of a column's answers as its marks are kept."""
    if not _is_number(workspace, name):
        return list(chosen)
    return (
        readings.from_bins(chosen, counted) if counted else readings.from_values(chosen, values(workspace.table, name))
    )


def label_marks(workspace: Workspace, name: str) -> Marks:
    """The marks of a column, as the labels of its answers or items."""
    counted = bins(workspace, name)
    return of(workspace, name).marks.each(lambda values: labels(workspace, name, values, counted))


def within(marks: Iterable[str], public: Range) -> list[str]:
    """The intervals among the marks, cut to a public range."""
    low, high, _ = public
    pairs, _ = readings.split(marks)
    cut = [(max(a, low), min(b, high)) for a, b in pairs]
    return [intervals.written(a, b) for a, b in readings.joined(pair for pair in cut if pair[0] < pair[1])]


def cells(workspace: Workspace, study: Study, count: int) -> Range | None:
    """The public range cut into at most the power of two that `count` fills up to; None for categories."""
    counted = bins(workspace, study.column)
    if counted is None:
        return None
    most = max(2, 1 << (count - 1).bit_length())
    return ranges.cells(counted[0], counted[1], most, ranges.whole(workspace.table, study))
