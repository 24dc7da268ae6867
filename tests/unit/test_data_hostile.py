"""Damaged and hostile files: a table or a sentence, never what a library raises."""

import codecs
import datetime
import io
import pickle
import re
import tracemalloc
import warnings
import zipfile

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from openpyxl.chart import BarChart
from test_data_reading import has_note, read

from ldpcore.data import DataError, Table, order, parquet
from ldpcore.data.foreign import bounded
from ldpcore.rng import stream
from tests.each import for_each

FLIPS = 25
NOON = datetime.datetime(2024, 1, 2, 12)


def tried(content, name="f", **options):
    """The table, or the sentence. openpyxl warns of dates that Excel does not have, which is no error."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module="openpyxl")
        try:
            return read(content, name, **options)
        except DataError as error:
            found = error
    assert found.sentence.endswith(".")
    assert found.why.endswith(".")
    return str(found)


def saved(book):
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def workbook():
    book = openpyxl.Workbook()
    for row in (["age", "sex", "day"], [30, "f", NOON.date()], [41.5, "m", NOON], [None, "=1+1", NOON.time()]):
        book.active.append(row)
    book.create_sheet("more").append([1, "é"])
    return saved(book)


def written(table, **how):
    out = io.BytesIO()
    pq.write_table(table, out, **how)
    return out.getvalue()


def parquet_files():
    table = pa.table(
        {
            "text": ["x", "y", None] * 30,
            "number": np.linspace(0, 1, 90),
            "coded": pa.array(["p", "q", "r"] * 30).dictionary_encode(),
            "time": pa.array([NOON] * 90, pa.timestamp("us", "Europe/Berlin")),
        }
    )
    plain = {"compression": "none", "use_dictionary": False}
    return [written(table), written(table, **plain), written(table, compression="zstd", write_page_checksum=True)]


def flipped(content, rng, bits):
    out = bytearray(content)
    for _ in range(bits):
        out[rng.integers(len(out))] ^= 1 << int(rng.integers(8))
    return bytes(out)


def changed(content, **parts):
    """A workbook with parts replaced; functions of the old text, keyed by the end of their names."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            text = old.read(name)
            for key, change in parts.items():
                if name.rsplit("/")[-1].removesuffix(".xml") == key:
                    text = change(text)
            new.writestr(name, text)
    assert out.getvalue() != content
    return out.getvalue()


def replaced(old, new):
    def change(text):
        assert old in text
        return text.replace(old, new)

    return change


# --- bits -------------------------------------------------------------------------------------------------------


@for_each("which", range(3))
@for_each("seed", range(FLIPS))
def test_parquet_with_flipped_bits(which, seed):
    rng = stream(41, "parquet", which, seed)
    content = parquet_files()[which]
    assert isinstance(tried(flipped(content, rng, 1 + seed % 3)), Table | str)
    assert "is damaged" in tried(content[: int(rng.integers(8, len(content) - 1))])


def test_a_checksum_of_a_parquet_file_is_looked_at():
    """The value changes, nothing else: without the checksum it would be read."""
    table = pa.table({"a": [f"value {i}" for i in range(50)], "b": ["x"] * 50})
    for checked, outcome in ((True, str), (False, Table)):
        content = written(table, compression="none", use_dictionary=False, write_page_checksum=checked,
                          write_statistics=False)  # fmt: skip
        assert isinstance(tried(content.replace(b"value 7", b"value 8")), outcome)


@pytest.mark.parametrize("seed", range(FLIPS))
def test_workbooks_with_flipped_bits(seed):
    """In the archive, where its checksums see most of them, and inside a part, where nothing does."""
    rng = stream(42, "workbook", seed)
    content = workbook()
    assert isinstance(tried(flipped(content, rng, 1 + seed % 5)), Table | str)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        part = str(rng.choice(archive.namelist())).rsplit("/")[-1].removesuffix(".xml")
    inside = changed(content, **{part: lambda text: flipped(text, rng, 1 + seed % 6)})
    assert isinstance(tried(inside), Table | str)
    assert "is damaged" in tried(content[: int(rng.integers(30, len(content) - 30))])


# --- workbooks --------------------------------------------------------------------------------------------------

