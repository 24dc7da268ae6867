"""The planner of one column of values: Frequency's, and that of a question of a survey."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from ldpapp import words
from ldpapp.compute.memory import once
from ldpapp.parts import curve_words, levels, widgets
from ldpapp.parts.planner.asked import ErrorUnit, PlannerSubject
from ldpapp.words.language import t
from ldpcore import catalog
from ldpcore.study.frequency.plans import SharePlans


def points() -> ErrorUnit:
    """Of a share of the people."""
    return ErrorUnit(
        100,
        t("Within ± points"),
        t("± points"),
        lambda error: t("{error} points", error=words.points(error)),
        lambda error: t("{error} points", error=curve_words.least("typical", error)),
    )


def of_values(
    here: SharePlans,
    keys: Sequence[str],
    drawn: Sequence[str],
    focus: str,
    n: int,
    epsilon: float,
    about: str,
    answers: Sequence[str],
    design: float | None = None,
) -> PlannerSubject:
    """here: of these data, one share at a time; epsilon: of the most secret values. The rest is `Asked`'s."""
    count = sum(here.secret)
    return PlannerSubject(
        "frequency",
        lambda every, worst: replace(here, freq=None if worst else here.freq, every=every),
        keys,
        drawn,
        focus,
        catalog.ANSWERS.name,
        n,
        epsilon,
        points(),
        about,
        lambda key: t("With {key} shares are off by at most", key=key),
        # Of a single marked answer a guess says nothing: whoever gave it may always be named, at every ε.
        partial(_guessed, count, bool(here.levels)) if count != 1 else None,
        exact=partial(_apart, focus, answers),
        answers=answers,
        label=t("ε of secret answers") if here.levels else "",
        both=partial(_both, focus, max(each for each in here.levels if each < np.inf)) if here.levels else None,
        design=design,
    )


def _both(key: str, times: float, epsilon: float) -> str:
    """The ε of either level; of a mechanism that knows one only, that one."""
    if key not in catalog.LEVELS:
        return levels.one_epsilon(catalog.ANSWERS.name(key), epsilon)
    return levels.both_epsilons(epsilon, times)


def _guessed(marked: int, levels: bool, **holes: str) -> str:
    """What an attacker of one column's answers manages at this ε, and what by a blind guess."""
    if levels:
        return t(
            "At ε = {eps}, whoever knows that an answer is secret names it from one report for {won} people, if all "
            "secret answers are as likely; without any report for {blind}.",
            **holes,
        )
    if marked > 1:
        return t(
            "At ε = {eps}, whoever knows that an answer is marked names it from one report for {won} people, if all "
            "marked answers are as likely; without any report for {blind}.",
            **holes,
        )
    return t(
        "At ε = {eps}, whoever knows nothing else names an answer from one report for {won} people, if all answers "
        "are as likely; without any report for {blind}.",
        **holes,
    )


_told = once(256)(SharePlans.told_apart)


def _apart(key: str, answers: Sequence[str], here: SharePlans, epsilon: float) -> str:
    """What this ε tells of one person; "" where that is not known exactly."""
    pairs = _told(here, key, epsilon)
    if pairs is None:
        return ""
    who = t("a secret answer and any other") if here.levels else t("a marked answer and any other")
    if here.sought.sum() == 1:
        only = words.shorten(answers[int(here.sought.argmax())], 30)
        who = t("“{answer}” and any other answer", answer=widgets.escape(only))
    return t(
        "At ε = {eps}, {who} are told apart in {n} of 100 pairs by the own report alone: exact, nobody who sees no "
        "more does better.",
        eps=words.epsilon(epsilon),
        who=who,
        n=words.of_100(pairs),
    )
