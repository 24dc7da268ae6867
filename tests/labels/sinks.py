"""Each text that a page gives Streamlit to read as Markdown: wherever Streamlit is called, or handed to what calls it.

What is not understood counts as a text.
"""

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from tests.labels.house import House, Module, Scope, own, parameters

_UNREAD = """
_cache args kwargs key on_click on_change on_select on_submit on_dismiss on_release bind persist_state index default
disabled type icon icon_position width height use_container_width gap border spec vertical_alignment wrap horizontal
horizontal_alignment text_alignment label_visibility hide_index row_height num_rows column_order column_config theme
config selection_mode required min_value max_value step max_chars max_selections max_upload_size size image pages
accept_multiple_files accept_new_options expanded layout initial_sidebar_state page_icon position page url_path
visibility divider anchor data mime url query_params figure_or_data unsafe_allow_javascript unsafe_allow_html ttl
show_spinner show_time max_entries max_size scope func run_every parallel hash_funcs renderer filter_mode select_all
shortcut clear_on_submit enter_to_submit script_path middleware lifespan pinned color persist validate
"""
_AS_IT_IS = "value placeholder file_name page_title alt format autocomplete icon_image link exception"
NO_MARKDOWN = frozenset(f"{_UNREAD} {_AS_IT_IS}".split())
"""Parameters of Streamlit's functions that are not read as Markdown: nobody sees them, or they are shown as they
are, in a field, a cell, a list, the browser's tab, a file's name. Every other one is: a new one, too.
"""
PLAIN_OPTIONS = ("selectbox", "multiselect", "SelectboxColumn", "MultiselectColumn")
"""Their options are shown as they are."""
HTML = ("html", "code")
"""Whose body is no Markdown: markup of ours, of which test_hostile_labels reads what it says; text as it is."""
CARRIERS = ("ldpapp.state.controlled.bound", "ldpapp.state.view_options.wish")
"""What draws the widget that it is given, with the arguments that follow."""


@dataclass(frozen=True)
class Sink:
    """One text that Streamlit reads as Markdown. called: it is what this function says of an option."""

    text: ast.AST
    scope: Scope
    called: bool = False

    def __str__(self) -> str:
        line = getattr(self.text, "lineno", 0)
        return f"{self.scope[0].name}:{line}: {ast.unparse(self.text)}"


def signature(name: str, dotted: str = "") -> list[str]:
    """The parameters of one of Streamlit's functions, "*" for any number of further ones; none where it is none."""
    made = getattr(DeltaGenerator, name, None) or getattr(st, name, None)
    if "column_config." in dotted:
        made = getattr(st.column_config, name, None)
    if not callable(made) or name.startswith("_"):
        return []
    found = inspect.signature(made).parameters.values()
    return ["*" if each.kind is each.VAR_POSITIONAL else each.name for each in found if each.name != "self"]


def is_text(name: str, parameter: str) -> bool:
    return parameter not in NO_MARKDOWN and not (name in HTML and parameter == "body")


# what is drawn -------------------------------------------------------------------------------------------------------


def sinks(house: House) -> Iterator[Sink]:
    """Every text, wherever Streamlit is called, or handed to what calls it."""
    for module in house.modules.values():
        for node, around in module.around.items():
            if isinstance(node, (ast.Attribute, ast.Name)) and isinstance(node.ctx, ast.Load):
                dotted = house.dotted(node, module)
                name = dotted.rpartition(".")[2] if dotted.startswith("streamlit.") else getattr(node, "attr", "")
                if not (
                    dotted.startswith("streamlit.") or (name and not dotted and _on_container(house, node, around))
                ):
                    continue
                if any(is_text(name, each) for each in signature(name, dotted)):
                    yield from _of(house, node, name, signature(name, dotted), (module, around))


def _on_container(house: House, node: ast.AST, around: tuple) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and callable(getattr(DeltaGenerator, node.attr, None))
        and may_be_container(house, node.value, (house.home[node], around))
        and isinstance(house.home[node].parent[node], ast.Call)
    )


def _of(house: House, node: Any, name: str, known: list[str], scope: Scope) -> Iterator[Sink]:
    parent, given = scope[0].parent[node], node
    while isinstance(parent, ast.IfExp):  # one widget or another
        given, parent = parent, scope[0].parent[parent]
    if isinstance(parent, ast.Call) and parent.func is node:
        yield from _arguments(house, parent, parent.args, name, known, scope)
    elif isinstance(parent, ast.Call) and parent.args[:1] == [given] and _carries(house, parent, scope[0]):
        yield from _arguments(house, parent, parent.args[1:], name, known, scope)
    elif isinstance(scope[0].parent[node], (ast.arg, ast.AnnAssign)) or _annotates(scope[0], node):
        return
    else:
        yield Sink(node, scope)


