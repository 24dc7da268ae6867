"""The pieces every page is made of: sentence, panel, state box, table popover, odds card, risk card."""

import html
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pandas as pd
import streamlit as st
import words
from findings import Facts, believed

import palette

PHONE = "(max-width: 640px)"

STYLE = """<style>
.stMainBlockContainer{padding-inline:1.4rem}
.stMainBlockContainer>.stVerticalBlock{gap:.7rem} .st-key-study{gap:.55rem}
div[class*="st-key-panel_"]{border-top:1px solid rgba(127,131,138,.42);padding-top:4px;margin-top:0;gap:.15rem}
div[class*="st-key-panel_"] :is(.stPopover,.stButton,.stDownloadButton) button{min-height:1.125rem;padding:0 2px;font-size:12px;line-height:16px}
div[class*="st-key-panel_"] :is(.stPopover,.stButton) :is(p,span){font-size:12px;line-height:16px}
.title,.sub,.card{overflow-wrap:break-word} .nowrap,.card td:first-child{white-space:nowrap}
.st-key-phone{display:none} @media(max-width:640px){.st-key-phone{display:flex}}
.sentence{font-size:16.5px;line-height:22px;font-weight:500;letter-spacing:-.012em;text-wrap:pretty}
.sentence b,.card b{font-weight:600}
.title{font-size:13.5px;line-height:24px;font-weight:600}
.sub{font-size:12px;line-height:16px;opacity:.72}
.card{font-size:12.5px;line-height:16.5px;font-variant-numeric:tabular-nums}
.card table{border-collapse:collapse;width:100%} .card :is(td,th){border:0;padding:1px 8px 5px 0;text-align:left;vertical-align:top}
.card th{font-weight:600} .card .row{display:flex;gap:10px;align-items:flex-start;margin-bottom:8px}
.card .big{font-size:17px;font-weight:600} .card .quiet{opacity:.72}
.card hr{margin:2px 0 6px;border:0;border-top:1px solid rgba(127,131,138,.28)}
.box{border-radius:6px;padding:18px;font-size:14px;line-height:20px;display:flex;flex-direction:column;justify-content:center}
.box p{font-size:14px;margin:0 0 4px} .box .quiet{font-size:12px;opacity:.72}
.box.note{padding:8px 12px;font-size:12.5px;line-height:17px}
.effects table{border-collapse:collapse;width:100%;font-size:12.5px;line-height:16.5px;font-variant-numeric:tabular-nums}
.effects td{border:0;border-top:1px solid rgba(127,131,138,.22);padding:3.5px 0} .effects td{white-space:nowrap} .effects .num{text-align:right}
.effects .to{text-align:center;padding-inline:10px} .effects .quiet{opacity:.78} .effects b{font-weight:600}
.effects th{font-size:0;line-height:0;padding:0;border:0}
.st-key-data_tools button{min-height:1.6rem;padding-block:0} .st-key-data_tools{row-gap:0}
.st-key-marks_below{margin-top:-13px} .st-key-marks_below button,.st-key-marks_below button p{min-height:1.1rem;padding:0;font-size:12px;line-height:16px;opacity:.86}
.st-key-marks_table .stElementToolbar{display:none}
div[class*="st-key-panel_"] .stButtonGroup button{min-height:1.2rem;height:1.35rem;padding:0 8px} div[class*="st-key-panel_"] .stButtonGroup p{font-size:12px}
.key .row{margin-bottom:6px;gap:8px} .key i{flex:none;width:10px;height:10px;margin-top:3px}
.marks{font-size:12.5px;line-height:18px;padding-left:8px;border-left:3px solid}
</style>"""


def is_dark() -> bool:
    return st.context.theme.type == "dark"


def style() -> str:
    """The only CSS. Streamlit writes white on primary buttons, which the dark theme's light ones cannot bear."""
    dark = f'<style>button[kind^="primary"]{{color:{palette.DARK.page}}}</style>'
    return STYLE + dark if is_dark() else STYLE


def colors() -> palette.Scheme:
    return palette.scheme(is_dark())


def escape(text: object) -> str:
    """Labels are the user's data: never markup."""
    return html.escape(str(text))


def sensitive(text: str) -> str:
    """A word in the one colour that means sensitive."""
    return f'<b style="color:{colors().sensitive}">{text}</b>'


def named(key: str) -> str:
    """A mechanism's name beside its glyph."""
    mark = palette.mark(key)
    return f'<span style="color:{mark.color(is_dark())}">{mark.glyph}</span>&nbsp;{escape(key)}'


def glyph(key: str) -> str:
    return palette.mark(key).glyph


def sentence(text: str) -> None:
    """What the page says, with its numbers."""
    st.html(f'<div class="sentence" role="status">{text}</div>')


@contextmanager
def panel(key: str, title: str, subtitle: str | None = "") -> Iterator[Any]:
    """A rule, a title, a line with unit and encoding. Yields the slot at the right of the title for controls.

    `subtitle` None leaves that line to the caller.
    """
    with st.container(key=f"panel_{key}"):
        head = st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center",
                            wrap=False, gap="small")
        head.html(f'<div class="title" role="heading" aria-level="2">{title}</div>', width="content")
        slot = head.container(horizontal=True, horizontal_alignment="right", wrap=False, gap="small", width="content")
        if subtitle is not None:
            st.html(f'<div class="sub">{subtitle}</div>')
        yield slot


def state_box(what: str, why: str = "", hint: str = "", height: int = 176) -> None:
    """What happened, why, and where to look, in the place and at the height of what would stand here."""
    lines = f'<p><b>{what}</b></p><p>{why}</p>' + (f'<p class="quiet">{hint}</p>' if hint else "")
    st.html(f'<div class="box" style="background:{colors().tint};min-height:{height}px">{lines}</div>')


def note(text: str) -> None:
    """Something to know, in as little room as it needs."""
    st.html(f'<div class="box note" role="status" style="background:{colors().tint}"><div>{text}</div></div>')


def as_table(key: str, rows: pd.DataFrame, name: str) -> None:
    """Any chart as a table, and as a file."""
    with st.popover("table", type="tertiary", key=f"table_{key}"):
        st.dataframe(rows, hide_index=True, height=320, width=460)
        csv = rows.to_csv(index=False).encode()
        st.download_button("Download CSV", csv, f"{name}.csv", "text/csv", key=f"download_{key}", on_click="ignore")


def pairs_table(rows: Sequence[tuple[str, str, str]], heads: tuple[str, str]) -> str:
    """A small table: who | about marked values | about the others."""
    head = f"<tr><th></th><th>{heads[0]}</th><th>{heads[1]}</th></tr>"
    body = "".join(f'<tr><td class="quiet">{who}</td><td>{one}</td><td>{two}</td></tr>' for who, one, two in rows)
    return f'<div class="card"><table>{head}{body}</table></div>'


def high_epsilon(main: Facts, epsilon: float) -> None:
    """The only warning there is: a high ε, said in odds, with the way back."""
    st.html(
        f'<div class="card" style="background:{colors().tint};border-radius:6px;padding:8px"><b>At ε = '
        f"{words.epsilon(epsilon)} a marked answer is guessed in {words.of_100(main.targeted)} of 100 tries.</b> "
        f"A fifty-fifty belief can grow to {100 * believed(0.5, math.exp(epsilon)):.3g}&nbsp;%; at ε = 2 to "
        f"{100 * believed(0.5, math.exp(2)):.0f}&nbsp;%.</div>"
    )
