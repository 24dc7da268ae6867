"""The panels of the Papers view: all claims at a glance, when they were checked; of one paper its claims, a figure and
its caveats.
"""

from functools import partial

import pandas as pd
import streamlit as st

from ldpapp import charts, words
from ldpapp.parts import widgets
from ldpapp.parts.panels import Box, Chart, Control, Html, Menu, Panel, Part, Sheet
from ldpapp.state import view_options
from ldpapp.views.papers import claim_cards, examples
from ldpapp.views.papers import sentences as said
from ldpapp.views.papers.live import LIVE, live_figure
from ldpapp.words.language import t
from ldpcore import papers
from ldpcore.papers import BROKEN, HOLDS, IN_PART, Figure
from ldpcore.papers.bench import CLAIMS, Bench
from ldpcore.papers.caveats import CAVEATS


def glance(bench: Bench) -> Panel:
    """One circle per claim; the tables of claims and checks."""
    checks = bench.measured()
    sheets = [
        Sheet(papers.table(checks), "claims", t("claims"), "claims"),
        Sheet(papers.checks(checks), "checks", t("checks"), "checks"),
    ]
    return Panel("papers_glance", t("All claims"), [Html(claim_cards.glance(checks, papers.CLAIMS))], head=sheets)


# when it was checked ---------------------------------------------------------------------------------------------


def checked(bench: Bench) -> Panel:
    """Which version found the verdicts and when; checking them again here, and what comes of that."""
    parts: list[Part] = [Control(partial(_work, bench))]
    progress = said.here(*bench.progress, bench.otherwise())
    if progress:
        parts.append(Html(f'<div class="card rules">{progress}</div>'))
    rules = partial(st.html, f'<div class="card rules">{said.rules()}</div>')
    return Panel(
        "papers_checked",
        t("Checked"),
        parts,
        said.origin(bench.told),
        [Menu(t("The rules"), rules)],
    )


def _work(bench: Bench) -> None:
    """The button that checks every claim again; while it runs, how far it is."""
    done, total = bench.progress
    if bench.running:
        _running(bench)
    elif done < total:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            label = t("Check again") if done == 0 else t("Go on checking")
            st.button(label, key="papers_check", on_click=bench.start, args=(chosen(),))
            takes = t("about {time}", time=words.duration(bench.seconds_left))
            st.html(f'<div class="sub">{takes}</div>', width="content")


@st.fragment(run_every=0.7)
def _running(bench: Bench) -> None:
    done, total = bench.progress
    left = words.duration(bench.seconds_left)
    text = t("{done} of {total} checked, {time} left", done=done, total=total, time=left)
    place = st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False)
    place.html(f'<div class="sub nowrap" role="status">{text}</div>', width="content")
    place.progress(done / total)
    place.button(t("Stop"), type="tertiary", key="papers_stop", on_click=bench.stop)
    # New results belong to the whole page, not to this line alone.
    if done != st.session_state.get("papers_seen") or not bench.running:
        st.session_state.papers_seen = done
        st.rerun(scope="app")


# one paper -------------------------------------------------------------------------------------------------------


LOOKS: view_options.Looks = {
    "paper": tuple(papers.PAPERS),
    **{f"papers_figure_{paper}": tuple(each.number for each in every) for paper, every in papers.FIGURES.items()},
    "claim": ("", *map("-".join, CLAIMS)),
}
"""Which paper, which of its figures, and the claim that a link opens."""
OPENED = "papers_opened"
"""The session's key of the claim that is open when the page is drawn: what is opened later only the browser knows, and
says in the address (screen.js).
"""


def arrive() -> None:
    """What a link asks to be open."""
    if claim := view_options.look("claim"):
        view_options.choose(OPENED, claim)
        view_options.choose("claim", "")


def chosen() -> str:
    return view_options.look("paper") or next(iter(papers.PAPERS))


def choose() -> None:
    st.segmented_control(
        t("Paper"),
        list(papers.PAPERS),
        format_func=said.names().__getitem__,
        key="paper",
        label_visibility="collapsed",
        required=True,
        persist_state="session",
    )


def claims(bench: Bench, paper: str) -> Panel:
    """Each claim as one line; opened, all there is to know of it."""
    about = papers.PAPERS[paper]
    rows = [
        claim_cards.claim_html(
            claim, bench.finding(paper, claim), LIVE.get((paper, claim.number)), _opening(paper, claim)
        )
        for claim in papers.CLAIMS[paper]
    ]
    inside = f'<div class="card claims" data-paper="{paper}">{"".join(rows)}</div>'
    return Panel("papers_claims", about.title, [Html(inside)], about.source)


