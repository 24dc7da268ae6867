"""Every number that a lesson says, derived by another way than the lesson's: counted in the raw table, enumerated over
all cases that the sentence speaks of, or drawn. A text whose number is 5 % off fails.

What is drawn has its own fixed seed; how often a right engine would fail with another one is said where it is drawn.
"""

import html
import re
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from math import comb, exp, log2

import numpy as np
import pytest
import streamlit as st

from ldpapp import words
from ldpapp.compute import bundled
from ldpapp.views.learn import attacker as attacker_lesson
from ldpapp.views.learn.lesson import Lesson
from ldpapp.views.learn.lessons import LESSONS
from ldpcore import catalog, data, papers
from ldpcore.study import Study, itemsets, review, run
from ldpcore.study import fit as fitted

CASES = [(lesson, value) for lesson in LESSONS for value in lesson.values]
NUMBER = re.compile(r"(?<![\w.])[±+−]?\d[\d\u202f]*(?:\.\d+)?(?![\w])|∞")
NORMAL = 1.959964
Expected = dict[str, list[float]]
"""Part of a lesson → its numbers, in the order of the text: title, picture, asked, right, because, drawn."""


@pytest.fixture
def texts(monkeypatch: pytest.MonkeyPatch) -> Callable[[Lesson, str], dict[str, str]]:
    """All that a lesson says at a value, by its parts."""
    said: list[str] = []
    monkeypatch.setattr(st, "html", lambda body, **_: said.append(body))

    def read(lesson: Lesson, value: str) -> dict[str, str]:
        found = lesson.at(value)
        question = lesson.question(found)
        said.clear()
        if not lesson.frames(found):
            lesson.picture(found)
        parts = {
            "title": lesson.title(found), "picture": " ".join(said), "asked": question.asked,
            "right": question.options[question.right], "because": question.because,
            "drawn": " ".join(f"{bar.says} {bar.number}" for bar in question.drawn),
        }  # fmt: skip
        return {part: html.unescape(re.sub(r"<svg.*?</svg>|<[^>]*>", " ", text, flags=re.S)) for part, text in parts.items()}

    return read


def numbers(text: str) -> list[tuple[float, float]]:
    """(value, half a unit of its last digit) of each number of a text."""
    found = []
    for written in NUMBER.findall(text.replace("K?", " ").replace(">50", "")):
        digits = written.replace(words.THIN, "").replace("±", "").replace("+", "").replace("−", "-")
        if digits == "∞":
            found.append((float("inf"), 0.0))
            continue
        decimals = len(digits.partition(".")[2])
        found.append((float(digits), 0.5 * 10.0**-decimals))
    return found


def agree(said: str, expected: list[float], slack: float) -> list[str]:
    """What does not: as many numbers, each within its rounding, and `slack` where the expected one was drawn."""
    found = numbers(said)
    if len(found) != len(expected):
        return [f"{len(found)} numbers, not {len(expected)}: {said!r}"]
    return [
        f"{value} for {right:.4g} in {said!r}"
        for (value, unit), right in zip(found, expected, strict=True)
        if value != right and not abs(value - right) <= unit * 1.001 + slack * abs(right)
    ]


# by another way ------------------------------------------------------------------------------------------------------


@cache
def shares(name: str, column: str) -> dict[str, float]:
    """Counted by pandas in the rows without a hole."""
    return bundled(name).frame.dropna()[column].astype(str).value_counts(normalize=True).to_dict()


def rich() -> float:
    return shares("census", "income")[">50K"]


def kept(epsilon: float) -> float:
    return exp(epsilon) / (exp(epsilon) + 1)


def around(people: int) -> float:
    """± of a share, in points: the reports are so many tosses of a coin of known bias."""
    p = kept(1)
    return 100 * NORMAL * (p * (1 - p) / people) ** 0.5 / (2 * p - 1)


def coin(value: str) -> Expected:
    p, f = kept(1), rich()
    sent = f * p + (1 - f) * (1 - p)
    ring = drawn_rings()
    ahead = {"asked": [100 * (1 - p), 100], "right": [100 * sent], "because": [100 * f * (1 - p), 100 * (1 - f) * (1 - p)]}
    back = {"asked": [round(100 * (1 - p)), 100], "right": [0], "because": [round(100 * (1 - p))]}
    titles = {"1": [100 * f, 100], "2": [ring, 100], "3": [100 * sent, 100], "4": [100 * f, 100, around(100)]}
    picture = [100 * sent] if value in "34" else []
    return {"title": titles[value], "picture": picture, "drawn": [], **(ahead if value in "12" else back)}


def drawn_rings() -> float:
    """A hundred people of whom 24 mean “yes” and 38 send it: with n who keep it, 24 − n and 38 − n change."""
    yes, sent = round(100 * rich()), round(100 * (rich() * kept(1) + (1 - rich()) * (1 - kept(1))))
    return min((yes + sent - 2 * n for n in range(yes + 1)), key=lambda rings: abs(rings - 100 * (1 - kept(1))))


def odds(value: str) -> Expected:
    e, f = exp(float(value)), rich()
    p, after = e / (e + 1), f * e / (f * e + 1 - f)
    return {
        "title": [float(value), e], "picture": [100, 100 * p, e, 100, 100 * (1 - p)],
        "asked": [], "right": [100 * after], "because": [e], "drawn": [100 * f, 100, 100 * after, 100],
    }  # fmt: skip


def people(value: str) -> Expected:
    n = int(value)
    bars = [each for many in (100, 1000, 10_000, 100_000) for each in (many, around(many))]
    assert around(4 * n) == pytest.approx(around(n) / 2)
    return {"title": [n, around(n)], "picture": bars, "asked": [], "right": [4 * n], "because": [4], "drawn": []}


