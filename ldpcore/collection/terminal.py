"""The terminal's part for people who collect for real: `ldpcore client`, `ldpcore perturb` and `ldpcore estimate`."""

import contextlib
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click
import pandas as pd
from tqdm import tqdm

from ldpcore import checks, data, study, workers
from ldpcore import client as clients
from ldpcore.client import Client
from ldpcore.client.loading import NONE
from ldpcore.collection import asking, counting, drawing, mining, pair_clients, terminal_tables
from ldpcore.collection import reports as reports_of_files
from ldpcore.collection.batch import FolderQuestion
from ldpcore.collection.drawing import Drawing
from ldpcore.collection.opening import opened
from ldpcore.collection.pairs import names_of, of_one, related
from ldpcore.collection.phones import Often, Phones
from ldpcore.data.partitions import partitions
from ldpcore.estimators import publishing

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
OPEN = Path("open")
"""In place of a client.json: a question that was answered openly."""


class ClientFile(click.Path):
    """A client.json, or "open"."""

    def __init__(self) -> None:
        super().__init__(exists=True, dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return OPEN if str(value) == str(OPEN) else super().convert(value, param, ctx)


@click.command("client")
@click.argument("study_file", type=_FILE)
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False, path_type=Path), help="The folder.")
@click.option("--mechanism", help="Which of the study's mechanisms, where it compares several.")
@click.option("--question", default="", help="What is asked.")
@click.option("--data", "data_path", type=_FILE, help="The data file, where the study names an upload.")
@click.option("--batch", is_flag=True, help="For answers in files, by any mechanism; no page for phones.")
def client(
    study_file: Path, output: Path, mechanism: str | None, question: str, data_path: Path | None, batch: bool
) -> None:
    """Write what is asked, a study's question, marks, mechanism and ε: for phones as a file, JavaScript and a page.

    Of sets and means there is a client for a batch only, for `ldpcore perturb`: a file, and no page.
    """
    try:
        described = study.from_toml(study_file.read_text(encoding="utf-8"))
        table = None if data_path is None else data.load(data_path)
        if batch or described.task in ("sets", "means"):
            _batch(described, table, mechanism, question, output)
            return
        if described.task == "relations":
            _of_two(described, table, mechanism, question, output)
            return
        made = asking.of_study(described, table, mechanism, question)
        written = clients.write(made, output)
    except (ValueError, TypeError, OSError) as error:
        raise click.ClickException(str(error)) from error
    for path in written:
        click.echo(f"wrote {path}")
    if made.epsilon < described.epsilon:
        click.echo(
            f"Some answers are secret, and phones know one level: {made.key} treats every marked answer as secret, "
            f"with ε = {made.epsilon:g} in place of {described.epsilon:g}."
        )
    click.echo(f"It hides answers, nothing else: what it does not do is in {output / 'README.md'}")


def _of_two(
    described: study.Study, table: data.Table | None, mechanism: str | None, question: str, output: Path
) -> None:
    """The pair as one client, or each hidden question as its own, in a folder of its own."""
    names, hidden = pair_clients.clients_of(described, table, mechanism, question)
    for side, made in hidden.items():
        for path in clients.write(made, output / side):
            click.echo(f"wrote {path}")
        click.echo(f"“{made.question}”: ε = {made.epsilon:g}, {made.key}")
    if pair_clients.AS_ONE not in hidden:
        click.echo("Collect both in one table, a row per person, in columns that are named after the questions.")
    click.echo(pair_clients.how_to_estimate(names, hidden, output))


def _batch(
    described: study.Study, table: data.Table | None, mechanism: str | None, question: str, output: Path
) -> None:
    made = asking.batch_of(described, table, mechanism, question)
    output.mkdir(parents=True, exist_ok=True)
    texts = {"client.json": made.to_json(), "README.md": asking.read_me(made, version("ldpcore"))}
    for name, text in texts.items():
        with data.saving(output / name) as there:
            there.write_text(text, encoding="utf-8")
        click.echo(f"wrote {output / name}")
    click.echo("It is for answers that you have in files: no page and no JavaScript, since no phone draws by it.")
    click.echo(f"ldpcore perturb ANSWERS --client {output / 'client.json'} -o REPORTS")


