"""Whether what is installed on this machine does what it says: laws of some seconds, with versions and a digest.

For every entry of the catalogues: the exact channel keeps the promise; reports are drawn as the channel says (χ²);
estimates are as far off as their exact variance says; and the whole numbers that phones draw by give unbiased shares.
For the machine: random streams, sums in floating point, exponentials, clock and browser. The streams are fixed, so a
right installation is found wrong with probability below ALPHA at each comparison, and then always.

>>> found = [*of_answers("GRR", catalog.ANSWERS["GRR"]), *machine()]
>>> found[0].law, found[0].of, found[0].kept, all(each.kept is not False for each in found)
('promise', 'GRR', True, True)
"""

import hashlib
import math
import platform
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special
from threadpoolctl import ThreadpoolController

from ldpcore import catalog
from ldpcore.channel import Channel, SetChannel
from ldpcore.client import Client
from ldpcore.integer_law import NoIntegerLaw
from ldpcore.leveled_parts import Parts
from ldpcore.randomizer import NotEnumerable
from ldpcore.rng import stream
from ldpcore.threads import one_thread

ALPHA = 1e-6
"""Chance that a right sampler fails one comparison; of the about 170 here one does with probability below 2e-4."""
REPORTS = 200_000
"""Of each answer: a chance of 0.1 that is 5 % off lies 7.5 standard deviations away."""
RARE = 20.0
"""Reports of one kind that are expected, below which kinds are counted together."""
CLOSE = 1e-9
BUDGETS = (1.0, 2.0, 2.0, math.inf)
"""ε of each answer, where answers have their own; else all but the last have the least."""
ITEMS, HELD = (*BUDGETS, math.inf), 2
"""The same of items, and how many a person holds."""
PARTS = ((-1.0, 0.0, math.inf), (0.0, 0.5, 2.0), (0.5, 1.0, 1.0))
FIRST = (0.20655924756865207, 0.03376497308448945)
"""What the stream of seed 1 begins with, on every machine."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PACKAGES = ("ldpcore", "numpy", "scipy", "pandas", "streamlit", "plotly")

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class TriedLaw:
    """A law, what it is about, whether it is kept (None: this machine has nothing to try it on), and in which words."""

    law: str
    of: str
    kept: bool | None
    said: str = ""


def examine() -> Iterator[TriedLaw]:
    """Everything, one finding after the other; about ten seconds."""
    for key, entry in catalog.ANSWERS.items():
        yield from of_answers(key, entry)
    for key, entry in catalog.ITEMS.items():
        yield from of_items(key, entry)
    for key, entry in catalog.NUMBERS.items():
        yield of_numbers(key, entry)
    for key in catalog.FREQUENCY:
        yield from whole_numbers(key)
    yield from machine()


def of_answers(key: str, entry: Any) -> Iterator[TriedLaw]:
    """One answer per person."""
    m = entry.protecting(np.array(BUDGETS), 1.0)
    public = 7 if m.hashed else None
    options = {"public": public} if m.hashed else {}
    yield from _by_channel(key, m, public, [(x, np.full(REPORTS, x)) for x in range(m.k)], options)
    values = np.repeat(np.arange(m.k), REPORTS // 2 * np.arange(1, m.k + 1))
    shares = np.bincount(values) / len(values)
    estimate = m.estimate(m.tally(m.perturb(values, stream(2, "estimates", key))))
    yield _estimated(key, estimate - shares, m.variance(shares, len(values)))


def of_items(key: str, entry: Any) -> Iterator[TriedLaw]:
    """Several items per person."""
    m = entry.protecting(np.array(ITEMS), 1.0, HELD)
    every, public = m.all_sets(), 7 if m.hashed else None
    options = {"public": public} if m.hashed else {}
    rows = [(x, np.repeat(every[[x]], REPORTS, axis=0)) for x in (0, len(every) - 1)]
    yield from _by_channel(key, m, public, rows, options)
    sets = np.repeat(every, REPORTS // 5 * np.arange(1, len(every) + 1) // len(every), axis=0)
    shares = np.bincount(sets.ravel(), minlength=m.k) / len(sets)
    estimate = m.estimate(m.tally(m.perturb(sets, stream(3, "estimates", key))))
    yield _estimated(key, estimate - shares, m.variance(shares, len(sets), m.company(sets)))


def of_numbers(key: str, entry: Any) -> TriedLaw:
    """The mean of numbers in [-1, 1]; of one that has a bias by design, about what it expects."""
    m = entry.protecting(Parts(PARTS), 1.0, 64)
    x = np.linspace(-1, 0.7, 2 * REPORTS)
    off = m.estimate_mean(m.tally(m.perturb(x, stream(4, "estimates", key))), "unbiased") - x.mean()
    return _estimated(key, np.array([off - m.bias(x)]), np.array([m.variance(x)]))


def whole_numbers(key: str) -> Iterator[TriedLaw]:
    """What phones draw by: chances of each answer's reports are 1 together, exactly, and their estimates the answer."""
    try:
        client = Client.of(key, 1.0, ["a", "b", "c", "d"], [True, True, True, False])
        sent = sorted(client.law.reports())
    except (NoIntegerLaw, ValueError):
        return
    chances = [client.law.chances(report) for report in sent]
    whole = all(sum(of_one) == 1 for of_one in zip(*chances, strict=True))
    scores = np.array([client.mechanism.estimate(client.tally([report])) for report in sent])
    expected = np.array([[float(each) for each in of_report] for of_report in chances]).T @ scores
    kept = whole and np.allclose(expected, np.eye(len(expected)), rtol=0, atol=1e-7)
    yield TriedLaw(
        "whole numbers", key, bool(kept), "" if kept else "their chances or estimates are not those of the law"
    )


