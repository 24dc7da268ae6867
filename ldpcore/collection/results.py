"""Counts that another tool collected: with its parameters, or with the whole table of its chances.

A pair (a, b) is the chance that a report supports an answer if its person holds it, and if not; the share of an answer
is (c/n − b)/(a − b). Of a table of chances the estimate is the unbiased one with the least error (`ldpcore.custom`),
and its ε is computed, not believed.

>>> pair = pair_of("rappor", 4, f=0.25, p=0.5, q=0.75)
>>> pair.a, pair.b, round(pair.epsilon, 3)
(0.71875, 0.53125, 0.813)
>>> of_pair([640, 580, 570, 565], 1000, pair).share.round(3).tolist()
[0.58, 0.26, 0.207, 0.18]
"""

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass
from math import exp, inf, log

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from ldpcore import checks, custom
from ldpcore.estimators.intervals import proportion_ends
from ldpcore.estimators.released import score_interval

Vector = NDArray[np.float64]
HARDLY, NOT = 1e3, 1e6
"""Condition numbers from which a table can hardly, and practically not, be inverted."""


@dataclass(frozen=True)
class SupportPair:
    """a and b, and the ε that follows; whole: whether everybody supports one answer, so that counts add up to n."""

    a: float
    b: float
    epsilon: float
    whole: bool

    @classmethod
    def of(cls, a: float, b: float, whole: bool, loss: float) -> "SupportPair":
        """Checked: chances, apart."""
        for name, chance in (("a", a), ("b", b)):
            if not 0 <= chance <= 1:
                raise ValueError(f"{name}, a chance to support an answer, lies between 0 and 1, got {chance:g}")
        if abs(a - b) < 1e-12:
            raise ValueError("a and b are equal, so the reports tell nothing of the answers")
        return cls(a, b, loss, whole)


def _ratio(*pairs: tuple[float, float]) -> float:
    """The largest |ln| of these chances' ratios."""
    odds = [max(x, y) / min(x, y) if min(x, y) > 0 else inf for x, y in pairs if max(x, y) > 0]
    return log(max(odds)) if odds and max(odds) < inf else inf


def _symbol(k: int, **given: float) -> SupportPair:
    if "epsilon" in given:
        e = exp(checks.epsilon(given["epsilon"]))
        a, b = e / (e + k - 1), 1 / (e + k - 1)
    else:
        a = given["p"]
        b = (1 - a) / (k - 1)
    return SupportPair.of(a, b, True, _ratio((a, b)))


def _bits(a: float, b: float) -> SupportPair:
    """Independent bits: one set and one unset."""
    up, down = a * (1 - b), b * (1 - a)
    return SupportPair.of(a, b, False, _ratio((up, down)))


def _flip(epsilon: float) -> float:
    return 1 / (exp(checks.epsilon(epsilon)) + 1)


def _rappor(k: int, f: float, p: float, q: float) -> SupportPair:
    """Erlingsson, Pihur, Korolova 2014: the permanent f, then p and q; one bit for each answer."""
    noise = f * (p + q) / 2
    return _bits(noise + (1 - f) * q, noise + (1 - f) * p)


def _yes_no(k: int, a: float, b: float) -> SupportPair:
    if k != 2:
        raise ValueError(f"this device asks one question with yes and no, two counts in this order, got {k}")
    return SupportPair.of(a, b, True, _ratio((a, b), (1 - a, 1 - b)))


TOOLS: dict[str, tuple[tuple[tuple[str, ...], ...], Callable[..., SupportPair]]] = {
    "grr": ((("epsilon",), ("p",)), _symbol),
    "oue": ((("epsilon",),), lambda k, epsilon: _bits(0.5, _flip(epsilon))),
    "sue": ((("epsilon",),), lambda k, epsilon: _bits(1 - _flip(epsilon / 2), _flip(epsilon / 2))),
    "rappor": ((("f", "p", "q"),), _rappor),
    "warner": ((("p",),), lambda k, p: _yes_no(k, p, 1 - p)),
    "forced": ((("p1", "p2"),), lambda k, p1, p2: _yes_no(k, 1 - p2, p1)),
}
"""What parameters each takes, in one of these ways: forced is told to say yes with p1 and no with p2."""


SEVERAL = ("oue", "sue", "rappor")
"""Those by which a person may support several answers, so that counts do not say how many reported."""


