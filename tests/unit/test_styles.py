"""Style sheets that a page loads together do not style each other's classes by accident."""

import re

from ldpapp.runtime.display import STATIC


def own_classes(sheet: str) -> set[str]:
    """Classes that a rule begins with, alone: whatever bears such a class anywhere is styled by it."""
    text = re.sub(r"/\*.*?\*/", "", (STATIC / sheet).read_text(encoding="utf-8"), flags=re.DOTALL)
    text = re.sub(r"@media[^{]*\{", "", text)
    selectors = [one.strip() for rule in re.findall(r"([^{}]+)\{[^{}]*\}", text) for one in rule.split(",")]
    return {found[1] for one in selectors if (found := re.match(r"\.([\w-]+)(?=[\s>+~]|$)", one))}


def test_a_lesson_and_the_dashboard_have_no_class_in_common():
    """The bar of a class's room once lay across the people of the first lesson: both were called a crowd."""
    lesson, dashboard = own_classes("learn.css"), own_classes("style.css")
    assert {"crowd", "dots"} <= lesson
    assert {"sentence", "estimates"} <= dashboard
    assert not lesson & dashboard - {"stMain"}


def test_the_navigation_says_its_groups_once():
    """What style.css writes above the links is what each link says to those who do not see that."""
    css, main = (path.read_text(encoding="utf-8") for path in (STATIC / "style.css", STATIC.parent / "main.py"))
    written = dict(re.findall(r'\.rc-overflow-item:has\(a\[href\$="/(\w+)"\]\)::before\{content:"([^"]+)"', css))
    said = dict(re.findall(r'"(\w+)": t\("([^"]+)"\)', main))
    assert written == said
    assert list(said) == ["data", "overview", "class", "learn"]
