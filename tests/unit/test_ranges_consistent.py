"""What the list calls consistent is: it errs less than the tree as it is, for the same measurements."""

import pytest

from ldpcore.catalog import RANGES


@pytest.mark.parametrize("branching", ["", "4", "8", "16"])
def test_consistent_trees_err_less_than_plain_ones(branching):
    plain, boosted = (RANGES[kind + branching].build(8) for kind in ("Tree", "Boost"))
    assert boosted.sizes == plain.sizes
    assert boosted.sensitivity == plain.sensitivity
    assert boosted.average_coefficient() < 0.9 * plain.average_coefficient()
