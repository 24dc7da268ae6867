"""A mechanism as a table."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldpcore.channel import Channel, ReportColumn
from ldpcore.rng import stream


def channel(*rows):
    return Channel(np.array(rows, float), tuple(ReportColumn(str(y)) for y in range(len(rows[0]))))


def test_a_channel_needs_a_column_for_each_report():
    with pytest.raises(ValueError, match=r"one column for each report, got a matrix of shape \(2, 2\) and 1 columns"):
        Channel(np.eye(2), (ReportColumn("0"),))
    with pytest.raises(ValueError, match="one column for each report"):
        Channel(np.ones(2), (ReportColumn("0"),))


@pytest.mark.parametrize("rows", [([0.5, 0.4], [0.5, 0.5]), ([1.1, -0.1], [0.5, 0.5])])
def test_rows_are_distributions(rows):
    with pytest.raises(ValueError, match="every row of a channel must be a distribution: not negative, with sum 1"):
        channel(*rows)


def test_privacy_loss_by_hand():
    loss = channel([0.5, 0.5, 0], [0.25, 0.5, 0.25]).privacy_loss()
    assert loss == pytest.approx(np.array([[0, np.log(2)], [np.inf, 0]]))
    first = channel([0.5, 0.5, 0], [0.25, 0.5, 0.25]).privacy_loss(np.array([True, False, False]))
    assert first == pytest.approx(np.array([[0, np.log(2)], [-np.log(2), 0]]))
    assert channel([1, 0], [0.5, 0.5]).privacy_loss(np.array([False, True]))[0].tolist() == [0, 0]


@given(st.integers(2, 5), st.integers(2, 6), st.integers(0, 10**6))
def test_posterior_is_bayes_rule(k, outputs, seed):
    rng = stream(seed)
    matrix = rng.dirichlet(np.ones(outputs), k)
    prior = rng.dirichlet(np.ones(k))
    posterior = channel(*matrix).posterior(prior)
    assert np.allclose(posterior.sum(axis=0), 1)
    assert np.allclose(posterior @ (prior @ matrix), prior)


def test_a_report_the_prior_excludes_has_no_posterior():
    posterior = channel([1, 0], [0, 1]).posterior([1, 0])
    assert posterior[:, 0].tolist() == [1, 0]
    assert np.isnan(posterior[:, 1]).all()


def test_variance_of_a_coin():
    """A fair coin scored 0 and 1: 1/4 for each user; the spread between users is not counted."""
    scores = np.array([[0.0], [1.0]])
    assert channel([0.5, 0.5], [1, 0]).variance(scores, [1, 0], 10) == pytest.approx([0.025])
    assert channel([0.5, 0.5], [1, 0]).variance(scores, [0.5, 0.5], 10) == pytest.approx([0.0125])
