"""The planner of sets: the shares of the holders of each item, with these people's sets, or with the worst."""

from dataclasses import dataclass
from typing import Any

from ldpcore import catalog, plan
from ldpcore.study.sets.sample import SetSetting


@dataclass(frozen=True)
class HolderPlans:
    """Plans for the shares of the holders. worst: of the worst sets, not of these people's. promise: whose limit stands
    beside them.

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

    def of(self, key: str) -> plan.Plan:
        drawn, dummies = self.here.sample, self.here.dummies
        known: dict[str, Any] = {} if self.worst else {"freq": drawn.kept, "wobble": drawn.wobble * drawn.baskets.n}
        if key in catalog.LEVELED_SETS:
            return plan.leveled_sets(key, self.here.epsilons, drawn.m, dummies=dummies, every=self.every, **known)
        known |= {} if self.worst else {"company": drawn.company}
        known["guess"] = (int(drawn.marked.sum()) + dummies) / (drawn.baskets.k + dummies)  # nobody knows it beforehand
        return plan.sets(key, drawn.baskets.k, drawn.m, drawn.marked, dummies=dummies, every=self.every, **known)

    def limit(self) -> plan.Plan | None:
        """Proven for the worst sets alone. Of these people's the chart of errors has the least error that was found."""
        drawn = self.here.sample
        if self.here.leveled and self.promise != "LDP":
            return None
        return plan.sets_limit(self.promise, drawn.baskets.k, drawn.m, int(drawn.marked.sum())) if self.worst else None
