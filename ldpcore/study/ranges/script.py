"""The run of a study of ranges, as one would write it by hand."""

from ldpcore.ranges.arguments import MAX_DENSE
from ldpcore.study.definition import Study
from ldpcore.study.ranges import queries
from ldpcore.study.ranges.own import usual
from ldpcore.study.scripts import Cell, chart, chosen, fill, histogram, literal, reading, table


def cells(study: Study) -> list[Cell]:
    """Cells that make the study's rows."""
    of = _words(study)
    return [
        reading(study),
        Cell("The cells, in their order, and what is asked", fill(_ASKED, **of)),
        Cell("At a point x of the axis: people in each cell, and which ranges l:r are asked", fill(_PEOPLE, **of)),
        Cell("Exact errors: the noise does not depend on the data", fill(_THEORY, **of)),
        Cell("One noisy release", fill(_SURVEY, **of)),
        table(study, fill(_BUILD, **of), "theory(strategy, cells, asked, epsilon, x)",
              "survey(strategy, cells, asked, epsilon, name, x, repetition)"),
        chart(study, "average error", "typical error over all ranges, people", "$m ** 0.5"),
    ]  # fmt: skip


def _words(study: Study) -> dict[str, str]:
    """What stands where in the cells of this study."""
    pairs, across = queries.options(study).own(), study.axis == "N"
    return {
        "column": histogram(study),
        "n": f"counts = scaled(counts, {study.n})\n" if study.n is not None else "",
        "own": literal([[*pair] for pair in pairs]) if pairs else f"[{_usual()}]",
        "chosen": chosen(study, "float(N)" if across else "EPSILON"),
        "drawn": repr(queries.options(study).ranges),
        "cells": "resized(counts, int(x))" if across else "pad(counts)",
        "size": "int(x)" if across else "N",
        "own_here": "(OWN if x == N else [])" if across else "OWN",
        "epsilon": "EPSILON" if across else "x",
        "whole": f"len(cells) == N and len(counts) <= {MAX_DENSE}" if across else f"len(counts) <= {MAX_DENSE}",
    }


def _usual() -> str:
    """The range that is asked where nobody names one, as an expression of the cells there are."""
    return f"{usual.__name__}(len(counts))"


_ASKED = """
column = $column
counts = column.counts
${n}N = 1 << (len(counts) - 1).bit_length()  # empty cells after the column's own, up to a power of two
OWN = $own  # ranges of one's own, from the first cell to the last, counted from 1
$chosen
"""
_PEOPLE = """
def people(x):
    asked = [*map(tuple, $own_here), *drawn(SEED, $size, $drawn)]  # and some drawn at random
    return $cells, np.array([*dict.fromkeys(asked)]).reshape(-1, 2)
"""
_BUILD = """
cells, asked = people(x)
epsilon = $epsilon
strategy = catalog.RANGES[name].build(len(cells).bit_length() - 1)
"""
_THEORY = """
def theory(strategy, cells, asked, epsilon, x):
    yield "average error", "all", strategy.average_variance(epsilon)  # its root is the line of the first figure
    if $whole:  # over the ranges of the column's own cells
        yield "average error", "own", strategy.noise(epsilon) * average_coefficient(strategy, len(counts))
    if len(asked):
        variance = strategy.noise(epsilon) * strategy.coefficients(*asked.T)
        yield "mse", "all", variance.mean()
        yield from (("squared error", f"{l}:{r}", v) for (l, r), v in zip(asked, variance))
        if x == POINT:
            yield from (("estimate", f"{l}:{r}", v) for (l, r), v in zip(asked, true(cells, asked)))


def true(cells, asked):
    upto = np.concatenate([[0.0], np.cumsum(cells)])
    return upto[asked[:, 1]] - upto[asked[:, 0] - 1]
"""
_SURVEY = """
def survey(strategy, cells, asked, epsilon, name, x, repetition):
    answer = strategy.release(cells, epsilon, stream(SEED, name, x, repetition))
    summed = answer.sizes == (1,)  # a range of a plain tree is no sum of cells
    noise = answer.cells - cells
    yield "average error", "all", mean_squared(noise) if summed else np.nan
    if $whole:
        yield "average error", "own", mean_squared(noise[: len(counts)]) if summed else np.nan
    if len(asked):
        released = answer.ranges(*asked.T)
        error = (released - true(cells, asked)) ** 2
        yield "mse", "all", error.mean()
        yield from (("squared error", f"{l}:{r}", e) for (l, r), e in zip(asked, error))
        if x == POINT:
            yield from (("estimate", f"{l}:{r}", e) for (l, r), e in zip(asked, released))
"""
