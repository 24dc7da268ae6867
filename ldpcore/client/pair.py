"""Two questions that are asked as one: an answer to it is a pair of answers, written so that people can read it."""

from dataclasses import dataclass
from typing import Any

BETWEEN, AND = ": ", " · "
"""Between a question and its answer, and between the two."""
NO_PAIR = "the pair of this client is not two questions, each with its answers: the file was changed"


@dataclass(frozen=True)
class AskedPair:
    """names of both questions, labels of their answers. The pair of answers x and y is answer x·ky + y.

    >>> pair = AskedPair(("smokes", "sick"), (("no", "yes"), ("well", "ill")))
    >>> pair.answers[2], pair.marks([False, True], [False, True])
    ('smokes: yes · sick: well', [False, True, True, True])
    """

    names: tuple[str, str]
    labels: tuple[tuple[str, ...], tuple[str, ...]]

    @property
    def answers(self) -> list[str]:
        """Every pair as one answer."""
        (x, y), (groups, answers) = self.names, self.labels
        return [f"{x}{BETWEEN}{a}{AND}{y}{BETWEEN}{b}" for a in groups for b in answers]

    def marks(self, groups: list[bool], answers: list[bool]) -> list[bool]:
        """Marked are pairs of which either answer is marked: then no report tells one beyond ε, whatever the other."""
        return [bool(a or b) for a in groups for b in answers]

    def written(self) -> list[dict[str, Any]]:
        """As client.json has it."""
        pairs = zip(self.names, self.labels, strict=True)
        return [{"question": name, "answers": list(labels)} for name, labels in pairs]

    @classmethod
    def read(cls, written: Any) -> "AskedPair":
        """Of a client.json; ValueError for what is none."""
        try:
            names, labels = zip(*((each["question"], tuple(each["answers"])) for each in written), strict=True)
        except (TypeError, KeyError, ValueError) as error:
            raise ValueError(NO_PAIR) from error
        texts = [*names, *(label for side in labels for label in side)]
        if len(names) != 2 or names[0] == names[1] or not all(isinstance(text, str) for text in texts):
            raise ValueError(NO_PAIR)
        return cls(names, labels)
