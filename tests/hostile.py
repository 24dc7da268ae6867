"""Ugly files, Studies and links, generated: the corpus of tests/unit/test_hostile.py and tests/app/test_hostile*.py."""

import datetime
import gzip
import io
import warnings
import zipfile
from collections.abc import Callable

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq

from ldpcore.rng import stream

MARKUP = (
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", ":red[y]", "$$x^2$$", "$\\frac{a}{b}$",
    "[a](http://x.example)", "**bold** `c` _e_", "=cmd|' /C calc'!A0", "&lt;u&gt;", "%{x}%{y}%", ":material/home:",
    "'\"><svg onload=x>", "{eps} {0} %s", "\\1 \\g<0>", "<u>x", "-->]]>", "+1+1", "@SUM(A1)", "<marquee>",
    "<a href='http://x.example'>l</a>",
)  # fmt: skip
"""Labels that say something in HTML, Markdown, TeX, Plotly, a spreadsheet, or a template."""


def markup() -> bytes:
    """A survey whose columns, answers and items are all MARKUP; of categories, numbers and yes and no."""
    names = ("'\"><u onclick=x>col", ":red[col]", "$$col$$", "=cmd|col", "[n](http://x.example)")
    rows = [
        (*(MARKUP[(i * step + i // 20) % len(MARKUP)] for step in (1, 3, 7)), MARKUP[i % 3], str(i * 37 % 101))
        for i in range(300)
    ]
    return b"\n".join(_csv(row) for row in (names, *rows))


def _csv(cells: tuple[str, ...]) -> bytes:
    return ",".join('"' + cell.replace('"', '""') + '"' for cell in cells).encode()


# uploads -------------------------------------------------------------------------------------------------------------

SEPARATORS = (",", ";", "\t", "|", " ", "\x1f")
ODD = (
    "", " ", '"', '""', '"""', "'", ",", "\\", "\r", "\n\n", "\ufeff", "\u202e", "\u200b", "\x1a", "\x7f", "é", "😀",
    "²",
    "٣", "1e308", "-1e-308", "1e999", "NaN", "inf", "-0", "0x10", "1_000", "1,000", "1.000,5", "12%", "(5)", "$", "€1",
    "2024-99-99", "31/02/2020", "TRUE", "null", "=1+1", "9" * 400, "x" * 3000, "1 " * 1500, "7" * 5000, "a\nb", "N/A",
)  # fmt: skip
"""Cells that programs and people write, and some that nobody does."""


def texts() -> dict[str, bytes]:
    """Text of every shape: odd cells in a column, in all cells, as names; quotes that do not end; encodings."""
    found = {}
    for at, cell in enumerate(ODD):
        quoted = '"' + cell.replace('"', '""') + '"'
        for how, text in (("bare", cell), ("quoted", quoted)):
            rows = [f"{text},{i % 3}" if i % 4 else f"x{i},1" for i in range(40)]
            found[f"cell {at} {how}"] = "\n".join(["a,b", *rows]).encode()
            found[f"name {at} {how}"] = "\n".join(
                [f"{text},{text}", *(f"{i % 5},y{i % 2}" for i in range(20))]
            ).encode()
        found[f"only {at}"] = "\n".join([cell] * 12).encode()
    for separator in SEPARATORS:
        many = 400 if separator == SEPARATORS[0] else 90  # each is looked at by itself, whatever separates them
        for what, body in {
            "alone": separator * 3000,
            "ragged": "\n".join(separator.join("ab"[i % 2] * (j % 3) for j in range(i % 7 + 1)) for i in range(60)),
            "quotes": f'"\n{separator}' * 2000,
            "open": f'a{separator}b\n1{separator}"2\n' + f"x{separator}y\n" * 500,
            "wide": separator.join("c" * 2 for _ in range(5_000)) + "\nx\n",
            "equal": separator.join("a" for _ in range(many)) + "\n" + separator.join("1" for _ in range(many)) + "\n",
        }.items():
            found[f"separator {ord(separator)} {what}"] = body.encode()
    plain = "name,age\nÉva,30\nJosé,41\nÉva,30\n" * 20
    for codec in ("utf-8-sig", "utf-16", "utf-16-le", "utf-32", "cp1252", "latin-1", "cp037", "shift_jis", "utf-7"):
        found[f"codec {codec}"] = plain.encode(codec, "replace")
    for magic in (b"PK\x03\x04", b"PK\x05\x06", b"PAR1", b"PARE", b"\x1f\x8b", b"%PDF-", b"\xd0\xcf\x11\xe0", b"BZh9",
                  b"{", b"[[1,\n", b"<?xml", b"<!doctype html", b"ARROW1", b"\x00",
                  b"\xff\xfe", b"\xef\xbb\xbf" * 3):  # fmt: skip
        found[f"magic {magic[:8]!r}"] = magic
        found[f"magic {magic[:8]!r} and text"] = magic + plain.encode()
        found[f"magic {magic[:8]!r} and bytes"] = magic + bytes(range(256)) * 20
    return found


def packed() -> dict[str, bytes]:
    """Archives: damaged, in one another, larger than they say, with names that lead elsewhere."""
    plain = b"a,b\n" + b"1,x\n2,y\n" * 30
    found = {
        "gz": gzip.compress(plain), "gz cut": gzip.compress(plain)[:-9],
        "gz twice": gzip.compress(gzip.compress(plain)),
        "gz and more": gzip.compress(plain) + b"more", "gz bomb": gzip.compress(bytes(10_000_000), 1) * 30,
        "gz of lines": gzip.compress(b"1\n" * 5_000_000, 1) * 20,
    }  # fmt: skip
    for name in ("../../etc/passwd.csv", "/etc/passwd.csv", "..\\x.csv", "a/b.csv", "C:x.csv", "<b>.csv",
                 "x" * 3000 + ".csv",
                 "a\x00.csv", "con.csv", ".csv", "é.csv"):  # fmt: skip
        found[f"zip {name[:20]!r}"] = archive({name: plain})
    found["zip of two"] = archive({"a.csv": plain, "../a.csv": plain})
    found["zip of the same name"] = archive({"a.csv": plain}, {"a.csv": plain})
    found["zip of itself"] = archive({"a.zip": archive({"b.zip": archive({"c.csv": plain})})})
    found["zip bomb"] = archive({"a.csv": bytes(201_000_000)}, level=1)
    found["zip of many"] = archive({f"{i}.csv": b"" for i in range(3000)})
    found["zip of nothing"] = archive({})
    found["zip of a folder"] = archive({"a.csv/": b""})
    lies = bytearray(archive({"a.csv": plain}))
    at = lies.rindex(b"PK\x01\x02") + 24
    lies[at : at + 4] = (10).to_bytes(4, "little")
    found["zip that lies"] = bytes(lies)
    return found


def archive(*parts: dict[str, bytes], level: int = 6) -> bytes:
    out = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as made:
        warnings.simplefilter("ignore")  # equal names are meant
        for part in parts:
            for name, content in part.items():
                made.writestr(name, content)
    return out.getvalue()


def flipped() -> dict[str, bytes]:
    """Bits of a workbook, a Parquet file, a gzip and a zip file: anywhere, and in a Parquet file's own description."""
    book, out, held = openpyxl.Workbook(), io.BytesIO(), io.BytesIO()
    for row in (["age", "sex"], [30, "f"], [41.5, "m"], [datetime.datetime(2024, 1, 2), None]):
        book.worksheets[0].append(row)
    book.save(out)
    zone = pa.array([0, 1, None] * 20, pa.timestamp("us", "Europe/Berlin"))
    pq.write_table(pa.table({"t": zone, "s": ["a", "b", None] * 20, "x": np.linspace(0, 1, 60)}), held)
    plain = b"a,b\n" + b"1,x\n2,y\n" * 30
    files = {
        "xlsx": out.getvalue(),
        "parquet": held.getvalue(),
        "gz": gzip.compress(plain),
        "zip": archive({"a.csv": plain}),
    }
    found = {}
    for kind, content in files.items():
        footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little") if kind == "parquet" else 0
        for seed in range(24):
            rng, changed = stream(7, "hostile", kind, seed), bytearray(content)
            for _ in range(1 + seed % 3):
                changed[int(rng.integers(footer * (seed % 2), len(content)))] ^= 1 << int(rng.integers(8))
            found[f"{kind} flipped {seed}"] = bytes(changed)
        found[f"{kind} cut"] = content[: len(content) // 2]
    return found


def uploads() -> dict[str, bytes]:
    """The whole corpus of files, small ones and bombs."""
    return {**texts(), **packed(), **flipped(), "markup": markup()}


def large() -> dict[str, Callable[[], bytes]]:
    """Files of up to 200 MB, each made when it is asked for: short cells, baskets, distinct texts, wide, equal rows."""

    def numbered(line: bytes, n: int) -> bytes:
        return b"".join(line.replace(b"%", b"%d" % i) for i in range(n))

    return {
        "short cells": lambda: b"a,b,c,d\n" + b"1,2,3,4\n" * 19_000_000,
        "cells within": lambda: b"1," * 99 + b"0\n" + (b"1,0," * 49 + b"0,1\n") * 390_000,
        "one column": lambda: b"a\n" + b"1\n2\n" * 48_000_000,
        "baskets": lambda: b"1,2,3\n5,6\n7,8,9,1\n2\n3,1\n" * 7_000_000,
        "baskets within": lambda: b"1,2,3\n5,6\n7,8,9,1\n2\n3,1\n" * 990_000,
        "texts": lambda: b"a,b\n" + numbered(b"t%x,y\n", 4_900_000),
        "texts beyond": lambda: b"a,b\n" + numbered(b"t%x,y\n", 7_000_000),
        "pairs": lambda: b"user,item\n" + numbered(b"u%,i%\n", 4_900_000),
        "items": lambda: numbered(b"%,a%\n%\n", 2_400_000),
        "header": lambda: b",".join(b"c%d" % i for i in range(100_000)) + b"\n" + b"1," * 99_999 + b"1\n",
        "columns": lambda: b"\n".join(b",".join(b"%d" % (i * j % 7) for i in range(4000)) for j in range(9)),
        "quotes": lambda: b"a,b\n" + b'"a"b"c"d,' * 20_000_000,
        "quoted baskets": lambda: b'"\n,x,' * 30_000_000,
        "a line": lambda: b"x" * 199_000_000,
        "nothing": lambda: b"\n" * 199_000_000,
        "utf-16": lambda: ("a,b\n" + "x,y\n" * 24_000_000).encode("utf-16"),
        "equal rows in a gzip": lambda: gzip.compress(b"a\n" + b"1\n" * 99_000_000, 1),
    }


# small files that grow -----------------------------------------------------------------------------------------------

_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def sheet(cells: str, texts: str = "", sheets: int = 1, **parts: bytes) -> bytes:
    """A workbook of a few lines of XML, with equal sheets."""
    names = range(1, sheets + 1)
    part = '<Relationship Id="s{0}" Type="{1}/worksheet" Target="worksheets/s{0}.xml"/>'
    related = "".join(part.format(i, _OFFICE) for i in names)
    related += f'<Relationship Id="t" Type="{_OFFICE}/sharedStrings" Target="sharedStrings.xml"/>'
    listed = "".join(f'<sheet name="{i}" r:id="s{i}"/>' for i in names)
    body = f"<worksheet><sheetData>{cells}</sheetData></worksheet>".encode()
    return archive({
        "xl/workbook.xml": f'<workbook xmlns:r="{_OFFICE}"><sheets>{listed}</sheets></workbook>'.encode(),
        "xl/_rels/workbook.xml.rels": f"<Relationships>{related}</Relationships>".encode(),
        "xl/sharedStrings.xml": f"<sst>{texts}</sst>".encode(),
        **{f"xl/worksheets/s{i}.xml": body for i in names}, **parts,
    })  # fmt: skip


def cell(place: str, value: object = 1) -> str:
    """A row with one cell."""
    return f'<row r="{place.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")}"><c r="{place}"><v>{value}</v></c></row>'


def _rows(count: int, cells: str) -> str:
    return f"<row>{cells}</row>" * count


def _parquet(columns: dict[str, object], **how: object) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out, compression="zstd", **how)
    return out.getvalue()


def _grouped(groups: int, columns: int) -> bytes:
    """As many groups of one row."""
    out, made = io.BytesIO(), pa.table({f"c{j}": ["x", "y"] for j in range(columns)})
    with pq.ParquetWriter(out, made.schema) as writer:
        for _ in range(groups):
            writer.write_table(made.slice(0, 1), row_group_size=1)
    return out.getvalue()


def _nested(depth: int) -> bytes:
    kind, value = pa.string(), "x"
    for _ in range(depth):
        kind, value = pa.list_(kind), [value]
    return _parquet({"a": pa.array([value], kind), "b": [1]})


def growing() -> dict[str, tuple[bool, Callable[[], bytes]]]:
    """Small files that take much to read, each made when it is asked for; whether each is refused."""
    long, none, text = "x" * 50_000_000, np.zeros(99, int), '<c t="s"><v>0</v></c>'
    return {
        "a cell in the last corner": (True, lambda: sheet(cell("A1") + cell("XFD1048576"))),
        "two rows apart": (False, lambda: sheet(cell("A1", 7) + cell("B1048576", 8))),
        "two wide rows apart": (True, lambda: sheet(cell("A1") + cell("Z1048576"))),
        "wider than can be looked at": (True, lambda: sheet(cell("A1") + cell("XFD1"))),
        "a corner not too far": (False, lambda: sheet(cell("A1") + cell("B2") + cell("EWV1999"))),
        "cells without a place": (False, lambda: sheet(_rows(150_000, "<c><v>1</v></c><c><v>23</v></c>" * 10))),
        "a long text in many cells": (True, lambda: sheet(_rows(20_000, text), f"<si><t>{'x' * 30_000}</t></si>")),
        "a text of 5 MB in 20 cells": (False, lambda: sheet(_rows(20, text), f"<si><t>{'x' * 4_900_000}</t></si>")),
        "many texts in no cell": (False, lambda: sheet(_rows(3, "<c><v>1</v></c>"), "<si/>" * 9_000_000)),
        "many sheets": (True, lambda: sheet("", sheets=3_000)),
        "a long text, coded": (True, lambda: _parquet({"a": pa.DictionaryArray.from_arrays(none, [long])})),
        "a long text, written out": (True, lambda: _parquet({"a": [long] * 40, "b": list(range(40))})),
        "many long texts": (False, lambda: _parquet({"a": ["y" * 100_000] * 100_000, "b": list(range(100_000))})),
        "20 cells of 5 MB": (True, lambda: _parquet({"a": [f"{i}" + "z" * 5_000_000 for i in range(20)]})),
        "20 cells of 5 MB in text": (True, lambda: b"a,b\n" + b"".join(b"%d" % i + b"z" * 5_000_000 + b",1\n"
                                                                       for i in range(20))),
        "long texts in bytes of one length": (True, lambda: _parquet({"a": pa.array([b"x" * 10_000] * 30_000,
                                                                                    pa.binary(10_000))})),
        "groups of one row": (True, lambda: _grouped(30_000, 7)),
        "deep lists": (True, lambda: _nested(60)),
        "an OpenDocument sheet": (True, lambda: archive({"mimetype": b"x", "content.xml": b"<a/>"})),
    }  # fmt: skip


# Studies and links ---------------------------------------------------------------------------------------------------

VALUES = (
    "true", "-1", "0", "1e400", "nan", "inf", "-inf", '"x"', '""', "[]", "[1]", "{}", "{a=1}", "1979-05-27",
    "1" + "0" * 18,
    "1" + "0" * 400, "1" + "0" * 5000, "[[[1]]]", '["a", "a"]', "[nan]", "[-1.0]", "[" + "1.0," * 5000 + "]", "[{}]",
    '"' + "x" * 100_000 + '"', "1e-300", '[{name=1, marks=3}]', '[{name="A", marks={x=1}}]',
    '{name="health", missing={a=1}}', '[{share=0.5, marks={x="secret"}, holders=nan}]',
    '[{share=0.7, marks={HIV="secret"}}, {share=0.3, holders=1e-300}]', '[{share=true, marks=[]}]',
)  # fmt: skip
FIELDS = ("version", "task", "column", "missing", "epsilon", "secret_epsilon", "axis", "repetitions", "seed",
          "mechanisms", "grid", "n", "bins", "data", "marks", "choices", "arms", "options", "beside")  # fmt: skip


def studies() -> dict[str, str]:
    """Study files: every entry with a value of every wrong kind and size, and files that are none."""
    base = {"column": '"condition"', "data": '{name="health"}'}
    found = {
        f"{name} {at}": "\n".join(f"{key}={text}" for key, text in (base | {name: value}).items())
        for name in FIELDS
        for at, value in enumerate(VALUES)
    }
    whole = "\n".join(f"{key}={text}" for key, text in base.items())
    for task in ("frequency", "sets", "means", "itemsets", "clusters", "ranges", "review"):
        for name in ("attacks", "simulated", "m", "k", "ranges", "columns", "choose", "postprocessing", "min_count"):
            for at in (1, 7, 8, 14, 16, 18, 22):
                found[f"{task} {name} {at}"] = f'{whole}\ntask="{task}"\n[options]\n{name}={VALUES[at]}\n'
    deep = {
        "lists": "a=" + "[" * 5000,
        "tables": "a=" + "{b=" * 3000,
        "names": "[" + "a." * 100_000 + "b]",
        "NUL": "\0",
    }
    return {**found, **deep, "comments": "#" * 2_000_000, "nothing": "", "NUL": "\0", "markup": MARKUP[0]}


LINKS: tuple[dict[str, str | list[str]], ...] = tuple(
    {name: value}
    for name, values in {
        "eps": ("40", "41", "1e-300", "1e-5", "nan", "-1", "inf", "x" * 100_000, "", "0"),
        "n": ("1", "0", "1000000000000", "1" + "0" * 30, "-5", "1.5"),
        "reps": ("10001", "-1", "1e9", "x"), "seed": ("-1", "1" + "0" * 30, "x"), "task": ("x", "__class__"),
        "axis": ("x", "time"), "column": ("no such", "<script>"), "data": ("nowhere", "../../etc/passwd"),
        "m": ("x", "<b>"), "missing": ("x",), "bins": ("1", "x"), "eps2": ("50", "nan", "-1", "1e-5"),
        "o.simulated": ("1000000000", "-1", "[]", "{}", '"x"', "nan"), "o.attacks": ("1000000000", "true"),
        "o.": ("1",), "o.own": ('"' + "1," * 900 + '"',), "arm.A": ("x" * 100_000,), "marks": ("x" * 100_000,),
        "choices": ("1", "[2, null, {}]", "[0.3, 0.4, []]", '[NaN, null, {"x": "secret"}]', "[" * 50_000),
        "a.eps": ("40", "x"), "a.marks": ("x",), "a.choices": ("1", '[0.3, 0.4, {"HIV": "secret"}]'),
        "o.priors": ("3", "[" * 50_000), "alone": ("<b>",), "room": ("<b>",), "arm." + "y" * 1000: ("HIV",),
    }.items()
    for value in values
)  # fmt: skip
