"""No term without its sentence: every page of every task is opened and read, with what stands behind folds and menus.

A term of a chart or a headline cannot be touched: the foot of its page has it.
"""

import re
from collections.abc import Callable, Mapping

import pytest
from streamlit.testing.v1 import AppTest

from ldpapp.compute import bundled
from ldpapp.state import column_actions
from ldpapp.views.learn.lessons import LESSONS
from ldpapp.views.results import opening
from ldpapp.views.tasks import TASKS
from ldpapp.words import glossary
from ldpcore.data import BUNDLED
from tests.app import reading
from tests.app.opening import (
    MAIN,
    do,
    html,
    nothing_behind,
    opened,
    press,
    study,
)
from tests.each import for_each

FIELD = """
ε; δ; LDP; ULDP; SULDP; SDLDP; ε-DP; central model; curator; collector; intruder; adversary; promise; disclosed;
exposed; exposure; blind; blind guess; guessed; told apart; odds; privacy budget; budget; prior; posterior; ±; points;
typical error; MSE; √MSE; mean squared error; standard error; variance; bias; unbiased; band; limit; repetitions; EM;
maximum likelihood; norm-sub; clipped; internal; post-processing; density; atom; m; dummies; padded; y₀; presence;
membership; bits; hashing; decoys; itemsets; frequent; baskets; min_count; threshold; F; precision; recall; candidates;
miner; δ_MAE; s; booked; by basket; defended; coin tosses; public range; SDPM-50; K-modes; k; mode; AC; entropy; rounds;
strategy; N; cells; Haar; wavelet; accuracy index; c̄; Δ; SVD bound; covariance; consistent; Study; seed; digest; A | B;
mechanism; report; survey; noise; marked; sensitive; share; error; distribution; record; undisclosed slot; 100 pairs;
giver; surest hundredth; hidden question; scheme; odds ratio; raw reports; relation; Cramér’s V; degrees of freedom;
MOVER; Šidák; weighted by; design effect; false report; strata
"""
"""What the field calls things, collected from the screen by hand."""
EVERYDAY = {
    "AF-spouse": "the second line of an answer, “Married-AF-spouse”",
    "B": "of A and B, which are settings that a person names",
    "C": "hepatitis C: an answer",
    "CSV": "a kind of file, on a button that downloads it",
    "FILE": "where a command takes a file’s name",
    "GB": "a size of files",
    "GRR-based": "of GRR, in a paper’s words",
    "ID": "a column that only numbers people",
    "JSON": "a kind of file",
    "LDPCORE_DATA": "a name that is typed into a terminal",
    "MB": "a size of files",
    "p": "a key of the keyboard, and a parameter of another tool",
    "q": "a parameter of another tool, as its paper calls it",
    "PNG": "a kind of picture",
    "SAS": "a program, and its kind of file",
    "SPSS": "a program, and its kind of file",
    "SVG": "a kind of picture",
    "TOML": "a kind of file",
    "TSV": "a kind of file",
    "x": "a heading: what the x axis counts",
    "f": "as a heading: F",
    "i": "as a heading or an index: which one",
    "j": "an index: which one",
}
"""What looks like a term and is none, and why."""
SYMBOL = re.compile(
    r"(?<![\w.’'-])(?:[\w-]*[A-ZΑ-Ω]{2,}[\w₀-₉-]*|[Α-ωϵ][\w₀-₉*]*|[a-zA-Z][₀-₉]+|[b-zB-HJ-Z](?![\w’'.-]))(?![\w’'-])"
)
"""Runs of capitals, Greek, letters with an index, and letters that stand alone."""


def unmark(at: AppTest, task: str) -> AppTest:
    if task == "review":
        return press(at, "guide_clear")
    column = study(at, task).column
    return (
        do(at, column_actions.set_intervals, column, [])
        if task == "means"
        else do(at, column_actions.set_marks, column, [])
    )


def _task(task: str, data: str, **query: str) -> Callable[[], AppTest]:
    folds = {key: "True" for key in TASKS[task].looks if key.startswith("fold_")}
    return lambda: opened(TASKS[task].address, None, task=task, data=data, **folds, **query)


def _page(address: str, **query: str) -> Callable[[], AppTest]:
    return lambda: opened(address, None, **query)


