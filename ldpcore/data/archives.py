"""A zip archive: the one table inside, or the one that is asked for. In memory and within a bound."""

import io
import re
import zipfile

from ldpcore.data.errors import DataError, Remedy, plural
from ldpcore.data.foreign import bounded
from ldpcore.data.text import refuse_binary, too_large

READABLE = (".csv", ".tsv", ".tab", ".txt", ".data", ".dat", ".parquet", ".xlsx", ".xlsm", ".gz")
MAX_DIRECTORY = 4_000_000
"""Bytes of an archive's list of files, some ten thousand names."""
OFFERED = 6
"""Files that are offered by name."""
_END, _END_SIZE = b"PK\x05\x06", 22
_ABOUT = re.compile(r"(readme|licen[cs]e|copying|changelog|about|notes?|citation)\b", re.IGNORECASE)
_OFFICE = {"[Content_Types].xml", "mimetype", "META-INF/MANIFEST.MF"}
_WHAT = "a zip archive"


def unpack(content: bytes, name: str, limit: int, wanted: str | None) -> tuple[bytes, str]:
    """(the file inside, a note); the content as it is where it is no archive of files.

    wanted: which file. Never holds more than limit bytes of it. DataError: several files and none wanted, none that
    can be read, encrypted, damaged, too large.
    """
    if not content.startswith((b"PK\x03\x04", _END)):
        return content, ""
    if _directory(content) > MAX_DIRECTORY:
        raise too_large(name, "lists more files than a collection of tables has", limit)
    with bounded(name, _WHAT), zipfile.ZipFile(io.BytesIO(content)) as archive:
        files = [entry for entry in archive.infolist() if not entry.is_dir()]
    if "xl/workbook.xml" in (names := [entry.filename for entry in files]):
        return content, ""
    if _OFFICE & set(names):
        raise DataError(
            f"“{name}” is an office document or a program, not a table.",
            "Export the table as CSV or Excel (.xlsx). CSV, TSV, Parquet and Excel can be read.",
        )
    chosen = _chosen(files, name, wanted)
    if chosen.flag_bits & 1:
        raise DataError(
            f"“{name}” is encrypted.",
            "Its files open with a password only, which is not asked for here. Unpack it and choose one of them.",
        )
    if chosen.file_size > limit:
        raise too_large(name, f"unpacks to {chosen.file_size / 1e6:.0f} MB", limit)
    with bounded(name, _WHAT), zipfile.ZipFile(io.BytesIO(content)) as archive, archive.open(chosen) as packed:
        unpacked = packed.read(limit + 1)  # whatever size the archive claims
    if len(unpacked) > limit:
        raise too_large(name, f"unpacks to more than {limit / 1e6:.0f} MB", limit)
    if unpacked.startswith(b"PK\x03\x04"):
        _refuse_nested(unpacked, name)
    return unpacked, f"Read from the archive: {chosen.filename}."


def _directory(content: bytes) -> int:
    """Bytes that the archive's list of files claims to take; 0 where it has no end, which is said when it is opened."""
    at = content.rfind(_END, max(0, len(content) - (1 << 16) - _END_SIZE))
    return int.from_bytes(content[at + 12 : at + 16], "little") if at >= 0 else 0


def _chosen(files: list[zipfile.ZipInfo], name: str, wanted: str | None) -> zipfile.ZipInfo:
    """The wanted file, or the only one that may be a table; of several the largest is offered first."""
    real = [entry for entry in files if not _is_hidden(entry.filename)]
    tables = [entry for entry in real if _is_table(entry.filename)] or (real if len(real) == 1 else [])
    members = [entry for entry in files if entry.filename == wanted] if wanted is not None else tables
    if len(members) == 1:
        return members[0]
    if not tables:
        inside = f"It has {_listed([entry.filename for entry in real])}." if real else "Nothing is in it."
        raise DataError(
            f"No file in “{name}” can be read.",
            f"{inside} CSV, TSV, Parquet and Excel can be read; pack one of these, or choose another file.",
        )
    tables.sort(key=lambda entry: -entry.file_size)
    paths = [entry.filename for entry in tables]
    bases = [path.rsplit("/", 1)[-1] for path in paths]
    names = bases if len(set(bases)) == len(bases) else paths
    offered = list(zip(names, paths, strict=True))[:OFFERED]
    remedies = tuple(Remedy(f"Open “{called}”", {"member": path}) for called, path in offered)
    if wanted is not None:
        raise DataError(f"“{name}” has no file “{wanted}”.", f"It has {_listed(names)}.", remedies=remedies)
    raise DataError(
        f"“{name}” holds {plural(len(names), 'table')}.",
        f"Choose one of {_listed(names)}, or unpack it and choose a file.",
        remedies=remedies,
    )


def _is_hidden(path: str) -> bool:
    """What programs add: resource forks, folders of their own."""
    return any(part.startswith(".") or part == "__MACOSX" for part in path.split("/"))


def _is_table(path: str) -> bool:
    base = path.rsplit("/", 1)[-1]
    return base.lower().endswith(READABLE) and not _ABOUT.match(base)


def _listed(names: list[str]) -> str:
    shown = ", ".join(f"“{name}”" for name in names[:OFFERED])
    return f"{shown} and {len(names) - OFFERED} more" if len(names) > OFFERED else shown


def _refuse_nested(content: bytes, name: str) -> None:
    """An archive in an archive is refused, a workbook in one is not."""
    with bounded(name, _WHAT), zipfile.ZipFile(io.BytesIO(content)) as archive:
        workbook = "xl/workbook.xml" in archive.namelist()
    if not workbook:
        refuse_binary(content, name)
