"""The sentences of the Review page, computed."""

from collections.abc import Callable, Mapping, Sequence

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.words.language import t
from ldpcore.data.baskets import NO, YES
from ldpcore.study import review
from ldpcore.study.review.facts import QuestionFacts, ReviewFacts
from ldpcore.study.review.safer import EACH, HALF, ONE

MOST = 4
"""Answers that the headline names."""


def kind(fact: QuestionFacts) -> str:
    """What a page calls the answers that it is about."""
    return t("secret") if fact.secretly else t("sensitive")


def headline(
    known: ReviewFacts, main: QuestionFacts, named: Callable[[str], str], sensitive: str, why: str = ""
) -> str:
    """What is learned of the marked answers, and who is told apart. named: a question as markup. sensitive: `kind` as
    markup. why: where the one in focus cannot be attacked.
    """
    return f"{learned(known, named)} {exposed(known, main, named, sensitive, why)}"


def learned(known: ReviewFacts, named: Callable[[str], str]) -> str:
    """How exact the marked answers are, and which are too rare to be measured."""
    least = known.margin
    rare = {name: fact.rare for name, fact in known.every.items() if fact.rare}
    if least is None and sum(map(len, rare.values())) == 1:
        return t("<b>The marked answer cannot be measured:</b> it is rarer than its margin.")
    if least is None:
        return t("<b>No marked answer can be measured:</b> each is rarer than its margin.")
    margin = words.points(least)
    best = words.points(min(fact.margin for fact in known.every.values() if fact.learned))
    if best != margin:
        margin = t("{best} to {worst}", best=best, worst=margin)
    if not rare:
        return t("Marked answers are measured to {margin} points.", margin=margin)
    answers = [
        t("{question}: {answer}", question=named(words.shorten(name, 24)), answer=named(each))
        if each.casefold() in YES | NO
        else named(words.shorten(each, 24))
        for name, of_question in rare.items()
        for each in of_question
    ]
    if len(answers) > MOST:
        answers = [
            t("{n} of {question}", n=words.plural(len(few), t("answer"), t("answers")), question=named(name))
            for name, few in rare.items()
        ]
    if len(answers) > MOST:
        return t("Marked answers are measured to {margin} points, or <b>too rare to measure</b>.", margin=margin)
    return t(
        "Marked answers are measured to {margin} points; <b>too rare to measure</b>: {answers}.",
        margin=margin,
        answers=words.listing(answers),
    )


def exposed(known: ReviewFacts, main: QuestionFacts, named: Callable[[str], str], sensitive: str, why: str = "") -> str:
    """Who is told apart: most, and as much within the error of an attack."""
    if main.most is None:
        return why
    attacked, shown = known.most_exposed_first, known.most_exposed
    first, *others = shown if len(shown) <= MOST else shown[: MOST - 1]
    holes = {"question": named(first.asked.name), "sensitive": sensitive, "told": words.of_100(first.most or 0.0)}
    private, secret = known.asked.spent_by_level
    holes["eps"] = words.span(secret if first.secretly else private, to="–")
    if first.secretly != main.secretly:
        holes["sensitive"] = kind(first)
    text = t(
        "At ε = {eps}, {sensitive} answers to {question} are told apart in <b>{told}</b> of 100 pairs (guessing: 50)",
        **holes,
    )
    beside = [
        t("{question} in <b>{told}</b>", question=named(each.asked.name), told=words.of_100(each.most or 0.0))
        for each in others
    ]
    if (more := len(shown) - 1 - len(others)) > 0:
        beside.append(t("{n} others in fewer", n=words.count(more)))
    text = t("{first}, {others}", first=text, others=words.listing(beside)) if beside else text
    filling = any(fact.attacked and fact.pairs is not None and fact.interval is None for fact in attacked)
    return t("{told} so far.", told=text) if filling else t("{told}.", told=text)


def signed(questions: int, spent: tuple[float, float], secret: tuple[float, float] | None = None) -> str:
    """The headline without what compares with the true answers. spent: the least and the largest ε of a report. secret:
    those of secret answers, where there are any.
    """
    asked = words.plural(questions, t("question"), t("questions"))
    if secret is not None:
        return t(
            "The marked answers to {asked} are hidden: private ones at ε = {eps}, secret ones at ε = {secret}.",
            asked=asked,
            eps=words.span(spent, to="–"),
            secret=words.span(secret, to="–"),
        )
    return t("At ε = {eps} the marked answers to {asked} are hidden.", eps=words.span(spent, to="–"), asked=asked)


def surest(fact: QuestionFacts, question: str) -> str:
    """What "told apart" does not mean."""
    if fact.surest is None or fact.most is None:
        return ""
    tried = t("simulated")
    if fact.surest_alone is not None:
        tried = t("simulated; by the own report alone {n}, exact", n=words.of_100(fact.surest_alone))
    return t(
        "<b>Told apart in {told} of 100 pairs</b> does not mean that {told} of 100 people are found out. Of two "
        "people, one with a {kind} {question} and one without, the right one is picked so often; guessing gets 50. "
        "Of the hundredth of all people whom the attacker is surest of, <b>{surest} of 100</b> hold one ({tried}); of "
        "everybody, {marked}. Better attackers than ours may reach more.",
        tried=tried,
        told=words.of_100(fact.most),
        kind=kind(fact),
        question=question,
        surest=words.of_100(fact.surest),
        marked=words.share(fact.held),
    )


def answer(fact: QuestionFacts, label: str) -> str:
    """An answer as a page names it, of numbers from which to which."""
    (written,) = fact.survey.data.said(fact.asked.name, [label])
    return words.shorten(review.MARKS.written(written, t(" to ")), 28)


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


