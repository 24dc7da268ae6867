"""Every task's script writes the very bytes of the terminal's table: in a process that has done nothing else, on the
bundled data that its page opens with; and, in this one, whatever can be set besides, on a small file.

Each is a study with all that the task's page usually shows: marks, attacks, several mechanisms, on the bundled data at
the point of the page, on the small ones at one more of its axis. There is no task without a script, and no setting.
"""

import ast
import json
import re
import subprocess
import sys
from dataclasses import replace

import pandas as pd
import pytest
from click.testing import CliRunner

from ldpcore import cli, data
from ldpcore.study import Choice, Comparison, Marks, Source, Study, run, script, script_files, to_toml
from ldpcore.study.definition import KINDS
from ldpcore.study.scripts import literal
from ldpcore.study.tasks import SCRIPTS, TASKS
from tests.each import for_each
from tests.unit.test_study_files import OF_A_REVIEW, VALUES

HEALTH = {"data": Source("health"), "grid": (), "repetitions": 1}
BASKETS = {"data": Source("groceries"), "column": "items", "grid": (), "repetitions": 1}
MARRIED = Marks.of([*(f"marital-status = {each}" for each in ("Divorced", "Separated", "Widowed")), "income = >50K"])
"""Three marked groups: uSS takes other subsets for their difference than for all shares."""
STUDIES = {
    "frequency": Study(column="condition", marks=Marks.of(["HIV", "asthma"]), mechanisms=("GRR", "uSS"), **HEALTH),
    "sets": Study(marks=Marks.of(["milk"]), mechanisms=("PrivSet", "suWheel-J"), task="sets", **BASKETS,
                  options={"attacks": 20, "postprocessing": ("clip",)}),
    "means": Study(column="age", marks=Marks.of(["80..98"]), mechanisms=("PM", "uTernary", "SW"), bins=(18, 98, 16),
                   task="means", **HEALTH, options={"attacks": 50}),
    "ranges": Study(column="age", mechanisms=("Identity", "Boost16", "Privelet"), bins=(18, 98, 80), task="ranges",
                    **HEALTH, options={"asked": ("31:45",), "ranges": 5}),
    "clusters": Study(column="condition", mechanisms=("LDPK", "DPK", "Graded"), task="clusters", **HEALTH,
                      marks=Marks((("condition = HIV", "secret"), ("smoking = every day", "sensitive"))),
                      secret_epsilon=0.7, options={"columns": ("sex", "condition", "smoking")}),
    "itemsets": Study(marks=Marks.of(["milk"]), mechanisms=("DFDP", "Capped", "Local"), task="itemsets", **BASKETS,
                      options={"min_count": 300, "max_length": 2}),
    "relations": Study(Source("census"), "income", MARRIED, ("uSS", "GRR"), grid=(), repetitions=1,
                       task="relations", options={"groups": "marital-status"}),
    "review": Study(Source("census"), "marital-status", Marks.of(["marital-status = Divorced", "age = 60..80"]),
                    ("uRR", "uSS"), grid=(), repetitions=1, task="review",
                    options={"columns": ("marital-status", "relationship", "age")}),
}  # fmt: skip
WITHOUT_REPORTS = {"DFDP", "Capped", "Identity", "Boost16", "Privelet"}
"""What a curator publishes who is sent no report, but the answers themselves."""
BESIDE = Comparison(
    STUDIES["frequency"], replace(STUDIES["frequency"], epsilon=2.0, marks=Marks.of(["HIV"])), "few", "more"
)

FRESH = """
import os, runpy, traceback
from pathlib import Path
for name in sorted(os.listdir()):
    os.chdir(name)
    try:
        runpy.run_path("page.py", run_name="__main__")
    except BaseException:
        Path("why").write_text(traceback.format_exc())
    os.chdir("..")
from ldpcore import data, study
for name in sorted(os.listdir()):
    asked = study.from_toml(Path(name, "study.toml").read_text(encoding="utf-8"))
    Path(name, "right.csv").write_text(data.as_csv(study.run(asked)), encoding="utf-8")
"""
"""Runs every script of the folder as its file would be, each in names of its own; then what they are to write."""


