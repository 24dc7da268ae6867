"""What stands on the screen can be trusted: nothing of another page or another setting is left, and nothing jumps."""

import re

import pytest
from playwright.sync_api import expect

from .conftest import HEARD, PATIENCE, READY, rest

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
        // Where it is greyed itself, work behind the page has begun to draw all of it anew.
        if (sentence && !sentence.closest('[data-stale=true]')) window.greyed ??= [...document.querySelectorAll('.st-key-study [data-stale=true]')].map(each => each.innerText);
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
            const holder = chart.closest('[class*=st-key-panel_]'), title = holder.querySelector('.title');
            // Streamlit fetches its pieces, the style sheet's too, as they are needed first.
            if (!title || getComputedStyle(title).fontWeight !== '600') continue;
            if (holder.firstElementChild.querySelector('[data-testid=stSkeleton]')) continue;
            const panel = holder.getBoundingClientRect();
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


LOSE = """name => {
    const link = [...document.querySelectorAll('[data-testid=stTopNavLink]')].find(each => each.innerText === name);
    const copy = document.body.appendChild(link.cloneNode(true));
    copy.addEventListener('click', event => event.preventDefault());
    copy.click();
    copy.style.display = 'none';
    if (name === 'Means') link.remove();
    return getComputedStyle(document.querySelector('.stMain'), '::before').content;
}"""
"""A click that the page hears and Streamlit does not: as where the old page's redraw overtakes it. Of Means there is no
second one: its link is gone."""


@pytest.mark.thorough
def test_a_click_that_is_lost_is_made_once_more(open_page) -> None:
    page = open_page("/ranges?data=census&column=age&reps=1")
    rest(page)
    page.wait_for_function("() => window.ldpcoreDeaf")  # the script that listens is the last to come
    assert "Data" in page.evaluate(LOSE, "Data")
    expect(page.locator(".where")).to_have_text("Data")
    expect(page.locator(".sentence")).to_be_visible()
    rest(page)
    assert "Means" in page.evaluate(LOSE, "Means")
    expect(page.locator(".sentence")).to_be_visible()  # what stands there is not hidden for good
    expect(page.locator(".where")).to_have_text("Data")


@pytest.mark.parametrize(
    "path",
    ["/frequency?m=SS&m=uSS&reps=16", pytest.param("/means?m=PM&m=uTernary&reps=8", marks=pytest.mark.thorough)],
)
def test_no_chart_moves_when_the_work_behind_it_is_done(open_page, path) -> None:
    page = open_page(path, script=f"document.addEventListener('DOMContentLoaded', {WATCH})")
    rest(page)
    expect(page.locator(".st-key-filling")).to_have_count(0, timeout=1)  # or it was not at rest
    seen = page.evaluate("() => window.seen")
    assert seen["filled"]
    assert seen["heights"]
    assert {name: tops for name, tops in seen["heights"].items() if len(tops) > 1} == {}


def beside(page) -> dict[str, str]:
    """What the sidebar says."""
    said = {"study": page.locator(".st-key-study").inner_text()}
    for key in ("data", "column", "epsilon", "seed"):
        place = page.locator(f".st-key-{key} input")
        if place.count():
            said[key] = place.first.input_value()
    return said


@pytest.mark.thorough
def test_a_walk_with_health_ends_with_health(open_page) -> None:
    """A | B, then Data, then page after page: everywhere the same data, and the column that is spoken of."""
    page = open_page("/frequency?data=health&column=condition&arm.A=HIV&reps=1&m=SS&m=uSS&eps=0.7")
    page.get_by_role("radio", name="A | B").click()
    expect(page.locator(".st-key-panel_beside")).to_contain_text("A and B are the same so far")
    rest(page)
    page.get_by_test_id("stTopNavLink").filter(has_text="Data").click()
    expect(page.locator(".where")).to_have_text("Data")
    expect(page.locator(".st-key-data_beside")).to_be_visible()  # A is still kept: what is marked from now on is B
    page.wait_for_function(READY, polling=100)
    assert (beside(page)["data"], beside(page)["column"], beside(page)["epsilon"]) == ("Health", "condition", "0.70")
    expect(page.locator('[data-testid="stMain"]')).to_contain_text("depression")  # an answer to this question
    for name, column in (("Means", "age"), ("Clusters", ""), ("Ranges", "age")):
        page.get_by_test_id("stTopNavLink").filter(has_text=name).click()
        expect(page.locator(".where")).to_have_text(name)
        rest(page)  # a click in the midst of a redraw has a test of its own, above
        said = beside(page)
        assert (said["data"], said["epsilon"], said.get("column", "")) == ("Health", "0.70", column)
        expect(page.locator('[data-testid="stMain"]')).to_contain_text(column)
    page.get_by_test_id("stTopNavLink").filter(has_text="Frequency").click()
    expect(page.locator(".where")).to_have_text("Frequency")
    rest(page)
    before, found = beside(page), page.locator(".sentence").inner_text()
    assert before["column"] == "condition"
    page.reload()
    page.wait_for_function(READY, polling=100)
    rest(page)
    assert (beside(page), page.locator(".sentence").inner_text()) == (before, found)


