"""The table that invents: a cross-table of raw reports hides a relation, or turns it round."""

from dataclasses import dataclass
from typing import Any

from ldpapp import words
from ldpapp.compute import bundled
from ldpapp.views.learn.lesson import Lesson, Note, QuizQuestion, among
from ldpapp.views.learn.pictures import Bar, bars
from ldpapp.views.papers.live import Live
from ldpapp.words.language import t
from ldpcore.study import Marks, Source, Study, relations, review
from ldpcore.study.relations.facts import facts
from ldpcore.study.relations.mechanism import RelationFacts

DATA, COLUMN, YES = "census", "income", ">50K"
GROUPS, MECHANISM = "marital-status", "GRR"
BROKEN = ("Divorced", "Separated", "Widowed", "Married-spouse-absent")
OTHERS = ("Married-civ-spouse", "Never-married", "Married-AF-spouse")
TIMES = 100
"""So many times as many people are asked about."""


@dataclass(frozen=True, eq=False)
class InventedTable:
    """The two questions asked so, through one mechanism. truth: the difference of the groups, in points."""

    study: Study
    truth: float
    of: RelationFacts


def _study(setting: str) -> Study:
    marks = Marks.of([*review.written(GROUPS, BROKEN), *review.written(COLUMN, (YES,))])
    made = Study(Source(DATA), COLUMN, marks, (MECHANISM,), grid=(), repetitions=3, task="relations")
    asked: dict[str, Any] = {"groups": GROUPS, "answer": (YES,), "compare": BROKEN, "versus": OTHERS, "join": True}
    return made.with_options(setting=setting, **asked)


def _found(x: str) -> InventedTable:
    study = _study(x)
    known = facts(study, relations.prepare(study, bundled(DATA)))
    return InventedTable(study, known.truth, known.parts[MECHANISM])


def _way(points: float) -> str:
    """ "3.1 commoner"."""
    return t("{n} rarer", n=words.rounded(points)) if points < 0 else t("{n} commoner", n=words.rounded(points))


def _in_points(points: float) -> str:
    """ "17 points rarer"."""
    return (
        t("{n} points rarer", n=words.rounded(points))
        if points < 0
        else t("{n} points commoner", n=words.rounded(points))
    )


def _title(found: InventedTable) -> str:
    return t(
        "Living apart: high incomes are {truth}; raw reports average {raw}.",
        truth=_in_points(found.truth),
        raw=_way(found.of.raw_expected),
    )


def _picture(found: InventedTable) -> None:
    truth = found.of.compared.freq
    after, others = found.of.sides(truth)
    raw_after, raw_others = found.of.sides(found.of.design.raw(truth))
    longest = max(after, others, raw_after, raw_others)
    rows = (
        (t("Truth: living apart"), after, False),
        (t("others"), others, False),
        (t("Raw: living apart"), raw_after, True),
        (t("others"), raw_others, True),
    )
    bars(*(Bar(says, words.share(share), share / longest, chosen=raw) for says, share, raw in rows))


def _question(found: InventedTable) -> QuizQuestion:
    # Whoever takes the raw table's error for chance expects it to fall with the root of the people.
    by_chance = found.truth + (found.of.raw_expected - found.truth) / TIMES**0.5
    options, place = among(found.of.raw_expected, (found.truth, by_chance), words.signed_points)
    return QuizQuestion(
        t("With {n} times the people, which difference do raw reports say, on average?", n=TIMES),
        options,
        place,
        t(
            "More people do not mend that. They mend the estimate: ±{now} becomes ±{then} points.",
            now=f"{found.of.margin:.1f}",
            then=f"{found.of.margin / TIMES**0.5:.2g}",
        ),
    )


INVENTED = Lesson(
    key="invented",
    name=lambda: t("The table that invents"),
    label=lambda: t("Asked"),
    values=("apart", "as one"),
    usual="as one",
    found=_found,
    title=_title,
    picture=_picture,
    question=_question,
    note=lambda: Note(
        6,
        t("The reports are in: who would count them in a table, and believe it?"),
        t(
            "“Noise only makes it fuzzy.” Reports of two separate questions hide a relation; those of a pair asked as "
            "one make another, of any sign, and more people make it surer. Only the estimate takes the draw out again. "
            "Relations shows one survey, which is a little off the average."
        ),
    ),
    link=lambda found: Live(found.study, "relations_compared"),
    say=lambda x: {"apart": t("separately"), "as one": t("as one")}[x],
)
