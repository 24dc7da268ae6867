"""Ranges' planner: the share of the people in the chosen range."""

from ldpapp import words
from ldpapp.parts import planner, widgets
from ldpapp.views.ranges import strategies
from ldpapp.views.ranges.view import RangesView
from ldpapp.words.language import t
from ldpcore import catalog
from ldpcore.study.ranges.plans import RangePlans


def fold(view: RangesView) -> None:
    planner.fold("ranges", lambda: asked(view))


def asked(view: RangesView) -> planner.PlannerSubject:
    counted = RangePlans(view.cells.size, view.chosen)
    return planner.PlannerSubject(
        "ranges",
        lambda every, worst: counted,
        tuple(catalog.RANGES),
        tuple(map(strategies.key, view.names)),
        strategies.key(view.best[0]),
        catalog.RANGES.name,
        int(view.cells.counts.sum()),
        view.epsilon,
        planner.points(),
        t("Two are given, one is answered, for the share of people in “{range}”.", range=widgets.escape(view.short)),
        lambda key: t("With {key} the share is off by at most", key=key),
        _guessed,
        worst=False,
    )


def _guessed(eps: float, won: float, blind: float) -> str:
    """A curator's ε is about who is in the data: between two answers of somebody it allows 2ε."""
    return t(
        "At ε = {eps}, whoever wonders whether a person is among these people, as likely as not, is right about at "
        "most {won} people by all that is published; a blind guess gets {blind}.",
        eps=words.epsilon(eps),
        won=words.chance_of_100(won),
        blind=words.of_100(blind),
    )
