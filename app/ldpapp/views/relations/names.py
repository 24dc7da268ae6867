"""What groups, answers and ways of asking are called on the page."""

from collections.abc import Sequence

import numpy as np

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.words.language import t
from ldpcore.study.relations import Compared, PairCounts
from ldpcore.study.relations.settings import apart

LONGEST = 28
"""Letters of a label in a sentence."""
FEW = 3
"""Labels that are all named in a sentence."""


def settings() -> dict[str, str]:
    """Setting → the button that chooses it."""
    return {"apart": t("separate"), "as one": t("as one"), "open": t("open")}


def setting(key: str, joined: bool = False) -> str:
    """A way to ask, by the word of its button; joined: all that nobody compares is asked as one."""
    name = settings()[key]
    return t("{setting}, joined", setting=name) if joined else name


def side(compared: Compared, place: int) -> str:
    """What is compared, as `Compared.labels` counts the sides: groups that are just the marked ones as `short` has
    them, so many of that question; many answers by that.
    """
    names, column = apart(compared.labels(place)), question(compared.people.names[place == 2])
    if not compared.is_marked(place) or len(names) < (FEW if place == 2 else 2):
        return several(names)
    if place == 2:
        return t("a {sensitive} {column}", sensitive=widgets.sensitive(t("sensitive")), column=column)
    marked = widgets.sensitive(t("marked"))
    return t("the {n} {marked} of {column}", n=len(names), marked=marked, column=column)


def several(names: Sequence[str]) -> str:
    """Labels as one, within a sentence and escaped: up to three of them, else the first and how many others, which
    stand behind it.
    """
    names = apart(names)
    quoted = [t("“{label}”", label=widgets.escape(words.shorten(name, LONGEST))) for name in names]
    if len(names) > FEW:
        others = t("{n} others", n=len(names) - 1)
        behind = widgets.escape(", ".join(names[1:]))
        return t("{first} or {others}", first=quoted[0], others=f'<span title="{behind}">{others}</span>')
    if len(names) == 1:
        return quoted[0]
    return t("{first} or {last}", first=", ".join(quoted[:-1]), last=quoted[-1])


def short(compared: Compared, place: int) -> str:
    """A side in a chart or a widget: no markup; several that are just the marked ones by that."""
    names = apart(compared.labels(place))
    if len(names) > 1 and compared.is_marked(place):
        return t("the {n} marked", n=len(names))
    first = words.shorten(names[0], LONGEST)
    return first if len(names) == 1 else t("{first} and {n} others", first=first, n=len(names) - 1)


def listed(compared: Compared, people: PairCounts, of: int) -> list[tuple[int, str]]:
    """The groups (0) or the answers (1) in the order of `people`, where nothing is joined: the place of each among what
    is compared, and what it is called in a chart. No markup.
    """
    known = people.labels[of]
    first = [known.index(label if label in known else apart([label])[0]) for label in compared.people.labels[of]]
    return [(int(place), _listed(compared, known, of, int(place))) for place in np.argsort(first)]


def _listed(compared: Compared, known: Sequence[str], of: int, place: int) -> str:
    label, marked = compared.people.labels[of][place], (compared.mx, compared.my)[of]
    if label in known:
        return label
    sides = [side for side in ((2,) if of else (0, 1)) if (compared.one, compared.other, compared.answers)[side][place]]
    if sides:
        return short(compared, sides[0])
    n = len(apart([label]))
    if not marked[place]:
        return t("{n} others", n=n)
    return t("the {n} marked", n=n) if marked.sum() == 1 else t("{n} more marked", n=n)


def question(name: str) -> str:
    return widgets.escape(words.shorten(name, LONGEST))
