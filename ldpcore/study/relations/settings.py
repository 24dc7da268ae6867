"""The settings of two questions, and what of a study's two columns is compared."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from ldpcore import catalog, limit, plan, relations
from ldpcore.relations import PairTally, SurveyDesign
from ldpcore.rng import stream
from ldpcore.study.column import scaled
from ldpcore.study.definition import Study
from ldpcore.study.options import TaskOptions
from ldpcore.study.relations.people import PairCounts, pair_refused

Mask = NDArray[np.bool_]

SETTINGS = ("apart", "as one", "open")
"""Each question through a mechanism with half of ε; the pair through one; the groups openly, the answer with all."""
HOWEVER = "however"
"""In place of one of these: whatever hides the marked answers of both, also where an unmarked one may be shown."""


@dataclass(frozen=True, kw_only=True)
class RelationOptions(TaskOptions):
    """setting: one of SETTINGS. groups: the other question, whose answers are groups; "" is the first that there is.
    answer: answers whose share is compared; () are the marked ones, else the last. compare: groups on one side; () are
    the marked ones, else the last. versus: groups on the other side; () is the largest of the others. about: people
    "like" these, or "these". join: whether only what is compared is asked (`Compared.joined`).
    """

    PORTABLE: ClassVar = ("setting", "about", "join")
    setting: str = "apart"
    groups: str = ""
    answer: tuple[str, ...] = ()
    compare: tuple[str, ...] = ()
    versus: tuple[str, ...] = ()
    about: str = "like"
    join: bool = False

    def check(self) -> None:
        for name, known in (("setting", SETTINGS), ("about", relations.ABOUT)):
            if (value := getattr(self, name)) not in known:
                raise ValueError(f"the option {name} is {' or '.join(map(repr, known))}, got {value!r}")


def options(study: Study) -> RelationOptions:
    """What a study of two questions is told."""
    return cast(RelationOptions, study.options)


def current(study: Study, people: PairCounts) -> float:
    """The point of the axis that is chosen now."""
    return study.epsilon if study.axis == "epsilon" else float(study.n or people.n)


def luck(study: Study, key: str, x: float, repetition: int) -> np.random.Generator:
    """What the survey of this number is drawn by, at this point of the axis."""
    return stream(study.seed, "relation", key, float(x), repetition)


def apart(labels: Sequence[str]) -> Sequence[str]:
    """The labels of a side, joined ones each for itself: ["a; b"] → ["a", "b"]."""
    return labels[0].split("; ") if len(labels) == 1 else labels


@dataclass(frozen=True, eq=False)
class Compared:
    """What is compared: of people, groups by answers, `one` side with the `other` (masks of groups) by their share of
    `answers`; marked groups and answers.
    """

    people: PairCounts
    answers: Mask
    one: Mask
    other: Mask
    mx: Mask
    my: Mask
    about: str
    secrets: tuple[Mask, Mask] = (np.zeros(1, bool), np.zeros(1, bool))
    secret_epsilon: float | None = None
    """secrets: which of the marked ones have that ε for both answers, where it is smaller, in place of the others'."""

    @classmethod
    def of(cls, study: Study, people: PairCounts) -> "Compared":
        """As the study says, and where it says nothing the marked against the largest other group."""
        chosen = options(study)
        mx, my = people.marks(study.marks.values)
        answers = people.codes(1, chosen.answer) if chosen.answer else some(my)
        one = people.codes(0, chosen.compare) if chosen.compare else some(mx)
        sizes = np.where(one, -1, people.counts.sum(axis=1))
        largest = np.arange(len(sizes)) == sizes.argmax()
        other = people.codes(0, chosen.versus) if chosen.versus else largest
        if (one & other).any() or one.all():
            raise ValueError("A group stands on one side only; each side needs one.")
        secrets = people.marks(study.marks.secret)
        made = cls(people, answers, one, other, mx, my, chosen.about, secrets, study.secret_epsilon)
        return made.joined() if chosen.join else made

    def joined(self) -> "Compared":
        """Only what is compared: the groups of either side as one, the answers as one, and all others too, those that
        are marked apart from those that are not.
        """
        groups, answers = parts((self.one, self.other), self.mx), parts((self.answers,), self.my)
        people = self.people.joined(groups, answers)
        of = self.mx, self.my, *map(np.broadcast_to, self.secrets, (self.mx.shape, self.my.shape))
        mx, my, sx, sy = (np.array([marked[part].any() for part in each]) for marked, each in
                          zip(of, (groups, answers) * 2, strict=True))  # fmt: skip
        of_groups, of_answers = np.arange(len(groups)), np.arange(len(answers))
        sides = of_answers == 0, of_groups == 0, of_groups == 1
        return Compared(people, *sides, mx, my, self.about, (sx, sy), self.secret_epsilon)

    def epsilons(self, epsilon: float, part: float = 1.0) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The ε (kx,) and (ky,) of every answer, inf for one that is not marked, where this is that of both together
        and a question has this part of it.
        """
        secret = epsilon if self.secret_epsilon is None else min(self.secret_epsilon, epsilon)
        x, y = (np.where(above, part * secret, np.where(marked, part * epsilon, np.inf))
                for marked, above in zip((self.mx, self.my), self.secrets, strict=True))  # fmt: skip
        return x, y

    def labels(self, side: int) -> list[str]:
        """The labels on a side: 0 the first groups, 1 those they are compared with, 2 the answers."""
        mask = (self.one, self.other, self.answers)[side]
        return np.array(self.people.labels[side == 2])[mask].tolist()

    def is_marked(self, side: int) -> bool:
        """Whether a side, as `labels` counts them, is just what is marked of its question."""
        mask, marked = (self.one, self.other, self.answers)[side], self.my if side == 2 else self.mx
        return bool(marked.any() and (mask == marked).all())

    @property
    def several(self) -> list[int]:
        """The sides, 0 and 1, that have several groups, and so a number of their own together."""
        return [side for side, mask in enumerate((self.one, self.other)) if mask.sum() > 1]

    @cached_property
    def freq(self) -> NDArray[np.float64]:
        return self.people.freq

    @property
    def truth(self) -> float:
        """The difference among these people."""
        sides = (relations.share_within(self.freq, self.answers, side) for side in (self.one, self.other))
        return next(sides) - next(sides)

    def design(self, key: str, setting: str, epsilon: float) -> SurveyDesign:
        """Two questions through this mechanism, ε for both answers, made for this comparison at shares that are public:
        even ones (theory/relations#subset-size). One that knows no levels gives all marked ones the least ε.
        ValueError where there is no such setting.
        """
        if key in catalog.PAIRS:
            return self._of_pairs(key, setting, epsilon)
        entry, (kx, ky) = catalog.ANSWERS[key], self.people.counts.shape
        of_groups, of_answers = relations.guessed_contrast(self.answers, self.one, self.other)
        if setting == "open":
            return relations.apart(kx, entry.protecting(self.epsilons(epsilon)[1], epsilon).made_for(of_answers))
        if setting == "apart":
            # Who has marks on one question alone sends the other openly, and has all of ε for the one.
            both = not entry.uses_marks or bool(self.mx.any() and self.my.any())
            part = 0.5 if both else 1.0
            x, y = (entry.protecting(each, part * epsilon) for each in self.epsilons(epsilon, part))
            return relations.apart(x.made_for(of_groups), y.made_for(of_answers))
        if refused := pair_refused(self.people, self.mx, self.my):
            raise ValueError(refused)
        pair = entry.protecting(relations.pair_epsilons(*self.epsilons(epsilon)), epsilon)
        return relations.as_one(kx, ky, pair.made_for(np.outer(of_groups, of_answers).ravel()))

    def _of_pairs(self, key: str, setting: str, epsilon: float) -> SurveyDesign:
        """The pair as one through a mechanism that is made for pairs; ValueError for another setting."""
        if setting != "as one":
            raise ValueError(f"{key} is a report of both answers together; choose “as one”, or another mechanism")
        if refused := pair_refused(self.people, self.mx, self.my):
            raise ValueError(refused)
        least = float(np.min(relations.pair_epsilons(*self.epsilons(epsilon))))
        pair = catalog.PAIRS[key].build(least, self.mx, self.my, self.answers, self.one, self.other)
        return relations.as_one(len(self.mx), len(self.my), pair)

    def drawn(self, design: SurveyDesign, n: int, luck: np.random.Generator) -> PairTally:
        """The reports of one survey of n people with these shares."""
        return design.draw(scaled(self.people.counts.ravel(), n), luck, 1, self.about)[0]

    def half_width(self, design: SurveyDesign, n: int) -> float:
        """± 95 % of the difference."""
        return plan.half_width(design, self.freq, self.answers, self.one, self.other, n, about=self.about)

    def planned(self, key: str, setting: str) -> plan.Plan:
        """People, ε and ± of the difference, asked so."""
        return plan.Plan(key, lambda epsilon: self.half_width(self.design(key, setting, epsilon), 1))

    def floored(self) -> plan.Plan | None:
        """The same, as no pair asked as one undercuts it; None where that is not known."""
        if self.floor(1.0, 1) is None:
            return None
        return plan.Plan("limit", lambda epsilon: self.floor(epsilon, 1) or 0.0, steps=False)

    def people_for(self, design: SurveyDesign, delta: float | None, power: float = 0.8) -> int | None:
        """People who tell a difference; None where none suffice."""
        return plan.difference(design, self.freq, self.answers, self.one, self.other, delta, power, about=self.about)

    def floor(self, epsilon: float, n: int, whole: bool = False, asked: str = "as one") -> float | None:
        """± that nothing asked so undercuts: no pair asked as one, nothing asked apart with ε shared evenly, no
        answer with all of ε beside open groups, or with HOWEVER nothing at all that hides what is marked in both.
        whole: with everything marked, of the least ε. None where it is not known, for many pairs or many marks. Secret
        answers have their own ε, but with HOWEVER: there the floor is that of the others' ε for all, which is one for
        less as well.
        """
        mx, my = self.mx | whole, self.my | whole
        if asked == "open":  # one question alone is asked apart
            mx, asked = np.zeros_like(mx), "apart"
        if mx.size * my.size > limit.MOST_VALUES or not (mx.any() or my.any()):
            return None
        both = bool(mx.any() and my.any())
        part = 0.5 if both and asked == "apart" else 1.0
        x, y = self.epsilons(epsilon, part)
        if whole:
            x, y = (np.full(len(each), min(x.min(), y.min(), part * epsilon)) for each in (x, y))
        c = relations.contrast(self.freq, self.answers, self.one, self.other)
        try:
            if asked == "as one":
                least, _ = limit.best_contrast(self.freq, relations.either(mx, my), relations.pair_epsilons(x, y), c)
            elif asked == "apart":
                least, _ = limit.best_contrast_apart(self.freq, (mx, my), (x, y), c)
            else:
                least, _ = limit.best_contrast_half_open(self.freq, (mx, my), epsilon, c)
        except ValueError:  # too many kinds of reports, or one question is open
            return None
        people = float((self.freq * c * c).sum()) if self.about == "like" else 0.0
        return plan.quantile(0.95) * float(np.sqrt(max(least + people, 0.0) / n))


def parts(chosen: Sequence[Mask], marked: Mask) -> list[Mask]:
    """These masks, and what is left of all in at most two: what is marked, and what is not."""
    rest = ~np.any(chosen, axis=0)
    return [*chosen, *(part for part in (rest & marked, rest & ~marked) if part.any())]


def some(marked: Mask) -> Mask:
    """The marked ones, unless there are none, or nothing else: then the last."""
    return marked if 0 < marked.sum() < len(marked) else np.arange(len(marked)) == len(marked) - 1
