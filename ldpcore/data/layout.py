"""How a table holds baskets, as far as that can be recognised.

Recognition is a proposal. What was recognised stands in the table's notes, and ReadOptions.layout overrules it.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from ldpcore.data import baskets, cells, pairs, yes_words
from ldpcore.data.cells import SeveralAnswers
from ldpcore.data.errors import DataError
from ldpcore.data.options import ReadOptions
from ldpcore.data.set_sources import ALL_COLUMNS, ITEMS, AllColumns, OneHot, SetSource

MIN_ONE_HOT = 5
"""Fewer columns of yes and no are answers of their own, not a basket."""


def recognise(
    frame: pd.DataFrame, categories: tuple[str, ...], options: ReadOptions, differ: Mapping[str, int] | None = None
) -> Mapping[str, SetSource]:
    """The columns of sets of a table that is no list of transactions. DataError where the options do not fit it.

    categories: the columns that are categories by default. differ: how many values each column has, where it is known.
    """
    if options.layout == "pairs" or (options.layout is None and (options.user or options.item)):
        source = pairs.wanted(frame, options)
        return {source.name: source}
    if options.layout == "one-hot":
        return {ITEMS: _wanted_one_hot(frame, options)}
    several = _several_answers(frame, options)
    if options.layout is None:
        source = pairs.recognised(frame, differ)
        if source is not None:
            return {**several, source.name: source}
        boxes = _with_words(frame, _one_hot(frame, options), options)
        if boxes is not None and not (
            options.blank == "missing" and frame[list(boxes.columns)].isna().to_numpy().any()
        ):
            return {**several, ITEMS: boxes}
    rest = tuple(name for name in categories if name not in several)
    return {**several, **({ALL_COLUMNS: AllColumns(rest)} if len(rest) > 1 else {})}


def _several_answers(frame: pd.DataFrame, options: ReadOptions) -> dict[str, SetSource]:
    """The columns whose cells hold several answers each: said, or recognised."""
    out: dict[str, SetSource] = {}
    for name in map(str, frame.columns):
        of_column = options.of(name)
        is_left_open = of_column.inside is None and not of_column.order
        separator = cells.recognised(frame[name]) if is_left_open else of_column.inside
        if separator:
            out[name] = SeveralAnswers(name, separator)
    return out


# a column for every item ---------------------------------------------------------------------------------------------


def _wanted_one_hot(frame: pd.DataFrame, options: ReadOptions) -> OneHot:
    columns = one_hot_columns(frame)
    boxes = None if columns and options.yes is None else _one_hot(frame, options, fewest=1)
    boxes = _with_words(frame, boxes or (OneHot(columns) if columns else None), options)
    if boxes is None:
        raise DataError(
            "These columns are no items.",
            "For one column per item, each must hold only 0 and 1, or only true and false, or two other answers of "
            "which one is the word for yes. Read it in another way.",
        )
    return boxes


def _with_words(frame: pd.DataFrame, boxes: OneHot | None, options: ReadOptions) -> OneHot | None:
    """And the columns of which somebody said which answer is yes. DataError: it is no answer there."""
    words = {name: word for name in map(str, frame.columns) if (word := options.of(name).yes) is not None}
    for name, word in words.items():
        answers = frame[name].dropna().astype("str").str.casefold()
        if not answers.eq(word.casefold()).any():
            raise DataError(f"Nobody answers “{word}” to “{name}”.", "The word for yes must stand in the column.")
    if not words:
        return boxes
    known = {*words, *(boxes.columns if boxes is not None else ())}
    columns = tuple(name for name in map(str, frame.columns) if name in known)
    if len(columns) < 2:  # a set of one item would be that answer itself
        return boxes
    return OneHot(columns, boxes.yes if boxes is not None else None, tuple(words.items()))


def _one_hot(frame: pd.DataFrame, options: ReadOptions, fewest: int = MIN_ONE_HOT) -> OneHot | None:
    """The columns of one basket: nearly all, or those whose names begin alike, with the same two answers."""
    columns = one_hot_columns(frame, 1)
    if options.yes is None and len(columns) >= fewest and len(columns) >= frame.shape[1] - 1:
        return OneHot(columns)
    alike = two_answers(frame, options.yes)
    if options.yes is None:  # of columns of 1 and 0 nearly all must be some, as was asked above
        alike = {answers: names for answers, names in alike.items() if not answers <= baskets.YES | baskets.NO}
    if not alike:
        return None
    answers, columns = max(alike.items(), key=lambda entry: len(entry[1]))
    if len(columns) < fewest or not (len(columns) >= frame.shape[1] - 1 or _begin_alike(columns) or fewest == 1):
        return None
    return OneHot(columns, options.yes or yes_words.yes_of(answers))


def two_answers(frame: pd.DataFrame, yes: str | None = None) -> dict[frozenset[str], tuple[str, ...]]:
    """Pairs of answers that say yes and no, or of which one is this yes → the columns with nothing else."""
    out: dict[frozenset[str], tuple[str, ...]] = {}
    for name in map(str, frame.columns):
        column = frame[name]
        if isinstance(column.dtype, pd.CategoricalDtype) and 1 <= len(column.cat.categories) <= 2:
            answers = frozenset(str(label).casefold() for label in column.cat.categories.tolist())
            pair = next((each for each in out if answers <= each), answers)
            if (yes.casefold() in pair) if yes else yes_words.yes_of(pair) is not None:
                out[pair] = (*out.get(pair, ()), name)
    return out


def _begin_alike(columns: tuple[str, ...]) -> bool:
    """Do the names share how they begin, as those of one question's boxes do?"""
    first, last = min(columns), max(columns)
    same = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), 0)
    return same >= 4


def one_hot_columns(frame: pd.DataFrame, others: int | None = None) -> tuple[str, ...]:
    """The columns that hold nothing but yes and no, in one spelling each. others: () with more columns than that."""
    out = []
    for at, name in enumerate(frame.columns):
        if others is not None and at - len(out) > others:
            return ()
        column = frame[name]
        if not isinstance(column.dtype, pd.CategoricalDtype):  # too many values, and all of them would be looked for
            continue
        codes = np.flatnonzero(np.bincount(column.cat.codes.to_numpy()[column.notna()], minlength=1))
        values = {str(column.cat.categories[code]).casefold() for code in codes[:5]}
        if values and values <= baskets.YES | baskets.NO and len(values) <= 2:
            out.append(str(name))
    return tuple(out)
