"""Rows that are no people: each stands for several (weights, counts), or several are one person's."""

from collections.abc import Iterable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore.data import column_names, long_table, reshaping, subtotals
from ldpcore.data.assumptions import Assumption, AssumptionKind, assumed
from ldpcore.data.errors import plural, thousands
from ldpcore.data.options import RESHAPED
from ldpcore.data.profile import ColumnProfile
from ldpcore.data.recognisers.evidence import Evidence
from ldpcore.data.set_sources import Lines, OneHot, Pairs
from ldpcore.data.weighing import FEW, effective_size, telling

_FEWEST_ROWS, _MOST_CELLS = 3, 20_000
_WIDEST = 6
"""Questions of a table of counts: with more of them hardly anybody gives the same answers."""
_WEIGHED = 20
"""Rows from which numbers with a mean of 1 are weights."""
_AGAIN = 1.2
"""Rows per person, on average, from which rows are no people."""


def counts(evidence: Evidence) -> Iterable[Assumption]:
    """A table of counts: every combination of answers stands once, with how many people gave it."""
    if not _FEWEST_ROWS <= len(evidence.table.frame) <= _MOST_CELLS or _are_sets(evidence):
        return
    if evidence.table.frame.shape[1] > _WIDEST + 2:
        return
    if any(of_column.role == "count" for of_column in evidence.options.columns.values()):
        return
    for name in evidence.names:
        values = _whole(evidence, name)
        if values is None or evidence.role(name) is not None or not _are_cells(evidence, name):
            continue
        sums = subtotals.rows(evidence.table.frame.drop(columns=name), values)
        total, rows = int(values[~sums].sum()), len(evidence.table.frame)
        without = f", without {plural(int(sums.sum()), 'row')} that sum up others" if sums.any() else ""
        if total >= 2 * rows and (column_names.is_count(name) or _is_complete(evidence, name)):
            yield assumed(
                AssumptionKind.COUNTS, name,
                f"Every combination of answers stands once, and “{name}” may count the people who gave it: "
                f"{plural(total, 'person').replace('persons', 'people')} in {plural(rows, 'row')}{without}. "
                "The rows are read as people.",
                f"{rows} people", evidence.options,
                own=((f"{thousands(total)} people: “{name}” counts them", {"role": "count"}),
                     (f"“{name}” is a question", {"role": "question"})),
            )  # fmt: skip
            return


def _whole(evidence: Evidence, name: str) -> NDArray[np.float64] | None:
    values = evidence.table.values(name)
    if values is None or len(values) < _FEWEST_ROWS or len(values) > _MOST_CELLS or np.isnan(values).any():
        return None
    return values if np.all(values == np.floor(values)) and values.min() >= 0 and values.max() > 1 else None


def _others(evidence: Evidence, name: str) -> pd.DataFrame:
    """The other columns, without one that numbers the rows, and without their percents."""
    frame, counts = evidence.table.frame, evidence.table.values(name)
    kept = []
    for other in evidence.names:
        values = evidence.table.values(other) if other != name else None
        numbered = values is not None and len(values) > 1 and bool(np.all(np.diff(values) == 1))
        if other != name and not numbered and not (values is not None and _are_percents(values, counts)):
            kept.append(other)
    return frame[kept]


def _are_percents(values: NDArray[np.float64], counts: NDArray[np.float64] | None) -> bool:
    """Are they the shares of these counts, in percent or not, as far as they are rounded?"""
    if counts is None or np.isnan(values).any() or counts.sum() <= 0:
        return False
    shares = counts / counts.sum()
    return any(bool(np.all(np.abs(values / whole - shares) <= 0.006)) for whole in (1.0, 100.0) if values.max() > 0)


def _are_cells(evidence: Evidence, name: str) -> bool:
    """Are the other columns a few categories, of which no two rows have the same?"""
    others = _others(evidence, name)
    if not len(others.columns) or len(others.columns) > _WIDEST:
        return False
    if any(pd.api.types.is_numeric_dtype(others[each].dtype) for each in others) or others.duplicated().any():
        return False
    differ = [others[each].nunique() for each in others]
    recur = [each for each in differ if each < len(others)]
    return len(others.columns) == 1 or bool(len(recur) == len(differ) and len(others) >= 0.5 * np.prod(differ))


