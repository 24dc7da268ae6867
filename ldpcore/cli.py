"""The command line: ldpcore dashboard, run, code, label, client, perturb, estimate, mine, export, audit …"""

import contextlib
import importlib.util
import os
import runpy
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import click
import pandas as pd
from tqdm import tqdm

import ldpcore
from ldpcore import cli_code, cli_custom, collection, data, papers, study, workers
from ldpcore.collection import estimating, mining, terminal
from ldpcore.data import terminal_text
from ldpcore.scope import Scope
from ldpcore.study import installation, person, quantities, serial, tasks, weights
from ldpcore.study.execute import prepare, source
from ldpcore.threads import one_thread

READ, WRITTEN = click.Path(exists=True, dir_okay=False, path_type=Path), click.Path(dir_okay=False, path_type=Path)
"""Files that a command is given, and files that it writes."""


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(ldpcore.__version__)
def main() -> None:
    """If we protect people's answers, how wrong do our statistics get, and who is still exposed?"""


@main.command(context_settings={"ignore_unknown_options": True})
@click.option("--lan", is_flag=True, help="Phones of this network may join a class; the dashboard stays here.")
@click.option("--metrics", is_flag=True, help="Whoever reaches the dashboard may read /_stcore/metrics.")
@click.argument("streamlit_options", nargs=-1, type=click.UNPROCESSED)
def dashboard(lan: bool, metrics: bool, streamlit_options: tuple[str, ...]) -> None:
    """Open the dashboard in a browser. Options are passed on to Streamlit, such as --server.port 8600."""
    os.environ[collection.LAN] = "1" if lan else "0"
    # Streamlit's own command line is the only way to start that reads the packaged config.toml, and with it the
    # switches that keep uploads and usage data on this machine. It runs as `python -m streamlit` would, but in this
    # process: whoever ends it leaves no server behind.
    folder = app_directory()
    hosts = importlib.import_module("ldpapp.runtime.offline")
    hosts.ask_nobody()
    os.environ[hosts.METRICS] = "1" if metrics else "0"
    importlib.import_module("ldpapp.runtime.memory_release").keep_tidy()
    sys.argv[1:] = ["run", str(folder / "server.py"), "--server.address=127.0.0.1", *streamlit_options]
    with one_thread:  # one page's threads wait for another's, on a busy machine many times as long as they work
        runpy.run_module("streamlit", run_name="__main__")


def app_directory() -> Path:
    """The dashboard's folder."""
    spec = importlib.util.find_spec("ldpapp")
    if spec is None or spec.origin is None:
        raise click.ClickException("the dashboard's files are missing; install ldpcore again")
    return Path(spec.origin).parent


