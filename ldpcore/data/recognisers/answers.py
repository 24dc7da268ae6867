"""What is an answer, which spellings are one, and in which order answers stand."""

import re
from collections.abc import Iterable, Mapping, Sequence

from ldpcore import checks
from ldpcore.data import order, scales, twins
from ldpcore.data.assumptions import Assumption, AssumptionKind, assumed
from ldpcore.data.errors import plural
from ldpcore.data.recognisers.evidence import Evidence
from ldpcore.data.spelling import spellings

_WORDS = ("None", "NA")
"""Marks that can be a word of somebody's answer."""
_LEAST = 0.02
_UNLIKE = " (with other characters)"
_GROUPS = 3
_LABELLED = re.compile(r"(\d{1,3}|[A-Z])\s*[-–:.=)]\s*\D.*")
"""A code, a sign, and what it means."""


def none(evidence: Evidence) -> Iterable[Assumption]:
    """“None” and “NA” in columns of words: no answer, or the answer of those without, and Namibia."""
    for name in evidence.names:
        column = evidence.columns.get(name)
        answers = evidence.answers(name)
        if column is None or not answers or evidence.table.profiles[name].numeric or name in evidence.boxes:
            continue
        marks = {mark: n for mark, n in column.marks.items() if mark in _WORDS}
        rows = sum(answers.values()) + sum(marks.values())
        for mark, n in marks.items():
            if n < _LEAST * rows or not _may_be_answer(mark, list(answers), n, column.marks):
                continue
            yield assumed(
                AssumptionKind.NONE, name,
                f"“{mark}” stands {plural(n, 'time')} in “{name}” ({n / rows:.0%}), beside "
                f"{checks.name_list([f'“{label}”' for label in answers], 4)}: it is read as no answer.",
                "no answer", evidence.options,
                own=((f"“{mark}” is an answer", {"answers": (*evidence.options.of(name).answers, mark)}),),
            )  # fmt: skip


def _may_be_answer(mark: str, labels: list[str], rows: int, marks: dict[str, int]) -> bool:
    """Beside other codes of two letters NA is a country, region or language; None is a word wherever words stand."""
    if mark == "NA":
        short = [label for label in labels if len(label) == 2 and label.isalpha() and label.isupper()]
        return len(labels) > 1 and len(short) == len(labels)
    return rows >= marks.get("", 0) or any(label[:1].isupper() for label in labels)


def spelling(evidence: Evidence) -> Iterable[Assumption]:
    """Spellings that are one answer, and those that might be."""
    if evidence.options.spelling == "apart":
        return
    for name in evidence.names:
        column = evidence.columns.get(name)
        if column is None:
            continue
        answers = evidence.answers(name)
        groups = [tuple((label, answers[label]) for label in same) for same in spellings(answers)]
        if column.same:
            yield _in_spellings(evidence, name, column.same, groups)
        elif coded := _coded(answers):
            yield _with_labels(evidence, name, answers, coded)
        elif groups:
            yield assumed(
                AssumptionKind.SPELLING, name,
                f"“{name}” has answers that differ in capital letters, accents or blanks, read as different ones: "
                f"{_groups(groups)}. Marking one alone leaves the other unprotected.",
                "different answers", evidence.options, _FOLDED,
            )  # fmt: skip


_Group = tuple[tuple[str, int], ...]
"""The spellings of an answer, and how many rows have each."""
_FOLDED = ("one answer", {"spelling": "fold"})


def _in_spellings(evidence: Evidence, name: str, same: Sequence[_Group], others: Sequence[_Group]) -> Assumption:
    """Spellings that are read as one; others: those that are not, though they may be."""
    left, asked = "", [("every spelling is an answer", {"spelling": "apart"})]
    if others:
        left = f" Read as different ones, since capital letters, accents or blanks differ: {_groups(others)}."
        asked.append(("these are one answer, too", {"spelling": "fold"}))
    return assumed(
        AssumptionKind.SPELLING, name,
        f"“{name}” has {plural(len(same), 'answer')} in several spellings, read as one: {_groups(same)}. Whoever marks "
        f"one of them marks all.{left}",
        "one answer", evidence.options, *asked, asks=bool(others),
    )  # fmt: skip


def _coded(answers: Mapping[str, int]) -> dict[str, str]:
    """Codes that stand alone and before their own label, too: "1" beside "1 - never"."""
    labels: dict[str, list[str]] = {}
    for label in answers:
        if match := _LABELLED.fullmatch(label):
            labels.setdefault(match[1], []).append(label)
    return {code: several[0] for code, several in labels.items() if len(several) == 1 and code in answers}


def _with_labels(evidence: Evidence, name: str, answers: Mapping[str, int], coded: dict[str, str]) -> Assumption:
    shown = [f"“{code}” {plural(answers[code], 'time')}, “{label}” {plural(answers[label], 'time')}"
             for code, label in coded.items()]  # fmt: skip
    recode = (*evidence.options.of(name).recode, *coded.items())
    return assumed(
        AssumptionKind.SPELLING, name,
        f"“{name}” has codes with and without their label, read as different answers: {'; '.join(shown[:_GROUPS])}. "
        "Marking one alone leaves the other unprotected.",
        "different answers", evidence.options, own=(("a code is its label", {"recode": recode}),),
    )  # fmt: skip


def _groups(groups: Sequence[_Group]) -> str:
    return f"{'; '.join(map(_group, groups[:_GROUPS]))}{' and more' if len(groups) > _GROUPS else ''}"


def _group(same: _Group) -> str:
    return ", ".join(f"“{label}”{_UNLIKE * (label != twins.alike(label))} {plural(n, 'time')}" for label, n in same)


def orders(evidence: Evidence) -> Iterable[Assumption]:
    """Answers that stand in the order of a scale, known by its words."""
    for name in evidence.names:
        labels = tuple(evidence.answers(name))
        if evidence.options.of(name).order or evidence.columns.get(name) is None or len(labels) < 3:
            continue
        if order.scale(labels) == labels and tuple(sorted(labels)) != labels and not scales.is_certain(labels):
            yield assumed(
                AssumptionKind.ORDER, name,
                f"“{name}” has the {len(labels)} steps of a scale, read in its order: "
                f"{', '.join(f'“{label}”' for label in labels)}.",
                "in the order of the scale", evidence.options,
                own=(("by the alphabet", {"order": tuple(sorted(labels))}),
                     ("the other way round", {"order": labels[::-1]})),
                asks=False,
            )  # fmt: skip
