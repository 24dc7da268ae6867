"""The command: `python -m benchmarks [--only FAMILY] [--quick] [--check]`."""

import os
import time
from dataclasses import replace
from datetime import UTC, datetime

import click

from benchmarks import machine, real, running, stored, timing, written
from benchmarks.case import Family, Growth, Measured, NotHere
from benchmarks.families import APP, ENGINE, FAMILIES

GROUPS = {"engine": [family.key for family in ENGINE], "app": [family.key for family in APP]}


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--only",
    multiple=True,
    type=click.Choice([*GROUPS, *FAMILIES]),
    help="These families, or one half; may be given several times. All, unless said.",
)
@click.option("--quick", is_flag=True, help="A look: smaller sizes, few repeats; printed, not kept.")
@click.option("--check", is_flag=True, help="End with 1 where something does not keep what its row promises.")
@click.option("--table", is_flag=True, help="Measure nothing: write RESULTS.md from what is kept.")
@click.option(
    "--data-folder",
    type=click.Path(exists=True, file_okay=False, resolve_path=True),
    help="Real data files; ../shared/data, unless said here or in LDPCORE_DATA.",
)
def main(only: tuple[str, ...], quick: bool, check: bool, table: bool, data_folder: str | None) -> None:
    """Measure the engine and the app beside their peers, and write benchmarks/RESULTS.md from all that was measured."""
    if data_folder is not None:
        os.environ[real.FOLDER] = data_folder
    wanted = [key for one in only or GROUPS for key in GROUPS.get(one, [one])]
    broken = []
    for family in () if table else [family for key, family in FAMILIES.items() if key in wanted]:
        found = measured(family, quick)
        broken += found.broken
        click.echo("\n".join(written.section(family, found)))
        if not quick:
            stored.write(found)
            publish()
    if table:
        publish()
    for one in broken:
        click.echo(f"not kept: {one.name}{f' ({one.bound})' if one.bound else ''} {one.why}", err=True)
    if check and broken:
        raise SystemExit(1)


def measured(family: Family, quick: bool) -> stored.Found:
    """Run all cases of a family, one after the other, saying where it is."""
    before, began = machine.load(), time.monotonic()
    rows: list[running.Row] = []
    curves: list[running.Curve] = []
    promised = None if not quick or family.app else {_asked(case) for case in family.cases(False)}
    try:
        for case in family.cases(quick):
            click.echo(f"{family.key} · {case.name} {_sizes(case)}", err=True)
            for one in running.run(case, timing.QUICK if quick else timing.FULL):
                if promised is not None and _asked(case) not in promised and not one.why:
                    one = replace(one, bound="", kept=None)  # a promise is about its own sizes
                if isinstance(one, running.Row):
                    rows.append(one)
                else:
                    curves.append(one)
    except (NotHere, ModuleNotFoundError) as absent:  # what the whole family needs
        rows.append(running.Row(family.title, {}, why=running.absence(absent)))
    return stored.Found(
        family.key,
        datetime.now(UTC).strftime("%Y-%m-%d %H:%M"),
        machine.described(),
        machine.commit(),
        (before, machine.load()),
        time.monotonic() - began,
        tuple(rows),
        tuple(curves),
    )


def _asked(case: Measured) -> tuple[object, ...]:
    """What is measured, at which sizes."""
    if isinstance(case, Growth):
        return case.name, case.letter, case.sizes, *case.fixed.items()
    return case.name, *case.sizes.items()


def _sizes(case: Measured) -> str:
    if isinstance(case, Growth):
        return f"by {case.letter}"
    return ", ".join(f"{name} = {size}" for name, size in case.sizes.items())


def publish() -> None:
    """RESULTS.md from everything that is kept."""
    kept = [(family, found) for family in FAMILIES.values() if (found := stored.read(family.key)) is not None]
    written.PATH.write_text(written.page(kept) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
