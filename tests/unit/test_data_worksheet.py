"""The scan of a worksheet before it is read: cells far apart, order, hidden rows, formulas, errors, formats."""

import datetime
import io
import random
import zipfile
from xml.parsers.expat import ExpatError

import openpyxl
import pytest
import python_calamine as calamine
from test_data_reading import has_note, read, workbook

from ldpcore.data import DataError, excel, sheet_cells, sheet_tags, sheet_values, worksheet
from ldpcore.data import workbook as archive_of
from ldpcore.data.foreign import bounded
from ldpcore.rng import stream
from tests import hostile


def saved(change) -> bytes:
    book = openpyxl.load_workbook(io.BytesIO(workbook(a=[["n", "s"], [1, "x"], [2, "y"], [3, "x"]])))
    change(book)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def scanned(cells: str) -> worksheet.Worksheet:
    return worksheet.scanned(f"<x:worksheet xmlns:x='u'><x:sheetData>{cells}</x:sheetData></x:worksheet>".encode())


@pytest.mark.parametrize(
    ("cells", "last"),
    [
        ('<row r="7"><c r="C7"><v>1</v></c></row>', (7, 3)),
        ('<row r="7"><c><v>1</v></c><c r="XFD7"><v/></c></row>', (7, 16_384)),  # an empty text is kept, too
        ('<row r="7"><c r="B2"><v>1</v></c><c><v>1</v></c></row>', (7, 3)),  # without a place: of the row, not the cell
        ('<row r="3"/><row><c/><c/><c><is><t>x</t></is></c></row>', (4, 3)),
        ('<row r="3"><c r="A3" s="5"/><c r="B3"><v>1</v></c><c r="ZZ3" s="5"/></row>', (3, 2)),
        ("<x:row r='2'><x:c r='b2'><x:v>1</x:v></x:c></x:row>", (2, 2)),
    ],
)
def test_the_last_cell_is_that_which_the_library_keeps(cells, last):
    assert scanned(cells).last == last


@pytest.mark.parametrize(
    "cells",
    [
        '<row r="9"><c r="A9"><v>1</v></c></row><row r="2"><c r="A2"><v>1</v></c></row>',
        '<row r="1"><c r="&#65;1"><v>1</v></c></row>',
        '<row r="&#49;"><c r="A1"><v>1</v></c></row>',
        '<row r="1"><c r="1A"><v>1</v></c></row>',
        '<row r="1"><c r="AAAA1"><v>1</v></c></row>',
        '<row r="1"><c r="A99999999"><v>1</v></c></row>',
        '<row r="-1"><c><v>1</v></c></row>',
    ],
)
def test_what_the_library_would_take_otherwise_is_refused(cells):
    with pytest.raises(ValueError, match=r"order|spelt|no place|no number"):
        scanned(cells)
    with pytest.raises(DataError, match="is damaged"):
        read(hostile.sheet(cells), "b.xlsx")


def test_hidden_rows_formulas_errors_and_codes_are_said():
    def change(book):
        sheet = book.active
        sheet.row_dimensions[3].hidden = True
        sheet["C1"], sheet["C2"], sheet["C3"], sheet["C4"] = "f", "=A2+1", "=A3+1", 5
        sheet["D1"], sheet["D2"], sheet["D3"], sheet["D4"] = "code", 107, 99123, 1
        for at in (2, 3, 4):
            sheet[f"D{at}"].number_format = "00000"
        sheet["E1"], sheet["E2"], sheet["E3"], sheet["E4"] = "e", "#DIV/0!", 1, 2

    table = read(saved(change), "b.xlsx")
    assert has_note(table, "1 row is hidden in the sheet and read all the same.")
    assert has_note(table, "Read as missing: 2 formulas without a stored result.")
    assert has_note(table, "Read as missing: 1 cell with an error, such as #DIV/0!.")
    assert has_note(table, "Read with the zeros that the sheet shows before numbers: code.")
    assert table.frame["code"].tolist() == ["00107", "99123", "00001"]
    assert table.frame["n"].tolist() == ["1", "2", "3"]
    assert read(workbook(a=[["n"], [1], [2]]), "b.xlsx").notes == ()


def both_scans(xml: bytes) -> list:
    """By arrays, None where these are not for it; by events, "refused" where it is no sheet that is read."""
    try:
        events = worksheet.scanned(xml)
    except (ValueError, ExpatError):
        events = "refused"
    cells = sheet_cells.scanned(xml)
    return [cells and cells.sheet, events]


def test_arrays_find_what_events_find():
    """In sheets as openpyxl writes them, with all that is noted, and as Excel writes rows; whatever byte is changed."""

    def change(book):
        sheet = book.active
        sheet.row_dimensions[3].hidden = sheet.row_dimensions[7].hidden = True
        sheet["C1"], sheet["C2"], sheet["C3"], sheet["C4"], sheet["C9"] = "f", "=A2+1", "=A3&CHAR(60)", 5, 0.5
        sheet["D2"], sheet["D3"], sheet["AB4"] = "#DIV/0!", datetime.date(2024, 2, 29), " "
        sheet["D4"].number_format = "00000"
        sheet.merge_cells("A2:A3")
        sheet.merge_cells("C6:D6")
        sheet["F12"].number_format = "0.0"

    with zipfile.ZipFile(io.BytesIO(saved(change))) as archive:
        xml = archive.read("xl/worksheets/sheet1.xml")
    rows = xml.replace(b'<row r="4"', b'<row r="4" spans="1:28" x14ac:dyDescent="0.25"').replace(
        b'<c r="C4" t="n"><v>5', b'<c r="C4" s="2"><f t="shared" si="0"/><v>5'
    )
    for known in (xml, rows):
        arrays, events = both_scans(known)
        assert arrays == events
        assert (events.first, events.last, events.uncomputed, events.hidden_rows) == ((1, 1), (9, 28), 2, {3})
    start, end, luck = rows.index(b"<row"), rows.index(b"</sheetData>"), stream(1, "sheet")
    for place in luck.integers(start, end, 400):
        for put in (b"", b"1", b'"', b"<", b" ", b">"):
            arrays, events = both_scans(rows[:place] + put + rows[place + 1 :])
            assert arrays is None or events == "refused" or arrays == events
            if b"&" not in rows[place - 8 : place + 8]:  # whether a reference is one the library sees
                assert events != "refused" or arrays is None


