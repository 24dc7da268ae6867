"""What one would publish: forms of a release, their error beside the unbiased one, their bias. Frequency and Sets."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from ldpapp import charts, words
from ldpapp.parts import panels, widgets
from ldpapp.parts.elements import Part as Shown
from ldpapp.parts.panels import Box, Chart, Html, Line, Menu, Panel, Reach, RowOfParts, Sheet
from ldpapp.state import view_options
from ldpapp.words.language import t
from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.estimators.publishing import FORMS, REPORTS, SET_FORMS, UNBIASED
from ldpcore.study.published import LEAST, Form, PublishedNumber

Forms = Mapping[str, Form]


@dataclass(frozen=True, eq=False)
class Released:
    """What a page releases: its mechanism, the values with their marks (k,), and every form of it.

    one: people give one answer each, so that shares sum to 1. exact: maximum likelihood of the counts is that of the
    reports.
    """

    mechanism: str
    labels: Sequence[str]
    marked: NDArray[np.bool_]
    forms: Forms
    one: bool = True
    exact: bool = False


def choices(task: str) -> view_options.Looks:
    """The looks of the fold: open or not, and the form that is looked at."""
    usual = ("norm-sub", *FORMS, REPORTS) if task == "frequency" else ("clip", *SET_FORMS)
    return {f"fold_{task}_forms": (False, True), f"{task}_form": tuple(dict.fromkeys(usual))}


def fold(task: str, make: Callable[[], Released]) -> None:
    """Made only when it is open."""
    inside = t("error and bias")

    def made() -> Panel:
        with st.spinner(t("Surveys are being simulated.")):
            released = make()
        return panel(task, released)

    panels.fold(f"fold_{task}_forms", t("What one would publish"), inside, lambda: panels.show(made))


class Name(NamedTuple):
    """What charts call a form, and what it does."""

    short: str
    long: str


def names(released: Released) -> dict[str, Name]:
    """Of every form there is."""
    exact = Name(t("EM"), t("maximum likelihood (EM)"))
    composite = Name(t("EM of the counts"), t("likeliest for the counts (composite EM)"))
    return {
        UNBIASED: Name(t("unbiased"), t("as estimated, unbiased")),
        "clip": Name(t("clipped"), t("clipped to 0…1")),
        "norm": Name(t("norm"), t("cut at 0, divided by the sum (norm)")),
        "norm-sub": Name(t("norm-sub"), t("nearest distribution (norm-sub)")),
        "base-cut": Name(t("base-cut"), t("0 unless surely held by somebody (base-cut)")),
        "at-most-m": Name(t("at most m"), t("nearest shares that sum to m at most")),
        "em": exact if released.exact else composite,
        REPORTS: Name(t("EM of the reports"), t("likeliest for every single report (exact EM)")),
    }


def panel(task: str, released: Released) -> Panel:
    """The sentence, the errors of all forms in two parts, and the bias of the one that is looked at."""
    title, forms = t("What one would publish"), released.forms
    if not forms:
        text = t("Bias shows after {n} surveys; they are being simulated.", n=LEAST)
        return Panel("forms", title, [Box(t("Too few surveys to tell bias from chance."), text)])
    key = f"{task}_form"
    chosen = (
        view_options.look(key) if view_options.look(key) in forms else next(form for form in forms if form != UNBIASED)
    )
    form, called = forms[chosen], names(released)
    mean, low, high = form.bias
    bias = charts.form_bias(released.labels, form.truth, mean, low, high, released.marked, dark=widgets.is_dark())
    rows = [_row(called[name].short, one, forms[UNBIASED], name == chosen) for name, one in forms.items()]
    errors = charts.form_errors(rows, dark=widgets.is_dark())
    left: list[Shown] = [
        Line(t("Squared error, % of the unbiased one. Pale: random; strong: systematic. Line: 95 %.")),
        Chart(errors, t("The squared error of {n} forms of release, in two parts.", n=len(forms)), key="chart_forms"),
    ]
    right: list[Shown] = [
        Line(t("Bias of “{form}”, points, value by value. Line: 95 %.", form=called[chosen].long)),
        Chart(bias, t("The mean error of every share, from the commonest to the rarest."), key="chart_form_bias"),
    ]
    sheets = [Sheet(table(released), "forms", key="forms"), Sheet(_biases(released), "bias", t("bias"), key="biases")]
    options = partial(view_options.radio, t("Form"), {name: called[name].long for name in forms}, key)
    return Panel(
        "forms",
        title,
        [Html(sentence(released, chosen)), RowOfParts([left, right], [50, 50], {"gap": "medium"}), *_notes(released)],
        t("{mechanism}, over simulated surveys; <i>internal</i>.", mechanism=released.mechanism),
        [Menu(called[chosen].long, options, f"{key}_menu"), *sheets],
        reach=Reach.INTERNAL,
    )


def _row(name: str, form: Form, unbiased: Form, chosen: bool) -> charts.FormRow:
    whole = unbiased.mse.value / 100

    def percent(part: float) -> float:
        return part / whole if whole > 0 else 0.0

    ends = percent(form.mse.low), percent(form.mse.high)
    return charts.FormRow(name, percent(form.random.value), percent(form.systematic.value), *ends, chosen)


def sentence(released: Released, chosen: str) -> str:
    """What the form gains, and its price."""
    form, unbiased = released.forms[chosen], released.forms[UNBIASED]
    error, other = words.margin(form.mse.value**0.5), words.margin(unbiased.mse.value**0.5)
    if chosen == UNBIASED:
        below = float((form.estimates < 0).mean())
        return t(
            "As estimated the shares are right on average and off by {error} points; {below} of 100 published shares "
            "are negative.",
            error=error,
            below=words.of_100(below),
        )
    holes = {"made": _made(chosen), "error": error, "other": other, "price": _price(released, form)}
    if error == other:
        return t("{made}, the shares are off by {error} points as before. {price}", made=holes["made"], error=error,
                 price=holes["price"])  # fmt: skip
    if form.mse.low > unbiased.mse.high:
        return t(
            "{made}, the shares are off by {error} points, <b>worse</b> than {other} as estimated. {price}", **holes
        )
    return t("{made}, the shares are off by {error} points instead of {other}. {price}", **holes)


def _made(chosen: str) -> str:
    texts = {
        "clip": t("Cut at 0 and at 1"),
        "norm": t("Cut at 0 and divided by their sum"),
        "norm-sub": t("Cut at 0 and made to sum to 1"),
        "base-cut": t("Set to 0 wherever nobody might hold them"),
        "at-most-m": t("Cut at 0 and at 1, and made to sum to m at most"),
        "em": t("As the counts make them likeliest"),
        REPORTS: t("As all reports together make them likeliest"),
    }
    return texts[chosen]


def _price(released: Released, form: Form) -> str:
    """The mean bias of the rarer half of the values; where it shows none, of the marked ones."""
    rarer = form.rarer
    low, high, most = _ends(rarer)
    holes = {"bias": words.decimals(100 * abs(rarer.value)), "low": low, "high": high}
    if rarer.low > 0:
        return t("The price: the rarer half of them is {bias} points too high on average ({low}–{high}).", **holes)
    if rarer.high < 0:
        return t("The price: the rarer half of them is {bias} points too low on average ({low}–{high}).", **holes)
    marked = form.mean_bias(released.marked) if released.marked.any() else rarer
    low, high, _ = _ends(marked)
    holes = {"bias": words.decimals(100 * abs(marked.value)), "low": low, "high": high}
    if marked.low > 0:
        return t("The price: the marked ones are {bias} points too high on average ({low}–{high}).", **holes)
    if marked.high < 0:
        return t("The price: the marked ones are {bias} points too low on average ({low}–{high}).", **holes)
    return t("The rarer half of them shows no bias (none above {most} points).", most=most)


def _ends(part: PublishedNumber) -> tuple[str, str, str]:
    """The nearer and the farther end from 0, and the farther again as it is written alone."""
    near, far = sorted(abs(100 * end) for end in (part.low, part.high))
    return words.decimals(near), words.decimals(far), words.decimals(far).lstrip("<")


def _notes(released: Released) -> list[Shown]:
    """What kind of likelihood it is, and what is left out."""
    if not released.one:
        text = t(
            "Shares of items do not sum to 1: nothing but 0, 1 and m bounds them. A likelihood of sets has a term for "
            "every possible set, so that there is no EM here."
        )
    elif released.exact:
        text = t("Of this mechanism the counts are all that the reports say: EM is exact maximum likelihood.")
    elif REPORTS in released.forms:
        text = t(
            "EM of the reports is exact maximum likelihood. EM of the counts takes the values’ counts as independent "
            "(a composite likelihood): all that is left where only counts are kept."
        )
    else:
        text = t(
            "EM takes the values’ counts as independent (a composite likelihood). The exact one needs every report, "
            "and these people and values are too many for it here."
        )
    return [Line(text)]


def table(released: Released) -> pd.DataFrame:
    """Every form: points, and squared errors in points² with their intervals; what is random is the rest."""
    rows = []
    for name, form in released.forms.items():
        row: dict[str, object] = {"form": names(released)[name].long, "surveys": form.surveys}
        row["± 95 %, points"] = 100 * NORMAL_95 * form.mse.value**0.5
        for what, part in (("squared error", form.mse), ("systematic", form.systematic)):
            row |= {what: 1e4 * part.value, f"{what}, low": 1e4 * part.low, f"{what}, high": 1e4 * part.high}
        row["random"] = 1e4 * form.random.value
        row["bias of the rarer half, points"] = 100 * form.rarer.value
        rows.append(row)
    return pd.DataFrame(rows)


def _biases(released: Released) -> pd.DataFrame:
    """Every value's mean error in every form, points."""
    first = next(iter(released.forms.values()))
    columns = {names(released)[name].short: 100 * form.bias[0] for name, form in released.forms.items()}
    return pd.DataFrame({"value": released.labels, "true share (internal)": 100 * first.truth, **columns})