def _carries(house: House, call: ast.Call, module: Module) -> bool:
    """Whether this draws the widget that it is given, with the arguments that follow and no others."""
    if house.dotted(call.func, module) != "functools.partial":
        return house.dotted(call.func, module) in CARRIERS
    places: list[ast.AST] = [call]
    if isinstance(kept := module.parent[call], ast.Assign) and isinstance(kept.targets[0], ast.Name):
        function = module.around[call][-1]
        places = [each for each in own(function) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)
                  and each.id == kept.targets[0].id]  # fmt: skip
    return all(
        isinstance(around := module.parent[place], ast.Call)
        and house.dotted(around.func, module) == "ldpapp.parts.elements.Control"
        for place in places
    )


def _annotates(module: Any, node: ast.AST) -> bool:
    while (up := module.parent.get(node)) is not None and isinstance(up, ast.expr):
        node = up
    return isinstance(up, ast.arg) or (
        isinstance(up, ast.FunctionDef) and (up.returns is node or node in up.decorator_list)
    )


def _arguments(
    house: House, call: ast.Call, given: list[ast.expr], name: str, known: list[str], scope: Scope
) -> Iterator[Sink]:
    told: dict[str, ast.AST] = {}
    for place, each in enumerate(given):
        rest = "*" in known and place >= known.index("*")
        parameter = "*" if rest else known[place] if place < len(known) else "*"
        if isinstance(each, ast.Starred):
            yield from (Sink(each, scope) for _ in [0] if any(is_text(name, left) for left in known[place:]))
            break
        if rest:
            yield Sink(each, scope)
        told[parameter] = each
    for word in call.keywords:
        if word.arg is not None:
            told[word.arg] = word.value
            continue
        yield from _spread(house, word.value, name, known, scope)
    for parameter, each in told.items():
        if parameter == "format_func":
            if name not in PLAIN_OPTIONS:
                yield Sink(each, scope, called=True)
        elif parameter == "options":
            if name not in PLAIN_OPTIONS and "format_func" not in told:
                yield Sink(each, scope)
        elif parameter in known and parameter != "*" and is_text(name, parameter):
            yield Sink(each, scope)


def _spread(house: House, value: ast.expr, name: str, known: list[str], scope: Scope) -> Iterator[Sink]:
    """`**options`: of a table written there, or what the callers of this function give it besides its parameters."""
    if isinstance(value, ast.IfExp):
        yield from _spread(house, value.body, name, known, scope)
        yield from _spread(house, value.orelse, name, known, scope)
        return
    if isinstance(value, ast.Dict) and all(isinstance(key, ast.Constant) for key in value.keys):
        for key, each in zip(value.keys, value.values, strict=True):
            if key.value in known and is_text(name, key.value):  # type: ignore[union-attr]
                yield Sink(each, scope, called=key.value == "format_func")  # type: ignore[union-attr]
        return
    bound = list(house.bindings(value, scope)) if isinstance(value, ast.Name) else []
    if bound and all(isinstance(each, ast.Dict) for each, _ in bound):
        for each, there in bound:
            yield from _spread(house, each, name, known, there)  # type: ignore[arg-type]
        return
    function = next((each for each in reversed(scope[1]) if isinstance(each, ast.FunctionDef)), None)
    if isinstance(value, ast.Name) and function and function.args.kwarg and function.args.kwarg.arg == value.id:
        names = {each.arg for each in parameters(function)}
        for call, _, there in house.uses_of(function):
            for word in call.keywords if call else ():
                if word.arg is None:
                    yield from _spread(house, word.value, name, known, there)
                elif word.arg not in names and word.arg in known and is_text(name, word.arg):
                    yield Sink(word.value, there, called=word.arg == "format_func")
        return
    if any(is_text(name, each) for each in known):
        yield Sink(value, scope)


def may_be_container(house: House, node: ast.AST, scope: Scope, seen: tuple = ()) -> bool:
    """Whether this value can be a part of the page, as far as one can tell: what is not understood can."""
    module = scope[0]
    if node in seen:
        return False
    seen = (*seen, node)
    if isinstance(node, ast.Name):
        if node.id in ("self", "cls") or house.dotted(node, module):
            return False
        bound = list(house.bindings(node, scope))
        return any(
            _unlike_ours(each.annotation) if isinstance(each, ast.arg) else may_be_container(house, each, there, seen)
            for each, there in bound
        ) if bound else node.id not in dir(__builtins__)  # fmt: skip
    if isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
        return may_be_container(house, node.value, scope, seen)
    if isinstance(node, ast.Call):
        dotted = house.dotted(node.func, module)
        if dotted.startswith("streamlit."):
            return True
        if found := [each for each in house.functions(node.func, scope) if isinstance(each, ast.FunctionDef)]:
            return any(_unlike_ours(each.returns) for each in found)
        if isinstance(node.func, ast.Attribute):
            return may_be_container(house, node.func.value, scope, seen)
        return any(may_be_container(house, each, scope, seen) for each in node.args)
    if isinstance(node, (ast.Constant, ast.JoinedStr, ast.Compare, ast.Lambda)):
        return False
    return any(may_be_container(house, each, scope, seen) for each in ast.iter_child_nodes(node)
               if isinstance(each, (ast.expr, ast.comprehension)))  # fmt: skip


def _unlike_ours(annotation: ast.expr | None) -> bool:
    return annotation is None or bool(re.search(r"\b(Any|DeltaGenerator|object|Callable)\b", ast.unparse(annotation)))
