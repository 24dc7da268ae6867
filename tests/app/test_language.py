"""Sentences are whole: one template with named holes each, so that another language can order them its own way."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ldpapp.words import language
from ldpapp.words.language import t
from tests.each import for_each

APP = Path(__file__).resolve().parents[2] / "app" / "ldpapp"
MODULES = sorted(APP.rglob("*.py"))
PROSE = re.compile(r"[A-Za-zε’']{2,}[,;:]? +[A-Za-zε’']{2,}")
"""Two words beside each other, once markup is taken away."""
MARKUP = re.compile(r"<[^>]*>?|^[^<]*>|[\w-]+:[\w -]+;|\{[^{}]*\}")


def _prose(text: str) -> bool:
    return PROSE.search(MARKUP.sub("|", text)) is not None


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "t":
            yield node


def _raised(tree: ast.AST) -> set[int]:
    """Nodes within an error of the engine's kind, or a log: those are not a page's words."""
    out: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise):
            out |= {id(each) for each in ast.walk(node)}
    return out


@for_each("path", MODULES)
def test_templates_are_literal_and_their_holes_are_filled(path: Path):
    for call in _calls(ast.parse(path.read_text(encoding="utf-8"))):
        template = call.args[0].value if len(call.args) == 1 and isinstance(call.args[0], ast.Constant) else None
        assert isinstance(template, str), f"line {call.lineno}: not a literal"
        given = {each.arg for each in call.keywords}
        if None not in given:  # **holes are seen when the sentence is said
            assert given == language.names(template), f"line {call.lineno}: {template!r}"


@for_each("path", MODULES)
def test_no_sentence_is_made_of_fragments(path: Path):
    """Prose with a number or a name in it is a template of `t`, not an f-string or a sum."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    raised = _raised(tree)
    found = []
    for node in ast.walk(tree):
        if id(node) in raised:
            continue
        if isinstance(node, ast.JoinedStr) and any(isinstance(part, ast.FormattedValue) for part in node.values):
            texts = [part.value for part in node.values if isinstance(part, ast.Constant)]
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            texts = [side.value for side in (node.left, node.right) if isinstance(side, ast.Constant)]
        elif isinstance(node, ast.AugAssign) and isinstance(node.value, ast.Constant):
            texts = [node.value.value]
        else:
            continue
        if any(isinstance(text, str) and _prose(text) for text in texts):
            found.append(f"{path.name}:{node.lineno}")
    assert not found


def test_a_hole_and_its_text_belong_together():
    assert t("{n} of {m}", n=1, m=2) == "1 of 2"
    with pytest.raises(KeyError):
        t("{n} of {m}", n=1)
    with pytest.raises(ValueError, match="no hole m"):
        t("{n} people", n=1, m=2)


def test_another_language_orders_its_sentence_its_own_way(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(language, "TRANSLATED", {"{n} of {m} people": "von {m} Leuten {n}"})
    assert t("{n} of {m} people", n=1, m=2) == "von 2 Leuten 1"
