"""Other processes and clusters: what opens them, and the same rows, byte for byte, whoever computes them."""

import contextlib
import io
import os
import signal
import sys
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from types import SimpleNamespace

import click
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from threadpoolctl import ThreadpoolController

from ldpcore import cli, data, study, threads
from ldpcore.collection import mining
from ldpcore.data.partitions import partitions
from ldpcore.itemsets import apriori_of
from ldpcore.rng import stream
from ldpcore.study import Choice, Marks, Source, Study, execute, tasks
from ldpcore.workers import WorkerRequest, mapped, opened, sharing
from ldpcore.workers.mapped import AHEAD, Sharing

pytestmark = pytest.mark.skipif(
    find_spec("distributed") is None, reason="a cluster needs Dask: pip install 'ldpcore[cluster]'"
)
"""Imported where it is used: it takes a second, in every process that collects this file or is a pool's."""

PEOPLE = 12_000
"""Two threads of BLAS share a sum of products of more than 10 000 numbers, and add it up in another order."""


def table() -> data.Table:
    """Answers of 40 kinds, and numbers that all differ."""
    luck = stream(5, "workers")
    frame = pd.DataFrame({"answer": luck.geometric(0.1, PEOPLE).clip(1, 40), "age": luck.normal(45, 15, PEOPLE)})
    return data.read(frame.to_csv(index=False).encode(), "people.csv")


def baskets() -> data.Table:
    held = stream(5, "baskets").random((300, 5)) < 0.35
    lines = ["x," + ",".join(np.array(list("abcde"))[row]) for row in held]
    return data.read("\n".join(lines).encode(), "baskets.csv")


def surveys() -> dict[str, tuple[Study, data.Table]]:
    """A small study of every task, each with what takes matrices and sums."""
    people, held = table(), baskets()
    items = next(iter(held.sets))
    census = data.load("census")
    marks = tuple(str(answer) for answer in range(1, 6))
    once = {"grid": (), "repetitions": 1}
    found = {
        "frequency": (
            Study(Source("people.csv"), "answer", Marks.of(marks), ("GRR", "uSS", "uHR"), grid=(0.5,), repetitions=2,
                  choices=(Choice(Marks.of(["3"]), 0.3),)).with_options(postprocessing=("norm-sub", "em")), people,
        ),
        "means": (
            Study(Source("people.csv"), "age", Marks.of(["70..100"]), ("PM", "uTernary"), bins=(0, 100, 32),
                  task="means", choices=(Choice(Marks.of(["0..30"]), 0.6),), **once), people,
        ),
        "sets": (
            Study(Source("baskets.csv"), items, Marks.of(["a", "b"]), ("suRAP", "uPrivSet"), task="sets",
                  options=(("attacks", 4), ("m", 2)), **once), held,
        ),
        "ranges": (Study(Source("people.csv"), "age", mechanisms=("Boost", "Privelet"), bins=(0, 100, 64),
                         task="ranges", **once), people),
        "clusters": (Study(Source("census"), "sex", mechanisms=("LDPK", "DPK"), task="clusters", **once), census),
        "itemsets": (Study(Source("baskets.csv"), items, mechanisms=("DFDP", "PrivBasis"), task="itemsets", **once)
                     .with_options(min_count=60), held),
        "review": (
            Study(Source("census"), "sex", Marks.of(["income = >50K"]), task="review", **once)
            .with_options(columns=("sex", "income", "relationship")), census,
        ),
        "relations": (
            Study(Source("census"), "income", Marks.of(["income = >50K", "marital-status = Widowed"]),
                  ("uSS", "GRR"), task="relations", **once).with_options(groups="marital-status"), census,
        ),
    }  # fmt: skip
    assert set(found) == set(tasks.TASKS)
    return found


SURVEYS = surveys()
PLAIN = {"review": SURVEYS["review"][0].with_options(attacker="own")}
"""What Dask's workers are asked instead: pieces of the same kind that travel alike, without the classifier, which a
pool's workers import as well, a second each.
"""


def as_bytes(rows: pd.DataFrame) -> tuple[bytes, bytes]:
    into = io.BytesIO()
    rows.to_parquet(into, index=False)
    return data.as_csv(rows).encode(), into.getvalue()


def with_threads(number: int) -> contextlib.AbstractContextManager:
    return ThreadpoolController().limit(limits=number, user_api="blas")


@pytest.fixture(scope="module")
def alone() -> dict[str | tuple[str, str], pd.DataFrame]:
    """The rows of every study from this process, while BLAS may use two threads."""
    with with_threads(2):
        plain = {("dask", name): study.run(described, SURVEYS[name][1]) for name, described in PLAIN.items()}
        return plain | {name: study.run(*survey) for name, survey in SURVEYS.items()}


