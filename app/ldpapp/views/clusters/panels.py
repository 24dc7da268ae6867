"""The panels of the Clusters view: modes side by side, scores, and what the messages give away."""

from dataclasses import replace

import pandas as pd

from ldpapp import charts, compute, words
from ldpapp.parts import curve_words, panels, widgets
from ldpapp.parts.panels import Chart, Filling, Html, Menu, Panel, Part, Reach, Sheet
from ldpapp.state import view_options
from ldpapp.state.view_options import look
from ldpapp.views.clusters import sentences
from ldpapp.views.clusters.rounds import attribute, whole
from ldpapp.words.language import t
from ldpcore.catalog.clusterings import ClusterEntry
from ldpcore.study import Study, curves, summary
from ldpcore.study import clusters as task
from ldpcore.study.clusters import CATALOG, ClusterRecords, compare
from ldpcore.study.clusters.compare import TRUE, Matched, leaks
from ldpcore.study.clusters.facts import ClustersFacts

# modes -----------------------------------------------------------------------------------------------------------


def modes(study: Study, people: ClusterRecords, shown: dict[str, Matched]) -> Panel:
    heads = "".join(f"<th>{widgets.named(name)}<br>{_right(name, one)}</th>" for name, one in shown.items())
    body = "".join(_cluster(people, shown, r, study.column) for r in range(len(shown[TRUE].modes)))
    width = f"min-width:{88 + 74 * len(shown)}px"
    inside = f'<table style="{width}"><tr><td></td>{heads}</tr>{body}</table>'
    # It scrolls where there are many clusters: also by keyboard.
    region = f'tabindex="0" role="region" aria-label="{t("Modes side by side")}"'
    another: list[Part] = [panels.again(t("another start"), "clusters")] if study.repetitions > 1 else []
    return Panel(
        "modes",
        t("Modes side by side"),
        [Html(f'<div class="modes tall" style="max-height:384px;{widgets.scrolls()}" {region}>{inside}</div>')],
        t("One start for all. <b>Bold</b>: not K-modes’ value. Under the name: people in the right cluster."),
        [*another, Sheet(compare.modes(people, shown), "modes")],
        reach=Reach.INTERNAL,
    )


def _right(name: str, one: Matched) -> str:
    text = t("truth, <i>internal</i>") if name == TRUE else t("{n} of 100", n=words.of_100(one.right))
    return f'<span class="quiet">{text}</span>'


def _cluster(people: ClusterRecords, shown: dict[str, Matched], r: int, column: str) -> str:
    """A head with the cluster's size under each method, then its modes."""
    sizes = "".join(f'<td class="quiet">{words.share(one.shares[r])}</td>' for one in shown.values())
    rows = [f'<tr class="head"><td>{t("cluster {n}", n=r + 1)}</td>{sizes}</tr>']
    for j, (column_name, domain) in enumerate(zip(people.columns, people.domains, strict=True)):
        true, style = shown[TRUE].modes[r, j], whole(column_name, column)
        cells = "".join(
            _cell(domain.labels[one.modes[r, j]], "" if name == TRUE else _look(one.modes[r, j] == true), style)
            for name, one in shown.items()
        )
        rows.append(f"<tr>{attribute(column_name, column)}{cells}</tr>")
    return "".join(rows)


def _look(same: bool) -> str:
    return "same" if same else "other"


def _cell(label: str, look: str, style: str) -> str:
    text = widgets.escape(label)
    return f'<td class="{look}" title="{text}" {style}>{text}</td>'


# scores ----------------------------------------------------------------------------------------------------------


