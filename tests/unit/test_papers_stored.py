"""The verdicts that come with ldpcore are those of the claims as they are."""

import json
from dataclasses import replace
from math import inf

import pandas as pd
import pytest
from click.testing import CliRunner

from ldpcore import cli, papers
from ldpcore.papers import Ask, Check, Finding, Measured, Number, PaperStatement, sources, stored
from ldpcore.papers.claim import claim


@pytest.fixture(autouse=True)
def nothing_at_home(monkeypatch, tmp_path):
    """No real data, wherever this machine keeps some."""
    monkeypatch.delenv(sources.VARIABLE, raising=False)
    monkeypatch.setattr(sources.pooch, "os_cache", lambda _: tmp_path / "cache")


def test_the_stored_verdicts_are_of_the_claims_as_they_are():
    """Ids, words, settings and the code of every claim; and what of it a page shows."""
    told = stored.read()
    assert stored.outdated(told) == [], f"claims have changed: renew the file with `{stored.RENEW}` (some minutes)"
    assert told.version.count(".") == 2
    assert pd.Timestamp(told.date) > pd.Timestamp("2026-01-01")
    assert told.command.startswith("ldpcore papers")
    for (paper, number), entry in told.entries.items():
        found = told.finding(paper, number)
        assert found is not None
        assert found.verdict == entry["verdict"], "what the file says is what its checks give"
        assert "not a reproduction" in found.data or "real" not in found.data, "no real data of ours"


@pytest.mark.one_in(3)  # test_papers_exact.py compares the numbers of all
@pytest.mark.parametrize(
    ("paper", "number"), [(key, own.number) for key, each in papers.CLAIMS.items() for own in each if own.exact]
)
def test_exact_claims_are_stored_as_they_are_found(paper, number):
    told, now = stored.read().finding(paper, number), papers.measure(paper, number, Ask())
    assert told is not None
    assert (told.verdict, told.decisions, told.data) == (now.verdict, now.decisions, now.data)
    for was, found in zip([*told.checks], [*now.checks], strict=True):
        assert (was.least, was.most, was.strict) == (found.least, found.most, found.strict)
    numbers = lambda each: [*(check.number for check in each.checks), *each.caveats, each.repair or Number.of("", 0)]  # noqa: E731
    for was, found in zip(numbers(told), numbers(now), strict=True):
        assert was.what == found.what
        assert [was.value, was.low, was.high] == pytest.approx([found.value, found.low, found.high], rel=1e-6)


def test_whatever_changes_in_a_claim_is_noticed(monkeypatch):
    told = stored.read()
    first, *rest = papers.CLAIMS["privelet"]

    def claims(*own):
        monkeypatch.setitem(papers.CLAIMS, "privelet", own)
        return stored.outdated(told)

    other = replace(first, words=(replace(first.words[0], says="It is better."), *first.words[1:]))
    assert claims(other, *rest) == ["privelet 1: claim changed"]
    assert told.finding("privelet", "1") is None, "no verdict on words that nobody checked"
    assert claims(replace(first, setting="at ε = 2"), *rest) == ["privelet 1: claim changed"]
    assert claims(replace(first, measure=rest[0].measure), *rest) == ["privelet 1: claim changed"]
    assert claims(first, *rest, replace(first, number="8")) == ["privelet 8: claim new"]
    assert told.finding("privelet", "8") is None
    assert claims(*rest) == ["privelet 1: claim gone"]
    assert claims(first, *rest) == []


def test_a_finding_is_read_as_it_was_written(monkeypatch):
    twice = [PaperStatement("2 > 1", "§1", "二大于一"), PaperStatement("∞ > 2", "§2", "无穷大于二", "clearly")]

    @claim("1", "Two is more than one.", *twice, setting="arithmetic", exact=True)
    def more(ask):
        wide = Number("wide", 1.0, 0.5, inf, chance=0.01)
        range_ = Number("grid", 2.0, 1.0, 3.0, spans=True)
        checks = (Check(wide, least=0.1, strict=True), Check(range_, most=3), Check(Number.of("one", 1), 1, 1))
        return Finding((checks, (Check(Number.of("out", inf), least=2),)), "“Why”.", "none", (range_,), wide)

    monkeypatch.setattr(stored, "FIGURES", {"mine": ()})
    monkeypatch.setitem(papers.CLAIMS, "mine", (more,))
    text = stored.to_json([Measured("mine", more, more(Ask()), 1.5)], full=True)
    json.loads(text, parse_constant=pytest.fail)  # infinity is no JSON
    told = stored.from_json(text)
    assert told.finding("mine", "1") == more(Ask())
    assert told.seconds("mine", "1") == 1.5
    assert told.seconds("mine", "2") == 0
    assert told.command == "ldpcore papers --full"


def test_simulated_figures_are_stored_as_they_are_drawn():
    told = stored.read()
    again = papers.draw("privelet", "Fig. 5", Ask()).reset_index(drop=True)
    pd.testing.assert_frame_equal(told.figures["privelet", "Fig. 5"], again, check_exact=False, rtol=1e-6)


def test_the_command_keeps_all_papers_or_none(tmp_path, monkeypatch):
    out = tmp_path / "stored.json"
    refused = CliRunner().invoke(cli.main, ["papers", "--paper", "dfdp", "--store", str(out)])
    assert "leave out --paper" in refused.output
    found = Measured("privelet", papers.CLAIMS["privelet"][2], papers.measure("privelet", "3", Ask()), 0.1)
    monkeypatch.setattr(papers, "run", lambda *args, **options: [found])
    monkeypatch.setattr(stored, "draw", lambda *args: pd.DataFrame({"x": [1.0]}))
    ran = CliRunner().invoke(cli.main, ["papers", "--store", str(out)])
    assert ran.exit_code == 0, ran.output
    assert stored.from_json(out.read_text(encoding="utf-8")).finding("privelet", "3") == found.finding
