"""Links that make no sense: each opens its page, which says so, without a defect and without waiting."""

import time

import pytest

from tests.app.opening import nothing_behind, opened
from tests.hostile import LINKS

WORST = (
    ("frequency", {"eps": "40"}), ("frequency", {"eps": "1e-300"}), ("review", {"eps": "40"}),
    ("sets", {"eps": "1e-5"}),
    ("clusters", {"eps": "1e-5"}), ("sets", {"task": "sets", "o.simulated": "1000000000"}),
    ("sets", {"task": "sets", "n": "1000000000000", "o.simulated": "50"}),
    ("frequency", {"eps": "40", "eps2": "1e-5", "arm.A": "HIV", "secret.A": "HIV", "column": "condition"}),
    ("ranges", {"task": "ranges", "column": "age", "data": "census", "bins": ["0", "100", "1000000000"]}),
)  # fmt: skip
"""A page and the link that once broke it, or kept it busy."""
SECONDS = 20


@pytest.mark.parametrize(("page", "link"), [*WORST, *(("data", link) for link in LINKS[::6])])
def test_a_senseless_link_opens_its_page(page, link):
    start = time.process_time()
    with nothing_behind():
        at = opened(page, **link)
    assert not at.exception, at.exception[0].message
    assert time.process_time() - start < SECONDS
