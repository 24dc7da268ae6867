"""The sentences of the Review page, computed."""

from collections.abc import Callable, Mapping, Sequence

from ldpapp import words
from ldpapp.words.language import t
from ldpcore.study.review.facts import QuestionFacts


def kind(fact: QuestionFacts) -> str:
    """What a page calls the answers that it is about."""
    return t("secret") if fact.secretly else t("sensitive")


def headline(fact: QuestionFacts, named: Callable[[str], str], sensitive: str, why: str = "") -> str:
    """What is told apart by the own report, and with everything else. named: a question as markup. sensitive: `kind` as
    markup. why: where it cannot be attacked.
    """
    holes = {"eps": words.epsilon(fact.epsilon), "question": named(fact.asked.name), "sensitive": sensitive}
    if fact.own is None:
        holes |= {"error": words.margin(fact.mse**0.5), "why": why}
        return t("At ε = {eps}, a {sensitive} {question} is off by {error} points. {why}", **holes)
    holes["own"] = words.of_100(fact.own)
    if fact.pairs is None:
        return t(
            "At ε = {eps}, a {sensitive} {question} is told apart from another answer in {own} of 100 pairs by its own "
            "report. Other answers are not looked at.",
            **holes,
        )
    holes["every"] = words.of_100(fact.pairs)
    if fact.interval is not None:
        low, high = map(words.of_100, fact.interval)
        holes["every"] = t("{n} ({low}–{high})", n=holes["every"], low=low, high=high)
    if fact.worst is None:
        return t(
            "At ε = {eps}, a {sensitive} {question} is told apart from another answer in {own} of 100 pairs by its own "
            "report, in {every} with the other answers beside it. No other answer alone gives it away.",
            **holes,
        )
    return t(
        "At ε = {eps}, a {sensitive} {question} is told apart from another answer in {own} of 100 pairs by its own "
        "report, in {every} with the other answers beside it. Worst giver: <b>{giver}</b>.",
        giver=named(words.shorten(fact.worst.column, 30)),
        **holes,
    )


def signed(questions: int, epsilon: float, secret: float | None = None) -> str:
    """The headline without what compares with the true answers. secret: the ε of secret ones, where there are any."""
    asked = words.plural(questions, t("question"), t("questions"))
    if secret is not None:
        return t(
            "The marked answers to {asked} are hidden: private ones at ε = {eps}, secret ones at ε = {secret}.",
            asked=asked,
            eps=words.epsilon(epsilon),
            secret=words.epsilon(secret),
        )
    return t("At ε = {eps} the marked answers to {asked} are hidden.", eps=words.epsilon(epsilon), asked=asked)


def surest(fact: QuestionFacts, question: str) -> str:
    """What "told apart" does not mean."""
    if fact.surest is None or fact.most is None:
        return ""
    return t(
        "<b>Told apart in {told} of 100 pairs</b> does not mean that {told} of 100 people are found out. Of two "
        "people, one with a {kind} {question} and one without, the right one is picked so often; guessing gets 50. "
        "Of the hundredth of all people whom the attacker is surest of, <b>{surest} of 100</b> hold one; of everybody, "
        "{marked}. Better attackers than ours may reach more.",
        told=words.of_100(fact.most),
        kind=kind(fact),
        question=question,
        surest=words.of_100(fact.surest),
        marked=words.share(fact.told["marked"]),
    )


def by_whom(fact: QuestionFacts, question: str) -> str:
    """What a secret answer is told apart by: its own report, all others, both; "" where that is not known."""
    if fact.own is None or fact.others is None or fact.pairs is None:
        return ""
    return t(
        "A secret {question} is told from any other answer by its own report in <b>{own}</b> of 100 pairs, by the "
        "other answers alone in <b>{others}</b>, by both in <b>{both}</b>.",
        question=question,
        own=words.of_100(fact.own),
        others=words.of_100(fact.others),
        both=words.of_100(fact.pairs),
    )


def gained(fact: QuestionFacts, price: float, question: str) -> str:
    """What it buys that the private answers are not secret. price: what they would err as secret ones."""
    return t(
        "If all its marked answers were secret, the private ones of <b>{question}</b> would be off by {price} points "
        "in place of {error}.",
        question=question,
        price=words.margin(price**0.5),
        error=words.margin(fact.levels["private"] ** 0.5),
    )


def drowned(found: Mapping[str, Sequence[str]], named: Callable[[str], str], most: int = 4) -> str:
    """Marked answers that are rarer than their own margin; "" where there are none. most: of a question are named."""
    rare = []
    for question, answers in found.items():
        few = [named(words.shorten(answer, 30)) for answer in answers[:most]]
        if len(answers) > most:
            few.append(t("{n} more", n=len(answers) - most))
        rare.append(
            t("{answers} ({question})", answers=words.listing(few), question=named(words.shorten(question, 30)))
        )
    if not rare:
        return ""
    return t(
        "<b>Too rare to measure</b> with these settings: {answers}. Fewer people give them than the margin is wide, so "
        "that the survey cannot tell a few from none. More people or a larger ε help.",
        answers="; ".join(rare),
    )


def copied(found: Mapping[str, Sequence[str]], named: Callable[[str], str]) -> str:
    """Open questions that decide hidden ones; "" where none does."""
    lines = [
        t(
            "<b>{open} is sent openly and decides {question}</b>: whoever sees it knows of everybody whether the "
            "answer is sensitive. Hide it too, or do not ask it.",
            open=words.listing(named(name) for name in names),
            question=named(question),
        )
        for question, names in found.items()
    ]
    return "<br>".join(lines)
