"""A mechanism of one's own in a study: the option `own`, a table of chances as text, compared under the key "Own".

It has one ε, the least of the strongest definition that it keeps under the marks: along ε it has rows there alone. What
its rows are, each task says for itself: `frequency/own.py`, `means/own.py`.
"""

from collections.abc import Callable
from dataclasses import replace
from math import isfinite

from ldpcore.custom.audit import MOST_VALUES
from ldpcore.study import fitting
from ldpcore.study.definition import Study

KEY = "Own"
OPTION = "own"


LONGEST_LINE = 160
"""Letters of a line that is shown to be copied."""


def audit_line(values: int, more: str = "") -> str:
    """What a terminal is told to audit a function for these values, in place of a table; "" where it has too many, or
    the line is too long. more: its other options.

    >>> audit_line(169, "--sets 4")
    'ldpcore audit mechanism.py:report --values 169 --sets 4'
    """
    line = " ".join(["ldpcore audit mechanism.py:report --values", str(values), *([more] if more else [])])
    able = values <= MOST_VALUES or "--sets" in more
    return line if able and len(line) <= LONGEST_LINE else ""


def table(study: Study) -> str:
    """Its table. ValueError with a sentence where the study has none."""
    text = study.option(OPTION)
    if not text:
        raise ValueError(
            'the study compares "Own", but has no option own: give its table of chances there, or with --own FILE'
        )
    return str(text)


def stands(study: Study, epsilon: float, x: float) -> bool:
    """Whether x, along ε, is where it stands: at its own, or at the chosen one where it promises nothing."""
    return study.axis != "epsilon" or x == (epsilon if isfinite(epsilon) else study.epsilon)


def points(study: Study, epsilon: Callable[[], float]) -> set[float]:
    """Where along ε it stands; epsilon: its own, asked where it is compared."""
    if study.axis != "epsilon" or KEY not in study.mechanisms:
        return set()
    least = epsilon()
    return {least} if isfinite(least) else set()


def added(study: Study) -> Study:
    """The study with the own mechanism among those that it compares, where it has one."""
    if not study.option(OPTION) or KEY in study.mechanisms:
        return study
    return replace(study, mechanisms=(*study.mechanisms, KEY))


def fit(study: fitting.Draft, usable: Callable[[Study], object]) -> fitting.Refusals:
    """The study without a table that is none for these answers, and a sentence why."""
    if study.option(OPTION) is None:
        return ()
    try:
        usable(study)
    except (TypeError, ValueError) as error:
        study.set(options=study.changed_options(own=None))
        return (fitting.Refused("The own mechanism was left out.", str(error), is_option=True),)
    return ()
