"""Small changes to a source, each of which somebody could have written by mistake: what `tests.power.mutation` plants.

A mutant replaces one expression or one condition. Left alone is what no test should look at: docstrings and all other
texts, `raise` and `assert`, decorators (how much is cached), sizes of blocks, annotations, `__repr__`, and what only
the type checker reads.
"""

import ast
import copy
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

OPERATORS: dict[type, type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Div, ast.Mod: ast.Mult,
    ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip

COMPARISONS: dict[type, type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip

TWINS = dict(pair for a, b in (
    ("log", "log1p"), ("exp", "expm1"), ("min", "max"), ("minimum", "maximum"), ("floor", "ceil"), ("any", "all"),
    ("argmin", "argmax"),
) for pair in ((a, b), (b, a)))  # fmt: skip
"""Functions that are written for one another."""

EVEN = {"max", "min", "maximum", "minimum", "gcd", "isclose", "allclose", "array_equal", "hypot", "union1d",
        "intersect1d", "logaddexp", "isinstance", "issubclass", "cast", "add", "multiply", "stream", "rng"}  # fmt: skip
"""Functions that do not mind the order of their arguments, or where another order is but another seed."""

BLOCKS = re.compile(r"(?!_?(MAX|MIN|MOST|SAMPLE))_?[A-Z_]*(BLOCK|CHUNK|BYTES|CELLS|LANES|CACHE)[A-Z_]*")
"""Names of how much is done at a time: another size changes no result. Limits have other names."""

TOLERANCE = 1e-3
"""A constant below is a tolerance: 5 % more is the same tolerance, a thousand times as much is another."""


@dataclass(frozen=True)
class Mutant:
    """`before` stands at bytes start to stop of `path`; `room` is the function's qualified name, '' outside of all."""

    path: str
    room: str
    lines: tuple[int, int]
    kind: str
    before: str
    after: str
    start: int
    stop: int

    @property
    def name(self) -> str:
        return f"{self.path}:{self.lines[0]} {self.kind}: {self.before}  →  {self.after}"

    def apply(self, source: bytes) -> bytes:
        if source[self.start : self.stop].decode() != self.before:
            raise ValueError(f"{self.path} has changed since this mutant was drawn: draw again ({self.name})")
        return source[: self.start] + self.after.encode() + source[self.stop :]

    def record(self) -> dict[str, Any]:
        return {**asdict(self), "lines": [*self.lines]}  # as JSON gives it back


def mutants(source: bytes, path: str) -> list[Mutant]:
    """All mutants of one file, in the order of its text; each compiles."""
    found = list(_Finder(source, path).found())
    return sorted(found, key=lambda mutant: (mutant.start, mutant.stop, mutant.kind, mutant.after))


def rooms(source: bytes) -> list[tuple[str, int, int]]:
    """(qualified name, first line, last line) of every function and method; inner functions belong to the outer one."""

    def inside(node: ast.AST, prefix: str) -> Iterator[tuple[str, int, int]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                yield prefix + child.name, child.lineno, child.end_lineno or child.lineno
            elif isinstance(child, ast.ClassDef):
                yield from inside(child, f"{prefix}{child.name}.")
            elif isinstance(child, ast.stmt):
                yield from inside(child, prefix)

    return list(inside(ast.parse(source), ""))


class _Finder:
    def __init__(self, source: bytes, path: str) -> None:
        self.source, self.path, self.tree = source, path, ast.parse(source)
        self.begins = [0]
        for line in source.splitlines(keepends=True):
            self.begins.append(self.begins[-1] + len(line))
        self.rooms = rooms(source)

    def found(self) -> Iterator[Mutant]:
        for statement in self.tree.body:
            yield from self._inside(statement, statement)

    def _inside(self, node: ast.AST, statement: ast.AST) -> Iterator[Mutant]:
        if _left_alone(node):
            return
        yield from (self._mutant(node, statement, *change) for change in _changes(node))
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "ctx", "type_params") or _only_types(node, name):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from self._inside(child, child if isinstance(child, ast.stmt) else statement)

    def _mutant(self, node: Any, statement: Any, kind: str, old: Any, new: ast.AST) -> Mutant:
        start = self.begins[old.lineno - 1] + old.col_offset
        stop = self.begins[old.end_lineno - 1] + old.end_col_offset
        text = ast.unparse(ast.fix_missing_locations(new))
        if isinstance(new, ast.expr) and not isinstance(new, ast.Constant | ast.Name | ast.Attribute | ast.Call):
            text = f"({text})"
        last = old.end_lineno if isinstance(statement, ast.If | ast.While | ast.For) else statement.end_lineno
        room = next((name for name, begin, end in self.rooms if begin <= old.lineno <= end), "")
        lines = (min(statement.lineno, old.lineno), last)
        return Mutant(self.path, room, lines, kind, self.source[start:stop].decode(), text, start, stop)


def _left_alone(node: ast.AST) -> bool:
    match node:
        case ast.Raise() | ast.Assert() | ast.JoinedStr() | ast.Import() | ast.ImportFrom():
            return True
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.FunctionDef(name="__repr__" | "__str__"):
            return True
        case ast.Assign(targets=[ast.Name(id=name)]) if BLOCKS.fullmatch(name):
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.BinOp():
            return any(isinstance(part, ast.JoinedStr) or _is_text(part) for part in (node.left, node.right)) or (
                isinstance(node.op, ast.BitOr) and any(map(_is_type, (node.left, node.right)))
            )
        case ast.Call(func=ast.Name(id="cast" | "TypeVar" | "NewType" | "warn") | ast.Attribute(attr="warn" | "cast")):
            return True
    return False


def _only_types(node: ast.AST, field: str) -> bool:
    return isinstance(node, ast.Assign) and field == "value" and _is_type(node.value)


def _drawn(node: ast.AST) -> bool:
    """rng.random(n): it equals nothing it could be compared with, so that < and ≤ are the same."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "random"


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)


def _is_type(node: ast.AST) -> bool:
    """int, None, NDArray[…], np.ndarray | X: what stands in an alias or in isinstance."""
    match node:
        case ast.Constant(value=None):
            return True
        case ast.Name(id=name):
            return name in ("int", "float", "str", "bool", "list", "tuple", "dict", "set") or (
                name[0].isupper() and not name.isupper()
            )
        case ast.Subscript(value=base):
            return _is_type(base)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _is_type(left) or _is_type(right)
    return False


def _changes(node: Any) -> Iterator[tuple[str, ast.AST, ast.AST]]:
    """(kind, what is replaced, by what)."""
    match node:
        case ast.BinOp():
            yield from _operations(node)
        case ast.AugAssign(op=op) if type(op) in OPERATORS:
            yield "operator", node, _with(node, op=OPERATORS[type(op)]())
        case ast.Compare(ops=[op]) if not _drawn(node.left) and not _drawn(node.comparators[0]):
            yield "comparison", node, _with(node, ops=[COMPARISONS[type(op)]()])
        case ast.BoolOp(values=values):
            yield "and or", node, _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
            for i in (0, len(values) - 1):
                left = values[:i] + values[i + 1 :]
                yield "dropped condition", node, left[0] if len(left) == 1 else _with(node, values=left)
        case ast.UnaryOp(op=ast.USub() | ast.Not() | ast.Invert()) if not isinstance(node.operand, ast.Constant):
            yield "dropped sign", node, node.operand
        case ast.Constant(value=bool() | int() | float()):
            yield from (("constant", node, ast.Constant(value)) for value in _constants(node.value))
        case ast.Call():
            yield from _calls(node)
    match node:
        case ast.If() if _is_guard(node):
            yield "removed guard", node.test, ast.Constant(False)
        case ast.If() | ast.While() | ast.IfExp():
            yield "negated", node.test, ast.UnaryOp(ast.Not(), node.test)
        case ast.comprehension(ifs=[test, *_]):
            yield "negated", test, ast.UnaryOp(ast.Not(), test)


def _operations(node: ast.BinOp) -> Iterator[tuple[str, ast.AST, ast.AST]]:
    if type(node.op) in OPERATORS:
        yield "operator", node, _with(node, op=OPERATORS[type(node.op)]())
    if isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.Div | ast.BitAnd | ast.BitOr):
        yield "dropped term", node, node.left
    if isinstance(node.op, ast.Add | ast.Mult | ast.BitAnd | ast.BitOr):
        yield "dropped term", node, node.right


def _constants(value: bool | int | float) -> list[bool | int | float]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1] if value <= 0 else [value + 1, value - 1]
    if 0 < abs(value) < TOLERANCE:
        return [value * 1000]
    return [value * 1.05 if value else 0.05]


def _calls(node: ast.Call) -> Iterator[tuple[str, ast.AST, ast.AST]]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if twin := TWINS.get(name):
        yield "twin", node.func, _renamed(node.func, twin)
    for i, (one, other) in enumerate(zip(node.args, node.args[1:], strict=False)):
        plain = not isinstance(one, ast.Starred) and not isinstance(other, ast.Starred)
        if plain and name not in EVEN and ast.dump(one) != ast.dump(other):
            yield "swapped arguments", node, _with(node, args=[*node.args[:i], other, one, *node.args[i + 2 :]])
            return


def _renamed(function: ast.expr, twin: str) -> ast.expr:
    """A name from `math` would not be there to be called: it is fetched, so that the mutant is no NameError."""
    if isinstance(function, ast.Attribute):
        return _with(function, attr=twin)
    if twin in ("min", "max", "any", "all"):
        return ast.Name(twin, ast.Load())
    return ast.Attribute(ast.Call(ast.Name("__import__", ast.Load()), [ast.Constant("math")], []), twin, ast.Load())


def _is_guard(node: ast.If) -> bool:
    last = node.body[-1]
    return not node.orelse and isinstance(last, ast.Return | ast.Raise | ast.Continue | ast.Break)


def _with(node: Any, **changes: Any) -> Any:
    other = copy.copy(node)
    for name, value in changes.items():
        setattr(other, name, value)
    return other
