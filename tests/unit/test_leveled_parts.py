"""Two inputs that stand for all public ones err as these do: they have their mean and their spread."""

import numpy as np
import pytest

from ldpcore.leveled_parts import Parts
from ldpcore.limit.leveled_mean import _stand_ins

PIECES = [(-1.0, -0.6, np.inf), (-0.6, 0.1, 1.0), (0.1, 0.4, np.inf), (0.4, 0.9, 2.0), (0.9, 1.0, np.inf)]


@pytest.mark.parametrize("share", [None, (0.1, 0.3, 0.25, 0.3, 0.05)])
def test_public_inputs_and_their_stand_ins_have_the_same_two_moments(share):
    """Against people placed evenly in each public part, as many as its share says."""
    parts = Parts(PIECES, share)
    public = [
        (left, right, mass) for (left, right, epsilon), mass in zip(PIECES, parts.mass, strict=True) if epsilon > 9
    ]
    middles = [np.linspace(left, right, 4001)[:-1] + (right - left) / 8000 for left, right, _ in public]
    people = np.concatenate(middles)
    weight = np.repeat([mass / 4000 for _, _, mass in public], 4000)
    at, held = _stand_ins(parts)
    assert held.sum() == pytest.approx(weight.sum())
    assert held @ at == pytest.approx(weight @ people)
    assert held @ at**2 == pytest.approx(weight @ people**2, rel=1e-6)
    assert len(_stand_ins(Parts([(-1.0, 0.0, 1.0), (0.0, 1.0, 2.0)]))[0]) == 0