def _opening(paper: str, claim: papers.Claim) -> claim_cards.Opening:
    """How the address names the claim, and whether it is open at first."""
    name = f"{paper}-{claim.number}"
    return claim_cards.Opening(name, view_options.look(OPENED) == name)


def figure(bench: Bench, paper: str) -> Panel:
    """One of the paper's figures, drawn anew."""
    known = {each.number: each for each in papers.FIGURES[paper]}
    key = f"papers_figure_{paper}"
    return _figure(bench, paper, known[view_options.look(key, next(iter(known)))], partial(_other_figure, known, key))


def _other_figure(own: dict[str, Figure], key: str) -> None:
    texts = {number: t("{number}: {title}", number=_number(each), title=each.title) for number, each in own.items()}
    view_options.radio(t("Figure"), texts, key)


def _number(own: Figure) -> str:
    return own.number if own.number[0].isupper() else t("Besides")


def _figure(bench: Bench, paper: str, own: Figure, choose: partial[None]) -> Panel:
    name = f"{paper}_{own.number}".replace(" ", "_").replace(".", "").lower()
    live = papers.LIVE[paper, own.number]
    head: list[Part] = [
        Menu(t("{n} figures", n=len(papers.FIGURES[paper])), choose),
        Menu(t("in the terminal"), partial(_files, live), f"papers_files_{live.name}"),
    ]
    drawn = bench.drawing(paper, own)
    if drawn is None:
        shown: Part = Box(t("This figure is simulated."), t("It is not among what came with ldpcore."), height=120)
    else:
        head.append(Sheet(drawn, name))
        chart = charts.paper_figure(
            drawn, x_name=own.x, y_name=own.y, log_x=own.log_x, log_y=own.log_y, dark=widgets.is_dark()
        )
        shown = Chart(chart, alternative(own, drawn), key=f"chart_{name}")
    title = t("{number}: {title}", number=_number(own), title=own.title)
    axes = t("{y} against {x}; {setting}.", y=own.y, x=own.x, setting=own.setting)
    way = Html(claim_cards.way(live_figure(live), live.commands))
    parts = [way, shown, Html(claim_cards.stand_in(live.stand_in, live.without))]
    return Panel(f"papers_{name}", said.pretty(title), parts, said.pretty(axes), head)


def _files(live: papers.LiveFigure) -> None:
    """The lines for a terminal, and the files that they run."""
    lines = "<br>".join([live.saving, *live.commands])
    st.html(f'<div class="way"><code>{lines}</code></div>')
    for file, text in live.toml().items():
        label = t("Download {file}", file=words.literal(file))
        st.download_button(label, text.encode(), file, "application/toml", on_click="ignore", key=f"get_{file}")


def every_figure() -> Panel:
    """All figures, each a click away from here."""
    ways = {
        paper: [(_number(own), live_figure(papers.LIVE[paper, own.number])) for own in every]
        for paper, every in papers.FIGURES.items()
    }
    about = t("Each opens the page that draws it, with its data and settings.")
    return Panel("papers_live", t("Every figure, live"), [Html(claim_cards.every_way(ways))], about)


def alternative(own: Figure, drawn: pd.DataFrame) -> str:
    """The figure in words."""
    lines = []
    for name, line in drawn.groupby("line", sort=False):
        ends = line.sort_values("x")["value"]
        lines.append(t("{line} {first} to {last}", line=name, first=f"{ends.iloc[0]:.3g}", last=f"{ends.iloc[-1]:.3g}"))
    return t(
        "{title}. From the smallest to the largest {x}: {lines}.", title=own.title, x=own.x, lines="; ".join(lines)
    )


def caveats(bench: Bench, paper: str) -> Panel:
    found = {claim.number: bench.finding(paper, claim) for claim in papers.CLAIMS[paper]}
    verdicts = {number: finding.verdict for number, finding in found.items() if finding is not None}
    of_paper = [each for each in CAVEATS if each.paper == paper]
    cards = [
        claim_cards.caveat_html(each.title, *bench.caveat(each), each.claim, verdicts.get(each.claim) == HOLDS)
        for each in of_paper
    ]
    named = {each.claim for each in of_paper}
    for claim in papers.CLAIMS[paper]:
        finding = found[claim.number]
        if finding is not None and finding.verdict in (IN_PART, BROKEN) and claim.number not in named:
            cards.append(claim_cards.refuted_html(claim, finding))
    html = Html(f'<div class="card caveats">{"".join(cards)}</div>')
    menus = [Menu(t("the paper’s own example"), partial(examples.draw, paper))] if paper in examples.OF else []
    return Panel("papers_caveats", t("What does not hold, and its repair"), [html], head=menus)
