"""What stands on the screen can be trusted: nothing of another page or another setting is left, and nothing jumps."""

import pytest
from playwright.sync_api import expect

from .conftest import PATIENCE, READY, rest

expect.set_options(timeout=PATIENCE)
LEAVE = """name => {
    const link = [...document.querySelectorAll('[data-testid=stTopNavLink]')].find(each => each.innerText === name);
    const old = document.querySelector('.sentence');
    const seen = each => each.offsetParent && each.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    window.seen = [];
    window.greyed = null;
    link.click();
    const shown = seen(old), told = getComputedStyle(document.querySelector('.stMain'), '::before').content;
    const look = () => {
        const sentence = [...document.querySelectorAll('.sentence')].find(seen);
        if (sentence && sentence.innerText !== window.seen.at(-1)) window.seen.push(sentence.innerText);
        if (sentence) window.greyed ??= [...document.querySelectorAll('.st-key-study [data-stale=true]')].map(each => each.innerText);
        requestAnimationFrame(look);
    };
    look();
    return [shown, told];
}"""  # noqa: E501
"""Click in the navigation: whether the old finding is seen right after, and what stands in its place; then watch."""
WATCH = """() => {
    window.seen = { heights: {}, filled: false };
    const look = () => {
        for (const chart of document.querySelectorAll('[class*=st-key-panel_] [class*=st-key-chart_]')) {
            if (!chart.offsetParent || chart.dataset.stale === 'true') continue;
            const name = [...chart.classList].find(each => each.startsWith('st-key-chart_'));
            const panel = chart.closest('[class*=st-key-panel_]').getBoundingClientRect();
            const tops = (window.seen.heights[name] ??= []), top = Math.round(chart.getBoundingClientRect().y - panel.y);
            if (tops.at(-1) !== top) tops.push(top);
        }
        window.seen.filled ||= document.querySelector('.st-key-filling') !== null;
        requestAnimationFrame(look);
    };
    look();
}"""  # noqa: E501
"""Watch where every chart stands in its panel, and whether work fills in behind it."""


def test_nothing_of_the_last_page_is_left_on_the_next(open_page) -> None:
    page = open_page("/frequency?data=census&column=education&reps=1")
    rest(page)
    for name in ("Clusters", "Means"):
        old = page.locator(".sentence").inner_text()
        shown, told = page.evaluate(LEAVE, name)
        assert not shown
        assert name in told
        expect(page.locator(".where")).to_have_text(name)
        page.wait_for_function("() => window.greyed !== null", polling=100)
        assert page.evaluate("() => window.greyed") == [], "controls of the last page"
        page.wait_for_function(READY, polling=100)
        assert old not in page.evaluate("() => window.seen")
        expect(page.locator(".working")).to_be_hidden()


@pytest.mark.parametrize("path", ["/frequency?m=SS&m=uSS&reps=2", "/means?m=PM&m=uTernary&reps=2"])
def test_no_chart_moves_when_the_work_behind_it_is_done(open_page, address, path) -> None:
    page = open_page("/")
    page.add_init_script(f"document.addEventListener('DOMContentLoaded', {WATCH})")
    page.goto(address + path)
    page.wait_for_selector(".sentence")
    rest(page)
    seen = page.evaluate("() => window.seen")
    assert seen["filled"]
    assert seen["heights"]
    assert {name: tops for name, tops in seen["heights"].items() if len(tops) > 1} == {}
