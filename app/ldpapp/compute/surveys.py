"""Theory and simulated surveys of a Study, whatever its task: theory at once, surveys piece by piece."""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from ldpapp.compute.columns import Rows, rows, table
from ldpapp.compute.memory import once, remember, store
from ldpcore import study as engine
from ldpcore.study import Study, tasks
from ldpcore.study.skeleton import Piece

MOST = 3000
"""Simulated pieces kept per session."""


_THEORIES = 512
"""Tables of closed forms kept per session."""
_SUMMARIES = 64
"""Tables of means kept per session."""


@once(512)
def _alone(study: Study) -> Mapping[str, Study]:
    """Each mechanism without the others and the repetitions around it, on which nothing of its own depends."""
    return {key: replace(study, mechanisms=(key,), repetitions=1) for key in study.mechanisms}


def theory(study: Study, data: Any) -> pd.DataFrame:
    """Closed forms of every mechanism at the study's points, each mechanism cached for itself."""
    parts = [
        remember("theory", _THEORIES, part, lambda part=part: rows(tasks.of(part).theory(part, data)))
        for part in _alone(study).values()
    ]
    return table(parts)


def _pieces(study: Study, data: Any) -> list[tuple[Hashable, Any]]:
    """The study's pieces, and what tells each from all others."""
    base = _alone(study)
    return [(c.identity or (base[c.mechanism], c.repetition), c) for c in tasks.of(study).chunks(study, data)]


def _keys(study: Study, data: Any) -> list[Hashable]:
    """What tells the study's pieces apart: asked for many times by each page."""
    return remember("pieces", _SUMMARIES, study, lambda: [key for key, _ in _pieces(study, data)])


def surveys(study: Study, data: Any) -> Iterator[tuple[int, int]]:
    """Simulate what this session has not simulated before, piece by piece: (done, total) after each new one."""
    done, todo = store("simulated"), _pieces(study, data)
    missing = [(key, piece) for key, piece in todo if key not in done]
    for new, (key, piece) in enumerate(missing, 1):
        simulated(key, piece)
        yield len(todo) - len(missing) + new, len(todo)


def simulated(key: Hashable, piece: Piece) -> Rows:
    """This piece's rows, simulated now unless this session has."""
    return remember("simulated", MOST, key, lambda: rows(piece.columns()))


def progress(study: Study, data: Any) -> tuple[int, int]:
    """How many pieces of this study are simulated, and how many there are."""
    done, todo = store("simulated"), _keys(study, data)
    return sum(key in done for key in todo), len(todo)


def kept(study: Study, data: Any) -> pd.DataFrame:
    """The rows simulated so far."""
    done = store("simulated")
    pieces = [done[key] for key in _keys(study, data) if key in done]
    columns = ["mechanism", "x", "metric", "scope", "repetition", "value"]
    return table(pieces) if pieces else pd.DataFrame(columns=columns)


def summary(study: Study, data: Any, *metrics: str) -> pd.DataFrame:
    """`ldpcore.study.summary` of these metrics over the rows simulated so far; made again once there are more."""
    done = store("simulated")
    there = tuple(key for key in _keys(study, data) if key in done)

    def make() -> tuple[tuple[Hashable, ...], pd.DataFrame]:
        known = kept(study, data)
        return there, engine.summary(study, data, known[known["metric"].isin(metrics)])

    key = study, metrics
    if store("summaries").get(key, ((), None))[0] != there:
        store("summaries").pop(key, None)
    return remember("summaries", _SUMMARIES, key, make)[1]
