"""A folder of files as partitions: parts that each fit into memory, read a batch at a time.

What a file says of itself is looked at once, here; a partition can then be sent to another process, or machine that
sees the same paths, and read there by itself. Nothing here depends on who reads what when.
"""

from collections.abc import Iterator
from glob import glob, has_magic
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ldpcore.data import dialects, extent, heading, recognise, text
from ldpcore.data.errors import DataError
from ldpcore.data.foreign import bounded
from ldpcore.data.options import ReadOptions
from ldpcore.data.partition import BLOCK, Partition, UploadedPartition, opened, state_of

ROWS, BYTES = 1 << 20, 1 << 26
"""A partition ends after so many rows, or unpacked bytes. A row group of Parquet is never cut."""
PARQUET, TEXT = (".parquet", ".pq"), (".csv", ".tsv", ".tab", ".txt", ".dat", ".basket")
_LONGEST = 4
"""A line of text that is longer than so many partitions is none."""


def partitions(
    source: str | Path, options: ReadOptions | None = None, rows: int = ROWS, size: int = BYTES, lines: bool = False
) -> list[Partition]:
    r"""The partitions of a folder (and the folders in it), of a pattern such as "answers/*.csv", or of one file.

    Files are Parquet or text, in the order of their names; those that begin with a point or an underscore are left
    out, and one with names alone has no partition. lines: text is not a table but lines, for `content`. DataError for a
    file that is neither, is damaged, or has no byte, by its name; and where nothing is left.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "people.csv").write_text("age,city\n34,Rome\n51,Oslo\n29,Rome\n")
    ...     parts = partitions(folder, rows=2)
    ...     [part.name for part in parts], [part.first for part in parts]
    ...     [table["city"].to_pylist() for part in parts for table in part.tables(["city"])]
    (['people.csv', 'people.csv'], [1, 3])
    [['Rome', 'Oslo'], ['Rome']]
    """
    chosen = options or ReadOptions()
    parts = []
    for path, name in _files(str(source)):
        if path.suffix.lower() in PARQUET:
            parts += _of_parquet(path, name, rows, size)
        else:
            parts += _of_text(path, name, chosen, rows, size, lines)
    if not parts:
        raise DataError(f"“{source}” has names but no rows.", "Choose files with answers below them.")
    return parts


def _files(source: str) -> list[tuple[Path, str]]:
    """Paths, and what their folder calls them. DataError where there is none, or one that cannot be read."""
    root = Path(source).expanduser()
    if root.is_dir():
        every = [(path, path.relative_to(root).as_posix()) for path in sorted(root.rglob("*")) if path.is_file()]
    elif root.is_file():
        every = [(root, root.name)]
    else:
        matching = [Path(path) for path in sorted(glob(str(root), recursive=True))] if has_magic(source) else []
        fixed = next((above for above in root.parents if not has_magic(str(above))), root.parent)
        every = [(path, path.relative_to(fixed).as_posix()) for path in matching if path.is_file()]
    files = [(path, name) for path, name in every if not any(part[0] in "._" for part in Path(name).parts)]
    if not files:
        raise DataError(f"There are no files in “{source}”.", "Name a folder, a file, or a pattern such as 'a/*.csv'.")
    for path, name in files:
        if path.suffix.lower() not in (*PARQUET, *TEXT):
            raise DataError(
                f"“{name}” is neither Parquet nor text by its name.",
                f"Files here end in {', '.join((*PARQUET, *TEXT))}. Unpack it, save it as one of these, or move it "
                "elsewhere.",
            )
    return files


def _of_parquet(path: Path, name: str, rows: int, size: int) -> list[Partition]:
    """Row groups that are next to one another, together at most so large; a larger one is alone."""
    state = state_of(path, name)
    with opened(path, name), bounded(name, "a Parquet file"):
        about = pq.read_metadata(path)
        extent.check_columns(about.num_columns, name)
        columns = tuple(pq.read_schema(path).names)
        groups = [about.row_group(i) for i in range(about.num_row_groups)]
    cuts, start, filled, bulk, before = [], 0, 0, 0, 0
    for i, group in enumerate(groups):
        if i > start and (filled + group.num_rows > rows or bulk + group.total_byte_size > size):
            cuts.append((start, i, before, filled))
            start, before, filled, bulk = i, before + filled, 0, 0
        filled, bulk = filled + group.num_rows, bulk + group.total_byte_size
    if filled + before == 0:
        return []
    cuts.append((start, len(groups), before, filled))
    return [
        Partition(str(path), name, number, begin, end, first, columns, rows=count, state=state)
        for number, (begin, end, first, count) in enumerate(cuts)
    ]


def _of_text(path: Path, name: str, options: ReadOptions, rows: int, size: int, lines: bool) -> list[Partition]:
    """Whole lines, together about so large. Where something is quoted, a line break inside it ends no line."""
    state = state_of(path, name)
    with opened(path, name) as file:
        start = file.read(recognise.SAMPLE_BYTES + 3)
    columns, separator, skip = _opening(start, name, options, lines)
    spots = _cuts(path, name, skip, rows, size, "" if lines else separator)
    first = start[:skip].count(b"\n")
    parts = []
    for number, (begin, end, count) in enumerate(spots):
        parts.append(Partition(str(path), name, number, begin, end, first, columns, separator, count, state))
        first += count
    return parts


