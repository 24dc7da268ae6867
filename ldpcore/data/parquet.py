"""Parquet → names and columns."""

import pyarrow as pa
import pyarrow.parquet as pq

from ldpcore import checks
from ldpcore.data import extent, recognise
from ldpcore.data.columns import MAX_VALUES
from ldpcore.data.delimited import Raw
from ldpcore.data.errors import DataError, thousands
from ldpcore.data.foreign import bounded
from ldpcore.data.text import too_large

_WHAT = "a Parquet file"
_PLAIN = (
    pa.types.is_boolean, pa.types.is_integer, pa.types.is_float32, pa.types.is_float64, pa.types.is_decimal,
    pa.types.is_string, pa.types.is_large_string, pa.types.is_date, pa.types.is_time,
)  # fmt: skip
_TEXTS = pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary


def read(content: bytes, name: str, limit: int) -> Raw:
    """A flat Parquet table. Dictionary columns keep the order of their dictionary; nested columns are refused."""
    with bounded(name, _WHAT):  # types are read where they are asked for: a time zone may be no text
        about = pq.read_metadata(pa.BufferReader(content))
        extent.check_columns(about.num_columns, name)
        # A file of a few bytes can hold any number of equal rows.
        extent.check_cells(about.num_rows, about.num_rows * about.num_columns, name, limit)
        size = sum(about.row_group(i).total_byte_size for i in range(about.num_row_groups))
        if size > limit:
            raise too_large(name, f"holds {thousands(about.num_rows)} rows, {size / 1e6:.0f} MB unpacked", limit)
        schema = pq.ParquetFile(pa.BufferReader(content), metadata=about).schema_arrow
        nested = [field.name for field in schema if pa.types.is_nested(field.type)]
        if nested:
            raise DataError(
                f"“{name}” has columns with lists or records inside: {checks.name_list(nested)}.",
                "Each cell must be one answer. Save the file with flat columns, or without these.",
            )
        return _raw(_table(content, about, schema, name, size), schema, name)


def _raw(table: pa.Table, schema: pa.Schema, name: str) -> Raw:
    names, notes = recognise.tidy_names(table.column_names)
    columns = [_flat(column, label, name, notes) for column, label in zip(table.columns, names, strict=True)]
    orders = {
        names[j]: tuple(map(str, column.chunk(0).dictionary.to_pylist()))
        for j, column in enumerate(columns)
        if all(map(_is_coded, (schema.field(j), column))) and len(column.chunk(0).dictionary) <= MAX_VALUES
    }
    return Raw(names, columns, notes, orders)


def _table(content: bytes, about: pq.FileMetaData, schema: pa.Schema, name: str, size: int) -> pa.Table:
    """All rows. Where they take less than texts that are written out, 4 bytes and more for each, a text stays as the
    file has it, once, and codes for its rows: a long one may stand in millions.
    """
    texts = [field.name for field in schema if any(is_text(field.type) for is_text in _TEXTS)]
    coded = texts if size < 4 * about.num_rows * len(texts) else []
    source = pa.BufferReader(content)
    table = pq.ParquetFile(source, metadata=about, read_dictionary=coded, page_checksum_verification=True).read()
    if table.num_columns == 0 or table.num_rows == 0:
        raise DataError(f"“{name}” has names but no rows.", "Choose a file with answers.")
    table = pa.table([_storage(column) for column in table.columns], table.column_names).unify_dictionaries()
    table.validate(full=True)  # text that is no UTF-8 would fail much later
    return table


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
