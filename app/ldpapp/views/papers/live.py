"""Where a claim that does not hold, or not all of it, can be seen: a Study, and the panel of its page that shows it.

The link is the page's address as any page writes it: a Study's parameters and the looks that are not the usual ones.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

import streamlit as st

from ldpapp.views.tasks import TASKS
from ldpapp.words.language import t
from ldpcore.data import BUNDLED
from ldpcore.papers import LiveFigure, stored
from ldpcore.papers.bench import Bench
from ldpcore.study import Marks, Source, Study
from ldpcore.study.query import to_query


@dataclass(frozen=True)
class Live:
    """panel: the key of the panel to look at. papers: the address of a claim on Papers, where that is to be opened
    in place of the Study's own page.
    """

    study: Study
    panel: str
    looks: Mapping[str, str] = field(default_factory=dict)
    papers: str = ""

    @property
    def page(self) -> str:
        """What the page is called that the link opens."""
        return t("Papers") if self.papers else TASKS[self.study.task].title

    @property
    def link(self) -> str:
        """Relative: the dashboard may stand below another address."""
        query = to_query(self.study, True) | {key: [value] for key, value in self.looks.items()}
        return self.papers or f"{TASKS[self.study.task].address}?{urlencode(query, doseq=True)}"


def _study(task: str, data: str, *mechanisms: str, epsilon: float = 1.0) -> Study:
    """On bundled data with their usual marks."""
    card = BUNDLED[data]
    column = card.default_column
    marks = Marks.of(card.default_marks if task in ("frequency", "sets") else ())
    return Study(Source(data), column, marks=marks, mechanisms=mechanisms, epsilon=epsilon, task=task, repetitions=3)


LIVE: Mapping[tuple[str, str], Live] = {
    ("suldp", "8"): Live(
        _study("sets", "groceries", "suGRR-Sample", "suWheel", "uPrivSet"), "set_promise", {"fold_sets": "True"}
    ),
    ("suldp", "9"): Live(_study("sets", "groceries", "suWheel", "Wheel", "suWheel-J"), "set_adversary"),
    ("suldp", "10"): Live(
        replace(_study("sets", "groceries", "suGRR", "suGRR-Sample", "suWheel"), axis="m"), "set_error"
    ),
    ("sdldp", "1"): Live(
        _study("frequency", "census", "GRR", "uRR", "uSS", "SDGRR"), "error", {"view_quantity": "mse"}
    ),
    ("sdldp", "6"): Live(_study("frequency", "census", "SDGRR", epsilon=0.1), "theory"),
    ("sdldp", "8"): Live(_study("frequency", "census", "GRR", "SDGRR", epsilon=0.2), "error", {"view_quantity": "mse"}),
    ("sdldp", "10"): Live(_study("frequency", "census", "uRR", "SDGRR"), "error", {"view_quantity": "mse"}),
    ("dfdp", "6"): Live(_study("itemsets", "groceries", "DFDP", "Capped"), "leak", {"fold_itemsets_leak": "True"}),
    ("ldpk", "3"): Live(_study("clusters", "census", "LDPK", "DPK", "Fresh"), "scores"),
    ("ldpk", "3b"): Live(_study("clusters", "census", "LDPK", "DPK", "Fresh"), "scores"),
    ("ldpk", "5"): Live(_study("clusters", "census", "LDPK", "Fresh"), "leak"),
}  # fmt: skip
"""Paper and number of a claim → where it is seen."""

# figures -------------------------------------------------------------------------------------------------------------

_MSE, _SCALED = {"view_quantity": "mse"}, {"means_unit": "scaled", "means_lines": "all"}
_OWN = {"fold_personal": "True", "personal_which": "chance"}
_SDPM = {"fold_means_sdpm": "True"}
SHOWN: Mapping[tuple[str, str], tuple[str, Mapping[str, str]]] = {
    ("sets", "error"): ("set_error", {"sets_quantity": "mse"}),
    ("frequency", "error of low values"): ("error", _MSE | {"view_scope": "other"}),
    ("frequency", "error, own marks"): ("error", _MSE | _OWN),
    ("frequency", "own marks"): ("own_marks", _MSE | _OWN),
    ("frequency", "guesses"): ("adversary", {"view_prior": "uniform"}),
    ("means", "error, own marks"): ("means_error", _SCALED | _SDPM),
    ("means", "own marks"): ("means_personal", _SCALED | _SDPM),
    ("means", "report"): ("means_theorem", _SCALED | _SDPM),
    ("itemsets", "mae_found"): ("scores", {"itemsets_score": "mae_found"}),
    ("itemsets", "f"): ("scores", {}),
    ("clusters", "entropy"): ("scores", {"clusters_score": "entropy"}),
    ("clusters", "ac"): ("scores", {}),
    ("ranges", "averages"): ("averages", {"fold_every_range": "True", "ranges_unit": "mse"}),
    ("ranges", "index"): ("index", {"fold_every_range": "True"}),
    ("ranges", "own ranges"): ("own", {"fold_other_ranges": "True"}),
}
"""Task and what a figure is about → the panel of its page that draws it, and how it is looked at: squared errors."""


def live_figure(figure: LiveFigure) -> Live:
    """The page that draws a figure."""
    return Live(figure.study, *SHOWN[figure.study.task, figure.look])


# the bench -----------------------------------------------------------------------------------------------------------


@st.cache_resource(show_spinner=False)
def bench() -> Bench:
    """One for all sessions: nobody's data are on it."""
    return Bench(stored.read())
