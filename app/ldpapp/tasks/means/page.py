"""Means: the mean of one column of numbers, how wrong it gets when only a part of its range is sensitive."""

from functools import partial

from ldpapp import sidebar, widgets, words
from ldpapp.language import t
from ldpapp.panels import row
from ldpapp.tasks.means import details, exposed, findings, more, panels
from ldpapp.tasks.means import view as means_view
from ldpcore.study import Study
from ldpcore.study.means import Numbers

ROWS = (
    ((45, 54), (panels.histogram, panels.error)),
    ((65, 34), (exposed.adversary, details.report)),
    ((1, 1, 1), (details.bias, details.distribution, more.advantage)),
    ((40, 28, 30), (exposed.personalised, more.repeat, more.theorem)),
)
"""From top to bottom: how wide, and who makes the panels."""


def page(asked: Study, data: Numbers) -> None:
    view = means_view.current(asked, data, asked.axis)
    widgets.sentence(
        findings.headline(
            view.study,
            data,
            view.spreads,
            widgets.named,
            lambda text: widgets.sensitive(widgets.escape(text)),
            widgets.escape,
        )
    )
    marked = words.plural(len(view.marked), t("interval"), t("intervals"))
    sidebar.on_phone(view.study, t("{intervals} marked", intervals=marked))
    for widths, makers in ROWS:
        row(*(partial(maker, view) for maker in makers), widths=widths)
    panels.simulate(view)
