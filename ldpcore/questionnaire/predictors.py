"""Which other answers give a marked one away: each alone, and the worst few together
(theory/questionnaire#giving-away).

Every interval of a gain covers at 95 % with those of all other columns of the scene at once, since the worst of them is
what is looked at. It holds 0 where the column could have nothing to do with the marked answers: no luck of who is
attacked makes it a giver then.
"""

from dataclasses import dataclass

from ldpcore.questionnaire.attackers import Scene
from ldpcore.questionnaire.pairs import PairComparison, difference


@dataclass(frozen=True)
class Predictor:
    """One column: what is told apart with it, and what it adds.

    gain, low, high: how much more pairs are told apart than before it was seen, and the interval of that: wide enough
    for as many columns as were looked at, so that the best of many that tell nothing is not taken for one that does.
    Above 0 only where, in the data themselves, the column has to do with the marked answers beyond chance.
    """

    column: str
    pairs: float
    gain: float
    low: float
    high: float


def predictors(scene: Scene) -> list[Predictor]:
    """Each of the other columns beside the own report, the worst first. By naive Bayes, which with one column and the
    exact channel is Bayes' rule.
    """
    before, names = _told(scene, ()), scene.crowd.others
    return sorted((_predictor(scene, before, (), name, len(names)) for name in names), key=lambda one: -one.pairs)


def together(scene: Scene, most: int = 5) -> list[Predictor]:
    """The columns in the order in which an attacker would ask for them, greedily: each is the one that adds most to
    those before it, of those that add beyond chance. Ends where none does, or at `most`.
    """
    chosen: list[Predictor] = []
    before, seen = _told(scene, ()), tuple[str, ...]()
    while len(chosen) < min(most, len(scene.crowd.others)):
        rest = [name for name in scene.crowd.others if name not in seen]
        looks = len(scene.crowd.others)
        tellers = (_predictor(scene, before, seen, name, looks) for name in rest)
        best = max((one for one in tellers if one.low > 0), key=lambda one: one.gain, default=None)
        if best is None:
            break
        chosen.append(best)
        seen = (*seen, best.column)
        before = _told(scene, seen)
    return chosen


def _told(scene: Scene, names: tuple[str, ...]) -> PairComparison:
    score = scene.before + scene.own
    for name in names:
        score = score + scene.told(name)
    return scene.compared(scene.odds(score))


def _predictor(scene: Scene, before: PairComparison, seen: tuple[str, ...], name: str, looks: int) -> Predictor:
    after = _told(scene, (*seen, name))
    gain, low, high = difference(before, after, looks=looks)
    if low > 0 and not scene.related(name):
        low = 0.0
    return Predictor(name, after.share, gain, low, high)
