"""`ldpcore mine`: the exact frequent sets of a folder of baskets, of any size: what a curator knows, with no noise."""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np
import pandas as pd
import pyarrow as pa
from tqdm import tqdm

from ldpcore import data, workers
from ldpcore.baskets import Baskets
from ldpcore.collection import encoding
from ldpcore.data import baskets, columns, transactions
from ldpcore.data.partitions import Partition, partitions
from ldpcore.itemsets import MiningResult, apriori_of
from ldpcore.itemsets.given import distinct

SIZE = 1 << 24
"""Bytes of text, or of unpacked Parquet, that one process reads at a time: some three hundred megabytes of memory."""
SHOWN = 50
"""Sets that a terminal is given."""


@dataclass(frozen=True)
class ItemLocation:
    """Where the items of a partition stand: in this column of lists (None: the only one), or on lines, separated so."""

    column: str | None = None
    separator: str = ""

    def __call__(self, part: Partition) -> Iterator[Baskets]:
        """The baskets, some rows at a time: blanks around an item do not count, an empty cell is none, and an item that
        a basket has twice counts once. A row without a list is nobody; an empty one, or line, is a basket.
        """
        column = self.column or (part.columns[0] if len(part.columns) == 1 else "")
        for cells in encoding.of(part, (column,), self.separator):
            yield _baskets(*encoding.lists(cells, column))


def _baskets(offsets: encoding.Codes, items: pa.Array, absent: Any) -> Baskets:
    text = columns.encoded(pa.chunked_array([items]))
    labels = [" ".join(label.split()) for label in text.dictionary.fill_null("").to_pylist()]
    known = {label: code for code, label in enumerate(dict.fromkeys(filter(None, labels)))}
    place = np.array([known.get(label, -1) for label in [*labels, ""]], np.int32)
    codes = place[text.indices.fill_null(len(labels)).to_numpy()]
    row = np.repeat(np.arange(len(absent)), np.diff(offsets))
    kept = (codes >= 0) & ~absent[row]
    starts = np.concatenate([[0], np.cumsum(np.bincount(row[kept], minlength=len(absent))[~absent])])
    return Baskets(tuple(known), *distinct(codes[kept], starts.astype(np.int64), len(known)))


def ordered(labels: Iterable[Hashable]) -> list[Hashable]:
    """As items stand everywhere: numbers by size, text by the alphabet."""
    texts = list(map(str, labels))
    return [texts[place] for place in baskets.natural_order(texts)]


def table(found: MiningResult, n: int) -> pd.DataFrame:
    """One row per set: itemset (tuple of labels), items, count, share (of n baskets); short sets first."""
    sets = found.itemsets[["itemset", "count"]]
    return sets.assign(items=sets["itemset"].map(len), share=sets["count"] / n)[["itemset", "items", "count", "share"]]


@click.command("mine")
@click.argument("source", metavar="BASKETS")
@click.option("--min-count", required=True, type=float, help="Baskets that make a set frequent: a number, or a share.")
@click.option("--max-length", type=click.IntRange(min=1), help="Items of a set at most.")
@click.option("--column", help="The column of lists, in Parquet; else the only one.")
@click.option("--separator", help="Of the items on a line of text; else it is recognised.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The sets as .csv or .parquet.")
@workers.options()
def mine(
    source: str,
    min_count: float,
    max_length: int | None,
    column: str | None,
    separator: str | None,
    output: Path | None,
    asked: workers.WorkerRequest,
) -> None:
    """All itemsets that at least so many baskets of a folder, a pattern ('b/*.parquet') or a file hold, exactly.

    A column of lists in Parquet, or text with a basket on every line. Of any size: a part is in memory at a time, and
    is read some three times. Exact counts protect nobody: they are for whoever may see the baskets.
    """
    if output is not None and output.suffix not in (".csv", ".parquet"):
        raise click.ClickException(f"the output ends in .csv or .parquet, got {output.name}")
    try:
        parts = partitions(source, size=SIZE, lines=True)
        reading = ItemLocation(column, separator_of(parts, separator))
        with workers.opened(asked) as executor, tqdm(unit="part", leave=False) as bar:

            def tick(length: int, done: int, total: int) -> None:
                bar.set_description(f"sets of {length}", refresh=False)
                bar.total = total
                bar.update(done - bar.n)

            frequent, n = apriori_of(
                [partial(reading, part) for part in parts], int(min_count) if min_count.is_integer() else min_count,
                max_length=max_length, order=ordered, executor=executor, tick=tick,
            )  # fmt: skip
        sets = table(frequent, n)
        if output is not None:
            with data.saving(output) as there:
                if output.suffix == ".csv":
                    there.write_text(data.as_csv(_text(sets)), encoding="utf-8")
                else:
                    sets.to_parquet(there, index=False)
    except (ValueError, TypeError, OSError) as error:
        raise click.ClickException(str(error)) from error
    if output is None:
        click.echo(_text(sets).head(SHOWN).to_string(index=False))
    click.echo(f"{len(sets)} sets in {frequent.min_count} or more of {n} baskets, counted exactly")


def _text(sets: pd.DataFrame) -> pd.DataFrame:
    return sets.assign(itemset=[" + ".join(map(str, items)) for items in sets["itemset"]])


def separator_of(parts: list[Partition], wanted: str | None) -> str:
    """Of the items, the same in all files; "" where no part is lines."""
    lines = next((part for part in parts if not part.columns), None)
    if lines is None:
        return ""
    return transactions.separator_of(lines.content(), lines.name, data.ReadOptions(separator=wanted))
