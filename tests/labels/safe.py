"""Whether a text is ours, or went through `words.literal`. What is not understood is a label.

Ours is a constant, a sentence of `t` whose holes are safe, a number in words. Names are followed to what is bound to
them, parameters to every call, fields to every construction, calls to what they return.
"""

import ast
import re

from tests.labels.house import House, Scope, own, parameters

_NUMBERS = (
    "int float bool None Sequence tuple list Mapping dict Iterable NDArray np float64 bool_ int64 Floats Bools Ints"
)
NUMBERS = frozenset(_NUMBERS.split())
"""Words of annotations that hold numbers alone."""
COUNTED = frozenset(("len", "round", "int", "float", "sum", "abs", "range", "bool"))
_SAME = "list tuple sorted reversed str dict set zip enumerate max min iter next filter"
_METHODS = """
capitalize lower upper strip rstrip lstrip removesuffix removeprefix split replace format join splitlines casefold
values keys items get copy fromkeys
"""
SAME, METHODS = frozenset(_SAME.split()), frozenset(_METHODS.split())
"""Of texts, lists and tables: what they give is as safe as what they are given."""
SENTENCE, LITERAL, WORDS = "ldpapp.words.language.t", "ldpapp.words.literal", "ldpapp.words."
NUMBER = re.compile(r",|[<>^+]?\d*,?(\.\d+)?[bdeEfFgGn%]")
"""How a number is written in an f-string."""


