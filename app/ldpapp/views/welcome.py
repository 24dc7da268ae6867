"""The welcome: what this is in one sentence, three ways on, and one story with one picture, computed like all else."""

from dataclasses import dataclass
from functools import cache
from itertools import groupby

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from ldpapp import charts, words
from ldpapp.compute import bundled
from ldpapp.parts import widgets
from ldpapp.runtime import display
from ldpapp.state import actions, column_actions, navigation, view_options
from ldpapp.state.model import is_public
from ldpapp.words.language import t
from ldpcore.study import Marks, Source, Study, frequency
from ldpcore.study.curves import MARGIN
from ldpcore.study.frequency.facts import facts

DATA, COLUMN, MARKED = "health", "condition", ("HIV", "hepatitis B", "hepatitis C", "chlamydia")
EVERY, ONLY = "SS", "uSS"
"""The best that protects every answer, and the best that protects the marked ones."""
LEFT_OUT = "none"
"""The commonest answer, which would flatten all others."""


@dataclass(frozen=True)
class Story:
    """The example: shares and 95 % margins in percent, by answer, the commonest first."""

    labels: tuple[str, ...]
    truth: NDArray[np.float64]
    every: NDArray[np.float64]
    only: NDArray[np.float64]
    marked: NDArray[np.bool_]
    seen: float
    """Of the other answers, how many are seen as they are."""
    guessed: float
    blind: float
    people: int


@cache
def story() -> Story:
    """Bundled data and fixed settings: the same for everybody."""
    study = Study(Source(DATA), COLUMN, Marks.of(MARKED), (EVERY, ONLY), grid=())
    counted = frequency.prepare(study, bundled(DATA))
    known = facts(study, counted).every
    only, order = known[ONLY], np.argsort(-known[ONLY].freq, kind="stable")
    margin = {key: MARGIN * np.sqrt(one.variance)[order] for key, one in known.items()}
    return Story(
        tuple(counted.domain.labels[i] for i in order),
        100 * only.freq[order],
        margin[EVERY],
        margin[ONLY],
        only.marked[order],
        only.shown,
        only.targeted,
        only.blind,
        int(only.cell.counts.sum()),
    )


def page() -> None:
    if st.query_params and not display.written():  # a link made when the data were the first page
        navigation.go("data")
    if (last := display.last()) and navigation.has(last):
        navigation.go(last)
    st.html(
        f'<div class="question" role="heading" aria-level="1">'
        f"{t('If we protect people’s answers, how wrong do our statistics get, and who stays exposed?')}</div>"
        f'<div class="answer">'
        + t(
            "Each phone changes its answer at random before it is sent. Here you see what that costs and what it "
            "hides: with your data, on this machine."
        )
        + "</div>"
    )
    doors()
    texts, drawn = st.container(key="welcome_example").columns([40, 60], gap="large")
    with texts:
        tell(story())
    with drawn:
        picture(story())


def doors() -> None:
    """Three ways on; no mechanism need be known to choose one."""
    decide, teach, explore = st.columns(3, gap="medium")
    with decide:
        _door(
            "decide",
            t("Decide what is {sensitive}", sensitive=widgets.sensitive(t("sensitive"))),
            t("Mark the delicate answers of a survey. See the error, and who stays exposed."),
        )
        with st.container(horizontal=True, gap="small"):
            st.button(t("Mark answers"), type="primary", key="door_decide", on_click=_mark)
            st.button(t("I have collected reports"), key="door_results", on_click=_open, args=("results",))
    with teach:
        _door(
            "teach",
            t("Teach or learn"),
            t("Every page readable from the last row: it grows with the screen, and the key p hides the rest."),
        )
        with st.container(horizontal=True, gap="small"):
            st.button(t("Show it to a class"), key="door_teach", on_click=_teach)
            st.button(t("Ask a class"), key="door_class", on_click=_open, args=("class",))
    with explore:
        _door(
            "explore",
            t("Explore"),
            t("Mechanisms against each other and against the limit that none can pass; five papers re-measured."),
        )
        st.button(t("Open the overview"), key="door_explore", on_click=_open, args=("overview",))
    _leave()


def _door(key: str, title: str, text: str) -> None:
    st.html(
        f'<div class="door" id="door-{key}"><div class="headline"><span class="title">{title}</span></div>{text}</div>'
    )


