"""Checking claims, one by one or all: the table of claims, the table of checks, and the text for a terminal."""

import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, as_completed
from dataclasses import dataclass
from math import nan
from pathlib import Path
from types import ModuleType

import pandas as pd

from ldpcore.papers import (
    dfdp,
    dfdp_privacy,
    ldpk,
    ldpk_promise,
    ldpk_reports,
    privelet,
    privelet_remarks,
    sdldp,
    sdldp_comparisons,
    sdldp_figures,
    sdldp_means,
    sdldp_promises,
    sdldp_theory,
    suldp,
    suldp_protection,
    suldp_theory,
    suldp_trends,
)
from ldpcore.papers.check import HOLDS, SAYS, VERDICTS, Number
from ldpcore.papers.claim import Ask, Claim, Figure, Finding, Paper, claims_of, figures_of
from ldpcore.papers.live_figures import LIVE
from ldpcore.threads import one_thread

MODULES: tuple[tuple[ModuleType, ...], ...] = (
    (suldp, suldp_trends, suldp_protection, suldp_theory),
    (sdldp, sdldp_means, sdldp_theory, sdldp_figures, sdldp_comparisons, sdldp_promises),
    (dfdp, dfdp_privacy),
    (ldpk, ldpk_promise, ldpk_reports),
    (privelet, privelet_remarks),
)
PAPERS: dict[str, Paper] = {modules[0].PAPER.key: modules[0].PAPER for modules in MODULES}
CLAIMS: dict[str, tuple[Claim, ...]] = {modules[0].PAPER.key: claims_of(*modules) for modules in MODULES}
FIGURES: dict[str, tuple[Figure, ...]] = {modules[0].PAPER.key: figures_of(*modules) for modules in MODULES}


@dataclass(frozen=True)
class Measured:
    """A claim of a paper, what was found, and how many seconds a processor worked for that."""

    paper: str
    claim: Claim
    finding: Finding
    seconds: float = 0.0


@one_thread
def measure(paper: str, number: str, ask: Ask) -> Finding:
    """One claim, by its paper's key and its own number; the same whoever asks, in whatever order."""
    chosen = next(claim for claim in CLAIMS[paper] if claim.number == number)
    return chosen(ask.of(f"{paper} {number}"))


def _timed(paper: str, number: str, ask: Ask) -> tuple[Finding, float]:
    began = time.process_time()
    return measure(paper, number, ask), time.process_time() - began


@one_thread
def draw(paper: str, number: str, ask: Ask) -> pd.DataFrame:
    """One figure: x, line, value, low, high, as the runs of its Studies have it; of `ask` what no run has."""
    chosen = next(figure for figure in FIGURES[paper] if figure.number == number)
    of_runs, others = LIVE[paper, number].drawn(), chosen(ask.of(f"{paper} {number}"))
    known = set(zip(of_runs["line"], of_runs["x"], strict=True))
    beyond = [point not in known for point in zip(others["line"], others["x"], strict=True)]
    return pd.concat([of_runs, others[beyond]], ignore_index=True) if any(beyond) else of_runs


def pieces(todo: Sequence[tuple[str, Claim]], ask: Ask, executor: Executor | None = None) -> Iterator[Measured]:
    """Claims as they are measured, in any order; stop reading to stop the work."""
    if executor is None:
        for paper, claim in todo:
            yield Measured(paper, claim, *_timed(paper, claim.number, ask))
        return
    futures = {executor.submit(_timed, paper, claim.number, ask): (paper, claim) for paper, claim in todo}
    try:
        for future in as_completed(futures):
            yield Measured(*futures[future], *future.result())
    finally:
        for future in futures:
            future.cancel()


def run(
    papers: Sequence[str] = (),
    full: bool = False,
    folder: Path | None = None,
    seed: int = 7,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Measured]:
    """All claims of these papers (none: of all five), in their order. `progress` is called with (done, total)."""
    for key in papers:
        if key not in CLAIMS:
            raise ValueError(f"there is no paper {key!r}; there are {', '.join(CLAIMS)}")
    todo = [(key, claim) for key in CLAIMS if key in papers or not papers for claim in CLAIMS[key]]
    place = {(paper, claim.number): at for at, (paper, claim) in enumerate(todo)}
    out: list[Measured] = []
    for outcome in pieces(todo, Ask(full, folder, seed), executor):
        out.append(outcome)
        if progress is not None:
            progress(len(out), len(todo))
    return sorted(out, key=lambda found: place[found.paper, found.claim.number])


def table(measured: Sequence[Measured]) -> pd.DataFrame:
    """One row per claim; `value`, `low`, `high` are those of the check to show first, `what` says of what."""
    return pd.DataFrame([_row(outcome) for outcome in measured])


