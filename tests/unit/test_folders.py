"""Collections in folders: reports of every mechanism in the catalogue, unbiased, the same however they are cut, whole
or not there at all; and what a person is told when something is wrong.
"""

import json
import tracemalloc
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from scipy.stats import norm

from ldpcore import catalog, client, collection, study, workers
from ldpcore.cli import main
from ldpcore.client import Client
from ldpcore.collection import (
    AnswerBatch,
    Drawing,
    FolderQuestion,
    ItemBatch,
    NumberBatch,
    Phones,
    drawing,
    plan,
    reports,
    sums,
)
from ldpcore.data.partitions import partitions
from ldpcore.mechanisms.padding import pad_and_sample
from ldpcore.randomizer import BLOCK
from ldpcore.rng import stream
from ldpcore.study import Marks, Source, Study
from tests.each import for_each

LABELS = ("a", "b", "c", "d", "e", "f")
MARKS = (True, True, False, False, False, False)
N = 1500
"""People in each of the two files, Parquet and text."""
EPSILON = 2.0


def phones(key: str) -> Phones:
    return Phones(Client.of(key, EPSILON, LABELS, MARKS, "answer"))


def with_an_end(listed: catalog.Catalog) -> list[str]:
    """The mechanisms that are collected with."""
    return [key for key, entry in listed.items() if not entry.instead]


def cases() -> dict[str, FolderQuestion]:
    """Every mechanism that is collected with, for one answer, for several items, for a number; and for phones."""
    labels = {"column": "answer", "sensitive": MARKS}
    made: dict[str, FolderQuestion] = {f"phones {key}": phones(key) for key in client.offered()}
    made |= {
        f"answers {key}": AnswerBatch(key, EPSILON, answers=LABELS, **labels) for key in with_an_end(catalog.FREQUENCY)
    }
    made |= {f"items {key}": ItemBatch(key, EPSILON, items=LABELS, m=2, **labels) for key in catalog.SETS}
    bounds = {"low": 0.0, "high": 100.0, "sensitive": ("75..100",)}
    return made | {f"number {key}": NumberBatch(key, EPSILON, "answer", **bounds) for key in with_an_end(catalog.MEANS)}


CASES = cases()
FALSE_ALARM = 1e-6
"""Of a right engine, in all tests of bias together."""
FAR = float(-norm.ppf(FALSE_ALARM / (2 * len(LABELS) * len(CASES))))


@pytest.fixture(scope="module")
def asked_of(tmp_path_factory) -> dict[str, Path]:
    """Folders of the same people's answers, as Parquet and as text, by task."""
    root, rng = tmp_path_factory.mktemp("people"), stream(11)
    codes = rng.choice(6, N, p=[0.4, 0.25, 0.15, 0.1, 0.06, 0.04])
    words = [LABELS[code] for code in codes]
    sets = [sorted(rng.choice(6, size, replace=False).tolist()) for size in rng.integers(0, 3, N)]
    held = [[LABELS[code] for code in each] for each in sets]
    numbers = rng.normal(40, 15, N).clip(0, 100).round(1)
    for task, cells in (("frequency", words), ("means", numbers), ("sets", held)):
        (root / task).mkdir()
        pq.write_table(pa.table({"answer": pa.array(cells)}), root / task / "a.parquet", row_group_size=400)
        text = [",".join(each) for each in held] if task == "sets" else ["answer", *map(str, cells)]
        (root / task / "b.txt").write_text("\n".join(text) + "\n")
    np.savez(root / "true.npz", codes=codes, sets=np.array([np.isin(range(6), each) for each in sets]), numbers=numbers)
    return {task: root / task for task in ("frequency", "sets", "means")} | {"true": root / "true.npz"}


def drawn(asked: FolderQuestion, source: Path, output: Path, rows: int = 600, **how) -> collection.Drawn:
    parts = partitions(source, rows=rows, lines=asked.task == "sets")
    given = Drawing(asked, str(output), separator=",", **{"seed": 5, **how})
    collection.begin(given, parts, resume=False)
    return collection.run(given, parts)