def _by_channel(
    key: str, m: Any, public: int | None, rows: Sequence[tuple[int, NDArray[np.intp]]], options: dict[str, Any]
) -> Iterator[TriedLaw]:
    """The promise, and what is drawn, where all reports can be listed."""
    try:
        channel: Channel | SetChannel = m.channel(public)
    except NotEnumerable:
        return
    verdict = m.policy.check(channel)
    yield TriedLaw("promise", key, verdict.holds, verdict.why)
    wrong = []
    for x, people in rows:
        reports = m.perturb(people, stream(1, "sampler", key, x), **options)
        seen = np.bincount(m.column(reports, public), minlength=channel.matrix.shape[1])
        if not fits(seen, channel.matrix[x]):
            wrong.append(x)
    yield TriedLaw("sampler", key, not wrong, f"reports of {wrong} are not drawn as the channel says" if wrong else "")


def _estimated(key: str, off: Vector, variance: Vector) -> TriedLaw:
    """No estimate is further off than its exact variance lets one be, with probability ALPHA over all of them."""
    errors = np.maximum(np.abs(off) - CLOSE, 0) / np.sqrt(np.maximum(variance, np.finfo(float).tiny))
    kept = bool(np.all(2 * special.ndtr(-errors) >= ALPHA / len(off)))
    return TriedLaw("estimates", key, kept, f"at most {np.max(errors):.1f} standard errors off")


def fits(seen: NDArray[np.int64], chances: Vector) -> bool:
    """χ² test at ALPHA; reports that cannot be must not be, rare ones are counted together.

    >>> fits(np.array([480, 520, 0]), np.array([0.5, 0.5, 0.0])), fits(np.array([400, 600]), np.array([0.5, 0.5]))
    (True, False)
    """
    if seen[chances <= 0].any():
        return False
    order = np.argsort(chances[chances > 0])
    seen, wanted = seen[chances > 0][order], chances[chances > 0][order] / chances.sum() * seen.sum()
    few = int(np.searchsorted(np.cumsum(wanted), RARE)) + 1 if wanted[0] < RARE else 1
    seen, wanted = (np.r_[each[:few].sum(), each[few:]] for each in (seen, wanted))
    return len(seen) < 2 or bool(special.chdtrc(len(seen) - 1, np.sum((seen - wanted) ** 2 / wanted)) > ALPHA)


def today() -> str:
    """Everything, tried now: what a report says of it."""
    return line(list(examine()), time.strftime("%Y-%m-%d"))


def announce() -> None:
    """Everything, for whoever reads along: how many laws have been tried, line by line, and `line` as the last."""
    findings: list[TriedLaw] = []
    for finding in examine():
        findings.append(finding)
        sys.stdout.write(f"{len(findings)}\n")
        sys.stdout.flush()
    sys.stdout.write(line(findings, time.strftime("%Y-%m-%d")) + "\n")


