"""The Papers view: opens with the stored verdicts, checks them again when asked, and words follow from findings."""

import re
import threading
from dataclasses import replace
from html import escape
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from ldpapp.charts import paper_figure, paper_figures
from ldpapp.charts.palette import face
from ldpapp.views.papers import claim_cards
from ldpapp.views.papers import live as papers_cached
from ldpapp.views.papers import panels as paper_panels
from ldpapp.views.papers import sentences as said
from ldpapp.views.papers.live import LIVE, Live, live_figure
from ldpcore import data, papers
from ldpcore.catalog import Construction, Coverage
from ldpcore.papers import BROKEN, HOLDS, IN_PART, UNDECIDED, UNTESTABLE, VERDICTS, Ask, Check, Finding, Number
from ldpcore.papers import bench as paper_work
from ldpcore.papers.stored import Stored, read
from ldpcore.study import Source, Study, fit
from ldpcore.study.query import from_query, to_query

from .opening import (
    charts,
    go,
    html,
    opened,
    panel,
    panels,
    plain,
    press,
    sentence,
    state,
    study,
)


@pytest.fixture
def view() -> AppTest:
    """The page, and a bench on which nothing is checked again."""
    papers_cached.bench.clear()
    return opened("papers")


def broken() -> Finding:
    return Finding(((Check(Number.of("error", 2.0), most=1),),), "It is 2.")


def join() -> None:
    for thread in threading.enumerate():
        if thread.name == "papers":
            thread.join(60)


def test_the_view_opens_with_the_stored_verdicts_and_measures_nothing(monkeypatch) -> None:
    monkeypatch.setattr(papers, "measure", lambda *args: pytest.fail("nothing is measured before somebody asks"))
    papers_cached.bench.clear()
    view, told = opened("papers"), read()
    verdicts = [entry["verdict"] for entry in told.entries.values()]
    assert sentence(view).count(str(len(paper_work.CLAIMS))) == 1
    for verdict in (HOLDS, IN_PART, BROKEN, UNDECIDED):
        assert f"<b>{verdicts.count(verdict)}</b>" in sentence(view)
    assert told.version in panel(view, "papers_checked")
    assert told.date in panel(view, "papers_checked")
    assert told.command in panel(view, "papers_checked")
    assert {"papers_glance", "papers_claims", "papers_caveats"} <= set(panels(view))
    assert papers.PAPERS["suldp"].title in panel(view, "papers_claims")
    assert len(charts(view)) == 1, "one figure at a time"
    assert html(view).count('<div class="claim">') == len(papers.CLAIMS["suldp"]), "one paper at a time"
    assert "<details open" not in html(view), "glance first"


def test_another_paper_and_another_figure(view) -> None:
    view.button_group(key="paper").set_value("privelet").run()
    assert papers.PAPERS["privelet"].title in panel(view, "papers_claims")
    assert papers.PAPERS["suldp"].title not in panel(view, "papers_claims")
    assert "4.87" in panel(view, "papers_claims")
    for own in papers.FIGURES["privelet"]:
        view.radio(key="papers_figure_privelet").set_value(own.number).run()
        (key,) = charts(view)
        assert key == f"chart_privelet_{own.number}".replace(" ", "_").replace(".", "").lower()
        assert 'class="box"' not in html(view), "simulated ones are stored"


def test_checking_again_says_that_nothing_is_otherwise(view, monkeypatch) -> None:
    """Two claims stand for all: the work itself is the engine's."""
    two = {key: claim for key, claim in paper_work.CLAIMS.items() if key in (("privelet", "3"), ("privelet", "4"))}
    monkeypatch.setattr(paper_work, "CLAIMS", two)
    view.run()
    assert "about" in panel(view, "papers_checked"), "how long it takes is said before"
    press(view, "papers_check")
    join()
    view.run()
    assert "All 2" in panel(view, "papers_checked")
    assert html(view).count("<li>") == html(go(view, "papers")).count("<li>")
    assert not [button for button in view.button if button.key == "papers_check"]


