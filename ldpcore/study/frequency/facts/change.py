"""From one setting of marks to another: the facts of both, and who is hidden or exposed between them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ldpcore.study.frequency.facts import ByKey, focus, leveled, rivals
from ldpcore.study.frequency.facts.mechanism import ShareFacts


@dataclass(frozen=True, eq=False)
class MarksChange:
    """From the first setting of marks to the second, for one mechanism at one point."""

    a: ShareFacts
    b: ShareFacts

    @property
    def hidden(self) -> NDArray[np.bool_]:
        """Answers that only the second marks."""
        return self.b.marked & ~self.a.marked

    @property
    def exposed(self) -> NDArray[np.bool_]:
        """Answers that only the first marks."""
        return self.a.marked & ~self.b.marked

    @property
    def tightened(self) -> NDArray[np.bool_]:
        """Answers that both mark, and only the second as secret."""
        return self.a.marked & self.b.secret & ~self.a.secret

    @property
    def loosened(self) -> NDArray[np.bool_]:
        """Answers that both mark, and only the first as secret."""
        return self.b.marked & self.a.secret & ~self.b.secret

    @property
    def marked(self) -> NDArray[np.bool_]:
        """Answers that either marks: the same ones, so that their errors compare."""
        return self.a.marked | self.b.marked

    @property
    def open(self) -> NDArray[np.bool_]:
        """Answers that neither marks."""
        return ~self.marked

    @property
    def errors(self) -> tuple[float, float]:
        """Root mean squared errors of the shares that either marks; of all, where neither marks any."""
        part = self.marked if self.marked.any() else np.ones_like(self.marked)
        return tuple(float(np.sqrt(fact.variance[part].mean())) for fact in (self.a, self.b))  # type: ignore[return-value]

    def named(self, part: NDArray[np.bool_]) -> tuple[float, float]:
        """How often answers of this part are named by one who knows nothing beforehand, the same in both settings."""
        return self.a.named(part), self.b.named(part)

    def odds(self, part: NDArray[np.bool_]) -> tuple[float, float]:
        """How many times one report can raise the odds of these answers at most."""
        before, after = (float(np.exp(fact.cell.epsilons[part].max())) for fact in (self.a, self.b))
        return before, after

    def shown(self, part: NDArray[np.bool_]) -> tuple[float, float]:
        """How many answers of this part a report shows for sure."""
        shown = (one.over(one.mechanism.disclosure(), part) for one in (self.a, self.b))
        return tuple(shown)  # type: ignore[return-value]


def between(first: ByKey, second: ByKey, wished: str | None) -> MarksChange:
    """From the first setting to the second for the mechanism in focus. Where one of them marks nothing, what uses marks
    is off there, and its original, which protects every value, stands in for it.
    """
    main = focus(first, wished)
    levels = leveled(first) or leveled(second)
    if wished not in first and levels and levels[0].key in first and levels[0].key in second:
        return MarksChange(first[levels[0].key], second[levels[0].key])
    for pair in (rivals(first), rivals(second)) if wished not in first else ():
        if pair and (pair[0].key in first) != (pair[0].key in second):
            with_marks, without = pair
            if with_marks.key in first:
                return MarksChange(with_marks, second[without.key])
            return MarksChange(first[without.key], with_marks)
    if main.key not in second:
        main = next(first[key] for key in first if key in second)
    return MarksChange(main, second[main.key])
