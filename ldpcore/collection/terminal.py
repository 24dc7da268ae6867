"""The terminal's part for people who collect for real: `ldpcore client` and `ldpcore perturb`."""

import contextlib
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from ldpcore import checks, data, study, workers
from ldpcore import client as clients
from ldpcore.client import Client, Questionnaire
from ldpcore.client.loading import NONE
from ldpcore.collection import asking, drawing, mining, pair_clients, review_clients
from ldpcore.collection.batch import FolderQuestion
from ldpcore.collection.drawing import Drawing
from ldpcore.collection.opening import opened
from ldpcore.data.partitions import partitions

FILE = "<file>"
"""In a note, for what is written."""
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("client")
@click.argument("study_file", type=_FILE)
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False, path_type=Path), help="The folder.")
@click.option("--mechanism", help="Which of the study's mechanisms, where it compares several.")
@click.option("--question", "texts", multiple=True, help="What is asked; of several questions NAME=TEXT, repeatedly.")
@click.option(
    "--decline", default="", help="An answer for whoever would rather not say, in these words, to every question."
)
@click.option("--embed", type=click.Choice(clients.PLATFORMS), help="A snippet for a survey platform too.")
@click.option("--data", "data_path", type=_FILE, help="The data file, where the study names an upload.")
@click.option("--batch", is_flag=True, help="For answers in files, by any mechanism; no page for phones.")
def client(
    study_file: Path,
    output: Path,
    mechanism: str | None,
    texts: tuple[str, ...],
    decline: str,
    embed: str | None,
    data_path: Path | None,
    batch: bool,
) -> None:
    """Write what is asked, a study's question, marks, mechanism and ε: for phones as a file, JavaScript and a page.

    Of a review all questions that are hidden, in one page. Of sets and means there is a client for a batch only, for
    `ldpcore perturb`: a file, and no page.
    """
    try:
        described = study.from_toml(study_file.read_text(encoding="utf-8"))
        table = None if data_path is None else data.load(data_path)
        if batch or described.task in ("sets", "means"):
            if embed or decline:
                raise ValueError("--embed and --decline are for phones; a batch has none")
            _batch(described, table, mechanism, " ".join(texts), output)
            return
        made, notes = _for_phones(described, table, mechanism, texts, decline)
        written = clients.write(made, output, embed)
    except (ValueError, TypeError, OSError) as error:
        raise click.ClickException(str(error)) from error
    for path in written:
        click.echo(f"wrote {path}")
    if isinstance(made, Questionnaire):
        for name, one in made.questions.items():
            click.echo(f"“{name}”: ε = {one.epsilon:g}, {one.key}")
        click.echo(made.promise)
    for note in notes:
        click.echo(note.replace(FILE, str(output / clients.file_of(made))))
    click.echo(f"It hides answers, nothing else: what it does not do is in {output / 'README.md'}")


def _for_phones(
    described: study.Study, table: data.Table | None, mechanism: str | None, texts: tuple[str, ...], decline: str
) -> tuple[Client | Questionnaire, list[str]]:
    """What phones draw by, and what is to be said of it."""
    if described.task == "review":
        asked, sent_openly = review_clients.of_review(described, table, mechanism, texts, decline)
        notes = [f"ldpcore estimate REPORTS --client {FILE}"]
        if sent_openly:
            listed = checks.name_list([f"“{name}”" for name in sent_openly])
            notes.insert(0, f"Answered openly, and not on this page: {listed}")
        return asked, notes
    question = " ".join(texts)
    if described.task == "relations":
        names, both = pair_clients.client_of_two(described, table, mechanism, question, decline)
        return both, [pair_clients.how_to_estimate(names, both, FILE)]
    made = asking.of_study(described, table, mechanism, question, decline)
    if made.epsilon == described.epsilon:
        return made, []
    return made, [
        f"Some answers are secret, and phones know one level: {made.key} treats every marked answer as secret, with ε "
        f"= {made.epsilon:g} in place of {described.epsilon:g}."
    ]


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
        by = client_of(client_file)
        if output.resolve().is_relative_to(Path(answers).resolve()):
            raise ValueError(f"reports in “{output}” would be read as answers the next time: name a folder elsewhere")
        lines = by.task == "sets"
        parts = partitions(answers, data.ReadOptions(separator=None if lines else separator), lines=lines)
        how = Drawing(by, str(output), column, seed, unknown == "drop", mining.separator_of(parts, separator))
        drawing.begin(how, parts, resume)
        with drawing.tidied(how), workers.opened(asked) as executor, shown(len(parts)) as progress:
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


def client_of(path: Path) -> FolderQuestion[Any]:
    """The client of a file; ValueError, in a sentence, for another file."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(NONE) from error
    return opened(text)


@contextlib.contextmanager
def shown(total: int) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on standard error, for (done, total) partitions."""
    with tqdm(total=total, unit="partition", leave=False) as bar:

        def show(done: int, _: int) -> None:
            bar.update(done - bar.n)

        yield show
