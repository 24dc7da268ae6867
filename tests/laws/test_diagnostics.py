"""Counts that no honest crowd gives: how often honest ones are called so, and liars found. Streams are fixed."""

import numpy as np
import pytest
from scipy import stats

from ldpcore import catalog
from ldpcore.attacks import diagnostics, manipulation
from ldpcore.custom import CustomMechanism
from ldpcore.randomizer import Randomizer
from ldpcore.rng import stream
from ldpcore.tally import Tally
from tests.laws import cases, laws

SURVEYS, PEOPLE = 400, 400
KEYS = [key for key, entry in catalog.FREQUENCY.items() if not entry.factory.summed]
CROWDS = (np.r_[np.zeros(8), np.ones(8) / 8], np.r_[0.9, 0.1, np.zeros(14)])


def alarms(rate: float, nominal: float = 0.05) -> bool:
    """Not more than nominal, by a binomial test that a right engine fails once in 10 000."""
    return bool(rate * SURVEYS <= stats.binom.isf(1e-4, SURVEYS, nominal))


@pytest.mark.parametrize("key", KEYS)
def test_ends_alarm_falsely_at_most_as_often_as_they_say(key):
    """At answers that nobody and at answers that nearly everybody gives; liars past the ends are found."""
    m = cases.build(key, 1.0, 16, 4)
    for freq in CROWDS:
        counts = stream(1, "crowd").multinomial(PEOPLE, freq)
        totals = m.draw(counts, stream(1, "ends", key), SURVEYS)
        assert alarms(float(np.mean([diagnostics.ends(m, Tally(PEOPLE, each)) <= 0.05 for each in totals])))
    most = np.full(m.k, 0)
    most[3] = PEOPLE
    if m.support(np.eye(16)[3])[3] < 0.9:
        assert diagnostics.ends(m, Tally(PEOPLE, most)) < 1e-6


def test_ends_are_of_tallies_that_count():
    table = CustomMechanism(cases.build("GRR", 1.0, 5, 2).channel().matrix)
    for m in (cases.build("SHE", 1.0, 5, 2), table):
        with pytest.raises(ValueError, match="adds up scores"):
            diagnostics.ends(m, Tally(3, np.zeros(5, int)))


SIZED = ("RAPPOR", "OUE", "THE", "OLH", "uRAP", "uOUE")


@pytest.mark.parametrize("key", SIZED)
def test_sizes_have_their_law_and_alarm_as_often_as_they_say(key):
    """Of either tail 2.5 %: χ² is near, so up to 4 % are let pass; the fitted mixture among them."""
    m = cases.build(key, 1.0, 12, 4)
    if not m.hashed:
        small = cases.build(key, 1.0, 5, 2)
        assert laws.close(small.size_laws(), Randomizer.size_laws(small), 1e-12)
    rng, part = stream(2, "sizes", key), np.full(12, 1 / 12)
    law = part @ m.size_laws()
    reports = m.perturb(rng.integers(0, 12, 6000), rng)
    assert laws.fits(diagnostics.count_sizes(m, reports), law)
    drawn = np.array([diagnostics.sizes(m, each) for each in rng.multinomial(1500, law, SURVEYS)])
    far, even = (drawn < 0.025).mean(axis=0)
    assert alarms(float(far), 0.04), far
    assert alarms(float(even), 0.04), even


def test_what_is_invented_is_found():
    """1 % of all bits set, always; counts that are exactly as expected, always; sizes drawn from the law, no more often
    than by chance: who knows the test passes it."""
    m, rng = catalog.FREQUENCY["OUE"].build(1.0, 16), stream(3, "invented")
    law = m.size_laws()[0]
    honest = rng.multinomial(1980, law, 50)
    liars = honest + 20 * np.eye(1, 17, 16, dtype=int)
    assert max(diagnostics.sizes(m, each)[0] for each in liars) < 0.025
    assert diagnostics.sizes(m, np.rint(2000 * law))[1] < 1e-9
    hidden = honest + rng.multinomial(20, law, 50)
    assert np.mean([diagnostics.sizes(m, each)[0] < 0.025 for each in hidden]) < 0.15


@pytest.mark.parametrize("key", ["GRR", "SS", "uRR", "uSS", "SDGRR"])
def test_sizes_of_one_kind_say_nothing(key):
    m = cases.build(key, 1.0, 5, 2)
    with pytest.raises(ValueError, match="sizes of reports say nothing"):
        diagnostics.sizes(m, diagnostics.count_sizes(m, m.perturb(np.arange(5).repeat(9), stream(4))))
    with pytest.raises(ValueError, match="how many reports support 0 to 5 values"):
        diagnostics.sizes(m, [1, 2])


@pytest.mark.parametrize("key", ["GRR", "uRR", "SDGRR"])
def test_hidden_until_is_where_an_honest_crowd_ends(key):
    """Up to there the liars' mean counts are those of some shares; a little beyond they are of none."""
    m = cases.build(key, 1.0, 5, 2)
    freq = np.array([0.3, 0.3, 0.2, 0.15, 0.05])
    for report in m.outputs():
        one = np.array([report])
        most, score = diagnostics.hidden_until(m, freq, one), m.scores(one)[0]
        assert 0 < most < 1
        assert ((1 - most) * freq + most * score).min() == pytest.approx(0, abs=1e-12)
        sent = (1 - most) * m.support(freq) + most * m.supported(one)[0]
        assert laws.close(m.support(np.maximum(m.invert(sent), 0)), sent)
    with pytest.raises(ValueError, match="more reports than answers"):
        diagnostics.hidden_until(cases.build("OUE", 1.0, 5, 2), freq, np.zeros((1, 1), np.uint8))


def test_a_targeted_attack_moves_as_stated():
    """Liars who send the report that a target gains most by: the estimate moves by (b/n)(U − f), here to the digit."""
    m, n, b = cases.build("OUE", 1.0, 5, 2), 1000, 100
    total = m.support(np.full(5, 0.2)) * (n - b)
    lied = np.ones(5) * b
    moved = m.invert((total + lied) / n) - 0.2
    assert moved == pytest.approx(b / n * (manipulation.extremes(m)[1] - 0.2))
