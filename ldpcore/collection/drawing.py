"""Answers in, reports out: a folder of files, partition by partition.

Every partition is drawn by itself, from a stream of its own, into a file of its own that is there whole or not at all.
So it does not matter who draws it, when, or how often somebody begins: what is finished is never drawn again, for two
reports of one answer would give away twice as much.
"""

import contextlib
import hashlib
import re
import secrets
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ldpcore import checks, workers
from ldpcore.collection import encoding, plan, reports
from ldpcore.collection.batch import FolderQuestion
from ldpcore.collection.plan import PLAN, Content, DrawingPlan
from ldpcore.data import DataError
from ldpcore.data.errors import plural
from ldpcore.data.partition import Partition
from ldpcore.data.saving import reason
from ldpcore.rng import stream

UNFINISHED = re.compile(r"\..+-\d{4}(\.\w+)\.[0-9a-f]{32}\1")
"""What `draw` calls a file until it is whole."""
NUMBERED = re.compile(r"-\d{4,}\.\w+$")
"""What stands behind the name of the answers in that of their reports."""
BULK = 1 << 23
"""Bytes of reports that are drawn at once: a mechanism may need eight times as many."""
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Drawn:
    """What became of the rows of some partitions: `people` whose reports were drawn, `missing` rows without an answer,
    what was `unknown` and left out, numbers `clipped` to the range; `before`: partitions that were finished already.
    """

    people: int = 0
    missing: int = 0
    unknown: int = 0
    clipped: int = 0
    before: int = 0

    def __add__(self, other: "Drawn") -> "Drawn":
        return Drawn(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))


@dataclass(frozen=True)
class Drawing:
    """How a folder's answers become reports.

    asked: by which client. output: the folder of reports. column: where the answers stand; None: that of the client, or
    the only one. seed: of streams that anybody can draw again, named by the partitions; None: fresh ones from the
    operating system, every BATCH of people. drop: unknown answers are left out, not an error. separator: of the items
    on a line of text, for sets.
    """

    asked: FolderQuestion[Any]
    output: str
    column: str | None = None
    seed: int | None = None
    drop: bool = False
    separator: str = ""

    def file(self, part: Partition) -> str:
        """What the file of a partition's reports is called in the folder."""
        return f"{part.name}-{part.number:04d}{'.csv' if part.is_text else '.parquet'}"

    def streams(self, part: Partition) -> Iterator[np.random.Generator]:
        """A generator for each batch of a partition."""
        if self.seed is not None:
            kept = stream(self.seed, "perturb", part.name, part.number)
            while True:
                yield kept
        while True:
            yield np.random.Generator(np.random.SFC64(np.random.SeedSequence(secrets.randbits(256))))

    def columns_of(self, part: Partition) -> tuple[str, ...]:
        """Where the answers stand in this file: a column, or one for each of several questions, where it has them."""
        several = self.asked.several  # of a pair one column may hold both answers, in the client's own words
        if self.column is None and several and (set(several) <= set(part.columns) or not self.asked.column):
            return several
        return (self._column_of(part),)

    def _column_of(self, part: Partition) -> str:
        if self.column is None and self.asked.column not in part.columns and len(part.columns) == 1:
            return part.columns[0]
        return self.asked.column if self.column is None else self.column


