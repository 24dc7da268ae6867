"""The pieces every page is made of: sentence, chart, panel, state box, table popover."""

import html
import itertools
import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import pandas as pd
import segno
import streamlit as st
from plotly.graph_objects import Figure

from ldpapp import charts, words
from ldpapp.charts import palette
from ldpapp.charts.base import text_width
from ldpapp.runtime import capture, display
from ldpapp.state import view_options
from ldpapp.words import directions, glossary, language
from ldpapp.words.language import t
from ldpcore.data import as_csv

STATIC = Path(__file__).parents[1] / "static"
ROOT = 14
"""px of a rem on 1280×720 (config.toml)."""


def rem(css: str) -> str:
    """Lengths grow with the screen: px as the file has them, on 1280×720, become rem. Hairlines and media stay."""
    parts = re.split(r"(@media\([^)]*\)|\b1px\b)", css)
    lengths = [re.sub(r"(\d*\.?\d+)px", lambda m: f"{float(m[1]) / ROOT:.4g}rem", part) for part in parts[::2]]
    return "".join(itertools.chain.from_iterable(itertools.zip_longest(lengths, parts[1::2], fillvalue="")))


STYLE = "".join(rem((STATIC / sheet).read_text(encoding="utf-8")) for sheet in ("style.css", "signed.css"))
SIDEBAR = 272
"""px of the sidebar on 1280×720."""
PROJECTED = rem(
    'section[data-testid="stSidebar"],header[data-testid="stHeader"]{display:none}'
    ".st-key-ranges_tools,.stPageLink{display:none} .turn{font-size:15px}"
    ".effects td{white-space:normal!important} .stElementContainer:has(>.stNumberInput){min-width:5rem}"
    ".st-key-panel_odds .stHorizontalBlock{flex-wrap:wrap}"
    ".stMainBlockContainer{padding-block:1.1rem}"
    ".stHorizontalBlock:has(>.stColumn .sentence)>.stColumn:not(:has(.sentence)),"
    ".stColumn:has(>.stVerticalBlock:empty){display:none}"
    ".joining img{width:145px} .joining .code{font-size:33px;line-height:37px} .joining .address{font-size:13px}"
    ".story.kept{font-size:14px;line-height:18px} .st-key-class_controls{gap:7px}"
    ".st-key-class_controls button{min-height:22px;padding:0 8px} .st-key-class_controls button p{font-size:11.5px}"
    ".estimates{--all:146px} .estimates .name,.estimates .number{font-size:15px} .estimates .number b{font-size:17px}"
    ".estimates .row{grid-template-columns:minmax(90px,22%) 1fr 112px} .told{font-size:13px;line-height:17px}"
    ".vote-told p{font-size:12.5px;line-height:16px;margin-bottom:4px} .st-key-panel_class_told{min-height:118px}"
)
"""Nothing but the page: no switches, no table to type into, no places of panels that are not drawn."""
PROJECTED_WIDTH, LARGEST, SMALLEST = 833 * 0.93, 19, 11
"""px of a line on a projector and of its type, as on 1280×720: 42 and 24 of 1920×1080. A line is never quite full."""


@lru_cache(8)
def qr(url: str) -> str:
    """A picture's address (data:) that a phone reads as this one."""
    return segno.make(url, error="m").svg_data_uri(scale=4, border=4, dark="#000", light="#fff")


def is_dark() -> bool:
    return st.context.theme.type == "dark"


def style() -> str:
    """The only CSS. Streamlit writes white on primary buttons and on what is chosen from a list, which the dark
    theme's light ones cannot bear.
    """
    css = STYLE + f"html{{font-size:{ROOT * display.factor():g}px!important}}"
    if display.factor() > 1:
        width = rem(f"{SIDEBAR}px")
        css += f'section[data-testid="stSidebar"]:not([aria-expanded="false"]){{min-width:{width}!important}}'
    if is_dark():
        filled = 'button[kind^="primary"],[data-testid="stMultiSelectTagsContainer"]>[role="group"] *'
        css += f"{filled}{{color:{palette.DARK.page}}}"
    return f"<style>{css}{PROJECTED if display.projector() else ''}</style>"


def colors() -> palette.Scheme:
    return palette.scheme(is_dark())


def escape(text: object) -> str:
    """Labels are the user's data: never markup, and each keeps its direction."""
    return html.escape(directions.isolated(text))


def sensitive(text: str) -> str:
    """A word in the one colour that means sensitive."""
    return f'<b style="color:{colors().sensitive}">{text}</b>'


def named(key: str) -> str:
    """A mechanism's name beside its glyph."""
    mark = palette.mark(key)
    return f'<span style="color:{mark.color(is_dark())}">{mark.glyph}</span>&nbsp;{escape(key)}'


def option(key: str, called: str = "") -> str:
    """A mechanism as one of a list's: its glyph, and what it is called where that is not its key; as Markdown."""
    return words.literal(f"{palette.mark(key).glyph} {called or key}")


def mechanism(names: Sequence[str], key: str, shown: str) -> None:
    """Which mechanism is looked at; key: the wish that says so."""
    view_options.wish(st.radio, t("Mechanism"), names, key=key, shown=shown, format_func=option)


def glyph(key: str) -> str:
    return palette.mark(key).glyph


def sentence(text: str, instead: str = "") -> None:
    """What the page says, with its numbers. instead: what is published, where these compare with the truth."""
    reach = capture.Reach.INTERNAL if instead else capture.Reach.PUBLISHED
    capture.headline(capture.Words(text, "sentence", reach, instead))
    look = f' style="{_in_two_lines(text)}"' if display.projector() else ""
    st.html(f'<div class="sentence" role="status"{look}>{words.unbroken(text)}</div>')


