"""The Overview of one column: what marks buy, whether theory holds, who is guessed."""

from dataclasses import replace

import numpy as np

from ldpapp import charts, compute, words
from ldpapp.parts import curve_words, error_unit, levels, widgets
from ldpapp.parts.cards import HEIGHT, Card, Front, beside_rule, experiment, gain, sizes
from ldpapp.parts.panels import Chart
from ldpapp.views.frequency import looking, panels, sentences, sidebar, unmarked
from ldpapp.words.language import t
from ldpcore.data import Histogram, Table
from ldpcore.study import Study, curves, frequency
from ldpcore.study.frequency import facts
from ldpcore.study.frequency.curves import FrequencyCurveOptions, plain
from ldpcore.study.frequency.facts import ShareFacts, plane


def _cards(study: Study, counted: Histogram, found: dict[str, ShareFacts], main: ShareFacts) -> list[Card]:
    look = plain(study, counted)
    return [
        _error(look, study, counted, found, main),
        experiment("frequency", panels.surveys(study, counted, main)),
        _adversary(look, study, counted, main),
    ]


def _error(
    look: FrequencyCurveOptions, study: Study, counted: Histogram, found: dict[str, ShareFacts], main: ShareFacts
) -> Card:
    pair = facts.leveled(found) or facts.rivals(found) if main.marked.any() else None
    squared = error_unit.squared("view_quantity")
    look = replace(look, quantity="mse") if squared else look
    below, _ = looking.floor(look, study, counted, main)
    texts, now = [t("Mean squared error; lower is better.") if squared else t("± 95 %, points; lower is better.")], ""
    if pair is None:
        big, title = words.margin(main.error()), t("points, the 95 % margin of {mechanism}", mechanism=main.key)
    else:
        big, title = gain(facts.gain(*pair), bool(pair[0].secret.any()))
        if squared:
            texts.insert(0, t("{one} against {other}.", one=pair[0].key, other=pair[1].key))
        else:
            over = curve_words.over(counted.domain.k, t("values"))
            now = beside_rule(study.epsilon, over, *((fact.key, fact.error()) for fact in pair))
    texts.append(sizes(*(fact.bits for fact in pair or (main,))))
    texts.append(t("Mark: {surveys}.", surveys=words.plural(study.repetitions, t("survey"), t("surveys"))))
    if below is not None:
        texts.append(t("Grey: the limit."))
    subtitle = " ".join(texts)

    def draw() -> None:
        drawn = looking.errors(look, study, counted)
        figure = error_unit.curves(look, *drawn, main.key, study.epsilon, (below, ""), height=HEIGHT, rule_text=now)
        Chart(figure, subtitle, key="overview_error").draw("error")

    return Card("error", big, title, subtitle, "frequency", draw, "view_quantity")


def _adversary(look: FrequencyCurveOptions, study: Study, counted: Histogram, main: ShareFacts) -> Card:
    simulated = look.simulated(study)
    attacked = frequency.options(simulated).attacks
    attacks = words.plural(attacked * study.repetitions, t("attack"), t("attacks"))
    if look.prior == "level":
        success, blind = main.guessed(look.attacked), main.blind_to(look.prior, look.attacked)
        word = t("Secret") if look.attacked == "secret" else t("Private")
        title = t(
            "{level} answers guessed (blind: {blind})",
            level=widgets.sensitive(word),
            blind=words.tries(blind, short=True),
        )
        subtitle = t("By one who knows the level; lower is safer. Mark: {attacks}.", attacks=attacks)
    elif look.prior == "targeted":
        success, blind = main.targeted, main.blind
        title = t(
            "{sensitive} answers guessed (blind: {blind})",
            sensitive=widgets.sensitive(t("sensitive")),
            blind=words.tries(blind, short=True),
        )
        subtitle = t("By one who knows it is marked, no shares; lower is safer. Mark: {attacks}.", attacks=attacks)
    elif main.marked.sum() == 1 and np.isfinite(main.apart):
        return _apart(look, study, counted, main)
    else:
        success = main.recognised
        blind = main.blind_to(look.prior, look.attacked)
        title = t("answers guessed (blind: {blind})", blind=words.tries(blind, short=True))
        subtitle = t("By one who knows the shares; lower is safer. Mark: {attacks}.", attacks=attacks)

    def draw() -> None:
        lines = curves.success_lines(look, compute.theory(look.theoretical(study), counted))
        marks = curves.success_marks(look, compute.summary(simulated, counted, f"success:{look.prior}"))
        figure = charts.success_curves(
            lines,
            marks,
            focus=main.key,
            at=study.epsilon,
            blind=blind * 100,
            dark=widgets.is_dark(),
            height=HEIGHT,
            width=484,
        )
        Chart(figure, subtitle, key="overview_adversary").draw("adversary")

    return Card("adversary", words.tries(success), title, subtitle, "frequency", draw)


def _apart(look: FrequencyCurveOptions, study: Study, counted: Histogram, main: ShareFacts) -> Card:
    """Of a single marked answer, which whoever knows that it is marked knows: what its report tells of it."""
    title = t("told apart: {sensitive} or not (guessing: 50)", sensitive=widgets.sensitive(t("sensitive")))
    subtitle = t("Pairs of people, by one report each at best, exact; lower is safer.")

    def draw() -> None:
        lines = plane.apart_curves(study, counted, study.mechanisms, look).drop(columns="value")
        figure = charts.success_curves(
            lines.rename(columns={"x": "value", "epsilon": "x"}),
            None,
            focus=main.key,
            at=study.epsilon,
            blind=50,
            blind_text=t("guessing"),
            dark=widgets.is_dark(),
            height=HEIGHT,
            width=484,
        )
        Chart(figure, subtitle, key="overview_adversary").draw("adversary")

    return Card("adversary", words.tries(main.apart), title, subtitle, "frequency", draw)


def front(study: Study, table: Table) -> Front:
    """DataError where the column cannot be counted."""
    counted, asked = sidebar.data(study, table), study.at_point()
    known = facts.facts(asked, counted).protecting
    if not known:
        raise ValueError(unmarked.unprotected(asked.column, asked.mechanisms).rstrip("."))
    asked = asked.with_mechanisms(tuple(known))
    main = facts.focus(known, None)
    sensitive = widgets.sensitive(levels.word(asked))
    finding = sentences.overview_sentence(
        widgets.escape(words.shorten(asked.column, 30)), asked, known, main, widgets.named, sensitive
    )
    beyond = sentences.larger_epsilon(asked, counted, main, widgets.named, sensitive)
    return Front(
        f"{finding} {beyond}".strip(),
        int(main.marked.sum()),
        counted.domain.k,
        _cards(asked, counted, known, main),
        lambda: panels.simulate(plain(asked, counted), asked, counted, main),
    )
