"""Every page in a browser: until its first useful chart, and until it is filled, on bundled data and on large files."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from benchmarks import dashboard, real
from benchmarks.case import Family, Measured, Reading

BUNDLED = (
    "Data",
    "Overview",
    "Review",
    "Frequency",
    "Sets",
    "Means",
    "Itemsets",
    "Clusters",
    "Ranges",
    "Relations",
    "Papers",
)
LARGE = {
    "adult.data.gz": ("Overview", "Review", "Frequency", "Means", "Itemsets", "Clusters", "Ranges"),
    "retail.dat.gz": ("Overview", "Sets", "Itemsets"),
    "online_retail.parquet": ("Overview", "Frequency", "Sets", "Itemsets"),
}
FIRST, FILLED, FILLED_LARGE = 2.0, 20.0, 60.0
"""Seconds that are wanted: until the first useful chart after a click, until all is filled."""
EMPTY = "nothing but a sentence and a chart of Streamlit's, by its address"


def _warmed(chromium: Any, url: str) -> None:
    """Scripts are loaded and compiled."""
    for _ in range(2):  # compiled code is kept from the second time on
        _opened(chromium, url)


def _opened(chromium: Any, url: str) -> Mapping[str, float]:
    with dashboard.tab(chromium) as page:
        page.goto(url)
        return {"first chart": dashboard.first(page), "filled": dashboard.filled(page)}


def _turned(chromium: Any, url: str, title: str) -> Mapping[str, float]:
    with dashboard.tab(chromium) as page:
        page.goto(f"{url}/{'overview' if title == 'Data' else 'data'}")
        dashboard.filled(page)
        dashboard.go(page, title)
        return {"first chart": dashboard.first(page)}


def _on(chromium: Any, url: str, title: str, file: str) -> Mapping[str, float]:
    with dashboard.tab(chromium) as page:
        page.goto(f"{url}/data")
        dashboard.upload(page, real.need(file))
        dashboard.go(page, title)
        return {"first chart": dashboard.first(page), "filled": dashboard.filled(page)}


def cases(quick: bool) -> Iterator[Measured]:
    with dashboard.browser() as chromium:
        with dashboard.bare() as url:
            _warmed(chromium, url)
            yield Reading(EMPTY, {}, lambda: lambda: _opened(chromium, url), "s", 3)
        with dashboard.started() as (url, _):
            _warmed(chromium, f"{url}/frequency")
            for title in BUNDLED[3:4] if quick else BUNDLED:
                asked, on = f"{url}/{title.lower()}", {"data": "bundled"}
                opened, turned = partial(_opened, chromium, asked), partial(_turned, chromium, url, title)
                yield Reading(f"{title}, by its address", on, lambda work=opened: work, "s", 3, {"filled": FILLED})
                yield Reading(f"{title}, clicked", on, lambda work=turned: work, "s", 3, {"first chart": FIRST})
            for file, titles in () if quick else LARGE.items():
                for title in titles:
                    work = partial(_on, chromium, url, title, file)
                    wanted = {"first chart": FIRST, "filled": FILLED_LARGE}
                    yield Reading(title, {"data": file}, lambda work=work: work, "s", 1, wanted)


FAMILY = Family(
    "pages",
    "Pages",
    "Seconds by the browser's clock, 1280 × 720, scripts cached, a new session each. First chart: the page's "
    "sentence and every chart in sight are drawn. Filled: nothing runs any more. By its address: from asking for it; "
    "the first row is what an empty app takes for that. Else from the click on the page's link, with bundled data or "
    "with large files, uploaded on Data first.",
    cases,
    app=True,
)
