"""A term is explained once in a panel, where it stands as a term."""

import pytest

from ldpapp.words import glossary
from ldpapp.words.glossary import explained, says
from ldpcore.study.tasks import TASKS
from tests.each import for_each


def _marked(text: str) -> list[str]:
    return [part.split("</dfn>")[0].split(">")[-1] for part in explained(text, set()).split("<dfn")[1:]]


def test_a_term_is_explained_at_its_first_occurrence():
    seen: set[str] = set()
    assert explained("blind, then blind", seen).count("<dfn") == 1
    assert explained("blind again", seen) == "blind again"


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Typical error at ε = 1.", ["Typical error", "ε"]),
        ("GRR and LDPK-GRR", ["GRR", "LDPK-GRR"]),
        ("uSS’s m = 4, and m alone, and s.", ["uSS", "m"]),
        ("endpoints, unlimited, biased", []),
        ('<b title="bias">bias</b>', ["bias"]),
        ('<a href="#">bias</a>', []),
    ],
)
def test_only_whole_terms_in_text_are_explained(text, terms):
    assert _marked(text) == terms


def test_what_is_said_is_markup_of_ours():
    for form in glossary.sentences():
        assert "<" not in says(form.removesuffix(" ="))
        assert says(form.removesuffix(" =")).endswith((".", "?"))


@for_each("task", TASKS)
def test_every_mechanism_explains_itself(task):
    catalog = TASKS[task].CATALOG
    assert all(catalog.name(key) in glossary.sentences() for key in catalog)


@for_each("task", TASKS)
def test_no_mechanism_is_explained_by_its_name_alone(task):
    """A sentence that says how it works, and in the central model who must be trusted."""
    for key, entry in TASKS[task].CATALOG.items():
        said = glossary.of(entry)
        assert said.replace(f"{entry.source}.", "").strip(" .").count(" ") > 5, key
        assert not said.startswith(f"{TASKS[task].CATALOG.name(key)}. "), key
        if "central" in entry.promise:
            assert "A trusted curator sees all answers" in said
            assert "It hides every answer" not in said


def test_a_name_that_is_a_word_is_one_where_no_mechanism_is_called_so():
    """“Graded sensitivity” of Papers is no clustering, “Pairs” that begin a sentence of Relations are none."""
    try:
        for page, text, known in (
            ("clusters", "Graded", True), ("", "Graded sensitivity", False), ("relations", "Pairs of people", False),
            ("clusters", "Pairs", True), ("itemsets", "Tables", True), (None, "Tables", True),
        ):  # fmt: skip
            glossary.turn_to(page)
            assert ("dfn" in glossary.explained(text, set())) is known, (page, text)
            assert (text.split()[0] in glossary.uses(text)) is known
        glossary.turn_to("itemsets")
        assert "K-modes" not in glossary.says("Tables")
        glossary.turn_to("clusters")
        assert "K-modes" in glossary.says("Tables")
    finally:
        glossary.turn_to(None)
    assert {each for each in glossary.sentences() if each.isalpha() and each.istitle()} >= glossary.ORDINARY


def test_terms_of_two_pages_are_true_on_both():
    """What people send, and who changes it; what is filled up; and what is only counted is not weighted."""
    assert "curator" in says("mechanism")
    assert "curator" in says("report")
    assert "item" in says("padded")
    assert "cells" in says("padded")
    assert "Kish" not in " ".join(glossary.uses("each answer counts as often as it was drawn").values())
