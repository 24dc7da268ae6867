"""Links and Study files made before the session held Studies (the folder links/) open as they did."""

import json
from pathlib import Path

import pytest

from ldpcore.study import Comparison, Study, from_toml, serial, tasks
from tests.app.opening import (
    opened,
    sentence,
    state,
    study,
)

FOLDER = Path(__file__).parent / "links"
LINKS = json.loads((FOLDER / "links.json").read_text(encoding="utf-8"))


def told(made: Study) -> dict:
    """What a link or a file says; the grid is the page's own, and marks of numbers may be written as other bins."""
    return {
        "task": made.task,
        "column": made.column,
        "epsilon": made.epsilon,
        "mechanisms": set(made.mechanisms),
        "missing": made.missing,
        "axis": made.axis,
        "seed": made.seed,
        "repetitions": made.repetitions,
        "bins": made.bins,
        "marks": set(made.marks.values),
        "options": {name: value for name, value in made.options.changed.items() if name != "m"},
    }


@pytest.mark.parametrize("name", LINKS)
def test_a_link_of_before_opens(name: str, still: None) -> None:
    page, query = LINKS[name]["page"], LINKS[name]["query"]
    at = opened(page, **query)
    assert not at.exception
    assert sentence(at)
    assert not state(at).problems
    task = query.get("task", ["frequency"])[0]
    both = serial.read_toml((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    was = both.b if isinstance(both, Comparison) else both
    assert told(study(at, task)) | {"options": {}} == told(was) | {"options": {}}
    options = {name: value for name, value in was.options.changed.items() if name != "asked"}
    assert options == {name: study(at, task).option(name) for name in options}
    if isinstance(both, Comparison):  # two settings of marks
        assert told(state(at).compared[task].study) == told(both.a)
    for key, value in query.items():
        if key.startswith(("view_", "sets_s", "sets_q", "means_u", "ranges_t", "plane")):
            assert str(at.session_state[key]) == value[0], key


@pytest.mark.parametrize("name", LINKS)
def test_a_file_of_before_fits_its_data(name: str) -> None:
    from ldpcore import data
    from ldpcore import study as studies

    was = from_toml((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    table = data.load(was.data.name)
    assert was.data.digest == table.digest
    made, refused = studies.fit(was, table)
    assert not refused
    assert told(made) == told(was) | {"options": told(made)["options"]}
    assert tasks.of(made) is tasks.TASKS[was.task]


def test_the_number_of_links_is_no_accident() -> None:
    assert {entry["page"] for entry in LINKS.values()} >= {"data", *(task.address for task in _tasks())}


def _tasks():
    from ldpapp.views.tasks import TASKS

    return TASKS.values()
