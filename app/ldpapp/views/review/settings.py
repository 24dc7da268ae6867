"""Review: by what two settings of a survey are compared, always about the same question."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ldpapp import compute, words
from ldpapp.compare.measures import Gap, Measure, Offer
from ldpapp.parts import widgets
from ldpapp.runtime.capture import Reach
from ldpapp.views.review import cached, first_page, sentences, sidebar
from ldpapp.views.task import Signed
from ldpapp.words.language import t
from ldpcore.data import DataError
from ldpcore.study import Study
from ldpcore.study import review as task
from ldpcore.study.review.compare import compared
from ldpcore.study.review.facts import QuestionFacts, ReviewFacts, facts


def about(study: Study, people: task.SurveyTable) -> str:
    """The question that the page speaks of."""
    return cached.asked(sidebar.here(study), people).focus(people.asked_in(study.column))


def measures(study: Study, people: task.SurveyTable) -> Sequence[Measure]:
    """Error and exposure of the question in focus, what the whole report promises, and the errors of all others."""
    here, question = cached.asked(sidebar.here(study), people), people.asked_in(study.column)
    total = here.promised()
    promises = [Measure("promise", t("ε of a whole report"), total, words.epsilon(total), "ε", note=t("at most."))]
    if here.leveled:
        secret = here.promised(secret=True)
        told = t("ε of all secret answers")
        promises.append(Measure("promise secret", told, secret, words.epsilon(secret), "ε", note=t("at most.")))
    asked = []
    for name in people.questions:
        one = here.hidden.get(name)
        asked.append(_off(name, one, here.margin_of(name, one.marked) if one else 0.0, name != question))
    asked += [
        _off_secret(name, here.margin_of(name, one.secret), name != question)
        for name, one in here.hidden.items()
        if one.secret.any()
    ]
    if question not in people.questions:
        return [*promises, *asked]
    told = t("{question} told apart", question=_title(question))
    pairs = t("of 100 pairs")
    if question not in here.hidden:
        open_ = Measure("told", told, 1.0, "100", pairs, Reach.INTERNAL, exposed=True, note=t("sent openly."))
        return [*promises, *asked, open_]
    fact = _known(sidebar.here(study), people).every[question]
    seen = [_seen("told", told, fact, _gap(sidebar.here(study), people, question))]
    if fact.secret is not None:
        told = t("secret {question} told apart", question=_title(question))
        seen.append(_seen("told secret", told, fact.secret, _gap(sidebar.here(study), people, question, secret=True)))
    return [*promises, *asked, *seen]


def _seen(key: str, told: str, fact: QuestionFacts, gap: Callable[[Study, task.SurveyTable], Gap | None]) -> Measure:
    return Measure(
        key, told, fact.most, "…" if fact.most is None else words.of_100(fact.most), t("of 100 pairs"), Reach.INTERNAL,
        exposed=True, note=t("by all that the attacker sees."), gap=gap,
    )  # fmt: skip


def _title(question: str) -> str:
    return widgets.escape(words.shorten(question, 30))


def _off(question: str, one: task.Hidden | None, off: float, aside: bool) -> Measure:
    """What a question's marked answers are off by at most; one None: it is sent openly."""
    title = t("{question} off by", question=_title(question))
    if one is None:
        return Measure(f"error {question}", title, 0.0, t("exact"), t("points"), note=t("sent openly."), aside=aside)
    note = t("± 95 %, at most, of all answers.") if one.marked.all() else t("± 95 %, at most, of marked answers.")
    return _error(f"error {question}", title, off, note, aside)


def _off_secret(question: str, off: float, aside: bool) -> Measure:
    """What a question's secret answers are off by at most."""
    title, note = t("secret {question} off by", question=_title(question)), t("± 95 %, at most, of secret answers.")
    return _error(f"error {question} secret", title, off, note, aside)


def _error(key: str, title: str, off: float, note: str, aside: bool) -> Measure:
    """An exact error, which tells shares to whoever calculates: no published report has it."""
    return Measure(key, title, off, words.points(off), t("points"), Reach.INTERNAL, note=note, aside=aside)


def _known(study: Study, people: task.SurveyTable) -> ReviewFacts:
    """What is known so far."""
    return facts(study, people, compute.kept(study, people))


def _gap(
    study: Study, people: task.SurveyTable, question: str, secret: bool = False
) -> Callable[[Study, task.SurveyTable], Gap | None]:
    def gap(kept: Study, then: task.SurveyTable) -> Gap | None:
        found = compared(_known(sidebar.here(kept), then), _known(study, people), question, secret)
        return None if found is None else Gap(found.gap, found.low, found.high)

    return gap


