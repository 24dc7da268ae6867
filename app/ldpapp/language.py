"""Whole sentences with named holes: the one seam for a second language.

The English sentence is its own key. Numbers and names come written (`words`); no sentence is joined from pieces of
others, because another language would put them in another order.
"""

from collections.abc import Mapping
from string import Formatter

TRANSLATED: Mapping[str, str] = {}
"""English template → the same in the language that is shown. Empty: English."""


def t(template: str, /, **holes: object) -> str:
    """This sentence with its holes filled: t("At ε = {eps}, {n} people.", eps="1", n="1 000").

    KeyError for a hole without text, ValueError for a text without a hole: a sentence that would lose a number.
    """
    spare = set(holes) - names(template)
    if spare:
        raise ValueError(f"the sentence {template!r} has no hole {', '.join(sorted(spare))}")
    return TRANSLATED.get(template, template).format_map(holes)


def names(template: str) -> set[str]:
    """The names of a template's holes."""
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}
