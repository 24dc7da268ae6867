"""Several answers in a cell, words for yes and for nothing, spellings, orders, letters, and other formats."""

import unicodedata

from tests.cases.case import KINDS, Case, counted, counts, draw, items, items_of, labels, table, text


def cells() -> list[Case]:
    out = []
    for seed, (name, words, joined, separator) in enumerate((
        ("Which medicines?", ("PrEP", "aspirin", "insulin", "statin"), "; ", ","),
        ("Drogen", ("Kokain", "Heroin", "Cannabis", "keine"), ", ", ";"),
        ("sports", ("tennis", "natation", "vélo", "course"), "|", ","),
        ("症状", ("发热", "咳嗽", "头痛", "乏力"), "、", ","),
        ("idiomas", ("español", "inglés", "francés", "alemán"), " / ", "\t"),
        ("tags", ("red", "green", "blue", "grey"), "\n", ","),
        ("list", ("a b", "c d", "e f", "g"), "json", ";"), ("braces", ("one", "two", "three", "four"), "{}", "\t"),
    )):  # fmt: skip
        chosen = [sorted(set(draw(100 * seed + i, words, 1 + i % 3))) for i in range(120)]
        written = {"json": lambda held: "[" + ", ".join(f'"{each}"' for each in held) + "]",
                   "{}": lambda held: "{" + ",".join(held) + "}"}.get(joined, joined.join)  # fmt: skip
        content = table(["age", name], [draw(seed, range(18, 90), 120), [written(held) for held in chosen]], separator)
        out.append(Case(KINDS.CELLS, name, content, "s.csv", items, items_of(chosen), None, name))
    return out


def yes() -> list[Case]:
    out = []
    for seed, (one, other, separator, take) in enumerate((
        ("ja", "nein", ";", None), ("oui", "non", "\t", None), ("Checked", "Unchecked", ",", None),
        ("да", "нет", ",", None),
        ("是", "否", ",", None), ("1", "2", ",", None), ("2", "1", ";", 0),
    )):  # fmt: skip
        names = ["aspirin", "insulin", "PrEP", "statin", "iron", "zinc"]
        rows = [draw(10 * seed + i, [one, other], 6) for i in range(80)]
        content = text([["person", *names], *([f"p{i}", *row] for i, row in enumerate(rows))], separator)
        right = items_of([name for name, cell in zip(names, row, strict=True) if cell == one] for row in rows)
        out.append(Case(KINDS.YES, f"{one} {other}", content, "y.csv", items, right, take))
    return out


def blanks() -> list[Case]:
    out = []
    for seed, (one, other, separator) in enumerate(
        (("yes", "no", ","), ("1", "0", ";"), ("true", "false", "\t"), ("Y", "N", "|"))
    ):
        names = ["milk", "eggs", "soy", "nuts", "fish", "corn"]
        rows = [draw(10 * seed + i, [one, other, ""], 6) for i in range(90)]
        content = text([["who", *names], *([f"p{i}", *row] for i, row in enumerate(rows))], separator)
        held = [row[0] for row in rows]
        out.append(Case(KINDS.BLANK, f"{one} {other}", content, "b.csv", counts("milk"),
                        {one: held.count(one), other: held.count(other)}, 0))  # fmt: skip
    return out


def none() -> list[Case]:
    out = []
    for seed, (name, words, mark, separator) in enumerate((
        ("religion", ("Christian", "Muslim", "Other"), "None", ","), ("Drug use", ("Cannabis", "Heroin"), "None", ";"),
        ("pets", ("Dog", "Cat", "Bird"), "None", "\t"), ("country", ("ZM", "BW", "ZA"), "NA", ","),
    )):  # fmt: skip
        values = draw(seed, [*words, mark, mark], 200)
        content = table([name, "g"], [values, draw(seed, "ab", 200)], separator)
        out.append(Case(KINDS.NONE, name, content, "n.csv", counts(name), counted(values), 0, name))
    return out


