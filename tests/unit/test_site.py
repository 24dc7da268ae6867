"""The site: built without a warning, complete, and asking no other host for anything."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ldpcore
from ldpcore import catalog
from ldpcore.study.tasks import TASKS

pytest.importorskip("mkdocs", reason='the site needs pip install -e ".[docs]"')
ROOT = Path(__file__).resolve().parents[2]
FETCHED = re.compile(
    r"""<(?:script|img|iframe|source|video|audio|embed|object)\b[^>]*?(?:src|data)\s*=\s*["'](?P<a>(?:https?:)?//[^"']+)"""
    r"""|<link\b(?![^>]*rel=["']?canonical)[^>]*?href\s*=\s*["'](?P<b>(?:https?:)?//[^"']+)"""
    r"""|(?:@import\s+|url\()\s*["']?(?P<c>(?:https?:)?//[^"')]+)""",
    re.I,
)
"""What a browser loads by itself. A link that a person may follow is none."""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    out = tmp_path_factory.mktemp("site")
    # Not --quiet: warnings that are not logged are not counted, so nothing would be strict.
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(out)]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return out


def test_no_page_loads_anything_from_another_host(site):
    files = [path for path in site.rglob("*") if path.suffix in (".html", ".css", ".svg")]
    assert len(files) > 30
    for path in files:
        found = FETCHED.search(path.read_text(encoding="utf-8"))
        assert not found, f"{path.relative_to(site)} loads {found[0]}"
        assert 'class="mermaid"' not in path.read_text(encoding="utf-8"), "the theme fetches what draws these"


def test_the_check_finds_what_it_looks_for():
    for bad in (
        '<script src="https://cdn.example/x.js">',
        "<link rel='stylesheet' href='//fonts.example/inter.css'>",
        '<img alt="" src="http://example.org/pixel.gif">',
        "@font-face { src: url('https://fonts.example/a.woff2') }",
        '@import "https://example.org/a.css"',
    ):
        assert FETCHED.search(bad), bad
    for good in ('<a href="https://semver.org/">', '<script src="../assets/x.js">', "url(data:image/svg+xml,x)"):
        assert not FETCHED.search(good), good


def test_the_reference_has_every_public_name_task_and_mechanism(site):
    pages = {path.stem: path.read_text(encoding="utf-8") for path in (site / "reference").glob("*.html")}
    for name in ldpcore.__all__:
        assert name == "__version__" or f"<code>{name}</code>" in pages["index"], name
    for name, home in ldpcore._NOUNS.items():
        assert re.search(rf'id="ldpcore\.{home}\.(\w+\.)?{name}"', pages[home]), name
    for task, module in TASKS.items():
        assert f'id="{module.__name__}"' in pages["tasks"], task
    for listed in (catalog.FREQUENCY, catalog.SETS, catalog.MEANS):
        for entry in listed.values():
            assert f'id="{entry.factory.__module__}.{entry.factory.__qualname__}"' in pages["catalogue"], entry.key


def test_a_citation_of_theory_is_a_link_that_leads_there(site):
    found = 0
    for path in (site / "reference").glob("*.html"):
        for page, anchor in re.findall(r'href="\.\./theory/([\w-]+)\.html#([\w-]+)"', path.read_text(encoding="utf-8")):
            assert f'id="{anchor}"' in (site / "theory" / f"{page}.html").read_text(encoding="utf-8")
            found += 1
    assert found > 5
