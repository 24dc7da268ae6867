"""Two questions of a survey that are asked as one: an answer to it is a pair, marked where either is."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore.relations import MOST_PAIRS, either

Mask = NDArray[np.bool_]

AND, BESIDE = " + ", " · "
"""Between two questions, and between their answers: "smoking + sex" has the answer "never · male"."""


@dataclass(frozen=True)
class JoinedQuestion:
    """names of the two questions; labels of their answers. Pair x·ky + y is the answer x and y.

    >>> pair = JoinedQuestion(("smokes", "sick"), (("no", "yes"), ("well", "ill")))
    >>> pair.name, pair.answers[2], pair.marks({"sick": np.array([False, True])}).tolist()
    ('smokes + sick', 'yes · well', [False, True, False, True])
    """

    names: tuple[str, str]
    labels: tuple[tuple[str, ...], tuple[str, ...]]

    @property
    def name(self) -> str:
        return AND.join(self.names)

    @property
    def answers(self) -> tuple[str, ...]:
        x, y = self.labels
        return tuple(f"{a}{BESIDE}{b}" for a in x for b in y)

    def marks(self, each: Mapping[str, Mask]) -> Mask:
        """Pairs of which either answer is marked; each: question → its marks."""
        sides = (
            each.get(name, np.zeros(len(labels), bool)) for name, labels in zip(self.names, self.labels, strict=True)
        )
        return np.asarray(either(*sides), bool)

    @classmethod
    def of(cls, frame: pd.DataFrame, text: str) -> "JoinedQuestion":
        """Of a text such as "smoking + sex"; ValueError, in a sentence, where these two cannot be asked so."""
        x, y = parted(text, tuple(map(str, frame.columns)))
        labels = tuple(tuple(map(str, frame[name].cat.categories)) for name in (x, y))
        made = cls((x, y), (labels[0], labels[1]))
        if (size := len(made.answers)) > MOST_PAIRS:
            raise ValueError(
                f"“{x}” and “{y}” have {size} pairs of answers, more than {MOST_PAIRS}: ask them separately."
            )
        if len(set(made.answers)) < size or made.name in frame.columns:
            raise ValueError(f"“{x}” and “{y}” have pairs of answers that are written alike; ask them separately.")
        return made

    def within(self, frame: pd.DataFrame) -> pd.DataFrame:
        """The answers, with one column of pairs in place of the two."""
        a, b = (frame[name].cat.codes.to_numpy(np.int64) for name in self.names)
        codes = np.where((a < 0) | (b < 0), -1, a * len(self.labels[1]) + b)
        pairs = pd.Categorical.from_codes(codes, dtype=pd.CategoricalDtype(list(self.answers)))
        order = [self.name if name == self.names[0] else name for name in frame.columns if name != self.names[1]]
        return frame.assign(**{self.name: pd.Series(pairs, index=frame.index)})[order]


def parted(text: str, known: Collection[str]) -> tuple[str, str]:
    """The two questions of such a text, also where one has " + " in its name; ValueError where these are not two."""
    x, y = _halves(text, known)
    if not x:
        raise ValueError(f"{text!r} names no two questions of this survey; write them as in 'smoking{AND}sex'")
    if x == y:
        raise ValueError("Choose two different questions.")
    return x, y


def is_pair(text: str, known: Collection[str]) -> bool:
    """Whether such a text names two different ones of these questions."""
    x, y = _halves(text, known)
    return x != y


def _halves(text: str, known: Collection[str]) -> tuple[str, str]:
    """Both questions; empty texts for none."""
    pieces = text.split(AND)
    ways = [(AND.join(pieces[:at]), AND.join(pieces[at:])) for at in range(1, len(pieces))]
    return next((way for way in ways if set(way) <= set(known)), ("", ""))
