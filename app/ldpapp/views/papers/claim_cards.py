"""A claim, its checks and its caveats. From findings to HTML."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from ldpapp.charts.palette import face
from ldpapp.parts import widgets
from ldpapp.views.papers.live import Live
from ldpapp.views.papers.sentences import OPEN, as_read, item, names, pretty, verdicts
from ldpapp.words.language import t
from ldpcore.catalog import Construction, Coverage
from ldpcore.papers import (
    BROKEN,
    HOLDS,
    IN_PART,
    PAPERS,
    UNDECIDED,
    UNTESTABLE,
    Check,
    Claim,
    Finding,
    Measured,
    PaperStatement,
)
from ldpcore.papers.check import SAYS

LOOKS = {HOLDS: "full", IN_PART: "half", BROKEN: "none", UNDECIDED: "maybe", UNTESTABLE: "absent"}
DECIDED: Mapping[bool | None, str] = {True: HOLDS, False: BROKEN, None: UNDECIDED}
"""How a statement or a check looks: as the verdict of a claim that consists of it."""


def circle(verdict: str) -> str:
    """● ◐ ■ ⊙, drawn: grey where it holds, in colour where it does not, or not all of it; a ring with a dot: undecided,
    dotted: cannot be tested, faint: not checked.
    """
    called, look = verdicts()[verdict], f"v {LOOKS.get(verdict, 'open')}"
    return f'<i class="{look}"{_colored(verdict)} title="{called}" role="img" aria-label="{called}"></i>'


def _colored(verdict: str) -> str:
    """The colour of what does not hold: that of a promise weaker than the usual, since vermilion is for marks."""
    if verdict not in (BROKEN, IN_PART):
        return ""
    return f' style="color:{face("", Coverage.WEAKER, Construction.SYMBOL).color(widgets.is_dark())}"'


def glance(found: Sequence[Measured], claims: Mapping[str, Sequence[Claim]]) -> str:
    """One row per paper, one circle per claim; what does not hold, or not all of it, has its number beside it."""
    known = {(each.paper, each.claim.number): each.finding.verdict for each in found}
    read = {(each.paper, each.claim.number) for each in found if each.finding.as_read}
    rows = []
    for key, listed in claims.items():
        cells = "".join(
            _glanced(each.number, known.get((key, each.number), OPEN), (key, each.number) in read) for each in listed
        )
        name = f'<b>{names()[key]}</b> <span class="quiet">{PAPERS[key].cited}</span>'
        rows.append(f"<tr><td>{name}</td><td>{cells}</td></tr>")
    seen = {*known.values()} | ({OPEN} if len(known) < sum(map(len, claims.values())) else set())
    legend = " &ensp; ".join(f"{circle(verdict)} {name}" for verdict, name in verdicts().items() if verdict in seen)
    return f'<div class="card glance"><table>{"".join(rows)}</table><div class="quiet">{legend}</div></div>'


def _glanced(number: str, verdict: str, read: bool) -> str:
    """read: it holds by one reading of its words only, so it has its number, too."""
    shown = f'<span class="quiet">{number}</span>' if read or verdict != HOLDS else ""
    if verdict in (BROKEN, IN_PART):
        shown = f'<b class="number"{_colored(verdict)}>{number}</b>'
    called = f"{verdicts()[verdict]}, {as_read()}" if read else verdicts()[verdict]
    return f'<span class="c" title="{number}: {called}">{circle(verdict)}{shown}</span>'


@dataclass(frozen=True)
class Opening:
    """How the address names a claim, such as "suldp-3", and whether it is open at first."""

    name: str
    is_open: bool = False


def claim_html(claim: Claim, finding: Finding | None, live: Live | None = None, opening: Opening | None = None) -> str:
    """One claim: its verdict and what it says; opened, the paper's words, all checks, why, caveats, repair.

    live: where one that does not hold is seen.
    """
    verdict = OPEN if finding is None else finding.verdict
    called = "" if verdict == HOLDS else f" <b{_colored(verdict)}>{verdicts()[verdict]}</b>"
    if finding is not None and finding.as_read:
        called = f' <span class="quiet">{as_read()}</span>'
    head = f'<span class="side">{circle(verdict)}{called}</span>'
    says = f"<span>{claim.number}&ensp;<b>{pretty(claim.says)}</b></span>"
    link = ""
    if live is not None and verdict in (IN_PART, BROKEN):
        link = f'<a href="{escape(live.link)}" target="_blank">{t("live")}</a>'
    body = "".join(_inside(claim, finding))
    named = "" if opening is None else f' data-claim="{opening.name}"' + (" open" if opening.is_open else "")
    return (
        f'<div class="claim"><details{named}><summary>{head}{says}</summary><div class="inside">{body}</div></details>'
        f"{link}</div>"
    )


def _inside(claim: Claim, finding: Finding | None) -> list[str]:
    decisions = finding.decisions if finding is not None and finding.statements else ()
    lines = [_statement(text, DECIDED[decisions[i]] if decisions else "") for i, text in enumerate(claim.words)]
    setting = _stopped(pretty(claim.setting))
    if finding is None:
        return [*lines, f'<p class="quiet">{setting}</p>']
    lines += [_reading(says, came, first=at == 0) for at, (says, came) in enumerate(finding.readings)]
    if finding.deciding is not None:
        lines.append(_check(finding.deciding))
    lines.append(f"<p>{pretty(finding.why)}</p>")
    if len(finding.checks) > 1:
        rows = "".join(map(_check, finding.checks))
        every = t("All {counted}", counted=finding.counted)
        lines.append(f"<details><summary>{every}</summary>{rows}</details>")
    if finding.caveats:
        rows = "".join(map(item, (_measured(each.what, each.shown) for each in finding.caveats)))
        head = t("Caveats: the paper’s words do not say this, so it does not count")
        lines.append(f'<p class="quiet">{head}</p><ul>{rows}</ul>')
    if finding.repair is not None and finding.verdict != HOLDS:
        lines.append(f"<p>→ {_measured(finding.repair.what, finding.repair.shown)}</p>")
    data = t("Data: {data}.", data=pretty(finding.data))
    return [*lines, f'<p class="quiet">{setting} {data}</p>']


def _measured(what: str, shown: str) -> str:
    return t("{what}: <b>{shown}</b>", what=pretty(what), shown=pretty(shown))


def _statement(own: PaperStatement, decided: str) -> str:
    """One statement of the paper, where it stands (the original words under the pointer), how it is read."""
    mark = f"{circle(decided)} " if decided else ""
    where = f'<span class="quiet" title="{own.original}">{pretty(own.where)}</span>'
    if not own.reading:
        return f'<p class="said">{mark}“{pretty(own.says)}” {where}</p>'
    read = t("Read as: {reading}.", reading=pretty(own.reading))
    return f'<p class="said">{mark}“{pretty(own.says)}” {where}. <span class="quiet">{read}</span></p>'


def _reading(says: str, verdict: str, first: bool) -> str:
    """One way to read the claim, and the verdict that it gives; the first decides."""
    text, came = t("Read as: {reading}.", reading=pretty(says)), verdicts()[verdict]
    if first:
        came = t("{verdict}: the reading that favours the paper decides", verdict=came)
    return f'<p>{circle(verdict)} <span class="quiet">{text}</span> {came}</p>'


def _check(check: Check) -> str:
    """What was measured, and what it is held against."""
    text = t(
        "{what}; asked: {criterion}, {decision}",
        what=pretty(check.number.what),
        criterion=pretty(check.criterion),
        decision=SAYS[check.decision],
    )
    shown = pretty(check.number.shown)
    return f'<p>{circle(DECIDED[check.decision])} <b>{shown}</b> <span class="quiet">{text}</span></p>'


def _stopped(text: str) -> str:
    return text if text.endswith(("?", ".")) else f"{text}."


def way(live: Live, commands: Sequence[str]) -> str:
    """The way to the page that draws a figure from data, and its lines for a terminal."""
    first, *more = commands
    others = "".join(f" <code>{command.rpartition(' ')[2]}</code>" for command in more)
    opens = f'<a class="live" href="{escape(live.link)}" target="_blank">{t("live")}</a>'
    return f'<div class="way">{opens} <code>{first}</code>{others}</div>'


def every_way(ways: Mapping[str, Sequence[tuple[str, Live]]]) -> str:
    """A line for each paper: the ways to the pages that draw its figures, by their numbers."""
    link = '<a class="live" href="{href}" target="_blank">{number}</a>'
    return "".join(
        f'<div class="way"><span>{names()[paper]}</span>'
        + "".join(link.format(href=escape(live.link), number=escape(number)) for number, live in every)
        + "</div>"
        for paper, every in ways.items()
    )


def stand_in(text: str, without: Mapping[str, str]) -> str:
    """What is in the place of the paper's data; lines that no run has."""
    left_out = (t("“{line}” is only here: {why}.", line=pretty(line), why=pretty(why)) for line, why in without.items())
    return f'<div class="sub">{" ".join([pretty(text), *left_out])}</div>'


def caveat_html(title: str, wrong: str, repair: str, claim: str, holds: bool = False) -> str:
    """One caveat; opened, what is wrong, where it is measured, and its repair, if there is one. holds: the claim itself
    does, and what does not is beside it.
    """
    measured = t("beside claim {number}, which holds", number=claim) if holds else t("claim {number}", number=claim)
    where = f' <span class="quiet">({measured})</span>' if claim else ""
    repaired = f"<p>→ {pretty(repair)}</p>" if repair else ""
    return f'<details class="caveat"><summary><b>{title}</b>{where}</summary><p>{pretty(wrong)}</p>{repaired}</details>'


def refuted_html(claim: Claim, finding: Finding) -> str:
    """A claim that does not hold, or not all of it, and of which no caveat is: why, and its repair."""
    repair = finding.repair
    repaired = t("{what}: {shown}", what=repair.what, shown=repair.shown) if repair is not None else ""
    return caveat_html(pretty(claim.says), finding.why, repaired, claim.number)
