"""What the board is made of, as markup at fixed heights: nothing jumps while reports come in."""

from collections.abc import Sequence

import pandas as pd

from ldpapp import words
from ldpapp.charts.base import text_width
from ldpapp.classroom import Room
from ldpapp.classroom.door import HERE
from ldpapp.classroom.rooms import ADDRESS, CLOSED, FULL, IMPOSSIBLE, STRANGE, TWICE
from ldpapp.parts import widgets
from ldpapp.runtime import display
from ldpapp.views.classroom.opening import written
from ldpapp.words.language import t

LARGE, SMALL = 30.0, 15.0
"""px of a question of two lines on 1280×720, and of a very long one."""
WIDE, PROJECTED = 740.0, 500.0
"""px of its line, there and on a projector."""
NAMED = 56
"""Letters of hidden answers that are named one by one."""
SINGLE = 8
"""More answers than these stand in two columns."""


def question(text: str) -> str:
    em = text_width(text, 1.0) * 1.04
    line, largest = (PROJECTED, 27.0) if display.projector() else (WIDE, LARGE)
    size = max(SMALL, min(largest, 1.9 * line / max(em, 1.0)))
    look = f"font-size:{size / widgets.ROOT:.4g}rem"
    return f'<div class="asked" role="heading" aria-level="1" style="{look}">{widgets.escape(text)}</div>'


def promise(room: Room) -> str:
    """What stays hidden, and how."""
    asked = room.client
    hidden = [answer for answer, stays in zip(asked.answers, asked.hidden, strict=True) if stays]
    epsilon = words.epsilon(asked.epsilon)
    if len(hidden) == len(asked.answers):
        text = t(
            "{every} stays hidden (ε = {epsilon}). Each phone may change its answer by chance before it sends it.",
            every=widgets.sensitive(t("Every answer")), epsilon=epsilon,
        )  # fmt: skip
    elif len(hidden) == 1 and len(hidden[0]) <= NAMED:
        text = t(
            "{name} stays hidden (ε = {epsilon}). Each phone may change its answer by chance before it sends it.",
            name=widgets.sensitive(f"“{widgets.escape(hidden[0])}”"), epsilon=epsilon,
        )  # fmt: skip
    else:
        short = sum(map(len, hidden)) <= NAMED
        names = words.listing(widgets.sensitive(f"“{widgets.escape(each)}”") for each in hidden)
        text = t(
            "{names} stay hidden (ε = {epsilon}). Each phone may change its answer by chance before it sends it.",
            names=names if short else widgets.sensitive(t("Answers in red")), epsilon=epsilon,
        )  # fmt: skip
    if room.voting or room.over:
        text = t("{promise} Votes, of those who like, go out as they are.", promise=text)
    return f'<div class="story kept">{text}</div>'


# joining ---------------------------------------------------------------------------------------------------------


def joining(base: str, code: str) -> str:
    """QR code, code and address: whoever cannot scan types."""
    url = f"{base}/{code}"
    first, second = written(code).split(" ")
    host = widgets.escape(base.removeprefix("http://"))
    alt, text = t("QR code of {address}", address=url), t("Join with code")
    if host.startswith(HERE):
        text = t("This machine only")
    scanned = f'<img src="{widgets.qr(url)}" alt="{alt}" style="min-width:212px">'
    return (
        f'<div class="joining">{scanned}<div><div class="quiet">{text}</div>'
        f'<div class="code">{first}<br>{second}</div><div class="address">{host}<wbr>/{code}</div></div></div>'
    )


# estimates -------------------------------------------------------------------------------------------------------


