"""CONTRIBUTING.md draws how an upload, the slider of ε and `ldpcore run` flow: what it names runs, in that order."""

import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from click.testing import CliRunner

from ldpapp.views.data import uploads
from ldpcore import cli
from ldpcore.data.readings import SourceFile
from ldpcore.study import Marks, Source, Study, to_toml
from tests.app.opening import ask, nothing_behind, opened

ROOT = Path(__file__).resolve().parents[1]
STEP = re.compile(r"^  ((?:app|engine)\.[\w.]+)", re.MULTILINE)
HOUSES = {"app": "ldpapp", "engine": "ldpcore"}


def flows() -> dict[str, list[str]]:
    """Title → the functions that it names, as `module.function`."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    part = text.split("## How things flow", 1)[1].split("\n## ", 1)[0]
    pictures = re.findall(r"```text\n(.+?)\n\n(.*?)```", part, re.DOTALL)
    return {title: [_full(step) for step in STEP.findall(steps)] for title, steps in pictures}


def _full(step: str) -> str:
    house, rest = step.split(".", 1)
    return f"{HOUSES[house]}.{rest}"


@contextmanager
def called() -> Iterator[list[str]]:
    """The functions of ours that begin, in order, in this thread and in those that start."""
    names: list[str] = []

    def note(frame: FrameType, event: str, _: Any) -> None:
        module = frame.f_globals.get("__name__", "")
        if event == "call" and module.startswith(tuple(HOUSES.values())):
            names.append(f"{module.replace('.__init__', '')}.{frame.f_code.co_qualname}")

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield names
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def upload(_: Path) -> Callable[[], object]:
    at = opened("data")
    content = b"town,age\n" + b"".join(b"%s,%d\n" % ((b"A", b"B", b"C")[i % 3], 20 + i % 60) for i in range(300))

    def arrive() -> object:
        ask(at, uploads.attempt, SourceFile("mine.csv", content))
        return at.run()

    return arrive


def slider(_: Path) -> Callable[[], object]:
    at = opened("frequency")
    return lambda: at.number_input(key="epsilon").set_value(1.3).run()


def terminal(folder: Path) -> Callable[[], object]:
    study = Study(Source("health"), "condition", Marks.of(["HIV"]), ("uSS",), grid=(), repetitions=1)
    (folder / "study.toml").write_text(to_toml(study.with_options(attacks=0)))
    return lambda: CliRunner().invoke(cli.main, ["run", str(folder / "study.toml")])


EVENTS = {"An upload": upload, "The slider of ε": slider, "ldpcore run study.toml": terminal}
"""Title → what gets everything ready, and gives what happens then."""


def test_every_picture_has_an_event():
    assert list(flows()) == list(EVENTS)


@pytest.mark.parametrize("title", EVENTS)
def test_a_flow_is_as_drawn(title, tmp_path):
    steps = flows()[title]
    assert len(steps) >= 5
    with nothing_behind():
        happen = EVENTS[title](tmp_path)
        with called() as names:
            happen()
    at = 0
    for step in steps:
        assert step in names, f"{step} did not run"
        assert step in names[at:], f"{step} ran before the step that stands above it"
        at = names.index(step, at)
