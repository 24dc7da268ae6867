"""The terminal's commands for a mechanism of one's own: `ldpcore export`, `ldpcore audit`, `run --own`."""

from pathlib import Path

import click
import numpy as np

from ldpcore import custom, data
from ldpcore.custom.apart import Inputs, SetInputs, audited
from ldpcore.custom.audit import MOST_VALUES
from ldpcore.domain import Interval
from ldpcore.study import Study, intervals, invented, tasks


def reader(path: Path) -> str:
    """A table of chances as text; a ClickException with a sentence where the file is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise click.ClickException(f"{path.name} is no text: save the table as CSV") from None
    if not text.strip():
        raise click.ClickException(f"{path.name} is empty: give a row of chances for each answer")
    return text


def added(study: Study, path: Path) -> Study:
    """The study with the table of this file compared; a ClickException with a sentence where its task compares none."""
    able = tasks.comparing(invented.KEY)
    if study.task not in able:
        raise click.ClickException(
            f"a mechanism of one's own is compared in studies of {', '.join(able)}; this one is of {study.task}: leave "
            "--own out"
        )
    return invented.added(study.with_options(own=reader(path)))


@click.command()
@click.argument("mechanism")
@click.option("--epsilon", required=True, type=float, help="Its ε.")
@click.option("--values", "k", type=int, help="How many values.")
@click.option("--numbers", help="Instead, of a mechanism for numbers, their public range: 18..98")
@click.option("--rows", default=5, show_default=True, type=int, help="Even numbers of the range that have a row.")
@click.option("--sets", "per_set", type=int, help="With --values: of sets of so many, one item drawn, and padding.")
@click.option("--marks", default="", help="Codes of marked values, from 0: 0,1; or intervals: 18..20,80..98")
@click.option("--python", "as_python", is_flag=True, help="As lines of Python instead of CSV.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="A file; else it is printed.")
def export(
    mechanism: str,
    epsilon: float,
    k: int | None,
    numbers: str | None,
    rows: int,
    per_set: int | None,
    marks: str,
    as_python: bool,
    output: Path | None,
) -> None:
    """A mechanism of the catalogue as a table of chances: rows are answers, numbers, or items, columns are reports."""
    if (k is None) == (numbers is None):
        raise click.ClickException("give either --values, how many there are, or --numbers, their public range")
    if as_python and (numbers is not None or per_set is not None):
        raise click.ClickException("--python goes with --values; a table for numbers, or for sets, is CSV")
    if k is None and per_set is not None:
        raise click.ClickException("--sets goes with --values, how many items there are")
    try:
        if k is None:
            text = _of_numbers(mechanism, epsilon, str(numbers), rows, marks)
        elif per_set is not None:
            channel = custom.sets_channel(mechanism, epsilon, k, per_set, _mask(marks, k))
            text = custom.to_csv(channel, [*map(str, range(k)), custom.PADDING], "item")
        else:
            mask = _mask(marks, k)
            channel = custom.channel_of(mechanism, epsilon, k, mask)
            text = custom.to_python(channel, mask) if as_python else custom.to_csv(channel)
    except (ValueError, TypeError) as error:
        raise click.ClickException(str(error)) from error
    if output is None:
        click.echo(text)
    else:
        try:
            with data.saving(output) as there:
                there.write_text(text + "\n", encoding="utf-8")
        except data.DataError as error:
            raise click.ClickException(str(error)) from error
        click.echo(f"wrote {output}")


def _of_numbers(mechanism: str, epsilon: float, numbers: str, rows: int, marks: str) -> str:
    public = Interval(*intervals.parse(numbers))
    marked = intervals.parse_all(filter(None, (part.strip() for part in marks.split(","))), public)
    low = intervals.complement(marked, public) if marked else ()
    channel, at = custom.numbers_channel(mechanism, epsilon, public, low, rows)
    return custom.to_csv(channel, [f"{number:.15g}" for number in at], "number")


def _mask(marks: str, k: int) -> np.ndarray:
    mask = np.zeros(max(k, 0), bool)
    for code in filter(None, (part.strip() for part in marks.split(","))):
        if not code.isdecimal() or int(code) >= k:
            raise ValueError(f"--marks names codes from 0 to {k - 1}, apart by commas, got {code!r}")
        mask[int(code)] = True
    return mask


@click.command()
@click.argument("function", metavar="FILE.py:FUNCTION")
@click.option("--values", "k", required=True, type=int, help="How many values: the function is called with 0 to k − 1.")
@click.option("--numbers", help="Instead it is called with so many even numbers of a public range: 18..98")
@click.option(
    "--sets", "per_set", type=int, help="Instead with sets of at most so many of the values, as lists of codes."
)
@click.option("--marks", default="", help="With --sets: codes of marked items, 0,1; then the promise is SULDP-joint.")
@click.option("--claimed", type=float, help="The ε that is claimed.")
@click.option("--reports", default=20_000, show_default=True, type=int, help="Drawn for each value, or set.")
@click.option("--confidence", default=0.99, show_default=True, type=float, help="Of the bound.")
@click.option("--people", default=10_000, show_default=True, type=click.IntRange(min=1), help="For the error.")
@click.option("--seed", default=7, show_default=True, type=click.IntRange(min=0), help="Of the generator.")
@click.option("--seconds", default=600.0, show_default=True, type=click.FloatRange(min=1), help="At most.")
def audit(
    function: str,
    k: int,
    numbers: str | None,
    per_set: int | None,
    marks: str,
    claimed: float | None,
    reports: int,
    confidence: float,
    people: int,
    seed: int,
    seconds: float,
) -> None:
    """A lower bound on the ε of FUNCTION(value, rng) -> report, with confidence; with --sets of FUNCTION(items, rng).
    Runs that file's code, in a process of its own; what it prints is not shown.

    It can refute a promise and never prove one.
    """
    file, colon, name = function.rpartition(":")
    if not colon or not Path(file).is_file():
        raise click.ClickException(f"{function} names no function of a file: write it as mechanism.py:report")
    try:
        given = _inputs(k, numbers, per_set, marks)
        outcome = audited(Path(file), name, (k, seed, claimed, reports, confidence), seconds, given)
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    for line in said(outcome, people, given):
        click.echo(line)


def _inputs(k: int, numbers: str | None, per_set: int | None, marks: str) -> Inputs:
    """What the function is called with."""
    if numbers is not None and per_set is not None:
        raise ValueError("give either --numbers, their public range, or --sets, how many items one has at most")
    if per_set is not None:
        return SetInputs(per_set, _mask(marks, k) if marks else None)
    if marks:
        raise ValueError("--marks goes with --sets: a function of a value, or of a number, is audited for LDP")
    if numbers is None:
        return ()
    return tuple(np.linspace(*intervals.parse(numbers), min(max(k, 2), MOST_VALUES + 1)).tolist())


def said(found: custom.Audit, people: int, inputs: Inputs = ()) -> list[str]:
    """What an audit found, in sentences: a bound from below, never a proof. inputs: what its values are."""
    value, against = (_named(each, inputs) for each in (found.value, found.against))
    sure = f"{found.confidence * 100:g} % confidence"
    marked = isinstance(inputs, SetInputs) and inputs.sensitive is not None
    lines = [
        f"{'ε of SULDP-joint' if marked else 'ε'} is at least {found.epsilon:.3g}, with {sure}: {found.said} came "
        f"{found.seen} times under {value} and {found.against_seen} times under {against}, of {found.reports} reports "
        "each."
    ]
    if found.refuted:
        lines.append(f"So it does not keep ε = {found.claimed:g}.")
    elif found.claimed is not None:
        lines.append(
            f"That does not refute ε = {found.claimed:g}, and does not prove it: what is rarer than one report in "
            f"{found.reports} is not seen."
        )
        if found.most < found.claimed:
            lines.append(
                f"So many reports could show at most ε = {found.most:.3g}: take more (--reports) to test this claim."
            )
    else:
        lines.append("A lower bound: nothing here says how large ε is at most.")
    if isinstance(inputs, SetInputs):
        return [*lines, *_tried(found, inputs)]
    if inputs:  # a share of each of them is not what one asks
        return lines
    if found.error is None:
        lines.append("Its reports tell nothing of some value: no estimate of all shares is unbiased.")
    else:
        points = 196 * found.error / np.sqrt(people)
        typical = np.sqrt((points**2).mean())
        lines.append(
            f"A collector who learned its chances from as many reports would be off by ±{typical:.2g} points on a "
            f"share with {people} people (simulated, 95 %, even shares); by value "
            f"{', '.join(f'±{each:.2g}' for each in points)}."
        )
    return lines


def _named(given: int | tuple[int, ...], inputs: Inputs) -> str:
    """A value, a number, or a set, by what it is called with."""
    if isinstance(given, tuple):
        return f"the set {{{', '.join(map(str, given))}}}" if given else "the empty set"
    return f"value {inputs[given]:g}" if inputs and not isinstance(inputs, SetInputs) else f"value {given}"


def _tried(found: custom.Audit, inputs: SetInputs) -> list[str]:
    """Which sets were tried, and what of their reports is not bounded."""
    items = f"{inputs.m} item{'' if inputs.m == 1 else 's'}"
    lines = [
        f"Any two sets of at most {items} are neighbours; {found.tried} were tried, and these two told apart best."
    ]
    if inputs.sensitive is not None and not inputs.sensitive.all():
        lines.append(
            "A report that may prove an unmarked item is bounded among its holders alone, and is not counted against "
            "a set without it."
        )
    return lines
