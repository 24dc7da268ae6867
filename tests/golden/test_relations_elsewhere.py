"""Relations beside other people's programs: RRreg's closed forms by their published statement, and R itself.

Where there is no `Rscript` its part is skipped. RRreg's own functions, run in R 4.2, gave the same as the closed form
here to 15 digits, in the six pairs of models below.
"""

import json
import shutil
import subprocess

import numpy as np
import pytest

from ldpcore import plan, relations
from ldpcore.custom import CustomMechanism
from ldpcore.relations.independence import permuted
from ldpcore.rng import stream

# Fox and Tracy (1984) ------------------------------------------------------------------------------------------------

MODELS = {
    # How often the truth is told, and what is told else, independent of it: shares of 0, 1, …
    "direct": (1.0, [0.5, 0.5]),
    "Warner .75": (0.5, [0.5, 0.5]),
    "crosswise .8": (0.6, [0.5, 0.5]),
    "unrelated question .7, .25": (0.7, [0.75, 0.25]),
    "Mangat .65": (0.65, [0.0, 1.0]),
    "Kuk .8, .3": (0.5, [0.4, 0.6]),
    "forced .1, .2": (0.7, [1 / 3, 2 / 3]),
    "triangular .3": (0.7, [0.0, 1.0]),
    "forced .1, .15, .05": (0.7, [1 / 3, 1 / 2, 1 / 6]),
}
TOGETHER = [
    ("Warner .75", "crosswise .8"),
    ("unrelated question .7, .25", "Mangat .65"),
    ("Kuk .8, .3", "forced .1, .2"),
    ("forced .1, .15, .05", "triangular .3"),
    ("forced .1, .15, .05", "forced .1, .15, .05"),
    ("Warner .75", "direct"),
]


def sent(name):
    truth, mask = MODELS[name]
    k = len(mask)
    return k if truth == 1 else CustomMechanism(truth * np.eye(k) + (1 - truth) * np.tile(mask, (k, 1)))


def moments(name, seen):
    """Of the true answers 0, 1, …: mean and variance, from the shares of the reports; and of the error that reports
    add to them, (z − (1 − p)μ)/p being the truth and an error that has nothing to do with it.
    """
    truth, mask = MODELS[name]
    u, shares = np.arange(len(mask)), (seen - (1 - truth) * np.array(mask)) / truth
    mean = float(shares @ u)
    variance = float(shares @ u**2) - mean**2
    masked = float(np.dot(mask, u))
    spread = float(np.dot(mask, u**2)) - masked**2
    return mean, variance, (1 - truth) / truth * (variance + spread / truth + (mean - masked) ** 2)


@pytest.mark.parametrize(("x", "y"), TOGETHER)
def test_the_correlation_of_fox_and_tracy(x, y):
    """RRreg's RRcor: that of the reports, over what their errors take of it; and its standard errors of shares."""
    d = relations.apart(sent(x), sent(y))
    f = np.outer(np.linspace(2, 1, d.kx), np.linspace(3, 1, d.ky))
    f[-1, -1] *= 2.5
    tally = d.draw(np.rint(5000 * f / f.sum()).astype(int), stream(16, x, y), 1, "like")[0]
    seen = tally.counts / tally.n
    a, b = np.repeat(np.arange(d.kx), d.ky), np.tile(np.arange(d.ky), d.kx)
    observed = np.corrcoef(*(np.repeat(codes, tally.counts.ravel()) for codes in (a, b)))[0, 1]
    (_, vx, ex), (_, vy, ey) = moments(x, seen.sum(axis=1)), moments(y, seen.sum(axis=0))
    closed = observed * np.sqrt((1 + ex / vx) * (1 + ey / vy))
    r = d.joint(tally)
    assert r.correlation(range(d.kx), range(d.ky)).value == pytest.approx(closed, abs=1e-12)
    share, truth = seen[-1].sum(), MODELS[x][0]
    spread = d.covariance(r.shares, r.n).reshape(d.kx, d.ky, d.kx, d.ky)[-1, :, -1].sum()
    assert np.sqrt(spread) == pytest.approx(np.sqrt(share * (1 - share) / r.n) / truth)


