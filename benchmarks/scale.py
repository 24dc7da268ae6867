"""Collections larger than memory: rates, growth, what a thousand million people would cost, and a killed worker.

    python benchmarks/scale.py                              # all but the last, some minutes
    python benchmarks/scale.py kill --people 1e8            # Dask, two workers of 1 GB, one killed, against one process
    python benchmarks/scale.py rates growth cost memory kill --people 1e8 --write docs/scale.md

--write puts each table between its marks in that file. Everything is made in a temporary folder and removed.
"""

import argparse
import contextlib
import hashlib
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ldpcore import collection, workers
from ldpcore.collection import AnswerBatch, Drawing, FolderQuestion, ItemBatch, NumberBatch
from ldpcore.data.partitions import ROWS, partitions
from ldpcore.rng import stream

EPSILON, SEED, BLOCK, MEMORY = 1.0, 7, 1 << 18, "1GB"
Found = Callable[[argparse.Namespace, Path], str]


def answers(key: str, k: int) -> AnswerBatch:
    labels = tuple(f"answer {v}" for v in range(k))
    return AnswerBatch(key, EPSILON, "answer", answers=labels, sensitive=tuple(v < k // 4 for v in range(k)))


def items(key: str, k: int) -> ItemBatch:
    labels = tuple(f"item {v}" for v in range(k))
    return ItemBatch(key, EPSILON, "answer", items=labels, sensitive=tuple(v < k // 4 for v in range(k)), m=4)


def number(key: str) -> NumberBatch:
    return NumberBatch(key, EPSILON, "answer", low=0, high=100, sensitive=("75..100",))


def people(asked: FolderQuestion[Any], n: int, folder: Path, files: int = 1) -> Path:
    """A folder of n invented answers in Parquet: shares fall as 1/(v + 1), sets have up to six items."""
    folder.mkdir()
    for number_, size in enumerate(np.diff(np.linspace(0, n, files + 1).astype(int))):
        path, left, block = folder / f"part-{number_:03d}.parquet", int(size), 0
        schema = pa.schema([("answer", _cells(asked, 1, stream(SEED, "type")).type)])
        with pq.ParquetWriter(path, schema) as file:
            while left:
                rng = stream(SEED, "people", number_, block)
                cells = _cells(asked, min(left, BLOCK), rng)
                file.write_table(pa.table([cells], schema=schema), row_group_size=BLOCK)
                left, block = left - len(cells), block + 1
    return folder


def _cells(asked: FolderQuestion[Any], n: int, rng: np.random.Generator) -> pa.Array:
    if isinstance(asked, NumberBatch):
        return pa.array(rng.normal(40, 15, n).round(1))
    labels = asked.answers if isinstance(asked, AnswerBatch) else asked.items
    chance = 1 / np.arange(1, len(labels) + 1)
    upto = np.cumsum(chance / chance.sum())[:-1]
    if isinstance(asked, AnswerBatch):
        return _labelled(np.searchsorted(upto, rng.random(n)), labels)
    starts = np.concatenate([[0], np.cumsum(rng.integers(0, 7, n))]).astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(starts), _labelled(np.searchsorted(upto, rng.random(starts[-1])), labels))


def _labelled(codes: np.ndarray, labels: tuple[str, ...]) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32)), pa.array(labels)).cast(pa.string())


def collected(
    asked: FolderQuestion[Any], source: Path, output: Path, executor: Executor | None = None,
    during: Callable[[int, int], None] | None = None, clock: Callable[[], float] = time.perf_counter,
    rows: int = BLOCK,
) -> tuple[float, float, Any]:  # fmt: skip
    """Seconds to draw and to count, and the tally."""
    how = Drawing(asked, str(output), seed=SEED)
    start = clock()
    parts = partitions(source, rows=rows)
    collection.begin(how, parts, resume=False)
    collection.run(how, parts, executor, during)
    middle = clock()
    counted, refused = collection.total(asked, partitions(output, rows=rows), executor, during)
    assert refused == 0
    return middle - start, clock() - middle, counted


KINDS = {
    "a symbol (GRR, k = 16)": answers("GRR", 16),
    "bits (OUE, k = 16)": answers("OUE", 16),
    "a hash (OLH, k = 16)": answers("OLH", 16),
    "a subset (uSS, k = 16)": answers("uSS", 16),
    "Hadamard (HR, k = 1024)": answers("HR", 1024),
    "a set (PrivSet, k = 100, m = 4)": items("PrivSet", 100),
    "a ring (suWheel-J, k = 100, m = 4)": items("suWheel-J", 100),
    "a number (PM)": number("PM"),
    "three values (uTernary)": number("uTernary"),
}


@contextlib.contextmanager
def places() -> Iterator[dict[str, Executor | None]]:
    with (
        workers.opened(workers.WorkerRequest(2)) as pool,
        workers.opened(workers.WorkerRequest(2, local=True)) as cluster,
    ):
        there: dict[str, Executor | None] = {"one process": None, "two processes": pool, "local cluster": cluster}
        yield there