@pytest.mark.one_in(2)  # that all are unbiased is the laws'; that all come back from a folder: below
@pytest.mark.parametrize("name", CASES)
def test_a_folder_is_estimated_without_bias_however_it_is_cut(name, asked_of, tmp_path):
    """Everybody answers twice, in Parquet and in text. At FAR standard errors, FALSE_ALARM for all cases together."""
    asked = CASES[name]
    done = drawn(asked, asked_of[asked.task], tmp_path / "reports")
    assert done == collection.Drawn(people=2 * N)
    assert {path.suffix for path in (tmp_path / "reports").glob("[ab]*")} == {".parquet", ".csv"}
    found = [collection.total(asked, partitions(tmp_path / "reports", rows=rows)) for rows in (1 << 20, 100)]
    assert [refused for _, refused in found] == [0, 0]
    tables = [asked.table(counted) for counted, _ in found]
    pd.testing.assert_frame_equal(*tables, check_exact=True)
    true = np.load(asked_of["true"])
    if asked.task == "means":
        x = asked.range.encode(true["numbers"])
        error = asked.mechanism.variance(np.tile(x, 2)) ** 0.5 * 50
        assert abs(tables[0]["mean"][0] - true["numbers"].mean()) < FAR * error
        assert tables[0]["high"][0] - tables[0]["low"][0] > 2 * 1.9 * error  # whatever people's numbers are
        return
    shares = true["sets"].mean(axis=0) if asked.task == "sets" else np.bincount(true["codes"]) / N
    mechanism = asked.client.mechanism if isinstance(asked, Phones) else asked.mechanism
    error = mechanism.variance(shares, 2 * N) ** 0.5
    assert np.all(np.abs(tables[0]["share"] - shares) < FAR * error)
    assert np.all(tables[0]["low"] <= tables[0]["high"])


@pytest.mark.one_in(2)  # each in one of the two forms
@pytest.mark.parametrize("suffix", ["parquet", "csv"])
@pytest.mark.parametrize("name", CASES)
def test_reports_read_back_to_the_bit(name, suffix, tmp_path):
    asked = CASES[name]
    if asked.task == "sets":
        held = asked.inputs(pa.chunked_array([[["a"], [], ["c", "b"], ["f", "e", "d"]]]))
    else:
        held = asked.inputs(pa.chunked_array([pa.array([20.0, 80.0, 99.5]) if asked.task == "means" else ["a", "f"]]))
    sent = asked.perturb(held.values, stream(3))
    assert asked.accepts(sent).all()
    path = tmp_path / f"r.{suffix}"
    with reports.written(path, asked.form, asked.digest) as file:
        file.write(sent)
    (part,) = partitions(path)
    back = np.concatenate([found for found, _ in reports.read(part, asked.form, 2)])
    assert back.dtype == sent.dtype
    assert back.tobytes() == sent.tobytes()


KINDS = (pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string()))
"""Of a column of Parquet that holds text."""


@for_each("kind", [pa.int64(), pa.uint16(), pa.dictionary(pa.int32(), pa.int64()), *KINDS])
@for_each("k", [6, 257])
def test_codes_are_read_from_the_first_to_the_last_whatever_the_column_is(k, kind):
    """What lies beyond is sent by nobody."""
    asked = AnswerBatch("GRR", EPSILON, "answer", answers=tuple(map(str, range(k))), sensitive=(True,) * k)
    sent = [0, 1, k - 1, 400, None, 65_535]
    plain = kind.value_type if pa.types.is_dictionary(kind) else kind
    cells = pa.array(sent, pa.int64()).cast(plain)
    cells = cells.dictionary_encode() if pa.types.is_dictionary(kind) else cells
    found = reports.unpacked(pa.chunked_array([cells[:2], cells[2:]]), asked.form)
    assert found.dtype == asked.form.dtype
    assert found[asked.accepts(found)].tolist() == [0, 1, k - 1]


