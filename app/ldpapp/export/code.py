"""The page as code: a script, a notebook, R for the reports of one mechanism, and the label of its deployment."""

from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ldpapp import words
from ldpapp.compute.memory import remember
from ldpapp.export import links
from ldpapp.parts import widgets
from ldpapp.state import view_options
from ldpapp.state.model import is_public, study_of, table
from ldpapp.views.task import TaskPage
from ldpapp.words.language import t
from ldpcore.collection import in_r
from ldpcore.study import Comparison, Study, script, tasks
from ldpcore.study import label as labels

SCRIPTS = {"py": "text/x-python", "ipynb": "application/x-ipynb+json"}
"""Form of a script → what a browser calls it."""


def menu(place: DeltaGenerator, task: TaskPage) -> None:
    """Beside the report; nothing where its task has no script."""
    if task.key not in tasks.SCRIPTS:
        return
    opened = place.popover(t("code"), type="tertiary", key="code", on_change="rerun")
    made = links.setting(task) if opened.open else None
    if made is None:
        return
    with opened:
        _scripts(made, study_of(task.key))
        _deployed(task, study_of(task.key))


def _scripts(made: Study | Comparison, study: Study) -> None:
    """Python, made on the click."""
    beside = "" if is_public() else t("It reads {file} from its folder.", file=words.literal(study.data.name))
    st.markdown(t("This page in Python, as one would write it by hand. {beside}", beside=beside))
    for form, label in (("py", t("Download the script")), ("ipynb", t("Download the notebook"))):
        st.download_button(
            label,
            lambda form=form: script(made, form).encode(),
            f"{study.task}-{Path(study.data.name).stem}.{form}",
            SCRIPTS[form],
            on_click="ignore",
            width="stretch",
        )


def _deployed(task: TaskPage, study: Study) -> None:
    """What there is of one mechanism, first of that of the page: R that reads its reports, and its label. Made while
    the menu is open.
    """
    keys = list(study.mechanisms)
    if not keys:
        return
    spoken = view_options.wished("code_mechanism")
    if spoken not in keys:
        try:
            spoken = task.speaks(study, task.data(study, table()))
        except ValueError:  # the page says why
            spoken = ""
    key = spoken if spoken in keys else keys[0]
    if len(keys) > 1:
        view_options.wish(st.selectbox, t("Of one mechanism"), keys, key="code_mechanism", shown=key)
    files = {"label.yaml": (t("Download the label (YAML)"), "text/yaml")}
    if study.task in in_r.TASKS:
        files = {"page.R": (t("Download R for its reports"), "text/plain")} | files
    for name, (text, kind) in files.items():
        content, why = remember("deployed", 16, (name, study, key), lambda name=name: _file(name, study, key))
        if why:
            st.html(f'<div class="sub" style="max-width: 20rem">{widgets.escape(why)}</div>')
        else:
            st.download_button(text, content.encode(), name, kind, on_click="ignore", width="stretch")


def _file(name: str, study: Study, key: str) -> tuple[str, str]:
    """The text of a file; or why there is none, in a sentence."""
    try:
        if name.endswith(".R"):
            return in_r.of_study(study, table(), key), ""
        return labels.written(labels.label(study, table(), key)), ""
    except ValueError as error:
        return "", str(error)
