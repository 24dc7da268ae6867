"""Every figure and table of the papers that is drawn here, as Studies. This is the one place where they are defined."""

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import numpy as np

from ldpcore import data
from ldpcore.papers import dfdp, ldpk, privelet, suldp, suldp_trends
from ldpcore.papers.live import Floats, LineOfRun, LiveFigure, times, times_over
from ldpcore.papers.live_sdldp import FIGURES as SDLDP
from ldpcore.papers.measures import EPSILONS
from ldpcore.ranges.tables import drawn_ranges
from ldpcore.study.definition import Source, Study
from ldpcore.study.ranges.queries import written

INVENTED = 10_000
"""People whose sets are simulated."""
SETS = (*suldp.FIVE, "suWheel-J")
SUPERMARKET = (
    "Stand-in: 300 bundled baskets of 50 products, drawn as the paper describes its supermarket's; their products do "
    "not depend on one another."
)
CENSUS = (
    "Stand-in: the bundled synthetic census with Adult's columns; its answers depend on one another as was assumed."
)
RECORD = ("workclass", "education", "marital-status", "occupation", "relationship", "race")
RUNS, STARTS = 100, 50
"""Of a miner; of a clustering."""
SEED = 7
"""Of `papers.Ask`: the ranges that figure 4 draws."""
HIGHEST = 16
"""log₂ of the most cells of which indices are computed in a run; the figure goes to 2^40 by formulas alone."""
EMPTY = "The error does not depend on the data: any column cut into so many cells stands in for the paper's."


# SULDP ---------------------------------------------------------------------------------------------------------------


def _sets(number: str, items: int, axis: str, grid: tuple[float, ...]) -> LiveFigure:
    study = Study(Source("groceries"), "items", mechanisms=SETS, n=INVENTED, axis=axis, grid=grid, task="sets")
    study = study.with_options(simulated=items, m=suldp.M)
    turn = times_over(float(INVENTED)) if axis == "k" else times(float(INVENTED))
    lines = tuple(LineOfRun(key, key, "mse", turn=turn) for key in SETS)
    people = f"{INVENTED:,}".replace(",", "\u202f")
    stand_in = (
        f"Simulated as in the paper's §5.1: every set alike, {people} people. The paper's n is illegible; n "
        "times the error does not depend on it."
    )
    return LiveFigure("suldp", number, {"": study}, lines, stand_in)


SULDP = (
    _sets("Fig. 1", 1024, "epsilon", EPSILONS),
    _sets("Fig. 2", 256, "share", suldp_trends.SHARES),
    _sets("Fig. 3", 256, "k", suldp_trends.SIZES[1:]),
    _sets("Fig. 4", 256, "m", suldp_trends.LENGTHS[:-1]),
)

# DFDP ----------------------------------------------------------------------------------------------------------------


def _mined(number: str, metric: str) -> LiveFigure:
    miners = ("DFDP", "SmartTrunc")
    study = Study(Source("supermarket"), "items", mechanisms=miners, axis="s", grid=dfdp.S, task="itemsets")
    study = replace(study, repetitions=RUNS).with_options(
        min_count=dfdp.LEAST,
        s=dfdp.S[-1],
        clip=dfdp.CLIP,
        length=dfdp.LENGTH,
        levels=dfdp.LEVELS,
        candidate_count=dfdp.SEEDS,
    )
    lines = tuple(LineOfRun(key, key, metric, exact=False) for key in miners)
    without = {dfdp.LITERAL: "the page’s SmartTrunc draws the noise that its promise takes, Lap(Δ/s)"}
    return LiveFigure("dfdp", number, {"": study}, lines, SUPERMARKET, metric, without)


DFDP = (_mined("Fig. 2", "mae_found"), _mined("Fig. 3", "f"))

# LDPK ----------------------------------------------------------------------------------------------------------------


