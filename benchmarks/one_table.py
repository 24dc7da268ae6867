"""One private table, many questions: K-modes and ranges of the fitted table beside DPK and a histogram of its own.

    python benchmarks/one_table.py census
    python benchmarks/one_table.py ../shared/data/adult.data.gz --runs 20
    python benchmarks/one_table.py FILE --columns SEX,MSP,EDU

Clusters: share of people in matching clusters (AC) against K-modes from the same start, three clusters, and the
standard error over starts; beside DPK at ε, and at ε/5, as whoever tries five numbers of clusters has to share it out.
Ranges: typical error of a range of one attribute's codes, in people, over all ranges and attributes; beside a flat
histogram that is given all of ε, and one that gets the attribute's share of it.
"""

import argparse

import numpy as np

from ldpcore import data
from ldpcore.catalog import CLUSTERINGS
from ldpcore.clusters import Records, accuracy, kmodes, nearest, starting_modes
from ldpcore.clusters.fitted import margins
from ldpcore.ranges.tables import mean_squared
from ldpcore.rng import stream
from ldpcore.study import clusters

K, SHARED = 3, 5


def clustered(records: Records, epsilon: float, runs: int) -> str:
    found: dict[str, list[float]] = {}
    for run in range(runs):
        start = starting_modes(records.levels, K, stream(7, "start", K, run))
        true = nearest(records, kmodes(records, K, stream(0, "unused"), start=start).modes)
        for name, key, budget in (
            ("DPK", "DPK", epsilon), (f"DPK, ε/{SHARED}", "DPK", epsilon / SHARED), ("Tables", "Tables", epsilon)
        ):  # fmt: skip
            modes = CLUSTERINGS[key].run(records, K, budget, stream(7, name, epsilon, run), start=start).modes
            found.setdefault(name, []).append(accuracy(nearest(records, modes), true, records.counts))
    return "  ".join(f"{name} {np.mean(ac):.2f} ± {np.std(ac, ddof=1) / runs**0.5:.2f}" for name, ac in found.items())


def ranged(records: Records, epsilon: float, runs: int) -> str:
    of_table, flat = [], []
    for run in range(runs):
        found = margins(records, epsilon, stream(7, "ranges", epsilon, run))
        rng = stream(7, "flat", epsilon, run)
        for column, d, margin in zip(records.columns, records.levels, found, strict=True):
            of_table.append(mean_squared(margin - np.bincount(column, records.counts, d)))
            flat.append(mean_squared(rng.laplace(0, 1 / epsilon, d)))
    alone, table = np.sqrt(np.mean(flat)), np.sqrt(np.mean(of_table))
    return f"flat {alone:.1f}  flat, ε/{records.q} {alone * records.q:.1f}  Tables {table:.1f}"


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("data")
    given.add_argument("--columns", default="")
    given.add_argument("--runs", type=int, default=20)
    asked = given.parse_args()
    table = data.load(asked.data)
    columns = asked.columns.split(",") if asked.columns else clusters.usual(table)
    records = clusters.read(table, columns, "column").records
    print(asked.data, *columns, records.levels, f"n = {records.n}")
    for epsilon in (0.1, 0.3, 1.0, 3.0):
        print(f"ε = {epsilon:g}  AC: {clustered(records, epsilon, asked.runs)}", flush=True)
        print(f"          ranges: {ranged(records, epsilon, asked.runs)}", flush=True)


if __name__ == "__main__":
    main()
