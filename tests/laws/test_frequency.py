"""The exact laws, crossed with the catalogue: three witnesses that know nothing of each other must agree."""

import numpy as np
import pytest

from ldpcore.catalog.frequency import FREQUENCY, IDENTITY, OPEN, Entry
from ldpcore.randomizer import NotEnumerable
from ldpcore.rng import stream
from tests.laws import cases, laws


@pytest.mark.parametrize(("law", "mechanisms"), cases.crossed(laws.EXACT))
def test_law(law, mechanisms):
    laws.obeyed(law, mechanisms)


BEYOND_A_BYTE = (
    laws.likelihood_is_a_distribution,
    laws.keeps_its_policy,
    laws.privacy_loss_is_the_channels,
    laws.estimate_is_unbiased,
    laws.variance_is_the_channels,
    laws.success_is_the_channels,
)


@pytest.mark.parametrize(("law", "mechanisms"), cases.crossed(BEYOND_A_BYTE, [(1.0, (10, 4))]))
def test_law_beyond_one_byte(law, mechanisms):
    laws.obeyed(law, mechanisms)


MARKING = [entry for entry in FREQUENCY.values() if entry.uses_marks]
keyed = {"ids": lambda entry: entry.key}


def original(entry: Entry) -> Entry:
    """What a marking mechanism is with everything marked: it names it."""
    assert FREQUENCY[entry.original].promise == "LDP", f"{entry.key} must name its original, which keeps plain LDP"
    return FREQUENCY[entry.original]


@pytest.mark.parametrize("epsilon", cases.EPSILONS)
@pytest.mark.parametrize("k", [2, 5])
@pytest.mark.parametrize("entry", MARKING, **keyed)
def test_everything_marked_is_the_original(entry, k, epsilon):
    mine = entry.build(epsilon, k, np.ones(k, bool))
    theirs = original(entry).build(epsilon, k)
    for public in laws.publics(mine):
        assert np.array_equal(mine.outputs(public), theirs.outputs(public))
        assert laws.close(mine.channel(public).matrix, theirs.channel(public).matrix)
    assert laws.close(mine.privacy_loss(), theirs.privacy_loss())
    for freq in laws.populations(mine):
        assert laws.close(mine.variance(freq, 9), theirs.variance(freq, 9))
        assert laws.close(mine.success(freq), theirs.success(freq))
        assert laws.close(mine.invert(freq), theirs.invert(freq))


@pytest.mark.parametrize("epsilon", cases.EPSILONS)
@pytest.mark.parametrize("entry", MARKING, **keyed)
def test_everything_marked_is_the_original_at_scale(entry, epsilon):
    k = 300
    mine, theirs = entry.build(epsilon, k, np.ones(k, bool)), original(entry).build(epsilon, k)
    for freq in laws.populations(mine):
        assert laws.close(mine.variance(freq, 9), theirs.variance(freq, 9))
        assert laws.close(mine.success(freq), theirs.success(freq))
    assert laws.close(mine.privacy_loss(), theirs.privacy_loss())


@pytest.mark.parametrize("epsilon", cases.EPSILONS)
@pytest.mark.parametrize("k", [2, 5, 300])
@pytest.mark.parametrize("entry", MARKING, **keyed)
def test_nothing_marked_does_what_the_entry_says(entry, k, epsilon):
    """Either the identity, and the entry warns of it; or the answer is at least sometimes held back."""
    m = entry.build(epsilon, k, np.zeros(k, bool))
    values = stream(1, "nothing").integers(0, k, 2000)
    estimate = m.estimate(m.tally(m.perturb(values, stream(2, "nothing"))))
    exact = np.bincount(values, minlength=k) / 2000
    uniform = np.full(k, 1 / k)
    if IDENTITY in entry.caveats:
        assert laws.close(estimate, exact)
        assert laws.close(m.variance(uniform, 1), 0)
        assert laws.close(m.success(uniform), 1)
        assert laws.close(m.disclosure(), 1)
        assert laws.close(m.simulate(np.full(k, 3), stream(3, "nothing"), 4), uniform)
    else:
        assert OPEN in entry.caveats
        assert not laws.close(estimate, exact)
        assert (m.disclosure() < 1).all()
        assert (m.disclosure() > 0).all()
        assert (m.variance(uniform, 1) > 0).all()


@pytest.mark.parametrize("entry", FREQUENCY.values(), **keyed)
def test_an_entry_promises_what_its_mechanism_keeps(entry):
    m = entry.build(1.0, 5, cases.marks(5, 2))
    assert m.policy.name == entry.promise
    assert m.policy.epsilon == m.epsilon == 1.0
    assert (entry.promise != "LDP") == entry.uses_marks


@pytest.mark.parametrize("entry", [e for e in FREQUENCY.values() if not (e.uses_marks or e.factory.summed)], **keyed)
def test_marks_are_ignored_by_those_that_know_none(entry):
    one, other = entry.build(1.0, 5, cases.marks(5, 2)), entry.build(1.0, 5)
    public = laws.publics(one, 1)[0]
    assert np.array_equal(one.channel(public).matrix, other.channel(public).matrix)


def test_some_channel_is_too_large_and_says_its_size():
    refused = 0
    for entry in FREQUENCY.values():
        m = entry.build(0.5, 40, cases.marks(40, 20))
        public = laws.publics(m, 1)[0]
        if not m.summed and m.count_outputs() > 16_384:
            with pytest.raises(NotEnumerable, match=f"{m.count_outputs():.4g}".replace("+", r"\+")):
                m.channel(public)
            refused += 1
    assert refused >= 5


@pytest.mark.parametrize("entry", [entry for entry in FREQUENCY.values() if entry.factory.hashed], **keyed)
def test_a_hashed_channel_asks_for_its_hash(entry):
    with pytest.raises(ValueError, match=r"pass its seed, as in channel\(public=7\)"):
        entry.build(1.0, 4).channel()


@pytest.mark.parametrize("entry", FREQUENCY.values(), **keyed)
def test_an_estimate_needs_reports(entry):
    m = entry.build(1.0, 4, cases.marks(4, 2))
    nobody = m.tally(m.perturb([], stream(1)))
    with pytest.raises(ValueError, match="a tally without reports has no estimate; collect at least one"):
        m.estimate(nobody)


@pytest.mark.parametrize(
    "entry", [e for e in FREQUENCY.values() if not (e.factory.tally_is_histogram or e.factory.summed)], **keyed
)
def test_a_foreign_report_is_refused(entry):
    m = entry.build(1.0, 4, cases.marks(4, 2))
    public = laws.publics(m, 1)[0]
    foreign = np.full_like(m.outputs(public)[:1], 255)
    with pytest.raises(ValueError, match="these reports hold one that this mechanism cannot send"):
        m.column(foreign, public)
