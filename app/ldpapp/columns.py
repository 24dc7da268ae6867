"""What is said of a column, and how a Study wears it: one home for marks, ranges and readings."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ldpapp.kept import UNMARKED, Column, kept, table
from ldpapp.language import t
from ldpcore import data
from ldpcore.study import Arm, Study, fit, fitting, intervals, ranges, readings, review
from ldpcore.study.definition import LEVELS
from ldpcore.study.fitting import Range
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
        return Column(False, None, (Arm.of("A", card.default_marks if card and about else ()),))
    is_number = profile.role == "number"
    if card is None or not is_number:
        return Column(is_number, None, UNMARKED)
    return Column(True, None, (Arm.of("A", example("the upper end", fitting.proposed(profile))),))


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


def _marked(items: dict[str, str], name: str, arm: Arm) -> dict[str, str]:
    """The items of a column that this setting of its marks is about, and at which level."""
    chosen = dict(arm.each(lambda values: labels(name, values, None)).marks)
    return {item: chosen[value] for item, value in items.items() if value in chosen}


def _union(source: data.Table) -> tuple[Arm, ...]:
    """The marks of every column as marks of items; a column with one setting has it beside both of another."""
    items = _items(source)
    told = {name: said(name).arms for name in items}
    most = max(told.values(), key=len, default=UNMARKED)
    found = [
        [mark for name, own in told.items() for mark in _marked(items[name], name, own[min(at, len(own) - 1)]).items()]
        for at in range(len(most))
    ]
    return tuple(Arm(arm.name, tuple(each)) for arm, each in zip(most, found, strict=True))


def apart(name: str, told: Column) -> dict[str, Column]:
    """What is said of a column, by the columns that keep it: marks of all columns' items are those of their columns.

    A column none of whose items changed is left out: an interval of numbers keeps its ends.
    """
    source = table()
    if not _together(source, name):
        return {name: told}
    found = {each: _own(items, each, told.arms) for each, items in _items(source).items()}
    return {each: replace(said(each), arms=arms) for each, arms in found.items() if arms != said(each).arms}


def _own(items: dict[str, str], name: str, arms: tuple[Arm, ...]) -> tuple[Arm, ...]:
    """The settings of one column, of settings of all columns' items."""
    before, out = said(name).arms, []
    for at, arm in enumerate(arms):
        was, chosen = before[min(at, len(before) - 1)], dict(arm.marks)
        now = {item: chosen[item] for item in items if item in chosen}
        if now == _marked(items, name, was):
            out.append(Arm(arm.name, was.marks))
            continue
        others = readings.split(was.values)[1] if _is_number(name) else was.values  # "(missing)" is no item
        rest = [mark for mark in was.marks if mark[0] in others and mark[0] not in items.values()]
        named = Arm(arm.name, tuple((items[item], level) for item, level in now.items()))
        out.append(Arm(arm.name, (*named.each(lambda values: marks(name, values, None)).marks, *rest)))
    alike = len(before) == 1 and all(arm.marks == out[0].marks for arm in out)
    return (Arm(before[0].name, out[0].marks),) if alike else tuple(out)


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


def arms(name: str) -> tuple[Arm, ...]:
    """The settings of marks of a column, as the labels of its answers or items: one, or two to compare."""
    counted = bins(name)
    return tuple(arm.each(lambda values: labels(name, values, counted)) for arm in said(name).arms)


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
    if not made.column or kind == "records":
        return made
    if kind == "questions":
        return survey(made)
    own, both = said(made.column), made.task in kept().comparing
    if kind == "answers":
        settings = arms(made.column)
        made = replace(made, bins=bins(made.column), arms=settings if both else settings[:1])
    elif kind == "items":
        made = replace(made, arms=own.arms if both else own.arms[:1])
    elif kind == "withheld":
        made = replace(made, arms=own.arms[:1] if any(arm.marks for arm in study.arms) else UNMARKED)
    elif kind == "intervals":
        public = public_range(made.column)
        if public is not None:
            made = replace(
                made,
                bins=(*public[:2], made.bins[2] if made.bins else public[2]),
                arms=(own.arms[0].each(lambda values: within(values, public)),),
            )
    elif kind == "cells":
        cut = cells(made, made.bins[2] if made.bins else 1 << ranges.HEIGHT)
        # Ranges are asked by the numbers of their cells: of other cells they would be other ranges.
        made = made if cut == made.bins else replace(made.with_options(asked=None), bins=cut)
    return fit(made, table())[0]


