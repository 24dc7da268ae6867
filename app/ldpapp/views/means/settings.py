"""Means: by what two settings are compared."""

from collections.abc import Sequence

from ldpapp import words
from ldpapp.compare.measures import Measure, Offer
from ldpapp.parts import widgets
from ldpapp.runtime.capture import Reach
from ldpapp.views.means import findings
from ldpapp.views.means import view as means_view
from ldpapp.views.means.view import MeansView
from ldpapp.words.language import t
from ldpcore.study import Study
from ldpcore.study.means import NumberColumn


def measures(study: Study, data: NumberColumn) -> Sequence[Measure]:
    """How well the mean is known by the best mechanism, and how often answers are guessed from its reports."""
    view = means_view.current(study, data, "epsilon")
    best = view and (view.best.first)
    if view is None or not best:
        return []
    column = widgets.escape(words.shorten(study.column, 30))
    known = Measure(
        "error", t("Mean of {column} known to", column=column), best.typical, findings.margin(best),
        note=t("95 %, by {mechanism}.", mechanism=widgets.named(best.mechanism)),
    )  # fmt: skip
    return [
        known,
        *(_guessed(view, scope, best.mechanism) for scope in ("sensitive", "other") if scope in view.facts.blind),
    ]


def _guessed(view: MeansView, scope: str, mechanism: str) -> Measure:
    won, near = view.guessed(scope)[mechanism], findings.quantity(view.facts.near)
    title = t("Other answers guessed to within {near}", near=near)
    if scope == "sensitive":
        marked = widgets.sensitive(t("Marked"))
        title = t("{marked} answers guessed to within {near}", marked=marked, near=near)
    blind = t("by the collector; blind {n}.", n=words.of_100(view.facts.blind[scope]))
    # How near a guess must come is of the public range: of another one it is another number.
    return Measure(
        f"{scope} {near}", title, won, words.of_100(won), t("of 100"), Reach.INTERNAL, exposed=scope == "other",
        note=blind,
    )  # fmt: skip


OFFER = Offer(measures)
