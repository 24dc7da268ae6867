"""Review: what a survey promises and costs, question by question, before it is signed."""

import itertools

from ldpapp import words
from ldpapp.compare import strip
from ldpapp.compute.surveys import surveys
from ldpapp.parts import budget, panels, widgets
from ldpapp.runtime import background
from ldpapp.state import view_options
from ldpapp.views.review import (
    cached,
    extras,
    folds,
    guide,
    lies,
    marking,
    planner,
    proposal,
    sentences,
    sidebar,
    table,
)
from ldpapp.views.review.guided import GuideState
from ldpapp.views.task import sorry
from ldpapp.words.language import t
from ldpcore.data import DataError
from ldpcore.study import Study
from ldpcore.study import review as task
from ldpcore.study.review.facts import facts


def page(asked: Study, people: task.SurveyTable) -> None:
    study = sidebar.here(asked)
    try:
        here = cached.asked(study, people)
    except DataError as error:  # nothing is marked, or everything
        _refused(study, people, error)
        return
    rows = cached.rows(study, people, here.focus(people.asked_in(study.column)))
    known = facts(study, people, rows)
    main = known.focus()
    _guide(GuideState(study, people, known))
    why = "" if main.own is not None else widgets.escape(task.refusal(study, people, here, main.asked.name))
    sentence = sentences.headline(known, main, widgets.escape, widgets.sensitive(sentences.kind(main)), why)
    private, secret = here.spent_by_level
    widgets.sentence(sentence, sentences.signed(len(here.hidden), private, secret if here.leveled else None))
    strip.here()
    budget.on_phone(study, words.plural(len(here.hidden), t("hidden question"), t("hidden questions")))
    panels.row(
        [lambda: table.panel(study, people, known, main), lambda: lies.panel(known)],
        lambda: planner.panel(known),
        widths=[68, 32],
    )
    folds.show(study, people, here, main)
    work = [surveys(study, people), extras.work(study, people, main)]
    background.steps(itertools.chain(*work, known.trying() if guide.ended() else ()), study)


def _refused(study: Study, people: task.SurveyTable, why: DataError) -> None:
    """Nothing is marked, which is where one marks, or everything."""
    everything = bool(proposal.marked(study))
    if not everything and not view_options.look(sidebar.GUIDE):
        view_options.choose(sidebar.GUIDE, marking.STEP)
    _guide(GuideState(study, people))
    if everything:
        sorry(why.sentence, why.why, hint=why.hint)
    else:
        marking.nothing(people)


def _guide(asked: GuideState) -> None:
    guide.bar(asked)
    panels.show(lambda: guide.panel(asked))
