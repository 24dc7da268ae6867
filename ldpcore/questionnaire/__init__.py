"""A whole questionnaire: what a marked answer is worth when the other answers stand beside it.

The attacker knows one half of the people in the clear and sees the reports of the others (never the same people: rare
combinations would be memorised). Several attackers, the strongest counts; so every number is a lower bound
(theory/questionnaire#attackers).

>>> from ldpcore import data, questionnaire
>>> census = data.load("census")
>>> marks = ["Divorced", "Separated", "Widowed"]
>>> open_ = questionnaire.exposure(census, target="marital-status", marks=marks, others={"relationship": "open"})
>>> open_.pairs > 0.8, open_.low < open_.pairs < open_.high  # of a pair, told apart without any report of the answer
(True, True)
>>> scene = questionnaire.Scene.of(census, target="marital-status", marks=marks)
>>> questionnaire.predictors(scene)[0].column  # who gives it away most
'relationship'
"""

from ldpcore import former

from .again import rounds
from .allocation import Allocation, SurveyQuestion, errors, promise, value_errors
from .attack_split import OPEN, attack_split
from .attackers import ATTACKERS, Scene
from .exposure import Exposure, exposure, measured
from .pairs import PairComparison, Uncertain, best, difference, exactly, pairs, unpaired
from .predictors import Predictor, predictors, together

__all__ = [
    "ATTACKERS", "OPEN", "Allocation", "Exposure", "PairComparison", "Predictor", "Scene", "SurveyQuestion",
    "Uncertain", "attack_split", "best", "difference", "errors", "exactly", "exposure", "measured", "pairs",
    "predictors", "promise", "rounds", "together", "unpaired", "value_errors",
]  # fmt: skip

former.serve(__name__)
