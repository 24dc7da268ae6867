"""One test of many cases goes through all of them, and says which one failed."""

import pytest

from tests.conftest import is_usual, place
from tests.each import for_each


def test_every_case_is_tried_and_the_one_that_fails_is_named():
    tried = []

    @for_each(("a", "b"), [pytest.param(1, 2, id="x"), (3, 4)])
    @for_each("c", "pq")
    def case(a, b, c):
        tried.append((a, b, c))
        assert (a, c) != (3, "q")

    with pytest.raises(AssertionError) as raised:
        case()
    assert tried == [(1, 2, "p"), (1, 2, "q"), (3, 4, "p"), (3, 4, "q")]
    assert raised.value.__notes__ == ["Here c = 'q'.", "Here a = 3, b = 4."]
    with pytest.raises(AssertionError, match="a test of nothing"):
        for_each("a", [])(case)
    with pytest.raises(AssertionError, match="marked as a whole"):
        for_each("a", [pytest.param(1, marks=pytest.mark.thorough)])(case)


SEEN: dict = {}
TAKEN: list = []


@pytest.mark.parametrize(("a", "b"), [(0.5, "x"), (0.5, "y")])
@pytest.mark.parametrize("c", [(), None, 7])
def test_every_value_of_crossed_lists_is_usual(request, a, b, c):
    """Of 2 × 3 cases every second one: each value of either list is among them."""
    TAKEN.append((a, b, c) if is_usual(place(request.node, SEEN), 2) else None)
    if len(TAKEN) == 6:
        assert TAKEN == [((0.5, "x", ())), None, None, (0.5, "y", None), (0.5, "x", 7), None]
