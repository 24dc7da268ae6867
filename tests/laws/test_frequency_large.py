"""The laws that need no table of reports, at k = 40 … 1000 and n up to 10⁹."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from ldpcore.attacks import bayes
from ldpcore.catalog import FREQUENCY
from ldpcore.rng import stream
from tests.each import for_each
from tests.laws import cases, laws


@pytest.mark.one_in(2)  # the exact laws look at all of them where there are few values
@pytest.mark.parametrize(
    ("law", "mechanisms"), cases.crossed(laws.LARGE, product((0.5,), ((19, 6), (131, 40), (300, 300))))
)
def test_law(law, mechanisms):
    laws.obeyed(law, mechanisms)


@pytest.mark.one_in(2)  # at few values all of them: test_frequency.py
@pytest.mark.parametrize(
    ("law", "mechanisms"),
    cases.crossed(
        (laws.estimate_inverts_support, laws.a_channel_too_large_says_so),
        product((0.1, 3.0), ((1000, 0), (1000, 250), (1000, 1000))),
    ),
)
def test_law_at_a_thousand_values(law, mechanisms):
    laws.obeyed(law, mechanisms)


@pytest.mark.one_in(2, 1)  # with fewer people all of them: test_frequency_sampled.py
@pytest.mark.parametrize(
    ("law", "mechanisms"), cases.crossed((laws.simulate_at_a_billion,), product((1.0,), ((5, 0), (5, 3))))
)
def test_a_billion_people(law, mechanisms):
    laws.obeyed(law, mechanisms)


@pytest.mark.parametrize("key", FREQUENCY)
def test_a_billion_people_and_many_values_cost_no_memory(key):
    mechanism, counts = cases.build(key, 0.5, 200, 50), np.full(200, 5_000_000)
    estimates, peak = laws.traced(lambda: mechanism.simulate(counts, stream(1, "large"), 3))
    assert peak < 50e6
    z = (estimates - 1 / 200) / np.sqrt(mechanism.variance(counts / counts.sum(), 10**9))
    assert (np.abs(z) < stats.norm.isf(laws.ALPHA / 2 / z.size)).all()


@pytest.mark.parametrize("key", [key for key, entry in FREQUENCY.items() if not entry.factory.summed])
def test_success_at_many_values(key):
    """The first ε at which the adversary wins often enough for the attack to be a sharp measurement."""
    uniform = np.full(300, 1 / 300)
    for epsilon in (1.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0):
        mechanism = cases.build(key, epsilon, 300, 75)
        if uniform @ bayes.success(mechanism) >= 0.4:
            break
    laws.success_is_what_the_attack_gets(mechanism)


@for_each("times", [1.0, 10.0])
@for_each("key", [key for key, entry in FREQUENCY.items() if not entry.factory.summed])
def test_a_likelier_value_is_likelier_however_little(key, times):
    """Who is named depends on the order of what is likely alone, where every lift is larger than all differences.

    Unmarked values are so many times as likely as marked ones: at 10 no report lifts a marked one above them.
    """
    mechanism, ranks = cases.build(key, 1.0, 300, 90), stream(7, "ranks").permutation(300)
    prior = [np.where(cases.marks(300, 90), 1.0, times) * (1 + step * ranks) for step in (1e-6, 1e-4)]
    near, far = (bayes.success(mechanism, each / each.sum()) for each in prior)
    assert laws.close(near, far)


@pytest.mark.one_in(2)  # each mechanism at one of the two sizes
@pytest.mark.parametrize("k", [1_500, 5_000])
@pytest.mark.parametrize("key", FREQUENCY)
def test_success_at_thousands_of_values_is_a_chance(key, k):
    """At equal shares, where thousands tie, and where only the marked are likely: never less than a blind guess gets,
    and with nothing unmarked at most e^ε times as much.
    """
    for epsilon, marked in ((0.1, k), (1.0, k), (4.0, k), (1.0, k // 3)):
        mechanism = cases.build(key, epsilon, k, marked)
        targeted = cases.marks(k, marked) / marked
        for prior in (np.full(k, 1 / k), targeted):
            won = bayes.success(mechanism, prior)
            assert ((won >= 0) & (won <= 1)).all()
            assert prior @ won >= prior.max() * (1 - 1e-6)
            if marked == k:
                assert prior @ won <= np.exp(epsilon) * prior.max() * (1 + 1e-6)
