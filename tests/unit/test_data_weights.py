"""Columns of weights: chosen, checked, rounded, carried; never a question, never a mark; a count is none."""

from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from ldpcore import cli, data
from ldpcore.data import DataError, ReadOptions, weighing
from ldpcore.data.differences import difference
from ldpcore.data.uncountable import unusable
from ldpcore.study import Marks, Source, Study, execute, from_toml, review, tasks, to_toml
from ldpcore.study.review.attack import strongest
from ldpcore.study.weights import notes as said
from ldpcore.study.weights import used

WEIGHED = ReadOptions().with_column("finalwt", role="weight")
ROWS = [("flu", "f", 0.5), ("none", "m", 2.0), ("none", "f", 0.5), ("HIV", "m", 2.0), ("flu", "f", 1.0)] * 20


def content(rows=ROWS, name: str = "finalwt") -> bytes:
    return f"answer,sex,{name}\n".encode() + "".join(",".join(map(str, row)) + "\n" for row in rows).encode()


def read(rows=ROWS, options: ReadOptions = WEIGHED) -> data.Table:
    return data.read(content(rows), "s.csv", options)


def test_nothing_happens_unasked_and_the_check_says_what_it_would_do():
    table = read(options=ReadOptions())
    assert table.weights is None
    assert table.categorical("answer").weighing is None
    (asked,) = [each for each in table.assumptions if each.kind == "weights"]
    assert asked.is_open
    assert "Were these weights fixed before the answer was known?" in asked.sentence
    assert [each.label for each in asked.alternatives] == ["use it", "use it, rounded to 10 classes", "it is an answer"]
    taken = read(options=asked.alternatives[0].options)
    assert taken.weights is not None
    changed = difference(table, taken, ["finalwt"])
    assert changed is not None
    assert (changed.column, changed.people) != ("finalwt", None)
    shares = {"f": 2.0 / 6.0, "m": 4.0 / 6.0}
    assert changed.answer in shares
    assert (changed.before, changed.after) == pytest.approx(
        (0.6 if changed.answer == "f" else 0.4, shares[changed.answer])
    )
    left = read(options=asked.alternatives[2].options)
    assert left.weights is None
    assert left.profiles["finalwt"].countable


def test_shares_are_those_of_weights_and_of_those_who_count():
    table = read()
    counted = table.categorical("answer")
    assert dict(zip(counted.domain.labels, counted.freq.tolist(), strict=True)) == pytest.approx(
        {"flu": 1.5 / 6, "none": 2.5 / 6, "HIV": 2 / 6}
    )
    assert counted.weighing.effective == pytest.approx(100 * 6.0**2 / (5 * 9.5))
    first = read([("", "f", 3.0), ("", "m", 0.1), *ROWS])
    assert first.categorical("answer", "column").freq == pytest.approx(counted.freq), "weights stay with their rows"
    holes = [*ROWS, ("", "f", 5.0)]
    table = read(holes)
    assert table.categorical("answer", "column").freq == pytest.approx(counted.freq)
    everybody = table.categorical("answer", "category")
    assert everybody.freq[-1] == pytest.approx(5 / 125)
    assert everybody.n == everybody.weighing.n == 101


def test_binned_numbers_are_weighed_too():
    lines = "".join(f"{x},{w}\n" for x, w in zip([*range(40), ""], [*([3.0] * 20 + [1.0] * 20), 2.0], strict=True))
    table = data.read(b"age,wt\n" + lines.encode(), "a.csv", ReadOptions().with_column("wt", role="weight"))
    assert table.binned("age", 0, 40, 2, "column").freq == pytest.approx([0.75, 0.25])
    assert table.binned("age", 0, 40, 2, "category").freq == pytest.approx([60 / 82, 20 / 82, 2 / 82])
    assert table.binned("age", 0, 40, 2, "category").weighing.n == 41


