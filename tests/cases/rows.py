"""Rows that are no people, and what stands around a table."""

import io

import openpyxl

from tests.cases.case import KINDS, Case, counted, counts, draw, items, items_of, mean_of, people, table, text


def weights() -> list[Case]:
    out = []
    for seed, name in enumerate(("finalwt", "PWGTP", "sample_weight", "pspwght", "weight_post", "Gewicht final")):
        values = draw(seed, range(1, 40), 120)
        answers = draw(seed, ["yes", "no"], 120)
        content = table(["q", name], [answers, values], ",;\t,;,"[seed])
        out.append(Case(KINDS.WEIGHTS, name, content, "w.csv", _questions, ["q"], 0, name))
    return out


def _questions(read) -> list[str]:
    return [each.name for each in read.profile() if each.role in ("category", "number")]


def tables_of_counts() -> list[Case]:
    out = []
    for name, first, second, separator in (
        ("Freq", ("flu", "HIV", "none"), ("f", "m"), ","), ("Anzahl", ("ja", "nein"), ("Ost", "West", "Nord"), ";"),
        ("effectif", ("oui", "non", "nsp"), ("Paris", "Lyon"), "\t"),
        ("人数", ("男", "女"), ("北京", "上海", "广州"), ","),
        ("n", ("a", "b", "c", "d"), ("u", "v"), "|"),
    ):  # fmt: skip
        cells = [(one, two) for one in first for two in second]
        numbers = draw(len(name), range(3, 400), len(cells))
        content = text([["q", "g", name], *([*cell, n] for cell, n in zip(cells, numbers, strict=True))], separator)
        right = {one: sum(n for cell, n in zip(cells, numbers, strict=True) if cell[0] == one) for one in first}
        out.append(Case(KINDS.COUNTS, name, content, "c.csv", counts("q"), right, 0, name))
    return out


def several_rows() -> list[Case]:
    out = []
    for seed, (name, form, separator) in enumerate((
        ("patient_id", "P{:03}", ","), ("Teilnehmer", "T-{}", ";"), ("respondent", "{}", "\t"),
        ("受访者编号", "R{:04}", ","),
        ("person", "x{}y", "|"),
    )):  # fmt: skip
        ids = [form.format(i) for i in range(60) for _ in range(3)]
        waves = [str(wave) for _ in range(60) for wave in (1, 2, 3)]
        weights = draw(seed, range(50, 90), 180)
        content = table([name, "wave", "kg", "q"], [ids, waves, weights, draw(seed, ["u", "v"], 180)], separator)
        out.append(Case(KINDS.PEOPLE, name, content, "l.csv", people, 60, 0, name))
    return out


def long_tables() -> list[Case]:
    out = []
    for seed, (user, item, form, separator, words) in enumerate((
        ("Member_number", "itemDescription", "{}", ",", ("milk", "rice", "soap", "tea", "egg")),
        ("Bestellung", "Artikel", "B{:04}", ";", ("Brot", "Käse", "Wein", "Salz")),
        ("订单编号", "商品名称", "DD{}", ",", ("牛奶", "面包", "啤酒", "茶")),
        ("commande", "produit", "C-{}", "\t", ("pain", "vin", "sel", "lait", "thé")),
        ("k", "what", "AB{:05}", "|", ("u1", "v two", "w", "x", "y z", "q", "r")),
    )):  # fmt: skip
        baskets = [sorted(set(draw(100 * seed + i, words, 4))) for i in range(60)]
        rows = [(form.format(2000 + i), word) for i, basket in enumerate(baskets) for word in basket]
        content = text([[user, item], *rows], separator)
        out.append(Case(KINDS.LAYOUT, f"{user} {item}", content, "b.csv", items, items_of(baskets)))
    return out


def basket_lines() -> list[Case]:
    out = []
    for seed, (form, separator) in enumerate((("T{}", ","), ("2024-01-{:02}", ";"), ("#{}", "|"), ("{}", "\t"))):
        words = ["I1", "I2", "I3", "I4", "I5"]
        baskets = [list(dict.fromkeys(draw(10 * seed + i, words, 1 + i % 4))) for i in range(80)]
        names = [form.format(1 + i % 28 if "2024" in form else 1000 + i) for i in range(80)]
        content = "\n".join(
            separator.join([name, *basket]) for name, basket in zip(names, baskets, strict=True)
        ).encode()
        out.append(Case(KINDS.LAYOUT, f"first field {form}", content, "t.txt", items, items_of(baskets)))
    return out


