"""Frequency's planner: the shares of the column."""

from collections.abc import Mapping

from ldpapp.parts import planner, widgets
from ldpapp.words.language import t
from ldpcore import catalog
from ldpcore.study import Study, frequency
from ldpcore.study.frequency.facts import ShareFacts
from ldpcore.study.frequency.floor import policy
from ldpcore.study.frequency.plans import SharePlans


def fold(study: Study, found: Mapping[str, ShareFacts], main: ShareFacts) -> None:
    """found: all that are compared and protect something."""
    planner.fold("frequency", lambda: asked(study, found, main))


def asked(study: Study, found: Mapping[str, ShareFacts], main: ShareFacts) -> planner.PlannerSubject:
    shares = SharePlans.of_levels(policy(main.key), main.cell.epsilons, main.freq, guess=frequency.options(study).guess)
    able = [key for key, entry in catalog.FREQUENCY.items() if any(shares.marked) or entry.promise == "LDP"]
    able += [key for key in catalog.LEVELS if shares.levels or key == main.key]
    return planner.of_values(
        "frequency",
        shares,
        able,
        tuple(found),
        main.key,
        int(main.cell.counts.sum()),
        float(main.cell.epsilons.min(initial=study.epsilon)),
        t("Two are given, one is answered, for the shares of <b>{column}</b>.", column=widgets.escape(study.column)),
    )
