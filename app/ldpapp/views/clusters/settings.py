"""Clusters: by what two settings are compared, always about the same column."""

from collections.abc import Sequence
from typing import Any

from ldpapp import compute, words
from ldpapp.compare.measures import Measure, Offer
from ldpapp.parts import widgets
from ldpapp.runtime.capture import Reach
from ldpapp.views.clusters import study as own
from ldpapp.words.language import t
from ldpcore.study import Study
from ldpcore.study import clusters as task
from ldpcore.study.clusters.facts import facts


def measures(study: Study, people: task.ClusterRecords) -> Sequence[Measure]:
    """What the messages name, how many people are in the right cluster, and what ε allows."""
    known = facts(own.here(study), people, compute.kept(own.here(study), people))
    column, bounds = widgets.escape(words.shorten(study.column, 30)), known.bounds
    best = known.best or max(known.parts.values(), key=lambda one: one.right)
    right = best.right if known.played else None
    rows = [
        Measure(
            "right", t("People in the right cluster"), right, _of_100(right), t("of 100"), Reach.INTERNAL, more=True,
            note=t("by {method}.", method=widgets.named(best.key)),
        ),
        Measure(
            "allowed", t("ε lets “{column}” be named", column=column), bounds.promised, words.of_100(bounds.promised),
            t("of 100"), Reach.INTERNAL, note=t("at most; blind {n}.", n=words.of_100(bounds.blind)),
        ),
    ]  # fmt: skip
    first = known.leaking or best
    leak = first.leak
    if leak is not None or not known.played:
        named = None if leak is None else first.named
        starts = words.plural(known.played or study.repetitions, t("start"), t("starts"))
        by = t("from the messages of {method}, mean of {starts}.", method=widgets.named(first.key), starts=starts)
        rows.append(
            Measure(
                "leak", t("“{column}” named", column=column), named, _of_100(named), t("of 100"), Reach.INTERNAL,
                exposed=True, note=by,
            )
        )  # fmt: skip
    return rows


def _of_100(share: float | None) -> str:
    return "…" if share is None else words.of_100(share)


def option(study: Study, name: str) -> str:
    value: Any = "" if name == "axis" else study.option(name)
    if name == "k":
        return words.plural(value, t("cluster"), t("clusters"))
    return t("{n} columns make a record", n=len(value)) if name == "columns" else ""


OFFER = Offer(measures, option, lambda study, people: own.here(study))
