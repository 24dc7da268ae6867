"""The corpus of ugly files, Studies and links: a right result or a sentence, within bounds of time and memory."""

import json
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from ldpcore.data import Table, as_csv, load, read
from ldpcore.study import Comparison, Source, Study, StudyError, fit, query, serial
from tests import hostile

SECONDS, MEGABYTES = 20, 1024
"""Of processor time for one file, and of memory for the process that reads it."""
LONGEST = 5000
"""Letters of a sentence, which may name what it is about."""


def alone(which: str) -> dict[str, tuple[str, float, float]]:
    """File → what becomes of it, seconds and MB at most so far, in a process of its own: a crash ends it alone."""
    run = subprocess.run([sys.executable, "-W", "ignore", "-m", "tests.hostile_reading", which], cwd=ROOT,
                         capture_output=True, text=True, timeout=600, check=False)  # fmt: skip
    assert run.returncode == 0, f"after {run.stdout.splitlines()[-1:]}: {run.stderr[-2000:]}"
    return {name: (said, seconds, peak) for name, said, seconds, peak in map(json.loads, run.stdout.splitlines())}


ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def found():
    return alone("uploads")


def test_every_file_is_read_or_refused_in_a_sentence(found):
    assert len(found) > 300
    assert {name: said for name, (said, _, _) in found.items() if len(said) > LONGEST} == {}
    read_at_all = sum(not said for said, _, _ in found.values())
    assert 50 < read_at_all < len(found) - 50


def test_no_file_takes_long_or_much(found):
    slow = {name: seconds for name, (_, seconds, _) in found.items() if seconds > SECONDS / 2}
    assert not slow
    assert max(peak for _, _, peak in found.values()) < MEGABYTES


@pytest.mark.thorough
@pytest.mark.parametrize("which", hostile.large())
def test_large_files_within_time_and_memory(which):
    """Hundreds of MB, each in a process of its own that makes it first and reads it then."""
    ((said, seconds, peak),) = alone(which).values()
    print(f"\n{which}: {seconds:.1f} s, {peak:.0f} MB, {said[:80]}")
    assert seconds < SECONDS
    assert peak < MEGABYTES


@pytest.mark.thorough
@pytest.mark.parametrize("which", hostile.growing())
def test_small_files_that_grow_within_time_and_memory(which):
    ((said, seconds, peak),) = alone(which).values()
    print(f"\n{which}: {seconds:.1f} s, {peak:.0f} MB, {said[:80]}")
    assert bool(said) == hostile.growing()[which][0]
    assert seconds < SECONDS
    assert peak < MEGABYTES


# Studies -------------------------------------------------------------------------------------------------------------


def taken(text: str) -> tuple[Study | None, str]:
    """A Study, or why the file is none."""
    try:
        return serial.from_toml(text), ""
    except StudyError as error:
        return None, str(error)


def test_every_study_file_is_one_or_refused_in_a_sentence():
    """And what is one fits the data, or says what does not; in a second."""
    table, files = load("health"), hostile.studies()
    assert len(files) > 300
    for name, text in files.items():
        start = time.process_time()
        study, said = taken(text)
        assert len(said) < 1000, name
        if study is not None:
            assert isinstance(hash(study), int), name
            made, _ = fit(study, table)
            assert serial.from_toml(serial.to_toml(made)) == made, name
        assert time.process_time() - start < 2, name


def test_links_say_what_they_cannot_mean():
    default, table = Study(Source("health"), "condition"), load("health")
    for link in hostile.LINKS:
        said = {name: [value] if isinstance(value, str) else value for name, value in link.items()}
        made, refused = query.from_query(said, default)
        study = made.b if isinstance(made, Comparison) else made
        fit(replace(study, data=default.data), table)
        assert max(map(len, refused), default=0) < 200


# files for spreadsheets ----------------------------------------------------------------------------------------------


def test_no_cell_of_a_downloaded_table_is_a_formula():
    table: Table = read(hostile.markup(), "markup.csv")
    cells = as_csv(table.frame.assign(number=-1.5)).replace('"', "").replace("\n", ",").split(",")
    assert not [cell for cell in cells if cell.startswith(("=", "+", "@"))]
    assert "'=cmd|' /C calc'!A0" in cells
    assert "-1.5" in cells
