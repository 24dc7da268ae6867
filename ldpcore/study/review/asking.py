"""How a survey is asked under its marks: which answers are hidden, by what, with which ε, by how many."""

import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, cast

import numpy as np

from ldpcore import catalog, checks
from ldpcore.catalog import Coverage
from ldpcore.data import DataError
from ldpcore.domain import Categorical
from ldpcore.levels import Levels
from ldpcore.memory import remembered
from ldpcore.questionnaire import Allocation
from ldpcore.randomizer import Randomizer
from ldpcore.study import readings
from ldpcore.study.column import scaled
from ldpcore.study.definition import Study
from ldpcore.study.fitting import Range
from ldpcore.study.marks import Marks
from ldpcore.study.options import TaskOptions
from ldpcore.study.review.hidden import Hidden, HiddenSurvey, Mask, Vector, epsilons_of
from ldpcore.study.review.people import BETWEEN, SurveyTable, split

CATALOG = catalog.ANSWERS.keeping(Coverage.EVERY, Coverage.MARKED)
SCHEMES, BUDGETS, ATTACKERS = ("all", "one"), ("question", "person"), ("every", "own")
_CHOICES = {"scheme": SCHEMES, "budget": BUDGETS, "attacker": ATTACKERS}


@dataclass(frozen=True, kw_only=True)
class ReviewOptions(TaskOptions):
    """columns: the questions; none: every column that can be asked. hidden: questions without marks all of whose
    answers are hidden; the others without marks are sent openly. ranges: public ranges of questions of numbers, "age =
    20..90/7"; of others a round one around the data. scheme: everyone answers every hidden question ("all"), or one of
    them ("one"). budget: ε is of each "question", or of a whole "person" and shared by the questions answered.
    attacker: sees "every" thing that a person sends, or the "own" report of the question alone. as_one: pairs of
    questions with one report for both, "smoking + sex", marked where either answer is. within: the half-width that is
    wanted of every share, 95 %; 0: nobody said. parts: questions with less than the ε of the others, as a part of it,
    "income = 0.8". denying: of how many who have a marked answer one denies it, as the
    review supposes. title: what the survey is called on the page that is signed. No number of a survey depends on
    these three. known: columns that are not asked, and that an attacker knows all the same, as a landlord the rooms.
    """

    PORTABLE: ClassVar = ("scheme", "budget", "attacker", "within", "denying")
    LONGEST: ClassVar = 120
    """Characters of a title."""
    columns: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    ranges: tuple[str, ...] = ()
    scheme: str = "all"
    budget: str = "question"
    attacker: str = "every"
    as_one: tuple[str, ...] = ()
    within: float = 0.0
    denying: int = 10
    parts: tuple[str, ...] = ()
    title: str = ""
    known: tuple[str, ...] = ()

    def asked_marks(self, marks: Marks) -> Marks:
        """Those of a question that is not asked are kept for what the answers to the others tell of it."""
        names = tuple(name + BETWEEN for name in self.columns)
        return Marks(tuple(each for each in marks.levels if not names or each[0].startswith(names)))

    @property
    def published(self) -> "ReviewOptions":
        """Without the goal, and without an ε of what is not asked: it may have been calculated from the shares."""
        names = tuple(name + BETWEEN for name in self.columns)
        parts = tuple(each for each in self.parts if not names or each.startswith(names))
        return replace(self, within=ReviewOptions.within, parts=parts)

    def check(self) -> None:
        if not 0 <= self.within <= 0.5:
            raise ValueError(f"the option within is a half-width, such as 0.02 for 2 points, got {self.within:g}")
        self._set("denying", checks.integer(self.denying, "the option denying (1 in so many)", 1, 1000))
        if len(self.title) > self.LONGEST:
            raise ValueError(f"the option title has at most {self.LONGEST} characters, got {len(self.title)}")
        for name, known in _CHOICES.items():
            if (value := getattr(self, name)) not in known:
                raise ValueError(f"the option {name} is {' or '.join(map(repr, known))}, got {value!r}")
        for name in ("columns", "hidden", "ranges", "as_one", "parts", "known"):
            self._set(name, tuple(map(str, getattr(self, name))))


