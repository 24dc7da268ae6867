"""From a Study of two questions to what is asked: the pair as one client, or the hidden ones as a questionnaire."""

from typing import Any

from ldpcore import catalog, data, study
from ldpcore.client import AskedPair, Client, Questionnaire
from ldpcore.collection.asking import alike, chosen, with_decline
from ldpcore.integer_law import MOST_VALUES
from ldpcore.relations import Apart, AsOne
from ldpcore.study.execute import prepare
from ldpcore.study.relations.settings import Compared, options


def client_of_two(
    described: study.Study,
    table: data.Table | None = None,
    mechanism: str | None = None,
    question: str = "",
    decline: str = "",
) -> tuple[tuple[str, str], Client | Questionnaire]:
    """The names of the two questions, and what phones draw by: the pair as one client, or a questionnaire of those of
    the two that are not answered openly. ε is that of both answers together; where some answers are secret that of
    those, for all marked. decline: `asking.with_decline`.

    ValueError or TypeError, in a sentence, where no client can be made of it.
    """
    alike(described)
    key = chosen(described, mechanism)
    compared = Compared.of(described, prepare(described, table))
    epsilon = described.secret_at(described.epsilon) if described.marks.secret else described.epsilon
    design: Any = compared.design(key, options(described).setting, epsilon)
    names, marked = compared.people.names, (compared.mx.tolist(), compared.my.tolist())
    (x, mx), (y, my) = (with_decline(*side, decline) for side in zip(compared.people.labels, marked, strict=True))
    if not isinstance(design, AsOne):
        return names, _apart(key, design, names, ((x, mx), (y, my)))
    if (size := len(x) * len(y)) > MOST_VALUES:
        raise ValueError(
            f"The pair has {size} answers, and phones draw among {MOST_VALUES} at most; join groups (the option join), "
            "or ask apart."
        )
    pair = AskedPair(names, (tuple(x), tuple(y)))
    asked, sized = question or " and ".join(names), _size(design.pair)
    return names, Client.of(key, epsilon, pair.answers, pair.marks(mx, my), asked, pair=pair, size=sized)


def _apart(
    key: str, design: Apart, names: tuple[str, str], sides: tuple[tuple[list[str], list[bool]], ...]
) -> Questionnaire:
    of_marks, hidden = catalog.FREQUENCY[key].uses_marks, dict[str, Client]()
    for name, sent, (labels, marks) in zip(names, (design.x, design.y), sides, strict=True):
        if not sent.is_open and (any(marks) or not of_marks):
            hidden[name] = Client.of(key, sent.epsilon, labels, marks, name, size=_size(sent))
    if not hidden:
        raise ValueError(f"{key} would protect nothing: mark an answer, or take one that protects all")
    return Questionnaire(hidden)


def _size(sent: Any) -> int | None:
    """Of uSS: the size that was chosen for what is compared."""
    return getattr(sent.mechanism, "size", None)


def how_to_estimate(names: tuple[str, str], asked: Client | Questionnaire, file: Any) -> str:
    """The command that reads the reports of what was written to this file."""
    if isinstance(asked, Client):
        return f"ldpcore estimate REPORTS --client {file}"
    return f'ldpcore estimate REPORTS --relation "{names[0]},{names[1]}" --client {file}'
