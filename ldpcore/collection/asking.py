"""From a Study to what is asked: the client of phones, or that of a batch."""

from collections.abc import Sequence
from typing import Any

from ldpcore import catalog, data, study
from ldpcore.client import Client, offered
from ldpcore.collection.batch import Batch
from ldpcore.collection.kinds import AnswerBatch, ItemBatch, NumberBatch
from ldpcore.data.histogram import MISSING_LABEL
from ldpcore.study import sets
from ldpcore.study.execute import prepare

NOT_SAID = "rather not say"


def of_study(
    described: study.Study,
    table: data.Table | None = None,
    mechanism: str | None = None,
    question: str = "",
    decline: str = "",
) -> Client:
    """The client of a study of one column: its answers, its marks, its ε. No mechanism that runs
    on phones has levels: where some answers are secret, all marked ones are treated so, with the ε of those. decline:
    `with_decline`.

    ValueError or TypeError, in a sentence, where it is none, or no client can be made of it.

    >>> from ldpcore.study import Marks, Source, Study
    >>> asked = Study(Source("health"), "condition", Marks.of(["HIV"]), ("uSS",), epsilon=2.0)
    >>> of_study(asked).key, of_study(asked).sensitive.count(True), of_study(asked).question
    ('uSS', 1, 'condition')
    >>> two = Marks((("HIV", "secret"), ("cancer", "sensitive")))
    >>> of_study(Study(Source("health"), "condition", two, ("uSS",), epsilon=2.0, secret_epsilon=0.5)).epsilon
    0.5
    """
    if described.task != "frequency":
        raise ValueError(f"a client asks one question; this study is of the task {described.task!r}, not frequency")
    alike(described)
    key = chosen(described, mechanism)
    counted = prepare(described, table)
    epsilon = described.secret_at(described.epsilon) if described.marks.secret else described.epsilon
    known = counted.domain.labels
    answers, marks = with_decline(known, _marks(described, known), decline)
    return Client.of(key, epsilon, answers, marks, question or described.column, described.option("guess"))


def with_decline(labels: Sequence[str], marks: Sequence[bool], decline: str) -> tuple[list[str], list[bool]]:
    """Answers and marks with one for whoever would rather not say, in the words `decline`: whether somebody answered
    is seen, and must not depend on the answer. It is marked, for refusing says something too. Where what is missing in
    the data is an answer, that is the one, with its own mark; without words there is no other.

    >>> with_decline(["no", "yes"], [False, True], "rather not say")
    (['no', 'yes', 'rather not say'], [False, True, True])
    """
    answers, each = list(labels), list(marks)
    if MISSING_LABEL in answers:
        answers[answers.index(MISSING_LABEL)] = decline or NOT_SAID
    elif decline:
        answers, each = [*answers, decline], [*each, True]
    return answers, each


def chosen(described: study.Study, mechanism: str | None) -> str:
    """The mechanism that phones draw by: the one that was asked for, or the study's, if only one of it can."""
    if mechanism is not None:
        if mechanism not in offered():
            raise ValueError(f"{mechanism!r} cannot run on phones; choose one of {', '.join(offered())}")
        return mechanism
    can = [key for key in described.mechanisms if key in offered()]
    if len(can) != 1:
        listed = f"can be {', '.join(can)}" if can else f"is none that runs on phones ({', '.join(offered())})"
        batch = not can and described.task == "frequency"
        beside = ", or take --batch, for answers that you have in files" if batch else ""
        raise ValueError(f"this study's mechanism {listed}; say which one with --mechanism{beside}")
    return can[0]