@for_each("kind", KINDS)
@for_each("name", CASES)
def test_reports_in_text_of_any_kind_are_read(name, kind):
    asked = CASES[name]
    sent = asked.perturb(asked._somebody(), stream(3))
    text = reports._as_text(reports.packed(sent)).cast(pa.string())
    cells = pa.array([f" {text[0].as_py()} ", "no report"]).cast(kind)
    back = reports.unpacked(pa.chunked_array([cells]), asked.form)
    assert back.dtype == sent.dtype
    assert back.tobytes() == sent[:1].tobytes()


@for_each("name", CASES)
def test_a_client_file_is_read_back(name):
    asked = CASES[name]
    again = collection.opened(asked.to_json())
    assert again == asked
    assert again.digest == asked.digest


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("[!._]*.*"))}


@pytest.mark.thorough
def test_two_processes_write_the_same_bytes(asked_of, tmp_path):
    asked, source = CASES["answers OUE"], asked_of["frequency"]
    drawn(asked, source, tmp_path / "one")
    parts = partitions(source, rows=600)
    how = Drawing(asked, str(tmp_path / "two"), seed=5)
    collection.begin(how, parts, resume=False)
    with workers.opened(workers.WorkerRequest(2)) as executor:
        collection.run(how, parts, executor)
        there = collection.total(asked, partitions(tmp_path / "two"), executor)
    assert bytes_of(tmp_path / "one") == bytes_of(tmp_path / "two")
    assert there == collection.total(asked, partitions(tmp_path / "one"))


def test_without_a_seed_nothing_comes_twice(asked_of, tmp_path):
    asked, source = CASES["answers OUE"], asked_of["frequency"]
    for name in ("one", "two"):
        drawn(asked, source, tmp_path / name, seed=None)
    ones, twos = bytes_of(tmp_path / "one"), bytes_of(tmp_path / "two")
    assert ones.keys() == twos.keys()
    assert all(ones[name] != twos[name] for name in ones)
    drawn(asked, source, tmp_path / "three", seed=6)
    drawn(asked, source, tmp_path / "four", seed=5)
    assert bytes_of(tmp_path / "three") != bytes_of(tmp_path / "four")


def test_an_interrupted_run_goes_on_and_draws_nobody_twice(asked_of, tmp_path, monkeypatch):
    asked, out = CASES["answers GRR"], tmp_path / "out"
    parts, how = partitions(asked_of["frequency"], rows=600), Drawing(asked, str(out))
    collection.begin(how, parts, resume=False)
    written = reports.Writer.write
    left = iter(range(3))

    def until(self, sent):
        if next(left, None) is None:
            raise KeyboardInterrupt
        written(self, sent)

    monkeypatch.setattr(reports.Writer, "write", until)
    with pytest.raises(KeyboardInterrupt):
        collection.run(how, parts)
    monkeypatch.undo()
    finished = bytes_of(out)
    assert len(finished) == 3
    assert not list(out.glob(".*"))
    assert "perturb --resume" in drawing.unfinished(out)
    (out / f".a.parquet-0009.parquet.{'0123' * 8}.parquet").write_text("what a killed worker leaves")
    (out / ".own-notes").write_text("what somebody keeps there")
    collection.begin(how, parts, resume=True)
    done = collection.run(how, parts)
    assert done.before == 3
    before = sum(pq.read_metadata(out / name).num_rows for name in finished)
    assert done.people + before == 2 * N
    assert {name: content for name, content in bytes_of(out).items() if name in finished} == finished
    assert [path.name for path in out.glob(".*")] == [".own-notes"]
    assert drawing.unfinished(out) == ""
    counted, _ = collection.total(asked, partitions(out))
    assert counted is not None
    assert counted.n == 2 * N


def test_memory_does_not_grow_with_people(tmp_path):
    """Reports of four times as many take at most a fifth more, where a batch is drawn at a time."""
    asked, peaks = AnswerBatch("OUE", 1.0, "answer", answers=LABELS, sensitive=MARKS), []
    for blocks in (3, 12):
        path = tmp_path / f"{blocks}.parquet"
        pq.write_table(pa.table({"answer": pa.array(LABELS * 11_000 * blocks)}), path)
        parts, how = partitions(path), Drawing(asked, str(tmp_path / f"out-{blocks}"), seed=1)
        collection.begin(how, parts, resume=False)
        assert asked.form.nbytes == 1
        tracemalloc.start()
        collection.run(how, parts)
        collection.total(asked, partitions(how.output))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0]


