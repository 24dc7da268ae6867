"""The Study beyond this session: the page's address, the Study file, the table of results."""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from urllib.parse import urlencode

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ldpapp import words
from ldpapp.compute import bundled
from ldpapp.export import own_file
from ldpapp.parts import error_unit
from ldpapp.runtime import display
from ldpapp.state import actions, comparisons, view_options
from ldpapp.state.model import is_public, named, names, state, study_of, table
from ldpapp.views.data import kept_files
from ldpapp.views.others import VIEWS
from ldpapp.views.task import TaskPage
from ldpapp.views.tasks import TASKS
from ldpapp.views.view import View
from ldpapp.words.language import t
from ldpcore import data
from ldpcore.client.folder import zipped
from ldpcore.collection import review_clients
from ldpcore.study import Comparison, Source, Study, StudyError, run, serial, to_toml
from ldpcore.study import query as parameters


def follow(query: Mapping[str, list[str]]) -> None:
    """Take over what a link says, as far as it makes sense for data that is here."""
    if own_file.OWN in query:
        own_file.wait(query)
        query = {name: values for name, values in query.items() if name not in (own_file.OWN, *_OF_DATA)}
    wanted, refused = parameters.from_query(query, Study(Source(table().name), ""))
    for sentence in refused:
        actions.refuse(sentence)
    _look(query, display.LOOKS)
    for view in VIEWS:
        _look(query, view.looks)
    for key, form in _FREE.items():
        value = query.get(key, [""])[0]
        if form.fullmatch(value):
            view_options.choose(key, value)
        elif value:
            _senseless(key)
    name, task = _present(wanted).data.name, _present(wanted).task
    if name not in data.BUNDLED:
        unknown = t("The link's data set “{name}” is not here.", name=name[:40])
        actions.refuse(unknown, t("Links work for bundled data only."))
        return
    marks = any(name == "marks" or name.startswith("arm.") for name in query)
    comparisons.adopt(_comparable(wanted), _as_read(bundled(name), _present(wanted)), marks, "m" in query)
    _look(query, TASKS[task].looks)
    for key in view_options.wish_as(TASKS[task].wishes, {key: values[0] for key, values in query.items() if values}):
        _senseless(key)
    error_unit.adopt()


def _as_read(source: data.Table, wanted: Study) -> data.Table:
    """Bundled data as a link has them read; as they usually are where that makes no sense."""
    try:
        made = kept_files.as_read(source, wanted.data.read)
    except data.DataError as error:
        actions.refuse(error.sentence, t("The data are read as usual."))
        return source
    if made is not source:
        actions.keep(made)
    return made


def _present(setting: Study | Comparison) -> Study:
    """A study, or of two the one that is being changed."""
    return setting.b if isinstance(setting, Comparison) else setting


_OF_DATA = ("data", "missing")
"""What a link says of data, which is not said of others in the place of one's own."""
_FREE = {"alone": re.compile(r"\w{1,40}"), "room": re.compile(r"[A-Z2-9]{6}"), "notes": re.compile(r"[\w-]{22}")}
"""Looks of every page with any value of a form: the panel that fills it, the class's room, by its code, and the lesson
that notes follow. One that is not there leaves the page as it is.
"""


def _look(query: Mapping[str, list[str]], known: view_options.Looks) -> None:
    for key, values in known.items():
        by_text = {str(value): value for value in values}
        if query.get(key) and query[key][0] in by_text:
            view_options.choose(key, by_text[query[key][0]])
        elif query.get(key):
            _senseless(key)


def _senseless(key: str) -> None:
    actions.refuse(t("The link's {key} makes no sense and was left out.", key=key))


def full(task: TaskPage) -> Study | None:
    """The Study as link, file and results have it; None where these data have nothing for it."""
    study = study_of(task.key)
    try:
        return task.full(study, task.data(study, table()))
    except (data.DataError, TypeError, ValueError):  # the page says why
        return None


def setting(task: TaskPage) -> Study | Comparison | None:
    """The Study as link, file and report have it, beside what is kept of its task: over the same grid, where both are
    about the same data.
    """
    made, other = full(task), state().compared.get(task.key)
    if made is None or other is None or task.offer is None:
        return made
    if other.study.data.digest == table().digest:
        with suppress(data.DataError, TypeError, ValueError):  # the page says why
            other = replace(other, study=task.full(other.study, task.data(other.study, table())))
    return other.compared(made)


def _comparable(wanted: Study | Comparison) -> Study | Comparison:
    """What a link or a file says, as far as its task's page compares two settings."""
    if isinstance(wanted, Comparison) and TASKS[wanted.b.task].offer is None:
        actions.refuse(t("This page shows one setting: “{name}” was left out.", name=wanted.name_a))
        return wanted.b
    return wanted


def write(page: str, task: TaskPage) -> None:
    """Keep the address bar in step, so that the page's URL is the link."""
    display.write(page, _query(task, setting(task)))


