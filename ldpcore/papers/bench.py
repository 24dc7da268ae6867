"""The bench on which the papers' claims stand: as they are stored, and as they are checked again here.

What is checked stays for the process; the work goes on in one thread. Nothing on it is anybody's data: claims are
measured on simulated, bundled or public data.
"""

import time
from collections.abc import Callable
from threading import Event, Lock, Thread
from typing import TypeVar

import pandas as pd

from ldpcore import papers
from ldpcore.papers.caveats import Caveat
from ldpcore.papers.claim import Ask, Claim, Figure, Finding
from ldpcore.papers.run import Measured
from ldpcore.papers.stored import Stored

Key = tuple[str, str]
"""Of which paper, which number."""
T = TypeVar("T")
CLAIMS = {(paper, claim.number): claim for paper, claims in papers.CLAIMS.items() for claim in claims}
"""Every claim, in the papers' order."""
TRUSTED = 5.0
"""Seconds of work until which the stored times count as much as what was seen of this machine."""


class Bench:
    """Findings by claim, stored and checked here; the thread that checks; figures and caveats, made when asked for."""

    def __init__(self, told: Stored) -> None:
        self.told = told
        self._here: dict[Key, Finding] = {}
        self._made: dict[object, object] = {}
        self._stopped, self._lock = Event(), Lock()
        self._thread: Thread | None = None
        self._error: BaseException | None = None
        self._now: tuple[Key, float] | None = None
        self._seconds = 0.0

    # what is found -----------------------------------------------------------------------------------------------

    def finding(self, paper: str, claim: Claim) -> Finding | None:
        """As checked here, else as stored; None where the stored one is of other words."""
        return self._here.get((paper, claim.number)) or self.told.finding(paper, claim.number)

    def measured(self) -> list[Measured]:
        """All claims that something is known of, in the papers' order."""
        findings = ((paper, claim, self.finding(paper, claim)) for (paper, _), claim in CLAIMS.items())
        return [Measured(paper, claim, finding) for paper, claim, finding in findings if finding is not None]

    def otherwise(self) -> list[tuple[Key, str, str]]:
        """Claims whose verdict here is another one: (claim, as stored, as checked here)."""
        both = ((key, self.told.finding(*key), finding) for key, finding in list(self._here.items()))
        return [(key, was.verdict, now.verdict) for key, was, now in both if was and was.verdict != now.verdict]

    def drawing(self, paper: str, figure: Figure) -> pd.DataFrame | None:
        """At once where it needs closed forms only, else as stored; None where nothing is."""
        if figure.exact:
            return self._once(figure, lambda: papers.draw(paper, figure.number, Ask()))
        return self.told.figures.get((paper, figure.number))

    def caveat(self, caveat: Caveat) -> tuple[str, str]:
        return self._once(caveat, caveat)

    def _once(self, key: object, make: Callable[[], T]) -> T:
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]  # type: ignore[return-value]

    # the work ----------------------------------------------------------------------------------------------------

    @property
    def progress(self) -> tuple[int, int]:
        """How many claims are checked again here, of how many."""
        return len(self._here), len(CLAIMS)

    @property
    def seconds_left(self) -> float:
        """What the other claims took when they were stored, at the pace that this machine has shown so far."""
        done = sum(self.told.seconds(*key) for key in list(self._here))
        pace = (TRUSTED + self._seconds) / (TRUSTED + done)
        left = sum(self.told.seconds(*key) for key in CLAIMS if key not in self._here) * pace
        if self._now is not None:
            key, began = self._now
            left -= min(time.monotonic() - began, self.told.seconds(*key) * pace)
        return left

    @property
    def running(self) -> bool:
        """Raises what stopped the work, if something went wrong."""
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        return self._thread is not None and self._thread.is_alive() and not self._stopped.is_set()

    def start(self, first: str = "") -> None:
        """Check what is not yet checked here, of the paper `first` before the others; twice is once."""
        with self._lock:
            self._stopped.clear()
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._work, args=(first,), name="papers", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """After the claim at hand; what is done stays."""
        self._stopped.set()

    def _work(self, first: str) -> None:
        try:
            for key in sorted(CLAIMS, key=lambda key: key[0] != first):
                if self._stopped.is_set():
                    return
                if key not in self._here:
                    self._check(key)
        except Exception as error:  # shown on the page by the next `running`
            self._error = error

    def _check(self, key: Key) -> None:
        began = time.monotonic()
        self._now = key, began
        try:
            finding = papers.measure(*key, Ask())
            self._seconds += time.monotonic() - began
            self._here[key] = finding
        finally:
            self._now = None
