"""Which columns of a record are marked, and the ε of each: one with a marked answer is protected whole.

>>> from ldpcore import Marks, Source, Study
>>> study = Study(Source("health"), "sex", Marks.of(["smoking = every day"]), task="clusters")
>>> epsilons(study, ("sex", "smoking"), 1.0), levels(study, ("sex", "smoking"))
((inf, 1.0), {'smoking': 'sensitive'})
"""

from collections.abc import Iterable, Mapping, Sequence
from math import inf

from ldpcore import checks
from ldpcore.data import MISSING_LABEL
from ldpcore.study.definition import Study
from ldpcore.study.marks import LEVELS, SECRET, SENSITIVE
from ldpcore.study.relations.people import split, written


def known_marks(labels: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """What can be marked in columns with these answers: "column = answer" for each, or none given."""
    return tuple(
        mark for name, answers in labels.items() for mark in written(name, [*map(str, answers), MISSING_LABEL])
    )


def check_marks(study: Study, labels: Mapping[str, Sequence[str]]) -> None:
    """ValueError for a mark that these columns do not have."""
    if unknown := [mark for mark in study.marks.values if mark not in set(known_marks(labels))]:
        name, answers = next(iter(labels.items()))
        raise ValueError(
            f"marked are {checks.name_list(unknown)}, which no column of the records has; write a mark as "
            f"“{written(name, answers[:1])[0]}”"
        )


def levels(study: Study, names: Sequence[str]) -> dict[str, str]:
    """Those of these columns of which an answer is marked, each with the most protected level of its answers."""
    of, level_of = dict(study.marks.levels), {}
    for name, answers in split(of, names).items():
        if answers:
            level_of[name] = max((of[mark] for mark in written(name, answers)), key=LEVELS.index)
    return level_of


def epsilons(study: Study, names: Sequence[str], epsilon: float) -> tuple[float, ...]:
    """The ε of each of these columns, (q,), where that of sensitive answers is this: infinite without a mark."""
    of_level, level_of = {SENSITIVE: epsilon, SECRET: study.secret_at(epsilon)}, levels(study, names)
    return tuple(of_level[level_of[name]] if name in level_of else inf for name in names)
