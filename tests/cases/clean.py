"""Thirty surveys as they should be, in which nothing is to be asked."""

import datetime
import random
from functools import cache

from tests.cases.case import text

_PLACES = ("Oslo", "Rome", "São Paulo", "Zürich", "Paris, 5e", "New York", "Łódź", "Kyoto")
_JOBS = ("nurse", "teacher", "engineer", "retired", "student", "self-employed, part time", "unemployed", "other")
_WHY = ("Yes, always", "Yes, sometimes", "No", "No, never", "Don't know")


def _columns(rng: random.Random, n: int) -> dict[str, list[object]]:
    """Everything that a survey may ask, by its name."""
    start = datetime.date(2024, 1, 1)
    return {
        "id": list(range(1001, 1001 + n)),
        "age": [min(94, max(18, int(rng.gauss(46, 17)))) for _ in range(n)],
        "sex": rng.choices(["female", "male", "diverse"], (50, 48, 2), k=n),
        "city": rng.choices(_PLACES, k=n),
        "job": rng.choices(_JOBS, k=n),
        "children": [min(8, int(rng.expovariate(0.8))) for _ in range(n)],
        "household": [1 + min(8, int(rng.expovariate(0.7))) for _ in range(n)],
        "q1": rng.choices(range(1, 6), (1, 2, 4, 3, 1), k=n),
        "q2": rng.choices(range(1, 8), k=n),
        "trust": rng.choices(range(0, 11), k=n),
        "income": [round(rng.lognormvariate(7.8, 0.6)) for _ in range(n)],
        "wage": [round(rng.lognormvariate(2.8, 0.4), 2) for _ in range(n)],
        "height": [round(rng.gauss(171, 9), 1) for _ in range(n)],
        "weight": [round(rng.gauss(74, 13), 1) for _ in range(n)],
        "born": [2024 - rng.randint(18, 90) for _ in range(n)],
        "change": [round(rng.gauss(0, 3)) for _ in range(n)],
        "score": [round(rng.gauss(0, 1), 3) for _ in range(n)],
        "date": [(start + datetime.timedelta(rng.randint(0, 300))).isoformat() for _ in range(n)],
        "why": rng.choices(_WHY, k=n),
        "smokes": rng.choices(["yes", "no"], k=n),
        "grade": rng.choices("ABCDEF", k=n),
        "visits": [int(rng.expovariate(0.15)) for _ in range(n)],
        "minutes": [5 * rng.randint(0, 24) for _ in range(n)],
        "share": [rng.randint(0, 100) for _ in range(n)],
        "class": rng.choices(["10a", "10b", "9a", "9c"], k=n),
        "size": rng.choices(["S", "M", "L", "XL"], k=n),
        "opinion": rng.choices(["good", "bad", "so so"], k=n),
        "slot": [
            f"{rng.choice(['Mon', 'Tue', 'Wed', 'Fri'])}/{rng.choice(['early', 'noon', 'late'])}" for _ in range(n)
        ],
        "hours": [rng.choice([20, 30, 35, 38, 40, 45, 50, 60]) for _ in range(n)],
    }


@cache
def surveys() -> list[bytes]:
    """Each with other questions, people and separators."""
    out = []
    for seed in range(30):
        rng = random.Random(seed)
        n = rng.choice([60, 150, 400, 900])
        columns = _columns(rng, n)
        asked = [name for name in columns if name == "id" or rng.random() < 0.5]
        rows = zip(*(columns[name] for name in asked), strict=True)
        out.append(text([asked, *rows], rng.choice(",;\t")))
    return out
