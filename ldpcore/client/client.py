"""A question with its mechanism, as one small file: what people's phones draw by, and what the collector counts by."""

import hashlib
import json
import secrets
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal, localcontext
from functools import cached_property
from math import log
from typing import Any

import numpy as np
import pandas as pd

from ldpcore import catalog, checks, limit
from ldpcore.client.collected import intervals
from ldpcore.client.loading import NONE, loaded
from ldpcore.client.pair import AskedPair
from ldpcore.estimators import likelihood, publishing
from ldpcore.integer_law import UNIT, IntegerLaw, Word
from ldpcore.mechanisms import bits
from ldpcore.plan import Plan, quantile
from ldpcore.plan import frequency as planned
from ldpcore.randomizer import Randomizer
from ldpcore.scope import Scope
from ldpcore.tally import Tally

FORMAT = "ldpcore client 1"
LOWEST, HIGHEST = 0.001, 10.0
"""ε of a client: whole numbers of 53 bits hold e^ε and its difference from 1 to six digits and more."""
LONGEST = 300
"""Characters of a question, and of an answer."""


def offered() -> list[str]:
    """The mechanisms that have a law in whole numbers.

    >>> offered()
    ['GRR', 'RAPPOR', 'OUE', 'SS', 'uRR', 'uRAP', 'uOUE', 'uSS']
    """
    return [key for key, entry in catalog.FREQUENCY.items() if entry.factory.integer_law is not Randomizer.integer_law]


def secure() -> int:
    """32 random bits of the operating system."""
    return secrets.randbits(32)


