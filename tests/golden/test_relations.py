"""Relations in the bundled data: the printed numbers of their specification, and Fox and Tracy's correlation.

The tables are counted here, from the data; n·Var and people by formulas of the engine alone.
"""

import numpy as np
import pandas as pd
import pytest

from ldpcore import data, limit, plan, relations
from ldpcore.catalog import FREQUENCY
from ldpcore.custom import CustomMechanism
from ldpcore.relations import contrast, either, share_within

BROKEN = ("Divorced", "Separated", "Widowed", "Married-spouse-absent")
STI = ("HIV", "hepatitis B", "hepatitis C", "chlamydia")


def crossed(name, x, y):
    """Counts and the labels of rows and columns; whoever left one out is not there."""
    frame = data.load(name).frame
    first, second = (pd.Series(f(frame)) for f in (x, y))
    kept = first.notna() & second.notna()
    found = pd.crosstab(first[kept].astype(str), second[kept].astype(str))
    return found.to_numpy(), list(found.index), list(found.columns)


def column(name):
    return lambda frame: frame[name].astype(object)


def joined(name, members):
    def made(frame):
        values = frame[name].astype(object)
        return values.isin(members).map({True: "yes", False: "no"}).where(values.notna())

    return made


def masks(labels, members):
    return np.array([label in members for label in labels])


def setting(name):
    """Counts, masks of marked groups and answers, and the two sides."""
    if name == "marital × income":
        counts, rows, _ = crossed("census", column("marital-status"), column("income"))
        mx = masks(rows, BROKEN)
        return counts, mx, np.array([False, True]), mx, masks(rows, ["Married-civ-spouse"])
    if name == "broken × income":
        counts, _, _ = crossed("census", joined("marital-status", BROKEN), column("income"))
        mx = np.array([False, True])
        return counts, mx, mx, mx, ~mx
    if name == "partners × STI":
        counts, rows, _ = crossed("health", column("partners"), joined("condition", STI))
        mx = masks(rows, ["2-4", "5 or more"])
        return counts, mx, np.array([False, True]), mx, ~mx
    counts, rows, _ = crossed(
        "health", column("smoking"), joined("condition", ["alcohol dependence", "drug dependence"])
    )
    mx = masks(rows, ["every day", "some days"])
    return counts, mx, np.array([False, True]), mx, ~mx


PRINTED = {
    # n, difference; then n·Var and people at power .80: open, apart and as one at ε = 1, apart and as one at ε = 2
    "marital × income": (32_561, -0.3206, (4.2201, 326), (127.08, 10_038), (161.66, 11_108), (48.03, 3_688),
                         (27.68, 1_910)),
    "broken × income": (32_561, -0.1714, (3.7478, 1_012), (69.063, 18_518), (30.592, 7_550), (14.66, 3_881),
                        (5.364, 1_399)),
    "partners × STI": (19_386, 0.0421, (4.9062, 21_433), (286.70, 1_266_234), (163.92, 747_239), (44.32, 196_044),
                       (26.12, 118_757)),
}  # fmt: skip


def design(how, mx, my, epsilon, key="uSS"):
    build, kx, ky = FREQUENCY[key].build, len(mx), len(my)
    if how == "open":
        return relations.apart(kx, build(epsilon, ky, my))
    if how == "apart":
        return relations.apart(build(epsilon / 2, kx, mx), build(epsilon / 2, ky, my))
    return relations.as_one(kx, ky, build(epsilon, kx * ky, either(mx, my)))


@pytest.mark.parametrize("name", PRINTED)
def test_the_printed_errors_and_people(name):
    counts, mx, my, one, other = setting(name)
    n, gap, *rest = PRINTED[name]
    f = counts / counts.sum()
    assert counts.sum() == n
    assert share_within(f, my, one) - share_within(f, my, other) == pytest.approx(gap, abs=5e-5)
    hows = [("open", 1.0), ("apart", 1.0), ("as one", 1.0), ("apart", 2.0), ("as one", 2.0)]
    for (how, epsilon), (error, people) in zip(hows, rest, strict=True):
        d = design(how, mx, my, epsilon)
        assert d.variance(f, my, one, other) == pytest.approx(error, rel=5e-4)
        assert plan.difference(d, f, my, one, other) == people


def test_marks_save_people_and_a_rare_answer_needs_a_million():
    counts, mx, my, one, other = setting("marital × income")
    f = counts / counts.sum()
    grr = design("apart", mx, my, 1.0, "GRR")
    assert grr.variance(f, my, one, other) == pytest.approx(4780.7, abs=0.05)
    assert plan.difference(grr, f, my, one, other) == 364_645
    counts, rows, columns = crossed("health", column("sex"), column("condition"))
    sick = masks(columns, STI)
    d = relations.apart(2, FREQUENCY["uSS"].build(1.0, len(columns), sick))
    men, women = masks(rows, ["male"]), masks(rows, ["female"])
    assert d.variance(counts / counts.sum(), sick, men, women) == pytest.approx(4.6487, abs=5e-5)
    assert plan.difference(d, counts / counts.sum(), sick, men, women) == 1_012_061


