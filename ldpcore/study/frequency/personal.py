"""People who each mark 25, 50 or 75 % of the answers for themselves (sdldp §5), under SDGRR or another mechanism.

>>> from ldpcore import Source, Study, data
>>> counted = data.load("children").categorical("one-of-18")
>>> study = Study(Source("children"), "one-of-18", mechanisms=("SDGRR",), grid=())
>>> [len(marks) for marks in marked(study, counted, "chance")]
[4, 9, 14]
>>> found = errors(studies(study, counted, "chance"), counted, (1.0,))
>>> (found.set_index("line")["value"] ** 0.5 * 100).round(1).to_dict()  # typical error of a share, points
{'SDGRR-25': 0.8, 'SDGRR-50': 1.2, 'SDGRR-75': 1.5, 'by share': 1.2, 'min. variance': 0.6}
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore.data import Histogram
from ldpcore.memory import remembered
from ldpcore.study import frequency
from ldpcore.study.definition import Choice, Marks, Study
from ldpcore.study.frequency.setting import ranks_of

SHARES, PEOPLE = (0.25, 0.5, 0.75), (0.4, 0.3, 0.3)
"""How much of the answers the three kinds of people mark, and how many of the people are of each kind: the paper's."""
WHICH = ("nested", "chance")
"""Which answers they are: whoever marks more marks also what the others do, or the three overlap as by chance."""
COMBINED = {"by share": "share", "min. variance": "minimum-variance"}
"""Line → how the groups are combined (theory/frequency#groups-who-mark-differently)."""
MECHANISM = "SDGRR"
EPSILONS = (0.1, 0.2, 0.5, 1.0, 2.0, 4.0)
"""ε of the paper's figures."""


@dataclass(frozen=True)
class ChoosingStudies:
    """One mechanism at the study's ε, without attacks: where all mark alike, by line, and where each chooses."""

    alike: dict[str, Study]
    mixed: Study


def marked(study: Study, counted: Histogram, which: str) -> tuple[Marks, ...]:
    """25, 50 and 75 % of the column's answers: the study's own marks first, then the rarest; those at one level.

    Of "chance" every second answer is among the 50 %, and of each of the four kinds of answers that there are then
    about three in four are among the 75 %: as many as of marks that do not depend on one another.
    """
    if which not in WHICH:
        raise ValueError(f"which answers people mark is one of {', '.join(WHICH)}, got {which!r}")
    k = counted.domain.k
    order = np.lexsort((np.arange(k), counted.counts, -ranks_of(study.marks, counted.domain)))
    few, half, much = (round(share * k) for share in SHARES)
    if which == "nested":
        return tuple(_named(counted, order[:count]) for count in (few, half, much))
    second = _spread(order, half)
    kinds = np.lexsort((np.arange(k), ~np.isin(order, second), np.arange(k) >= few))
    left_out = _spread(order[kinds], k - much)
    return tuple(_named(counted, each) for each in (order[:few], second, order[~np.isin(order, left_out)]))


def _spread(values: NDArray[np.intp], count: int) -> NDArray[np.intp]:
    """So many of the values, evenly among them."""
    return values[np.arange(count) * len(values) // max(count, 1)]


def _named(counted: Histogram, codes: NDArray[np.intp]) -> Marks:
    return Marks.of(counted.domain.labels[code] for code in np.sort(codes))


def studies(study: Study, counted: Histogram, which: str, mechanism: str = MECHANISM) -> ChoosingStudies:
    """The Studies behind the lines."""
    plain = replace(study, mechanisms=(mechanism,), axis="epsilon", grid=(), secret_epsilon=None, choices=())
    plain = plain.with_options(attacks=0, priors=(), postprocessing=())
    marks = marked(study, counted, which)
    alike = {f"{mechanism}-{100 * share:.0f}": replace(plain, marks=m) for share, m in zip(SHARES, marks, strict=True)}
    choices = tuple(Choice(each, people) for each, people in zip(marks[1:], PEOPLE[1:], strict=True))
    return ChoosingStudies(alike, replace(plain, marks=marks[0], choices=choices))


def errors(made: ChoosingStudies, counted: Histogram, epsilons: Sequence[float]) -> pd.DataFrame:
    """Exact mean squared errors over all answers [x, line, value]: of shares between 0 and 1, squared."""
    (mechanism,) = made.mixed.mechanisms
    rows = []
    for epsilon in epsilons:
        for line, study in made.alike.items():
            cell = frequency.cell(study, counted, mechanism, epsilon)
            rows.append((epsilon, line, float(cell.squared_error().mean())))
        mixed = frequency.cell(made.mixed, counted, mechanism, epsilon)
        rows += [(epsilon, line, float(mixed.squared_error(how).mean())) for line, how in COMBINED.items()]
    return pd.DataFrame(rows, columns=["x", "line", "value"])


def along(study: Study, counted: Histogram, which: str, epsilons: tuple[float, ...]) -> pd.DataFrame:
    """The `errors` of the study's people, kept with the data."""
    one = study.derived(("one",), lambda: replace(study, epsilon=1.0, repetitions=1, seed=0))
    key = "personal", one, which, epsilons
    return remembered(counted, key, lambda: errors(studies(one, counted, which), counted, epsilons), 16)
