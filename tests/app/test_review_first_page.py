"""The first page of a review's report: one page of paper in everyday words, all that decides above the line to sign."""

import html
import math
import re
from dataclasses import replace

import numpy as np
import pytest

from ldpapp import words
from ldpapp.compute import bundled
from ldpapp.export import terminal
from ldpapp.export.report import ReportContent
from ldpapp.views.review import first_page
from ldpcore import data
from ldpcore.study import Marks, Source, Study, quantities
from ldpcore.study.review import QUICK, chunks, prepare
from ldpcore.study.review.asking import identity
from ldpcore.study.review.facts import ReviewFacts, facts

MARKS = ("condition = HIV", "condition = hepatitis B", "condition = hepatitis C", "condition = drug dependence",
         "income = under 15 000", "income = 150 000 or more")  # fmt: skip
ASKED = Study(
    Source("health"), "income", Marks.of(MARKS), epsilon=1.92, n=3000, grid=(), repetitions=1, task="review"
).with_options(within=0.02)


@pytest.fixture(scope="module")
def paper() -> ReportContent:
    """Filled in to the end."""
    return terminal.paper(ASKED, bundled("health"))[0]


@pytest.fixture(scope="module")
def known(paper) -> ReviewFacts:
    return facts(ASKED, prepare(ASKED, paper.table))


def signed(paper: ReportContent, publishable: bool = False) -> str:
    found = re.search(r'<section class="front signed">(.*?)</section>', paper.html(publishable), re.DOTALL)
    assert found
    return found[1]


def said(markup: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())


def test_it_is_the_survey_s_and_short(paper) -> None:
    """Fewer than 250 words; nothing of what a board does not decide by."""
    page = signed(paper)
    assert re.findall(r"<h1>(.*?)</h1>", page) == ["Health survey"]
    assert len(said(page).split()) < 250
    for other in ("seed", "digest", "MSE", "ldpcore", "settings"):
        assert other not in page.lower() if other.islower() else other not in page
    whole = paper.html()
    assert whole.index('class="front signed"') < whole.index("ldpcore 0") < whole.index("The mechanisms")
    assert whole.count('class="sign"') == 1
    assert page.endswith("<div>Date</div></div>"), "nothing stands below the line to sign on"


def test_it_has_the_engine_s_numbers_of_every_question(paper, known) -> None:
    page = said(signed(paper))
    to, share = words.bound_of_100(known.surer["report"]), f"{100 * known.common:.1f}"
    assert f"odds at most {words.times(known.odds['report'], most=True)} (income: {known.commonest[1]} from" in page
    assert f"from {share} to {to} in 100" in page
    most = words.times(known.odds["person"], most=True)
    assert f"odds up to {most} (ε {words.epsilon(known.promised['sensitive'])})" in page
    for name, fact in known.every.items():
        row = page[page.index(f"{name} {fact.asked.marks[0]}") :]
        margin = words.points(fact.margin)
        assert (f"{margin} points" if fact.learned else f"each rarer than {margin}") in row[:200]
        assert (" too rare " in row[:90]) == (not fact.learned)
        drawn = f"{words.of_100(fact.own)} of 100 pairs by the own report, {words.of_100(fact.pairs)} with every"
        assert drawn in html.unescape(signed(paper))
        assert (fact.worst.column if fact.worst else "own report") in row[:260]
    assert all(name in page for name in known.asked.open)
    assert "150\u202f000 or more" in signed(paper), "no number is broken between two lines"
    worst = max(known.every.values(), key=lambda fact: fact.denied or 0)
    assert f"deny income: 150 000 or more, it reads {words.decimals(100 * worst.denied)} points low" in page
    assert f"{known.every['condition'].false_reports} false reports move condition: drug" in page