def test_arrays_hold_the_values_of_the_library(monkeypatch):
    """Numbers, texts, dates, truth values, errors, results; in blocks of any size, and whatever digit is changed."""

    def change(book):
        sheet, luck = book.active, random.Random(3)
        for i in range(1, 60):
            day = datetime.datetime(2024, 1, 1) + datetime.timedelta(luck.randint(0, 99))
            row = (luck.randint(-9, 99), luck.random() * 1e-7, luck.choice((" a & b ", "x<y", "_x000D_é", "08")), day,
                   i % 2 == 0, datetime.time(i % 24, i), "#N/A", f"=A{i}+1", 0.25)  # fmt: skip
            for j, value in enumerate(row, 2):
                if luck.random() < 0.8:
                    sheet.cell(i + 3, j).value = value
            sheet.cell(i + 3, 10).number_format = luck.choice(
                ("0%", "0.00", "00", "yyyy", "[h]:mm", "mm-dd-yy", "h:mm")
            )

    book = archive_of.opened(saved(change), "b.xlsx", 10**9)
    xml = book.archive.read("xl/worksheets/sheet1.xml").replace(b"</f><v></v>", b"</f><v>7.5</v>")
    xml = xml.replace(b"</f><v />", b"</f><v>7.5</v>").replace(b"</f><v/>", b"</f><v>7.5</v>")
    for size in (1, 700, 1 << 18):
        monkeypatch.setattr(sheet_tags, "_AT_ONCE", size)
        assert values(book, xml) == [by_library(book, xml)] * 2
    assert values(book, xml.replace(b"<v>0.25</v>", b"<v>nan</v>"))[0] is None
    start, end, luck = xml.index(b"<row"), xml.index(b"</sheetData>"), stream(2, "sheet")
    seen = 0
    for place in luck.permutation([i for i in range(start, end) if xml[i : i + 1].isdigit()])[:60]:
        for put in (b"", b"2", b"e"):
            made = values(book, xml[:place] + put + xml[place + 1 :])
            seen += made[0] is not None
            assert made[0] is None or made[0] == made[1]
    assert seen > 50


def values(book, xml: bytes) -> list:
    """All rows by arrays, None where these are not for it; and by the library. With the types of the cells."""
    cells = sheet_cells.scanned(xml, book.plain)
    try:
        rows = cells and sheet_values.rows(cells, lambda asked: excel._by_library(book, asked))
    except calamine.CalamineError:  # as it then does of the whole sheet
        return [None, None]
    return [rows and [[(type(cell), cell) for cell in row] for row in rows], by_library(book, xml)]


def by_library(book, xml: bytes) -> list | None:
    try:
        return [[(type(cell), cell) for cell in row] for row in excel._by_library(book, xml)]
    except calamine.CalamineError:
        return None


def test_dates_of_both_calendars_and_hidden_sheets():
    day = datetime.datetime(2024, 2, 29)
    for since in (datetime.datetime(1899, 12, 30), datetime.datetime(1904, 1, 1)):
        book = openpyxl.Workbook()
        book.epoch = since
        for row in (["day", "at"], [day, day.replace(hour=13)], [day, None]):
            book.active.append(row)
        book.create_sheet("more").sheet_state = "hidden"
        out = io.BytesIO()
        book.save(out)
        table = read(out.getvalue(), "b.xlsx")
        assert table.frame["day"].tolist() == ["2024-02-29"] * 2
        assert table.frame["at"].tolist()[0] == "2024-02-29 13:00:00"


SMALL = [name for name, (refused, _) in hostile.growing().items()
         if refused and not name.startswith(("20 cells", "a long text", "groups", "many sheets"))]  # fmt: skip


@pytest.mark.parametrize("which", SMALL)
def test_small_files_that_grow_are_refused(which):
    """The bounds of time and memory are measured in test_hostile, thorough."""
    with pytest.raises(DataError) as caught:
        read(hostile.growing()[which][1](), "f.xlsx")
    assert caught.value.why.endswith(".")


def test_the_sentence_says_where_the_cells_are():
    with pytest.raises(DataError, match=r"row 1 and row 1\u2009048\u2009576, column A and column XFD.*Delete the rows"):
        read(hostile.growing()["a cell in the last corner"][1](), "f.xlsx")


def test_a_text_that_stands_in_many_cells_is_counted_before_it_is_written_out():
    text, texts = '<c t="s"><v>1</v></c>', f"<si><t>a</t></si><si><r><t>{'x' * 30_000}</t></r></si>"
    with pytest.raises(DataError, match="600 MB of text"):
        read(hostile.sheet(f"<row>{text}</row>" * 20_000, texts), "f.xlsx")
    few = hostile.sheet(f"<row>{text}</row>" * 3 + '<row><c t="s"><v>0</v></c></row>' * 20_000, texts)
    assert len(read(few, "f.xlsx").frame) == 20_003


def test_a_librarys_panic_is_a_sentence():
    panic = type("PanicException", (BaseException,), {})
    with pytest.raises(DataError, match="is damaged"), bounded("f", "an Excel file"):
        raise panic
