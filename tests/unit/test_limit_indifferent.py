"""Where every channel is as good as any, the one that is given is a channel, and keeps its promise."""

import numpy as np
import pytest

from ldpcore.limit import best


@pytest.mark.parametrize(("policy", "k", "share"), [("ULDP", 4, 1.0), ("guarded SDLDP", 4, 1.0)])
def test_a_channel_that_nothing_is_asked_of(policy, k, share):
    """One marked value that everybody has: there is nothing to tell apart."""
    found = best(policy, k, 1, 1.3, share)
    assert found.mse == pytest.approx(0)
    mechanism = found.mechanism(np.arange(k) < 1)
    channel = mechanism.channel()
    np.testing.assert_allclose(channel.matrix.sum(axis=1), 1)
    assert mechanism.policy.check(channel).holds