def pair_of(tool: str, k: int, **parameters: float) -> SupportPair:
    """a and b of a tool's published parameters, for k answers; ValueError, in a sentence, for others."""
    if tool not in TOOLS:
        raise ValueError(
            f"{tool!r} is no tool known here; take one of {', '.join(TOOLS)}, or give the table of chances"
        )
    if tool == "rappor" and set(parameters) - {"f", "p", "q"}:
        raise ValueError("RAPPOR with a Bloom filter needs its hashes; only one bit per answer is read")
    ways, made = TOOLS[tool]
    if tuple(sorted(parameters)) not in [tuple(sorted(way)) for way in ways]:
        wanted = " or ".join(",".join(f"{name}=…" for name in way) for way in ways)
        raise ValueError(f"{tool} takes {tool}:{wanted}, got {', '.join(parameters) or 'nothing'}")
    for name, value in parameters.items():
        if name != "epsilon" and not 0 <= value <= 1:
            raise ValueError(f"{name} is a chance between 0 and 1, got {value:g}")
    return made(checks.domain_size(k), **parameters)


def parsed(text: str, k: int) -> SupportPair:
    """`pair_of` of what is typed: rappor:f=.5,p=.5,q=.75."""
    tool, parameters = typed(text)
    return pair_of(tool, k, **parameters)


def typed(text: str) -> tuple[str, dict[str, float]]:
    """The tool and its parameters.

    >>> typed("rappor:f=.5,p=.5,q=.75")
    ('rappor', {'f': 0.5, 'p': 0.5, 'q': 0.75})
    """
    tool, _, rest = text.partition(":")
    parameters = {}
    for part in filter(None, rest.split(",")):
        name, _, value = part.partition("=")
        try:
            parameters[name.strip()] = float(value)
        except ValueError:
            raise ValueError(f"{part!r} is no parameter: write its name, =, and a number, as in f=.5") from None
    return tool.strip().lower(), parameters


def counts_of(text: str) -> tuple[tuple[str, ...], Vector]:
    """Names and counts of a CSV: a count on every line, alone or after a name, with a heading or without.

    >>> counts_of("answer,count\\nyes,3\\nno,7\\n")
    (('yes', 'no'), array([3., 7.]))
    """
    lines = [[cell.strip() for cell in row] for row in csv.reader(io.StringIO(text))]
    rows = [row for row in lines if any(row)]
    if rows and not checks.is_number(rows[0][-1]):
        rows = rows[1:]
    wrong = [row for row in rows if len(row) not in (1, 2) or not checks.is_number(row[-1])]
    if wrong or not rows:
        what = f"got {','.join(wrong[0])[:60]!r}" if wrong else "and there is none"
        raise ValueError(f"counts are a table with a name and a whole number on every line, {what}")
    names = tuple(row[0] if len(row) == 2 else str(place) for place, row in enumerate(rows, 1))
    return names, checked_counts([float(row[-1]) for row in rows])


def promised(matrix: ArrayLike) -> float:
    """ε of this table as LDP: the largest |ln| of two answers' chances of one report; inf where one excludes another.

    >>> round(promised([[0.8, 0.2], [0.2, 0.8]]), 3)
    1.386
    """
    return custom.CustomMechanism(matrix).kept["LDP"].epsilon


def checked_counts(counts: ArrayLike) -> Vector:
    """Whole counts that are not negative, one at least; ValueError for others."""
    c = np.asarray(counts, float)
    if c.ndim != 1 or not np.isfinite(c).all() or (c < 0).any() or (c != np.floor(c)).any():
        raise ValueError("counts must be whole and not negative, one for each report")
    if not c.any():
        raise ValueError("all counts are 0, so there is nobody to estimate from")
    return c


def of_pair(counts: ArrayLike, n: int | None, pair: SupportPair, level: float = 0.95) -> pd.DataFrame:
    """A row per answer: share (unbiased), low, high, from how many of n reports support it; n None: their sum, where
    everybody supports one answer. Ends are Clopper and Pearson's through the same line: for the people that the sample
    stands for, and wide enough for those who answered (Hoeffding 1956).
    """
    c = checked_counts(counts)
    if n is None:
        if not pair.whole:
            raise ValueError("a person may support several answers: say how many people reported, with --people")
        n = int(c.sum())
    if pair.whole and c.sum() != n:
        raise ValueError(f"everybody supports one answer here, but the counts add up to {c.sum():.0f}, not to {n}")
    if c.max() > n:
        raise ValueError(
            f"{c.max():.0f} of {n} reports support one answer: more than there are; exchange counts and n?"
        )
    first = c[:1] if pair.whole and len(c) == 2 and pair.a + pair.b != 1 else c
    low, high = proportion_ends(first, np.full(first.shape, float(n)), level)
    share, *ends = ((rate - pair.b) / (pair.a - pair.b) for rate in (first / n, low, high))
    low, high = (np.clip(end, 0, 1) for end in sorted(ends, key=lambda end: end[0]))
    if len(first) < len(c):  # of yes and no the one is the rest of the other
        share, low, high = np.r_[share, 1 - share], np.r_[low, 1 - high], np.r_[high, 1 - low]
    return pd.DataFrame({"share": share, "low": low, "high": high})


