"""The terminal's part for people who collect for real: `ldpcore client` and `ldpcore estimate`."""

import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click
import pandas as pd

from ldpcore import client as clients
from ldpcore import data, study
from ldpcore.client import Client
from ldpcore.estimators import publishing
from ldpcore.study.execute import prepare

LAN = "LDPCORE_CLASS_LAN"
"""Whether the server of a class's phones may listen beyond this machine ("1"): said by `ldpcore dashboard --lan`."""
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
LONGEST = 7
"""Digits of the largest report, 2²⁰ − 1: a longer field is not read as a number."""


@click.command("client")
@click.argument("study_file", type=_FILE)
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False, path_type=Path), help="The folder.")
@click.option("--mechanism", help="Which of the study's mechanisms, where it compares several.")
@click.option("--question", default="", help="What is asked.")
@click.option("--data", "data_path", type=_FILE, help="The data file, where the study names an upload.")
def client(study_file: Path, output: Path, mechanism: str | None, question: str, data_path: Path | None) -> None:
    """Write what phones draw by: a study's question, marks, mechanism and ε, as a file, JavaScript and a page."""
    try:
        described = study.from_toml(study_file.read_text(encoding="utf-8"))
        table = None if data_path is None else data.load(data_path)
        made = of_study(described, table, mechanism, question)
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


def of_study(
    described: study.Study, table: data.Table | None = None, mechanism: str | None = None, question: str = ""
) -> Client:
    """The client of a study of one column: its answers, the first setting of its marks, its ε. No mechanism that runs
    on phones has levels: where some answers are secret, all marked ones are treated so, with the ε of those.

    ValueError or TypeError, in a sentence, where it is none, or no client can be made of it.

    >>> from ldpcore.study import Arm, Source, Study
    >>> asked = Study(Source("health"), "condition", (Arm.of("A", ["HIV"]),), ("uSS",), epsilon=2.0)
    >>> of_study(asked).key, of_study(asked).sensitive.count(True), of_study(asked).question
    ('uSS', 1, 'condition')
    >>> two = Arm("A", (("HIV", "secret"), ("cancer", "sensitive")))
    >>> of_study(Study(Source("health"), "condition", (two,), ("uSS",), epsilon=2.0, secret_epsilon=0.5)).epsilon
    0.5
    """
    if described.task != "frequency":
        raise ValueError(f"a client asks one question; this study is of the task {described.task!r}, not frequency")
    can = [key for key in described.mechanisms if key in clients.offered()]
    if mechanism is None and len(can) != 1:
        listed = f"can be {', '.join(can)}" if can else f"is none that runs on phones ({', '.join(clients.offered())})"
        raise ValueError(f"this study's mechanism {listed}; say which one with --mechanism")
    counted = prepare(described, table)
    epsilon = described.secret_at(described.epsilon) if described.arms[0].secret else described.epsilon
    marked = set(described.arms[0].values)
    answers = counted.domain.labels
    if unknown := marked - set(answers):
        raise ValueError(
            f"the marks name answers that {described.column!r} does not have: {', '.join(sorted(unknown))}"
        )
    return Client.of(
        mechanism or can[0], epsilon, answers, [answer in marked for answer in answers],
        question or described.column, described.option("guess"),
    )  # fmt: skip


@click.command("estimate")
@click.argument("reports_file", type=_FILE)
@click.option("--client", "client_file", required=True, type=_FILE, help="The client.json that the phones drew by.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The table as .csv.")
@click.option("--publish", "form", type=click.Choice(publishing.FORMS[1:]), help="A column of shares in this form too.")
def estimate(reports_file: Path, client_file: Path, output: Path | None, form: str | None) -> None:
    """Shares from collected reports: a CSV with a column `report`, or with one column, a row per person.

    The shares are unbiased and may be negative. --publish adds some that are not: clipped to 0…1; cut at 0 and divided
    by their sum (norm); the nearest that sum to 1 (norm-sub); 0 unless surely held (base-cut); the likeliest (em).
    """
    if output is not None and output.suffix != ".csv":
        raise click.ClickException(f"the output ends in .csv, got {output.name}")
    try:
        asked = Client.from_json(client_file.read_text(encoding="utf-8"))
        found, counted, refused = of_reports(asked, reports_file, form)
    except (ValueError, OSError) as error:
        raise click.ClickException(str(error)) from error
    if refused:
        click.echo(f"left out: {refused} of {counted + refused} rows, which no phone can have sent", err=True)
    if not counted:
        raise click.ClickException("there is no report in this file that this client can have sent")
    click.echo(found.to_string(index=False, float_format=lambda x: f"{x:.4f}"))
    click.echo(
        f"{counted} reports by {asked.key} at ε = {asked.epsilon:g}; low to high holds each share 95 times in 100"
    )
    if form is not None:
        click.echo(f"published ({form}) is biased: rare answers come out too {'low' if form == 'base-cut' else 'high'}")
    if output is not None:
        output.write_text(data.as_csv(found), encoding="utf-8")


def of_reports(asked: Client, path: Path, form: str | None = None) -> tuple[pd.DataFrame, int, int]:
    """Estimate, how many reports were counted, and how many rows no phone can have sent.

    form: of `publishing.FORMS`, a column "published" beside the unbiased share. Any number of rows: only how often each
    report came is kept.
    """
    try:
        often = Counter(_reports(path))
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path.name} is no text in UTF-8 with a report per row; save it as CSV") from error
    refused = sum(times for report, times in often.items() if not asked.accepts(report))
    kept = {report: times for report, times in often.items() if report is not None and asked.accepts(report)}
    counted = asked.tally_of(kept)
    found = asked.estimate(counted)
    if form is not None and counted.n:
        found["published"] = asked.published(kept, form)
    return found, counted.n, refused


def _reports(path: Path) -> Iterator[int | None]:
    """The column of reports, row by row; None for what is no whole number."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.reader(file)
        head = next(rows, [])
        names = [name.strip().lower() for name in head]
        if "report" not in names and len(head) != 1:
            raise ValueError(f"{path.name} has no column named report; it has {', '.join(head[:8]) or 'nothing'}")
        place = names.index("report") if "report" in names else 0
        if "report" not in names:
            yield _number(head[0])
        for row in rows:
            if row:
                yield _number(row[place]) if place < len(row) else None


def _number(text: str) -> int | None:
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST else None