@pytest.fixture(scope="module")
def pool():
    with opened(WorkerRequest(2)) as executor:
        yield executor


@pytest.fixture(scope="module")
def dask():
    with opened(WorkerRequest(2, local=True)) as executor:
        yield executor


TRAVELS = ("frequency", "itemsets", "review")
"""What Dask's workers are sent in the usual suite: all that other tasks share and send, a pool's workers are sent."""


@pytest.mark.parametrize(
    ("where", "name"),
    [
        pytest.param(where, name, marks=pytest.mark.thorough if where == "dask" and name not in TRAVELS else ())
        for where in ("one thread", "pool", "dask")
        for name in SURVEYS
    ],
)
def test_rows_are_the_same_bytes_everywhere(alone, name, where, request):
    described, source = SURVEYS[name]
    if where == "one thread":
        with with_threads(1):
            rows = study.run(described, source)
    elif where == "pool":
        rows = study.run(described, source, request.getfixturevalue(where))
    else:
        rows = study.run(PLAIN.get(name, described), source, request.getfixturevalue(where))
    assert as_bytes(rows) == as_bytes(alone.get((where, name), alone[name]))


def test_the_piece_that_ends_first_does_not_come_first(alone, monkeypatch):
    """A question of a review has two pieces, one of surveys and one of attacks."""
    monkeypatch.setattr(execute, "mapped", lambda work, parts, _, ordered: reversed([work(part) for part in parts]))
    rows = study.run(*SURVEYS["review"])
    assert as_bytes(rows) == as_bytes(alone["review"])


@pytest.mark.parametrize("name", SURVEYS)
def test_the_summary_and_its_limits_are_the_same_with_two_threads(alone, name):
    described, source = SURVEYS[name]
    prepared = execute.prepare(described, source)
    told = []
    for number in (1, 2):
        with with_threads(number):
            told.append(study.summary(described, prepared, alone[name], limits=tasks.limits(described, prepared)))
    assert as_bytes(told[0]) == as_bytes(told[1])


def test_threads_would_change_the_last_digits():
    """Else the tests above could not fail; and who is inside twice, and leaves once, is inside."""
    pairs = stream(3, "pairs").random((20, 2, PEOPLE))

    def sums():
        return [left @ right for left, right in pairs]

    with with_threads(2):
        several = sums()
        with threads.one_thread:
            with threads.one_thread:
                pass
            one = sums()
        assert sums() == several
    with with_threads(1):
        assert sums() == one
    from dask.system import CPU_COUNT

    if CPU_COUNT > 1:
        assert one != several


def test_what_tasks_share_travels_once(dask):
    class Heavy:
        """Arrives as ten bytes."""

        pickled = 0

        def __reduce__(self):
            Heavy.pickled += 1
            return bytes, (10,)

    heavy = Heavy()
    with sharing(dask, heavy):
        assert list(mapped(len, [heavy] * 20, dask)) == [10] * 20
    assert Heavy.pickled == 1
    assert dask.submit(len, heavy).result() == 10
    assert Heavy.pickled == 2


def test_a_killed_worker_changes_nothing(dask, alone):
    """One of two is killed while it has work: another one does it."""
    described, source = SURVEYS["frequency"]
    prepared = execute.prepare(described, source)
    killed = min(dask.client.run(os.getpid).values())
    pieces = execute.pieces(described, prepared, dask)
    parts = [next(pieces)]
    os.kill(killed, signal.SIGKILL)
    parts += pieces
    rows = execute.assemble(described, parts, tasks.of(described).theory(described, prepared))
    assert as_bytes(rows) == as_bytes(alone["frequency"])


def test_stopping_leaves_nothing_to_do(dask):
    described, source = SURVEYS["frequency"]
    described = replace(described, repetitions=20)
    pieces = execute.pieces(described, execute.prepare(described, source), dask)
    next(pieces)
    pieces.close()
    # What was computing when it stopped ends; nothing waits behind it.
    assert dask.submit(abs, -1).result(timeout=20) == 1
    assert not [state for state in dask.client.run_on_scheduler(lambda dask_scheduler: [
        task.state for task in dask_scheduler.tasks.values()
    ]) if state != "memory"]  # fmt: skip


