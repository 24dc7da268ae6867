"""What a study's own repetitions publish of single ranges.

>>> from ldpcore import Source, Study
>>> from ldpcore.study.execute import prepare
>>> study = Study(Source("health"), "age", bins=(0, 128, 128), task="ranges", epsilon=1.0)
>>> alone = asking(study, ("Identity",), ((25, 54),))
>>> round(published(alone, prepare(alone), "Identity", 0))  # people, with noise
8825
"""

from collections.abc import Iterable
from dataclasses import replace

from ldpcore.data import Histogram
from ldpcore.memory import remembered
from ldpcore.study import ranges
from ldpcore.study.definition import Study
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
