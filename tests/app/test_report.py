"""A page as a file: well-formed, alone in the world, without anybody's row, and published without the truth."""

import html
import json
import math
import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from click.testing import CliRunner, Result

from ldpapp import words
from ldpapp.compute import bundled
from ldpapp.export import links, svg, terminal
from ldpapp.export.report import ReportContent, front, variant
from ldpapp.export.report.pieces import MOST, WIDE, markup, table
from ldpapp.parts import widgets
from ldpapp.runtime import background
from ldpapp.runtime.capture import Picture, Words
from ldpapp.views.means.sentences import quantity
from ldpcore.cli import main
from ldpcore.data import Table, read
from ldpcore.study import Marks, Source, Study, from_toml, installation, label, review, to_toml
from ldpcore.study.tasks import TASKS
from tests.app.opening import (
    ask,
    bodies,
    opened,
    study,
)

MARKS = {
    "frequency": ("health", "condition", ("HIV", "hepatitis B", "chlamydia")),
    "sets": ("health", "", ()),
    "means": ("health", "weight", ("120..150",)),
    "itemsets": ("health", "", ()),
    "clusters": ("health", "", ()),
    "ranges": ("health", "age", ()),
    "review": ("health", "condition", ("condition = HIV", "condition = hepatitis B", "condition = chlamydia")),
    "relations": ("census", "income", ("income = >50K", "marital-status = Divorced", "marital-status = Widowed")),
}
VOID = {"meta", "br", "hr", "img", "input", "link", "col"}


def asked(task: str, table: Table | None = None, **fields) -> Study:
    name, column, marks = MARKS[task]
    table = bundled(name) if table is None else table
    column = column or TASKS[task].default_column(table)
    return Study(Source(table.name), column, Marks.of(marks), task=task, repetitions=1, grid=(), **fields)


@pytest.fixture(scope="module")
def papers() -> dict[str, ReportContent]:
    """The report of every task's page, all that is simulated behind it done."""
    return {task: terminal.paper(asked(task), bundled(MARKS[task][0]))[0] for task in MARKS}


@pytest.fixture(scope="module")
def files(papers: dict[str, ReportContent]) -> dict[tuple[str, bool], str]:
    return {(task, public): paper.html(public) for task, paper in papers.items() for public in (False, True)}


def pictures(paper: ReportContent) -> Iterator[Picture]:
    return (piece for section in paper.shown.sections for piece in section.pieces if isinstance(piece, Picture))