def estimates(found: pd.DataFrame | None, room: Room, votes: Sequence[int], lied: Sequence[float] | None = None) -> str:
    """A row per answer: name, interval, estimate. found: None while there is none to show; votes: those revealed; lied:
    what the estimates would be if some lied, in their place: their intervals stand still.
    """
    asked = room.client
    cast = sum(votes)
    rows = []
    for v, answer in enumerate(asked.answers):
        low, share, high = (0.0, 0.0, 0.0) if found is None else _shown(found, v)
        share = share if lied is None else min(max(lied[v], 0.0), 1.0)
        drawn = number = ""
        if found is not None and (low, high) != (0.0, 1.0):
            drawn = (
                f'<i class="bar" style="width:{100 * share:.1f}%"></i>'
                f'<i class="span" style="left:{100 * low:.1f}%;width:{100 * (high - low):.1f}%"></i>'
                f'<i class="dot" style="left:{100 * share:.1f}%"></i>'
            )
            number = f"<b>{percent(share)}</b> <span>% ({percent(low)}–{percent(high)})</span>"
        elif found is not None:
            drawn = '<i class="span" style="left:0;width:100%"></i>'
            number = f"<span>{t('anything')} (0–100)</span>"
        if cast:
            drawn += f'<i class="vote" style="left:{100 * votes[v] / cast:.1f}%"></i>'
            number += f' <span class="voted">◇ {percent(votes[v] / cast)}</span>'
        color = f' style="color:{widgets.colors().sensitive}"' if asked.hidden[v] else ""
        name = widgets.escape(answer)
        rows.append(
            f'<div class="row"><span class="name"{color} title="{name}">{name}</span>'
            f'<span class="track"{color} aria-hidden="true">{drawn}</span><span class="number">{number}</span></div>'
        )
    ticks = "".join(f'<i style="left:{at}%">{at}{" %" if at == 100 else ""}</i>' for at in range(0, 101, 20))
    axis = (
        f'<div class="row axis" aria-hidden="true"><span></span><span class="ticks">{ticks}</span><span></span></div>'
    )
    many = " many" if len(rows) > SINGLE else ""
    half = len(rows) if not many else -(-len(rows) // 2)
    columns = "".join(f"<div>{''.join(part)}{axis}</div>" for part in (rows[:half], rows[half:]) if part)
    voting = " voting" if cast else ""
    return f'<div class="estimates{many}{voting}" style="--rows:{half}">{columns}</div>'


def _shown(found: pd.DataFrame, v: int) -> tuple[float, float, float]:
    """Ends and estimate of an answer. The unbiased estimate may be no share at all: it is drawn at the nearest end."""
    low, share, high = (float(found[name].iloc[v]) for name in ("low", "share", "high"))
    return low, min(max(share, low), high), high


def percent(share: float) -> str:
    return f"{100 * share:.0f}"


# reports ---------------------------------------------------------------------------------------------------------


def arrived(n: int, room: Room) -> str:
    """How many have sent: a dot for each phone that is expected, a bar for a crowd."""
    text = t("{n} of {seats} phones have sent", n=n, seats=room.seats)
    if not room.open:
        text = t("Closed: {n} of {seats} phones have sent", n=n, seats=room.seats)
    if room.seats > 120:
        drawn = f'<div class="sent"><i style="width:{100 * n / room.seats:.1f}%"></i></div>'
    else:
        size = "small" if room.seats > 44 else ""
        dots = "<i class=in></i>" * n + "<i></i>" * (room.seats - n)
        drawn = f'<div class="phones {size}" aria-hidden="true">{dots}</div>'
    return f'<div class="title" role="status">{text}</div>{drawn}'


def refused(found: Sequence[tuple[str, int]]) -> str:
    """What was not counted, and why; what is kept of all others."""
    if not found:
        return t("Counts only: the board keeps no order, no time, no address.")
    reasons = {
        CLOSED: t("after closing"),
        IMPOSSIBLE: t("drawn by no phone"),
        STRANGE: t("without a ticket"),
        TWICE: t("a second time"),
        FULL: t("beyond the seats"),
        ADDRESS: t("from the same address"),
    }
    total = sum(often for _, often in found)
    whys = ", ".join(f"{words.count(often)} {reasons[why]}" for why, often in found)
    return t(
        "Counts only. Not counted: {refused} ({whys}).",
        refused=words.plural(total, t("report"), t("reports")),
        whys=whys,
    )
