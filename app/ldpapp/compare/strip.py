"""A | B of whole settings: what changes from the kept one to the present one, on every page that offers measures.

The page says where (`here`); below its panels where it does not.
"""

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import streamlit as st

from ldpapp import compute, words
from ldpapp.compare import measures
from ldpapp.compare.measures import Change, Offer
from ldpapp.parts import panels, widgets
from ldpapp.parts.panels import Html, Line, Menu, Panel, Part
from ldpapp.runtime import background
from ldpapp.state import actions, comparisons, controlled, view_options
from ldpapp.state.model import KeptSetting, state, study_of, title
from ldpapp.words.language import t
from ldpcore.data import DataError
from ldpcore.study import Study
from ldpcore.study.tasks import TASKS

_PROBLEM = "beside_problem"
"""The session's key of why a name was not taken, and of which settings: said until they change, since a page that fills
in is drawn again at once.
"""
SHOWN = "ab"
"""The look of a page that can show one setting alone although another is kept: whether it shows both."""


@dataclass(eq=False)
class Band:
    """A page's study and data, and the setting kept beside it. read: a study's data; DataError or ValueError where it
    has none. drawn: whether the page has said where.
    """

    offer: Offer
    beside: KeptSetting
    study: Study
    data: Any
    read: Callable[[Study], Any]
    drawn: bool = False

    @cached_property
    def present(self) -> Study:
        """The page's study, about what the page is about."""
        if not self._looked_at:
            return self.study
        return replace(self.study, column=self.offer.about(self.study, self.data))

    @cached_property
    def before(self) -> Study:
        """The kept one, about the same."""
        study = self.present
        return replace(self.beside.study, column=study.column) if self._looked_at else self.beside.study

    @property
    def _looked_at(self) -> bool:
        return TASKS[self.study.task].MARKS.looked_at

    @cached_property
    def other(self) -> Any:
        """The kept setting's data; an error's sentence where it has none here."""
        if self.before.data.digest != self.study.data.digest or self.before.column != self.present.column:
            return Refusal(self._elsewhere())
        try:
            return self.read(self.before)
        except DataError as error:
            return Refusal(error.sentence)
        except (TypeError, ValueError) as error:
            return Refusal(str(error))

    @property
    def work(self) -> Study | None:
        """What must be simulated of the kept setting."""
        simulated = self.offer.work
        return None if simulated is None or isinstance(self.other, Refusal) else simulated(self.before, self.other)

    def _elsewhere(self) -> str:
        was = self.beside.study
        return t(
            "it is about {column} of {data}, this page about {shown} of {here}.",
            column=widgets.escape(words.shorten(was.column, 40)),
            data=widgets.escape(title(was.data.name)),
            shown=widgets.escape(words.shorten(self.study.column, 40)),
            here=widgets.escape(title(self.study.data.name)),
        )

    @property
    def names(self) -> dict[str, str]:
        return {"a": widgets.escape(self.beside.name), "b": widgets.escape(self.beside.other)}


@dataclass(frozen=True)
class Refusal:
    """Why the kept setting cannot be compared."""

    why: str


_BAND: ContextVar[Band | None] = ContextVar("the two settings of the page that is being drawn", default=None)


def begin(offer: Offer | None, study: Study, data: Any, read: Callable[[Study], Any]) -> None:
    """The page of this study begins."""
    beside = state().compared.get(study.task)
    _BAND.set(None if offer is None or beside is None else Band(offer, beside, study, data, read))


def two() -> Band | None:
    """Both settings of the page that is being drawn, where they differ and can be compared: a page that shows
    itself what changes asks for them.
    """
    band = _BAND.get()
    if band is None or isinstance(band.other, Refusal) or not _differences(band)[0]:
        return None
    band.drawn = True
    return band


def here() -> None:
    """Under the headline: what changes from the kept setting, if there is one."""
    band = _BAND.get()
    if band is not None:
        band.drawn = True
        panels.show(partial(panel, band))


def end() -> None:
    """The page is drawn: what is still to be simulated of the kept setting. Last call of a page."""
    band = _BAND.get()
    if band is None:
        return
    if not band.drawn:
        here()
    if (work := band.work) is not None:
        background.surveys(band.other, work)


def keep(place: Any, task: str) -> None:
    """The button that keeps the present setting."""
    if task not in state().compared and study_of(task).column:
        place.button(
            t("A | B"),
            type="tertiary",
            key="beside_keep",
            help=t("Keep these settings as A, and go on changing: the page shows what changes from A to B."),
            on_click=begin_comparing,
            args=(task,),
        )


def begin_comparing(task: str) -> None:
    """Keep the present setting as A, and show both."""
    comparisons.keep(task)
    view_options.choose(SHOWN, True)


# the panel --------------------------------------------------------------------------------------------------------


