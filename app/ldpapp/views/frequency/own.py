"""A mechanism of one's own on Frequency: its table of chances, what it keeps, and how far it is from the best."""

from functools import partial

import numpy as np
import pandas as pd

from ldpapp import words
from ldpapp.compute.memory import once
from ldpapp.parts import curve_words, own_table, widgets
from ldpapp.parts.own_table import OwnTable
from ldpapp.parts.panels import Html, Panel, Part
from ldpapp.words.language import t
from ldpcore import custom
from ldpcore.custom import CustomComparison
from ldpcore.data import Histogram
from ldpcore.levels import Levels
from ldpcore.randomizer import Randomizer
from ldpcore.study import Study, curves, invented
from ldpcore.study.frequency import own as engine
from ldpcore.study.frequency.facts import ShareFacts

KEY = invented.KEY
_compared = once(16)(CustomComparison.of)


def fold(study: Study, counted: Histogram, found: dict[str, ShareFacts]) -> None:
    def made(menus: list[Part], size: int) -> Panel | None:
        return worth(study, counted, found[KEY], menus, size) if KEY in found else None

    inside = t("a table of chances: what it keeps, how exact, how far from the best")
    own_table.fold("fold_own", lambda: table(study, counted).panel(made), inside)


def table(study: Study, counted: Histogram) -> OwnTable:
    labels = counted.domain.labels
    return OwnTable(
        study,
        labels,
        lambda text: engine.usable(study.with_options(own=text), labels),
        ("GRR", "uRR", "SDGRR"),
        partial(engine.written, study, counted),
        t("Table of chances, a line for each answer"),
        "answer,A,B\nyes,0.75,0.25\nno,0.25,0.75",
        t(
            "Rows are answers, columns are reports. Names of answers in the first column put rows in the right order; "
            "without names they are taken in the order of the charts."
        ),
        invented.audit_line(len(labels)),
    )


# what it is worth ----------------------------------------------------------------------------------------------------


def worth(study: Study, counted: Histogram, mine: ShareFacts, menus: list[Part], size: int) -> Panel:
    made: custom.CustomMechanism = mine.mechanism  # type: ignore[assignment]
    beside = _compared(made, tuple(map(float, mine.cell.noise)))
    labels, people = counted.domain.labels, round(mine.cell.effective)
    parts = [
        _table(made, mine, beside, people),
        _less(made, beside, labels, people),
        own_table.where(study, made.epsilon, size),
        *([_levels(made, mine, labels)] if mine.cell.secret.any() else []),
        own_table.speaking("focus"),
    ]
    headline = t("{keeps} {exact}", keeps=_keeps(made, labels), exact=_exact(mine, beside, people))
    return own_table.worth(headline, parts, menus, _by_value(made, mine, labels))


def _keeps(made: custom.CustomMechanism, labels: tuple[str, ...]) -> str:
    claim = made.promise
    against = (
        t("the average other") if claim.against == custom.AVERAGE else f"“{words.shorten(labels[claim.against], 24)}”"
    )
    holes = {
        "report": widgets.escape(words.shorten(made.labels[claim.report], 24)),
        "against": widgets.escape(against),
    }
    if claim.definition == custom.NONE:
        return t("It keeps no promise: a report “{report}” proves that the answer is not {against}.", **holes)
    holes |= {
        "eps": own_table.written(claim.epsilon),
        "value": widgets.escape(f"“{words.shorten(labels[claim.value], 24)}”"),
    }
    if claim.definition == "LDP":
        return t(
            "It keeps LDP at ε = {eps}: a report “{report}” speaks for {value} against {against} by as much.", **holes
        )
    if claim.definition == "ULDP":
        return t(
            "It keeps ULDP, for the marked values, at ε = {eps}: a report “{report}” speaks for {value} against "
            "{against} by as much.",
            **holes,
        )
    if claim.definition == Levels.name:
        kept = words.plural(len(claim.epsilons) - claim.without, t("value has"), t("values have"))
        return t(
            "{kept} an ε of their own, up to {eps}; reports can prove every other one. A report “{report}” speaks for "
            "{value} against {against} by most.",
            kept=kept,
            **holes,
        )
    return t(
        "It keeps {promise}, a weaker promise, at ε = {eps}: a report “{report}” speaks for {value} against {against} "
        "by as much.",
        promise=claim.definition,
        **holes,
    )