def test_with_levels_it_is_as_short_and_names_what_is_not_learned() -> None:
    """A row for either level, still below 250 words with the 15 of head and line to sign; drug dependence is learned at
    this ε, the two rarer ones of three are named, but not to the public.
    """
    marks = tuple((mark, "secret" if "HIV" in mark or "under" in mark else "sensitive") for mark in MARKS)
    leveled = replace(ASKED, marks=Marks(marks), secret_epsilon=0.8)
    people = prepare(leveled, bundled("health"))
    found = facts(leveled, people, quantities.simulated(p for p in chunks(leveled, people) if p.part == QUICK))
    assert len(said(first_page.markup(found, "Health survey", publishable=False)).split()) + 15 < 250
    learns = replace(ASKED, epsilon=4.0)
    found = facts(learns, people := prepare(learns, bundled("health")), None)
    fact = found.every["condition"]
    unseen = [label for label in fact.asked.marks if label not in fact.learned]
    assert 0 < len(unseen) < len(fact.asked.marks), "the test can fail"
    pages = {public: said(first_page.markup(found, "Health survey", public)) for public in (False, True)}
    assert f"not on {words.listing(unseen)}" in pages[False]
    assert not [label for label in unseen if f"not on {label}" in pages[True]]


def test_what_is_published_has_no_share_of_the_file(paper, known) -> None:
    page = said(signed(paper, publishable=True))
    shares = [words.share(share).replace("\xa0", " ") for fact in known.every.values() for share in fact.asked.freq]
    assert any(share in said(signed(paper)) for share in shares), "the test can fail"
    assert not [share for share in shares if share in page]
    for number in (words.of_100(known.every["condition"].pairs), "0.94", "pairs", "partners 8"):
        assert number not in page
    for name, fact in known.every.items():
        most = known.published.every[name].margin
        assert most >= fact.margin
        assert f"{words.points(most)} points" in page
    assert "1 in 10 of its share is missing" in page


def test_what_is_published_is_the_same_whatever_people_answered() -> None:
    """Byte for byte, of two files of as many people with other shares, but for the file's digest; the report for those
    who sign is not.
    """
    rng = np.random.default_rng(4)
    papers = []
    for shares in ((0.6, 0.3, 0.1), (0.2, 0.35, 0.45)):
        frame = {"drinks": rng.choice(["no", "some", "often"], 600, p=shares), "fled": rng.choice(["y", "n"], 600),
                 "town": rng.choice(["north", "south", "west"], 600, p=shares)}  # fmt: skip
        lines = [",".join(frame), *(",".join(row) for row in zip(*frame.values(), strict=True))]
        table = data.read("\n".join(lines).encode(), "file.csv")
        marks = Marks.of(["drinks = often", "drinks = some", "fled = y"])
        study = Study(Source("file.csv"), "drinks", marks, grid=(), repetitions=1, task="review", epsilon=1.5)
        paper, _ = terminal.paper(study.with_options(within=0.05), table)
        papers.append([re.sub(r"[0-9a-f]{64}", "", paper.html(publishable)) for publishable in (True, False)])
    (public, _), (other, _) = papers
    assert public == other
    assert papers[0][1] != papers[1][1]
    assert "±" in said(public.partition('class="sign"')[0])


def test_settings_that_are_published_tell_nothing_of_the_answers() -> None:
    """No order of marks by how common they are, no digest to try a row with, no goal that an ε was calculated for; and
    that it was calculated is said.
    """
    rows = [["often", "south"]] * 90 + [["some", "north"]] * 30 + [["no", "west"]] * 200
    table = data.read("\n".join(["drinks,town", *map(",".join, rows)]).encode(), "file.csv")
    marks = Marks.of(["drinks = some", "drinks = often"])
    study = Study(Source.of(table), "drinks", marks, ("uRR",), grid=(), task="review", epsilon=1.5)
    study = study.with_options(within=0.08)
    enough = facts(study, prepare(study, table)).needed_epsilon
    for epsilon, calculated in ((1.5, False), (enough, True)):
        paper, _ = terminal.paper(replace(study, epsilon=epsilon), table)
        public, own = paper.html(publishable=True), paper.html()
        for told in (table.digest, "within = 0.08", "goal ±8"):
            assert told in own + said(own)
            assert told not in public + said(public)
        files = [text.rpartition("<pre>")[2] for text in (own, public)]
        assert [file.index("drinks = some") < file.index("drinks = often") for file in files] == [True, False]
        assert "marked: drinks = often, drinks = some" in said(own), "a label is for everybody"
        assert ("ε was calculated from the shares" in said(public)) == calculated
        assert "ε was calculated" not in said(own)


