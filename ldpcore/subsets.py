"""Uniform subsets of a given size: one per user, or the counts of all of them at a cost independent of how many."""

from collections.abc import Iterator
from functools import lru_cache
from math import ceil, comb, lgamma, log

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln, xlog1py, xlogy

Counts = NDArray[np.int64]
FEW = 64
"""Values that are sooner walked over than halved."""
KEPT = 64
"""Values of a part whose law of halves is kept: 17 kB at most."""


def log_binomial(n: int, r: int) -> float:
    return lgamma(n + 1) - lgamma(r + 1) - lgamma(n - r + 1)


def subset_bits(n: int, r: int) -> int:
    """⌈log₂ C(n, r)⌉, exact where the binomial is small enough to be formed.

    >>> subset_bits(4, 2), subset_bits(5000, 2)
    (3, 24)
    """
    return (comb(n, r) - 1).bit_length() if n <= 4096 else ceil(log_binomial(n, r) / log(2))


def log_binomials(n: int | Counts, r: int | Counts) -> NDArray[np.float64]:
    """ln C(n, r), element by element; −∞ where r > n."""
    n, r = np.asarray(n), np.asarray(r)
    return gammaln(n + 1) - gammaln(r + 1) - gammaln(n - r + 1)


def binomial_law(sizes: Counts, n: int, p: float) -> NDArray[np.float64]:
    """Pr[so many of n], each with chance p; 0 where they are more.

    >>> binomial_law(np.arange(4), 2, 0.25)
    array([0.5625, 0.375 , 0.0625, 0.    ])
    """
    there = np.minimum(sizes, n)
    chances = np.exp(log_binomials(n, there) + xlogy(there, p) + xlog1py(n - there, -p))
    return np.where(sizes > n, 0.0, chances)


def hypergeometric_law(unmarked: Counts, n: Counts, of: Counts, drawn: int) -> NDArray[np.float64]:
    """Pr[so many unmarked among `drawn` things of n, `of` which are unmarked], element by element; 0 where impossible.

    >>> hypergeometric_law(np.arange(3), np.array(4), np.array(2), 2).round(4)
    array([0.1667, 0.6667, 0.1667])
    """
    marked, rest = n - of, drawn - unmarked
    possible = (unmarked <= of) & (rest >= 0) & (rest <= marked)
    inside, outside = np.where(possible, unmarked, 0), np.where(possible, rest, 0)
    ways = log_binomials(of, inside) + log_binomials(marked, outside) - log_binomials(n, drawn)
    return np.where(possible, np.exp(np.where(possible, ways, -np.inf)), 0.0)


def holders(
    pool: NDArray[np.intp],
    size: NDArray[np.integer],
    values: NDArray[np.integer],
    holds: NDArray[np.bool_],
    rng: np.random.Generator,
) -> Iterator[tuple[int, NDArray[np.bool_]]]:
    """For each value of `pool` (codes) the users whose uniform subset of `size` (n,) values has it.

    Where `holds`, the user's own value is in it for certain. One pass: each value in turn is taken with probability
    (picks left)/(values left).
    """
    left = size - holds
    values_left = np.where(holds, len(pool) - 1, len(pool))
    for v in pool:
        mine = holds & (values == v)
        take = ~mine & (rng.random(len(values)) * values_left < left)
        left -= take
        values_left -= ~mine
        yield int(v), take | mine


@lru_cache(maxsize=64)
def _picks_after(sigma: int, w: int) -> tuple[NDArray[np.float64], list[tuple[int, int]]]:
    """h[v, j]: chance that j of the w − 1 other picks come after position v, a hypergeometric law: (σ, w); and of each
    position between which j it is not 0.
    """
    v, j = np.arange(sigma)[:, None], np.arange(w)[None]
    after, before = sigma - 1 - v, v
    possible = (j <= after) & (w - 1 - j <= before)
    with np.errstate(invalid="ignore"):
        log = (
            gammaln(after + 1)
            - gammaln(j + 1)
            - gammaln(np.maximum(after - j, 0) + 1)
            + gammaln(before + 1)
            - gammaln(w - j)
            - gammaln(np.maximum(before - w + 1 + j, 0) + 1)
        )
    h = np.where(possible, np.exp(log - log_binomial(sigma - 1, w - 1)), 0.0)
    return h / h.sum(axis=1, keepdims=True), [_window(row > 0) for row in h]


