"""What somebody waits for goes before what fills in behind, and that takes turns."""

from threading import Event, Thread

import pytest

from ldpapp.runtime import scheduler

SOON = 10.0
"""Seconds in which what is to happen has happened, on the slowest machine."""


@pytest.fixture(autouse=True)
def one_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "AT_ONCE", 1)


def test_work_behind_waits_for_a_page_that_is_drawn() -> None:
    asked, drawn, went_on = Event(), Event(), Event()

    def fill() -> None:
        with scheduler.behind(asked.set) as others_first:
            others_first()
            assert drawn.is_set()
            went_on.set()

    with scheduler.drawing():
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
        with pytest.raises(InterruptedError), scheduler.behind(called_away):
            raise AssertionError("it was not their turn")

    def follow() -> None:
        with scheduler.behind(lambda: None):
            second.set()

    with scheduler.behind(lambda: None):
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
    monkeypatch.setattr(scheduler, "PAUSE", 0.1)
    done = Event()

    def fill() -> None:
        with scheduler.behind(lambda: None) as others_first:
            others_first()
            done.set()

    with scheduler.drawing():
        filling = Thread(target=fill)
        filling.start()
        assert done.wait(SOON)
    filling.join(SOON)