def of_matrix(counts: ArrayLike, matrix: ArrayLike, level: float = 0.95) -> pd.DataFrame:
    """The same, with the error, from how often each report came and the table (answers, reports) of its chances. The
    interval is of who answered: Wilson's, of the exact variance.

    >>> of_matrix([113, 329], [[0.8, 0.2], [0.2, 0.8]]).round(4).to_dict("list")["share"]
    [0.0928, 0.9072]
    """
    c, mechanism = checked_counts(counts), custom.CustomMechanism(matrix)
    if len(c) != mechanism.count_outputs():
        raise ValueError(f"{len(c)} counts and {mechanism.count_outputs()} reports in the matrix do not fit together")
    _ = mechanism.report_scores  # says which answers are not told apart
    if (worst := condition(matrix)) > NOT:
        raise ValueError(
            f"this matrix can hardly be inverted: its condition number is {worst:.2g}, so the last digit of a chance "
            "decides the shares; give more digits, or join answers that send nearly the same reports"
        )
    sent = np.flatnonzero(c)
    if not mechanism.accepts(sent).all():
        missing = sent[~mechanism.accepts(sent)][0]
        raise ValueError(f"report {missing + 1} came, but no answer can send it by this matrix: is it another tool's?")
    counted = mechanism.tally(np.repeat(np.arange(len(c)), c.astype(np.int64)))
    share = mechanism.estimate(counted)
    kept = np.maximum(share, 0) + 1 / counted.n / len(share)
    low, high = score_interval(mechanism, share, counted.n, level)
    error = np.sqrt(mechanism.variance(kept / kept.sum(), counted.n))
    return pd.DataFrame({"share": share, "error": error, "low": np.clip(low, 0, 1), "high": np.clip(high, 0, 1)})


@dataclass(frozen=True, eq=False)
class ToolResult:
    """table: answer, share, low, high, of a matrix also error. epsilon: of one report, computed from the chances.
    doubts: sentences on what makes these numbers weak, or not theirs.
    """

    table: pd.DataFrame
    n: int
    epsilon: float
    doubts: tuple[str, ...] = ()


def of_counts(counts: str, tool: str = "", matrix: str = "", people: int | None = None) -> ToolResult:
    """From the text of a CSV of counts, and either what is typed of a tool or the text of a CSV of chances.

    >>> found = of_counts("640\\n580\\n570\\n565", "rappor:f=.25,p=.5,q=.75", people=1000)
    >>> found.table["share"].round(3).tolist(), round(found.epsilon, 3), found.doubts
    ([0.58, 0.26, 0.207, 0.18], 0.813, ())
    """
    names, seen = counts_of(counts)
    if not matrix:
        pair = parsed(tool, len(seen))
        table = of_pair(seen, people, pair)
        table.insert(0, "answer", list(names))
        return ToolResult(table, people or int(seen.sum()), pair.epsilon)
    given = custom.read(matrix)
    table, doubts = of_matrix(seen, given.matrix), []
    if (off := beyond(table)) > 5:
        doubts.append(f"these counts do not fit the matrix: a share is {off:.0f} errors outside 0 to 1")
    if (worst := condition(given.matrix)) > HARDLY:
        doubts.append(f"the condition number of this matrix is {worst:.2g}: errors are that much larger")
    table.insert(0, "answer", list(given.answers or tuple(str(x + 1) for x in range(len(given.matrix)))))
    return ToolResult(table, int(seen.sum()), promised(given.matrix), tuple(doubts))


def beyond(table: pd.DataFrame) -> float:
    """By how many of its errors a share lies outside 0 to 1, the worst: beyond 5 it is another table's."""
    share, error = table["share"].to_numpy(), np.maximum(table["error"].to_numpy(), 1e-12)
    return float(np.max(np.maximum(-share, share - 1) / error, initial=0.0))


def condition(matrix: ArrayLike) -> float:
    """The largest singular value over the least: by so much errors of the counts may be multiplied."""
    sizes = np.linalg.svd(np.asarray(matrix, float), compute_uv=False)
    return float(sizes[0] / sizes[-1]) if sizes[-1] > 0 else inf