def test_a_claim_that_one_reading_alone_favours_is_marked_at_the_glance_and_at_the_claim(view) -> None:
    """With the rows' authors and years. It holds in both places, and of its readings the first is said to decide."""
    view.button_group(key="paper").set_value("suldp").run()
    page = html(view)
    glance, _, claims = page.partition('<div class="card claims"')
    for key, each in papers.PAPERS.items():
        assert f'<b>{said.names()[key]}</b> <span class="quiet">{each.cited}</span>' in glance
    assert papers.PAPERS["suldp"].cited == "Cao 2022"
    for number, marked in (("1", True), ("2", False), ("12", True)):
        circle = glance.split(f'title="{number}: ')[1].partition("</span></span>" if marked else "</span>")[0]
        assert circle.startswith("holds, one reading" if marked else 'holds"')
        row = claims.split('<details data-claim="suldp-')[int(number)].partition("</summary>")[0]
        assert ("one reading" in row) == marked
    assert "holds: the reading that favours the paper decides" in claims


def test_another_verdict_than_the_stored_one_is_named_and_shown(view, monkeypatch) -> None:
    """Also before all is checked; the page shows what was found here."""
    other = {("privelet", "3"): paper_work.CLAIMS["privelet", "3"]}
    monkeypatch.setattr(paper_work, "CLAIMS", other)
    monkeypatch.setattr(papers, "measure", lambda *args: broken())
    before = panel(view, "papers_checked")
    press(view, "papers_check")
    join()
    view.button_group(key="paper").set_value("privelet").run()
    after = panel(view, "papers_checked")
    line = f"{said.names()['privelet']} 3: stored “{said.verdicts()[HOLDS]}”, here “{said.verdicts()[BROKEN]}”"
    assert line not in before
    assert line in after
    assert said.verdicts()[BROKEN] in panel(view, "papers_claims")


def test_stopped_work_can_go_on(monkeypatch) -> None:
    done, asked = [], list(paper_work.CLAIMS)[:3]
    monkeypatch.setattr(paper_work, "CLAIMS", {key: paper_work.CLAIMS[key] for key in asked})
    bench = paper_work.Bench(read())

    def measure(*key):
        done.append(key)
        if len(done) == 1:
            bench.stop()
        return broken()

    monkeypatch.setattr(papers, "measure", measure)
    bench.start()
    join()
    assert (bench.progress, bench.running) == ((1, 3), False)
    bench.start()
    join()
    assert bench.progress == (3, 3)
    assert len(done) == 3


def test_the_paper_at_hand_is_checked_first(monkeypatch) -> None:
    bench, done = paper_work.Bench(read()), []
    monkeypatch.setattr(papers, "measure", lambda *key: (done.append(key[0]), bench.stop(), broken())[-1])
    bench._work("ldpk")
    assert done == ["ldpk"]


def test_the_time_left_is_that_of_the_claims_left_at_this_machines_pace(monkeypatch) -> None:
    """Not the mean of what is done: the first claims take no time, the last one nearly all of it."""
    seconds = {("x", "1"): 10.0, ("x", "2"): 10.0, ("x", "3"): 60.0}
    monkeypatch.setattr(paper_work, "CLAIMS", dict.fromkeys(seconds))
    told = Stored("", "", "", {key: {"seconds": took} for key, took in seconds.items()}, {})
    bench = paper_work.Bench(told)
    assert bench.seconds_left == 80
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(paper_work, "time", SimpleNamespace(monotonic=lambda: clock.now))
    seen = []

    def measure(paper, number, ask):
        clock.now += seconds[paper, number]  # half of it, on a machine half as fast
        seen.append(bench.seconds_left)
        clock.now += seconds[paper, number]
        if number == "2":
            bench.stop()
        return broken()

    monkeypatch.setattr(papers, "measure", measure)
    bench._work("x")
    pace = (paper_work.TRUSTED + 40) / (paper_work.TRUSTED + 20)
    assert bench.seconds_left == pytest.approx(60 * pace)
    assert seen[0] == 70, "what the claim at hand has already taken is not ahead"


def test_what_goes_wrong_is_raised_on_the_page(monkeypatch) -> None:
    bench = paper_work.Bench(read())

    def measure(*key):
        raise ValueError("no such claim")

    monkeypatch.setattr(papers, "measure", measure)
    bench.start()
    join()
    with pytest.raises(ValueError, match="no such claim"):
        bench.running  # noqa: B018
    assert not bench.running


