"""A Study, or two to compare, as a script: a file to run, or a notebook to read.

>>> from ldpcore.study import Source, Study
>>> code = script(Study(Source("health"), "condition", grid=()))
>>> "table = data.load(\\"health\\")" in code, "ldpcore.study.run" in code
(True, False)
"""

import ast
import json
from collections.abc import Iterable, Sequence
from typing import Any

from ldpcore.study import tasks
from ldpcore.study.comparison import Comparison
from ldpcore.study.definition import Study
from ldpcore.study.scripts import Cell, literal

HOMES = {
    "functools": ("cache",),
    "pathlib": ("Path",),
    "ldpcore": ("catalog", "custom", "data", "plan", "questionnaire", "relations"),
    "ldpcore.attacks": ("bayes", "exchange", "membership", "presence", "within"),
    "ldpcore.bins": ("gathered", "placed"),
    "ldpcore.clusters": ("accuracy", "entropy", "kmodes", "nearest", "starting_modes"),
    "ldpcore.data.weighing": ("Weighing",),
    "ldpcore.domain": ("Categorical", "Interval"),
    "ldpcore.estimators": ("consistency", "likelihood", "publishing"),
    "ldpcore.estimators.intervals": ("NORMAL_95",),
    "ldpcore.itemsets": ("NoTables", "TooManyCandidates", "scores"),
    "ldpcore.itemsets.expected": ("dfdp",),
    "ldpcore.itemsets.given": ("threshold",),
    "ldpcore.itemsets.question": ("GroundTruth", "MiningQuestion"),
    "ldpcore.itemsets.scores": ("by_length",),
    "ldpcore.mechanisms.padding": ("pad_and_sample", "suggest_m"),
    "ldpcore.ranges": ("average_coefficient", "pad"),
    "ldpcore.rng": ("stream",),
    "ldpcore.scope": ("parts",),
    "ldpcore.ranges.tables": ("mean_squared",),
    "ldpcore.study.column": ("scaled",),
    "ldpcore.study.frequency.cell": ("ChoiceGroup", "FrequencyDesignPoint"),
    "ldpcore.study": ("clusters", "intervals"),
    "ldpcore.study.means.numbers": ("MeanDesignPoint", "PointGroup", "estimates_of"),
    "ldpcore.study.ranges": ("resized",),
    "ldpcore.study.ranges.own": ("usual",),
    "ldpcore.study.ranges.queries": ("drawn",),
    "ldpcore.study.relations": ("columns",),
    "ldpcore.study.relations.people": ("counted",),
    "ldpcore.study.relations.settings": ("Compared", "some"),
    "ldpcore.study.review.asking": ("answers",),
    "ldpcore.study.review.attack": ("answer_by_answer", "strongest"),
    "ldpcore.study.review.hidden": ("Hidden", "HiddenSurvey"),
    "ldpcore.study.review.people": ("questions", "read", "split", "stated", "together"),
    "ldpcore.study.sets.sample": ("SetSample", "SetSetting", "invented", "resampled"),
    "ldpcore.study.sets.surveys": ("estimated",),
    "ldpcore.tally": ("Tally",),
    "ldpcore.threads": ("one_thread",),
}
"""Where a script imports a name from."""
ALIASES = {"np": "numpy", "pd": "pandas", "go": "plotly.graph_objects"}
"""What it imports as something else."""
NUMBERS = Cell(
    "The page's numbers at its point: the mean of the surveys, and the theory beside it",
    'alone = results["metric"].str.contains("^(?:squared error$|estimate$|share:)")  # of single values\n'
    'here = results[(results["x"] == POINT) & ~alone]\n'
    'print(here.groupby(["mechanism", "metric", "scope"], sort=False)[["value", "theory"]].mean().to_string())',
)
HOW = "It needs ldpcore, and writes results.csv and results.html, its first figure, where it is run."
"""Below a script's title."""
SAVING = Cell("The very bytes of: ldpcore run study.toml -o results.csv",
              'Path("results.csv").write_text(data.as_csv(results), encoding="utf-8")')  # fmt: skip


