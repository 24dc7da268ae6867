"""Every page in a browser: until its first useful chart, and until it is filled, on bundled data and on large files."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from benchmarks import dashboard, real
from benchmarks.case import Family, Measured, Reading

BUNDLED = ("Data", "Overview", "Review", "Frequency", "Sets", "Means", "Itemsets", "Clusters", "Ranges", "Papers")
LARGE = {
    "adult.data.gz": ("Overview", "Review", "Frequency", "Means", "Itemsets", "Clusters", "Ranges"),
    "retail.dat.gz": ("Overview", "Sets", "Itemsets"),
    "online_retail.parquet": ("Overview", "Frequency", "Sets", "Itemsets"),
}
FIRST, FILLED, FILLED_LARGE = 2.0, 20.0, 60.0
"""Seconds that are wanted: until the first useful chart of bundled data, until all is filled."""


def _opened(chromium: Any, url: str, title: str) -> Mapping[str, float]:
    with dashboard.tab(chromium) as page:
        page.goto(f"{url}/{title.lower()}")
        return {"first chart": dashboard.first(page), "filled": dashboard.filled(page)}


def _on(chromium: Any, url: str, title: str, file: str) -> Mapping[str, float]:
    with dashboard.tab(chromium) as page:
        page.goto(f"{url}/data")
        dashboard.upload(page, real.need(file))
        dashboard.go(page, title)
        return {"first chart": dashboard.first(page), "filled": dashboard.filled(page)}


def cases(quick: bool) -> Iterator[Measured]:
    with dashboard.started() as (url, _), dashboard.browser() as chromium:
        with dashboard.tab(chromium) as page:  # scripts are loaded and compiled
            page.goto(f"{url}/frequency")
            dashboard.first(page)
        for title in BUNDLED[3:4] if quick else BUNDLED:
            work = partial(_opened, chromium, url, title)
            wanted = {"first chart": FIRST, "filled": FILLED}
            yield Reading(title, {"data": "bundled"}, lambda work=work: work, "s", 3, wanted)
        for file, titles in () if quick else LARGE.items():
            for title in titles:
                work = partial(_on, chromium, url, title, file)
                wanted = {"first chart": FIRST, "filled": FILLED_LARGE}
                yield Reading(title, {"data": file}, lambda work=work: work, "s", 1, wanted)


FAMILY = Family(
    "pages",
    "Pages",
    "Seconds by the browser's clock, 1280 × 720, scripts cached, a new session each. First chart: the page's "
    "sentence and every chart in sight are drawn. Filled: nothing runs any more. Bundled data: from asking for"
    " the address. Large files: uploaded on Data first, from the click on the page's link.",
    cases,
    app=True,
)
