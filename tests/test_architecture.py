"""The house stands as drawn: imports point one way, and the engine knows no screen."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ldpcore.study.tasks import TASKS
from tests.each import for_each

ROOT = Path(__file__).resolve().parents[1]
MODULES = sorted((ROOT / "ldpcore").rglob("*.py"))
APP = sorted((ROOT / "app").rglob("*.py"))


def test_nothing_lies_at_the_top_but_rooms_and_what_tooling_needs():
    """What a script writes is left where it is run, and `git add` takes it along."""
    try:
        told = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this is no clone: what is kept of the project is not known")
    tops = {path.partition("/")[0] for path in told.splitlines()}
    assert all(name.startswith(".") or name.endswith((".md", ".toml", ".yml")) or name.isalpha() for name in tops), tops


def test_imports_point_one_way():
    """pyproject.toml's import-linter contracts."""
    code = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    command = [sys.executable, "-c", code, "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"Contracts: \d+ kept, 0 broken", done.stdout)


def test_every_room_has_its_place_in_the_layers():
    """import-linter says nothing of a module that no layer names."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())
    layers = config["tool"]["importlinter"]["contracts"][0]["layers"]
    named = set(re.findall(r"\w+", " ".join(layers)))
    rooms = {path.stem for path in (ROOT / "ldpcore").glob("*.py")} | {
        path.parent.name for path in (ROOT / "ldpcore").glob("*/__init__.py")
    }
    assert rooms - {"__init__", "ldpcore"} == named


def test_the_app_has_no_circle():
    """Not even within a layer, where import-linter would not look."""
    import grimp

    graph = grimp.build_graph("ldpapp", include_external_packages=False)
    chains = [
        (module, other)
        for module in graph.modules
        for other in graph.find_modules_directly_imported_by(module)
        if module != other and graph.chain_exists(importer=other, imported=module)
    ]
    # A package's own list names its members, which never look back at it.
    assert not chains


CHANGING = {"add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove", "setdefault", "update"}
"""Methods that change what they are called on."""


def changes_of_the_state(tree: ast.Module) -> list[str]:
    """Where a module changes what a person has: assignments and deletions below `state()`, and methods that change it,
    called or handed on; also of names that are bound to a part of it.
    """
    known: set[str] = set()

    def held(node: ast.AST) -> bool:
        while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
            called = isinstance(node, ast.Call) and not node.args and not node.keywords
            if called and ast.unparse(node.func).split(".")[-1] in ("state", "workspace"):
                return True
            if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Attribute) and node.func.attr == "get"):
                return False
            node = node.func if isinstance(node, ast.Call) else node.value
        return isinstance(node, ast.Name) and node.id in known

    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) and node.value is not None and held(node.value):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            known |= {target.id for target in targets if isinstance(target, ast.Name)}
    changed: list[ast.AST] = []
    for node in ast.walk(tree):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign | ast.Delete):
            targets = node.targets
        elif isinstance(node, ast.AugAssign | ast.AnnAssign):
            targets = [node.target]
        changed += [each for each in targets if isinstance(each, ast.Attribute | ast.Subscript) and held(each)]
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id in known:
            changed.append(node)
        if isinstance(node, ast.Attribute) and node.attr in CHANGING and held(node.value):
            changed.append(node)
    return [ast.unparse(node) for node in changed]


def test_a_mistyped_path_says_so_also_under_workers(tmp_path):
    """pytest-xdist's workers would each end in silence, and the run with "no tests ran"."""
    from tests.conftest import absent_paths

    (tmp_path / "test_here.py").touch()
    given = ["test_here.py", "test_here.py::test_one[a::b]", "test_gone.py::test_one", "gone"]
    assert absent_paths(given, tmp_path) == given[2:]


def hidden_by_a_module(package: Path) -> set[str]:
    """Names that a package binds and a module of it takes over once somebody imports that: those of modules that the
    package itself does not import first.
    """
    tree = ast.parse(package.read_text(encoding="utf-8"))
    first = {(node.module or "").rpartition(".")[2] for node in tree.body if isinstance(node, ast.ImportFrom)}
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    modules = {path.stem for path in package.parent.glob("*.py")}
    return (defined & modules) - first


@pytest.mark.parametrize("package", [path for path in [*MODULES, *APP] if path.name == "__init__.py"], ids=str)
def test_no_module_takes_the_name_of_a_function_of_its_package(package):
    assert not hidden_by_a_module(package)


def test_a_module_that_would_take_a_name_is_seen(tmp_path):
    package = tmp_path / "__init__.py"
    (tmp_path / "cells.py").touch()
    package.write_text("def cells(): ...")
    assert hidden_by_a_module(package) == {"cells"}
    package.write_text("from ldpcore.cells import size\ndef cells(): ...")
    assert not hidden_by_a_module(package)


@pytest.mark.parametrize(
    "code",
    [
        "state().stopped = 1", "state().settings['a'] = 1", "state().uploads |= {1}", "del state().compared['a']",
        "own = model.state()\nown.settings.pop(1)", "own = state()\nown.compared[task] = 1",
        "found = state().problems\nf(found.clear)",
        "made = state().made\nmade.update(a=1)", "uploads = state().uploads\nuploads |= {1}",
        "workspace().columns[1] = 2",
    ],
)  # fmt: skip
def test_a_change_of_the_state_is_seen(code):
    assert changes_of_the_state(ast.parse(code))


@pytest.mark.parametrize(
    "code", ["a = state().stopped", "state().settings.get(1)", "own = workspace()\nown.columns.items()"]
)
def test_reading_the_state_is_no_change(code):
    assert not changes_of_the_state(ast.parse(code))


def test_only_the_state_changes_what_a_person_has():
    """Everything else calls its functions: then what tasks share cannot differ between them."""
    state = ROOT / "app" / "ldpapp" / "state"
    for path in APP:
        if not path.is_relative_to(state):
            assert not changes_of_the_state(ast.parse(path.read_text(encoding="utf-8"))), path


def test_pages_of_tasks_read_no_keys_of_the_session():
    """They get their Study and their data; only a widget's own answer is read, in its callback."""
    for path in APP:
        if {*TASKS} & {*path.parts}:
            for line in path.read_text(encoding="utf-8").splitlines():
                assert "session_state" not in line or "session_state[key]" in line, (path, line)


@for_each("path", MODULES + APP)
def test_a_module_says_what_it_is_for(path):
    text = path.read_text(encoding="utf-8")
    assert not text or text.startswith(('"""', 'r"""')), "a module starts with its docstring"
    assert path.stem not in ("utils", "helpers", "common", "misc")


@for_each("path", MODULES)
def test_no_global_randomness_and_no_assert_for_input(path):
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"^\s*(import random|from random import)\b", text, re.M)
    assert not re.search(r"np\.random\.(seed|rand|randint|random|choice|normal|default_rng)\b", text)
    assert not re.search(r"^\s*assert ", text, re.M)
    assert not re.search(r"^\s*print\(", text, re.M)


def test_tests_name_no_mechanism_inside_a_law():
    """Exceptions are declared by the algorithm."""
    from ldpcore.catalog import FREQUENCY

    text = (ROOT / "tests" / "laws" / "laws.py").read_text(encoding="utf-8")
    factories = {entry.factory.__name__ for entry in FREQUENCY.values()}
    found = [name for name in {*FREQUENCY, *factories} if re.search(rf"\b{name}\b", text)]
    assert not found


@pytest.mark.parametrize(
    ("laws", "listed"),
    [
        ("test_miners.py", ("MINERS",)),
        ("cluster_laws.py", ("CLUSTERINGS",)),
        ("test_ranges.py", ("RANGES", "LOCAL_RANGES")),
    ],
)
def test_a_law_asks_no_entry_for_its_key(laws, listed):
    """A second entry of the same kind would meet the law without the exception."""
    from ldpcore import catalog

    text = (ROOT / "tests" / "laws" / laws).read_text(encoding="utf-8")
    assert not [key for name in listed for key in getattr(catalog, name) if f'"{key}"' in text]
