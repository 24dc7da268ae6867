"""The planner of every task: of people, ε (or what an attacker may manage) and error two are given, the third follows.

A task says what it is about with an `Asked`; the answers are `ldpcore.plan.answers`'s.
"""

from ldpapp.parts.planner.asked import ErrorUnit, PlannerSubject
from ldpapp.parts.planner.drawn import fold, panel
from ldpapp.parts.planner.given import folded, wishes
from ldpapp.parts.planner.values import of_values, points
