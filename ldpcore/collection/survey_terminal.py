"""`ldpcore estimate` with a questionnaire: each of its questions, with what stands beside the reports; and what is
estimated as the report of the page Results.
"""

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import pandas as pd

from ldpcore import data
from ldpcore.client import Questionnaire
from ldpcore.collection import questions, terminal_tables
from ldpcore.collection.pairs import names_of
from ldpcore.collection.questions import SurveyClient
from ldpcore.collection.weighing import DesignColumns
from ldpcore.data.partitions import partitions
from ldpcore.study import quantities


def of_questions(
    reports: str,
    asked: Questionnaire,
    output: Path | None,
    relation: str | None = None,
    columns: DesignColumns | None = None,
    as_facts: bool = False,
) -> None:
    """A column for each question; with --relation two of them together; with columns beside them or as facts, what the
    page Results says of each.
    """
    beside = columns or DesignColumns()
    try:
        parts = partitions(reports)
        if relation is not None:
            both = questions.together(asked, parts, names_of(relation, parts))
            terminal_tables.show_relation(both, output, as_facts=as_facts)
            return
        one_by_one = beside.named or as_facts
        table = by_question(asked, parts, beside, as_facts) if one_by_one else questions.estimated(asked, parts)
        terminal_tables.save(table, output)
    except (ValueError, TypeError, OSError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(terminal_tables.printed(table.drop(columns="meaning") if as_facts else table))
    if as_facts:
        return
    if beside.named:
        click.echo("low to high is approximate; n and effective are of those who answered the question")
        click.echo("A weight tells who may have sent a report; and it says the answer if it was made from it.")
    else:
        click.echo("low to high holds each share 95 times in 100, of those who answered the question")
    click.echo(f"{asked.promise} Who answered which question is not hidden.")


def by_question(asked: Questionnaire, parts: list[Any], columns: DesignColumns, as_facts: bool) -> pd.DataFrame:
    """The table of each question, or its facts, with a first column that says which."""
    client, tables = SurveyClient.of(asked.to_json()), []
    for name in client.questions:
        known = client.facts(parts, name, columns)
        table = quantities.table(known) if as_facts else known.read.table()
        table.insert(0, "question", name)
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def save_report(files: Mapping[str, Path | str], changes: Mapping[str, Any], output: Path, publishable: bool) -> None:
    """The report that the page Results saves of these files, `reports` and `client`, or `counts` and `matrix`. changes:
    what else is chosen there. The engine knows no screen: the dashboard is asked for by its name.
    """
    if output.suffix != ".html":
        raise click.ClickException(f"the report ends in .html, got {output.name}")
    try:
        given = {role: (Path(file).name, Path(file).read_bytes()) for role, file in files.items()}
        html = importlib.import_module("ldpapp.export.terminal").results_html(given, dict(changes), publishable)
        with data.saving(output) as there:
            there.write_text(html, encoding="utf-8")
    except (ValueError, TypeError, OSError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"wrote {output}")
