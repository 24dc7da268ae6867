"""A label is text, wherever it is shown: data that are nothing but markup, on every page, in every figure and file."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from ldpapp.export import terminal
from ldpapp.state import column_actions
from ldpcore.data import Table, read
from tests.app.opening import (
    do,
    go,
    nothing_behind,
    opened,
    study,
)
from tests.hostile import markup

PAGES = ("data", "overview", "frequency", "means", "ranges", "itemsets", "sets", "clusters", "review", "relations")
NEVER = {"id", "key", "elementId", "formId", "icon", "value", "values", "default", "rawValue", "rawValues", "data",
         "url", "name", "placeholder", "fileName", "style", "jsContent", "styler", "columns"}  # fmt: skip
"""Fields of Streamlit's elements that a browser shows as they are, or not at all; `options` of a list likewise."""
LIVE = re.compile(r"(?<!\\)(:red|:material/home|\$\$|\$\\?frac|\*\*bold|\]\(http|<script|<img|<svg|<u)")
"""What Markdown would make more than text of."""
ASKING = {"src", "href", "srcset", "action", "formaction", "data", "poster", "background", "style", "xlink:href"}
"""Attributes that a browser follows."""


class Tags(HTMLParser):
    """The labels' own tags and handlers, where they became some."""

    def __init__(self) -> None:
        super().__init__()
        self.live: list[Any] = []

    def handle_starttag(self, tag: str, attrs: list) -> None:
        handlers = [
            name for name, value in attrs if name.startswith("on") or (name in ASKING and "x.example" in str(value))
        ]
        if tag in ("script", "u", "marquee") or handlers:
            self.live.append((tag, attrs))


def tags(text: str) -> list[Any]:
    parser = Tags()
    parser.feed(text)
    return parser.live


def texts(found: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text of nested tables and lists, with the names that lead to it."""
    if isinstance(found, str):
        yield path, found
    elif isinstance(found, dict):
        for name, inner in found.items():
            yield from texts(inner, f"{path}.{name}")
    elif isinstance(found, list):
        for inner in found:
            yield from texts(inner, path)


def live(at: Any) -> list[tuple[str, str]]:
    """Everything on this page in which a label is more than text."""
    found: list[tuple[str, str]] = []
    for kind, proto in elements(at._tree):
        if kind == "html":
            found += [(kind, str(each)) for each in tags(proto.body)]
            continue
        if kind == "plotly_chart":
            found += [] if json.loads(proto.config)["typesetMath"] is False else [(kind, "TeX")]
            drawn = json.loads(proto.spec)
            found += [(kind + path, text) for path, text in texts(drawn) if tags(text) and ".customdata" not in path]
            found += [
                (kind + path, text) for path, text in texts(drawn) if path.endswith("template") and "{y}%" in text
            ]
            continue
        for path, text in texts(MessageToDict(proto)):
            lists = {"options"} if kind in ("selectbox", "multiselect") else set()
            if path.rsplit(".", 1)[-1] not in NEVER | lists and LIVE.search(text):
                found.append((kind + path, text))
    return found


def elements(block: Any) -> Iterator[tuple[str, Any]]:
    for child in block.children.values():
        if isinstance(child.proto, Message):
            yield getattr(child, "type", "block"), child.proto
        if hasattr(child, "children"):
            yield from elements(child)


@pytest.fixture(scope="module")
def table() -> Table:
    return read(markup(), "<script>:red[f]$$x$$.csv")


@pytest.fixture(scope="module")
def at(table: Table) -> Any:
    with nothing_behind():
        page = opened("data", table)
        for name in table.frame.columns[:2]:
            do(page, column_actions.set_marks, name, table.frame[name].cat.categories[:4])
        yield page


@pytest.mark.parametrize("page", PAGES)
def test_no_label_is_markup(at, page):
    with nothing_behind():
        go(at, page)
    assert not at.exception, at.exception[0].message
    assert not live(at)


@pytest.mark.parametrize("task", ["frequency", "review", "sets", "relations"])
def test_no_label_is_markup_on_paper(at, table, task):
    """The report and its drawings; it says every label, and none of them does anything."""
    asked = replace(study(at, task), repetitions=1, grid=())
    paper = terminal.paper(asked, table)[0].html()
    assert "&lt;script" in paper
    assert not tags(paper)
