"""A Study and what it gives: `run(study)` → tidy rows.

It is the whole truth of a comparison: the dashboard edits one, its link and its file hold one, the terminal runs one.

>>> study = Study(Source("health"), "condition", mechanisms=("GRR", "uSS"), marks=Marks.of(["HIV"]))
>>> from_toml(to_toml(study)) == study
True
"""

from ldpcore import former
from ldpcore.study.comparison import Comparison
from ldpcore.study.definition import Choice, Marks, Source, Study
from ldpcore.study.execute import facts, run
from ldpcore.study.fitting import Refused
from ldpcore.study.script_files import script
from ldpcore.study.serial import StudyError, from_json, from_toml, to_json, to_toml
from ldpcore.study.summaries import summary
from ldpcore.study.tasks import fit

__all__ = [
    "Choice",
    "Comparison",
    "Marks",
    "Refused",
    "Source",
    "Study",
    "StudyError",
    "facts",
    "fit",
    "from_json",
    "from_toml",
    "run",
    "script",
    "summary",
    "to_json",
    "to_toml",
]

former.serve(__name__)
