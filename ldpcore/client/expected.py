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


def told(client: Client) -> tuple[str, float, float]:
    """A hidden answer, how likely a report of its holder names it, and at most how likely that of anybody else."""
    v = max(v for v, hidden in enumerate(client.hidden) if hidden)
    rates = client.law.supports()
    return client.answers[v], float(rates[v][v]), max(float(row[v]) for x, row in enumerate(rates) if x != v)
