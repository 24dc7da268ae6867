"""Troubles found by inventing files of the kinds that the issue names, after these were read right."""

import json

import pandas as pd

from ldpcore.data import Table
from tests.cases.case import KINDS, Case, counted, counts, draw, items, items_of, mean, mean_of, people, table, text

N = 120
AGES, SEXES = draw(1, range(18, 80), N), draw(2, "fm", N)


def blanks() -> list[Case]:
    """Columns that blanks separate: printed, and as R writes them, with a decimal comma and line ends in quotes."""
    made = pd.DataFrame({"age": AGES, "sex": SEXES, "wage": [age * 101 for age in AGES]})
    cities = ["New York" if age % 2 else "Os\nlo" for age in AGES]
    kilos = [f"{age / 4:.2f}".replace(".", ",") for age in AGES]
    of_r = ['"age" "city" "kg"', *(f'"{i}" {AGES[i]} "{cities[i]}" {kilos[i]}' for i in range(N))]
    bare = ["age sex kg", *(f"{age}  {sex} {age / 4:.2f}" for age, sex in zip(AGES, SEXES, strict=True))]
    return [
        Case(KINDS.FORMAT, "printed", made.to_string().encode(), "p.txt", mean("wage"), mean_of(a * 101 for a in AGES)),
        Case(KINDS.FORMAT, "write.table", "\n".join(of_r).encode(), "r.txt", mean("kg"),
             mean_of(round(age / 4, 2) for age in AGES)),
        Case(KINDS.FORMAT, "without quotes", "\n".join(bare).encode(), "b.dat", counts("sex"), counted(SEXES)),
    ]  # fmt: skip


def ticks() -> list[Case]:
    out = []
    for seed, (mark, separator) in enumerate((("X", ","), ("x", ";"), ("✓", "\t"), ("1", ","))):
        names = ["asthma", "diabetes", "cancer", "HIV", "flu", "gout"]
        rows = [draw(10 * seed + i, [mark, "", ""], 6) for i in range(90)]
        content = text([["who", *names], *([f"p{i}", *row] for i, row in enumerate(rows))], separator)
        right = items_of([name for name, cell in zip(names, row, strict=True) if cell] for row in rows)
        out.append(Case(KINDS.BLANK, f"ticks {seed}", content, "t.csv", items, right))
    return out


def sums_and_shares() -> list[Case]:
    """Tables of counts with rows that sum up others, or with their percents."""
    first, second = ("N", "E", "S", "W"), ("f", "m")
    parts = {(a, b): 10 + 7 * i for i, (a, b) in enumerate((a, b) for a in first for b in second)}
    total = sum(parts.values())
    out = []
    for word, separator in (("total", ","), ("Gesamt", ";")):
        rows = [[a, b, parts[a, b]] for a in first for b in second]
        rows += [[a, word, sum(parts[a, b] for b in second)] for a in first]
        right = {b: sum(parts[a, b] for a in first) for b in second}
        out.append(Case(KINDS.COUNTS, word, text([["area", "sex", "people"], *rows], separator), "s.csv",
                        counts("sex"), right, 0, "people"))  # fmt: skip
    for form, separator in (("{:.1%}", ","), ("{:.3f}", "\t")):
        rows = [[a, b, n, form.format(n / total)] for (a, b), n in parts.items()]
        content = text([["area", "sex", "N", "share"], *rows], separator)
        out.append(Case(KINDS.COUNTS, form, content, "p.csv", people, total, 0, "N"))
    return out


def both_marks() -> list[Case]:
    sizes = [round(value / 7, 1) for value in draw(3, range(300, 900), N)]
    cells = [f"{size:.1f}".replace(".", "," if i % 2 else ".") for i, size in enumerate(sizes)]
    content = table(["kg", "sex"], [cells, SEXES], ";")
    return [Case(KINDS.NUMBERS, "both marks", content, "m.csv", mean("kg"), mean_of(sizes), 0, "kg")]


