"""`ldpcore code`, `label`, `check`: a study as one would write it by hand, in Python or R; what it promises, as YAML;
and whether what is installed here keeps the laws that its numbers rest on.
"""

import time
from dataclasses import replace
from pathlib import Path

import click

from ldpcore import data, study
from ldpcore.collection import in_r
from ldpcore.study import installation, script_files, serial
from ldpcore.study import label as labels

R = "R"
"""The form that reads reports, and simulates none."""


@click.command()
@click.argument("study_file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The script: .py, .ipynb or .R.")
@click.option("--data", "data_path", type=click.Path(path_type=Path), help="Where the script finds the data file.")
@click.option("--mechanism", help="Of .R: which one the reports are drawn by, where the study has several.")
def code(study_file: Path, output: Path | None, data_path: Path | None, mechanism: str | None) -> None:
    """Write a study as Python: a script, or a notebook, that gives the same table. Or in R, for its reports.

    It uses what anybody can import, reads the data as was decided, and writes results.csv, byte for byte what
    `ldpcore run study.toml -o results.csv` writes. A file that ends in .R reads collected reports: channel and
    estimator are plain matrices in it, of one question, of two together, or of small sets.
    """
    form = "py" if output is None else output.suffix.removeprefix(".")
    if form not in (*script_files.FORMS, R):
        raise click.ClickException(f"the script ends in .py, .ipynb or .R, got {output and output.name}")
    if mechanism is not None and form != R:
        raise click.ClickException("--mechanism says by which one reports are drawn: it stands with a file .R")
    try:
        setting = serial.read_toml(study_file.read_text(encoding="utf-8"))
        setting = setting if data_path is None else _about(setting, str(data_path))
        text = _in_r(setting, mechanism) if form == R else script_files.script(setting, form)
    except (ValueError, TypeError) as error:
        raise click.ClickException(str(error)) from error
    _printed(text, output)


def _printed(text: str, output: Path | None) -> None:
    """To the terminal, or to this file."""
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        with data.saving(output) as there:
            there.write_text(text, encoding="utf-8")
    except data.DataError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"wrote {output}")


def _in_r(setting: study.Study | study.Comparison, mechanism: str | None) -> str:
    """What is collected is one setting: of two the present one."""
    return in_r.of_study(setting.b if isinstance(setting, study.Comparison) else setting, mechanism=mechanism)


def _about(setting: study.Study | study.Comparison, path: str) -> study.Study | study.Comparison:
    """The same of data that lie there."""

    def lying_there(one: study.Study) -> study.Study:
        return replace(one, data=replace(one.data, name=path))

    if isinstance(setting, study.Study):
        return lying_there(setting)
    return replace(setting, a=lying_there(setting.a), b=lying_there(setting.b))


@click.command()
@click.argument("study_file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--mechanism", help="Which one is deployed, where the study has several.")
@click.option(
    "--data", "data_path", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="The data file."
)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The label as .yaml.")
def label(study_file: Path, mechanism: str | None, data_path: Path | None, output: Path | None) -> None:
    """The label of a deployment as YAML: ε, of whom, local or central, neighbours, mechanism.

    Its fields are those of the public registry of deployments; what only you know stays empty.
    """
    if output is not None and output.suffix not in (".yaml", ".yml"):
        raise click.ClickException(f"the label ends in .yaml, got {output.name}")
    try:
        setting = serial.read_toml(study_file.read_text(encoding="utf-8"))
        described = setting.b if isinstance(setting, study.Comparison) else setting
        table = None if data_path is None else data.load(data_path, described.data.read)
        text = labels.written(labels.label(described, table, mechanism))
    except (ValueError, TypeError) as error:
        raise click.ClickException(str(error)) from error
    _printed(text, output)


@click.command()
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="What was tested, as .txt.")
def check(output: Path | None) -> None:
    """Try the laws behind all numbers on this machine: in some seconds, without data.

    Samplers against their channels, promises, estimates, whole numbers, and what the machine brings along. It ends
    with 1 where a law is not kept; a right installation fails with probability below 0.0002, and then always.
    """
    if output is not None and output.suffix != ".txt":
        raise click.ClickException(f"what was tested is a text that ends in .txt, got {output.name}")
    findings = list(installation.examine())
    text = installation.written(findings, time.strftime("%Y-%m-%d"))
    click.echo(text, nl=False)
    if output is not None:
        _printed(text, output)
    if any(each.kept is False for each in findings):
        raise SystemExit(1)
