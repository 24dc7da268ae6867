"""The families, in the order of the table."""

from benchmarks.case import Family
from benchmarks.families import (
    classroom,
    clusters,
    frequency,
    limits,
    memory,
    mining,
    numbers,
    pages,
    peers,
    people,
    planner,
    ranges,
    sets,
    simulation,
    slider,
    start,
)

ENGINE: tuple[Family, ...] = tuple(
    room.FAMILY
    for room in (frequency, peers, simulation, sets, numbers, mining, clusters, ranges, limits, planner, memory)
)
APP: tuple[Family, ...] = tuple(room.FAMILY for room in (start, slider, pages, people, classroom))
FAMILIES: dict[str, Family] = {family.key: family for family in (*ENGINE, *APP)}
