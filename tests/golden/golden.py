"""Numbers that only a consistent mistake could miss: functions of one mechanism, so that power/ can break them."""

import numpy as np

from ldpcore.randomizer import Randomizer
from tests.laws.laws import close


def optimal_variance_at_no_share(m: Randomizer) -> None:
    """4E/(n(E−1)²) where f = 0 (Wang, Blocki, Li, Jha 2017, Table 1, OUE and OLH), for an integer e^ε."""
    e = np.exp(m.epsilon)
    assert close(e, round(e))
    assert close(m.variance(np.eye(m.k)[0], 1000)[1:], 4 * e / (1000 * (e - 1) ** 2))


def subset_size_is_the_best(m: Randomizer) -> None:
    """No other subset size has a smaller mean exact variance at uniform shares (theory/frequency#best-subset-size)."""
    freq = np.full(m.k, 1 / m.k)
    mine = m.variance(freq, 1).mean()
    for w in range(1, m.sigma):  # type: ignore[attr-defined]
        other = type(m).__new__(type(m))
        other.__dict__.update({name: getattr(m, name) for name in m.__dataclass_fields__}, w=w)  # type: ignore[attr-defined]
        assert other.variance(freq, 1).mean() >= mine - 1e-12, f"w = {w} beats {m.w}"  # type: ignore[attr-defined]
