"""What a mechanism accepts is exactly what it can send: for values, for sets, for numbers, with levels and without."""

import contextlib
import itertools
from functools import cache
from math import inf

import numpy as np
import pytest

from ldpcore.catalog import FREQUENCY, LEVELED_MEANS, LEVELED_SETS, MEANS, SETS
from ldpcore.leveled_parts import Parts
from ldpcore.numeric_randomizer import NumericRandomizer
from ldpcore.randomizer import Randomizer
from ldpcore.rng import stream
from ldpcore.set_randomizer import SetRandomizer, keys_of
from tests.each import for_each
from tests.laws import cases, laws, set_laws

# values ------------------------------------------------------------------------------------------------------------


def forms(m: Randomizer) -> np.ndarray:
    """Reports in the form of this mechanism, far more than it can send."""
    one = m.perturb([0], stream(5))
    if one.ndim == 1:
        return np.arange(-3, m.count_outputs() + 9).astype(one.dtype)
    if m.hashed:
        return np.array([(7, y) for y in range(m.count_outputs() + 5)], one.dtype)
    return np.array(list(itertools.product(range(256), repeat=one.shape[1])), one.dtype)


@laws.tabled
def accepts_what_can_be_sent_and_nothing_else(m: Randomizer) -> None:
    reports = forms(m)
    can = {row.tobytes() for row in m.outputs(7 if m.hashed else None) if m.hashed or _likely(m, row)}
    assert {row.tobytes() for row in reports[m.accepts(reports)]} == can


def _likely(m: Randomizer, row: np.ndarray) -> bool:
    """Some mechanisms list a report that has probability 0 under every value, where nothing or everything is marked."""
    return bool(np.isfinite(m.log_likelihood(row[None])).any())


@pytest.mark.parametrize(("law", "mechanisms"), cases.crossed([accepts_what_can_be_sent_and_nothing_else]))
def test_accepts(law, mechanisms):
    laws.obeyed(law, mechanisms)


@for_each("key", list(cases.FREQUENCY))
def test_every_report_that_is_sent_is_accepted_at_a_large_k(key):
    m = cases.build(key, 1.0, 300, 120)
    assert m.accepts(m.perturb(np.arange(300), stream(6))).all()


# sets --------------------------------------------------------------------------------------------------------------

SHAPES = (
    (5, 3, 2, 0), (6, 4, 3, 0), (6, 6, 2, 0), (5, 3, 1, 0), (4, 1, 2, 2), (6, 1, 3, 0), (5, 1, 4, 0), (6, 0, 2, 0),
    (5, 2, 2, 2), (4, 0, 3, 3),
)  # fmt: skip
"""k, marked, m, dummies: with fewer marked than items per set, too, and with none."""
LEVELS = (
    ((inf, 2.0, 0.5, 2.0, 0.5, inf), 2, 0), ((inf, 2.0, 2.0, 0.5, 0.5), 3, 0), ((2.0, 2.0, 0.5, 0.5), 2, 0),
    ((inf, 0.5, 2.0, 2.0), 2, 2), ((inf,) * 4, 2, 0), ((inf, 1.0, inf, inf), 2, 0), ((inf, inf, 2.0, 0.5), 3, 0),
)  # fmt: skip
SEEDS = (0, set_laws.PUBLIC)


@cache
def for_sets(key: str) -> dict[str, SetRandomizer]:
    """Every shape that this entry can be built for."""
    if key in LEVELED_SETS:
        return {str(case): LEVELED_SETS[key].build(*case) for case in LEVELS}
    built = {}
    for epsilon, (k, marked, m, dummies) in itertools.product((0.1, 1.0, 4.0), SHAPES):
        with contextlib.suppress(ValueError):  # PrivSet and uPrivSet need more than m sensitive items
            built[f"ε = {epsilon:g}, {k, marked, m, dummies}"] = SETS[key].build(
                epsilon, k, cases.marks(k, marked), m, dummies
            )
    assert len(built) >= 12
    return built


def candidates(m: SetRandomizer) -> np.ndarray:
    """Reports in the form of this mechanism, far more than it can send: all there are, of a ring one of each cell."""
    one = m.perturb(m.all_sets()[:1], stream(5))
    wide = range(-2, m.inner + 2)
    if one.dtype.names is None and one.dtype == np.uint8:
        return np.array(list(itertools.product(range(256), repeat=one.shape[1])), one.dtype)
    if one.dtype.names is None:
        rows = np.array(list(itertools.product(wide, repeat=one[0].size)), one.dtype)
        return rows.reshape(-1, *one.shape[1:])
    slots = one["disclosed"].shape[1]
    named = np.array(list(itertools.product(wide, repeat=slots)), np.int64).reshape(len(wide) ** slots, slots)
    ends = [(seed, place) for seed in SEEDS for place in {0, *m.outputs(seed)["place"].tolist()}]
    out = np.zeros(len(named) * len(ends), one.dtype)
    out["disclosed"] = np.repeat(named, len(ends), axis=0)
    out["seed"], out["place"] = np.tile(np.array(ends, np.uint64), (len(named), 1)).T
    return out


def can_be_sent(m: SetRandomizer, reports: np.ndarray) -> np.ndarray:
    """By enumeration: among all reports of these hashes, as they are listed, and some set gives it a chance."""
    listed = np.concatenate([m.outputs(seed) for seed in (SEEDS if m.hashed else (None,))])
    if m.hashed:  # the first place of the ring belongs to the cell that the last cut begins
        start = np.concatenate([_at_zero(m, seed) for seed in SEEDS])
        listed = np.concatenate([listed, start])
    known = np.isin(keys_of(reports), keys_of(listed))
    out = np.zeros(len(reports), bool)
    out[known] = np.isfinite(m.log_likelihood(reports[known], m.all_sets())).any(axis=1)
    return out