def parts_of(study: Study, known: Sequence[str], asked: Sequence[str] = ()) -> dict[str, float]:
    """Question → its part of the ε, of those that have less than all of it; ValueError with a sentence. asked: others
    than these are not asked now, and left out.
    """
    parts: dict[str, float] = {}
    for name, texts in split(options(study).parts, known).items():
        if asked and name not in asked:
            continue
        try:
            part = float(texts[-1])
        except ValueError:
            part = math.nan
        if not 0 < part <= 1:
            raise ValueError(
                f"a question's part of ε is above 0 and at most 1, as in 'income = 0.8', got {texts[-1]!r}"
            )
        parts[name] = part
    return parts


def _parts(study: Study, data: SurveyTable) -> dict[str, float]:
    texts = [text.rpartition(BETWEEN)[0] for text in options(study).parts]
    return parts_of(study, (*data.questions, *texts), data.questions)


def options(study: Study) -> ReviewOptions:
    """What a review is told."""
    return cast(ReviewOptions, study.options)


def masks(study: Study, data: SurveyTable) -> dict[str, Mask]:
    """Question → which of its answers are marked; ValueError for marks that are none of its answers."""
    return _masks(data, study.marks.values)


def _masks(data: SurveyTable, values: Iterable[str]) -> dict[str, Mask]:
    """Of pairs those with either answer marked."""
    each = {name: _mask_of(data, name, chosen) for name, chosen in data.marked(values).items()}
    out = {name: mask for name, mask in each.items() if name in data.questions}
    return out | {
        name: pair.marks(each) for name, pair in data.joined.items() if any(half in each for half in pair.names)
    }


def _mask_of(data: SurveyTable, name: str, chosen: list[str]) -> Mask:
    labels = data.labels(name)
    try:
        return Categorical(labels).mask(answers(data.ranges.get(name), labels, chosen))
    except ValueError as error:
        raise ValueError(f"the marks do not fit “{name}”: {error}") from error


def answers(cut: Range | None, labels: Sequence[str], said: list[str]) -> list[str]:
    """Marks as a person keeps them (intervals of numbers) as answers to the question, which is cut into these bins."""
    if cut is not None:
        return readings.to_bins(said, cut)
    pairs, _ = readings.split(said)
    return readings.to_values(said, labels) if pairs else said


def identity(study: Study) -> Hashable:
    """All of a study that a survey can depend on: not the question in focus, nor what is wanted or supposed of it."""
    chosen = replace(options(study), within=ReviewOptions.within, denying=ReviewOptions.denying, title="")
    settings = (study.data, study.marks, study.mechanisms, chosen, study.missing, study.secret_epsilon)
    return *settings, study.epsilon, study.grid, study.n, study.repetitions, study.seed


def asked(study: Study, data: SurveyTable, x: float) -> HiddenSurvey:
    """The survey at ε = x; DataError where nothing is hidden.

    Where a person's ε is shared by several questions, that of secret answers shrinks by the same factor: their part of
    the others' ε stays what was chosen.
    """
    key = ("asked", x, identity(study))
    return remembered(data, key, lambda: _asked(study, data, x), 64)


def as_secret(study: Study, data: SurveyTable, question: str) -> float:
    """What the private answers to a question would be off by at most (`HiddenSurvey.margin_of`) if they were secret as
    well; nan without any.
    """
    one = asked(study, data, study.epsilon).hidden[question]
    flat = replace(study, marks=study.marks.flat(), epsilon=study.secret_at(study.epsilon))
    then = asked(flat, data, flat.epsilon)
    return then.margin_of(question, one.private) if one.private.any() else float("nan")


def _asked(study: Study, data: SurveyTable, x: float) -> HiddenSurvey:
    way = Asking.of(study, data)
    hidden = {name: way.hidden(study, data, x, name) for name in way.masks}
    rest = tuple(name for name in data.questions if name not in hidden)
    each = way.each(x)
    total = each * (len(hidden) if options(study).scheme == "all" else 1)
    return HiddenSurvey(hidden, rest, way.scheme, total, way.n, data.rows, data.weight, each, data.known)


