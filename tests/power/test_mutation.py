"""The harness that plants bugs in the engine sees those that a test sees, and reports those that none does."""

import ast
import json
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from tests.power.mutation.__main__ import ROOT
from tests.power.mutation.mutators import mutants, rooms

ENGINE = '''"""A small engine: no test knows of `left`."""

from math import log

STEP = 2


def up(x: float | None = None, y: int = 1) -> float:
    """x + 1, not 2."""
    if x is None:
        raise ValueError("x + 1 of nothing" + "!")
    while x < 0:
        x += STEP
    return log(x) + 2 * y


def left(a: int) -> int:
    return a * 3
'''
CONFIG = '[tool.pytest.ini_options]\nmarkers = ["thorough: slow"]\n'
TESTS = """
import os, signal
from math import log
import pytest
from ldpcore import small

def test_stopped():
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
        signal.sigtimedwait([], 5)

@pytest.mark.parametrize("x", [0.5, 1.0, 3.0, -1.0, -2.5])
def test_up(x):
    wanted = {0.5: log(0.5), 1.0: 0.0, 3.0: log(3), -1.0: 0.0, -2.5: log(1.5)}[x]
    assert abs(small.up(x, 2) - wanted - 4) < 1e-12

def test_refusal():
    with pytest.raises(ValueError, match="nothing"):
        small.up()
"""


def project(folder: Path) -> Path:
    files = {"pyproject.toml": CONFIG, "ldpcore/__init__.py": "", "ldpcore/small.py": ENGINE,
             "tests/unit/test_small.py": TESTS}  # fmt: skip
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


@pytest.mark.thorough  # five seconds, for a tool of ours
def test_planted_bugs_are_killed_and_untested_ones_reported(tmp_path):
    """End to end; an endless loop ends too. Tests hear Ctrl-C, whoever starts this."""
    pytest.importorskip("coverage", reason="`pip install -e '.[test]'` installs it")
    results = tmp_path / "results.jsonl"
    command = [sys.executable, "-m", "tests.power.mutation", "--project", str(project(tmp_path / "small")), "--tree",
               str(tmp_path / "copies"), "--results", str(results), "--cpu", "2",
               "--sample", "7", "--seed", "21"]  # fmt: skip
    deaf = partial(signal.signal, signal.SIGINT, signal.SIG_IGN)  # as what a script starts with `&`
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, preexec_fn=deaf)
    assert "left out" not in done.stdout
    lines = [json.loads(line) for line in results.read_text().splitlines()]
    assert {line["name"].partition(" ")[2]: line["fate"] for line in lines} == {
        "removed guard: x is None  →  False": "killed",
        "operator: log(x) + 2 * y  →  (log(x) - 2 * y)": "killed",
        "operator: x += STEP  →  x -= STEP": "killed",
        "constant: 2  →  3": "killed",
        "comparison: x < 0  →  (x <= 0)": "survived",  # nobody asks at 0
        "constant: 3  →  2": "untested",
        "dropped term: a * 3  →  a": "untested",
    }
    assert [line["by"] for line in lines if "-= STEP" in line["name"]] == ["too long"]
    assert "57.1% killed of 7 (4 killed, 1 survived, 2 untested)" in done.stdout


def test_what_no_test_should_look_at_is_left_alone():
    source = ENGINE.encode()
    found = mutants(source, "ldpcore/small.py")
    texts = {mutant.before for mutant in found}
    assert not any("float" in text or "nothing" in text or "not 2" in text for text in texts)
    assert {mutant.kind for mutant in found} == {
        "constant", "comparison", "dropped term", "negated", "operator", "removed guard", "twin"
    }  # fmt: skip


@pytest.mark.parametrize("path", ["ldpcore/attacks/within.py", "ldpcore/tally.py"])
def test_every_mutant_compiles_and_differs(path):
    source = (ROOT / path).read_bytes()
    for mutant in mutants(source, path):
        changed = mutant.apply(source)
        assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(source)), mutant.name


def test_what_changes_no_result_is_left_alone():
    source = b"_BLOCK_BYTES = 1 << 20\nSTEP = 3\ndef kept(rng, n, p): return rng.random(n) < p\n"
    assert {mutant.before for mutant in mutants(source, "ldpcore/small.py")} == {"3"}


def test_a_mutant_of_another_source_is_refused():
    first = mutants(ENGINE.encode(), "ldpcore/small.py")[0]
    with pytest.raises(ValueError, match="has changed since this mutant was drawn: draw again"):
        first.apply(b"# a line more\n" + ENGINE.encode())


def test_inner_functions_belong_to_the_outer_one():
    source = b"class A:\n    def f(self):\n        def g():\n            return 1\n        return g\n\ndef h(): pass\n"
    assert rooms(source) == [("A.f", 2, 5), ("h", 7, 7)]
