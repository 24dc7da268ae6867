"""One answer in several spellings, said where somebody is about to mark one of them."""

from collections.abc import Iterable

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.words.language import t
from ldpcore.data import spellings

NAMED = 3
"""Answers that are named."""


def twice(labels: Iterable[str]) -> str:
    """Which of these answers differ in nothing but capitals and spaces, as markup; "" where none do."""
    variants = spellings(labels)
    if not variants:
        return ""
    names = [words.listing(t("“{value}”", value=widgets.escape(words.shorten(each, 24))) for each in same)
            for same in variants[:NAMED]]  # fmt: skip
    if len(variants) > NAMED:
        names.append(t("{n} more", n=len(variants) - NAMED))
    return t(
        "<b>Spelt in several ways: {told}.</b> Each spelling counts as an answer of its own: mark all of them, or make "
        "them one in the file and open it again.",
        told="; ".join(names),
    )
