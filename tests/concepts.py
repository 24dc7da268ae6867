"""How many concepts the app has, counted: `python -m tests.concepts` prints all.

Words: a *room* is a top-level module or package of the app; a *layer* an entry of its import contract; a Study *made* a
call of its constructor; a *fit* a call of a task's `fit`; a module *entered* one of ours in which a function ran; a
function *touches no screen* that uses no name of Streamlit, panels, charts, widgets or `t`; a *vague local* one called
found, said, held, told, own or here, counted by its assignments; a class name *shared* one that public classes of
several modules have.
"""

import ast
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

ROOT = Path(__file__).resolve().parents[1]
APP = ROOT / "app" / "ldpapp"
OURS = (str(APP), str(ROOT / "ldpcore"))
VAGUE = {"found", "said", "held", "told", "own", "here"}
SCREEN = {"st", "t", "streamlit", "panels", "drawn", "charts", "widgets", "Panel", "Chart", "Html", "Line", "Box"}


@cache
def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def sources(*folders: Path) -> Iterator[tuple[Path, ast.Module]]:
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            yield path, _parsed(path)


# what the source says ------------------------------------------------------------------------------------------------


def rooms() -> int:
    names = {path.stem for path in APP.glob("*.py")} | {path.parent.name for path in APP.glob("*/__init__.py")}
    return len(names - {"__init__", "ldpapp"})


def layers() -> int:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (own,) = (each for each in contracts if each.get("containers") == ["ldpapp"])
    return len(own["layers"])


def lines() -> int:
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in APP.parent.rglob("*.py"))


def class_names() -> Counter[str]:
    """Class name → how many public classes have it."""
    return Counter(
        node.name
        for _, tree in sources(APP, ROOT / "ldpcore")
        for node in tree.body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )


def shared_names() -> Counter[str]:
    """The same where it is several."""
    return Counter({name: many for name, many in class_names().items() if many > 1})


@cache
def vague_locals() -> int:
    """Assignments inside functions, of the engine and the app."""
    functions = (
        node
        for _, tree in sources(APP, ROOT / "ldpcore")
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    )
    bound = (
        name.id
        for function in functions
        for name in _own_nodes(function)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    )
    return sum(name in VAGUE for name in bound)


def _own_nodes(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Without those of functions inside."""
    todo = list(ast.iter_child_nodes(function))
    while todo:
        node = todo.pop()
        if not isinstance(node, ast.FunctionDef):
            yield node
            todo += ast.iter_child_nodes(node)


def marks_compared() -> int:
    """Comparisons of a kind of marks as a string: of `….MARKS`, or of a name that was bound to one."""
    count = 0
    for path, tree in sources(APP, ROOT / "ldpcore"):
        if "MARKS" not in path.read_text(encoding="utf-8"):
            continue  # writing every comparison of the project takes seconds
        kinds = {
            target.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and _names_marks(node.value) and "MARKS" in ast.unparse(node.value)
            for target in ast.walk(node.targets[0])
            if isinstance(target, ast.Name) and target.id.islower()
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Compare):
                text = ast.unparse(node) if _names_marks(node) else ""
                strings = any(isinstance(each, ast.Constant) and isinstance(each.value, str) for each in ast.walk(node))
                kind = ".MARKS" in text and (strings or "KNOWING" in text or "LOOKED_AT" in text)
                named = isinstance(node.left, ast.Name) and node.left.id in kinds and strings
                count += kind or named
    return count


def _names_marks(node: ast.AST) -> bool:
    """Whether the word can stand in what is written of this: by far quicker than writing it."""
    return any(
        "MARKS" in name
        for each in ast.walk(node)
        for name in (getattr(each, field, None) for field in ("attr", "id", "value", "arg", "name"))
        if isinstance(name, str)
    )


def without_screen() -> int:
    """Lines of the app's functions that could stand in the engine: what is computed, and neither shown nor said.

    Not counted is what renders (charts, export/svg), what words (a function that uses `t` or a formatter of `words`),
    what returns nothing (it draws, changes the session or runs something), and what asks the session, a widget or the
    request: each of them directly, or through a function of the app that it calls. Counted is all that is left: tables
    and numbers, Studies made from Studies, bookkeeping of caches and of the class.
    """
    functions = dict(_functions())
    shown = {key for key, (function, _) in functions.items() if _shows(key[0], function)}
    # What a cache keeps is computed all the same: whoever reads through one shows nothing by that.
    while more := {key for key, (_, called) in functions.items() if key not in shown and _showing(called & shown)}:
        shown |= more
    return sum(
        (function.end_lineno or 0) - function.lineno + 1
        for (module, name), (function, _) in functions.items()
        if (module, name) not in shown and not module.startswith(RENDERERS)
    )


RENDERERS = ("ldpapp.charts", "ldpapp.export.svg", "ldpapp.words")
Key = tuple[str, str]
"""Module and function; of a method its class, too."""


def _functions() -> Iterator[tuple[Key, tuple[ast.FunctionDef, set[Key]]]]:
    """Every function and method of the app, and which of the app it names: its module's, and imported ones."""
    for path, tree in sources(APP):
        module = ".".join(path.relative_to(APP.parent).with_suffix("").parts).removesuffix(".__init__")
        named, modules = dict[str, Key](), dict[str, str]()
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ldpapp"):
                for each in node.names:
                    named[each.asname or each.name] = (node.module or "", each.name)
                    modules[each.asname or each.name] = f"{node.module}.{each.name}"
        named |= {node.name: (module, node.name) for node in tree.body if isinstance(node, ast.FunctionDef)}
        for node in tree.body:
            within = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
            for function in node.body if isinstance(node, ast.ClassDef) else [node]:
                if isinstance(function, ast.FunctionDef):
                    called = {named[name] for name in _names(function) if name in named}
                    called |= {
                        (modules[each.value.id], each.attr) for each in ast.walk(function)
                        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name)
                        and each.value.id in modules
                    }  # fmt: skip
                    own = f"{within}{function.name}"
                    yield (module, own), (function, called - {(module, own)})