BOMB = b'<!DOCTYPE x [<!ENTITY a "ha">' + b"".join(
    b'<!ENTITY %c "%s">' % (98 + i, b"&%c;" % (97 + i) * 40) for i in range(8)
) + b"]>"  # fmt: skip
SHEETS = {
    "a number": (b"<v>30</v>", b"<v>3x</v>"),
    "an index of a text": (b't="n"><v>30</v>', b't="s"><v>999999</v>'),
    "an index below": (b't="n"><v>30</v>', b't="s"><v>-99</v>'),
    "a truth": (b't="n"><v>30</v>', b't="b"><v>maybe</v>'),
    "a day": (b't="n"><v>30</v>', b't="d"><v>2024-99-99</v>'),
    "a style": (b's="1"', b's="4711"'),
    "a type": (b't="n"', b't="zz"'),
    "a reference": (b'r="A2"', b'r="2A"'),
    "a column beyond": (b'r="A2"', b'r="ZZZZZZ2"'),
    "no end": (b"</sheetData>", b""),
    "a date beyond": (b"<v>30</v>", b'<v>1e300</v></c><c r="D2" s="1"><v>99999999</v>'),
}


@pytest.mark.parametrize("what", SHEETS)
def test_a_hostile_sheet(what):
    assert isinstance(tried(changed(workbook(), sheet1=replaced(*SHEETS[what]))), Table | str)


OUTER = b'<!DOCTYPE x [<!ENTITY i SYSTEM "file:///etc/hostname">]>'


@pytest.mark.parametrize("part", ["sheet1", "workbook", "styles", "app"])
@pytest.mark.parametrize("doctype", [BOMB, OUTER, b"<!DOCTYPE x>", b"<!--" + b" " * 50_000 + b"-->" + BOMB])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_document_type(part, doctype, encoding):
    """Entities that grow, or that lie outside, are not even parsed."""

    def change(text):
        start = text.index(b"?>") + 2 if text.startswith(b"<?xml") else 0
        used = re.sub(rb"<(v|t)>[^<]*<", rb"<\1>&i;<", text[start:])
        whole = doctype + used
        return whole if encoding == "utf-8" else whole.decode().encode("utf-16")

    tracemalloc.start()
    found = tried(changed(workbook(), **{part: change}))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.startswith("“f” is no ordinary workbook. Its XML declares a document type")
    assert peak < 20e6


def test_a_sheet_of_charts_alone():
    book = openpyxl.Workbook()
    book.create_chartsheet("chart").add_chart(BarChart())
    del book["Sheet"]
    assert "is empty" in tried(saved(book))


def test_cells_far_away():
    """Rows that Excel does not have are not waited for; a lone cell far to the right makes no rows of 16 384."""
    below = changed(workbook(), sheet1=replaced(b'<row r="4"', b'<row r="1000000000"'))
    assert isinstance(tried(below), Table | str)
    book = openpyxl.Workbook()
    for i in range(1300):
        book.active.append([i, "x"])
    book.active.cell(1300, 16_384, "here")
    assert "too large" in tried(saved(book))


def test_a_workbook_with_macros_is_a_workbook():
    kinds = b"openxmlformats-officedocument.spreadsheetml.sheet.main", b"ms-excel.sheet.macroEnabled.main"
    content = changed(workbook(), **{"[Content_Types]": replaced(*kinds)})
    assert read(content, "b.xlsm").frame["sex"].tolist()[:2] == ["f", "m"]


def test_an_archive_that_cannot_be_opened():
    assert "is damaged" in tried(b"PK\x03\x04" + b"x" * 100)
    encrypted = bytearray(workbook())
    for magic, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):  # the flag that a part is encrypted
        start = -1
        while (start := encrypted.find(magic, start + 1)) >= 0:
            encrypted[start + at] |= 1
    assert "is damaged" in tried(bytes(encrypted))


# --- Parquet ----------------------------------------------------------------------------------------------------


class Shout(pa.ExtensionType):
    """A type of one's own."""

    def __init__(self):
        super().__init__(pa.string(), "ldpcore.shout")

    def __arrow_ext_serialize__(self):
        return b""

    @classmethod
    def __arrow_ext_deserialize__(cls, storage_type, serialized):
        return cls()


