"""Budgets add up: a miner that pays a little for each of very many counts."""

from dataclasses import dataclass

from ldpapp import words
from ldpapp.compute import bundled
from ldpapp.views.learn.lesson import Lesson, Note, QuizQuestion, among
from ldpapp.views.learn.pictures import Bar, bars
from ldpapp.views.papers.live import Live
from ldpapp.words.language import t
from ldpcore.itemsets import Ledger
from ldpcore.study import Source, Study, fit, itemsets
from ldpcore.study.itemsets import curves

DATA, COLUMN, MINER = "groceries", "items", "DFDP"


@dataclass(frozen=True, eq=False)
class Bill:
    """What the miner spends at s per count, and when all of it must cost `whole`."""

    study: Study
    s: float
    ledger: Ledger
    whole: float
    within: Ledger


def _found(x: str) -> Bill:
    bare = Study(Source(DATA), COLUMN, mechanisms=(MINER, "SmartTrunc"), grid=(), repetitions=1, task="itemsets")
    usual, _ = fit(bare, bundled(DATA))
    data = itemsets.prepare(usual, bundled(DATA))
    along, _ = fit(curves.along(usual, "s").with_options(s=float(x)), bundled(DATA))
    per_count = itemsets.mine(along, data, MINER, float(x)).ledger
    return Bill(along, float(x), per_count, usual.epsilon, itemsets.mine(usual, data, MINER, usual.epsilon).ledger)


def _title(found: Bill) -> str:
    return t(
        "On paper, {n} counts at s = {s} each add up to ε = {total}.",
        n=words.count(found.ledger.numbers),
        s=words.epsilon(found.s),
        total=words.decimals(found.ledger.total),
    )


def _picture(found: Bill) -> None:
    longest = max(spend.epsilon for spend in found.ledger.spends)
    bars(
        *(
            Bar(
                t("{n} sets of {length}", n=words.count(spend.numbers), length=spend.length),
                t("ε = {eps}", eps=words.decimals(spend.epsilon)),
                spend.epsilon / longest,
                chosen=spend.epsilon == longest,
            )
            for spend in found.ledger.spends
        )
    )


def _question(found: Bill) -> QuizQuestion:
    others = len(found.within.spends), found.within.spends[0].numbers
    options, place = among(found.within.numbers, others, _part)
    return QuizQuestion(
        t("Only ε = {eps} in all: which part of it is left for one count?", eps=words.epsilon(found.whole)),
        options,
        place,
        t("It must count {n} sets, and pays for each.", n=words.count(found.within.numbers)),
    )


def _part(counts: float) -> str:
    return words.one_in(1 / counts).replace(" in ", "/")


BUDGETS = Lesson(
    key="budgets",
    name=lambda: t("Budgets add up"),
    label=lambda: t("s of one count"),
    values=("0.05", "0.1", "0.2", "0.5"),
    usual="0.2",
    found=_found,
    title=_title,
    picture=_picture,
    question=_question,
    note=lambda: Note(
        4,
        t("You answer one small question every day for a year. What have you told?"),
        t(
            "“0.2 is small” is all that stays. Ask what they would say to the sum. A paper may call it differentially "
            "private nevertheless: the last lesson is about such a claim."
        ),
    ),
    link=lambda found: Live(found.study, "ledger", {"fold_itemsets_bill": "True"}),
)
