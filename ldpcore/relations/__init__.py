"""Relations: two answers of one person, one or both of them hidden.

"Is HIV commoner among smokers?" One noun carries all settings: a channel on pairs of answers, with scores. An open
question beside a hidden one, two hidden ones apart, a pair asked as one: these differ in the channel and in nothing
else. Nothing is projected before it is estimated; intervals are score intervals with the exact variance at the
hypothesis. With nothing hidden every result is the classical one (theory/relations).

>>> import numpy as np
>>> from ldpcore import catalog, plan, relations
>>> from ldpcore.rng import stream
>>> marked = np.array([False, True])
>>> hidden = catalog.FREQUENCY["uSS"].build(1.0, 2, marked)
>>> counts = np.array([[6000, 1000], [2000, 1000]])  # groups (rows) × answers
>>> asked = relations.apart(2, hidden)  # groups are open
>>> survey = asked.joint(asked.draw(counts, stream(1), repeats=1, about="like")[0])
>>> found = survey.difference(y=[1], one=[1], other=[0])  # the truth: 1/3 − 1/7 = .190
>>> round(found.value, 3), round(found.low, 3), round(found.high, 3), found.told
(0.195, 0.161, 0.228, True)
>>> survey.independence().p < 0.001
True
>>> plan.difference(asked, counts / 10_000, y=[1], one=[1], other=[0], power=0.8)
641
"""

from . import numbers
from .apart import Apart, apart
from .as_one import MOST_PAIRS, AsOne, as_one, pair_too_large
from .designs import PairDesign
from .exposure import PairExposure
from .groups import ABOUT, BOTH, both, contrast, either, guessed_contrast, pair_epsilons, share_within
from .independence import IndependenceTest
from .relation import Relation, RelationEstimate
from .surveys import SurveyDesign
from .tallies import PairTally

__all__ = [
    "ABOUT", "BOTH", "MOST_PAIRS", "Apart", "AsOne", "IndependenceTest", "PairDesign", "PairExposure", "PairTally",
    "Relation", "RelationEstimate", "SurveyDesign", "apart", "as_one", "both", "contrast", "either",
    "guessed_contrast", "numbers", "pair_epsilons", "pair_too_large", "share_within",
]  # fmt: skip
