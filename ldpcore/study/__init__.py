"""A Study and what it gives: `run(study)` → tidy rows."""

from ldpcore.study.definition import Arm, Source, Study
from ldpcore.study.execute import run
from ldpcore.study.fitting import Refused
from ldpcore.study.serial import StudyError, from_json, from_toml, to_json, to_toml
from ldpcore.study.tasks import fit

__all__ = [
    "Arm",
    "Refused",
    "Source",
    "Study",
    "StudyError",
    "fit",
    "from_json",
    "from_toml",
    "run",
    "to_json",
    "to_toml",
]
