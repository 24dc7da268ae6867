"""A mechanism of one's own on Means: a table of chances for numbers, what it keeps, how exact it is beside the best."""

from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd

from ldpapp import words
from ldpapp.charts import palette
from ldpapp.compute.memory import remember
from ldpapp.parts import own_table, widgets
from ldpapp.parts.own_table import OwnTable
from ldpapp.parts.panels import Html, Panel, Part
from ldpapp.views.means import view as means_view
from ldpapp.views.means.sentences import quantity
from ldpapp.words.language import t
from ldpcore import custom
from ldpcore.custom import CustomNumbers
from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.policy import LDP
from ldpcore.study import Study, intervals, invented, means
from ldpcore.study.means import NumberColumn, own
from ldpcore.study.means import compared as engine
from ldpcore.study.means.facts import EstimateFacts

KEY = invented.KEY


def dressed(study: Study, data: NumberColumn) -> None:
    """Let it look like those of the catalogue that promise as much."""
    if KEY in study.mechanisms:
        palette.own_keeps(engine.made(study, data).promise.definition)


def fold(study: Study, data: NumberColumn) -> None:
    inside = t("a table of chances for numbers: what it keeps, how exact, how far from the best")
    own_table.fold("fold_means_own", lambda: table(study, data).panel(partial(_worth, study, data)), inside)


def table(study: Study, data: NumberColumn) -> OwnTable:
    low, high = data.interval.low, data.interval.high
    return OwnTable(
        study,
        (study.column, low, high),
        lambda text: own.usable(study.with_options(own=text)),
        ("Duchi", "PM", "uTernary") if study.marks else ("Duchi", "PM"),
        partial(engine.written, study, data),
        t("Table of chances, a line for each of some numbers"),
        f"number,A,B\n{low:g},0.75,0.25\n{high:g},0.25,0.75",
        t(
            "Rows are numbers from one end of the public range to the other, columns are reports; a number between two "
            "rows is sent as one of them, at random. Without numbers in the first column rows are even steps."
        ),
        invented.audit_line(5, f"--numbers {intervals.written(low, high)}"),
    )


# what it is worth ----------------------------------------------------------------------------------------------------


def _worth(study: Study, data: NumberColumn, menus: list[Part], size: int) -> Panel:
    mine = _known(study, data)
    made = engine.made(study, data)
    near = mine.near
    best = remember("means_rival", 16, (study, data, near), lambda: engine.rival(study, data, made, near))
    least = remember("means_own_least", 16, (study, data), lambda: mine.least)
    parts = [
        _beside(mine, made, best),
        _scores(made, data),
        own_table.where(study, made.epsilon, size),
        *([_levels(study, data, made)] if study.marks.secret else []),
    ]
    return own_table.worth(headline(mine, made, least), parts, menus, _by_row(mine, made))


def _known(study: Study, data: NumberColumn) -> EstimateFacts:
    """What is known of it, whatever else is compared."""
    return means_view.known(replace(study, mechanisms=(KEY,)), data).parts[KEY]


def headline(mine: EstimateFacts, made: CustomNumbers, least: float) -> str:
    """What it keeps and what decides it; how exact it is, and how far from the best."""
    claim, decode = made.promise, mine.data.interval.decode
    report = widgets.escape(words.shorten(made.table.labels[claim.report], 24))
    value, against = (quantity(float(decode(made.corners[code]))) for code in (claim.value, claim.against))
    if claim.definition == custom.NONE:
        kept = t(
            "It keeps no promise: a report “{report}” proves that the number is not {against}.",
            report=report, against=against,
        )  # fmt: skip
        return f"{kept} {_exact(mine, least)}"
    holes = {"eps": own_table.written(claim.epsilon), "report": report, "value": value, "against": against}
    if claim.definition != LDP.name:
        kept = t(
            "Towards marked numbers it keeps ε = {eps}: a report “{report}” speaks for {value} against {against} by as "
            "much. Of the others nothing is promised.",
            **holes,
        )
        return f"{kept} {_exact(mine, least)}"
    kept = t("It keeps LDP at ε = {eps}: a report “{report}” speaks for {value} against {against} by as much.", **holes)
    towards = made.towards()
    if len(towards) and towards.max() < claim.epsilon - 1e-9:
        more = t("Towards marked numbers it is {eps}.", eps=own_table.written(float(towards.max())))
        kept = f"{kept} {more}"
    return f"{kept} {_exact(mine, least)}"


def _exact(mine: EstimateFacts, least: float) -> str:
    margin = quantity(mine.margin)
    if not least > 0:
        return t("The mean is known to ±{margin}. No limit is known for what it keeps.", margin=margin)
    times = (mine.error / least) ** 2
    if times < 1.0005:
        return t("The mean is known to ±{margin}, and nothing that promises as much errs less.", margin=margin)
    return t(
        "The mean is known to ±{margin}, the least with this promise at this ε on these data is ±{least}: {times} "
        "times its squared error.",
        margin=margin,
        least=quantity(NORMAL_95 * least),
        times=words.decimals(times),
    )


def _beside(mine: EstimateFacts, made: CustomNumbers, best: EstimateFacts | None) -> Html:
    """The own one and the best of the catalogue at the same ε: error, and answers guessed."""
    scope = "sensitive" if "sensitive" in mine.guessed else "all"
    rows = [(KEY, made.epsilon, mine, "")]
    if best is not None:
        rows.append((best.key, best.study.epsilon, best, t("best at this ε")))
    drawn = (
        (key, own_table.written(epsilon), f"±{quantity(one.margin)}", words.of_100(one.guessed[scope]), why)
        for key, epsilon, one, why in rows
    )
    whose = t("marked answers") if scope == "sensitive" else t("answers")
    caption = t("± 95 %; guessed: {whose}, to within {near}, of 100.", whose=whose, near=quantity(mine.near))
    return own_table.beside(drawn, (t("± of the mean"), t("guessed")), caption)


def _scores(made: CustomNumbers, data: NumberColumn) -> str:
    """What a collector makes of a report."""
    ends = data.interval.decode(np.array(made.extremes()))
    return t(
        "Its reports stand for numbers from {low} to {high}, whose mean is that of the answers: of such numbers the "
        "best where all answers are as frequent.",
        low=quantity(float(ends[0])),
        high=quantity(float(ends[1])),
    )


def _levels(study: Study, data: NumberColumn, made: CustomNumbers) -> str:
    """Whether it keeps the ε that the Study gives each level."""
    wanted = means.parts(study, data, study.epsilon)
    over = made.towards() > wanted.epsilons[wanted.hidden] * (1 + 1e-9)
    if not over.any():
        return t("It keeps the levels of this Study.")
    first = int(np.argmax(over))
    return t(
        "It does not keep the levels of this Study: towards {interval} some report speaks by {least}, its ε is {eps}.",
        interval=intervals.written(*data.interval.decode(wanted.ends[:, wanted.hidden][:, first]).tolist()),
        least=own_table.written(float(made.towards()[first])),
        eps=own_table.written(float(wanted.epsilons[wanted.hidden][first])),
    )


def _by_row(mine: EstimateFacts, made: CustomNumbers) -> pd.DataFrame:
    """What it does to a number of every row, and of every end of what is marked."""
    spread = mine.data.unit * np.sqrt(made.score_moments(made.corners)[1])
    return pd.DataFrame(
        {
            t("number"): mine.data.interval.decode(made.corners),
            "marked": made.marked,
            t("least ε towards it"): made.losses.max(axis=1),
            t("standard deviation of one report"): spread,
        }
    )