def rates(given: argparse.Namespace, folder: Path) -> str:
    """People per second, by kind of report: of one processor, and by the clock in each place, where the best of three
    runs counts. Every place ends with the same tally.
    """
    rows, clocked = [], []
    with places() as there:
        for place, (name, asked) in enumerate(KINDS.items()):
            # Sets take twenty times as long as one answer.
            n = given.rate_people // (8 if isinstance(asked, ItemBatch) else 1)
            source = people(asked, n, folder / f"rates-{place}")
            run = partial(_best, asked, source, folder / f"rates-{place}-reports", n)
            alone, size, first = run(None, time.process_time)
            rows.append([name, f"{size:.1f}", *(_rate(n / each) for each in alone)])
            found = [run(executor, time.perf_counter) for executor in there.values()]
            assert all(tally == first for *_, tally in found)
            clocked.append([name, *(_rate(n / spent[what]) for what in (0, 1) for spent, *_ in found)])
    head = [f"{what}, {where}" for what in ("perturb", "estimate") for where in there]
    return (
        _table(["a report is", "bytes", "perturb, one processor", "estimate, one processor"], rows)
        + "\n\nBy the clock:\n\n" + _table(["a report is", *head], clocked)
    )  # fmt: skip


def _best(
    asked: FolderQuestion[Any],
    source: Path,
    output: Path,
    n: int,
    executor: Executor | None,
    clock: Callable[[], float],
) -> tuple[Any, float, Any]:
    """Seconds to draw and to count, the best of three runs; bytes of a report; the tally."""
    best, size, tally = np.full(2, np.inf), 0.0, None
    for _ in range(3):
        *spent, tally = collected(asked, source, output, executor, clock=clock, rows=n // 16)
        best = np.minimum(best, spent)
        size = sum(path.stat().st_size for path in output.rglob("*.parquet")) / n
        shutil.rmtree(output)
    return best, size, tally


AT = (4, 16, 64, 256, 1024, 4096)


def growth(given: argparse.Namespace, folder: Path) -> str:
    """Processor seconds against n at k = 16, and per million people against k; exponents by least squares."""
    rows = []
    for key in ("GRR", "OUE", "OLH", "HR"):
        sizes = [given.rate_people >> step for step in range(4, -1, -1)]
        spent = [_spent(answers(key, 16), n, folder / f"n-{key}-{n}") for n in sizes]
        wide = [_spent(answers(key, k), given.wide_people, folder / f"k-{key}-{k}") for k in AT]
        for what in (0, 1):
            seconds = [each[what] / given.wide_people * 1e6 for each in wide]
            rows.append([
                key, ("perturb", "estimate")[what], f"{_slope(sizes, [each[what] for each in spent]):.2f}",
                *(f"{each:.2g}" for each in seconds), f"{_slope(AT[-3:], seconds[-3:]):.2f}",
            ])  # fmt: skip
    head = ["mechanism", "", "exponent of n"] + [f"k = {k}" for k in AT] + ["exponent of k"]
    return _table(head, rows)


def _spent(asked: FolderQuestion[Any], n: int, folder: Path) -> list[float]:
    """Processor seconds of one process, the best of two runs: waiting for others does not count."""
    source, found = people(asked, n, folder), []
    for turn in range(2):
        output = folder.with_name(f"{folder.name}-reports-{turn}")
        found.append(collected(asked, source, output, clock=time.process_time)[:2])
    return np.min(found, axis=0).tolist()


def _slope(x: Any, y: Any) -> float:
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def cost(given: argparse.Namespace, folder: Path) -> str:
    """10⁹ people with 10⁴ answers: from the rate that is measured at 10⁴ answers, as n grows with exponent 1."""
    n, k, rows = 10**9, 10**4, []
    for key in ("GRR", "OLH", "HR", "OUE", "uSS"):
        asked = answers(key, k)
        drawn, counted = _spent(asked, given.wide_people, folder / f"cost-{key}")
        files = (folder / f"cost-{key}-reports-0").rglob("*.parquet")
        size = sum(path.stat().st_size for path in files) / given.wide_people
        share = 1 / np.arange(1, k + 1) / np.sum(1 / np.arange(1, k + 1))
        error = 1.96 * float(np.sqrt(asked.mechanism.variance(share, n).mean()))
        hours = [seconds / given.wide_people * n / 3600 for seconds in (drawn, counted)]
        rows.append([key, f"{hours[0]:.2g}", f"{hours[1]:.2g}", f"{size * n / 1e9:,.0f}", f"{error:.1e}"])
    return _table(["mechanism", "perturb, core hours", "estimate, core hours", "reports, GB", "± of a share"], rows)


def memory(given: argparse.Namespace, folder: Path) -> str:
    """Largest resident memory of one fresh process, MB, at three sizes."""
    rows = []
    for key, k in (("GRR", 16), ("OUE", 16), ("OUE", 4096)):
        found = []
        for n in (10**4, 10**5, 10**6):
            source = people(answers(key, k), n, folder / f"memory-{key}-{k}-{n}")
            told = [sys.executable, __file__, "--alone", key, str(k), str(source)]
            ran = subprocess.run(told, capture_output=True, text=True, check=True)
            found.append(ran.stdout.strip())
        rows.append([f"{key}, k = {k}", *found])
    return _table(["mechanism", "10⁴ people", "10⁵", "10⁶"], rows)


def _alone(key: str, k: str, source: str) -> None:
    collected(answers(key, int(k)), Path(source), Path(source + "-reports"))
    print(f"{_peak()[1]:.0f}")


def kill(given: argparse.Namespace, folder: Path) -> str:
    """Two workers of 1 GB, one killed in the middle of each step, against one process: every byte the same."""
    asked, n = answers(given.mechanism, 16), int(given.people)
    source = people(asked, n, folder / "kill", files=10)
    alone = collected(asked, source, folder / "kill-alone", rows=ROWS)
    with workers.opened(workers.WorkerRequest(2, local=True, memory=MEMORY)) as executor:
        client, killed, most = executor.client, [], {}  # type: ignore[union-attr]

        def during(done: int, total: int) -> None:
            if done % 10 == 0 or done == total:
                seen = client.run(_peak, on_error="ignore").values()  # but of one that is just gone
                most.update({pid: max(most.get(pid, 0), peak) for pid, peak in seen})
            if done == total // 2:
                pid = sorted(client.run(os.getpid, on_error="ignore").values())[0]
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)

        there = collected(asked, source, folder / "kill-dask", executor, during, rows=ROWS)
    same = _digest(folder / "kill-alone") == _digest(folder / "kill-dask")
    tables = [asked.table(each[2]).to_csv(index=False).encode() for each in (alone, there)]
    if not same or alone[2] != there[2] or tables[0] != tables[1]:
        raise SystemExit("the cluster's reports, tally or table differ from those of one process")
    rows = [
        ["one process", *(f"{each:.0f}" for each in alone[:2]), "", ""],
        [f"Dask, two workers of {MEMORY}", *(f"{each:.0f}" for each in there[:2]), str(len(killed)),
         f"{max(most.values()):.0f}"],
    ]  # fmt: skip
    size = sum(path.stat().st_size for path in source.rglob("*.parquet")) / 1e6
    return (
        f"{n:,} people, {given.mechanism}, k = 16, {size:,.0f} MB of Parquet. The reports, "
        f"{len(_files(folder / 'kill-dask'))} files, the tally and the table are the same, byte for byte.\n\n"
        + _table(["", "perturb, s", "estimate, s", "workers killed", "largest memory of a worker, MB"], rows)
    )