def draw(how: Drawing, part: Partition) -> Drawn:
    """The reports of one partition, in its file; nothing where that is there already."""
    target = Path(how.output) / how.file(part)
    if target.exists():
        return Drawn(before=1)
    unfinished = target.with_name(f".{target.name}.{uuid.uuid4().hex}{target.suffix}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with reports.written(unfinished, how.asked.form, how.asked.digest) as file:
            done = sum((_batch(how, part, *each, file) for each in _batches(how, part)), Drawn())
        if not target.exists():  # another worker may have been taken for dead
            unfinished.replace(target)
    except OSError as error:
        then = "What is drawn stays there whole: make room, and go on with --resume."
        raise _unwritable(Path(how.output), error, then) from error
    finally:
        unfinished.unlink(missing_ok=True)
    return done


def _batches(how: Drawing, part: Partition) -> Iterator[tuple[int, pa.ChunkedArray, np.random.Generator]]:
    """The row before each batch, its cells, its stream."""
    before, streams = 0, how.streams(part)
    for cells in encoding.of(part, how.columns_of(part), how.separator):
        yield before, cells, next(streams)
        before += len(cells)


def _batch(
    how: Drawing, part: Partition, before: int, found: pa.ChunkedArray, rng: np.random.Generator, file: reports.Writer
) -> Drawn:
    try:
        read = how.asked.inputs(found)
    except pa.ArrowException as error:
        raise DataError(
            f"“{part.name}” has cells of a kind ({found.type}) that is no answer.",
            "Choose another column with --column.",
        ) from error
    if read.first is not None and not how.drop:
        row, text = read.first
        raise DataError(
            f"“{part.name}”, {part.place(before + row)}: “{text:.80}” is no answer of this client.",
            "Correct it, or leave out what is none with --unknown drop.",
        )
    people, step = how.asked.size(read.values), reports.bulk(how.asked.form, BULK)
    for start in range(0, people, step):
        chosen = how.asked.part(read.values, start, min(start + step, people))
        file.write(how.asked.perturb(chosen, rng))
    return Drawn(people, read.missing, read.unknown, read.clipped)


def begin(how: Drawing, parts: list[Partition], resume: bool) -> None:
    """Make the folder ready, and note of which answers its reports are: all are read once for that. DataError where it
    holds something else, or reports and nobody said to go on, or another process draws there.
    """
    folder = Path(how.output)
    files = {how.file(part): part for part in parts}
    noted = {file: Content(part.rows, part.fingerprint(*how.columns_of(part))) for file, part in files.items()}
    settled = hashlib.sha256(repr((how.column, how.drop, how.separator)).encode()).hexdigest()
    wanted = DrawingPlan(how.asked.digest, settled, noted)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with plan.alone(folder):
            _tidy(folder)
            if (folder / PLAN).exists():
                _go_on(plan.read(folder), wanted, folder, resume)
            elif any(path.name != plan.LOCK for path in folder.iterdir()):
                raise DataError(
                    f"“{folder}” is not empty.", "Reports are written to a folder of their own: name another."
                )
            else:
                wanted.write(folder)
    except OSError as error:
        raise _unwritable(folder, error, "Name another folder.") from error


def _unwritable(folder: Path, error: OSError, then: str) -> DataError:
    return DataError(f"“{folder}” cannot be written to.", f"{reason(error)}. {then}")


def _tidy(folder: Path) -> None:
    """Without what somebody began who was interrupted."""
    for path in (*folder.rglob(".*-*"), *folder.glob(f"{PLAN}.*")):
        if UNFINISHED.fullmatch(path.name) or path.name.startswith(PLAN):
            path.unlink(missing_ok=True)


def _go_on(old: DrawingPlan, new: DrawingPlan, folder: Path, resume: bool) -> None:
    if old.client != new.client:
        raise DataError(f"“{folder}” holds reports of another client.", "Name another folder for these.")
    if old.how != new.how:
        raise DataError(
            f"“{folder}” holds reports that were drawn with another --column, --unknown or --separator.",
            "Say the same again to go on, or name another folder.",
        )
    if others := sorted({NUMBERED.sub("", file) for file in old.others(new)}):
        raise DataError(
            f"“{folder}” holds reports of other answers: not the same as when it was begun "
            f"{'is' if len(others) == 1 else 'are'} {checks.name_list([f'“{name}”' for name in others])}.",
            "Give it the very files that it was begun with, or draw these to another folder.",
        )
    if not resume:
        raise DataError(
            f"“{folder}” holds reports of these answers already.",
            "Go on where that stopped with --resume. To draw reports of the same people once more gives away twice as "
            "much: ε counts for one report.",
        )


def unfinished(folder: Path) -> str:
    """What is to be said of a folder of reports that is not complete; "" of any other."""
    if not (folder / PLAN).is_file():
        return ""
    drawing_plan = plan.read(folder)
    left = drawing_plan.missing(folder)
    return f"{left} of {plural(len(drawing_plan.parts), 'partition')} not drawn yet: perturb --resume" if left else ""


def run(
    how: Drawing, parts: list[Partition], executor: Executor | None = None, progress: Progress | None = None
) -> Drawn:
    """The reports of all partitions; `begin` first. progress is called with (done, total) partitions."""
    total, folder = Drawn(), Path(how.output)
    with plan.alone(folder), workers.sharing(executor, how):
        noted = plan.read(folder).parts
        partitions = [replace(part, digest=noted[how.file(part)].digest) for part in parts]
        for done, drawn in enumerate(workers.mapped(partial(draw, how), partitions, executor), 1):
            total += drawn
            if progress is not None:
                progress(done, len(parts))
        _tidy(folder)  # a worker that was killed leaves what it had begun
    return total


@contextlib.contextmanager
def tidied(how: Drawing) -> Iterator[None]:
    """Around all of a run, its workers too: what one of them had begun that was stopped is gone at the end."""
    try:
        yield
    finally:
        folder = Path(how.output)
        with contextlib.suppress(OSError, DataError), plan.alone(folder):  # else whoever draws next does it
            _tidy(folder)