def scores(asked: Study, study: Study, along: Study, known: ClustersFacts) -> Panel:
    people, axis, entropy = known.data, asked.axis, look("clusters_score", "AC") == "entropy"
    axes = {"epsilon": "ε", "n": t("people"), "k": t("clusters")}
    metric, factor = ("entropy", 1.0) if entropy else ("ac", 100.0)
    at = task.current(replace(study, axis=axis), people)
    starts = known.starts.assign(x=at)
    rows = pd.concat([compute.kept(along, people), starts], ignore_index=True)
    rows = rows.drop_duplicates(["mechanism", "x", "repetition", "metric", "scope"])
    summed = summary(along, people, rows[rows["metric"].isin((metric, "bits"))])
    averages = curves.means(summed, metric, enough=curve_words.ENOUGH, factor=factor)
    unit, shown = t("Of 100 people, in K-modes’ cluster."), t("in the right cluster")
    reference = None
    if entropy:
        unit, shown = t("What is left open about the true cluster, bits."), t("entropy")
    elif axis == "epsilon":  # more people or clusters move what a start scores, and one line cannot say how
        start = known.untouched
        reference = start * 100, t("start {n}", n=words.of_100(start))
        unit = t("{unit} Dotted: the starts alone.", unit=unit)
    figure = charts.score_curves(
        averages,
        focus=study.mechanisms[0],
        at=at,
        best=0.0 if entropy else 100.0,
        say=_bits if entropy else _of_100,
        reference=reference,
        x_name=axes[axis],
        log_x=axis != "k",
        dark=widgets.is_dark(),
        height=320,
    )
    methods = words.listing(study.mechanisms)
    return Panel(
        "scores",
        t("Nearness to K-modes"),
        [Chart(figure, t("{unit} Against {axis}, for {methods}.", unit=unit, axis=axes[axis], methods=methods))],
        Filling(people, [study, along], t("starts"), f"{unit} {curve_words.said(study.repetitions, 'start')}"),
        [
            panels.axis_menu("clusters", axes, axis),
            Menu(shown, _choose_score, "clusters_scores_menu"),
            Sheet(curves.sized(averages, summed).rename(columns={"value": metric}), "scores"),
        ],
        reach=Reach.INTERNAL,
    )


def _of_100(value: float) -> str:
    return t("{n} of 100", n=words.of_100(value / 100))


def _bits(value: float) -> str:
    return t("{n} bits", n=f"{value:.2f}")


def _choose_score() -> None:
    labels = {"AC": t("AC: people in matching clusters"), "entropy": t("entropy, bits")}
    view_options.radio(t("Score"), labels, "clusters_score")


# leak ------------------------------------------------------------------------------------------------------------


def _covered(entry: ClusterEntry) -> str:
    if entry.uses_marks:
        return t("marked columns protected") if entry.whole else t("marked: first report protected")
    return t("all protected") if entry.whole else t("first report protected")


def leak(known: ClustersFacts) -> Panel:
    study, bounds, column = known.study, known.bounds, known.study.column
    local = [key for key in study.mechanisms if not CATALOG[key].central]
    parts: list[Part] = []
    if local:
        figure = charts.trace_leaks(
            [
                (key, None if values is None else values * 100)
                for key, values in ((key, known.parts[key].leak) for key in local)
            ],
            blind=bounds.blind * 100,
            promised=bounds.promised * 100,
            epsilon=words.epsilon(study.epsilon),
            covered={key: _covered(CATALOG[key]) for key in local},
            apart={key: (100 * seen, 100 * most) for key, (seen, most) in known.apart.items()},
            dark=widgets.is_dark(),
        )
        alt = t(
            "How often an adversary who knows half of the people names {column} from the messages of {methods}; a "
            "blind guess gets {blind} of 100.",
            column=column,
            methods=words.listing(local),
            blind=words.of_100(bounds.blind),
        )
        parts.append(Chart(figure, alt))
    text = sentences.given_away(known, widgets.named)
    return Panel(
        "leak",
        t("What the messages give away"),
        [*parts, Html(f'<div class="card">{text}</div>')],
        # The line is paler than the page's ink: vermilion would be too faint in it.
        sentences.drawn(known.starts, widgets.escape(column)),
        [Sheet(leaks(study, known.data, known.starts).round(3), "leak", t("all columns"))],
        reach=Reach.INTERNAL,
    )
