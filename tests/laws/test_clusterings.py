"""Every clustering of the catalogue × every law."""

import pytest

from ldpcore.catalog import CLUSTERINGS
from tests.laws.cluster_laws import LAWS


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("key", CLUSTERINGS)
def test_law(law, key):
    law(CLUSTERINGS[key])
