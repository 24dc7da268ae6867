"""`ldpcore estimate`: shares, or a mean, from reports that came back; with weights; and from another tool's counts."""

from pathlib import Path
from typing import Any

import click
import numpy as np
import pandas as pd

from ldpcore import checks, workers
from ldpcore.client import Client, Questionnaire
from ldpcore.collection import counting, drawing, questions, refusals, results, terminal_tables, weighing
from ldpcore.collection import reports as reports_of_files
from ldpcore.collection.batch import FolderQuestion
from ldpcore.collection.pairs import names_of, of_one, related
from ldpcore.collection.phones import Often, Phones
from ldpcore.collection.result_facts import collected_facts
from ldpcore.collection.survey_terminal import of_questions, save_report
from ldpcore.collection.terminal import client_of, shown
from ldpcore.collection.weighing import DesignColumns
from ldpcore.data.partitions import partitions
from ldpcore.estimators import publishing
from ldpcore.study import quantities

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_WRITTEN = click.Path(dir_okay=False, path_type=Path)
OPEN = Path("open")
"""In place of a client.json: a question that was answered openly."""


class ClientFile(click.Path):
    """A client.json, or "open"."""

    def __init__(self) -> None:
        super().__init__(exists=True, dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return OPEN if str(value) == str(OPEN) else super().convert(value, param, ctx)


@click.command("estimate")
@click.argument("reports", required=False)
@click.option(
    "--client",
    "client_files",
    multiple=True,
    type=ClientFile(),
    help="The client.json that they were drawn by; with --relation two, or open.",
)
@click.option("-o", "--output", type=_WRITTEN, help="The table as .csv.")
@click.option("--publish", "form", help="A column of shares in this form too.")
@click.option("--relation", help="Two columns with reports of two questions, as in smoking,condition: both together.")
@click.option("--weights", default="", help="A column beside the reports: what each counts, fixed before the answer.")
@click.option("--strata", default="", help="A column beside the reports: within which people were drawn.")
@click.option("--clusters", default="", help="A column beside the reports: who was drawn together.")
@click.option("--by", default="", help="A column beside the reports: shares within each of its groups.")
@click.option("--counts", type=_FILE, help="In place of REPORTS: another tool's counts, a row per report or answer.")
@click.option("--matrix", type=_FILE, help="Of --counts: the chances, a row per answer and a column per report.")
@click.option("--tool", help="Of --counts: grr, oue, sue, rappor, warner, forced, as in rappor:f=.5,p=.5,q=.75.")
@click.option("--facts", "as_facts", is_flag=True, help="What the page Results says as numbers, not the shares.")
@click.option("--people", type=int, help="Of --counts by --tool: how many reported, where one may support several.")
@click.option("--report", "report_path", type=_WRITTEN, help="The page Results of it, as a report to sign, .html.")
@click.option("--publishable", is_flag=True, help="That report without counts of groups below 5.")
@workers.options()
def estimate(
    reports: str | None,
    client_files: tuple[Path, ...],
    output: Path | None,
    form: str | None,
    relation: str | None,
    asked: workers.WorkerRequest,
    counts: Path | None,
    matrix: Path | None,
    tool: str | None,
    people: int | None,
    as_facts: bool,
    report_path: Path | None,
    publishable: bool,
    **beside: str,
) -> None:
    """Shares, or a mean, from collected reports: a folder, a pattern or a file of CSV or Parquet of any size.

    A CSV has a column `report`, or one column, a row per person. Estimates are unbiased; shares may be negative.
    --publish adds shares that are not: clipped to 0…1; cut at 0 and divided by their sum (norm); the nearest that sum
    to 1 (norm-sub), or for sets to at most m (at-most-m); 0 unless surely held (base-cut); the likeliest (em).
    """
    columns = DesignColumns(**beside)
    if output is not None and output.suffix != ".csv":
        raise click.ClickException(f"the output ends in .csv, got {output.name}")
    if counts is not None or matrix is not None or tool is not None:
        if reports is not None or client_files or relation or form or columns.named or as_facts:
            raise click.ClickException("--counts stands with --matrix or --tool, and without reports and their options")
        of_another_tool(counts, matrix, tool, people, output)
        if report_path is not None and counts is not None:
            chosen = dict(zip(("tool", "parameters"), results.typed(tool), strict=True)) if tool else {}
            files = {"counts": counts} | ({"matrix": matrix} if matrix is not None else {})
            save_report(files, chosen | ({"people": people} if people else {}), report_path, publishable)
        return
    if reports is None or not client_files:
        raise click.ClickException("name the reports and their --client; or --counts with --matrix or --tool")
    if columns.named and (relation or form):
        raise click.ClickException("--weights, --strata, --clusters and --by stand without --relation and --publish")
    if report_path is not None:
        files = {"reports": reports, "client": only_file(client_files)}
        save_report(files, {"columns": columns}, report_path, publishable)
        return
    if (several := _questionnaire(client_files)) is not None:
        if form:
            raise click.ClickException("a questionnaire is estimated question by question, without --publish")
        of_questions(reports, several, output, relation, columns, as_facts)
    elif relation is not None:
        side_by_side(reports, relation, client_files, output, form, as_facts)
    elif as_facts:
        facts(reports, only_client(client_files), columns, output)
    elif columns.named:
        weighed(reports, only_client(client_files), columns, output)
    else:
        _plainly(reports, client_files, output, form, asked)


def _plainly(
    reports: str, client_files: tuple[Path, ...], output: Path | None, form: str | None, asked: workers.WorkerRequest
) -> None:
    try:
        by = client_of(only(client_files))
        if form is not None:
            _check(form, by.forms, by.task)
        parts = partitions(reports)
        _note_unsaid(reports_of_files.unsaid(parts, by.mark))
        with workers.opened(asked) as executor, shown(len(parts)) as progress:
            counted, refused = counting.total(by, parts, executor, progress)
        if refused:
            part = f"left out: {refused} of {(counted.n if counted else 0) + refused} rows"
            click.echo(f"{part}, which nobody can have sent by this client", err=True)
        if counted is None or 2 * refused > counted.n + refused:
            weighing.collected(
                by, parts[:1], DesignColumns()
            )  # says what these rows are, if not reports of this client
        if counted is None:
            raise click.ClickException("there is no report here that this client can have sent")
        if counted.n < refusals.FEW:
            click.echo(f"{counted.n} of {refusals.FEW} reports: too few to tell anything of all", err=True)
        if missing := drawing.unfinished(Path(reports)):
            click.echo(missing, err=True)
        if (pair := _pair_of(by)) is not None and isinstance(counted, Often):
            terminal_tables.show_relation(of_one(pair, counted.times), output, form)
            return
        table = by.table(counted, form)
        terminal_tables.save(table, output)
    except (ValueError, TypeError, OSError) as error:
        raise click.ClickException(str(error)) from error
    _summarise(by, counted.n, table, form)


def _summarise(by: FolderQuestion[Any], n: int, table: pd.DataFrame, form: str | None) -> None:
    click.echo(terminal_tables.printed(table))
    what = "the mean" if by.task == "means" else "each share"
    click.echo(f"{n} reports by {by.key} at ε = {by.epsilon:g}; low to high holds {what} 95 times in 100")
    if by.cut:
        click.echo(f"{by.cut[0].upper()}{by.cut[1:]}")
    if form is not None:
        click.echo(f"published ({form}) is biased: rare answers come out too {'low' if form == 'base-cut' else 'high'}")


def only_file(files: tuple[Path, ...]) -> Path:
    """The one client.json of a report."""
    try:
        return only(files)
    except ValueError as error:
        raise click.ClickException(str(error)) from error


def only_client(files: tuple[Path, ...]) -> FolderQuestion[Any]:
    """The one client of reports that are estimated by themselves."""
    try:
        return client_of(only(files))
    except (ValueError, TypeError, OSError) as error:
        raise click.ClickException(str(error)) from error


def facts(reports: str, by: FolderQuestion[Any], columns: DesignColumns, output: Path | None) -> None:
    """`estimate --facts`: a row for each number, with its unit and meaning."""
    try:
        known = collected_facts(by, partitions(reports), columns)
        table = quantities.table(known)
        terminal_tables.save(table, output)
    except (ValueError, TypeError, OSError) as error:
        raise click.ClickException(str(error)) from error
    for row in table.itertuples():
        value = row.note if row.note else f"{row.value:.6g} ({row.unit})"
        click.echo(f"{row.name}: {value}. {row.meaning}")


def weighed(reports: str, by: FolderQuestion[Any], columns: DesignColumns, output: Path | None) -> None:
    """`estimate --weights --strata --clusters --by`."""
    try:
        parts = partitions(reports)
        _note_unsaid(reports_of_files.unsaid(parts, by.mark))
        beside = weighing.collected(by, parts, columns)
        table, lonely = beside.table(), beside.lonely()
        terminal_tables.save(table, output)
    except (ValueError, TypeError, OSError) as error:
        raise click.ClickException(str(error)) from error
    n = len(beside.reports)
    if beside.refused:
        part = f"left out: {beside.refused} of {n + beside.refused} rows"
        click.echo(f"{part}, which nobody can have sent by this client", err=True)
    for name in lonely:
        click.echo(f"stratum {name} has one cluster; its error is taken from the whole", err=True)
    click.echo(terminal_tables.printed(table))
    click.echo(
        f"{n} reports by {by.key} at ε = {by.epsilon:g}, which count as {beside.effective:.0f} with equal weights"
    )
    if columns.drawn:
        click.echo(
            "low to high is approximate, of people like these; error holds the drawing of people and of reports, noise "
            "is what of it the reports are"
        )
    else:
        click.echo("low to high is approximate: as if so many with equal weights had answered (Korn, Graubard 1998)")
    click.echo("A weight tells who may have sent a report; and it says the answer if it was made from it.")


def _questionnaire(files: tuple[Path, ...]) -> Questionnaire | None:
    try:
        return questions.questionnaire_of(files[0]) if len(files) == 1 and files[0] != OPEN else None
    except (ValueError, TypeError, OSError) as error:
        raise click.ClickException(str(error)) from error


def of_another_tool(
    counts: Path | None, matrix: Path | None, tool: str | None, people: int | None, output: Path | None
) -> None:
    """`estimate --counts --matrix | --tool`."""
    if counts is None or (matrix is None) == (tool is None):
        raise click.ClickException("--counts stands with either --matrix or --tool")
    try:
        text = matrix.read_text(encoding="utf-8-sig") if matrix is not None else ""
        result = results.of_counts(counts.read_text(encoding="utf-8-sig"), tool or "", text, people)
        terminal_tables.save(result.table, output)
    except (ValueError, TypeError, OSError) as error:
        raise click.ClickException(str(error)) from error
    for doubt in result.doubts:
        click.echo(doubt, err=True)
    click.echo(terminal_tables.printed(result.table))
    promise = "no ε at all" if np.isinf(result.epsilon) else f"ε = {result.epsilon:.3f}"
    click.echo(f"low to high holds each share 95 times in 100. Computed from these chances, not believed: {promise}")


def only(files: tuple[Path, ...]) -> Path:
    """The one client of reports that are estimated by themselves."""
    if len(files) != 1 or files[0] == OPEN:
        raise ValueError("name one client.json; of two questions side by side also their columns: --relation a,b")
    return files[0]


def side_by_side(
    reports: str, relation: str, files: tuple[Path, ...], output: Path | None, form: str | None, as_facts: bool = False
) -> None:
    """`estimate --relation`: pairs, groups and the test."""
    try:
        asked = tuple(None if file == OPEN else client_of(file) for file in files)
        if len(asked) == 1 and _pair_of(asked[0]) is not None:
            raise ValueError(
                "this client asks both questions as one, and its reports stand in one column: leave out --relation"
            )
        if "," not in relation or len(asked) != 2 or form is not None:
            raise ValueError(
                "--relation names two columns, as in smoking,condition, with a --client for each in their order (open "
                "where it is answered openly), and without --publish"
            )
        parts = partitions(reports)
        both = related(parts, names_of(relation, parts), asked)
        terminal_tables.show_relation(both, output, as_facts=as_facts)
    except (ValueError, TypeError, OSError) as error:
        raise click.ClickException(str(error)) from error


def _pair_of(asked: Any) -> Client | None:
    """The client of phones that asks a pair as one; None for any other question."""
    return asked.client if isinstance(asked, Phones) and asked.client.pair is not None else None


def _note_unsaid(names: list[str]) -> None:
    if names:
        which = checks.name_list([f"“{name}”" for name in names])
        which = (
            f"{which} does not say which client drew its"
            if len(names) == 1
            else f"{which} do not say which client drew their"
        )
        click.echo(f"{which} reports; they are read as reports of this one", err=True)


def _check(form: str, forms: tuple[str, ...], task: str) -> None:
    if not forms:
        raise ValueError(f"--publish is for shares; a client of the task {task} has none")
    publishing.check(form, (publishing.UNBIASED, *forms))
