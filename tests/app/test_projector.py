"""What stands on a projector: at most four panels of any page, no menus, and a headline of two lines."""

import re

import pytest

from ldpapp import screen, widgets

from .opening import bodies, kept, opened, panels, press

PAGES = {
    "data": {},
    "frequency": {"data": "health"},
    "means": {"task": "means", "data": "census", "fold_means_sdpm": "True"},
    "ranges": {"task": "ranges", "data": "census"},
    "papers": {},
}


@pytest.mark.parametrize("page", PAGES)
def test_four_panels_stand_there_and_no_menu(page: str, still) -> None:
    at = opened(page, projector="True", **PAGES[page])
    assert 1 <= len(panels(at)) <= screen.MOST
    assert not [button for button in at.get("download_button") if "download_" in button.proto.id]
    said = next(body for body in bodies(at) if 'class="sentence"' in body)
    assert re.search(r"font-size:[\d.]+rem", said)
    assert kept(at).data


def test_one_panel_alone_is_any_of_the_page(still) -> None:
    at = press(opened("frequency", data="health", projector="True"), "alone_adversary")
    assert panels(at) == ["adversary"]
    assert len(panels(press(at, "alone_adversary"))) > 1


@pytest.mark.parametrize(("letters", "least", "most"), [(20, 19, 19), (160, 12, 19), (900, 11, 11)])
def test_a_headline_is_as_large_as_two_lines_allow(letters: int, least: float, most: float) -> None:
    size = widgets.ROOT * float(re.findall(r"font-size:([\d.]+)rem", widgets._in_two_lines("<b>n</b>" * letters))[0])
    assert least - 0.01 <= size <= most + 0.01