@cache
def rms(key: str, marked: int) -> float:
    """± of the shares of 400 drawn surveys of Health. Its standard error is 0.8 %, and a right engine is 5 % off once
    in 10⁹.
    """
    labels, truth = ordered()
    values = np.repeat(np.arange(len(labels)), np.round(truth * 10_000).astype(int))
    built = catalog.FREQUENCY[key].build(epsilon=1.0, k=len(labels), sensitive=np.arange(len(labels)) < marked)
    rng, real = np.random.default_rng([marked, len(key)]), np.bincount(values) / len(values)
    errors = [built.estimate(built.tally(built.perturb(values, rng))) - real for _ in range(400)]
    return 100 * NORMAL * float(np.sqrt(np.mean(np.square(errors)) * len(values) / asked_of_health()))


@cache
def ordered() -> tuple[list[str], np.ndarray]:
    """The answers of Health, marked ones first as the lesson marks them, and their shares."""
    found = shares("health", "condition")
    first = [label for label in data.BUNDLED["health"].default_marks if label in found]
    labels = [*first, *(label for label in map(str, bundled("health").categorical("condition").domain.labels) if label not in first)]
    return labels, np.array([found.get(label, 0.0) for label in labels])


def asked_of_health() -> int:
    return int(bundled("health").frame.dropna()["condition"].size)


@cache
def openly(marked: int) -> float:
    """Of 100 000 reports of people whose answer is not marked, those that nobody whose answer is has ever sent."""
    labels, _ = ordered()
    built = catalog.FREQUENCY["uSS"].build(epsilon=1.0, k=len(labels), sensitive=np.arange(len(labels)) < marked)
    rng = np.random.default_rng(marked)
    hidden = {repr(each) for each in built.perturb(np.arange(200_000) % marked, rng)}
    others = built.perturb(np.full(100_000, len(labels) - 1), rng)
    return 100 * float(np.mean([repr(each) not in hidden for each in others]))


def marking(value: str) -> Expected:
    n = int(value)
    now, then = rms("uSS", n), rms("uSS", n + 3)
    assert then > 1.05 * now
    return {
        "title": [n, 20, rms("SS", n) / now, openly(n), 100], "picture": [100, 0, 100, openly(n)],
        "asked": [3], "right": [], "because": [now, then], "drawn": [],
    }  # fmt: skip


def outcomes(value: str) -> Expected:
    """How many of them end within is drawn: as many as 95 of 100, but for a binomial's once in 10⁶."""
    n = int(value)
    return {
        "title": [0.95 * n, n, around(bundled("census").frame.dropna()["income"].size)], "picture": [],
        "asked": [1000], "right": [50], "because": [95, 100], "drawn": [],
    }  # fmt: skip


@cache
def told_apart(other: str) -> tuple[float, float]:
    """Of all pairs, one marked and one not, how many the rule of Bayes tells apart: by the report, and with `other`.

    Over all reports of the mechanism and all answers: nothing is drawn.
    """
    study = attacker_lesson._study(other)
    asked = review.asked(study, review.prepare(study, bundled("census")), study.epsilon).hidden["marital-status"]
    frame, labels = bundled("census").frame.dropna(), [str(label) for label in asked.domain.labels]
    chances = asked.built.channel().matrix
    beside = [frame[other].astype(str), frame["marital-status"].astype(str)]
    joint = frame.groupby(beside, observed=True).size().unstack(fill_value=0)[labels].to_numpy(float)
    mask = np.array([label in attacker_lesson.MARKED for label in labels])

    def area(rows: np.ndarray) -> float:
        """rows: (answers beside, answers): people. Pairs told apart by P(marked | all that is seen), ties by a coin."""
        yes = np.concatenate([row[mask] @ chances[mask] for row in rows])
        no = np.concatenate([row[~mask] @ chances[~mask] for row in rows])
        score = np.round(yes / (yes + no), 12)
        order = np.unique(score, return_inverse=True)[1]
        marked, rest = np.bincount(order, yes) / yes.sum(), np.bincount(order, no) / no.sum()
        return 100 * float(marked @ (np.cumsum(rest) - rest / 2))

    return area(joint.sum(0, keepdims=True)), area(joint)


def attacker(value: str) -> Expected:
    alone, told = told_apart(value)
    best = max((told_apart(other)[1], other) for other in attacker_lesson.OTHERS)
    title = [told, 100, alone] if abs(told - alone) > 1 else [alone, 100]
    assert best[1] == "relationship"
    return {"title": title, "picture": [50, 100], "asked": [], "right": [], "because": [best[0], 100], "drawn": []}


@cache
def counted_sets() -> list[int]:
    """How many sets of each length Apriori counts, where a set of three is counted if all its pairs are frequent: by
    plain counting of the baskets. DFDP counts the same, but for what its noise turns round: hence 5 %.
    """
    study, _ = fitted(Study(data_source("groceries"), "items", grid=(), repetitions=1, task="itemsets"), bundled("groceries"))
    baskets = itemsets.prepare(study, bundled("groceries"))
    rows = [frozenset(map(int, each)) for each in baskets_of(baskets)]
    return apriori(rows, 0.01 * len(rows))


def budgets(value: str) -> Expected:
    per, s = counted_of_dfdp(), float(value)
    total = sum(per)
    bars = [each for length, n in enumerate(per, 1) for each in (n, length, n * s)]
    return {
        "title": [total, s, total * s], "picture": bars, "asked": [1], "right": [1, per_count_at_one()],
        "because": [per_count_at_one()], "drawn": [],
    }  # fmt: skip