@click.command("perturb")
@click.argument("answers")
@click.option("--client", "client_file", required=True, type=_FILE, help="The client.json that reports are drawn by.")
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False, path_type=Path), help="A new folder.")
@click.option("--column", help="Where the answers stand; else the client's column, or the only one.")
@click.option(
    "--unknown", type=click.Choice(["refuse", "drop"]), default="refuse", show_default=True,
    help="What is no answer of the client: end with its place, or leave it out and count it.",
)  # fmt: skip
@click.option("--separator", help="Of the items on a line of text, for sets; else it is recognised.")
@click.option("--resume", is_flag=True, help="Go on where an interrupted run stopped.")
@click.option("--seed", type=int, help="The same reports again, for tests: who knows it can take the noise away.")
@workers.options()
def perturb(
    answers: str,
    client_file: Path,
    output: Path,
    column: str | None,
    unknown: str,
    separator: str | None,
    resume: bool,
    seed: int | None,
    asked: workers.WorkerRequest,
) -> None:
    """Draw a report for every answer of a folder, a pattern ('a/*.parquet') or a file, of any size.

    Parquet or CSV in, the same out: one file of reports for each part that fits into memory. For sets, a column of
    lists in Parquet, or text with a basket on every line.
    """
    try:
        by = _client_of(client_file)
        if output.resolve().is_relative_to(Path(answers).resolve()):
            raise ValueError(f"reports in “{output}” would be read as answers the next time: name a folder elsewhere")
        lines = by.task == "sets"
        parts = partitions(answers, data.ReadOptions(separator=None if lines else separator), lines=lines)
        how = Drawing(by, str(output), column, seed, unknown == "drop", mining.separator_of(parts, separator))
        drawing.begin(how, parts, resume)
        with drawing.tidied(how), workers.opened(asked) as executor, _shown(len(parts)) as progress:
            done = drawing.run(how, parts, executor, progress)
    except (ValueError, TypeError, OSError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{done.people} reports by {by.key} at ε = {by.epsilon:g} in {output}")
    counted = {
        "partitions were finished before": done.before,
        "rows without an answer left out": done.missing,
        f"{'items' if lines else 'rows'} left out, which are no answer of the client": done.unknown,
        by.cut: done.clipped,
    }
    for what, count in counted.items():
        if count:
            click.echo(f"{count} {what}", err=True)


@click.command("estimate")
@click.argument("reports")
@click.option(
    "--client",
    "client_files",
    required=True,
    multiple=True,
    type=ClientFile(),
    help="The client.json that they were drawn by; with --relation two, or open.",
)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The table as .csv.")
@click.option("--publish", "form", help="A column of shares in this form too.")
@click.option("--relation", help="Two columns with reports of two questions, as in smoking,condition: both together.")
@workers.options()
def estimate(
    reports: str,
    client_files: tuple[Path, ...],
    output: Path | None,
    form: str | None,
    relation: str | None,
    asked: workers.WorkerRequest,
) -> None:
    """Shares, or a mean, from collected reports: a folder, a pattern or a file of CSV or Parquet of any size.

    A CSV has a column `report`, or one column, a row per person. Estimates are unbiased; shares may be negative.
    --publish adds shares that are not: clipped to 0…1; cut at 0 and divided by their sum (norm); the nearest that sum
    to 1 (norm-sub), or for sets to at most m (at-most-m); 0 unless surely held (base-cut); the likeliest (em).
    """
    if output is not None and output.suffix != ".csv":
        raise click.ClickException(f"the output ends in .csv, got {output.name}")
    if relation is not None:
        side_by_side(reports, relation, client_files, output, form)
        return
    try:
        by = _client_of(only(client_files))
        if form is not None:
            _check(form, by.forms, by.task)
        parts = partitions(reports)
        _note_unsaid(reports_of_files.unsaid(parts, by.mark))
        with workers.opened(asked) as executor, _shown(len(parts)) as progress:
            counted, refused = counting.total(by, parts, executor, progress)
        if refused:
            part = f"left out: {refused} of {(counted.n if counted else 0) + refused} rows"
            click.echo(f"{part}, which nobody can have sent by this client", err=True)
        if counted is None:
            raise click.ClickException("there is no report here that this client can have sent")
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


def only(files: tuple[Path, ...]) -> Path:
    """The one client of reports that are estimated by themselves."""
    if len(files) != 1 or files[0] == OPEN:
        raise ValueError("name one client.json; of two questions side by side also their columns: --relation a,b")
    return files[0]


def side_by_side(reports: str, relation: str, files: tuple[Path, ...], output: Path | None, form: str | None) -> None:
    """`estimate --relation`: pairs, groups and the test."""
    try:
        asked = tuple(None if file == OPEN else _client_of(file) for file in files)
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
        terminal_tables.show_relation(both, output)
    except (ValueError, TypeError, OSError) as error:
        raise click.ClickException(str(error)) from error


def _pair_of(asked: Any) -> Client | None:
    """The client of phones that asks a pair as one; None for any other question."""
    return asked.client if isinstance(asked, Phones) and asked.client.pair is not None else None


def _client_of(path: Path) -> FolderQuestion[Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(NONE) from error
    return opened(text)


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


@contextlib.contextmanager
def _shown(total: int) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on standard error, for (done, total) partitions."""
    with tqdm(total=total, unit="partition", leave=False) as bar:

        def show(done: int, _: int) -> None:
            bar.update(done - bar.n)

        yield show