class RunningCheck:
    """`announce` in a process of its own, so that nobody waits for it: how many laws are tried so far; at its end what
    a report says of it, "" where it broke off.
    """

    def __init__(self) -> None:
        code = f"from {__name__} import announce; announce()"
        self._process = subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True, encoding="utf-8",
        )  # fmt: skip
        self.tried, self.line = 0, ""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def running(self) -> bool:
        return self._reader.is_alive()

    def _read(self) -> None:
        for text in self._process.stdout or ():
            if text.strip().isdigit():
                self.tried = int(text)
            else:
                self.line = text.strip()
        self._process.wait()


@cache
def in_background() -> RunningCheck:
    """The one of this process, which begins when it is first asked for."""
    return RunningCheck()


def machine() -> Iterator[TriedLaw]:
    """What this machine brings along."""
    same = tuple(stream(1).random(2).tolist()) == FIRST
    yield TriedLaw(
        "random streams", "NumPy", same, "" if same else "another generator: other numbers for the same seed"
    )
    yield _sums()
    with localcontext(prec=40):
        off = [abs(Decimal(math.exp(x)) / Decimal(x).exp() - 1) for x in (0.01, 0.1, 1.0, 5.0, 10.0)]
        right = np.exp(1.0) == math.exp(1.0) and max(off) < Decimal("1e-15")
    yield TriedLaw("exponentials", "e^ε", bool(right), "" if right else f"off by {max(off):.1e} of itself")
    read = [time.perf_counter() for _ in range(1000)]
    ahead = read == sorted(read) and read[-1] > read[0]
    yield TriedLaw("clock", "perf_counter", ahead, "" if ahead else "it stands still, or runs backwards")
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    yield TriedLaw("browser", "Chromium", None if browser is None else True, browser or "none is here")


@one_thread
def _sums() -> TriedLaw:
    """Products of whole numbers are exact, and the same twice; which library forms them."""
    a = stream(5).integers(-1000, 1000, (200, 300))
    exact, left, right = a @ a.T, a.astype(float), np.ascontiguousarray(a.T, dtype=float)
    kept = bool(np.array_equal(left @ right, exact)) and (left / 3 @ right).tobytes() == (left / 3 @ right).tobytes()
    names = {
        f"{each['internal_api']} {each['version']}" for each in ThreadpoolController().select(user_api="blas").info()
    }
    return TriedLaw("sums", "BLAS", kept, ", ".join(sorted(names)))


def versions() -> str:
    """What is installed here, in one line."""
    there = [f"{name} {_version(name)}" for name in PACKAGES if _version(name)]
    return ", ".join([*there, f"Python {platform.python_version()}", f"{platform.system()} {platform.machine()}"])


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def code_digest() -> str:
    """SHA-256 of the engine's own files, by their names: 16 digits; an edited installation has another."""
    folder, digest = Path(__file__).parents[1], hashlib.sha256()
    for path in sorted(folder.rglob("*.py"), key=lambda each: each.relative_to(folder).as_posix()):
        digest.update(f"{path.relative_to(folder).as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def written(findings: Sequence[TriedLaw], day: str) -> str:
    """What was tested, as text: a line for each law, what failed, and a last line for a report. day: 2026-11-26."""
    laws = dict.fromkeys(each.law for each in findings)
    lines = []
    for law in laws:
        of = [each for each in findings if each.law == law]
        tried = [each for each in of if each.kept is not None]
        kept = sum(each.kept is True for each in tried)
        detail = f" ({of[0].said})" if len(of) == 1 and of[0].said else ""
        lines.append(f"{law}: {kept} of {len(tried)} kept{detail}" if tried else f"{law}: not tried{detail}")
    lines += [f"NOT KEPT: {each.law} of {each.of}: {each.said}" for each in findings if each.kept is False]
    return "\n".join([*lines, line(findings, day)]) + "\n"


def line(findings: Sequence[TriedLaw], day: str) -> str:
    """What a report says of it, in one line. The digest is of the findings, the versions and the engine's files."""
    tried = [each for each in findings if each.kept is not None]
    wrong = sum(each.kept is False for each in tried)
    about = f"{versions()}; files {code_digest()}"
    text = "\n".join([about, *(f"{each.law} {each.of} {each.kept}" for each in findings)])
    result = "all kept" if not wrong else f"{wrong} NOT KEPT"
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    return f"Checked {day}: {len(tried)} laws, {result}; {about}; digest {digest}"
