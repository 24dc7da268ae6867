"""Review: by what two settings of a survey are compared, always about the same question."""

from collections.abc import Callable, Sequence

from ldpapp import compute, widgets, words
from ldpapp.language import t
from ldpapp.record import Reach
from ldpapp.settings import Gap, Measure, Offer
from ldpapp.task import Signed
from ldpapp.tasks.review import cached, facts
from ldpapp.tasks.review import study as own
from ldpapp.tasks.review.facts import Fact
from ldpcore.data import DataError
from ldpcore.study import Study
from ldpcore.study import review as task


def about(study: Study, people: task.People) -> str:
    """The question that the page speaks of."""
    apart = [name for name, one in cached.asked(own.here(study), people).hidden.items() if one.apart]
    return study.column if study.column in apart else apart[0]


def measures(study: Study, people: task.People) -> Sequence[Measure]:
    """Error and exposure of the question in focus, what the whole report promises, and the errors of all others."""
    here, question = cached.asked(own.here(study), people), study.column
    total = here.promised()
    promise = Measure("promise", t("ε of a whole report"), total, words.epsilon(total), "ε", note=t("at most."))
    errors = here.errors()
    asked = [_off(name, here.hidden.get(name), errors.get(name), name != question) for name in people.questions]
    if question not in people.questions:
        return [promise, *asked]
    told = t("{question} told apart", question=_title(question))
    pairs = t("of 100 pairs")
    if question not in here.hidden:
        open_ = Measure("told", told, 1.0, "100", pairs, Reach.INTERNAL, exposed=True, note=t("sent openly."))
        return [promise, *asked, open_]
    most = _fact(own.here(study), people, question).most
    seen = Measure(
        "told", told, most, "…" if most is None else words.of_100(most), pairs, Reach.INTERNAL, exposed=True,
        note=t("by all that the attacker sees."), gap=_gap(own.here(study), people, question),
    )  # fmt: skip
    return [promise, *asked, seen]


def _title(question: str) -> str:
    return widgets.escape(words.shorten(question, 30))


def _off(question: str, one: task.Hidden | None, errors: tuple[float, float] | None, aside: bool) -> Measure:
    """What a question's marked answers are off by; None: it is sent openly."""
    title = t("{question} off by", question=_title(question))
    if one is None or errors is None:
        return Measure(f"error {question}", title, 0.0, t("exact"), t("points"), note=t("sent openly."), aside=aside)
    off = errors[1] ** 0.5
    note = t("± 95 %, all answers.") if one.marked.all() else t("± 95 %, marked answers.")
    return Measure(f"error {question}", title, off, words.margin(off), t("points"), note=note, aside=aside)


def _fact(study: Study, people: task.People, question: str) -> Fact:
    """What is known of a hidden question so far."""
    return facts.facts(study, people, cached.asked(study, people), compute.kept(study, people))[question]


def _gap(study: Study, people: task.People, question: str) -> Callable[[Study, task.People], Gap | None]:
    def gap(kept: Study, then: task.People) -> Gap | None:
        """Once all attackers have tried in both; None where one of them has nobody to attack."""
        other = own.here(kept)
        if question not in cached.asked(other, then).hidden:
            return None
        if not (_tried(other, then, question) and _tried(study, people, question)):
            return None
        found = task.compare(other, study, then, question, people)
        return Gap(found.gap, found.low, found.high)

    return gap


def _tried(study: Study, people: task.People, question: str) -> bool:
    fact = _fact(study, people, question)
    return fact.interval is not None or (fact.own is not None and fact.pairs is None)


def option(study: Study, name: str) -> str:
    value = study.option(name, task.OPTIONS.get(name))
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
    if name == "ranges":
        stated = words.listing(widgets.escape(text.replace("..", "–")) for text in value[:3])
        return t("public ranges {ranges}", ranges=stated) if value else t("no public range stated")
    return ""


def signed(study: Study, people: task.People) -> Signed | None:
    """Question by question what is signed; None where there is no survey to sign yet."""
    try:
        here = cached.asked(own.here(study), people)
    except DataError:  # nothing is marked
        return None
    errors = here.errors()
    rows = [(t("people"), words.count(here.n)), (t("who answers"), option(study, "scheme"))]
    rows += [(name, _of_question(one, errors[name])) for name, one in here.hidden.items()]
    rows.append((t("open, exact"), words.listing(here.open) or t("nothing")))
    rows.append((t("ε of all that one person sends"), t("at most {eps}", eps=words.epsilon(here.promised()))))
    rows.append((t("reviewed against"), option(study, "attacker")))
    return Signed(rows, list(dict.fromkeys(one.key for one in here.hidden.values())))


def _of_question(one: task.Hidden, errors: tuple[float, float]) -> str:
    holes = {"key": one.key, "eps": words.epsilon(one.epsilon), "off": words.margin(errors[1] ** 0.5)}
    if one.marked.all():
        return t("all answers hidden by {key}, ε = {eps}, {off} points (95 %)", **holes)
    marks = words.listing(words.shorten(label, 40) for label in one.marks)
    return t("{marks} hidden by {key}, ε = {eps}, {off} points (95 %)", marks=marks, **holes)


OFFER = Offer(measures, option, lambda study, people: own.here(study), about)
