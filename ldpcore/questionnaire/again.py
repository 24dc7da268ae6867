"""The same question in every round of a survey: what r reports tell about an answer that does not change.

Of independent reports the log-likelihoods add: the promise is r·ε, the attacker wins more, the pooled estimate errs √r
less. The first report sent again and again tells nothing new, and helps nobody either. One report at r·ε is never
worse for both than r at ε: it may use all reports at once (theory/questionnaire#asked-again).
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from ldpcore import catalog, checks
from ldpcore.attacks import bayes
from ldpcore.estimators.intervals import proportion_ends
from ldpcore.limit import MOST_EPSILON
from ldpcore.plan import drawing
from ldpcore.questionnaire.allocation import SurveyQuestion
from ldpcore.randomizer import Randomizer
from ldpcore.rng import stream

Vector = NDArray[np.float64]

FRESH, SHARED, SAME, ONCE = "fresh", "fresh, ε shared", "the same again", "once, all ε"
WAYS = (FRESH, SHARED, SAME, ONCE)
"""A new report at ε in each round; a new one at ε/r; the first one sent again; one report at r·ε."""
HIGHEST = 40.0
"""ε of a report; beyond it nothing is hidden."""


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
    with one mark, who knows nothing; without marks, of all. Simulated with `attacks` people for several reports
    (Clopper and Pearson’s interval), exact for one (low = high). freq (k,) None: uniform. levels (k,): as in
    `SurveyQuestion`; `sensitive` then says only who is attacked. asked: the part of the people who are asked, the same
    n in all rounds, of those whom the shares are about. An ε is never larger than the mechanism is made for, or
    HIGHEST.

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


def _success(
    built: Randomizer, known: tuple[Vector, Vector], reports: int, attacks: int, rng: np.random.Generator
) -> tuple[float, float, float]:
    """known: what the attacker believes, and who is attacked."""
    prior, targeted = known
    if reports == 1:
        exact = float(bayes.success(built, prior) @ targeted)
        return exact, exact, exact
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
