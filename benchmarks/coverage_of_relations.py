"""How often shown intervals of relations cover: `python -m benchmarks.coverage_of_relations`, some minutes.

Hidden groups only; settings × surveys of people like these; a withheld interval does not count. What it prints is in
docs/theory/relations.md. `--surveys 600 --seed 1`
"""

import argparse
from collections.abc import Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ldpcore import relations
from ldpcore.catalog import FREQUENCY
from ldpcore.relations import Apart, AsOne
from ldpcore.rng import stream

Array = NDArray[np.float64]
SHAPES, EPSILONS, PEOPLE = ((2, 2), (4, 2), (16, 2)), (0.5, 1.0, 4.0), (300, 3000, 30_000)
ENOUGH = 100
"""Shown surveys of a setting from which on its coverage is looked at."""


def designs(kx: int, ky: int, epsilon: float) -> Iterator[tuple[str, Apart | AsOne]]:
    """The last third of the groups and the last answer are marked."""
    mx, my = np.arange(kx) >= kx - max(1, kx // 3), np.arange(ky) == ky - 1
    for key in ("GRR", "uSS"):
        build = FREQUENCY[key].build
        yield f"apart {key}", relations.apart(build(epsilon / 2, kx, mx), build(epsilon / 2, ky, my))
        marks = relations.either(mx, my)
        if key == "GRR" or marks.sum() <= 20:
            yield f"as one {key}", relations.as_one(kx, ky, build(epsilon, kx * ky, marks))


def tables(kx: int, ky: int, n: int) -> Iterator[tuple[str, Array]]:
    """Even; uneven; and a last pair of so many expected people, three times as common in its group as elsewhere."""
    yield "even", np.full((kx, ky), 1 / (kx * ky))
    groups, answers = np.linspace(2, 0.5, kx), np.linspace(3, 0.5, ky)
    uneven = np.outer(groups / groups.sum(), answers / answers.sum())
    uneven[-1, 0] -= uneven[-1, -1] / 2
    uneven[-1, -1] *= 1.5
    yield "uneven", uneven
    for rare in (1, 5, 20):
        size = min(0.3, 40 * rare / n)
        sizes = np.r_[np.full(kx - 1, (1 - size) / (kx - 1)), size]
        share = np.r_[np.full(kx - 1, min(0.05, 3 * rare / n)), rare / n / size]
        rest = (sizes * (1 - share))[:, None] / (ky - 1) * np.ones((1, ky - 1))
        yield f"rare {rare}", np.column_stack([rest, sizes * share])


def simulated(design: Apart | AsOne, f: Array, n: int, surveys: int, rng: np.random.Generator) -> Array:
    """Estimated tables (surveys, kx, ky) of people like these."""
    if isinstance(design, AsOne):
        chance = f.ravel() @ design.pair.channel
        return (rng.multinomial(n, chance / chance.sum(), surveys) @ design.pair.scores / n).reshape(surveys, *f.shape)
    chance = design.x.channel.T @ f @ design.y.channel
    counts = rng.multinomial(n, chance.ravel() / chance.sum(), surveys).reshape(surveys, *chance.shape)
    return np.einsum("nab,ax,by->nxy", counts, design.x.scores, design.y.scores, optimize=True) / n


def main() -> None:
    """Prints a line for each measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--surveys", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    found: dict[str, list[tuple[int, int, str]]] = {}
    for (kx, ky), epsilon, n in product(SHAPES, EPSILONS, PEOPLE):
        for (table, f), (name, design) in product(tables(kx, ky, n), designs(kx, ky, epsilon)):
            rng = stream(asked.seed, "coverage", kx, ky, int(10 * epsilon), n, table, name)
            r = design.of_shares(simulated(design, f, n, asked.surveys, rng), n)
            a, b = f[-1, -1] / f[-1].sum(), f[0, -1] / f[0].sum()
            sides = [ky - 1], [kx - 1], [0]
            for what, estimate, truth in (
                ("within a group", r.within(*sides[:2]), a),
                ("within another group", r.within(sides[0], sides[2]), b),
                ("difference", r.difference(*sides), a - b),
                ("ratio", r.ratio(*sides), a / b),
                ("odds ratio", r.odds_ratio(*sides), a / (1 - a) / (b / (1 - b))),
            ):
                hits = (estimate.low <= truth + 1e-9) & (truth <= estimate.high + 1e-9) & estimate.told
                setting = f"{kx}×{ky} ε {epsilon:g} n {n} {table} {name}"
                found.setdefault(what, []).append((int(hits.sum()), int(estimate.told.sum()), setting))
    for what, each in found.items():
        hits, shown = (sum(row[i] for row in each) for i in (0, 1))
        rates = sorted((hit / many, where, many) for hit, many, where in each if many >= ENOUGH)
        least = np.quantile([rate for rate, _, _ in rates], 0.01)
        print(
            f"{what}: pooled {hits / shown:.3f} of {shown}, 1 % of settings {least:.3f}, "
            f"below .93 {sum(rate < 0.93 for rate, _, _ in rates)} of {len(rates)}, worst {rates[0][0]:.3f} "
            f"({rates[0][1]}, {rates[0][2]} shown)"
        )


if __name__ == "__main__":
    main()