COLUMNS = {
    "an unknown zone": (pa.array([NOON, None], pa.timestamp("us", "Mars/X")), ["2024-01-02 12:00:00.000000Z"]),
    "bytes": (pa.array([b"a", b"b"]), ["a", "b"]),
    "large bytes": (pa.array([b"a", b"b"], pa.large_binary()), ["a", "b"]),
    "fixed bytes": (pa.array([b"ab", b"cd"], pa.binary(2)), ["ab", "cd"]),
    "coded bytes": (pa.array([b"a", b"b"]).dictionary_encode(), ["a", "b"]),
    "a view": (pa.array(["a", "b"], pa.string_view()), ["a", "b"]),
    "bytes in view": (pa.array([b"a", b"b"], pa.binary_view()), ["a", "b"]),
    "an extension": (pa.ExtensionArray.from_storage(Shout(), pa.array(["a", "b"])), ["a", "b"]),
    "half floats": (pa.array(np.array([1, 2.5], np.float16)), ["1", "2.5"]),
    "times": (pa.array([1, 2], pa.time32("s")), ["00:00:01.000", "00:00:02.000"]),
    "spans": (pa.array([datetime.timedelta(1), None]), ["86400000000"]),
    "large numbers": (pa.array([2**64 - 1, 1], pa.uint64()), ["18446744073709551615", "1"]),
    "infinities": (pa.array([np.inf, 1.0]), ["inf", "1"]),
}


@pytest.mark.parametrize("what", COLUMNS)
def test_a_column_of_an_unusual_type(what):
    cells, expected = COLUMNS[what]
    pa.register_extension_type(Shout())
    try:
        table = read(written(pa.table({"a": cells, "b": ["x", "y"]})), "t.parquet")
    finally:
        pa.unregister_extension_type("ldpcore.shout")
    assert [value for value in table.frame["a"].tolist() if isinstance(value, str)] == expected
    assert has_note(table, "The time zone “Mars/X” of “a” is unknown") == (what == "an unknown zone")


def test_columns_that_hold_nothing_or_no_text():
    assert "nothing stands in it: a" in " ".join(read(written(pa.table({"a": pa.nulls(2), "b": ["x", "y"]}))).notes)
    assert "holds no answer" in tried(written(pa.table({"a": pa.nulls(2)})))
    assert "has bytes that are no text in “a”" in tried(written(pa.table({"a": [b"\xff", b"x"]})))
    fixed = pa.array([b"\xff" * 16, b"x" * 16], pa.binary(16))
    assert "(fixed_size_binary[16]) that is no text in “a”" in tried(written(pa.table({"a": fixed})))


def test_an_encrypted_parquet_file():
    import pyarrow.parquet.encryption as crypt

    class Open(crypt.KmsClient):
        """Wraps keys in nothing."""

        def wrap_key(self, key_bytes, master_key_identifier):
            return key_bytes.hex()

        def unwrap_key(self, wrapped_key, master_key_identifier):
            return bytes.fromhex(wrapped_key)

    for plain in (False, True):
        how = crypt.EncryptionConfiguration("k", column_keys={"k": ["a"]}, plaintext_footer=plain)
        factory = crypt.CryptoFactory(lambda _: Open())
        properties = factory.file_encryption_properties(crypt.KmsConnectionConfig(), how)
        content = written(pa.table({"a": ["x", "y"], "b": ["u", "v"]}), encryption_properties=properties)
        assert ("is damaged" if plain else "an encrypted Parquet file") in tried(content)


# --- text -------------------------------------------------------------------------------------------------------


@for_each(
    "encoding", ["rot13", "zlib", "hex", "base64", "bz2", "uu", "quopri", "a\0b", "", "x" * 5000, "../x", "idnax"]
)
def test_an_encoding_that_makes_no_text(encoding):
    assert "is unknown" in tried(b"a,b\n1,2\n3,4\n", encoding=encoding)


@for_each("encoding", ["undefined", "idna", "punycode", "utf-7", "unicode_escape", "utf-32", "cp037"])
@for_each("content", [b"a,b\n1,2\n3,4\n", b"\\ud800,\n+AAA-", b"xn--\n--,..-,", b"\xff\xfe\x00"])
def test_a_strange_encoding(encoding, content):
    assert isinstance(tried(content, encoding=encoding), Table | str)


def test_a_label_of_5000_digits():
    """Python makes no number of more than 4 300 digits; their order is that of numbers all the same."""
    long, longer = "7" * 5000, "8" + "0" * 5000
    table = read(f"a,b\n{longer},x\n{long},y\n10,z\n9,u\nid,v\n")
    assert list(table.frame["a"].cat.categories) == ["9", "10", long, longer, "id"]
    labels = ["b²", "a10", "a2", "a02", "²", "a٣", "2", "10"]
    assert [labels[i] for i in order.natural(labels)][:2] == ["2", "10"]
    assert [labels[i] for i in order.natural(["a10", "a2", "a002"])] == ["a2", "a10", "b²"]


