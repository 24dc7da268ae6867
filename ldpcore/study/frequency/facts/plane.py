"""Error against exposure, or against what one false report counts as: where mechanisms stand, the curves along ε, and
the least error.

Exposure is in answers of 100 that an adversary names rightly, error in points, ± 95 % (`study.curves`).

>>> from ldpcore import Marks, Source, Study
>>> from ldpcore.study.execute import prepare
>>> from ldpcore.study.frequency.curves import plain
>>> from ldpcore.study.frequency.facts import facts
>>> study = Study(Source("health"), "condition", Marks.of(["HIV", "hepatitis B"]), ("SS", "uSS"), grid=())
>>> data = prepare(study)
>>> standing(facts(study, data).every, plain(study, data)).round(1).values.tolist()
[['SS', 61.9, 2.7], ['uSS', 73.1, 0.6]]
>>> rigged(facts(study, data).every, "sensitive").round(1).values.tolist()  # range of scores, 95 % margin in points
[['SS', 4.2, 2.7], ['uSS', 2.2, 1.4]]
"""

from collections.abc import Callable, Sequence
from itertools import product
from math import isfinite

import numpy as np
import pandas as pd

from ldpcore.data import Histogram
from ldpcore.limit import uldp_curve
from ldpcore.memory import remembered
from ldpcore.study import frequency
from ldpcore.study.curves import MARGIN, CurveOptions, error_lines, error_marks, success_lines, success_marks
from ldpcore.study.definition import Study
from ldpcore.study.frequency.curves import FrequencyCurveOptions
from ldpcore.study.frequency.facts import ByKey
from ldpcore.study.frequency.facts.limits import at_exposure
from ldpcore.study.frequency.facts.mechanism import ShareFacts

WIDEST = 1e6
"""Beyond so many times the least range nothing is drawn."""


def standing(every: ByKey, view: CurveOptions) -> pd.DataFrame:
    """Where each mechanism is at the chosen ε: exposure of 100, 95 % margin in points."""
    rows = [
        (
            key,
            100 * (fact.guessed(view.attacked) if view.prior == "level" else fact.targeted),
            fact.error(view.scope) * MARGIN,
        )
        for key, fact in every.items()
    ]
    return pd.DataFrame(rows, columns=["mechanism", "x", "value"])


def rigged(every: ByKey, scope: str) -> pd.DataFrame:
    """The same against the range that one false report has over this scope; without those that have no end."""
    rows = [(key, fact.liar_range[scope], fact.error(scope) * MARGIN) for key, fact in every.items()]
    return pd.DataFrame([row for row in rows if isfinite(row[1])], columns=["mechanism", "x", "value"])


def rigged_curves(study: Study, data: Histogram, keys: Sequence[str], view: FrequencyCurveOptions) -> pd.DataFrame:
    """That along ε: [mechanism, epsilon, x, value]."""
    return _along("rigged", study, data, keys, view, view.dense, lambda fact: fact.liar_range[view.scope])


def apart(every: ByKey, scope: str) -> pd.DataFrame:
    """The same against the pairs of 100 that a report tells apart at best; without those for which that is not exact.

    >>> from ldpcore import Marks, Source, Study
    >>> from ldpcore.study.execute import prepare
    >>> from ldpcore.study.frequency.facts import facts
    >>> study = Study(Source("health"), "condition", Marks.of(["HIV"]), ("SS", "uSS"), grid=())
    >>> apart(facts(study, prepare(study)).every, "all").round(1).values.tolist()
    [['SS', 65.1, 2.7], ['uSS', 81.6, 0.4]]
    """
    rows = [(key, 100 * fact.apart, fact.error(scope) * MARGIN) for key, fact in every.items()]
    return pd.DataFrame([row for row in rows if isfinite(row[1])], columns=["mechanism", "x", "value"])


def apart_curves(study: Study, data: Histogram, keys: Sequence[str], view: FrequencyCurveOptions) -> pd.DataFrame:
    """That along ε: [mechanism, epsilon, x, value]."""
    # Of every second ε: to list all reports takes its time.
    epsilons = tuple(sorted({*view.dense[::2], view.dense[-1], study.epsilon}))
    return _along("apart", study, data, keys, view, epsilons, lambda fact: 100 * fact.apart)