def beaten_by_none(fact: QuestionFacts) -> str:
    """What the attack comes near to, where one open answer is all that is sent beside the report; else ""."""
    if fact.best_pairs is None or fact.adds_nothing:  # then the dot is no attack
        return ""
    return t(
        "Exact, with the one open answer: nobody tells apart more than <b>{best} of 100</b> pairs; the dot is an "
        "attack on some of these people.",
        best=words.of_100(fact.best_pairs),
    )


def gained(fact: QuestionFacts, price: float, question: str) -> str:
    """What it buys that the private answers are not secret. price: what they would be off by at most as secret ones."""
    return t(
        "If all its marked answers were secret, the private ones of <b>{question}</b> would be off by up to {price} "
        "points in place of {error}.",
        question=question,
        price=words.points(price),
        error=words.points(fact.margins_by_level["private"]),
    )


def in_classes(data: review.SurveyTable, name: str) -> str:
    """An open question as it is named on paper: of numbers, which are asked in classes, with how wide these are."""
    width = data.width(name)
    return name if width is None else t("{name} in {width}s", name=name, width=words.plain(width))


def proof(known: ReviewFacts) -> str:
    """The open answer that proves a hidden one, of most people; "" where none does."""
    if not known.proofs:
        return ""
    hidden, proof = next(iter(known.proofs.items()))
    spans = [review.MARKS.written(each, t(" to ")) for each in known.data.said(proof.question, list(proof.answers))]
    named = words.listing([words.shorten(each, 24) for each in spans])
    if len(spans) > MOST:
        named = words.plural(len(proof.answers), t("answer"), t("answers"))
    holes = {
        "question": widgets.escape(words.shorten(proof.question, 24)),
        "answers": widgets.escape(named),
        "hidden": widgets.escape(words.shorten(hidden, 24)),
        "n": words.count(proof.people),
    }
    if proof.shown < 1:  # by reports of a question that is hidden, but for these answers
        return t(
            "<b>{question}: {answers}</b>, in {part} of 100 reports, <b>proves</b> a protected {hidden}, for all {n}.",
            **holes,
            part=words.of_100(proof.shown),
        )
    if proof.question in known.asked.known:
        return t(
            "<b>{question}: {answers}</b>, known anyway, <b>proves</b> a protected {hidden}, for all {n}.", **holes
        )
    return t(
        "<b>{question}: {answers}</b>, sent openly, <b>proves</b> a protected {hidden}, for all {n}: hide it or drop "
        "it.",
        **holes,
    )


def unlearned(known: ReviewFacts) -> str:
    """Of which questions no marked answer can be measured, though they cost ε; "" where that is said by `safer`."""
    names = known.unlearned
    if not names or len(names) == len(known.every) or known.odds_without is not None:
        return ""
    listed = widgets.escape(words.listing(words.shorten(name, 28) for name in names))
    return t("No marked answer to <b>{names}</b> can be measured: ask coarser, or not at all.", names=listed)


def together(known: ReviewFacts) -> str:
    """By how much all reports of a person raise the odds, and what is safer; "" where nothing is."""
    lines = safer(known)
    if not lines:
        return ""
    now = words.times(known.odds["person"], most=True)
    return t("All reports: odds up to {now}. {safer}", now=now, safer=lines[0])


def safer(known: ReviewFacts) -> list[str]:
    """What lowers the odds of all reports, and what it costs: a line, or none where they are not many times."""
    ways: list[str] = []
    if (then := known.odds_without) is not None:
        names = widgets.escape(words.listing(words.shorten(name, 28) for name in known.unlearned))
        odds = words.times(then, most=True)
        ways.append(t("without {names} (too rare): {odds}", names=names, odds=odds))
    texts = {EACH: t("each question its own ε"), ONE: t("one question each"), HALF: t("half of each ε")}
    missed = known.misses(known.widest)  # as it is: that is said above, and no news here
    for way in known.safer:
        holes = {"how": texts[way.how], "wider": words.ratio(way.wider, most=True)}
        line = t("{how}: {odds}, ×{wider}", odds=words.ratio(way.odds, most=True), **holes)
        if way is known.safer[0]:  # which says what the numbers are
            odds = words.ratio(way.odds, most=True) if ways else words.times(way.odds, most=True)
            line = t("{how}: {odds}, margins ×{wider}", odds=odds, **holes)
        ways.append(t("{way}, goal missed", way=line) if known.misses(way.hardest) and not missed else line)
    return [t("<b>Safer:</b> {ways}.", ways="; ".join(ways))] if ways else []


def left_out(known: ReviewFacts) -> str:
    """Who is left out for a gap in any question, and where most of the gaps are."""
    name, gaps = next(iter(known.data.gaps.items()))
    holes = {"left": words.count(known.data.dropped), "name": widgets.escape(words.shorten(name, 28))}
    if gaps == known.data.dropped:
        return t("Left out: {left} with a gap in {name}.", **holes)
    n = words.count(len(known.data.questions))
    return t("Left out: {left} with a gap in any of {n} questions; {gaps} of them in {name}.",
             n=n, gaps=words.count(gaps), **holes)  # fmt: skip


def copied(found: Mapping[str, Sequence[str]], named: Callable[[str], str]) -> str:
    """Open questions that decide hidden ones; "" where none does."""
    lines = [
        t(
            "<b>{open} is seen and decides {question}</b>: whoever sees it knows of everybody whether the answer is "
            "sensitive. Hide it too, or do not ask it.",
            open=words.listing(named(name) for name in names),
            question=named(question),
        )
        for question, names in found.items()
    ]
    return "<br>".join(lines)
