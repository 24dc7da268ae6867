"""Relations: by what two settings are compared, what an option is in words, and what is signed."""

from collections.abc import Sequence

from ldpapp import words
from ldpapp.compare.measures import Measure, Offer
from ldpapp.parts import widgets
from ldpapp.runtime.capture import Reach
from ldpapp.views.relations import names, sentences
from ldpapp.views.relations import view as views
from ldpapp.views.task import Signed
from ldpapp.words.language import t
from ldpcore.study import Study
from ldpcore.study import relations as task


def measures(study: Study, people: task.PairCounts) -> Sequence[Measure]:
    """How exact the difference is, and who is told apart."""
    view = views.current(study, people)
    one = view.best
    note = t("± 95 %, by {mechanism}, {setting}.", mechanism=widgets.named(one.key),
             setting=names.setting(view.options.setting))  # fmt: skip
    error = Measure(
        "error", t("Difference off by"), one.margin, sentences.points(one.margin, one.margin), t("points"), note=note
    )
    return [error, *(each for side in (0, 1) for each in _told(view, side))]


def _told(view: views.RelationsView, side: int) -> list[Measure]:
    exposure = view.best.exposures[side]
    if exposure is None:
        return []
    title = t("{question} told apart", question=names.question(view.compared.people.names[side]))
    return [
        Measure(
            f"told {side}", title, exposure.all_reports, words.of_100(exposure.all_reports), t("of 100 pairs"),
            Reach.INTERNAL, exposed=True, note=t("by all reports."),
        )
    ]  # fmt: skip


def option(study: Study, name: str) -> str:
    """An option, in words; "" where no number depends on it."""
    if name == "axis":
        return ""
    value = study.option(name)
    if name == "setting":
        return names.setting(value)
    if name == "about":
        return t("said of people like these") if value == "like" else t("said of these people")
    if name == "join":
        return t("only what is compared is asked") if value else t("every answer is asked for itself")
    if name == "groups":
        return t("groups by {question}", question=names.question(value)) if value else t("the usual groups")
    labels = names.several(value) if value else t("the usual ones")
    return {
        "answer": t("share of {labels}", labels=labels),
        "compare": t("{labels} compared", labels=labels),
        "versus": t("against {labels}", labels=labels),
    }[name]


def signed(study: Study, people: task.PairCounts) -> Signed | None:
    """Which two questions are asked how, what is hidden, and how exact it is."""
    view = views.current(study, people)
    one, compared = view.best, view.compared
    marked = [words.shorten(value, 40) for value in study.marks.values]
    both = bool(compared.mx.any() and compared.my.any()) or not study.marks
    rows = [
        (t("questions"), t("{groups} and {answers}", groups=people.names[0], answers=people.names[1])),
        (t("asked"), names.setting(view.options.setting)),
        (t("marked sensitive"), words.listing(marked) or t("nothing, so that every answer is protected")),
        (t("promised"), sentences.promised(study, both, one.shows_unmarked)),
        (t("people"), words.count(one.n)),
        (t("compared"), _sides(view)),
        (t("difference off by"), t("{margin} points (95 %)", margin=sentences.margin(one.margin))),
    ]
    return Signed(rows, [one.key])


def _sides(view: views.RelationsView) -> str:
    return t(
        "share of {answers}: {one} with {other}",
        answers=names.short(view.compared, 2),
        one=names.short(view.compared, 0),
        other=names.short(view.compared, 1),
    )


OFFER = Offer(measures, option)
