"""The panel that plays a method round by round: what the server sends, and what one user answers."""

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from ldpapp import looks, widgets, words
from ldpapp.tasks.clusters.data import CATALOG, record_of
from ldpcore.clusters import Answer, Clustering, Message, answer
from ldpcore.rng import stream
from ldpcore.study import Study
from ldpcore.study.clusters import Cell, People


def panel(study: Study, people: People, here: Cell, runs: dict[str, Clustering], repetition: int) -> None:
    names = list(runs)
    chosen = looks.wished("clusters_played")
    name = chosen if chosen in names else names[0]
    found = runs[name]
    steps = sorted({message.round for message in found.messages})
    with widgets.panel("rounds", "Round by round", None) as slot:
        with slot.popover(f"{widgets.glyph(name)} {name}", type="tertiary", key="clusters_rounds_menu"):
            looks.wish(
                st.radio,
                "Method",
                names,
                key="clusters_played",
                shown=name,
                format_func=lambda key: f"{widgets.glyph(key)} {key}: {CATALOG[key].label}",
            )
        with slot:
            widgets.as_table("rounds", bill(found), "messages", "bill")
        first, second = st.columns(2, gap="small")
        at = steps[0]
        if len(steps) > 1:
            at = first.select_slider(
                "Round",
                steps,
                value=next(t for t in steps if t > 0),
                key=f"clusters_round_{name}_{len(steps)}_{steps[0]}",
                format_func=lambda t: _step(t, found),
                label_visibility="collapsed",
            )
        person = _person(second, here.records.n)
        record = record_of(here.records, person)
        now = [message for message in found.messages if message.round == at]
        received = any(message.kind == "modes" for message in now)
        said = next((message for message in now if message.sender == "user"), None)
        modes = found.modes if said is None else found.sent[max(at, 1) - 1]
        spoken = [_says(message) for message in now]
        if said is not None:
            rng = stream(study.seed, "example", name, at, person, repetition)
            spoken.append(_user(person, said, answer(said, record, here.records.levels, modes, rng), people, record))
        left, right = st.columns([36, 64], gap="small")
        left.html(f'<div class="card">{" ".join(spoken)}</div>')
        with right:
            table(people, record, modes if received else None, study.column)


def _person(place: Any, n: int) -> int:
    """Which user is looked at, from 0."""
    if n == 1:
        return 0
    options: dict[str, Any] = {"format": "user %d", "key": f"clusters_user_{n}", "label_visibility": "collapsed"}
    return int(place.slider("User", 1, n, min(17, n), **options)) - 1


def _step(t: int, found: Clustering) -> str:
    last = max(message.round for message in found.messages)
    return "before the rounds" if t == 0 else "at the end" if t == last and t > found.rounds else f"round {t}"


def bill(found: Clustering) -> pd.DataFrame:
    """Every message of a run, with its size and what it spends."""
    return pd.DataFrame(
        [
            {
                "round": message.round,
                "from": message.sender,
                "messages": message.count,
                "bytes each": message.bytes,
                "ε of one": ""
                if message.sender == "server"
                else "none covers it"
                if message.exact
                else _spent(message),
                "what": message.says,
            }
            for message in found.messages
        ]
    )


def _says(message: Message) -> str:
    who = "<b>The server</b> sends" if message.sender == "server" else "<b>Every user</b> answers"
    if message.sender == "user" and message.kind == "cell":
        who = "<b>A user of this round</b> answers"
    cost = ""
    if message.sender == "user":
        cost = "; <b>not covered by any ε</b>" if message.exact else f"; spends ε = {_spent(message)}"
    size = words.plural(message.bytes, "byte")
    return f"{who} {widgets.escape(message.says)} ({words.count(message.count)} × {size}){cost}."


def _spent(message: Message) -> str:
    return "none covers it" if message.exact else words.epsilon(message.epsilon)


