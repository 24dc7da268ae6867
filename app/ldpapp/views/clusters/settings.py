"""Clusters: by what two settings are compared, always about the same column."""

from collections.abc import Sequence
from typing import Any

from ldpapp import compute, words
from ldpapp.compare.measures import Measure, Offer
from ldpapp.parts import widgets
from ldpapp.runtime.capture import Reach
from ldpapp.views.clusters import data as cluster_data
from ldpapp.views.clusters import study as own
from ldpapp.views.clusters.data import CATALOG
from ldpapp.words.language import t
from ldpcore.study import Study
from ldpcore.study import clusters as task
from ldpcore.study.clusters.compare import guessed, limits


def measures(study: Study, people: task.People) -> Sequence[Measure]:
    """What the messages name, how many people are in the right cluster, and what ε allows."""
    rows = cluster_data.whole_starts(compute.kept(own.here(study), people), len(study.mechanisms))
    bounds, column = limits(people, study.column, study.epsilon), widgets.escape(words.shorten(study.column, 30))
    covered = [key for key in study.mechanisms if CATALOG[key].whole and not CATALOG[key].central]
    leaking = next((key for key in study.mechanisms if not CATALOG[key].whole), None)
    scores = rows[rows["metric"] == "ac"].groupby("mechanism")["value"].mean() if len(rows) else {}
    best = max(covered or study.mechanisms, key=lambda key: scores[key]) if len(scores) else study.mechanisms[0]
    right = float(scores[best]) if len(scores) else None
    found = [
        Measure(
            "right", t("People in the right cluster"), right, _of_100(right), t("of 100"), Reach.INTERNAL, more=True,
            note=t("by {method}.", method=widgets.named(best)),
        ),
        Measure(
            "allowed", t("ε lets “{column}” be named", column=column), bounds.promised, words.of_100(bounds.promised),
            t("of 100"), Reach.INTERNAL, note=t("at most; blind {n}.", n=words.of_100(bounds.blind)),
        ),
    ]  # fmt: skip
    first = leaking or best
    leak = guessed(rows, first, study.column) if len(rows) else None
    if leak is not None or not len(rows):
        named = None if leak is None else float(leak.mean())
        starts = words.plural(len(leak) if leak is not None else study.repetitions, t("start"), t("starts"))
        by = t("from the messages of {method}, mean of {starts}.", method=widgets.named(first), starts=starts)
        found.append(
            Measure(
                "leak", t("“{column}” named", column=column), named, _of_100(named), t("of 100"), Reach.INTERNAL,
                exposed=True, note=by,
            )
        )  # fmt: skip
    return found


def _of_100(share: float | None) -> str:
    return "…" if share is None else words.of_100(share)


def option(study: Study, name: str) -> str:
    value: Any = "" if name == "axis" else study.option(name)
    if name == "k":
        return words.plural(value, t("cluster"), t("clusters"))
    return t("{n} columns make a record", n=len(value)) if name == "columns" else ""


OFFER = Offer(measures, option, lambda study, people: own.here(study))
