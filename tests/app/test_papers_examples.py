"""The papers' own examples as Papers shows them: the numbers of the engine, each in its place."""

import re

import pytest
import streamlit as st

from ldpapp.views.papers import examples as shown
from ldpcore.papers import examples


@pytest.fixture
def told(monkeypatch):
    bodies: list[str] = []
    monkeypatch.setattr(st, "html", lambda body, **_: bodies.append(body))

    def read(paper: str) -> tuple[str, list[list[str]]]:
        shown.draw(paper)
        rows = re.findall(r"<tr>(.*?)</tr>", bodies[-1])
        return bodies[-1], [re.findall(r"<t[dh]>(.*?)</t[dh]>", row) for row in rows]

    return read


def test_the_range(told) -> None:
    text, rows = told("privelet")
    assert "the squares add up to 0.96875, the variance is 31." in text
    weights = examples.privelet_range(3, 7).weights
    assert [float(row[1].replace("−", "-")) for row in rows[1:9]] == weights.tolist()
    assert [float(row[2]) for row in rows[1:9]] == (weights**2).tolist()
    assert rows[9:13] == [["1"] * 4, ["1", "1", "−1", "−1"], ["1", "−1", "0", "0"], ["0", "0", "1", "−1"]]
    assert rows[13] == ["0.25", "0.25", "0.5", "0"]


def test_the_shop(told) -> None:
    rows = {row[0]: row[1:] for row in told("dfdp")[1][1:]}
    assert rows["AB"] == ["3", "50", "38"]
    assert rows["AC"] == ["2", "18", "12"]


def test_who_sends_what(told) -> None:
    text, rows = told("sdldp")
    assert "(uRR: 100 of 100); under SDLDP it is right for 74 (SDGRR)" in text
    assert [row[0] for row in rows[1:]] == ["high, uRR", "high, SDGRR", "low, uRR", "low, SDGRR"]
    assert [row[1:] for row in rows[1:]] == [
        ["73", "27", "0"],
        ["35", "13", "13"],
        ["46", "27", "0"],
        ["74", "13", "0"],
    ]


def test_what_has_no_example_offers_none() -> None:
    assert set(shown.OF) == {"privelet", "dfdp", "sdldp"}
