"""The Papers view: opens at once with what is exact, checks the rest when asked, and words follow from findings."""

import threading
from types import SimpleNamespace

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from ldpapp.charts import paper_figure, paper_figures
from ldpapp.views.papers import findings as said
from ldpapp.views.papers import work as paper_work
from ldpcore import papers
from ldpcore.papers import BROKEN, HOLDS, IN_PART, UNDECIDED, UNTESTABLE, VERDICTS, Ask, Check, Finding, Number

from .opening import charts, html, opened, panel, panels, plain, press, sentence, twin


@pytest.fixture(scope="module")
def first() -> AppTest:
    return opened("papers")


@pytest.fixture
def view(first) -> AppTest:
    return twin(first, "papers")


def counted(at: AppTest) -> int:
    """How many claims the headline says are checked."""
    return int(plain(sentence(at)).split()[0])


def exact() -> int:
    return sum(claim.exact for claims in papers.CLAIMS.values() for claim in claims)


def test_the_view_opens_with_what_is_exact(view) -> None:
    assert counted(view) == exact()
    assert f"of {len(paper_work.CLAIMS)} claims" in sentence(view)
    assert {"papers_glance", "papers_claims", "papers_caveats"} <= set(panels(view))
    assert papers.PAPERS["suldp"].title in panel(view, "papers_claims")
    figures = [name for name in panels(view) if name not in ("papers_glance", "papers_claims", "papers_caveats")]
    assert len(set(figures) - {"papers_rules"}) == len(papers.FIGURES["suldp"]) == len(charts(view))
    assert not view.button(key="papers_check").disabled


def test_another_paper(view) -> None:
    view.button_group(key="paper").set_value("privelet").run()
    assert papers.PAPERS["privelet"].title in panel(view, "papers_claims")
    assert papers.PAPERS["suldp"].title not in panel(view, "papers_claims")
    assert "4.87" in panel(view, "papers_claims")
    waiting = [own for own in papers.FIGURES["privelet"] if not own.exact]
    assert waiting
    assert len(charts(view)) == len(papers.FIGURES["privelet"]) - len(waiting)
    assert html(view).count('class="box"') == len(waiting)


def test_checking_the_rest_changes_the_sentence(view, monkeypatch) -> None:
    """One simulated claim and one figure stand for all: the work itself is the engine's."""
    quick = (("claim", "privelet", "2"), ("figure", "privelet", "Fig. 5"))
    monkeypatch.setattr(paper_work, "SLOW", quick)
    view.button_group(key="paper").set_value("privelet").run()
    drawn_before = len(charts(view))
    press(view, "papers_check")
    for thread in threading.enumerate():
        if thread.name == "papers":
            thread.join(60)
    view.run()
    assert counted(view) == exact() + 1
    assert not [button for button in view.button if button.key == "papers_check"]
    assert len(charts(view)) == drawn_before + 1


def test_stopped_work_can_go_on(monkeypatch) -> None:
    done = []
    monkeypatch.setattr(paper_work, "SLOW", tuple(("claim", "x", str(i)) for i in range(3)))
    bench = paper_work.Bench()

    def make(key):
        done.append(key)
        if len(done) == 1:
            bench.stop()
        return len(done)

    monkeypatch.setattr(paper_work, "_make", make)
    bench.start()
    bench._thread.join(10)
    assert (bench.progress, bench.running) == ((1, 3), False)
    bench.start()
    bench._thread.join(10)
    assert bench.progress == (3, 3)
    assert len(done) == 3


def test_the_time_left_is_that_of_the_pieces_made(monkeypatch) -> None:
    monkeypatch.setattr(paper_work, "SLOW", tuple(("claim", "x", str(i)) for i in range(5)))
    bench = paper_work.Bench()
    clock = iter([0.0, 4.0, 10.0, 18.0])  # two pieces, of 4 and 8 seconds
    monkeypatch.setattr(paper_work, "time", SimpleNamespace(monotonic=clock.__next__))
    monkeypatch.setattr(paper_work, "_make", lambda key: bench.stop() if key[2] == "1" else None)
    assert bench.seconds_left is None
    bench._work("")
    assert bench.progress == (2, 5)
    assert bench.seconds_left == 18.0


def test_what_goes_wrong_is_raised_on_the_page(monkeypatch) -> None:
    bench = paper_work.Bench()

    def make(key):
        raise ValueError("no such claim")

    monkeypatch.setattr(paper_work, "_make", make)
    bench.start()
    bench._thread.join(10)
    with pytest.raises(ValueError, match="no such claim"):
        bench.running  # noqa: B018
    assert not bench.running


