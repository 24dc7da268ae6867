"""Papers: what the five papers claim, whether it holds, why, and what repairs it. One paper at a time."""

from functools import partial

from ldpapp.parts import widgets
from ldpapp.parts.panels import row, show
from ldpapp.views.papers import live, panels, sentences
from ldpapp.words import glossary
from ldpcore import papers
from ldpcore.papers.bench import CLAIMS

LOOKS = panels.LOOKS


def page() -> None:
    glossary.turn_to("")
    panels.arrive()
    bench = live.bench()
    widgets.sentence(sentences.headline(papers.counts(bench.measured()), len(CLAIMS)))
    row(partial(panels.glance, bench), (partial(panels.checked, bench), panels.choose), widths=[56, 44])
    paper = panels.chosen()
    row(partial(panels.claims, bench, paper), partial(panels.figure, bench, paper), widths=[56, 44])
    show(partial(panels.caveats, bench, paper), panels.every_figure)
