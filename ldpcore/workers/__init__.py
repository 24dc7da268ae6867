"""Other processes, on this machine or on a cluster: one place opens them, for every command of the terminal.

    @main.command()
    @workers.options()                              # --workers, --scheduler, --local-cluster, --memory-limit
    def count(asked: workers.WorkerRequest) -> None:  # … which arrive as one argument
        with workers.opened(asked) as executor:     # None: this process alone
            for tally in workers.mapped(work, parts, executor):  # work(part), in the order of the parts
                total += tally

An executor is any of `concurrent.futures`; that of a cluster (Dask's) runs a task again whose worker ended. What all
tasks hold goes to its workers once while `sharing` is open. Nothing depends on who ran what.

>>> list(mapped(abs, [-2, 1]))
[2, 1]
"""

from ldpcore import former
from ldpcore.workers.mapped import mapped, sharing
from ldpcore.workers.request import WorkerRequest, opened, options

__all__ = ["WorkerRequest", "mapped", "opened", "options", "sharing"]

former.serve(__name__)
