"""A study, and the frequent sets of a folder larger than memory, on one process, on two, and on a cluster.

    python benchmarks/cluster.py study mine                 # some minutes
    python benchmarks/cluster.py mine --gigabytes 5 --write docs/scale.md

Of a cluster one of two workers is killed in the middle (SIGKILL), and what comes out is compared byte for byte. --write
puts each table between its marks in that file. Everything is made in a temporary folder and removed.
"""

import argparse
import os
import pickle
import shutil
import signal
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Executor
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from scale import _peak, _put, _table, machine

from ldpcore import data, study, workers
from ldpcore.collection import mining
from ldpcore.data.partitions import partitions
from ldpcore.itemsets import apriori_of
from ldpcore.rng import stream
from ldpcore.study import Marks, Source, Study, execute, tasks

PEOPLE, ITEMS, PER_FILE, MEMORY, SHARE = 200_000, 2000, 50_000, "1GB", 0.002


class Killing:
    """At half of the work, a worker of a cluster; and the most memory that one of them ever had, MB."""

    def __init__(self, executor: Executor | None, kill: bool) -> None:
        self.client = getattr(executor, "client", None)
        self.left, self.most = int(kill), 0.0

    def __call__(self, done: int, total: int) -> None:
        if self.client is None:
            return
        if done % 20 == 0 or done == total:
            seen = self.client.run(_peak, on_error="ignore").values()  # but of one that is just gone
            self.most = max([self.most, *(peak for _, peak in seen)])
        if self.left and done >= total // 2:
            self.left -= 1
            os.kill(min(self.client.run(os.getpid, on_error="ignore").values()), signal.SIGKILL)


_LOCAL = workers.WorkerRequest(2, local=True, memory=MEMORY)
PLACES = {
    "one process": (workers.WorkerRequest(1), False),
    "two processes": (workers.WorkerRequest(2), False),
    "local cluster, two workers": (_LOCAL, False),
    "local cluster, one of two killed": (_LOCAL, True),
}
"""What is compared: where, and whether a worker is killed."""


def _chosen(given: argparse.Namespace) -> list[tuple[str, tuple[workers.WorkerRequest, bool]]]:
    """Those asked for; the first is what the others are compared with."""
    return [(name, where) for number, (name, where) in enumerate(PLACES.items()) if number in given.places]


def of_study(given: argparse.Namespace, folder: Path) -> str:
    """Means of 200 000 numbers that all differ, which every chunk of the study needs."""
    numbers = pd.DataFrame({"x": stream(7, "numbers").normal(45, 15, PEOPLE)})
    table = data.read(numbers.to_csv(index=False).encode(), "numbers.csv")
    asked = Study(
        Source("numbers.csv"), "x", Marks.of(["70..100"]), ("PM", "uTernary", "HM", "Laplace"), grid=(0.5, 2.0),
        repetitions=given.repetitions, task="means", bins=(0, 100, 64),
    ).with_options(estimates=("mean", "unbiased"))  # fmt: skip
    counted = execute.prepare(asked, table)
    chunks = tasks.of(asked).chunks(asked, counted)
    each, whole = (len(pickle.dumps(held, 5)) for held in (chunks[0], counted))
    rows, first = [], b""
    for name, (where, kill) in _chosen(given):
        with workers.opened(where) as executor:
            if executor is not None:
                list(workers.mapped(abs, range(2), executor))  # started
            during, sent = Killing(executor, kill), _sent(executor, each, whole, len(chunks))
            began = time.perf_counter()
            found = study.run(asked, table, executor, during)
            spent = time.perf_counter() - began
        written = data.as_csv(found).encode()
        first = first or written
        if written != first:
            raise SystemExit(f"{name}: other rows than from one process")
        rows.append([name, f"{spent:.1f}", sent()])
    return (
        f"{len(chunks)} chunks, each with the {whole / 1e6:.1f} MB of its table; {len(first) / 1e3:,.0f} kB of rows, "
        "the same bytes every time.\n\n" + _table(["", "seconds", "sent to workers, MB"], rows)
    )


