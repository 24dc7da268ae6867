"""The review task: a whole survey, as it is signed: what each question promises and costs, and what all answers tell.

Marks are answers of several questions, "condition = HIV" each; of questions of numbers intervals, "age = 60..80".
Questions without marks are sent openly, the others through the mechanism among `mechanisms` that errs least on their
marked answers, were these rare (one alone is the one for all). `column` is the question in focus, on which no number
depends. The scope of a row is its question. Exposure is at the chosen ε alone, from the reports of one simulated
survey.

Secret answers have the study's `secret_epsilon`, and rows of their own: errors as "mse:private" and "mse:secret", and
where a question has both, the attack on the secret answers alone, told from all others, as "secret own", "secret
pairs" and so on. "others", "secret others": what is told of secret answers without their own report. "answer:…", with
"answer-low:…" and "answer-high:…": each of several marked answers, told from any other answer.

>>> from ldpcore import Marks, Source, Study, run
>>> marks = Marks.of(["marital-status = Divorced", "marital-status = Widowed"])
>>> study = Study(Source("census"), "marital-status", marks, grid=(), repetitions=1, task="review")
>>> rows = run(study.with_options(columns=("marital-status", "relationship", "sex")))
>>> told = rows[rows["scope"] == "marital-status"].set_index("metric")["value"]
>>> bool(told["own"] < 0.8 < told["pairs"]), rows["mechanism"].unique().tolist()
(True, ['uRR'])
"""

from collections.abc import Hashable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

import pandas as pd

from ldpcore.data import DataError, Table
from ldpcore.levels import Levels
from ldpcore.rng import stream
from ldpcore.scope import Scope
from ldpcore.study import fitting, mark_kinds
from ldpcore.study.definition import Study
from ldpcore.study.marks import Marks
from ldpcore.study.measures import NORMAL, POSITIVE, SCORE
from ldpcore.study.review import metrics
from ldpcore.study.review.asking import (
    CATALOG,
    ReviewOptions,
    answers,
    as_secret,
    asked,
    identity,
    masks,
    options,
    parts_of,
)
from ldpcore.study.review.attack import not_asked, refusal, scene
from ldpcore.study.review.change import ExposureChange, changes, telling
from ldpcore.study.review.compare import AnswerComparison, compare
from ldpcore.study.review.copies import Proof, copies, proofs
from ldpcore.study.review.hidden import Hidden, HiddenSurvey
from ldpcore.study.review.joined import AND, is_pair, parted
from ldpcore.study.review.people import (
    SurveyTable,
    able,
    cut_into,
    labels_of,
    questions,
    read,
    split,
    stated,
    stating,
    together,
    written,
)
from ldpcore.study.review.recommend import Extra, Recommending, recommended
from ldpcore.study.skeleton import CELL, Piece, table
from ldpcore.threads import one_thread

__all__ = [
    "AND", "AXES", "CATALOG", "MARKS", "MEASURES", "ON_SECRET", "OPTIONS", "AnswerComparison", "ExposureChange",
    "Extra", "Hidden", "HiddenSurvey", "Proof", "Recommending", "SurveyTable", "able", "as_secret", "asked",
    "changes", "chunks", "columns", "compare", "copies", "current", "default_column", "fit", "identity",
    "is_pair", "masks", "not_asked", "options", "parted", "points", "prepare", "proofs", "questions", "reading",
    "recommended", "refusal", "scene", "split", "stated", "stating", "surveyed", "telling", "theory", "written",
]  # fmt: skip

AXES = ("epsilon",)
MARKS = mark_kinds.QUESTIONS
OPTIONS = ReviewOptions
QUICK, WHOLE = "quick", "whole"
"""Pieces of a question: errors, own report, and naive Bayes with every column at once; then all attackers."""
ON_SECRET = "secret "
"""Before the metrics of the attack on secret answers alone."""

columns, default_column = questions, fitting.default_countable


