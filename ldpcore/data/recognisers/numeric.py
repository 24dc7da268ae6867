"""Numbers written as text: what was taken off them, what stands among them, and what can be read in two ways."""

import re
from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd
import pyarrow as pa

from ldpcore import checks
from ldpcore.data import column_names, durations
from ldpcore.data import numbers as written
from ldpcore.data.assumptions import Assumption, AssumptionKind, assumed
from ldpcore.data.cells import SeveralAnswers
from ldpcore.data.errors import plural
from ldpcore.data.numbers import Doubt
from ldpcore.data.options import ReadOptions
from ldpcore.data.percent import PercentExample
from ldpcore.data.recognisers.evidence import Evidence
from ldpcore.data.set_sources import Lines

_FEWEST = 5
"""Different numbers of a column whose other entries are no answers rather than answers."""
_MOSTLY = 0.5
"""Of the rows, that hold numbers in a column that may be one of numbers."""
_HAS_DIGIT = re.compile(r"\d").search
_LOOK = 2000


def numbers(evidence: Evidence) -> Iterable[Assumption]:
    """What was taken off numbers, what stands among them, and text that is mostly numbers."""
    if any(isinstance(source, Lines) for source in evidence.table.sets.values()):
        return
    beside: dict[tuple[str, ...], list[str]] = {}
    for name in evidence.names:
        column = evidence.columns.get(name)
        if column is None or evidence.role(name) == "amount":
            continue
        for taken in column.facts.written:
            size = _size(evidence, name, taken.before)
            yield assumed(
                AssumptionKind.NUMBERS, name,
                f"“{name}” has {plural(taken.rows, 'number')} {taken.what}: “{taken.before}” is read as {size}.",
                f"“{taken.before}” is {size}", evidence.options,
                own=((f"“{taken.before}” is mere text", {"role": "code"}),), asks=False,
            )  # fmt: skip
            break
        sizes = evidence.sizes(name) if column.codes_beside_numbers else None
        if sizes is not None and len(sizes[0]) >= _FEWEST:
            beside.setdefault(column.codes_beside_numbers, []).append(name)
        elif not evidence.table.profiles[name].numeric and evidence.role(name) is None:
            answers = _looked(evidence, name)
            yield from _times(evidence, name, answers) or _mostly_numbers(evidence, name, answers)
    for codes, names in beside.items():
        yield _among(codes, names, evidence)


def _size(evidence: Evidence, name: str, label: str) -> str:
    """What a label is worth."""
    series, values = pd.Series(evidence.table.frame[name]), evidence.table.values(name)
    rows = np.flatnonzero((series == label).to_numpy()) if values is not None else []
    if values is None or not len(rows):  # it is counted as its twin
        parsed = written.parse(pa.array([label]), np.ones(1, np.int64), evidence.table.reading)
        return label if parsed is None else f"{parsed.values[0]:.12g}"
    return f"{values[rows[0]]:.12g}"


def _among(codes: tuple[str, ...], names: list[str], evidence: Evidence) -> Assumption:
    shown = ", ".join(f"“{code}”" for code in codes)
    verb = "stands" if len(codes) == 1 else "stand"
    rows = sum(evidence.answers(name).get(code, 0) for name in names for code in codes)
    times = f" {plural(rows, 'time')}" if rows else ""
    options = evidence.options
    for name in names:
        options = options.with_column(name, missing=(*options.of(name).missing, *codes))
    assumption = assumed(
        AssumptionKind.NUMBERS, names[0],
        f"{shown} {verb} among the numbers of {', '.join(names)}{times}: a value as a category, missing as a number.",
        f"{shown}: an answer that is no number", evidence.options,
        ("no answer", {"columns": options.columns}), asks=False,
    )  # fmt: skip
    return assumption


