"""Several people at once: nobody sees another's answers, nothing fails, and the dashboard writes no file.

`benchmarks/many_people.py` is the large form, with how long everybody waits.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from benchmarks.many_people import crowd, dashboard


def test_people_at_once_see_their_own_and_nothing_is_written() -> None:
    """Uploads are larger than what Streamlit's server would keep in memory of itself: a file would be an error here."""
    # In a thread: where this worker has tested in a browser, Playwright's loop still runs in its own.
    with dashboard() as (url, _, said), ThreadPoolExecutor(1) as apart:
        asked = apart.submit(lambda: asyncio.run(crowd(url, 4, 0, 0, reading=(0.0, 0.3), rows=120_000, least=4)))
        people, waited = asked.result()
    assert [person.errors for person in people] == [[]] * 4, b"".join(said[-40:]).decode()
    assert [person.foreign for person in people] == [set()] * 4
    assert all(person.seen for person in people)
    assert waited["moving ε"]
    assert waited["another page"]