def _showing(called: set[Key]) -> bool:
    return any(not module.startswith("ldpapp.compute") for module, _ in called)


def _shows(module: str, function: ast.FunctionDef) -> bool:
    """Whether it touches the screen, words or asks by itself."""
    nothing = isinstance(function.returns, ast.Constant) and function.returns.value is None
    return nothing or bool(_names(function) & SCREEN) or module.startswith(("ldpapp.words", "ldpapp.state"))


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


# what happens when a person does something ---------------------------------------------------------------------------


@contextmanager
def calls(owner: Any, name: str) -> Iterator[list[int]]:
    """How often a function is called: the length of the list."""
    was, seen = getattr(owner, name), []

    def counted(*args: Any, **fields: Any) -> Any:
        seen.append(1)
        return was(*args, **fields)

    with patch.object(owner, name, counted):
        yield seen


@contextmanager
def entered() -> Iterator[set[str]]:
    """The modules of ours in which a function runs, in this thread and in those that begin."""
    import threading

    seen: set[str] = set()

    def note(frame: Any, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(OURS) and frame.f_code.co_name != "<module>":
            seen.add(frame.f_code.co_filename)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield seen
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def happening() -> dict[str, int]:
    """Studies made and fits when one more value is marked on Data; Studies made when an upload is opened; modules
    entered between the slider of ε and the charts of Frequency.
    """
    from ldpapp.state import column_actions
    from ldpcore import data
    from ldpcore.study import Study, tasks
    from tests.app.opening import do, nothing_behind, opened, upload

    rows = "".join(f"{'ABC'[i % 3]},{20 + i % 60}\n" for i in range(900))
    mine = data.read(f"town,age\n{rows}".encode(), "mine.csv")
    with nothing_behind():
        at = opened("data")
        marked = ["Preschool", "1st-4th"]
        do(at, column_actions.set_marks, "education", marked)
        with calls(Study, "__post_init__") as made, ExitStack() as stack:
            fits = [stack.enter_context(calls(task, "fit")) for task in tasks.TASKS.values()]
            do(at, column_actions.set_marks, "education", [*marked, "5th-6th"])
        marking, fitting = len(made), sum(map(len, fits))
        with calls(Study, "__post_init__") as made:
            upload(at, mine)
        opening = len(made)
        page = opened("frequency")
        with entered() as modules:
            page.number_input(key="epsilon").set_value(1.3).run()
    return {
        "Studies made when a column is marked": marking,
        "fits when a column is marked": fitting,
        "Studies made when an upload is opened": opening,
        "modules entered between slider and chart": len(modules),
    }


COUNTS: dict[str, Callable[[], int]] = {
    "rooms of the app": rooms,
    "layers of the app": layers,
    "lines of the app": lines,
    "shared class names": lambda: len(shared_names()),
    "vague locals": vague_locals,
    "kinds of marks compared as strings": marks_compared,
    "lines of the app's functions without a screen": without_screen,
}


def main() -> None:
    """All counts; with --still those alone for which no page is opened, which takes a quarter of the time."""
    opened = {} if "--still" in sys.argv else happening()
    for name, count in {**{name: count() for name, count in COUNTS.items()}, **opened}.items():
        print(f"{count:6d}  {name}")
    print("shared:", ", ".join(f"{name} {many}" for name, many in shared_names().most_common()))


if __name__ == "__main__":
    main()
