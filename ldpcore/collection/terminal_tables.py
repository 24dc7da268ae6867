"""What a terminal is given: tables, the first rows of them, and both answers together."""

from pathlib import Path

import click
import pandas as pd

from ldpcore import data
from ldpcore.collection.pairs import RelatedReports
from ldpcore.data.errors import plural

SHOWN = 100
"""Rows of a table that a terminal is given."""


def save(table: pd.DataFrame, output: Path | None) -> None:
    """As .csv, where a file is named."""
    if output is not None:
        with data.saving(output) as there:
            there.write_text(data.as_csv(table), encoding="utf-8")


def printed(table: pd.DataFrame) -> str:
    """Its first rows.

    >>> printed(pd.DataFrame({"share": [0.25]}))
    ' share\\n0.2500'
    """
    lines = table.head(SHOWN).to_string(index=False, float_format=lambda x: f"{x:.4f}")
    more = len(table) - SHOWN
    return lines if more <= 0 else f"{lines}\n… and {plural(more, 'row')} more: name a file for all with -o"


def show_relation(both: RelatedReports, output: Path | None, form: str | None = None, as_facts: bool = False) -> None:
    """Pairs, groups, and whether there is a relation; first what is not counted. as_facts: in their place what the page
    Results says, every group beside all others.
    """
    table = both.compared() if as_facts else both.table(form)
    save(table, output)
    test = both.relation.independence()
    if both.left_out:
        one = both.left_out == 1
        people = "1 person who left one out is" if one else f"{both.left_out} people who left one out are"
        click.echo(f"{people} not counted", err=True)
    if both.refused:
        rows = "1 row" if both.refused == 1 else f"{both.refused} rows"
        click.echo(f"{rows} left out, which nobody can have sent by {both.clients}", err=True)
    click.echo(printed(table))
    people = "1 person" if both.relation.n == 1 else f"{both.relation.n} people"
    known = "each share and difference" if as_facts else "each share"
    click.echo(
        f"{people}; low to high holds {known} 95 times in 100, of people like these; within: of the group, where it "
        "is told from an empty one"
    )
    if form is not None:
        click.echo(f"published ({form}) is biased: rare pairs come out too {'low' if form == 'base-cut' else 'high'}")
    p = "below 0.001" if test.p < 0.001 else f"{test.p:.3f}"
    freedom = "1 degree" if test.df == 1 else f"{test.df} degrees"
    click.echo(f"Is there a relation? p {p} ({test.how}, {freedom} of freedom)")
