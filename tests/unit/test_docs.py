"""The pages say what the engine does: their examples run, their links lead somewhere, and what cites them is right."""

import ast
import dataclasses
import doctest
import inspect
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

import ldpcore
from ldpcore.study.tasks import TASKS
from tests.each import for_each

ROOT = Path(__file__).resolve().parents[2]
MEASURED = [ROOT / "benchmarks" / "RESULTS.md"]
PAGES = sorted([*ROOT.glob("*.md"), *MEASURED, *(ROOT / "docs").rglob("*.md")])
THEORY = ROOT / "docs" / "theory"

CITATION = re.compile(r"\btheory/(?P<page>[\w-]+)#(?P<anchor>[\w-]+)")
"""How code cites a page: theory/sets#undisclosed-slot is the heading "Undisclosed slot" of docs/theory/sets.md."""
TOLD = re.compile(r"“(?P<title>[^”]+)” in docs/theory/(?P<page>[\w-]+)\.md")
"""How a sentence on a page of the dashboard does: “Undisclosed slot” in docs/theory/sets.md."""
LINK = re.compile(r"\]\((?P<target>[^)\s]+)\)")


def slug(title: str) -> str:
    """The anchor that code hosts and the site give a heading."""
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", title.strip().lower()))


def headings(page: Path) -> list[str]:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
    return re.findall(r"^#+ (.+)$", text, re.M)


def tracked() -> list[Path]:
    """Every text file of the repository; from a wheel or an archive, every one in the folders that may cite."""
    asked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    names = asked.stdout.split("\0")[:-1] if asked.returncode == 0 else []
    files = [ROOT / name for name in names] or [path for path in ROOT.rglob("*") if path.is_file()]
    return [path for path in files if path.suffix in (".py", ".md", ".toml", ".yml", ".css") and path.exists()]


def test_there_is_something_to_look_at():
    assert len(list(THEORY.glob("*.md"))) > 8
    assert len(tracked()) > 300


@for_each("page", PAGES)
def test_headings_make_anchors_that_are_stable_and_differ(page):
    """Code hosts drop letters beyond ASCII in their own ways, and number repeated anchors."""
    found = [slug(title) for title in headings(page)]
    assert len(set(found)) == len(found) or page.name == "CHANGELOG.md"
    if page.parent == THEORY:
        assert all(title.isascii() for title in headings(page))


@for_each("page", PAGES)
def test_links_lead_somewhere(page):
    for match in LINK.finditer(page.read_text(encoding="utf-8")):
        path, _, anchor = match["target"].partition("#")
        if path.startswith(("http:", "https:")):
            continue
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{match['target']}: no such file"
        assert not anchor or anchor in map(slug, headings(target)), f"{match['target']}: no such heading"


def examples(page: Path) -> list[str]:
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
    return [block for block in blocks if ">>>" in block]


@pytest.mark.parametrize("page", [page for page in PAGES if examples(page)], ids=lambda page: page.stem)
def test_the_examples_say_what_happens(page):
    """A page's examples build on one another, as a reader would type them."""
    source = "".join(examples(page))
    test = doctest.DocTestParser().get_doctest(source, {}, page.name, str(page), 0)
    told: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(test, out=told.append)
    assert result.attempted
    assert not result.failed, "".join(told)


def test_every_citation_is_of_a_page_and_a_heading_that_exist():
    cited = 0
    for path in tracked():
        text = path.read_text(encoding="utf-8")
        found = [(m["page"], m["anchor"]) for m in CITATION.finditer(text)]
        found += [(m["page"], slug(m["title"])) for m in TOLD.finditer(re.sub(r'"\s*\n\s*"', "", text))]
        for page, anchor in found:
            target = THEORY / f"{page}.md"
            assert target.exists(), f"{path.relative_to(ROOT)} cites theory/{page}, which does not exist"
            assert anchor in map(slug, headings(target)), f"{path.relative_to(ROOT)} cites theory/{page}#{anchor}"
            cited += 1
    assert cited > 60


def test_nothing_cites_a_page_outside_the_repository():
    """A reader who has only the repository can look everything up: every Markdown file that is named is here."""
    names = {page.name for page in PAGES}
    for path in set(tracked()) - {ROOT / "docs" / "site.py"}:  # which names the pages that it makes
        for match in re.finditer(r"[\w/-]*\w\.md\b", path.read_text(encoding="utf-8")):
            name = match[0].rsplit("/", 1)[-1]
            assert name in names, f"{path.relative_to(ROOT)} cites {match[0]}, which is not in the repository"
        if path.suffix == ".py":
            stray = re.search(r"\bm&r §|limits-and-repairs", path.read_text(encoding="utf-8"))
            assert path == Path(__file__).resolve() or not stray, f"{path.relative_to(ROOT)} cites {stray}"


def layered_contracts() -> list[dict]:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return [each for each in config["tool"]["importlinter"]["contracts"] if each["type"] == "layers"]


