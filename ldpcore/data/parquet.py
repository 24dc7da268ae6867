"""Parquet → names and columns."""

import json

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ldpcore import checks
from ldpcore.data import cells as several
from ldpcore.data import extent, recognise
from ldpcore.data.columns import MAX_VALUES
from ldpcore.data.delimited import Raw
from ldpcore.data.errors import DataError, plural, thousands
from ldpcore.data.foreign import bounded
from ldpcore.data.text import too_large

_WHAT = "a Parquet file"
_NO_MATTER = 10_000_000
"""Bytes of a column whose texts need not be looked at."""
_MAX_PARTS = 200_000
"""Of a file, one for each column of each group of rows: each takes its time, however few rows it has."""
_PLAIN = (
    pa.types.is_boolean, pa.types.is_integer, pa.types.is_float32, pa.types.is_float64, pa.types.is_decimal,
    pa.types.is_string, pa.types.is_large_string, pa.types.is_date, pa.types.is_time,
)  # fmt: skip
_TEXTS = (
    pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view,
    pa.types.is_binary, pa.types.is_large_binary, pa.types.is_binary_view,
)  # fmt: skip


def read(content: bytes, name: str, limit: int) -> Raw:
    """A flat Parquet table. Dictionary columns keep the order of their dictionary; nested columns are refused."""
    with bounded(name, _WHAT):  # types are read where they are asked for: a time zone may be no text
        about = pq.read_metadata(pa.BufferReader(content))
        extent.check_columns(about.num_columns, name)
        # A file of a few bytes can hold any number of equal rows.
        extent.check_cells(about.num_rows, about.num_rows * about.num_columns, name, limit)
        if about.num_row_groups * about.num_columns > _MAX_PARTS:
            raise DataError(
                f"“{name}” is in too many pieces.",
                f"It has {thousands(about.num_row_groups)} groups of rows of {plural(about.num_columns, 'column')}. "
                "Save it again with larger groups: some 100 000 rows each are usual.",
            )
        size = sum(about.row_group(i).total_byte_size for i in range(about.num_row_groups))
        if size > limit:
            raise too_large(name, f"holds {thousands(about.num_rows)} rows, {size / 1e6:.0f} MB unpacked", limit)
        schema = pq.ParquetFile(pa.BufferReader(content), metadata=about).schema_arrow
        nested = [field.name for field in schema if pa.types.is_nested(field.type) and not is_list(field.type)]
        if nested:
            raise DataError(
                f"“{name}” has columns with records inside: {checks.name_list(nested)}.",
                "Each cell must be one answer, or a list of answers. Save it with flat columns, or without these.",
            )
        lists = [field for field in schema if is_list(field.type)]
        if not lists:
            return _raw(_table(content, about, schema, name, limit), schema, name)
        return _with_lists(content, about, schema, name, limit)


def is_list(kind: pa.DataType) -> bool:
    """A list of flat values."""
    listed = pa.types.is_list(kind) or pa.types.is_large_list(kind)
    return listed and not pa.types.is_nested(kind.value_type)


def _with_lists(content: bytes, about: pq.FileMetaData, schema: pa.Schema, name: str, limit: int) -> Raw:
    """A table with columns of lists: what several answers in a cell are elsewhere, but certain."""
    leaves = sum(about.row_group(i).column(j).num_values
                 for i in range(about.num_row_groups) for j in range(about.num_columns))  # fmt: skip
    extent.check_cells(about.num_rows, leaves, name, limit)
    flat = [field.name for field in schema if not is_list(field.type)]
    listed = [field.name for field in schema if is_list(field.type)]
    paths = [about.schema.column(j).path for j in range(about.num_columns)]
    texts = [path for path in paths if path.split(".")[0] in listed]
    groups = [(about.row_group(i).num_rows, about.row_group(i).total_byte_size) for i in range(about.num_row_groups)]
    file = pq.ParquetFile(pa.BufferReader(content), metadata=about, read_dictionary=texts,
                          page_checksum_verification=True)  # fmt: skip
    raw = Raw([], [], [], {})
    if flat:
        part = pa.schema([schema.field(column) for column in flat])
        raw = _raw(_table(content, about, part, name, limit, flat), part, name)
    for column in listed:
        cells = file.read(columns=[column]).column(0)
        size = _letters(cells)
        if size > limit or sum(rows for rows, _ in groups) == 0:
            raise too_large(name, f"holds {size / 1e6:,.0f} MB in the lists of “{column}”", limit)
        called = column if column not in raw.names else f"{column} (list)"
        raw.names.append(called)
        raw.columns.append(pa.chunked_array([pa.array(map(_listed, cells.to_pylist()), pa.string())]))
        raw.sets[called] = several.LISTED
    return raw


def _letters(cells: pa.ChunkedArray) -> int:
    """Bytes of all texts in these lists, written out."""
    total = 0
    for chunk in cells.chunks:
        values = chunk.flatten()
        if not pa.types.is_dictionary(values.type):
            total += values.nbytes
            continue
        lengths = pc.binary_length(values.dictionary.cast(pa.large_string())).fill_null(0).to_numpy().astype(float)
        if len(lengths):
            total += int(lengths[values.indices.drop_null().to_numpy()].sum())
    return total


def _listed(held: list[object] | None) -> str | None:
    """A list as JSON writes it: no item can be taken for its end."""
    return None if held is None else json.dumps([str(each) for each in held if each is not None], ensure_ascii=False)


