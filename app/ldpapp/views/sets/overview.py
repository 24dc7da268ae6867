"""The Overview of baskets: what marks buy, whether theory holds, who is known to hold something sensitive."""

from dataclasses import replace

import numpy as np
import pandas as pd

from ldpapp import charts, compute, words
from ldpapp.parts import curve_words, error_unit, widgets
from ldpapp.parts.cards import HEIGHT, Card, Front, beside_rule, experiment, gain, sizes
from ldpapp.parts.panels import Box, Chart, Part
from ldpapp.views.sets import data as set_data
from ldpapp.views.sets import headline, sidebar
from ldpapp.views.sets import panels as set_panels
from ldpapp.views.sets import sentences as set_findings
from ldpapp.views.sets.data import SHOWN
from ldpapp.words.language import t
from ldpcore.data import Baskets, Table
from ldpcore.study import Study
from ldpcore.study import sets as task
from ldpcore.study.sets import facts as set_facts
from ldpcore.study.sets import point, tables
from ldpcore.study.sets.curves import plain
from ldpcore.study.sets.facts import SetsFacts
from ldpcore.study.sets.point import ItemFacts


def sentence(study: Study, held: Baskets, found: dict[str, ItemFacts], main: ItemFacts) -> str:
    attacked = set_data.told(study, held)
    finding = headline.sentence(study, found, main, attacked, widgets.named, widgets.sensitive)
    return f"{finding} {headline.larger_epsilon(study, held, main, widgets.named)}".strip()


def _cards(study: Study, held: Baskets, known: SetsFacts, main: ItemFacts) -> list[Card]:
    return [
        _error(study, held, known, main),
        *_experiment(compute.kept(study, held), main),
        _adversary(study, held, known.protecting, main, set_data.told(study, held)),
    ]


def _error(study: Study, held: Baskets, known: SetsFacts, main: ItemFacts) -> Card:
    look, rival = plain(study, held), known.rival(main)
    squared = error_unit.squared("sets_quantity")
    look = replace(look, quantity="mse") if squared else look
    drawn = t("Mean squared error; lower is better.") if squared else t("± 95 %, points; lower is better.")
    now = ""
    if rival is None:
        big = words.margin(main.error())
        title = t("points, the 95 % margin of {mechanism}", mechanism=main.key)
        subtitle = f"{drawn} {sizes(main.bits)}"
    else:
        big, title = gain(rival.error() / main.error(), rival.promise == "SULDP-joint")
        subtitle = f"{drawn} {sizes(main.bits, rival.bits)}"
        if squared:
            subtitle = f"{t('{one} against {other}.', one=main.key, other=rival.key)} {subtitle}"
        else:
            over = curve_words.over(len(main.here.marked), t("items"))
            now = beside_rule(study.epsilon, over, (main.key, main.error()), (rival.key, rival.error()))

    def draw() -> None:
        lines, marks = set_data.curves_of(look, study, held)
        limit = set_panels.floor(look, study, held, main, lines)
        figure = error_unit.curves(look, lines, marks, main.key, study.epsilon, limit, height=HEIGHT, rule_text=now)
        Chart(figure, subtitle, key="overview_error").draw("overview_error")

    return Card("error", big, title, subtitle, "sets", draw, "sets_quantity")


def _experiment(attacked: pd.DataFrame, main: ItemFacts) -> list[Card]:
    """Nothing before the first survey."""
    setting = main.here
    marked, others = (set_facts.commonest(setting, part) for part in (setting.marked, ~setting.marked))
    part = np.concatenate([marked[:SHOWN], others[: 2 * SHOWN - min(SHOWN, len(marked))]])
    surveys = main.simulated(attacked, part)
    return [experiment("sets", surveys)] if len(surveys.estimates) else []


def _adversary(study: Study, held: Baskets, found: dict[str, ItemFacts], main: ItemFacts, told: pd.DataFrame) -> Card:
    rows = tables.attacks(told, list(found))
    # The mechanism whose promise leaves the whole report out, where it is compared: not the luckiest attack.
    seen = set_facts.leaky(found, main)
    right = tables.success(told, seen.key, set_data.PRESENCE)
    if main.here.secret.any():
        seen = main
        right = tables.success(told, seen.key, set_data.LEVEL, scope="secret")
    big = "–" if right is None else words.chance_of_100(right)
    title = t("guesses right: is a {sensitive} item held?", sensitive=widgets.sensitive(t("sensitive")))
    if main.here.secret.any():
        title = t("times right: which of two {secret} items", secret=widgets.sensitive(t("secret")))
    subtitle = t(
        "From a report of {mechanism}; right of 100 guesses, both answers as likely (coin toss: 50). Line: 95 %.",
        mechanism=seen.key,
    )

    def shown() -> Part:
        if not main.here.marked.any():
            what = t("No item is marked sensitive: there is nothing to find out.")
            return Box(what, t("Mark items on the Data page."), height=HEIGHT)
        if right is None:
            return set_findings.unattacked(told, task.options(study).attacks, HEIGHT)
        asked = set_panels.questions(study, held, main)[:2]
        questions = [each for each in asked if set_panels.answered(rows, each)]
        figure = charts.exposed(rows, questions, focus=main.key, dark=widgets.is_dark(), height=HEIGHT)
        return Chart(figure, subtitle, key="overview_adversary")

    return Card("adversary", big, title, subtitle, "sets", lambda: shown().draw("overview_adversary"))


def front(study: Study, table: Table) -> Front:
    """DataError where there are no baskets; ValueError where the mechanisms cannot be built on them."""
    baskets, compared = sidebar.data(study, table), study.at_point()
    known = set_facts.facts(compared, baskets)
    protecting = known.protecting  # what would protect nothing is not compared
    if known.every and not protecting:
        raise ValueError(set_findings.unprotected(known.every, str).removesuffix("."))
    if not protecting:
        # Whoever says it ends the sentence.
        raise ValueError(set_findings.refusals(point.refused(compared, baskets)).removesuffix("."))
    compared, main = compared.with_mechanisms(tuple(protecting)), known.focus()
    return Front(
        sentence(compared, baskets, protecting, main),
        int(main.here.marked.sum()),
        len(main.here.marked),
        _cards(compared, baskets, known, main),
        lambda: set_panels.simulate(plain(compared, baskets), compared, compared, baskets, main),
    )