def sweep(kept: Counts, free: Counts, w: int, rng: np.random.Generator) -> Counts:
    """Counts (repeats, σ) that the *other* picks add: `free` users draw w of σ, `kept[:, v]` users w − 1 beside v.

    A histogram of picks left walks over the values; at each, a user with r picks left and m values left takes it
    with probability r/m. Users who keep v enter the forward walk behind v with the picks that fall after it, and
    the backward walk with the rest. Exact at any n; the work is the window of occupied states, about √w wide.
    """
    repeats, sigma = kept.shape
    after, windows = _picks_after(sigma, w)
    surveys = () if repeats == 1 else (repeats,)  # of one survey an axis less is a third of the time
    kept, total = kept.reshape(*surveys, sigma), np.zeros((*surveys, sigma), np.int64)
    forward, backward = np.zeros((*surveys, w + 1), np.int64), np.zeros((*surveys, w + 1), np.int64)
    forward[..., w] = free if surveys else free[0]
    sources = np.zeros((sigma, *surveys, w), np.int64)
    for v, (low, high) in enumerate(windows):
        sources[v, ..., low:high] = rng.multinomial(kept[..., v], after[v, low:high])
    for step in range(sigma):
        v, u = step, sigma - 1 - step
        total[..., v] += _walk(forward, sigma - step, rng)
        forward[..., :w] += sources[v]
        total[..., u] += _walk(backward, sigma - step, rng)
        backward[..., :w] += sources[u][..., ::-1]
    return total.reshape(repeats, sigma)


