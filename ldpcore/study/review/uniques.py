"""People whom nobody else is like in what they send openly (sample uniques): whoever knows that of somebody knows which
reports are theirs.
"""

from collections.abc import Collection

from ldpcore.data.proposal import RARE
from ldpcore.memory import remembered
from ldpcore.study.review.hidden import HiddenSurvey
from ldpcore.study.review.people import SurveyTable

COUNTED = 2_000_000
"""So many answers are looked through, question by question, for those that make people out."""


def uniques(data: SurveyTable, asked: HiddenSurvey, without: str = "") -> int:
    """How many, of those in the data, if this open question were not asked. Of weighted people the weight is one of
    what is seen; numbers are in the classes that are asked. What is known without being asked is in no report, and
    tells none from another.

    >>> from ldpcore import data
    >>> from ldpcore.study import Marks, Source, Study, review
    >>> rows = b"well,none,A\\nill,part,A\\nwell,part,B\\n" * 5 + b"ill,none,B\\n"
    >>> table = data.read(b"status,work,town\\n" + rows, "a.csv")
    >>> study = Study(Source("a.csv"), "status", Marks.of(["status = ill"]), task="review")
    >>> people = review.prepare(study, table)
    >>> uniques(people, review.asked(study, people, 1.0))
    1
    """
    sent = [name for name in (*asked.open, data.weight) if name and name != without]
    if not sent:
        return 0

    def count() -> int:
        people = data.table.frame[sent]
        return int((people.groupby(sent, observed=True, dropna=False).size() == 1).sum())

    return remembered(data, ("uniques", *sent), count, 2 * len(data.questions) + 24)


def fewest(data: SurveyTable, asked: HiddenSurvey) -> tuple[list[str], int] | None:
    """The open questions without which (each by itself) there are fewest, and how many; None where none makes out a
    tenth of them, or so many people and questions are not counted while one waits.
    """
    if len(asked.open) < 2 or data.n * len(asked.open) > COUNTED or not (now := uniques(data, asked)):
        return None
    left = {name: uniques(data, asked, name) for name in asked.open}
    least = min(left.values())
    names = [name for name, n in left.items() if n == least]
    return (names, least) if least <= 0.9 * now else None


def rarest(data: SurveyTable, read: Collection[str]) -> tuple[str, str, int] | None:
    """Of the questions of categories that nobody has `read` the answer that fewest people give, below 1 % of them, and
    how many: it may tell who gave it. None where none is so rare.
    """
    names = [name for name in data.questions if name not in {*data.ranges, *data.joined, *read}]
    every = ((int(n), name, label) for name in names
             for n, label in zip(data.histogram(name).counts, data.labels(name), strict=True))  # fmt: skip
    people, name, label = min((each for each in every if 0 < each[0] < RARE * data.n), default=(0, "", ""))
    return (name, label, people) if people else None
