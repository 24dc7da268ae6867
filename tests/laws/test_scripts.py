"""Every task's script runs in a process of its own and writes the very bytes of the terminal's table.

Each is a study with all that the task's page usually shows: marks, attacks, several mechanisms, the point of the page
and one more of its axis. There is no task without a script.
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
from ldpcore.study import Choice, Comparison, Marks, Source, Study, run, script, script_files, to_toml
from ldpcore.study.tasks import SCRIPTS, TASKS

HEALTH = {"data": Source("health"), "grid": (0.5,), "repetitions": 1}
BASKETS = {"data": Source("groceries"), "column": "items", "grid": (0.5,), "repetitions": 1}
MARRIED = Marks.of([*(f"marital-status = {each}" for each in ("Divorced", "Separated", "Widowed")), "income = >50K"])
"""Three marked groups: uSS takes other subsets for their difference than for all shares."""
STUDIES = {
    "frequency": Study(column="condition", marks=Marks.of(["HIV", "asthma"]), mechanisms=("GRR", "uSS"), **HEALTH),
    "frequency, levels": Study(
        column="condition", marks=Marks((("HIV", "secret"), ("asthma", "sensitive"))), secret_epsilon=0.3,
        mechanisms=("uSS", "gRR"), axis="share", **(HEALTH | {"grid": (0.25,)}),
        options={"attacks": 20, "postprocessing": ("em", "base-cut"), "guess": 0.1},
    ),
    "sets": Study(marks=Marks.of(["milk"]), mechanisms=("PrivSet", "suWheel-J"), task="sets", **BASKETS,
                  options={"attacks": 20, "postprocessing": ("clip",)}),
    "sets, simulated": Study(mechanisms=("PrivSet",), task="sets", **BASKETS, options={
        "attacks": 20, "simulated": 16, "popularity": 1.0, "m": 2}),
    "means": Study(column="age", marks=Marks.of(["80..98"]), mechanisms=("PM", "uTernary", "SW"), bins=(18, 98, 16),
                   task="means", **HEALTH, options={"attacks": 50}),
    "ranges": Study(column="age", mechanisms=("Identity", "Boost16", "Privelet"), bins=(18, 98, 80), task="ranges",
                    **HEALTH, options={"asked": ("31:45",), "ranges": 5}),
    "clusters": Study(column="condition", mechanisms=("LDPK", "DPK", "Graded"), task="clusters", **HEALTH,
                      marks=Marks((("condition = HIV", "secret"), ("smoking = every day", "sensitive"))),
                      secret_epsilon=0.7, options={"columns": ("sex", "condition", "smoking")}),
    "itemsets": Study(marks=Marks.of(["milk"]), mechanisms=("DFDP", "Capped"), task="itemsets", **BASKETS,
                      options={"min_count": 300, "max_length": 2}),
    "relations": Study(Source("census"), "income", MARRIED, ("uSS", "GRR"), grid=(0.5,), repetitions=1,
                       task="relations", options={"groups": "marital-status"}),
    "relations, as one": Study(Source("census"), "income", MARRIED, ("uSS", "half-open"), grid=(0.5,), repetitions=1,
                               task="relations", options={"groups": "marital-status", "setting": "as one"}),
    "review": Study(Source("census"), "marital-status", Marks.of(["marital-status = Divorced", "age = 60..80"]),
                    ("uRR", "uSS"), grid=(0.5,), repetitions=1, task="review",
                    options={"columns": ("marital-status", "relationship", "age")}),
}  # fmt: skip
MORE = {"frequency, levels", "sets, simulated", "relations, as one"}
"""Run before a release."""
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


def printed(study, folder):
    """What the terminal writes: of an attacker who learns, in a process of its own, as tests of pages let it learn
    less.
    """
    if study.task != "review":
        return data.as_csv(run(study)).encode()
    (folder / "study.toml").write_text(to_toml(study), encoding="utf-8")
    command = [sys.executable, "-c", "from ldpcore.cli import main; main()", "run", "study.toml", "-o", "right.csv"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return (folder / "right.csv").read_bytes()


def test_every_task_has_a_script(monkeypatch):
    assert set(TASKS) == set(SCRIPTS)
    assert {name.partition(",")[0] for name in STUDIES} == set(SCRIPTS)
    monkeypatch.delitem(SCRIPTS, "review")
    with pytest.raises(ValueError, match="no script of review yet"):
        script(Study(Source("census"), "income", task="review"))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.thorough if name in MORE else ()) for name in STUDIES]
)
def test_a_script_writes_the_terminals_bytes(name, tmp_path):
    found = executed(tmp_path, script(STUDIES[name]))
    assert found == printed(STUDIES[name], tmp_path), name
    assert found.count(b"\n") > 6


FORMS = ("em", "em-reports", "base-cut")
WEIGHTED = {
    "frequency": {"column": "answer", "marks": Marks.of(["a"]), "mechanisms": ("GRR", "uSS"), "options": {
        "attacks": 20, "postprocessing": FORMS}},
    "frequency, k": {"column": "answer", "mechanisms": ("uSS",), "axis": "k", "grid": (2.0,),
                     "options": {"attacks": 0}},
    "frequency, share": {"column": "answer", "mechanisms": ("uSS",), "axis": "share", "grid": (0.5,), "n": 99,
                         "options": {"attacks": 0}},
    "means": {"column": "age", "marks": Marks.of(["50..80"]), "mechanisms": ("PM", "SDPM", "SW"), "bins": (20, 80, 8),
              "task": "means", "options": {"attacks": 20}},
    "means, n": {"column": "age", "mechanisms": ("PM",), "bins": (20, 80, 8), "task": "means", "axis": "n",
                 "grid": (50.0,), "options": {"attacks": 0}},
    "sets": {"column": "items", "marks": Marks.of(["gin"]), "mechanisms": ("PrivSet", "uPrivSet"), "task": "sets",
             "options": {"attacks": 20, "m": 1, "postprocessing": ("clip",)}},
}  # fmt: skip


@pytest.mark.parametrize("name", WEIGHTED)
def test_a_script_of_people_with_weights_too(name, tmp_path, monkeypatch):
    """In this process, as the others have shown what a fresh one does: 45 different weights, which surveys round."""
    names = ("milk", "tea", "beer", "gin", "rum", "ale")
    held = [";".join(item for bit, item in enumerate(names) if 7 * i >> bit & 1) for i in range(200)]
    lines = [f"{'abcd'[i * i % 4 + i % 2]},{20 + i % 60},{held[i]},{1 + i * i % 89}" for i in range(200)]
    (tmp_path / "p.csv").write_text("\n".join(["answer,age,items,w", *lines]) + "\n", encoding="utf-8")
    read = data.ReadOptions().with_column("w", role="weight")
    table = data.load(tmp_path / "p.csv", read)
    assert len(set(table.weights[1])) > 40
    asked = Study(
        **({"data": Source.of(table), "missing": "column", "grid": (0.5,), "repetitions": 2} | WEIGHTED[name])
    )
    code = script(replace(asked, data=replace(asked.data, name="p.csv")))
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "page.py", "exec"), {})
    assert (tmp_path / "results.csv").read_bytes() == data.as_csv(run(asked, table)).encode()
    assert (tmp_path / "results.html").stat().st_size > 1000


def test_two_settings_are_one_script_and_what_the_command_writes(tmp_path):
    study, page, table = (tmp_path / name for name in ("study.toml", "made.py", "expected.csv"))
    study.write_text(to_toml(BESIDE), encoding="utf-8")
    for command in (["code", str(study), "-o", str(page)], ["run", str(study), "-o", str(table)]):
        done = CliRunner().invoke(cli.main, command)
        assert done.exit_code == 0, done.output
    assert page.read_text(encoding="utf-8") == script(BESIDE)
    assert executed(tmp_path, script(BESIDE)) == table.read_bytes()


def cells_of(notebook):
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


@pytest.mark.parametrize("setting", [*STUDIES.values(), BESIDE], ids=[*STUDIES, "A | B"])
def test_a_notebook_is_the_same_cells(setting):
    """What nbformat 4.5 asks of a notebook without outputs; the code is the script's, cell by cell."""
    notebook = json.loads(script(setting, "ipynb"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert {*notebook} == {"cells", "metadata", "nbformat", "nbformat_minor"}
    names = [cell["id"] for cell in notebook["cells"]]
    assert len({*names}) == len(names)
    assert all(re.fullmatch(r"[a-zA-Z0-9-_]{1,64}", name) for name in names)
    for cell in notebook["cells"]:
        more = {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
        assert {*cell} == {"cell_type", "id", "metadata", "source"} | more
        assert cell["metadata"] == {}
        assert all(line.endswith("\n") for line in cell["source"][:-1])
        if more:
            assert (cell["execution_count"], cell["outputs"]) == (None, [])
    code = ast.unparse(ast.parse("\n".join(cells_of(notebook))))
    assert code == ast.unparse(ast.Module(ast.parse(script(setting)).body[1:], []))


@pytest.mark.parametrize("setting", [*STUDIES.values(), BESIDE], ids=[*STUDIES, "A | B"])
def test_a_script_uses_what_it_imports_and_never_runs_the_study(setting):
    tree = ast.parse(script(setting))
    brought = [
        alias for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom) for alias in node.names
    ]
    called = {alias.asname or alias.name for alias in brought}
    assert not called & {"run", "Study", "execute", "serial", "from_toml"}
    assert called <= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert not any(alias.name.startswith("_") for alias in brought)


HOSTILE = (
    '"); import os; os.abort()  # "',
    "a\nimport os; os.abort()",
    "'''",
    '"""',
    "\\",
    "{x}",
    "$marks",
    "\u2028",
    "\U000e0001",
    "🙂",
    "ä",
)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_labels_are_texts_and_never_code(text):
    """A label from a file stands in a script as a literal: nothing of it is run, nor ends a comment."""
    plain = STUDIES["frequency"]
    read = data.ReadOptions(separator=";").with_column(text, missing=[text])
    source = Source(text, "5f", ((text, (text,)),), read)
    written = replace(plain, data=source, column=text, marks=Marks.of([text]))
    texts = [node.value for node in ast.walk(ast.parse(script(written))) if isinstance(node, ast.Constant)]
    assert texts.count(text) >= 5
    shape = [type(node) for node in ast.walk(ast.parse(script(written)))]
    harmless = replace(written, data=Source("a", "5f", (("a", ("a",)),), data.ReadOptions(separator=";").with_column(
        "a", missing=["a"])), column="a", marks=Marks.of(["a"]))  # fmt: skip
    assert shape == [type(node) for node in ast.walk(ast.parse(script(harmless)))]
    beside = Comparison(plain, replace(plain, epsilon=2.0), f"x{text}"[:40], "B")
    assert f"x{text}"[:40] in [
        node.value for node in ast.walk(ast.parse(script(beside))) if isinstance(node, ast.Constant)
    ]


def test_a_file_is_read_as_was_decided(tmp_path):
    """Separator, decimals, recoded and missing answers, and answers that are none: all in the script's first lines."""
    people = "".join(
        f"{'yes' if i % 3 else 'no'};{'88' if i % 5 else '3,5'};{'none' if not i % 7 else 'a'}\n" for i in range(90)
    )
    (tmp_path / "asked.csv").write_text(f"smoker;days;x\n{people}", encoding="utf-8")
    read = data.ReadOptions(separator=";", decimal=",").with_column("days", recode={"88": "0"})
    table = data.load(tmp_path / "asked.csv", read).with_missing({"x": ("none",)})
    asked = replace(
        STUDIES["frequency"], column="smoker", marks=Marks.of(["yes"]), missing="any", data=Source.of(table)
    )
    study = replace(asked, data=replace(asked.data, name="asked.csv"))
    assert executed(tmp_path, script(study)) == data.as_csv(run(asked, table)).encode()
    (tmp_path / "asked.csv").write_text(f"smoker;days;x\n{people}no;1;a\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="another file"):
        executed(tmp_path, script(study))


def test_what_has_no_script_is_said_in_a_sentence(tmp_path):
    plain = STUDIES["frequency"]
    weighed = data.ReadOptions().with_column("age", role="weight")
    for study in (
        replace(STUDIES["review"], data=replace(Source("health"), read=weighed)),
        replace(plain, choices=(Choice(Marks.of(["flu"]), 0.3),)),
        replace(plain, mechanisms=("GRR", "Own")),
        plain.with_options(priors=("level",)),
        replace(STUDIES["means"], choices=(Choice(Marks.of(["20..30"]), 0.3),)),
        STUDIES["relations"].with_options(groups=None),
        STUDIES["review"].with_options(as_one=("marital-status + relationship",)),
        replace(STUDIES["review"], marks=Marks((("marital-status = Divorced", "secret"),))),
    ):
        with pytest.raises(ValueError, match=r"^(there is no script yet of|a script names both).*: "):
            script(study)
        assert script_files.refusal(study)
    file = tmp_path / "study.toml"
    file.write_text(to_toml(plain), encoding="utf-8")
    done = CliRunner().invoke(cli.main, ["code", str(file), "-o", str(tmp_path / "page.txt")])
    assert done.exit_code == 1
    assert "the script ends in .py, .ipynb or .R" in done.output
    shown = CliRunner().invoke(cli.main, ["code", str(file), "--data", "there/x.csv"])
    assert 'data.load("there/x.csv")' in shown.output
