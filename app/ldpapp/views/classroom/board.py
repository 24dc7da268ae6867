"""The board of an open room: it looks at the room every second, and shows counts and estimates, never a report."""

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from ldpapp import words
from ldpapp.classroom import DOOR, ROOMS, NoDoor, Room, Seen, may_leave_this_machine
from ldpapp.classroom.rooms import FEW
from ldpapp.parts import widgets
from ldpapp.runtime import display
from ldpapp.runtime.errors import guarded
from ldpapp.state import controlled, view_options
from ldpapp.views.classroom import expected, opening, pieces
from ldpapp.views.classroom.pieces import percent
from ldpapp.words.language import t
from ldpcore.attacks import manipulation

LIARS, MOST_LIARS = "class_liars", 5
"""The key of how many pupils lie, which is no part of the room, and the most that are tried."""
EVERY = 1.0
"""Seconds between two looks."""


def show(room: Room) -> None:
    try:
        base = DOOR.open(may_leave_this_machine())
    except NoDoor as error:
        widgets.note(t("Phones cannot reach the room: {why}.", why=widgets.escape(error)))
        base = f"http://{DOOR.host}:{DOOR.port}"
    _live(room.code, base)


@st.fragment(run_every=EVERY)
def _live(code: str, base: str) -> None:
    room = ROOMS.get(code)
    if room is None:
        st.rerun()
        return
    with guarded(t("The board")):
        seen = room.seen()
        shares = estimate(room, seen)
        with st.container(key="board"):
            left, right = st.columns([63, 37], gap="medium")
            with left:
                _main(room, seen, shares)
            with right:
                _aside(room, seen, shares, base)


def estimate(room: Room, seen: Seen) -> pd.DataFrame | None:
    """None while there are too few reports to show: a closed room gets no more."""
    n = seen.tally.n
    return room.client.estimate(seen.tally) if n >= FEW or (n and not room.open) else None


def _main(room: Room, seen: Seen, found: pd.DataFrame | None) -> None:
    n = seen.tally.n
    st.html(pieces.question(room.client.question) + pieces.promise(room))
    with st.container(key="panel_class_estimate"):
        title, about = _title(room, n, found)
        votes = seen.openly if room.revealed and sum(seen.openly) >= FEW else ()
        st.html(_head(title, about) + pieces.estimates(found, room, votes, lied(room, found, n)))
    with st.container(key="panel_class_reports"):
        st.html(pieces.arrived(n, room) + f'<div class="sub">{pieces.refused(seen.refused)}</div>')
    _controls(room, seen)


def _title(room: Room, n: int, found: pd.DataFrame | None) -> tuple[str, str]:
    if found is None:
        return (
            t("What the class says"),
            t("The first estimate comes with {few} reports: of fewer, each would tell too much.",
              few=FEW),
        )  # fmt: skip
    title = t("What the class says, as far as {n} reports can tell", n=n)
    if room.revealed and (liars := min(view_options.look(LIARS, 0), n)):
        about = t("As if {liars} lied, each share as far up as they move it; in brackets, its interval; ◇ the vote",
                  liars=liars)  # fmt: skip
        return title, about
    if room.revealed:
        return title, t("Estimated share and, in brackets, its 95 % interval; ◇ the open vote, in percent")
    return title, t("Estimated share and, in brackets, its 95 % interval")


def _head(title: str, about: str) -> str:
    return f'<div class="title" role="heading" aria-level="2">{title}</div><div class="sub">{about}</div>'


def _aside(room: Room, seen: Seen, found: pd.DataFrame | None, base: str) -> None:
    n = seen.tally.n
    st.html(pieces.joining(base, room.code))
    with st.container(key="panel_class_margin"):
        now = t("now {margin}", margin=expected.whole(expected.margins(room.client).alone / n**0.5)) if n else ""
        about = t("± 95 % of a hidden share; grey: out of reach")
        st.html(_head(t("More reports, smaller ±"), about))
        height = 108 if display.projector() else 150
        expected.drawn(room.client, n, room.seats, now, height, 400).draw("class_margin")
    with st.container(key="panel_class_told"):
        if room.revealed:
            text = told(found, seen.openly, n)
            st.html(_head(t("The open vote beside it"), "") + f'<div class="vote-told" role="status">{text}</div>')
            if found is not None:
                _liars(room, found, n)
        else:
            st.html(_head(t("What one report tells"), "") + expected.odds_html(room.client))


# what the teacher does -------------------------------------------------------------------------------------------


