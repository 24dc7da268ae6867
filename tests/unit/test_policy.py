"""The definitions: monotone in ε and in the marks, and each names what breaks it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldpcore.catalog import FREQUENCY
from ldpcore.channel import Channel, ReportColumn
from ldpcore.policy import LDP, SDLDP, ULDP
from ldpcore.rng import stream
from tests.laws.cases import TABLED

keys = st.sampled_from(sorted(TABLED))
epsilons = st.floats(0.05, 4)


@given(st.integers(2, 5), st.integers(2, 6), st.integers(0, 10**6), epsilons, epsilons)
def test_a_larger_epsilon_promises_less(k, outputs, seed, one, other):
    rng = stream(seed)
    table = Channel(rng.dirichlet(np.full(outputs, 5.0), k), tuple(ReportColumn(str(y)) for y in range(outputs)))
    mask = rng.random(k) < 0.5
    small, large = sorted((one, other))
    for policy in (LDP, lambda e: ULDP(e, mask), lambda e: SDLDP(e, mask)):
        assert policy(large).check(table).holds or not policy(small).check(table).holds
        assert policy(large).check(table).loss == policy(small).check(table).loss


@given(keys, st.integers(2, 5), epsilons, st.data())
def test_ldp_implies_uldp_implies_sdldp(key, k, epsilon, data):
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=k, max_size=k)))
    table = FREQUENCY[key].build(epsilon, k, mask).channel()
    ldp, uldp, sdldp = LDP(epsilon).check(table), ULDP(epsilon, mask).check(table), SDLDP(epsilon, mask).check(table)
    if all(column.protected for column in table.columns):
        assert uldp.holds or not ldp.holds
    assert sdldp.holds or not uldp.holds


@given(keys, st.integers(2, 5), epsilons)
def test_a_verdict_is_about_its_own_epsilon(key, k, epsilon):
    m = FREQUENCY[key].build(epsilon, k, np.arange(k) < 1)
    assert m.policy.check(m.channel()).holds
    kept = type(m.policy)(*_fields(m, epsilon * 0.999)).check(m.channel()).holds
    assert kept is not m.spends_all  # one may spend less than its ε, and says so


def _fields(m, epsilon):
    return (epsilon, m.policy.sensitive) if hasattr(m.policy, "sensitive") else (epsilon,)


@given(st.integers(2, 6), st.data())
def test_more_marks_cover_more_pairs(k, data):
    more = np.array(data.draw(st.lists(st.booleans(), min_size=k, max_size=k)))
    fewer = more & np.array(data.draw(st.lists(st.booleans(), min_size=k, max_size=k)))
    for policy in (ULDP, SDLDP):
        assert (policy(1.0, fewer).covers(k) <= policy(1.0, more).covers(k)).all()
        assert (policy(1.0, more).covers(k) <= LDP(1.0).covers(k)).all()
        assert policy(1.0, np.ones(k, bool)).covers(k).all()
    assert (SDLDP(1.0, more).covers(k) <= ULDP(1.0, more).covers(k)).all()


S = np.array([True, True, False, False])


def table(rows, columns):
    return Channel(np.array(rows, float), tuple(columns))


def test_a_disclosure_must_name_a_value_that_is_not_sensitive():
    rows = [[0.5, 0.5]] * 4
    for reveals in (None, 0):
        verdict = ULDP(1.0, S).check(table(rows, [ReportColumn("a"), ReportColumn("b", False, reveals)]))
        assert not verdict.holds
        assert verdict.loss == np.inf
        assert verdict.why == "report b is not protected, yet names no value that is not sensitive"


def test_a_disclosure_must_be_true():
    rows = [[0.9, 0.1], [1, 0], [0.5, 0.5], [1, 0]]
    columns = [ReportColumn("a"), ReportColumn("b", False, 2)]
    assert ULDP(1.0, S).check(table(rows, columns)).why == "report b should be possible under one value only"
    # Sensitive values may send a low report under SDLDP (its Definition 3): but all of them about alike.
    verdict = SDLDP(1.0, S).check(table(rows, columns))
    assert not verdict.holds
    assert "among sensitive values" in verdict.why
    alike = [[0.9, 0.1], [0.9, 0.1], [0.5, 0.5], [1, 0]]
    assert SDLDP(1.0, S).check(table(alike, columns)).holds
    other_low = [[1, 0], [1, 0], [0.5, 0.5], [0.9, 0.1]]
    assert SDLDP(1.0, S).check(table(other_low, columns)).why == "report b should be possible under one value only"


def test_a_loss_too_large_is_said_with_its_size_and_place():
    leaky = table([[0.9, 0.1], [0.1, 0.9], [0.5, 0.5], [0.5, 0.5]], [ReportColumn("a"), ReportColumn("b")])
    verdict = LDP(1.0).check(leaky)
    assert (verdict.holds, verdict.loss) == (False, pytest.approx(np.log(9)))
    assert verdict.why == "largest loss 2.19722 over all pairs, ε is 1"
    assert "over all pairs on protected reports" in ULDP(1.0, S).check(leaky).why
    assert "over all pairs on high reports" in SDLDP(1.0, S).check(leaky).why
    assert LDP(2.2).check(leaky).holds