def _sent(executor: Executor | None, each: int, whole: int, chunks: int) -> Callable[[], str]:
    """What tells, afterwards, how much went to the workers: counted where a task is packed."""
    if executor is None:
        return lambda: ""
    pack, packed = getattr(executor, "_packed", None), []
    if pack is None:
        return lambda: f"{each * chunks / 1e6:.1f}"

    def counting(call):
        out = pack(call)
        packed.append(len(out[0]))
        return out

    executor._packed = counting  # type: ignore[attr-defined]
    return lambda: f"{(sum(packed) + whole) / 1e6:.1f}"


def of_mine(given: argparse.Namespace, folder: Path) -> str:
    """Baskets with 7 items on average, of 2 000 whose shares fall as a power; a set is frequent in 2 of 1 000."""
    size, baskets = 0, 0
    while size < given.gigabytes * 1e9:
        text = _baskets(baskets // PER_FILE)
        (folder / f"{baskets // PER_FILE:05d}.csv").write_text(text)
        size, baskets = size + len(text), baskets + PER_FILE
    parts = partitions(folder, size=mining.SIZE, lines=True)
    reading = mining.ItemLocation(separator=mining.separator_of(parts, ","))
    rows, first = [], b""
    for name, (where, kill) in _chosen(given):
        with workers.opened(where) as executor:
            during, began = Killing(executor, kill), time.perf_counter()

            def tick(length: int, done: int, total: int, during: Killing = during) -> None:
                if length > 1:
                    during(done, total)

            found, n = apriori_of(
                [partial(reading, part) for part in parts], SHARE, order=mining.ordered, executor=executor, tick=tick
            )
            spent = time.perf_counter() - began
        written = data.as_csv(mining.table(found, n)).encode()
        first = first or written
        if written != first:
            raise SystemExit(f"{name}: other sets than from one process")
        peak = f"{during.most:.0f}" if during.most else f"{_peak()[1]:.0f}" if name == "one process" else ""
        rows.append([name, f"{spent:.0f}", f"{size * 3 / spent / 1e6:.0f}", peak])
    return (
        f"{baskets:,} baskets of {ITEMS:,} items in {size / 1e9:.1f} GB of text and {len(parts)} parts, each read "
        f"three times; {first.count(10) - 1:,} sets in {found.min_count:,} baskets or more, the same bytes every time. "
        f"Each worker of a cluster has {MEMORY}.\n\n"
        + _table(["", "seconds", "MB read per second", "largest memory of a process, MB"], rows)
    )


def _baskets(number: int) -> str:
    rng = stream(7, "baskets", number)
    chance = 1 / np.arange(1, ITEMS + 1) ** 0.9
    ends = np.cumsum(1 + rng.poisson(6, PER_FILE))
    items = np.searchsorted(np.cumsum(chance / chance.sum())[:-1], rng.random(ends[-1]))
    after = np.full(len(items), ",")
    after[ends - 1] = "\n"
    return "".join(np.char.add(np.array([f"item {j:04d}" for j in range(ITEMS)])[items], after).tolist())


PARTS = {"study": of_study, "mine": of_mine}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("parts", nargs="+", choices=list(PARTS))
    arguments.add_argument("--repetitions", type=int, default=50, help="of the study")
    arguments.add_argument("--gigabytes", type=float, default=1.0, help="of baskets")
    arguments.add_argument("--places", type=int, nargs="+", default=range(4), help=f"0 to 3: {', '.join(PLACES)}")
    arguments.add_argument("--write", type=Path, help="a file with marks for each table")
    given = arguments.parse_args()
    for part in given.parts:
        folder = Path(tempfile.mkdtemp(prefix="ldpcore-"))
        try:
            text = f"{PARTS[part](given, folder)}\n\n{machine()}"
        finally:
            shutil.rmtree(folder)
        print(f"## {part}\n\n{text}\n", flush=True)
        if given.write is not None:
            _put(given.write, part, text)


if __name__ == "__main__":
    main()