def _controls(room: Room, seen: Seen) -> None:
    with st.container(key="class_controls", horizontal=True, gap="small"):
        label = t("No more reports") if room.open else t("Take reports again")
        st.button(label, key="class_close", on_click=_set, args=(room.code, "open", not room.open))
        label = t("Ask for an open vote") if not room.voting else t("Stop the open vote")
        if room.over:
            label = t("The open vote is over")
        st.button(
            label, key="class_vote", disabled=room.over, on_click=_set, args=(room.code, "voting", not room.voting)
        )
        cast = sum(seen.openly)
        label = t("Reveal the vote ({n})", n=cast) if room.over else t("End the vote, reveal it ({n})", n=cast)
        if room.revealed:
            label = t("Hide the vote")
        if not room.revealed and cast < FEW:
            label = t("Reveal the vote ({n} of {few} needed)", n=cast, few=FEW)
        st.button(
            label, key="class_reveal", disabled=not room.revealed and cast < FEW, on_click=_reveal,
            args=(room.code, not room.revealed),
        )  # fmt: skip
        if any(why == "full" for why, _ in seen.refused):
            st.button(t("One seat more"), key="class_seat", on_click=_set, args=(room.code, "seats", room.seats + 1))
        with st.popover(t("End the room"), key="class_leave"):
            st.write(t("Everything in the room is forgotten at once, and phones reach nothing any more."))
            st.button(t("Forget it all"), type="primary", key="class_end", on_click=partial(opening.end, room.code))


def _set(code: str, name: str, value: object) -> None:
    """By its code: a button that knew the room would keep it alive after its end."""
    if room := ROOMS.get(code):
        setattr(room, name, value)


def _reveal(code: str, shown: bool) -> None:
    if room := ROOMS.get(code):
        room.reveal(shown)


# who lies --------------------------------------------------------------------------------------------------------


def lied(room: Room, found: pd.DataFrame | None, n: int) -> list[float] | None:
    """What the estimates would be if so many of the n reports that are there were false, each as far up as one report
    moves it; None where nobody does.
    """
    liars = min(view_options.look(LIARS, 0), n)
    if found is None or not room.revealed or not liars:
        return None
    return manipulation.moved(room.client.mechanism, found["share"].clip(0, 1), n, liars)[1].tolist()


def _liars(room: Room, found: pd.DataFrame, n: int) -> None:
    """The slider, and what it does; the intervals know nothing of it."""
    controlled.bound(
        st.slider, t("Pupils who lie"), 0, min(MOST_LIARS, n), key="class_liars_slider",
        value=min(view_options.look(LIARS, 0), n), change=partial(view_options.choose, LIARS),
    )  # fmt: skip
    shares = lied(room, found, n)
    if shares is None:
        return
    moved = max(now - share for now, share in zip(shares, found["share"].clip(0, 1), strict=True))
    text = t(
        "If {liars} of {n} lie, a share can read up to {points} points more. No interval knows of it.",
        liars=view_options.look(LIARS, 0), n=n, points=percent(moved),
    )  # fmt: skip
    st.html(f'<div class="sub">{text}</div>')


# the open vote -------------------------------------------------------------------------------------------------------


def _few() -> str:
    return t("The open vote is shown from {few} votes on: of fewer, each would tell too much.", few=FEW)


def told(found: pd.DataFrame | None, votes: Sequence[int], sent: int) -> str:
    cast = sum(votes)
    if cast < FEW:
        return f"<p>{_few()}</p>"
    if found is None:
        return f"<p>{t('There is nothing to compare yet.')}</p>"
    outside = [v for v, vote in enumerate(votes) if not found["low"].iloc[v] <= vote / cast <= found["high"].iloc[v]]
    if not outside:
        first = t("The open vote lies inside every interval.")
    else:
        first = t(
            "The open vote lies inside {inside} of {all} intervals, outside that of {names}.",
            inside=len(votes) - len(outside),
            all=len(votes),
            names=words.listing(_one(found, votes, cast, v) for v in outside[:2]),
        )
    why = t(
        "They may differ: {cast} of {sent} voted, in the open people may say less, a report may be a lie, and 1 of 20 "
        "intervals misses by chance.",
        cast=cast, sent=sent,
    )  # fmt: skip
    return f"<p><b>{first}</b></p><p>{why}</p>"


def _one(found: pd.DataFrame, votes: Sequence[int], cast: int, v: int) -> str:
    return t(
        "“{answer}” ({vote} %, not {low}–{high})",
        answer=widgets.escape(words.shorten(str(found["answer"].iloc[v]), 20)),
        vote=percent(votes[v] / cast),
        low=percent(found["low"].iloc[v]),
        high=percent(found["high"].iloc[v]),
    )
