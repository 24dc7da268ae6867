"""The statistical laws, crossed with the catalogue: fixed streams, p > 1e-6, sized to notice an error of 5 %."""

import pytest

from tests.laws import cases, laws


@pytest.mark.parametrize(("law", "mechanisms"), cases.crossed(laws.SAMPLED, cases.COVERING))
def test_law(law, mechanisms):
    laws.obeyed(law, mechanisms)