def lines() -> list[Case]:
    out = []
    rows = list(
        zip(draw(1, "NSEW", 90), draw(2, ["flu", "none", "HIV"], 90), draw(3, range(1000, 8000), 90), strict=True)
    )
    names = ["region", "cond", "income"]
    average = mean_of(row[2] for row in rows)[0]
    endings = {
        "source": (",", [["Source: Health Survey 2023, own calculation", "", ""], ["* provisional", "", ""]]),
        "Quelle": (";", [["", "", ""], ["Quelle: eigene Erhebung", "", ""]]),
        "fuente": ("\t", [["Fuente: encuesta propia de hogares", "", ""]]),
        "mean": (",", [["Average", "", round(average, 1)], ["Std", "", 2000]]),
        "Mittelwert": (";", [["Mittelwert", "", round(average, 1)]]),
        "平均": (",", [["平均", "", round(average, 1)]]),
        "names again": (",", [names, *rows[:40]]),
        "names twice": (";", [names, *rows[:20], names, *rows[:20]]),
        "a second table": (",", [[], ["area", "people", "note"], ["North", 30, "x"], ["South", 60, "y"]]),
    }
    for title, (separator, end) in endings.items():
        content = text([names, *rows, *end], separator)
        more = sum(row in rows for row in map(tuple, end))
        out.append(Case(KINDS.LINES, title, content, "e.csv", people, 90 + more))
    return out


def headers() -> list[Case]:
    out = []
    rows = [[i + 1, age, sex, cond] for i, (age, sex, cond) in enumerate(zip(
        draw(1, range(20, 80), 80), draw(2, "fm", 80), draw(3, ["flu", "none", "HIV"], 80), strict=True))]  # fmt: skip
    given = ["age", "sex", "cond"]
    right = counted(row[3] for row in rows)
    for title, separator, body in (
        ("row numbers", "\t", text(rows, "\t")), ("row numbers ;", ";", text(rows, ";")),
        ("trailing", ",", text(([*row[1:], ""] for row in rows), ",")),
        ("trailing |", "|", text(([*row[1:], ""] for row in rows), "|")),
    ):  # fmt: skip
        out.append(Case(KINDS.HEADER, title, text([given], separator) + body, "h.csv", counts("cond"), right))
    for title, questions in (
        ("questions", ["How old are you?", "What is your sex?", "Do you have a diagnosis?"]),
        ("Fragen", ["Wie alt sind Sie?", "Welches Geschlecht?", "Diagnose im letzten Jahr?"]),
    ):  # fmt: skip
        content = text([["Q1", "Q2", "Q3"], questions, *(row[1:] for row in rows)], ";")
        out.append(Case(KINDS.HEADER, title, content, "q.csv", counts("Q3"), right))
    for title, names, values in (
        ("counting", ["Pupil", *map(str, range(1, 7))], "01"),
        ("years", [str(year) for year in range(2018, 2024)], "12345"),
    ):  # fmt: skip
        body = [[*([f"S{i}"] if names[0] == "Pupil" else []), *draw(i, values, 6)] for i in range(50)]
        out.append(Case(KINDS.HEADER, title, text([names, *body]), "i.csv", people, 50))
    return out


def sheets() -> list[Case]:
    out = []
    for title in ("hidden sheet", "two sheets"):
        book = openpyxl.Workbook()
        book.active.title = "lists"
        book.active.append(["codes"]), book.active.append(["a"])
        book.active.sheet_state = "hidden" if title == "hidden sheet" else "visible"
        answers = book.create_sheet("answers")
        values = draw(1, ["x", "y"], 40)
        for row in [["q", "n"], *([value, i % 7] for i, value in enumerate(values))]:
            answers.append(row)
        take = None if title == "hidden sheet" else 0
        out.append(Case(KINDS.SHEET, title, _saved(book), "a.xlsx", counts("q") if take is None else people,
                        counted(values) if take is None else 40, take))  # fmt: skip
    for title in ("hidden rows", "merged"):
        book = openpyxl.Workbook()
        sheet = book.active
        regions = [region for region in ("North", "South", "West") for _ in range(20)]
        for row in [["region", "q"], *zip(regions, draw(2, "ab", 60), strict=True)]:
            sheet.append(row)
        if title == "merged":
            for first in (2, 22, 42):
                sheet.merge_cells(f"A{first}:A{first + 19}")
        else:
            for row in range(2, 22):
                sheet.row_dimensions[row].hidden = True
        measure, right, take = (counts("region"), counted(regions), None) if title == "merged" else (people, 40, 0)
        out.append(Case(KINDS.SHEET, title, _saved(book), "b.xlsx", measure, right, take))
    return out


def _saved(book: openpyxl.Workbook) -> bytes:
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


CASES = [
    *weights(),
    *tables_of_counts(),
    *several_rows(),
    *long_tables(),
    *basket_lines(),
    *lines(),
    *headers(),
    *sheets(),
]
