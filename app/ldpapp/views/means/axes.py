"""What Means draws its error against: ε, the number of people, or how much of the public range is marked."""

from dataclasses import replace

from ldpapp.compute.memory import once
from ldpapp.words.language import t
from ldpcore.study import Marks, Study, axis_points, intervals
from ldpcore.study.means import NumberColumn

GRIDS = {
    "epsilon": (0.1, 0.2, 0.5, 1.0, 2.0, 4.0),
    "n": (100.0, 1_000.0, 10_000.0, 100_000.0, 1_000_000.0),
    "share": (0.1, 0.2, 0.4, 0.6, 0.8, 1.0),
}
"""Where surveys are simulated, and what link, file and results hold."""
DENSE = {
    "epsilon": axis_points.epsilons(0.1, 4),
    "n": tuple(sorted({*axis_points.people(100, 1_000_000), *GRIDS["n"]})),
    "share": tuple(sorted({*axis_points.percents(2, 100), *GRIDS["share"]})),
}
"""Where closed forms are drawn."""
COLUMNS = {"epsilon": "epsilon", "n": "people", "share": "% marked"}
"""What a table calls the axis."""


def names() -> dict[str, str]:
    return {"epsilon": t("ε"), "n": t("number of people"), "share": t("% of range marked")}


def short() -> dict[str, str]:
    """The same beside a title."""
    return {"epsilon": t("ε"), "n": t("people"), "share": t("% marked")}


def scale(axis: str) -> float:
    """How a point of the axis is written: shares in percent."""
    return 100.0 if axis == "share" else 1.0


@once(64)
def curves(study: Study, axis: str, grid: tuple[float, ...], estimates: tuple[str, ...]) -> Study:
    """The study behind the lines: the same whatever point of the axis is chosen, and without attacks.

    Of the shares every one but the study's own has the paper's marks; here the own one is 0, which nobody draws.
    """
    base = replace(study, axis=axis, grid=grid).with_options(attacks=0, estimates=estimates)
    if axis == "epsilon":
        return base.anchored(grid[0])
    return replace(base, n=round(grid[0])) if axis == "n" else replace(base, marks=Marks())


@once(64)
def _at(study: Study, epsilon: float) -> Study:
    return replace(study, epsilon=epsilon)


def limited(study: Study, data: NumberColumn, axis: str, x: float, own: float) -> tuple[Study, int]:
    """Whose limit belongs to this point of the axis, and of how many people; `own` is the study's own point."""
    people = study.n or data.n
    if axis == "epsilon":
        return _at(study, x), people
    if axis == "n":
        return study, round(x)
    if x == own:
        return study, people
    marks = Marks.of(intervals.written(*pair) for pair in intervals.outer(x, data.interval))
    return replace(study, marks=marks), people
