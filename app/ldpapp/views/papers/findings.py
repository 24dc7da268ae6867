"""The words of the Papers view: the headline, a claim, a caveat. Pure functions from findings to HTML."""

import re
from collections.abc import Mapping, Sequence

from ldpapp import words
from ldpcore.papers import (
    BROKEN,
    HOLDS,
    IN_PART,
    UNDECIDED,
    UNTESTABLE,
    Check,
    Claim,
    Finding,
    Measured,
    Words,
)
from ldpcore.papers.check import SAYS

NAMES = {
    "suldp": "Sets",
    "sdldp": "Graded sensitivity",
    "dfdp": "Itemsets",
    "ldpk": "Clusters",
    "privelet": "Ranges",
}
"""What each paper is about, in one or two words."""
LOOKS = {HOLDS: "full", IN_PART: "half", BROKEN: "none", UNDECIDED: "maybe", UNTESTABLE: "absent"}
OPEN = "not yet checked"
LEGEND = {HOLDS: "holds", IN_PART: "in part", BROKEN: "does not hold", UNDECIDED: UNDECIDED, UNTESTABLE: UNTESTABLE,
          OPEN: OPEN}  # fmt: skip
DECIDED: Mapping[bool | None, str] = {True: HOLDS, False: BROKEN, None: UNDECIDED}
"""How a statement or a check looks: as the verdict of a claim that consists of it."""
_POWER = re.compile(r"\^(-?[\d.]*\d|[εm]|\([^()]*\))")
_MINUS = re.compile(r"(?<![\w.)])-(?=[\d∞])")
_LONG = re.compile(r"(?<![\w.,^])\d{5,}(?![\w.]*\d)")


def pretty(text: str) -> str:
    """The engine's plain text with minus signs, powers and thin spaces."""
    text = _LONG.sub(lambda found: words.count(int(found[0])), text)
    text = _POWER.sub(lambda found: f"<sup>{found[1].strip('()').replace('-', words.MINUS)}</sup>", text)
    return _MINUS.sub(words.MINUS, text)


def _verbs(number: int, verdict: str) -> str:
    one = number == 1
    said = {
        HOLDS: "holds" if one else "hold",
        IN_PART: "holds in part" if one else "hold in part",
        BROKEN: "does not hold" if one else "do not hold",
        UNDECIDED: "is undecided" if one else "are undecided",
    }[verdict]
    return f"<b>{number}</b> {said}"


def headline(counts: Mapping[str, int], total: int) -> str:
    """What has become of the claims, with its numbers."""
    checked = sum(counts.values())
    parts = words.listing(_verbs(counts[v], v) for v in (HOLDS, IN_PART, BROKEN, UNDECIDED) if counts[v])
    absent = counts[UNTESTABLE]
    rest = f" {words.cardinal(absent, start=True)} cannot be tested." if absent else ""
    papers = words.cardinal(len(NAMES), start=True).lower()
    if checked == total:
        return f"Of {total} claims in {papers} papers, {parts}.{rest}"
    return f"{checked} of {total} claims in {papers} papers are checked: {parts}.{rest} The others need simulation."


def circle(verdict: str) -> str:
    """● ◐ ○ ⊙, drawn: filled, half, empty, undecided; dotted: cannot be tested, faint: not checked."""
    return f'<i class="v {LOOKS.get(verdict, "open")}" title="{verdict}"></i>'


def glance(found: Sequence[Measured], claims: Mapping[str, Sequence[Claim]]) -> str:
    """One row per paper, one circle per claim."""
    known = {(each.paper, each.claim.number): each.finding.verdict for each in found}
    rows = []
    for key, own in claims.items():
        verdicts = [known.get((key, claim.number), OPEN) for claim in own]
        cells = "".join(
            f'<td class="c"><span class="quiet">{claim.number}</span>{circle(verdict)}</td>'
            for claim, verdict in zip(own, verdicts, strict=True)
        )
        cells += "<td></td>" * (max(map(len, claims.values())) - len(own))
        rows.append(f"<tr><td><b>{NAMES[key]}</b></td>{cells}</tr>")
    key_ = " &ensp; ".join(f"{circle(verdict)} {name}" for verdict, name in LEGEND.items())
    return f'<div class="card glance"><table>{"".join(rows)}</table><div class="quiet">{key_}</div></div>'


def claim_html(claim: Claim, finding: Finding | None) -> str:
    """One claim: verdict at the left; the paper's words, the check that decides, why, all checks, caveats, repair."""
    verdict = OPEN if finding is None else finding.verdict
    decisions = finding.decisions if finding is not None and finding.statements else ()
    lines = [f"<p><b>{claim.number}</b>&ensp;<b>{pretty(claim.says)}</b></p>"]
    lines += [_statement(own, DECIDED[decisions[i]] if decisions else "") for i, own in enumerate(claim.words)]
    side = f"{circle(verdict)} <b>{verdict}</b>"
    if finding is None:
        lines.append(f'<p class="quiet">{_stopped(pretty(claim.setting))}</p>')
        return _row(side, lines)
    if finding.deciding is not None:
        side += f'<div class="quiet">{finding.counted}</div>'
        lines.append(_check(finding.deciding))
    lines.append(f"<p>{pretty(finding.why)}</p>")
    if len(finding.checks) > 1:
        rows = "".join(map(_check, finding.checks))
        lines.append(f"<details><summary>All {len(finding.checks)} checks</summary>{rows}</details>")
    if finding.caveats:
        rows = "".join(f"<li>{pretty(each.what)}: <b>{pretty(each.shown)}</b></li>" for each in finding.caveats)
        head = "Caveats: the paper’s words do not say this, so it does not count"
        lines.append(f'<p class="quiet">{head}</p><ul>{rows}</ul>')
    if finding.repair is not None and verdict != HOLDS:
        lines.append(f"<p>→ {pretty(finding.repair.what)}: <b>{pretty(finding.repair.shown)}</b></p>")
    lines.append(f'<p class="quiet">{_stopped(pretty(claim.setting))} Data: {pretty(finding.data)}.</p>')
    return _row(side, lines)


def _statement(own: Words, decided: str) -> str:
    """One statement of the paper, where it stands (the original words under the pointer), how it is read."""
    mark = f"{circle(decided)} " if decided else ""
    read = f'. <span class="quiet">Read as: {pretty(own.reading)}.</span>' if own.reading else ""
    where = f'<span class="quiet" title="{own.original}">{pretty(own.where)}</span>'
    return f'<p class="said">{mark}“{pretty(own.says)}” {where}{read}</p>'


def _check(check: Check) -> str:
    """What was measured, and what it is held against."""
    number = check.number
    asked = f"asked: {pretty(check.criterion)}, {SAYS[check.decision]}"
    what = f'<span class="quiet">{pretty(number.what)}; {asked}</span>'
    return f"<p>{circle(DECIDED[check.decision])} <b>{pretty(number.shown)}</b> {what}</p>"


def _stopped(text: str) -> str:
    return text if text.endswith(("?", ".")) else f"{text}."


def _row(side: str, lines: Sequence[str]) -> str:
    return f'<div class="claim"><div class="side">{side}</div><div>{"".join(lines)}</div></div>'


def caveat_html(title: str, wrong: str, repair: str, claim: str) -> str:
    """One caveat with its repair, and where it is measured."""
    where = f' <span class="quiet">(claim {claim})</span>' if claim else ""
    return f'<div class="caveat"><p><b>{title}</b>{where}</p><p>{pretty(wrong)}</p><p>→ {pretty(repair)}</p></div>'
