"""A Study of clusters: every row is the engine's own, and nobody's row depends on another's."""

from dataclasses import replace
from math import exp, inf

import numpy as np
import pytest
from pandas.testing import assert_frame_equal

from ldpcore import data, study
from ldpcore.catalog import CLUSTERINGS
from ldpcore.clusters import Records, accuracy, entropy, kmodes, nameable_beside, nearest, starting_modes
from ldpcore.rng import stream
from ldpcore.study import Marks, Source, Study, clusters, from_json, from_toml, to_json, to_toml
from ldpcore.study.clusters import compare, grading
from ldpcore.study.clusters.facts import facts
from ldpcore.study.execute import COLUMNS
from tests.laws.cluster_laws import X

NAMES = ("alpha", "beta", "gamma", "delta")
BASE = Study(
    Source("people.csv"), "beta", mechanisms=("LDPK", "DPK", "Fresh"), grid=(0.5, 2.0), repetitions=2, task="clusters",
    options=(("columns", NAMES), ("k", 3)),
)  # fmt: skip


def csv(rows=X, extra=""):
    lines = [
        ",".join([*NAMES, "weight"]),
        *(",".join([*(f"v{v}" for v in row), f"{i}.5"]) for i, row in enumerate(rows)),
    ]
    return ("\n".join(lines) + "\n" + extra).encode()


@pytest.fixture(scope="module")
def table():
    return data.read(csv(), "people.csv")


@pytest.fixture(scope="module")
def rows(table):
    return study.run(BASE, table)


def test_the_table_is_tidy(rows):
    assert list(rows.columns) == COLUMNS
    assert not rows.duplicated(["mechanism", "x", "repetition", "metric", "scope"]).any()
    assert set(rows["x"]) == {0.5, 1.0, 2.0}
    assert set(rows["metric"]) == {"ac", "entropy", "rounds", "bytes per person", "bits", "guessed"}
    guessed = rows[rows["metric"] == "guessed"]
    assert set(guessed["x"]) == {1.0}
    assert set(guessed["mechanism"]) == {"LDPK", "Fresh"}
    assert set(guessed["scope"]) == set(NAMES)
    assert rows["value"].notna().all()
    assert rows["theory"].isna().all()


def test_rows_are_the_engines(rows, table):
    records = Records.of(X, (3, 4, 2, 3))
    assert clusters.prepare(BASE, table).records.codes.tolist() == records.codes.tolist()
    for key in BASE.mechanisms:
        for x in (0.5, 1.0, 2.0):
            for repetition in (0, 1):
                start = starting_modes(records.levels, 3, stream(7, "start", 3, repetition))
                true = kmodes(records, 3, stream(0), start=start)
                found = CLUSTERINGS[key].run(records, 3, x, stream(7, key, x, repetition), start=start)
                here = rows[(rows["mechanism"] == key) & (rows["x"] == x) & (rows["repetition"] == repetition)]
                value = here.set_index(["metric", "scope"])["value"]
                assert value["ac", "all"] == pytest.approx(accuracy(found.labels, true.labels))
                assert value["entropy", "all"] == pytest.approx(entropy(found.labels, true.labels))
                assert value["rounds", "all"] == found.rounds
                spoken = sum(m.count * m.bytes for m in found.messages if m.sender == "user")
                assert value["bytes per person", "all"] == spoken / len(X)


def test_nobodys_rows_depend_on_another(rows, table):
    alone = study.run(replace(BASE, mechanisms=("Fresh",)), table)
    expected = rows[rows["mechanism"] == "Fresh"].reset_index(drop=True)
    assert_frame_equal(alone, expected)


@pytest.mark.parametrize(("write", "read"), [(to_toml, from_toml), (to_json, from_json)])
def test_it_comes_back_from_a_file(write, read):
    assert read(write(BASE)) == BASE


def test_on_the_axis_n_everybody_answers_once_or_all_as_often(table):
    people = clusters.prepare(BASE, table)
    rng = stream(1)
    few, many = clusters.asked(people.records, 500, rng), clusters.asked(people.records, 7000, rng)
    assert (few.n, many.n) == (500, 7000)
    whole = {
        tuple(code): count for code, count in zip(people.records.codes.tolist(), people.records.counts, strict=True)
    }
    for records, copies in ((few, 0), (many, 2)):
        for code, count in zip(records.codes.tolist(), records.counts, strict=True):
            assert copies * whole[tuple(code)] <= count <= (copies + 1) * whole[tuple(code)]
    here = replace(BASE, axis="n", grid=(100.0, 5000.0), mechanisms=("DPK",))
    assert set(study.run(here, table)["x"]) == {100.0, 3000.0, 5000.0}


def test_on_the_axis_k_each_number_has_its_own_start(table):
    here = replace(BASE, axis="k", grid=(1.0, 5.0), mechanisms=("DPK",))
    frame = study.run(here, table)
    assert set(frame["x"]) == {1.0, 3.0, 5.0}
    one = frame[(frame["x"] == 1) & (frame["metric"] == "ac")]
    assert (one["value"] == 1).all()
    people = clusters.prepare(here, table)
    assert clusters.cell(here, people, 5.0, 0).start.shape == (5, 4)


