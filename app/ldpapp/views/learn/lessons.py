"""All lessons, in the order in which they are taught: one line each."""

from ldpapp.views.learn.attacker import ATTACKER
from ldpapp.views.learn.budgets import BUDGETS
from ldpapp.views.learn.claim import CLAIM
from ldpapp.views.learn.coin import COIN
from ldpapp.views.learn.correlated import CORRELATED
from ldpapp.views.learn.invented import INVENTED
from ldpapp.views.learn.lesson import Lesson
from ldpapp.views.learn.marking import MARKING
from ldpapp.views.learn.messages import MESSAGES
from ldpapp.views.learn.odds import ODDS
from ldpapp.views.learn.outcomes import OUTCOMES
from ldpapp.views.learn.people import PEOPLE
from ldpapp.views.learn.together import TOGETHER

LESSONS: tuple[Lesson, ...] = (
    COIN,
    ODDS,
    PEOPLE,
    MARKING,
    TOGETHER,
    OUTCOMES,
    ATTACKER,
    BUDGETS,
    MESSAGES,
    CORRELATED,
    INVENTED,
    CLAIM,
)
