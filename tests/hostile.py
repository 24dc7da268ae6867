"""Ugly files, Studies and links, generated: the corpus of tests/unit/test_hostile.py and tests/app/test_hostile*.py."""

MARKUP = (
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", ":red[y]", "$$x^2$$", "$\\frac{a}{b}$",
    "[a](http://x.example)", "**bold** `c` _e_", "=cmd|' /C calc'!A0", "&lt;u&gt;", "%{x}%{y}%", ":material/home:",
    "'\"><svg onload=x>", "{eps} {0} %s", "\\1 \\g<0>", "<u>x", "-->]]>", "+1+1", "@SUM(A1)", "<marquee>",
    "<a href='http://x.example'>l</a>",
)  # fmt: skip
"""Labels that say something in HTML, Markdown, TeX, Plotly, a spreadsheet, or a template."""


def markup() -> bytes:
    """A survey whose columns, answers and items are all MARKUP; of categories, numbers and yes and no."""
    names = ("'\"><u onclick=x>col", ":red[col]", "$$col$$", "=cmd|col", "[n](http://x.example)")
    rows = [
        (*(MARKUP[(i * step + i // 20) % len(MARKUP)] for step in (1, 3, 7)), MARKUP[i % 3], str(i * 37 % 101))
        for i in range(300)
    ]
    return b"\n".join(_csv(row) for row in (names, *rows))


def _csv(cells: tuple[str, ...]) -> bytes:
    return ",".join('"' + cell.replace('"', '""') + '"' for cell in cells).encode()
