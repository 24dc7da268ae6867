"""The page as code: a script, or a notebook, that gives the same table; beside the Study's link, file and report."""

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ldpapp import words
from ldpapp.export import links
from ldpapp.state.model import is_public
from ldpapp.views.task import TaskPage
from ldpapp.words.language import t
from ldpcore.study import Comparison, Study, script, script_files

FILES = {"py": "text/x-python", "ipynb": "application/x-ipynb+json"}
"""Form → what a browser calls it."""


def menu(place: DeltaGenerator, task: TaskPage) -> None:
    """The files, made on the click; nothing where what is asked cannot be written as code."""
    setting = links.setting(task)
    if setting is None or script_files.refusal(setting):
        return
    study = setting.b if isinstance(setting, Comparison) else setting
    with place.popover(t("code"), type="tertiary", key="code"):
        beside = "" if is_public() else t("It reads {file} from its folder.", file=words.literal(study.data.name))
        st.markdown(t("This page in Python, as one would write it by hand. {beside}", beside=beside))
        for form, label in (("py", t("Download the script")), ("ipynb", t("Download the notebook"))):
            st.download_button(label, _made(setting, form), f"page.{form}", FILES[form], on_click="ignore",
                               width="stretch")  # fmt: skip


def _made(setting: Study | Comparison, form: str) -> Callable[[], bytes]:
    return lambda: script(setting, form).encode()
