"""The modules of the dashboard as syntax trees: what a name stands for, and where each function is called."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

Scope = tuple["Module", tuple[ast.AST, ...]]
"""A module, and the functions and classes around a place in it, the innermost last."""


@dataclass
class Module:
    name: str
    tree: ast.Module
    imports: dict[str, str] = field(default_factory=dict)
    """Name here → dotted name of what it is."""
    around: dict[ast.AST, tuple[ast.AST, ...]] = field(default_factory=dict)
    parent: dict[ast.AST, ast.AST] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash(self.name)

    @classmethod
    def of(cls, name: str, text: str, package: bool) -> "Module":
        made = cls(name, ast.parse(text))
        made._walk(made.tree, ())
        for node in ast.walk(made.tree):
            if isinstance(node, ast.Import):
                made.imports |= {(each.asname or each.name).split(".")[0]: (each.asname and each.name)
                                 or each.name.split(".")[0] for each in node.names}  # fmt: skip
            elif isinstance(node, ast.ImportFrom):
                base = (name if package else name.rpartition(".")[0]) if node.level else ""
                origin = ".".join(filter(None, (base, node.module)))
                made.imports |= {each.asname or each.name: f"{origin}.{each.name}" for each in node.names}
        return made

    def _walk(self, node: ast.AST, around: tuple[ast.AST, ...]) -> None:
        self.around[node] = around
        inner = (*around, node) if isinstance(node, (ast.FunctionDef, ast.Lambda, ast.ClassDef)) else around
        for child in ast.iter_child_nodes(node):
            self.parent[child] = node
            self._walk(child, inner)


@cache
def own(node: ast.AST) -> tuple[ast.AST, ...]:
    """What stands in a function itself, not in those inside it."""
    found: list[ast.AST] = []
    for child in ast.iter_child_nodes(node):
        found.append(child)
        if not isinstance(child, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
            found.extend(own(child))
    return tuple(found)


@cache
def inside(node: ast.AST) -> dict[str, list[ast.AST]]:
    """The functions that stand in this one, by name."""
    found: dict[str, list[ast.AST]] = defaultdict(list)
    for each in own(node):
        if isinstance(each, ast.FunctionDef):
            found[each.name].append(each)
    return found


def parameters(function: ast.FunctionDef | ast.Lambda) -> list[ast.arg]:
    args = function.args
    return [*args.posonlyargs, *args.args, *args.kwonlyargs]


class House:
    """All modules of the dashboard."""

    def __init__(self, sources: dict[str, tuple[str, bool]]) -> None:
        """sources: dotted name → its text, and whether it is a package."""
        self.modules = {name: Module.of(name, *told) for name, told in sources.items()}
        self._safe: dict[Any, bool] = {}

    @classmethod
    def at(cls, *folders: Path) -> "House":
        sources = {}
        for folder in folders:
            for path in sorted(folder.rglob("*.py")):
                parts = [folder.name, *path.relative_to(folder).with_suffix("").parts]
                package = parts[-1] == "__init__"
                sources[".".join(parts[:-1] if package else parts)] = (path.read_text(encoding="utf-8"), package)
        return cls(sources)

    # names ---------------------------------------------------------------------------------------------------------

    def dotted(self, node: ast.expr, module: Module) -> str:
        """What `node` names beyond this function, as a dotted name; "" where it names nothing so."""
        if isinstance(node, ast.Name):
            if node.id in module.imports:
                return self.followed(module.imports[node.id])
            return f"{module.name}.{node.id}" if node.id in self.tops[module.name] else ""
        if isinstance(node, ast.Attribute) and (base := self.dotted(node.value, module)):
            return self.followed(f"{base}.{node.attr}")
        return ""

    def followed(self, name: str) -> str:
        """Through packages that hand on what others define."""
        for _ in range(6):
            home, _, last = name.rpartition(".")
            if home not in self.modules or last in self.tops[home] or last not in self.modules[home].imports:
                break
            name = self.modules[home].imports[last]
        return name

    @cached_property
    def tops(self) -> dict[str, dict[str, list[ast.AST]]]:
        """Module → what is defined at its top: functions, classes, and what is bound to names."""
        found: dict[str, dict[str, list[ast.AST]]] = {}
        for module in self.modules.values():
            held = found.setdefault(module.name, defaultdict(list))
            for node in own(module.tree):
                if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                    held[node.name].append(node)
                elif isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
                    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                        for name in ast.walk(target):
                            if isinstance(name, ast.Name):
                                held[name.id].append(node.value if target is name else _Unknown())
        return {name: dict(held) for name, held in found.items()}

    def defined(self, dotted: str) -> list[ast.AST]:
        home, _, name = dotted.rpartition(".")
        return self.tops.get(home, {}).get(name, [])

    @cached_property
    def home(self) -> dict[ast.AST, Module]:
        return {node: module for module in self.modules.values() for node in module.around}

    # calls ---------------------------------------------------------------------------------------------------------

    @cached_property
    def uses(self) -> dict[Any, list[tuple[ast.Call | None, int, Scope]]]:
        """Function, class or name of a method → its calls, each with how many of its first arguments are not its own
        (`partial`), and None for each time it is handed on as a value.
        """
        found: dict[Any, list] = defaultdict(list)
        for module in self.modules.values():
            for node, around in module.around.items():
                if not isinstance(node, (ast.Name, ast.Attribute)) or not isinstance(node.ctx, ast.Load):
                    continue
                keys: list[Any] = list(self.defined(self.dotted(node, module)))
                if isinstance(node, ast.Name) and node.id == "cls":
                    keys += [each for each in around if isinstance(each, ast.ClassDef)]
                if isinstance(node, ast.Name):
                    keys += [each for each in self.inner(node.id, around) if each not in keys]
                elif not keys:
                    keys = [node.attr]
                parent = module.parent[node]
                for key in keys:
                    if isinstance(parent, ast.Call) and parent.func is node:
                        found[key].append((parent, 0, (module, around)))
                    elif isinstance(parent, ast.Call) and node in parent.args[:1] and named(parent.func, "partial"):
                        found[key].append((parent, 1, (module, around)))
                    elif not isinstance(parent, ast.Attribute):
                        found[key].append((None, 0, (module, around)))
        return found

    def uses_of(self, function: ast.AST) -> list[tuple[ast.Call | None, int, Scope]]:
        """The same of one function; of a method by its name alone."""
        parent = self.home[function].parent[function]
        method = isinstance(function, ast.FunctionDef) and isinstance(parent, ast.ClassDef)
        return self.uses.get(function.name if method else function, [])  # type: ignore[attr-defined]

    def inner(self, name: str, around: tuple[ast.AST, ...]) -> list[ast.AST]:
        """Functions of this name inside those around."""
        return [
            each
            for function in around
            if isinstance(function, ast.FunctionDef)
            for each in inside(function).get(name, [])
        ]

    def functions(self, node: ast.expr, scope: Scope) -> list[ast.AST]:
        """The functions and classes of ours that this names; those of a method by its name alone."""
        module, around = scope
        if isinstance(node, ast.Name) and (found := self.inner(node.id, around)):
            return found
        if dotted := self.dotted(node, module):
            return [each for each in self.defined(dotted) if isinstance(each, (ast.FunctionDef, ast.ClassDef))]
        return list(self.methods.get(node.attr, [])) if isinstance(node, ast.Attribute) else []

    def bindings(self, node: ast.Name, scope: Scope) -> Iterator[tuple[ast.AST, Scope]]:
        """What a name within a function is bound to, wherever in it: values, or the parameter itself."""
        module, around = scope
        at: ast.AST | None = node
        while (at := module.parent.get(at)) is not None:  # type: ignore[arg-type]
            if isinstance(at, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
                for each in at.generators:
                    if _holds(each.target, node.id):
                        yield from ((value, scope) for value in _elements(each.target, each.iter, node.id))
                        return
        for depth in range(len(around) - 1, -1, -1):
            function, there = around[depth], (module, around[: depth + 1])
            if isinstance(function, ast.ClassDef):
                continue
            found = [(each, there) for each in parameters(function) if each.arg == node.id]  # type: ignore[arg-type]
            found += [(each, there) for each in (function.args.vararg, function.args.kwarg)  # type: ignore[attr-defined]
                      if each and each.arg == node.id]  # fmt: skip
            for each in own(function):
                found += [(value, there) for value in _bound(each, node.id)]
            if found:
                yield from found
                return

    @cached_property
    def methods(self) -> dict[str, list[ast.FunctionDef]]:
        found = defaultdict(list)
        for module in self.modules.values():
            for node in module.around:
                if isinstance(node, ast.FunctionDef) and isinstance(module.parent[node], ast.ClassDef):
                    found[node.name].append(node)
        return found

    @cached_property
    def heirs(self) -> dict[ast.AST, list[ast.ClassDef]]:
        """Class → those that inherit from it, near or far."""
        bases = {
            node: [kind for base in node.bases for kind in self.defined(self.dotted(base, module))]
            for module in self.modules.values()
            for node in module.around
            if isinstance(node, ast.ClassDef)
        }
        found: dict[ast.AST, list[ast.ClassDef]] = defaultdict(list)
        for node in bases:
            above = list(bases[node])
            while above:
                found[one := above.pop()].append(node)
                above += bases.get(one, [])  # type: ignore[call-overload]
        return found

    @cached_property
    def changes(self) -> dict[str, list[tuple[ast.expr, Scope]]]:
        """Name of a field → what it is given beside its construction: by assignment, and by `replace`."""
        found = defaultdict(list)
        for module in self.modules.values():
            for node, around in module.around.items():
                if isinstance(node, ast.Assign):
                    for target in node.targets:
                        if isinstance(target, ast.Attribute):
                            found[target.attr].append((node.value, (module, around)))
                elif isinstance(node, ast.Call) and named(node.func, "replace"):
                    for word in node.keywords:
                        found[word.arg or ""].append((word.value, (module, around)))
        return found

    @cached_property
    def fields(self) -> dict[str, list[tuple[ast.ClassDef, ast.AnnAssign]]]:
        """Name of a field → the classes that have it."""
        found = defaultdict(list)
        for module in self.modules.values():
            for node in module.around:
                kind = module.parent.get(node)
                if (
                    isinstance(node, ast.AnnAssign)
                    and isinstance(kind, ast.ClassDef)
                    and isinstance(node.target, ast.Name)
                ):
                    found[node.target.id].append((kind, node))
        return found


def _holds(target: ast.AST, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(target))


def _parts(target: ast.AST, value: ast.AST, name: str) -> list[ast.AST]:
    """What of a value this target binds to the name; the whole, where it may be any part."""
    if isinstance(target, ast.Attribute) or not _holds(target, name):
        return []
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        return [each for one, part in zip(target.elts, value.elts, strict=True) for each in _parts(one, part, name)]
    if isinstance(target, ast.Subscript):
        return [value] if _holds(target.value, name) else []
    return [value]


def _elements(target: ast.AST, values: ast.expr, name: str) -> list[ast.AST]:
    """The same of each value of several, one after the other."""
    if not _holds(target, name):
        return []
    if isinstance(values, (ast.Tuple, ast.List)):
        return [each for value in values.elts for each in _parts(target, value, name)]
    if isinstance(values, ast.Call) and isinstance(target, ast.Tuple):
        if named(values.func, "zip") and len(target.elts) == len(values.args):
            return [
                each for one, part in zip(target.elts, values.args, strict=True) for each in _elements(one, part, name)
            ]
        if named(values.func, "enumerate"):
            number, each = target.elts
            return [ast.Constant(0)] if _holds(number, name) else _elements(each, values.args[0], name)
    return [values]


def _bound(node: ast.AST, name: str) -> list[ast.AST]:
    """What this statement binds to the name; a part of several may be any of them."""
    if isinstance(node, ast.Assign):
        return [value for target in node.targets for value in _parts(target, node.value, name)]
    if isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)):
        return [node.value] if node.value is not None and _holds(node.target, name) else []
    if isinstance(node, ast.For):
        return _elements(node.target, node.iter, name)
    if isinstance(node, ast.With):
        return [each.context_expr for each in node.items if each.optional_vars and _holds(each.optional_vars, name)]
    if isinstance(node, ast.ExceptHandler):
        return [_Unknown()] if node.name == name else []
    growing = ("append", "add", "extend", "insert", "update", "setdefault")
    call = node.func if isinstance(node, ast.Call) else None
    grown = isinstance(call, ast.Attribute) and call.attr in growing and named(call.value, name)
    return [*node.args] if grown and isinstance(node, ast.Call) else []


class _Unknown(ast.AST):
    """A value that is not followed."""


def named(node: ast.AST, name: str) -> bool:
    return (isinstance(node, ast.Name) and node.id == name) or (isinstance(node, ast.Attribute) and node.attr == name)