@pytest.mark.parametrize("layout", [None, "baskets"])
@pytest.mark.parametrize("quote", ["", '"'])
def test_a_field_of_a_million_letters(layout, quote):
    content = 'a,b,c\n"q",z\n' * 20 + f"a,{quote}{'x' * 1_000_000}{quote}\nb\n"
    assert isinstance(tried(content, layout=layout), Table | str)
    assert "An item has more than 131" in tried(content.replace("q", '"" q'), layout="baskets")


@pytest.mark.parametrize(
    "content", [",,,\n,,,\n,,,\n", ",", ";;\n;;\n" * 10, "\t\t\n", '"","",""\n"","",""\n', ",\r\n,,\r\n"]
)
def test_a_file_of_separators_alone(content):
    assert "holds no answer" in tried(content) or "is empty" in tried(content)


def test_byte_order_marks_are_no_part_of_a_name():
    for marks in (1, 2, 3):
        for encoding in (None, "utf-8"):
            table = read(codecs.BOM_UTF8 * marks + b"a,b\n1,2\n3,4\n", encoding=encoding)
            assert list(table.frame.columns) == ["a", "b"]
    assert list(read("x,\ufeffy\n1,2\n3,4\n").frame.columns) == ["x", "y"]


# --- the layer --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raised", "said"), [(KeyError("x"), "damaged"), (RecursionError(), "damaged"), (MemoryError(), "too large")]
)
def test_what_a_library_raises_becomes_a_sentence_that_keeps_its_cause(raised, said):
    with pytest.raises(DataError, match=f"“f” is {said}") as caught, bounded("f", "an Excel file"):
        raise raised
    assert caught.value.__cause__ is raised
    assert pickle.loads(pickle.dumps(caught.value)).sentence == caught.value.sentence


def test_a_person_who_stops_the_reading_is_obeyed():
    with pytest.raises(KeyboardInterrupt), bounded("f", "an Excel file"):
        raise KeyboardInterrupt


def every_kind():
    """Every flat type that Arrow can make, as its predicates name them: is_decimal32 → pa.decimal32(5, 2)."""
    for name in (each.removeprefix("is_") for each in dir(pa.types) if each.startswith("is_")):
        for given in ((), (5, 2), ("s",), ("us",), (4,)):
            try:
                kind = getattr(pa, name, None) and getattr(pa, name)(*given)
            except (TypeError, ValueError):
                continue
            if isinstance(kind, pa.DataType) and not pa.types.is_nested(kind):
                yield name, kind
                break


@pytest.mark.parametrize(("name", "kind"), list(every_kind()))
def test_every_kind_of_cells_is_read_or_refused(name, kind):
    try:
        cells = pa.array(["1", "2", None, "2"]).cast(kind)
        content = written(pa.table({"a": cells, "b": ["x", "y", "x", "y"]}))
    except pa.ArrowException:  # no number or text can be one, or Parquet cannot hold it
        cells = pa.nulls(4, kind)
        try:
            content = written(pa.table({"a": cells, "b": ["x", "y", "x", "y"]}))
        except pa.ArrowException:
            return
    found = tried(content)
    assert isinstance(found, str) or len(found.frame) == 4
    if name.startswith("decimal"):
        assert list(found.frame["a"].cat.categories) == ["1.00", "2.00"] or list(found.frame["a"].cat.categories) == [
            "1",
            "2",
        ]


def test_a_text_that_many_rows_point_to_is_not_written_out():
    """250 MB in all rows; the file has 100 kB of it. A null may stand in the first row."""
    for before in (0, 3):
        texts = pa.array([None] * before + ["y" * 100_000] * 2_500)
        content = written(pa.table({"a": texts, "b": [str(i) for i in range(len(texts))]}))
        assert pa.types.is_dictionary(parquet.read(content, "f", 200_000_000).columns[0].type)
        assert read(content).frame["a"].nunique() == 1
    with pytest.raises(DataError, match="holds too much text"):
        read(written(pa.table({"a": ["y" * 6_000_000, "x"], "b": [1, 2]})))