# where it is seen ------------------------------------------------------------------------------------------------


def test_what_does_not_hold_has_a_way_to_where_it_is_seen(view) -> None:
    failing = {key for key, entry in read().entries.items() if entry["verdict"] in (BROKEN, IN_PART)}
    assert set(LIVE) == failing
    shown = html(view)
    for (paper, number), live in LIVE.items():
        if paper == "suldp":
            claim = next(own for own in papers.CLAIMS[paper] if own.number == number)
            assert f'href="{live.link.replace("&", "&amp;")}"' in shown
            kept = Finding((((Check(Number.of("x", 1), 1)),),) * len(claim.words), "It is.")
            assert "<a " not in claim_cards.claim_html(claim, kept, live)


@pytest.mark.one_in(3)  # three links of figures are opened in the same way below
@pytest.mark.parametrize("key", LIVE, ids=" ".join)
def test_the_way_leads_there(key, still) -> None:
    """The page opens with the very Study, nothing of the link is refused, and the panel stands there."""
    leads(LIVE[key])


def leads(live: Live) -> None:
    address, query = urlsplit(live.link).path, parse_qs(urlsplit(live.link).query, keep_blank_values=True)
    at = opened(address, **query | {"reps": ["1"]})
    assert not state(at).problems
    made = study(at, live.study.task)
    for name in ("mechanisms", "epsilon", "column", "axis", "n", "bins"):
        assert getattr(made, name) == getattr(live.study, name), name
    assert live.study.options.changed.items() <= made.options.changed.items()
    assert set(made.marks.values) == set(live.study.marks.values)
    assert live.panel in panels(at)
    for name, value in live.looks.items():
        assert str(at.session_state[name]) == value


FIGURES = {" ".join(key): live for key, live in papers.LIVE.items()}
SOME = ("suldp Fig. 3", "dfdp Fig. 3", "privelet Fig. 4")
"""A page of another kind each, and the ones with the most in their links; the others are thorough."""


@pytest.mark.parametrize("name", [*SOME, *(pytest.param(name, marks=pytest.mark.thorough) for name in FIGURES
                                           if name not in SOME)])  # fmt: skip
def test_a_figure_opens_live(name, still) -> None:
    leads(live_figure(FIGURES[name]))


@pytest.mark.parametrize("name", FIGURES)
def test_the_link_of_a_figure_says_all_of_its_study(name) -> None:
    """But for the points of its axis, which the page has of its own; nothing of it is refused by the data."""
    own = FIGURES[name].study
    said, refused = from_query(to_query(own, True), Study(Source("census"), ""))
    assert not refused
    made, left_out = fit(said, data.load(own.data.name))
    assert not left_out
    assert replace(made, data=own.data, grid=own.grid) == own


def test_papers_says_where_each_figure_opens_and_its_line_for_the_terminal(view) -> None:
    for paper, every in papers.FIGURES.items():
        view.button_group(key="paper").set_value(paper).run()
        own = every[-1]
        view.radio(key=f"papers_figure_{paper}").set_value(own.number).run()
        live = papers.LIVE[paper, own.number]
        assert f'href="{escape(live_figure(live).link)}"' in html(view)
        assert live.commands[0] in html(view)
        assert said.pretty(live.stand_in) in html(view)


def test_every_figure_is_two_clicks_from_the_welcome() -> None:
    """Papers stands in the navigation of every page; there the way to every figure, whichever paper is shown."""
    shown = opened("papers", paper=["dfdp"])
    assert len(FIGURES) >= 19
    assert "papers_live" in panels(shown)
    assert all(f'href="{escape(live_figure(each).link)}"' in html(shown) for each in FIGURES.values())


def test_the_address_of_papers_holds_paper_figure_and_claim() -> None:
    at = opened("papers", paper=["dfdp"], papers_figure_dfdp=["Fig. 3"], claim=["dfdp-3"])
    assert not state(at).problems
    assert papers.PAPERS["dfdp"].title in panel(at, "papers_claims")
    assert list(charts(at)) == ["chart_dfdp_fig_3"]
    assert html(at).count('<details data-claim="dfdp-3" open>') == 1
    assert html(at).count(" open>") == 1
    assert at.session_state["address_query"] == {"paper": ["dfdp"], "papers_figure_dfdp": ["Fig. 3"]}


