"""How a survey is asked under one setting of marks: which answers are hidden, by what, with which ε, by how many."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldpcore import catalog, checks
from ldpcore.catalog import Coverage
from ldpcore.data import DataError
from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.memory import remembered
from ldpcore.questionnaire import OPEN, Question, Scheme, errors, promise, value_errors
from ldpcore.questionnaire.schemes import expected_inverse
from ldpcore.randomizer import Randomizer
from ldpcore.study import readings
from ldpcore.study.definition import Study
from ldpcore.study.fitting import Range
from ldpcore.study.review.people import People, split

Mask = NDArray[np.bool_]
Vector = NDArray[np.float64]

CATALOG = catalog.ANSWERS.keeping(Coverage.EVERY, Coverage.MARKED)
SCHEMES, BUDGETS, ATTACKERS = ("all", "one"), ("question", "person"), ("every", "own")
OPTIONS: dict[str, Any] = {
    "columns": (),  # the questions; none: every column that can be asked
    "hidden": (),  # questions without marks all of whose answers are hidden; the others without marks are sent openly
    "ranges": (),  # public ranges of questions of numbers, "age = 20..90/7"; of others a round one around the data
    "scheme": "all",  # everyone answers every hidden question, or one of them: "one"
    "budget": "question",  # ε is of each question, or of a whole "person" and shared by the questions answered
    "attacker": "every",  # sees everything that a person sends, or the "own" report of the question alone
}
_CHOICES = {"scheme": SCHEMES, "budget": BUDGETS, "attacker": ATTACKERS}
_LISTS = ("columns", "hidden", "ranges")


def options(study: Study) -> dict[str, Any]:
    """The options over their defaults; ValueError or TypeError with a sentence."""
    out = study.chosen(OPTIONS)
    for name, known in _CHOICES.items():
        if out[name] not in known:
            raise ValueError(f"the option {name} is {' or '.join(map(repr, known))}, got {out[name]!r}")
    for name in _LISTS:
        if isinstance(out[name], str):
            raise TypeError(f"the option {name} is a list, got {out[name]!r}")
        out[name] = tuple(map(str, out[name]))
    return out


@dataclass(frozen=True, eq=False)
class Hidden:
    """A question that is answered through a mechanism. marked (k,): its marks; all of them where it has none and is
    hidden as a whole; secret (k,): those of them that have `secret_epsilon` in place of `epsilon`. freq (k,): its
    shares. chance: of one person to be asked it.
    """

    name: str
    key: str
    built: Randomizer
    marked: Mask
    freq: Vector
    epsilon: float
    chance: float
    labels: tuple[str, ...]
    secret: Mask
    secret_epsilon: float

    def aimed(self, secret: bool) -> "Hidden":
        """The same, as it is to whoever is after its secret answers alone: those are marked, and no others."""
        return replace(self, marked=self.secret) if secret else self

    @property
    def is_secret(self) -> bool:
        """Whether all that is marked is secret."""
        return bool(self.secret.any() and not self.private.any())

    @property
    def private(self) -> Mask:
        """Which answers (k,) are marked and not secret."""
        return self.marked & ~self.secret

    @property
    def epsilons(self) -> Vector:
        """The ε (k,) that every answer is to have, inf for a public one."""
        return _budgets(self.marked, self.secret, self.epsilon, self.secret_epsilon)

    @property
    def apart(self) -> bool:
        """Whether there is anybody to tell from anybody: some answers are marked, and not all."""
        return bool(self.marked.any() and not self.marked.all())

    @property
    def marks(self) -> list[str]:
        return self.named(self.marked)

    def named(self, part: Mask) -> list[str]:
        """The answers of this part (k,)."""
        return [label for label, inside in zip(self.labels, part, strict=True) if inside]


@dataclass(frozen=True, eq=False)
class Asked:
    """A survey under one setting of marks at one ε: its hidden questions, in the order of the data, and the open ones.

    total: ε of all that a person sends, where no two answers differ in more questions than there are.
    """

    hidden: dict[str, Hidden]
    open: tuple[str, ...]
    scheme: Scheme
    total: float
    n: int

    def others(self, question: str) -> dict[str, Randomizer | str]:
        """What a person sends beside the report to this question: the open answers, and, where everyone answers all,
        the other reports.
        """
        alone = len(self.scheme.blocks) > 1
        reports = {} if alone else {name: one.built for name, one in self.hidden.items() if name != question}
        return {**dict.fromkeys(self.open, OPEN), **reports}

    @property
    def questions(self) -> list[Question]:
        return [
            Question(one.name, one.key, one.freq, levels=one.epsilons / one.epsilon) for one in self.hidden.values()
        ]

    @property
    def leveled(self) -> bool:
        """Whether some answers are secret."""
        return any(one.secret.any() for one in self.hidden.values())

    def promised(self, secret: bool = False) -> float:
        """ε of records that differ in as many marked answers as one person can hold; secret: in secret ones alone, 0
        where there are none.
        """
        hidden = self.hidden.values()
        if not secret:
            return float(promise(self.questions, self.scheme, epsilon=self.total)["marked"].max())
        kept = {q.name: q.kept(one.epsilon)[one.secret] for q, one in zip(self.questions, hidden, strict=True)}
        return max(sum(float(kept[name].max(initial=0.0)) for name in block) for block in self.scheme.blocks)

    def errors(self) -> dict[str, tuple[float, float]]:
        """Question → exact mean squared error over all of its answers, and over those that are marked."""
        found = errors(self.questions, self.scheme, n=self.n, epsilon=self.total)
        of_all, of_marked = (found[name].to_numpy(float).tolist() for name in ("mse", "marked"))
        return dict(zip(self.hidden, zip(of_all, of_marked, strict=True), strict=True))

    def by_level(self) -> dict[str, dict[str, float]]:
        """Question that has secret answers → "private" (where it has any) and "secret": exact mean squared error over
        these of its answers.
        """
        each, found = self._value_errors(), dict[str, dict[str, float]]()
        for name, one in self.hidden.items():
            if one.secret.any():
                parts = {"private": one.private, "secret": one.secret}
                found[name] = {level: float(each[name][part].mean()) for level, part in parts.items() if part.any()}
        return found

    def drowned(self) -> dict[str, tuple[str, ...]]:
        """Question → its marked answers that somebody gives, yet fewer people than their own 95 % margin: too rare to
        measure. Questions without any are left out.
        """
        each, found = self._value_errors(), dict[str, tuple[str, ...]]()
        for name, one in self.hidden.items():
            few = one.marked & (one.freq > 0) & (one.freq < NORMAL_95 * np.sqrt(each[name]))
            found[name] = tuple(one.named(few))
        return {name: answers for name, answers in found.items() if answers}

    def _value_errors(self) -> Mapping[str, Vector]:
        return value_errors(self.questions, self.scheme, n=self.n, epsilon=self.total)


def marks(study: Study, data: People, arm: str) -> dict[str, Mask]:
    """Question → which of its answers are marked in this arm; ValueError for marks that are none of its answers."""
    return _masks(data, arm, next(each.values for each in study.arms if each.name == arm))


def secrets(study: Study, data: People, arm: str) -> dict[str, Mask]:
    """The same of those that are secret."""
    return _masks(data, arm, next(each.secret for each in study.arms if each.name == arm))


def _masks(data: People, arm: str, values: Iterable[str]) -> dict[str, Mask]:
    found: dict[str, Mask] = {}
    for name, said in split(values, data.questions).items():
        domain = data.histogram(name).domain
        labels = answers(data.ranges.get(name), data.labels(name), said)
        try:
            found[name] = domain.mask(labels)
        except ValueError as error:
            raise ValueError(f"the marks of {arm!r} do not fit “{name}”: {error}") from error
    return found


def answers(cut: Range | None, labels: Sequence[str], said: list[str]) -> list[str]:
    """Marks as a person keeps them (intervals of numbers) as answers to the question, which is cut into these bins."""
    if cut is not None:
        return readings.to_bins(said, cut)
    pairs, _ = readings.split(said)
    return readings.to_values(said, labels) if pairs else said


def identity(study: Study) -> Hashable:
    """All of a study that a number can depend on: not the question in focus."""
    told = (study.data, study.arms, study.mechanisms, study.options, study.missing, study.secret_epsilon)
    return *told, study.epsilon, study.grid, study.n, study.repetitions, study.seed


def asked(study: Study, data: People, arm: str, x: float) -> Asked:
    """The survey in this arm at ε = x; DataError where nothing is hidden.

    Where a person's ε is shared by several questions, that of secret answers shrinks by the same factor: their part of
    the others' ε stays what was chosen.
    """
    key = ("asked", arm, x, identity(study))
    return remembered(data, key, lambda: _asked(study, data, arm, x), 64)


def as_secret(study: Study, data: People, arm: str, question: str) -> float:
    """Exact mean squared error over the private answers to a question if they were secret as well; nan without any."""
    one = asked(study, data, arm, study.epsilon).hidden[question]
    flat = replace(study, arms=tuple(each.flat() for each in study.arms), epsilon=study.secret_at(study.epsilon))
    then = asked(flat, data, arm, flat.epsilon)
    errors = value_errors(then.questions, then.scheme, n=then.n, epsilon=then.total)[question]
    return float(errors[one.private].mean()) if one.private.any() else float("nan")


def _asked(study: Study, data: People, arm: str, x: float) -> Asked:
    chosen, found, above = options(study), marks(study, data, arm), secrets(study, data, arm)
    unknown = [name for name in chosen["hidden"] if name not in data.questions]
    if unknown:
        raise ValueError(f"the option hidden names {checks.name_list(unknown)}, which the survey does not ask")
    masks = {name: mask for name in data.questions if (mask := _mask(data, name, found, chosen)) is not None}
    if not masks:
        raise DataError(
            "Nothing is marked in any question.",
            "A review is of answers that somebody would rather not give openly. Mark the sensitive answers of at least "
            "one question.",
        )
    if all(mask.all() for mask in masks.values()):
        raise DataError(
            "Everything is marked.",
            "Where every answer to a question is marked there is nobody to tell marked people from. Mark only the "
            "answers that are sensitive in at least one question.",
        )
    names = list(masks)
    scheme = Scheme.one_each(names) if chosen["scheme"] == "one" else Scheme.everything(names)
    each = x if chosen["budget"] == "question" or chosen["scheme"] == "one" else x / len(names)
    n, chance = study.n or data.n, 1 / len(scheme.blocks)
    budgets = each, each * (study.secret_at(x) / x)
    hidden = {
        name: _hidden(study, data, name, (mask, above.get(name, np.zeros_like(mask))), budgets, chance, n)
        for name, mask in masks.items()
    }
    rest = tuple(name for name in data.questions if name not in masks)
    return Asked(hidden, rest, scheme, each * (len(names) if chosen["scheme"] == "all" else 1), n)


def _mask(data: People, name: str, found: dict[str, Mask], chosen: dict[str, Any]) -> Mask | None:
    """Which answers are hidden; None for a question that is answered openly."""
    if name in found and found[name].any():
        return found[name]
    return np.ones(len(data.labels(name)), bool) if name in chosen["hidden"] else None


def _budgets(marked: Mask, secret: Mask, epsilon: float, secret_epsilon: float) -> Vector:
    return np.where(secret, secret_epsilon, np.where(marked, epsilon, np.inf))


def _hidden(
    study: Study, data: People, name: str, masks: tuple[Mask, Mask], budgets: tuple[float, float], chance: float, n: int
) -> Hidden:
    histogram = data.histogram(name)
    freq, (marked, secret) = histogram.counts / histogram.n, masks
    ranked = [
        (_error(variance, freq, marked, n, chance), place, key, built)
        for place, (key, built, variance) in enumerate(_candidates(study, _budgets(*masks, *budgets), budgets[0], freq))
    ]
    if not ranked:
        raise ValueError(
            f"{checks.name_list(study.mechanisms)} cannot be made at ε = {budgets[0]:g}; choose a smaller ε"
        )
    _, _, key, built = min(ranked, key=lambda each: each[:2])
    labels = histogram.domain.labels
    return Hidden(name, key, built, marked, freq, budgets[0], chance, labels, secret, budgets[1])


def _candidates(
    study: Study, epsilons: Vector, epsilon: float, freq: Vector
) -> Iterator[tuple[str, Randomizer, Vector]]:
    """What keeps the promise: those with levels where there is more than one to keep, or where none else is chosen."""
    several = len(np.unique(epsilons[np.isfinite(epsilons)])) > 1
    plain = [key for key in study.mechanisms if several or CATALOG[key].promise != "levels"]
    for key in plain or study.mechanisms:
        if CATALOG[key].exists(epsilons):
            built = CATALOG[key].protecting(epsilons, epsilon)
            yield key, built, built.variance(freq, 1)


def _error(variance: Vector, freq: Vector, mask: Mask, n: int, chance: float) -> float:
    """The exact mean squared error over the marked answers; what the drawing of people adds is the same for all."""
    return float(variance[mask].mean()) * expected_inverse(n, chance)