@fitting.fits
def fit(study: fitting.Draft, table: Table) -> fitting.Refusals:
    """The study about this table: questions that it has, and marks of their answers."""
    known = questions(table)
    usual = default_column(table) if default_column(table) in known else next(iter(known), "")
    marks = study.marks
    refused = fitting.start(study, table, CATALOG, known, usual)
    # Marks are of all questions: another one in focus keeps them.
    study.set(bins=None, marks=marks)
    refused += fitting.options(study, lambda made: _sensible(made, known))
    if {key for key, entry in CATALOG.items() if entry.promise != Levels.name} <= set(study.mechanisms):
        study.set(mechanisms=tuple(CATALOG))  # the best of all, said before there were levels
    refused += fitting.marks(study, {mark for mark in marks.values if _known(mark, study, table, known)})
    if (names := _asked(study, known)) and study.column not in names:
        study.set(column=names[0])
    return refused


def _sensible(study: Study, known: tuple[str, ...]) -> None:
    chosen = options(study)
    stated(chosen.ranges, known)
    parts_of(study, (*known, *chosen.as_one))
    for name in ("columns", "hidden", "known"):
        if unknown := [each for each in getattr(chosen, name) if each not in known]:
            raise ValueError(f"the option {name} names {', '.join(unknown[:5])}, which the data do not have")
    halves = [half for text in chosen.as_one for half in parted(text, _asked(study, known))]
    if len(set(halves)) < len(halves):
        raise ValueError("a question is asked with one other at most, got it in two pairs")


def _known(mark: str, study: Study, table: Table, known: tuple[str, ...]) -> bool:
    """Whether this is a mark of an answer in the data; that of a question that is not asked stays as well."""
    ranges = stated(options(study).ranges, known)
    try:
        ((name, marked),) = split([mark], known).items()
        cut = cut_into(table, name, ranges.get(name))
        labels = labels_of(table, name, cut, study.missing)
        return bool(marked) and set(answers(cut, labels, marked)) <= set(labels)
    except ValueError:
        return False


def _asked(study: Study, known: tuple[str, ...]) -> tuple[str, ...]:
    """The questions of the survey, in the order of the data."""
    chosen = options(study).columns
    return tuple(name for name in known if name in chosen) or known


def reading(study: Study) -> Study:
    """All that `prepare` depends on: also marks of what is not asked, which stands beside."""

    def make() -> Study:
        chosen = {name: study.option(name) for name in ("columns", "ranges", "as_one", "known")}
        inside = options(study).asked_marks(study.marks).levels
        marks = Marks(tuple(each for each in study.marks.levels if each not in inside))
        return Study(study.data, "", marks, task="review", grid=(), missing=study.missing).with_options(**chosen)

    return study.derived(("reading",), make)


def prepare(study: Study, table: Table) -> SurveyTable:
    """The answers to the survey's questions; DataError or ValueError where they cannot be asked.

    A question that is marked and not asked stands `beside` them, unless nobody has answered it and all others. Of the
    columns that an attacker is said to know those count that are not asked.
    """
    known, chosen = questions(table), options(study)
    if unknown := [name for name in chosen.columns if name not in known]:
        raise ValueError(f"“{table.name}” has no question {', '.join(unknown[:5])}; it has {', '.join(known[:20])}")
    names, ranges = _asked(study, known), stated(chosen.ranges, known)

    def ask(columns: tuple[str, ...]) -> SurveyTable:
        elsewhere = tuple(name for name in chosen.known if name in known and name not in columns)
        return together(read(table, columns, ranges, study.missing, elsewhere), chosen.as_one)

    beside = {}
    for name in split(study.marks.values, known):
        if name not in names:
            with suppress(DataError):
                beside[name] = ask(tuple(each for each in known if each in (*names, name)))
    return replace(ask(names), beside=beside)


def current(study: Study, data: SurveyTable) -> float:
    """The ε that is chosen now."""
    return study.epsilon


def points(study: Study, data: SurveyTable) -> list[float]:
    """The grid and the chosen ε, ascending."""
    return sorted({*map(float, study.grid), study.epsilon})


@one_thread
def theory(study: Study, data: SurveyTable) -> pd.DataFrame:
    """Exact errors, ε and people of every hidden question at every ε."""
    rows = []
    for x in points(study, data):
        survey = asked(study, data, x)
        levels = survey.by_level()
        for name, (whole, of_marked) in survey.errors().items():
            one = survey.hidden[name]
            known = {"mse": whole, "mse:marked": of_marked, "epsilon": one.epsilon, "people": survey.n * one.chance}
            known["bits"] = one.built.report_bits()
            known |= {f"mse:{level}": error for level, error in levels.get(name, {}).items()}
            known |= {"epsilon:secret": one.secret_epsilon} if name in levels else {}
            rows += [(one.key, x, metric, name, value) for metric, value in known.items()]
    return table(rows, [*CELL, "theory"])


