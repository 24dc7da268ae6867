"""What most people need not open: weights and groups, whether something is wrong, who ignores the rule."""

from contextlib import nullcontext

import streamlit as st

from ldpapp import charts, words
from ldpapp.parts import widgets
from ldpapp.parts.panels import Chart, Control, Html, Line, Panel, Part, Sheet, fold, show
from ldpapp.runtime import capture
from ldpapp.state import view_options
from ldpapp.views.results import beside, opening, read, sentences, together
from ldpapp.views.results.read import CLIENT, REPORTS, SECOND
from ldpapp.words.language import t
from ldpcore.collection.ignoring import who_ignores
from ldpcore.collection.result_facts import ResultFacts

WEIGHTS, WRONG, IGNORED, TOGETHER = "fold_weights", "fold_wrong", "fold_ignored", "fold_together"


def draw(known: ResultFacts) -> None:
    fold(WEIGHTS, t("Weights, strata, groups"), sentences.whole(known), lambda: show(lambda: _weights(known)))
    refused = t("{n} refused, and why", n=words.count(known.refused)) if known.refused else t("none refused")
    inside = " · ".join(filter(None, (refused, sentences.silence(known), sentences.passes(known))))
    fold(WRONG, t("Is something wrong?"), inside, lambda: show(lambda: _wrong(known)))
    if names := together.others():
        inside = t("with {question}", question=widgets.escape(words.shorten(read.other(names), 24)))
        fold(TOGETHER, t("Two answers together"), inside, lambda: show(lambda: together.panel(known)))
    has = all(read.file(SECOND[role]) for role in (REPORTS, CLIENT))
    inside = t("two groups, asked by two clients") if has else t("needs a second group with another client")
    with nullcontext() if has else capture.unsaid():  # what only asks for files is none of the report's
        fold(IGNORED, t("Count who ignores the rule"), inside, lambda: show(lambda: _ignored(known)))


# weights -------------------------------------------------------------------------------------------------------------


def _weights(known: ResultFacts) -> Panel:
    parts: list[Part] = [Control(_choices)]
    if why := view_options.look(read.REFUSED, ""):
        parts.append(Control(lambda: opening.alert(why)))
    if known.read.columns.weights:
        parts.append(
            Line(t("Were these weights fixed before the answer was known? One made from it tells the answer."))
        )
    parts.append(Html(_margins(known)))
    if lonely := known.read.lonely():
        names = words.listing(widgets.escape(str(name)) for name in lonely)
        parts.append(Line(t("Strata with one cluster, whose error is taken from the whole: {names}.", names=names)))
    return Panel("results_weights", t("What stands beside the reports"), parts)


def _choices() -> None:
    labels = {"weights": t("Weights"), "strata": t("Strata"), "clusters": t("Clusters")}
    for place, (name, label) in zip(st.columns(3), labels.items(), strict=True):
        with place:
            beside.choice(name, label, "results_fold")


def _margins(known: ResultFacts) -> str:
    """Who answered, and all people: the ± of some answers, and what of it the reports are."""
    if known.everyone is None:
        return f'<div class="card">{t("So many people are not compared one by one here.")}</div>'
    if known.numbers:
        row = known.everyone.iloc[0]
        text = t("For all people, not only who answered: ±{whole}, of which ±{noise} the noise of the reports.",
                 whole=words.decimals(row["whole"]), noise=words.decimals(row["noise"]))  # fmt: skip
        return f'<div class="card">{text}</div>'
    names = list(dict.fromkeys(name for name in (known.leading, known.commonest) if name)) or list(known.labels[:1])
    margins = {name: both for name in names if (both := known.both_margins(name)) is not None}
    rows = [
        (sentences.answer(name), *(f"±{sentences.percent(margin)}" for margin in both))
        for name, both in margins.items()
    ]
    heads = (t("of who answered: the noise of the reports"), t("of all people: how these were drawn, as well"))
    table = widgets.pairs_table(rows, heads)
    how = sentences.made(known)
    return f'{table}<div class="sub">{how}</div>' if how else table


# is something wrong --------------------------------------------------------------------------------------------------


def _wrong(known: ResultFacts) -> Panel:
    lines = [*sentences.people_lie(known)]
    why = sentences.reasons(known.read.why)
    refused = t("Refused: {reasons}.", reasons="; ".join(why)) if why else t("No row was refused.")
    texts = [refused, sentences.unseen(known), *lines]
    return Panel(
        "results_wrong", t("What may be wrong"),
        [Html("".join(f'<p class="card">{text}</p>' for text in texts)), Html(_tests(known))],
    )  # fmt: skip


def _tests(known: ResultFacts) -> str:
    names = {t("counts beyond their ends"): known.ends, t("sizes of reports"): known.sizes}
    rows = [(name, t("not known here") if p is None else f"{p:.3g}") for name, p in names.items()]
    return widgets.pairs_table(rows, (t("how often an honest crowd gives as much (p)"),))


# who ignores the rule ------------------------------------------------------------------------------------------------


def _ignored(known: ResultFacts) -> Panel:
    about = t(
        "People who always say the same, whatever the rule, are counted from two groups that were asked with different "
        "chances. Who taps a false answer is never counted."
    )
    parts: list[Part] = [Control(_second)]
    if all(read.file(SECOND[role]) for role in (REPORTS, CLIENT)):
        parts += _counted(known)
    return Panel("results_ignored", t("A second group"), parts, about)


def _second() -> None:
    for place, (role, label) in zip(
        st.columns(2), ((REPORTS, t("Reports of the second group")), (CLIENT, t("Their client.json"))), strict=True
    ):
        with place:
            if read.file(SECOND[role]) is None:
                st.html(f'<div class="sub">{label}</div>')
                opening.uploader(role, label, second=True)
            else:
                opening.here(SECOND[role], label)


def _counted(known: ResultFacts) -> list[Part]:
    try:
        other = read.second()
        always = read.draft().always if read.draft().always in known.labels else known.labels[0]
        table = who_ignores(known, other, always)
    except ValueError as error:
        sentence = opening.sorry(error)
        return [Control(lambda: opening.alert(sentence))]
    last = table.iloc[-1]
    text = t(
        "{share} % always send {answer}, whatever they hold ({interval}, 95 of 100). The bar of an answer ends where "
        "all of them held it.",
        share=sentences.percent(last["share"]), answer=sentences.answer(always),
        interval=sentences.interval(last["low"], last["high"]),
    )  # fmt: skip
    ignoring, kept = max(0.0, float(last["share"])), table["share"].clip(lower=0)
    rows = [
        charts.ResultRow(
            name, 100 * kept[i], 100 * kept[i], 100 * (kept[i] + ignoring), bool(known.hidden[i]),
            [sentences.percent(table["share"][i]), sentences.interval(table["low"][i], table["high"][i])],
        )
        for i, name in enumerate(known.labels)
    ]  # fmt: skip
    drawn = charts.results(rows, [t("share, %"), t("95 of 100")], dark=widgets.is_dark())
    sends = t("What those who ignore the rule always send: the report of")
    return [
        Control(lambda: beside.chooser(sends, list(known.labels), "always", always)),
        Html(f'<p class="card">{text}</p>'),
        Chart(drawn, text, key="chart_results_ignored"),
        Sheet(table, "who-ignores"),
    ]
