"""What the reports of one question say, as numbers that the page Results, its report and `ldpcore estimate --facts`
share.

>>> from ldpcore.client import Client
>>> from ldpcore.collection.phones import Phones
>>> from ldpcore.data.partitions import of_upload
>>> from ldpcore.rng import stream
>>> asked = Phones(Client.of("uRR", 2.0, ["no", "yes"], [False, True], "Have you copied?"))
>>> sent = asked.perturb(np.arange(400) % 4 // 3, stream(1))
>>> known = collected_facts(asked, of_upload(("report\\n" + "\\n".join(map(str, sent))).encode(), "reports.csv"))
>>> known.n, round(known.odds, 1), known.leading, known.rows["answer"].tolist(), known.strange
(400, 7.4, 'yes', ['yes', 'no'], None)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore import catalog
from ldpcore.attacks import manipulation
from ldpcore.catalog.entries import Coverage, coverage
from ldpcore.collection import weighing
from ldpcore.collection.batch import FolderQuestion
from ldpcore.collection.count_facts import REPORTS, CountFacts
from ldpcore.collection.kinds import ItemBatch
from ldpcore.collection.phones import Phones
from ldpcore.collection.refusals import FEW
from ldpcore.collection.weighing import DesignColumns, WeighedReports
from ldpcore.data.partition import Partition
from ldpcore.study.quantities import EPSILON, PEOPLE, TIMES, quantity

Vector = NDArray[np.float64]
SCORES = 1 << 24
"""Scores, people by answers, that a page looks at for the error of drawing people."""
DENY = 0.1
"""Of those concerned, the part that is taken to deny."""


@dataclass(frozen=True, eq=False)
class ResultFacts(CountFacts):
    """Of reports that were read, with what stands beside them (`weighing`). Shares are of the people who answered,
    unless strata or clusters were named: then of all whom these stand for.
    """

    @property
    def labels(self) -> tuple[str, ...]:
        """Answers or items, in the client's order; () of a mean."""
        return () if self.numbers else tuple(self._estimated[self.called])

    # what came ---------------------------------------------------------------------------------------------------

    @quantity(REPORTS)
    def refused(self) -> int:
        """Rows that are left out, as nobody can have sent them by this client."""
        return self.read.refused

    @quantity(REPORTS)
    def effective(self) -> float:
        """As how many reports with equal weights these count: Kish's n."""
        return self.read.effective

    @property
    def few(self) -> bool:
        """Whether there are too few for an estimate."""
        return self.n < FEW

    # the promise -------------------------------------------------------------------------------------------------

    @quantity(EPSILON)
    def epsilon(self) -> float:
        """What one report may tell, as its client says."""
        return self.asked.epsilon

    @quantity(TIMES)
    def odds(self) -> float:
        """By how much one report changes the odds of a hidden answer, at most."""
        return exp(self.asked.epsilon)

    @cached_property
    def hidden(self) -> NDArray[np.bool_]:
        """Which answers or items (k,) no report proves; () of a mean."""
        if self.numbers:
            return np.zeros(0, bool)
        marks = self.asked.client.sensitive if isinstance(self.asked, Phones) else self.asked.sensitive  # type: ignore[attr-defined]
        entry = (catalog.SETS if isinstance(self.asked, ItemBatch) else catalog.FREQUENCY)[self.asked.key]
        every = coverage(entry.promise) is Coverage.EVERY
        return np.full(len(marks), True) if every else np.array(marks, bool)

    # the shares --------------------------------------------------------------------------------------------------

    @cached_property
    def rows(self) -> pd.DataFrame:
        """A row per answer, in the order in which they are read: hidden ones first, those that are told from none
        before others, the commonest before. answer, hidden, share, low, high; with weights also unweighted. Of a mean
        one row: mean, low, high.
        """
        if self.numbers:
            return self._estimated
        seen = self._estimated["low"].to_numpy() > 0
        share = self._estimated["share"].to_numpy()
        open_last = [~self.hidden, self.hidden & ~seen, np.where(self.hidden & ~seen, 0, -share)]
        return self._estimated.iloc[np.lexsort(open_last[::-1])].reset_index(drop=True)

    @cached_property
    def _estimated(self) -> pd.DataFrame:
        """In the client's order."""
        columns = self.read.columns
        counted = self.asked.tally(self.read.reports)
        plain = self.asked.table(counted)
        value = "mean" if self.numbers else "share"
        if columns.weights or columns.drawn:
            whole = WeighedReports(
                self.asked, DesignColumns(columns.weights, columns.strata, columns.clusters),
                self.read.reports, self.read.beside, 0,
            ).table()  # fmt: skip
        else:
            whole = plain
        kept = [value, "low", "high"]
        out = whole[kept].copy() if self.numbers else whole[[self.called, *kept]].copy()
        if not self.numbers:
            out.insert(1, "hidden", self.hidden)
        return out.assign(unweighted=plain[value].to_numpy()) if columns.weights else out

    def published(self, form: str) -> Vector:
        """Shares (k,) in a form that a publisher would print, in the order of `rows`; biased."""
        named = self.asked.table(self.asked.tally(self.read.reports), form)
        return named.set_index(self.called)["published"].loc[self.rows[self.called]].to_numpy(float)

    @property
    def guards(self) -> bool:
        """Whether each interval allows for the worst that others can have answered, which no ± of usual errors does:
        those of phones, until people drawn count as well.
        """
        return isinstance(self.asked, Phones) and not self.read.columns.drawn

    @property
    def exact(self) -> bool:
        """Whether each covers at least as often as it says, however few answered."""
        return self.guards and not self.read.columns.weights

    @property
    def forms(self) -> tuple[str, ...]:
        """The forms of `published`: none for means, nor where weights are."""
        return () if self.read.columns.named else self.asked.forms

    @cached_property
    def leading(self) -> str | None:
        """The hidden answer whose interval begins highest; None where no hidden one is told from none."""
        hidden = self.rows[self.rows["hidden"]] if not self.numbers else self.rows[:0]
        if not len(hidden) or hidden["low"].max() <= 0:
            return None
        return str(hidden[self.called].iloc[int(np.argmax(hidden["low"].to_numpy()))])

    @cached_property
    def commonest(self) -> str | None:
        """The answer with the largest share that is open; None where all are hidden."""
        seen = self.rows[~self.rows["hidden"]] if not self.numbers else self.rows[:0]
        return str(seen[self.called].iloc[int(np.argmax(seen["share"].to_numpy()))]) if len(seen) else None

    @quantity("answers")
    def untold(self) -> int:
        """Hidden answers that are too rare to be told from none."""
        return 0 if self.numbers else int((self.rows["hidden"] & (self.rows["low"] <= 0)).sum())

    @quantity(PEOPLE, absent="only a mean was asked for, or nothing is hidden")
    def largest(self) -> float | None:
        """The highest end of the intervals of hidden answers: none is more common."""
        hidden = [] if self.numbers else self.rows.loc[self.rows["hidden"], "high"]
        return float(max(hidden)) if len(hidden) else None

    def of(self, answer: str) -> "pd.Series[Any]":
        """The row of this answer."""
        return self.rows.iloc[list(self.rows[self.called]).index(answer)]

    # people were drawn, too --------------------------------------------------------------------------------------

    @cached_property
    def everyone(self) -> pd.DataFrame | None:
        """± of 95 in 100 for all people whom these stand for, not only who answered: whole and, apart, `noise`, what of
        it the reports are; a row per answer, in the order of `rows`. None where people by answers are more than SCORES.
        """
        if self.n * max(1, len(self.labels)) > SCORES:
            return None
        both = self.read.margins()
        return both if self.numbers else both.set_index(self.called).loc[self.rows[self.called]].reset_index()

    def both_margins(self, answer: str) -> tuple[float, float] | None:
        """Of one answer: ± of the reports' noise, and of all people; None where `everyone` is."""
        if self.everyone is None:
            return None
        row = self.everyone.iloc[list(self.rows[self.called]).index(answer)]
        return float(row["noise"]), float(row["whole"])

    def groups(self, answer: str = "") -> pd.DataFrame:
        """Of the column `by`: a row per group with its n, effective n and this answer's share, low, high (of a mean:
        mean). Of a group below FEW reports n alone: the others are NaN.
        """
        table = self.read.table()
        if not self.numbers:
            table = table[table[self.called] == answer]
        value = "mean" if self.numbers else "share"
        out = table[[self.read.columns.by, "n", "effective", value, "low", "high"]].reset_index(drop=True)
        out.loc[out["n"] < FEW, ["effective", value, "low", "high"]] = np.nan
        return out

    # is something wrong ------------------------------------------------------------------------------------------

    def liars(self, answer: str) -> int | None:
        """How many false reports among n move this answer's share up past its ±; None where that is not known."""
        if self.numbers:
            return None
        value = list(self._estimated[self.called]).index(answer)
        try:
            return manipulation.liars(self.mechanism, self.nearest, self.n, value)[0]
        except (ValueError, TypeError):
            return None

    def denied(self, answer: str, share: float = DENY) -> float:
        """By how much its share is read too low if this part of those concerned deny, whatever n and ε are."""
        return share * max(0.0, float(self.of(answer)["share"]))


def collected_facts(
    asked: FolderQuestion[Any],
    parts: list[Partition],
    columns: DesignColumns | None = None,
    column: str = "",
    alone: Sequence[str] = (),
) -> ResultFacts:
    """Of what these partitions hold (`weighing.collected`); DataError or ValueError, in a sentence, where they are not
    the reports of this client.
    """
    return ResultFacts(weighing.collected(asked, parts, columns or DesignColumns(), column, alone))
