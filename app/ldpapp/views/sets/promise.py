"""What is promised, and bits of a report: who keeps which promise, and where one leaks, the leak and its repair."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.parts.panels import Html, Panel, Sheet
from ldpapp.views.sets import by_level
from ldpapp.views.sets.sentences import Named
from ldpapp.words.language import t
from ldpcore import catalog
from ldpcore.levels import SetLevels
from ldpcore.policy import LDP, SULDPJoint
from ldpcore.study.sets import undisclosed
from ldpcore.study.sets.facts import BITS, PRESENCE
from ldpcore.study.sets.point import ItemFacts
from ldpcore.study.sets.tables import success
from ldpcore.study.sets.undisclosed import LEAKY, Leak

PROMISES = (LDP.name, SULDPJoint.name, SetLevels.name, LEAKY)
"""The strongest first."""


def promise_panel(found: Mapping[str, ItemFacts], main: ItemFacts, told: pd.DataFrame) -> Panel:
    """What each report covers and how long it is; where the promise is about a part only, the leak and its repair."""
    measured = told[told["metric"] == BITS].set_index("mechanism")["value"]
    rows = pd.DataFrame(
        {
            "mechanism": list(found),
            "bits, computed": [fact.bits for fact in found.values()],
            "bits, measured": [measured.get(key, np.nan) for key in found],
            "promise": [fact.promise for fact in found.values()],
            "caveats": [" ".join(catalog.ITEMS[key].caveats) if key in catalog.ITEMS else "" for key in found],
        }
    )
    leaky = next((one for one in found.values() if one.promise == LEAKY), None)
    leak = undisclosed.leak(leaky.mechanism) if leaky is not None and leaky.here.marked.any() else None
    text = covered(main) if leak is None or leaky is None else _leak(found, leaky, leak, told)
    return Panel(
        "set_promise",
        t("What is promised, and bits of a report"),
        [Html(_sizes(found, main, measured)), Html(f'<div class="card"><hr>{text}</div>')],
        head=[Sheet(rows, "reports")],
    )


def _sizes(found: Mapping[str, ItemFacts], main: ItemFacts, measured: pd.Series) -> str:
    """By promise: who keeps it, and how long each report is."""
    lines = []
    for promise in PROMISES:
        reports = [
            t("{mechanism}&nbsp;{bits}&nbsp;bits", mechanism=widgets.named(fact.key), bits=_bits(fact.bits))
            for fact in found.values()
            if fact.promise == promise
        ]
        if reports:
            lines.append(sizes(promise, words.listing(reports)))
    seen = ""
    if main.key in measured:
        seen = t("Measured, {mechanism}: {bits} bits.", mechanism=main.key, bits=_bits(measured[main.key]))
    return f'<div class="card">{"<br>".join(lines)} <span class="quiet">{seen}</span></div>'


def _bits(bits: float) -> str:
    return words.count(bits) if bits >= 10 else words.decimals(bits)


def _leak(found: Mapping[str, ItemFacts], leaky: ItemFacts, leak: Leak, told: pd.DataFrame) -> str:
    """Claim, leak and repair."""
    promised, shown = claim(leak)
    right = success(told, leaky.key, PRESENCE)
    if right is not None:
        shown = t(
            "{leak} Presence here: guessed rightly in {right} of 100, blind 50.", leak=shown, right=words.of_100(right)
        )
    fixes = [found.get(fix.key, fix) for fix in undisclosed.repairs(leaky.here)]
    return t(
        "<b>Claim</b> of {mechanism}: {claim}<br><b>Leak:</b> {leak}<br><b>Repaired:</b> {repairs}.",
        mechanism=widgets.named(leaky.key),
        claim=promised,
        leak=shown,
        repairs=repaired(fixes, leaky, told, widgets.named),
    )


def sizes(promise: str, reports: str) -> str:
    """Who keeps a promise, with the bits of a report."""
    if promise == "LDP":
        return t("<b>The whole report, whatever is held:</b> {reports}.", reports=reports)
    if promise == LEAKY:
        return t("<b>The masked number y₀ alone, not the items shown beside it:</b> {reports}.", reports=reports)
    if promise == SetLevels.name:
        return t("<b>The whole report, each item by its level:</b> {reports}.", reports=reports)
    return t("<b>The whole report, among holders of what it shows:</b> {reports}.", reports=reports)


def covered(main: ItemFacts) -> str:
    """What the promise in focus covers, and what it does not."""
    if main.promise == "LDP":
        return t(
            "<b>Covered:</b> the whole report, whatever is held. <b>Not covered:</b> what many reports of one person "
            "add up to."
        )
    if not main.here.marked.any():
        return t("<b>Covered:</b> nothing: no item is marked. <b>Not covered:</b> every item may be shown as it is.")
    if main.promise == SetLevels.name:
        return by_level.covered(main)
    if main.promise == LEAKY:
        return t(
            "<b>Covered:</b> the masked number y₀ alone, not the items shown beside it. <b>Not covered:</b> an "
            "unmarked item that a report shows is held for sure, and many reports of one person add up."
        )
    return t(
        "<b>Covered:</b> the whole report, among holders of what it shows. <b>Not covered:</b> an unmarked item that a "
        "report shows is held for sure, and many reports of one person add up."
    )


def claim(leak: Leak) -> tuple[str, str]:
    """(what suWheel promises, what its whole report says)."""
    if leak.m > 2:
        shown = t("exactly {n} of {m} items", n=leak.m - 1, m=leak.m)
    else:
        shown = t("one of two items") if leak.m == 2 else t("no item")
    holes = {"shown": shown, "times": words.times(leak.times)}
    if leak.times > leak.promised:
        revealed = t(
            "a report that shows {shown} is {times} likelier from a person with one marked item (or dummy) than from "
            "one with none; with the hash known it can be proof.",
            **holes,
        )
    else:
        revealed = t(
            "with its hash known, a report can prove a marked item (or dummy); without it, one that shows {shown} is "
            "{times} likelier from a person with one of them than from one with none.",
            **holes,
        )
    promised = t(
        "no y₀ is over {times} likelier for one person than for another.", times=words.times(leak.promised, most=True)
    )
    return promised, revealed


def repaired(fixes: Sequence[ItemFacts], leaky: ItemFacts, told: pd.DataFrame, named: Named) -> str:
    """What keeps the promise on the whole report, and what that costs."""
    return words.listing(_repair(fix, leaky, success(told, fix.key, PRESENCE), named) for fix in fixes)


def _repair(fix: ItemFacts, leaky: ItemFacts, right: float | None, named: Named) -> str:
    cost = _cost(fix.error() / leaky.error() if leaky.error() > 0 else 1.0)
    holes = {"mechanism": named(fix.key), "cost": cost}
    if right is None:
        return t("{mechanism} ({cost})", **holes)
    return t("{mechanism} ({cost}, {right} of 100)", **holes, right=words.of_100(right))


def _cost(ratio: float) -> str:
    if ratio > 1.02:
        return t("{times} the error", times=words.times(ratio))
    if ratio < 0.98:
        return t("{percent} % less error", percent=words.ratio(100 * (1 - ratio)))
    return t("the same error")
