"""What the number m of items per set costs: a small one cuts long baskets, a large one adds noise for everybody
(theory/sets#padding).

>>> from ldpcore import Marks, Source, Study, data
>>> study = Study(Source("groceries"), "items", Marks.of(["milk"]), ("uPrivSet",), task="sets")
>>> held = data.load("groceries").baskets("items")
>>> errors = errors_by_m(study, held, "uPrivSet", sizes=(1, 4, 8, 16))
>>> {m: round(100 * error, 2) for m, error in errors.items()}  # typical error of a share, points
{1: 3.77, 4: 1.69, 8: 0.71, 16: 0.81}
>>> found = padding(study.with_options(m=4), held, "uPrivSet")
>>> found.item, round(100 * found.loss, 1), found.best, round(found.gain, 2)
('milk', 8.1, 12, 0.59)
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from ldpcore.baskets import Baskets
from ldpcore.mechanisms.padding import kept_whole
from ldpcore.memory import remembered
from ldpcore.study import sets
from ldpcore.study.definition import Study
from ldpcore.study.sets import point
from ldpcore.study.sets.point import ItemFacts

SIZES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
"""Values of m that are tried for the least error."""


@dataclass(frozen=True)
class Padding:
    """What padding and sampling to m items do to these baskets, and which m would do better.

    whole: share of the baskets that have at most m items and stay as they are. loss: the most that cutting the others
    takes off a share, between 0 and 1, and item: whose. best: the m with the least typical error over all items among
    those tried. gain: the part of the error that it would take away, between 0 and 1.
    """

    whole: float
    loss: float
    item: str
    best: int
    gain: float


def errors_by_m(study: Study, data: Baskets, mechanism: str, sizes: Iterable[int] | None = None) -> dict[int, float]:
    """m → the mechanism's typical error over all items, between 0 and 1, its bias in it; exact, ascending in m.

    sizes: None tries SIZES up to the longest basket, or up to 8, and the study's own m. Values at which the mechanism
    does not exist are left out. ValueError for simulated sets: those have exactly m items, another m is other people.
    """
    if sets.options(study).simulated:
        raise ValueError("simulated sets have exactly m items: nothing is padded or cut, and no m is better")
    if sizes is None:
        longest = max(8, int(data.lengths.max()))
        sizes = {sets.items_per_set(study, data), *(m for m in SIZES if m <= longest)}
    tried = remembered(data, ("along m", study), lambda: replace(study, axis="m", grid=()))
    errors = {}
    for m in sorted(sizes):
        if sets.refusal(tried, data, mechanism, float(m)) is None:
            point = sets.setting(tried, data, float(m))
            errors[m] = ItemFacts(mechanism, point, point.build(mechanism)).error()
    return errors


def padding(study: Study, data: Baskets, mechanism: str) -> Padding:
    """What becomes of these baskets at the study's own m. ValueError where the mechanism does not exist there, and for
    simulated sets.
    """
    setting, errors = point.setting(study, data), errors_by_m(study, data, mechanism)
    if setting.m not in errors:
        raise ValueError(f"{mechanism} does not exist at m = {setting.m} on these baskets; choose another m")
    best, worst = min(errors, key=lambda m: errors[m]), int(np.argmin(setting.bias))
    gain = 1 - errors[best] / errors[setting.m] if errors[setting.m] else 0.0
    return Padding(
        float(kept_whole(data.lengths, setting.m)), float(-setting.bias[worst]), data.labels[worst], best, gain
    )
