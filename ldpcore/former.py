"""Names of version 0.1 that have others now: they open for one version more, with a warning that says which.

Two tables are all there is to keep: a path of a module is opened by a finder that Python asks last (`ldpcore` has it),
a name by the `__getattr__` of its module (PEP 562), which `serve` gives it.

>>> import warnings
>>> with warnings.catch_warnings(record=True) as heard:
...     warnings.simplefilter("always")
...     from ldpcore.ranges import Answer
>>> Answer.__name__, str(heard[0].message)
('RangeRelease', 'ldpcore.ranges.Answer goes with the next version: it is ldpcore.ranges.RangeRelease now')
"""

import sys
import warnings
from importlib import import_module
from importlib.machinery import ModuleSpec
from pkgutil import iter_modules
from types import ModuleType

MODULES = {
    "ldpcore.own": "ldpcore.custom",
    "ldpcore.collecting": "ldpcore.collection",
    "ldpcore.collecting.cells": "ldpcore.collection.encoding",
    "ldpcore.joint": "ldpcore.marginals",
    "ldpcore.whole": "ldpcore.integer_law",
    "ldpcore.cells": "ldpcore.bins",
    "ldpcore.mechanisms.law": "ldpcore.mechanisms.report_density",
    "ldpcore.mechanisms.leveled": "ldpcore.mechanisms.leveled_subset",
    "ldpcore.itemsets.levels": "ldpcore.itemsets.candidates_by_length",
    "ldpcore.questionnaire.crowd": "ldpcore.questionnaire.attack_split",
    "ldpcore.questionnaire.givers": "ldpcore.questionnaire.predictors",
    "ldpcore.questionnaire.schemes": "ldpcore.questionnaire.allocation",
    "ldpcore.ranges.asked": "ldpcore.ranges.arguments",
    "ldpcore.workers.asked": "ldpcore.workers.request",
}
"""Old path of a module → what it is now."""

NAMES: dict[str, dict[str, str]] = {
    "ldpcore": {"Arm": "ldpcore.study.former.Arm"},
    "ldpcore.study": {"Arm": "ldpcore.study.former.Arm", "Beside": "Comparison"},
    "ldpcore.channel": {"Column": "ReportColumn"},
    "ldpcore.clusters": {"Answer": "ExampleReport"},
    "ldpcore.collection": {
        "Answers": "AnswerBatch",
        "Asked": "FolderQuestion",
        "Items": "ItemBatch",
        "Numbers": "NumberBatch",
    },
    "ldpcore.custom": {"Given": "ParsedTable", "Kept": "KeptPromise", "Own": "CustomMechanism"},
    "ldpcore.integer_law": {"Law": "IntegerLaw", "NotWhole": "NoIntegerLaw"},
    "ldpcore.itemsets": {
        "Leak": "CandidateLeak",
        "Mined": "MiningResult",
        "Proposal": "MiningProposal",
        "Scores": "MiningScores",
    },
    "ldpcore.levels": {"Block": "LevelBlock"},
    "ldpcore.mechanisms.leveled_subset": {"LeveledRR": "ldpcore.mechanisms.leveled_response.LeveledRR"},
    "ldpcore.mechanisms.report_density": {"Law": "ReportDensity"},
    "ldpcore.papers": {"Words": "PaperStatement"},
    "ldpcore.questionnaire": {
        "Giver": "Predictor",
        "Pairs": "PairComparison",
        "Question": "SurveyQuestion",
        "Scheme": "Allocation",
        "crowd": "attack_split",
        "givers": "predictors",
    },
    "ldpcore.ranges": {"Answer": "RangeRelease", "Levels": "NestedTree"},
    "ldpcore.set_randomizer": {"check_sets": "ldpcore.checks.item_sets"},
    "ldpcore.workers": {"Asked": "WorkerRequest"},
}
"""Module → old name → what it is called there now, or where it is."""

HOW = {
    "Arm": "a Study has marks=Marks.of([...]), and two settings of them are a Comparison(a, b)",
    "Beside": "two settings are a Comparison(a, b, name_a, name_b)",
}
"""Old name → what to write, where that is more than another name."""


_INSIDE = {"ldpcore", "importlib", "_frozen_importlib"}


def serve(room: str) -> None:
    """From now on this module opens its old names, each with a DeprecationWarning."""

    def opened(name: str) -> object:
        return named(room, name)

    sys.modules[room].__dict__["__getattr__"] = opened


def named(room: str, name: str) -> object:
    """What an old name of this module stands for, with a DeprecationWarning; AttributeError for one that never was."""
    new = NAMES[room].get(name)
    if new is None and f"{room}.{name}" in MODULES:
        return import_module(f"{room}.{name}")
    if new is None:
        raise AttributeError(f"module {room!r} has no attribute {name!r}")
    home, _, last = new.rpartition(".")
    _warn(f"{room}.{name} goes with the next version: {HOW.get(name, f'it is {home or room}.{last} now')}")
    return getattr(import_module(home or room), last)


class _Loader:
    """Gives the very same module under its old path, and those inside, so that classes stay one."""

    @staticmethod
    def create_module(spec: ModuleSpec) -> ModuleType:
        new = MODULES[spec.name]
        _warn(f"{spec.name} goes with the next version: it is {new} now")
        module = import_module(new)
        for part in iter_modules(getattr(module, "__path__", ())):
            sys.modules[f"{spec.name}.{part.name}"] = import_module(f"{new}.{part.name}")
        spec.loader_state = module.__spec__
        return module

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        """It has run already; Python gave it the spec of its old path, which is not what it is."""
        if module.__spec__ is not None:
            module.__spec__ = module.__spec__.loader_state


def spec(path: str) -> ModuleSpec | None:
    """How a module opens by its old path; None for one that never was."""
    return ModuleSpec(path, _Loader) if path in MODULES else None  # type: ignore[arg-type]


def _warn(text: str) -> None:
    """Where the old name is written: outside of ldpcore, and of what imports for it."""
    frame = sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] in _INSIDE:
        frame = frame.f_back
    module = frame.f_globals.get("__name__", "")
    registry = frame.f_globals.setdefault("__warningregistry__", {})
    warnings.warn_explicit(text, DeprecationWarning, frame.f_code.co_filename, frame.f_lineno, module, registry)