def spellings() -> list[Case]:
    out = []
    for seed, (name, plain, twin) in enumerate((
        ("q1", "Don't know", "Don’t know"), ("ciudad", "Málaga", unicodedata.normalize("NFD", "Málaga")),
        ("q2", "No", "No\u200b"), ("code", "1", "1.0"), ("class", "A1", "Ａ１"), ("range", "1-4", "1–4"),
        ("n", "10", "010"[1:] + ".00"),
    )):  # fmt: skip
        values = draw(seed, [plain, twin, "zz" if plain[0] not in "1" else "7"], 150)
        content = table([name, "g"], [values, draw(seed, "ab", 150)], ";")
        right = counted(plain if value == twin else value for value in values)
        out.append(Case(KINDS.SPELLING, f"{plain} {twin!a}", content, "t.csv", counts(name), right, None, name))
    cases = draw(9, ["positive", "Positive", "negative"], 150)
    content = table(["test", "g"], [cases, draw(1, "ab", 150)])
    right = {"positive or Positive": sum(value != "negative" for value in cases), "negative": cases.count("negative")}
    out.append(Case(KINDS.SPELLING, "capital letters", content, "u.csv",
                    lambda read: sorted(counts("test")(read).values()), sorted(right.values()), 0, "test"))  # fmt: skip
    return out


def orders() -> list[Case]:
    scales = {
        "view": ("Strongly disagree", "Disagree", "Neutral", "Agree", "Strongly agree"),
        "häufig": ("nie", "selten", "manchmal", "oft", "immer"),
        "avis": ("très insatisfait", "insatisfait", "satisfait", "très satisfait"),
        "acuerdo": ("muy en desacuerdo", "en desacuerdo", "de acuerdo", "muy de acuerdo"),
        "频率": ("从不", "很少", "有时", "经常", "总是"),
        "γνώμη": ("διαφωνώ απόλυτα", "διαφωνώ", "ουδέτερος", "συμφωνώ", "συμφωνώ απόλυτα"),
        "Ausmaß": ("gar nicht", "wenig", "mäßig", "sehr"),
    }
    return [
        Case(KINDS.ORDER, name, table([name, "g"], [draw(3, scale, 120), draw(1, "ab", 120)], ";"), "o.csv",
        labels(name),
             scale, None, name)
        for name, scale in scales.items()
    ]  # fmt: skip


def encodings() -> list[Case]:
    out = []
    for codec, name, words in (
        ("gb18030", "病史", ("乙肝", "糖尿病", "没有", "高血压")), ("cp1251", "пол", ("женский", "мужской", "другое")),
        ("cp1250", "płeć", ("mężczyzna", "kobieta zamężna", "dziewięć")),
        ("shift_jis", "性別", ("おとこ", "おんな", "そのほか")),
        ("cp949", "성별", ("남자", "여자", "기타")), ("cp1253", "φύλο", ("άνδρας", "γυναίκα", "άλλο")),
        ("koi8-r", "город", ("Москва", "Казань", "Пермь")),
        ("cp1252", "größe", ("groß", "schön", "für")),
    ):  # fmt: skip
        values = draw(len(name), words, 90)
        content = table([name, "n"], [values, draw(1, range(9), 90)], ",", codec)
        out.append(Case(KINDS.ENCODING, codec, content, "e.csv", counts(name), counted(values)))
    return out


def formats() -> list[Case]:
    out = []
    baskets = [sorted(set(draw(i, ["1", "2", "3", "4"], 3))) for i in range(60)]
    names = {"1": "apple", "2": "orange", "3": "red tomato", "4": "milk"}
    called = items_of([names[item] for item in basket] for basket in baskets)
    about = "@CONVERTED_FROM_TEXT\n" + "".join(f"@ITEM={code}={name}\n" for code, name in names.items())
    spmf = about + "\n".join(" ".join(basket) for basket in baskets)
    out.append(Case(KINDS.FORMAT, "spmf", spmf.encode(), "s.txt", items, called))
    ends = about + "\n".join(" ".join([*basket, "-1", "-2"]) for basket in baskets)
    out.append(Case(KINDS.FORMAT, "spmf with ends", ends.encode(), "s2.txt", items, called))
    for separator in ",;":
        values = draw(5, ["flu", "HIV"], 60)
        body = "".join(
            f'{i}{separator}"He said \\"yes{separator} sure\\" to me"{separator}{v}\n' for i, v in enumerate(values)
        )
        content = f"id{separator}comment{separator}cond\n{body}".encode()
        out.append(Case(KINDS.FORMAT, f"backslash {separator}", content, "q.csv", counts("cond"), counted(values)))
    return out


CASES = [*cells(), *yes(), *blanks(), *none(), *spellings(), *orders(), *encodings(), *formats()]
