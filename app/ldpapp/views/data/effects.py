"""What a setting of marks does: from protecting every value (SS) to protecting the marked ones (uSS), in words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ldpapp import words
from ldpapp.compute.memory import once
from ldpapp.tasks.frequency import findings
from ldpapp.tasks.frequency.findings import Facts
from ldpcore.data import Histogram
from ldpcore.study import Arm, Source, Study

SAME = 1.05
"""Ratios of errors below this are "about as exact"."""
Escape = Callable[[object], str]


@once(64)
def _both(values: tuple[str, ...], epsilon: float) -> Study:
    """Everything protected, and what is marked."""
    return Study(Source(""), "", arms=(Arm.of("A", values),), mechanisms=("SS", "uSS"), epsilon=epsilon)


@dataclass(frozen=True, eq=False)
class Effect:
    """One setting of marks at one ε: the same survey with every value protected, and with the marked ones."""

    counted: Histogram
    every: Facts
    marked: Facts

    @classmethod
    def of(cls, counted: Histogram, values: Sequence[str], epsilon: float) -> "Effect":
        found = findings.facts(_both(tuple(values), epsilon), counted, "A")
        return cls(counted, found["SS"], found["uSS"])

    @property
    def labels(self) -> tuple[str, ...]:
        return self.counted.domain.labels

    @property
    def mask(self) -> NDArray[np.bool_]:
        return self.marked.marked

    @property
    def shares(self) -> NDArray[np.float64]:
        return self.marked.freq

    @property
    def people(self) -> int:
        """How many gave a marked answer."""
        return int(self.counted.counts[self.mask].sum())

    @cached_property
    def loss(self) -> NDArray[np.float64]:
        """The privacy loss of every pair with the marks: (k, k)."""
        return self.marked.mechanism.privacy_loss()

    @cached_property
    def lift(self) -> float:
        """How many times a report can at most multiply odds, where that is bounded."""
        return float(np.exp(self.loss[np.isfinite(self.loss)].max(initial=0.0)))

    def errors(self, scope: str) -> tuple[float, float]:
        """Typical error with everything protected, and with the marks."""
        return self.every.error(scope), self.marked.error(scope)


def sentence(effect: Effect, sensitive: str, escape: Escape) -> str:
    """The finding of the Data view."""
    k, count = len(effect.labels), int(effect.mask.sum())
    if count == 0:
        return (
            f"No value is marked {sensitive}: every answer would be sent as it is, without error and without "
            f"protection. Protecting all {words.count(k)} would put the shares off by "
            f"{words.points(effect.every.error())} points."
        )
    if count == k:
        return (
            f"All {words.count(k)} values are marked {sensitive}, so the marks gain nothing: the shares are off by "
            f"{words.points(effect.marked.error())} points, as when every answer is protected. {_small(effect, escape)}"
        ).rstrip()
    verb = "is" if count == 1 else "are"
    who = f"{words.count(effect.people)} of {words.plural(effect.counted.n, 'person', 'people')}"
    return (
        f"{words.cardinal(count, start=True)} of {words.count(k)} values {verb} marked {sensitive}: {who}, "
        f"{words.share(effect.people / effect.counted.n)}. {_gain(effect, count, k)} {_small(effect, escape)}"
    ).rstrip()


def _gain(effect: Effect, count: int, k: int) -> str:
    mine, other = (ratio(*effect.errors(scope)) for scope in ("sensitive", "other"))
    whose = "Its share" if count == 1 else "Their shares"
    others = "the other" if k - count == 1 else "all others"
    if mine > SAME and other > SAME:
        verb = "becomes" if count == 1 else "become"
        return f"{whose} {verb} {words.times(mine)} more exact, {others} {words.times(other)}."
    return f"{whose} {change(mine, count == 1)}, {others} {change(other, k - count == 1)}."


def ratio(before: float, after: float) -> float:
    return before / after if after > 0 else np.inf


def change(ratio: float, one: bool) -> str:
    if ratio == np.inf:
        return f"{'is' if one else 'are'} exact"
    become = "becomes" if one else "become"
    if ratio > SAME:
        return f"{become} {words.times(ratio)} more exact"
    if ratio < 1 / SAME:
        return f"{become} {words.times(1 / ratio)} less exact"
    return f"{'stays' if one else 'stay'} about as exact"


def _small(effect: Effect, escape: Escape) -> str:
    """Which marked values drown in their own error: one or two are named, more are counted."""
    drowned = set(findings.smaller_than_error(effect.marked, effect.labels))
    places = sorted((i for i, label in enumerate(effect.labels) if label in drowned), key=lambda i: effect.shares[i])
    if not places:
        return ""
    error = words.points(float(np.sqrt(effect.marked.variance[places].max())))
    names = [escape(words.shorten(effect.labels[i], 24)) for i in places]
    if len(places) == 1:
        return f"{names[0]} ({words.share(effect.shares[places[0]])}) stays smaller than its own error ({error})."
    who = f"{names[0]} and {names[1]}" if len(places) == 2 else f"{words.cardinal(len(places), start=True)} of them"
    return f"{who} stay smaller than their error ({error})."


Row = tuple[str, str, str, str]


def table(effect: Effect, marked: Callable[[str], str]) -> list[Row]:
    """Rows (what, before, after, remark): the error and who is exposed, on marked and on other values."""
    rows: list[Row] = []
    count = int(effect.mask.sum())
    for scope, part, what in (
        ("sensitive", effect.mask, f"Error, {marked('marked')} values"),
        ("other", ~effect.mask, "Error, other values"),
    ):
        if part.any():
            before, after = effect.errors(scope)
            rows.append((what, words.points(before), words.points(after), better(ratio(before, after))))
    if count == 1:
        rows.append((f"{marked('Marked')} answer guessed", "–", "–", "there is only one"))
    elif count > 1:
        before, after = _chances(effect.every.targeted, effect.marked.targeted)
        rows.append((f"{marked('Marked')} answer guessed", before, after, f"blind {_blind(effect.marked.blind)}"))
    if not effect.mask.all():
        before, after = _chances(*(facts.named(~effect.mask) for facts in (effect.every, effect.marked)))
        openly = "<b>shown openly</b>" if effect.marked.shown > 0 else f"blind {_blind(1 / len(effect.labels))}"
        rows.append(("Other answer named", before, after, openly))
    return rows


def _chances(before: float, after: float) -> tuple[str, str]:
    """ "39", "37 of 100"; where one is small "1 in 30", "1 in 12"."""
    first = _blind(before)
    return first, words.one_in(after) if after < 0.01 else f"{words.of_100(after)} of 100"


def _blind(chance: float) -> str:
    return words.one_in(chance) if chance < 0.01 else words.of_100(chance)


def better(ratio: float) -> str:
    if ratio == np.inf:
        return "exact"
    if ratio > SAME:
        return f"{words.ratio(ratio)} × better"
    return f"{words.ratio(1 / ratio)} × worse" if ratio < 1 / SAME else "about the same"


def rows_html(rows: Sequence[Row]) -> str:
    """The table as HTML; the class stands in widgets.STYLE."""
    body = "".join(
        f'<tr><td>{what}</td><td class="num">{before}</td><td class="to">→</td><td class="num"><b>{after}</b></td>'
        f'<td class="num quiet">{remark}</td></tr>'
        for what, before, after, remark in rows
    )
    heads = ("What", "Every value protected", "to", "Marked values protected", "Remark")
    head = "".join(f"<th>{name}</th>" for name in heads)
    return f'<div class="effects"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def pairs_key(effect: Effect) -> list[tuple[int, str]]:
    """(tone, words) for the kinds of pairs that there are; the tones are those of charts.pairs."""
    odds, mask = words.times(effect.lift), effect.mask
    if mask.all():
        return [(0, f"<b>Every pair:</b> no report moves its odds more than {odds}.")]
    lines: list[tuple[int, str]] = []
    if mask.any():
        lines.append((0, f"<b>Towards a marked value:</b> no report raises its odds more than {odds}."))
        lines.append((1, "<b>Away from it:</b> a report may rule it out."))
    if np.count_nonzero(~mask) > 1:
        lines.append((2, "<b>Two unmarked values:</b> one report can tell them apart for sure."))
    return lines


def intervals(effect: Effect, edges: NDArray[np.float64]) -> list[tuple[float, float]]:
    """The marked bins as intervals of numbers."""
    return [(float(edges[i]), float(edges[i + 1])) for i in np.flatnonzero(effect.mask[: len(edges) - 1])]
