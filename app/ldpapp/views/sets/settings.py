"""Sets: by what two settings are compared."""

import math
from collections.abc import Sequence
from typing import Any

from ldpapp import words
from ldpapp.compare.measures import Gap, Measure, Offer
from ldpapp.parts import widgets
from ldpapp.runtime.capture import Reach
from ldpapp.state import view_options
from ldpapp.views.sets import data as set_data
from ldpapp.views.sets import study as own
from ldpapp.words.language import t
from ldpcore.data import Baskets
from ldpcore.study import Study
from ldpcore.study.sets import facts as set_facts
from ldpcore.study.sets import tables
from ldpcore.study.sets.facts import PRESENCE
from ldpcore.study.sets.point import ItemFacts


def _shown(study: Study, held: Baskets) -> dict[str, ItemFacts]:
    return set_facts.facts(own.here(study), held).protecting


def work(study: Study, held: Baskets) -> Study:
    """The attacks at the study's own point, of what protects something."""
    return set_data.comparing(own.here(study), tuple(_shown(study, held)) or study.mechanisms)


def measures(study: Study, held: Baskets) -> Sequence[Measure]:
    """The error over all items and over the marked ones, and who is told to hold one."""
    shown = _shown(study, held)
    if not shown:
        return []
    main = set_facts.focus(shown, view_options.wished("sets_focus"))
    by = t("± 95 %, by {mechanism}.", mechanism=widgets.named(main.key))
    rows = [_error(main, "all", t("Error of a share, all items"), by)]
    if main.here.marked.any():
        marked = t("Error of {marked} shares", marked=widgets.sensitive(t("marked")))
        rows.append(_error(main, "sensitive", marked, by))
        if main.here.secret.any():
            secret = t("Error of {marked} shares", marked=widgets.sensitive(t("secret")))
            rows.append(_error(main, "secret", secret, by))
        rows.append(_presence(study, held, shown, main))
    return rows


def _error(main: ItemFacts, scope: str, title: str, note: str) -> Measure:
    off = main.error(scope)
    return Measure(scope, title, off, words.margin(off), t("points"), note=note)


def _presence(study: Study, held: Baskets, shown: dict[str, ItemFacts], main: ItemFacts) -> Measure:
    key = _told_by(shown, main)
    success = _success(study, held, key)
    return Measure(
        "presence",
        t("Holders of a {sensitive} item told", sensitive=widgets.sensitive(t("sensitive"))),
        success[0] if success else None,
        words.of_100(success[0]) if success else "…",
        t("of 100"),
        Reach.INTERNAL,
        exposed=True,
        note=t("by the collector, from {mechanism}; guessing gets 50.", mechanism=widgets.named(key)),
        gap=lambda kept, then: _gap(kept, then, success),
    )


def _told_by(shown: dict[str, ItemFacts], main: ItemFacts) -> str:
    """Of whom the headline speaks: the mechanism whose promise leaves the whole report out, where one is compared."""
    return set_facts.leaky(shown, main).key


Interval = tuple[float, float, float]


def _success(study: Study, held: Baskets, key: str) -> Interval | None:
    """Of 1, with its interval; None while it is simulated."""
    attacked = set_data.told(work(study, held), held)
    right, low, high = (tables.success(attacked, key, PRESENCE, end) for end in ("value", "low", "high"))
    return None if right is None or low is None or high is None else (right, low, high)


def _gap(kept: Study, held: Baskets, after: Interval | None) -> Gap | None:
    """Of two simulations of their own."""
    shown = _shown(kept, held)
    if not shown or after is None:
        return None
    before = _success(kept, held, _told_by(shown, set_facts.focus(shown, view_options.wished("sets_focus"))))
    if before is None:
        return None
    gap = after[0] - before[0]
    half = math.hypot(*((high - low) / 2 for _, low, high in (before, after)))
    return Gap(gap, gap - half, gap + half)


def option(study: Study, name: str) -> str:
    value: Any = "" if name == "axis" else study.option(name)
    if name == "m":
        return t("m = {m}", m=value) if value else t("m as proposed")
    if name == "simulated":
        return t("simulated sets of {n} items", n=words.count(value)) if value else t("the sets of the data")
    if name == "marked":
        return t("{share} of the items marked", share=words.share(value))
    return t("{n} people attacked", n=words.count(value)) if name == "attacks" else ""


OFFER = Offer(measures, option, work)
