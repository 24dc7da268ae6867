"""What people who do not tell the truth do to a survey's marked answers: two kinds, never mixed.

A false *answer* (who has it denies it) goes in before the noise: no ε, no mechanism and no number of people changes its
bias (`ldpcore.honesty`). A false *report* is drawn by nobody: a few move a share past its own ±
(`ldpcore.attacks.manipulation`).
"""

import numpy as np

from ldpcore import honesty
from ldpcore.attacks import manipulation
from ldpcore.randomizer import NotEnumerable
from ldpcore.study.review.hidden import Hidden


def false_reports(one: Hidden, people: int) -> dict[str, int]:
    """Marked answer that somebody gives → the least number of false reports among so many people that move its share
    past its own 95 % margin, upwards. Empty where the reports are too many to look through.
    """
    try:
        return {
            one.labels[at]: manipulation.liars(one.built, one.freq, people, int(at))[0]
            for at in np.flatnonzero(one.marked & (one.freq > 0))
        }
    except NotEnumerable:
        return {}


def denied(one: Hidden, answer: str, one_in: int) -> float:
    """How much too low the share of an answer is read where 1 in so many of those who have it give another."""
    who = np.array([label == answer for label in one.labels])
    instead = int(np.argmin(who))  # any other: the bias of `answer` is the same
    return -float(honesty.denied(one.freq, who, 1 / one_in, instead)[who][0])