def test_every_tasks_script_writes_the_terminals_bytes_where_nothing_else_was_done(tmp_path):
    for name, study in STUDIES.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "page.py").write_text(script(study), encoding="utf-8")
        (tmp_path / name / "study.toml").write_text(to_toml(study), encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", FRESH], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for name in STUDIES:
        why = tmp_path / name / "why"
        assert not why.exists(), f"{name}: {why.read_text()}"
        found = (tmp_path / name / "results.csv").read_bytes()
        assert found == (tmp_path / name / "right.csv").read_bytes(), name
        assert found.count(b"\n") > 4
        rows = pd.read_csv(tmp_path / name / "right.csv")
        sized = rows[(rows["metric"] == "bits") & (rows["value"] > 0)]["mechanism"]
        assert {*sized} == {*rows["mechanism"]} - WITHOUT_REPORTS, f"{name}: whoever sends a report has its bits"
        assert (tmp_path / name / "results.html").stat().st_size > 1000


def test_every_task_has_a_script(monkeypatch):
    assert set(TASKS) == set(SCRIPTS) == set(STUDIES) == set(SETTINGS)
    monkeypatch.delitem(SCRIPTS, "review")
    with pytest.raises(ValueError, match="no script of review yet"):
        script(Study(Source("census"), "income", task="review"))


# what else can be set -------------------------------------------------------------------------------------------------

NAMES = ("milk", "tea", "beer", "gin", "rum", "ale")
LINES = [
    f"{'abcd'[i * i // 3 % 4] if i % 31 else ''},{('never', 'some', 'daily')[(i * i + i // 5) % 3] if i % 29 else ''},"
    f"{'fm'[i % 7 % 2]},{20 + i % 60},{';'.join(item for bit, item in enumerate(NAMES) if 7 * i >> bit & 1)},"
    f"{1 + i * i % 89}"
    for i in range(200)
]
"""People with four kinds of answers, 45 different weights, which surveys round, and some who did not answer."""
AS_IT_IS = data.ReadOptions()
SMALL = {"data": Source("p.csv"), "grid": (2.5,), "repetitions": 2, "missing": "column"}
TWO_LEVELS = Marks((("smoking = daily", "secret"), ("smoking = some", "sensitive"), ("sex = f", "sensitive")))
OWN_NUMBERS = "number,low,middle,high\n20,0.6,0.3,0.1\n50,0.3,0.4,0.3\n80,0.1,0.3,0.6"
OWN = "answer,1,2,3\n" + "\n".join(f"{name},{row}" for name, row in zip(
    "abd", ("0.8,0.1,0.1", "0.1,0.8,0.1", "0.1,0.1,0.8"), strict=True))  # fmt: skip
OWN_ITEMS = """item,1,2,3,4,5,6,7
milk,.5,0,.1,.1,.1,.1,.1
tea,.1,.4,.1,.1,.1,.1,.1
beer,.1,0,.5,.1,.1,.1,.1
gin,.1,0,.1,.5,.1,.1,.1
rum,.1,0,.1,.1,.5,.1,.1
ale,.1,0,.1,.1,.1,.5,.1
padding,.1,0,.1,.1,.1,.1,.5"""
"""Report 2 proves tea, so that marks decide what it promises."""
SETTINGS = {
    "frequency": (
        Study(column="smoking", marks=Marks((("daily", "secret"), ("some", "sensitive"))), secret_epsilon=0.3,
              mechanisms=("uSS", "gRR"),
              choices=(Choice(Marks.of(["never"]), 0.3), Choice(Marks.of(["some"]), 0.2, 0.7)),
              options={"attacks": 20, "postprocessing": ("clip", "norm-sub", "em"), "guess": 0.1,
                       "priors": ("uniform", "level", "targeted")}, **SMALL),
        Study(column="answer", marks=Marks.of(["a"]), mechanisms=("GRR", "Own"),
              choices=(Choice(Marks.of(["b"]), 1.0),),
              options={"attacks": 20, "postprocessing": ("em-reports", "base-cut"), "own": OWN}, **SMALL),
    ),
    "sets": (
        Study(column="items", marks=Marks((("gin", "secret"), ("milk", "sensitive"))), secret_epsilon=0.3,
              mechanisms=("PrivSet", "Own"), task="sets", **SMALL,
              options={"attacks": 20, "m": 2, "targets": 2, "postprocessing": ("at-most-m", "base-cut"),
                       "own": OWN_ITEMS}),
        Study(column="items", mechanisms=("PrivSet",), task="sets", **SMALL,
              options={"attacks": 20, "simulated": 16, "popularity": 1.0, "m": 2, "marked": 0.5}),
    ),
    "means": (
        Study(column="age", marks=Marks((("20..30", "secret"), ("70..80", "sensitive"))), secret_epsilon=0.3, n=150,
              mechanisms=("PM", "SDPM", "Own"), bins=(20, 80, 8), choices=(Choice(Marks.of(["25..50"]), 0.3),),
              task="means", **SMALL, options={"attacks": 20, "own": OWN_NUMBERS}),
        Study(column="age", marks=Marks.of(["60..80"]), mechanisms=("PM", "SDPM"), bins=(20, 80, 8), axis="share",
              task="means", **(SMALL | {"grid": (0.5,)}),
              options={"attacks": 20, "reports": 20, "delta": 5.0, "estimates": ("mean", "em")}),
    ),
    "ranges": (
        Study(column="age", mechanisms=("Identity",), bins=(20, 80, 30), task="ranges", axis="N",
              **(SMALL | {"grid": (16.0,)}), options={"ranges": 4}),
        Study(column="smoking", mechanisms=("Privelet",), n=150, task="ranges", **(SMALL | {"missing": "category"}),
              options={"ranges": 0, "asked": ("1:2",)}),
    ),
    "clusters": (
        Study(column="sex", mechanisms=("DPK", "Graded"), marks=TWO_LEVELS, secret_epsilon=0.7,
              task="clusters", **SMALL),
        Study(column="sex", mechanisms=("DPK",), axis="k", task="clusters",
              **(SMALL | {"grid": (3.0,), "missing": "category"}), options={"k": 2, "attack": False}),
    ),
    "itemsets": (
        Study(column="items", marks=Marks.of(["gin"]), mechanisms=("DFDP", "SmartTrunc"), task="itemsets",
              axis="min_count", **(SMALL | {"grid": (70.0,)}),
              options={"min_count": 60, "max_length": 2, "same": "s", "s": 0.4, "clip": 10.0}),
        Study(column="items", mechanisms=("SmartTrunc",), task="itemsets", **SMALL,
              options={"min_count": 0.3, "length": 4, "levels": 2, "candidate_count": 50.0}),
    ),
    "relations": (
        Study(column="smoking", marks=TWO_LEVELS, mechanisms=("uSS", "gRR", "half-open"),
              task="relations", **SMALL, options={"groups": "sex", "setting": "as one", "join": True}),
        Study(column="smoking", marks=TWO_LEVELS, secret_epsilon=0.3, mechanisms=("uSS", "gRR"), task="relations",
              axis="n",
              **(SMALL | {"grid": (120.0,)}), options={"about": "these", "join": True}),
    ),
    "review": (
        Study(column="sex", marks=TWO_LEVELS, secret_epsilon=0.3, mechanisms=("uSS", "gRR"), task="review", **SMALL,
              options={"columns": ("smoking", "sex", "answer"), "as_one": ("smoking + sex",), "hidden": ("answer",),
                       "budget": "person"}),
        Study(column="sex", marks=TWO_LEVELS, secret_epsilon=0.3, mechanisms=("uSS", "gRR"), n=150, task="review",
              **SMALL, options={"columns": ("smoking", "sex", "age"), "scheme": "one", "parts": ("sex = 0.5",),
                                "known": ("answer",), "ranges": ("age = 20..80/4",)}),
    ),
}  # fmt: skip
"""Task → two settings of what the studies above leave out."""


@pytest.fixture
def small(tmp_path, monkeypatch):
    """The people, as a script finds them where it is run; read: with these decisions."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.csv").write_text("\n".join(["answer,smoking,sex,age,items,w", *LINES]) + "\n", encoding="utf-8")
    return lambda read=AS_IT_IS: data.load("p.csv", read)


def executed(setting, folder):
    """What its script writes, run in this process."""
    exec(compile(script(setting), "page.py", "exec"), {})
    assert (folder / "results.html").stat().st_size > 1000
    return (folder / "results.csv").read_text(encoding="utf-8")


def test_a_script_prints_every_number_and_the_margin_of_its_page(small, tmp_path, capsys):
    """No row is cut by "…", however many there are; the ± of the page stands beside the typical error."""
    executed(SETTINGS["frequency"][0], tmp_path)
    said, rows = capsys.readouterr().out, pd.read_csv(tmp_path / "results.csv")
    assert "..." not in said
    assert {f"{what}, {how}" for what in ("typical error", "± 95 %") for how in ("theory", "simulated")} <= set(
        re.findall(r"(?:typical error|± 95 %), (?:theory|simulated)", said)
    )
    study = SETTINGS["frequency"][0]
    mine = (rows["metric"] == "mse") & (rows["scope"] == "all") & (rows["x"] == study.epsilon)
    typical = 100 * rows[mine].groupby("mechanism")["theory"].mean() ** 0.5
    for error in typical:
        assert f"{error:.4f}"[:5] in said
        assert f"{1.959963984540054 * error:.4f}"[:5] in said


@pytest.mark.parametrize("task", SETTINGS)
def test_two_settings_are_one_script(task, small, tmp_path):
    """And whatever can be set has one."""
    both = Comparison(*SETTINGS[task], "few", "more")
    rows = [run(study, small()).assign(setting=name) for name, study in both.named.items()]
    expected = data.as_csv(pd.concat(rows)[["setting", *rows[0].columns[:-1]]])
    assert executed(both, tmp_path) == expected
    assert expected.count("\nfew,") > 4
    assert expected.count("\nmore,") > 4


IDLE = {
    "frequency": set(),
    "sets": {"bins", "choices", "missing"},
    "means": set(),
    "ranges": {"choices", "marks", "secret_epsilon"},
    "clusters": {"bins", "choices", "column"},
    "itemsets": {"bins", "choices", "missing", "n", "secret_epsilon"},
    "relations": {"bins", "choices", "missing"},
    "review": {"bins", "choices", "column", "within", "denying", "title"},
}
"""What a task has not, or what changes none of its numbers."""
CHANGED = {
    "data": (Source("x"),), "column": ("x",), "epsilon": (3.0,), "grid": ((2.0,),), "n": (77,), "marks": (Marks(),),
    "missing": ("category",), "bins": ((10.0, 90.0, 4),), "repetitions": (3,), "seed": (1,),
    "choices": ((Choice(Marks.of(["40..45"]), 0.1),),), "secret_epsilon": (0.123,),
}  # fmt: skip


def written(study):
    return "".join(cell.code for cell in SCRIPTS[study.task](study))


@pytest.mark.parametrize("task", SETTINGS)
def test_one_number_changed_in_a_script_is_the_script_of_the_study_with_it(task):
    """So what it then writes is right, too."""
    study = STUDIES[task]
    for line, other, field in (
        ("EPSILON = 1.0", "EPSILON = 0.8", {"epsilon": 0.8}),
        ("SEED = 7", "SEED = 8", {"seed": 8}),
        ("SURVEYS = 1 ", "SURVEYS = 20 ", {"repetitions": 20}),
    ):
        code = script(study)
        assert code.count(line) == 1
        assert code.replace(line, other) == script(replace(study, **field))
    names = literal(study.mechanisms)
    assert script(study).replace(names, literal(study.mechanisms[::-1])) == script(
        replace(study, mechanisms=study.mechanisms[::-1])
    )


@for_each("task", SETTINGS)
def test_what_changes_the_numbers_of_a_study_changes_its_script(task):
    """Else it would write other bytes than the terminal: no field of a Study, and no option, is overlooked."""
    bases = [*((STUDIES[task],) if task != "review" else ()), *SETTINGS[task]]
    plain = [written(base) for base in bases]
    values = VALUES | (OF_A_REVIEW if task == "review" else {})

    def changes(change):
        for base, code in zip(bases, plain, strict=True):
            try:
                if written(change(base)) != code:
                    return True
            except ValueError:  # the task has no such thing
                continue
        return False

    options = {name: values[name] for name in KINDS[task].options.names()}
    idle = {name for name, some in options.items()
            if not any(changes(lambda base, n=name, v=v: base.with_options(**{n: v})) for v in
                       (*some, None))}  # fmt: skip
    idle |= {name for name, some in CHANGED.items()
             if not any(changes(lambda base, n=name, v=v: replace(base, **{n: v})) for v in some)}  # fmt: skip
    assert idle == IDLE[task]


FORMS = ("em", "em-reports", "base-cut")
MORE = {"frequency, share", "means, n"}
"""Run before a release."""
WEIGHED = Source("p.csv", read=data.ReadOptions().with_column("w", role="weight"))
WEIGHTED = {
    "frequency": {"column": "answer", "marks": Marks.of(["a"]), "mechanisms": ("GRR", "uSS"), "options": {
        "attacks": 20, "postprocessing": FORMS}},
    "frequency, k": {"column": "answer", "mechanisms": ("uSS",), "axis": "k", "grid": (2.0,),
                     "options": {"attacks": 0}},
    "frequency, share": {"column": "answer", "mechanisms": ("uSS",), "axis": "share", "grid": (0.5,), "n": 99,
                         "options": {"attacks": 0}},
    "means": {"column": "age", "marks": Marks.of(["50..80"]), "mechanisms": ("PM", "SDPM"), "bins": (20, 80, 8),
              "task": "means", "options": {"attacks": 20}},
    "means, n": {"column": "age", "mechanisms": ("PM",), "bins": (20, 80, 8), "task": "means", "axis": "n",
                 "grid": (50.0,), "options": {"attacks": 0}},
    "frequency, chosen": {"column": "answer", "marks": Marks.of(["a"]), "mechanisms": ("uSS",), "axis": "n",
                          "grid": (50.0,), "choices": (Choice(Marks.of(["b"]), 0.4),), "options": {
                              "attacks": 20, "priors": ("level", "population")}},
    "means, chosen": {"column": "age", "mechanisms": ("PM",), "bins": (20, 80, 8), "task": "means", "options": {
        "attacks": 0}, "choices": (Choice(Marks.of(["50..80"]), 0.4),)},
    "review": {"column": "sex", "marks": TWO_LEVELS.flat(), "mechanisms": ("uSS",), "task": "review", "options": {
        "columns": ("smoking", "sex"), "attacker": "own"}},
    "sets": {"column": "items", "marks": Marks.of(["gin"]), "mechanisms": ("PrivSet", "uPrivSet"), "task": "sets",
             "options": {"attacks": 20, "m": 1, "postprocessing": ("clip",)}},
}  # fmt: skip


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.thorough if name in MORE else ()) for name in WEIGHTED]
)
def test_a_script_of_people_with_weights_too(name, small, tmp_path):
    table = small(data.ReadOptions().with_column("w", role="weight"))
    assert len(set(table.weights[1])) > 40
    asked = Study(**(SMALL | {"data": Source.of(table)} | WEIGHTED[name]))
    study = replace(asked, data=replace(asked.data, name="p.csv"))
    assert executed(study, tmp_path) == data.as_csv(run(asked, table))


def test_the_command_writes_the_script(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    study, page, table = (tmp_path / name for name in ("study.toml", "made.py", "expected.csv"))
    study.write_text(to_toml(BESIDE), encoding="utf-8")
    for command in (["code", str(study), "-o", str(page)], ["run", str(study), "-o", str(table)]):
        done = CliRunner().invoke(cli.main, command)
        assert done.exit_code == 0, done.output
    assert page.read_text(encoding="utf-8") == script(BESIDE)
    assert executed(BESIDE, tmp_path) == table.read_text(encoding="utf-8")
    shown = CliRunner().invoke(cli.main, ["code", str(study), "--data", "there/x.csv"])
    assert 'data.load("there/x.csv")' in shown.output
    wrong = CliRunner().invoke(cli.main, ["code", str(study), "-o", str(tmp_path / "page.txt")])
    assert wrong.exit_code == 1
    assert "the script ends in .py, .ipynb or .R" in wrong.output


DECIDED = replace(STUDIES["frequency"], column="smoker", marks=Marks.of(["yes"]), missing="any").with_options(
    postprocessing=("em-reports",), attacks=0
)


def test_no_name_is_brought_in_vain():
    """Whatever a script can import is used by one of these."""
    every = [DECIDED, *STUDIES.values(), *(study for both in SETTINGS.values() for study in both)]
    every += [Study(**(SMALL | {"data": WEIGHED} | fields)) for fields in WEIGHTED.values()]
    brought = {alias.name for study in every for node in ast.walk(ast.parse(script(study)))
               if isinstance(node, ast.ImportFrom) for alias in node.names}  # fmt: skip
    assert brought == {name for names in script_files.HOMES.values() for name in names}


ALL = {**STUDIES, "A | B": BESIDE} | {
    f"{task}, set": Comparison(*both) for task, both in SETTINGS.items()}  # fmt: skip


def cells_of(notebook):
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


@pytest.mark.parametrize("setting", ALL.values(), ids=ALL)
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


@pytest.mark.parametrize("setting", ALL.values(), ids=ALL)
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


def test_a_file_is_read_as_was_decided(tmp_path, monkeypatch):
    """Separator, decimals, recoded and missing answers, and answers that are none: all in the script's first lines."""
    monkeypatch.chdir(tmp_path)
    people = "".join(
        f"{'yes' if i % 3 else 'no'};{'88' if i % 5 else '3,5'};{'none' if not i % 7 else 'a'}\n" for i in range(90)
    )
    (tmp_path / "asked.csv").write_text(f"smoker;days;x\n{people}", encoding="utf-8")
    read = data.ReadOptions(separator=";", decimal=",").with_column("days", recode={"88": "0"})
    table = data.load(tmp_path / "asked.csv", read).with_missing({"x": ("none",)})
    asked = replace(DECIDED, data=Source.of(table))
    study = replace(asked, data=replace(asked.data, name="asked.csv"))
    assert executed(study, tmp_path) == data.as_csv(run(asked, table))
    (tmp_path / "asked.csv").write_text(f"smoker;days;x\n{people}no;1;a\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="another file"):
        executed(study, tmp_path)


def test_numbers_without_a_public_range_have_no_script():
    with pytest.raises(ValueError, match="public range"):
        script(replace(STUDIES["means"], bins=None))
