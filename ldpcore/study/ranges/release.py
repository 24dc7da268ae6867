"""What a study's own repetitions publish of single ranges.

>>> from ldpcore import Source, Study
>>> from ldpcore.study.execute import prepare
>>> study = Study(Source("health"), "age", bins=(0, 128, 128), task="ranges", epsilon=1.0)
>>> alone = asking(study, ("Identity",), ((25, 54),))
>>> round(published(alone, prepare(alone), "Identity", 0))  # people, with noise
8825
>>> from ldpcore.study.ranges.facts import facts
>>> row = table(facts(study, prepare(study), asked=((25, 54),)), alone, 0, "25 to 54").iloc[0]
>>> bool(row["95 % from"] < row["true (internal)"] < row["95 % to"])
True
"""

from collections.abc import Iterable
from dataclasses import replace

import pandas as pd

from ldpcore.catalog import RANGES
from ldpcore.data import Histogram
from ldpcore.memory import remembered
from ldpcore.study import ranges
from ldpcore.study.definition import Study
from ldpcore.study.ranges.facts import RangesFacts
from ldpcore.study.ranges.queries import Range, written


def asking(study: Study, mechanisms: tuple[str, ...], asked: Iterable[Range]) -> Study:
    """The study at its point, with these strategies and these ranges alone."""
    texts = tuple(map(written, asked))
    return study.derived(
        ("asking", mechanisms, texts),
        lambda: replace(study, mechanisms=mechanisms, grid=()).with_options(asked=texts, ranges=0),
    )


def published(study: Study, data: Histogram, mechanism: str, number: int) -> float:
    """What the study's repetition of this number publishes of the one range that it asks, in people; kept with the
    data.
    """

    def made() -> float:
        alone = replace(study, mechanisms=(mechanism,), repetitions=number + 1)
        rows = ranges.chunks(alone, data)[number]()
        return float(rows.loc[rows["metric"] == "estimate", "value"].iloc[0])

    return remembered(data, ("range release", study, mechanism, number), made, 512)


def releases(known: RangesFacts, alone: Study, number: int) -> pd.DataFrame:
    """The repetition of this number by each strategy of the facts' study, read at the range asked, in people:
    [mechanism, value, half (95 %)]. alone: as `asking` gives it.
    """
    rows = [
        (RANGES.name(key), published(alone, known.data, key, number), part.margin) for key, part in known.parts.items()
    ]
    return pd.DataFrame(rows, columns=["mechanism", "value", "half"])


def table(known: RangesFacts, alone: Study, number: int, name: str) -> pd.DataFrame:
    """The same as it is downloaded; `name` is what the range is called."""
    rows = releases(known, alone, number)
    value, half = rows["value"], rows["half"]
    return pd.DataFrame(
        {
            "strategy": rows["mechanism"],
            "range": name,
            "true (internal)": known.count,
            "published": value.round(1),
            "± 95 %": half,
            "95 % from": (value - half).round(1),
            "95 % to": (value + half).round(1),
            "standard error": [part.error for part in known.parts.values()],
        }
    )