def cells(study: Study, count: int) -> Range | None:
    """The public range cut into at most the power of two that `count` fills up to; None for categories."""
    counted = bins(study.column)
    if counted is None:
        return None
    most = max(2, 1 << (count - 1).bit_length())
    return ranges.cells(counted[0], counted[1], most, ranges.whole(table(), study))


def heard(study: Study, before: Column) -> Column:
    """What a study of a link or a file says of its column: the other way round from `worn`."""
    kind, name = TASKS[study.task].MARKS, study.column
    if kind == "answers":
        told = tuple(arm.each(lambda values: marks(name, values, study.bins)) for arm in study.arms)
        return Column(study.bins is not None, study.bins or before.range, told)
    if kind == "items":
        return replace(before, arms=study.arms)
    if kind == "withheld":
        return replace(before, arms=study.arms) if study.arms[0].marks else before
    if kind == "intervals" and study.bins is not None:
        low, high, _ = study.bins
        return Column(before.binned, fitting.round_bins(low, high), study.arms)
    if kind == "cells" and study.bins is not None:
        low, high, count = study.bins
        # Whole numbers one by one: the last cell ends one after the range does.
        high -= (high - low) / count if (high - low) == count else 0
        return replace(before, binned=True, range=fitting.round_bins(low, high))
    return replace(before, binned=False) if kind == "cells" else before


# a whole survey ----------------------------------------------------------------------------------------------------


def survey(study: Study) -> Study:
    """The study of a whole survey with what is said of every column: marks, and ranges that somebody has stated."""
    names = review.questions(table())
    told = {name: said(name) for name in names}
    most = max((one.arms for one in told.values()), key=len, default=UNMARKED)
    settings = tuple(
        Arm(arm.name, tuple(mark for name, own in told.items() for mark in _asked(name, _setting(own, at))))
        for at, arm in enumerate(most)
    )
    both = study.task in kept().comparing
    stated = {name: own.range for name, own in told.items() if own.range is not None and bins(name) is not None}
    made = study.with_options(ranges=review.stating(stated) or None)
    return fit(replace(made, arms=settings if both else settings[:1]), table())[0]


def _setting(told: Column, at: int) -> Arm:
    """The marks of a column in this setting: one with a single setting has it beside both of another."""
    return told.arms[min(at, len(told.arms) - 1)]


def _asked(name: str, arm: Arm) -> tuple[tuple[str, str], ...]:
    """Marks of a column as a survey writes them."""
    return arm.each(lambda values: review.written(name, values)).marks


def surveyed(study: Study) -> dict[str, Column]:
    """What a survey of a link or a file says of every column, where that is something else than is said now."""
    names = review.questions(table())
    marks_of = [_of_each(arm, names) for arm in study.arms]
    stated = review.stated(study.option("ranges", ()), names)
    found: dict[str, Column] = {}
    for name in names:
        before = said(name)
        own = tuple(Arm(arm.name, tuple(each.get(name, ()))) for arm, each in zip(study.arms, marks_of, strict=True))
        alike = all(arm.marks == own[0].marks for arm in own)
        told = replace(before, arms=own[:1] if alike else own, range=stated.get(name, before.range))
        if told != before:
            found[name] = told
    return found


def _of_each(arm: Arm, names: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
    """Marks of a survey by their columns."""
    found: dict[str, list[tuple[str, str]]] = {}
    for level in LEVELS:
        for name, values in review.split((value for value, own in arm.marks if own == level), names).items():
            found.setdefault(name, []).extend((value, level) for value in values)
    return found
