"""The facts of a study of two questions at its own point: what one survey would say, how exactly, and who is exposed.

>>> from ldpcore import Marks, Source, Study, data
>>> from ldpcore.study import relations as task
>>> study = Study(Source("health"), "sex", Marks.of(["smoking = every day", "sex = male"]), ("uSS",), epsilon=2.0,
...     task="relations", options={"groups": "smoking"})
>>> pair = facts(study, task.prepare(study, data.load("health")))
>>> one = pair.parts["uSS"]
>>> round(pair.truth, 1), round(one.margin, 1), [row.label for row in one.groups]  # points
(2.0, 8.8, ['never', 'former', 'some days', 'every day'])
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from scipy.stats import chi2_contingency

from ldpcore import catalog
from ldpcore.catalog import Coverage
from ldpcore.study.definition import Study
from ldpcore.study.quantities import CHANCE, Known, quantity
from ldpcore.study.relations.mechanism import RelationFacts
from ldpcore.study.relations.people import PairCounts
from ldpcore.study.relations.settings import HOWEVER, Compared, options
from ldpcore.study.relations.survey import HEADS, POINTS


@dataclass(frozen=True, eq=False)
class PairFacts(Known):
    """The whole: the two questions, and every mechanism that can ask them so. drawn: which survey is looked at."""

    study: Study
    counted: PairCounts
    drawn: int = 0

    @cached_property
    def compared(self) -> Compared:
        return Compared.of(self.study, self.counted)

    @cached_property
    def refused(self) -> dict[str, str]:
        """Compared mechanism → why it cannot ask these two so, in a sentence."""
        return {key: made for key, made in self._made.items() if isinstance(made, str)}

    @cached_property
    def _made(self) -> dict[str, RelationFacts | str]:
        made: dict[str, RelationFacts | str] = {}
        is_marked = bool(self.compared.mx.any() or self.compared.my.any())
        for key in self.study.mechanisms:
            entry = catalog.TWO_ANSWERS[key]
            if entry.uses_marks and not is_marked:
                made[key] = (
                    f"nothing is marked in “{self.counted.names[0]}” or “{self.counted.names[1]}”, and {key} protects "
                    "marked answers alone; mark some, or choose a mechanism that protects every answer"
                )
                continue
            try:
                made[key] = RelationFacts.of(self.study, self.counted, key, self.drawn)
            except ValueError as error:
                made[key] = str(error)
        return made

    @property
    def parts(self) -> dict[str, RelationFacts]:
        return {key: made for key, made in self._made.items() if isinstance(made, RelationFacts)}

    @cached_property
    def best(self) -> RelationFacts:
        """That with the least margin, of those with a whole promise if there is one; ValueError for none at all."""
        able = list(self.parts.values())
        if not able:
            raise ValueError(next(iter(self.refused.values())))
        whole = [one for one in able if catalog.coverage(catalog.TWO_ANSWERS[one.key].promise) is not Coverage.WEAKER]
        return min(whole or able, key=lambda one: one.margin)

    @quantity(POINTS)
    def truth(self) -> float:
        """The difference among these people: internal, since nothing protects this number."""
        return 100 * self.compared.truth

    @quantity(CHANCE, absent="one question has one answer")
    def open_p(self) -> float | None:
        """The chance of so clear a table of the true answers if the two had nothing to do with one another (χ²):
        whether they are related among these people, internal as those answers are.
        """
        counts = self.compared.people.counts
        if min(counts.shape) < 2:
            return None
        return float(chi2_contingency(counts, correction=False).pvalue)

    @property
    def is_unchosen(self) -> bool:
        """Whether the two sides are those that stand until somebody chooses: of several groups, none of them marked,
        the last and the largest other one, whatever their answers are.
        """
        chosen, c = options(self.study), self.compared
        return not (chosen.compare or chosen.versus or chosen.join or c.mx.any()) and len(c.mx) > 2

    @cached_property
    def clearest(self) -> tuple[str, str]:
        """The two groups, the smaller first, that the true answers tell apart most clearly: the largest difference in
        standard errors. Read off these people, so internal, and no default.
        """
        c = self.compared
        sizes, hits = c.people.counts.sum(axis=1), c.people.counts[:, c.answers].sum(axis=1)
        first, second = np.triu_indices(len(sizes), 1)
        n, m, share = sizes[first], sizes[second], hits / sizes
        pooled = (hits[first] + hits[second]) / (n + m)
        errors = np.sqrt(np.maximum(pooled * (1 - pooled), 1 / (n + m)) * (1 / n + 1 / m))
        best = int(np.argmax(np.abs(share[first] - share[second]) / errors))
        pair = sorted((int(first[best]), int(second[best])), key=lambda x: sizes[x])
        return c.people.labels[0][pair[0]], c.people.labels[0][pair[1]]

    @quantity(HEADS, "answered both")
    def n(self) -> int:
        """People who answered both questions."""
        return self.counted.n

    @quantity(HEADS, "left one out")
    def left_out(self) -> int:
        """People who left one of the two out: they are not counted."""
        return self.counted.left_out

    @quantity("share of the people", "marked")
    def marked(self) -> float:
        """People who gave a marked answer to one of the two questions."""
        c = self.compared
        return float(c.freq[c.mx[:, None] | c.my[None, :]].sum())

    @quantity(HEADS)
    def sizes(self) -> Mapping[str, int]:
        """How many people are in each group."""
        people = self.compared.people
        return dict(zip(people.labels[0], people.counts.sum(axis=1).tolist(), strict=True))

    def floor(self, epsilon: float, joined: bool = False, n: int | None = None, asked: str = "as one") -> float | None:
        """± that nothing asked so undercuts (`Compared.floor`), as a share; None where it is not known."""
        is_more = joined and not options(self.study).join
        compared = self.compared.joined() if is_more else self.compared
        return compared.floor(epsilon, n or self.study.n or self.counted.n, asked=asked)

    @quantity(POINTS, absent="it is known for at most 16 pairs of answers of which some are marked")
    def least(self) -> float | None:
        """The margin, ±, that no pair asked as one with this promise undercuts."""
        return self._least("as one")

    @quantity(POINTS, absent="it is known for at most 16 pairs of answers of which some are marked")
    def least_apart(self) -> float | None:
        """The margin, ±, that nothing asked apart undercuts, each question with half of ε."""
        return self._least("apart")

    @quantity(POINTS, absent="it is known for at most 16 pairs of answers, with marks in both questions, but not many")
    def least_however(self) -> float | None:
        """The margin, ±, that nothing undercuts which hides both with this ε, also where it may show the unmarked."""
        return self._least(HOWEVER)

    def _least(self, asked: str) -> float | None:
        least = self.floor(self.study.epsilon, asked=asked)
        return None if least is None else 100 * least


def facts(study: Study, data: PairCounts, rows: pd.DataFrame | None = None, drawn: int = 0) -> PairFacts:
    """What is known of the study at its own point: exact, but for one of its surveys, the one that `drawn` numbers."""
    return PairFacts(study, data, drawn)