@dataclass(frozen=True)
class Asking:
    """What of a survey hangs on no ε: question → which of its answers are hidden, and which of them are secret; who
    answers what; how many people; into how many ε is divided; question → its part of it.
    """

    masks: dict[str, tuple[Mask, Mask]]
    scheme: Allocation
    n: int
    shares: int
    parts: dict[str, float]

    @classmethod
    def of(cls, study: Study, data: SurveyTable) -> "Asking":
        """DataError where nothing is hidden."""
        chosen, marked, above = options(study), masks(study, data), _masks(data, study.marks.secret)
        unknown = [name for name in chosen.hidden if name not in (*data.separate, *data.unasked)]
        if unknown:
            raise ValueError(f"the option hidden names {checks.name_list(unknown)}, which the survey does not ask")
        hiding = {name: mask for name in data.questions if (mask := _mask(data, name, marked, chosen)) is not None}
        _hidden_for_something(study, data, hiding)
        names = list(hiding)
        one = chosen.scheme == "one"
        return cls(
            {name: (mask, above.get(name, np.zeros_like(mask))) for name, mask in hiding.items()},
            Allocation.one_each(names) if one else Allocation.everything(names),
            study.n or data.n,
            1 if one or chosen.budget == "question" else len(names),
            _parts(study, data),
        )

    def each(self, x: float) -> float:
        """The ε of a question where a survey has ε = x."""
        return x / self.shares

    def hidden(self, study: Study, data: SurveyTable, x: float, name: str) -> Hidden:
        """How one question is hidden at ε = x."""
        budgets = np.array([self.each(x), self.each(x) * (study.secret_at(x) / x)]) * self.parts.get(name, 1.0)
        return _hidden(study, data, name, self.masks[name], budgets, 1 / len(self.scheme.blocks), self.n)


def _mask(data: SurveyTable, name: str, found: dict[str, Mask], chosen: ReviewOptions) -> Mask | None:
    """Which answers are hidden; None for a question that is answered openly."""
    halves = data.joined[name].names if name in data.joined else (name,)
    whole = [half for half in halves if half in chosen.hidden]
    if name in found and found[name].any() and (len(halves) == 1 or not whole):
        return found[name]
    return np.ones(len(data.labels(name)), bool) if whole else None


def _hidden_for_something(study: Study, data: SurveyTable, hiding: dict[str, Mask]) -> None:
    """DataError where nothing is hidden or nothing is not; ValueError where one of two that are asked as one has no
    marks, so that it is hidden for nothing.
    """
    if not hiding:
        raise DataError(
            "Nothing is marked in any question.",
            "A review is of answers that somebody would rather not give openly. Mark the sensitive answers of at least "
            "one question.",
        )
    marked = {*data.marked(study.marks.values), *options(study).hidden}
    for pair in data.joined.values():
        without = [name for name in pair.names if name not in marked]
        if without:
            raise ValueError(f"“{without[0]}” is not marked; asking it with the other hides it for nothing.")
    if all(mask.all() for mask in hiding.values()):
        raise DataError(
            "Everything is marked.",
            "Where every answer to a question is marked there is nobody to tell marked people from. Mark only the "
            "answers that are sensitive in at least one question.",
        )


def _hidden(
    study: Study,
    data: SurveyTable,
    name: str,
    masks: tuple[Mask, Mask],
    both: Vector,
    chance: float,
    n: int,
) -> Hidden:
    """By the mechanism that measures the marked answers best where few give one, and all others are as common: what
    people really answer decides nothing, since everybody is told what asks them.
    """
    histogram, budgets = data.histogram(name), both.tolist()
    freq, (marked, secret) = histogram.counts / histogram.n, masks
    others = np.ones(len(freq), bool) if marked.all() else ~marked
    # Two names of one mechanism, uSS of one answer and uRR, are told apart by their order, not by a last digit.
    ranked = [
        (float(f"{built.variance(others / others.sum(), 1)[marked].mean():.12g}"), place, key, built)
        for place, (key, built) in enumerate(_candidates(study, epsilons_of(*masks, *budgets), budgets[0]))
    ]
    if not ranked:
        raise ValueError(
            f"{checks.name_list(study.mechanisms)} cannot be made at ε = {budgets[0]:g}; choose a smaller ε"
        )
    _, _, key, built = min(ranked, key=lambda each: each[:2])
    labels = histogram.domain.labels
    counts = histogram.counts if study.n is None else scaled(histogram.counts, n)
    return Hidden(name, key, built, marked, freq, counts, budgets[0], chance, labels, secret, budgets[1])


def _candidates(study: Study, epsilons: Vector, epsilon: float) -> Iterator[tuple[str, Randomizer]]:
    """What keeps the promise: those with levels where there is more than one to keep, or where none else is chosen."""
    several = len(np.unique(epsilons[np.isfinite(epsilons)])) > 1
    plain = [key for key in study.mechanisms if several or CATALOG[key].promise != Levels.name]
    for key in plain or study.mechanisms:
        if CATALOG[key].exists(epsilons):
            yield key, CATALOG[key].protecting(epsilons, epsilon)
