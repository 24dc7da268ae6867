"""What is behind a click: every group against all others, the planner, and the words of the page in a sentence each."""

from functools import partial

import numpy as np
import pandas as pd

from ldpapp import charts
from ldpapp.charts import ForestRow
from ldpapp.parts import panels, planner, widgets
from ldpapp.parts.panels import Chart, Html, Line, Panel, Part, Sheet
from ldpapp.views.relations import names, sentences
from ldpapp.views.relations.groups import MOST
from ldpapp.views.relations.view import RelationsView
from ldpapp.words.language import t
from ldpcore import catalog
from ldpcore.study.relations import SAMPLED, plans


def show(view: RelationsView) -> None:
    inside = t("each group against all other people, all intervals at once")
    panels.fold(
        "fold_relations_others", t("Every group against all others"), inside, lambda: panels.show(partial(others, view))
    )
    planner.fold("relations", partial(_planned, view))
    inside = t("odds ratio · independence · Cramér’s V · power · how intervals are made, a sentence each")
    panels.fold("fold_relations_words", t("What these words mean"), inside, lambda: panels.show(meanings))


def others(view: RelationsView) -> Panel:
    """Each group against all others together (Šidák)."""
    one, labels = view.best, view.compared.people.labels[0]
    gaps, answers = one.against_others, names.side(view.compared, 2)
    order = np.argsort([-row.size for row in one.groups], kind="stable")[:MOST]
    rows = [_row(view, int(place)) for place in order]
    figure = charts.forest(
        rows, key=one.key, ends=(-100.0, 100.0), unit=t("points"), zero=True, dark=widgets.is_dark(), width=452
    )
    subtitle = t("Share of {answers} in the group minus that among all others, points.", answers=answers)
    alt = t("One line for each of {n} groups.", n=len(rows))
    table = pd.DataFrame(
        {
            "group": labels,
            "difference, points": [100 * gap.value if gap.told else None for gap in gaps],
            "95 % from": [100 * gap.low if gap.told else None for gap in gaps],
            "95 % to": [100 * gap.high if gap.told else None for gap in gaps],
            "true difference (internal)": [100 * gap for gap in one.true_against_others],
        }
    )
    how = t("All {n} intervals hold at once in 95 of 100 surveys (Šidák), so that each is wider.", n=len(labels))
    parts: list[Part] = [Chart(figure, alt), Line(how)]
    return Panel("relations_others", t("Every group against all others"), parts, subtitle, [Sheet(table, "others")])


def _row(view: RelationsView, place: int) -> ForestRow:
    one, label = view.best, view.compared.people.labels[0][place]
    gap, truth = one.against_others[place], 100 * one.true_against_others[place]
    is_marked = bool(view.compared.mx[place])
    if not gap.told:
        return ForestRow(label, is_marked, truth=truth, instead=t("too few to tell"))
    value, low, high = (100 * float(end) for end in (gap.value, gap.low, gap.high))
    scale = (high - low) / 2
    text = t("{gap} {margin}", gap=sentences.signed(value, scale), margin=sentences.margin(scale))
    return ForestRow(label, is_marked, value, low, high, truth, text=text, hover=sentences.interval(low, high, scale))


def meanings() -> Panel:
    """The words of the page, a sentence each."""
    lines = {
        t("Odds ratio"): t(
            "The odds of the answer in one group over those in the other: 1 where both have it as often, 2 where the "
            "odds are twice as high."
        ),
        t("Independence"): t(
            "The two answers have nothing to do with one another: every group gives the answer as often as all others."
        ),
        t("p"): t("How often so clear a table of reports would come by chance if the answers were independent."),
        t("Cramér’s V"): t("How strong a relation is over all groups and answers: 0 for none, 1 at most."),
        t("Power"): t("How often a survey tells a difference that is there: 4 surveys in 5 are usual."),
        t("Interval within a group"): t(
            "All shares that the reports do not contradict: the error of both, the answer’s and the group’s, at each "
            "share that is tried (Fieller)."
        ),
        t("Interval of a difference"): t(
            "Made of the two groups’ own intervals (MOVER), so that it holds for rare answers, too."
        ),
        t("Too few to tell"): t(
            "The reports cannot tell the group from an empty one, at three standard errors of its size."
        ),
        t("Raw reports"): t(
            "What the reports name, taken for answers. Of separate questions this hides a relation; of a pair asked as "
            "one it invents one, of either sign."
        ),
        t("One question each"): SAMPLED,
        t("People like these"): t(
            "Everybody of whom these people are a sample: the chance of who was asked is in the interval. “These "
            "people” leaves it out."
        ),
    }  # fmt: skip
    rules = "".join(f"<p><b>{term}.</b> {meaning}</p>" for term, meaning in lines.items())
    return Panel("relations_words", t("What these words mean"), [Html(f'<div class="card rules">{rules}</div>')])


def _planned(view: RelationsView) -> planner.PlannerSubject:
    """The planner of the difference of the two sides."""
    one, compared = view.best, view.compared
    keys = plans.mechanisms(view.known)
    holes = {"one": names.side(compared, 0), "other": names.side(compared, 1)}
    return planner.PlannerSubject(
        "relations",
        lambda every, worst: plans.DifferencePlans.of_facts(view.known),
        keys,
        tuple(key for key in view.study.mechanisms if key in keys),
        one.key,
        catalog.TWO_ANSWERS.name,
        one.n,
        view.study.epsilon,
        planner.points(),
        t(
            "Two are given, one is answered, for the difference of {one} and {other}, {setting}.",
            setting=names.setting(view.options.setting),
            **holes,
        ),
        lambda key: t("With {key} the difference is off by at most", key=key),
        worst=False,
        label=t("ε for both answers"),
    )
