"""What a person has here, in the session's memory only: Studies, uploads, and what was said of each column.

Only `ldpapp.state.actions` changes it, and `ldpapp.state.comparisons` what is kept beside a Study.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import streamlit as st

from ldpapp.compute import bundled
from ldpcore import data
from ldpcore.client import Client
from ldpcore.data import Table
from ldpcore.study import Comparison, Marks, Refused, Study, fitting

KEY = "kept"
"""The one key of Streamlit's session under which all of it stands."""


@dataclass(frozen=True)
class Column:
    """What is said of one column, whoever asks: how numbers are read, their public range, and what is sensitive.

    Marks of numbers are intervals ("60..80"), of everything else values or items. `range` None: nobody has stated one,
    so that a round one around the data is shown.
    """

    binned: bool
    range: fitting.Range | None
    marks: Marks


@dataclass(frozen=True)
class Setting:
    """A setting that is kept beside a task's Study: A of A | B. Its `name`, and what the present one is called."""

    study: Study
    name: str = "A"
    other: str = "B"

    def beside(self, present: Study) -> Comparison:
        """Both; ValueError, with a sentence, where the names make no sense."""
        return Comparison(self.study, present, self.name, self.other)


@dataclass(frozen=True)
class Told:
    """What a task's Study does not say of itself: what is said of columns (None: nothing yet), how answers that are
    missing are counted elsewhere, and whether all its mechanisms are switched off.
    """

    columns: Mapping[tuple[str, str], Column | None]
    missing: str
    unchosen: bool


@dataclass(frozen=True)
class Draft:
    """What the page Class is about to ask: a client as typed, not checked yet, and how many pupils there are."""

    client: Client
    pupils: int


@dataclass
class Kept:
    """All that a session has."""

    data: str
    uploads: dict[str, Table] = field(default_factory=dict)
    studies: dict[str, Study] = field(default_factory=dict)
    """Task → its Study of the chosen data."""
    unchosen: set[str] = field(default_factory=set)
    """Tasks whose mechanisms were all switched off: their Studies still name the last ones."""
    beside: dict[str, Setting] = field(default_factory=dict)
    """Task → the setting that its Study is compared with, as it was when it was kept."""
    told: dict[str, Told] = field(default_factory=dict)
    """Task → what was said beside its Study when the setting it is compared with was kept here."""
    columns: dict[tuple[str, str], Column] = field(default_factory=dict)
    """(digest, column) → what was said of it."""
    shelf: dict[str, dict[str, Study]] = field(default_factory=dict)
    """Digest → the Studies of data that were left."""
    front: dict[str, str] = field(default_factory=dict)
    """Digest → the column chosen last, on whatever page."""
    problems: list[Refused] = field(default_factory=list)
    """What could not be taken over, until the person has seen it."""
    stopped: Study | None = None
    """The work that was stopped."""
    secret_epsilon: float | None = None
    """The ε of secret answers as it was chosen, wherever that of the others is now."""
    draft: Draft | None = None
    """The question for a class; None: the sample."""


def kept() -> Kept:
    return st.session_state[KEY]


def table() -> Table:
    """The chosen data."""
    return named(kept().data)


def named(name: str) -> Table:
    """The data of this name: an upload, or a bundled set."""
    return kept().uploads.get(name) or bundled(name)


def names() -> list[str]:
    """Everything that can be chosen."""
    return [*data.BUNDLED, *kept().uploads]


def title(name: str) -> str:
    """A data set as pages call it."""
    return data.BUNDLED[name].title.removesuffix(" (synthetic)") if name in data.BUNDLED else name


def is_public() -> bool:
    """Whether a link may name the chosen data."""
    return kept().data in data.BUNDLED


def front() -> str:
    """The column chosen last: pages about no single task show it."""
    return kept().front[table().digest]