def test_columns_default_to_all_categories(table):
    free = replace(BASE, options=())
    assert clusters.prepare(free, table).columns == NAMES


def test_missing_answers():
    table = data.read(csv(X[:50], "v0,,v1,v2,1.5\nv0,v1,v1,v2,\n"), "people.csv")
    counted = {
        missing: clusters.prepare(replace(BASE, missing=missing), table) for missing in ("any", "column", "category")
    }
    assert [people.n for people in counted.values()] == [50, 51, 52]
    assert [people.dropped for people in counted.values()] == [2, 1, 0]
    with_category = counted["category"]
    assert with_category.domains[1].labels[-1] == "(missing)"
    assert with_category.records.levels[1] == counted["any"].records.levels[1] + 1 == with_category.domains[1].k
    last = with_category.records.codes[:, 1] == with_category.domains[1].k - 1
    assert with_category.records.counts[last].tolist() == [1]


def test_thinned_records_have_no_people_to_label(table):
    records = clusters.asked(clusters.prepare(BASE, table).records, 10, stream(1))
    found = kmodes(records, 2, stream(1))
    assert np.array_equal(found.labels, nearest(records, found.modes))


MARKED = replace(
    BASE, marks=Marks((("beta = v1", "sensitive"), ("delta = v0", "sensitive"), ("delta = v2", "secret"))),
    mechanisms=("Graded", "LDPK-open"), secret_epsilon=0.4, grid=(),
)  # fmt: skip
OWN = (inf, 1.0, inf, 0.4)


def test_a_column_with_a_marked_answer_is_protected_whole(table):
    assert grading.levels(MARKED, NAMES) == {"beta": "sensitive", "delta": "secret"}
    assert grading.epsilons(MARKED, NAMES, 1.0) == OWN
    assert grading.epsilons(MARKED, NAMES, 0.3) == (inf, 0.3, inf, 0.3)
    rows, records = study.run(MARKED, table), Records.of(X, (3, 4, 2, 3))
    for key in MARKED.mechanisms:
        here = rows[(rows["mechanism"] == key) & (rows["repetition"] == 1)].set_index(["metric", "scope"])["value"]
        start, entry = starting_modes(records.levels, 3, stream(7, "start", 3, 1)), CLUSTERINGS[key]
        found = entry.run(records, 3, 1.0, stream(7, key, 1.0, 1), start=start, epsilons=OWN)
        true = kmodes(records, 3, stream(0), start=start)
        assert here["ac", "all"] == accuracy(found.labels, true.labels)
        named = entry.attack(records, found, 1.0, stream(7, "attack", key, 1.0, 1), epsilons=OWN)
        assert [here["guessed", name] for name in NAMES] == named.tolist()
        assert (here["guessed", "alpha"], here["guessed", "gamma"]) == (1.0, 1.0), "these are open"


def test_marks_of_columns_that_are_no_part_of_a_record_are_left_out(table):
    fitted, refused = clusters.fit(MARKED.with_options(columns=("alpha", "beta")), table)
    assert fitted.marks == Marks.of(["beta = v1"])
    assert "Marked are delta = v0, delta = v2" in refused[0].what
    kept, refused = clusters.fit(MARKED, table)
    assert (kept.marks, refused) == (MARKED.marks, ())


def test_what_the_open_columns_tell_is_counted(table):
    """The commonest value of beta beside each pair of open answers: 6 000 people at most, within 4 standard errors."""
    people = clusters.prepare(MARKED, table)
    cells = {}
    for alpha, beta, gamma, _ in X.tolist():
        cells.setdefault((alpha, gamma), []).append(beta)
    best = sum(max(map(own.count, range(4))) for own in cells.values()) / len(X)
    found = compare.open_limits(MARKED, people, "beta")
    assert found.blind == pytest.approx(best, abs=0.03)
    assert found.promised == pytest.approx(nameable_beside(found.blind, 1.0))
    assert found.promised < exp(1) * found.blind / (1 + (exp(1) - 1) * found.blind), "not how sure one is of one"
    assert compare.open_limits(MARKED, people, "alpha") == compare.Limits(1.0, 1.0)
    every = replace(MARKED, marks=Marks.of([f"{name} = v0" for name in NAMES]))
    assert compare.open_limits(every, people, "beta") == compare.limits(people, "beta", 1.0)
    with pytest.raises(
        ValueError, match="'nowhere' is not among the columns of the records, alpha, beta, gamma, delta"
    ):
        compare.open_limits(MARKED, people, "nowhere")
    known = facts(MARKED, people)
    assert (known.seen, known.graded, known.best) == (found.blind, known.parts["Graded"], None)
    assert np.isnan(facts(BASE, people).seen)