def test_a_weight_is_no_question_of_any_task():
    table = read()
    assert table.profiles["finalwt"].role == "weight"
    assert not table.profiles["finalwt"].countable
    assert unusable(table.profiles["finalwt"]) is not None
    assert not table.sentinels()
    for name, task in tasks.TASKS.items():
        assert "finalwt" not in task.columns(table), name
    asked = Study(Source.of(table), "finalwt", Marks.of(["0.5"]))
    study, refused = tasks.fit(asked, table)
    assert study.column == "answer"
    assert not study.marks
    assert refused


@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        (["a", "b", "c"], "It holds text"),
        ([1, -2, 3], "Weight 2 is -2: weights are finite and not negative; leave the person out instead"),
        ([0, 0, 0], "All weights are 0, so there is nobody to estimate from"),
    ],
)
def test_what_is_no_weight_is_refused_in_words(weights, sentence):
    rows = [("flu", "f", w) for w in weights] + [("none", "m", w) for w in weights]
    with pytest.raises(DataError, match=sentence) as error:
        read(rows)
    assert "“finalwt” is no weight." in str(error.value)


def test_nobody_left_with_a_weight_is_said():
    rows = [("flu", "f", 0), ("none", "m", 0), ("", "f", 2), ("", "m", 1)] * 5
    with pytest.raises(DataError, match="Nobody who is left has a weight"):
        read(rows).categorical("answer", "column")


def test_rows_without_a_weight_are_left_out_and_a_second_column_is_not_used():
    table = read([*ROWS, ("flu", "f", ""), ("HIV", "m", "")])
    assert len(table.frame) == len(ROWS)
    assert any(note.startswith("2 rows without a weight") for note in table.notes)
    both = data.read(
        b"a,w1,w2\nx,1,5\ny,2,1\nx,1,5\n", "t.csv",
        ReadOptions().with_column("w2", role="weight").with_column("w1", role="weight"),
    )  # fmt: skip
    assert both.weights is not None
    assert both.weights[0] == "w1"
    assert any("w2 not" in note for note in both.notes)


def test_weights_that_tell_are_said_and_rounded_on_request():
    rng = np.random.default_rng(1)
    rows = [(a, s, round(float(w), 6)) for (a, s, _), w in zip(ROWS, rng.lognormal(0, 0.5, len(ROWS)), strict=True)]
    table = read(rows)
    assert weighing.telling(table.weights[1]) == (100, 100)
    assert weighing.telling(np.repeat([1.0, 2.0], [weighing.FEW, weighing.FEW - 1])) == (2, 1)
    (note,) = [each for each in table.notes if "Weighted by" in each]
    assert "100 belong to fewer than 5 people" in note
    few = read(rows, ReadOptions().with_column("finalwt", role="weight", classes=10))
    assert weighing.telling(few.weights[1]) == (10, 0)
    assert few.weights[1].sum() == pytest.approx(table.weights[1].sum())
    assert few.digest != table.digest
    assert not any("belong" in each for each in few.notes)
    with pytest.raises(DataError, match="0 classes"):
        ReadOptions().with_column("finalwt", role="weight", classes=0)


def test_classes_are_of_equally_many_people_and_keep_equal_weights_together():
    rng = np.random.default_rng(2)
    for weights in (rng.lognormal(0, 1, 1000), rng.integers(1, 4, 1000) / 2, np.ones(50)):
        made = weighing.rounded(weights, 10)
        assert len(np.unique(made)) <= min(10, len(np.unique(weights)))
        assert made.sum() == pytest.approx(weights.sum())
        assert all(len(np.unique(made[weights == w])) == 1 for w in np.unique(weights)[:20])
        order = np.argsort(weights)
        assert (np.diff(made[order]) >= -1e-12).all()


