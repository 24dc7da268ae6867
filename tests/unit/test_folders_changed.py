"""Collections that go wrong: answers that change, reports of another client, two at one folder, full disks, damaged
files. Nobody is lost or drawn twice without a word, and the word is a sentence.
"""

import ast
import hashlib
import json
import os
import resource
import shutil
import signal
import time
from collections.abc import Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import ldpcore
from ldpcore import collection, workers
from ldpcore.cli import main
from ldpcore.client import Client
from ldpcore.collection import AnswerBatch, Drawing, ItemBatch, NumberBatch, opened, plan, reports
from ldpcore.data import DataError, saving
from ldpcore.data.partitions import partitions
from ldpcore.workers import request as pool

LABELS = ("Lima", "Oslo")


def asked(epsilon: float = 2.0) -> AnswerBatch:
    return AnswerBatch("GRR", epsilon, "city", answers=LABELS, sensitive=(False,) * 2)


def ran(*told: object):
    done = CliRunner().invoke(main, [str(each) for each in told])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


@pytest.fixture
def place(tmp_path, monkeypatch) -> Path:
    """A folder with a client, and answers of 30 people in text and as many in Parquet, in parts of ten."""
    monkeypatch.chdir(tmp_path)
    Path("client.json").write_text(asked().to_json(), encoding="utf-8")
    Path("answers/below").mkdir(parents=True)
    Path("answers/below/1.csv").write_text("age,city\n" + "1,Oslo\n2,Lima\n" * 15)
    parquet("answers/2.parquet", LABELS * 15)
    return tmp_path


PERTURB = ("perturb", "answers", "--client", "client.json", "-o", "out")
ESTIMATE = ("estimate", "out", "--client", "client.json")


# whose reports they are --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "what", ["out", "out/below", "out/below/1.csv-0000.csv", "out/**/*.csv", "out/2.parquet-0000.parquet"]
)
def test_reports_of_another_client_are_refused_wherever_they_are_read_from(place, what):
    assert ran(*PERTURB).exit_code == 0
    good = ran("estimate", what, "--client", "client.json")
    assert good.exit_code == 0, good.output
    assert "say which client" not in good.output
    Path("other.json").write_text(asked(4.0).to_json(), encoding="utf-8")
    wrong = ran("estimate", what, "--client", "other.json")
    assert wrong.exit_code == 1
    assert "holds reports of another client" in wrong.output


def test_reports_that_do_not_say_whose_they_are_are_read_with_a_note(place):
    assert ran(*PERTURB).exit_code == 0
    shutil.copy("out/below/1.csv-0000.csv", "taken.csv")
    pq.write_table(pq.read_table("out/2.parquet-0000.parquet").replace_schema_metadata(None), "taken.parquet")
    shutil.copy("taken.csv", "out/added.csv")
    for name, said in (
        ("taken.csv", "“taken.csv” does"),
        ("taken.parquet", "“taken.parquet” does"),
        ("taken.*", "“taken.csv”, “taken.parquet” do"),
        ("out", "“added.csv” does"),
    ):
        done = ran("estimate", name, "--client", "client.json")
        assert done.exit_code == 0, done.output
        assert f"{said} not say which client drew" in done.stderr
        assert "which client" not in done.stdout


def test_what_phones_hand_in_knows_its_client(place):
    """A number with a mark: with another client's mark it is no report, and without one its file says so."""
    ones, others = (Client.of("GRR", epsilon, LABELS, question="city") for epsilon in (1.0, 4.0))
    for name, each in (("ones", ones), ("others", others)):
        Path(f"{name}.json").write_text(each.to_json(), encoding="utf-8")
    handed = [f"{ones.draw('Oslo')}-{ones.mark}" for _ in range(40)]
    Path("r.csv").write_text("report\n" + "\n".join([*handed[:20], *map(str.upper, handed[20:])]))
    found = ran("estimate", "r.csv", "--client", "ones.json")
    assert (found.exit_code, found.stderr.count("client")) == (0, 0), found.output
    assert "40 reports" in found.output
    wrong = ran("estimate", "r.csv", "--client", "others.json")
    assert wrong.exit_code == 1
    assert "there is no report here that this client can have sent" in wrong.output
    Path("r.csv").write_text("report\n" + "\n".join([*handed, f"1-{others.mark}", "2", f"-1-{ones.mark}"]))
    mixed = ran("estimate", "r.csv", "--client", "ones.json")
    assert "41 reports" in mixed.stdout
    assert "left out: 2 of 43 rows" in mixed.stderr
    Path("r.csv").write_text("report\n1\n2\n")
    assert (
        "“r.csv” does not say which client drew its reports" in ran("estimate", "r.csv", "--client", "ones.json").stderr
    )


