"""`ldpcore code`: a study as the script that one would write by hand, as a notebook, or in R."""

from dataclasses import replace
from pathlib import Path

import click

from ldpcore import data, study
from ldpcore.study import script_files, serial


@click.command()
@click.argument("study_file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The script, .py or .ipynb.")
@click.option("--data", "data_path", type=click.Path(path_type=Path), help="Where the script finds the data file.")
def code(study_file: Path, output: Path | None, data_path: Path | None) -> None:
    """Write a study as Python: a script, or a notebook, that gives the same table.

    It uses what anybody can import, reads the data as was decided, and writes results.csv, byte for byte what
    `ldpcore run study.toml -o results.csv` writes.
    """
    form = "py" if output is None else output.suffix.removeprefix(".")
    if form not in script_files.FORMS:
        known = " or ".join(f".{each}" for each in script_files.FORMS)
        raise click.ClickException(f"the script ends in {known}, got {output and output.name}")
    try:
        setting = serial.read_toml(study_file.read_text(encoding="utf-8"))
        text = script_files.script(setting if data_path is None else _about(setting, str(data_path)), form)
        if output is None:
            click.echo(text, nl=False)
            return
        with data.saving(output) as there:
            there.write_text(text, encoding="utf-8")
    except (ValueError, TypeError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"wrote {output}")


def _about(setting: study.Study | study.Comparison, path: str) -> study.Study | study.Comparison:
    """The same of data that lie there."""
    if isinstance(setting, study.Comparison):
        return replace(setting, **{side: _about(getattr(setting, side), path) for side in ("a", "b")})
    return replace(setting, data=replace(setting.data, name=path))
