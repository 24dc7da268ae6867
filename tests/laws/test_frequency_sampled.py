"""The statistical laws, crossed with the catalogue: fixed streams, p > 1e-6, sized to notice an error of 5 %."""

import pytest

from ldpcore.catalog import FREQUENCY
from tests.laws import cases, laws

CASES = cases.crossed(laws.SAMPLED, cases.COVERING)
MIDDLE = (1.0, (5, 2))
USUAL = {
    cases.name(key, epsilon, k, marked)
    for place, key in enumerate(FREQUENCY)
    for epsilon, (k, marked) in (MIDDLE, *cases.COVERING[place % 3 :: 3])
}
"""The middle case and every third one, from another one for each of three entries. What changes from case to case are
closed forms, which the exact laws look at in all of them.
"""


@pytest.mark.parametrize(("law", "mechanisms"), CASES)
def test_law(law, mechanisms):
    laws.obeyed(law, {name: made for name, made in mechanisms.items() if name in USUAL})


@pytest.mark.thorough  # the other cases of the same laws and entries
@pytest.mark.parametrize(("law", "mechanisms"), CASES)
def test_law_everywhere(law, mechanisms):
    laws.obeyed(law, {name: made for name, made in mechanisms.items() if name not in USUAL})