def batch_of(
    described: study.Study, table: data.Table | None = None, mechanism: str | None = None, question: str = ""
) -> Batch[Any, Any]:
    """The client of a batch: what the study says of its column, its marks, its ε, one mechanism.

    ValueError or TypeError, in a sentence, where it is of another task, or has levels.

    >>> from ldpcore.study import Marks, Source, Study
    >>> old = Marks.of(["80..98"])
    >>> asked = Study(Source("health"), "age", old, ("uTernary",), bins=(18, 98, 64), task="means")
    >>> batch_of(asked).task, batch_of(asked).mechanism.epsilon
    ('means', 1.0)
    """
    if described.task not in _MADE:
        raise ValueError(f"what can be collected are {', '.join(_MADE)}; this study is of the task {described.task!r}")
    alike(described)
    if described.marks.secret and described.secret_at(described.epsilon) < described.epsilon:
        raise ValueError(
            "some marks of this study are secret, with an ε of their own, and a batch knows one: mark them as "
            "sensitive, at the smaller ε"
        )
    listed, kind = _MADE[described.task]
    can = [key for key in described.mechanisms if key in listed]
    can = [key for key in can if not listed[key].instead] or can  # of what nobody can collect with, the reason is said
    if mechanism is None and len(can) != 1:
        choices = f"can be {', '.join(can)}" if can else f"is none that a batch has ({', '.join(listed)})"
        raise ValueError(f"this study's mechanism {choices}; say which one with --mechanism")
    key = mechanism or can[0]
    if key not in listed:
        raise ValueError(f"{key!r} is no mechanism of a batch; choose one of {', '.join(listed)}")
    return kind(described, prepare(described, table), (key, described.epsilon, described.column, question))


def alike(described: study.Study) -> None:
    """ValueError where people choose other marks: what is collected with protects everybody alike."""
    if described.choices:
        raise ValueError(
            "some people of this study choose other marks, and a client has the same for everybody: leave choices out, "
            "or make a client for each group"
        )


def _marks(described: study.Study, labels: tuple[str, ...]) -> tuple[bool, ...]:
    """Which labels are marked. ValueError for a mark that is none of them."""
    marked = set(described.marks.values)
    if unknown := marked - set(labels):
        raise ValueError(
            f"the marks name answers that {described.column!r} does not have: {', '.join(sorted(unknown))}"
        )
    return tuple(label in marked for label in labels)


def _answers(described: study.Study, counted: Any, first: tuple[str, float, str, str]) -> AnswerBatch:
    if described.bins is not None:
        raise ValueError(
            f"the answers of this study are bins of numbers, and the cells of {described.column!r} are numbers: "
            "cut them into bins first, or collect their mean (task means)"
        )
    labels = counted.domain.labels
    return AnswerBatch(*first, labels, _marks(described, labels), described.option("guess"))


def _items(described: study.Study, held: Any, first: tuple[str, float, str, str]) -> ItemBatch:
    if described.option("simulated"):
        raise ValueError("the sets of this study are simulated: nobody can be asked for them; take a table's baskets")
    return ItemBatch(*first, held.labels, _marks(described, held.labels), sets.items_per_set(described, held))


def _numbers(described: study.Study, held: Any, first: tuple[str, float, str, str]) -> NumberBatch:
    return NumberBatch(*first, float(held.interval.low), float(held.interval.high), described.marks.values)


_MADE: dict[str, Any] = {
    "frequency": (catalog.FREQUENCY, _answers),
    "sets": (catalog.SETS, _items),
    "means": (catalog.MEANS, _numbers),
}

READ_ME = """\
# {question}

Made by ldpcore {version}: {key} ({label}), {promise} at ε = {epsilon:g}. A batch: for answers that you have in files.

    ldpcore perturb answers/ --client client.json -o reports/
    ldpcore estimate reports/ --client client.json

There is no page, and no JavaScript: no phone draws by this. Whoever runs `perturb` sees all answers; what leaves with
`reports/` is what is protected.

## What this does not do

- It hides answers, not that somebody took part, nor how many did not answer.
- ε counts for one report. Of the same people draw reports once; keep no copy of another draw.
- The reports of a file stand in the order of its rows. Who knows whose row it was, knows whose report it is.
- Draws are made of 64-bit floats by a fast generator (SFC64) that the operating system seeds anew every 65 536 people.
  That is no cryptographic generator. For exact draws in whole numbers take a client of phones.
- `--seed` is for tests: who knows the seed can take the noise away.
"""


def read_me(asked: Batch[Any, Any], version: str) -> str:
    """What lies beside the client.json of a batch."""
    entry = asked.catalog[asked.key]
    return READ_ME.format(
        question=asked.question or asked.column, version=version, key=asked.key, label=entry.label,
        promise=entry.promise, epsilon=asked.epsilon,
    )  # fmt: skip
