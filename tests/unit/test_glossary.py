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
