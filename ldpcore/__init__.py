"""Local differential privacy: how wrong do statistics get, and who is still exposed?

`import ldpcore` costs two milliseconds: a room is opened (and NumPy imported) when it is first named.

>>> import ldpcore
>>> grr = ldpcore.catalog.FREQUENCY["GRR"].build(epsilon=1.0, k=4)
>>> (grr.variance([0.4, 0.3, 0.2, 0.1], n=10_000) ** 0.5).round(3).tolist()
[0.014, 0.014, 0.014, 0.013]
>>> round(ldpcore.limit.best("LDP", k=4, marked=0, epsilon=1.0).mse / 10_000, 6)
0.000189
"""

import sys
from importlib import import_module

TYPE_CHECKING = False  # typing's own costs more than all of the rest; type checkers know the name
if TYPE_CHECKING:
    from ldpcore import (
        catalog,
        client,
        clusters,
        custom,
        data,
        em,
        honesty,
        itemsets,
        levels,
        limit,
        papers,
        plan,
        policy,
        questionnaire,
        ranges,
        relations,
        study,
    )
    from ldpcore.channel import Channel, SetChannel
    from ldpcore.domain import Categorical, Interval, Items
    from ldpcore.numeric_randomizer import NumericRandomizer
    from ldpcore.policy import Policy
    from ldpcore.randomizer import Randomizer
    from ldpcore.set_randomizer import SetRandomizer
    from ldpcore.study import Comparison, Marks, Source, Study, run
    from ldpcore.tally import NumericTally, Tally

__version__ = "0.1.0"

_NOUNS = {
    "Categorical": "domain",
    "Interval": "domain",
    "Items": "domain",
    "Policy": "policy",
    "Channel": "channel",
    "SetChannel": "channel",
    "Tally": "tally",
    "NumericTally": "tally",
    "Randomizer": "randomizer",
    "SetRandomizer": "set_randomizer",
    "NumericRandomizer": "numeric_randomizer",
    "Study": "study",
    "Comparison": "study",
    "Marks": "study",
    "Source": "study",
    "run": "study",
}
"""Name → the room where it lives."""

__all__ = [
    "Categorical", "Channel", "Comparison", "Interval", "Items", "Marks", "NumericRandomizer", "NumericTally", "Policy",
    "Randomizer", "SetChannel", "SetRandomizer", "Source", "Study", "Tally", "__version__", "catalog", "client",
    "clusters", "custom", "data", "em", "honesty", "itemsets", "levels", "limit", "papers", "plan", "policy",
    "questionnaire", "ranges", "relations", "run", "study",
]  # fmt: skip


if not TYPE_CHECKING:  # so that a checker still finds a misspelt name

    def __getattr__(name: str) -> object:
        """Opens the room of this name, or takes this noun from its room (PEP 562)."""
        if name not in __all__:  # one of an earlier version, or none
            return import_module(f"{__name__}.former").named(__name__, name)
        if name not in _NOUNS:
            return import_module(f"{__name__}.{name}")
        noun = getattr(import_module(f"{__name__}.{_NOUNS[name]}"), name)
        globals()[name] = noun
        return noun


class _OldPaths:
    """A finder of modules, asked last: opens one of ours by the path that it had in an earlier version."""

    @staticmethod
    def find_spec(path: str, search: object = None, target: object = None) -> object:
        return import_module(f"{__name__}.former").spec(path) if path.startswith(f"{__name__}.") else None


sys.meta_path.append(_OldPaths)  # type: ignore[arg-type]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