class Strict(HTMLParser):
    """Every element is closed where it was opened; what may not be in a report is noted."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag, attrs):
        look = dict(attrs)
        assert len(look) == len(attrs), (tag, attrs)
        self.found.append((tag, look))
        self.ids += [str(look["id"])] if "id" in look else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open[-1:] == [tag], f"</{tag}> at {self.getpos()}"
        self.open.pop()


def parsed(text: str) -> Strict:
    reader = Strict()
    reader.feed(text)
    reader.close()
    assert not reader.open
    return reader


# every figure ---------------------------------------------------------------------------------------------------------


def test_every_figure_of_every_task_is_drawn(papers: dict[str, ReportContent]):
    """What the renderer does not know it refuses: a new chart that no report could have fails here."""
    for task, paper in papers.items():
        drawn = [svg.render(picture.figure, 660, "f", picture.alt) for picture in pictures(paper)]
        assert drawn, task
        assert all("<path" in one or "<rect" in one for one in drawn)


@pytest.mark.parametrize("address", ["data", "overview"])
@pytest.mark.usefixtures("still")
def test_every_figure_of_the_other_pages_is_drawn(address: str):
    at = opened(address)
    specs = [chart.proto.spec for chart in at.get("plotly_chart")]
    assert specs
    for spec in specs:
        svg.render(go.Figure(json.loads(spec), _validate=False), 500, "f", "")


def test_folds_are_in_it_though_they_are_closed(papers: dict[str, ReportContent]):
    for task in ("sets", "means", "itemsets", "clusters", "ranges", "relations"):
        sections = papers[task].shown.sections
        first = next(i for i, section in enumerate(sections) if section.fold)
        assert any(section.pieces for section in sections[first + 1 :]), task


# the file -------------------------------------------------------------------------------------------------------------


def test_it_is_well_formed_and_alone(files: dict[tuple[str, bool], str]):
    for key, text in files.items():
        page = parsed(text)
        tags = [tag for tag, _ in page.found]
        assert text.startswith("<!doctype html>"), key
        assert dict(page.found)["html"]["lang"] == "en"
        assert not {"script", "iframe", "link", "button", "input"} & set(tags), key
        outside = re.sub(r'xmlns="[^"]*"', "", text)
        assert not re.search(r"(?:src|href|url\()\s*=?\s*[\"']?(?:https?:|//)", outside), key
        assert len(page.ids) == len(set(page.ids)), key
        assert tags.count("h1") == 1
        assert all(look.get("scope") == "col" for tag, look in page.found if tag == "th")
        drawn = [look for tag, look in page.found if tag == "svg" and look.get("role") == "img"]
        assert all(look["aria-label"] for look in drawn)
        assert all(
            str(look["src"]).startswith("data:") and look.get("alt") is not None
            for tag, look in page.found
            if tag == "img"
        ), key
        assert len(text.encode()) < 1_000_000, key


def test_every_figure_stands_with_its_sentence_and_its_table(files: dict[tuple[str, bool], str]):
    text = files["frequency", False]
    page = parsed(text)
    figures = sum(tag == "figure" for tag, _ in page.found)
    linked = re.findall(r'href="#(t\d+)"', text)
    assert figures == 7  # the forms', the planner's and everybody's own marks' too
    assert sorted(linked) == sorted(key for key in page.ids if re.fullmatch(r"t\d+", key))
    assert len(linked) >= figures


def test_it_says_what_is_promised_and_what_is_not(papers: dict[str, ReportContent], files: dict[tuple[str, bool], str]):
    for task, paper in papers.items():
        text = html.unescape(files[task, True])
        for key in paper.used.mechanisms:
            entry = TASKS[task].CATALOG[key]
            assert all(caveat in text for caveat in entry.caveats), key
            assert entry.source in text
        if any("central" in TASKS[task].CATALOG[key].promise for key in paper.used.mechanisms):
            assert f"{words.ratio(math.exp(2 * paper.study.epsilon), most=True)} times" in text, (
                "another answer is two steps away"
            )
        assert paper.table.digest in text
        assert all(value in text or ".." in value for value in paper.study.marks.values)


def test_the_words_of_a_report_are_those_that_stand_in_it(files: dict[tuple[str, bool], str]):
    for (task, publishable), text in files.items():
        body, _, rest = text.partition('<dl class="terms">')
        told = {html.unescape(term) for term in re.findall(r"<dt>(.*?)</dt>", rest.partition("</dl>")[0])}
        said = html.unescape(re.sub(r"<style>.*?</style>|<[^>]*>", " ", body, flags=re.DOTALL))
        assert "ε" in told
        stands = {term for term in told if re.search(rf"(?<![\w-]){re.escape(term)}(?![\w-])", said, re.IGNORECASE)}
        assert stands == told, (task, publishable)
    assert "<dt>told apart</dt>" in files["review", False]


def test_a_wide_table_of_few_rows_stands_upright():
    wide = pd.DataFrame([range(12), range(12)], columns=[f"c{i}" for i in range(12)])
    page = table(wide, "t1", "wide")
    assert page.count("<tr>") == 12
    assert page.count("<th scope") == 3
    assert "()" not in table(pd.DataFrame({"a": [(), ("x", "y")]}), "t2", "of several")


def test_who_signs_a_review_signs_every_question(papers: dict[str, ReportContent]):
    """What is protected and learned of each, what stays open, for how many people: above the line to sign on; mechanism
    and ε on the second page.
    """
    paper = papers["review"]
    whole = html.unescape(paper.html(publishable=True))
    first, _, rest = whole.partition('class="sign"')
    people = review.prepare(paper.study, paper.table)
    here = review.asked(paper.study, people, paper.study.epsilon)
    for name, one in here.hidden.items():
        assert name in first
        assert f"{one.key}, ε = {words.epsilon(one.epsilon)}" in rest
        assert f"{one.key}, ε" not in first
        assert words.points(here.at_most().margin_of(name, one.marked)) in rest.partition("The mechanisms")[0]
    assert all(name in first for name in here.open)
    assert words.count(here.n) in first
    assert words.epsilon(here.promised()) in first
    assert set(paper.used.mechanisms) == {one.key for one in here.hidden.values()}


def test_the_study_in_it_can_be_loaded_back(papers: dict[str, ReportContent], files: dict[tuple[str, bool], str]):
    for task, paper in papers.items():
        for public in (False, True):
            found = re.search(r"<pre>(.*?)</pre>", files[task, public], re.DOTALL)
            assert found is not None
            loaded, study = from_toml(html.unescape(found[1])), paper.study
            if public:  # in no order that is the people's, and without a goal
                study = replace(study, marks=Marks(tuple(sorted(study.marks.levels))))
                study = study.with_options(within=None) if task == "review" else study
            assert loaded == study, task


@pytest.mark.usefixtures("still")
def test_any_page_loads_it(files: dict[tuple[str, bool], str], monkeypatch: pytest.MonkeyPatch):
    found = re.search(r"<pre>(.*?)</pre>", files["means", True], re.DOTALL)
    assert found is not None
    at = opened("ranges")
    monkeypatch.setattr(links.st, "rerun", lambda: None)
    ask(at, links.load, html.unescape(found[1]).encode())
    assert study(at, "means").marks == asked("means").marks


# whose numbers --------------------------------------------------------------------------------------------------------


def people(n: int = 3989) -> bytes:
    """Shares that nothing else is by chance, and rows that no page may tell."""
    rng = np.random.default_rng(5)
    kinds = rng.choice(["tea", "milk", "mate", "water"], n, p=[0.4137, 0.3071, 0.1719, 0.1073])
    frame = pd.DataFrame({"drink": kinds, "weight": rng.normal(71.37, 9.1, n).round(2)})
    frame["town"] = rng.choice(["Ashby", "Bree", "Crick"], n)
    frame["name"] = [f"Person-{i:05d}-xq" for i in rng.permutation(n)]
    return frame.to_csv(index=False).encode()


CSV = people()


TABLE = read(CSV, "drinks.csv")
ABOUT = {
    "frequency": ("drink", ("mate",), ("SS", "uSS")),
    "means": ("weight", ("90..120",), ("PM", "uTernary")),
    "ranges": ("weight", (), ("Identity", "Privelet")),
}


def drinks(task: str) -> ReportContent:
    column, marks, mechanisms = ABOUT[task]
    marked = Marks.of(marks)
    study = Study(Source.of(TABLE), column, marked, mechanisms, task=task, repetitions=1, grid=())
    return terminal.paper(study, TABLE)[0]


@pytest.fixture(scope="module")
def own() -> dict[str, ReportContent]:
    return {task: drinks(task) for task in ABOUT}


def truths(paper: ReportContent) -> list[str]:
    """How true shares, means and counts would be written."""
    table, task = paper.table, paper.study.task
    if task == "ranges":
        picture = next(p for p in pictures(paper) if any(trace.name == "truth" for trace in p.figure.data))
        count = int(next(trace for trace in picture.figure.data if trace.name == "truth").x[0])
        return [str(count), words.count(count)]
    if task == "frequency":
        shares = table.frame["drink"].value_counts(normalize=True)
        return [f"{100 * share:.2f}" for share in shares] + [f"{share:.4g}" for share in shares]
    mean = float(table.frame["weight"].mean())
    return [f"{mean:.2f}", f"{mean:.4g}", f"{mean:.3f}", quantity(mean)]


def test_what_is_published_holds_no_true_share(own: dict[str, ReportContent]):
    for task in own:
        whole, public = own[task].html(), own[task].html(publishable=True)
        written = truths(own[task])
        assert any(number in whole for number in written), task  # the test can fail
        readable = re.sub(r"base64,[^)]*", "", public)
        assert not [number for number in written if re.search(rf"(?<![\d.]){re.escape(number)}(?![\d.])", readable)]
        assert "(internal)" not in public
        assert "internal</i>" not in public


def test_what_is_published_counts_nobody(own: dict[str, ReportContent]):
    """Bars of the true distribution add up to everybody, or to the whole."""
    told = {False: 0, True: 0}
    for task in ("means", "ranges"):
        for public in told:
            for section in variant.sections(own[task].shown, public):
                for piece in section.pieces:
                    if isinstance(piece, Picture):
                        bars = [trace.y for trace in piece.figure.data if trace.type == "bar"]
                        total = sum(float(np.nansum(np.asarray(heights, float))) for heights in bars)
                        told[public] += min(abs(total - whole) for whole in (3989, 100, 1)) < 1e-6 * max(total, 1)
    assert told[False] >= 2
    assert told[True] == 0


def test_what_is_published_draws_no_truth(papers: dict[str, ReportContent]):
    """The traces that compare with the truth are those of these names; none is left in a published figure."""
    inside = {"truth", "answers", "errors", "errors, sensitive"}
    left = set()
    for paper in papers.values():
        for public in (False, True):
            for section in variant.sections(paper.shown, public):
                names = {
                    trace.name
                    for piece in section.pieces
                    if isinstance(piece, Picture)
                    for trace in piece.figure.data
                    if trace.name in inside or str(trace.name).endswith(" simulated")
                }
                if public:
                    assert not names, section.key
                left |= names
    assert {"truth", "errors"} <= left


def test_what_an_attacker_managed_is_not_published(papers: dict[str, ReportContent]):
    """It was tried on the true answers: the review that is published says what is promised and what it costs."""
    whole, public = papers["review"].html(), papers["review"].html(publishable=True)
    for said in ("of 100 pairs", "surest", "partners</b>", "worst giver", "told apart, of 100"):
        assert said in whole
        assert said not in public.partition("Words")[0], said
    assert "hepatitis B" in public
    assert "95 %, points" in public


def test_the_axis_of_a_published_range_does_not_tell_the_truth(own: dict[str, ReportContent]):
    """The truth is not in the middle of it, nor at any place that follows from what is drawn."""
    picture = next(p for s in own["ranges"].shown.sections if s.key == "range_release" for p in s.pieces
                   if isinstance(p, Picture))  # fmt: skip
    truth = next(trace for trace in picture.figure.data if trace.name == "truth").x[0]
    low, high = picture.figure.layout.xaxis.range
    assert abs((low + high) / 2 - truth) > 1e-6 * abs(truth)


def test_nobody_s_row_is_in_any_report(own: dict[str, ReportContent], papers: dict[str, ReportContent]):
    for paper in own.values():
        for public in (False, True):
            text = paper.html(public)
            assert not re.search(r"Person-\d{5}-xq", text)
    # One user's record is played there, and one witness of a leak is named.
    for task, key in (("clusters", "rounds"), ("itemsets", "leak")):
        section = next(section for section in papers[task].shown.sections if section.key == key)
        said = [piece.html for piece in section.pieces if isinstance(piece, Words) and len(piece.html) > 80]
        assert said, task
        text = papers[task].html()
        assert not any(each in text or markup(each) in text for each in said), task


# where it is asked for ------------------------------------------------------------------------------------------------


def test_the_dark_theme_s_report_is_the_light_one(own: dict[str, ReportContent], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(widgets, "is_dark", lambda: True)
    dark, light = drinks("means"), own["means"]
    assert dark.dark
    assert not light.dark
    assert dark.html().lower() == light.html().lower()


@pytest.mark.usefixtures("still")
def test_the_menu_offers_both_and_closed_it_keeps_nothing():
    at = opened("means")
    assert "report_made" not in at.session_state
    at.session_state["report"] = True
    at.run()
    bodies(at)
    paper = at.session_state["report_made"]
    assert [button.key for button in at.get("download_button") if (button.key or "").endswith(".html")] == [
        "report.html",
        "report-publishable.html",
    ]
    assert any(section.fold for section in paper.shown.sections)
    assert paper.study.task == "means"


def test_it_has_the_label_of_each_mechanism_behind_its_first_page(
    papers: dict[str, ReportContent], files: dict[tuple[str, bool], str]
):
    """What the file label.yaml says, field by field; and of this machine nothing that nobody asked for."""
    for (task, public), markup_ in files.items():
        paper = papers[task].public if public else papers[task]
        first, _, rest = markup_.partition("</section>")
        text = html.unescape(rest)
        for key in paper.used.mechanisms:
            try:
                fields = label.filled(label.label(paper.used, paper.table, key))
            except ValueError:  # it promises nothing here
                fields = {}
                assert f"<p>{key} protects marked answers only" in text
            for name, value in fields.items():
                assert f"<dt>{name}</dt> <dd>{value}</dd>" in text, (task, public, key)
        assert "privacy_parameters" not in first
        assert "Checked 2" not in markup_


def test_the_line_of_a_check_is_all_that_it_adds(papers: dict[str, ReportContent], files: dict[tuple[str, bool], str]):
    line = "Checked 2026-11-26: 3 laws, <all> kept"
    whole = replace(papers["means"], checked=line).html(True)
    added = f"<section><h2>This installation</h2><p>{html.escape(line)}.</p></section>"
    assert whole.count(added) == 1
    assert whole.replace(added, "") == files["means", True]


def test_a_check_is_asked_for_in_the_menu(monkeypatch: pytest.MonkeyPatch):
    check = SimpleNamespace(running=True, tried=37, line="")
    begun = []
    monkeypatch.setattr(installation, "in_background", lambda: begun.append(1) or check)
    at = opened("means")
    at.session_state["report"] = True
    at.run()
    assert not begun
    assert at.session_state["report_made"].checked == ""
    at.checkbox("report_checked_menu").check().run()
    assert "37 laws tried so far" in "".join(bodies(at))
    check.running, check.line = False, "Checked today: all kept"
    at.run()
    assert "The report has its line." in "".join(bodies(at))
    assert at.session_state["report_made"].checked == check.line


def command(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["run", *arguments])


def test_the_terminal_writes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "drinks.csv").write_bytes(CSV)
    study = Study(Source("drinks.csv"), "drink", Marks.of(("mate", "rum")), ("SS", "uSS"), repetitions=2)
    (tmp_path / "study.toml").write_text(to_toml(study), encoding="utf-8")
    made = command("study.toml", "--report", "out.html")
    assert made.exit_code == 0, made.output
    assert "rum" in made.stderr  # which these data do not have
    fitting = replace(study, marks=Marks.of(("mate",)))
    (tmp_path / "study.toml").write_text(to_toml(fitting), encoding="utf-8")
    monkeypatch.setattr(installation, "today", lambda: "Checked once: all kept")
    made = command("study.toml", "--report", "public.html", "--publishable", "--check", "-o", "rows.csv")
    assert made.exit_code == 0, made.output
    whole, public = ((tmp_path / name).read_text("utf-8") for name in ("out.html", "public.html"))
    assert len(parsed(public).found) < len(parsed(whole).found)
    assert "(internal)" in whole
    assert "(internal)" not in public
    assert ("Checked once" in whole, "Checked once" in public) == (False, True)
    assert not re.search(r"Person-\d", whole)
    assert {each.name for each in tmp_path.iterdir()} == {
        "drinks.csv", "study.toml", "out.html", "public.html", "rows.csv"
    }  # fmt: skip


def test_the_terminal_says_what_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "study.toml").write_text(to_toml(Study(Source("health", "0" * 64), "condition")), encoding="utf-8")
    for arguments in (["--report", "out.pdf"], ["--publishable"], ["--report", "out.html"]):
        failed = command("study.toml", *arguments)
        assert failed.exit_code == 1
        assert failed.output.startswith("Error: ")
        assert "Traceback" not in failed.output
    assert not (tmp_path / "out.html").exists()


@pytest.mark.parametrize(("address", "shown"), [("data", {"shares", "effect"}), ("overview", {"error", "adversary"})])
@pytest.mark.usefixtures("still")
def test_pages_about_no_single_task_have_one_too_not_for_publication(address: str, shown: set[str]):
    """They show the true shares: what may be published is the report of a task."""
    at = opened(address)
    at.session_state["report"] = True
    at.run()
    keys = [button.key for button in at.get("download_button")]
    assert "report.html" in keys
    assert "report-publishable.html" not in keys
    paper = at.session_state["report_made"]
    drawn = {section.key for section in paper.shown.sections if section.pieces}
    assert shown <= drawn
    text = paper.html()
    assert text.count("<svg") >= sum(isinstance(p, Picture) for s in paper.shown.sections for p in s.pieces) > 0
    assert "Not for publication" in text
    assert paper.task.lower() == address


@pytest.mark.usefixtures("still")
def test_nobody_s_row_is_in_the_report_of_the_page_data():
    at = opened("data", table=TABLE)
    at.session_state["report"] = True
    at.run()
    text = at.session_state["report_made"].html()
    assert "mate" in text
    assert not re.search(r"Person-\d{5}-xq", text)


@pytest.mark.usefixtures("still")
def test_the_page_papers_has_its_own():
    """About no data: what it says, its tables, and the words of it."""
    at = opened("papers")
    at.session_state["report"] = True
    at.run()
    assert [button.key for button in at.get("download_button") if button.key == "report.html"]
    text = at.session_state["report_made"].html()
    parsed(text)
    keys = {section.key for section in at.session_state["report_made"].shown.sections}
    assert {"papers_glance", "papers_claims", "papers_caveats"} <= keys
    assert "Settings signed" not in text
    assert "The Study" not in text


@pytest.mark.parametrize("shape", [(3, 12), (5, 16), (8, 10), (9, 10), (12, 26), (200, 9), (20, 3)])
def test_no_table_is_wider_than_a_sheet_and_none_loses_a_cell(shape: tuple[int, int]) -> None:
    """A table that is too wide shrinks all pages of the paper: seen with five hidden questions."""
    height, width = shape
    cells = [[f"r{row}c{column}" for column in range(width)] for row in range(height)]
    made = table(pd.DataFrame(cells, columns=[f"head {n}" for n in range(width)]), "t", "Numbers")
    tables = re.findall(r"<thead><tr>(.*?)</tr>", made)
    assert max(head.count("<th") for head in tables) <= WIDE
    for row in cells[:MOST]:
        assert all(f">{cell}<" in made for cell in row)
    assert len(set(re.findall(r'id="([^"]*)"', made))) == len(tables)


def test_a_letter_that_is_somebodys_answer_is_no_term_of_the_report() -> None:
    said, people = "n people, 3 of them m", bundled("health")
    assert {"<dt>m</dt>", "<dt>n</dt>"} <= set(re.findall(r"<dt>.</dt>", front.terms(said, people)))
    called = read(b"sex,age\n" + b"m,30\nf,40\n" * 30, "sexes.csv")
    assert re.findall(r"<dt>.</dt>", front.terms(said, called)) == ["<dt>n</dt>"]


def test_a_report_in_the_terminal_leaves_the_dashboard_s_pace() -> None:
    before = background.SLICE
    terminal.paper(Study(Source("health"), "condition", mechanisms=("GRR",), grid=(), repetitions=1), bundled("health"))
    assert background.SLICE == before < math.inf