def _in_two_lines(text: str) -> str:
    """As large as two lines of a projector's picture hold it."""
    em = text_width(html.unescape(re.sub(r"<[^>]*>", "", text)), 1.0)
    size = min(LARGEST, max(SMALLEST, 2 * PROJECTED_WIDTH / max(em, 1.0)))
    return f"font-size:{size / ROOT:.4g}rem;line-height:1.32"


def plot(figure: Figure, key: str, alt: str, larger: float = 1.0, **options: Any) -> None:
    """A chart of ours, said in words for those who do not see it; `larger` than the screen asks for."""
    language.notice(*charts.words_of(figure))
    grown = charts.scaled(figure, display.factor() * larger)
    st.plotly_chart(
        grown, theme=None, config={"displayModeBar": False, "typesetMath": False}, key=key, alt=alt, **options
    )


def again(label: str, task: str) -> None:
    """The button that asks for another draw on this task's page."""
    st.button(label, type="tertiary", key=f"{task}_again", on_click=next_draw, args=(task,))


def next_draw(task: str) -> None:
    key = f"{task}_draws"
    st.session_state[key] = st.session_state.get(key, 0) + 1


def draws(task: str) -> int:
    """How often another draw was asked for."""
    return st.session_state.get(f"{task}_draws", 0)


def state_box(what: str, why: str = "", hint: str = "", height: int = 176) -> None:
    """What happened, why, and where to look, in the place and at the height of what would stand here."""
    capture.piece(capture.Words(f"<p><b>{what}</b> {why} {hint}</p>", "box"))
    lines = f"<p><b>{what}</b></p><p>{why}</p>" + (f'<p class="quiet">{hint}</p>' if hint else "")
    st.html(f'<div class="box" style="background:{colors().tint};min-height:{height / ROOT:.4g}rem">{lines}</div>')


def note(text: str) -> None:
    """Something to know, in as little room as it needs."""
    capture.piece(capture.Words(f"<p>{text}</p>", "box"))
    st.html(f'<div class="box note" role="status" style="background:{colors().tint}"><div>{text}</div></div>')


def as_table(key: str, rows: pd.DataFrame, name: str, label: str = "", pictured: Sequence[str] = ()) -> None:
    """Any chart as a table, and as files: the numbers, and the charts of these keys as pictures.

    label: what the button says, where it is not just "table".
    """
    language.notice(*map(str, rows.columns))
    with st.popover(words.literal(label or t("table")), type="tertiary", key=f"table_{key}"):
        st.dataframe(rows, hide_index=True, height=320, width=460)
        st.download_button(
            t("Download CSV"),
            lambda: as_csv(rows).encode(),  # a page that fills in is drawn often, and seldom downloaded
            f"{name}.csv",
            "text/csv",
            key=f"download_{key}",
            on_click="ignore",
        )
        for chart in pictured:
            picture(chart, name)


def picture(chart: str, name: str) -> None:
    """Download a chart as it stands; the browser makes the file (screen.js)."""
    links = (
        f'<a class="picture" role="button" tabindex="0" href="#" data-picture="{kind}" data-chart="{escape(chart)}" '
        f'data-name="{escape(name)}">{kind.upper()}</a>'
        for kind in ("svg", "png")
    )
    st.html(f'<div class="sub">{t("The chart as a picture: {links}", links=" · ".join(links))}</div>')


def pairs_table(rows: Sequence[Sequence[str]], heads: Sequence[str]) -> str:
    """A small table: who | about what the first head says | about the second. A head without words has no column."""
    used = [place for place, head in enumerate(heads) if head]
    head = "".join(f"<th>{heads[place]}</th>" for place in used)
    body = "".join(
        f'<tr><td class="quiet">{who}</td>{"".join(f"<td>{cells[place]}</td>" for place in used)}</tr>'
        for who, *cells in rows
    )
    return f'<div class="card"><table><tr><th></th>{head}</tr>{body}</table></div>'


def terms(address: str, menu: Collection[str]) -> None:
    """At the foot of a page: every term on it with its sentence, those of charts and headlines too. menu: what only the
    navigation says. Each page has its own, so that none opens because another one is open.
    """
    explained = glossary.listed(text for text in language.noticed() if text not in menu)
    if explained:
        entries = "".join(f"<div><dt>{term}</dt><dd>{says}</dd></div>" for term, says in explained.items())
        # Its label stays as it is while the page fills in: with another one Streamlit would close it.
        label = f"**{t('Words on this page')}** :gray[{t('every term in a sentence')}]"
        with st.container(key="fold_terms"), st.expander(label, key=f"terms_{address}"):
            st.html(f'<dl class="terms">{entries}</dl>')


def scrolls() -> str:
    """The look of a box that may be too narrow for its table: a shade at the side where there is more.

    Covers of the page's colour move with the table and lie over shades that stay where they are.
    """
    page, shade = colors().page, "rgba(127,131,138,.45)"
    sides = (("right", "left"), ("left", "right"))
    cover = "linear-gradient(to {to},{page} 40%,transparent) {at}/36px 100% no-repeat local"
    shadow = "linear-gradient(to {to},{shade},transparent) {at}/12px 100% no-repeat scroll"
    layers = [layer.format(to=to, at=at, page=page, shade=shade) for layer in (cover, shadow) for to, at in sides]
    return f"background:{','.join(layers)}"
