"""What a person has here, in the session's memory only: uploads, the Workspace, and each task's settings.

Only `ldpapp.state.actions` changes it, and `ldpapp.state.comparisons` what is compared.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import streamlit as st

from ldpapp.compute import bundled
from ldpapp.state import studies
from ldpapp.state.workspace import TaskSettings, Workspace
from ldpcore import data
from ldpcore.client import Client
from ldpcore.collection.weighing import DesignColumns
from ldpcore.data import Table
from ldpcore.study import Comparison, Refused, Study

KEY = "state"
"""The one key of Streamlit's session under which all of it stands."""


@dataclass(frozen=True)
class KeptSetting:
    """A setting that is kept beside a task's present one: A of A | B. `study` is what `workspace` and `settings` were
    then; its `name`, and what the present one is called.
    """

    study: Study
    workspace: Workspace = field(compare=False, repr=False)
    settings: TaskSettings = field(compare=False, repr=False)
    name: str = "A"
    other: str = "B"

    def compared(self, present: Study) -> Comparison:
        """Both; ValueError, with a sentence, where the names make no sense."""
        return Comparison(self.study, present, self.name, self.other)


@dataclass(frozen=True)
class ClassDraft:
    """What the page Class is about to ask: a client as typed, not checked yet, and how many pupils there are."""

    client: Client
    pupils: int


@dataclass(frozen=True)
class ResultFile:
    """A file on the page Results, known by the digest of its bytes."""

    name: str
    digest: str
    content: bytes = field(compare=False, repr=False)


@dataclass(frozen=True)
class ResultDraft:
    """What the page Results is about: files by what they are (reports, client, …), the question of a questionnaire,
    the columns beside the reports, the other question that it is looked at with, the form that is published, what liars
    always send, the answer that groups are compared by, "" where nobody chose; of another tool its parameters as typed,
    and how many people reported.
    """

    files: Mapping[str, ResultFile] = field(default_factory=dict)
    question: str = ""
    columns: DesignColumns = field(default_factory=DesignColumns)
    other: str = ""
    form: str = ""
    always: str = ""
    answer: str = ""
    tool: str = "rappor"
    parameters: Mapping[str, float] = field(default_factory=dict)
    people: int = 1000


@dataclass
class SessionState:
    """All that a session has."""

    workspace: Workspace
    uploads: dict[str, Table] = field(default_factory=dict)
    settings: dict[tuple[str, str], TaskSettings] = field(default_factory=dict)
    """(digest, task) → the task's own settings of these data, as they are or were left."""
    compared: dict[str, KeptSetting] = field(default_factory=dict)
    """Task → the setting that its present one is compared with, as it was when it was kept."""
    current_column: dict[str, str] = field(default_factory=dict)
    """Digest → the column chosen last, on whatever page."""
    problems: list[Refused] = field(default_factory=list)
    """What could not be taken over, until the person has seen it."""
    stopped: Study | None = None
    """The work that was stopped."""
    draft: ClassDraft | None = None
    """The question for a class; None: the sample."""
    results: ResultDraft = field(default_factory=ResultDraft)
    """What came back, and how it is read."""
    made: dict[str, studies.Made] = field(default_factory=dict)
    """Task → its Study as it was derived last."""


def state() -> SessionState:
    return st.session_state[KEY]


def workspace() -> Workspace:
    """What every page shares."""
    return state().workspace


def settings_of(task: str) -> TaskSettings:
    """What is a task's own, of the chosen data."""
    return state().settings[table().digest, task]


def study_of(task: str) -> Study:
    """The Study of a task: what its settings and the Workspace say."""
    return studies.remembered(state().made, task, workspace(), settings_of(task))


def table() -> Table:
    """The chosen data."""
    return workspace().table


def named(name: str) -> Table:
    """The data of this name: an upload, or a bundled set."""
    return state().uploads.get(name) or bundled(name)


def names() -> list[str]:
    """Everything that can be chosen."""
    return list(dict.fromkeys((*data.BUNDLED, *state().uploads)))


def title(name: str) -> str:
    """A data set as pages call it."""
    return data.BUNDLED[name].title.removesuffix(" (synthetic)") if name in data.BUNDLED else name


def is_public() -> bool:
    """Whether a link may name the chosen data."""
    return table().name in data.BUNDLED


def current_column() -> str:
    """The column chosen last: pages about no single task show it."""
    return state().current_column[table().digest]