def _along(
    what: str,
    study: Study,
    data: Histogram,
    keys: Sequence[str],
    view: FrequencyCurveOptions,
    epsilons: Sequence[float],
    exposure: Callable[[ShareFacts], float],
) -> pd.DataFrame:
    """An exposure against the error, at each of these ε: [mechanism, epsilon, x, value]."""
    along = view.theoretical(study)

    def make() -> pd.DataFrame:
        rows = []
        for key, x in product(keys, epsilons):
            if frequency.exists(along, data, key, x):
                fact = ShareFacts(key, frequency.cell(along, data, key, x))
                rows.append((key, x, exposure(fact), fact.error(view.scope) * MARGIN))
        curves = pd.DataFrame(rows, columns=["mechanism", "epsilon", "x", "value"])
        return curves[np.isfinite(curves["x"])]

    return remembered(data, (what, along, tuple(keys), view.scope, epsilons), make, 16)


def rigged_edge(main: ShareFacts, scope: str) -> pd.DataFrame:
    """The least error of the focus's promise from the least range on; none where either is not computed."""
    least, error = main.least_range[scope], main.least_error(scope) * MARGIN
    ends = [least, WIDEST * least] if isfinite(least) and isfinite(error) and error > 0 else []
    return pd.DataFrame({"x": ends, "value": [error] * len(ends)}, dtype=float)


def curves_of(view: CurveOptions, theory: pd.DataFrame) -> pd.DataFrame:
    """Closed forms along ε: [mechanism, epsilon, x, value]."""
    return _both(success_lines(view, theory), error_lines(view, theory))


def simulated(view: CurveOptions, summary: pd.DataFrame, epsilon: float) -> pd.DataFrame:
    """Simulated error against simulated attack, up to this ε: [mechanism, x, value]."""
    both = _both(success_marks(view, summary), error_marks(view, summary))
    return both[both["epsilon"] <= epsilon * 1.001][["mechanism", "x", "value"]]


def _both(success: pd.DataFrame, error: pd.DataFrame) -> pd.DataFrame:
    columns = ["mechanism", "x", "value"]
    both = success[columns].rename(columns={"value": "exposure"}).merge(error[columns], on=["mechanism", "x"])
    return both.rename(columns={"x": "epsilon", "exposure": "x"})[["mechanism", "epsilon", "x", "value"]]


def edge(study: Study, counted: Histogram, main: ShareFacts, view: CurveOptions) -> pd.DataFrame:
    """The least error at every exposure, under ULDP at the chosen ε; with levels the least at any exposure."""
    if main.secret.any():
        least = main.least_error(view.scope) * MARGIN
        blind = main.blind_to(view.prior, view.attacked)
        ends = [100 * blind, 100.0] if np.isfinite(least) else []
        return pd.DataFrame({"x": ends, "value": [least] * len(ends)}, dtype=float)
    scope = view.scope
    bounds = tuple(
        float(x) for x in np.unique(np.r_[np.geomspace(1.004, 1.3, 14), np.geomspace(1.3, 1 / main.blind, 18)])
    )
    least = at_exposure(study, counted, main, scope, [min(b * main.blind, 1.0) for b in bounds])
    return pd.DataFrame({"x": [min(b * main.blind, 1.0) * 100 for b in bounds], "value": MARGIN * least})


def with_closed_form(edge: pd.DataFrame, study: Study, main: ShareFacts) -> pd.DataFrame:
    """Beside the program, the closed form of the error on marked values where they are many
    (theory/limits#error-against-exposure).
    """
    share, people = float(main.cell.noise[main.marked].sum()), main.cell.effective
    lifts = edge["x"] / 100 / main.blind
    many = [MARGIN * np.sqrt(uldp_curve(study.epsilon, share, lift) / people) for lift in lifts]
    return edge.assign(many=many)