def script(setting: Study | Comparison, form: str = "py") -> str:
    """The script of a Study, or of two: Python to run ("py"), or the same cells as a notebook ("ipynb").

    Run where its data are, it writes results.csv, byte for byte what `ldpcore run study.toml -o results.csv` writes,
    and results.html, the page's first figure. ValueError, in a sentence, where `run` has one.
    """
    if form not in FORMS:
        raise ValueError(f"a script is {' or '.join(map(repr, FORMS))}, got {form!r}")
    if isinstance(setting, Comparison):
        cells = _compared(tasks.script(setting.a), tasks.script(setting.b), (setting.name_a, setting.name_b))
    else:
        *first, figure = tasks.script(setting)
        cells = [*first, NUMBERS, figure]
    task = (setting.b if isinstance(setting, Comparison) else setting).task
    return FORMS[form](f"What ldpcore shows on its page {task.capitalize()}, as code: change a number, run it again.",
                       [*cells, SAVING])  # fmt: skip


def python(title: str, cells: Sequence[Cell]) -> str:
    """The cells one below the other, as editors cut them (`# %%`)."""
    parts = [f"# %% {cell.title}\n{cell.code}\n" for cell in cells]
    ends = [isinstance(ast.parse(cell.code).body[-1], ast.FunctionDef) for cell in cells]
    apart = ["\n\n" if ended else "\n" for ended in ends]
    body = "".join(f"{part}{gap}" for part, gap in zip(parts, apart, strict=True)).rstrip("\n")
    return f'"""{title}\n\n{HOW}\n"""\n\n' + "\n".join(_imports(cells)) + f"\n\n{body}\n"


def notebook(title: str, cells: Sequence[Cell]) -> str:
    """The same cells as a notebook: nbformat 4.5, without outputs."""
    parts = [_markdown(f"# {title}"), _code("\n".join(_imports(cells)))]
    for cell in cells:
        parts += [_markdown(f"## {cell.title}"), _code(cell.code)]
    named = [{**part, "id": f"cell-{place}"} for place, part in enumerate(parts)]
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    whole = {"cells": named, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


FORMS = {"py": python, "ipynb": notebook}
"""What a script can be written as."""


def _markdown(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": [text]}


def _code(text: str) -> dict[str, Any]:
    lines = text.splitlines(keepends=True)
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": lines}


def _imports(cells: Iterable[Cell]) -> list[str]:
    """The lines that import what these cells name."""
    nodes = [node for cell in cells for node in ast.walk(ast.parse(cell.code))]
    names = [node for node in nodes if isinstance(node, ast.Name)]
    made = {each.id for each in names if isinstance(each.ctx, ast.Store)}
    made |= {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    named = {each.id for each in names} - made
    aliases = [f"import {module} as {short}" for short, module in ALIASES.items() if short in named]
    homes = {home: [each for each in names if each in named] for home, names in HOMES.items()}
    lines = [f"from {home} import {', '.join(names)}" for home, names in homes.items() if names]
    ours = [line for line in lines if line.startswith("from ldpcore")]
    groups = [[line for line in lines if line not in ours], aliases, ours]
    return [line for group in groups if group for line in (*group, "")][:-1]


def _compared(a: Sequence[Cell], b: Sequence[Cell], names: tuple[str, str]) -> list[Cell]:
    """Two settings: all of the first but its figure, what is done anew for the second, and both tables as one."""
    same = next((place for place, (one, other) in enumerate(zip(a, b, strict=False)) if one != other), len(b) - 2)
    anew = [cell for place, cell in enumerate(b) if place >= same and not (cell in a and cell.defines)]
    name_a, name_b = map(literal, names)
    kept = f'kept = results.assign(setting={name_a})[["setting", *results]]'
    second = f'results.assign(setting={name_b})[["setting", *results]]'
    return [
        *a[:-1],
        Cell("This was the setting that is kept; what follows is the other", kept),
        *anew,
        Cell("Both settings in one table", f"results = pd.concat([kept, {second}], ignore_index=True)"),
    ]
