"""What the site adds to docs/: the root's own pages, a reference of what is public, links where docstrings cite theory.

A hook of MkDocs (mkdocs.yml). What is public is said once, in ldpcore: its `__all__`, its tasks, its catalogue.
"""

import importlib
import pkgutil
import re
from pathlib import Path

import griffe
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

import ldpcore
from ldpcore.study.tasks import TASKS

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = re.compile(r"^(?P<indent> *)>>> (?:.*\n?)+?(?=^\s*$|\Z)", re.M)
OWN = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "benchmarks/RESULTS.md")
CITATION = re.compile(r"\btheory/([\w-]+)#([\w-]+)(?![^<]*</a>)")


def rooms() -> dict[str, list[str]]:
    """Module → its public members; [] for a room that says itself what is public."""
    made: dict[str, list[str]] = {}
    for name in ldpcore.__all__:
        if name in ldpcore._NOUNS:
            made.setdefault(ldpcore._NOUNS[name], []).append(name)
        elif not name.startswith("_"):
            made.setdefault(name, [])
    return made


def factories() -> dict[str, list[tuple[str, str]]]:
    """Catalogue → (key, full name of the class) of its mechanisms."""
    catalogues = {
        "Frequency": ldpcore.catalog.FREQUENCY,
        "Levels": ldpcore.catalog.LEVELS,
        "Sets": ldpcore.catalog.SETS,
        "Means": ldpcore.catalog.MEANS,
    }
    return {
        title: [(key, f"{each.factory.__module__}.{each.factory.__qualname__}") for key, each in catalogue.items()]
        for title, catalogue in catalogues.items()
    }


def first_line(thing: object) -> str:
    """For a cell of a table."""
    return (thing.__doc__ or "").strip().split("\n")[0].replace("|", "\\|")


def analyses(task: str) -> list[str]:
    """The modules of a task's room: what can be computed of its Studies besides their rows."""
    return [part.name for part in pkgutil.iter_modules(importlib.import_module(task).__path__)]


def _directive(name: str, **options: object) -> str:
    lines = [f"::: {name}"]
    if options:
        lines += ["    options:", *(f"      {key}: {value}" for key, value in options.items())]
    return "\n".join(lines) + "\n"


def reference() -> dict[str, str]:
    """Path → Markdown of every page of the reference."""
    pages = {}
    front = ["# Reference", "", "Everything below opens from `import ldpcore`.", ""]
    front += ["| name | what it is |", "|---|---|"]
    for module, members in rooms().items():
        title = f"ldpcore.{module}"
        names = [*members, *([module] if module in ldpcore.__all__ else [])]
        front += [f"| [`{name}`]({module}.md) | {first_line(getattr(ldpcore, name))} |" for name in names]
        chosen = {"members": members} if members and module not in ldpcore.__all__ else {}
        pages[f"reference/{module}.md"] = f"# {title}\n\n" + _directive(title, show_root_heading="false", **chosen)
    tasks = ["# Tasks of a Study", "", "What a Study can be about. `OPTIONS` are its options and their defaults.", ""]
    for module in TASKS.values():
        name = module.__name__  # type: ignore[attr-defined]
        tasks += [_directive(name, members=["OPTIONS"])]
        tasks += [_directive(f"{name}.{part}") for part in analyses(name)]
    mechanisms = ["# Mechanisms", "", 'Built by key: `ldpcore.catalog.FREQUENCY["GRR"].build(epsilon=1.0, k=4)`.', ""]
    for title, entries in factories().items():
        mechanisms += [f"## {title}", ""]
        for key, name in entries:
            quiet = dict.fromkeys(("members", "show_bases", "show_labels", "show_symbol_type_heading"), "false")
            mechanisms += [_directive(name, heading=key, toc_label=key, heading_level=3, **quiet)]
    front += ["", "[Tasks of a Study](tasks.md) and [mechanisms](catalogue.md) have pages of their own."]
    return {
        "reference/README.md": "\n".join(front) + "\n",
        **pages,
        "reference/tasks.md": "\n".join(tasks),
        "reference/catalogue.md": "\n".join(mechanisms),
    }


class Fenced(griffe.Extension):
    """Docstrings are Markdown, but for their examples, which stand as doctest wants them."""

    def on_object(self, *, obj: griffe.Object, **kwargs: object) -> None:
        if obj.docstring:
            obj.docstring.value = EXAMPLE.sub(_fence, obj.docstring.value)


def _fence(match: re.Match[str]) -> str:
    indent = match["indent"]
    return f"{indent}```pycon\n{match[0].rstrip()}\n{indent}```\n"


def on_config(config: MkDocsConfig) -> None:
    for entry in config.nav or []:
        if "Reference" in entry:
            entry["Reference"] = list(reference())


def on_files(files: Files, config: MkDocsConfig) -> None:
    """The root's pages stand beside docs/, where their links to docs/ lead one folder less deep."""
    for name in OWN:
        text = (ROOT / name).read_text(encoding="utf-8").replace("](docs/", "](")
        files.append(File.generated(config, name, content=text))
    for path, text in reference().items():
        files.append(File.generated(config, path, content=text))


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """theory/sets#undisclosed-slot becomes a link; a page or heading that is not there is a failed test already."""

    def link(match: re.Match[str]) -> str:
        target = get_relative_url(f"theory/{match[1]}.html#{match[2]}", page.url)
        return f'<a href="{target}">{match[0]}</a>'

    return CITATION.sub(link, html)