@pytest.mark.parametrize(
    ("counts", "text"),
    [
        ((18, 4, 5, 3, 2), "Of 32 claims in five papers, <b>18</b> hold, <b>4</b> hold in part, <b>5</b> do not hold "
                           "and <b>3</b> are undecided. Two cannot be tested."),
        ((1, 1, 1, 0, 0), "3 of 32 claims in five papers are checked: <b>1</b> holds, <b>1</b> holds in part and "
                          "<b>1</b> does not hold. The others need simulation."),
        ((31, 0, 0, 1, 0), "Of 32 claims in five papers, <b>31</b> hold and <b>1</b> is undecided."),
    ],
)  # fmt: skip
def test_headline(counts, text) -> None:
    assert said.headline(dict(zip(VERDICTS, counts, strict=True)), 32) == text


@pytest.mark.parametrize(
    ("plain", "pretty"),
    [
        ("grows like d^-0.0357", "grows like d<sup>−0.0357</sup>"),
        ("3.7·10^-4", "3.7·10<sup>−4</sup>"),
        ("e − e^(ε/2), e^ε, N = 2^m", "e − e<sup>ε/2</sup>, e<sup>ε</sup>, N = 2<sup>m</sup>"),
        ("below -0.1, [-1, 1]", "below −0.1, [−1, 1]"),
        ("SDGRR-25, N = 2^10, 30162 people", "SDGRR-25, N = 2<sup>10</sup>, 30\u202f162 people"),
    ],
)  # fmt: skip
def test_plain_text_becomes_typography(plain, pretty) -> None:
    assert said.pretty(plain) == pretty


def finding(*statements, **rest) -> Finding:
    return Finding(tuple(tuple(own) for own in statements), "It is 2.", **rest)


def test_a_claim_shows_its_words_its_checks_its_caveats_and_its_repair() -> None:
    claim = papers.CLAIMS["sdldp"][0]  # two statements
    number, repair = Number.of("error", 2.0), Number.of("use another", 0.5)
    kept, broke = Check(number, least=1), Check(number, most=1, strict=True)
    half = said.claim_html(claim, finding([kept], [broke], repair=repair, caveats=(Number.of("elsewhere", 7),)))
    assert "→ use another: <b>0.5</b>" in half
    assert f'title="{IN_PART}"' in half
    for words, look in zip(claim.words, ("full", "none"), strict=True):
        at = half.index(said.pretty(words.says))
        assert f'class="v {look}"' in half[half.rindex('<p class="said">', 0, at) : at]
        assert words.where in half
        assert words.original in half
    assert half.index("does not count") < half.index("<li>elsewhere: <b>7</b></li>")
    assert "All 2 checks" in half
    assert "asked: less than 1, fails" in half
    assert "use another" not in said.claim_html(claim, finding([kept], [kept], repair=repair))
    assert "does not count" not in said.claim_html(claim, finding([kept], [kept]))


def test_what_is_undecided_untestable_or_not_yet_checked_looks_different() -> None:
    claim = papers.CLAIMS["suldp"][1]  # one statement
    wide = Check(Number("error", 2.0, 0.5, 3.0, chance=0.01), least=1)
    pages = {
        UNDECIDED: said.claim_html(claim, finding([wide])),
        UNTESTABLE: said.claim_html(claim, Finding((), "The equation is lost.")),
        said.OPEN: said.claim_html(claim, None),
        BROKEN: said.claim_html(claim, finding([Check(Number.of("error", 2.0), most=1)])),
        HOLDS: said.claim_html(claim, finding([Check(Number.of("error", 2.0), least=1)])),
    }
    for verdict, page in pages.items():
        assert f"</i> <b>{verdict}</b>" in page
        assert claim.words[0].says.split()[0] in page
    assert len({page.split('class="v ')[1].split('"')[0] for page in pages.values()}) == len(pages)
    assert "1 check: undecided" in pages[UNDECIDED]
    assert "The equation is lost." in pages[UNTESTABLE]
    assert set(said.LEGEND) == {*VERDICTS, said.OPEN}


def test_figures_draw_lines_marks_and_names() -> None:
    drawn = papers.draw("suldp", "Fig. 1", Ask())
    figure = paper_figure(drawn, x_name="ε", y_name="n × MSE", log_x=True)
    names = [trace["name"] for trace in figure.to_dict()["data"]]
    assert names == list(dict.fromkeys(drawn["line"]))
    table = pd.DataFrame({"x": [1, 2], "line": "DFDP", "value": [0.4, 0.5], "low": [0.3, 0.4], "high": [0.5, 0.6]})
    marked = paper_figure(table, x_name="s", y_name="F", log_y=False, dark=True).to_dict()
    assert [trace["mode"] for trace in marked["data"]] == ["lines", "markers"]


def test_variants_look_like_their_mechanism_and_differ_in_dash() -> None:
    names = ["SDPM-25", "SDPM-50 (EM)", "PM (mean)", "personalised SDGRR", "uRR, targeted", "SDGRR by (12)"]
    looks = [paper_figures.look(name).key for name in names]
    assert looks == ["SDPM", "SDPM", "PM", "SDGRR", "uRR", "SDGRR"]
    dashes = paper_figures.dashes(names)
    assert dashes["SDPM-25"] != dashes["SDPM-50 (EM)"]
    assert paper_figures.look("suGRR-Sample").symbol.endswith("-open")