class Safe:
    def __init__(self, house: House) -> None:
        self.house = house
        self._known: dict[tuple, bool] = {}
        self.because: list[str] = []
        """The labels, and what is not understood, that were met."""

    def __call__(self, node: ast.AST, scope: Scope) -> bool:
        """A list or a table is safe if all in it is."""
        key = (node, scope[1])
        if key not in self._known:
            self._known[key] = True  # a text made of itself is as safe as what it began with
            met = len(self.because)
            self._known[key] = self._judge(node, scope)
            if not self._known[key] and len(self.because) == met:
                self.because.append(f"{scope[0].name}:{getattr(node, 'lineno', 0)}: {ast.unparse(node)}")
        return self._known[key]

    def says(self, node: ast.AST, scope: Scope) -> bool:
        """Whether all that this function says of anything is safe."""
        if isinstance(node, (ast.Lambda, ast.Name, ast.Attribute)) and self.house.dotted(node, scope[0]) == LITERAL:
            return True
        if isinstance(node, ast.Lambda):
            return self(node.body, (scope[0], (*scope[1], node)))
        if isinstance(node, ast.Constant):
            return node.value is None
        if isinstance(node, ast.Attribute) and node.attr in ("get", "__getitem__"):
            return self(node.value, scope)
        if isinstance(node, ast.Call) and self.house.dotted(node.func, scope[0]) == "functools.partial":
            return self.says(node.args[0], scope)
        if isinstance(node, (ast.Name, ast.Attribute)):
            if self._writes_numbers(self.house.dotted(node, scope[0])):
                return True
            found = self.house.functions(node, scope)
            if found:
                return all(isinstance(each, ast.FunctionDef) and self._returned(each) for each in found)
            if isinstance(node, ast.Name):
                bound = list(self.house.bindings(node, scope))
                return bool(bound) and all(
                    self._given(each, there, said=True) if isinstance(each, ast.arg) else self.says(each, there)
                    for each, there in bound
                )
        return False

    # expressions -----------------------------------------------------------------------------------------------------

    def _judge(self, node: ast.AST, scope: Scope) -> bool:
        judge = getattr(self, f"_{type(node).__name__}", None)
        return bool(judge) and judge(node, scope)

    def _all(self, nodes, scope: Scope) -> bool:
        return all(self(each, scope) for each in nodes if each is not None)

    def _Constant(self, node: ast.Constant, scope: Scope) -> bool:
        return True

    def _JoinedStr(self, node: ast.JoinedStr, scope: Scope) -> bool:
        return self._all(node.values, scope)

    def _FormattedValue(self, node: ast.FormattedValue, scope: Scope) -> bool:
        how = (
            node.format_spec.values[0]
            if isinstance(node.format_spec, ast.JoinedStr) and node.format_spec.values
            else None
        )
        number = isinstance(how, ast.Constant) and NUMBER.fullmatch(str(how.value)) is not None
        return number or self(node.value, scope)

    def _BinOp(self, node: ast.BinOp, scope: Scope) -> bool:
        return self._all((node.left, node.right), scope)

    def _BoolOp(self, node: ast.BoolOp, scope: Scope) -> bool:
        return self._all(node.values, scope)

    def _IfExp(self, node: ast.IfExp, scope: Scope) -> bool:
        return self._all((node.body, node.orelse), scope)

    def _Compare(self, node: ast.Compare, scope: Scope) -> bool:
        return True

    _UnaryOp = _Compare

    def _NamedExpr(self, node: ast.NamedExpr, scope: Scope) -> bool:
        return self(node.value, scope)

    _Starred = _NamedExpr

    def _List(self, node: ast.List, scope: Scope) -> bool:
        return self._all(node.elts, scope)

    _Tuple = _Set = _List

    def _Dict(self, node: ast.Dict, scope: Scope) -> bool:
        return self._all(node.values, scope)

    def _ListComp(self, node: ast.ListComp, scope: Scope) -> bool:
        return self(node.elt, scope)

    _SetComp = _GeneratorExp = _ListComp

    def _DictComp(self, node: ast.DictComp, scope: Scope) -> bool:
        return self._all((node.key, node.value), scope)

    def _Subscript(self, node: ast.Subscript, scope: Scope) -> bool:
        return self(node.value, scope)

    def _Lambda(self, node: ast.Lambda, scope: Scope) -> bool:
        return self.says(node, scope)

    def _Name(self, node: ast.Name, scope: Scope) -> bool:
        bound = list(self.house.bindings(node, scope))
        if bound:
            return all(
                self._given(each, there) if isinstance(each, ast.arg) else self(each, there) for each, there in bound
            )
        return self._constant(self.house.dotted(node, scope[0]))

    def _Attribute(self, node: ast.Attribute, scope: Scope) -> bool:
        if dotted := self.house.dotted(node, scope[0]):
            return self._constant(dotted)
        kinds = self.house.fields.get(node.attr, [])
        found = [each for each in self.house.methods.get(node.attr, []) if _property(each)]
        return bool(kinds or found) and all(self._field(*each) for each in kinds) and all(map(self._returned, found))

    def _Call(self, node: ast.Call, scope: Scope) -> bool:
        dotted = self.house.dotted(node.func, scope[0])
        words = [word.value for word in node.keywords]
        if dotted == LITERAL or self._writes_numbers(dotted):
            return True
        if dotted == SENTENCE:
            return isinstance(node.args[0], ast.Constant) and self._all(words, scope)
        if dotted.startswith(WORDS):
            return self._all([*node.args, *words], scope)
        if isinstance(node.func, ast.Name) and not dotted and node.func.id in COUNTED:
            return True
        if isinstance(node.func, ast.Name) and not dotted and node.func.id in SAME:
            return self._all([*node.args, *words], scope)
        if isinstance(node.func, ast.Name) and not dotted and node.func.id == "map":
            return self.says(node.args[0], scope)
        found = self.house.functions(node.func, scope)
        if found and not (not dotted and _of_text(node.func)):
            return all(
                self._returned(each) if isinstance(each, ast.FunctionDef) else self._all([*node.args, *words], scope)
                for each in found
            )
        if isinstance(node.func, ast.Attribute) and not dotted and node.func.attr in METHODS:
            return self._all([node.func.value, *node.args, *words], scope)
        if isinstance(node.func, ast.Name) and (bound := list(self.house.bindings(node.func, scope))):
            return all(
                self._given(each, there, said=True) if isinstance(each, ast.arg) else self.says(each, there)
                for each, there in bound
            )
        return False

    # what is defined elsewhere ---------------------------------------------------------------------------------------

    def _constant(self, dotted: str) -> bool:
        """A name at the top of a module of ours."""
        home = self.house.modules.get(dotted.rpartition(".")[0])
        found = self.house.defined(dotted)
        return home is not None and bool(found) and all(self(each, (home, ())) for each in found)

    def _writes_numbers(self, dotted: str) -> bool:
        """Whether this is a function of `words` that is given nothing but numbers."""
        found = self.house.defined(dotted) if dotted.startswith(WORDS) else []
        return bool(found) and all(
            isinstance(each, ast.FunctionDef) and all(_number(arg.annotation) for arg in parameters(each))
            for each in found
        )

    def _returned(self, function: ast.FunctionDef) -> bool:
        """Whether all that a function returns is safe."""
        if _number(function.returns):
            return True
        home = self.house.home[function]
        there = (home, (*home.around[function], function))
        given = [each.value for each in own(function) if isinstance(each, (ast.Return, ast.Yield)) and each.value]
        return bool(given) and self._all(given, there)

    def _given(self, parameter: ast.arg, scope: Scope, said: bool = False) -> bool:
        """Whether a parameter is safe wherever its function is called. said: as a function, all that it says."""
        function = scope[1][-1]
        key = (parameter, said)
        if key not in self._known:
            self._known[key] = True
            self._known[key] = _number(parameter.annotation) or (
                isinstance(function, ast.FunctionDef) and self._everywhere(function, parameter, said)
            )
        return self._known[key]

    def _everywhere(self, function: ast.FunctionDef, parameter: ast.arg, said: bool) -> bool:
        judge = self.says if said else self
        uses = self.house.uses_of(function)
        names = [each.arg for each in parameters(function) if each.arg not in ("self", "cls")]
        positional = [each.arg for each in (*function.args.posonlyargs, *function.args.args)
                      if each.arg not in ("self", "cls")]  # fmt: skip
        if parameter.arg not in names:
            return False
        default = _default(function, parameter.arg)
        for call, skipped, there in uses:
            if call is None:
                return False
            given = _argument(call, skipped, positional, parameter.arg)
            if given is None and (skipped or default is None):
                return False
            home = self.house.home[function]
            if not (judge(given, there) if given is not None else judge(default, (home, home.around[function]))):  # type: ignore[arg-type]
                return False
        return bool(uses)

    def _field(self, kind: ast.ClassDef, told: ast.AnnAssign) -> bool:
        """Whether a field is safe wherever its class is made."""
        key = (kind, told)
        if key not in self._known:
            self._known[key] = True
            self._known[key] = _number(told.annotation) or self._made(kind, told)
        return self._known[key]

    def _made(self, kind: ast.ClassDef, told: ast.AnnAssign) -> bool:
        """In each construction, of it and of what inherits from it, each copy that changes it, and each assignment."""
        name, home = told.target.id, self.house.home[kind]  # type: ignore[union-attr]
        made = False
        for each in (kind, *self.house.heirs.get(kind, ())):
            order = _fields(kind) + (_fields(each) if each is not kind else [])
            for call, skipped, there in self.house.uses.get(each, []):
                if call is None:
                    continue  # an annotation, or isinstance
                made = True
                if (given := _argument(call, skipped, order, name)) is not None:
                    if not self(given, there):
                        return False
                elif told.value is None or not self(told.value, (home, (kind,))):
                    return False
        return made and all(self(value, there) for value, there in self.house.changes.get(name, ()))