def spread(users: int, sigma: int, w: int, rng: np.random.Generator) -> Counts:
    """Counts (σ,) of the values that `users` uniform w-subsets hold: `sweep` without anybody's own value.

    Few values are walked over. Many are halved, and the halves, down to single ones: of a user's r picks in a part, so
    many fall into its left half as the hypergeometric law says, and users with equal r are drawn together.
    """
    if sigma <= FEW:
        return _walk_alone(users, sigma, w, rng)
    sizes, left = np.array([sigma]), np.zeros((1, w + 1), np.int64)
    left[0, w] = users
    while users and sizes.max() > 1:
        most = int(sizes.max() + 1) // 2
        halves = np.zeros((len(sizes), 2, most + 1), np.int64)
        for size in np.unique(sizes):  # they differ by 1 at most
            parts = np.flatnonzero(sizes == size)
            _halve(left[parts], int(size), parts, halves, rng)
        sizes = np.stack([(sizes + 1) // 2, sizes // 2], axis=1).ravel()
        left = halves.reshape(len(sizes), -1)[sizes > 0]
        sizes = sizes[sizes > 0]
    return left[:, 1] if users else np.zeros(sigma, np.int64)


def _halve(left: Counts, size: int, parts: Counts, halves: Counts, rng: np.random.Generator) -> None:
    """Users by picks (parts, picks + 1) within parts of a size, drawn into halves (all, 2, picks + 1), in place."""
    first, last = _window(np.any(left, axis=0))
    law, low = (_known_halves if size <= KEPT else _law_of_halves)(size, first, last)
    high = low + law.shape[1]
    taken = np.arange(low, high)
    drawn = rng.multinomial(left[:, first:last], law)
    halves[parts, 0, low:high] = drawn.sum(axis=1)
    for row, r in enumerate(range(first, last)):
        fits = (taken <= r) & (r - taken < halves.shape[2])
        halves[parts[:, None], 1, r - taken[fits]] += drawn[:, row, fits]


def _law_of_halves(size: int, first: int, last: int) -> tuple[NDArray[np.float64], int]:
    """Of r = `first` … `last` − 1 picks in a part, so many are in its left half: a row for each r, and the least that
    has a column.
    """
    picks, taken = np.arange(first, last)[:, None], np.arange(min((size + 1) // 2, last - 1) + 1)
    beside = np.maximum(picks - taken, 0)
    ways = log_binomials((size + 1) // 2, taken) + log_binomials(size // 2, beside) - log_binomials(size, picks)
    law = np.exp(np.where(taken <= picks, ways, -np.inf))
    low, high = _window(np.any(law > 0, axis=0))
    law = law[:, low:high]
    return law / law.sum(axis=1, keepdims=True), low


_known_halves = lru_cache(maxsize=256)(_law_of_halves)
"""Small parts are many, and come again in every survey."""


def _walk_alone(users: int, sigma: int, w: int, rng: np.random.Generator) -> Counts:
    """Counts (σ,): all of one survey's values, as `_walk` takes each, but number by number: there are few, and a
    draw of an array takes as long as some ten of single numbers, and draws the same.
    """
    total, left = np.zeros(sigma, np.int64), [0] * w + [users]
    for v in range(sigma):
        for r in range(1, w + 1):
            if left[r]:
                taken = int(rng.binomial(left[r], min(r / (sigma - v), 1.0)))
                left[r] -= taken
                left[r - 1] += taken
                total[v] += taken
    return total


def _walk(left: Counts, values_left: int, rng: np.random.Generator) -> Counts:
    """One value: who takes it moves from r picks left to r − 1, in place; returns how many took it (..., as `left`)."""
    low, high = _window(left if left.ndim == 1 else np.any(left, axis=0))
    low = max(low, 1)
    if high <= low:
        return np.zeros(left.shape[:-1], np.int64)
    chance = np.arange(low, high) / values_left
    if high > values_left + 1:
        chance = np.minimum(chance, 1.0)
    taken = rng.binomial(left[..., low:high], chance)
    left[..., low:high] -= taken
    left[..., low - 1 : high - 1] += taken
    return taken.sum(axis=-1)


def _window(occupied: NDArray[np.bool_] | Counts) -> tuple[int, int]:
    """First and one past the last entry that is not 0; (0, 0) when there is none."""
    places = occupied.nonzero()[0]
    return (int(places[0]), int(places[-1]) + 1) if len(places) else (0, 0)


def tilted(log_weights: NDArray[np.float64], mean: ArrayLike) -> NDArray[np.float64]:
    """Laws ∝ exp(log_weights)·θ^b of b = 0 … (..., len(log_weights)), θ such that each has its mean (...).

    A mean beyond all that can be gives certainty of the nearest b that can. ln θ by Newton's steps, and by halving
    where one leaves what is known to hold it.
    """
    b, mean = np.arange(len(log_weights)), np.asarray(mean, float)
    can = np.flatnonzero(np.isfinite(log_weights))
    low, high = int(can[0]), int(can[-1])

    def law(tilt: NDArray[np.float64]) -> NDArray[np.float64]:
        weight = log_weights + tilt[..., None] * b
        weight = np.exp(weight - weight.max(axis=-1, keepdims=True))
        return weight / weight.sum(axis=-1, keepdims=True)

    first, last = mean <= low + 1e-9, mean >= high - 1e-9
    wanted = np.where(first | last, (low + high) / 2, mean)
    tilt, least, most = np.zeros(mean.shape), np.full(mean.shape, -200.0), np.full(mean.shape, 200.0)
    for _ in range(100):
        laws = law(tilt)
        reached = laws @ b
        least, most = np.where(reached <= wanted, tilt, least), np.where(reached >= wanted, tilt, most)
        step = tilt + (wanted - reached) / np.maximum(laws @ b**2 - reached**2, 1e-300)
        step = np.where((step >= least) & (step <= most), step, (least + most) / 2)
        settled = np.allclose(step, tilt, rtol=1e-13, atol=1e-13)
        tilt = step
        if settled:
            break
    return np.where(first[..., None], b == low, np.where(last[..., None], b == high, law(tilt)))


def draw_shares(pool: int, draws: int, above: Counts, ties: Counts, equal: Counts) -> NDArray[np.float64]:
    """E[1[none of `above` drawn] / (1 + `equal` + ties drawn)] for `draws` without replacement out of `pool`: (k,)."""
    out = _none_drawn(pool, draws, above) / (1 + equal)
    for over, level, also in {(int(o), int(t), int(e)) for o, t, e in zip(above, ties, equal, strict=True) if t}:
        rest = pool - over - level
        hit = np.arange(max(0, draws - rest), min(level, draws) + 1)
        log = log_binomials(level, hit) + log_binomials(rest, draws - hit) - log_binomials(pool, np.array([draws]))
        out[(above == over) & (ties == level) & (equal == also)] = np.sum(np.exp(log) / (1 + also + hit))
    return out


def _none_drawn(pool: int, draws: int, avoid: Counts) -> NDArray[np.float64]:
    """Chance that `draws` without replacement out of `pool` miss all of `avoid`."""
    rest = pool - avoid
    log = gammaln(rest + 1) - gammaln(np.maximum(rest - draws, 0) + 1) - gammaln(pool + 1) + gammaln(pool - draws + 1)
    return np.where(rest >= draws, np.exp(log), 0.0)
