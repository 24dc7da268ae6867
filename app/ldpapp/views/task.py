"""What a task is in the app, and the one skeleton of its page: no data, nothing chosen, or what the Study shows."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from ldpapp.compare import strip
from ldpapp.compare.measures import Offer
from ldpapp.parts import sidebar, widgets
from ldpapp.parts.cards import Card, Front
from ldpapp.state import actions
from ldpapp.state.model import settings_of, study_of, table
from ldpapp.state.view_options import Looks, Wishes
from ldpapp.words import glossary
from ldpapp.words.language import t
from ldpcore.data import BUNDLED, DataError, Table
from ldpcore.study import Study


@dataclass(frozen=True)
class Sentences:
    """What the page of a task says where it has nothing to show."""

    empty: str
    """Where the data have nothing for this task."""
    senseless: str
    """Where they have, and the Study asks what makes no sense of it."""
    choose: str
    """Where all mechanisms are switched off: what to do, what is so, and what they are for."""
    unchosen: str
    purpose: str


@dataclass(frozen=True)
class Signed:
    """What a report's first page says of the settings, where a Study's own fields do not say it: name and text of each;
    and the mechanisms that are really used, of those that may be. exposed: the same of what an attacker managed on the
    true answers, which no published report has. page: of a task that has a first page of its own, what the data are
    called and whether it is published → its markup; the rest stands on the second then. title: what somebody called
    what is signed. spent: the least and the largest ε of a report, of private and of secret answers, by which of the
    mechanisms, where the Study's own are not those of every question.
    """

    rows: Sequence[tuple[str, str]]
    mechanisms: Sequence[str]
    exposed: Sequence[tuple[str, str]] = ()
    page: Callable[[str, bool], str] | None = None
    title: str = ""
    spent: Callable[[Collection[str]], Sequence[tuple[float, float]]] | None = None


@dataclass(frozen=True, kw_only=True)
class TaskPage:
    """One task: everything the app knows of it stands here. The engine's task has the same key.

    name, asks, said: what it is called, the question that it answers, and its sentences where there is nothing to show;
    called when they are shown, so that they are in the language that is shown then.
    data: what the page is about, of the study and the table; DataError or ValueError where there is nothing.
    full: the study over the grid of its axis, as link, file and results have it.
    front: the Overview of a column that this task is about. card: what it adds to the Overview of the column chosen
    last, where these data have it; the fill of the page is not waited for.
    offer: by what two settings of it are compared; None where the page compares settings in its own way.
    signed: what whoever signs its report signs; None: the Study's marks, ε and mechanisms.
    speaks: the mechanism that somebody chose to look at, else that of the page's headline, of the study and of what the
    page is about; "" for none. ValueError where these data cannot be asked so.
    """

    key: str
    name: Callable[[], str]
    asks: Callable[[], str]
    said: Callable[[], Sentences]
    looks: Looks
    sidebar: Callable[[Study, Table], None]
    """The Study's other fields."""
    data: Callable[[Study, Table], Any]
    page: Callable[[Study, Any], None]
    beside: Callable[[Any, Study, Table], None] = sidebar.column_of
    """What stands at the right of the data chooser: the column, as a rule."""
    full: Callable[[Study, Any], Study] = lambda study, data: study
    wishes: Wishes = field(default_factory=dict)
    """What of it follows from the data until somebody says otherwise: the mechanism that is spoken of, what is typed
    into the planner. The link carries these like its looks."""
    example: str = ""
    """Bundled data that have what this task needs, offered where the chosen ones do not."""
    front: Callable[[Study, Table], Front] | None = None
    card: Callable[[Study, Table, str], Card | None] | None = None
    offer: Offer | None = None
    signed: Callable[[Study, Any], Signed | None] | None = None
    speaks: Callable[[Study, Any], str] = lambda study, data: ""
    saves: Callable[[], bool] = lambda: False
    """Whether the page has a button of its own now that saves its report (`record.save_here`)."""

    @property
    def title(self) -> str:
        return self.name()

    @property
    def address(self) -> str:
        return self.key


def show(task: TaskPage) -> None:
    """The page of a task."""
    glossary.turn_to(task.key)
    study = study_of(task.key)
    try:
        people = task.data(study, table())
    except DataError as error:
        sorry(task.said().empty, error.sentence, error.why, error.hint)
        if _helped(task, study):
            count_answered(task.key)
            return
        if task.example in BUNDLED and table().name != task.example:
            show_it = t("Show the {data}", data=task.example)
            st.button(show_it, type="primary", on_click=actions.open_data, args=(task.example,))
        return
    except (TypeError, ValueError) as error:
        sorry(task.said().senseless, plain(error))
        return
    if settings_of(task.key).is_empty:
        texts = task.said()
        sorry(texts.choose, texts.unchosen, texts.purpose)
        st.button(t("Show the usual ones"), type="primary", on_click=actions.usual_mechanisms, args=(task.key,))
        return
    strip.begin(task.offer, study, people, lambda other: task.data(other, table()))
    task.page(study, people)
    strip.end()


def _helped(task: TaskPage, study: Study) -> bool:
    """Whether there is something to show once people with a hole elsewhere count, too."""
    if study.missing != "any" or not any(about.missing for about in table().profile()):
        return False
    try:
        task.data(replace(study, missing="column"), table())
    except (DataError, TypeError, ValueError):
        return False
    return True


def count_answered(task: str) -> None:
    """The way on where holes in other columns leave nobody."""
    st.button(
        t("Leave out only rows that miss this column"),
        key="missing_column",
        type="primary",
        on_click=actions.change,
        args=(task,),
        kwargs={"missing": "column"},
    )


def sorry(sentence: str, what: str, why: str = "", hint: str = "") -> None:
    """A page, or a part of it, that has nothing to show: the finding's place says so, and the box why."""
    widgets.sentence(widgets.escape(sentence))
    widgets.state_box(widgets.escape(what), widgets.escape(why), widgets.escape(hint))


def plain(error: Exception) -> str:
    """The engine's message as a sentence."""
    text = str(error).removesuffix(".")
    return f"{text[:1].upper()}{text[1:]}."