def test_sums_of_numbers_do_not_depend_on_their_order():
    asked = NumberBatch("PM", 1e-3, "answer", low=0, high=1)
    rng = stream(2)
    sent = np.concatenate([asked.perturb(rng.random(5000), rng), [1e-9, 1e5, -1e5]])
    whole = asked.tally(sent)
    for seed in range(3):
        mixed = np.array_split(stream(seed).permutation(sent), 7)
        assert sum(map(asked.tally, mixed)) == whole
    assert whole.rounded().total == pytest.approx(float(np.sum(sent)), rel=1e-9)
    assert asked.accepts(np.array([np.nan, np.inf, 1e300, 1e5, 3.0])).tolist() == [False, False, False, False, True]


NO_REPORT = (
    "ff03", "+1", "+1.5", "1.5.5", "0x10", "-", "1e999", "-1e400", "1e", "nan", "inf", "١", "1_0", "00" * 40, "zz",
    "131000.0", "99999999999999999999", "9" * 400, "-1", "0.1234567", "1,2", "= 1", "ff" * 9, "true", "null",
)  # fmt: skip
"""Lines of a CSV; hardly a mechanism can have sent any of them."""


@pytest.mark.one_in(2, 1)  # what each accepts: tests/laws/test_accepts.py
@pytest.mark.parametrize("name", CASES)
def test_lines_that_nobody_can_have_sent_are_counted_and_nothing_else(name, tmp_path):
    """Whatever stands in a line is read to the end, and the estimate is that without it."""
    asked = CASES[name]
    people = np.zeros((300, 1), np.int64) if asked.task == "sets" else None
    values = (
        (people.ravel(), np.arange(301)) if people is not None else np.zeros(300, np.int64) + (asked.task == "means")
    )
    with reports.written(tmp_path / "r.csv", asked.form, asked.digest) as file:
        file.write(asked.perturb(values, stream(4, name)))
    sent = (tmp_path / "r.csv").read_text()
    before, none = collection.total(asked, partitions(tmp_path / "r.csv"))
    assert (before.n, none) == (300, 0)
    (tmp_path / "r.csv").write_text(sent + "".join(f'"{line}"\n' for line in NO_REPORT))
    after, refused = collection.total(asked, partitions(tmp_path / "r.csv"))
    assert after.n + refused == 300 + len(NO_REPORT)
    assert refused >= len(NO_REPORT) - 3  # some of them are reports of some
    for line in ("+1", "131000.0", "9" * 400, "ff" * 9, "zz"):
        (tmp_path / "r.csv").write_text(f"{sent}{line}\n")
        after, refused = collection.total(asked, partitions(tmp_path / "r.csv"))
        assert refused == 1, line
        pd.testing.assert_frame_equal(asked.table(after), asked.table(before), check_exact=True)


@pytest.mark.parametrize(
    ("made", "instead"),
    [(lambda: NumberBatch("Laplace", 1.0, "x", low=0, high=1), "PM"),
     (lambda: AnswerBatch("SHE", 1.0, "x", answers=LABELS, sensitive=MARKS), "RAPPOR")],
)  # fmt: skip
def test_noise_without_an_end_is_not_collected_with(made, instead):
    with pytest.raises(ValueError, match=f"one false report could decide the result; collect with {instead}"):
        made()


# the terminal ------------------------------------------------------------------------------------------------------


def ran(*told: object):
    return CliRunner().invoke(main, [str(each) for each in told])


