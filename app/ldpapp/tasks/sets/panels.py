"""The panels of the Sets view: error, adversary, one release, theory against experiment, promises."""

import math
from collections.abc import Iterator

import numpy as np
import pandas as pd
import streamlit as st

from ldpapp import bind, charts, compute, curves, filling, release, session, widgets, words
from ldpapp.charts import Question
from ldpapp.tasks.sets import cached as sets_cached
from ldpapp.tasks.sets import data as set_data
from ldpapp.tasks.sets import findings as set_findings
from ldpapp.tasks.sets.data import LEAKY, Fact, View
from ldpcore import catalog, limit
from ldpcore.data import Baskets
from ldpcore.estimators.released import score_interval
from ldpcore.study import Study
from ldpcore.study import sets as task

QUESTIONS = {
    "any sensitive<br>item?": "presence",
    "this sensitive<br>item?": "marked item",
    "this other<br>item?": "other item",
}
"""What the adversary asks → column of the table."""


def error_panel(view: View, study: Study, held: Baskets, main: Fact) -> None:
    """The error against ε, the share marked, the number of items, m or the number of people."""
    lines = curves.error_lines(view, compute.theory(view.theoretical(study), held), study.arms[0].name)
    marks = curves.error_marks(view, view.simulated(study), held, study.arms[0].name)
    if view.quantity == "largest":
        lines = marks[["mechanism", "x", "value"]]
    what = {
        "points": "Typical error of a share, points.",
        "mse": "Mean squared error of a share.",
        "largest": "Largest error of any share, points; lines join the marks.",
    }[view.quantity]
    what += f" Over {set_data.SCOPES[view.scope]}. Line: theory. Mark: {words.plural(study.repetitions, 'survey')}."
    with widgets.panel("set_error", "Error against", None) as slot:
        bind.bound(
            slot.segmented_control,
            "Axis",
            list(set_data.AXES),
            key="sets_axis",
            value=view.axis,
            change=lambda axis: session.change("sets", axis=axis),
            required=True,
            format_func=set_data.SHORT.get,
            label_visibility="collapsed",
        )
        with slot.popover(set_data.SCOPES[view.scope], type="tertiary"):
            _error_menu()
        with slot:
            rows = lines.merge(marks.rename(columns={"value": "simulated"}), how="outer", on=["mechanism", "x"])
            widgets.as_table("set_error", rows.rename(columns={"value": "theory"}), "error")
        filling.line(held, view.simulated(study), of="simulated surveys", done=what)
        if lines.empty:
            widgets.state_box("Surveys are being simulated.", "The largest error has no closed form.", height=218)
            return
        below, text = floor(view, study, held, main)
        figure = charts.error_curves(
            lines,
            marks,
            limit=below,
            limit_text=text,
            focus=main.key,
            at=view.at(study, held),
            unit="mse" if view.quantity == "mse" else "points",
            x_name={**set_data.AXES, "share": "marked, %"}[view.axis],
            log_x=view.log_x,
            dark=widgets.is_dark(),
            height=206,
        )
        widgets.plot(
            figure,
            "chart_set_error",
            f"{what} {words.points(main.error())} points for {main.key} at ε = {words.epsilon(study.epsilon)}.",
        )
        widgets.below_chart(figure, text)


def limited(view: View, study: Study, held: Baskets) -> tuple[Study, list[float]]:
    """The study along the view's axis, and where on it the floor is computed: here first, then along the curves."""
    along = set_data.on(view.axis, study)
    here = task.current(along, held)
    return along, [here, *(x for x in view.dense[::3] if x != here)]


def _has_limit(main: Fact) -> bool:
    """Where the focus promises something of the whole report."""
    return main.promise == "LDP" or (main.promise != LEAKY and bool(main.here.marked.any()))