def _fields(kind: ast.ClassDef) -> list[str]:
    return [each.target.id for each in kind.body
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
            and "ClassVar" not in ast.unparse(each.annotation)]  # fmt: skip


def _of_text(called: ast.expr) -> bool:
    """Whether this is a method of a text, a list or a table, and not one of ours that is called the same."""
    ours = isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.value.id == "self"
    return isinstance(called, ast.Attribute) and called.attr in METHODS and not ours


def _number(annotation: ast.expr | None) -> bool:
    return annotation is not None and set(re.findall(r"\w+", ast.unparse(annotation))) <= NUMBERS


def _property(function: ast.FunctionDef) -> bool:
    return any("property" in ast.unparse(each) for each in function.decorator_list)


def _argument(call: ast.Call, skipped: int, positional: list[str], name: str) -> ast.expr | None:
    """What a call gives this parameter; something unsafe where that cannot be told."""
    given = call.args[skipped:]
    for place, each in enumerate(given):
        if isinstance(each, ast.Starred):
            return each.value if name in positional[place:] else None
        if place < len(positional) and positional[place] == name:
            return each
    for word in call.keywords:
        if word.arg == name:
            return word.value
    return next((word.value for word in call.keywords if word.arg is None), None)


def _default(function: ast.FunctionDef, name: str) -> ast.expr | None:
    args = function.args
    given = dict(zip([each.arg for each in (*args.posonlyargs, *args.args)][::-1], args.defaults[::-1], strict=False))
    given |= {
        each.arg: value for each, value in zip(args.kwonlyargs, args.kw_defaults, strict=True) if value is not None
    }
    return given.get(name)