def test_a_link_to_a_figure_that_is_not_there_says_so() -> None:
    at = opened("papers", paper=["dfdp"], papers_figure_dfdp=["Fig. 9"])
    assert len(state(at).problems) == 1


# words -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "numbers"),
    [((18, 4, 5, 3, 2), ["18", "4", "5", "3"]), ((1, 1, 1, 0, 0), ["1", "1", "1"]), ((31, 0, 0, 1, 0), ["31", "1"])],
)
def test_headline(counts, numbers) -> None:
    text = said.headline(dict(zip(VERDICTS, counts, strict=True)), 32)
    assert [part.split("</b>")[0] for part in text.split("<b>")[1:]] == numbers
    assert ("tested" in text) == bool(counts[4])
    assert ("checked: 29" in text) == (sum(counts) == 3)


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
    half = claim_cards.claim_html(claim, finding([kept], [broke], repair=repair, caveats=(Number.of("elsewhere", 7),)))
    assert "→ use another: <b>0.5</b>" in half
    assert f'title="{said.verdicts()[IN_PART]}"' in half
    for words, look in zip(claim.words, ("full", "none"), strict=True):
        at = half.index(said.pretty(words.says))
        assert f'class="v {look}"' in half[half.rindex('<p class="said">', 0, at) : at]
        assert words.where in half
        assert words.original in half
    assert half.index("does not count") < half.index("<li>elsewhere: <b>7</b></li>")
    assert "All 2 checks" in half
    assert "asked: less than 1, fails" in half
    assert "use another" not in claim_cards.claim_html(claim, finding([kept], [kept], repair=repair))
    assert "does not count" not in claim_cards.claim_html(claim, finding([kept], [kept]))


def test_what_is_undecided_untestable_or_not_yet_checked_looks_different() -> None:
    claim = papers.CLAIMS["suldp"][1]  # one statement
    wide = Check(Number("error", 2.0, 0.5, 3.0, chance=0.01), least=1)
    pages = {
        UNDECIDED: claim_cards.claim_html(claim, finding([wide])),
        UNTESTABLE: claim_cards.claim_html(claim, Finding((), "The equation is lost.")),
        said.OPEN: claim_cards.claim_html(claim, None),
        BROKEN: claim_cards.claim_html(claim, finding([Check(Number.of("error", 2.0), most=1)])),
        HOLDS: claim_cards.claim_html(claim, finding([Check(Number.of("error", 2.0), least=1)])),
    }
    for verdict, page in pages.items():
        assert f'aria-label="{said.verdicts()[verdict]}"' in page
        shown = re.search(f"</i> <b[^>]*>{said.verdicts()[verdict]}</b>", page)
        assert bool(shown) == (verdict != HOLDS), "what does not hold is said"
        colour = face("", Coverage.WEAKER, Construction.SYMBOL).light
        assert (colour in page) == (verdict == BROKEN), "and is what one sees first"
        assert claim.words[0].says.split()[0] in page
    assert len({page.split('class="v ')[1].split('"')[0] for page in pages.values()}) == len(pages)
    assert "The equation is lost." in pages[UNTESTABLE]
    assert set(said.verdicts()) == {*VERDICTS, said.OPEN}


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


def test_what_does_not_hold_lists_every_claim_that_does_not_and_says_of_others_that_they_hold() -> None:
    """Claims without a caveat of their own had no entry, and those that hold stood there as if they did not."""
    seen, bench = set(), paper_work.Bench(read())
    for paper, claims in papers.CLAIMS.items():
        parts = paper_panels.caveats(bench, paper).parts
        listed = plain("".join(part.text for part in parts))
        for claim in claims:
            verdict = bench.finding(paper, claim).verdict
            seen.add(verdict)
            alone = f"(claim {claim.number})" in listed
            assert alone or verdict not in (IN_PART, BROKEN), (paper, claim.number)
            assert not alone or verdict != HOLDS, (paper, claim.number)
            assert verdict == "holds" or f"beside claim {claim.number}, which" not in listed
    assert {"holds", "holds in part", "does not hold"} <= seen
