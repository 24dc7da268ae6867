"""What stands on a projector: one panel of the page after the other, no menus, and a headline of two lines."""

import re

import pytest

from ldpapp.parts import widgets

from .opening import (
    bodies,
    link,
    opened,
    panels,
    press,
    state,
)

PAGES = {
    "data": {},
    "frequency": {"data": "health"},
    "means": {"task": "means", "data": "census", "fold_means_sdpm": "True"},
    "ranges": {"task": "ranges", "data": "census"},
    "relations": {"task": "relations", "data": "census"},
    "papers": {},
}


@pytest.mark.parametrize("page", PAGES)
def test_one_panel_stands_there_and_no_menu(page: str, still) -> None:
    at = opened(page, projector="True", **PAGES[page])
    assert len(panels(at)) == 1
    assert not [button for button in at.get("download_button") if "download_" in button.proto.id]
    said = next(body for body in bodies(at) if 'class="sentence"' in body)
    assert re.search(r"font-size:[\d.]+rem", said)
    assert state(at).workspace.table.name


def test_the_arrows_turn_to_every_panel_and_back(still) -> None:
    at = opened("frequency", data="health")
    # Theory against experiment stands with the release, in one figure.
    every = [key for key in panels(at) if key != "theory"]
    at = press(at, "projector_on")
    found = panels(at)
    assert at.button(key="press_arrowleft").disabled
    while not at.button(key="press_arrowright").disabled:
        found += panels(press(at, "press_arrowright"))
    assert found == every
    assert panels(press(at, "press_arrowleft")) == every[-2:-1]
    assert link(at)["alone"] == every[-2:-1]
    assert len(panels(press(at, "projector_off"))) > 1
    assert "alone" not in link(at)


@pytest.mark.parametrize(("letters", "least", "most"), [(20, 19, 19), (160, 12, 19), (900, 11, 11)])
def test_a_headline_is_as_large_as_two_lines_allow(letters: int, least: float, most: float) -> None:
    size = widgets.ROOT * float(re.findall(r"font-size:([\d.]+)rem", widgets._in_two_lines("<b>n</b>" * letters))[0])
    assert least - 0.01 <= size <= most + 0.01
