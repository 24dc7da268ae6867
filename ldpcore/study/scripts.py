"""A Study as a script: the Python that one would write by hand for what its page shows, as a file or as a notebook.

Each task writes its own cells beside its run (`<task>/script.py`); what all scripts have in common is here. A script
calls what anybody can import, never `run`, and writes the very bytes of `ldpcore run study.toml -o results.csv`.

>>> from ldpcore.study import Source, Study
>>> cell = reading(Study(Source("survey.csv", "5f2c"), "smoking"))
>>> cell.code.splitlines()[0], "digest.startswith" in cell.code
('table = data.load("survey.csv")', True)
"""

import ast
import json
from collections.abc import Mapping
from dataclasses import dataclass
from string import Template
from typing import Any

from ldpcore.data import ReadOptions
from ldpcore.study.definition import Study

WIDTH = 110
"""Characters of a line, where a list can be broken."""
COLUMNS = ("task", "mechanism", "axis", "x", "repetition", "metric", "scope", "value", "theory")


@dataclass(frozen=True)
class Cell:
    """A part of a script: its title, one line, and its code."""

    title: str
    code: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "code", self.code.strip("\n"))

    @property
    def defines(self) -> bool:
        """Whether it holds functions alone that keep nothing, and so serve the next setting too."""
        return all(isinstance(each, ast.FunctionDef) and not (each.decorator_list or each.args.defaults)
                   for each in ast.parse(self.code).body)  # fmt: skip


def fill(code: str, **values: Any) -> str:
    """Code in which `$name` stands for a piece of code, without the line break that it may begin with.

    >>> fill("SEED = $seed", seed=7)
    'SEED = 7'
    """
    return Template(code.removeprefix("\n")).substitute(values)


def literal(value: Any) -> str:
    r"""A text, number, list or mapping as Python writes it; a text is a literal, whatever it holds.

    >>> print(literal(["a", 'x"); y("', "\n"]), literal({"a": 1.0}), literal(None))
    ["a", "x\"); y(\"", '\n'] {"a": 1.0} None
    """
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False) if value.isprintable() else repr(str(value))
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{literal(key)}: {literal(each)}' for key, each in value.items())}}}"
    if isinstance(value, list | tuple):
        return _broken([literal(each) for each in value])
    return repr(value)


def _broken(items: list[str]) -> str:
    """A list in one line, or in several where it is long."""
    if len(whole := f"[{', '.join(items)}]") <= WIDTH - 20:
        return whole
    lines = [""]
    for item in items:
        if lines[-1] and len(lines[-1]) + len(item) > WIDTH - 10:
            lines.append("")
        lines[-1] += f"{item}, "
    return "[\n" + "".join(f"    {line.rstrip()}\n" for line in lines) + "]"


def called(function: str, given: Mapping[str, Any]) -> str:
    """A call with these keyword arguments."""
    return f"{function}({', '.join(f'{name}={literal(value)}' for name, value in given.items())})"


def reading(study: Study) -> Cell:
    """The data, read as was decided."""
    source = [literal(study.data.name)] + ([_options(study.data.read)] if study.data.read != ReadOptions() else [])
    table = f"data.load({', '.join(source)})"
    if len(table) > WIDTH:
        table = "data.load(\n    " + ",\n    ".join(source) + ",\n)"
    lines = [f"table = {table}"]
    if study.data.missing:
        lines += ["# These answers are none:"]
        missing = {column: list(values) for column, values in study.data.missing}
        lines += [f"table = table.with_missing({literal(missing)})"]
    if study.data.digest:
        start = literal(study.data.digest[:16])
        other = "this is another file than the one that the page showed"
        lines += [f'assert table.digest.startswith({start}), "{other}"']
    return Cell("The data, read as was decided", "\n".join(lines))


def _options(read: ReadOptions) -> str:
    entries = read.to_table()
    columns = entries.pop("columns", {})
    made = called("data.ReadOptions", entries)
    for name, of_column in columns.items():
        more = called("", of_column)[1:]
        made += f".with_column({literal(name)}, {more}"
    return made


def weighed(study: Study) -> bool:
    """Whether people have weights, in a task whose numbers go by them."""
    return any(each.role == "weight" for each in study.data.read.columns.values())


def histogram(study: Study) -> str:
    """The column, counted, as an expression."""
    if study.bins is None:
        return f"table.categorical({literal(study.column)}, missing={literal(study.missing)})"
    low, high, count = study.bins
    return f"table.binned({literal(study.column)}, {low!r}, {high!r}, {count}, missing={literal(study.missing)})"


