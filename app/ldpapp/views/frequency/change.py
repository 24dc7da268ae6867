"""From one setting of marks to another: the facts of both, and who is hidden or exposed between them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ldpapp.views.frequency.facts import Facts, focus, leveled, rivals


@dataclass(frozen=True, eq=False)
class Change:
    """From the first setting of marks to the second, for one mechanism at one point."""

    a: Facts
    b: Facts

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
        found = (fact.held(fact.mechanism.disclosure(), part) for fact in (self.a, self.b))
        return tuple(found)  # type: ignore[return-value]


def between(found: dict[str, Facts], other: dict[str, Facts], wished: str | None) -> Change:
    """From the first setting to the second for the mechanism in focus. Where one of them marks nothing, what uses marks
    is off there, and its original, which protects every value, stands in for it.
    """
    main = focus(found, wished)
    levels = leveled(found) or leveled(other)
    if wished not in found and levels and levels[0].key in found and levels[0].key in other:
        return Change(found[levels[0].key], other[levels[0].key])
    for pair in (rivals(found), rivals(other)) if wished not in found else ():
        if pair and (pair[0].key in found) != (pair[0].key in other):
            with_marks, without = pair
            if with_marks.key in found:
                return Change(with_marks, other[without.key])
            return Change(found[without.key], with_marks)
    if main.key not in other:
        main = next(found[key] for key in found if key in other)
    return Change(main, other[main.key])
