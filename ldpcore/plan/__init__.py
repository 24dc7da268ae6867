"""The planner: how many people, which ε, and what success of an attacker go with an error that one can live with.

Two of them given, the third follows from the exact variances, per mechanism and for the limit. `within` is a half-width
at a confidence: of 100 surveys so many answer within it. For frequency and sets it is about the value that is worst
off, or (every=True) about all values at once; shares are unknown before a survey, so without `freq` they are taken as
the worst ones, a promise for any data.

What is exact: the variances, and that the worst shares are a vertex (a variance is linear in the shares, and a
mechanism treats the marked values alike, and the others). What is approximate: the estimate is taken as normal, which
sums of many reports are, from about thirty people on (`Plan.normal`); all at once by Šidák's inequality, which then
errs to the safe side. Ranges need neither: their margin is the exact quantile of the noise
(theory/questionnaire#planner).

>>> from ldpcore import plan
>>> sensitive = [True, True] + [False] * 16
>>> for key in ("GRR", "uSS"):  # people, for ± 1 point on the worst of 18 shares
...     print(key, plan.people(key, k=18, sensitive=sensitive, epsilon=1.0, within=0.01))
GRR 601245
uSS 44713
>>> round(plan.epsilon("uSS", k=18, sensitive=sensitive, n=44_713, within=0.01), 4)
1.0
>>> asked = plan.frequency("uSS", k=18, sensitive=sensitive)
>>> round(asked.within(epsilon=1.0, n=20_000), 4), round(asked.success(1.0), 3)
(0.015, 0.731)
>>> round(asked.most_epsilon(success=0.6), 3)  # more would let the attacker name more than 60 of 100
0.405
"""

from .floors import means_limit, sets_limit
from .leveled import leveled_sets, levels, levels_limit
from .leveled_numbers import leveled_means, leveled_means_limit
from .numbers import means
from .relations import difference, half_width, independence, least_difference
from .solve import HIGHEST, LOWEST, Plan, quantile
from .tasks import epsilon, frequency, limit, of_two, people, ranges, sets, success

__all__ = [
    "HIGHEST", "LOWEST", "Plan", "difference", "epsilon", "frequency", "half_width", "independence",
    "least_difference", "leveled_means", "leveled_means_limit", "leveled_sets", "levels", "levels_limit", "limit",
    "means", "means_limit", "of_two", "people", "quantile", "ranges", "sets", "sets_limit", "success",
]  # fmt: skip