def chunks(study: Study, data: SurveyTable) -> list["QuestionPiece"]:
    """Of every question its errors and the quick attack, also on secret answers alone; after those, all attackers."""
    survey = asked(study, data, study.epsilon)
    first = [QuestionPiece(study, data, one.key, name, QUICK) for name, one in survey.hidden.items()]
    both = [one.name for one in survey.hidden.values() if one.secret.any() and one.private.any()]
    first += [replace(piece, secret=True) for piece in first if piece.question in both]
    every = options(study).attacker == "every"
    return first + [replace(p, part=WHOLE) for p in first if every]


@dataclass(frozen=True, eq=False)
class QuestionPiece(Piece):
    """One question, or (`secret`) its secret answers alone; picklable: it may run anywhere."""

    study: Study
    data: SurveyTable
    mechanism: str
    question: str
    part: str
    secret: bool = False
    repetition: int = 0

    @property
    def identity(self) -> Hashable:
        """All that it depends on: not which question is looked at."""
        return "review", identity(self.study), self.question, self.part, self.secret

    @one_thread
    def rows(self) -> list[tuple]:
        rows: list[tuple] = []
        if self.part == QUICK and not self.secret:
            for x in points(self.study, self.data):
                survey = asked(self.study, self.data, x)
                for repetition in range(self.study.repetitions):
                    rows += self._rows(
                        survey, x, repetition, surveyed(self.study, self.data, survey, self.question, repetition)
                    )
        survey = asked(self.study, self.data, self.study.epsilon)
        one = survey.hidden[self.question].aimed(self.secret)
        if one.apart or self.part == WHOLE:
            attack = metrics.quick if self.part == QUICK else metrics.whole
            of = ON_SECRET if self.secret else ""
            tells = attack(self.study, self.data, survey, one, self.secret)
            rows += self._rows(survey, self.study.epsilon, 0, ((f"{of}{metric}", value) for metric, value in tells))
        return rows

    def _rows(self, here: HiddenSurvey, x: float, repetition: int, rows: Iterator[tuple[str, float]]) -> list[tuple]:
        row = here.hidden[self.question].key, repetition, x
        return [(*row, metric, self.question, value) for metric, value in rows]


def surveyed(
    study: Study, data: SurveyTable, here: HiddenSurvey, question: str, repetition: int
) -> Iterator[tuple[str, float]]:
    """One simulated survey of one question: who is asked it, and what their reports err."""
    one = here.hidden[question]
    rng = stream(study.seed, "survey", question, float(one.epsilon), repetition)
    counts = one.counts
    if one.chance < 1:
        people = 0
        while not people:  # nobody drawn counts as drawn again
            people = int(rng.binomial(here.n, one.chance))
        counts_asked = rng.multivariate_hypergeometric(counts, people, method="marginals")
    else:
        people, counts_asked = here.n, counts
    squared = (one.built.simulate(counts_asked, rng, 1)[0] - counts / counts.sum()) ** 2
    yield "mse", float(squared.mean())
    yield "mse:marked", float(squared[one.marked].mean())
    if one.secret.any():
        parts = {Scope.PRIVATE: one.private, Scope.SECRET: one.secret}
        yield from ((f"mse:{level}", float(squared[part].mean())) for level, part in parts.items() if part.any())
        yield "epsilon:secret", one.secret_epsilon
    yield "epsilon", one.epsilon
    yield "people", float(people)
    yield "bits", one.built.report_bits()


# Of one survey's people: no independent trials.
_SCORES = ("own", "first", "pairs", "others", "with", "named", "blind", "surest", "marked", "answer")
MEASURES = {
    **dict.fromkeys(("mse", "people", "epsilon", "bits"), POSITIVE),
    **dict.fromkeys([f"{of}{score}" for of in ("", ON_SECRET) for score in _SCORES], SCORE),
    **dict.fromkeys([f"{of}answer-{end}" for of in ("", ON_SECRET) for end in ("low", "high")], SCORE),
    **dict.fromkeys([f"{of}{gain}" for of in ("", ON_SECRET) for gain in ("gain", "least")], NORMAL),
}
