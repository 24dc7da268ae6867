"""The planner of sets: the shares of the holders of each item, with these people's sets, or with the worst."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ldpcore import catalog, plan
from ldpcore.study.sets.sample import SetSetting


@dataclass(frozen=True)
class HolderPlans:
    """Plans for the shares of the holders. worst: of the worst sets, not of these people's. promise: whose limit stands
    beside them. answer: the code of the item whose share is to be exact; None: each, so the least exact one.

    >>> from ldpcore import Marks, Source, Study, data
    >>> from ldpcore.study import sets
    >>> study = Study(Source("groceries"), "items", Marks.of(["milk"]), task="sets", grid=())
    >>> here = sets.setting(study, data.load("groceries").baskets("items"), study.epsilon)
    >>> [HolderPlans(here, False, worst, "SULDP-joint").of("uPrivSet").people(1.0, 0.05) for worst in (False, True)]
    [17392, 32179]
    """

    here: SetSetting
    every: bool
    worst: bool
    promise: str
    answer: int | None = None

    def of(self, key: str) -> plan.Plan:
        drawn, dummies = self.here.sample, self.here.dummies
        effect = drawn.baskets.n / drawn.effective
        known: dict[str, Any] = {} if self.worst else {"freq": drawn.noise, "wobble": drawn.wobble * drawn.effective}
        if self.answer is not None:
            known["of"] = np.arange(drawn.baskets.k) == self.answer
        if key in catalog.LEVELED_SETS:
            made = plan.leveled_sets(key, self.here.epsilons, drawn.m, dummies=dummies, every=self.every, **known)
            return made.weighing(effect)
        known |= {} if self.worst else {"company": drawn.company}
        known["guess"] = (int(drawn.marked.sum()) + dummies) / (drawn.baskets.k + dummies)  # nobody knows it beforehand
        known["design_effect"] = effect
        return plan.sets(key, drawn.baskets.k, drawn.m, drawn.marked, dummies=dummies, every=self.every, **known)

    def limit(self) -> plan.Plan | None:
        """Proven for the worst sets alone. Of these people's the chart of errors has the least error that was found."""
        drawn = self.here.sample
        if self.here.leveled and self.promise != "LDP":
            return None
        if not self.worst or self.answer is not None:
            return None
        limit = plan.sets_limit(self.promise, drawn.baskets.k, drawn.m, int(drawn.marked.sum()))
        return limit and limit.weighing(drawn.baskets.n / drawn.effective)
