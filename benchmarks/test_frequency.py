"""Speed against the peers, as ratios within one run: pytest benchmarks --benchmark-disable-gc -s

Needs `pip install -e ".[benchmark]"`. Every test prints its ratio and fails below the target of the project.
Peers that take seconds are timed on fewer users and scaled up, which favours them (their set-up is counted once).
"""

import time
import tracemalloc
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from ldpcore import catalog
from ldpcore.data import Histogram
from ldpcore.domain import Categorical
from ldpcore.rng import stream
from ldpcore.study import Arm, Source, Study, frequency

K = 128
RNG = stream(1, "benchmark")


def best(work: Callable[[], object], repeats: int = 5, clock: Callable[[], float] = time.perf_counter) -> float:
    """Seconds of the fastest run: the others were disturbed."""
    times = []
    for _ in range(repeats):
        start = clock()
        work()
        times.append(clock() - start)
    return min(times)


def report(name: str, ratio: float, target: str) -> None:
    print(f"\n{name}: {ratio:.2f} (target {target})")


def test_grr_costs_a_few_random_numbers() -> None:
    values = RNG.integers(0, K, 1_000_000)
    mechanism = catalog.FREQUENCY["GRR"].build(1.0, K)
    unit = best(lambda: RNG.random(len(values)), 15)
    ratio = best(lambda: mechanism.estimate(mechanism.tally(mechanism.perturb(values, RNG))), 15) / unit
    report("GRR perturb + tally + estimate / rng.random(n)", ratio, "at most 3.5")
    assert ratio <= 3.5


@pytest.mark.parametrize("epsilon", [1.0, 4.0])
def test_oue_against_multi_freq_ldpy(epsilon: float) -> None:
    peer = pytest.importorskip("multi_freq_ldpy.pure_frequency_oracles.UE")
    values = RNG.integers(0, K, 100_000)
    mechanism = catalog.FREQUENCY["OUE"].build(epsilon, K)
    ours = best(lambda: mechanism.estimate(mechanism.tally(mechanism.perturb(values, RNG))), 9)
    few = values[:20_000]
    peer.UE_Client(0, K, epsilon, True)  # compiled before it is timed
    theirs = (
        best(lambda: peer.UE_Aggregator_MI([peer.UE_Client(v, K, epsilon, True) for v in few], epsilon, True), 2) * 5
    )
    report(f"OUE at ε = {epsilon:g}, multi-freq-ldpy / ours", theirs / ours, "at least 40")
    assert theirs / ours >= 40


def test_olh_tally_against_multi_freq_ldpy() -> None:
    peer = pytest.importorskip("multi_freq_ldpy.pure_frequency_oracles.LH")
    values = RNG.integers(0, K, 100_000)
    mechanism = catalog.FREQUENCY["OLH"].build(1.0, K)
    reports = mechanism.perturb(values, RNG)
    ours = best(lambda: mechanism.tally(reports))
    few = [peer.LH_Client(v, K, 1.0, True) for v in values[:1000]]
    theirs = best(lambda: peer.LH_Aggregator_MI(few, K, 1.0, True), 2) * 100
    report("OLH tally, multi-freq-ldpy / ours", theirs / ours, "at least 100")
    assert theirs / ours >= 100


def test_olh_tally_against_pure_ldp() -> None:
    peer = pytest.importorskip("pure_ldp.frequency_oracles")
    values = RNG.integers(0, K, 100_000)
    mechanism = catalog.FREQUENCY["OLH"].build(1.0, K)
    reports = mechanism.perturb(values, RNG)
    ours = best(lambda: mechanism.tally(reports))
    client = peer.LHClient(1.0, K, use_olh=True)
    few = [(client.privatise(int(v) + 1), seed) for seed, v in enumerate(values[:500])]

    def theirs() -> None:
        server = peer.LHServer(1.0, K, use_olh=True)
        for report_, seed in few:
            server.aggregate((report_[0] if isinstance(report_, tuple) else report_, seed))

    ratio = best(theirs, 2) * 200 / ours
    report("OLH tally, pure-ldp / ours", ratio, "at least 100")
    assert ratio >= 100


def _surveys(k: int, n: int, mechanisms: tuple[str, ...]) -> tuple[Study, Histogram]:
    counts = RNG.multinomial(n, RNG.dirichlet(np.ones(k)))
    labels = [f"v{v}" for v in range(k)]
    study = Study(
        Source("benchmark"),
        "column",
        arms=(Arm.of("A", labels[: k // 4]),),
        mechanisms=mechanisms,
        grid=tuple(float(x) for x in np.geomspace(0.1, 5, 19)),
    ).with_options(attacks=0, postprocessing=())
    return study, Histogram(Categorical(labels), counts, n, 0)


QUICK = ("GRR", "RAPPOR", "OUE", "OLH", "uRR", "uRAP", "uOUE", "SDGRR")


@pytest.mark.parametrize(("k", "mechanisms"), [(100, (*QUICK[:-1], "SS")), (1000, QUICK)], ids=["k100", "k1000"])
def test_error_curves_are_live(k: int, mechanisms: tuple[str, ...]) -> None:
    """10 repetitions, 8 mechanisms, 20 ε, n = 10⁶, on one core: under 2 s."""
    study, data = _surveys(k, 1_000_000, mechanisms)

    def run() -> None:
        frequency.theory(replace(study, epsilon=1.0), data)
        for chunk in frequency.chunks(study, data):
            chunk()

    seconds = best(run, 3)
    report(f"error curves at k = {k}, seconds", seconds, "under 2")
    assert seconds < 2


def test_simulation_does_not_depend_on_n() -> None:
    """All mechanisms together, k = 1000: 10⁹ people cost at most 1.5 times what 10⁵ cost, in little memory."""
    seconds = {}
    for n in (10**5, 10**9):
        counts = RNG.multinomial(n, RNG.dirichlet(np.ones(1000)))
        marked = np.arange(1000) < 250
        built = [entry.build(1.0, 1000, marked) for entry in catalog.FREQUENCY.values()]

        def draw(built: list = built, counts: np.ndarray = counts) -> None:
            for mechanism in built:
                mechanism.simulate(counts, RNG, 3)

        draw()
        seconds[n] = best(draw, 3)
    tracemalloc.start()
    draw()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    report("simulate at n = 10⁹ / 10⁵", seconds[10**9] / seconds[10**5], "at most 1.5")
    report("peak memory at n = 10⁹, MB", peak / 1e6, "under 300")
    assert seconds[10**9] <= 1.5 * seconds[10**5]
    assert peak < 300e6