def test_many_weights_are_simulated_in_classes_and_stated_exactly():
    rng = np.random.default_rng(3)
    weights, codes = rng.lognormal(0, 0.8, 5000), rng.integers(0, 3, 5000)
    mine = weighing.Weighing.of("w", weights, codes, 3)
    assert 30 < len(mine.weights) <= weighing.CLASSES
    assert mine.n == 5000
    assert mine.total == pytest.approx(np.bincount(codes, weights))
    assert mine.square == pytest.approx(np.bincount(codes, weights**2))
    assert mine.drawn == pytest.approx(mine.freq, abs=1e-3)
    assert mine.people.tolist() == np.bincount(codes).tolist()
    assert mine.weights @ mine.counts.sum(axis=1) == pytest.approx(weights.sum()), "classes are at their means"
    assert (np.diff(mine.weights) > 0).all()


def test_a_count_expands_and_never_becomes_a_weight():
    rows = b"sex,job,Freq\nf,none,40\nf,some,60\nm,none,30\nm,some,370\n"
    table = data.read(rows, "c.csv", ReadOptions().with_column("Freq", role="count"))
    assert len(table.frame) == 500
    assert table.weights is None
    assert "Freq" not in table.frame
    assert table.categorical("sex").freq == pytest.approx([0.2, 0.8])
    as_weight = data.read(rows, "c.csv", ReadOptions().with_column("Freq", role="weight"))
    assert as_weight.categorical("sex").freq == pytest.approx([0.2, 0.8])
    assert as_weight.categorical("sex").weighing.effective == pytest.approx(500**2 / (40**2 + 60**2 + 30**2 + 370**2))
    both = data.read(
        b"sex,n,wt\nf,3,1\nm,2,2\nf,1,0.5\n", "b.csv",
        ReadOptions().with_column("n", role="count").with_column("wt", role="weight"),
    )  # fmt: skip
    assert len(both.frame) == 6
    assert both.categorical("sex").freq == pytest.approx([3.5 / 7.5, 4 / 7.5])


def test_a_study_file_carries_it_and_the_terminal_says_so(tmp_path):
    table = read()
    study = Study(Source.of(table), "answer", Marks.of(["HIV"]), ("uSS",), grid=(), repetitions=2)
    again = from_toml(to_toml(study))
    assert again == study
    assert again.data.read.of("finalwt").role == "weight"
    survey, file = tmp_path / "s.csv", tmp_path / "study.toml"
    survey.write_bytes(content())
    file.write_text(to_toml(study), encoding="utf-8")
    ran = CliRunner().invoke(cli.main, ["run", str(file), "--data", str(survey)])
    assert ran.exit_code == 0, ran.output
    assert "weighted by finalwt (n 100 counts as 76)" in ran.output
    assert said([study], table) == ["weighted by finalwt (n 100 counts as 76)"]
    other = replace(study, task="itemsets", column="", marks=Marks(), mechanisms=(), options=())
    assert said([other], table) == ["weights (finalwt) are not used in itemsets: rows count alike"]
    assert used(other, table).people is None
    assert said([replace(study, data=Source("s.csv"))], read(options=ReadOptions())) == []


def test_a_review_asks_no_weight_and_its_attacker_sees_it():
    rng = np.random.default_rng(4)
    rows = []
    for _ in range(600):
        ill = rng.random() < 0.3
        rows.append(("HIV" if ill else "none", rng.choice(["f", "m"]), 2.0 if ill else 1.0))
    table = read(rows)
    study = Study(
        Source.of(table), "answer", Marks.of(["answer = HIV"]), task="review", grid=(), repetitions=1
    ).with_options(columns=("answer", "sex"))
    people = execute.prepare(study, table)
    assert people.questions == ("answer", "sex")
    assert people.weight == "finalwt"
    survey = review.asked(study, people, 1.0)
    assert survey.open == ("sex",)
    assert set(survey.others("answer")) == {"sex", "finalwt"}
    with_it = review.scene(study, people, survey.hidden["answer"], survey.others("answer"))
    assert strongest(with_it).pairs > 0.95, "the weight is the answer"
