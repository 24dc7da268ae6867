"""Whole sentences with named holes: the one seam for a second language.

The English sentence is its own key. Numbers and names come written (`words`); no sentence is joined from pieces of
others, because another language would put them in another order.
"""

from collections.abc import Mapping, Set
from contextvars import ContextVar
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
    sentence = TRANSLATED.get(template, template).format_map(holes)
    notice(sentence)
    return sentence


def names(template: str) -> set[str]:
    """The names of a template's holes."""
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


_NOTICED: ContextVar[set[str] | None] = ContextVar("what the page that is being drawn has said", default=None)


def turn_page() -> None:
    """A page begins: it has said nothing yet."""
    _NOTICED.set(set())


def notice(*texts: str) -> None:
    """The page says this, which is no sentence of `t`: a name in a chart, what the catalogue says."""
    so_far = _NOTICED.get()
    if so_far is not None:
        so_far.update(texts)


def noticed() -> Set[str]:
    """All that the page has said so far."""
    return _NOTICED.get() or frozenset()


def unmarked(*columns: str, sensitive: str = "sensitive") -> str:
    """That nothing of these columns, escaped, is marked: the clause with which every page says it."""
    return t("Nothing of {columns} is marked {sensitive}", columns=" or ".join(columns), sensitive=sensitive)
