"""What somebody waits for goes before what fills in behind, and that takes turns."""

import gc
import tomllib
import weakref
from pathlib import Path
from threading import Event, Thread

import pytest

from ldpapp import turns

SOON = 10.0
"""Seconds in which what is to happen has happened, on the slowest machine."""


@pytest.fixture(autouse=True)
def one_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "AT_ONCE", 1)


def test_work_behind_waits_for_a_page_that_is_drawn() -> None:
    asked, drawn, went_on = Event(), Event(), Event()

    def fill() -> None:
        with turns.behind(asked.set) as others_first:
            others_first()
            assert drawn.is_set()
            went_on.set()

    with turns.drawing():
        filling = Thread(target=fill)
        filling.start()
        assert asked.wait(SOON), "whoever waits looks whether their own person wants something else"
        assert not went_on.is_set()
        drawn.set()
    assert went_on.wait(SOON)
    filling.join(SOON)


def test_two_sessions_take_turns_and_who_is_called_away_leaves_the_queue() -> None:
    waits, second = Event(), Event()

    def called_away() -> None:
        waits.set()
        raise InterruptedError

    def leave() -> None:
        with pytest.raises(InterruptedError), turns.behind(called_away):
            raise AssertionError("it was not their turn")

    def follow() -> None:
        with turns.behind(lambda: None):
            second.set()

    with turns.behind(lambda: None):
        first = Thread(target=leave)
        first.start()
        assert waits.wait(SOON)
        first.join(SOON)
        after = Thread(target=follow)
        after.start()
        assert not second.wait(0.3), "one at a time"
    assert second.wait(SOON)
    after.join(SOON)


def test_work_behind_goes_on_though_somebody_always_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "PAUSE", 0.1)
    done = Event()

    def fill() -> None:
        with turns.behind(lambda: None) as others_first:
            others_first()
            done.set()

    with turns.drawing():
        filling = Thread(target=fill)
        filling.start()
        assert done.wait(SOON)
    filling.join(SOON)


def test_only_what_was_imported_is_kept_from_the_search_for_garbage() -> None:
    turns.settle()
    apart = gc.get_freeze_count()
    of_a_session = {"answers": []}
    turns.settle()
    assert gc.get_freeze_count() <= apart
    assert any(each is of_a_session for each in gc.get_objects())


def test_what_a_session_leaves_is_let_go() -> None:
    class Left:
        """It refers to itself, as pages and sessions do."""

        def __init__(self) -> None:
            self.mine = self

    gone, left = Event(), Left()
    weakref.finalize(left, gone.set)
    gc.disable()
    try:
        del left
        assert not gone.is_set()
        turns.tidy()
    finally:
        gc.enable()
    assert gone.is_set()


def test_the_server_does_not_look_for_garbage_after_every_page() -> None:
    """With thirty people that was six of ten seconds, and 95 % of them waited 14 s for a slider in place of 1."""
    packaged = Path(turns.__file__).parent / ".streamlit" / "config.toml"
    assert tomllib.loads(packaged.read_text(encoding="utf-8"))["runner"]["postScriptGC"] is False