COUNTS = ("counts.csv", b"answer,count\nflu,640\nHIV,580\nnone,570\n")
RESULTS_FOLDS = {"fold_weights": "True", "fold_wrong": "True", "fold_ignored": "True"}
BESIDE = {"a.name": "before", "a.eps": "0.5", "a.seed": "8"}
"""A page with two settings beside each other."""
PAGES: Mapping[str, Callable[[], AppTest]] = {
    "welcome": lambda: AppTest.from_file(MAIN, default_timeout=200).run(),
    "data": _page("data"),
    "data of sets": _page("data", task="sets", data="groceries"),
    "overview": _page("overview"),
    "overview of sets": _page("overview", task="sets", data="groceries"),
    "class": _page("class"),
    "papers": _page("papers"),
    "results": _page("results"),
    "results of a survey": lambda: press(_page("results", **RESULTS_FOLDS)(), "results_try"),
    "results of another tool": lambda: do(_page("results", no_client="True")(), opening.take, "counts", *COUNTS),
    **{f"lesson {lesson.key}": _page("learn", lesson=lesson.key) for lesson in LESSONS},
    "review": _task("review", "health", **BESIDE),
    "review guided": _task("review", "health", review_guide="4"),
    "review unmarked": lambda: unmark(_task("review", "health", review_guide="2")(), "review"),
    "frequency": _task("frequency", "health"),
    "frequency unmarked": lambda: unmark(_task("frequency", "census")(), "frequency"),
    "sets": _task("sets", "groceries", **BESIDE),
    "sets unmarked": lambda: unmark(_task("sets", "groceries")(), "sets"),
    "means": _task("means", "census", **BESIDE),
    "means unmarked": lambda: unmark(_task("means", "census")(), "means"),
    "itemsets": _task("itemsets", "groceries", **BESIDE),
    "clusters": _task("clusters", "health", **BESIDE),
    "ranges": _task("ranges", "census", **BESIDE),
    "relations": _task("relations", "census", **BESIDE),
    "relations unmarked": lambda: unmark(_task("relations", "census")(), "relations"),
}

SELDOM = (" unmarked", *(f"lesson {lesson.key}" for lesson in LESSONS[1::2]))
READ = [pytest.param(page, marks=pytest.mark.thorough if page.endswith(SELDOM) else ()) for page in PAGES]
"""Without marks a page says less, and lessons are written with the same words: those are read before a release."""


@pytest.fixture(scope="module")
def read() -> Callable[[str], reading.Read]:
    """Each page is opened once."""
    found: dict[str, reading.Read] = {}

    def reads(page: str) -> reading.Read:
        with nothing_behind():
            return found.get(page) or found.setdefault(page, reading.read(PAGES[page]()))

    return reads


@pytest.fixture(scope="module")
def answers() -> frozenset[str]:
    """What the bundled data call their columns and answers: nobody's terms."""
    found: set[str] = set()
    for frame in (bundled(name).frame for name in BUNDLED):
        found |= set(map(str, frame.columns)).union(*(map(str, frame[name].unique()) for name in frame))
    return frozenset(found)


@for_each("term", [each.strip() for each in FIELD.split(";")])
def test_a_term_of_the_field_has_a_sentence(term: str) -> None:
    assert term in glossary.uses(f"the {term} here")


@pytest.mark.parametrize("page", READ)
def test_what_looks_like_a_term_is_one(read, answers, page: str) -> None:
    """Every acronym, every symbol and every letter that stands alone."""
    unknown = {}
    for piece in read(page).pieces - answers:
        words = piece
        for term in sorted((*answers, *glossary.uses(piece)), key=len, reverse=True) if SYMBOL.search(piece) else ():
            words = re.sub(rf"(?<![\w-]){re.escape(term)}(?![\w-])", " ", words) if term in words else words
        unknown |= {found[0]: piece[:200] for found in SYMBOL.finditer(words) if found[0] not in EVERYDAY}
    assert not unknown


@pytest.mark.parametrize("page", READ)
def test_every_term_on_a_page_is_explained_there(read, answers, page: str) -> None:
    """By its underlined word, a widget's help, or the list at the foot."""
    seen, task = read(page), page.split()[0]
    glossary.turn_to(task if task in TASKS else "" if task == "papers" else None)
    used = {term: said for piece in seen.pieces - answers for term, said in glossary.uses(piece).items()}
    glossary.turn_to(None)
    assert not {term for term, said in used.items() if said not in seen.explained and said not in seen.helps}
    assert len(used) >= (1 if page.startswith("lesson") else 5), "the page was read"


def test_what_is_less_than_something_begins_no_tag() -> None:
    said = ["of incomes <=50K", "the seed of these surveys", "of incomes >50K <b>repetitions</b>"]
    assert {"seed", "repetitions"} <= set(glossary.listed(said))
    assert {"seed", "repetitions"} <= set(glossary.listed(reversed(said)))


def test_what_only_the_menu_says_is_no_word_of_the_page(still) -> None:
    listed = re.findall(r"<dt>([^<]*)</dt>", html(opened("results")))
    assert "reports" in listed or "report" in listed
    assert not {"itemsets", "Itemsets", "relations", "Relations", "clusters", "Clusters"} & {*listed}


@pytest.mark.parametrize("page", ["welcome", "data"])
def test_a_term_that_nobody_explains_is_found(page: str, monkeypatch: pytest.MonkeyPatch, read, answers) -> None:
    """The test above can fail: without the foot of the page terms are left, however many are underlined."""
    monkeypatch.setattr("ldpapp.parts.widgets.terms", lambda *_: None)
    with nothing_behind():
        bare = reading.read(PAGES[page]())
    used = {term: said for piece in bare.pieces - answers for term, said in glossary.uses(piece).items()}
    assert {term for term, said in used.items() if said not in bare.explained}