def test_an_epsilon_that_is_rounded_up_tells_less_than_the_survey_does() -> None:
    """Of a share that one marked answer has: whoever knows goal, people and ε solves uRR's variance for it, to a fifth
    of a point where ε is as it was calculated, to more than the survey's own ± where it is rounded up. Nothing is
    published of what is not asked any more.
    """
    rng = np.random.default_rng(6)
    frame = {"quits": rng.choice(["yes", "no"], 4800, p=[0.16, 0.84]), "drinks": rng.choice(["often", "no"], 4800),
             "pills": rng.choice(["yes", "no"], 4800, p=[0.1, 0.9]), "depot": rng.choice(["a", "b"], 4800)}  # fmt: skip
    rows = [",".join(row) for row in zip(*frame.values(), strict=True)]
    table = data.read("\n".join([",".join(frame), *rows]).encode(), "file.csv")
    marks = Marks.of(["quits = yes", "pills = yes"])
    study = Study(Source.of(table), "quits", marks, ("uRR",), grid=(), task="review").with_options(within=0.03)
    epsilon, parts = facts(study, prepare(study, table)).one_by_one
    own = replace(study.with_options(parts=parts), epsilon=epsilon)
    people = prepare(own, table)
    known = facts(own, people)
    ends = 4800 * (0.03 / 1.959964) ** 2
    share, spent = float((frame["quits"] == "yes").mean()), known.asked.each_spent["quits"]
    assert known.in_use
    assert 1 - ends * math.expm1(spent) == pytest.approx(share, abs=0.002), "one point in 500: far below ±3"
    epsilon, parts = known.rounded
    rounded = facts(replace(own.with_options(parts=parts), epsilon=epsilon), people)
    assert not rounded.in_use
    assert all(round(10 * each, 9).is_integer() for each in rounded.asked.each_spent.values())
    top = rounded.asked.each_spent["quits"]
    assert 0 <= top - spent < 0.1
    assert ends * (math.expm1(top) - math.expm1(top - 0.1)) > 2 * 0.03
    less = own.with_options(columns=("quits", "depot"))
    assert "pills" in str(less.option("parts")) + str(less.marks)
    assert "pills" not in str(less.published().option("parts")) + str(less.published().marks)


def test_a_survey_that_learns_nothing_says_so_first(known) -> None:
    few = replace(ASKED, n=20)
    assert first_page.lead(facts(few, known.data)).startswith("<b>This survey can measure none of")
    assert "measure none" not in first_page.lead(known)


@pytest.mark.parametrize("questions", [5, 9])
def test_many_questions_stay_on_the_page(questions: int) -> None:
    rng = np.random.default_rng(3)
    names = [f"question {n}" for n in range(questions)]
    rows = (",".join(rng.choice(["no", "yes", "often"], questions, p=[0.7, 0.2, 0.1])) for _ in range(400))
    table = data.read(
        "\n".join([",".join([*names, "sex"]), *(f"{row},{'fm'[i % 2]}" for i, row in enumerate(rows))]).encode(),
        "many.csv",
    )
    study = Study(Source("many.csv"), names[0], Marks.of(f"{n} = often" for n in names), grid=(), task="review")
    people = prepare(study, table)
    found = facts(study, people, quantities.simulated(p for p in chunks(study, people) if p.part == QUICK))
    page = said(first_page.markup(found, "Many", publishable=False))
    assert sum(name in page for name in names) == (5 if questions == 5 else 3) or "6 more , all within" in page
    assert ("6 more" in page) == (questions == 9)
    assert len(page.split()) < 240


def test_who_names_the_survey_names_the_page(known, paper) -> None:
    """The data's name stands where nobody has; no number, and no survey that was drawn, depends on it."""
    named = replace(ASKED, options=ASKED.changed_options(title="Clinic <2026>"))
    page = first_page.markup(facts(named, known.data), "file.csv", False)
    assert re.findall(r"<h1>(.*?)</h1>", page) == ["Clinic &lt;2026&gt;"]
    assert page.partition("</h1>")[2] == first_page.markup(known, "file.csv", False).partition("</h1>")[2]
    assert identity(named) == identity(ASKED)
    assert paper.title == "Health survey: Review"
    assert replace(paper, signed=replace(paper.signed, title="Clinic")).title == "Clinic"
    with pytest.raises(ValueError, match="at most 120 characters, got 121"):
        replace(ASKED, options=ASKED.changed_options(title=121 * "x"))
