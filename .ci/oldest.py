"""The oldest dependencies that pyproject.toml allows, as requirements: `plotly>=6` → `plotly==6.0.*`; those of docs."""

import re
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
for requirement in project["dependencies"]:
    found = re.match(r"([\w.-]+)\s*>=\s*([\d.]+)", requirement)
    assert found, f"{requirement} states no oldest version"
    version = found.group(2) if "." in found.group(2) else f"{found.group(2)}.0"
    print(f"{found.group(1)}=={version}.*")
print(*project["optional-dependencies"]["docs"], sep="\n")
