"""A report in which every question has its own ε: each that is written is its question’s, or from which to which."""

import html
import math
import re
from dataclasses import replace

import pytest

from ldpapp import words
from ldpapp.compute import bundled
from ldpapp.export import terminal
from ldpapp.export.report import ReportContent
from ldpcore.study import Marks, Source, Study
from ldpcore.study.review import prepare
from ldpcore.study.review.facts import facts
from ldpcore.study.review.question import ROUNDS
from tests.two_mechanisms import of_two_mechanisms

MARKS = ("condition = HIV", "condition = hepatitis C", "income = under 15 000", "smoking = every day")
COLUMNS = ("smoking", "condition", "income", "sex")
ASKED = Study(
    Source("health"), "income", Marks.of(MARKS), epsilon=2.4, n=3000, grid=(), repetitions=1, task="review"
).with_options(within=0.02, columns=COLUMNS, parts=("smoking = 0.375", "income = 0.8"))
EACH = {"condition": 2.4, "smoking": 0.9, "income": 1.92}
SPAN, WRITTEN = "0.9 to 2.4", re.compile(r"(?:ε = |\(ε )(\d[\d.]*)(?: ?(?:to |–)(\d[\d.]*))?")


@pytest.fixture(scope="module", params=EACH)
def paper(request: pytest.FixtureRequest) -> tuple[str, ReportContent]:
    """The same survey, saved while each of its questions was open."""
    return request.param, terminal.paper(replace(ASKED, column=request.param), bundled("health"))[0]


def plain(markup: str) -> str:
    for aside in (r"<style>.*?</style>", r"<svg.*?</svg>", r"<pre>.*?</pre>", r"<head>.*?</head>"):
        markup = re.sub(aside, " ", markup, flags=re.DOTALL)
    markup = re.sub(r"<section><h2>Words of this report.*?</section>", " ", markup, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())


@pytest.mark.parametrize("publishable", [False, True])
def test_every_epsilon_is_that_of_the_question_it_speaks_of(paper, publishable: bool) -> None:
    _, content = paper
    text = plain(content.html(publishable))
    known = facts(ASKED, prepare(ASKED, content.table))
    assert {name: one.epsilon for name, one in known.asked.hidden.items()} == pytest.approx(EACH)
    of_person = words.epsilon(known.asked.promised())
    looked = 0
    for match in WRITTEN.finditer(text):
        low, high, after = match[1].rstrip("."), match[2], text[match.end() : match.end() + 30]
        around = text[max(0, match.start() - 160) : match.end() + 260]
        if (
            "ε must be" in text[match.start() - 10 : match.start() + 12]
            or low == of_person
            or "All reports of a person then" in text[match.start() - 80 : match.start()]
            or after.startswith(" times")
        ):
            continue
        looked += 1
        if high:
            of = [words.epsilon(spent) for name, spent in EACH.items() if name in around] + [*SPAN.split(" to ")]
            assert {low, high.rstrip(".")} <= set(of), around
            continue
        named = re.match(r" of “(\w+)”", after)
        before = re.findall(rf"\b({'|'.join(EACH)})\b", text[: match.start()])
        question = named[1] if named else before[-1]
        spent = EACH[question]
        assert low in (words.epsilon(spent), words.epsilon(ROUNDS[-1] * spent)), (question, around)
    assert looked >= 8, "the test sees them"
    assert f"ε {SPAN}, by question" in text
    assert f"Marked answers (ε = {SPAN}, by question)." in text
    assert "no report raises the odds of a marked answer more than 2.46 to 11.1 times" in text
    assert "asked again" in text


def test_the_folds_are_of_the_question_that_is_told_apart_most_whichever_was_open(paper) -> None:
    _, content = paper
    known = facts(ASKED, prepare(ASKED, content.table))
    worst = max(known.every.values(), key=lambda fact: fact.most or 0.0).asked.name
    whole = content.html()
    folds = re.findall(r"<h2>((?:Who gives|\w+ asked again)[^<]*)</h2><p class='sub'>(.*?)</p>", whole)
    assert [title for title, _ in folds] == [f"Who gives {worst} away together", f"{worst} asked again"]
    for _, says in folds:
        assert plain(says) == (f"For {worst} , told apart most; for the others see the table “Question by question”.")
    assert re.search(r"Table \d+: Question by question", plain(whole))


def test_a_copy_for_publication_is_signed_by_nobody(paper) -> None:
    _, content = paper
    signed, public = plain(content.html()), plain(content.html(publishable=True))
    assert "☐ signed ☐ not signed Name Date" in signed
    assert "Report to sign" in signed
    assert "The signed report is kept by" not in signed
    assert "A copy. The signed report is kept by" in public
    assert "☐" not in public
    assert "to sign" not in public


def test_the_odds_of_a_report_are_said_of_an_answer_that_has_them(paper) -> None:
    """The commonest marked answer of all is smoking's, at 0.9: at the largest ε the commonest is condition's."""
    _, content = paper
    known = facts(ASKED, prepare(ASKED, content.table))
    shares = {name: one.freq[one.marked].max() for name, one in known.asked.hidden.items()}
    assert max(shares, key=shares.__getitem__) != "condition"
    fact, label = known.commonest
    assert (fact.asked.name, known.common) == ("condition", pytest.approx(shares["condition"]))
    odds = math.exp(2.4) * known.common / (1 - known.common)
    assert known.surer["report"] == pytest.approx(odds / (1 + odds))
    assert f"(condition: {label} from {100 * known.common:.1f} to " in plain(content.html())


def test_the_odds_of_a_mechanism_are_those_of_the_questions_that_it_hides() -> None:
    study, table = of_two_mechanisms()
    text = plain(terminal.paper(study.with_options(parts=("pills = 0.5",)), table)[0].html())
    assert re.search(r"Every answer \(ε = 1\)\. \S+ GRR: no report raises .{,60} more than 2\.72 times", text)
    assert re.search(r"Marked answers \(ε = 0\.5\)\. \S+ uRR: no report raises .{,60} more than 1\.65 times", text)


def test_the_public_hears_of_no_seed_where_nothing_is_simulated(paper) -> None:
    """Phones draw by none, and whoever reads of one might think that they do."""
    _, content = paper
    public = plain(content.html(publishable=True)).partition("The Study")[0]
    assert "seed" not in public
    assert "seed of the simulation" in plain(content.html())
