"""The same question in every round of a survey: what r reports tell about an answer that does not change.

Of independent reports the log-likelihoods add: the promise is r·ε, the attacker wins more, the pooled estimate errs √r
less. The first report sent again and again tells nothing new, and helps nobody either. One report at r·ε is never
worse for both than r at ε: it may use all reports at once (theory/questionnaire#asked-again).
"""

import math
from collections.abc import Sequence
from itertools import combinations_with_replacement

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import factorial

from ldpcore import catalog, checks
from ldpcore.attacks import bayes
from ldpcore.channel import Channel, ReportColumn
from ldpcore.estimators.intervals import proportion_ends
from ldpcore.limit import MOST_EPSILON
from ldpcore.plan import drawing
from ldpcore.questionnaire.allocation import SurveyQuestion
from ldpcore.randomizer import NotEnumerable, Randomizer
from ldpcore.rng import stream

Vector = NDArray[np.float64]

FRESH, SHARED, SAME, ONCE = "fresh", "fresh, ε shared", "the same again", "once, all ε"
WAYS = (FRESH, SHARED, SAME, ONCE)
"""A new report at ε in each round; a new one at ε/r; the first one sent again; one report at r·ε."""
HIGHEST = 40.0
"""ε of a report; beyond it nothing is hidden."""
LISTED = 30_000
"""So many ways in which several reports can come out, whatever their order, are listed for an exact number."""


def rounds(
    key: str,
    *,
    k: int,
    sensitive: ArrayLike | None = None,
    levels: ArrayLike | None = None,
    epsilon: float,
    n: int,
    freq: ArrayLike | None = None,
    counts: Sequence[int] = (1, 2, 4, 8, 16),
    attacks: int = 4000,
    seed: int = 1,
    asked: float = 1.0,
) -> pd.DataFrame:
    """A row for each way and number of rounds: rounds, way, epsilon (of all reports together), mse (of the pooled
    estimate over all values, exact), success and its 95 % interval low..high.

    success: of the people with a marked answer, the share whom the Bayesian attacker names who knows that it is marked;
    with one mark, who knows nothing; without marks, of all. Exact (low = high) for one report, and for several that can
    come out in few ways; else simulated with `attacks` people (Clopper and Pearson’s interval). freq (k,) None:
    uniform. levels (k,): as in `SurveyQuestion`; `sensitive` then says only who is attacked. asked: the part of the
    people who are asked, the same n in all rounds, of those whom the shares are about. An ε is never larger than the
    mechanism is made for, or HIGHEST.

    >>> told = rounds("uSS", k=6, sensitive=[True] * 3 + [False] * 3, epsilon=1.0, n=10_000, counts=(1, 4))
    >>> won = told.set_index(["way", "rounds"])["success"]
    >>> bool(won["fresh", 4] > won["the same again", 4] == won["fresh", 1])
    True
    """
    mask, size = checks.mask(sensitive, checks.domain_size(k)), k
    shares, even = checks.shares(freq, size), np.full(size, 1 / size)
    targeted = bayes.targeted_prior(mask) if mask.any() else even
    prior = targeted if mask.sum() > 1 else even  # who knows a single one to be given knows the answer
    checks.epsilon(epsilon)
    checks.integer(n, "n (people)", 1)
    question = (
        SurveyQuestion("", key, shares, mask) if levels is None else SurveyQuestion("", key, shares, levels=levels)
    )
    drawn = float(np.mean(drawing.added(shares, drawing.left_out(asked)))) / n
    most = HIGHEST if catalog.ANSWERS[key].exists(question.epsilons(HIGHEST)) else MOST_EPSILON
    rows = []
    for count in counts:
        checks.integer(count, "rounds", 1)
        for way in WAYS:
            spent = min({FRESH: epsilon, SHARED: epsilon / count, SAME: epsilon, ONCE: count * epsilon}[way], most)
            built = question.built(spent)
            reports = count if way in (FRESH, SHARED) else 1
            mse = float(built.variance(shares, n).mean()) / reports + drawn
            rng = stream(seed, "again", key, way, count)
            total = spent * reports
            rows.append((count, way, total, mse, *_success(built, (prior, targeted), reports, attacks, rng)))
    return pd.DataFrame(rows, columns=["rounds", "way", "epsilon", "mse", "success", "low", "high"])


def _success_of_several(built: Randomizer, prior: Vector, reports: int) -> Vector | None:
    """Pr[the guess is x | the user holds x] (k,), by so many independent reports: exact, from how often each came out;
    None where these are too many to list.

    >>> even = np.full(2, 0.5)
    >>> two, three = (_success_of_several(catalog.FREQUENCY["GRR"].build(1.0, 2), even, n) for n in (2, 3))
    >>> round(float(two @ even), 4), round(float(three @ even), 4)  # of two reports that differ a coin decides
    (0.7311, 0.8219)
    """
    try:
        one = built.channel()
    except (NotEnumerable, ValueError):  # or it hangs on a public hash
        return None
    outputs = one.matrix.shape[1]
    if math.comb(outputs + reports - 1, reports) > LISTED:
        return None
    listed = np.array(list(combinations_with_replacement(range(outputs), reports)), np.intp)
    often = np.zeros((len(listed), outputs), np.intp)
    np.add.at(often, (np.arange(len(listed))[:, None], listed), 1)
    orders = math.factorial(reports) / factorial(often).prod(axis=1)
    matrix = orders * one.matrix[:, listed].prod(axis=2)
    return bayes.success_of_channel(Channel(matrix, (ReportColumn("several"),) * len(listed)), prior)


def _success(
    built: Randomizer, known: tuple[Vector, Vector], reports: int, attacks: int, rng: np.random.Generator
) -> tuple[float, float, float]:
    """known: what the attacker believes, and who is attacked."""
    prior, targeted = known
    exact = bayes.success(built, prior) if reports == 1 else _success_of_several(built, prior, reports)
    if exact is not None:
        won = float(exact @ targeted)
        return won, won, won
    truth = rng.choice(built.k, attacks, p=targeted)
    with np.errstate(divide="ignore"):
        score = np.tile(np.log(prior), (attacks, 1))
    for _ in range(reports):
        score += built.log_likelihood(built.perturb(truth, rng))
    # Ties fall by chance, as they do for the attacker.
    tied = score >= score.max(axis=1, keepdims=True) - bayes.TIE
    won = float(np.mean(np.where(tied[np.arange(attacks), truth], 1 / tied.sum(axis=1), 0.0)))
    low, high = proportion_ends(np.array([won * attacks]), np.array([float(attacks)]))
    return won, float(low[0]), float(high[0])
