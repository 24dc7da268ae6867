"""What the files of this page hold, read once per session: its memory only."""

from dataclasses import replace
from typing import Any

from ldpapp.compute.memory import remember
from ldpapp.state import actions, view_options
from ldpapp.state.model import ResultDraft, ResultFile, state
from ldpcore.collection import questions, results
from ldpcore.collection.pairs import RelatedReports
from ldpcore.collection.questions import SurveyClient
from ldpcore.collection.result_facts import ResultFacts
from ldpcore.collection.weighing import DesignColumns
from ldpcore.data.partitions import of_upload

REPORTS, CLIENT, COUNTS, MATRIX = "reports", "client", "counts", "matrix"
SECOND = {REPORTS: "reports2", CLIENT: "client2"}
"""Those of another group."""
REFUSED = "results_refused"
"""Why what was chosen last is not taken; "" where it is."""
MOST = 6
USUAL = {"f": 0.25, "p": 0.5, "q": 0.75, "epsilon": 1.0, "p1": 0.25, "p2": 0.25}
"""Parameters of other tools until somebody gives theirs."""


def draft() -> ResultDraft:
    return state().results


def file(role: str) -> ResultFile | None:
    return draft().files.get(role)


def _text(role: str) -> str:
    given = file(role)
    return given.content.decode("utf-8-sig", errors="replace") if given else ""


def client(role: str = CLIENT) -> SurveyClient:
    """ValueError or TypeError, in a sentence, where the file is none."""
    return remember("results_clients", MOST, file(role), lambda: SurveyClient.of(_text(role)))


def question() -> str:
    """That which is looked at: the one chosen, else the first."""
    names = client().questions
    return draft().question if draft().question in names else next(iter(names))


def _parts(role: str) -> Any:
    given = file(role)
    return of_upload(given.content, given.name) if given else []


def facts(columns: DesignColumns | None = None) -> ResultFacts:
    """Of the question that is looked at. DataError, ValueError or TypeError, in a sentence."""
    columns = columns or draft().columns
    key = (file(REPORTS), file(CLIENT), question(), columns)
    return remember("results_facts", MOST, key, lambda: client().facts(_parts(REPORTS), question(), columns))


def is_read() -> bool:
    """Whether both files are here, go together, and are enough for an estimate."""
    if file(REPORTS) is None or file(CLIENT) is None:
        return False
    try:
        return not facts().few
    except (ValueError, TypeError):
        return False


def second() -> ResultFacts:
    """The same of the other group."""
    asked, name = client(SECOND[CLIENT]), question()
    name = name if name in asked.questions else next(iter(asked.questions))
    key = (file(SECOND[REPORTS]), file(SECOND[CLIENT]), name)
    return remember("results_facts", MOST, key, lambda: asked.facts(_parts(SECOND[REPORTS]), name))


def other(names: list[str]) -> str:
    """The other question that this one is looked at with: the one chosen, else the first of these."""
    return draft().other if draft().other in names else names[0]


def together(name: str) -> RelatedReports:
    """The answers to the question that is looked at within those to another one. ValueError in a sentence."""
    several = client().questionnaire
    if several is None:
        raise ValueError("one question has no relation; a questionnaire of several has")
    key = (file(REPORTS), file(CLIENT), question(), name)
    return remember(
        "results_together", MOST, key, lambda: questions.together(several, _parts(REPORTS), (name, question()))
    )


def beside() -> list[str]:
    """Columns that can be weights, strata, clusters, groups."""
    return client().beside(_parts(REPORTS)[0])


def choose_column(name: str, value: str | None) -> None:
    """Another column beside the reports, if they can be read by it; else what was chosen stays, and why is kept."""
    columns = replace(draft().columns, **{name: value or ""})
    try:
        known = facts(columns)
        _ = known.rows, known.read.table() if columns.by else None
    except ValueError as error:
        view_options.choose(REFUSED, str(error))
        return
    view_options.choose(REFUSED, "")
    actions.take_results(columns=columns)


def parameters() -> dict[str, float]:
    """Of the tool that is chosen."""
    made = draft()
    return {name: made.parameters.get(name, USUAL[name]) for name in results.TOOLS[made.tool][0][0]}


def of_another_tool() -> results.ToolResult:
    """From counts. ValueError in a sentence."""
    made = draft()
    typed = "" if file(MATRIX) else f"{made.tool}:{','.join(f'{k}={v:.12g}' for k, v in parameters().items())}"
    counted = bool(typed) and made.tool in results.SEVERAL
    key = (file(COUNTS), file(MATRIX), typed, made.people)
    return remember(
        "results_of_tool", MOST, key,
        lambda: results.of_counts(_text(COUNTS), typed, _text(MATRIX), made.people if counted else None),
    )  # fmt: skip
