"""Tables that hold the same answers in another shape: a row per answer of a person, or a column per person."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from ldpcore.data import column_names, columns, recognise
from ldpcore.data.delimited import Raw
from ldpcore.data.errors import DataError, plural
from ldpcore.data.options import ReadOptions

_MOST_QUESTIONS = 500
_FEWEST_PEOPLE = 8
_ANSWERED = 0.5
"""The part of all people whom most questions are asked, at least: items of baskets are rarer."""
_MOST_TEXT = 20
"""Names that a message lists."""


def as_said(raw: Raw, options: ReadOptions) -> Raw:
    """Raw as a row per person, where somebody says that the file holds them in another shape."""
    if options.layout == "answers":
        return _of_answers(raw, options)
    return _turned(raw) if options.layout == "transposed" else raw


# a row per answer ----------------------------------------------------------------------------------------------------


def question_and_answer(frame: pd.DataFrame, person: str) -> tuple[str, str] | None:
    """The columns of the question and of its answer, where every row is one answer of a person: no person has a
    question twice, most people have every question, and nothing else differs between a person's rows.
    """
    people = pd.factorize(frame[person])[0]
    others = [name for name in map(str, frame.columns) if name != person]
    free = [name for name in others if not _is_of_the_person(people, frame[name])]
    if len(free) != 2 or len(np.unique(people)) < _FEWEST_PEOPLE:
        return None
    asked = [name for name in free if _are_questions(people, frame[name])]
    asked.sort(key=lambda name: column_names.is_question(name), reverse=True)
    if not asked or (len(asked) == 2 and not column_names.is_question(asked[0])):
        return None
    return asked[0], next(name for name in free if name != asked[0])


def _is_of_the_person(people: NDArray[np.integer], column: pd.Series) -> bool:
    """Does it say the same in all rows of a person?"""
    codes = pd.factorize(column)[0]
    return len(np.unique(people.astype(np.int64) * (codes.max(initial=0) + 2) + codes)) == len(np.unique(people))


def _are_questions(people: NDArray[np.integer], column: pd.Series) -> bool:
    """Does every person have each of them once, and most people most of them?"""
    codes = pd.factorize(column)[0]
    many = int(codes.max(initial=-1)) + 1
    if not 2 <= many <= _MOST_QUESTIONS or (codes < 0).any() or (people < 0).any():
        return False
    pairs = np.unique(people.astype(np.int64) * many + codes)
    return len(pairs) == len(people) and len(pairs) >= _ANSWERED * many * len(np.unique(people))


def _of_answers(raw: Raw, options: ReadOptions) -> Raw:
    """A row per person, in the order in which they come first, and a column per question."""
    person, question, answer = _three(raw.names, options)
    cells = dict(zip(raw.names, (columns.one_chunk(each) for each in raw.columns), strict=True))
    people, who = _labels(cells[person])
    questions, which = _labels(cells[question])
    there = (people >= 0) & (questions >= 0)
    first = np.full((len(who), len(which)), -1, np.int64)
    rows = np.flatnonzero(there)[::-1]  # of several answers the first is what stays
    first[people[rows], questions[rows]] = rows
    notes = [f"Every row is one answer: {plural(len(who), 'person').replace('persons', 'people')} and "
             f"{plural(len(which), 'question')}, in “{question}”."]  # fmt: skip
    if left := len(people) - int(np.count_nonzero(first >= 0)):
        notes.append(f"{plural(left, 'row')} left out: without “{person}” or “{question}”, or a second answer to one.")
    one_row = first.max(axis=1)
    names, kept = [person], [cells[person].take(pa.array(one_row))]
    for name in raw.names:
        if name in (person, question, answer):
            continue
        if _is_of_the_person(people[there], pd.Series(_labels(cells[name])[0][there])):
            names, kept = [*names, name], [*kept, cells[name].take(pa.array(one_row))]
        else:
            notes.append(f"“{name}” differs between the rows of one person, and is left out.")
    for place, name in enumerate(which):
        at = pa.array(first[:, place], mask=first[:, place] < 0)
        names, kept = [*names, name], [*kept, cells[answer].take(at)]
    return _reshaped(raw, recognise.tidy_names(names)[0], kept, notes)


def _three(names: Sequence[str], options: ReadOptions) -> tuple[str, str, str]:
    """The columns of the person, the question and the answer. DataError: not all three are said, or there."""
    person, question, answer = options.user, options.item, options.answer
    if person is None or question is None or answer is None or len({person, question, answer}) < 3:
        raise DataError(
            "Which column holds what is not known.",
            "For one row per answer, name three columns: the person, the question and the answer. "
            f"The columns are {', '.join(names[:_MOST_TEXT])}.",
        )
    for name in (person, question, answer):
        if name not in names:
            raise DataError(
                f"There is no column “{name}”.", f"The columns are {', '.join(names[:_MOST_TEXT])}. Choose one."
            )
    return person, question, answer


def _labels(cells: pa.Array) -> tuple[NDArray[np.integer], list[str]]:
    """Which label each cell (n,) has, -1 for none, and the labels as they first occur."""
    decoded = columns.encoded(pa.chunked_array([cells])).dictionary_decode()
    texts = pd.Series(columns.TEXT.__from_arrow__(decoded)).str.strip()
    codes, labels = pd.factorize(texts.where(texts != ""))
    return codes, [str(label) for label in labels]


# a column per person -------------------------------------------------------------------------------------------------


def stands_on_its_side(frame: pd.DataFrame) -> bool:
    """Whether each column seems to be a person: many that are numbered, a first one with questions, and rows that each
    hold one question's answers, in which the columns mix.
    """
    rows, width = frame.shape
    if rows < 2 or width - 1 < max(_FEWEST_PEOPLE, rows + 1):
        return False
    titles, names = frame.iloc[:, 0], [str(name) for name in frame.columns[1:]]
    if titles.isna().any() or titles.nunique() < rows or pd.api.types.is_numeric_dtype(titles.dtype):
        return False
    if not column_names.are_numbered(names):
        return False
    sets = [set(map(str, frame.iloc[place, 1:].dropna())) for place in range(rows)]
    recur = sum(len(answers) <= 0.5 * (width - 1) for answers in sets)
    apart = any(not one & other for place, one in enumerate(sets) for other in sets[:place] if one and other)
    return 2 * recur >= rows and apart


def _turned(raw: Raw) -> Raw:
    """Rows as columns: the first column holds the questions. DataError: two of them have one name, or none has."""
    cells = [columns.one_chunk(each) for each in raw.columns]
    titles = [str(title or "").strip() for title in cells[0].cast(pa.string()).to_pylist()]
    if len(cells) < 2 or not any(titles):
        raise DataError(
            "Nothing stands beside the questions.",
            "For one column per person, the first column holds the questions and each other one a person’s answers.",
        )
    names, notes = recognise.tidy_names(titles)
    texts = [each.cast(pa.string()).to_pylist() for each in cells[1:]]
    kept = [pa.array([column[place] for column in texts], pa.string()) for place in range(len(titles))]
    people = plural(len(texts), "person").replace("persons", "people")
    return _reshaped(
        raw, names, kept, [f"Every column is a person: {people}, {plural(len(names), 'question')}.", *notes]
    )


def _reshaped(raw: Raw, names: list[str], kept: list[pa.Array], notes: list[str]) -> Raw:
    return Raw(
        names, [pa.chunked_array([each]) for each in kept], [*raw.notes, *notes], {}, raw.decimal, raw.assumptions
    )
