"""What the Means view says of people: how near an adversary gets, and those who each mark as much as they like."""

import pandas as pd

from ldpapp import charts, compute, words
from ldpapp.compute.memory import once
from ldpapp.parts import widgets
from ldpapp.parts.panels import Chart, Html, Menu, Panel, Reach, Sheet
from ldpapp.state import view_options
from ldpapp.state.view_options import look
from ldpapp.views.means import sentences
from ldpapp.views.means.sentences import quantity
from ldpapp.views.means.view import MeansView
from ldpapp.words.language import t
from ldpcore.study.means import curves
from ldpcore.study.means import personal as people
from ldpcore.study.means.lines import ENOUGH
from ldpcore.study.means.personal import COMBINED, MIXES, PersonalMarks, Studies

DENSE = curves.DENSE["epsilon"]
SPARSE = DENSE[::2]
"""Where the lines of people who choose are drawn: three mechanisms at each."""


def marking() -> PersonalMarks:
    """How people mark, as it is chosen."""
    names = ("place", "mix", "who")
    return PersonalMarks(*(look(f"means_choice_{name}") or getattr(PersonalMarks(), name) for name in names))


def personalised(view: MeansView) -> Panel:
    chosen, epsilon = marking(), view.study.epsilon
    table = people.along(view.study, view.data, chosen, tuple(sorted({*SPARSE, epsilon})))
    base = table[table["line"] == people.ALIKE[1]].set_index("x")["value"]
    shown = table.assign(value=table["value"] / table["x"].map(base))
    figure = charts.personal_errors(shown, combined=("by share", "min. variance"), at=epsilon, dark=widgets.is_dark())
    alt = t("Squared error where each person chooses their marks, and where all mark 25, 50 or 75 % of the range.")
    texts = [finding(table, epsilon, chosen)]
    if chosen.who == "any":
        texts.append(surveyed(fitted(view).mixed.repetitions))
    return Panel(
        "means_personal",
        t("Each marks their own"),
        [
            Chart(figure, alt),
            Html(f'<div class="card">{_errors(view, table, chosen)}{" ".join(texts)}</div>', Reach.INTERNAL),
        ],
        t("Squared error of SDPM’s unbiased mean; 1: all mark 50\u00a0%."),
        [
            Menu(t("{mix} %", mix=written(chosen)), _menu, "means_choice_menu"),
            Sheet(table.rename(columns={"x": "epsilon", "value": "MSE (exact)"}), "personalised"),
        ],
    )


def _errors(view: MeansView, table: pd.DataFrame, chosen: PersonalMarks) -> str:
    """Typical errors at the chosen ε: one row exact, one of EM in the surveys so far."""
    lines = (*people.ALIKE, *people.COMBINED)
    errors = table[table["x"] == view.study.epsilon].set_index("line")["value"]
    rows = {t("unbiased"): [f"±{quantity(errors[line] ** 0.5)}" for line in lines]}
    if chosen.who == "any":
        studies = fitted(view)
        rows_of = {line: compute.kept(alike, view.data) for line, alike in studies.alike.items()}
        by_em = people.simulated(rows_of, compute.kept(studies.mixed, view.data))
        rows[t("EM*")] = [f"±{sentences.seen(*by_em[line])}" if line in by_em else "…" for line in lines]
    heads = "".join(f"<th>{line.removeprefix('SDPM-')}{' %' if '-' in line else ''}</th>" for line in lines)
    body = "".join(
        f'<tr><td class="quiet">{name}</td>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'
        for name, cells in rows.items()
    )
    return f'<table><tr><th class="quiet">{t("typical error")}</th>{heads}</tr>{body}</table>'


def fitted(view: MeansView) -> Studies:
    """The surveys behind EM's row of the table."""
    return _fitted(view.study, marking(), view.data.interval)


_fitted = once(64)(people.studies)


def _menu() -> None:
    view_options.radio(t("People mark 25, 50 or 75 % of the range"), places(), "means_choice_place")
    mixes = {mix: written(PersonalMarks(mix=mix)) for mix in people.MIXES}
    view_options.radio(t("How many of them mark 25 / 50 / 75 %, of 100"), mixes, "means_choice_mix")
    view_options.radio(t("They choose"), who(), "means_choice_who")


# in words ------------------------------------------------------------------------------------------------------------


def places() -> dict[str, str]:
    return {
        "both": t("at both ends, as in the paper"),
        "upper": t("at the upper end"),
        "lower": t("at the lower end"),
    }


def who() -> dict[str, str]:
    return {
        "any": t("whatever their answer is"),
        "own": t("so that it covers their own answer, where one of the three does"),
    }


def written(choice: PersonalMarks) -> str:
    """How many of 100 mark little, half and much."""
    return " / ".join(f"{share * 100:.0f}" for share in MIXES[choice.mix])


def surveyed(surveys: int) -> str:
    """What EM's row of the table rests on."""
    many = words.plural(surveys, t("simulated survey"), t("simulated surveys"))
    return (
        t("* In {surveys}.", surveys=many) if surveys >= ENOUGH else t("* In {surveys}: a rough guide.", surveys=many)
    )


def finding(table: pd.DataFrame, epsilon: float, choice: PersonalMarks) -> str:
    """What choosing costs, and what the combination by variance gains or loses by its assumption."""
    chosen = table[table["x"] == epsilon].set_index("line")
    share, least = (float(chosen["value"][line]) for line in COMBINED)
    who = t("{mix} % of people mark 25 / 50 / 75 % of the range.", mix=written(choice))
    part = t(
        "It takes all groups for alike; {part} of its squared error is the bias where they are not.",
        part=words.share(float(chosen["bias"]["min. variance"]) ** 2 / least),
    )
    return f"{who} {_weighed(share / least, words.epsilon(epsilon))} {part}"


def _weighed(gain: float, eps: str) -> str:
    if gain > 1.01:
        less = words.share(1 - 1 / gain)
        return t("At ε = {eps} weighing by variance makes the squared error {share} smaller.", eps=eps, share=less)
    if gain > 0.99:
        return t("At ε = {eps} weighing by variance changes next to nothing.", eps=eps)
    if gain > 0.67:
        more = words.share(1 / gain - 1)
        return t("At ε = {eps} weighing by variance makes the squared error {share} larger.", eps=eps, share=more)
    times = words.times(1 / gain)
    return t("At ε = {eps} weighing by variance makes the squared error {times} as large.", eps=eps, times=times)