ROWS = [f"{20 + i % 50},{('none', 'heroin', 'cannabis', 'none')[i % 4]},{'AB'[i % 2]}" for i in range(200)]
FILE = {"name": "mine.csv", "mimeType": "text/csv", "buffer": ("age,substance,town\n" + "\n".join(ROWS)).encode()}


def choose(page) -> None:
    page.locator("input[type=file]").first.set_input_files(FILE)


def found(page) -> str:
    """Its finding at rest."""
    rest(page)
    return page.locator(".sentence").first.inner_text()


def to(page, name: str) -> None:
    page.get_by_test_id("stTopNavLink").filter(has_text=name).click()
    expect(page.locator(".where")).to_have_text(name)
    rest(page)


def test_back_is_one_press_a_page_and_an_upload_survives_a_reload(open_page) -> None:
    """What a page writes into the address by itself adds no entry to the history; after F5, and with the copied link,
    the file is asked for, and then all is as it was.
    """
    page = open_page("/data?data=census&reps=1&seed=5")
    rest(page)
    begun = page.evaluate("() => history.length")
    page.get_by_text("Upload", exact=True).click()
    choose(page)
    expect(page.locator("body")).to_contain_text("“mine.csv” is read")
    page.locator(".st-key-epsilon input").first.fill("1.7")
    page.locator(".st-key-epsilon input").first.press("Enter")
    rest(page)
    page.locator(".st-key-mark_invert button").click()
    rest(page)
    assert page.evaluate("() => history.length") == begun, "only the page that one goes to is an entry"
    to(page, "Frequency")
    to(page, "Learn")
    assert page.evaluate("() => history.length") == begun + 2
    page.go_back()
    expect(page.locator(".where")).to_have_text("Frequency")
    before, link = found(page), page.url
    said = beside(page)
    assert "1.7" in before
    assert "heroin" not in link
    page.go_back()
    expect(page.locator(".where")).to_have_text("Data")
    rest(page)
    page.go_forward()
    expect(page.locator(".where")).to_have_text("Frequency")
    rest(page)
    assert page.url == link
    page.reload()
    expect(page.locator(".sentence")).to_contain_text("choose it again")
    assert page.url == link
    choose(page)
    expect(page.locator(".st-key-study")).to_be_visible()
    assert (found(page), beside(page), page.url) == (before, said, link)
    assert page.complaints == []


@pytest.mark.thorough
def test_a_second_browser_gets_all_of_an_upload_with_the_file_and_nothing_without(open_page, browser, address) -> None:
    page = open_page("/data?data=census&reps=1")
    rest(page)
    page.get_by_text("Upload", exact=True).click()
    choose(page)
    expect(page.locator("body")).to_contain_text("“mine.csv” is read")
    rest(page)
    page.locator(".st-key-mark_invert button").click()
    rest(page)
    to(page, "Frequency")
    before, said, link = found(page), beside(page), page.url
    for content, same in ((FILE["buffer"], True), (FILE["buffer"] + b"\n33,none,A", False)):
        context = browser.new_context(viewport={"width": 1280, "height": 720})
        context.set_default_timeout(PATIENCE)
        context.add_init_script(HEARD)
        other = context.new_page()
        other.goto(link)
        expect(other.locator(".sentence")).to_contain_text("choose it again")
        assert other.locator(".st-key-study").count() == 0, "no other data stand in its place"
        assert "heroin" not in other.content()
        other.locator("input[type=file]").first.set_input_files({**FILE, "buffer": content})
        expect(other.locator(".st-key-study")).to_be_visible()
        assert ((found(other), beside(other)) == (before, said)) is same
        context.close()


@pytest.mark.thorough
def test_a_reload_of_papers_opens_what_was_open(open_page) -> None:
    """The paper and the figure, which the session knows, and the claim, which only the browser does."""
    page = open_page("/papers?paper=dfdp&papers_figure_dfdp=Fig.+3")
    rest(page)
    page.locator("details[data-claim=dfdp-3] > summary").click()
    expect(page).to_have_url(re.compile(r"claim=dfdp-3"))
    page.reload()
    rest(page)
    expect(page.locator("details[data-claim=dfdp-3][open]")).to_be_visible()
    expect(page.get_by_role("heading", name="Fig. 3")).to_be_visible()
    page.locator("details[data-claim=dfdp-3] > summary").click()
    expect(page).not_to_have_url(re.compile(r"claim="))
    expect(page).to_have_url(re.compile(r"paper=dfdp&papers_figure_dfdp=Fig\.\+3"))
