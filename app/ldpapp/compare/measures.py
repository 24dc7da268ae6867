"""Two settings of one task: what a task offers to compare them by, and in what two Studies differ, in words."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.runtime.capture import Reach
from ldpapp.words.language import t
from ldpcore.questionnaire import Uncertain
from ldpcore.study import Marks, Study, mark_kinds
from ldpcore.study.definition import SECRET
from ldpcore.study.mark_kinds import MarkKind
from ldpcore.study.tasks import TASKS

MOST = 3
"""Changes that are shown."""
NAMED = 2
"""Marks, mechanisms that are named where there are more."""


@dataclass(frozen=True)
class Gap(Uncertain):
    """A difference that is estimated, after − before, and its 95 % interval."""

    difference: float
    low: float
    high: float


@dataclass(frozen=True)
class Measure:
    """One number of a setting, as its page says it; those of two settings with the same key are compared.

    title: what it is, as markup; unit: of what `text` writes. value: by which changes are ranked, smaller is better
    unless `more`; None while it is simulated. exposed: it says who stays exposed, and comes last. aside: of another
    question than the page speaks of, told where it costs most, or in place of what does not change. note: by whom, and
    against what. gap: where both are estimates, their difference from the other setting (Study and data) to this one.
    """

    key: str
    title: str
    value: float | None
    text: str
    unit: str = ""
    reach: Reach = Reach.PUBLISHED
    more: bool = False
    exposed: bool = False
    aside: bool = False
    note: str = ""
    gap: Callable[[Study, Any], Gap | None] | None = None


def of_100(key: str, title: str, share: float | None, most: bool = False, **options: Any) -> Measure:
    """So many of 100, which compares with the truth; None while it is simulated. most: it is a bound."""
    text = "…" if share is None else words.of_100(share, most)
    return Measure(key, title, share, text, t("of 100"), Reach.INTERNAL, **options)


@dataclass(frozen=True)
class Change:
    """A measure before and after."""

    before: Measure
    after: Measure

    @property
    def ratio(self) -> float:
        """Below 1 is better."""
        first, second = (self.after, self.before) if self.after.more else (self.before, self.after)
        return ratio(first.value, second.value) if first.value is not None and second.value is not None else 1.0

    @property
    def same(self) -> bool:
        """Whether both are known, and written alike."""
        return None not in (self.before.value, self.after.value) and self.before.text == self.after.text


@dataclass(frozen=True)
class Offer:
    """What a task offers for the comparison of two settings.

    measures: of a study and its data, from what is computed or simulated already; None where the page itself shows what
    changes. option: one of its options, or its "axis", in words; "" where no number depends on it. work: whose surveys
    tell the measures; None where nothing is simulated. about: what of the data the page is about, where another column
    is not another setting.
    """

    measures: Callable[[Study, Any], Sequence[Measure]] | None
    option: Callable[[Study, str], str] = lambda study, name: ""
    work: Callable[[Study, Any], Study | None] | None = None
    about: Callable[[Study, Any], str] = lambda study, data: study.column


def ratio(before: float, after: float) -> float:
    """Below 1 is better: errors, and chances of being guessed."""
    return after / before if before else math.inf if after else 1.0


def changes(before: Sequence[Measure], after: Sequence[Measure]) -> list[Change]:
    """What is known of both, the best gain first, then the worst cost, what stays exposed last."""
    known = {each.key: each for each in before}
    pairs = [Change(known[each.key], each) for each in after if each.key in known]
    last = [each for each in pairs if each.after.exposed][:MOST]
    return [*_most(sorted((each for each in pairs if not each.after.exposed), key=_paid), MOST - len(last)), *last]


def _paid(change: Change) -> tuple[float, float]:
    return change.ratio, change.after.value or 0.0


def _most(ordered: Sequence[Change], room: int) -> list[Change]:
    """So many, the best gain first. The worst cost is always one of them, whatever it is of; a gain aside takes the
    place of what does not change.
    """
    cost = [each for each in ordered[-1:] if each.ratio > 1]
    plain = [each for each in ordered if not each.after.aside and each not in cost]
    gain = [each for each in ordered[:1] if each.after.aside and each.ratio < 1]
    rest = [*(each for each in plain if not each.same), *gain, *(each for each in plain if each.same)]
    return sorted([*cost, *rest[: room - len(cost)]], key=_paid)


def big(before: str, after: str, unit: str) -> str:
    """A number before and after, large."""
    markup = f'<span class="number">{before} → {after}</span> <span class="title">{unit}</span>'
    return f'<div class="headline">{markup}</div>'


# in words ---------------------------------------------------------------------------------------------------------


def differences(a: Study, b: Study, option: Callable[[Study, str], str]) -> tuple[list[str], list[str]]:
    """What is so in the first study and not in the second, and the other way round: phrases, field by field."""
    pairs = [(phrase(a, b), phrase(b, a)) for differs, phrase in _FIELDS if differs(a, b)]
    changed = dict.fromkeys([*a.options.changed, *b.options.changed])
    names = [name for name in changed if a.option(name) != b.option(name)]
    pairs += [(option(a, name), option(b, name)) for name in names]
    if a.axis != b.axis:
        pairs.append((option(a, "axis"), option(b, "axis")))
    differing = [pair for pair in pairs if any(pair)]
    return [first for first, _ in differing], [other for _, other in differing]


def _marks(study: Study, other: Study) -> str:
    values, more = study.marks.values, other.marks.values
    if study.marks.secret or other.marks.secret:
        return _levels(study.marks, other.marks)
    only = [value for value in values if value not in more]
    kind = TASKS[study.task].MARKS
    names = words.listing(_mark(value, kind) for value in only[:NAMED])
    holes = {"n": words.count(len(values)), "names": names}
    if not kind.protects:
        return t("{n} withheld, {names} only here", **holes) if _some(only, values) else _counted(values, True)
    return t("{n} marked, {names} only here", **holes) if _some(only, values) else _counted(values, False)


def _levels(own: Marks, other: Marks) -> str:
    """How many values have which level, and which have another one there."""
    if not own.secret:
        return _counted(own.values, False)
    there = dict(other.levels)
    only = [value for value in own.secret if there.get(value) != SECRET]
    holes = {"n": words.count(len(own)), "secret": words.count(len(own.secret))}
    if not only or len(only) > NAMED:
        return t("{n} marked, {secret} of them secret", **holes)
    names = words.listing(_mark(value, mark_kinds.ANSWERS) for value in only)
    return t("{n} marked, {secret} of them secret, {names} only here", **holes, names=names)


def _some(only: Sequence[str], values: Sequence[str]) -> bool:
    """Whether it helps to name them."""
    return 0 < len(only) <= max(NAMED, 1) or (bool(only) and len(only) < len(values))


def _counted(values: Sequence[str], withheld: bool) -> str:
    if not values:
        return t("nothing withheld") if withheld else t("nothing marked")
    return t("{n} withheld", n=len(values)) if withheld else t("{n} marked", n=len(values))


def _mark(value: str, kind: MarkKind) -> str:
    return widgets.escape(words.shorten(kind.written(value), 32))


def _own_epsilon(study: Study) -> str:
    """The ε of secret answers, as it is written; "" where there are none."""
    return words.epsilon(study.secret_at(study.epsilon)) if study.marks.secret else ""


def _mechanisms(study: Study, other: Study) -> str:
    entries = TASKS[study.task].CATALOG
    only = [key for key in study.mechanisms if key not in other.mechanisms]
    if len(study.mechanisms) <= NAMED + 1:
        return words.listing(widgets.escape(entries.name(key)) for key in study.mechanisms)
    if not only:
        return t("{n} mechanisms", n=len(study.mechanisms))
    names = words.listing(widgets.escape(entries.name(key)) for key in only[:NAMED])
    return t("{n} mechanisms, {names} only here", n=len(study.mechanisms), names=names)


def _missing(study: Study, other: Study) -> str:
    return {
        "any": t("whoever misses an answer left out"),
        "column": t("whoever misses this answer left out"),
        "category": t("missing answers counted"),
    }[study.missing]


def _bins(study: Study, other: Study) -> str:
    if study.bins is None:
        return t("every value for itself")
    low, high, count = study.bins
    return t("{low} to {high} in {n} parts", low=f"{low:g}", high=f"{high:g}", n=words.count(count))


_FIELDS: Sequence[tuple[Callable[[Study, Study], bool], Callable[[Study, Study], str]]] = (
    (lambda a, b: a.epsilon != b.epsilon, lambda a, b: t("ε = {eps}", eps=words.epsilon(a.epsilon))),
    (
        lambda a, b: _own_epsilon(a) != _own_epsilon(b),
        lambda a, b: t("secret ε = {eps}", eps=_own_epsilon(a)) if _own_epsilon(a) else "",
    ),
    (lambda a, b: set(a.marks.levels) != set(b.marks.levels), _marks),
    (lambda a, b: set(a.mechanisms) != set(b.mechanisms), _mechanisms),
    (
        lambda a, b: a.n != b.n,
        lambda a, b: t("everybody in the data") if a.n is None else t("{n} people", n=words.count(a.n)),
    ),
    (lambda a, b: a.missing != b.missing, _missing),
    (lambda a, b: a.bins != b.bins, _bins),
    (
        lambda a, b: a.repetitions != b.repetitions,
        lambda a, b: words.plural(a.repetitions, t("survey"), t("surveys")),
    ),
    (lambda a, b: a.seed != b.seed, lambda a, b: t("seed {n}", n=a.seed)),
)
"""Whether two studies differ in a field, and what is said of the first: without data, column and grid."""