def twins() -> list[Case]:
    out = []
    for one, other in (("R&D", "R&amp;D"), ("don't know", "don&#39;t know"), ("½", "1/2")):
        given = draw(4, [one, other, "no"], N)
        right = {"one": sum(cell != "no" for cell in given), "no": given.count("no")}

        def measured(read: Table) -> dict[str, int]:
            answers = counts("q")(read)
            return {"one": sum(n for label, n in answers.items() if label != "no"), "no": answers["no"]} | (
                {"several": 1} if len(answers) > 2 else {}
            )

        content = table(["q", "age"], [given, AGES])
        out.append(Case(KINDS.SPELLING, other, content, "t.csv", measured, right, None, "q"))
    given = draw(5, ["1 - never", "1", "2 - often", "2", "3"], N)
    right = counted({"1": "1 - never", "2": "2 - often"}.get(cell, cell) for cell in given)
    content = table(["q", "age"], [given, AGES])
    return [*out, Case(KINDS.SPELLING, "with labels", content, "l.csv", counts("q"), right, 0, "q")]


def around() -> list[Case]:
    units = table(["weight", "height", "sex"], [["kg", *AGES], ["cm", *(a + 100 for a in AGES)], ["", *SEXES]])
    footer = table(["age", "sex"], [AGES, SEXES]) + b"n = 120,\n"
    weighted = table(["sex", "pw"], [SEXES, [age * 31 for age in AGES]])
    return [
        Case(KINDS.HEADER, "units", units, "u.csv", people, N),
        Case(KINDS.LINES, "n =", footer, "n.csv", people, N),
        Case(KINDS.WEIGHTS, "pw", weighted, "w.csv", lambda read: read.profiles["pw"].role, "weight", 0, "pw"),
    ]


def rows_of_answers() -> list[Case]:
    """Every row is one answer of a person, with gaps, and what is the person's. And tables on their side."""
    asked = {
        "smokes": ["yes", "no"],
        "age": range(18, 80),
        "income": ["low", "mid", "high"],
        "HIV": ["no", "no", "yes"],
    }
    given = {question: draw(20 + i, list(values), 60) for i, (question, values) in enumerate(asked.items())}
    names = [("respondent", "question", "answer"), ("Teilnehmer", "Frage", "Antwort"), ("id", "variable", "value")]
    out = []
    for (who, question, answer), separator in zip(names, ",;\t", strict=True):
        rows = [[f"P{i:03}", each, given[each][i]] for i in range(60) for each in asked]
        content = text([[who, question, answer], *rows], separator)
        out.append(Case(KINDS.PEOPLE, question, content, "a.csv", mean("age"), mean_of(given["age"]), 0, who))
    gaps = [
        [f"P{i:03}", "fm"[i % 2], each, given[each][i]] for i in range(60) for each in asked if (i, each) != (7, "age")
    ]
    content = text([["id", "sex", "item", "response"], *gaps])
    out.append(Case(KINDS.PEOPLE, "with gaps", content, "g.csv", mean("age"),
                    mean_of(age for i, age in enumerate(given["age"]) if i != 7), 0, "id"))  # fmt: skip
    out.append(Case(KINDS.PEOPLE, "beside what is the person's", content, "s.csv", counts("sex"),
                    counted("fm"[i % 2] for i in range(60)), 0, "id"))  # fmt: skip
    for start, separator in (("P", ","), ("", ";"), ("Person ", "\t")):
        rows = [[each, *given[each]] for each in asked]
        content = text([["question", *(f"{start}{i}" for i in range(1, 61))], *rows], separator)
        out.append(Case(KINDS.PEOPLE, f"on its side {start}", content, "t.csv", mean("age"), mean_of(given["age"]), 0))
    return out


CASES = [*blanks(), *ticks(), *sums_and_shares(), *both_marks(), *twins(), *around(), *rows_of_answers()]
GROUPS = json.dumps([
    {"age": age, "meds": [{"name": drug} for drug in ("PrEP", "aspirin")[: age % 3]]} for age in AGES
]).encode()  # fmt: skip
"""A form with a group that repeats, as KoboToolbox exports it."""
