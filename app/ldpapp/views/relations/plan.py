"""Relations' planner: the difference of the two sides."""

from ldpapp import words
from ldpapp.parts import planner
from ldpapp.views.relations import names
from ldpapp.views.relations.view import RelationsView
from ldpapp.words.language import t
from ldpcore import catalog
from ldpcore.study.relations import plans


def fold(view: RelationsView) -> None:
    planner.fold("relations", lambda: asked(view))


def asked(view: RelationsView) -> planner.PlannerSubject:
    one, compared = view.best, view.compared
    keys = plans.mechanisms(view.known)
    holes = {"one": names.several(compared.labels(0)), "other": names.several(compared.labels(1))}
    return planner.PlannerSubject(
        "relations",
        lambda every, worst: plans.DifferencePlans.of_facts(view.known),
        keys,
        tuple(key for key in view.study.mechanisms if key in keys),
        one.key,
        catalog.TWO_ANSWERS.name,
        one.n,
        view.study.epsilon,
        unit(),
        t(
            "Two are given, one is answered, for the difference of {one} and {other}, {setting}.",
            setting=names.setting(view.options.setting),
            **holes,
        ),
        lambda key: t("With {key} the difference is off by at most", key=key),
        worst=False,
        label=t("ε for both answers"),
    )


def unit() -> planner.ErrorUnit:
    """Points of the difference."""
    return planner.ErrorUnit(
        100, t("Within ± points"), t("± points"), lambda error: t("{error} points", error=words.points(error))
    )