def _opening(start: bytes, name: str, options: ReadOptions, lines: bool) -> tuple[tuple[str, ...], str, int]:
    """`_head` of the first bytes of a file; DataError where they are no text in UTF-8, or nothing."""
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise DataError(f"“{name}” is encoded in UTF-16.", "Of a folder, text is read in UTF-8. Save it so.")
    text.refuse_binary(start, name)
    body = start.removeprefix(b"\xef\xbb\xbf")
    if not body.strip():
        raise DataError(f"“{name}” is empty.", "It has no line with anything in it. Leave that file out.")
    columns, separator, skip = ((), recognise.NO_SEPARATOR, 0) if lines else _head(body, name, options)
    return columns, separator, skip + len(start) - len(body)


def of_upload(content: bytes, name: str) -> list[Partition]:
    r"""The same of one file that is in memory alone, as an upload is: one partition, of which nothing is written.

    >>> [part] = of_upload(b"report,sex\n2,f\n1,m\n", "reports.csv")
    >>> part.columns, [table["report"].to_pylist() for table in part.tables(["report"])]
    (('report', 'sex'), [['2', '1']])
    """
    if name.lower().endswith(PARQUET):
        with bounded(name, "a Parquet file"):
            about, schema = pq.read_metadata(pa.BufferReader(content)), pq.read_schema(pa.BufferReader(content))
        extent.check_columns(about.num_columns, name)
        columns, groups, rows = tuple(schema.names), about.num_row_groups, about.num_rows
        part = UploadedPartition("", name, 0, 0, groups, 0, columns, rows=rows, upload=content)
    else:
        columns, separator, skip = _opening(content[: recognise.SAMPLE_BYTES + 3], name, ReadOptions(), False)
        rows, first = content[skip:].strip().count(b"\n") + bool(content[skip:].strip()), content[:skip].count(b"\n")
        size = len(content)
        part = UploadedPartition("", name, 0, skip, size, first, columns, separator, rows, upload=content)
    if not part.rows:
        raise DataError(f"“{name}” has names but no rows.", "Choose files with answers below them.")
    return [part]


def _head(body: bytes, name: str, options: ReadOptions) -> tuple[tuple[str, ...], str, int]:
    """Names of the columns, separator, and the bytes before the first row."""
    skip, stated = dialects.stated_separator(body) or (0, None)
    cut, _ = recognise.separate(body[skip:], name, options.separator or stated)
    if not cut.records:
        raise _unclosed(name)
    extent.check_columns(cut.width, name)
    records = cut.records[cut.first :]
    if recognise.has_header(records) if options.header is None else options.header:
        return tuple(recognise.tidy_names(heading.names(records))[0]), cut.separator, skip + cut.offset
    return tuple(f"column {j}" for j in range(1, cut.width + 1)), cut.separator, skip + cut.start


def _cuts(path: Path, name: str, skip: int, rows: int, size: int, separator: str) -> Iterator[tuple[int, int, int]]:
    """(start, stop, lines) of the parts of a text. The file is read once, and no more than a block of it is kept.

    separator: of a table; "" of lines, in which a quotation mark means nothing.
    """
    begin = at = skip
    count = quotes = 0
    opens = False
    with opened(path, name) as file:
        file.seek(skip)
        while block := file.read(min(BLOCK, size)):
            start = 0
            while start < len(block):
                room, full = max(rows - count, 1), at + len(block) - start - begin >= size
                end = _end(block, start, quotes, room, full, bool(separator))
                stop = len(block) if end is None else end
                at, count = at + stop - start, count + block.count(b"\n", start, stop)
                if separator and (last := block.rfind(b'"', start, stop)) >= 0:
                    quotes += block.count(b'"', start, stop)
                    opens = block[last - 1 : last] in (b"\n", b"", separator.encode())
                if end is not None:
                    yield begin, at, count
                    begin, count, quotes = at, 0, 0
                start = stop
            if at - begin > _LONGEST * size + BLOCK:
                raise _unclosed(name)
    if quotes % 2 and opens:  # others stand for inches
        raise _unclosed(name)
    if at > begin:
        yield begin, at, count + 1


def _unclosed(name: str) -> DataError:
    return DataError(
        f"“{name}” cannot be cut into lines.",
        "A quotation mark opens and is never closed, or one line is longer than all others together may be. Save it "
        "again from the program that made it.",
    )


def _end(block: bytes, start: int, quotes: int, room: int, full: bool, quoted: bool) -> int | None:
    """Behind which byte of this block a part ends that goes on at `start`: at a line's end outside quotation marks,
    after `room` lines or, in a part that is full, after the last there is. None: not in this block.
    """
    if many := block.count(b"\n", start) >= room:
        end = start + int(np.flatnonzero(np.frombuffer(block, np.uint8, offset=start) == ord("\n"))[room - 1])
    else:
        end = block.rfind(b"\n", start) if full else -1
    while quoted and end >= 0 and (quotes + block.count(b'"', start, end)) % 2:
        end = block.find(b"\n", end + 1) if many else block.rfind(b"\n", start, end)
    return end + 1 if end >= 0 else None
