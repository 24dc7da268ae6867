"""What groups, answers and ways of asking are called on the page."""

from collections.abc import Sequence

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.words.language import t

LONGEST = 28
"""Letters of a label in a sentence."""


def settings() -> dict[str, str]:
    """Setting → the button that chooses it."""
    return {"apart": t("separate"), "as one": t("as one"), "open": t("open")}


def setting(key: str, size: tuple[int, int] | None = None) -> str:
    """A way to ask, within a sentence; size: how many groups and answers there are, where others were joined."""
    if size is None:
        return {
            "apart": t("asked separately"),
            "as one": t("asked as one"),
            "open": t("groups open"),
        }[key]
    holes = {"size": t("{groups} × {answers}", groups=size[0], answers=size[1])}
    return {
        "apart": t("separate, {size}", **holes),
        "as one": t("as one, {size}", **holes),
        "open": t("open, {size}", **holes),
    }[key]


def several(names: Sequence[str]) -> str:
    """Labels as one, within a sentence and escaped: the first one or two of them, and how many more."""
    if len(names) == 1 and "; " in names[0]:  # joined ones
        names = names[0].split("; ")
    quoted = [t("“{label}”", label=widgets.escape(words.shorten(name, LONGEST))) for name in names[:2]]
    if len(names) == 2:
        return t("{first} or {second}", first=quoted[0], second=quoted[1])
    if len(names) > 2:
        return t("{first} or {n} more", first=quoted[0], n=len(names) - 1)
    return quoted[0]


def short(names: Sequence[str]) -> str:
    """The same in a chart: no markup."""
    if len(names) == 1 and "; " in names[0]:
        names = names[0].split("; ")
    first = words.shorten(names[0], LONGEST)
    return first if len(names) == 1 else t("{first} + {n} more", first=first, n=len(names) - 1)


def question(name: str) -> str:
    return widgets.escape(words.shorten(name, LONGEST))