def floor(view: View, study: Study, held: Baskets, main: Fact) -> tuple[pd.DataFrame | None, str]:
    """The least error found for the focus's promise, where it is computed already, between its points; in words."""
    along, points = limited(view, study, held)
    if not _has_limit(main) or view.quantity == "largest":
        return None, ""
    known = {x: sets_cached.limit(along, held, main.promise, view.scope, x) for x in points}
    found = {x: value for x, value in known.items() if value is not None and value > 0}
    if points[0] not in found or len(found) < 2:
        return None, ""
    x = np.array(sorted(found))
    value = np.array([found[at] for at in x])
    part = dict(main.here.scopes)[view.scope]
    times = float(main.here.noise(main.mechanism)[part].mean()) / found[points[0]]
    whom = "protects every item" if main.promise == "LDP" else "keeps the whole report private"
    least = words.points(np.sqrt(found[points[0]]))
    text = f"least error found for what {whom}: {least}; the squared noise of {main.key} is {times:.2f} times it"
    shown = value if view.quantity == "mse" else np.sqrt(value) * 100
    return pd.DataFrame({"x": view.shown_x(pd.Series(x)), "value": shown}), text


def _error_menu() -> None:
    st.radio("Over", list(set_data.SCOPES), key="sets_scope", persist_state="session", format_func=set_data.SCOPES.get)
    st.radio(
        "Quantity",
        list(set_data.QUANTITIES),
        key="sets_quantity",
        persist_state="session",
        format_func=set_data.QUANTITIES.get,
    )
    st.html(
        '<div class="sub">The grey floor is the least error found for a promise on the whole report: the best of a '
        "family of reports fixed before the sets are known, by a search, averaged over which items are common. "
        "On domains so small that all reports could be tried, it was the least there is, or at most 4 % above it; on "
        "larger ones that is not proven, and a better mechanism may exist. For more than "
        f"{limit.MOST_ITEMS} items per report it is not computed, nor for fewer where marked items, other items and "
        "padding mix in too many ways.</div>"
    )


def adversary_panel(study: Study, held: Baskets, found: dict[str, Fact], main: Fact, told: pd.DataFrame) -> None:
    """Presence and membership side by side."""
    people, done = task.options(study)["attacks"], int(told["repetitions"].max()) if len(told) else 0
    subtitle = f"Right decisions of 100; guessing gets 50. {words.count(people * done)} people attacked. Line: 95 %."
    with widgets.panel("set_adversary", "What a report tells", subtitle) as slot:
        rows = set_findings.attack_rows(told, list(found))
        with slot:
            widgets.as_table("set_adversary", rows, "adversary")
        if rows.drop(columns="mechanism").isna().all(axis=None):
            crowd = len(told) == 0
            widgets.state_box(
                "People are being attacked." if crowd else "Too few people to attack.",
                "The first answers come with the first surveys."
                if crowd
                else f"An attack needs {task.CROWD} people who hold what it asks for, and as many who do not. "
                "Mark other items.",
                height=200,
            )
            return
        figure = charts.exposed(
            rows,
            [
                Question(head, name, f"{name}, low", f"{name}, high")
                for head, name in QUESTIONS.items()
                if rows[name].notna().any()
            ],
            focus=main.key,
            dark=widgets.is_dark(),
            height=max(150, min(206, 42 + 27 * len(rows))),
        )
        widgets.plot(
            figure,
            "chart_set_adversary",
            "How often an adversary decides rightly from one report whether a person holds any marked item, the "
            "commonest marked item, or the commonest other item.",
        )
        st.html(f'<div class="sub">{_targets(study, held)}</div>')


def _targets(study: Study, held: Baskets) -> str:
    here = set_data.setting(study, held)
    names = {
        scope: words.listing(widgets.escape(here.baskets.labels[i]) for i in items)
        for scope, items in here.targets(task.options(study)["targets"]).items()
    }
    said = [f"this sensitive item: {names['sensitive']}"] if "sensitive" in names else []
    said += [f"this other item: {names['other']}"] if "other" in names else []
    return "; ".join(said).capitalize() + "." if said else ""


def surveys(main: Fact, detail: pd.DataFrame, part: np.ndarray) -> release.Surveys:
    """Those of the mechanism in focus, for the items of `part`."""
    here, variance = main.here, main.variance[part]
    labels = [here.baskets.labels[i] for i in part]
    return release.Surveys(
        main.key,
        labels,
        here.marked[part],
        here.freq[part],
        release.estimates(detail, main.key, labels),
        variance,
        main.squared[part],
        lambda drawn: released(main, part, drawn),
        {"share after sampling": here.kept[part]},
    )


