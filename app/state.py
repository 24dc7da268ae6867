"""What the person has chosen: the session's keys, and the Study they make.

Widgets of the sidebar live in the entrypoint, so their keys survive a change of page. Uploads, marks and ranges are
kept here, in the session's memory only.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from compute import bundled, histogram
from ldpcore import catalog, checks, data
from ldpcore.study import Arm, Source, Study, serial

EPSILONS = tuple(sorted({float(f"{x:.2g}") for x in np.geomspace(0.05, 8, 67)} | {1.0, 2.0}))
"""Stops of the slider; the box beside it takes any value."""
REPETITIONS = (1, 3, 10, 30, 100)
DEFAULT_MECHANISMS = ("GRR", "OUE", "SS", "uRR", "uOUE", "uSS", "SDGRR")
PROMISED = {"LDP": "every", "ULDP": "marked"}
"""Definition → how much it promises (palette.PROMISES); every other one is weaker than it looks."""
GROUPS = {
    group: [key for key, entry in catalog.FREQUENCY.items() if PROMISED.get(entry.promise, "weaker") == group]
    for group in ("every", "marked", "weaker")
}


@dataclass(frozen=True)
class Problem:
    """Something the person should know, with what to do about it."""

    what: str
    why: str = ""


def start() -> None:
    """Defaults of a new session, then what its link asks for."""
    session = st.session_state
    if "started" in session:
        return
    first = next(iter(data.BUNDLED))
    session.update(
        started=True,
        uploads={},
        arms={},
        ranges={},
        roles={},
        missing="any",
        data=first,
        column="",
        epsilon=1.0,
        slider=1.0,
        repetitions=10,
        seed=7,
        compare=False,
        editing=0,
        problems=[],
        stopped=None,
    )
    choose_mechanisms(DEFAULT_MECHANISMS)
    if st.query_params:
        _follow({name: st.query_params.get_all(name) for name in st.query_params})


def _follow(query: dict[str, list[str]]) -> None:
    """Take over what a link says, as far as it makes sense for data that is here."""
    default = Study(Source(st.session_state.data), "", mechanisms=DEFAULT_MECHANISMS, arms=(Arm("A"),))
    wanted, refused = serial.from_query(query, default)
    st.session_state.problems = [Problem(sentence) for sentence in refused]
    if wanted.data.name in data.BUNDLED:
        adopt(wanted, bundled(wanted.data.name), marks=any(name.startswith("arm.") for name in query))
    else:
        st.session_state.problems.append(
            Problem(f"The link's data set “{wanted.data.name[:40]}” is not here.", "Links work for bundled data only.")
        )


def adopt(wanted: Study, source: data.Table, marks: bool = True) -> None:
    """Make this study the session's, dropping what the data does not have, with a sentence for each."""
    session = st.session_state
    known = [key for key in wanted.mechanisms if key in catalog.FREQUENCY]
    if len(known) < len(wanted.mechanisms):
        session.problems.append(Problem("The study names mechanisms that are not here; the others are shown."))
    choose_mechanisms(known or DEFAULT_MECHANISMS)
    session.update(
        data=source.name,
        epsilon=wanted.epsilon,
        repetitions=wanted.repetitions,
        seed=wanted.seed,
        missing=wanted.missing,
        compare=len(wanted.arms) > 1,
    )
    session.slider = nearest(wanted.epsilon)
    names = columns(source)
    if wanted.column and wanted.column not in names:
        session.problems.append(Problem(f"The data has no column “{wanted.column[:40]}”.", "Its default is shown."))
        return
    session.column = wanted.column or default_column(source)
    if wanted.column:
        session.roles[source.digest, session.column] = "category" if wanted.bins is None else "number"
    if wanted.bins is not None:
        session.ranges[source.digest, session.column] = wanted.bins
    if marks:
        session.arms[_arms_key(source, session.column)] = [_fitting(arm, source) for arm in wanted.arms]


