"""From a moved ε to the redrawn chart, in a browser: the slider of Frequency."""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import dashboard
from benchmarks.case import Family, Measured, Reading
from ldpcore.rng import stream

SIZES, MOVES, WITHIN = (16, 1000), 11, 1.0
WATCH = """() => {
    const shown = () => [...document.querySelectorAll('.st-key-panel_error .annotation-text')]
        .map(each => each.textContent).join();
    const before = shown();
    window.moved = null;
    document.addEventListener('keydown', () => {
        const began = performance.now();
        const look = () => {
            const now = shown();
            if (now && now !== before) window.moved = performance.now() - began;
            else requestAnimationFrame(look);
        };
        look();
    }, {once: true, capture: true});
    document.querySelector('.st-key-slider input[type=range]').focus();
}"""
"""Milliseconds from the key to the chart that says the new ε."""


def table(k: int, folder: str) -> Path:
    """A file of one column with k answers."""
    values = stream(1, "benchmark", "slider", k).integers(0, k, 50_000)
    path = Path(folder) / f"answers-{k}.csv"
    path.write_text("answer\n" + "\n".join(f"answer {v}" for v in np.r_[np.arange(k), values]), encoding="utf-8")
    return path


def _moved(page: Any) -> Mapping[str, float]:
    page.evaluate(WATCH)
    page.keyboard.press("ArrowRight")
    seconds = page.wait_for_function("() => window.moved", polling=20).json_value() / 1000
    dashboard.again(page)
    dashboard.filled(page)
    return {"": seconds}


def _ready(page: Any, url: str, path: Path) -> Callable[[], Mapping[str, float]]:
    page.goto(f"{url}/data")
    dashboard.upload(page, path)
    dashboard.go(page, "Frequency")
    dashboard.filled(page)
    _moved(page)
    return partial(_moved, page)


def cases(quick: bool) -> Iterator[Measured]:
    with tempfile.TemporaryDirectory() as folder, dashboard.started() as (url, _), dashboard.browser() as chromium:
        for k in SIZES[:1] if quick else SIZES:
            with dashboard.tab(chromium) as page:
                work = partial(_ready, page, url, table(k, folder))
                yield Reading("slider to chart", {"k": k}, work, "s", MOVES, {"": WITHIN})


FAMILY = Family(
    "slider",
    "From the slider to the chart",
    "Frequency, an uploaded column of k answers, ε moved by one key; seconds by the browser's clock until the "
    "chart of the error says the new ε.",
    cases,
    app=True,
)
