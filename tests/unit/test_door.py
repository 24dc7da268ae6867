"""What a stranger meets first: `import ldpcore` is cheap and opens every room, and the README's own lines run."""

import ast
import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import ldpcore
from ldpcore import former
from tests.each import for_each

ROOT = Path(__file__).resolve().parents[2]


def fresh(code: str) -> str:
    """What these lines print in an interpreter that has imported nothing of ours."""
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_opens_no_room():
    heavy = json.loads(fresh("import json, sys, ldpcore; print(json.dumps(sorted(sys.modules)))"))
    assert not [name for name in heavy if name.startswith(("ldpcore.", "numpy", "scipy", "pandas"))]


def test_every_public_name_opens_from_the_door():
    """In the reverse order of the list: naming one room must not need another to be open."""
    code = """
import ldpcore
print(ldpcore.limit.best("LDP", 4, 0, 1.0).mse > 0)
for name in reversed(ldpcore.__all__):
    getattr(ldpcore, name)
from ldpcore import *
print(Study.__module__, study.__name__)
"""
    assert fresh(code) == "True\nldpcore.study.definition ldpcore.study\n"


def test_the_door_lists_what_it_opens():
    assert set(ldpcore.__all__) <= set(dir(ldpcore))
    assert sorted(ldpcore.__all__, key=lambda name: (not name[0].isupper(), name)) == ldpcore.__all__
    nouns = {name for name in ldpcore.__all__ if not isinstance(getattr(ldpcore, name), (str, type(ldpcore)))}
    assert nouns == set(ldpcore._NOUNS), "every noun has its room, and every room's noun is public"


def test_a_type_checker_sees_the_same_names():
    """The names a type checker reads are those that open."""
    text = (ROOT / "ldpcore" / "__init__.py").read_text(encoding="utf-8")
    block = next(node for node in ast.parse(text).body if isinstance(node, ast.If))
    seen = {name.name for line in block.body if isinstance(line, ast.ImportFrom) for name in line.names}
    assert seen == set(ldpcore.__all__) - {"__version__"}


@pytest.mark.parametrize("room", ["ldpcore", "ldpcore.study"])
def test_the_marks_of_an_earlier_version_open_with_a_warning(room):
    scope = {}
    with pytest.warns(DeprecationWarning, match=rf"^{room}.Arm goes with the next version: .*Marks.of") as warned:
        exec(f"from {room} import Arm", scope)
    assert {each.filename for each in warned} == {"<string>"}, "the line that has to change"
    arm, marks = scope["Arm"], (("HIV", "secret"), ("flu", "sensitive"))
    assert arm("A") == ldpcore.Marks()
    assert arm("A", marks) == arm(name="A", marks=marks) == ldpcore.Marks(marks)
    assert arm.of("A", ["HIV"]) == ldpcore.Marks.of(["HIV"])
    assert arm.of("A", ["HIV"], level="secret") == ldpcore.Marks.of(["HIV"], "secret")


def test_the_two_settings_of_an_earlier_version_open_with_a_warning():
    with pytest.warns(DeprecationWarning, match=r"^ldpcore.study.Beside goes .* Comparison\(a, b, name_a, name_b\)"):
        assert ldpcore.study.Beside is ldpcore.Comparison
    with pytest.raises(AttributeError, match=r"^module 'ldpcore.study' has no attribute 'Besides'"):
        ldpcore.study.Besides  # noqa: B018
    assert not {"Arm", "Beside"} & {*dir(ldpcore), *ldpcore.study.__all__}


@for_each(("room", "old", "new"), [(r, *pair) for r, pairs in former.NAMES.items() for pair in pairs.items()])
def test_a_name_of_an_earlier_version_opens_with_a_warning(room, old, new):
    module, scope = import_module(room), {}
    home, _, last = new.rpartition(".")
    assert old not in vars(module), "nothing has the old name"
    with pytest.warns(DeprecationWarning, match=rf"^{room}\.{old} goes with the next version: ") as warned:
        exec(f"from {room} import {old}", scope)
    assert scope[old] is getattr(import_module(home or room), last)
    assert {each.filename for each in warned} == {"<string>"}, "the line that has to change"
    assert old not in getattr(module, "__all__", ())
    with pytest.raises(AttributeError, match=f"^module '{room}' has no attribute 'Nonesuch'"):
        module.Nonesuch  # noqa: B018


@for_each(("old", "new"), former.MODULES.items())
def test_a_module_of_an_earlier_version_opens_with_a_warning(old, new):
    """The same module, not a second one; what it is called does not change."""
    for path in [path for path in sys.modules if path == old or path.startswith(f"{old}.")]:
        del sys.modules[path]
    with pytest.warns(DeprecationWarning, match=rf"^{old} goes with the next version: it is {new} now$") as warned:
        exec(f"import {old}", {})
    assert {each.filename for each in warned if str(each.message).startswith(f"{old} ")} == {"<string>"}
    module = import_module(new)
    assert sys.modules[old] is module
    assert (module.__name__, module.__spec__.name) == (new, new)


def test_what_stands_in_a_module_of_an_earlier_version_is_one_with_what_stands_there_now():
    lines = ["import warnings", "warnings.simplefilter('ignore')", "import ldpcore, ldpcore.joint.fitting as old"]
    lines += [
        "import ldpcore.marginals.fitting as new",
        "from ldpcore import own",
        "from ldpcore.own.reading import read",
    ]
    lines += ["print(old is new, own is ldpcore.custom is ldpcore.own, read is ldpcore.custom.read)"]
    assert fresh("\n".join(lines)) == "True True True\n"
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'ldpcore\.owned'"):
        import_module("ldpcore.owned")


def test_another_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'sieve'"):
        ldpcore.sieve  # noqa: B018
    assert not hasattr(ldpcore, "cli_main")


def test_the_readme_runs():
    """The README's Python, word for word; its numbers are those of a survey of 100 000."""
    snippets = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)
    assert len(snippets) == 2
    seen: dict = {}
    for snippet in snippets:
        exec(compile(snippet, "README.md", "exec"), seen)
    deviation = np.abs(seen["shares"] - 0.25) / np.sqrt(seen["error"])
    # Data and noise are drawn with a fixed seed; |z| < 6 in four values fails a right engine once in 10⁸.
    assert seen["shares"].shape == (4,)
    assert np.all(deviation < 6)
    assert 0 < seen["least"] <= seen["error"].mean() * (1 + 1e-9)
    assert seen["error"].mean() < 1.05 * seen["least"], "at σ = 2 uSS has w = 1, beside the limit"
    told, low, high = seen["apart"]
    assert 0.5 < low < told < high < 1
    assert seen["worst"] == "partners"
    assert seen["people"] > 10_000
