"""Behind a click: the same question asked again and again, what that costs and tells."""

import math
from collections.abc import Mapping

import numpy as np

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.parts.panels import Html, Line, Panel, Reach, Sheet
from ldpapp.views.review import cached
from ldpapp.words.language import t
from ldpcore.questionnaire.again import FRESH, ONCE, SAME, SHARED
from ldpcore.study import Study, review
from ldpcore.study.review.facts import QuestionFacts
from ldpcore.study.review.question import ROUNDS


def ways() -> Mapping[str, str]:
    """How a question can be asked several times."""
    return {
        FRESH: t("a new report each time, each with this ε"),
        SHARED: t("a new report each time, this ε shared"),
        SAME: t("the first report sent again"),
        ONCE: t("one report with the ε of all"),
    }


def panel(study: Study, here: review.HiddenSurvey, main: QuestionFacts) -> Panel:
    one = main.asked
    rounds = cached.rounds(study, main, max(1, round(here.n * one.chance)))
    heads = "".join(f"<th>{words.plural(count, t('time'), t('times'))}</th>" for count in ROUNDS)
    won, error = (rounds[name].to_numpy(float) for name in ("success", "mse"))
    several = int(one.aimed(main.secretly).marked.sum())
    if several == 1:  # nobody guesses which
        won = np.full(len(won), np.nan)
    epsilons = rounds["epsilon"].to_numpy(float)
    cells = {way: zip(*(each[rounds["way"] == way] for each in (won, error, epsilons)), strict=True) for way in ways()}
    body = "".join(
        f"<tr><td>{title}</td>{''.join(_cell(*cell) for cell in cells[way])}</tr>" for way, title in ways().items()
    )
    level = t("secret") if main.secretly else t("marked")
    simulated = t(" (several reports: simulated)") if (rounds["low"] < rounds["high"]).any() else ""
    text = t(
        "{question}: ± 95 % in points, typical of all its answers · by how much the odds rise at most.",
        question=widgets.escape(one.name),
    )
    if several > 1:
        text = t(
            "Of 100 {level} answers to <b>{question}</b> guessed by an attacker who knows that the answer is {level}, "
            "and not how common each is{simulated} · ± 95 % in points, typical of all answers · by how much the odds "
            "rise at most.",
            level=level,
            simulated=simulated,
            question=widgets.escape(one.name),
        )
    return Panel(
        "again",
        t("Asked again"),
        [
            Html(f'<div class="card" style="overflow-x:auto"><table><tr><th></th>{heads}</tr>{body}</table></div>'),
            Line(
                t(
                    "What is sent anew adds up: {n} reports at ε = {eps} promise no more than one at ε = {total}, "
                    "which is never less exact.",
                    n=ROUNDS[-1],
                    eps=words.epsilon(main.epsilon),
                    total=words.epsilon(ROUNDS[-1] * main.epsilon),
                )
            ),
        ],
        text,
        [Sheet(rounds if several > 1 else rounds.drop(columns=["success", "low", "high"]), "again")],
        reach=Reach.INTERNAL,
    )


def _cell(won: float, mse: float, epsilon: float) -> str:
    error, odds = words.margin(mse**0.5), words.times(math.exp(epsilon), most=True)
    guessed = "" if np.isnan(won) else f"<b>{words.of_100(won)}</b> · "
    return f'<td>{guessed}<span class="quiet">{error} · {odds}</span></td>'
