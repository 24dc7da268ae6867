"""A label is never Markdown: each text that Streamlit reads as such is ours, or went through `words.literal`."""

import ast
from pathlib import Path

from tests.each import for_each
from tests.labels.house import House
from tests.labels.safe import Safe
from tests.labels.sinks import sinks

APP = Path(__file__).parents[2] / "app" / "ldpapp"
FRAME = {
    "ldpapp": "",
    "ldpapp.words.language": "def t(template, /, **holes):\n    return template.format_map(holes)\n",
    "ldpapp.words": "def literal(label):\n    return label\ndef count(n: float) -> str:\n    return str(n)\n"
    "def shorten(text: str, limit: int) -> str:\n    return text[:limit]\n",
    "ldpapp.state.controlled": "def bound(widget, label, *args, key, value, change, **options):\n"
    "    return widget(label, *args, key=key, **options)\n",
    "ldpapp.parts.elements": "class Control:\n    widgets: object\n",
}
HEAD = """
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
import streamlit as st
from ldpapp import words
from ldpapp.state import controlled
from ldpapp.words.language import t
from ldpapp.parts.elements import Control
from ldpapp.words import literal
class Column:
    name: str
    n: int
"""

MENU = "@dataclass\nclass Menu:\n    label: str\n    def draw(self):\n        st.popover(self.label)\n"


def unsafe(house: House) -> list[str]:
    safe = Safe(house)
    return [str(each) for each in sinks(house) if not (safe.says if each.called else safe)(each.text, each.scope)]


def test_every_label_goes_through_literal() -> None:
    house = House.at(APP)
    found = unsafe(house)
    assert not found, "these may be labels, and Streamlit reads them as Markdown: " + "\n".join(found)
    written = sum(path.read_text(encoding="utf-8").count(", help=t(") for path in APP.rglob("*.py"))
    assert len(list(sinks(house))) > 300 > written, "texts are found at all"


LISTED = ("selectbox", "multiselect", "select_slider")
"""Widgets whose options are no Markdown: a backslash would be read as one."""


def escaped_options(source: str) -> list[str]:
    """Calls whose `format_func` escapes the options of such a widget."""
    tree = ast.parse(source)
    defined = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    found = []
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        names = {each.attr for each in (call.func, *call.args[:1]) if isinstance(each, ast.Attribute)}
        written = next((each.value for each in call.keywords if each.arg == "format_func"), None)
        if not names & {*LISTED} or written is None:
            continue
        if isinstance(written, ast.Call) and written.args:  # partial
            written = written.args[0]
        text = ast.unparse(defined.get(written.id, written) if isinstance(written, ast.Name) else written)
        if "literal" in text or "widgets.option" in text:
            found.append(f"{call.lineno}: {ast.unparse(written)}")
    return found


def test_what_is_no_markdown_is_not_escaped() -> None:
    found = {str(path): escaped_options(path.read_text(encoding="utf-8")) for path in APP.rglob("*.py")}
    assert {path for path, calls in found.items() if calls} == set()
    for planted in (
        "st.selectbox('x', names, format_func=words.literal)",
        "def say(v):\n    return words.literal(v)\nbound(st.multiselect, 'x', names, format_func=say)",
        "def say(n, v):\n    return literal(n[v])\nbound(st.selectbox, 'x', [0], format_func=partial(say, names))",
        "place.selectbox('x', names, format_func=lambda v: widgets.option(v, v))",
    ):
        assert escaped_options(planted), planted
    assert not escaped_options("st.pills('x', names, format_func=words.literal)")


