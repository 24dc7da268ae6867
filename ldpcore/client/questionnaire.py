"""Several questions in one file: every person answers all of them, or one that is drawn for them."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from ldpcore import checks
from ldpcore.client.client import Client, secure
from ldpcore.client.loading import loaded
from ldpcore.integer_law import Word, below

FORMAT = "ldpcore questionnaire 1"
ALL, ONE = "all", "one"
NAMED_TWICE = "two questions are called {!r}; every question needs a name of its own"
NO_QUESTIONNAIRE = "this is no questionnaire; `Questionnaire.to_json` writes one"
MOST_QUESTIONS, MOST_WEIGHT = 100, 1000
BETWEEN = ","
"""Between the reports in what a person hands in: pasted under the names of the questions it is a row of a CSV."""
NO_REPORT = -1
"""In place of what is no whole number: no phone sends it."""
_CELL = re.compile(r"([0-9]{1,19})?(?:-([0-9a-fA-F]{8}))?")


@dataclass(frozen=True)
class Questionnaire:
    """Clients by the names of their questions. asks: "all" of them to everybody, or "one" that each person draws, by
    public whole weights (); a report is {name: whole number}, and a question that is not answered is not in it.

    >>> smokes = Client.of("GRR", 1.0, ["no", "yes"], question="Do you smoke?")
    >>> copied = Client.of("uRR", 2.0, ["no", "yes"], [False, True], "Have you copied?")
    >>> asked = Questionnaire({"smokes": smokes, "copied": copied})
    >>> round(asked.epsilon, 6), sorted(asked.draw({"smokes": "no", "copied": "yes"}))
    (3.0, ['copied', 'smokes'])
    >>> Questionnaire.from_json(asked.to_json()) == asked
    True
    """

    questions: Mapping[str, Client]
    asks: str = ALL
    weights: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        names = list(self.questions)
        checks.integer(len(names), "the number of questions", 1, MOST_QUESTIONS)
        if not all(isinstance(name, str) and name.strip() for name in names):
            raise ValueError("every question needs a name of its own; one is empty")
        alike = [name.strip().lower() for name in names]  # a column of a file is found without its letters' size
        twice = next((name for name, each in zip(names, alike, strict=True) if alike.count(each) > 1), None)
        if twice is not None:
            raise ValueError(NAMED_TWICE.format(twice.strip()))
        if self.asks not in (ALL, ONE):
            raise ValueError(f"asks is {ALL!r}, or {ONE!r} drawn for each person, got {self.asks!r}")
        if self.weights and (self.asks == ALL or len(self.weights) != len(names)):
            raise ValueError(f"weights are one whole number for each of {len(names)} questions, where one is asked")
        for weight in self.weights:
            checks.integer(weight, "a question's weight", 1, MOST_WEIGHT)

    @property
    def epsilon(self) -> float:
        """What all reports of a person promise together, to be said before the first answer: the sum over the
        questions, or the largest where one is asked.
        """
        each = [client.kept for client in self.questions.values()]
        return sum(each) if self.asks == ALL else max(each)

    @property
    def promise(self) -> str:
        """The same in a sentence."""
        count = len(self.questions)
        which = "the answer" if count == 1 else f"all {count} answers" if self.asks == ALL else "the one answer"
        return f"What is sent of {which} changes the odds of anything about you by e^{self.epsilon:.4g} at most."

    # on the phone ----------------------------------------------------------------------------------------------

    def asked(self, word: Word = secure) -> tuple[str, ...]:
        """The names of what this person is asked: drawn once, before anything is answered, and kept."""
        names = tuple(self.questions)
        if self.asks == ALL:
            return names
        weights = self.weights or (1,) * len(names)
        place = below(sum(weights), word)
        for name, weight in zip(names, weights, strict=True):
            if place < weight:
                return (name,)
            place -= weight
        raise AssertionError("the weights add up to more than was drawn below")

    def draw(self, answers: Mapping[str, str | None], word: Word = secure) -> dict[str, int]:
        """The reports of somebody, all at once: when they are sent, and never again. None, or a name left out: a
        question that was not asked, or not answered, which everybody sees.
        """
        given = {name: answer for name, answer in answers.items() if answer is not None}
        for name, answer in given.items():
            if name not in self.questions:
                raise ValueError(f"nobody asks {name!r}; the questions are {checks.name_list(self.questions)}")
            if answer not in self.questions[name].answers:
                raise ValueError(f"{answer!r} is no answer to {name!r}")
        if self.asks == ONE and len(given) > 1:
            raise ValueError(f"one question is asked of each person, and {len(given)} were answered; ε would add up")
        return {name: client.draw(given[name], word) for name, client in self.questions.items() if name in given}

    def code(self, reports: Mapping[str, int]) -> str:
        """What a person hands in: a place for each question, and the mark of this file.

        >>> asked = Questionnaire({name: Client.of("GRR", 1.0, ["no", "yes"]) for name in ("smokes", "copied", "ill")})
        >>> asked.code({"smokes": 2, "ill": 1}).split("-")[0], asked.handed(asked.code({"ill": 1}).split(","))
        ('2,,1', {'ill': 1})
        """
        return f"{BETWEEN.join(str(reports.get(name, '')) for name in self.questions)}-{self.mark}"

    # at the collector ------------------------------------------------------------------------------------------

    def handed(self, cells: Iterable[str]) -> dict[str, int]:
        """The reports of what a person handed in, a text for each question, "" for none; NO_REPORT for what is none. A
        mark of another file makes all of them none.
        """
        read = [_CELL.fullmatch(cell.strip()) for cell in cells]
        foreign = any(cell is not None and cell[2] and cell[2].lower() != self.mark for cell in read)
        whole = len(read) == len(self.questions) and not foreign
        sent = {}
        for name, cell in zip(self.questions, read, strict=False):
            if cell is None or cell[1]:
                sent[name] = int(cell[1]) if whole and cell is not None else NO_REPORT
        return sent

    def accepts(self, reports: Mapping[str, object]) -> bool:
        """Whether one person can have sent these."""
        known = all(name in self.questions and self.questions[name].accepts(y) for name, y in reports.items())
        return known and bool(reports) and (self.asks == ALL or len(reports) == 1)

    def estimate(self, people: Iterable[Mapping[str, object]], level: float = 0.95) -> pd.DataFrame:
        """A row per question and answer: question, answer, sensitive, share, low, high, with the question's own n and
        its refused reports. Where one is asked, whoever sends several is refused for all of them.
        """
        rows = list(people)
        parts = []
        for name, client in self.questions.items():
            sent = [row for row in rows if row.get(name) is not None]
            good = [row[name] for row in sent if (self.asks == ALL or len(row) == 1) and client.accepts(row[name])]
            part = client.estimate(good, level)  # type: ignore[arg-type]  each was accepted
            parts.append(part.assign(n=len(good), refused=len(sent) - len(good)))
            parts[-1].insert(0, "question", name)
        return pd.concat(parts, ignore_index=True)

    # as a file -------------------------------------------------------------------------------------------------

    @cached_property
    def mark(self) -> str:
        """The first eight digits of the SHA-256 of questionnaire.json, as `Client.mark`."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()[:8]

    def to_json(self) -> str:
        """questionnaire.json: each question as its own client.json would have it, and ε of a person."""
        questions = [{"name": name, **client.to_dict()} for name, client in self.questions.items()]
        document: dict[str, Any] = {"format": FORMAT, "asks": self.asks, "weights": list(self.weights)}
        document |= {"epsilon": self.epsilon, "questions": questions}
        return json.dumps(document, ensure_ascii=False, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "Questionnaire":
        """Of a file; of a single client.json a questionnaire of that question. ValueError where it is damaged."""
        document = loaded(text)
        if not isinstance(document, dict):
            raise ValueError(NO_QUESTIONNAIRE)
        if document.get("format") != FORMAT:
            client = Client.from_json(text)
            return cls({client.question or "report": client})
        try:
            asks, weights, questions = document["asks"], tuple(document["weights"]), document["questions"]
            names = [question["name"] for question in questions]
            clients = [Client.from_json(json.dumps(question)) for question in questions]
        except (KeyError, TypeError) as error:
            raise ValueError(NO_QUESTIONNAIRE) from error
        if len(set(names)) < len(names):
            raise ValueError(NAMED_TWICE.format(next(name for name in names if names.count(name) > 1)))
        made = cls(dict(zip(names, clients, strict=True)), asks, weights)
        if document.get("epsilon") != made.epsilon:
            raise ValueError(
                f"this file says ε = {document.get('epsilon')}, and its questions come to {made.epsilon:g}"
            )
        return made
