"""All lessons, in the order in which they are taught: one line each."""

from ldpapp.pages.learn.attacker import ATTACKER
from ldpapp.pages.learn.budgets import BUDGETS
from ldpapp.pages.learn.claim import CLAIM
from ldpapp.pages.learn.coin import COIN
from ldpapp.pages.learn.correlated import CORRELATED
from ldpapp.pages.learn.lesson import Lesson
from ldpapp.pages.learn.marking import MARKING
from ldpapp.pages.learn.messages import MESSAGES
from ldpapp.pages.learn.odds import ODDS
from ldpapp.pages.learn.outcomes import OUTCOMES
from ldpapp.pages.learn.people import PEOPLE

LESSONS: tuple[Lesson, ...] = (
    COIN,
    ODDS,
    PEOPLE,
    MARKING,
    OUTCOMES,
    ATTACKER,
    BUDGETS,
    MESSAGES,
    CORRELATED,
    CLAIM,
)