def _is_complete(evidence: Evidence, name: str) -> bool:
    """Does every combination of the others' answers have its row, of two columns or more?"""
    others = _others(evidence, name)
    differ = [others[each].nunique() for each in others]
    texts = [each for each in map(str, others) if evidence.table.values(each) is None]
    return len(differ) > 1 and len(texts) > 1 and len(others) == int(np.prod(differ)) >= 4


def weights(evidence: Evidence) -> Iterable[Assumption]:
    """A column of weights, which is no question of the survey and is used once somebody says so."""
    for name in evidence.names:
        if evidence.role(name) is not None:
            continue
        about = evidence.table.profiles[name]
        if about.low is None or about.low < 0 or not (_is_named(name) or _near_one(about)):
            continue
        sizes = evidence.sizes(name)
        if sizes is None or len(sizes[0]) < 2:
            continue
        values, rows = sizes
        mean, n = float(values @ rows / rows.sum()), int(rows.sum())
        normal = (
            n >= _WEIGHED and abs(mean - 1) < 0.005 and bool(np.any(values != np.floor(values))) and len(values) > 3
        )
        named = column_names.is_survey_weight(name) or (column_names.is_weight(name) and abs(mean - 1) < 0.05)
        if not (named or normal):
            continue
        why = "by its name" if named else f"since its mean is {mean:.3g}"
        if values[-1] <= values[0]:
            continue
        yield assumed(
            AssumptionKind.WEIGHTS, name,
            f"“{name}” looks like a weight, {why} ({values[0]:.4g} to {values[-1]:.4g}, together "
            f"{thousands(round(float(values @ rows)))}); it is not used, and shares are those of rows. Used, they are "
            f"those of the people whom it stands for. {_FIXED}{_telling(len(rows), int(np.count_nonzero(rows < FEW)))}",
            "not used", evidence.options,
            own=(("use it", {"role": "weight"}),
                 (f"use it, rounded to {ROUNDED} classes", {"role": "weight", "classes": ROUNDED}),
                 ("it is an answer", {"role": "question"})),
        )  # fmt: skip


_FIXED = "Were these weights fixed before the answer was known? Made from the marked answer, they tell it."
ROUNDED = 10
"""Classes that weights are rounded to, so that none is a person's own."""


def _telling(different: int, few: int) -> str:
    """That a weight is a key into the list of who was asked; "" where none is."""
    if not few:
        return ""
    rare = "1 belongs" if few == 1 else f"{thousands(few)} belong"
    return (f" Of {plural(different, 'weight')} {rare} to fewer than {FEW} people each: whoever has the list of those "
            f"asked finds people by it, unless weights are rounded to {ROUNDED} classes.")  # fmt: skip


def weighed(evidence: Evidence) -> list[str]:
    """What the column of weights that somebody chose does to how many people count, and what it may tell."""
    if evidence.table.weights is None:
        return []
    column, values = evidence.table.weights
    effective = effective_size(values)
    return [f"Weighted by “{column}”: n {thousands(len(values))} counts as {thousands(round(effective))}. {_FIXED}"
            + _telling(*telling(values))]  # fmt: skip


def _is_named(name: str) -> bool:
    return column_names.is_weight(name) or column_names.is_survey_weight(name)


def _near_one(about: ColumnProfile) -> bool:
    """May the mean of its numbers be 1, as that of weights often is?"""
    return about.low is not None and about.high is not None and about.low < 1 < about.high < 50


