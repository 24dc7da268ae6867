"""A client.json, whoever draws by it: phones, or the engine for a batch."""

from dataclasses import fields
from typing import Any

from ldpcore.client import Client, Questionnaire, questionnaire
from ldpcore.client.loading import loaded
from ldpcore.collection.batch import FORMAT, Batch, FolderQuestion
from ldpcore.collection.kinds import AnswerBatch, ItemBatch, NumberBatch
from ldpcore.collection.phones import PhoneQuestions, Phones

TASKS: dict[str, type[Batch[Any, Any]]] = {kind.task: kind for kind in (AnswerBatch, ItemBatch, NumberBatch)}


def opened(text: str) -> FolderQuestion[Any]:
    """What a client.json or questionnaire.json asks. ValueError or TypeError, in a sentence, where it is damaged or of
    another version.

    >>> asked = opened(NumberBatch("PM", 1.0, "age", low=18, high=98).to_json())
    >>> asked.task, asked.key, opened(Client.of("GRR", 1.0, ["no", "yes"]).to_json()).form.tolist()
    ('means', 'PM', [1])
    """
    document = loaded(text)
    written = document.get("format") if isinstance(document, dict) else None
    if written == questionnaire.FORMAT:
        return PhoneQuestions(Questionnaire.from_json(text))
    return _batch(document) if written == FORMAT else Phones(Client.from_json(text))


def _batch(told: dict[str, Any]) -> Batch[Any, Any]:
    """The batch of a client.json; ValueError or TypeError, in a sentence, where it is damaged."""
    kind = TASKS.get(str(told.get("task")))
    if kind is None:
        raise ValueError(f"a client is of the task {', '.join(TASKS)}, got {told.get('task')!r}")
    try:
        values = {each.name: _frozen(told[each.name]) for each in fields(kind)}
    except KeyError as error:
        raise ValueError(f"this client.json has no {error}; `ldpcore client study.toml` writes one") from error
    for each in fields(kind):
        _of_kind(each.name, values[each.name], kind.__dataclass_fields__[each.name].type)
    return kind(**values)


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _of_kind(name: str, value: Any, wanted: Any) -> None:
    """TypeError for a field of another kind than its class has."""
    kinds: dict[Any, tuple[type, ...]] = {str: (str,), int: (int,), float: (int, float)}
    inner = {tuple[str, ...]: str, tuple[bool, ...]: bool}.get(wanted)
    if inner is not None:
        right = isinstance(value, tuple) and all(isinstance(each, inner) for each in value)
    elif wanted in kinds:
        right = isinstance(value, kinds[wanted]) and not isinstance(value, bool)
    else:  # a guess, or none
        right = value is None or (isinstance(value, int | float) and not isinstance(value, bool))
    if not right:
        raise TypeError(f"{name} in this client.json makes no sense: {value!r:.60}")
