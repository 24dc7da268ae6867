"""From bytes to UTF-8 text: unpacking, binary files, encodings. Everything stays in memory and within a bound."""

import codecs
import gzip
import io
import re
import zlib

from ldpcore.data import encodings
from ldpcore.data.assumptions import Assumption, AssumptionKind, assumed
from ldpcore.data.errors import DataError, Remedy
from ldpcore.data.options import ReadOptions

_CHUNK = 1 << 20
_RECOGNISE = ReadOptions()
_PLAUSIBLE = 0.7
"""Below it no encoding is better than the usual one."""
_MAGIC = (
    (b"%PDF", "a PDF document", "Export the table as CSV or Excel."),
    (b"\x89PNG", "a picture", "Choose the table itself."),
    (b"\xff\xd8\xff", "a picture", "Choose the table itself."),
    (b"GIF8", "a picture", "Choose the table itself."),
    (b"PK\x03\x04", "a zip archive", "Unpack it and choose one of the files inside."),
    (b"PK\x05\x06", "an empty zip archive", "Choose another file."),
    (b"7z\xbc\xaf", "a 7z archive", "Unpack it and choose one of the files inside."),
    (b"BZh", "a bzip2 archive", "Unpack it first."),
    (b"\xfd7zXZ", "an xz archive", "Unpack it first."),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive", "Unpack it first."),
    (b"\x1f\x8b", "packed twice", "Unpack it first."),
    (b"\xd0\xcf\x11\xe0", "an old Excel (.xls) or Office file", "Save it as .xlsx or CSV."),
    (b"PARE", "an encrypted Parquet file", "Save it without encryption."),
    (b"ARROW1", "an Arrow file", "Save it as Parquet or CSV."),
    (b"SQLite format 3", "a database", "Export one table as CSV."),
    (b"\x89HDF", "an HDF5 file", "Save the table as Parquet or CSV."),
    (b"{\\rtf", "a text document", "Export the table as CSV or Excel."),
)
_JSON = re.compile(rb'\s*[\[{]\s*([\[{"]|-?\d[^\]\n]*,\s*\n)')
_CONTROL = re.compile(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]")


def unpack(content: bytes, name: str, limit: int) -> bytes:
    """The content itself, or what its gzip holds. Never holds more than limit bytes of it."""
    if len(content) > limit:
        raise too_large(name, f"has {len(content) / 1e6:.0f} MB", limit)
    if not content.startswith(b"\x1f\x8b"):
        return content
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as packed:
            unpacked = packed.read(limit + 1)
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise DataError(
            f"“{name}” is damaged.", "It is packed with gzip, but cannot be unpacked to its end. Download it again."
        ) from None
    if len(unpacked) > limit:
        raise too_large(name, f"unpacks to more than {limit / 1e6:.0f} MB", limit)
    return unpacked


def too_large(name: str, size: str, limit: int) -> DataError:
    """The sentence for a file beyond the bound."""
    return DataError(
        f"“{name}” is too large.",
        f"It {size}; up to {limit / 1e6:.0f} MB can be read here. Keep only the columns you need, or draw a sample of "
        "the rows; a Parquet file is smaller too.",
    )


def decode(content: bytes, name: str, options: ReadOptions = _RECOGNISE) -> tuple[bytes, list[str], list[Assumption]]:
    """Bytes in any encoding → UTF-8 bytes without byte order mark, notes, and what was assumed. DataError when it is no
    text.
    """
    if options.encoding is not None:
        return _transcode(content, name, options.encoding), [f"Read as {options.encoding}."], []
    for mark in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        if content.startswith(mark):
            return _transcode(content, name, "utf-16"), ["The file is encoded in UTF-16."], []
    content = _without_mark(content)
    if (codec := encodings.wide(content)) is not None:
        sentence = (
            f"Every second byte is zero or belongs to a letter: read as {encodings.MENU[codec]} without its mark."
        )
        return _transcode(content, name, codec), [sentence], []
    refuse_binary(content, name)
    if _is(content, "utf-8"):
        return content, [], []
    return _recognised(content, name, options)


