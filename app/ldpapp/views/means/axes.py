"""What Means draws its error against: ε, the number of people, or how much of the public range is marked."""

from ldpapp.words.language import t

COLUMNS = {"epsilon": "epsilon", "n": "people", "share": "% marked"}
"""What a table calls the axis."""


def names() -> dict[str, str]:
    return {"epsilon": t("ε"), "n": t("number of people"), "share": t("% of range marked")}


def short() -> dict[str, str]:
    """The same beside a title."""
    return {"epsilon": t("ε"), "n": t("people"), "share": t("% marked")}
