"""Which attributes of a record are protected, and how: an ε for each, infinite where it is sent as it is."""

from collections.abc import Sequence
from math import inf

import numpy as np

from ldpcore import checks
from ldpcore.clusters.records import Codes, Records
from ldpcore.clusters.result import Message, index_bits

Epsilons = tuple[float, ...]


def graded_epsilons(epsilons: Sequence[float] | None, epsilon: float, q: int) -> Epsilons:
    """The ε of each of q attributes, (q,): None protects all of them alike.

    ValueError for another number of them, or for a finite one above ε, which is the largest of those protected.

    >>> graded_epsilons(None, 1.0, 2), graded_epsilons((inf, 0.5), 1.0, 2)
    ((1.0, 1.0), (inf, 0.5))
    """
    if epsilons is None:
        return (epsilon,) * q
    if len(epsilons) != q:
        raise ValueError(f"epsilons must have one entry for each of the {q} attributes, got {len(epsilons)}")
    budgets = tuple(inf if each == inf else checks.epsilon(each) for each in epsilons)
    if (most := max((each for each in budgets if each < inf), default=0.0)) > epsilon:
        raise ValueError(f"no attribute is protected by more than epsilon = {epsilon:g}, got {most:g}; raise epsilon")
    return budgets


def protected(epsilons: Epsilons) -> list[int]:
    """The attributes that are not sent as they are."""
    return [j for j, each in enumerate(epsilons) if each < inf]


def sampled(records: Records, epsilons: Epsilons, rng: np.random.Generator) -> Codes:
    """How many people of each kind report each attribute, (c, q): one of the protected ones each, and all open ones."""
    asked, marked = np.repeat(records.counts[:, None], records.q, axis=1), protected(epsilons)
    if marked:
        asked[:, marked] = rng.multinomial(records.counts, np.full(len(marked), 1 / len(marked)))
    return asked


def opened(records: Records, epsilons: Epsilons) -> tuple[Message, ...]:
    """What everybody sends as it is, before the rounds; nothing where every attribute is protected."""
    bits = [index_bits(d) for d, each in zip(records.levels, epsilons, strict=True) if each == inf]
    if not bits:
        return ()
    which = f"the {len(bits)} attributes that are not marked, as they are"
    if len(bits) in (1, records.q):
        which = "the whole record, as it is" if len(bits) == records.q else "the attribute that is not marked, as it is"
    return (Message(0, "user", "open", which, records.n, sum(bits), inf, epsilons),)


def spoken(epsilons: Epsilons) -> str:
    """The ε of a report about one of the protected attributes, in words."""
    each = sorted({epsilons[j] for j in protected(epsilons)}, reverse=True)
    return f"ε = {' or '.join(f'{one:g}' for one in each)}"