def _raw(table: pa.Table, schema: pa.Schema, name: str) -> Raw:
    names, notes = recognise.tidy_names(table.column_names)
    columns = [_flat(column, label, name, notes) for column, label in zip(table.columns, names, strict=True)]
    orders = {
        names[j]: tuple(map(str, column.chunk(0).dictionary.to_pylist()))
        for j, column in enumerate(columns)
        if all(map(_is_coded, (schema.field(j), column))) and len(column.chunk(0).dictionary) <= MAX_VALUES
    }
    return Raw(names, columns, notes, orders)


def _table(
    content: bytes, about: pq.FileMetaData, schema: pa.Schema, name: str, limit: int, columns: list[str] | None = None
) -> pa.Table:
    """All rows, of these columns or all. A text that may stand in so many of them that it would fill the memory,
    written out, stays as the file has it, once, and codes for its rows; so it is, too, where the file takes less than
    codes, 4 bytes for each row.
    """
    groups = [(about.row_group(i).num_rows, about.row_group(i).total_byte_size) for i in range(about.num_row_groups)]
    texts = [field.name for field in schema if _is_text(field.type)]
    if sum(size for _, size in groups) >= 4 * about.num_rows * len(texts):
        texts = [text for text in texts if _written_out(content, text, groups) > limit]
    for field in schema:
        if (size := _unlike_text(field.type, groups)) > limit:
            raise too_large(name, f"holds up to {size / 1e6:,.0f} MB in “{field.name}” ({field.type})", limit)
    file = pq.ParquetFile(pa.BufferReader(content), metadata=about, read_dictionary=texts,
                          page_checksum_verification=True)  # fmt: skip
    table = file.read(columns=columns)
    if table.num_columns == 0 or table.num_rows == 0:
        raise DataError(f"“{name}” has names but no rows.", "Choose a file with answers.")
    table = pa.table([_storage(column) for column in table.columns], table.column_names).unify_dictionaries()
    table.validate(full=True)  # text that is no UTF-8 would fail much later
    return table


def _written_out(content: bytes, column: str, groups: list[tuple[int, int]]) -> int:
    """Bytes of a column of texts, at most, with each written out in every row that points to it. groups: rows, bytes.

    The bytes of one column are in the file, too, but Arrow ends the process where a hostile one has encrypted them.
    """
    if sum(rows * size for rows, size in groups) <= _NO_MATTER:
        return 0
    file = pq.ParquetFile(pa.BufferReader(content), read_dictionary=[column])
    total = 0
    for i, (rows, size) in enumerate(groups):
        if rows * size > _NO_MATTER // len(groups):
            # The first row brings the whole table of values; a text that is not in it is written out already.
            row = next(file.iter_batches(batch_size=1, row_groups=[i], columns=[column]))
            longest = max(pc.max(pc.binary_length(each.dictionary)).as_py() or 0 for each in row.columns)
            total += rows * longest + size
        else:
            total += rows * size
    return total


def _unlike_text(kind: pa.DataType, groups: list[tuple[int, int]]) -> int:
    """Bytes of a column, at most, whose cells Arrow writes out in any case."""
    kept = kind.storage_type if isinstance(kind, pa.BaseExtensionType) else kind
    if pa.types.is_fixed_size_binary(kept):
        return kept.byte_width * sum(rows for rows, _ in groups)
    return sum(rows * size for rows, size in groups) if _is_text(kept) and kept is not kind else 0


def _is_text(kind: pa.DataType) -> bool:
    return any(is_text(kind) for is_text in _TEXTS)


def _is_coded(cells: pa.Array | pa.ChunkedArray | pa.Field) -> bool:
    return pa.types.is_dictionary(cells.type)


def _storage(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """What an extension type (JSON, UUID …) is kept as."""
    kind = column.type
    if not isinstance(kind, pa.BaseExtensionType):
        return column
    return pa.chunked_array([chunk.storage for chunk in column.chunks], kind.storage_type)


def _flat(column: pa.ChunkedArray, label: str, name: str, notes: list[str]) -> pa.ChunkedArray:
    """Of a type whose cells the reader can count: others as text, or refused. Times of an unknown zone are UTC."""
    kind = column.type
    values = kind.value_type if pa.types.is_dictionary(kind) else kind
    if pa.types.is_decimal(kind) and kind.bit_width < 128:  # Arrow can count these
        return column.cast(pa.decimal128(kind.precision, kind.scale))
    if any(is_plain(values) for is_plain in _PLAIN) or (pa.types.is_timestamp(values) and values.tz is None):
        return column
    try:
        if pa.types.is_dictionary(kind) and not pa.types.is_temporal(values):
            return pa.chunked_array(
                [
                    pa.DictionaryArray.from_arrays(chunk.indices, chunk.dictionary.cast(pa.string()))
                    for chunk in column.chunks
                ]
            )
        column = column.cast(values)
        text = column.cast(pa.string())
    except pa.ArrowException as error:
        if pa.types.is_timestamp(values):
            notes.append(f"The time zone “{values.tz}” of “{label}” is unknown: its times are those of UTC.")
            return column.cast(pa.int64()).cast(pa.timestamp(values.unit, "UTC"))
        what = "bytes that are no text" if pa.types.is_binary(values) else f"cells of a kind ({kind}) that is no text"
        raise DataError(
            f"“{name}” has {what} in “{label}”.", "Save the file without that column, or as text."
        ) from error
    return column if pa.types.is_timestamp(values) else text  # times are written when they are counted
