"""How a file holds several items of one person, as far as that was recognised."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from ldpcore import checks
from ldpcore.data import cells as several
from ldpcore.data import of_table, yes_words
from ldpcore.data.assumptions import Assumption, AssumptionKind, assumed
from ldpcore.data.cells import SeveralAnswers
from ldpcore.data.errors import plural, thousands
from ldpcore.data.options import ReadOptions
from ldpcore.data.recognisers.evidence import Evidence
from ldpcore.data.set_sources import OneHot, Pairs

_SHOWN = 5
"""Names that a sentence lists."""


def layouts(evidence: Evidence) -> Iterable[Assumption]:
    """Lines, rows or columns that were put together as baskets."""
    yield from (each for each in evidence.stated if each.kind == AssumptionKind.LAYOUT)
    as_rows = ("every row is a person", {"layout": "table"})
    for name, source in evidence.table.sets.items():
        if isinstance(source, Pairs):
            yield _pairs(evidence, name, source, as_rows)
        elif isinstance(source, OneHot):
            yield assumed(
                AssumptionKind.LAYOUT, None,
                f"“{name}”: {plural(len(source.columns), 'column')} of yes and no, read as one basket per row.",
                "one basket per row", evidence.options, ("each column is a question", {"layout": "table"}), asks=False,
            )  # fmt: skip


def _pairs(evidence: Evidence, name: str, source: Pairs, as_rows: tuple[str, dict]) -> Assumption:
    extra = [f"their categories are in “{source.category}”"] if source.category else []
    extra += [f"their descriptions in “{source.description}”"] if source.description else []
    frame = evidence.table.frame
    people, items = int(frame[source.user].nunique()), int(frame[source.item].nunique())
    others = [
        (f"baskets by “{other}”", {"layout": "pairs", "user": other, "item": source.item})
        for other in evidence.names
        if other not in (source.user, source.item, source.category, source.description)
        and 1.2 * people < frame[other].nunique() < 0.9 * len(frame)
    ]
    return assumed(
        AssumptionKind.LAYOUT, None,
        f"Every row looks like one item of a basket: “{name}” puts together the “{source.item}” of each "
        f"“{source.user}”" + (f"; {' and '.join(extra)}" if extra else "")
        + f". {plural(len(frame), 'row')} are {plural(people, 'basket')} of {plural(items, 'item')}.",
        f"{thousands(people)} baskets", evidence.options, as_rows, *others[:2],
    )  # fmt: skip


def cells(evidence: Evidence) -> Iterable[Assumption]:
    """Columns whose cells were taken apart into several answers."""
    for name, source in evidence.table.sets.items():
        if not isinstance(source, SeveralAnswers) or name in evidence.listed:
            continue
        if evidence.options.of(name).inside is not None:
            continue
        texts = several.different(evidence.table.frame[name])
        parts = {part for text in texts for part in several.parts(text, source.separator)}
        how = "lists" if source.separator == several.LISTED else f"separated by {several.SEPARATORS[source.separator]}"
        example = max(texts[:200], key=lambda text, by=source.separator: len(several.parts(text, by)))
        yield assumed(
            AssumptionKind.CELLS, name,
            f"“{name}” holds several answers in a cell, {how}: {plural(len(texts), 'different cell')} are made of "
            f"{plural(len(parts), 'answer')}, as “{checks.name_list([example], 1)}”. They are sets, beside the other "
            "columns.",
            f"{plural(len(parts), 'answer')}, several at once", evidence.options,
            own=(("every cell is one answer", {"inside": ""}),),
        )  # fmt: skip


def yes(evidence: Evidence) -> Iterable[Assumption]:
    """Which word says yes, where it is not the English one."""
    for source in evidence.table.sets.values():
        if not isinstance(source, OneHot) or source.yes is None or evidence.options.yes is not None:
            continue
        answers = {answer.casefold(): answer for name in source.columns for answer in evidence.answers(name)}
        others = [answer for small, answer in answers.items() if small != source.yes.casefold()]
        rows = sum(int(of_table.holds(pd.Series(evidence.table.frame[name]), frozenset((source.yes.casefold(),))).sum())
                   for name in source.columns)  # fmt: skip
        yield assumed(
            AssumptionKind.YES, None,
            f"In {plural(len(source.columns), 'column')} “{source.yes}” is read as yes ({plural(rows, 'time')}), "
            f"“{', '.join(others) or 'nothing'}” as no.",
            f"“{source.yes}” is yes", evidence.options,
            *((f"“{other}” is yes", {"yes": other, "layout": "one-hot"}) for other in others),
            ("neither: they are answers", {"layout": "table"}),
            asks=frozenset(answers) == yes_words.UNSURE,
        )  # fmt: skip


def blank(evidence: Evidence) -> Iterable[Assumption]:
    """Empty cells that count as no."""
    if evidence.options.blank == "missing":
        return
    other = ("an empty cell is no answer", {"blank": "missing"})
    if evidence.boxes:
        yield assumed(
            AssumptionKind.BLANK, None,
            f"Read as boxes to tick: {checks.name_list(evidence.boxes, _SHOWN)}. An empty cell is a “no” there, also "
            "of somebody who never saw the question.",
            "empty is no", evidence.options, other, asks=False,
        )  # fmt: skip
        return
    for source in evidence.table.sets.values():
        if isinstance(source, OneHot):
            empty = {name: int(evidence.table.frame[name].isna().sum()) for name in source.columns}
            answered = any(len(evidence.answers(name)) > 1 for name in source.columns)
            if sum(empty.values()) and answered:
                yield _blank_boxes(evidence.options, empty, len(evidence.table.frame), other)


def _blank_boxes(options: ReadOptions, empty: dict[str, int], rows: int, other: tuple[str, dict]) -> Assumption:
    most = max(empty, key=lambda name: empty[name])
    share = float(np.mean(list(empty.values()))) / rows
    return assumed(
        AssumptionKind.BLANK, None,
        f"{plural(sum(empty.values()), 'empty cell')} in the columns of yes and no "
        f"({share:.0%}; “{most}” in {plural(empty[most], 'row')}): as items they count as no.",
        "empty is no", options, other,
    )  # fmt: skip
