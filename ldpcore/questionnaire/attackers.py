"""Attackers who know one half of the people in the clear and see the reports of others.

Each gives, for every attacked person, the log-odds of a marked answer. None is the best that there is: what the
strongest manages is a lower bound of what can be done.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache, cached_property
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp
from threadpoolctl import ThreadpoolController

from ldpcore.data import Table
from ldpcore.questionnaire.attack_split import AttackSplit, QuestionColumn, attack_split
from ldpcore.questionnaire.independence import CHANCE, by_chance
from ldpcore.questionnaire.pairs import PairComparison, exactly, pairs
from ldpcore.randomizer import Randomizer
from ldpcore.rng import stream
from ldpcore.set_randomizer import keys_of

Vector = NDArray[np.float64]
Fit = tuple[NDArray[np.float32], NDArray[np.integer]]
"""ln P[report of each attacked person | answer] (attacked, k), and the answers (known,) of those who are known."""

PRIOR = 2.0
"""So many people answer like everybody, beside those of the same answer to the attacked question: no chance is 0."""
SLIP = 0.01
"""The weight of a known person whose open answer differs: no record fits everywhere where there are many questions."""
LEARNED = 60
"""Columns that the learned attacker looks at: those that tell most by themselves."""
TREES = 100
"""Boosted trees of the learned attacker, at most."""
BLOCK = 256
"""Attacked people at a time against all who are known."""
IMPOSSIBLE = -1e4
"""In place of ln 0 where logarithms are added by a product: e to this is 0."""


class Scene:
    """What the attackers see: one report of each attacked person to each question, drawn once. Whatever is measured on
    it is about the same people and reports. looks: of how many columns it is asked, here and in the rest of the survey,
    what they give away; 0: of those that are seen here.
    """

    def __init__(self, crowd: AttackSplit, looks: int = 0) -> None:
        self.crowd, self.looks = crowd, looks or len(crowd.others)
        self.known = crowd.target[crowd.learn]
        self.share = np.bincount(self.known, minlength=len(crowd.marked)) / len(self.known)
        self._told: dict[str, Vector] = {}

    @classmethod
    def of(cls, table: Table, looks: int = 0, **asked: Any) -> Self:
        """The scene of these people; `asked` are the arguments of `attack_split`."""
        return cls(attack_split(table, **asked), looks)

    def only(self, names: Iterable[str]) -> "Scene":
        """The same, where of the other questions these are seen."""
        seen = Scene(replace(self.crowd, others={name: self.crowd.others[name] for name in names}), self.looks)
        seen._told, vars(seen)["own"] = self._told, self.own
        return seen

    def likelihood(self, column: QuestionColumn) -> Vector:
        """P[report | answer], up to a factor for each person: (attacked, k)."""
        truth = column.codes[self.crowd.attacked]
        if not isinstance(column.sent, Randomizer):
            return np.eye(column.k)[truth]
        return _likelihood(column.sent, truth, stream(self.crowd.seed, "report", column.name))

    @cached_property
    def own(self) -> Vector:
        """ln P[own report | answer] (attacked, answers); 0 where it is not sent."""
        crowd = self.crowd
        if crowd.own is None:
            return np.zeros((len(crowd.attacked), len(crowd.marked)))
        truth = crowd.target[crowd.attacked]
        with np.errstate(divide="ignore"):
            return np.log(_likelihood(crowd.own, truth, stream(crowd.seed, "own report")))

    def told(self, name: str) -> Vector:
        """ln P[report to this question | answer to the attacked one], up to a constant: (attacked, answers)."""
        if name not in self._told:
            column = self.crowd.others[name]
            joint = np.zeros((len(self.share), column.k))
            np.add.at(joint, (self.known, column.codes[self.crowd.learn]), 1.0)
            everybody = (joint.sum(axis=0) + 1 / column.k) / (joint.sum() + 1)
            given = (joint + PRIOR * everybody) / (joint.sum(axis=1, keepdims=True) + PRIOR)
            self._told[name] = np.log(self.likelihood(column) @ given.T)
        return self._told[name]

    def odds(self, score: Vector) -> Vector:
        """ln P[marked]/P[not] from scores ln P[answer, reports] (attacked, answers)."""
        marked = self.crowd.marked
        return logsumexp(score[:, marked], axis=1) - logsumexp(score[:, ~marked], axis=1)

    def compared(self, odds: Vector) -> PairComparison:
        """How well these log-odds (attacked,) tell marked people from others: against the own report alone, of which
        that is known exactly, where it is sent and has a closed form.
        """
        comparison = pairs(odds, self.crowd.exposed)
        return comparison if self._alone is None else comparison.against(*self._alone)

    @cached_property
    def alone(self) -> PairComparison | None:
        """What the own report alone tells apart, of which that is known exactly; None where it is not."""
        if self._alone is None:
            return None
        attack, exact = self._alone
        return replace(attack.against(attack, exact), share=exact)

    def related(self, name: str) -> bool:
        """Whether this column has to do with the marked answers beyond chance: by the truth of everybody, not only of
        those who are attacked, and as strictly as so many columns ask that are looked at.
        """
        crowd, column = self.crowd, self.crowd.others[name]
        kinds = np.where(crowd.marked, np.cumsum(crowd.marked), 0)  # each marked answer, and all others as one
        people = crowd.target >= 0
        table = np.zeros((kinds.max() + 1, column.k), np.intp)
        np.add.at(table, (kinds[crowd.target[people]], column.codes[people]), 1)
        return by_chance(table) * self.looks < CHANCE

    @cached_property
    def _alone(self) -> tuple[PairComparison, float] | None:
        crowd = self.crowd
        freq = np.bincount(crowd.target, minlength=len(crowd.marked)) / len(crowd.target)
        exact = None if crowd.own is None else exactly(crowd.own, crowd.marked, freq)
        return None if exact is None else (pairs(self.odds(self.before + self.own), crowd.exposed), exact)

    @cached_property
    def before(self) -> Vector:
        """ln P[answer]; people nobody has seen are not ruled out."""
        return np.log((self.share * len(self.known) + 1 / len(self.share)) / (len(self.known) + 1))


def _likelihood(mechanism: Randomizer, truth: NDArray[np.intp], rng: np.random.Generator) -> Vector:
    log = mechanism.log_likelihood(mechanism.perturb(truth, rng))
    return np.exp(log - log.max(axis=1, keepdims=True))


def bayes(scene: Scene) -> Vector:
    """Naive Bayes: ln P[answer, all reports] (attacked, answers), the other answers taken as independent given this
    one; through the exact channels.
    """
    return scene.before + scene.own + sum((scene.told(name) for name in scene.crowd.others), np.zeros(1))


def neighbours(scene: Scene) -> Vector:
    """The known people weighed by how well they fit all reports: ln P[answer, all reports] (attacked, answers). Bayes'
    rule as ever more people are known; poor where many open answers leave no match.
    """
    crowd = scene.crowd
    order = np.argsort(scene.known, kind="stable")
    fits: list[Fit] = []
    for column in crowd.others.values():
        slip = SLIP if not isinstance(column.sent, Randomizer) else 0.0
        with np.errstate(divide="ignore"):
            log = np.log(slip + (1 - slip) * scene.likelihood(column)).astype(np.float32)
        fits.append((log, column.codes[crowd.learn][order]))
    # Of those who send the same, one is looked at.
    first, alike = _alike([log for log, _ in fits], len(crowd.attacked))
    starts = np.flatnonzero(np.diff(scene.known[order], prepend=-1))
    out = np.full((len(crowd.attacked), len(crowd.marked)), -np.inf)
    fitted = _fitting([(log[first], codes) for log, codes in fits], len(first), np.append(starts, len(order)))
    out[:, scene.known[order][starts]] = fitted[alike]
    # Nobody is ruled out: an answer that no known person has who fits keeps a small weight.
    return np.logaddexp(out, scene.before + np.log(1e-3)) + scene.own


def _alike(parts: list[NDArray[np.float32]], people: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """People whose rows are the same in all parts: the first of each kind, and which kind everybody (people,) is."""
    rows = np.hstack([np.zeros((people, 1), np.float32), *parts])
    _, first, alike = np.unique(keys_of(rows), return_index=True, return_inverse=True)
    return first, alike


def _fitting(fits: list[Fit], people: int, bounds: NDArray[np.intp]) -> Vector:
    """ln of how many known people fit each of these (people, answers): those of an answer lie between two bounds."""
    # Of the known people with the same answers one is looked at, and counts for all.
    kind = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds)).astype(np.float32)
    rows = np.column_stack([kind, *(codes.astype(np.float32) for _, codes in fits)])
    _, first, alike = np.unique(keys_of(rows), return_index=True, return_counts=True)
    by_answer = np.argsort(kind[first], kind="stable")
    first, alike = first[by_answer], alike[by_answer].astype(np.float32)
    bounds = np.searchsorted(kind[first], np.arange(len(bounds)))
    # The sum over columns of what a report says of each answer is one product: a column for each answer to each.
    widths = np.cumsum([0, *(log.shape[1] for log, _ in fits)])
    answered = np.zeros((len(first), widths[-1]), np.float32)
    for (_, codes), width in zip(fits, widths[:-1], strict=True):
        answered[np.arange(len(first)), width + codes[first]] = 1
    says = np.maximum(np.hstack([np.zeros((people, 0), np.float32), *(log for log, _ in fits)]), IMPOSSIBLE)
    out = np.empty((people, len(bounds) - 1))
    for begin in range(0, people, BLOCK):
        block = slice(begin, begin + BLOCK)
        weight = answered @ says[block].T
        top = weight.max(axis=0)
        top[top < IMPOSSIBLE / 2] = 0.0  # reports that nobody known can have sent
        weight -= top
        np.exp(weight, out=weight)
        fit = [alike[a:b] @ weight[a:b] for a, b in pairwise(bounds)]
        with np.errstate(divide="ignore"):
            out[block] = np.log(np.transpose(fit))
    return out


def learned(scene: Scene) -> Vector | None:
    """A classifier of the open answers (scikit-learn's boosted trees), with the reports' log-odds added: log-odds of a
    marked answer (attacked,); None where no answer is open.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier  # a second to import

    crowd = scene.crowd
    open_ = [name for name, column in crowd.others.items() if not isinstance(column.sent, Randomizer)]
    if not open_:
        return None
    if len(open_) > LEARNED:
        tells = {name: np.std(scene.odds(scene.before + scene.told(name))) for name in open_}
        open_ = sorted(open_, key=lambda name: -tells[name])[:LEARNED]
    answers = np.column_stack([crowd.others[name].codes for name in open_]).astype(np.float32)
    inside = crowd.marked[scene.known]
    # On so few answers its threads wait for one another, on a busy machine seven times as long as they work.
    with _libraries().limit(limits=1, user_api="openmp"):
        tree = HistGradientBoostingClassifier(max_iter=TREES, random_state=crowd.seed).fit(answers[crowd.learn], inside)
        chance = np.clip(tree.predict_proba(answers[crowd.attacked])[:, 1], 1e-6, 1 - 1e-6)
    reported = [name for name in crowd.others if name not in open_ and isinstance(crowd.others[name].sent, Randomizer)]
    rest = scene.own + sum((scene.told(name) for name in reported), np.zeros(1))
    by_chance = np.log(inside.mean() / (1 - inside.mean()))
    return np.log(chance / (1 - chance)) + scene.odds(scene.before + rest) - by_chance


@cache
def _libraries() -> ThreadpoolController:
    """Those that are there once scikit-learn is: looking for them takes a tenth of what the classifier does."""
    return ThreadpoolController()


ATTACKERS: Mapping[str, Callable[[Scene], Vector | None]] = {
    "naive Bayes": bayes,
    "neighbours": neighbours,
    "learned": learned,
}
"""By name, the fastest first. Each gives log-odds (attacked,) or scores for each answer (attacked, answers)."""
