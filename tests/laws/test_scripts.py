"""Every task's script runs in a process of its own and writes the very bytes of the terminal's table.

Each is a study with all that the task's page usually shows: marks, attacks, several mechanisms, the point of the page
and one more of its axis. A task without a script is named in OPEN, and in nothing else.
"""

import ast
import json
import re
import subprocess
import sys
from dataclasses import replace

import pytest
from click.testing import CliRunner

from ldpcore import cli, data
from ldpcore.study import Comparison, Marks, Source, Study, run, script, to_toml
from ldpcore.study.tasks import SCRIPTS, TASKS

OPEN = {"review"}
"""Tasks whose run cannot be written down as code yet."""

HEALTH = {"data": Source("health"), "grid": (0.5,), "repetitions": 1}
BASKETS = {"data": Source("groceries"), "column": "items", "grid": (0.5,), "repetitions": 1}
DIVORCED = Marks.of(["marital-status = Divorced", "income = >50K"])
STUDIES = {
    "frequency": Study(column="condition", marks=Marks.of(["HIV", "asthma"]), mechanisms=("GRR", "uSS"), **HEALTH),
    "frequency, levels": Study(
        column="condition", marks=Marks((("HIV", "secret"), ("asthma", "sensitive"))), secret_epsilon=0.3,
        mechanisms=("uSS", "gRR"), axis="share", **(HEALTH | {"grid": (0.25,)}),
        options={"attacks": 20, "postprocessing": ("em", "base-cut"), "guess": 0.1},
    ),
    "sets": Study(marks=Marks.of(["milk"]), mechanisms=("PrivSet", "suWheel-J"), task="sets", **BASKETS,
                  options={"attacks": 20, "postprocessing": ("clip",)}),
    "means": Study(column="age", marks=Marks.of(["80..98"]), mechanisms=("PM", "uTernary", "SW"), bins=(18, 98, 16),
                   task="means", **HEALTH, options={"attacks": 50}),
    "ranges": Study(column="age", mechanisms=("Identity", "Boost16", "Privelet"), bins=(18, 98, 80), task="ranges",
                    **HEALTH, options={"asked": ("31:45",), "ranges": 5}),
    "clusters": Study(column="condition", mechanisms=("LDPK", "DPK"), task="clusters", **HEALTH,
                      options={"columns": ("sex", "condition", "smoking")}),
    "itemsets": Study(marks=Marks.of(["milk"]), mechanisms=("DFDP", "Capped"), task="itemsets", **BASKETS,
                      options={"min_count": 300, "max_length": 2}),
    "relations": Study(Source("census"), "income", DIVORCED, ("uSS", "GRR"), grid=(0.5,), repetitions=1,
                       task="relations", options={"groups": "marital-status"}),
}  # fmt: skip
BESIDE = Comparison(
    STUDIES["frequency"], replace(STUDIES["frequency"], epsilon=2.0, marks=Marks.of(["HIV"])), "few", "more"
)


def executed(folder, code):
    """What a script writes, run where nothing else is."""
    (folder / "page.py").write_text(code, encoding="utf-8")
    done = subprocess.run([sys.executable, "page.py"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (folder / "results.html").stat().st_size > 1000
    return (folder / "results.csv").read_bytes()


def test_every_task_has_a_script():
    assert set(TASKS) - set(SCRIPTS) == OPEN
    assert {name.partition(",")[0] for name in STUDIES} == set(SCRIPTS)
    for task in OPEN:
        with pytest.raises(ValueError, match="no script of review yet"):
            script(Study(Source("census"), "income", task=task))


@pytest.mark.parametrize("name", STUDIES)
def test_a_script_writes_the_terminals_bytes(name, tmp_path):
    found = executed(tmp_path, script(STUDIES[name]))
    assert found == data.as_csv(run(STUDIES[name])).encode(), name
    assert found.count(b"\n") > 6


def test_two_settings_are_one_script_and_what_the_command_writes(tmp_path):
    study, page, table = (tmp_path / name for name in ("study.toml", "made.py", "expected.csv"))
    study.write_text(to_toml(BESIDE), encoding="utf-8")
    for command in (["code", str(study), "-o", str(page)], ["run", str(study), "-o", str(table)]):
        done = CliRunner().invoke(cli.main, command)
        assert done.exit_code == 0, done.output
    assert page.read_text(encoding="utf-8") == script(BESIDE)
    assert executed(tmp_path, script(BESIDE)) == table.read_bytes()
