"""Numbers that stand for no answer, and numbers that are written in many ways."""

from tests.cases.case import KINDS, Case, counted, counts, draw, mean, mean_of, table


def missing() -> list[Case]:
    out = []
    for seed, (name, valid, codes, separator) in enumerate((
        ("hours online", range(0, 15), (77, 99), ","), ("Schuljahre", range(4, 19), (97, 98, 99), ";"),
        ("revenu", range(700, 4100), (9998, 9999), "\t"), ("confiance", range(0, 11), (88, 99), ";"),
        ("edad", range(18, 81), (99,), ","), ("Kinder", range(0, 7), (-1, -9), ";"), ("horas", range(1, 60),
        (-8, -1, -2), ","),
        ("satisfaction", range(1, 6), (8, 9), "|"), ("genhlth", range(1, 5), (7, 9), ","),
        ("Lohn", range(8, 60), (-1,), ";"),
        ("weight2", range(300, 1200), (9994, 9995, 9998), ","),
    )):  # fmt: skip
        values = draw(seed, valid, 300) + draw(seed + 50, codes, 40)
        order = draw(seed, range(340), 340)
        shuffled = [values[i] for i in sorted(range(340), key=lambda i, order=order: (order[i], i))]
        content = table([name, "g"], [shuffled, draw(seed + 9, "abc", 340)], separator)
        right = mean_of(value for value in shuffled if value not in codes)
        out.append(Case(KINDS.MISSING, name, content, f"{seed}.csv", mean(name), right, 0, name))
    words = draw(4, ["teacher", "nurse", "unknown", "baker"], 120)
    right = counted(word for word in words if word != "unknown")
    out.append(Case(KINDS.MISSING, "a word", table(["job", "x"], [words, draw(1, "ab", 120)]), "w.csv",
    counts("job"), right,
                    0, "job"))  # fmt: skip
    return out


def recode() -> list[Case]:
    out = []
    for seed, (name, top, none, others, separator) in enumerate((
        ("bad days", 30, 88, (77, 99), ","), ("Krankheitstage", 30, 88, (), ";"), ("jours", 14, 98, (99,), "\t"),
        ("cigarettes", 40, 888, (777, 999), "|"), ("verres", 20, 97, (98, 99), ";"),
    )):  # fmt: skip
        values = draw(seed, range(1, top + 1), 150) + [none] * 130 + draw(seed, others, 20 if others else 0)
        content = table([name, "sex"], [values, draw(seed, "mf", len(values))], separator)
        right = mean_of(0 if value == none else value for value in values if value not in others)
        out.append(Case(KINDS.RECODE, name, content, "r.csv", mean(name), right, 0, name))
    return out


def written() -> list[Case]:
    out = []
    numbers = [value / 100 for value in draw(3, range(10_000, 900_000), 160)]
    whole = draw(4, range(5, 80), 160)
    swiss = [f"CHF {value:,.2f}".replace(",", "'") for value in numbers]
    brazil = [f"R$ {value:,.2f}".translate(str.maketrans(",.", ".,")) for value in numbers]
    for name, cells, right, separator in (
        ("lohn", swiss, numbers, ";"), ("renda", brazil, numbers, ";"), ("kg", [f"{n} kg" for n in whole], whole, ","),
        ("年齢", [f"{n}歳" for n in whole], whole, ","), ("prix", [f"{n} EUR" for n in whole], whole, "\t"),
        ("score", [f"{n}*" if n % 4 == 0 else n for n in whole], whole, ","),
        ("note", [f"{n}†" if n % 3 == 0 else n for n in whole], whole, ";"),
        ("alter", [f"{n:02}" for n in whole], whole, ";"), ("age", [f"{n:02}" for n in range(1, 99)] + whole[:62],
                                                              [*range(1, 99), *whole[:62]], ","),
        ("年龄", [str(n).translate({48 + i: 0xFF10 + i for i in range(10)}) for n in whole], whole, ","),
        ("العمر", [str(n).translate({48 + i: 0x660 + i for i in range(10)}) for n in whole], whole, ","),
        ("उम्र", [str(n).translate({48 + i: 0x966 + i for i in range(10)}) for n in whole], whole, "\t"),
    ):  # fmt: skip
        content = table([name, "g"], [cells, draw(8, "ab", 160)], separator)
        out.append(Case(KINDS.NUMBERS, f"{name} written", content, "n.csv", mean(name), mean_of(right), None, name))
    others = ["refused", "don't know", "inapplicable", "not asked", "left blank"]
    mixed = [*whole, *draw(6, others, 40)]
    content = table(["years", "g"], [mixed, draw(8, "ab", 200)])
    out.append(Case(KINDS.NUMBERS, "five codes in words", content, "c.csv", mean("years"), mean_of(whole), 0, "years"))
    return out


