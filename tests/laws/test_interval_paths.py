"""Every interval that reaches a person covers: what makes one is found by the syntax tree, and each is reached.

`score_interval` and its brothers have laws of their own, finer than these (test_intervals.py); here the way from them
to a person is under test, where a share, a size or a variance can be left behind. Nominal level 95 %; a path fails
where so few hits have a chance below ALPHA at LEAST: 1e-6 is the false-alarm rate of each, paid only when a stream
changes.
"""

import ast
import re
from collections import defaultdict
from cProfile import Profile
from inspect import isfunction
from pathlib import Path

import numpy as np
import pytest

import ldpapp
import ldpcore
from ldpcore.client import collected
from ldpcore.estimators import intervals, released
from tests.laws.interval_paths import PATHS
from tests.laws.test_intervals import enough

SURVEYS, LEAST, WIDEST = 300, 0.93, 5.0
QUANTILES = {
    "ndtri",
    "stdtrit",
    "betaincinv",
    "gammaincinv",
    "gammainccinv",
    "fdtri",
    "chndtr",
    "log_ndtr",
    "chdtri",
}
"""SciPy's functions of which intervals are made."""
MAKERS = {
    f"{module.__name__}.{name}"
    for module in (intervals, released, collected)
    for name, made in vars(module).items()
    if isfunction(made) and made.__module__ == module.__name__ and name[0] != "_" and name != "tail"
}
"""Whoever calls one of these passes an interval on."""
NAMED = re.compile("|".join(QUANTILES | {name.rpartition(".")[2] for name in MAKERS}) + """|["']low["']""")
"""Stands in the text of every module that makes an interval or passes one on: the trees of all others need no look."""


@pytest.mark.parametrize("name", PATHS)
def test_a_path_covers(name):
    """And is no wider than that needs, as 0 to 1 covers as well: half of it is 1.96 errors of its middle where these
    are normal. What is for the worst data, or cut at an end, is wider; so of each thing the least of its values counts,
    and of all things on a path the middle one.
    """
    hits, trials, half, off = (defaultdict(float) for _ in range(4))
    for what, *ends, truth in PATHS[name](SURVEYS):
        low, high, true = (np.asarray(each, float) for each in (*ends, truth))
        assert np.all(low <= high), what
        hits[what] += (low <= true + 1e-9) & (true <= high + 1e-9)
        half[what] += (high - low) / 2
        off[what] += ((high + low) / 2 - true) ** 2
        trials[what] += 1
    missed = {what: (hit, trials[what]) for what, hit in hits.items() if not enough(hit, trials[what], LEAST).all()}
    assert not missed
    widths = [np.min(half[what] / np.sqrt(np.maximum(trials[what] * off[what], 1e-30))) for what in trials]
    assert 0.5 < np.median(widths) < WIDEST


def called(tree, module):
    """Functions by line → the names that each calls, as their modules have them."""
    names = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            package = ".".join(module.split(".")[: -node.level]) + "." if node.level else ""
            names |= {each.asname or each.name: f"{package}{node.module}.{each.name}" for each in node.names}
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            yield (
                function,
                {
                    ".".join([names.get(parts[0], f"{module}.{parts[0]}"), *parts[1:]])
                    for node in ast.walk(function)
                    if isinstance(node, ast.Call) and (parts := dotted(node.func))
                },
            )


def dotted(node):
    if isinstance(node, ast.Attribute):
        return [*dotted(node.value), node.attr] if dotted(node.value) else []
    return [node.id] if isinstance(node, ast.Name) else []


def frame_of_ends(function):
    """Whether it makes a table with columns low and high."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and (dotted(node.func) or [""])[-1] == "DataFrame":
            said = {each.value for each in ast.walk(node) if isinstance(each, ast.Constant)}
            if {"low", "high"} <= said:
                return True
    return False


def makers():
    """(file, line) → name of every function that makes an interval, or is the first to pass one on."""
    found = {}
    for package in (ldpcore, ldpapp):
        root = Path(str(package.__file__)).parent
        for path in sorted(root.rglob("*.py")):
            module = ".".join([root.name, *path.relative_to(root).with_suffix("").parts])
            text = path.read_text(encoding="utf-8")
            for function, names in called(ast.parse(text), module) if NAMED.search(text) else ():
                made = any(name.rpartition(".")[2] in QUANTILES for name in names)
                if made or names & MAKERS or (package is ldpcore and frame_of_ends(function)):
                    found[str(path), min(at.lineno for at in (function, *function.decorator_list))] = (
                        f"{module}.{function.name}"
                    )
    return found


def test_every_interval_is_on_a_path():
    """Runs one survey of everything, and asks which functions ran."""
    seen = Profile(builtins=False)  # in C: a function of Python that hears of every call takes three times as long
    with seen:
        for path in PATHS.values():
            list(path(1))
    ran = {each.code for each in seen.getstats()}
    found, places = makers(), {(code.co_filename, code.co_firstlineno) for code in ran}
    assert len(found) > 25
    lost = {name for place, name in found.items() if place not in places}
    assert not lost, sorted(lost)