def _row(found: Measured) -> dict[str, object]:
    claim, finding = found.claim, found.finding
    first = finding.deciding.number if finding.deciding else None
    repair = None if finding.verdict == HOLDS else finding.repair
    return {
        "paper": found.paper,
        "number": claim.number,
        "claim": claim.says,
        "words": " / ".join(f"{words.says} ({words.where})" for words in claim.words),
        "original": " / ".join(words.original for words in claim.words),
        "reading": " / ".join(filter(None, (words.reading for words in claim.words))),
        "readings": " / ".join(f"{says}: {came}" for says, came in finding.readings),
        "setting": claim.setting,
        "what": first.what if first else "",
        "measured": first.shown if first else "",
        "value": first.value if first else nan,
        "low": first.low if first else nan,
        "high": first.high if first else nan,
        "verdict": finding.verdict,
        "statements": " / ".join(SAYS[decision] for decision in finding.decisions),
        "checks": finding.counted if first else "",
        "why": finding.why,
        "caveats": "; ".join(f"{number.what}: {number.shown}" for number in finding.caveats),
        "repair": repair.what if repair else "",
        "repair_measured": repair.shown if repair else "",
        "repair_value": repair.value if repair else nan,
        "data": finding.data,
    }


def checks(measured: Sequence[Measured]) -> pd.DataFrame:
    """One row per check, with its statement, its interval, what was asked and what came of it; then the caveats."""
    rows: list[dict[str, object]] = []
    for outcome in measured:
        key = {"paper": outcome.paper, "number": outcome.claim.number}
        for words, statement in zip(outcome.claim.words, outcome.finding.statements, strict=False):
            rows += [
                {**key, "kind": "check", "words": words.says, **_numbers(check.number), "asked": check.criterion,
                 "decision": SAYS[check.decision]}
                for check in statement
            ]  # fmt: skip
        rows += [
            {**key, "kind": "caveat", "words": "", **_numbers(number), "asked": "", "decision": ""}
            for number in outcome.finding.caveats
        ]
    return pd.DataFrame(rows)


def _numbers(number: Number) -> dict[str, object]:
    return {"what": number.what, "value": number.value, "low": number.low, "high": number.high}


def counts(measured: Sequence[Measured]) -> dict[str, int]:
    """How many claims have each verdict."""
    return {verdict: sum(outcome.finding.verdict == verdict for outcome in measured) for verdict in VERDICTS}


def text(measured: Sequence[Measured]) -> str:
    """The claims for a terminal, paper by paper, and the counts."""
    out: list[str] = []
    for key, paper in PAPERS.items():
        outcomes = [outcome for outcome in measured if outcome.paper == key]
        if outcomes:
            out += ["", f"{paper.title}", f"{paper.source} ({key})"]
        for outcome in outcomes:
            row = _row(outcome)
            out += ["", *_wrapped(f"{row['number']}. {row['claim']}", 0)]
            lines = [
                ("setting", row["setting"]),
                *(("words", line) for line in _said(outcome)),
                ("measured", f"{row['what']}: {row['measured']}" if row["measured"] else ""),
                *(("read as", f"{says}: {came}") for says, came in outcome.finding.readings),
                ("verdict", f"{row['verdict']} ({row['checks']})" if row["measured"] else row["verdict"]),
                ("why", row["why"]),
                *(("caveat", f"{number.what}: {number.shown}") for number in outcome.finding.caveats),
                ("repair", f"{row['repair']}: {row['repair_measured']}" if row["repair"] else ""),
                ("data", row["data"]),
            ]
            for name, value in lines:
                out += _wrapped(f"{name:9}{value}", 12) if value else []
    total = ", ".join(f"{number} {verdict}" for verdict, number in counts(measured).items() if number)
    return "\n".join([*out, "", f"{len(measured)} claims: {total}."]).lstrip("\n")


def _said(found: Measured) -> list[str]:
    """Each statement of the paper, where it stands, how vague words are read, and what came of it."""
    decisions = found.finding.decisions or (None,) * len(found.claim.words)
    lines = []
    for words, decision in zip(found.claim.words, decisions, strict=True):
        came = f": {SAYS[decision]}" if found.finding.decisions else ""
        lines.append(f"“{words.says}” ({words.where}){came}" + (f". Read as: {words.reading}" if words.reading else ""))
    return lines


def _wrapped(line: str, indent: int) -> list[str]:
    first = " " * (3 if indent else 0)
    return textwrap.wrap(line, 110, initial_indent=first, subsequent_indent=" " * (indent or 3))