PLANTED = {
    "pills": "def page(names):\n    st.pills(t('Questions'), names)",
    "an answer": "def page(names):\n    st.radio(t('Which'), range(9), format_func=lambda v: names[v])",
    "a function that says it": "def say(v):\n    return v\ndef page(names):\n    st.pills('x', names, format_func=say)",
    "partial": "def say(names, v):\n    return names[v]\ndef page(n):\n"
    "    st.pills('x', [0], format_func=partial(say, n))",
    "a table's names": "def page(names):\n    st.radio('x', [0], format_func=names.get)",
    "a hole": "def page(name):\n    st.button(t('ask about {column}', column=name))",
    "a shortened hole": "def page(name):\n    st.button(t('ask {column}', column=words.shorten(name, 9)))",
    "f-string": "def page(name):\n    st.caption(f'**{name}**')",
    "sum": "def page(name):\n    st.error('No ' + name)",
    "a variable": "def page(name):\n    said = t('x')\n    if name:\n        said = name\n    st.toast(said)",
    "a list that grows": "def page(names):\n    said = []\n    for name in names:\n        said.append(name)\n"
    "    st.markdown(' '.join(said))",
    "one of two": "def page(name):\n    st.checkbox(name or t('x'))",
    "through a function": "def draw(label):\n    st.button(label)\ndef page(column: Column):\n    draw(t('x'))\n"
    "    draw(column.name)",
    "by its name": "def draw(*, label='x'):\n    st.expander(label)\ndef page(name):\n    draw(label=name)",
    "handed on": "def draw(label):\n    st.button(label)\ndef page(names):\n    list(map(draw, names))",
    "a field": MENU + "def page(name):\n    Menu(name).draw()",
    "a field by a copy": MENU + "def page(name):\n    replace(Menu('x'), label=name).draw()",
    "a field by its class": MENU + "    @classmethod\n    def of(cls, name):\n        return cls(name)\n"
    "def page(name):\n    Menu('x').draw()",
    "a field of an heir": MENU + "class More(Menu):\n    pass\ndef page(name):\n    Menu('x')\n    More(name).draw()",
    "a field that is set": MENU + "def page(name):\n    menu = Menu('x')\n    menu.label = name\n    menu.draw()",
    "what it returns": "def called(name):\n    return name\ndef page(name):\n    st.metric(called(name), 1)",
    "help": "def page(name):\n    st.button('x', help=name)",
    "help of a column": "def page(name):\n    st.dataframe([], column_config=[st.column_config.Column(help=name)])",
    "a container": "def page(place: Any, name):\n    place.button(name)",
    "a column": "def page(name):\n    left, right = st.columns(2)\n    right.warning(name)",
    "an inner container": "def page(name):\n    with st.container() as place:\n        place.container().info(name)",
    "what nobody knows": "def page(place, name):\n    place.success(name)",
    "tabs": "def page(names):\n    st.tabs(names)",
    "captions": "def page(names):\n    st.radio('x', [1, 2], format_func=words.count, captions=names)",
    "bound": "def page(names):\n    controlled.bound(st.pills, 'x', names, key='k', value=1, change=print)",
    "one widget or another": "def page(few, name):\n"
    "    controlled.bound(st.radio if few else st.selectbox, name, [], key='', value=1, change=print)",
    "Control": "def page(name):\n    Control(partial(st.button, name))",
    "partial, filled later": "def page(name):\n    partial(st.button, key='x')(name)",
    "another name": "def page(name):\n    draw = st.button\n    draw(name)",
    "from streamlit": "from streamlit import button\ndef page(name):\n    button(name)",
    "spread": "def page(names):\n    st.button(*names)",
    "options": "def draw(**options):\n    st.button('x', **options)\ndef page(name):\n    draw(help=name)",
    "a table of options": "def page(name):\n    how = {'help': name}\n    st.button('x', **how)",
    "write": "def page(name):\n    st.write('x', name)",
    "a sentence that is none": "def page(name):\n    st.button(t(name))",
    "another's text": "import html\ndef page(name):\n    st.button(html.escape(name))",
    "an error's words": "def page():\n    try:\n        pass\n    except ValueError as error:\n        st.error(error)",
    "a page's title": "def page(name):\n    st.Page(page, title=name)",
    "a wish in brackets": "def page(name):\n    st.button(label=(said := name))",
}  # fmt: skip
OURS = {
    "a constant": "LABEL = 'x'\ndef page():\n    st.button(LABEL)",
    "a sentence": "def page(n: int):\n    st.button(t('{n} of {k}', n=words.count(n), k=len('abc')))",
    "literal": "def page(names):\n    st.pills('x', names, format_func=words.literal, help=literal(names[0]))",
    "a number": "def page(x: float):\n    st.caption(f'{x:.2f} of {x}')",
    "a number of ours": "def page(column: Column):\n    st.button(t('{n}', n=column.n))",
    "through a function": "def draw(label, more=''):\n    st.button(label + more)\ndef page(name):\n"
    "    draw(literal(name))\n    draw(t('x'), 'y')",
    "a field": MENU + "def page(name):\n    Menu(literal(name)).draw()\n    replace(Menu(t('x')), label='y').draw()",
    "a list's options": "def page(names):\n    st.selectbox('x', names, format_func=str.capitalize)",
    "what we call it": "T = {'a': 'one', 'b': 'two'}\ndef page():\n    st.radio('x', list(T), format_func=T.get)",
    "another's error": "class Fact:\n    def error(self, scope):\n        return 1\ndef page(fact: Fact, name):\n"
    "    fact.error(name)",
    "one after the other": "def page(n):\n    for x, label in (('a', t('x')), (n, t('y'))):\n        st.button(label)",
    "bound": "def page(n):\n    controlled.bound(st.multiselect, t('x'), n, key='k', value=n, change=print)",
}


@for_each("planted", PLANTED)
def test_a_label_that_is_shown_as_it_came_is_found(planted: str) -> None:
    assert unsafe(_house(PLANTED[planted]))


@for_each("ours", OURS)
def test_what_is_ours_is_let_through(ours: str) -> None:
    assert not unsafe(_house(OURS[ours]))


def _house(page: str) -> House:
    texts = FRAME | {"ldpapp.page": HEAD + page}
    return House({name: (text, name == "ldpapp") for name, text in texts.items()})