def _exact(mine: ShareFacts, beside: CustomComparison, people: int) -> str:
    """For these shares, and beside the limit, which is an average over which answers are common."""
    error = words.margin(mine.error())
    if beside.distance is None:
        return t("It is off by {error} points. No limit is known for what it keeps.", error=error)
    least, times = beside.distance.least, beside.distance.times
    if times < 1.0005:
        return t(
            "It is off by {error} points for these shares. Averaged over which answers are common, nothing that "
            "promises as much at this ε errs less.",
            error=error,
        )
    return t(
        "It is off by {error} points for these shares. Averaged over which answers are common it is by {mean}, the "
        "least with this promise at this ε by {least}: {times} times its squared error.",
        error=error,
        mean=words.margin(float(np.sqrt(times * least / people))),
        least=curve_words.least("points", float(np.sqrt(least / people))),
        times=words.decimals(times),
    )


def _table(made: custom.CustomMechanism, mine: ShareFacts, beside: CustomComparison, people: int) -> Html:
    """The own one, the best at the same ε, the best that is guessed no more often."""
    whose = t("marked answers") if mine.marked.sum() > 1 else t("answers")
    exposed = custom.exposure(made, mine.marked, mine.freq)
    rows = [(KEY, promised(made), words.margin(mine.error()), words.of_100(exposed), "")]
    rivals = ((beside.same_epsilon, t("best at this ε")), (beside.same_exposure, t("best, guessed no more often")))
    for rival, why in rivals:
        if rival is not None:
            error, exposed = words.margin(float(np.sqrt(rival.mse / people))), words.of_100(rival.exposure)
            rows.append((rival.key, own_table.written(rival.epsilon), error, exposed, why))
    caption = t("± 95 %; guessed: {whose}, of 100.", whose=whose)
    return own_table.beside(rows, (t("± points"), t("guessed")), caption)


def promised(made: Randomizer) -> str:
    """Its ε, and of how many values that is one; of the others nothing is promised."""
    promise = made.promise if isinstance(made, custom.CustomMechanism) else None
    if promise is None or promise.without in (0, made.k):
        return own_table.written(made.epsilon)
    holes = {
        "eps": own_table.written(made.epsilon),
        "some": words.count(made.k - promise.without),
        "all": words.count(made.k),
    }
    return t("{eps} ({some} of {all} values; the others ∞)", **holes)


def _less(made: custom.CustomMechanism, beside: CustomComparison, labels: tuple[str, ...], people: int) -> str:
    """The pair that a report tells apart best, and what knowing the shares would bring."""
    apart = made.told_apart()
    x, z = (int(code) for code in np.unravel_index(np.argmax(apart), apart.shape))
    return t(
        "One report tells {one} from {two} in {n} of 100 tries; a coin in 50. Its estimate is the best linear one for "
        "even shares; made for these very shares it would be off by {known}.",
        one=widgets.escape(f"“{words.shorten(labels[x], 24)}”"),
        two=widgets.escape(f"“{words.shorten(labels[z], 24)}”"),
        n=words.of_100(float(apart[x, z])),
        known=words.margin(float(np.sqrt(beside.known / people))),
    )


def _levels(made: custom.CustomMechanism, mine: ShareFacts, labels: tuple[str, ...]) -> str:
    """Whether it keeps the ε that the Study gives each level."""
    wanted, least = mine.cell.epsilons, np.array(made.kept[Levels.name].epsilons)
    over = np.where(least > wanted * (1 + 1e-9), least - np.where(np.isfinite(wanted), wanted, 0.0), 0.0)
    if not over.any():
        return t("It keeps the levels of this Study.")
    worst = int(np.argmax(over))
    return t(
        "It does not keep the levels of this Study: some report speaks for “{value}” by {least}, its ε is {eps}.",
        value=widgets.escape(words.shorten(labels[worst], 24)),
        least=own_table.written(float(least[worst])),
        eps=own_table.written(float(wanted[worst])),
    )


def _by_value(made: custom.CustomMechanism, mine: ShareFacts, labels: tuple[str, ...]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            t("value"): labels,
            "marked": mine.marked,
            t("least ε towards it"): made.kept[Levels.name].epsilons,
            "± 95 %, points": curves.MARGIN * np.sqrt(mine.variance),
            t("guessed, of 100"): mine.uniform * 100,
            t("told from another, at most, of 100"): made.told_apart().max(axis=1) * 100,
        }
    )
