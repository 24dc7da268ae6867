"""The verdicts that come with ldpcore, so that nobody waits for them: what `ldpcore papers --store` has measured.

A verdict belongs to the words that it was measured for: of a claim that has changed since, nothing is told.

>>> told = read()
>>> told.finding("privelet", "4").verdict
'holds'
>>> outdated(told)
[]
"""

import hashlib
import inspect
import json
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from datetime import date
from functools import cache
from io import StringIO
from math import isfinite
from pathlib import Path
from typing import Any

import pandas as pd

from ldpcore.papers.check import VERDICTS, Check, ClaimReading, Number, Statement
from ldpcore.papers.claim import Ask, Claim, Finding
from ldpcore.papers.run import CLAIMS, FIGURES, Measured, draw

FILE = Path(__file__).with_name("stored.json")
RENEW = "ldpcore papers --store ldpcore/papers/stored.json"
"""The command that renews it, in a clone."""
Key = tuple[str, str]
"""A paper's key and the number of its claim or figure."""


@dataclass(frozen=True, eq=False)
class Stored:
    """What was found, by which version of ldpcore, when (ISO 8601), and by which command.

    entries: what the file says of each claim. figures: those that are simulated, as `papers.draw` gives them.
    """

    version: str
    date: str
    command: str
    entries: Mapping[Key, Mapping[str, Any]]
    figures: Mapping[Key, pd.DataFrame]

    def finding(self, paper: str, number: str) -> Finding | None:
        """What was found for a claim; None where the claim is new, or other words than then.

        KeyError if there is no such claim.
        """
        claim = {each.number: each for each in CLAIMS[paper]}[number]
        entry = self.entries.get((paper, number))
        return None if entry is None or _changed(entry, _words(claim)) else _finding(entry)

    def counts(self) -> dict[str, int]:
        """Verdict → how many claims of all papers have it.

        >>> list(read().counts())
        ['holds', 'holds in part', 'does not hold', 'undecided', 'not testable']
        """
        every = [self.finding(paper, each.number) for paper, claims in CLAIMS.items() for each in claims]
        verdicts = [finding.verdict for finding in every if finding is not None]
        return {verdict: verdicts.count(verdict) for verdict in VERDICTS}

    def seconds(self, paper: str, number: str) -> float:
        """How long a processor worked on the claim; 0 where it is new."""
        entry = self.entries.get((paper, number))
        return 0.0 if entry is None else entry["seconds"]


def to_json(measured: Sequence[Measured], full: bool = False, folder: Path | None = None) -> str:
    """The file's text: these findings, and the simulated figures, which are drawn now."""
    from ldpcore import __version__

    figures = [(paper, figure.number) for paper, each in FIGURES.items() for figure in each if not figure.exact]
    document = {
        "version": __version__,
        "date": date.today().isoformat(),
        "command": "ldpcore papers --full" if full else "ldpcore papers",
        "claims": [_entry(outcome) for outcome in measured],
        "figures": [
            {"paper": paper, "number": number, "rows": draw(paper, number, Ask(full, folder)).to_csv(index=False)}
            for paper, number in figures
        ],
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def from_json(text: str) -> Stored:
    document = json.loads(text)
    return Stored(
        document["version"],
        document["date"],
        document["command"],
        {(entry["paper"], entry["number"]): entry for entry in document["claims"]},
        {(each["paper"], each["number"]): pd.read_csv(StringIO(each["rows"])) for each in document["figures"]},
    )


@cache
def read() -> Stored:
    """The verdicts of this installation."""
    return from_json(FILE.read_text(encoding="utf-8"))


def outdated(told: Stored) -> list[str]:
    """What the file does not have as it is now: claims by their paper and number, and what became of them."""
    claims = {(paper, item.number): item for paper, each in CLAIMS.items() for item in each}
    figures = {(paper, item.number) for paper, each in FIGURES.items() for item in each if not item.exact}
    changed = [key for key in claims.keys() & told.entries.keys() if _changed(told.entries[key], _now(claims[key]))]
    differences = {
        "claim changed": changed,
        "claim new": claims.keys() - told.entries.keys(),
        "claim gone": told.entries.keys() - claims.keys(),
        "figure new or gone": figures ^ told.figures.keys(),
    }
    return [f"{' '.join(key)}: {what}" for what, keys in differences.items() for key in sorted(keys)]


def _words(claim: Claim) -> dict[str, Any]:
    """What a claim says, and in which setting it is checked."""
    return {"says": claim.says, "setting": claim.setting, "words": [vars(each) for each in claim.words]}


def _now(claim: Claim) -> dict[str, Any]:
    """The same, and a digest of the code that measures it: whoever changes a criterion checks the claim anew."""
    code = "".join(inspect.getsource(claim.measure).split())
    return {**_words(claim), "code": hashlib.sha256(code.encode()).hexdigest()[:16]}


def _changed(entry: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    return any(entry[name] != value for name, value in now.items())


def _entry(found: Measured) -> dict[str, Any]:
    finding = found.finding
    return {
        "paper": found.paper,
        "number": found.claim.number,
        **_now(found.claim),
        "verdict": finding.verdict,
        "seconds": round(found.seconds, 3),
        "why": finding.why,
        "data": finding.data,
        "statements": _checks(finding.statements),
        "caveats": [_plain(number) for number in finding.caveats],
        "repair": None if finding.repair is None else _plain(finding.repair),
        "read": finding.read,
        "others": [{"says": other.says, "statements": _checks(other.statements)} for other in finding.others],
    }


def _checks(statements: Sequence[Statement]) -> list[list[dict[str, Any]]]:
    return [[_plain(check.number) | _plain(check) for check in checks] for checks in statements]


def _plain(said: Number | Check) -> dict[str, Any]:
    """The fields that are not as usual; JSON has no infinity, which is written out."""
    values = {each.name: getattr(said, each.name) for each in fields(said) if each.name != "number"}
    usual = {each.name: each.default for each in fields(said) if each.default is not MISSING}
    return {
        name: value if isinstance(value, str | bool) else float(value) if isfinite(value) else str(float(value))
        for name, value in values.items()
        if name not in usual or value != usual[name]
    }


def _finding(entry: Mapping[str, Any]) -> Finding:
    repair = entry["repair"]
    return Finding(
        _statements(entry["statements"]),
        entry["why"],
        entry["data"],
        tuple(map(_number, entry["caveats"])),
        None if repair is None else _number(repair),
        entry["read"],
        tuple(ClaimReading(other["says"], _statements(other["statements"])) for other in entry["others"]),
    )


def _statements(told: Sequence[Sequence[Mapping[str, Any]]]) -> tuple[Statement, ...]:
    return tuple(tuple(map(_check, checks)) for checks in told)


def _check(said: Mapping[str, Any]) -> Check:
    limits = {name: float(said[name]) for name in ("least", "most") if name in said}
    return Check(_number(said), **limits, strict=said.get("strict", False))


def _number(said: Mapping[str, Any]) -> Number:
    value, low, high = (float(said[name]) for name in ("value", "low", "high"))
    return Number(said["what"], value, low, high, said.get("spans", False), said.get("chance", 0.0))
