"""Running a study: the same rows in the browser, in the terminal, with one worker or many."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from operator import itemgetter
from typing import Any

import pandas as pd

from ldpcore import data
from ldpcore.study import tasks
from ldpcore.study.definition import Study
from ldpcore.study.quantities import Known
from ldpcore.study.skeleton import Piece
from ldpcore.threads import one_thread
from ldpcore.workers import mapped, sharing

COLUMNS = ["task", "mechanism", "axis", "x", "repetition", "metric", "scope", "value", "theory"]
_KEY = ["mechanism", "x", "metric", "scope"]
_TEXTS = ["mechanism", "metric", "scope"]
Progress = Callable[[int, int], None]


@one_thread
def prepare(study: Study, table: data.Table | None = None) -> Any:
    """What the task needs of the data, loaded by their reference or taken from `table`, whose digest must match."""
    return tasks.of(study).prepare(study, source(study, table))


def source(study: Study, table: data.Table | None = None) -> data.Table:
    """The study's data: loaded by their reference, or `table`. ValueError where they have another digest.

    >>> from ldpcore.study import Source, Study
    >>> source(Study(Source("health"), "condition")).name
    'health'
    """
    table = data.load(study.data.name, study.data.read) if table is None else table
    if study.data.missing and table.missing != dict(study.data.missing):
        table = table.with_missing(dict(study.data.missing))
    if study.data.digest and study.data.digest != table.digest:
        raise ValueError(
            f"the study was made with other data than {table.name!r}: the digests differ "
            f"({study.data.digest[:12]}… in the study, {table.digest[:12]}… here); use the file it was made with"
        )
    return table


def run(
    study: Study,
    data: data.Table | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Tidy rows: task, mechanism, axis, x, repetition, metric, scope, value, theory.

    `study` says what to compare; `data` overrides its reference; ValueError where it has another digest. `executor` is
    any concurrent.futures.Executor (Dask's too): it changes no number. `progress` is called with (done, total). `value`
    is simulated, `theory` the closed form beside it (NaN where there is none), both in the metric's units.

    >>> from ldpcore.study import Marks, Source, Study
    >>> marks = Marks.of(["HIV", "hepatitis B"])
    >>> study = Study(Source("health"), "condition", marks, ("GRR", "uSS"), grid=(), repetitions=20)
    >>> rows = run(study.with_options(attacks=0))
    >>> whole = rows[(rows["metric"] == "mse") & (rows["scope"] == "all")]
    >>> mse = whole.groupby("mechanism")[["value", "theory"]].mean()
    >>> bool((mse["value"] / mse["theory"]).between(0.5, 2).all()), bool(mse["theory"]["uSS"] < mse["theory"]["GRR"])
    (True, True)
    """
    counted = prepare(study, data)
    numbered = sorted(_numbered(study, counted, executor, progress), key=itemgetter(0))
    return assemble(study, [rows for _, rows in numbered], tasks.of(study).theory(study, counted))


def facts(study: Study, data: data.Table | None = None) -> Known:
    """What is known of the study at its own point, as documented numbers: `ldpcore.study.quantities.table` lists them.

    `data` overrides its reference, as in `run`. Where numbers come from surveys these are simulated when the first of
    them is read.

    >>> from ldpcore.study import Marks, Source, Study
    >>> study = Study(Source("health"), "condition", Marks.of(["HIV"]), ("SS", "uSS"), grid=())
    >>> found = facts(study)
    >>> {key: round(100 * one.errors["all"], 2) for key, one in found.parts.items()}  # typical error, points
    {'SS': 1.37, 'uSS': 0.18}
    """
    return tasks.facts(study, prepare(study, data))


def pieces(
    study: Study, counted: Any, executor: Executor | None = None, progress: Progress | None = None
) -> Iterator[pd.DataFrame]:
    """Simulated rows as they come; stop reading to stop the work. The order does not change any number."""
    for _, rows in _numbered(study, counted, executor, progress):
        yield rows


def _numbered(
    study: Study, counted: Any, executor: Executor | None, progress: Progress | None
) -> Iterator[tuple[int, pd.DataFrame]]:
    """With its place among all: several pieces may be of one cell, and whichever ends first must not come first."""
    todo = list(enumerate(tasks.of(study).chunks(study, counted)))
    with sharing(executor, counted):  # every chunk holds it
        for done, piece in enumerate(mapped(_rows, todo, executor, ordered=False), 1):
            if progress is not None:
                progress(done, len(todo))
            yield piece


def _rows(job: tuple[int, Piece]) -> tuple[int, pd.DataFrame]:
    place, chunk = job
    return place, chunk()


def assemble(study: Study, parts: list[pd.DataFrame], theory: pd.DataFrame) -> pd.DataFrame:
    """The pieces in canonical order, each row beside its theory (NaN where there is no closed form); pieces of the same
    cell stay in the order in which they are given.
    """
    rows = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=[*_KEY, "repetition", "value"])
    # Other processes may keep texts in another way than this one.
    rows = rows.astype(dict.fromkeys(_TEXTS, "str")).merge(theory, how="left", on=_KEY)
    rows["task"], rows["axis"] = study.task, study.axis
    order = {key: place for place, key in enumerate(study.mechanisms)}
    keys = pd.DataFrame(
        {
            "mechanism": rows["mechanism"].map(order),
            "x": rows["x"],
            "repetition": rows["repetition"],
            "place": rows.index,
        }
    )
    # Within a cell rows keep the order in which the chunk made them, whichever worker that was.
    place = keys.sort_values(["mechanism", "x", "repetition", "place"], kind="stable").index
    return rows.loc[place, COLUMNS].reset_index(drop=True)