def chosen(study: Study, current: str) -> str:
    """What is asked, as constants that every script has. current: where the page stands on its axis, an expression."""
    grid = sorted({*map(float, study.grid)})
    points = ", ".join([*map(repr, grid), "POINT"])
    return fill(
        """
EPSILON = $epsilon  # where the slider stands
MECHANISMS = $mechanisms
SURVEYS = $surveys  # simulated, at each point
SEED = $seed
POINT = $current  # where the page stands on the axis of its first figure: $axis
POINTS = $points
""",
        epsilon=repr(study.epsilon),
        mechanisms=literal(study.mechanisms),
        surveys=study.repetitions,
        seed=study.seed,
        current=current,
        axis=AXES.get(study.axis, study.axis),
        points=f"sorted({{{points}}})" if len(points) < WIDTH - 20 else f"sorted({{*{literal(grid)}, POINT}})",
    )


def least(study: Study) -> str:
    """The ε of what is secret, as a line below those that are chosen; infinite where it is that of the others."""
    if not study.marks.secret:
        return ""
    least_epsilon = "np.inf" if study.secret_epsilon is None else f"min({study.secret_epsilon!r}, EPSILON)"
    return f"SECRET = {least_epsilon}  # the ε of secret answers, never above that of the others\n"


AXES = {
    "epsilon": "ε",
    "n": "how many people are asked",
    "share": "the share that is marked",
    "k": "how many there are",
    "m": "items per set",
    "s": "s, the budget of one count",
    "min_count": "baskets that make a set frequent",
    "N": "N, the number of cells",
}
"""What a page calls its axis."""


def table(study: Study, build: str, theory: str, survey: str) -> Cell:
    """Every mechanism at every point, in theory and simulated. build: statements; theory and survey: expressions that
    give rows (metric, scope, value).
    """
    known = fill("            known = {(metric, scope): value for metric, scope, value in $t}\n", t=theory)
    code = fill(
        """
rows = []
with one_thread:  # so that the last digits do not depend on how many cores there are
    for name in MECHANISMS:
        for x in POINTS:
$build$known            for repetition in range(SURVEYS):
                for metric, scope, value in $survey:
                    where = $task, name, $axis, x, repetition, metric, scope
                    rows.append((*where, value, $beside))
results = pd.DataFrame(
    rows, columns=$columns
)
""",
        build="".join(f"            {line}\n" for line in build.strip("\n").split("\n") if line),
        known=known if theory else "",
        survey=survey,
        task=literal(study.task),
        axis=literal(study.axis),
        beside="known.get((metric, scope), np.nan)" if theory else "np.nan",
        columns=literal(COLUMNS).replace("[\n    ", "[").replace(",\n]", "]").replace("\n    ", " "),
    )
    return Cell("The table behind the page: each mechanism, each point of the axis, each survey", code)


_MARGINS = """here = here.assign(theory_margin=NORMAL_95 * here["theory"], value_margin=NORMAL_95 * here["value"])
here = here.rename(columns={"theory_margin": "± 95 %, theory", "value_margin": "± 95 %, simulated"})
here = here.rename(columns={"theory": "typical error, theory", "value": "typical error, simulated"})
"""
"""What a page says of a typical error: its 95 % margin, beside it."""


def chart(study: Study, metric: str, what: str, each: str, by: str = "mechanism") -> Cell:
    """Theory as lines, the means of the simulation as marks. each: the number of the chart from the mean m of a metric,
    as an expression; what: its axis. by: the column with a line for each value; the scope is "all" else.
    """
    code = fill(
        """
shown = results[(results["metric"] == $metric)$scope]
means = shown.groupby([$by, "x"], sort=False)[["theory", "value"]].mean().reset_index()
means = means.assign(theory=$theory, value=$value)  # $what
here = means[means["x"] == POINT]  # as the page says it at its point
$margins$show(here.to_string(index=False))
figure = go.Figure()
for name, line in means.groupby($by, sort=False):
    figure.add_scatter(x=line["x"], y=line["theory"], name=name, mode="lines")
    figure.add_scatter(x=line["x"], y=line["value"], name=f"{name}, simulated", mode="markers")
figure.update_layout(xaxis_title=$axis, yaxis_title=$title)
figure.write_html("results.html")
""",
        metric=literal(metric),
        scope="" if by == "scope" else ' & (results["scope"] == "all")',
        by=literal(by),
        theory=fill(each, m='means["theory"]'),
        value=fill(each, m='means["value"]'),
        axis=literal(AXES.get(study.axis, study.axis)),
        show="print",
        margins=_MARGINS if what.startswith("typical error") else "",
        what=what,
        title=literal(what),
    )
    return Cell("The page's first figure: theory as lines, simulation as marks", code)
