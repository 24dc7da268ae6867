"""The options that say where work is done, and what they open."""

import contextlib
import functools
import multiprocessing
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any

import click

MISSING = "a cluster needs Dask: pip install 'ldpcore[cluster]'"
ENDED = (
    "a worker ended while it computed, most often for want of memory: give each more of it, or take fewer workers; {}"
)


@dataclass(frozen=True)
class WorkerRequest:
    """Where work is to be done. workers: how many, None where nothing was said; memory: of each local one, such as 1GB.

    click.UsageError where two of these exclude each other.
    """

    workers: int | None = None
    scheduler: str | None = None
    local: bool = False
    memory: str | None = None

    def __post_init__(self) -> None:
        if self.scheduler is not None and self.local:
            raise click.UsageError("--scheduler names a cluster that is there, --local-cluster starts one: take one")
        if self.scheduler is not None and self.workers is not None:
            raise click.UsageError("the cluster of --scheduler has its own workers: leave out --workers")
        if self.memory is not None and not self.local:
            raise click.UsageError("--memory-limit is for the workers of --local-cluster")


def options(default: int = 1) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator for a command: its four options, given to it as one argument `asked`, a `WorkerRequest`.

    default: processes where nothing is said.
    """

    def with_options(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def called(*args: Any, **given: Any) -> Any:
            names = ("workers", "scheduler", "local_cluster", "memory_limit")
            workers, scheduler, local, memory = (given.pop(name) for name in names)
            if workers is None and scheduler is None and not local:
                workers = default
            return command(*args, asked=WorkerRequest(workers, scheduler, local, memory), **given)

        for option in (
            click.option("--memory-limit", help="Of each worker of --local-cluster, such as 1GB; one above it ends."),
            click.option("--local-cluster", is_flag=True, help="Start Dask's workers on this machine."),
            click.option("--scheduler", metavar="ADDRESS", help="A Dask cluster that is there, tcp://HOST:PORT."),
            click.option(
                "--workers",
                type=click.IntRange(min=1),
                help=f"Processes to use; {default} where nothing is said, with --local-cluster as many as processors.",
            ),
        ):
            called = option(called)
        return called

    return with_options


@contextlib.contextmanager
def opened(asked: WorkerRequest) -> Iterator[Executor | None]:
    """An executor over what was asked for, closed at the end; None: this process alone.

    click.ClickException, in a sentence: Dask is not installed, the scheduler does not answer, its workers have other
    versions, a worker ended and could not be replaced.
    """
    if asked.scheduler is None and not asked.local:
        with _pool(asked.workers or 1) as pool:
            yield pool
        return
    try:
        import distributed  # half a second, for those who ask for it
    except ImportError as error:
        raise click.ClickException(MISSING) from error
    from ldpcore.workers import cluster

    there = cluster.local(asked.workers, asked.memory) if asked.local else cluster.connected(str(asked.scheduler))
    try:
        with there as executor:
            yield executor
    except distributed.KilledWorker as error:
        raise click.ClickException(ENDED.format("it was tried on several")) from error
    except cluster.ClusterError as error:
        raise click.ClickException(str(error)) from error


@contextlib.contextmanager
def _pool(count: int) -> Iterator[Executor | None]:
    if count == 1:
        yield None
        return
    executor = ProcessPoolExecutor(count, mp_context=_Fresh())
    try:
        yield executor
    except BrokenProcessPool as error:
        raise click.ClickException(ENDED.format("--local-cluster begins its work again")) from error
    except KeyboardInterrupt:
        for process in multiprocessing.active_children():
            if isinstance(process, _Deaf):
                process.terminate()  # who stops does not wait for what would be thrown away
        raise
    finally:
        executor.shutdown(cancel_futures=True)


class _Deaf(SpawnProcess):
    """A worker that does not hear Ctrl-C, which reaches all processes of a terminal: it ends when the command does."""

    def start(self) -> None:
        with _unheard():
            super().start()


@contextlib.contextmanager
def _unheard() -> Iterator[None]:
    """Ctrl-C waits until here is the end. What begins meanwhile never hears of it: a blocked signal stays blocked."""
    if not hasattr(signal, "pthread_sigmask") or threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, handler or signal.SIG_DFL)
    if heard and handler is not signal.SIG_IGN:
        raise KeyboardInterrupt


class _Fresh(SpawnContext):
    """Forking a process that has threads is unsafe; a fresh one imports what it needs."""

    Process = _Deaf