def option(study: Study, name: str) -> str:
    value: Any = "" if name == "axis" else study.option(name)
    if name in ("scheme", "budget", "attacker"):
        return {
            "all": t("everybody answers all questions"),
            "one": t("everybody answers one question"),
            "question": t("ε per question"),
            "person": t("ε per person"),
            "every": t("the attacker sees every report"),
            "own": t("the attacker sees one report"),
        }[value]
    if name == "columns":
        return t("{n} questions", n=len(value)) if value else t("every question")
    if name == "hidden":
        names = words.listing(widgets.escape(words.shorten(each, 24)) for each in value[:3])
        return t("{names} hidden as a whole", names=names) if value else t("no other question hidden")
    if name == "as_one":
        pairs = words.listing(widgets.escape(words.shorten(each, 40)) for each in value[:3])
        return t("{pairs} asked as one", pairs=pairs) if value else t("every question asked by itself")
    if name == "known":
        names = words.listing(widgets.escape(words.shorten(each, 24)) for each in value[:3])
        return t("{names} known to an attacker", names=names) if value else t("nothing else known to an attacker")
    if name == "within":
        return t("{within} points wanted", within=words.points(value)) if value else t("no error wanted")
    if name == "parts":
        return t("ε per question") if value else t("one ε for all questions")
    if name == "title":
        return t("called “{title}”", title=widgets.escape(words.shorten(value, 40))) if value else t("no title")
    if name == "denying":
        return t("1 in {n} deny", n=words.count(value))
    if name == "ranges":
        stated = words.listing(widgets.escape(text.replace("..", "–")) for text in value[:3])
        return t("public ranges {ranges}", ranges=stated) if value else t("no public range stated")
    return ""


def signed(study: Study, people: task.SurveyTable) -> Signed | None:
    """Question by question what is signed; None where there is no survey to sign yet."""
    try:
        here = cached.asked(sidebar.here(study), people)
    except DataError:  # nothing is marked
        return None
    planned = [] if study.n is None else [(t("answered all in the file"), words.count(people.n))]
    rows = [(t("people"), words.count(here.n)), *planned]
    rows.append((t("who answers"), option(study, "scheme")))
    rows += [(name, _of_question(one)) for name, one in here.hidden.items()]
    openly = [sentences.in_classes(people, name) for name in here.open]
    rows.append((t("open, exact"), words.listing(openly) or t("nothing")))
    rows += [(t("not asked, known"), words.listing(here.known))] if here.known else []
    most = t("at most {eps}", eps=words.epsilon(here.promised()))
    if here.leveled:
        alone = words.epsilon(here.promised(secret=True))
        most = t("{most}; of the secret answers alone {alone}", most=most, alone=alone)
    if here.rows > 1:
        most = t("{most}, in up to {rows} rows of the file", most=most, rows=words.count(here.rows))
    rows.append((t("ε of all that one person sends"), most))
    rows.append((t("reviewed against"), option(study, "attacker")))
    known = _known(sidebar.here(study), people)
    used = list(dict.fromkeys(one.key for one in here.hidden.values()))
    page = partial(first_page.markup, known)
    return Signed(rows, used, _exposures(known), page, study.option("title"), here.spent_by)


def _exposures(known: ReviewFacts) -> list[tuple[str, str]]:
    """Who stays exposed, question by question, where some answers are secret."""
    if not known.asked.leveled:
        return []
    return [(name, _exposed(fact)) for name, fact in known.every.items() if fact.own]


def _exposed(fact: QuestionFacts) -> str:
    """What an attacker of our own managed, level by level."""
    every = t("all marked answers") if not fact.secretly else t("the secret answers")
    told = [t("{answers}: {by}", answers=every, by=_by(fact))]
    if fact.secret is not None and fact.secret.own:
        told.append(t("the secret ones alone: {by}", by=_by(fact.secret)))
    return "; ".join(told)


def _by(fact: QuestionFacts) -> str:
    by = [t("{n} by the own report", n=words.of_100(fact.own or 0.5))]
    if fact.others is not None:
        by.append(t("{n} by the other answers", n=words.of_100(fact.others)))
    if fact.pairs is not None:
        by.append(t("{n} by all", n=words.of_100(fact.pairs)))
    return ", ".join(by)


def _of_question(one: task.Hidden) -> str:
    if one.secret.any():
        return _of_levels(one)
    holes = {"key": one.key, "eps": words.epsilon(one.epsilon)}
    if one.marked.all():
        return t("all answers hidden by {key}, ε = {eps}", **holes)
    marks = words.listing(words.shorten(label, 40) for label in one.marks)
    return t("{marks} hidden by {key}, ε = {eps}", marks=marks, **holes)


def _of_levels(one: task.Hidden) -> str:
    """What is secret, private and public of a question, with the ε of each."""
    secret, private = (words.listing(words.shorten(label, 40) for label in one.named(part))
                       for part in (one.secret, one.private))  # fmt: skip
    said = [t("secret: {marks}, ε = {eps}", marks=secret, eps=words.epsilon(one.secret_epsilon))]
    if one.private.any():
        said.append(t("private: {marks}, ε = {eps}", marks=private, eps=words.epsilon(one.epsilon)))
    others = int((~one.marked).sum())
    if others:
        said.append(t("public: {answers}", answers=words.plural(others, t("other answer"), t("other answers"))))
    return t("{levels}; by {key}", levels="; ".join(said), key=one.key)


OFFER = Offer(measures, option, lambda study, people: sidebar.here(study), about)
