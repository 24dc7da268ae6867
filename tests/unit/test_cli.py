"""`ldpcore run`: the same table as `study.run`, or a sentence and a non-zero exit."""

import asyncio
import itertools
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pandas as pd
import pytest
from click.testing import CliRunner
from pandas.testing import assert_frame_equal
from starlette.responses import HTMLResponse, PlainTextResponse

from ldpapp import server
from ldpapp.classroom import may_leave_this_machine
from ldpapp.runtime import memory_release, offline
from ldpcore import cli, collection, data, study
from ldpcore.cli import main
from ldpcore.study import Marks, Source, Study

CSV = "answer\n" + "a\n" * 40 + "b\n" * 30 + "c\n" * 20 + "d\n" * 10
BASE = Study(
    Source("answers.csv"), "answer", marks=Marks.of("cd"), mechanisms=("GRR", "uRR"), grid=(0.5,), repetitions=2
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "answers.csv").write_text(CSV)
    (tmp_path / "study.toml").write_text(study.to_toml(BASE), encoding="utf-8")
    return tmp_path


@pytest.fixture
def expected(folder):
    return study.run(BASE, data.load("answers.csv"))


def run(*arguments):
    return CliRunner().invoke(main, ["run", *map(str, arguments)])


def test_csv(folder, expected):
    result = run("study.toml", "-o", "x.csv")
    assert result.exit_code == 0, result.output
    assert_frame_equal(pd.read_csv(folder / "x.csv"), expected, check_exact=False, rtol=1e-12)


def test_parquet(folder, expected):
    result = run("study.toml", "-o", "x.parquet")
    assert result.exit_code == 0, result.output
    assert_frame_equal(pd.read_parquet(folder / "x.parquet"), expected, check_exact=True)


def test_without_output_a_summary_is_printed(folder):
    result = run("study.toml")
    assert result.exit_code == 0
    header, *lines = result.stdout.strip().splitlines()
    assert header.split() == [
        "mechanism",
        "x",
        "metric",
        "scope",
        "repetitions",
        "value",
        "low",
        "high",
        "theory",
        "limit",
        "times",
        "the",
        "limit",
    ]
    assert any(line.split()[:4] == ["uRR", "0.5", "mse", "sensitive"] for line in lines)


def test_the_data_may_lie_elsewhere(folder, expected):
    (folder / "answers.csv").rename(folder / "moved.csv")
    assert run("study.toml", "-o", "x.parquet").exit_code != 0
    assert run("study.toml", "-o", "x.parquet", "--data", "moved.csv").exit_code == 0
    assert_frame_equal(pd.read_parquet(folder / "x.parquet"), expected, check_exact=True)


@pytest.mark.thorough
def test_two_workers_in_a_real_terminal(folder, expected):
    """The installed command itself: workers are started afresh, so nothing may depend on this process."""
    code = "from ldpcore.cli import main; main()"
    arguments = [sys.executable, "-c", code, "run", "study.toml", "-o", "x.parquet", "--workers", "2"]
    done = subprocess.run(arguments, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert_frame_equal(pd.read_parquet(folder / "x.parquet"), expected, check_exact=True)


BAD = {
    "not TOML": ("a = = b", "Error: this is not a TOML file"),
    "unknown entry": (study.to_toml(BASE).replace("seed", "sede"), "Error: a study has no entry sede"),
    "epsilon": (study.to_toml(replace(BASE, epsilon=2.0)).replace("epsilon = 2.0", "epsilon = -2.0"), "got -2"),
    "mechanism": (study.to_toml(replace(BASE, mechanisms=("GRRR",))), "Error: there is no mechanism 'GRRR'"),
    "column": (study.to_toml(replace(BASE, column="age")), "no column “age”"),
    "marks": (study.to_toml(replace(BASE, marks=Marks.of("z"))), "the marks do not fit this column"),
    "data": (study.to_toml(replace(BASE, data=Source("none.csv"))), "none.csv"),
    "digest": (study.to_toml(replace(BASE, data=Source("answers.csv", "00"))), "the study was made with other data"),
    "option": (
        study.to_toml(BASE.with_options(attacks=1)).replace("attacks", "atacks"),
        "the frequency task has no option atacks",
    ),
}


@pytest.mark.parametrize(("content", "sentence"), BAD.values(), ids=BAD)
def test_a_bad_study_is_answered_with_a_sentence(folder, content, sentence):
    (folder / "study.toml").write_text(content, encoding="utf-8")
    result = run("study.toml", "-o", "x.csv")
    assert result.exit_code == 1
    assert sentence in result.output
    assert "Traceback" not in result.output
    assert not (folder / "x.csv").exists()


def test_bytes_that_are_no_text(folder):
    (folder / "study.toml").write_bytes(b"\xff\xfe\x00")
    result = run("study.toml")
    assert result.exit_code == 1
    assert result.output.startswith("Error: ")


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["nothing.toml"], 2, "File 'nothing.toml' does not exist"),
        (["study.toml", "-o", "x.xlsx"], 1, "the output ends in .csv or .parquet, got x.xlsx"),
        (["study.toml", "--workers", "0"], 2, "0 is not in the range x>=1"),
        (["study.toml", "--data", "none.csv"], 2, "File 'none.csv' does not exist"),
    ],
)
def test_bad_arguments(folder, arguments, code, sentence):
    result = run(*arguments)
    assert result.exit_code == code
    assert sentence in result.output


