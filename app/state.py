"""What the person has chosen: the session's keys, and the Study they make.

Widgets of the sidebar live in the entrypoint, so their keys survive a change of page. Uploads, marks and ranges are
kept here, in the session's memory only.
"""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from compute import bundled, histogram
from ldpcore import checks, data
from ldpcore.domain import LARGEST
from ldpcore.study import Arm, Source, Study

EPSILONS = tuple(sorted({float(f"{x:.2g}") for x in np.geomspace(0.05, 8, 67)} | {1.0, 2.0}))
"""Stops of the slider; the box beside it takes any value, which is then a stop too."""
REPETITIONS = (1, 3, 10, 30, 100)


@dataclass(frozen=True)
class Problem:
    """Something the person should know, with what to do about it."""

    what: str
    why: str = ""


def start() -> None:
    """Defaults of a new session."""
    st.session_state.update(
        started=True,
        uploads={},
        arms={},
        ranges={},
        roles={},
        missing="any",
        data=next(iter(data.BUNDLED)),
        column="",
        columns={},
        epsilon=1.0,
        slider=1.0,
        typed_epsilon=1.0,
        repetitions=10,
        seed=7,
        compare=False,
        editing=0,
        problems=[],
        stopped=None,
    )


# ε ---------------------------------------------------------------------------------------------------------------


def stops() -> tuple[float, ...]:
    """Those of the slider, with the ε that was typed or brought by a link: slider and box always agree."""
    session = st.session_state
    if epsilon_problem() is None and session.epsilon not in EPSILONS:
        session.typed_epsilon = float(session.epsilon)
    return tuple(sorted({*EPSILONS, session.typed_epsilon}))


def slide() -> tuple[float, ...]:
    """Bring the slider to the ε of the box, before it is drawn; its stops."""
    found = stops()
    st.session_state.slider = epsilon()
    return found


def choose_epsilon(value: float) -> None:
    st.session_state.update(epsilon=value, slider=value)


def slid_on_phone() -> None:
    choose_epsilon(st.session_state.phone_slider)


def slid() -> None:
    st.session_state.epsilon = st.session_state.slider


def typed() -> None:
    if epsilon_problem() is None:
        st.session_state.slider = float(st.session_state.epsilon)


def epsilon_problem() -> str | None:
    """Why the typed ε cannot be used, or None."""
    try:
        checks.epsilon(st.session_state.epsilon)
    except (TypeError, ValueError) as error:
        return str(error)
    return None


def epsilon() -> float:
    """The chosen ε; while the box holds nonsense, the slider's."""
    return float(st.session_state.slider if epsilon_problem() else st.session_state.epsilon)


# data ------------------------------------------------------------------------------------------------------------


def table() -> data.Table:
    name = st.session_state.data
    return st.session_state.uploads.get(name) or bundled(name)


def countable(source: data.Table) -> list[str]:
    """Columns with answers to count: categories, and numbers once they are binned."""
    return [column.name for column in source.profile() if column.role in ("category", "number")]


def default_countable(source: data.Table) -> str:
    names = countable(source)
    if source.card is not None and source.card.default_column in names:
        return source.card.default_column
    roles = {column.name: column.role for column in source.profile()}
    return next((name for name in names if roles[name] == "category"), names[0] if names else "")


def first_number(source: data.Table) -> str:
    """The first column of numbers, for tasks that are about numbers; another countable one where there is none."""
    names = [column.name for column in source.profile() if column.role == "number"]
    return names[0] if names else default_countable(source)


def offer(task: str, names: Sequence[str], default: str) -> None:
    """Fix the column of this page: the one seen here last, else the last one chosen anywhere, else the default."""
    session, key = st.session_state, (table().digest, task)
    if session.columns.get(key) in names:
        session.column = session.columns[key]
    elif session.get("column") not in names:
        session.column = default
    session.update(columns=session.columns | {key: session.column}, offered=tuple(names))


def choose_column(name: str) -> None:
    """A column chosen on one page is the column of every page that can use it."""
    session, digest = st.session_state, table().digest
    session.column = name
    session.columns = {key: column for key, column in session.columns.items() if key[0] != digest}


def column() -> str:
    """The chosen column; "" where this page has none."""
    return st.session_state.column


def is_number(source: data.Table, name: str) -> bool:
    """Is it binned? As its values suggest, unless the person chose otherwise."""
    profile = next(column for column in source.profile() if column.name == name)
    chosen = st.session_state.roles.get((source.digest, name), profile.role)
    return profile.numeric and (chosen == "number" or profile.distinct > data.MAX_VALUES)


def bins() -> tuple[float, float, int] | None:
    """The public range and the number of bins of a number column; a round range until the person states one."""
    return _bins(table(), column())


def _bins(source: data.Table, name: str) -> tuple[float, float, int] | None:
    profile = next((column for column in source.profile() if column.name == name), None)
    if profile is None or profile.low is None or profile.high is None or not is_number(source, name):
        return None
    return st.session_state.ranges.get((source.digest, name), round_range(profile.low, profile.high))


