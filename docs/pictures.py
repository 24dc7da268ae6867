"""Draws README's pictures anew: the Overview, a page to sign, Results; of bundled data.

    .venv/bin/ldpcore dashboard --server.port 8607 --server.headless true &
    .venv/bin/python docs/pictures.py http://127.0.0.1:8607

Needs Debian's chromium and the extra `test`.
"""

import io
import os
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from ldpapp.compute import bundled
from ldpapp.export import terminal
from ldpcore.study import Marks, Source, Study

FOLDER = Path(__file__).parent
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
SIZE = (1280, 720)
WIDTHS = {"overview": 1280, "sign": 640, "results": 1280}
"""px of each picture."""
MARKS = ("condition = HIV", "condition = hepatitis B", "condition = hepatitis C", "condition = drug dependence",
         "income = under 15 000", "income = 150 000 or more")  # fmt: skip
SIGNED = Study(
    Source("health"), "income", Marks.of(MARKS), epsilon=1.92, n=3000, grid=(), repetitions=1, task="review"
).with_options(within=0.02)
RESTS = """() => document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState === 'notRunning'
    && !document.querySelector('.st-key-filling') && !!document.querySelector('.js-plotly-plot .main-svg, .sentence')"""
"""The script has ended, and nothing fills in any more."""


def save(name: str, shot: bytes) -> None:
    """Small: 128 colours, the rare ones among them."""
    picture = Image.open(io.BytesIO(shot)).convert("RGB")
    height = round(picture.height * WIDTHS[name] / picture.width)
    if picture.width != WIDTHS[name]:
        picture = picture.resize((WIDTHS[name], height), Image.Resampling.LANCZOS)
    picture.quantize(128, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(
        FOLDER / f"{name}.png", optimize=True
    )


def rest(page: Page) -> None:
    page.wait_for_function(RESTS, timeout=240_000, polling=500)
    page.wait_for_timeout(1500)
    page.wait_for_function(RESTS, timeout=240_000, polling=500)


def main(address: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})
        page.goto(f"{address}/overview")
        rest(page)
        save("overview", page.screenshot())
        page.goto(f"{address}/results")
        rest(page)
        page.get_by_role("button", name="Try it with").click()
        page.wait_for_selector(".js-plotly-plot .main-svg, table")
        rest(page)
        save("results", page.screenshot())
        page.set_viewport_size({"width": 900, "height": 1123})
        page.set_content(terminal.paper(SIGNED, bundled("health"))[0].html(False))
        page.add_style_tag(content="section.front{padding:24px!important;background:#fff}")
        save("sign", page.locator("section.front").first.screenshot())
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
