"""The bench on which the papers' claims are checked: results stay for the process, work goes on in one thread.

Nothing on it is anybody's data: claims are measured on simulated, bundled or public data.
"""

import time
from threading import Event, Lock, Thread
from typing import Any

import pandas as pd

from ldpcore import papers
from ldpcore.papers import Ask, Claim, Figure, Finding, Measured
from ldpcore.papers.caveats import CAVEATS, Caveat

Key = tuple[str, str, str]
"""What kind ("claim", "figure" or "caveat"), of which paper, which number."""
CLAIMS = [(paper, claim) for paper, claims in papers.CLAIMS.items() for claim in claims]
SLOW: tuple[Key, ...] = tuple(
    [("claim", paper, claim.number) for paper, claim in CLAIMS if not claim.exact]
    + [("figure", paper, own.number) for paper, figures in papers.FIGURES.items() for own in figures if not own.exact]
)
"""What needs simulation, claims first."""


def _make(key: Key) -> Any:
    kind, paper, number = key
    if kind == "caveat":
        return next(each for each in CAVEATS if str(each.number) == number)()
    return papers.measure(paper, number, Ask()) if kind == "claim" else papers.draw(paper, number, Ask())


class Bench:
    """Results by key, and the thread that makes the slow ones."""

    def __init__(self) -> None:
        self._results: dict[Key, Any] = {}
        self._stopped, self._lock = Event(), Lock()
        self._thread: Thread | None = None
        self._error: BaseException | None = None
        self._made, self._seconds = 0, 0.0

    def _now(self, key: Key) -> Any:
        if key not in self._results:
            self._results[key] = _make(key)
        return self._results[key]

    def finding(self, paper: str, claim: Claim) -> Finding | None:
        """At once where it needs closed forms only; None as long as a slow one is not made."""
        key = ("claim", paper, claim.number)
        return self._now(key) if claim.exact else self._results.get(key)

    def drawing(self, paper: str, figure: Figure) -> pd.DataFrame | None:
        """Likewise."""
        key = ("figure", paper, figure.number)
        return self._now(key) if figure.exact else self._results.get(key)

    def caveat(self, caveat: Caveat) -> tuple[str, str]:
        return self._now(("caveat", caveat.paper, str(caveat.number)))

    def measured(self) -> list[Measured]:
        """All claims checked so far, in the papers' order."""
        found = [(paper, claim, self.finding(paper, claim)) for paper, claim in CLAIMS]
        return [Measured(paper, claim, finding) for paper, claim, finding in found if finding is not None]

    @property
    def progress(self) -> tuple[int, int]:
        """How much of the slow work is done, of how much."""
        return sum(key in self._results for key in SLOW), len(SLOW)

    @property
    def seconds_left(self) -> float | None:
        """What the slow work will still take if it goes on as so far; None before the first piece is made."""
        done, total = self.progress
        return (total - done) * self._seconds / self._made if self._made else None

    @property
    def running(self) -> bool:
        """Raises what stopped the work, if something went wrong."""
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        return self._thread is not None and self._thread.is_alive() and not self._stopped.is_set()

    def start(self, first: str = "") -> None:
        """Make what is missing, of the paper `first` before the others; twice is once."""
        with self._lock:
            self._stopped.clear()
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._work, args=(first,), name="papers", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """After the piece at hand; what is done stays."""
        self._stopped.set()

    def _work(self, first: str) -> None:
        try:
            for key in sorted(SLOW, key=lambda key: key[1] != first):
                if self._stopped.is_set():
                    return
                if key not in self._results:
                    began = time.monotonic()
                    self._now(key)
                    self._made, self._seconds = self._made + 1, self._seconds + time.monotonic() - began
        except Exception as error:  # shown on the page by the next `running`
            self._error = error