def released(main: Fact, part: np.ndarray, drawn: release.Floats) -> tuple[release.Floats, release.Floats]:
    """95 % intervals of the shares after sampling, whose wobble is in them; where no estimate is kept, by its mean."""
    here, estimate = main.here, main.here.kept.copy()
    estimate[part] = drawn
    low, high = score_interval(main.mechanism, estimate, here.n, company=here.sample.company, extra=here.sample.wobble)
    return low[part], high[part]


def promise_panel(study: Study, found: dict[str, Fact], main: Fact, told: pd.DataFrame) -> None:
    """What each report covers and how long it is; where the promise is about a part only, the leak and its repair."""
    measured = told[told["metric"] == set_data.BITS].set_index("mechanism")["value"]
    leaky = next((fact for fact in found.values() if fact.promise == LEAKY), None)
    with widgets.panel("set_promise", "What is promised, and bits of a report") as slot:
        rows = pd.DataFrame(
            {
                "mechanism": list(found),
                "bits, computed": [fact.bits for fact in found.values()],
                "bits, measured": [measured.get(key, np.nan) for key in found],
                "promise": [fact.promise for fact in found.values()],
                "caveats": [" ".join(catalog.SETS[key].caveats) for key in found],
            }
        )
        with slot:
            widgets.as_table("set_promise", rows, "reports")
        st.html(_sizes(found, main, measured))
        if leaky is not None and leaky.here.marked.any():
            _leak(study, found, leaky, told)
        else:
            st.html(
                f'<div class="card"><hr><b>Covered:</b> {set_findings.PROMISES[main.promise]}. <b>Not covered:</b> '
                "an unmarked item that a report shows is held for sure, and many reports of one person add up.</div>"
            )


def _sizes(found: dict[str, Fact], main: Fact, measured: pd.Series) -> str:
    """By promise: who keeps it, and how long each report is."""
    lines = []
    for promise, covers in set_findings.PROMISES.items():
        kept = [fact for fact in found.values() if fact.promise == promise]
        sizes = words.listing(f"{widgets.named(fact.key)}&nbsp;{_bits(fact.bits)}&nbsp;bits" for fact in kept)
        if kept:
            lines.append(f"<b>{covers[0].upper()}{covers[1:]}:</b> {sizes}.")
    seen = f" Measured, {main.key}: {_bits(measured[main.key])} bits." if main.key in measured else ""
    return f'<div class="card">{"<br>".join(lines)}<span class="quiet">{seen}</span></div>'


def _bits(bits: float) -> str:
    return words.count(bits) if bits >= 10 else words.decimals(bits)


def _leak(study: Study, found: dict[str, Fact], leaky: Fact, told: pd.DataFrame) -> None:
    leak = set_data.leak(leaky)
    if leak is None:
        return
    promised, shown = set_findings.claim(leak, study.epsilon, math.exp(study.epsilon))
    right = set_findings.success(told, leaky.key, set_data.PRESENCE)
    here = f" Presence here: {words.of_100(right)} of 100." if right is not None else ""
    fixes = set_findings.repaired(set_data.repairs(list(found.values()), leaky.here), leaky, told, widgets.named)
    st.html(
        f'<div class="card"><hr><b>Claim</b> of {widgets.named(leaky.key)}: {promised}<br>'
        f"<b>Measured:</b> {shown}{here}<br><b>Repaired:</b> {fixes}.</div>"
    )


def simulate(view: View, study: Study, held: Baskets, main: Fact) -> None:
    """Surveys and attacks at the chosen point first, then the floor, then the marks on the curves."""
    filling.steps(_work(view, study, held, main), view.simulated(study))


def _work(view: View, study: Study, held: Baskets, main: Fact) -> Iterator[object]:
    yield from compute.surveys(set_data.point(study), held)
    along, points = limited(view, study, held)
    for x in points if _has_limit(main) else ():
        if sets_cached.limit(along, held, main.promise, view.scope, x) is None:
            sets_cached.limit(along, held, main.promise, view.scope, x, wait=True)
            yield x
    yield from compute.surveys(view.simulated(study), held)