def _user(person: int, message: Message, answers: tuple[Answer, ...], people: People, record: list[int]) -> str:
    """One user's answer in words."""
    who = f"User {words.count(person + 1)}"
    (first, *rest) = answers
    if message.kind in ("index", "noisy index"):
        sent = first.sent[0] + 1
        strays = "" if sent == first.own + 1 else f", though {first.own + 1} is nearest"
        return f"{who} answers <b>{sent}</b>{strays}."
    if message.kind == "record":
        return f"{who} hands over the whole record."
    if rest:
        named = sum(len(one.sent) for one in answers)
        return f"{who} sends {words.count(sum(one.cells for one in answers))} bits, {named} of them set."
    shown = [_cell(message, cell, first, people) for cell in first.sent[:3]]
    more = f" … (+{len(first.sent) - 3})" if len(first.sent) > 3 else ""
    drew = " and ".join(people.columns[j] for j in first.attributes)
    inside = "among them the truth" if first.own in first.sent else "without the truth"
    if not first.sent:
        return f"{who} draws <b>{widgets.escape(drew)}</b> and names no value at all."
    return (
        f"{who} draws <b>{widgets.escape(drew)}</b> and names {len(first.sent)} of {first.cells}: "
        f"{widgets.escape(', '.join(shown))}{more} ({inside})."
    )


def _cell(message: Message, cell: int, answer: Answer, people: People) -> str:
    last = people.domains[answer.attributes[-1]]
    head, value = divmod(cell, last.k)
    if message.kind == "cell":
        return f"{head + 1}·{last.labels[value]}"
    if message.kind == "pair":
        return f"{people.domains[answer.attributes[0]].labels[head]} + {last.labels[value]}"
    return last.labels[cell]


def table(people: People, record: list[int], modes: np.ndarray | None, column: str) -> None:
    """The user's own record beside the modes of this round; agreements in bold."""
    shown = [] if modes is None else modes[:4].tolist()
    agree = [sum(a == b for a, b in zip(mode, record, strict=True)) for mode in shown]
    nearest = max(range(len(agree)), key=lambda r: (agree[r], -r)) if agree else -1
    head = "".join(f"<th>mode&nbsp;{r + 1}{'&nbsp;◂' if r == nearest else ''}</th>" for r in range(len(shown)))
    rows = []
    for j, (name, domain) in enumerate(zip(people.columns, people.domains, strict=True)):
        look = whole(name, column)
        cells = "".join(_mode(domain.labels[mode[j]], mode[j] == record[j], look) for mode in shown)
        own = widgets.escape(domain.labels[record[j]])
        rows.append(f'<tr>{attribute(name, column)}<td title="{own}" {look}>{own}</td>{cells}</tr>')
    if shown:
        cells = "".join(f"<td>{count} of {len(record)}</td>" for count in agree)
        rows.append(f'<tr class="sum"><td class="quiet">agree</td><td></td>{cells}</tr>')
    width = f"min-width:{88 + 58 * (len(shown) + 1)}px"
    rows.insert(0, f"<tr><td></td><th>the user</th>{head}</tr>")
    st.html(f'<div class="modes" style="{widgets.scrolls()}"><table style="{width}">{"".join(rows)}</table></div>')


def _mode(label: str, agrees: bool, look: str) -> str:
    text = widgets.escape(label)
    return f'<td class="{"other" if agrees else "same"}" title="{text}" {look}>{text}</td>'


def attribute(name: str, column: str) -> str:
    """The cell with a column's name; the attacked one in the colour of what is sensitive, whole."""
    text = widgets.escape(name)
    said = widgets.sensitive(text) if name == column else f'<span class="quiet">{text}</span>'
    return f'<td title="{text}" {whole(name, column)}>{said}</td>'


def whole(name: str, column: str) -> str:
    """For the cells of a row: in that of the attacked column a long value takes a second line, and keeps its end."""
    return 'style="white-space:normal;overflow-wrap:anywhere;vertical-align:top"' if name == column else ""