def _peak() -> tuple[int, float]:
    """Process, and its largest resident memory so far, MB: not getrusage's, which begins with that of its parent."""
    said = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    return os.getpid(), int(said[1]) / 1024 if said else float("nan")


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.parquet"))


def _digest(folder: Path) -> list[tuple[str, str]]:
    found = []
    for path in _files(folder):
        with path.open("rb") as file:
            found.append((path.name, hashlib.file_digest(file, "sha256").hexdigest()))
    return found


def _rate(per_second: float) -> str:
    return f"{per_second / 1e6:.1f} M" if per_second >= 1e5 else f"{per_second / 1e3:.0f} k"


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


PARTS: dict[str, Found] = {"rates": rates, "growth": growth, "cost": cost, "memory": memory, "kill": kill}


def machine() -> str:
    """Where it was measured, and how many processes wanted to run at once: more than cores, and several gain little."""
    name = next((line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                 if line.startswith("model name")), platform.machine())  # fmt: skip
    return (
        f"{name}, {os.cpu_count()} cores; Python {platform.python_version()}, NumPy {np.__version__}, "
        f"Arrow {pa.__version__}; {time.strftime('%Y-%m-%d')}; load {os.getloadavg()[1]:.1f}, this included."
    )


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[each for each in PARTS if each != "kill"])
    given.add_argument("--people", type=float, default=1e7, help="of kill")
    given.add_argument("--mechanism", default="OUE", help="of kill")
    given.add_argument("--rate-people", type=lambda text: int(float(text)), default=1 << 23)
    given.add_argument("--wide-people", type=lambda text: int(float(text)), default=1 << 17)
    given.add_argument("--write", type=Path)
    asked = given.parse_args()
    for part in asked.parts:
        with tempfile.TemporaryDirectory() as folder:
            text = f"{PARTS[part](asked, Path(folder))}\n\n{machine()}"
        print(f"## {part}\n\n{text}\n", flush=True)
        if asked.write is not None:
            _put(asked.write, part, text)


def _put(path: Path, part: str, text: str) -> None:
    """Between the marks of this part."""
    old = path.read_text(encoding="utf-8")
    start, end = f"<!-- measured: {part} -->", "<!-- end -->"
    new, count = re.subn(
        f"{re.escape(start)}.*?{re.escape(end)}", lambda _: f"{start}\n\n{text}\n\n{end}", old, flags=re.S
    )
    if not count:
        raise SystemExit(f"{path} has no place for {part}: {start} … {end}")
    path.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--alone"]:
        _alone(*sys.argv[2:])
    else:
        main()
