"""Memory: what a survey takes at most, person by person in blocks, simulated, and of reading files."""

from collections.abc import Iterator
from functools import partial

from benchmarks.case import Family, Growth, Measured, Reading
from benchmarks.peak import BLOCK, ITEMS, REPORTS, K, M, peak

MOST = {"simulate": 300.0, "suWheel": 1000.0}
FILES = ("adult.data.gz", "retail.dat.gz", "online_retail.parquet")


def _read(name: str, size: int):
    return lambda: {"": peak(name, size)}


def cases(quick: bool) -> Iterator[Measured]:
    n = 10**6 if quick else 10**7
    for key in REPORTS[:1] if quick else REPORTS:
        sizes = {"n": n // 10 if key in ("OLH", "SS") else n, "k": K, "block": BLOCK}
        yield Reading(f"{key}: in blocks", sizes, partial(_read, key, sizes["n"]), "MB", 1)
    surveys = {"suWheel": {"n": 10**6, "k": ITEMS, "m": M}, "simulate": {"n": 10**9, "k": 1000}}
    for name, sizes in () if quick else surveys.items():
        within = {"": MOST[name]}
        yield Reading(f"{name}: ten surveys", sizes, partial(_read, name, sizes["n"]), "MB", 1, within)
    for name in FILES[:1] if quick else FILES:
        yield Reading("reading a file", {"file": name}, partial(_read, name, 0), "MB", 1)
    grown = (2 * BLOCK, 4 * BLOCK, 8 * BLOCK) if quick else tuple(BLOCK << i for i in (1, 3, 5, 7))
    for key in REPORTS[:1] if quick else REPORTS[:2]:
        yield Growth(f"{key}: in blocks", "n", grown, lambda n, key=key: partial(peak, key, n), 0.1, {"k": K}, "MB")


FAMILY = Family(
    "memory",
    "Memory",
    "The most that a fresh process holds in memory (VmHWM) above what it held before the work. In blocks: "
    "reports arrive in blocks, their tallies are added, as a collector does it; `simulate` draws ten surveys "
    "by every mechanism for one column.",
    cases,
)
