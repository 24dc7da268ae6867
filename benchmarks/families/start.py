"""How long the dashboard takes to start: imports, until it answers, until its first page stands."""

import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from functools import partial

from benchmarks import dashboard
from benchmarks.case import Family, Measured, Reading

IMPORTS = ("numpy", "streamlit", "ldpcore", "ldpcore.study", "ldpapp.views.others, ldpapp.views.tasks")


def _imported(names: str) -> Mapping[str, float]:
    began = time.monotonic()
    subprocess.run([sys.executable, "-c", f"import {names}"], check=True, stderr=subprocess.DEVNULL)
    return {"": time.monotonic() - began}


def _opened(chromium: object) -> Mapping[str, float]:
    began = time.monotonic()
    with dashboard.started() as (url, answered), dashboard.tab(chromium) as page:
        page.goto(url)
        page.locator(".story, .sentence").first.wait_for()
        return {"until it answers": answered, "until the welcome stands": time.monotonic() - began}


def cases(quick: bool) -> Iterator[Measured]:
    for names in IMPORTS:
        yield Reading("import", {"of": names}, lambda names=names: partial(_imported, names), "s", 5)
    with dashboard.browser() as chromium:
        yield Reading("dashboard", {}, lambda: partial(_opened, chromium), "s", 3)


FAMILY = Family(
    "start",
    "Start of the dashboard",
    "Seconds by the clock, each in a fresh process (files are in the system's cache after the first).",
    cases,
    app=True,
)