@pytest.fixture
def place(tmp_path, monkeypatch) -> Path:
    """A folder with a client for GRR, and answers in two files."""
    monkeypatch.chdir(tmp_path)
    asked = AnswerBatch("GRR", EPSILON, "city", answers=("Lima", "Oslo", "(missing)"), sensitive=(False,) * 3)
    (tmp_path / "client.json").write_text(asked.to_json(), encoding="utf-8")
    (tmp_path / "answers").mkdir()
    (tmp_path / "answers" / "1.csv").write_text("age,city\n1,Oslo\n2, Lima \n3,?\n")
    pq.write_table(pa.table({"city": ["Oslo", None]}), tmp_path / "answers" / "2.parquet")
    return tmp_path


PERTURB = ("perturb", "answers", "--client", "client.json", "-o", "out")
ESTIMATE = ("estimate", "out", "--client", "client.json")


def test_from_a_folder_to_a_table_in_the_terminal(place):
    done = ran(*PERTURB)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("5 reports by GRR")  # a missing answer is one of this client's
    assert "partition" in done.stderr  # the progress
    found = ran(*ESTIMATE, "-o", "table.csv", "--publish", "norm-sub")
    assert found.exit_code == 0, found.output
    assert pd.read_csv("table.csv")["published"].sum() == pytest.approx(1)
    again = ran(*PERTURB)
    assert again.exit_code == 1
    assert "ε counts for one report" in again.output
    assert "5 partitions" not in ran(*PERTURB, "--resume").output
    (place / "out" / "1.csv-0000.csv").unlink()
    assert "1 of 2 partitions not drawn yet" in ran(*ESTIMATE).output


def of(task: str, column: str, key: str, mark: str, **more: object) -> Study:
    return Study(Source("groceries" if task == "sets" else "health"), column, Marks.of([mark]), (key,),
                 epsilon=4.0, task=task, **more)  # fmt: skip


@pytest.mark.parametrize(
    ("described", "told", "text", "said"),
    [
        (of("sets", "items", "suWheel-J", "milk").with_options(m=3), (), "milk,apples\n\napples\n", "3 reports by suW"),
        (of("means", "age", "uTernary", "80..98", bins=(18, 98, 64)), (), "age\n20\n99\n?\n", "2 reports by uTernary"),
        (of("frequency", "condition", "uHR", "HIV"), ("--batch",), "condition\nHIV\nHIV\n", "2 reports by uHR"),
    ],
)
def test_a_study_of_any_task_becomes_a_client_and_its_files_a_table(tmp_path, monkeypatch, described, told, text, said):
    monkeypatch.chdir(tmp_path)
    Path("study.toml").write_text(study.to_toml(described), encoding="utf-8")
    for _ in range(2):  # in a folder within one that is not there yet; and once more
        made = ran("client", "study.toml", "-o", "made/survey", *told)
        assert made.exit_code == 0, made.output
    Path("made/survey").rename("survey")
    assert "no page and no JavaScript" in made.output
    assert {path.name for path in Path("survey").iterdir()} == {"client.json", "README.md"}
    assert json.loads(Path("survey/client.json").read_text(encoding="utf-8"))["task"] == described.task
    Path("answers.csv").write_text(text)
    done = ran("perturb", "answers.csv", "--client", "survey/client.json", "-o", "out")
    assert (done.exit_code, said in done.output) == (0, True), done.output
    found = ran("estimate", "out", "--client", "survey/client.json")
    assert found.exit_code == 0, found.output
    assert ("mean" if described.task == "means" else "share") in found.output


@pytest.mark.parametrize(
    ("described", "said"),
    [
        (of("sets", "items", "PrivSet", "milk").with_options(simulated=20), "simulated"),
        (of("means", "age", "PM", "80..98", bins=(18, 98, 64), secret_epsilon=1.0), None),
        (Study(Source("health"), "age", Marks((("80..98", "secret"),)), ("PM",), epsilon=2.0, secret_epsilon=0.5,
               bins=(18, 98, 64), task="means"), "secret"),
        (of("means", "age", "gPM", "80..98", bins=(18, 98, 64)), "none that a batch has"),
        (of("ranges", "age", "Identity", "HIV", bins=(18, 98, 64)), "asks one question"),
    ],
)  # fmt: skip
def test_what_no_batch_can_be_made_of_is_said(tmp_path, described, said):
    (tmp_path / "study.toml").write_text(study.to_toml(described), encoding="utf-8")
    done = ran("client", tmp_path / "study.toml", "-o", tmp_path / "out")
    assert (done.exit_code == 0) == (said is None), done.output
    assert said is None or said in done.output


