"""A report in a browser: nothing is fetched, axe finds nothing, paper has pages, and figures are Plotly's own."""

import io
import re

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from plotly.graph_objects import Figure
from plotly.offline import get_plotlyjs

from ldpapp.compute import bundled
from ldpapp.export import svg, terminal
from ldpapp.export.report import ReportContent
from ldpapp.runtime.capture import Picture
from ldpcore.study import Marks, Source, Study

from .conftest import PATIENCE

WIDTH = 640
COVERED = """() => [...document.querySelectorAll('main h1, main h2, main h3')].filter(title => {
    const next = title.nextElementSibling;
    return next && next.getBoundingClientRect().top < title.getBoundingClientRect().bottom - 3;
}).map(title => title.innerText)"""
"""The headings that lie across what stands below them."""


def paper(task: str, column: str, marks: tuple[str, ...] = ()) -> ReportContent:
    study = Study(Source("health"), column, Marks.of(marks), task=task, repetitions=3, grid=())
    return terminal.paper(study, bundled("health"))[0]


@pytest.fixture(scope="module")
def papers() -> list[ReportContent]:
    return [paper("frequency", "condition", ("HIV", "hepatitis B")), paper("ranges", "age")]


@pytest.fixture(scope="module")
def opened(browser, papers: list[ReportContent], tmp_path_factory: pytest.TempPathFactory):
    """The first report, from a file as people open it."""
    file = tmp_path_factory.mktemp("report") / "report.html"
    file.write_text(papers[0].html(), encoding="utf-8")
    page = browser.new_page(viewport={"width": 842, "height": 1191})
    page.set_default_timeout(PATIENCE)
    page.asked = []
    page.on("request", lambda request: page.asked.append(request.url))
    page.goto(file.as_uri())
    yield page
    page.close()


def test_it_opens_without_network_and_axe_finds_nothing(opened):
    assert [url for url in opened.asked if not url.startswith(("data:", "file:"))] == []
    assert opened.evaluate("document.fonts.check('600 14px Inter')")
    found = Axe().run(opened).response["violations"]
    assert [(each["id"], [node["html"][:160] for node in each["nodes"]][:3]) for each in found] == []


def test_it_fits_a_phone_and_a_page(opened):
    for width in (842, 390):
        opened.set_viewport_size({"width": width, "height": 900})
        assert opened.evaluate("document.documentElement.scrollWidth") <= width
        assert opened.evaluate(COVERED) == []
    opened.set_viewport_size({"width": 842, "height": 1191})


def test_printed_it_has_pages_and_its_front_is_one(opened):
    content = opened.pdf(prefer_css_page_size=True)
    boxes = re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)", content)
    pages = len(re.findall(rb"/Type\s*/Page\b", content))
    assert 3 <= pages <= 16
    assert {(round(float(w)), round(float(h))) for w, h in boxes} == {(595, 842)}  # A4
    opened.emulate_media(media="print")
    # 297 mm less the margins, at the width of a printed page
    opened.set_viewport_size({"width": 665, "height": 986})
    front = opened.evaluate("document.querySelector('.front').getBoundingClientRect().height")
    assert front <= 261 * 96 / 25.4
    opened.emulate_media(media="screen")


SIGNED = ("condition = HIV", "condition = hepatitis B", "income = under 15 000", "age = 70..90", "sex = female")


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({}, marks=pytest.mark.thorough),
        # As long as it gets with answers by name: five hidden, some open, some not asked, a goal, and what is safer.
        {
            "hidden": ("alcohol",),
            "columns": ("condition", "income", "age", "sex", "alcohol", "smoking"),
            "within": 0.02,
        },
    ],
)
def test_the_page_that_is_signed_is_one_page_and_ends_in_its_line(browser, tmp_path, options):
    """A4 on paper, a desk and a phone; axe finds nothing."""
    study = Study(Source("health"), "condition", Marks.of(SIGNED), task="review", repetitions=1, grid=())
    study = study.with_options(**options)
    file = tmp_path / "signed.html"
    file.write_text(terminal.paper(study, bundled("health"))[0].html(), encoding="utf-8")
    page = browser.new_page(viewport={"width": 842, "height": 1191})
    page.goto(file.as_uri())
    found = Axe().run(page).response["violations"]
    assert [(each["id"], [node["html"][:160] for node in each["nodes"]][:3]) for each in found] == []
    for width in (842, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(COVERED) == []
    page.emulate_media(media="print")
    assert page.evaluate(COVERED) == []
    page.set_viewport_size({"width": 665, "height": 986})
    front = page.locator(".front.signed").bounding_box()
    line = page.locator(".front.signed .sign").bounding_box()
    assert front["height"] <= 261 * 96 / 25.4
    assert line["y"] + line["height"] == pytest.approx(front["y"] + front["height"], abs=1)
    page.close()


@pytest.fixture(scope="module")
def sheet(browser):
    """A page to draw on, which has Plotly once for all figures: it is megabytes, and half a second."""
    page = browser.new_page(viewport={"width": WIDTH, "height": 700})
    page.set_default_timeout(PATIENCE)
    page.set_content('<body style="margin:0;background:#fff"></body>')
    page.add_script_tag(content=get_plotlyjs())
    yield page
    page.close()


def drawn(page, figure: Figure, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Ours, and what Plotly makes of the same figure, as grey values. Each is alone on the page."""
    figure.update_layout(width=width, autosize=False)
    height = int(figure.layout.height)
    box = {"x": 0, "y": 0, "width": width, "height": height}
    page.evaluate("ours => { document.body.innerHTML = ours }", svg.render(figure, width, "f", ""))
    ours = page.screenshot(clip=box)
    page.evaluate("() => { document.body.innerHTML = '<div></div>' }")
    made = figure.to_json()
    look = "f.data, f.layout, {displayModeBar: false, staticPlot: true}"
    page.evaluate(
        f"async () => {{ const f = {made}; f.layout.template = {{}};"
        f" await Plotly.newPlot(document.body.firstChild, {look}) }}"
    )
    theirs = page.screenshot(clip=box)
    found = [np.asarray(Image.open(io.BytesIO(each)).convert("L"), float) for each in (ours, theirs)]
    return found[0], found[1]


def apart(one: np.ndarray, other: np.ndarray) -> float:
    """The share of px that differ plainly, wherever the same ink is not within a px: fonts are hinted differently."""
    far = np.ones(one.shape, bool)
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            far &= np.abs(one - np.roll(other, (dx, dy), (0, 1))) > 60
    return float(far.mean())


@pytest.mark.thorough
def test_figures_are_what_plotly_draws(sheet, papers: list[ReportContent]):
    figures = [p.figure for paper in papers for s in paper.shown.sections for p in s.pieces if isinstance(p, Picture)]
    kinds = {trace.type for figure in figures for trace in figure.data}
    assert kinds == {"scatter", "bar", "heatmap"}
    differ = {}
    for place, figure in enumerate(figures):
        ours, theirs = drawn(sheet, figure, WIDTH)
        assert (ours < 200).mean() > 0.001
        differ[place] = apart(ours, theirs)
        if place == 0:  # a figure moved by some px is noticed
            assert apart(np.roll(ours, 6, 0), theirs) > 0.004
    assert max(differ.values()) < 0.004, differ