@main.command()
@click.argument("study_file", type=READ)
@click.option("-o", "--output", type=WRITTEN, help="Results as .csv or .parquet.")
@click.option("--data", "data_path", type=READ, help="The data file, where the study names an upload.")
@click.option("--labels", "labels_path", type=READ, help="JSON with the labels of the codes, or a .sas7bcat.")
@click.option(
    "--own", "own_path", type=READ, help="A CSV with the chances of a mechanism of your own, compared as “Own”."
)
@workers.options()
@click.option("--report", "report_path", type=WRITTEN, help="The page as a report, .html.")
@click.option("--publishable", is_flag=True, help="The report without what compares with the truth.")
@click.option("--check", is_flag=True, help="The report with a line of what `ldpcore check` finds here.")
@click.option("--facts", is_flag=True, help="What the page says, as numbers: each with its scope, unit and meaning.")
def run(
    study_file: Path,
    output: Path | None,
    data_path: Path | None,
    labels_path: Path | None,
    own_path: Path | None,
    asked: workers.WorkerRequest,
    report_path: Path | None,
    publishable: bool,
    check: bool,
    facts: bool,
) -> None:
    """Compute a study's table: the same numbers as in the dashboard. Or its facts, or its page, as a report.

    Of two settings (the file has a table [beside]) both, and a column says which.
    """
    _written_as(output)
    if report_path is not None and report_path.suffix != ".html":
        raise click.ClickException(f"the report ends in .html, got {report_path.name}")
    if (publishable or check) and report_path is None:
        raise click.ClickException("--publishable and --check say which report: name its file with --report")
    try:
        if report_path is not None:
            _report(study_file, data_path, labels_path, own_path, report_path, publishable, check)
            if output is None:
                return
        setting, table = _read(study_file, data_path, labels_path, own_path)
        settings = setting.named if isinstance(setting, study.Comparison) else {"": setting}
        for line in (*person.notes(settings.values(), table), *weights.notes(settings.values(), table)):
            click.echo(line, err=True)
        if facts:
            _facts(settings, table, output)
            return
        with workers.opened(asked) as executor, _shown("survey") as progress:
            tables = {name: study.run(each, table, executor, progress) for name, each in settings.items()}
        if output is not None:
            _write(_named(tables), output)
            return
        summaries = {name: _summary(settings[name], table, rows) for name, rows in tables.items()}
    except (ValueError, TypeError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(shown(_named(summaries)).to_string(index=False))


def _facts(settings: dict[str, study.Study], table: data.Table | None, output: Path | None) -> None:
    """The numbers of the page as a table; on a terminal what they mean stands below it, once."""
    rows = _named({name: quantities.table(study.facts(each, table)) for name, each in settings.items()})
    if output is not None:
        _write(rows, output)
        return
    shown = rows.drop(columns=["meaning", "note"]).to_string(index=False, float_format=lambda value: f"{value:.4g}")
    explained = rows.drop_duplicates(["name", "note"])
    meanings = [
        f"{name}: {meaning}" + (f" None where {note}." if note else "")
        for name, meaning, note in zip(explained["name"], explained["meaning"], explained["note"], strict=True)
    ]
    click.echo("\n".join([shown, "", *meanings]))


def _summary(described: study.Study, table: data.Table | None, rows: pd.DataFrame) -> pd.DataFrame:
    prepared = prepare(described, table)
    return study.summary(described, prepared, rows, limits=tasks.limits(described, prepared))


def _named(found: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """The tables of all settings as one; of several, each row says which setting it is of."""
    if len(found) == 1:
        return next(iter(found.values()))
    return pd.concat([rows.assign(setting=name)[["setting", *rows]] for name, rows in found.items()], ignore_index=True)


def _written_as(output: Path | None) -> None:
    """Before the work begins."""
    if output is not None and output.suffix not in (".csv", ".parquet"):
        raise click.ClickException(f"the output ends in .csv or .parquet, got {output.name}")


def _write(rows: pd.DataFrame, output: Path) -> None:
    with data.saving(output) as there:
        if output.suffix == ".csv":
            there.write_text(data.as_csv(rows), encoding="utf-8")
        else:
            rows.to_parquet(there, index=False)


def _read(
    study_file: Path, data_path: Path | None, labels_path: Path | None, own_path: Path | None
) -> tuple[study.Study | study.Comparison, data.Table | None]:
    """The study of the file, or both, and the table where it is not their own."""
    setting = serial.read_toml(study_file.read_text(encoding="utf-8"))
    described = setting.b if isinstance(setting, study.Comparison) else setting
    if own_path is not None:
        described = cli_custom.added(described, own_path)
    table = None if data_path is None else data.load(data_path, described.data.read)
    if labels_path is not None:
        table = data.load(described.data.name, described.data.read) if table is None else table
        beside = None if data_path is None else (data_path.name, data_path.read_bytes())
        table = table.with_labels(data.labels(labels_path.read_bytes(), beside))
    return replace(setting, b=described) if isinstance(setting, study.Comparison) else described, table


def _report(
    study_file: Path,
    data_path: Path | None,
    labels_path: Path | None,
    own_path: Path | None,
    output: Path,
    publishable: bool,
    check: bool,
) -> None:
    """Write the page of a study as a file. The engine knows no screen: the dashboard is asked for by its name."""
    setting, table = _read(study_file, data_path, labels_path, own_path)
    app_directory()
    terminal = importlib.import_module("ldpapp.export.terminal")
    present = setting.b if isinstance(setting, study.Comparison) else setting
    html, refused = terminal.html(setting, source(present, table), publishable, installation.today() if check else "")
    for sentence in refused:
        click.echo(sentence, err=True)
    with data.saving(output) as there:
        there.write_text(html, encoding="utf-8")
    click.echo(f"wrote {output}")


@contextlib.contextmanager
def _shown(unit: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar for (done, total)."""
    with tqdm(unit=unit, leave=False) as bar:

        def show(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield show


def shown(found: pd.DataFrame) -> pd.DataFrame:
    """What fits a terminal: no rows of single values, and no column in which nothing is known."""
    single = found["metric"].str.partition(":")[0].isin(["estimate", "squared error", "share"]) & (
        found["scope"] != Scope.ALL
    )
    return found[~single].dropna(axis="columns", how="all")


@main.command("papers")
@click.option("--paper", "chosen", multiple=True, type=click.Choice(list(papers.PAPERS)), help="Only this one; repeat.")
@click.option("--full", is_flag=True, help="More repetitions, at least the papers' own: decides more.")
@click.option("--data-folder", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Real data.")
@click.option("-o", "--output", type=WRITTEN, help="The table as .csv or .parquet.")
@click.option("--store", type=WRITTEN, help="Keep all verdicts, as the dashboard opens with them, in stored.json.")
@click.option("--studies", type=click.Path(path_type=Path), help="A folder: every figure as a Study, for ldpcore run.")
@workers.options(default=2)
def check_papers(
    chosen: tuple[str, ...],
    full: bool,
    data_folder: Path | None,
    output: Path | None,
    store: Path | None,
    studies: Path | None,
    asked: workers.WorkerRequest,
) -> None:
    """Check every claim of the five papers: its words, what is measured, and the verdict."""
    _written_as(output)
    if store is not None and chosen:
        raise click.ClickException("--store keeps the verdicts of all papers; leave out --paper")
    try:
        if studies is not None:
            return click.echo("\n".join(papers.write(studies, chosen)))
        with workers.opened(asked) as executor, _shown("claim") as progress:
            measured = papers.run(chosen, full, data_folder, executor=executor, progress=progress)
        click.echo(papers.text(measured))
        if output is not None:
            _write(papers.table(measured), output)
        if store is not None:
            with data.saving(store) as there:
                there.write_text(papers.stored.to_json(measured, full, data_folder), encoding="utf-8")
    except data.DataError as error:
        raise click.ClickException(str(error)) from error


_ELSEWHERE = (
    cli_code.check, cli_code.code, cli_code.label, terminal.client, terminal.perturb, estimating.estimate,
    mining.mine, cli_custom.export, cli_custom.audit,
)  # fmt: skip
for command in _ELSEWHERE:
    main.add_command(command)


@main.group("data")
def data_group() -> None:
    """Bundled data sets, and real ones fetched from their public homes."""


@data_group.command("list")
def list_data() -> None:
    """What is there."""
    for group, how in ((data.BUNDLED, "bundled"), (data.FETCHED, "fetched on first use")):
        for name, card in group.items():
            click.echo(f"{name:12} {card.title}, {card.rows} rows; {how}")


@data_group.command()
@click.argument("name")
def fetch(name: str) -> None:
    """Download a public data set, checked against its SHA-256."""
    try:
        click.echo(data.fetch(name))
    except data.DataError as error:
        raise click.ClickException(str(error)) from error


@data_group.command("show")
@click.argument("file", metavar="FILE")
@click.option("--read", "decided", type=READ, help="A Study file whose [data.read] says how the file is read.")
@click.option("-t", "--toml", is_flag=True, help="The alternatives as the lines that a Study file has of them.")
def show_data(file: str, decided: Path | None, toml: bool) -> None:
    """What is read of a file: its columns, what was assumed, and how else it can be read."""
    try:
        options = data.ReadOptions()
        if decided is not None:
            setting = serial.read_toml(decided.read_text(encoding="utf-8"))
            options = (setting.b if isinstance(setting, study.Comparison) else setting).data.read
        click.echo(terminal_text.of_table(data.load(file, options), toml))
    except ValueError as error:
        raise click.ClickException(str(error)) from error