def _clusters(number: str, metric: str, *methods: str) -> LiveFigure:
    study = Study(Source("census"), "marital-status", mechanisms=methods, grid=ldpk.EPSILONS, task="clusters")
    study = replace(study, repetitions=STARTS).with_options(columns=RECORD, k=ldpk.K)
    lines = tuple(LineOfRun(key, key, metric, exact=False) for key in methods)
    return LiveFigure("ldpk", number, {"": study}, lines, CENSUS, metric)


def _table_4() -> LiveFigure:
    made = _clusters("Table 4", "ac", "LDPK")
    along = replace(made.study, axis="n", grid=tuple(map(float, ldpk.SIZES)))
    return replace(made, settings={"": along})


LDPK = (_clusters("Fig. 2", "entropy", "LDPK", "DPK"), _clusters("Fig. 3", "ac", "LDPK", "DPK", "Fresh"), _table_4())

# Privelet ------------------------------------------------------------------------------------------------------------


def _ranges(*strategies: str, **options: object) -> Study:
    """1 024 cells; ε = 1."""
    bins = (0.0, 102_400.0, 1 << privelet.H)
    study = Study(Source("census"), "capital-gain", mechanisms=strategies, bins=bins, grid=(), task="ranges")
    return study.with_options(**options)


def _average(line: str, strategy: str, exact: bool = True) -> LineOfRun:
    return LineOfRun(line, strategy, "average error", exact=exact)


def _index(x: Floats, average: Floats) -> Floats:
    """(log₂ N)³/(Δ²c̄) at ε = 1, where the average variance is 2Δ²c̄."""
    return 2 * np.log2(x) ** 3 / average


def _figure_4() -> LiveFigure:
    asked = tuple(dict.fromkeys(map(written, drawn_ranges(SEED, privelet.H))))
    lines = [
        LineOfRun(line, "Privelet", "squared error", exact=exact, against="theory")
        for line, exact in (("experiment", False), ("algorithm 3", True))
    ]
    study = replace(_ranges("Privelet", ranges=0, asked=asked), repetitions=RUNS)
    return LiveFigure("privelet", "Fig. 4", {"": study}, tuple(lines), EMPTY, "own ranges")


def _figure_5() -> LiveFigure:
    grid = tuple(2.0**h for h in range(privelet.H + 1))
    study = replace(_ranges("Identity", "Privelet", ranges=0), axis="N", grid=grid, repetitions=RUNS)
    lines = (
        _average("experiment", "Privelet", exact=False),
        _average("closed form (16)", "Privelet"),
        _average("flat histogram", "Identity"),
    )
    return LiveFigure("privelet", "Fig. 5", {"": study}, lines, EMPTY, "averages")


def _indices() -> LiveFigure:
    grid = tuple(2.0**h for h in range(2, HIGHEST + 1))
    lines = (("binary tree", "Tree"), ("Boost", "Boost"), ("Privelet", "Privelet"))
    study = replace(_ranges(*(key for _, key in lines), ranges=0), axis="N", grid=grid, repetitions=1)
    text = f"{EMPTY} A run goes to N = 2^{HIGHEST}, the figure by formulas to 2^40."
    made = tuple(replace(_average(line, key), turn=_index) for line, key in lines)
    return LiveFigure("privelet", "indices", {"": study}, made, text, "index")


PRIVELET = (_figure_4(), _figure_5(), _indices())
LIVE: dict[tuple[str, str], LiveFigure] = {
    (each.paper, each.number): each for each in (*SULDP, *SDLDP, *DFDP, *LDPK, *PRIVELET)
}
"""(paper, number of the figure) → what opens."""


def write(folder: Path, chosen: Collection[str] = ()) -> list[str]:
    """Write the Study files of these papers' figures, of all where none is named; a command for each. DataError where
    the folder cannot be written to.
    """
    commands = []
    for live in LIVE.values():
        for name, text in live.toml().items() if live.paper in (chosen or (live.paper,)) else ():
            with data.saving(folder / name) as there:
                there.parent.mkdir(parents=True, exist_ok=True)
                there.write_text(text, encoding="utf-8")
            commands.append(f"ldpcore run {folder / name}")
    return commands
