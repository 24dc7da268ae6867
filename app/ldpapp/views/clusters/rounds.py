"""The panel that plays a method round by round: what the server sends, and what one user answers."""

from functools import partial

import pandas as pd
import streamlit as st

from ldpapp.parts import widgets
from ldpapp.parts.panels import Control, Html, Menu, Panel, Part, Reach, RowOfParts, Sheet
from ldpapp.state import view_options
from ldpapp.views.clusters import sentences
from ldpapp.words.language import t
from ldpcore.clusters import Clustering
from ldpcore.rng import stream
from ldpcore.study import Study
from ldpcore.study.clusters import CATALOG, ClusterDesignPoint, ClusterRecords
from ldpcore.study.clusters.rounds import Exchange, bill, exchange, label, record_of, rounds

MODES = 4
"""Modes that stand beside a record: those of the lowest numbers, and always the nearest."""


def panel(
    study: Study, people: ClusterRecords, here: ClusterDesignPoint, runs: dict[str, Clustering], repetition: int
) -> Panel:
    chosen = view_options.wished("clusters_played")
    name = chosen if chosen in runs else next(iter(runs))
    run = runs[name]
    steps, n = rounds(run), here.records.n
    step, user = f"clusters_round_{name}_{len(steps)}_{steps[0]}", f"clusters_user_{n}"
    usual = next((number for number in steps if number > 0), steps[0])
    at, person = view_options.look(step, usual), view_options.look(user, min(17, n)) - 1
    record = record_of(here.records, person)
    heard = exchange(run, here.records, at, record, stream(study.seed, "example", name, at, person, repetition))
    texts = [sentences.sent(message, widgets.escape) for message in heard.messages]
    if heard.asked is not None:
        cell = partial(label, heard.asked, heard.answers[0], people.domains)
        texts.append(sentences.answered(person, heard, heard.asked, people.columns, cell, widgets.escape))
    texts.append(sentences.size(run.report_bits(n), CATALOG[name].central))
    first: list[Part] = [Control(partial(_step, step, steps, usual, run))] if len(steps) > 1 else []
    second: list[Part] = [Control(partial(_person, user, n))] if n > 1 else []
    return Panel(
        "rounds",
        t("Round by round"),
        [
            RowOfParts([first, second]),
            RowOfParts(
                [
                    [Html(f'<div class="card">{" ".join(texts)}</div>')],
                    [Html(_table(people, record, heard, study.column))],
                ],
                [36, 64],
            ),
        ],
        head=[
            Menu(f"{widgets.glyph(name)} {name}", partial(_methods, list(runs), name), "clusters_rounds_menu"),
            Sheet(_bill(run), "messages", t("bill")),
        ],
        reach=Reach.SCREEN,  # it plays one user's record
    )


def _methods(names: list[str], shown: str) -> None:
    view_options.wish(
        st.radio,
        t("Method"),
        names,
        key="clusters_played",
        shown=shown,
        format_func=lambda key: widgets.option(key, f"{key}: {CATALOG[key].label}"),
    )


def _step(key: str, steps: list[int], usual: int, found: Clustering) -> None:
    def name(number: int) -> str:
        if number == 0:
            return t("before the rounds")
        if number == steps[-1] and number > found.rounds:
            return t("at the end")
        return t("round {n}", n=number)

    st.select_slider(t("Round"), steps, value=usual, key=key, format_func=name, label_visibility="collapsed")


def _person(key: str, n: int) -> None:
    """Which user is looked at, from 1."""
    st.slider(t("User"), 1, n, min(17, n), format=t("user %d"), key=key, label_visibility="collapsed")


def _bill(found: Clustering) -> pd.DataFrame:
    """Every message of a run, with its size and what it spends."""
    spent = [sentences.spent(message) if message.sender == "user" else "" for message in found.messages]
    return (
        bill(found)
        .assign(epsilon=spent)
        .rename(columns={"sender": "from", "bytes": "bytes each", "epsilon": "ε of one", "says": "what"})
    )


def _table(people: ClusterRecords, record: list[int], heard: Exchange, column: str) -> str:
    """The user's own record beside the modes of this round; agreements in bold."""
    nearest = heard.nearest
    modes = (
        []
        if nearest is None
        else sorted({nearest, *[r for r in range(len(heard.agreements)) if r != nearest][: MODES - 1]})
    )
    head = "".join(f"<th>{t('mode')}&nbsp;{r + 1}{'&nbsp;◂' if r == nearest else ''}</th>" for r in modes)
    rows = [f"<tr><td></td><th>{t('the user')}</th>{head}</tr>"]
    for j, (name, domain) in enumerate(zip(people.columns, people.domains, strict=True)):
        look, label = whole(name, column), widgets.escape(domain.labels[record[j]])
        codes = [] if heard.modes is None else [int(heard.modes[r][j]) for r in modes]
        cells = "".join(_mode(domain.labels[code], code == record[j], look) for code in codes)
        rows.append(f'<tr>{attribute(name, column)}<td title="{label}" {look}>{label}</td>{cells}</tr>')
    if modes:
        counts = (t("{n} of {q}", n=heard.agreements[r], q=len(record)) for r in modes)
        cells = "".join(f"<td>{count}</td>" for count in counts)
        rows.append(f'<tr class="sum"><td class="quiet">{t("agree")}</td><td></td>{cells}</tr>')
    width = f"min-width:{88 + 58 * (len(modes) + 1)}px"
    return f'<div class="modes" style="{widgets.scrolls()}"><table style="{width}">{"".join(rows)}</table></div>'


def _mode(label: str, agrees: bool, look: str) -> str:
    text = widgets.escape(label)
    return f'<td class="{"other" if agrees else "same"}" title="{text}" {look}>{text}</td>'


def attribute(name: str, column: str) -> str:
    """The cell with a column's name; the attacked one in the colour of what is sensitive, whole."""
    text = widgets.escape(name)
    named = widgets.sensitive(text) if name == column else f'<span class="quiet">{text}</span>'
    return f'<td title="{text}" {whole(name, column)}>{named}</td>'


def whole(name: str, column: str) -> str:
    """For the cells of a row: in that of the attacked column a long value takes a second line, and keeps its end."""
    return 'style="white-space:normal;overflow-wrap:anywhere;vertical-align:top"' if name == column else ""
