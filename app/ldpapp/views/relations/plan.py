"""Relations' planner: the difference of the two sides."""

from dataclasses import dataclass

from ldpapp import words
from ldpapp.parts import planner
from ldpapp.views.relations import names
from ldpapp.views.relations.view import RelationsView
from ldpapp.words.language import t
from ldpcore import catalog, plan
from ldpcore.study.relations import Compared


@dataclass(frozen=True)
class DifferencePlans:
    """Plans for the difference of two groups of these shares, asked so."""

    compared: Compared
    setting: str

    def of(self, key: str) -> plan.Plan:
        return self.compared.planned(key, self.setting)

    is_either: bool = True
    """Whether every mechanism hides also the unmarked half of a pair."""

    def limit(self) -> plan.Plan | None:
        """The floor of a pair asked as one; None for other ways to ask, and for more pairs than it is known for."""
        return self.compared.floored() if self.setting == "as one" and self.is_either else None


def fold(view: RelationsView) -> None:
    planner.fold("relations", lambda: asked(view))


def asked(view: RelationsView) -> planner.PlannerSubject:
    one, compared = view.best, view.compared
    marked = bool(compared.mx.any() or compared.my.any())
    known = catalog.ANSWERS if view.study.marks.secret else catalog.FREQUENCY
    able = [key for key in known if marked or not known[key].uses_marks]
    pairs = [key for key in catalog.PAIRS if key in view.known.parts]
    keys = (*(key for key in able if _builds(view, key)), *pairs)
    holes = {"one": names.several(names.labels(compared, 0)), "other": names.several(names.labels(compared, 1))}
    plans = DifferencePlans(compared, view.options.setting, is_either=not pairs)
    return planner.PlannerSubject(
        "relations",
        lambda every, worst: plans,
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


def _builds(view: RelationsView, key: str) -> bool:
    try:
        view.compared.design(key, view.options.setting, view.study.epsilon)
    except ValueError:
        return False
    return True


def unit() -> planner.ErrorUnit:
    """Points of the difference."""
    return planner.ErrorUnit(
        100, t("Within ± points"), t("± points"), lambda error: t("{error} points", error=words.points(error))
    )