# answers that change -----------------------------------------------------------------------------------------------


def parquet(path: str, cells: Sequence[str], group: int = 10) -> None:
    table = pa.table({"age": range(len(cells)), "city": list(cells)})
    pq.write_table(table, path, row_group_size=group, use_dictionary=False, compression="NONE")


def exchanged(path: str) -> None:
    """Other people of the same length, written at the same time."""
    about = os.stat(path)
    if path == CSV:
        Path(path).write_text(Path(path).read_text().replace("1,Oslo\n2,Lima\n", "1,Lima\n2,Oslo\n"))
    else:
        parquet(path, tuple(reversed(LABELS)) * 15)
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert os.stat(path).st_size == about.st_size


def cut(path: str) -> None:
    Path(path).write_bytes(Path(path).read_bytes()[:-35])


CSV, PARQUET = "answers/below/1.csv", "answers/2.parquet"
CHANGES = {
    "text is exchanged": (partial(exchanged, CSV), "below/1.csv"),
    "text is cut off": (partial(cut, CSV), "below/1.csv"),
    "text grows": (lambda: Path(CSV).write_text(Path(CSV).read_text() + "3,Oslo\n"), "below/1.csv"),
    "text is gone": (lambda: Path(CSV).unlink(), "below/1.csv"),
    "Parquet is exchanged": (partial(exchanged, PARQUET), "2.parquet"),
    "Parquet grows": (partial(parquet, PARQUET, LABELS * 90, 1000), "2.parquet"),
    "Parquet grows by a group": (partial(parquet, PARQUET, LABELS * 20), "2.parquet"),
    "there is one more": (partial(parquet, "answers/3.parquet", LABELS), "3.parquet"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_who_goes_on_with_other_answers_is_told_which(place, what):
    change, name = CHANGES[what]
    assert ran(*PERTURB).exit_code == 0
    Path("out/2.parquet-0000.parquet").unlink()
    change()
    for told in ((), ("--resume",)):
        done = ran(*PERTURB, *told)
        assert done.exit_code == 1
        assert f"not the same as when it was begun is “{name}”" in done.output
    assert not Path("out/2.parquet-0000.parquet").exists()


def test_what_is_the_same_is_gone_on_with(place):
    """Files that were written anew with the same in them are; another column, or rule, is not."""
    assert ran(*PERTURB).exit_code == 0
    Path("out/2.parquet-0000.parquet").unlink()
    Path(CSV).write_text(Path(CSV).read_text())
    parquet(PARQUET, LABELS * 15)
    assert "with another --column" in ran(*PERTURB, "--resume", "--unknown", "drop").output
    done = ran(*PERTURB, "--resume")
    assert done.exit_code == 0, done.output
    assert "30 reports" in done.stdout


@pytest.mark.parametrize("what", [what for what in CHANGES if "more" not in what])
def test_answers_that_change_while_they_are_drawn_end_it(place, what):
    """As soon as their part is read; what was drawn before is kept."""
    change, name = CHANGES[what]
    parts, how = partitions("answers", rows=10), Drawing(asked(), "out")
    collection.begin(how, parts, resume=False)
    ours = [part for part in parts if part.name == name]
    others = [part for part in parts if part.name != name]

    def after(done: int, _: int) -> None:
        if done == len(others):
            change()

    with pytest.raises(DataError, match=f"“{name}” (has changed since|cannot be opened)"):
        collection.run(how, [*others, *ours], progress=after)
    assert not list(Path("out").rglob(".*"))
    assert all((Path("out") / how.file(part)).is_file() for part in others)


@pytest.mark.parametrize(
    "what", ["text is cut off", "text grows", "text is gone", "Parquet grows", "Parquet grows by a group"]
)
def test_whoever_reads_a_file_that_changes_is_told(place, what):
    """Estimates and counts of itemsets, too: parts are cut once, and read later."""
    change, name = CHANGES[what]
    parts = [part for part in partitions("answers", rows=10) if part.name == name]
    first = [table for part in parts for table in part.tables(["city"])]
    assert sum(map(len, first)) == 30
    change()
    for part in parts:
        with pytest.raises(DataError, match=f"“{name}” (has changed since|cannot be opened)"):
            list(part.tables(["city"]))


def test_a_file_that_changes_in_the_middle_of_a_part_is_noticed(place):
    (part,) = partitions(PARQUET)
    tables = part.tables(["city"], rows=10)
    assert len(next(tables)) == 10
    os.utime(PARQUET, ns=(1, 1))
    with pytest.raises(DataError, match="has changed since"):
        list(tables)


def test_the_column_that_is_read_alone_is_looked_at(place):
    (part,) = partitions(PARQUET)
    before = {name: part.fingerprint(name) for name in ("age", "city")}
    both = part.fingerprint("city", "age")
    older = pa.table({"age": range(30, 60), "city": list(LABELS) * 15})
    pq.write_table(older, PARQUET, row_group_size=10, use_dictionary=False, compression="NONE")
    (part,) = partitions(PARQUET)
    assert part.fingerprint("city") == before["city"]
    assert part.fingerprint("age") != before["age"]
    assert part.fingerprint("city", "age") != both
    pq.write_table(pa.table({"held": [["a", "b"], ["c"]]}), "l.parquet")
    pq.write_table(pa.table({"held": [["a"], ["b", "c"]]}), "m.parquet")
    one, two = partitions("l.parquet")[0], partitions("m.parquet")[0]
    assert one.fingerprint("held") != two.fingerprint("held")  # the same items, of other people


# the plan ----------------------------------------------------------------------------------------------------------

DAMAGED = {
    "empty": "",
    "{}": "{}",
    "[]": "[]",
    "null": "null",
    "a number": "7",
    "half": '{"format": "ldpcore rep',
    "deep": "[" * 100_000,
    "no parts": json.dumps({"format": plan.FORMAT, "client": "a", "how": "b", "parts": {}}),
    "other parts": json.dumps({"format": plan.FORMAT, "client": "a", "how": "b", "parts": {"x": 3}}),
    "of old": json.dumps({"client": "a", "parts": 3, "of": "b"}),
    "bytes": "\ud800",
}


@pytest.mark.parametrize("what", DAMAGED)
def test_a_damaged_plan_is_said(place, what):
    assert ran(*PERTURB).exit_code == 0
    Path("out", plan.PLAN).write_text(DAMAGED[what], encoding="utf-8", errors="surrogatepass")
    for told in (PERTURB, (*PERTURB, "--resume"), ESTIMATE, ("estimate", "out/below/1.csv-0000.csv", *ESTIMATE[2:])):
        done = ran(*told)
        assert done.exit_code == 1
        assert f"{plan.PLAN}” is damaged, or of another version of ldpcore" in done.output
    Path("out", plan.PLAN).unlink()
    assert "not say which client" in ran(*ESTIMATE).stderr  # as the sentence advises


def test_a_plan_is_there_whole_or_not_at_all(place, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    done = ran(*PERTURB)
    assert "“out” cannot be written to. No space left on device. Name another folder." in done.output
    assert list(Path("out").iterdir()) == []
    monkeypatch.undo()
    os.chdir(place)
    Path("out", f"{plan.PLAN}.0123").write_text("what a killed process leaves")
    assert ran(*PERTURB).exit_code == 0
    assert {path.name for path in Path("out").iterdir()} >= {plan.PLAN, "below"}
    assert not list(Path("out").glob(f"{plan.PLAN}.*"))


def test_two_processes_do_not_draw_into_one_folder(place):
    Path("out").mkdir()
    Path("out", plan.LOCK).touch()  # a process that was killed leaves it, and no lock
    assert ran(*PERTURB).exit_code == 0
    assert not Path("out", plan.LOCK).exists()
    parts, how = partitions("answers"), Drawing(asked(), "out")
    Path("out/2.parquet-0000.parquet").unlink()
    with plan.alone(Path("out")):
        for told in (PERTURB, (*PERTURB, "--resume")):
            done = ran(*told)
            assert done.exit_code == 1
            assert "Another process draws reports into “out”" in done.output
        with pytest.raises(DataError, match="Another process"):
            collection.run(how, parts)
    assert collection.run(how, parts).people == 30
    assert not Path("out", plan.LOCK).exists()


# full disks, and Ctrl-C --------------------------------------------------------------------------------------------


@contextmanager
def room_for(size: int):
    """No file can be larger: what a full disk is to whoever writes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_reports_on_a_full_disk_are_no_half_file(place, kind):
    shutil.rmtree("answers")
    Path("answers").mkdir()
    for name in ("1", "2"):
        if kind == "csv":
            Path(f"answers/{name}.csv").write_text("city\n" + "Oslo\n" * (20_000 if name == "2" else 20))
        else:
            parquet(f"answers/{name}.parquet", ["Oslo"] * (200_000 if name == "2" else 20), 1_000_000)
    with room_for(8_000):
        done = ran(*PERTURB)
    assert done.exit_code == 1
    assert "“out” cannot be written to. File too large. What is drawn stays there whole: make room" in done.output
    assert {path.name for path in Path("out").iterdir()} == {plan.PLAN, f"1.{kind}-0000.{kind}"}
    assert ran(*PERTURB, "--resume").exit_code == 0


@pytest.mark.parametrize(
    "told",
    [
        (*ESTIMATE, "-o", "{}.csv"),
        ("mine", "baskets.txt", "--min-count", "1", "-o", "{}.csv"),
        ("mine", "baskets.txt", "--min-count", "1", "-o", "{}.parquet"),
        ("export", "GRR", "--epsilon", "1", "--values", "3", "-o", "{}.csv"),
    ],
    ids=lambda told: f"{told[0]} {told[-1][2:]}",
)
def test_a_table_on_a_full_disk_is_a_sentence_and_the_older_one_stays(place, told):
    assert ran(*PERTURB).exit_code == 0
    Path("baskets.txt").write_text("milk,bread\nmilk\n")
    *rest, output = told
    for name in ("full", "older"):
        path = Path(output.format(name))
        path.symlink_to("/dev/full") if name == "full" else path.write_text("what was there")
        with room_for(20 if name == "older" else 1 << 20):
            done = ran(*rest, path)
        assert done.exit_code == 1
        assert f"“{path}” cannot be written. {'No space left' if name == 'full' else 'File too large'}" in done.output
    assert path.read_text() == "what was there"
    assert not [each.name for each in Path().iterdir() if each.name.startswith(".")]


WRITES = ("write_text", "write_bytes", "to_parquet")


def test_everything_that_the_engine_writes_is_saved():
    """By the syntax: what writes a file for somebody stands below `with data.saving(…)`."""
    wrong, seen = [], 0
    for path in Path(ldpcore.__path__[0]).rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if not any(name in text for name in WRITES):
            continue
        tree = ast.parse(text)
        safe = {
            id(node)
            for block in ast.walk(tree)
            if isinstance(block, ast.With) and any("saving(" in ast.unparse(item.context_expr) for item in block.items)
            for node in ast.walk(block)
        }
        for node in ast.walk(tree):
            called = node.func if isinstance(node, ast.Call) else None
            if isinstance(called, ast.Attribute) and called.attr in WRITES:
                seen += 1
                if id(node) not in safe:
                    wrong.append(f"{path.name}:{node.lineno}")
    assert not wrong
    assert seen >= 9


def test_nothing_is_left_of_what_could_not_be_saved(tmp_path):
    with (
        pytest.raises(DataError, match="cannot be written\\. No such file or directory"),
        saving(tmp_path / "no" / "x.csv") as there,
    ):
        there.write_text("x")
    with pytest.raises(ZeroDivisionError), saving(tmp_path / "x.csv") as there:
        there.write_text(f"{1 // 0}")
    assert list(tmp_path.iterdir()) == []


def stopped() -> None:
    """A terminal's command with two workers, which hears Ctrl-C while they work."""
    with workers.opened(workers.WorkerRequest(2)) as executor:
        assert executor is not None
        assert signal.SIGINT in executor.submit(signal.pthread_sigmask, signal.SIG_BLOCK, []).result()
        waits = [executor.submit(time.sleep, 60) for _ in range(9)]
        os.kill(os.getpid(), signal.SIGINT)
        waits[0].result()


def stopped_early(begun: list[set[int]]) -> None:
    with pool._unheard():
        os.kill(os.getpid(), signal.SIGINT)
        begun.append(signal.pthread_sigmask(signal.SIG_BLOCK, []))


@pytest.fixture
def terminal():
    """Ctrl-C as a terminal's command gets it: what a script starts with `&` ignores it, these tests as well."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("terminal")
def test_ctrl_c_is_heard_by_the_command_alone():
    """Workers do not hear it; who stops does not wait for them; and one that comes while they begin is not lost."""
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert time.monotonic() - begin < 200  # nine times sixty seconds of two workers are 270
    begun: list[set[int]] = []
    with pytest.raises(KeyboardInterrupt):
        stopped_early(begun)
    assert begun == [{signal.SIGINT}]
    assert signal.pthread_sigmask(signal.SIG_BLOCK, []) == set()


# a client.json that no program wrote -------------------------------------------------------------------------------

FILES = {
    "phones": Client.of("uSS", 1.0, ("a", "b", "c", "d"), [True, True, False, False]).to_json(),
    "answers": AnswerBatch("uSS", 1.0, "x", answers=LABELS, sensitive=(True, False), guess=0.3).to_json(),
    "items": ItemBatch(
        "uPrivSet", 1.0, "x", items=("a", "b", "c", "d"), sensitive=(True, True, True, False), m=1
    ).to_json(),
    "numbers": NumberBatch("uTernary", 1.0, "x", low=0, high=9, sensitive=("3..9",)).to_json(),
}
UGLY = (
    "1" + "0" * 400,
    "-1" + "0" * 400,
    "1" + "0" * 5000,
    "1e999",
    "-1e999",
    "NaN",
    "-1",
    "0",
    "1000000",
    "1e308",
    "5e-324",
    "0.5",
    '""',
    '"x"',
    "null",
    "true",
    "[]",
    "{}",
    "[[1]]",
    "[null]",
    '["a"]',
    '["a", "a"]',
    '"\\ud800"',
    '["\\ud800", "b", "c", "d"]',
    "[" * 100_000 + "]" * 100_000,
    '["0..1e400"]',
    '["nan..5"]',
    '["9..3"]',
    '{"a": 1}',
)
LIBRARY = ("not supported", "NoneType", "unhashable", "object is", "codec", "convert", "ufunc", "argument")


@pytest.mark.parametrize("kind", FILES)
def test_whatever_a_client_file_holds_it_opens_or_is_refused_in_words(kind):
    told, said = json.loads(FILES[kind]), []
    texts = [*UGLY, ""]
    for field in told:
        texts += [json.dumps({**told, field: "@@"}).replace('"@@"', ugly) for ugly in UGLY]
    for text in texts:
        try:
            made = opened(text)
            assert made.accepts(made.form).all()
        except (ValueError, TypeError) as error:
            said.append(str(error))
    assert not [each for each in said if any(word in each for word in LIBRARY)]
    assert len(said) > 0.6 * len(texts)


@pytest.mark.parametrize(
    "content", [b"\xff\xfe", b"", b"[" * 100_000, FILES["items"].replace('"m": 1', '"m": 1000000').encode()]
)
def test_a_strange_client_file_is_a_sentence_in_the_terminal(place, content):
    Path("client.json").write_bytes(content)
    for told in (PERTURB, ("estimate", "answers/below", *ESTIMATE[2:])):
        done = ran(*told)
        assert done.exit_code == 1
        assert "no client.json" in done.output or "m (items per set) must be between 1 and 4" in done.output


def test_the_bytes_of_reports_are_what_they_were(place):
    """With a seed, whatever a plan holds: they change with GRR's sampler alone."""
    assert ran(*PERTURB, "--seed", "7").exit_code == 0
    digest = hashlib.sha256(Path("out/below/1.csv-0000.csv").read_bytes()).hexdigest()
    assert digest[:16] == "5d583ea0f7237c9f"
    found = [sent for part in partitions("out") for sent, _ in reports.read(part, asked().form, 100)]
    assert np.concatenate(found).shape == (60,)
