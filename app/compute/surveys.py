"""Theory and simulated surveys of a Study, whatever its task: theory at once, surveys piece by piece."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

import pandas as pd
import streamlit as st

from compute.session import remember, store
from ldpcore.study import Study, tasks, to_json

MOST = 3000
"""Simulated pieces kept per session."""


@st.cache_data(scope="session", max_entries=512, show_spinner=False)
def _theory(digest: str, study_json: str, _study: Study, _data: Any) -> pd.DataFrame:
    return tasks.of(_study).theory(_study, _data)


def _alone(study: Study) -> dict[str, Study]:
    """Each mechanism without the others and the repetitions around it, on which nothing of its own depends."""
    return {key: replace(study, mechanisms=(key,), repetitions=1) for key in study.mechanisms}


def theory(study: Study, data: Any) -> pd.DataFrame:
    """Closed forms of every mechanism and arm at the study's points, each mechanism cached for itself."""
    parts = _alone(study).values()
    return pd.concat([_theory(study.data.digest, to_json(part), part, data) for part in parts], ignore_index=True)


def _pieces(study: Study, data: Any) -> list[tuple[Hashable, Any]]:
    """The study's pieces, and what tells each from all others."""
    base = {key: to_json(part) for key, part in _alone(study).items()}
    todo = cast(Sequence[Any], tasks.of(study).chunks(study, data))
    return [(getattr(c, "identity", None) or (base[c.mechanism], c.arm, c.repetition), c) for c in todo]


def surveys(study: Study, data: Any) -> Iterator[tuple[int, int]]:
    """Simulate what this session has not simulated before, piece by piece: (done, total) after each new one."""
    done, todo = store("simulated"), _pieces(study, data)
    missing = [(key, piece) for key, piece in todo if key not in done]
    for new, (key, piece) in enumerate(missing, 1):
        remember("simulated", MOST, key, piece)
        yield len(todo) - len(missing) + new, len(todo)


def progress(study: Study, data: Any) -> tuple[int, int]:
    """How many pieces of this study are simulated, and how many there are."""
    done, todo = store("simulated"), _pieces(study, data)
    return sum(key in done for key, _ in todo), len(todo)


def kept(study: Study, data: Any) -> pd.DataFrame:
    """The rows simulated so far."""
    done = store("simulated")
    found = [done[key] for key, _ in _pieces(study, data) if key in done]
    columns = ["arm", "mechanism", "x", "metric", "scope", "repetition", "value"]
    return pd.concat(found, ignore_index=True) if found else pd.DataFrame(columns=columns)
