"""A mechanism of one's own on Means: rows of its table are numbers of the public range (`ldpcore/study/invented.py`).

>>> from ldpcore import Source, Study, run
>>> from ldpcore.study import invented
>>> coin = "number,low,high\\n18,3/4,1/4\\n98,1/4,3/4"  # Duchi's, at ε = ln 3
>>> study = Study(Source("health"), "age", mechanisms=("Duchi",), bins=(18, 98, 64), grid=(), task="means")
>>> rows = run(invented.added(study.with_options(attacks=0, own=coin)))
>>> errors = rows[rows["metric"].str.startswith("mse")].groupby(["mechanism", "x"])["theory"].first().reset_index()
>>> [(key, round(x, 3), round(mse, 3)) for key, x, mse in errors.values.tolist()]  # years, squared
[('Duchi', 1.0, 0.401), ('Duchi', 1.099, 0.339), ('Own', 1.099, 0.339)]
"""

from functools import lru_cache

from ldpcore.custom import CustomNumbers, read_numbers
from ldpcore.custom.numbers import PUBLIC
from ldpcore.domain import Interval
from ldpcore.leveled_parts import Part, Parts
from ldpcore.study import invented
from ldpcore.study.definition import Study


@lru_cache(maxsize=32)
def _made(text: str, ends: tuple[float, float], pieces: tuple[Part, ...], bins: int) -> CustomNumbers:
    given, at = read_numbers(text, Interval(*ends))
    return CustomNumbers(given.matrix, at, Parts(pieces), bins, given.reports)


def mechanism(study: Study, public: Interval, marked: Parts) -> CustomNumbers:
    """The own mechanism of a study, for this public range and what is marked of it. ValueError with a sentence where it
    makes no sense.
    """
    bins = study.bins[2] if study.bins else 2
    return _made(invented.table(study), (public.low, public.high), marked.pieces, bins)


def usable(study: Study) -> None:
    """Whether the study has a table for its public range, from which a mean is unbiased.

    ValueError or TypeError with a sentence where it has none.
    """
    if study.bins is not None:
        _made(invented.table(study), study.bins[:2], PUBLIC.pieces, study.bins[2])
