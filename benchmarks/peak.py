"""How much memory a piece of work takes at most, in a process of its own: `python -m benchmarks.peak WORK SIZE`."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks import real
from benchmarks.case import NotHere, Work
from ldpcore import catalog
from ldpcore.data.simulated import reservoir
from ldpcore.rng import stream

K, ITEMS, M, BLOCK = 128, 1024, 8, 1 << 17
ROOT = Path(__file__).resolve().parents[1]
REPORTS = ("GRR", "OUE", "OLH", "SS")


def _in_blocks(key: str, n: int) -> Work:
    """A collector's work: reports arrive block after block, only their tallies are kept."""
    mechanism, rng = catalog.FREQUENCY[key].build(1.0, K), stream(1, "benchmark", key)

    def work() -> None:
        tallies = (
            mechanism.tally(mechanism.perturb(rng.integers(0, K, min(BLOCK, n - at)), rng)) for at in range(0, n, BLOCK)
        )
        total = next(tallies)
        for tally in tallies:
            total = total + tally
        mechanism.estimate(total)

    return work


def _simulated(n: int) -> Work:
    """Ten surveys by every mechanism for one column of a thousand values."""
    rng = stream(1, "benchmark")
    counts, marked = rng.multinomial(n, rng.dirichlet(np.ones(1000))), np.arange(1000) < 250
    built = [entry.build(1.0, 1000, marked) for entry in catalog.FREQUENCY.values()]
    return lambda: [mechanism.simulate(counts, rng, 10) for mechanism in built]


def _sets(n: int) -> Work:
    """Ten surveys of suWheel."""
    rng = stream(1, "benchmark")
    mechanism = catalog.SETS["suWheel"].build(1.0, ITEMS, np.arange(ITEMS) % 4 == 0, M)
    held = np.ascontiguousarray(reservoir(n, ITEMS, M, rng).astype(np.intp))
    return lambda: mechanism.simulate(held, rng, 10)


WORKS: dict[str, Callable[[int], Work]] = {
    **{key: lambda n, key=key: _in_blocks(key, n) for key in REPORTS},
    "simulate": _simulated,
    "suWheel": _sets,
    **{
        name: lambda _, name=name: lambda: real.opened(name)
        for name in ("adult.data.gz", "retail.dat.gz", "online_retail.parquet")
    },
}


def peak(name: str, size: int) -> float:
    """MB that it takes at most, above what the process had before; NotHere where no system tells."""
    if name not in REPORTS and "." in name:
        real.need(name)
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.peak", name, str(size)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"peak {name} {size}: {done.stderr.strip().splitlines()[-1]}")
    found = json.loads(done.stdout)
    if found is None:
        raise NotHere("the peak of a process's memory is read from Linux's /proc, which is not here")
    return found


def main(name: str, size: int) -> float | None:
    work, told, reset = WORKS[name](size), Path("/proc/self/status"), Path("/proc/self/clear_refs")
    if not told.exists():
        return None
    reset.write_text("5")  # the peak so far is forgotten: what was read to set up does not count
    before = _told(told, "VmRSS")
    work()
    return max(_told(told, "VmHWM") - before, 0.001)


def _told(status: Path, field: str) -> float:
    found = re.search(rf"^{field}:\s+(\d+) kB$", status.read_text(encoding="utf-8"), re.M)
    if found is None:
        raise ValueError(f"{status} has no {field}")
    return int(found.group(1)) * 1024 / 1e6


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], int(sys.argv[2]))))
