"""The planner of every task: of people, ε (or what an attacker may manage) and error two are given, the third follows.

A task says what it is about with an `Asked`; the answers are `ldpcore.plan`'s.
"""

from ldpapp.planner.asked import Asked, Plans, Unit
from ldpapp.planner.drawn import choices, fold, folded, panel
from ldpapp.planner.values import Shares, of_values, points

__all__ = [
    "Asked", "Plans", "Shares", "Unit", "choices", "fold", "folded", "of_values", "panel",
    "points",
]  # fmt: skip
