"""Lines of a text whose quoted fields may hold line ends."""

_MOST_OPEN = 100
"""Lines that a quoted field may take."""


def joined(lines: list[str]) -> list[str]:
    """With a blank for the line ends within quotes; as they are where a quote stays open.

    >>> joined(['a,"b', 'c",d', 'e'])
    ['a,"b c",d', 'e']
    """
    out: list[str] = []
    opened: list[str] = []
    quotes = 0
    for line in lines:
        quotes += line.count('"')
        opened.append(line)
        if quotes % 2 == 0:
            out.append(" ".join(opened))
            opened = []
        elif len(opened) > _MOST_OPEN:
            return lines  # a sign for inches, or a slip
    return lines if opened else out
