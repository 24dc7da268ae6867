"""Files invented anew to audit the reader: other words, languages and dialects of the same kinds."""

from ldpcore.data import Table
from tests.cases.case import (
    KINDS,
    Case,
    counted,
    counts,
    draw,
    items,
    items_of,
    labels,
    mean,
    mean_of,
    people,
    table,
    text,
)

N = 120
AGES, SEXES = draw(51, range(18, 80), N), draw(52, "fm", N)


def weights() -> list[Case]:
    """Names that only the weight of a survey has, and one that a body has, too, which is left alone."""
    sizes = [round(200 + size * 1.7, 2) for size in draw(53, range(900), N)]
    right = {
        sex: N * sum(size for size, each in zip(sizes, SEXES, strict=True) if each == sex) / sum(sizes) for sex in "fm"
    }

    def measured(read: Table) -> dict[str, float]:
        column = read.categorical("sex", "column")
        return {
            label: round(float(share) * N, 6) for label, share in zip(column.domain.labels, column.freq, strict=True)
        }

    return [
        Case(KINDS.WEIGHTS, name, table(["sex", name], [SEXES, sizes], separator), "w.csv", measured,
             {sex: round(value, 6) for sex, value in right.items()}, 0, name)
        for name, separator in (("pweight", ","), ("Hochrechnungsfaktor", ";"), ("factor de ponderacion", "\t"),
                                ("pondere", ","))
    ]  # fmt: skip


def receipts() -> list[Case]:
    """Lines of receipts, whose numbers count up from nothing, in files that call them otherwise."""
    goods = ["chleb", "mleko", "ser", "piwo", "jajka"]
    lists = [draw(60 + i, goods, 2 + i % 4) for i in range(60)]
    rows = [(i, good) for i, each in enumerate(lists) for good in each]
    out = [
        Case(KINDS.LAYOUT, "paragon", text([["nr_paragonu", "produkt"], *rows], ";"), "p.csv", items, items_of(lists)),
        Case(KINDS.LAYOUT, "InvoiceNo", text([["InvoiceNo", "Description", "Quantity"],
                                              *([500 + i, good.upper(), 1 + i % 3] for i, good in rows)]),
             "i.csv", items, items_of([good.upper() for good in each] for each in lists)),
    ]  # fmt: skip
    many = [f"word {letter}" for letter in "abcdefgh"]
    lists = [draw(160 + i, many, 2 + i % 4) for i in range(60)]
    rows = [(i + 1, good) for i, each in enumerate(lists) for good in each]
    out.append(Case(KINDS.LAYOUT, "counts up", text([["x", "y"], *rows]), "xy.csv", items, items_of(lists)))
    return out


def names_below() -> list[Case]:
    """A column called as one of its answers."""
    moods = draw(54, ["zufrieden", "sehr zufrieden", "unzufrieden"], N)
    content = table(["g", "zufrieden"], [SEXES, moods], ";")
    bare = text([*zip(SEXES, moods, strict=True)], ";")
    return [
        Case(KINDS.HEADER, "called as an answer", content, "z.csv", counts("zufrieden"), counted(moods)),
        Case(KINDS.HEADER, "called so, and a person", content, "z.csv", people, N + 1, 0),
        Case(KINDS.HEADER, "no names", bare, "z.csv", counts("column 2"), counted(moods)),
    ]


def other_sums() -> list[Case]:
    rows = [[f"R{i}", 10 + i] for i in range(20)]
    out = [
        Case(KINDS.LINES, word, text([["region", "visits"], *rows, [word, 7_777]], separator), "r.csv", people, 20, 0)
        for word, separator in (("Total", ","), ("Gesamt", ";"), ("Итого", "\t"))
    ]
    kept = text([["region", "visits"], *rows, ["Razem", 7_777]])
    return [*out, Case(KINDS.LINES, "kept", kept, "r.csv", people, 21)]


def spellings() -> list[Case]:
    towns = draw(55, ["Orléans", "Orleans", "Tours"], N)
    steps = draw(56, ["18-24", "18–24", "25-34", "25 - 34"], N)
    plain = [step.replace("–", "-").replace(" ", "") for step in steps]
    return [
        Case(KINDS.SPELLING, "accents", table(["town", "n"], [towns, AGES]), "t.csv",
             lambda read: sorted(counts("town")(read).values()),
             sorted(counted(town.replace("é", "e") for town in towns).values()), 0, "town"),
        Case(KINDS.SPELLING, "blanks around a dash", table(["step", "n"], [steps, AGES]), "s.csv",
             lambda read: sorted(counts("step")(read).values()), sorted(counted(plain).values()), 1, "step"),
    ]  # fmt: skip


def no_answers() -> list[Case]:
    """Words for "not said"."""
    out = []
    for seed, word in enumerate(("keine Angabe", "refused", "нет данных", "无回答", "ns/nc")):
        cells = draw(70 + seed, ["a", "b", word], N)
        right = counted(cell for cell in cells if cell != word)
        out.append(Case(KINDS.MISSING, word, table(["q", "n"], [cells, AGES]), "q.csv", counts("q"), right, 0, "q"))
    return out


def selected() -> list[Case]:
    """What KoboToolbox and ODK write of a question with several answers."""
    lists = [draw(80 + i, ["cough", "fever", "rash", "none_of_these"], 1 + i % 3) for i in range(N)]
    cells = [" ".join(dict.fromkeys(each)) for each in lists]
    content = table(["age", "symptoms"], [AGES, cells])
    return [Case(KINDS.CELLS, "blanks", content, "k.csv", items, items_of(lists), None, "symptoms")]


def dialects() -> list[Case]:
    """ARFF and Markdown: lines that say how the table is written are no people."""
    attributes = "@RELATION t\n% made\n\n@attribute 'my age' numeric\n@attribute sex {f,m}\n\n@DATA\n"
    arff = attributes + "".join(f"{age},'{sex}'\n" for age, sex in zip(AGES, SEXES, strict=True))
    dashes = "| my age | sex |\n|:---|---:|\n"
    down = dashes + "".join(f"| {age} | {sex} |\n" for age, sex in zip(AGES, SEXES, strict=True))
    return [
        Case(KINDS.FORMAT, "ARFF", arff.encode(), "t.arff", mean("my age"), mean_of(AGES)),
        Case(KINDS.FORMAT, "ARFF answers", arff.encode(), "t.arff", counts("sex"), counted(SEXES)),
        Case(KINDS.FORMAT, "Markdown", down.encode(), "t.markdown", mean("my age"), mean_of(AGES)),
        Case(KINDS.FORMAT, "Markdown answers", down.encode(), "t.markdown", counts("sex"), counted(SEXES)),
    ]


def schooling() -> list[Case]:
    right = ("primary", "secondary", "bachelor", "phd")
    steps = draw(57, right, N)
    return [Case(KINDS.ORDER, "schooling", table(["s", "n"], [steps, AGES]), "s.csv", labels("s"), right, None, "s")]


CASES = [
    *weights(), *receipts(), *names_below(), *other_sums(), *spellings(), *no_answers(), *selected(), *dialects(),
    *schooling(),
]  # fmt: skip