def panel(band: Band) -> Panel:
    names = band.names
    head = [Menu(t("A | B"), partial(_menu, band), "beside_menu", does=True)]
    title = t("From {a} to {b}", **names)
    if isinstance(band.other, Refusal):
        why = t(
            "<b>{a}</b> cannot be compared here: {why} “A | B” swaps or drops it.", why=band.other.why, a=names["a"]
        )
        return Panel("beside", title, [Line(why)], head=head)
    those, these = _differences(band)
    if not those:
        alike = t("<b>{a}</b> and <b>{b}</b> are the same so far: change ε, marks or anything else.", **names)
        return Panel("beside", title, [Line(alike)], head=head)
    sentence = t("<b>{a}</b>: {those} · <b>{b}</b>: {these}", those=", ".join(those), these=", ".join(these), **names)
    return Panel("beside", title, _changed(band), sentence, head)


def _differences(band: Band) -> tuple[list[str], list[str]]:
    return measures.differences(band.before, band.present, band.offer.option)


def _changed(band: Band) -> list[Part]:
    if band.offer.measures is None:
        return []
    try:
        before = band.offer.measures(band.before, band.other)
    except (TypeError, ValueError) as error:  # DataError is one
        why = error.sentence if isinstance(error, DataError) else str(error)
        return [Line(t("<b>{a}</b> cannot be compared here: {why}", a=band.names["a"], why=widgets.escape(why)))]
    pairs = measures.changes(before, band.offer.measures(band.present, band.data))
    if not pairs:
        return [Line(t("The two have no number in common."))]
    return [panels.RowOfParts([[_change(band, each)] for each in pairs], options={"gap": "medium"})]


def _change(band: Band, change: Change) -> Html:
    before, after = change.before, change.after
    sentence = " ".join(filter(None, [f"<b>{after.title}</b>", _judged(band, change), after.note]))
    text = f'{measures.big(before.text, after.text, after.unit)}<div class="sub">{sentence}</div>'
    return Html(text, min(before.reach, after.reach))


def _judged(band: Band, change: Change) -> str:
    """Whether it is a change at all; how far the kept setting is simulated, where its number is still to come."""
    if change.before.value is None:
        return _progress(band)
    gap = change.after.gap(band.before, band.other) if change.after.gap is not None else None
    if gap is None or gap.half == 0:
        return t("(no change)") if change.same else ""
    holes = {"gap": words.signed(round(100 * gap.difference, 1)), "half": f"{100 * gap.half:.1f}"}
    return t("(no change: {gap} ± {half})", **holes) if gap.none else t("({gap} ± {half})", **holes)


def _progress(band: Band) -> str:
    if (work := band.work) is None:
        return ""
    done, total = compute.progress(work, band.other)
    holes = {"a": band.names["a"], "done": words.count(done), "all": words.count(total)}
    if state().stopped == work:
        return t("({a}: stopped at {done} of {all})", **holes)
    return t("({a} is simulated: {done} of {all})", **holes)


def _menu(band: Band) -> None:
    """Both names; swapping; dropping; stopping the simulation."""
    menu(band.study.task, partial(_stop, band))


def menu(task: str, more: Callable[[], None] | None = None) -> None:
    """What can be done with the setting that is kept beside this task's: both names; `more`; swapping; dropping."""
    setting = state().compared[task]
    left, right = st.columns(2, gap="small")
    controlled.bound(
        left.text_input, t("Kept"), key="beside_name", value=setting.name,
        change=lambda name: _called(task, name, setting.other),
    )  # fmt: skip
    controlled.bound(
        right.text_input, t("On this page"), key="beside_other", value=setting.other,
        change=lambda name: _called(task, setting.name, name),
    )  # fmt: skip
    problem, *of_these = view_options.look(_PROBLEM, ("",))
    if problem and of_these == [study_of(task), setting]:
        st.html(f'<div class="sub" role="alert"><b>{widgets.escape(problem)}.</b></div>')
    if more is not None:
        more()
    edit = t("Swap, to edit {name}", name=words.literal(setting.name))
    st.button(edit, key="beside_swap", width="stretch", on_click=comparisons.swap, args=(task,))
    drop = t("Drop {name}", name=words.literal(setting.name))
    st.button(drop, key="beside_drop", width="stretch", on_click=comparisons.drop, args=(task,))


def _stop(band: Band) -> None:
    work = band.work
    if work is None or len(set(compute.progress(work, band.other))) == 1:
        return
    stopped = state().stopped == work
    label = t("Go on simulating {name}", name=words.literal(band.beside.name))
    if not stopped:
        label = t("Stop simulating {name}", name=words.literal(band.beside.name))
    st.button(label, key="beside_stop", width="stretch", on_click=actions.stop, args=(None if stopped else work,))


def _called(task: str, name: str, other: str) -> None:
    problem = comparisons.name(task, name, other)
    view_options.choose(_PROBLEM, (problem, study_of(task), state().compared[task]))
