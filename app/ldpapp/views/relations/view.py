"""What the panels of the Relations view share: what is known of the pair, by the mechanism in focus."""

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from ldpapp import compute
from ldpapp.parts import widgets
from ldpapp.views.relations import cached
from ldpcore.study import Study
from ldpcore.study import relations as task
from ldpcore.study.relations import Compared, RelationOptions, curves
from ldpcore.study.relations.facts import PairFacts
from ldpcore.study.relations.mechanism import RelationFacts


@dataclass(frozen=True, eq=False)
class RelationsView:
    """Everything that the panels of one redraw share. study: as it was asked; people: of both questions, counted."""

    study: Study
    people: task.PairCounts
    known: PairFacts

    @property
    def best(self) -> RelationFacts:
        """The mechanism that the page shows: the most exact of those compared."""
        return self.known.best

    @property
    def compared(self) -> Compared:
        return self.best.compared

    @property
    def options(self) -> RelationOptions:
        return task.options(self.study)

    @cached_property
    def curves(self) -> Study:
        """The surveys behind the marks on the line of error: the same whatever point of the axis is chosen."""
        return curves.along(self.study, self.best.key)

    @cached_property
    def simulated(self) -> pd.DataFrame:
        """Those so far."""
        return compute.kept(self.curves, self.people)


def current(study: Study, people: task.PairCounts) -> RelationsView:
    """ValueError, with a sentence, where these two cannot be asked so by any mechanism that is compared."""
    drawn = widgets.draws("relations") % study.repetitions
    return RelationsView(study, people, cached.known(study, people, drawn))
