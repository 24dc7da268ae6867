"""What was measured on: machine, versions, how busy it was."""

import os
import platform
import re
import shutil
import subprocess
import tomllib
from importlib import metadata
from pathlib import Path

from benchmarks.dashboard import CHROMIUM

ROOT = Path(__file__).resolve().parents[1]
ENGINE = ("numpy", "scipy", "scikit-learn", "pandas", "pyarrow", "streamlit", "plotly")


def described() -> dict[str, str]:
    """Name → words, for the head of the table; what was measured, `commit` says."""
    return {
        "processor": _processor(),
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB",
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        "libraries": _versions(ENGINE),
        "peers": _versions(peers()),
        "browser": _browser(),
    }


def peers() -> list[str]:
    """What the extra `benchmark` asks for."""
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    return [re.split(r"[^\w-]", one)[0] for one in asked["benchmark"]]


def load() -> float:
    """Processes that ran or waited for a processor, on average over the last minute."""
    return os.getloadavg()[0]


def _processor() -> str:
    try:
        names = re.findall(r"^model name\s*: (.+)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.M)
    except OSError:  # no Linux
        names = []
    return f"{len(os.sched_getaffinity(0))} × {names[0] if names else platform.processor() or platform.machine()}"


def _browser() -> str:
    if shutil.which(CHROMIUM) is None:
        return "absent"
    asked = [CHROMIUM, "--version"]
    return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip() or "of no known version"


def _versions(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(f"{name} {_version(name)}" for name in names)


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "absent"


def commit() -> str:
    """Which version of engine and app this is."""

    def git(*asked: str) -> str:
        return subprocess.run(["git", *asked], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no", "--", "ldpcore", "app")
    return f"{git('rev-parse', '--short', 'HEAD') or 'no checkout'}{', with changes' if changed else ''}"
