"""The figures of SDLDP as Studies."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldpcore.data import Histogram
from ldpcore.domain import Categorical, Interval
from ldpcore.papers.live import LineOfRun, LiveFigure, times
from ldpcore.papers.measures import EPSILONS
from ldpcore.papers.sources import HEIGHTS
from ldpcore.study import intervals
from ldpcore.study.definition import Choice, Marks, Source, Study
from ldpcore.study.frequency import personal
from ldpcore.study.means.personal import MIXES

ANSWERS, K = "one-of-18", 18
PEOPLE = 18_000
"""So many of the bundled 25 000 give every answer equally often."""
REPORTS = 4_000
"""Reports of one answer, from which their variance is told."""
SURVEYS = 20
"""Of each mean by EM."""
UNIT = (HEIGHTS[1] - HEIGHTS[0]) / 2
ALIKE = (
    "Stand-in: a bundled question with 18 answers that are all equally common, since the paper's census has no 18 "
    "values here, and the paper does not say which values are high; of equal shares it does not matter which."
)
CHOSEN = (
    "Who marks 25, 50 and 75 % overlaps as by chance, which the paper does not say either (“Each marks their own”, "
    "further down the page)."
)
CHILDREN = (
    "Stand-in: 25 000 bundled numbers drawn with the published mean, deviation and range of the heights, scaled by "
    "that range as the paper does."
)


def _counted() -> Histogram:
    """The question, each answer given by as many people; nothing is read from the disk for that."""
    return Histogram(Categorical(tuple(f"answer {i + 1}" for i in range(K))), np.full(K, PEOPLE // K), PEOPLE, 0)


def _answers(*mechanisms: str, **options: Any) -> Study:
    """25 % high: 4 of 18."""
    marks = Marks.of(f"answer {i + 1}" for i in range(4))
    made = Study(Source("children"), ANSWERS, marks, mechanisms, n=PEOPLE, grid=EPSILONS)
    return made.with_options(priors=("uniform", "targeted"), **options)


def _kinds(study: Study) -> dict[str, Study]:
    """Everybody marks 25, 50 or 75 %, and each chooses; by the names of the files."""
    made = personal.studies(study, _counted(), "chance")
    by_name = {line.partition("-")[2]: alike for line, alike in made.alike.items()} | {"personalised": made.mixed}
    return {name: replace(each, grid=EPSILONS) for name, each in by_name.items()}


def overlapping() -> list[NDArray[np.bool_]]:
    """Which of the 18 answers (18,) each of the three kinds of people marks."""
    counted = _counted()
    return [counted.domain.mask(marks.values) for marks in personal.marked(_answers("SDGRR"), counted, "chance")]


def _errors(setting: str = "", scope: str = "all", **lines: str) -> tuple[LineOfRun, ...]:
    return tuple(LineOfRun(line, key, "mse", scope, setting, turn=times(float(PEOPLE))) for line, key in lines.items())


def _figure_5() -> LiveFigure:
    study = _answers("GRR", "uRR", "uSS", "SDGRR")
    chosen = LineOfRun(
        "personalised SDGRR", "SDGRR", "mse:minimum-variance", "all", "personalised", turn=times(float(PEOPLE))
    )
    return LiveFigure(
        "sdldp",
        "Fig. 5",
        {"": study, "personalised": _kinds(study)["personalised"]},
        (*_errors(**{key: key for key in study.mechanisms}), chosen),
        f"{ALIKE} {CHOSEN}",
        "error, own marks",
    )


def _figure_6() -> LiveFigure:
    study = _answers("GRR", "SDGRR")
    kinds = _kinds(study)
    lines = {"50": "SDGRR-50", "75": "SDGRR-75"}
    return LiveFigure(
        "sdldp",
        "Fig. 6",
        {"": study, **{name: kinds[name] for name in lines}},
        (
            *_errors(**{"GRR": "GRR", "SDGRR-25": "SDGRR"}),
            *(each for name, line in lines.items() for each in _errors(name, **{line: "SDGRR"})),
        ),
        ALIKE,
        "own marks",
    )


def _figure_9() -> LiveFigure:
    study = _answers("GRR", "uRR", "uSS", "SDGRR")
    plain = [LineOfRun(key, key, "success:uniform", "sensitive") for key in ("GRR", "SDGRR", "uRR")]
    targeted = [LineOfRun(f"{key}, targeted", key, "success:targeted", "sensitive") for key in ("SDGRR", "uRR", "uSS")]
    return LiveFigure("sdldp", "Fig. 9", {"": study}, (*plain, *targeted), ALIKE, "guesses")


# means ---------------------------------------------------------------------------------------------------------------


def _marks(share: float) -> Marks:
    """This share of the range, half of it at each end."""
    return Marks.of(intervals.written(*pair) for pair in intervals.outer(share, Interval(*HEIGHTS)))


def _heights(share: float, *mechanisms: str, **options: Any) -> Study:
    made = Study(Source("children"), "height", _marks(share), mechanisms, bins=(*HEIGHTS, 64), task="means",
                 grid=EPSILONS)  # fmt: skip
    return replace(made, repetitions=SURVEYS).with_options(attacks=0, **options)


def _em(line: str, key: str, setting: str = "", how: str = "em") -> LineOfRun:
    return LineOfRun(line, key, f"mse:{how}", "all", setting, exact=False, turn=times(UNIT**-2))


def _figure_4() -> LiveFigure:
    study = _heights(0.5, "PM", "SDPM", estimates=("mean", "unbiased"), reports=REPORTS)
    lines = (("PM", "PM", "all"), ("SDPM", "SDPM", "other"))
    return LiveFigure(
        "sdldp",
        "Fig. 4",
        {"": study},
        tuple(LineOfRun(line, key, "report variance", scope, turn=times(UNIT**-2)) for line, key, scope in lines),
        f"{CHILDREN} Which numbers they are does not matter here: the largest variance is over all that may be.",
        "report",
        {"SDPM by Theorem 4": "the paper's formula: no mechanism has that variance"},
    )


def _figure_7() -> LiveFigure:
    study = _heights(0.5, "PM", "SDPM", estimates=("mean", "unbiased", "em"))
    of_25, of_50, of_75 = map(_marks, personal.SHARES)
    choices = tuple(Choice(m, p) for m, p in zip((of_50, of_75), MIXES["paper"][1:], strict=True))
    mixed = replace(study, marks=of_25, mechanisms=("SDPM",), choices=choices).with_options(estimates=("em",))
    exact = [
        LineOfRun("PM (mean)", "PM", "mse:mean", turn=times(UNIT**-2)),
        LineOfRun("SDPM-50 (unbiased)", "SDPM", "mse:unbiased", turn=times(UNIT**-2)),
    ]
    fitted = [
        _em("PM (EM)", "PM"),
        _em("SDPM-50 (EM)", "SDPM"),
        _em("SDPM personalised (EM)", "SDPM", "personalised", "em:minimum-variance"),
    ]
    settings = {"": study, "personalised": mixed}
    return LiveFigure("sdldp", "Fig. 7", settings, (*exact, *fitted), CHILDREN, "error, own marks")


def _figure_8() -> LiveFigure:
    made = {f"{100 * share:.0f}": _heights(share, "SDPM", estimates=("unbiased", "em")) for share in personal.SHARES}
    settings = {"": made["25"], "50": made["50"], "75": made["75"]}
    lines = [_em(f"SDPM-{name or '25'}", "SDPM", name) for name in settings]
    return LiveFigure("sdldp", "Fig. 8", settings, tuple(lines), CHILDREN, "own marks")


FIGURES = (
    LiveFigure(
        "sdldp",
        "Fig. 2",
        {"": _answers("GRR", "SDGRR")},
        _errors(scope="other", GRR="GRR", SDGRR="SDGRR"),
        ALIKE,
        "error of low values",
        without={"SDGRR by (12)": "the paper's formula: no mechanism has that variance"},
    ),
    _figure_4(),
    _figure_5(),
    _figure_6(),
    _figure_7(),
    _figure_8(),
    _figure_9(),
)
