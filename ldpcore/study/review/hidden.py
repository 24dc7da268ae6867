"""A survey as it is asked under one setting of marks: its hidden questions, what they promise and what they err."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.questionnaire import OPEN, Allocation, SurveyQuestion, errors, promise, value_errors
from ldpcore.questionnaire.allocation import expected_inverse
from ldpcore.randomizer import Randomizer
from ldpcore.scope import Scope

Mask = NDArray[np.bool_]
Vector = NDArray[np.float64]


def epsilons_of(marked: Mask, secret: Mask, epsilon: float, secret_epsilon: float) -> Vector:
    """The ε (k,) of every answer: inf for a public one."""
    return np.where(secret, secret_epsilon, np.where(marked, epsilon, np.inf))


@dataclass(frozen=True, eq=False)
class Hidden:
    """A question that is answered through a mechanism. marked (k,): its marks; all of them where it has none and is
    hidden as a whole; secret (k,): those of them that have `secret_epsilon` in place of `epsilon`. freq (k,): its
    shares. counts (k,): of the people whom the survey is about. chance: of one person to be asked it.
    """

    name: str
    key: str
    built: Randomizer
    marked: Mask
    freq: Vector
    counts: NDArray[np.int64]
    epsilon: float
    chance: float
    labels: tuple[str, ...]
    secret: Mask
    secret_epsilon: float

    def aimed(self, secret: bool) -> "Hidden":
        """The same, as it is to whoever is after its secret answers alone: those are marked, and no others."""
        return replace(self, marked=self.secret) if secret else self

    def of_one(self, answer: str) -> "Hidden":
        """The same, as it is to whoever is after this one answer."""
        return replace(self, marked=np.array([label == answer for label in self.labels]))

    @property
    def least_exact(self) -> str:
        """The answer, marked or not, whose share is hardest to measure."""
        drawn = self.freq * (1 - self.freq) * (1 - self.chance)
        return self.labels[int((self.built.variance(self.freq, 1) + drawn).argmax())]

    def most(self, n: int) -> Vector:
        """The mean squared error (k,) of each share of n people, at most: the noise of reports is linear in the shares,
        and that of drawing who is asked is a parabola in each.
        """
        return self.most_with_choice(n, 0.0)

    def most_with_choice(self, n: int, choice: float) -> Vector:
        """The same where choosing the people adds `choice`·f(1 − f) to the squared error of a share f: of each answer
        the largest over all f, where all others answer alike.
        """
        noise = np.array([self.built.variance(alike, 1) for alike in np.eye(len(self.freq))])
        inverse = expected_inverse(n, self.chance)
        chosen = choice + (max(n * inverse - 1, 0.0) / (n - 1) if n > 1 else 0.0)  # 1/n·n may be less than 1
        everybody = noise.diagonal() * inverse
        nobody = np.max(np.where(np.eye(len(noise), dtype=bool), -np.inf, noise), axis=0) * inverse
        # everybody·f + nobody·(1 − f) + chosen·f(1 − f) is a parabola in f.
        with np.errstate(divide="ignore", invalid="ignore"):
            top = 0.5 + (everybody - nobody) / (2 * chosen)
        f = np.clip(np.nan_to_num(top, nan=0.5), 0, 1)
        return everybody * f + nobody * (1 - f) + chosen * f * (1 - f)

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
        return epsilons_of(self.marked, self.secret, self.epsilon, self.secret_epsilon)

    @property
    def apart(self) -> bool:
        """Whether there is anybody to tell from anybody: some answers are marked, and not all."""
        return bool(self.marked.any() and not self.marked.all())

    @property
    def among(self) -> Vector | None:
        """The shares (k,) of the marked answers among those who give one; None where nobody does, and of a single one,
        which is no guess.
        """
        shares = self.freq * self.marked
        return shares / shares.sum() if shares.sum() > 0 and self.marked.sum() > 1 else None

    @property
    def marks(self) -> list[str]:
        return self.named(self.marked)

    def named(self, part: Mask) -> list[str]:
        """The answers of this part (k,)."""
        return [label for label, inside in zip(self.labels, part, strict=True) if inside]


@dataclass(frozen=True, eq=False)
class HiddenSurvey:
    """A survey under one setting of marks at one ε: its hidden questions, in the order of the data, and the open ones.

    total: ε of all that a person sends, where no two answers differ in more questions than there are. rows: how many
    such reports one person sends at most. weight: the column of people's weights, which are public; "" without any.
    each: ε of a question that has no less than the others. known: columns that nobody is asked, and an attacker knows.
    bounded: its errors are those of the worst shares, as `at_most` has them.
    """

    hidden: dict[str, Hidden]
    open: tuple[str, ...]
    scheme: Allocation
    total: float
    n: int
    rows: int = 1
    weight: str = ""
    each: float = 1.0
    known: tuple[str, ...] = ()
    bounded: bool = False

    def others(self, question: str) -> dict[str, Randomizer | str]:
        """What is seen of a person beside the report to this question: the open answers, the weight that stands beside
        them, what is known of the person without being asked, and, where everyone answers all, the other reports.
        """
        alone = len(self.scheme.blocks) > 1
        reports = {} if alone else {name: one.built for name, one in self.hidden.items() if name != question}
        seen = (*self.seen, self.weight) if self.weight else self.seen
        return {**dict.fromkeys(seen, OPEN), **reports}

    @property
    def looks(self) -> int:
        """Of how many pairs it is asked whether one gives the other away: what is seen beside the report to a question,
        and its marked answers: together, each of several, and the secret ones of both kinds.
        """

        def of(one: Hidden) -> int:
            several, both = int(one.marked.sum()), one.secret.any() and one.private.any()
            return int(one.apart) + (several if several > 1 else 0) + int(both)

        return sum(len(self.others(name)) * of(one) for name, one in self.hidden.items())

    @property
    def seen(self) -> tuple[str, ...]:
        """What of a person needs no report to be seen: the open answers, and what is known without being asked."""
        return (*self.open, *self.known)

    @property
    def questions(self) -> list[SurveyQuestion]:
        """As they are asked of these people: of few, whole people have other shares than all of the data."""
        return [
            SurveyQuestion(one.name, one.key, one.counts / one.counts.sum(), levels=one.epsilons / self.each)
            for one in self.hidden.values()
        ]

    @property
    def protected(self) -> int:
        """Answers that go through a mechanism, of a range that is marked every one of its parts."""
        return sum(int(one.marked.sum()) for one in self.hidden.values())

    def without(self, names: Collection[str]) -> "HiddenSurvey":
        """The same where these hidden questions are not asked at all, and every other one keeps its ε."""
        rest = {name: one for name, one in self.hidden.items() if name not in names}
        alone = len(self.scheme.blocks) > 1
        scheme = Allocation.one_each([*rest]) if alone else Allocation.everything([*rest])
        chance = 1 / len(scheme.blocks)
        rest = {name: replace(one, chance=chance) for name, one in rest.items()}
        return replace(self, hidden=rest, scheme=scheme, total=self.each * (1 if alone else len(rest)))

    @property
    def spent(self) -> tuple[float, float]:
        """The least and the largest ε of a report to a hidden question."""
        each = self.each_spent.values()
        return min(each), max(each)

    @property
    def spent_by_level(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The same of private and of secret answers alone; of levels without any answer that of all."""
        return self.spent_by({one.key for one in self.hidden.values()})

    def spent_by(self, mechanisms: Collection[str]) -> tuple[tuple[float, float], tuple[float, float]]:
        """The same of the questions that these mechanisms hide."""
        asked = [one for one in self.hidden.values() if one.key in mechanisms]
        every = [one.epsilon for one in asked]
        secret = [one.secret_epsilon for one in asked if one.secret.any()] or every
        private = [one.epsilon for one in asked if one.private.any()] or every
        return (min(private), max(private)), (min(secret), max(secret))

    @property
    def each_spent(self) -> dict[str, float]:
        """Hidden question → the ε of a report to it."""
        return {name: one.epsilon for name, one in self.hidden.items()}

    def focus(self, question: str) -> str:
        """The question that is spoken of: this one, where its people can be told apart, else the first of those where
        they can.
        """
        apart = [name for name, one in self.hidden.items() if one.apart]
        return question if question in apart else apart[0]

    @property
    def leveled(self) -> bool:
        """Whether some answers are secret."""
        return any(one.secret.any() for one in self.hidden.values())

    def promised(self, secret: bool = False) -> float:
        """ε of records that differ in as many marked answers as one person can hold, in each of the `rows` that they
        may have; secret: in secret ones alone, 0 where there are none.
        """
        return self.rows * self._of_one_report(secret)

    def _of_one_report(self, secret: bool) -> float:
        hidden = self.hidden.values()
        if not secret:
            return float(promise(self.questions, self.scheme, epsilon=self.total)["marked"].max())
        kept = {q.name: q.kept(self.each)[one.secret] for q, one in zip(self.questions, hidden, strict=True)}
        return max(sum(float(kept[name].max(initial=0.0)) for name in block) for block in self.scheme.blocks)

    def at_most(self) -> "HiddenSurvey":
        """The same with margins that hold whatever people answer, so that they tell nothing of what these do; its
        shares are even.
        """
        hidden = {name: replace(one, freq=np.full(len(one.freq), 1 / len(one.freq)), counts=np.ones_like(one.counts))
                  for name, one in self.hidden.items()}  # fmt: skip
        return replace(self, hidden=hidden, bounded=True)

    def errors(self) -> dict[str, tuple[float, float]]:
        """Question → exact mean squared error over all of its answers, and over those that are marked."""
        table = errors(self.questions, self.scheme, n=self.n, epsilon=self.total)
        of_all, of_marked = (table[name].to_numpy(float).tolist() for name in ("mse", "marked"))
        return dict(zip(self.hidden, zip(of_all, of_marked, strict=True), strict=True))

    def by_level(self) -> dict[str, dict[str, float]]:
        """Question that has secret answers → "private" (where it has any) and "secret": exact mean squared error over
        these of its answers.
        """
        each, by_name = self._value_errors(), dict[str, dict[str, float]]()
        for name, one in self.hidden.items():
            if one.secret.any():
                parts = {Scope.PRIVATE: one.private, Scope.SECRET: one.secret}
                by_name[name] = {level: float(each[name][part].mean()) for level, part in parts.items() if part.any()}
        return by_name

    def drowned(self) -> dict[str, tuple[str, ...]]:
        """Question → its marked answers that somebody gives, yet fewer people than their own 95 % margin: too rare to
        measure. Questions without any are left out.
        """
        rare = dict[str, tuple[str, ...]]()
        if self.bounded:
            return rare
        for name, one in self.hidden.items():
            few = one.marked & (one.freq > 0) & (one.freq < self.margins[name])
            rare[name] = tuple(one.named(few))
        return {name: answers for name, answers in rare.items() if answers}

    @cached_property
    def margins(self) -> Mapping[str, Vector]:
        """Question → the 95 % half-width (k,) of the share of each of its answers, by the noise."""
        return {name: NORMAL_95 * np.sqrt(each) for name, each in self._value_errors().items()}

    def margin_of(self, question: str, part: Mask | None = None, chosen: float = np.inf) -> float:
        """Of this part (k,; None: all) of the answers the margin of the share that is least exact: of those that can be
        measured, of all that are given where none can, of all where nobody gives any. A promise "within ±" is of it.
        chosen: so many people are drawn by chance from many more, which adds to the noise; inf: they are all.
        """
        each, freq = self.margins[question], self.hidden[question].freq
        part = np.ones(len(freq), bool) if part is None else part
        if self.bounded:
            most = self.hidden[question].most_with_choice(self.n, 1 / chosen)
            return float(NORMAL_95 * np.sqrt(most[part].max()))
        whole = np.hypot(each, NORMAL_95 * np.sqrt(freq * (1 - freq) / chosen))
        for these in (part & (freq > 0) & (freq >= each), part & (freq > 0), part):
            if these.any():
                return float(whole[these].max())
        raise ValueError(f"no answer to “{question}” is in this part of them")

    def _value_errors(self) -> Mapping[str, Vector]:
        if self.bounded:
            return {name: one.most(self.n) for name, one in self.hidden.items()}
        return value_errors(self.questions, self.scheme, n=self.n, epsilon=self.total)
