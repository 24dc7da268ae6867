"""The bits of a report, crossed with every catalogue: what is sent, drawn by the sampler itself, fits into them.

No code is shorter than the entropy of what it writes, and that of a sample is less than that of its law but for chance;
nor need a report be longer than the memory that holds it. A curator who is trusted is sent no report.
"""

from collections.abc import Callable, Iterator
from math import inf, isfinite

import numpy as np
import pytest
from numpy.typing import NDArray

from ldpcore import catalog
from ldpcore.clusters.example import answer
from ldpcore.clusters.result import index_bits
from ldpcore.itemsets import baskets_of
from ldpcore.itemsets.question import GroundTruth, MiningQuestion
from ldpcore.leveled_parts import Parts
from ldpcore.mechanisms.direct import GRR
from ldpcore.mechanisms.unary import OUE
from ldpcore.rng import stream
from tests.each import for_each

DRAWN = 400
"""Reports: ten times the kinds there are, where these are few."""
EPSILONS = np.array([inf, 1.0, inf, 0.5, 1.0])
MARKED = np.isfinite(EPSILONS)
Size = tuple[float, float, float]
"""The bits that are said; at least and at most so many."""


def entropy(sent: list[bytes]) -> float:
    """Bits, of these as they come."""
    shares = np.unique(np.array(sent, object), return_counts=True)[1] / len(sent)
    return float(-shares @ np.log2(shares))


def counted(reports: NDArray, bits: float) -> Size:
    """Of reports (n, ...) as the sampler holds them."""
    rows = [np.ascontiguousarray(row).tobytes() for row in reports]
    return bits, entropy(rows), 8 * max(map(len, rows))


def of_answers(entry) -> Size:
    values, rng = np.arange(DRAWN) % 5, stream(1, "bits")
    if entry.key in catalog.PAIRS:
        m = entry.build(1.0, [False, True, True], [False, True])
        return counted(m.perturb(np.arange(DRAWN) % m.k, rng), m.report_bits())
    m = entry.protecting(EPSILONS, 1.0)
    return counted(m.perturb(values, rng), m.report_bits())


def of_items(entry) -> Size:
    rng = stream(1, "bits")
    m = entry.protecting(EPSILONS, 1.0, 2, 2)
    held = np.sort([rng.choice(m.inner, 2, replace=False) for _ in range(DRAWN)], axis=1)
    return counted(m.perturb(held, rng), m.report_bits(np.bincount(held.ravel(), minlength=m.inner)[: m.k] / DRAWN))


def of_numbers(entry) -> Size:
    m = entry.protecting(Parts([(-1, 0, inf), (0, 0.5, 1.0), (0.5, 1, 0.5)]), 1.0, 8)
    return counted(m.perturb(np.linspace(-1, 1, DRAWN), stream(1, "bits")), m.report_bits())


def of_local_ranges(entry) -> Size:
    """At hardly any ε every report of a level is as likely as any other, so that over 4 cells nothing is lost."""
    local, rng = entry.build(2, 1e-3), stream(1, "bits")
    levels = np.arange(DRAWN) % local.levels
    sent = [bytes([level]) + local._send(level, np.array([v % 4]), rng).tobytes() for v, level in enumerate(levels)]
    return local.report_bits(), entropy(sent), entropy(sent) + 0.1


def of_ranges(entry) -> None:
    assert "(central)" in entry.promise
    assert not hasattr(entry.build(2), "report_bits"), "a curator is sent the answer"


def of_miner(entry) -> Size | None:
    lists = [[f"i{item}" for item in np.flatnonzero(row)] for row in stream(1, "baskets").random((400, 8)) < 0.4]
    asked, own = [], stream(2, "bits")
    with pytest.MonkeyPatch.context() as patched:
        for kind in (GRR, OUE):
            whole = kind.simulate

            def simulate(self, counts, *rest, _whole=whole):
                asked.append((self, int(np.sum(counts))))
                return _whole(self, counts, *rest)

            patched.setattr(kind, "simulate", simulate)
        found = entry.mine(GroundTruth(baskets_of(lists), 60), MiningQuestion(2.0), stream(1, "bits"))
    if entry.promise != "LDP":
        assert np.isnan(found.bits), "a curator is sent the baskets"
        return None
    assert sum(people for _, people in asked) == 400
    assert len(asked) == 4, "nobody knows of reports that are sent in another way"
    sizes = [counted(m.perturb(own.integers(0, m.k, 200), own), 0)[1] for m, _ in asked]
    exact = [m.k if isinstance(m, OUE) else np.ceil(np.log2(m.k)) for m, _ in asked]
    people = [people for _, people in asked]
    assert np.average(sizes, weights=people) <= found.bits
    return found.bits, *[float(np.average(exact, weights=people))] * 2


def of_clustering(entry) -> Size:
    levels, n = (3, 4, 2, 3), 300
    X = np.stack([stream(1, "records", d).integers(0, d, n) for d in levels], axis=1)
    epsilons = {"epsilons": (1.0, inf, 0.5, 1.0)} if entry.uses_marks else {}
    run = entry.run(X, 3, 1.0, stream(1, entry.key), levels=levels, **epsilons)
    if entry.central:
        assert run.report_bits(n) == sum(map(index_bits, levels)), "a curator is sent the record"
    low = high = 0.0
    known: dict[str, tuple[float, float]] = {}
    for message in run.messages:
        if message.sender == "user":
            if message.kind not in known:
                rng = stream(2, entry.key)
                sent = [answer(message, X[person % n], levels, run.modes, rng) for person in range(DRAWN)]
                whole = [repr([(each.attributes, each.sent) for each in one]).encode() for one in sent]
                # Rounded up: the number of what is told of, and what is told.
                known[message.kind] = entropy(whole), np.mean([sum(each.cells for each in one) for one in sent]) + 4
            low += message.count * known[message.kind][0] / n
            high += message.count * known[message.kind][1] / n
    return run.report_bits(n), low, high


COUNTS: list[tuple[catalog.Catalog, Callable]] = [
    (catalog.TWO_ANSWERS, of_answers),
    (catalog.ITEMS, of_items),
    (catalog.NUMBERS, of_numbers),
    (catalog.MINERS, of_miner),
    (catalog.CLUSTERINGS, of_clustering),
    (catalog.RANGES, of_ranges),
    (catalog.LOCAL_RANGES, of_local_ranges),
]


def entries() -> Iterator:
    for listed in catalog.ALL:
        count = next((count for known, count in COUNTS if known is listed), None)
        yield from (pytest.param(count, entry, id=f"{listed.noun}-{key}") for key, entry in listed.items())


@for_each(("count", "entry"), list(entries()))
def test_a_report_fits_into_its_bits_and_not_into_far_fewer(count, entry):
    assert count is not None, "a catalogue whose reports nobody counts"
    size = count(entry)
    if size is not None:
        bits, least, most = size
        assert isfinite(bits)
        assert least - 1e-9 <= bits <= most + 1e-9, (entry.key, bits, least, most)
