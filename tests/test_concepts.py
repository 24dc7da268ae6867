"""The app has no more concepts than these: what is done stays done (`python -m tests.concepts` prints all counts)."""

import pytest

from tests import concepts

MOST = {
    "rooms of the app": 12,
    "layers of the app": 10,
    "kinds of marks compared as strings": 0,
    "shared class names": 0,
    "vague locals": 40,
    "lines of the app's functions without a screen": 1_200,  # a live class, caches and A | B are a third of them
}


@pytest.mark.parametrize("name", MOST)
def test_there_are_no_more_concepts_than_agreed(name):
    assert concepts.COUNTS[name]() <= MOST[name]


def test_what_is_counted_is_there():
    """Counts that could not rise would hold nothing."""
    assert concepts.rooms() > 5
    assert concepts.layers() > 5
    assert sum(concepts.class_names().values()) > 300
    assert concepts.vague_locals() > 0
