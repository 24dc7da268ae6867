"""Which estimates of a mean mechanisms have: without bias, by EM, and which of the catalogue protect what.

>>> every_estimate(["PM", "uTernary"]), covering(["PM", "uTernary"], Coverage.EVERY)
([('PM', 'mean'), ('PM', 'em'), ('PM', 'mle'), ('uTernary', 'mean')], ['PM'])
"""

from collections.abc import Sequence

from ldpcore import catalog
from ldpcore.catalog import Coverage
from ldpcore.custom import CustomNumbers
from ldpcore.numeric_randomizer import NumericRandomizer
from ldpcore.study import invented

EstimateOf = tuple[str, str]
"""Mechanism and estimate."""


def entered(mechanisms: Sequence[str]) -> list[str]:
    """Those of the catalogue: all but one's own."""
    return [key for key in mechanisms if key != invented.KEY]


def unbiased(mechanism: str) -> EstimateOf:
    """The mechanism and its estimate without bias."""
    return mechanism, "mean" if _factory(mechanism).unbiased else "unbiased"


def _factory(mechanism: str) -> type[NumericRandomizer]:
    return CustomNumbers if mechanism == invented.KEY else catalog.NUMBERS[mechanism].factory


def every_estimate(mechanisms: Sequence[str]) -> list[EstimateOf]:
    """The unbiased one of each, and both EMs where reports are fine enough for them."""
    out = []
    for key in mechanisms:
        out.append(unbiased(key))
        out += [(key, how) for how in ("em", "mle") if _factory(key).recovers]
        out += [(key, "ems")] if _factory(key).smooths else []
    return out


def estimates(mechanisms: Sequence[str]) -> tuple[str, ...]:
    """What these mechanisms can make of the reports."""
    smoothed = any(_factory(key).smooths for key in mechanisms)
    return ("mean", "unbiased", "em", "mle", *(["ems"] if smoothed else []))


def covering(mechanisms: Sequence[str], *covered: Coverage) -> list[str]:
    """Those of the catalogue whose promise covers these values."""
    return [key for key in entered(mechanisms) if catalog.coverage(catalog.NUMBERS[key].promise) in covered]