def test_raw_tables_hide_a_relation_or_turn_it_around():
    """Points of a difference in what reports name, ε = 1."""
    for name, printed in {
        "marital × income": {("apart", "uSS"): -7.6, ("as one", "uSS"): -2.1, ("as one", "uRR"): -26.3,
                             ("as one", "GRR"): 0.4},
        "partners × STI": {("apart", "uSS"): 0.3, ("as one", "uSS"): 6.1, ("as one", "uRR"): -10.4,
                           ("as one", "GRR"): 10.7},
    }.items():  # fmt: skip
        counts, mx, my, one, other = setting(name)
        for (how, key), points in printed.items():
            raw = design(how, mx, my, 1.0, key).raw(counts / counts.sum())
            assert 100 * (share_within(raw, my, one) - share_within(raw, my, other)) == pytest.approx(points, abs=0.06)


def test_who_is_told_apart():
    """Of 100 pairs, by the own report and by all: marital status, income."""
    counts, mx, my, _, _ = setting("marital × income")
    f = counts / counts.sum()
    for how, of_x, of_y in (
        ("apart", (64.9, 66.3), (69.7, 75.1)),
        ("as one", (69.1, 69.1), (70.9, 70.9)),
        ("open", (100, 100), (81.6, 90.5)),
    ):
        d = design(how, mx, my, 1.0)
        for found, printed in ((d.exposure(f, x=mx), of_x), (d.exposure(f, y=my), of_y)):
            assert (100 * found.own_report, 100 * found.all_reports) == pytest.approx(printed, abs=0.06)


@pytest.mark.parametrize(
    ("name", "floors", "over"),
    [
        ("broken × income", (22.093, 4.155, 0.423), (1.35, 1.12, 1.00)),
        ("partners × STI", (49.699, 9.326, 0.920), (3.29, 2.77, 2.09)),
        ("marital × income", (24.85, 4.678, 0.475), (6.47, 5.71, 3.93)),
    ],
)
def test_the_floor_of_a_difference(name, floors, over):
    """Certified to 1e-5; the specification's own search stopped within .1 % of it, below: 24.834, 4.677."""
    counts, mx, my, one, other = setting(name)
    f = counts / counts.sum()
    for epsilon, floor, times in zip((1.0, 2.0, 4.0), floors, over, strict=True):
        least, most = limit.best_contrast(f, either(mx, my), epsilon, contrast(f, my, one, other))
        assert least == pytest.approx(floor, rel=2e-3)
        assert least <= most <= least * (1 + 2e-5)
        error = design("as one", mx, my, epsilon).variance(f, my, one, other, "these")
        assert error / least == pytest.approx(times, abs=0.006)
        assert error >= least


def warner(p):
    return np.array([[p, 1 - p], [1 - p, p]])


def unrelated(p, u):
    return np.array([[p + (1 - p) * (1 - u), (1 - p) * u], [(1 - p) * (1 - u), p + (1 - p) * u]])


@pytest.mark.parametrize(
    ("x", "y", "ax", "ay"),
    [
        (warner(0.75), warner(0.8), 0.5, 0.6),
        (warner(0.7), unrelated(0.6, 0.3), 0.4, 0.6),
        (unrelated(0.7, 0.25), None, 0.7, 1.0),
    ],
)
def test_the_correlation_of_fox_and_tracy(x, y, ax, ay):
    """RRreg's RRcor by hand, from Fox and Tracy (1984): r of reports over a = 2p − 1 (Warner), p (UQM)."""
    d = relations.apart(CustomMechanism(x), 2 if y is None else CustomMechanism(y))
    tally = d.draw(np.array([[2000, 500], [750, 1750]]), np.random.default_rng(5), 1)[0]
    seen = tally.counts / tally.n
    lx, ly = seen[1].sum(), seen[:, 1].sum()
    r = (seen[1, 1] - lx * ly) / np.sqrt(lx * (1 - lx) * ly * (1 - ly))
    shares = d.joint(tally).shares
    px, py = shares[1].sum(), shares[:, 1].sum()
    closed = r * np.sqrt(lx * (1 - lx) * ly * (1 - ly) / (px * (1 - px) * py * (1 - py))) / (ax * ay)
    assert d.joint(tally).correlation([0, 1], [0, 1]).value == pytest.approx(closed, abs=1e-7)