@pytest.mark.parametrize("contract", layered_contracts(), ids=lambda contract: contract["name"])
def test_the_house_in_one_picture_is_the_contract(contract):
    """Under the contract's name, a line for each layer: its rooms, then what it is for."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    drawn = re.search(rf"```text\n{re.escape(contract['name'])}\n\n(.*?)```", text, re.S)
    assert drawn, f"CONTRIBUTING.md has no picture headed {contract['name']!r}"
    rows = [re.split(r"\s{2,}", line.strip(), maxsplit=1) for line in drawn[1].splitlines()]
    assert all(len(row) == 2 and row[1] for row in rows), "every layer says what it is for"
    assert [row[0] for row in rows] == contract["layers"]


def test_the_changelog_begins_with_what_is_to_come():
    """Keep a Changelog: newest first, the version under development is the engine's."""
    sections = [title for title in headings(ROOT / "CHANGELOG.md") if title == "Unreleased" or title[0].isdigit()]
    assert sections[0] == "Unreleased"
    assert sections[1].startswith(ldpcore.__version__)


def test_what_contributing_says_to_run_is_there():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for folder in re.findall(r"^\| `([\w/]+)` \|", text, re.M):
        assert (ROOT / folder).is_dir(), folder
    named = set(re.findall(r"^\| `tests/(\w+)` \|", text, re.M))
    assert named == {path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and path.name[0] != "_"}


def documented() -> dict[str, object]:
    """Every public name, every definition of privacy, every task: as the package lists them."""
    named = {name: getattr(ldpcore, name) for name in ldpcore.__all__ if name != "__version__"}
    policies = {f"policy.{each.__name__}": each for each in vars(ldpcore.policy).values() if _concrete(each)}
    return named | policies | {f"study.{task}": module for task, module in TASKS.items()}


def _concrete(thing: object) -> bool:
    return isinstance(thing, type) and issubclass(thing, ldpcore.Policy) and not inspect.isabstract(thing)


@for_each(("name", "thing"), documented().items())
def test_every_public_name_and_task_has_an_example(name, thing):
    """Its own docstring says what it is in one line, and shows it; --doctest-modules runs it."""
    said = thing.__doc__ or ""
    first = said.strip().split("\n")[0]
    assert len(first) > 20, f"{name}: no line that says what it is"
    assert doctest.DocTestParser().get_examples(said), f"{name} has no example"


CALLED = {name: thing for name, thing in documented().items() if callable(thing)}


@for_each(("name", "thing"), CALLED.items())
def test_every_public_noun_names_its_arguments_and_its_methods_speak(name, thing):
    bases = thing.__mro__[:-1] if isinstance(thing, type) else (thing,)
    said, source = "\n".join(each.__doc__ or "" for each in bases), inspect.getsource(thing)
    if dataclasses.is_dataclass(thing):
        arguments = [field.name for field in dataclasses.fields(thing) if field.init]
    else:
        arguments = [] if isinstance(thing, type) else list(inspect.signature(thing).parameters)
    for argument in arguments:
        by_itself = re.search(rf'^    {argument}: [^\n]*\n    """', source, re.M)
        assert re.search(rf"`{argument}\b", said) or by_itself, f"{name} does not say what {argument} is"
    for own, method in vars(thing).items() if isinstance(thing, type) else ():
        method = getattr(method, "__func__", method)
        if inspect.isfunction(method) and not own.startswith("_"):
            inherited = any(getattr(base, own, None) for base in bases[1:])
            assert method.__doc__ or inherited, f"{name}.{own} says nothing"


def lists_of_tasks() -> set[str]:
    """Files with a list, or a table by key, that names most tasks."""
    keys = set(TASKS)
    most = len(keys) - 2
    listing = set()
    for folder in ("app", "ldpcore", "tests", "benchmarks"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            if sum(f'"{key}"' in text for key in keys) < most:
                continue
            for node in ast.walk(ast.parse(text)):
                parts = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", [])
                named = {each.value for each in parts if isinstance(each, ast.Constant)}
                if len(named & keys) >= most:
                    listing.add(path.relative_to(ROOT).as_posix())
    return listing


def test_the_guide_to_a_new_task_names_every_list_of_tasks():
    """Whoever adds a task reads there where its name is wanted."""
    guide = (ROOT / "docs/adding-a-mechanism.md").read_text(encoding="utf-8").partition("## A whole new task")[2]
    rows = set(re.findall(r"^\| `([\w/.]+)` \|", guide, re.MULTILINE))
    assert {row for row in rows if row.endswith(".py")} == lists_of_tasks()
    contracts = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert all(f'"ldpapp.views.{key}"' in contracts for key in TASKS)
    named = re.findall(r"`((?:ldpcore|app|tests|datasets)/[\w/.]+)`", guide)
    assert named
    assert all((ROOT / path).exists() for path in named)
