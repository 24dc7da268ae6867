"""How long the work behind a page goes on until it is drawn again."""

import time

import pytest

from ldpapp.runtime import background


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    held: dict[str, object] = {}
    monkeypatch.setattr(background.st, "session_state", held)
    return held


def test_what_takes_long_to_draw_is_drawn_less_often(state: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    slices = []
    for redraw in (0.05, 0.3, 0.5, 60.0):
        state[background.AGAIN] = True
        assert background.again()
        now[0] += redraw
        slices.append(background._slice())
    assert slices == pytest.approx([background.SLICE, background.REDRAWS * 0.3, background.LONGEST, background.LONGEST])


def test_a_person_who_asked_sees_the_first_surveys_soon(state: dict[str, object]) -> None:
    """However long their page took: it may have been the server's first of its kind."""
    assert not background.again()
    time.sleep(0.01)
    assert background._slice() == background.SLICE