def change(path: str, old: str, new: str) -> None:
    text = Path(path).read_text(encoding="utf-8")
    assert old in text
    Path(path).write_text(text.replace(old, new), encoding="utf-8")


WRONG = {
    "a value that is no answer": (partial(change, "answers/1.csv", " Lima ", "Rome"), "“1.csv”, line 3: “Rome” is no"),
    "a column that is not there": (partial(change, "answers/1.csv", "city", "town"), "has no column “city”"),
    "no such folder": (lambda: Path("answers").rename("other"), "There are no files in “answers”"),
    "a damaged file": (lambda: Path("answers/2.parquet").write_bytes(b"PAR1"), "“2.parquet” is damaged"),
    "a damaged client": (partial(change, "client.json", '"task"', '"tusk"'), "a client is of the task"),
    "a client without its mechanism": (partial(change, "client.json", '"GRR"', '"XRR"'), "there is no mechanism"),
    "a client with a text for ε": (partial(change, "client.json", "2.0", '"2"'), "epsilon in this client.json"),
    "a client with two like answers": (partial(change, "client.json", "Lima", "Oslo"), "needs a name of its own"),
    "a client of another version": (partial(change, "client.json", "client 2", "client 9"), "no client.json"),
    "a folder in use": (lambda: (Path("out").mkdir(), Path("out/x").touch()), "“out” is not empty"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_said_in_a_sentence(place, what):
    spoil, said = WRONG[what]
    spoil()
    done = ran(*PERTURB)
    assert done.exit_code == 1
    assert said in done.output
    assert "Traceback" not in done.output
    assert isinstance(done.exception, SystemExit)
    assert not list(Path("out").glob(".*"))


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (pa.array(["Oslo", "Lima"] * 50).dictionary_encode(), "100 reports"),
        (pa.array([b"Oslo"] * 100, pa.binary()), "100 reports"),
        (pa.array([b"\xff"] * 100, pa.binary()), "cells of a kind (binary) that is no answer"),
        (pa.array([["Oslo"]] * 100), "cells of a kind (list<"),
        (pa.array([True] * 100), "row 1: “True” is no answer"),
        (pa.array([None] * 100, pa.null()), "100 reports"),  # “(missing)” is one of this client's answers
    ],
)
def test_cells_of_any_kind_are_read_or_refused(place, cells, said):
    pq.write_table(pa.table({"city": cells}), "answers/2.parquet", row_group_size=30)
    (place / "answers" / "1.csv").unlink()
    done = ran(*PERTURB)
    assert said in done.output
    assert done.exit_code == (0 if "reports" in said else 1)


def test_reports_do_not_lie_among_the_answers(place):
    done = ran("perturb", "answers", "--client", "client.json", "-o", "answers/out")
    assert done.exit_code == 1
    assert "would be read as answers" in done.output
    assert ran("perturb", f"{place}/answers/*.csv", "--client", "client.json", "-o", "out").exit_code == 0
    assert (place / "out" / "1.csv-0000.csv").is_file()


def test_unknown_answers_can_be_left_out_and_are_counted(place):
    change("answers/1.csv", " Lima ", "Rome")
    done = ran(*PERTURB, "--unknown", "drop")
    assert done.exit_code == 0, done.output
    assert "4 reports" in done.output
    assert "1 rows left out, which are no answer of the client" in done.output


def test_reports_of_another_client_are_refused(place):
    assert ran(*PERTURB).exit_code == 0
    change("client.json", "2.0", "1.0")
    found = ran(*ESTIMATE)
    assert found.exit_code == 1
    assert "holds reports of another client" in found.output
    again = ran(*PERTURB, "--resume")
    assert "holds reports of another client" in again.output


