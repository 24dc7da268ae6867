"""Several people at once: nobody sees another's answers, nothing fails, and the dashboard writes no file.

`benchmarks/many_people.py` is the large form, with how long everybody waits.
"""

import asyncio

from benchmarks.many_people import crowd, dashboard


def test_people_at_once_see_their_own_and_nothing_is_written() -> None:
    """Uploads are larger than what Streamlit's server would keep in memory of itself: a file would be an error here."""
    with dashboard() as (url, _, said):
        people, waited = asyncio.run(crowd(url, 4, 0, 0, reading=(0.0, 0.3), rows=120_000, least=4))
    assert [person.errors for person in people] == [[]] * 4, b"".join(said[-40:]).decode()
    assert [person.foreign for person in people] == [set()] * 4
    assert all(person.seen for person in people)
    assert waited["moving ε"]
    assert waited["another page"]
