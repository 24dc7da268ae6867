"""The people of a survey: their answers to every question, numbers cut into bins, missing answers decided."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore import checks
from ldpcore.data import DataError, Histogram, Table
from ldpcore.data.histogram import MISSING_LABEL
from ldpcore.data.weighing import effective_size, rounded
from ldpcore.domain import Interval
from ldpcore.memory import Remembering, remembered
from ldpcore.questionnaire.attack_split import MOST
from ldpcore.relations import MOST_PAIRS
from ldpcore.study import fitting, intervals, readings
from ldpcore.study.fitting import Range
from ldpcore.study.review.joined import AND, JoinedQuestion

BETWEEN = " = "
"""Between a question and its answer: a mark of a survey is written "condition = HIV"."""


@dataclass(frozen=True, eq=False)
class SurveyTable(Remembering):
    """table: one column of categories per question, nothing missing. ranges: question of numbers → (low, high, bins).

    dropped: rows left out for a missing answer. joined: of questions that are two asked as one. rows: the most that
    one person has: each is a whole report. weight: the column of people's weights, which is no question, stands beside
    the answers all the same and is seen by whoever collects them; "" without one. silent: question → the answer that
    stands for none. effective: Kish's n of the weights, as a part of the people; 1 without any. gaps: question → rows
    of the data without an answer to it, of those that have such rows, the most first. unasked: the columns of the data
    that could be asked, and are not. beside: of these the marked ones → the same survey with this question, too: what
    those say who have answered it, which the reports to the others may tell. known: of these the ones that an attacker
    knows all the same; they stand beside the answers as the weight does.
    """

    table: Table
    ranges: dict[str, Range]
    dropped: int
    joined: dict[str, JoinedQuestion] = field(default_factory=dict)
    rows: int = 1
    weight: str = ""
    silent: dict[str, str] = field(default_factory=dict)
    effective: float = 1.0
    gaps: dict[str, int] = field(default_factory=dict)
    unasked: tuple[str, ...] = ()
    beside: "dict[str, SurveyTable]" = field(default_factory=dict)
    known: tuple[str, ...] = ()

    @property
    def questions(self) -> tuple[str, ...]:
        return tuple(name for name in map(str, self.table.frame.columns) if name not in (self.weight, *self.known))

    @property
    def separate(self) -> tuple[str, ...]:
        """The same, with both questions of each pair in its place: what marks are of."""
        return tuple(half for name in self.questions for half in self.halves(name))

    def halves(self, question: str) -> tuple[str, ...]:
        """The two questions of a pair; of any other itself."""
        return self.joined[question].names if question in self.joined else (question,)

    def width(self, question: str) -> float | None:
        """How wide the classes are in which numbers are asked; None of categories."""
        low, high, classes = self.ranges.get(question, (0.0, 0.0, 1))
        return (high - low) / classes or None

    def marked(self, marks: Iterable[str]) -> dict[str, list[str]]:
        """Marks by their question, of those that are asked; ValueError for one about no question of the data."""
        every = split(marks, (*self.separate, *self.unasked))
        return {name: answers for name, answers in every.items() if name in self.separate}

    def asked_in(self, question: str) -> str:
        """The question that this one is asked as: itself, or the pair that it is part of."""
        return next((name for name, pair in self.joined.items() if question in pair.names), question)

    @property
    def n(self) -> int:
        return len(self.table.frame)

    def histogram(self, question: str) -> Histogram:
        """The answers to a question."""
        return remembered(
            self, ("histogram", question), lambda: self.table.categorical(question, "column"), self.table.frame.shape[1]
        )

    def labels(self, question: str) -> tuple[str, ...]:
        """The answers to a question, also to one that is asked with another."""
        pair = self.joined.get(self.asked_in(question))
        if pair is not None and question in pair.names:
            return pair.labels[pair.names.index(question)]
        return self.histogram(question).domain.labels

    def said(self, question: str, answers: list[str]) -> list[str]:
        """Answers to a question as a person says them: bins of numbers that are neighbours are one, "6000..13000"."""
        cut = self.ranges.get(question)
        return answers if cut is None else readings.from_bins(answers, cut)

    def unanswered(self, question: str) -> NDArray[np.bool_]:
        """Which answers (k,) to a question stand for none; of a pair, for none to either of the two."""
        pair = self.joined.get(question)
        if pair is not None:
            return pair.marks({name: self.unanswered(name) for name in pair.names})
        return np.array([label == self.silent.get(question) for label in self.labels(question)])


def questions(table: Table) -> tuple[str, ...]:
    """The columns that a survey can ask: everything but identifiers and columns of a single value."""
    return tuple(p.name for p in table.profile() if p.role in ("category", "number"))


def written(question: str, answers: Iterable[str]) -> list[str]:
    """Marks of a question as marks of a survey."""
    return [f"{question}{BETWEEN}{answer}" for answer in answers]


def split(marks: Iterable[str], known: Sequence[str]) -> dict[str, list[str]]:
    """Marks of a survey by their question; ValueError with a sentence for one about no question of these."""
    by_question: dict[str, list[str]] = {}
    for mark in marks:
        # A question may hold the words between itself.
        fits = [name for name in known if mark.startswith(f"{name}{BETWEEN}")]
        if not fits:
            raise ValueError(
                f"the mark {mark!r} is about none of the questions {checks.name_list(known, 20)}; a mark of a review "
                f"is written with its question, such as 'condition{BETWEEN}HIV'"
            )
        name = max(fits, key=len)
        by_question.setdefault(name, []).append(mark.removeprefix(f"{name}{BETWEEN}"))
    return by_question


def stated(texts: Iterable[str], known: Sequence[str]) -> dict[str, Range]:
    """Public ranges, question → (low, high, bins), of texts such as "age = 20..90/7"; ValueError with a sentence."""
    ranges: dict[str, Range] = {}
    for name, range_texts in split(texts, known).items():
        ends, _, count = range_texts[-1].partition("/")
        low, high = intervals.parse(ends)
        if not count.isdigit():
            raise ValueError(
                f"a public range is written with its bins, such as 'age{BETWEEN}20..90/7', got {range_texts[-1]!r}"
            )
        ranges[name] = low, high, checks.integer(int(count), "the number of bins", 2, 1000)
    return ranges


def stating(ranges: dict[str, Range]) -> tuple[str, ...]:
    """The texts that `stated` reads."""
    return tuple(
        f"{name}{BETWEEN}{intervals.written(low, high)}/{count}" for name, (low, high, count) in ranges.items()
    )


def together(people: SurveyTable, pairs: Iterable[str]) -> SurveyTable:
    """The same people, these questions ("smoking + sex") asked as one; ValueError where they cannot be."""
    frame, joined = people.table.frame, dict(people.joined)
    for text in pairs:
        pair = JoinedQuestion.of(frame, text)
        frame, joined[pair.name] = pair.within(frame), pair
    one = replace(people, table=replace(people.table, frame=frame), joined=joined)
    if len(one.questions) < 2:
        raise ValueError("a review needs two questions at least; with these asked as one there is one alone")
    return one


def able(people: SurveyTable, names: Iterable[str]) -> list[str]:
    """The pairs of these questions that can be asked as one: "smoking + sex"."""
    sizes = {name: len(people.labels(name)) for name in names if name in people.separate}
    return [AND.join((x, y)) for x, y in combinations(sizes, 2) if sizes[x] * sizes[y] <= MOST_PAIRS]


def read(
    table: Table, asked: Sequence[str], ranges: dict[str, Range], missing: str, known: Sequence[str] = ()
) -> SurveyTable:
    """The answers to these questions. missing "any": who misses one of them is left out; otherwise a missing answer is
    an answer of its own. known: columns that nobody is asked, and that an attacker knows. DataError where fewer than
    two questions can be asked, or nobody is left.
    """
    both = (*asked, *known)
    cut = {name: range_ for name in both if (range_ := cut_into(table, name, ranges.get(name))) is not None}
    columns = {name: _answers(table, name, cut.get(name)) for name in asked}
    answered = {name: column for name, column in columns.items() if _several(column, missing)}
    if len(answered) < 2:
        raise DataError(
            f"“{table.name}” has {'one question' if answered else 'no question'} that can be reviewed.",
            "A review shows what the answers to several questions tell together. Ask at least two that have more than "
            "one answer, or look at this one on the page Frequency.",
        )
    frame = pd.DataFrame(answered)
    weight, weights = table.weights or ("", None)
    if weights is not None:
        different = np.unique(weights)
        few = weights if len(different) <= MOST else rounded(weights, MOST)
        frame[weight] = pd.Categorical([f"{each:.6g}" for each in few])
    whole = frame.notna().all(axis=1)
    for name in known:
        frame[name] = _with_missing(_answers(table, name, cut.get(name)))
    weights = weights[whole.to_numpy()] if weights is not None and missing == "any" else weights
    silent = {} if missing == "any" else {name: _absent(frame[name]) for name in columns if frame[name].isna().any()}
    frame = frame[whole].reset_index(drop=True) if missing == "any" else frame.apply(_with_missing)
    if not len(frame):
        raise DataError(
            "Nobody has answered every question.",
            "Count a missing answer as a value of its own, or leave out the questions that few people answer.",
        )
    dropped = len(whole) - len(frame)
    gaps = {name: int(column.isna().sum()) for name, column in answered.items() if column.isna().any()}
    effective = 1.0 if weights is None else effective_size(weights) / len(weights)
    return SurveyTable(
        replace(table, frame=frame, sets={}, missing={}, before=None), cut, dropped, rows=table.rows_of_one(),
        weight=weight, silent=silent, effective=effective, gaps=dict(sorted(gaps.items(), key=lambda of: -of[1])),
        unasked=tuple(name for name in questions(table) if name not in columns), known=tuple(known),
    )  # fmt: skip


def labels_of(table: Table, name: str, cut: Range | None, missing: str) -> tuple[str, ...]:
    """The answers that there are to a question."""
    column = table.frame[name]
    labels = Interval(cut[0], cut[1]).bins(cut[2])[1].labels if cut else tuple(map(str, column.cat.categories))
    return (*labels, MISSING_LABEL) if missing != "any" and column.isna().any() else labels


def cut_into(table: Table, name: str, given: Range | None) -> Range | None:
    """The bins of a question of numbers; None where its answers are counted one by one."""
    profile = fitting.column(table, name)
    if profile is None or not profile.numeric:
        return None
    if given is None and (profile.role == "number" or fitting.must_bin(profile)):
        return fitting.proposed(profile)
    return given


def _answers(table: Table, name: str, cut: Range | None) -> pd.Series:
    """(n,) of the pandas kind category."""
    if cut is None:
        return table.frame[name]
    x = table.values(name)
    if x is None:
        raise DataError(f"“{name}” holds text, not numbers.", "Give ranges of questions of numbers only.")
    edges = Interval(cut[0], cut[1])
    labels = edges.bins(cut[2])[1].labels
    codes = np.full(len(x), -1)
    there = ~np.isnan(x)
    codes[there] = edges.cells(x[there], cut[2])
    return pd.Series(pd.Categorical.from_codes(codes, dtype=pd.CategoricalDtype(list(labels))), name=name)


def _several(column: pd.Series, missing: str) -> bool:
    answers = column.nunique() + (missing != "any" and bool(column.isna().any()))
    return answers > 1


def _with_missing(column: pd.Series) -> pd.Series:
    if not column.isna().any():
        return column
    label = _absent(column)
    return column.cat.add_categories([label]).fillna(label)


def _absent(column: pd.Series) -> str:
    label = MISSING_LABEL
    while label in column.cat.categories:  # a file may use these very words
        label += "*"
    return label
