"""Which of two answers says yes, in many languages."""

from collections.abc import Collection

from ldpcore.data.baskets import NO, YES

_PAIRS = (
    "ja nein", "ja nee", "ja nej", "ja nei", "oui non", "sí no", "si no", "sì no", "sim não", "sim nao", "да нет",
    "так ні", "tak nie", "ano ne", "áno nie", "igen nem", "da nu", "da ne", "kyllä ei", "jah ei", "evet hayır",
    "ναι όχι",
    "نعم لا", "כן לא", "हाँ नहीं", "是 否", "有 无", "はい いいえ", "예 아니오", "네 아니요", "checked unchecked",
    "wahr falsch", "vrai faux", "j n", "o n", "s n", "used unused", "ticked unticked", "on off", "x -", "+ -",
)  # fmt: skip
_LONGER = (("selected", "not selected"), ("used", "not used"), ("checked", "not checked"), ("1", "2"))
WORDS: dict[frozenset[str], str] = {
    **{frozenset(pair.split()): pair.split()[0] for pair in _PAIRS},
    **{frozenset(pair): pair[0] for pair in _LONGER},
}
"""Two answers, of which one says yes."""
UNSURE = frozenset(("1", "2"))
"""Two answers that only mostly say yes and no in this order."""


def yes_of(answers: Collection[str]) -> str | None:
    """Which of these answers, in small letters, says yes; None where they say neither yes nor no.

    >>> yes_of({"nein", "ja"}), yes_of({"0", "1"}), yes_of({"red", "blue"})
    ('ja', '1', None)
    """
    pair = frozenset(answers)
    if pair in WORDS:
        return WORDS[pair]
    known = [answer for answer in pair if answer in YES]
    return known[0] if len(pair) == 2 and len(known) == 1 and pair <= YES | NO else None