def _recognised(content: bytes, name: str, options: ReadOptions) -> tuple[bytes, list[str], list[Assumption]]:
    """Text that is no UTF-8, in its most plausible encoding; the others make other letters of it."""
    looked = next((line for line in content.split(b"\n") if not line.isascii()), b"")[:200]
    readings: dict[str, tuple[str, float]] = {}
    for codec, score in encodings.candidates(content):
        if _is(content, codec):
            readings.setdefault(looked.decode(codec, "replace"), (codec, score))
    ranked = [(codec, score, letters) for letters, (codec, score) in readings.items()]
    if not ranked or ranked[0][1] < _PLAUSIBLE:
        western = "cp1252" if _is(content, "cp1252") else "latin-1"
        ranked = [(western, 0.0, looked.decode(western, "replace")),
                  *(entry for entry in ranked if entry[0] != western)]  # fmt: skip
    codec, score, _ = ranked[0]
    title = {"cp1252": "Windows-1252", "latin-1": "Latin-1"}.get(codec, encodings.MENU[codec])
    others = [(f"{encodings.MENU[each]}: {_shown(letters)}", {"encoding": each}) for each, _, letters in ranked[1:5]]
    others = others or [("Latin-1", {"encoding": "latin-1"})]
    sentence = f"The file is not UTF-8; it was read as {title}. If letters look wrong, choose another encoding."
    near = len(ranked) > 1 and ranked[1][1] > score - 0.1
    assumption = assumed(AssumptionKind.ENCODING, None, sentence, f"{title}: {_shown(ranked[0][2])}", options, *others,
                    asks=near and codec != "cp1252")  # fmt: skip
    return _transcode(content, name, codec), [], [assumption]


def _shown(line: str) -> str:
    """A few letters of a line, from the first on that is no ASCII."""
    at = next((i for i, sign in enumerate(line) if not sign.isascii()), 0)
    return f"“{' '.join(line[max(0, at - 4) : at + 12].split())}”"


def _without_mark(content: bytes) -> bytes:
    """UTF-8 without its byte order mark, or several: each program that saves a file may add one."""
    while content.startswith(codecs.BOM_UTF8):
        content = content.removeprefix(codecs.BOM_UTF8)
    return content


def refuse_binary(content: bytes, name: str) -> None:
    """DataError when the content is a known format without a table, or no text at all."""
    for magic, what, remedy in _MAGIC:
        if content.startswith(magic):
            raise DataError(f"“{name}” is {what}, not a table.", f"{remedy} CSV, TSV, Parquet and Excel can be read.")
    if content[:1000].lstrip().lower().startswith((b"<!doctype html", b"<html", b"<?xml")):
        raise DataError(
            f"“{name}” is a web page or XML, not a table.",
            "Perhaps the download needs a login, or another link. CSV, TSV, Parquet and Excel can be read.",
        )
    start = content[:100_000]
    if b"\0" in content or len(_CONTROL.findall(start)) > len(start) / 100:
        raise DataError(
            f"“{name}” is not text.",
            "It holds bytes that no text file has. CSV, TSV, Parquet and Excel (.xlsx) can be read; "
            "text in UTF-16 needs its byte order mark, or the encoding chosen.",
            remedies=(Remedy("Read as UTF-16", {"encoding": "utf-16-le"}),) if _looks_utf16(start) else (),
        )


def refuse_json(content: bytes, name: str) -> None:
    """DataError for JSON that is no list of records."""
    if _JSON.match(content[:1000]):
        raise DataError(
            f"“{name}” is JSON, not a table.",
            "Have the program that made it save a CSV, with one row per person. A dictionary of codes and labels may "
            "be JSON: its name ends in .json, and it comes with its table.",
        )


def _looks_utf16(start: bytes) -> bool:
    return start[1::2].count(0) > len(start) / 3


def _is(content: bytes, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)("strict")
    try:
        for i in range(0, len(content), _CHUNK):
            decoder.decode(content[i : i + _CHUNK])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _transcode(content: bytes, name: str, encoding: str) -> bytes:
    try:
        io.TextIOWrapper(io.BytesIO(), encoding)  # refuses codecs that make no text, such as base64 or zlib
        decoder = codecs.getincrementaldecoder(encoding)("strict")
    except (LookupError, ValueError):  # ValueError: a name that holds NUL
        raise DataError(
            f"The encoding “{encoding}” is unknown.", "Common ones are utf-8, utf-16, cp1252 and latin-1."
        ) from None
    out = bytearray()
    try:
        for i in range(0, len(content), _CHUNK):
            out += decoder.decode(content[i : i + _CHUNK]).encode("utf-8")
        out += decoder.decode(b"", final=True).encode("utf-8")
    except UnicodeError:
        raise DataError(
            f"“{name}” is not written in {encoding}.",
            "Some of its bytes do not exist in that encoding. Choose another one, or let it be recognised.",
            remedies=(
                Remedy("Recognise the encoding", {"encoding": None}),
                Remedy("Read as Windows-1252", {"encoding": "cp1252"}),
            ),
        ) from None
    result = _without_mark(bytes(out))
    refuse_binary(result, name)
    return result
