"""What every design of a survey of two answers can be asked: estimates, and who is exposed."""

from abc import abstractmethod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.relations.designs import PairDesign
from ldpcore.relations.exposure import PairExposure
from ldpcore.relations.groups import Members, members
from ldpcore.relations.relation import Relation
from ldpcore.relations.tallies import PairTally

Array = NDArray[np.float64]


class SurveyDesign(PairDesign):
    """A design that estimates, and says who is exposed."""

    def joint(self, tally: PairTally) -> Relation:
        """What these reports say. ValueError for a tally without reports."""
        return Relation(self, tally.n, self.table(tally), tally)

    def of_shares(self, shares: ArrayLike, n: int) -> Relation:
        """The same of estimated shares (..., kx, ky) of n people, without their reports: no test then."""
        tables = np.asarray(shares, float)
        if tables.shape[-2:] != (self.kx, self.ky):
            raise ValueError(f"shares are (…, {self.kx}, {self.ky}) here, got shape {tables.shape}")
        return Relation(self, n, tables)

    def exposure(self, freq: ArrayLike, x: Members | None = None, y: Members | None = None) -> PairExposure:
        """Who is told apart, exactly: people with an answer x that is marked, or y; with both, people with either.

        NotEnumerable where a mechanism's reports are too many to list, ValueError where nobody is marked, or everybody.
        """
        if x is None and y is None:
            raise ValueError("exposure is of marked answers: pass x=…, y=…, or both")
        table = self.shares(freq)
        mx = np.zeros(self.kx, bool) if x is None else members(x, self.kx, "groups")
        my = np.zeros(self.ky, bool) if y is None else members(y, self.ky, "answers")
        # What is guessed: x, y, or the pair.
        pairs = np.arange(self.kx * self.ky).reshape(self.kx, self.ky)
        answer = pairs if x is not None and y is not None else pairs // self.ky if y is None else pairs % self.ky
        return self._exposed(table, mx[:, None] | my[None, :], answer)

    @abstractmethod
    def _exposed(self, table: Array, inside: NDArray[np.bool_], answer: NDArray[np.intp]) -> PairExposure:
        """Of people with a pair inside (kx, ky); answer (kx, ky): the code of what is guessed."""