def test_the_data_sets_are_listed():
    result = CliRunner().invoke(main, ["data", "list"])
    assert result.exit_code == 0
    assert [line.split()[0] for line in result.output.splitlines()] == [*data.BUNDLED, *data.FETCHED]


def test_fetching_what_is_not_there():
    result = CliRunner().invoke(main, ["data", "fetch", "nothing"])
    assert result.exit_code == 1
    assert "Error: " in result.output


def test_the_version():
    import ldpcore

    assert ldpcore.__version__ in CliRunner().invoke(main, ["--version"]).output


@pytest.mark.parametrize("options", [[], ["--lan"], ["--server.port", "8600", "--lan"]])
def test_only_lan_lets_phones_of_the_network_join_and_the_dashboard_stays_here(monkeypatch, options):
    monkeypatch.setenv(collection.LAN, "1")
    monkeypatch.setattr(sys, "argv", ["ldpcore"])
    monkeypatch.setattr(cli.runpy, "run_module", lambda *_, **__: None)
    monkeypatch.setattr(
        memory_release, "keep_tidy", lambda: None
    )  # its thread would stay, and look at other tests' sessions
    done = CliRunner().invoke(main, ["dashboard", *options])
    assert done.exit_code == 0, done.output
    assert may_leave_this_machine() == ("--lan" in options)
    assert "--server.address=127.0.0.1" in sys.argv
    assert "--lan" not in sys.argv


@pytest.mark.parametrize("options", [[], ["--metrics"]])
def test_metrics_are_closed_unless_asked_for(monkeypatch, options):
    """As the dashboard is started, and as what it starts answers: whatever else is asked goes on."""
    monkeypatch.setenv(offline.METRICS, "")
    monkeypatch.setattr(sys, "argv", ["ldpcore"])
    monkeypatch.setattr(cli.runpy, "run_module", lambda *_, **__: None)
    monkeypatch.setattr(memory_release, "keep_tidy", lambda: None)
    assert CliRunner().invoke(main, ["dashboard", *options]).exit_code == 0
    assert any(each.endswith("server.py") for each in sys.argv)
    assert "--metrics" not in sys.argv

    def status(path: str, inside=PlainTextResponse) -> int:
        said: list = []

        async def keep(message) -> None:
            said.append(message)

        walls = server.Walls(inside("inside"))
        asked = walls({"type": "http", "method": "GET", "path": path, "headers": []}, None, keep)
        with ThreadPoolExecutor(1) as apart:  # a browser of another test may have left a loop in this thread
            apart.submit(asyncio.run, asked).result()
        names = {name.decode() for name, _ in said[0]["headers"]}
        assert {name.lower() for name in server.HEADERS} <= names
        assert ("link" in names) == (inside is HTMLResponse)
        return said[0]["status"]

    assert status("/_stcore/health") == 200
    assert status("/itemsets", HTMLResponse) == 200
    early = re.findall(r"<(static/js/[\w.-]+\.js)>;rel=modulepreload", server.EARLY)
    assert all(sum(f"/{name}." in each for each in early) == 1 for name in server.AT_ONCE)
    assert all((server.PAGE.parent / each).is_file() for each in early)
    scripts = "".join((server.PAGE.parent / each).read_text(encoding="utf-8") for each in early)
    imports = set(re.findall(r"""from *["']\./([\w.-]+\.js)["']""", scripts))
    ahead = {each.removeprefix("static/js/") for each in early} | set(
        re.findall(r"([\w.-]+\.js)", server.PAGE.read_text())
    )
    assert imports
    assert imports <= ahead
    assert len(server.EARLY) + sum(map(len, itertools.chain(*server.HEADERS.items()))) < 3600  # nginx takes 4096 in all
    assert server.early(server.PAGE, ["NoSuchScript"]) == ""
    for path in ("/_stcore/metrics", "/_stcore/metrics/", "/below/_stcore/metrics"):
        assert status(path) == (200 if options else 404)