def people(evidence: Evidence) -> Iterable[Assumption]:
    """Several rows of one person, as visits, waves or episodes give; or a column of each person."""
    if _are_sets(evidence) or evidence.options.rows is not None or evidence.options.layout in RESHAPED:
        return
    if evidence.options.layout is None and reshaping.stands_on_its_side(evidence.table.frame):
        yield _on_its_side(evidence)
        return
    for name in evidence.names:
        if evidence.role(name) not in (None, "person"):
            continue
        column, about = pd.Series(evidence.table.frame[name]), evidence.table.profiles[name]
        present, differ = about.answers, about.distinct
        if differ < 3 or not _AGAIN * differ <= present <= 500 * differ:
            continue
        if pd.api.types.is_float_dtype(column.dtype) or not (column_names.is_person(name) or _is_panel(column)):
            continue
        most = int(column.value_counts().iloc[0])
        asked = reshaping.question_and_answer(evidence.table.frame, name)
        named = evidence.options.with_column(name, role="person")
        yield assumed(
            AssumptionKind.PEOPLE, name,
            f"“{name}” names {plural(differ, 'person').replace('persons', 'people')} in {plural(present, 'row')}, one "
            f"of them in {plural(most, 'row')}: every row is read as a person. The ε of one person is up to {most} "
            "times that of a row.",
            f"{thousands(present)} people", evidence.options,
            *((f"{thousands(differ)} people: each “{question}” is a column, of what stands in “{answer}”",
               evidence.options.changed(layout="answers", user=name, item=question, answer=answer))
              for question, answer in ([asked] if asked else [])),
            *((f"{thousands(differ)} people: {which}", named.changed(rows=rows)) for rows, which in _ROWS.items()),
            (f"every row is a report: ε counts up to {most} times", named.changed(rows="all")),
            *((f"{thousands(differ)} people: all their “{other}” as a set",
               evidence.options.changed(layout="pairs", user=name, item=other))
              for other in _items_of(evidence, name)),
            own=(("it names nobody", {"role": "question"}),),
        )  # fmt: skip
        return


def _on_its_side(evidence: Evidence) -> Assumption:
    rows, width = evidence.table.frame.shape
    first, last = evidence.names[1], evidence.names[-1]
    return assumed(
        AssumptionKind.PEOPLE, None,
        f"The table may stand on its side: “{evidence.names[0]}” names {plural(rows, 'question')}, and each of the "
        f"{plural(width - 1, 'column')} from “{first}” to “{last}” may be a person. The rows are read as people.",
        f"{thousands(rows)} people", evidence.options,
        (f"{thousands(width - 1)} people: each column is one", {"layout": "transposed"}),
    )  # fmt: skip


_ROWS = {"drawn": "one row of each, drawn", "first": "the first row of each", "last": "the last row of each"}
_OFFERED = 2
"""Columns that are offered as sets."""


def _items_of(evidence: Evidence, person: str) -> list[str]:
    """Categories of which one person can have several: those with most answers first."""
    profiles = evidence.table.profiles
    categories = [
        name
        for name in evidence.names
        if name != person and profiles[name].role == "category" and not profiles[name].numeric
    ]
    pairs = {name: len(evidence.table.frame[[person, name]].dropna().drop_duplicates()) for name in categories}
    several = [name for name in categories if pairs[name] > profiles[person].distinct]
    return sorted(several, key=lambda name: -profiles[name].distinct)[:_OFFERED]


def _is_panel(column: pd.Series) -> bool:
    """Ids in stretches of equally many rows each."""
    first = next((str(label) for label in column.head(5) if isinstance(label, str)), "")
    if not (any(map(str.isdigit, first)) and any(map(str.isalpha, first))):
        return False
    times = column.value_counts()
    times = times[times > 0]
    if len(times) < 8 or times.iloc[0] != times.iloc[-1] or times.iloc[0] < 2:
        return False
    labels = [str(label) for label in times.index[:200]]
    ids = all(any(map(str.isdigit, label)) and any(map(str.isalpha, label)) for label in labels)
    return ids and long_table.runs(pd.factorize(column)[0]) == len(times)


def _are_sets(evidence: Evidence) -> bool:
    return any(isinstance(source, Lines | Pairs | OneHot) for source in evidence.table.sets.values())


def repeated(evidence: Evidence) -> list[str]:
    """That rows are several reports of a person, where somebody has said whose they are."""
    rows = evidence.table.rows_of_one()
    if rows == 1 or not any(evidence.role(name) == "person" for name in evidence.names):
        return []
    return [f"One person has up to {rows} rows, each a report: their ε is up to {rows} times that of a report."]
