"""A Study and what it gives: `run(study)` → tidy rows."""

from ldpcore.study.definition import Arm, Source, Study
from ldpcore.study.execute import run
from ldpcore.study.serial import StudyError, from_json, from_toml, to_json, to_toml

__all__ = ["Arm", "Source", "Study", "StudyError", "from_json", "from_toml", "run", "to_json", "to_toml"]
