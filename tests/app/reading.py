"""What a person can read on a page: words of markup, labels, helps, charts and headings of tables, piece by piece."""

import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa  # what a table is sent as
from google.protobuf.message import Message
from streamlit.testing.v1 import AppTest

WRITTEN = frozenset(("body", "label", "help", "options", "content", "placeholder", "alt"))
"""Fields of an element that hold words; all others are keys, files, colours and code."""
DRAWN = frozenset(("text", "ticktext", "name", "hovertext"))
"""The same of a chart."""
UNREAD = re.compile(r"<style>.*?</style>|<dl class=\"terms\">.*?</dl>", re.DOTALL)
"""No words, and those that explain the others."""
INLINE = re.compile(r"</?(?:b|i|em|sub|sup|dfn)\b[^>]*>")
SAID = re.compile(r'data-says="([^"]*)"|<dd>(.*?)</dd>')


@dataclass(frozen=True)
class Read:
    """A page: what is written on it, piece by piece; the sentences of its terms; what question marks say."""

    pieces: frozenset[str]
    explained: frozenset[str]
    helps: str


def read(at: AppTest) -> Read:
    assert not at.exception, at.exception[0].message
    protos = [proto for block in (at.main, at.sidebar) for proto in _protos(block)]
    said = SAID.findall("\n".join(block.proto.body for block in at.get("html")))
    return Read(
        frozenset(piece for proto in protos for piece in _written(proto)),
        frozenset(html.unescape(underlined or listed) for underlined, listed in said),
        "\n".join(text for proto in protos for text in _field(proto, frozenset(("help",)))),
    )


ESCAPED = re.compile(r"\\([^\w\s]|_)|\u2060")
"""What keeps a label from being Markdown, and is not seen."""


def plain(text: str) -> str:
    """Markup as one reads it: what stands in two cells or two lines is not one word."""
    return html.unescape(re.sub(r"</?[a-zA-Z][^>]*>", " ", INLINE.sub("", UNREAD.sub("", text)))).replace("\u00a0", " ")


def _protos(block: Any) -> Iterator[Message]:
    for child in block.children.values():
        if isinstance(proto := getattr(child, "proto", None), Message):
            yield proto
        if hasattr(child, "children"):
            yield from _protos(child)


def _field(proto: Message, names: frozenset[str]) -> Iterator[str]:
    for field, value in proto.ListFields():
        for each in value if field.is_repeated else [value]:
            if isinstance(each, Message):
                yield from _field(each, names)
            elif isinstance(each, str) and field.name in names:
                yield each


def _written(proto: Any) -> Iterator[str]:
    kind = proto.DESCRIPTOR.name
    if kind == "PlotlyChart":
        yield from map(plain, _drawn(json.loads(proto.spec)))
    if kind == "Dataframe":
        yield from pa.ipc.open_stream(proto.arrow_data.data).schema.names
    yield from (ESCAPED.sub(r"\1", plain(text)) for text in _field(proto, WRITTEN))


def _drawn(part: Any, name: str = "") -> Iterator[str]:
    if isinstance(part, dict):
        for key, value in part.items():
            yield from _drawn(value, key)
    elif isinstance(part, list):
        for each in part:
            yield from _drawn(each, name)
    elif isinstance(part, str) and name in DRAWN:
        yield part