def test_ctrl_c_leaves_no_half_file_and_no_traceback(place, monkeypatch):
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(reports.Writer, "write", stop)
    done = ran(*PERTURB)
    assert done.exit_code == 1
    assert "Aborted" in done.output
    assert [path.name for path in Path("out").iterdir()] == [plan.PLAN]


def test_sets_are_padded_and_items_counted_once():
    asked = ItemBatch("PrivSet", 20.0, "answer", items=LABELS, sensitive=MARKS, m=2)
    read = asked.inputs(pa.chunked_array([[["a", "b", "a", " b "], ["z"], None, []]]))
    assert (read.missing, read.unknown, read.first) == (1, 1, (1, "z"))
    assert asked.size(read.values) == 3
    codes, starts = read.values
    assert (codes.tolist(), starts.tolist()) == ([0, 1], [0, 2, 2, 2])
    held = pad_and_sample([[0, 1], [], []], 6, 2, stream(1))
    assert (held[0] < 6).all()
    assert (held[1:] >= 6).all()


@pytest.mark.parametrize(
    ("described", "text", "perturbed", "estimated"),
    [
        (
            of("sets", "items", "suWheel-J", "milk").with_options(m=2), "milk,apples,bacon\napples\n",
            "1 baskets of more than 2 items count with 2 of them", "Baskets of more than 2 items count",
        ),
        (
            of("means", "age", "PM", "80..98", bins=(18, 98, 64)), "age\n20\n99\n17\n",
            "2 numbers outside 18 to 98 count as its ends", "Numbers outside 18 to 98 count",
        ),
        (of("frequency", "condition", "uHR", "HIV"), "condition\nHIV\n", "", ""),
    ],
)  # fmt: skip
def test_what_is_cut_is_counted_and_said(tmp_path, monkeypatch, described, text, perturbed, estimated):
    monkeypatch.chdir(tmp_path)
    Path("study.toml").write_text(study.to_toml(described), encoding="utf-8")
    assert ran("client", "study.toml", "-o", "survey", "--batch").exit_code == 0
    Path("answers.csv").write_text(text)
    done = ran("perturb", "answers.csv", "--client", "survey/client.json", "-o", "out")
    found = ran("estimate", "out", "--client", "survey/client.json")
    assert perturbed in done.output
    assert estimated in found.output
    assert ("count" in done.output + found.output) == bool(perturbed)


def test_intervals_of_shares_hold_shares_alone():
    """Also where all people sent the same report, whose unbiased estimate lies far beyond."""
    most = []
    for name, asked in CASES.items():
        if isinstance(asked, AnswerBatch | ItemBatch):
            one = asked.perturb(asked._somebody(), stream(3, name))
            table = asked.table(asked.tally(np.repeat(one, 1000, axis=0)))
            assert (table[["low", "high"]] >= 0).all(axis=None), name
            assert (table[["low", "high"]] <= 1).all(axis=None), name
            assert (table["low"] <= table["high"]).all(), name
            most.append(table["share"].max())
    assert max(most) > 2, "an interval would lie beyond 1 altogether"


@for_each("epsilon", [1e-4, 1.0, 8.0])
@for_each("key", with_an_end(catalog.MEANS))
def test_numbers_that_are_sent_are_accepted_and_summed(key, epsilon):
    """However wide the noise is."""
    asked = NumberBatch(key, epsilon, "answer", low=0, high=1, sensitive=("0.75..1",))
    sent = asked.perturb(np.linspace(0, 1, 300), stream(4, key))
    assert asked.accepts(sent).all()
    assert asked.tally(sent).rounded().total == pytest.approx(float(np.sum(sent)), abs=1e-9 * np.abs(sent).sum())


@pytest.mark.parametrize("scale", [1.0, 3.0, 1e6])
def test_the_largest_number_that_is_accepted_is_summed(scale):
    """A block of them too, the same as one by one."""
    largest = sums.ExactTally.largest(scale)
    many = sums.ExactTally.of(np.full(BLOCK, largest), np.zeros(BLOCK, np.intp), 1, scale)
    assert many.rounded().total == pytest.approx(BLOCK * largest, rel=1e-12)