def tell(found: Story) -> None:
    """The story in three sentences, and what stays unmeasurable last."""
    title, about = (
        t("An example, already loaded: a health survey"),
        t("{people} invented people name their main condition. ε = 1.", people=words.count(found.people)),
    )
    names = widgets.sensitive(words.listing(label for label in found.labels if label in MARKED))
    rest = float(np.sqrt((found.only[~found.marked] ** 2).mean()))
    sentences = [
        t(
            "Protect every answer, and each share is off by {margin} points.",
            margin=words.points(float(np.sqrt((found.every**2).mean())) / 100),
        ),
        t(
            "Protect {names} only, and the rest is off by {margin}: but {seen} of 100 other answers are seen as "
            "they are.",
            names=names,
            margin=words.points(rest / 100),
            seen=words.of_100(found.seen),
        ),
        _marked(found),
    ]
    st.html(
        f'<div class="title" role="heading" aria-level="2">{title}</div><div class="sub">{about}</div>'
        f'<div class="story">{"".join(f"<p>{sentence}</p>" for sentence in sentences)}</div>'
    )
    with st.container(horizontal=True, gap="small"):
        st.button(t("See it live"), key="welcome_live", on_click=_live)
        st.button(t("Use my own file"), key="welcome_own", on_click=_own)
    _leave()
    with st.expander(
        f"**{t('Which page answers what')}** :gray[{t('and what none answers')}]", key="welcome_questions"
    ):
        ask()


def ask() -> None:
    """The pages' own questions, each a way there, and what is asked of all of them in vain."""
    for group, pages in groupby(navigation.questions(), lambda page: page.group):
        st.html(f'<div class="sub">{group}</div>')
        for page in pages:
            navigation.link(
                page.address,
                t("**{page}** {question}", page=words.literal(page.title), question=words.literal(page.question)),
            )
    st.html(f'<div class="sub">{t("No page answers")}</div><div class="card">{"<br>".join(unanswered())}</div>')


def unanswered() -> list[str]:
    """What nobody learns here."""
    return [
        t("Whether somebody told the truth: a lie looks like a report."),
        t("Whether an answer is delicate: you mark it, words are only proposed."),
        t("Who takes part: that a report was sent is not hidden."),
        t("What free text, pictures or sound say: answers are listed, numbers, or sets."),
        t("Whether a law permits it."),
    ]


def _marked(found: Story) -> str:
    margin = float(np.sqrt((found.only[found.marked] ** 2).mean()))
    holes = {
        "margin": words.points(margin / 100),
        "guessed": words.tries(found.guessed),
        "blind": words.tries(found.blind, short=True),
    }
    if margin > found.truth[found.marked].max():
        return t(
            "These stay too rare to measure ({margin}); whoever holds one is named in {guessed} guesses, where blind "
            "guessing names {blind}.",
            **holes,
        )
    return t(
        "These are off by {margin}; whoever holds one is named in {guessed} guesses, where blind guessing names "
        "{blind}.",
        **holes,
    )


def picture(found: Story) -> None:
    keep = [i for i, label in enumerate(found.labels) if label != LEFT_OUT]
    about = t(
        "Percent of the people; 95 of 100 surveys fall within the bar. “{answer}” ({share}) is not drawn.",
        answer=LEFT_OUT,
        share=words.share(found.truth[found.labels.index(LEFT_OUT)] / 100),
    )
    title = t("How far a published share may be from the truth")
    st.html(f'<div class="title" role="heading" aria-level="2">{title}</div><div class="sub">{about}</div>')
    texts = (t("all protected"), t("only the {n}", n=words.cardinal(int(found.marked.sum()))))
    figure = charts.margins(
        [found.labels[i] for i in keep],
        found.truth[keep],
        found.every[keep],
        found.only[keep],
        found.marked[keep],
        texts=texts,
        dark=widgets.is_dark(),
    )
    widgets.plot(figure, "chart_welcome", f"{title}. {about}")


# ways on -------------------------------------------------------------------------------------------------------------

_WANTED = "welcome_wanted"


def _open(address: str) -> None:
    view_options.choose(_WANTED, address)


def _teach() -> None:
    actions.open_data(DATA)
    view_options.choose("projector", True)
    _open("learn")


def _mark() -> None:
    """Of one's own data, where they are open; else of the example that stands here."""
    if is_public():
        _example()
    _open("data")


def _own() -> None:
    """The Data page with its uploader open."""
    view_options.choose("upload_open", True)
    _open("data")


def _live() -> None:
    _example()
    _open("frequency")


def _example() -> None:
    actions.open_data(DATA)
    actions.choose_column(COLUMN)
    column_actions.set_marks(COLUMN, MARKED)


def _leave() -> None:
    """Callbacks cannot change the page; the run after them does."""
    wanted = st.session_state.pop(_WANTED, None)
    if wanted:
        navigation.go(wanted)