def _at_zero(m: SetRandomizer, seed: int) -> np.ndarray:
    every = m.outputs(seed)
    last = every[every["place"] == every["place"].max()].copy()
    last["place"] = 0
    return last


@pytest.mark.parametrize("key", [*SETS, *LEVELED_SETS])
def test_sets_accept_what_some_set_can_send_and_nothing_else(key):
    for case, m in for_sets(key).items():
        reports = candidates(m)
        wrong = m.accepts(reports) != can_be_sent(m, reports)
        assert not wrong.any(), (case, reports[wrong][:3])


@pytest.mark.parametrize("key", [*SETS, *LEVELED_SETS])
def test_every_report_of_a_set_is_accepted_at_a_large_k(key):
    mask = cases.marks(160, 90)
    m = SETS[key].build(2.0, 160, mask, 8, 8) if key in SETS else LEVELED_SETS[key].build([inf] * 70 + [1.0] * 90, 8, 8)
    sets = np.array([stream(1, "sets", i).choice(168, 8, replace=False) for i in range(300)])
    assert m.accepts(m.perturb(sets, stream(6, key))).all()


# numbers -----------------------------------------------------------------------------------------------------------

LOWS = {
    "all marked": (),
    "the middle": ((-0.5, 0.5),),
    "an end": ((-1.0, -0.2),),
    "two": ((-0.8, -0.3), (0.1, 0.6)),
    "nothing marked": ((-1.0, 1.0),),
}
PARTS = (((-1, 0, inf), (0, 0.5, 2), (0.5, 1, 0.5)), ((-1, -0.5, 2), (-0.5, 1, inf)), ((-1, 1, inf),), ((-1, 1, 1.0),))


@cache
def for_numbers(key: str) -> dict[str, NumericRandomizer]:
    if key in LEVELED_MEANS:
        entry = LEVELED_MEANS[key]
        return {str(parts): entry.build(parts, bins=16) for parts in PARTS if entry.exists(Parts(parts))}
    entry = MEANS[key]
    lows = LOWS if entry.uses_marks else {"all marked": ()}
    return {
        f"ε = {epsilon:g}, {name}": entry.build(epsilon, low, bins=16)
        for epsilon, (name, low) in itertools.product((1e-3, 0.3, 1.0, 2.5, 8.0), lows.items())
    }


def inputs(m: NumericRandomizer, reports: np.ndarray) -> np.ndarray:
    """Of every kind; and those that would be sent as these reports are, where some input is."""
    ends = np.concatenate([m.inputs, m.points, np.linspace(-1, 1, 401)])
    at = m.places(ends)
    order = np.argsort(at)
    return np.unique(np.clip(np.concatenate([ends, np.interp(reports, at[order], ends[order])]), -1, 1))


@pytest.mark.parametrize("key", [*MEANS, *LEVELED_MEANS])
def test_numbers_accept_what_some_input_can_send_and_nothing_else(key):
    for case, m in for_numbers(key).items():
        left, right = m.edges[0], m.edges[-1]
        x = np.linspace(-1, 1, 301)
        sent = m.perturb(np.repeat(x, 10), stream(8, key, case))
        assert m.accepts(sent).all(), case
        assert not m.accepts(np.array([np.nan, np.inf, -np.inf])).any(), case
        beside = np.concatenate([np.linspace(left - 1, right + 1, 203), sent[:200] + 1e-4, [-1e5, 1e5, 131000.0]])
        # An input that is sent as it is has a neighbour that is, too: to rounding, the likelihood knows of one.
        can = _sendable(m, beside)
        wrong = m.accepts(beside) != can
        assert not wrong.any(), (case, beside[wrong][:5])


def _sendable(m: NumericRandomizer, reports: np.ndarray) -> np.ndarray:
    """Whether some input gives each of these a density or an atom, at its own place too."""
    can = np.isfinite(m.log_likelihood(reports, inputs(m, reports))).any(axis=1)
    own = inputs(m, reports)
    shown = own[m.disclosure(own) > 0]
    if not len(shown):
        return can
    # Of a value that is sent as it is, the place is continuous in the value: between two near ones all are reached.
    at = np.sort(m.places(shown))
    after = np.searchsorted(at, reports)
    near = (after > 0) & (after < len(at))
    gap = at[np.clip(after, 1, len(at) - 1)] - at[np.clip(after, 1, len(at) - 1) - 1]
    step = np.diff(m.places(np.linspace(-1, 1, 401))).max()
    return can | (near & (gap <= step * (1 + 1e-9)))


# what is collected with --------------------------------------------------------------------------------------------


def test_what_has_no_end_is_not_collected_with():
    """And what is named in its place errs less at every ε, whatever people's answers are."""
    far = np.array([1e12])
    for key, entry in MEANS.items():
        assert bool(entry.instead) == bool(entry.build(1.0).accepts(far)[0]), key
    for key, entry in FREQUENCY.items():
        assert bool(entry.instead) == entry.factory.summed, key
    assert not any(entry.instead for entry in SETS.values())
    for epsilon in np.geomspace(1e-3, 20, 25):
        for entry in MEANS.values():
            if entry.instead:
                x = np.linspace(-1, 1, 51)
                better, own = (MEANS[name].build(epsilon) for name in (entry.instead, entry.key))
                assert (better.moments(x, "unbiased")[1] < own.moments(x, "unbiased")[1]).all(), epsilon
        for entry in FREQUENCY.values():
            for k in (2, 5) if entry.instead else ():
                better, own = (FREQUENCY[name].build(epsilon, k) for name in (entry.instead, entry.key))
                assert (better.variance(np.eye(k)[0], 1) < own.variance(np.eye(k)[0], 1)).all(), epsilon