def _fitting(arm: Arm, source: data.Table) -> Arm:
    """The marks that this column has values for."""
    try:
        known = set(counted().domain.labels)
    except data.DataError:
        return Arm(arm.name)
    unknown = [value for value in arm.values if value not in known]
    if unknown:
        st.session_state.problems.append(
            Problem(f"{arm.name} marks {checks.name_list(unknown)}, which the column does not have.", "Left out.")
        )
    return Arm(arm.name, tuple(mark for mark in arm.marks if mark[0] in known))


def choose_mechanisms(keys: Iterable[str]) -> None:
    chosen = set(keys)
    for group, members in GROUPS.items():
        st.session_state[f"pills_{group}"] = [key for key in members if key in chosen]


# ε ---------------------------------------------------------------------------------------------------------------


def nearest(value: float) -> float:
    return min(EPSILONS, key=lambda stop: abs(np.log(stop / max(value, 1e-9))))


def choose_epsilon(value: float) -> None:
    st.session_state.update(epsilon=value, slider=nearest(value))


def slid_on_phone() -> None:
    choose_epsilon(st.session_state.phone_slider)


def slid() -> None:
    st.session_state.epsilon = st.session_state.slider


def typed() -> None:
    if epsilon_problem() is None:
        st.session_state.slider = nearest(st.session_state.epsilon)


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


def columns(source: data.Table) -> list[str]:
    """Columns with answers to count: categories, and numbers once they are binned."""
    return [column.name for column in source.profile() if column.role in ("category", "number")]


def default_column(source: data.Table) -> str:
    names = columns(source)
    if source.card is not None and source.card.default_column in names:
        return source.card.default_column
    roles = {column.name: column.role for column in source.profile()}
    return next((name for name in names if roles[name] == "category"), names[0] if names else "")


def column() -> str:
    """The chosen column; the default one when the data has just changed."""
    source = table()
    if st.session_state.get("column") not in columns(source):  # a widget that was not shown loses its key
        st.session_state.column = default_column(source)
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
    profile = next(column for column in source.profile() if column.name == name)
    if profile.low is None or profile.high is None or not is_number(source, name):
        return None
    return st.session_state.ranges.get((source.digest, name), round_range(profile.low, profile.high))


def counted() -> data.Histogram:
    """The chosen column, counted. DataError when it cannot be."""
    source = table()
    if not columns(source):
        raise data.DataError("No column can be counted.", "Every column holds names, one single value, or nothing.")
    found = histogram(current(), source)
    _drop_strangers(found.domain.labels)
    return found


def _drop_strangers(labels: Iterable[str]) -> None:
    """Marks can name values that are gone: of another rule for missing answers, or of a link made by hand."""
    known, settings = set(labels), arms()
    gone = sorted({value for arm in settings for value in arm.values} - known)
    if gone:
        settings[:] = [replace(arm, marks=tuple(mark for mark in arm.marks if mark[0] in known)) for arm in settings]
        names = checks.name_list(gone, 3)
        st.session_state.problems.append(Problem(f"No longer marked, since no value of this column: {names}."))


def round_range(low: float, high: float) -> tuple[float, float, int]:
    """Ten round bins that hold the data. Only a proposal: the page says that the range must be public knowledge."""
    step = 10 ** np.floor(np.log10(max(high - low, 1e-9) / 10))
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


def mechanisms() -> tuple[str, ...]:
    chosen = {key for group in GROUPS for key in st.session_state[f"pills_{group}"] or ()}
    return tuple(key for key in catalog.FREQUENCY if key in chosen)


def current(**options: object) -> Study:
    """The Study that the sidebar and the marks describe; with the usual mechanisms while none is chosen."""
    source = table()
    settings = arms()
    made = Study(
        data=Source(source.name, source.digest),
        column=column(),
        arms=tuple(settings if st.session_state.compare else settings[:1]),
        mechanisms=mechanisms() or DEFAULT_MECHANISMS,
        epsilon=epsilon(),
        missing=st.session_state.missing,
        bins=bins(),
        repetitions=st.session_state.repetitions,
        seed=st.session_state.seed,
    )
    return made.with_options(**options)


def write_link() -> None:
    """Keep the address bar in step, so that the page's URL is the link."""
    if mechanisms() and columns(table()):
        st.query_params.from_dict(serial.to_query(current(), public=st.session_state.data in data.BUNDLED))