@dataclass(frozen=True)
class Client:
    """A question, its answers, which of them are sensitive, a mechanism and its ε.

    `epsilon` was asked for; the law keeps `kept`, less by 10⁻¹⁰ at most of what e^ε loses when it is rounded down to a
    whole number of 2⁻³². The estimate belongs to the law that is drawn by.

    >>> survey = Client.of("uSS", 1.0, ["never", "once", "often"], [False, True, True], "Have you copied in a test?")
    >>> reports = [survey.draw("once") for _ in range(1000)]  # each on somebody's own phone
    >>> survey.estimate(reports)["answer"].tolist(), survey.accepts(reports[0]), survey.accepts(7)
    (['never', 'once', 'often'], True, False)
    >>> Client.from_json(survey.to_json()) == survey
    True
    """

    key: str
    epsilon: float
    answers: tuple[str, ...]
    sensitive: tuple[bool, ...]
    question: str = ""
    guess: float | None = None
    """Public guess of the share of people with a sensitive answer, where a mechanism takes one."""
    pair: AskedPair | None = None
    """The two questions that this one asks together; its answers are then theirs, in their order."""
    size: int | None = None
    """Of uSS: marked answers in a report, where these are not as many as serve the shares best."""

    @classmethod
    def of(
        cls,
        key: str,
        epsilon: float,
        answers: Sequence[str],
        sensitive: Sequence[bool] | None = None,
        question: str = "",
        guess: float | None = None,
        pair: AskedPair | None = None,
        size: int | None = None,
    ) -> "Client":
        """A checked one. ValueError or TypeError, in a sentence, where it could not run or would protect nothing."""
        marks = [False] * len(answers) if sensitive is None else [bool(mark) for mark in sensitive]
        asked = tuple(map(str, answers)), tuple(marks), str(question)
        made = cls(key, checks.epsilon(epsilon), *asked, guess, pair, size)
        made._check()
        return made

    def _check(self) -> None:
        if self.key not in offered():
            raise ValueError(f"{self.key!r} cannot run on phones; choose one of {', '.join(offered())}")
        if not LOWEST <= self.epsilon <= HIGHEST:
            raise ValueError(f"a client's ε lies between {LOWEST:g} and {HIGHEST:g}, got {self.epsilon:g}")
        if len(self.sensitive) != len(self.answers):
            raise ValueError(f"{len(self.answers)} answers and {len(self.sensitive)} marks do not fit together")
        if len(set(self.answers)) < len(self.answers) or not all(answer.strip() for answer in self.answers):
            raise ValueError("every answer needs a name of its own; two are the same, or one is empty")
        if max(map(len, (self.question, *self.answers))) > LONGEST:
            raise ValueError(f"the question and every answer have at most {LONGEST} characters")
        if catalog.FREQUENCY[self.key].uses_marks and not any(self.sensitive):
            raise ValueError(f"{self.key} would protect nothing: mark an answer, or take one that protects all")
        if self.guess is not None and (isinstance(self.guess, bool) or not isinstance(self.guess, int | float)):
            raise TypeError(f"guess is the share of people with a sensitive answer, a number, got {self.guess!r:.60}")
        if self.size is not None and self.key != "uSS":
            raise ValueError(f"a size is of the subsets that uSS sends; {self.key} has none")
        if self.pair is not None and list(self.answers) != self.pair.answers:
            raise ValueError("the answers of this client are not the pairs of its two questions' answers")
        _ = self.law  # the number of answers, and whole numbers that are too large

    @cached_property
    def e_epsilon(self) -> int:
        """e^(ε/root) in units of 2⁻³², rounded down, in decimals: floats would round either way."""
        with localcontext() as decimals:
            decimals.prec, decimals.rounding = 60, ROUND_FLOOR
            root = catalog.FREQUENCY[self.key].factory.integer_law_root
            return int((Decimal(repr(self.epsilon)) / root).exp() * UNIT)

    @cached_property
    def kept(self) -> float:
        """The ε that the law keeps: at most the one that was asked for."""
        return catalog.FREQUENCY[self.key].factory.integer_law_root * log(self.e_epsilon / UNIT)

    @cached_property
    def mechanism(self) -> Randomizer:
        """The engine's own, at `kept`."""
        entry = catalog.FREQUENCY[self.key]
        given = {"share": self.guess if entry.takes_share else None, "size": self.size}
        extra = {name: value for name, value in given.items() if value is not None}
        return entry.build(self.kept, len(self.answers), np.array(self.sensitive), **extra)

    @cached_property
    def law(self) -> IntegerLaw:
        """In whole numbers."""
        return self.mechanism.integer_law(self.e_epsilon)

    @property
    def hidden(self) -> list[bool]:
        """Which answers no report proves."""
        return [not disclosed for disclosed in self.mechanism.disclosure() > 0]

    def draw(self, answer: str, word: Word = secure) -> int:
        """The report of somebody with this answer: one whole number, bit v for answer v."""
        return self.law.draw(self.answers.index(answer), word)

    def odds(self, report: int) -> dict[str, float]:
        """How likely this very report is under every answer: what it can mean."""
        return {answer: float(chance) for answer, chance in zip(self.answers, self.law.chances(report), strict=True)}

    def accepts(self, report: object) -> bool:
        """Whether any phone can have sent this."""
        return self.law.accepts(report)

    def tally(self, reports: Iterable[int]) -> Tally:
        """Counts of reports, each accepted before; ValueError for one that no phone can send."""
        return self.tally_of(Counter(reports))

    def tally_of(self, often: Mapping[int, int]) -> Tally:
        """The same of reports with how often each came."""
        total = np.zeros(len(self.answers), np.int64)
        for report, times in often.items():
            if not self.accepts(report):
                raise ValueError(f"no phone can have sent {report!r} by this client")
            total += times * np.array([report >> v & 1 for v in range(len(total))])
        return Tally(sum(often.values()), total)

    def estimate(self, reports: Iterable[int] | Tally, level: float = 0.95) -> pd.DataFrame:
        """A row per answer: answer, sensitive, share (unbiased: it may be below 0), low, high.

        low and high are of the share among those who answered; each pair covers at least `level` (`intervals`).
        """
        counted = reports if isinstance(reports, Tally) else self.tally(reports)
        low, high = intervals(self.law, counted, level)
        share = self.mechanism.estimate(counted) if counted.n else np.full(len(self.answers), np.nan)
        named = {"answer": self.answers, "sensitive": self.sensitive}
        return pd.DataFrame({**named, "share": share, "low": low, "high": high})

    def published(self, often: Mapping[int, int], form: str) -> np.ndarray:
        """The shares (k,) in a form of `publishing.FORMS`, from reports with how often each came. "em" is exact.

        >>> asked = Client.of("GRR", 1.0, ["a", "b", "c"])
        >>> asked.published({1: 60, 2: 25, 4: 15}, "norm-sub").round(2).tolist()
        [0.98, 0.02, 0.0]
        """
        counted = self.tally_of(often)
        if publishing.check(form) != "em":
            return publishing.release(self.mechanism, counted, form)
        on = np.array(list(often))[:, None] >> np.arange(len(self.answers)) & 1
        sent = on.argmax(axis=1) if self.mechanism.tally_is_histogram else bits.pack(on.astype(bool))
        return likelihood.of_reports(self.mechanism, sent, np.array(list(often.values()))).freq

    def margin(self, n: int, level: float = 0.95) -> float:
        """Before anybody has answered: ± of a sensitive answer's share with n people and even shares.

        Where none is sensitive: of the worst answer's.
        """
        k = len(self.answers)
        variance = self.mechanism.variance(np.full(k, 1 / k), n)
        marked = np.array(self.sensitive) if any(self.sensitive) else np.ones(k, bool)
        return float(quantile(level) * np.sqrt(variance[marked].max()))

    def plan(self, level: float = 0.95) -> Plan:
        """People, ε and ± against one another, of the share that `margin` is about.

        >>> asked = Client.of("uSS", 2.0, ["never", "once", "often"], [False, True, True])
        >>> people = asked.plan().people(asked.kept, 0.1)
        >>> people, asked.margin(people) <= 0.1 < asked.margin(people - 1)
        (70, True)
        """
        k, marks = len(self.answers), np.array(self.sensitive)
        counted = marks if marks.any() else None
        even = np.full(k, 1 / k)
        return planned(self.key, k, marks, confidence=level, freq=even, of=counted)

    def least(self, n: int, level: float = 0.95) -> float:
        """± that no mechanism with the same promise and ε undercuts, as `margin` counts it (`ldpcore.limit`).

        >>> asked = Client.of("OUE", 1.0, ["no", "yes"])
        >>> asked.least(100) < asked.margin(100)
        True
        """
        k, marked = len(self.answers), sum(self.sensitive)
        weight = Scope.SENSITIVE if marked else Scope.ALL
        promise = catalog.FREQUENCY[self.key].promise
        optimum = limit.best(promise, k, marked, self.kept, marked / k, weight=weight)
        squared = optimum.sensitive if marked else optimum.mse
        return float(quantile(level) * np.sqrt(max(squared, 0.0) / n))

    def liar(self) -> float:
        """How many honest people a single false report can add to a share: the most that one moves it by, times n.

        >>> round(Client.of("GRR", 1.0, ["a", "b", "c", "d"]).liar(), 2)
        2.75
        """
        named = range(len(self.answers))
        scores = [self.mechanism.estimate(self.tally([self.law.naming(v)]))[v] for v in named]
        return float(max(scores))

    # as a file -------------------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """What phones need, and what the law can be checked against."""
        return {
            "format": FORMAT,
            "question": self.question,
            "answers": list(self.answers),
            "sensitive": list(self.sensitive),
            "mechanism": self.key,
            "promise": catalog.FREQUENCY[self.key].promise,
            "epsilon": self.epsilon,
            "guess": self.guess,
            "law": self.law.written(),
            **({} if self.size is None else {"size": self.size}),
            **({} if self.pair is None else {"pair": self.pair.written()}),
        }

    def to_json(self) -> str:
        """client.json"""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1) + "\n"

    @property
    def mark(self) -> str:
        """The first eight digits of the SHA-256 of client.json: who hands in a report says by whose client it is.

        >>> Client.of("GRR", 1.0, ["no", "yes"]).mark != Client.of("GRR", 4.0, ["no", "yes"]).mark
        True
        """
        return hashlib.sha256(self.to_json().encode()).hexdigest()[:8]

    @classmethod
    def from_json(cls, text: str) -> "Client":
        """The client of a file; ValueError where it is damaged, or its law is not what its mechanism says."""
        document = loaded(text)
        try:
            fields = [document[name] for name in ("mechanism", "epsilon", "answers", "sensitive", "question", "guess")]
            written, law = document["format"], document["law"]
        except (TypeError, KeyError) as error:
            raise ValueError(NONE) from error
        if written != FORMAT:
            raise ValueError(f"this client is written as {written!r}, and only {FORMAT!r} can be read")
        answers, marks = fields[2], fields[3]
        if not all(isinstance(one, list) for one in (answers, marks)) or not all(isinstance(a, str) for a in answers):
            raise ValueError("the answers of a client are a list of texts, and its marks a list of true and false")
        pair = AskedPair.read(document["pair"]) if "pair" in document else None
        made = cls.of(*fields, pair=pair, size=document.get("size"))
        if json.loads(json.dumps(made.law.written())) != law:
            raise ValueError(
                f"the law in this file is not that of {made.key} at ε = {made.epsilon:g}: it was changed, or another "
                "version of ldpcore wrote it; do not estimate from it"
            )
        return made
