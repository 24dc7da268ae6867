"""Dask's workers as an executor: what many tasks hold travels once, and versions are compared before anything runs."""

import contextlib
import io
import logging
import pickle
import re
import signal
import uuid
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any

import dask.config
import distributed
from dask.system import CPU_COUNT
from dask.utils import parse_bytes
from distributed.versions import VersionMismatchWarning

from ldpcore.workers.mapped import Sharing

PACKAGES = ("python", "ldpcore", "numpy", "scipy", "pandas", "dask", "distributed")
"""Must be of one version everywhere: the same numbers, and tasks that can be read."""
LOOPBACK = "127.0.0.1"
PATIENCE = 10
"""Seconds to wait for a scheduler, and for its first worker."""


class ClusterError(Exception):
    """A sentence: what is wrong with the cluster, and what to do."""


class Cluster(Sharing):
    """A client of Dask as an executor. Tasks lost with a worker are run again, as Dask does it."""

    def __init__(self, client: distributed.Client):
        self.client = client
        # Equal calls are different tasks: two chunks may look alike. What fails would fail again.
        self._tasks = client.get_executor(pure=False, retries=0)
        self._shared: dict[int, tuple[Any, distributed.Future]] = {}

    @property
    def width(self) -> int:
        """How many tasks run at once."""
        threads: Any = self.client.nthreads()
        return max(1, sum(threads.values()))

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """fn(*args, **kwargs) on some worker; what is shared is there already."""
        packed, shared = self._packed((fn, args, kwargs))
        return self._tasks.submit(_call, packed, *shared)

    @contextlib.contextmanager
    def sharing(self, value: Any) -> Iterator[None]:
        """While it is open, every task that holds this object finds it at its worker.

        It is a task of its own, not scattered data: these would be lost with the last worker that has them, a task is
        run again.
        """
        with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1TB"}):
            there = self.client.submit(pickle.loads, pickle.dumps(value, 5), key=f"shared-{uuid.uuid4().hex}")
        self._shared[id(value)] = value, there
        try:
            yield
        finally:
            del self._shared[id(value)]

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._tasks.shutdown(wait and not cancel_futures)

    def __exit__(self, kind: type[BaseException] | None, *raised: Any) -> None:
        """After an error nobody waits: workers may be gone, and what they had would never be done."""
        self.shutdown(wait=kind is None)

    def _packed(self, call: Any) -> tuple[bytes, list[distributed.Future]]:
        into, used = io.BytesIO(), list[distributed.Future]()
        shared = dict(self._shared)

        class Packing(pickle.Pickler):
            def persistent_id(self, obj: Any) -> int | None:
                if id(obj) not in shared:
                    return None
                used.append(shared[id(obj)][1])
                return len(used) - 1

        Packing(into, 5).dump(call)
        return into.getvalue(), used


def _call(packed: bytes, *shared: Any) -> Any:
    """At a worker."""

    class Unpacking(pickle.Unpickler):
        def persistent_load(self, pid: int) -> Any:
            return shared[pid]

    fn, args, kwargs = Unpacking(io.BytesIO(packed)).load()
    return fn(*args, **kwargs)


@contextlib.contextmanager
def local(workers: int | None = None, memory: str | None = None) -> Iterator[Cluster]:
    """Workers on this machine, one thread each, that nobody else can reach; they end with it.

    workers: how many, None: as many as processors. memory: of each, such as "1GB"; a worker that needs more ends, and
    another takes its tasks. ClusterError for a text that is no size.
    """
    # Without an address of its own, Dask's page of figures listens to the network, at a port that others may have.
    address = {"host": LOOPBACK, "dashboard_address": f"{LOOPBACK}:0", "scheduler_kwargs": {"dashboard": False}}
    settings: dict[str, Any] = {**address, "silence_logs": logging.ERROR}
    try:
        settings["memory_limit"] = "auto" if memory is None else parse_bytes(memory)
    except ValueError as error:
        raise ClusterError(f"the memory limit is a size such as 1GB, got {memory!r}") from error
    count = CPU_COUNT if workers is None else workers
    with (
        distributed.LocalCluster(n_workers=count, threads_per_worker=1, **settings) as there,
        distributed.Client(there, set_as_default=False) as client,
        Cluster(client) as executor,
    ):
        client.register_plugin(_Deaf())
        yield executor


class _Deaf(distributed.WorkerPlugin):
    """Ctrl-C reaches all processes of a terminal: a worker ends when the command does, not with a traceback before."""

    def setup(self, worker: distributed.Worker) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextlib.contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """The workers of a scheduler that is there, such as tcp://10.0.0.5:8786.

    ClusterError: it does not answer, has no worker, or has other versions.
    """
    # Of an address that it cannot read, Dask's client is never closed.
    if not re.fullmatch(r"(tcp|tls)://[^\s:/]+:\d+", address):
        raise ClusterError(f"the scheduler's address is tcp://HOST:PORT, as `dask scheduler` says it, got {address!r}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VersionMismatchWarning)  # `_alike` says it in a sentence, of more packages
        try:
            client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise ClusterError(
                f"no Dask scheduler answers at {address} within {PATIENCE} seconds: start one with `dask scheduler`"
            ) from error
    with client:
        _alike(client, address)
        with Cluster(client) as executor:
            yield executor


def _alike(client: distributed.Client, address: str) -> None:
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError as error:
        raise ClusterError(
            f"the scheduler at {address} has no worker: start some with `dask worker {address}`"
        ) from error
    versions: Any = client.get_versions(packages=list(PACKAGES[1:]))
    ours = _versions(versions["client"])
    for worker, reported in versions["workers"].items():
        theirs = _versions(reported)
        other = [f"{name} {theirs[name]} (here {ours[name]})" for name in PACKAGES if theirs[name] != ours[name]]
        if other:
            raise ClusterError(
                f"the worker {worker} has other versions: {', '.join(other)}; "
                "install the same everywhere, or the numbers may differ"
            )


def _versions(said: Any) -> dict[str, str]:
    """Of what must be the same; of Python the first two numbers."""
    versions = {name: said["packages"].get(name) or "is missing" for name in PACKAGES}
    return versions | {"python": ".".join(versions["python"].split(".")[:2])}
