"""From a Study of two questions to what is asked: the pair as one client, or each hidden question as its own."""

from typing import Any

from ldpcore import catalog, data, study
from ldpcore.client import AskedPair, Client
from ldpcore.collection.asking import alike, chosen
from ldpcore.integer_law import MOST_VALUES
from ldpcore.relations import Apart, AsOne
from ldpcore.study.execute import prepare
from ldpcore.study.relations.settings import Compared, options

AS_ONE, GROUPS, ANSWER = "", "groups", "answer"
"""The client of a pair asked as one; of the question whose answers are groups, and of that whose answers are compared.
"""


def clients_of(
    described: study.Study, table: data.Table | None = None, mechanism: str | None = None, question: str = ""
) -> tuple[tuple[str, str], dict[str, Client]]:
    """The names of the two questions, and their clients: AS_ONE alone, or GROUPS and ANSWER without those that are
    answered openly. ε is that of both answers together; where some answers are secret that of those, for all marked.

    ValueError or TypeError, in a sentence, where no client can be made of it.
    """
    alike(described)
    key = chosen(described, mechanism)
    compared = Compared.of(described, prepare(described, table))
    epsilon = described.secret_at(described.epsilon) if described.marks.secret else described.epsilon
    design: Any = compared.design(key, options(described).setting, epsilon)
    names, labels = compared.people.names, compared.people.labels
    if not isinstance(design, AsOne):
        return names, _apart(key, design, compared)
    if (size := compared.people.counts.size) > MOST_VALUES:
        raise ValueError(
            f"The pair has {size} answers, and phones draw among {MOST_VALUES} at most; join groups (the option join), "
            "or ask apart."
        )
    pair, asked = AskedPair(names, labels), question or f"{names[0]} and {names[1]}"
    marks = pair.marks(compared.mx.tolist(), compared.my.tolist())
    return names, {AS_ONE: Client.of(key, epsilon, pair.answers, marks, asked, pair=pair)}


def _apart(key: str, design: Apart, compared: Compared) -> dict[str, Client]:
    sides = (GROUPS, design.x, compared.mx), (ANSWER, design.y, compared.my)
    of_marks, hidden = catalog.FREQUENCY[key].uses_marks, dict[str, Client]()
    for (side, sent, marks), name, labels in zip(sides, compared.people.names, compared.people.labels, strict=True):
        if not sent.is_open and (marks.any() or not of_marks):
            hidden[side] = Client.of(key, sent.epsilon, labels, marks.tolist(), name)
    if not hidden:
        raise ValueError(f"{key} would protect nothing: mark an answer, or take one that protects all")
    return hidden


def how_to_estimate(names: tuple[str, str], hidden: dict[str, Client], folder: Any) -> str:
    """The command that reads the reports of these clients."""
    if AS_ONE in hidden:
        return f"ldpcore estimate REPORTS --client {folder / 'client.json'}"
    files = [str(folder / side / "client.json") if side in hidden else "open" for side in (GROUPS, ANSWER)]
    return f'ldpcore estimate REPORTS --relation "{names[0]},{names[1]}" --client {files[0]} --client {files[1]}'
