"""The Overview of baskets: what marks buy, whether theory holds, who is known to hold something sensitive."""

import numpy as np
import pandas as pd

from ldpapp import charts, compute, curves, widgets, words
from ldpapp.cards import HEIGHT, Card, Front, experiment, gain
from ldpapp.charts import Question
from ldpapp.kept import title
from ldpapp.tasks.sets import data as set_data
from ldpapp.tasks.sets import findings as set_findings
from ldpapp.tasks.sets import panels as set_panels
from ldpapp.tasks.sets import study as own
from ldpapp.tasks.sets.data import Fact, View
from ldpcore import catalog
from ldpcore.data import Baskets, Table
from ldpcore.study import Study

SHOWN = 8
"""Items in the figure of the experiment: so many of the commonest marked ones, and as many others."""


def view(study: Study, held: Baskets) -> View:
    """Against ε, over all items."""
    grid, dense = set_data.grids("epsilon", study, held)
    return View("all", "points", "raw", "epsilon", "", "sensitive", grid, dense)


def _rival(main: Fact, found: dict[str, Fact]) -> Fact | None:
    """The same construction with everything protected; else the most exact one that knows no marks."""
    every = [fact for fact in found.values() if fact.promise == "LDP" and fact is not main]
    like = [f for f in every if f.key == catalog.SETS[main.key].original]
    return min(like or every, key=Fact.error, default=None)


def sentence(source: str, study: Study, held: Baskets, found: dict[str, Fact], main: Fact) -> str:
    told = set_data.told(study, held)
    said = set_findings.sentence(study.epsilon, found, main, told, widgets.named, widgets.sensitive("sensitive"))
    marked = int(main.here.marked.sum())
    what = f"{words.count(marked)} of {words.plural(held.k, 'item')} marked" if marked else "no item marked"
    return f"{widgets.escape(source)}, {what}. {said}"


def _cards(study: Study, held: Baskets, found: dict[str, Fact], main: Fact) -> list[Card]:
    attacked = compute.kept(set_data.point(study), held)
    return [
        _error(study, held, found, main),
        *_experiment(attacked, main),
        _adversary(found, main, set_data.told(study, held)),
    ]


def _error(study: Study, held: Baskets, found: dict[str, Fact], main: Fact) -> Card:
    look, rival = view(study, held), _rival(main, found)
    if rival is None or not main.here.marked.any():
        big, title = words.points(main.error()), f"points, the typical error of {main.key}"
        subtitle = "Typical error of an item’s share, points, against ε."
    else:
        big, title = gain(rival.error() / main.error())
        subtitle = f"{main.key} against {rival.key}. Typical error of an item’s share, points, against ε."

    def draw() -> None:
        arm = study.arms[0].name
        below, text = set_panels.floor(look, study, held, main)
        figure = charts.error_curves(
            curves.error_lines(look, compute.theory(look.theoretical(study), held), arm),
            curves.error_marks(look, look.simulated(study), held, arm),
            limit=below,
            limit_text=text,
            focus=main.key,
            at=study.epsilon,
            dark=widgets.is_dark(),
            height=HEIGHT,
        )
        widgets.plot(figure, "overview_error", subtitle)

    return Card("error", big, title, subtitle, "sets", draw)


def _experiment(attacked: pd.DataFrame, main: Fact) -> list[Card]:
    """Nothing before the first survey."""
    here = main.here
    order = here.shown[np.argsort(-here.freq[here.shown], kind="stable")]
    marked = here.marked[order]
    part = np.concatenate([order[marked][:SHOWN], order[~marked][: 2 * SHOWN - min(SHOWN, int(marked.sum()))]])
    surveys = set_panels.surveys(main, attacked, part)
    return [experiment("sets", surveys)] if len(surveys.estimates) else []


def _adversary(found: dict[str, Fact], main: Fact, told: pd.DataFrame) -> Card:
    rows = set_findings.attack_rows(told, list(found))
    # The mechanism whose promise leaves the whole report out, where it is compared: not the luckiest attack.
    seen = next((fact for fact in found.values() if fact.promise == set_data.LEAKY), main)
    right = set_findings.success(told, seen.key, set_data.PRESENCE)
    big = "–" if right is None else words.chance_of_100(right)
    title = f"times right: who holds {widgets.sensitive('sensitive')} items"
    subtitle = f"From a report of {seen.key}; right decisions of 100, guessing gets 50. Line: 95 %."

    def draw() -> None:
        if right is None:
            widgets.state_box(
                "People are being attacked."
                if main.here.marked.any()
                else "No item is marked sensitive: there is nothing to find out.",
                "Mark items on the Data page." if not main.here.marked.any() else "",
                height=HEIGHT,
            )
            return
        figure = charts.exposed(
            rows,
            [
                Question("any sensitive item?", "presence", "presence, low", "presence, high"),
                Question("this sensitive item?", "marked item", "marked item, low", "marked item, high"),
            ],
            focus=main.key,
            dark=widgets.is_dark(),
            height=HEIGHT,
        )
        widgets.plot(figure, "overview_adversary", subtitle)

    return Card("adversary", big, title, subtitle, "sets", draw)


def front(study: Study, table: Table) -> Front:
    """DataError where there are no baskets; ValueError where the mechanisms cannot be built on them."""
    held, here = own.data(study, table), own.here(study)
    found = set_data.facts(here, held)
    if not found:
        raise ValueError(" ".join(f"{key}: {why}." for key, why in set_data.refused(here, held).items()))
    main = set_data.focus(found, None)
    return Front(
        sentence(title(table.name), here, held, found, main),
        int(main.here.marked.sum()),
        len(main.here.marked),
        _cards(here, held, found, main),
        lambda: set_panels.simulate(view(here, held), here, held, main),
    )
