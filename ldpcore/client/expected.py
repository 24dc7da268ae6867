"""What a client can tell before anybody has answered: ± for so many people, the limit, what one report gives away.

>>> asked = Client.of("uSS", 2.0, ["never", "once", "often"], [False, True, True])
>>> reached = margins(asked)
>>> round(reached.alone / 70**0.5, 3), reached.people, reached.least <= reached.alone
(0.1, 70, True)
>>> answer, own, other = told(asked)
>>> answer, round(own, 2) > round(other, 2)
('often', True)
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ldpcore.attacks import manipulation
from ldpcore.client.client import Client

GOAL = 0.1
"""The ± that is asked for: of a share of people."""


@dataclass(frozen=True)
class ExpectedMargins:
    """alone, least: ± of one report, and the limit's; both fall with the root of their number."""

    alone: float
    least: float
    people: int | None
    """How many reach GOAL."""


@lru_cache(64)
def margins(client: Client) -> ExpectedMargins:
    """Of a hidden answer's share, where all answers are as common."""
    return ExpectedMargins(client.margin(1), client.least(1), client.plan().people(client.kept, GOAL))


@lru_cache(256)
def needed(client: Client, people: int) -> float | None:
    """The ε with which so many reach GOAL; None where none does."""
    return client.plan().epsilon(people, GOAL)


def false_report(client: Client) -> tuple[float, float]:
    """As how many honest people one false report counts, at most, for a hidden share: beside the others, and in place
    of the opposite report (theory/manipulation).

    >>> asked = Client.of("uSS", 2.0, ["never", "once", "a few times", "often"], [False, False, True, True])
    >>> tuple(round(each, 2) for each in false_report(asked))
    (1.16, 1.31)
    """
    low, high = (score[np.array(client.hidden)] for score in manipulation.extremes(client.mechanism))
    return float(high.max()), float((high - low).max())


def told(client: Client) -> tuple[str, float, float]:
    """A hidden answer, how likely a report of its holder names it, and at most how likely that of anybody else."""
    v = max(v for v, hidden in enumerate(client.hidden) if hidden)
    rates = client.law.supports()
    return client.answers[v], float(rates[v][v]), max(float(row[v]) for x, row in enumerate(rates) if x != v)