def _query(task: TaskPage, shown: Study | Comparison | None) -> dict[str, list[str]]:
    """What the link of a page says whose Study is this task's; shown: its `setting`."""
    if own_file.awaited():
        return own_file.awaited()
    made = shown or study_of(task.key)
    if isinstance(made, Comparison) and is_public() and made.a.data.name not in data.BUNDLED:
        made = made.b
    said = {key: [text] for key, text in view_options.wishes(task.wishes).items()} if is_public() else {}
    return parameters.to_query(made, is_public()) | _own(made, task) | _unusual(task.looks) | said


def write_looks(page: str, view: View, task: TaskPage) -> None:
    """The same of a page that no Study stands beside; task: that of the pages that are left for it."""
    display.write(page, _unusual(view.looks) | _own(study_of(task.key), task))


def _own(made: Study | Comparison, task: TaskPage) -> dict[str, list[str]]:
    """That one's own data are open, or were."""
    if awaited := own_file.awaited():
        return {own_file.OWN: awaited[own_file.OWN]}
    return {} if is_public() else own_file.written(made, view_options.wishes(task.wishes))


def _unusual(own: view_options.Looks) -> dict[str, list[str]]:
    known = {**own, **display.LOOKS, **dict.fromkeys(_FREE, ("",))}
    return {
        key: [str(view_options.look(key))]
        for key, values in known.items()
        if view_options.look(key, values[0]) != values[0]
    }


def menu(place: DeltaGenerator, task: TaskPage) -> None:
    """Beside the word Study: the link, the file, all results, and loading a file."""
    asks = task.key == "review"
    both = setting(task)
    opened = place.popover(t("link · file"), type="tertiary", key="links", on_change="rerun" if asks else "ignore")
    with opened:
        st.markdown(
            t("The link to this view, which is the address of the page, too:")
            if is_public()
            else t(
                "The data were uploaded: the link does not carry them. Column, marks and settings are sealed in it and "
                "open with the very file only. The Study file names column and marks, never the answers."
            )
        )
        if st.context.url:
            st.code(
                f"{st.context.url.partition('?')[0]}?{urlencode(_query(task, both), doseq=True)}",
                language=None,
                width=380,
            )
        st.button(t("Show on a projector (p)"), key="projector_on", on_click=display.project, args=(True,))
        _downloads(both)
        if asks and opened.open:
            _phones(task)
        loaded = st.file_uploader(t("Load a Study file"), type=["toml"], key="study_upload", max_upload_size=1)
        if loaded is not None and view_options.look("study_read") != loaded.file_id:
            view_options.choose("study_read", loaded.file_id)
            load(loaded.getvalue())


def _downloads(both: Study | Comparison | None) -> None:
    if both is None:
        return
    made, source = _present(both), table()
    st.download_button(
        t("Download the Study (TOML)"),
        to_toml(both).encode(),
        "study.toml",
        "application/toml",
        on_click="ignore",
    )
    # Made on the click, outside the script: it may only know what it is given here. Streamlit lets go of such a file
    # when the page is drawn again, while it fills in before the browser has fetched it; the Study's is always there.
    st.download_button(
        t("All results (CSV)"),
        lambda: data.as_csv(run(made, source)).encode(),
        "results.csv",
        "text/csv",
        on_click="ignore",
        help=t("The very table that `ldpcore run study.toml` computes."),
    )


def _phones(task: TaskPage) -> None:
    """The page that people answer on by phone, as planned: what `ldpcore client` writes, in one file."""
    made = full(task)
    if made is None or not made.marks:
        return
    try:
        asked, _ = review_clients.of_review(made, table())
    except ValueError as error:
        st.markdown(t("No page for phones: {why}", why=words.literal(error)))
        return
    st.download_button(
        t("The page for phones (ZIP)"), zipped(asked), "survey.zip", "application/zip", on_click="ignore",
        key="survey_zip", help=t("The files of `ldpcore client study.toml`: they ask the hidden questions."),
    )  # fmt: skip


def take(wanted: Study | Comparison, source: data.Table) -> None:
    """Make a Study, or two, and its data the session's: the terminal has all."""
    if source.name not in names():
        actions.keep(source)
    comparisons.adopt(_comparable(wanted), source)


def load(content: bytes) -> None:
    """Take a Study file over, if it is one and its data are here."""
    try:
        read = serial.read_toml(content.decode("utf-8"))
    except (StudyError, UnicodeDecodeError) as error:
        st.error(t("That is not a Study file: {why}", why=words.literal(error)))
        return
    wanted = _present(read)
    name = wanted.data.name
    if name not in names():
        st.error(
            t(
                "The Study is about “{data}”, which is not loaded. Upload that file on the Data page, then try again.",
                data=words.literal(name),
            )
        )
        return
    source = named(name)
    try:
        source = kept_files.as_read(source, wanted.data.read).with_missing(dict(wanted.data.missing))
    except data.DataError as error:
        st.error(words.literal(error))
        return
    if wanted.data.digest and wanted.data.digest != source.digest:
        st.error(
            t("The Study was made with another version of “{data}”: the digests differ.", data=words.literal(name))
        )
        return
    if source is not named(name):
        actions.reread(source)
    comparisons.adopt(_comparable(read), source)
    st.rerun()
