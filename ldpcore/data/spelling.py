"""One answer in several spellings: "Positive", "positive " and "POSITIVE" are counted as three answers."""

from collections.abc import Iterable


def folded(label: str) -> str:
    """What two spellings of an answer have in common: neither letters' case nor spaces count."""
    return " ".join(label.casefold().split())


def spellings(labels: Iterable[str]) -> list[tuple[str, ...]]:
    """Labels that differ in nothing but case and spaces, together, in the order of the first of each.

    >>> spellings(["positive", "negative", "Positive", "never tested", "never  tested "])
    [('positive', 'Positive'), ('never tested', 'never  tested ')]
    """
    alike: dict[str, list[str]] = {}
    for label in labels:
        alike.setdefault(folded(label), []).append(label)
    return [tuple(same) for same in alike.values() if len(same) > 1]
