"""What an attacker learns of the marked answers to one question from its report, and from the other answers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ldpcore.data import Table
from ldpcore.questionnaire.attack_split import Sent
from ldpcore.questionnaire.attackers import ATTACKERS, Scene
from ldpcore.questionnaire.pairs import PairComparison
from ldpcore.randomizer import Randomizer

Vector = NDArray[np.float64]

SUREST = 0.01
"""Of the people the attacker is surest of, this share is counted."""


@dataclass(frozen=True)
class Exposure:
    """What the strongest of several attackers managed on people whom it had not seen: a lower bound.

    pairs: of a pair, one with a marked answer and one without, the chance of telling which (½ is guessing), and its
    95 % interval low..high, wide enough for the choice among attackers; never less than the own report alone tells,
    where that is known exactly. named: of the people with a marked answer, the share whose answer is named rightly, if
    it is known to be marked; blind: the same without any report, always the most common one.
    surest: among the hundredth of all people of whom the attacker is surest, the share with a marked answer; marked:
    that share among all. attacker: who it was; attackers: what each told apart. people: how many were attacked.
    """

    pairs: float
    low: float
    high: float
    named: float
    blind: float
    surest: float
    marked: float
    attacker: str
    attackers: Mapping[str, float]
    people: int
    told: PairComparison = field(repr=False, compare=False)


def exposure(
    table: Table,
    *,
    target: str,
    marks: Iterable[str],
    own: Randomizer | None = None,
    others: Mapping[str, Sent] | None = None,
    seed: int = 1,
    people: int = 2000,
    attackers: Iterable[str] = tuple(ATTACKERS),
) -> Exposure:
    """The exposure of the marked answers `marks` to the question `target`; the arguments are those of `crowd`.

    >>> from ldpcore import catalog, data
    >>> census = data.load("census")
    >>> mask = census.categorical("marital-status", "column").domain.mask(["Divorced", "Widowed"])
    >>> own = catalog.FREQUENCY["uSS"].build(1.0, len(mask), mask)
    >>> alone = exposure(census, target="marital-status", marks=["Divorced", "Widowed"], own=own, others={})
    >>> beside = exposure(census, target="marital-status", marks=["Divorced", "Widowed"], own=own,
    ...     others={"relationship": "open"})
    >>> alone.high < beside.low
    True
    """
    asked = {"target": target, "marks": marks, "own": own, "others": others, "seed": seed, "people": people}
    return measured(Scene.of(table, **asked), attackers)


def measured(scene: Scene, attackers: Iterable[str] = tuple(ATTACKERS), looks: int = 0) -> Exposure:
    """The same of a scene. looks: what else was looked at, and this chosen from: the interval is so much wider."""
    crowd = scene.crowd
    results: dict[str, tuple[PairComparison, Vector]] = {}
    named = scene.before + scene.own
    for name in attackers:
        score = ATTACKERS[name](scene)
        if score is None:
            continue
        if score.ndim == 2:
            named = score if name == "naive Bayes" else named
            score = scene.odds(score)
        results[name] = scene.compared(score), score
    best = max(results, key=lambda name: results[name][0].share)
    comparison, score = results[best]
    low, high = comparison.interval(looks=len(results) + looks)
    if (alone := scene.alone) is not None and alone.share > comparison.share:
        # Whoever ignores all else does as well as the own report, of which that is exact: nobody manages less.
        comparison, low, high = alone, max(low, alone.share), max(high, alone.share)
    return Exposure(
        comparison.share,
        low,
        high,
        *_named(scene, named),
        _surest(score, crowd.exposed, crowd.weight),
        float(crowd.weight @ crowd.exposed / crowd.weight.sum()),
        best,
        {name: one.share for name, (one, _) in results.items()},
        len(crowd.attacked),
        comparison,
    )


def _named(scene: Scene, score: Vector) -> tuple[float, float]:
    """Of the marked people whose answer is guessed rightly among the marked ones; and always the most common one."""
    crowd = scene.crowd
    marked, truth = np.flatnonzero(crowd.marked), crowd.target[crowd.attacked][crowd.exposed]
    guess = marked[np.argmax(score[crowd.exposed][:, marked], axis=1)]
    common = marked[np.argmax(scene.share[marked])]
    return float(np.mean(guess == truth)), float(np.mean(truth == common))


def _surest(score: Vector, exposed: NDArray[np.bool_], weight: Vector) -> float:
    """Of the hundredth with the highest scores the share of the exposed; ties share alike."""
    values, place = np.unique(-score, return_inverse=True)
    people, hit = np.bincount(place, weight, len(values)), np.bincount(place, weight * exposed, len(values))
    wanted = max(SUREST * people.sum(), weight.min())  # at least one person
    taken = np.clip(wanted - np.concatenate([[0.0], np.cumsum(people)[:-1]]), 0.0, people)
    return float(taken @ (hit / people) / taken.sum())
