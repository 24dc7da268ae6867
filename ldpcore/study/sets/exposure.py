"""Who is exposed in one survey of the sets task: the adversaries' shares of right decisions."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldpcore.attacks import exchange, membership, presence
from ldpcore.rng import stream
from ldpcore.scope import Scope
from ldpcore.set_randomizer import SetRandomizer
from ldpcore.study.sets.options import SetOptions
from ldpcore.study.sets.sample import Mask, SetSetting
from ldpcore.study.skeleton import Row

MEASURED = 1000
"""People whose reports are made to measure their size."""
CROWD = 30
"""Fewer people with a property, or without it, are too few to attack."""


def told(
    chosen: SetOptions, here: SetSetting, built: SetRandomizer, held: NDArray[np.intp], key: tuple[Any, ...]
) -> list[Row]:
    """What reports tell in one survey, and how long they are. `key` names the survey's random streams."""
    rng = stream(*key, "bits")
    some = held[rng.choice(len(held), min(MEASURED, len(held)), replace=False)]
    bits = built.measure_bits(built.perturb(some, rng))
    return [("bits", "all", bits), *attack(chosen, here, built, held, key)]


def attack(
    chosen: SetOptions, here: SetSetting, built: SetRandomizer, held: NDArray[np.intp], key: tuple[Any, ...]
) -> Iterator[Row]:
    """Share of right decisions: any sensitive item, any secret one, which of two of a level, and single items. `key`
    names the survey's random streams.
    """
    if not chosen.attacks:
        return
    some = {Scope.ALL: here.marked} | ({Scope.SECRET: here.secret} if here.secret.any() else {})
    for scope, mask in some.items():
        exposed = presence.holders(held, np.r_[mask, np.zeros(here.dummies, bool)])
        if _crowds(exposed, len(held)):
            rng = stream(*key, "presence", *([] if scope == Scope.ALL else [str(scope)]))
            yield "success:presence", scope, presence.success(built, mask, held, rng, chosen.attacks).success
    for level, mask in here.levels.items():
        if len(exchange.able(built, mask, held)) >= CROWD:
            rng = stream(*key, "level", str(level))
            yield "success:level", level, exchange.success(built, mask, held, rng, chosen.attacks).success
    for scope, items in here.targets(chosen.targets).items():
        won = [
            membership.success(built, item, held, stream(*key, "membership", item), chosen.attacks).success
            for item in map(int, items)
            if _crowds(held == item, len(held))
        ]
        if won:
            yield "success:membership", scope, float(np.mean(won))


def _crowds(exposed: Mask, people: int) -> bool:
    """Are there enough people of either kind, for both halves of the population? exposed: once true for each of one."""
    return bool(CROWD <= np.count_nonzero(exposed) <= people - CROWD)


def decisions(chosen: SetOptions, here: SetSetting, scope: str) -> int:
    """How often membership is decided in one survey: of several items those count whose holders, and others, are sure
    to be a crowd in every survey.
    """
    holders = here.n * here.kept[here.targets(chosen.targets).get(scope, [])]
    return chosen.attacks * max(1, int(np.count_nonzero(np.minimum(holders, here.n - holders) >= 2 * CROWD)))