def counted() -> data.Histogram:
    """The chosen column, counted. DataError when it cannot be."""
    source = table()
    if not countable(source):
        raise data.DataError("No column can be counted.", "Every column holds names, one single value, or nothing.")
    found = histogram(base(), source)
    drop_strangers(found.domain.labels)
    return found


def drop_strangers(labels: Iterable[str]) -> None:
    """Marks can name values that are gone: of another rule for missing answers, or of a link made by hand."""
    known, settings = set(labels), arms()
    gone = sorted({value for arm in settings for value in arm.values} - known)
    if gone:
        settings[:] = [replace(arm, marks=tuple(mark for mark in arm.marks if mark[0] in known)) for arm in settings]
        names = checks.name_list(gone, 3)
        st.session_state.problems.append(Problem(f"No longer marked, since no value of this column: {names}."))


def round_range(low: float, high: float) -> tuple[float, float, int]:
    """Ten round bins that hold the data, as far as a range can go. Only a proposal: the page says that the range must
    be public knowledge.
    """
    low, high = np.clip((low, high), -LARGEST / 10, LARGEST / 10)  # room to round outwards
    narrowest = max(1e-9, 1e-12 * max(abs(low), abs(high)))  # well above the distance of neighbouring floats
    step = 10 ** np.floor(np.log10(max(high - low, narrowest) / 10))
    step = next(step * factor for factor in (1, 2, 2.5, 5, 10) if (high - low) / (step * factor) <= 12)
    first, last = np.floor(low / step) * step, np.ceil(high / step) * step
    return float(first), float(last if last > first else first + step), max(2, round((last - first) / step))


# marks -----------------------------------------------------------------------------------------------------------


def _arms_key(source: data.Table, name: str) -> tuple[str, str, object]:
    return source.digest, name, _bins(source, name)


def arms() -> list[Arm]:
    """The settings of marks for this column: one, or two to compare."""
    source, name = table(), column()
    key = _arms_key(source, name)
    if key not in st.session_state.arms:
        card = source.card
        marks = card.default_marks if card is not None and name == card.default_column else ()
        st.session_state.arms[key] = [Arm.of("A", marks)]
    return st.session_state.arms[key]


def set_marks(values: Iterable[str], arm: int | None = None) -> None:
    """Mark exactly these values in the arm being edited."""
    place = editing() if arm is None else arm
    settings = arms()
    settings[place] = Arm.of(settings[place].name, values)


def editing() -> int:
    """Which arm the Data page edits."""
    return min(st.session_state.editing, len(arms()) - 1)


def add_arm() -> None:
    """Keep a second setting, starting as a copy of the first."""
    settings = arms()
    if len(settings) == 1:
        settings.append(replace(settings[0], name="B"))


# the study -------------------------------------------------------------------------------------------------------


def base() -> Study:
    """What every task's Study shares: data, column, missing answers, ε, repetitions, seed."""
    source = table()
    return Study(
        data=Source(source.name, source.digest),
        column=column(),
        epsilon=epsilon(),
        missing=st.session_state.missing,
        bins=bins(),
        repetitions=st.session_state.repetitions,
        seed=st.session_state.seed,
    )


def known(wanted: Sequence[str], here: Container[str], noun: str) -> list[str]:
    """Those of the wanted keys that are here; a sentence where some are not."""
    found = [key for key in wanted if key in here]
    if len(found) < len(wanted):
        st.session_state.problems.append(Problem(f"The study names {noun} that are not here; the others are shown."))
    return found


def adopt_column(wanted: Study, source: data.Table, names: Sequence[str], default: str) -> bool:
    """Choose the study's column and its bins; False where it names none, or, with a sentence, one that is not there."""
    session = st.session_state
    if not wanted.column and not any(arm.marks for arm in wanted.arms):
        session.column = ""  # every page offers its own
        return False
    if wanted.column and wanted.column not in names:
        session.problems.append(Problem(f"The data has no column “{wanted.column[:40]}”.", "Its default is shown."))
        return False
    choose_column(wanted.column or default)
    if wanted.column:
        session.roles[source.digest, session.column] = "category" if wanted.bins is None else "number"
    if wanted.bins is not None:
        session.ranges[source.digest, session.column] = wanted.bins
    return True


def adopt_marks(wanted: Study, source: data.Table, known: Container[str] | None = None) -> None:
    """The marks that the column has values for; the others are named and left out. known: values not counted."""
    st.session_state.arms[_arms_key(source, column())] = [_fitting(arm, known) for arm in wanted.arms]


def _fitting(arm: Arm, known: Container[str] | None) -> Arm:
    try:
        known = set(counted().domain.labels) if known is None else known
    except data.DataError:
        return Arm(arm.name)
    unknown = [value for value in arm.values if value not in known]
    if unknown:
        st.session_state.problems.append(
            Problem(f"{arm.name} marks {checks.name_list(unknown)}, which the column does not have.", "Left out.")
        )
    return Arm(arm.name, tuple(mark for mark in arm.marks if mark[0] in known))