def _looked(evidence: Evidence, name: str) -> dict[str, int]:
    """The answers of a column and their rows, or some of them from everywhere where there are very many."""
    if answers := evidence.answers(name):
        return answers
    series = pd.Series(evidence.table.frame[name])
    counted = series.iloc[:: max(1, len(series) // (4 * _LOOK))].value_counts()
    return dict(zip(map(str, counted.index.to_numpy().tolist()), counted.tolist(), strict=True))


def _times(evidence: Evidence, name: str, answers: Mapping[str, int]) -> list[Assumption]:
    """Times of day and durations, which are numbers when somebody says so."""
    texts = [label for label, n in answers.items() if n]
    if not durations.are(texts):
        return []
    label = max(texts, key=lambda text: answers[text])
    sizes = {unit: f"“{label}” is {durations.as_number(label, unit):.12g} {unit}" for unit in durations.UNITS}
    return [assumed(
        AssumptionKind.NUMBERS, name,
        f"“{name}” holds {plural(len(texts), 'different time')} such as “{label}”, which stands in "
        f"{plural(answers[label], 'row')}: it is read as text, of which no mean is taken.",
        "it is text", evidence.options, own=[(text, {"time": unit}) for unit, text in sizes.items()],
    )]  # fmt: skip


def _mostly_numbers(evidence: Evidence, name: str, answers: Mapping[str, int]) -> Iterable[Assumption]:
    """A column that counts as text since too much else stands in it."""
    if column_names.is_code(name) or column_names.is_person(name) or column_names.is_basket(name):
        return
    if isinstance(evidence.table.sets.get(name), SeveralAnswers) or evidence.table.profiles[name].dates:
        return
    texts = [label for label, n in answers.items() if n]
    digits = [text for text in texts if _HAS_DIGIT(text)]
    if len(digits) < _FEWEST or sum(map(answers.__getitem__, digits)) < _MOSTLY * sum(answers.values()):
        return
    if any(text[:1] == "0" and text.isdecimal() and len(text) > 1 for text in texts):
        return
    counts = np.array([answers[label] for label in texts], np.int64)
    parsed = written.parse(
        pa.array(texts, pa.string()), counts, written.Reading(evidence.table.reading.decimal, forced=True)
    )
    if parsed is None or parsed.is_number.sum() < _FEWEST:
        return
    rows, others = int(counts[parsed.is_number].sum()), [texts[i] for i in np.flatnonzero(~parsed.is_number)]
    if not others:
        yield _both_marks(evidence, name, texts)
    if rows < _MOSTLY * counts.sum() or not others:
        return
    share = f"{rows / counts.sum():.0%}"
    yield assumed(
        AssumptionKind.NUMBERS, name,
        f"“{name}” holds numbers in {share} of the rows, and beside them {checks.name_list(others, 4)}: it is read as "
        "text.",
        "it is text", evidence.options,
        own=(("they are numbers, and the rest is no answer", {"role": "amount"}),
             ("it is text, as it is", {"role": "code"})),
    )  # fmt: skip


def _both_marks(evidence: Evidence, name: str, texts: list[str]) -> Assumption:
    """A column in which some numbers have a point before the decimals and others a comma."""
    point, comma = (next((text for text in texts if mark in text), "") for mark in ".,")
    return assumed(
        AssumptionKind.NUMBERS, name,
        f"“{name}” holds numbers with both decimal marks, such as {point} and {comma}: it is read as text.",
        "it is text", evidence.options,
        own=(("they are numbers, with either mark", {"role": "amount"}), ("it is text, as it is", {"role": "code"})),
    )  # fmt: skip


def decimals(evidence: Evidence) -> Iterable[Assumption]:
    """Numbers such as "1,000", which are a thousand or one, where nothing in the file settles it."""
    for name, column in evidence.columns.items():
        facts = column.facts
        if facts.either and (not evidence.settled or facts.against):
            yield _doubtful(name, facts.either, evidence.table.reading.decimal, evidence.options)


def _doubtful(name: str, doubt: Doubt, mark: str, options: ReadOptions) -> Assumption:
    """Which of two readings was taken, and how to have the other."""
    other = "." if mark == "," else ","
    return assumed(
        AssumptionKind.DECIMAL, name,
        f"“{name}”: “{doubt.label}” is read as {doubt.taken:.15g}; it could be {doubt.other:.15g} too. If that is "
        "meant, choose the other decimal mark.",
        f"“{doubt.label}” is {doubt.taken:.15g}", options,
        (f"“{doubt.label}” is {doubt.other:.15g}", {"decimal": other}),
    )  # fmt: skip


def percentages(evidence: Evidence) -> Iterable[Assumption]:
    """Numbers without a sign beside percentages."""
    for name, column in evidence.columns.items():
        if column.facts.mixed:
            yield _mixed(name, column.facts.mixed, evidence.options)


def _mixed(name: str, mixed: PercentExample, options: ReadOptions) -> Assumption:
    shares = mixed.taken == mixed.recognised == "share"
    why = ", since no such number is above 1 and percentages are" if shares else ""
    other = "percent" if mixed.taken == "share" else "share"
    return assumed(
        AssumptionKind.PERCENT, name,
        f"“{name}” has numbers with and without a percent sign: beside “{mixed.signed}”, “{mixed.bare}” is read as "
        f"{mixed.value:.15g} %{why}; it could be {mixed.other:.15g} % too. If that is meant, choose what numbers "
        "beside percentages are.",
        f"“{mixed.bare}” is {mixed.value:.15g} %", options, (f"it is {mixed.other:.15g} %", {"percent": other}),
    )  # fmt: skip


def spelled(evidence: Evidence) -> list[str]:
    """Plain sentences on numbers that are spelled as text in a way that leaves no doubt."""
    return [
        f"“{name}” holds numbers written as text ({column.facts.spelling}): it can be used as a number too."
        for name, column in evidence.columns.items()
        if column.facts.spelling != "plain"
    ]
