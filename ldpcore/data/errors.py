"""What the data room says when it cannot go on: a headline, the reason, and the next steps."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Remedy:
    """One step a person can take at once: a button's label and the ReadOptions fields it sets."""

    label: str
    options: Mapping[str, object] = field(default_factory=dict)


class DataError(ValueError):
    """Data that cannot be used, said in plain words.

    sentence: what happened, as a headline. why: the reason and what to do. hint: a piece of evidence such as the first
    line, may be "". remedies: choices that may solve it, for buttons.
    """

    def __init__(self, sentence: str, why: str, hint: str = "", remedies: tuple[Remedy, ...] = ()) -> None:
        super().__init__(f"{sentence} {why}")
        self.sentence = sentence
        self.why = why
        self.hint = hint
        self.remedies = remedies

    def __reduce__(self) -> tuple[type["DataError"], tuple[str, str, str, tuple[Remedy, ...]]]:
        """All four parts, so that the error survives the way back from a worker process."""
        return type(self), (self.sentence, self.why, self.hint, self.remedies)


def thousands(number: int) -> str:
    """32561 → '32 561' (thin space), as the dashboard writes numbers."""
    return f"{number:,}".replace(",", "\u2009")


def plural(count: int, noun: str) -> str:
    """1 → '1 row', 3 → '3 rows'."""
    return f"{thousands(count)} {noun}" if count == 1 else f"{thousands(count)} {noun}s"