@pytest.mark.thorough
def test_a_cluster_mines_what_one_process_mines(dask, tmp_path):
    rows = ["".join(f"item {j}," for j in np.flatnonzero(row)) for row in stream(2, "rows").random((400, 9)) < 0.4]
    for number in range(4):
        (tmp_path / f"{number}.csv").write_text("".join(f"bread,{row}\n" for row in rows[number::4]))
    parts = [partial(mining.ItemLocation(separator=","), part) for part in partitions(tmp_path, size=900, lines=True)]
    assert len(parts) > 10
    here, there = (apriori_of(parts, 30, order=mining.ordered, executor=executor) for executor in (None, dask))
    assert here[0].levels[-1].length > 3
    assert as_bytes(mining.table(*here).astype({"itemset": str})) == as_bytes(
        mining.table(*there).astype({"itemset": str})
    )


def test_parts_are_read_as_workers_become_free():
    """In their order, though the last is ready first; and no more wait than `AHEAD` of each worker."""
    given: list[int] = []

    class Backwards(Sharing):
        """Does nothing before it has eight tasks, and then the last one first."""

        width, jobs = 2, []

        def submit(self, fn, /, *args):
            self.jobs.append((Future(), fn, args))
            for future, work, own in reversed(self.jobs if len(self.jobs) == 2 * AHEAD else []):
                future.set_result(work(*own))
            return self.jobs[-1][0]

        def sharing(self, value):
            raise AssertionError("nothing is shared here")

    found = mapped(str, (given.append(part) or part for part in range(20)), Backwards())
    assert next(found) == "0"
    assert given == list(range(2 * AHEAD))
    assert next(found) == "1"
    assert len(given) == 2 * AHEAD + 1
    found.close()
    assert Backwards.jobs[-1][0].cancelled()


@dataclass
class Client:
    """A stand-in for Dask's, with one worker of these versions, or none."""

    versions: dict | None

    def wait_for_workers(self, count, timeout):
        if self.versions is None:
            raise TimeoutError

    def get_versions(self, packages):
        here = dict.fromkeys(("python", *packages), "1.2.3")
        there = here if self.versions is None else here | self.versions
        return {"client": {"packages": here}, "workers": {"tcp://a:1": {"packages": there}}}


def test_other_versions_and_no_worker_are_sentences():
    from ldpcore.workers import cluster

    cluster._alike(Client({}), "tcp://a:0")
    cluster._alike(Client({"python": "1.2.9"}), "tcp://a:0")
    with pytest.raises(
        cluster.ClusterError, match=r"tcp://a:1 has other versions: ldpcore is missing \(here 1.2.3\), numpy"
    ):
        cluster._alike(Client({"numpy": "2.0", "ldpcore": None}), "tcp://a:0")
    with pytest.raises(cluster.ClusterError, match="has no worker: start some with `dask worker tcp://a:0`"):
        cluster._alike(Client(None), "tcp://a:0")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (["--scheduler", "tcp://127.0.0.1:9", "--local-cluster"], "take one"),
        (["--scheduler", "tcp://127.0.0.1:9", "--workers", "2"], "leave out --workers"),
        (["--memory-limit", "1GB"], "for the workers of --local-cluster"),
        (["--local-cluster", "--memory-limit", "much"], "a size such as 1GB, got 'much'"),
        (["--scheduler", "somewhere"], "tcp://HOST:PORT, as `dask scheduler` says it, got 'somewhere'"),
    ],
)
def test_options_that_make_no_sense_are_sentences(given, sentence, tmp_path):
    file = tmp_path / "study.toml"
    file.write_text(study.to_toml(Study(Source("health"), "condition")), encoding="utf-8")
    for command in (["run", str(file)], ["papers"]):
        result = CliRunner().invoke(cli.main, [*command, *given])
        assert result.exit_code
        assert sentence in result.output


def test_a_scheduler_that_does_not_answer(monkeypatch):
    from ldpcore.workers import cluster

    monkeypatch.setattr(cluster, "PATIENCE", 0.2)
    with pytest.raises(click.ClickException, match=r"no Dask scheduler answers at tcp://127.0.0.1:9"):
        opened(WorkerRequest(scheduler="tcp://127.0.0.1:9")).__enter__()


def test_without_dask_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(click.ClickException, match=r"pip install 'ldpcore\[cluster\]'"):
        opened(WorkerRequest(local=True)).__enter__()


def test_workers_that_end_are_a_sentence(monkeypatch):
    import distributed

    from ldpcore.workers import cluster

    with pytest.raises(click.ClickException, match=r"for want of memory.*--local-cluster"), opened(WorkerRequest(2)):
        raise BrokenProcessPool
    monkeypatch.setattr(cluster, "local", lambda *_: contextlib.nullcontext())
    died = distributed.KilledWorker("piece", SimpleNamespace(address="tcp://a:1"), 3)
    with (
        pytest.raises(click.ClickException, match=r"for want of memory.*tried on several"),
        opened(WorkerRequest(local=True)),
    ):
        raise died
