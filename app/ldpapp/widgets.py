"""The pieces every page is made of: sentence, chart, panel, state box, table popover."""

import html
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st
from plotly.graph_objects import Figure

from ldpapp import charts, palette, words
from ldpapp.language import t

STATIC = Path(__file__).parent / "static"
STYLE = f"<style>{(STATIC / 'style.css').read_text(encoding='utf-8')}</style>"


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
    st.html(f'<div class="sentence" role="status">{words.unbroken(text)}</div>')


def plot(figure: object, key: str, alt: str, **options: Any) -> None:
    """A chart of ours, said in words for those who do not see it."""
    st.plotly_chart(figure, theme=None, config={"displayModeBar": False}, key=key, alt=alt, **options)


def below_chart(figure: Figure, limit: str) -> None:
    """The words about the limit, where the floor has no room for all of them."""
    if not charts.says_limit(figure, limit):
        st.html(f'<div class="sub">{words.unbroken(limit[:1].upper() + limit[1:])}.</div>')


def again(label: str, task: str) -> None:
    """The button that asks for another draw on this task's page."""
    st.button(label, type="tertiary", key=f"{task}_again", on_click=_again, args=(f"{task}_draws",))


def _again(key: str) -> None:
    st.session_state[key] = st.session_state.get(key, 0) + 1


def draws(task: str) -> int:
    """How often another draw was asked for."""
    return st.session_state.get(f"{task}_draws", 0)


@contextmanager
def panel(key: str, title: str, subtitle: str | None = "") -> Iterator[Any]:
    """A rule, a title, a line with unit and encoding. Yields the slot at the right of the title for controls.

    `subtitle` None leaves that line to the caller.
    """
    with st.container(key=f"panel_{key}"):
        head = st.container(
            horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="small"
        )
        head.html(f'<div class="title" role="heading" aria-level="2">{title}</div>', width="content")
        slot = head.container(horizontal=True, horizontal_alignment="right", wrap=False, gap="small", width="content")
        if subtitle is not None:
            st.html(f'<div class="sub">{words.unbroken(subtitle)}</div>')
        yield slot


def state_box(what: str, why: str = "", hint: str = "", height: int = 176) -> None:
    """What happened, why, and where to look, in the place and at the height of what would stand here."""
    lines = f"<p><b>{what}</b></p><p>{why}</p>" + (f'<p class="quiet">{hint}</p>' if hint else "")
    st.html(f'<div class="box" style="background:{colors().tint};min-height:{height}px">{lines}</div>')


def note(text: str) -> None:
    """Something to know, in as little room as it needs."""
    st.html(f'<div class="box note" role="status" style="background:{colors().tint}"><div>{text}</div></div>')


def as_table(key: str, rows: pd.DataFrame, name: str, label: str = "") -> None:
    """Any chart as a table, and as a file. label: what the button says, where it is not just "table"."""
    with st.popover(label or t("table"), type="tertiary", key=f"table_{key}"):
        st.dataframe(rows, hide_index=True, height=320, width=460)
        csv = rows.to_csv(index=False).encode()
        st.download_button(t("Download CSV"), csv, f"{name}.csv", "text/csv", key=f"download_{key}", on_click="ignore")


def pairs_table(rows: Sequence[Sequence[str]], heads: Sequence[str]) -> str:
    """A small table: who | about what the first head says | about the second. A head without words has no column."""
    used = [place for place, head in enumerate(heads) if head]
    head = "".join(f"<th>{heads[place]}</th>" for place in used)
    body = "".join(
        f'<tr><td class="quiet">{who}</td>{"".join(f"<td>{cells[place]}</td>" for place in used)}</tr>'
        for who, *cells in rows
    )
    return f'<div class="card"><table><tr><th></th>{head}</tr>{body}</table></div>'


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