# R -------------------------------------------------------------------------------------------------------------------

COUNTS = np.array([[40, 12], [23, 31]])
WIDER = np.array([[30, 14, 6], [22, 25, 20], [9, 12, 28], [4, 8, 17]])
BALANCED = np.array([[14, 6], [7, 13]])
SCRIPT = """
two <- function(x, rows) matrix(x, nrow = rows, byrow = TRUE)
counts <- two(c(40, 12, 23, 31), 2); wider <- two(c(30, 14, 6, 22, 25, 20, 9, 12, 28, 4, 8, 17), 4)
balanced <- two(c(14, 6, 7, 13), 2)
chi <- function(t) { r <- suppressWarnings(chisq.test(t, correct = FALSE)); c(r$statistic, r$parameter, r$p.value) }
codes <- function(t) list(rep(row(t) - 1, t), rep(col(t) - 1, t))
e <- codes(wider); g <- codes(counts)
fit <- glm(g[[2]] ~ g[[1]], family = binomial, control = glm.control(epsilon = 1e-14, maxit = 100))
power <- power.prop.test(p1 = .30, p2 = .45, power = .8, tol = 1e-12)
out <- list(
  chi = chi(counts), wider = chi(wider), group = prop.test(31, 54)$conf.int, other = prop.test(12, 52)$conf.int,
  pair = prop.test(31, 106)$conf.int, correlation = cor(e[[1]], e[[2]]), slope = coef(lm(e[[2]] ~ e[[1]]))[2],
  odds = exp(coef(fit)[2]), power = 2 * power$n, fisher = fisher.test(balanced)$p.value)
line <- function(n) cat(sprintf('"%s": [%s]', n, paste(format(as.numeric(out[[n]]), digits = 16), collapse = ", ")))
cat("{"); for (n in names(out)) { if (n != names(out)[1]) cat(", "); line(n) }; cat("}")
"""


@pytest.fixture(scope="module")
def r():
    """What R says."""
    program = shutil.which("Rscript")
    if program is None:
        pytest.skip("R is not installed here")
    ran = subprocess.run([program, "--vanilla", "-e", SCRIPT], capture_output=True, text=True, timeout=60, check=True)
    return json.loads(ran.stdout)


def openly(counts):
    d = relations.apart(*counts.shape)
    return d.joint(d.draw(counts, stream(0), 1)[0])


def test_with_nothing_hidden_it_is_what_r_says(r):
    """chisq.test, prop.test (Wilson's interval with continuity), cor, glm, power.prop.test."""
    for name, counts in (("chi", COUNTS), ("wider", WIDER)):
        many = openly(10 * counts).independence()  # enough people for χ²
        assert [many.statistic / 10, many.df] == pytest.approx(r[name][:2], rel=1e-9)
    survey = openly(COUNTS)
    for name, group in (("group", 1), ("other", 0)):
        share = survey.within([1], [group])
        assert [share.low, share.high] == pytest.approx(r[name], abs=1e-7)
    low, high = survey.interval()
    assert [low[1, 1], high[1, 1]] == pytest.approx(r["pair"], abs=1e-7)
    assert survey.odds_ratio([1], [1], [0]).value == pytest.approx(r["odds"][0], rel=1e-9)
    assert openly(WIDER).correlation(range(4), range(3)).value == pytest.approx(r["correlation"][0])
    people = plan.difference(relations.apart(2, 2), [[0.35, 0.15], [0.275, 0.225]], [1], [1], [0])
    assert people == int(np.ceil(r["power"][0]))


def test_a_permutation_of_few_people_is_fishers_test(r):
    """Of a table with even margins both order tables alike: 20 000 permutations miss p by less than 5 errors."""
    d = relations.apart(2, 2)
    tally = d.draw(BALANCED, stream(0), 1)[0]
    value = d.joint(tally).independence().statistic
    drawn = permuted(d, tally.counts, stream(17, "fisher"), 20_000)
    p = r["fisher"][0]
    assert abs(np.mean(drawn >= value - 1e-9) - p) < 5 * np.sqrt(p * (1 - p) / 20_000)