def decimals() -> list[Case]:
    out = []
    for seed, (name, mark, _other) in enumerate((
        ("income", ",", "."), ("Gehalt", ",", "."), ("salaire", ",", "."), ("precio", ",", "."),
    )):  # fmt: skip
        values = draw(seed, range(1000, 9999), 60)
        cells = [f"{value // 1000}{mark}{value % 1000:03}" for value in values]
        content = table([name, "g"], [cells, draw(seed, "ab", 60)], "\t")
        right = mean_of(value / 1000 for value in values)
        out.append(Case(KINDS.DECIMAL, name, content, "d.tsv", mean(name), right, 0, name))
    return out


def percents() -> list[Case]:
    out = []
    for name, sign, bare in (
        ("share", "{}%", "{}"),
        ("Anteil", "{} %", "{}"),
        ("part", "{}%", "0.0{}"),
        ("cuota", "{} %", "0.0{}"),
    ):
        values = draw(len(name), range(2, 10), 80)
        cells = [sign.format(value) if i % 2 else bare.format(value) for i, value in enumerate(values)]
        content = table([name, "g"], [cells, draw(5, "ab", 80)])
        out.append(Case(KINDS.PERCENT, name, content, "p.csv", mean(name), mean_of(values), None, name))
    return out


def codes() -> list[Case]:
    out = []
    for seed, (name, separator) in enumerate(
        (("STATEFIP", ","), ("PLZ", ";"), ("Code postal", "\t"), ("occ", ","), ("ISCO", "|"))
    ):
        values = draw(seed, [seed * 7 + 3 * i + 10 for i in range(30)], 200)
        content = table([name, "g"], [values, draw(seed, "ab", 200)], separator)
        out.append(Case(KINDS.CODES, name, content, "k.csv", counts(name), counted(values), 0, name))
    return out


def dated() -> list[Case]:
    out = []
    for seed, (name, separator) in enumerate((("interview_date", ","), ("Datum", ";"), ("fecha", "\t"), ("日期", ","))):
        days = [20230000 + 100 * month + day for month in range(1, 13) for day in (3, 14, 27)]
        values = draw(seed, days, 150)
        content = table([name, "g"], [values, draw(seed, "ab", 150)], separator)
        out.append(Case(KINDS.DATES, name, content, "t.csv", counts(name), counted(values), 0, name))
    return out


def times() -> list[Case]:
    """Hours and minutes in several spellings; the first alternative counts hours, the second minutes."""
    out = []
    for seed, (name, spelt, step, separator, take) in enumerate((
        ("sleep", lambda h, m, _: f"{h}:{m:02}", 30, ",", 0),
        ("arrival", lambda h, m, s: f"{h:02}:{m:02}:{s:02}", 1, ";", 1),
        ("durée", lambda h, m, _: f"{h}h{m:02}", 5, ";", 0), ("Arbeit", lambda h, m, _: f"{h} h {m} min", 10, "\t", 1),
        ("commute", lambda h, m, _: f"{m + 1} min" if h < 4 else f"{h}h", 1, ",", 1),
        ("bedtime", lambda h, m, _: f"{h % 12 or 12}:{m:02} {'ap'[h >= 12]}m", 15, "|", 0),
        ("睡眠", lambda h, m, _: f"{h}小时{m}分", 15, ",", 0), ("slaap", lambda h, m, _: f"{h}u{m:02}", 5, ";", 1),
        ("sen", lambda h, m, _: f"{h} godz. {m} min", 10, "\t", 0),
    )):  # fmt: skip
        hours, minutes = draw(seed, range(1, 24), 200), draw(seed + 20, range(0, 60, step), 200)
        seconds = draw(seed + 40, range(60), 200) if name == "arrival" else [0] * 200
        cells = [spelt(*each) for each in zip(hours, minutes, seconds, strict=True)]
        sizes = [h + m / 60 + s / 3600 for h, m, s in zip(hours, minutes, seconds, strict=True)]
        if name == "commute":
            sizes = [(m + 1) / 60 if h < 4 else h for h, m in zip(hours, minutes, strict=True)]
        right = mean_of(round(size * (60 if take else 1), 6) for size in sizes)
        content = table([name, "g"], [cells, draw(seed, "abc", 200)], separator)
        out.append(Case(KINDS.NUMBERS, name, content, "t.csv", mean(name), right, take, name))
    return out


CASES = [*missing(), *recode(), *written(), *decimals(), *percents(), *codes(), *dated(), *times()]
