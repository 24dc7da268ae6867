"""SULDP as predicates: what they refuse."""

import numpy as np
import pytest

from ldpcore.channel import Channel, ReportColumn, SetChannel, SetColumn
from ldpcore.policy import SULDPY0, SULDPJoint

MARKS = np.array([True, True, False])
SETS = np.array([[0, 1], [0, 2], [1, 2]])


def channel(matrix, *columns):
    return SetChannel(np.array(matrix, float), columns, SETS, 3)


def test_only_sets_can_be_checked():
    plain = Channel(np.eye(2), (ReportColumn("a"), ReportColumn("b")))
    for policy in (SULDPJoint(1.0, MARKS), SULDPY0(1.0, MARKS)):
        with pytest.raises(TypeError, match="SULDP is about sets of items: it needs the channel of a set mechanism"):
            policy.check(plain)


def test_a_sensitive_item_may_not_be_disclosed():
    shown = channel([[1, 0], [0, 1], [0, 1]], SetColumn("01", False, None, (0, 1)), SetColumn("rest"))
    verdict = SULDPJoint(1.0, MARKS).check(shown)
    assert not verdict.holds
    assert verdict.why == "report 01 discloses a sensitive item"


def test_only_holders_disclose():
    shown = channel([[0.1, 0.9], [0.5, 0.5], [0.5, 0.5]], SetColumn("2", False, None, (2,)), SetColumn("rest"))
    verdict = SULDPJoint(1.0, MARKS).check(shown)
    assert not verdict.holds
    assert verdict.why == "report 2 is possible without an item it discloses"


def test_joint_compares_all_sets_with_the_disclosed_items():
    half = channel([[0, 1], [0.5, 0.5], [0.25, 0.75]], SetColumn("2", False, None, (2,)), SetColumn("rest"))
    loss = np.log(2)
    assert SULDPJoint(loss, MARKS).check(half).holds
    assert not SULDPJoint(loss - 0.01, MARKS).check(half).holds
    assert SULDPJoint(loss, MARKS).check(half).loss == pytest.approx(loss)


def test_y0_merges_what_is_disclosed_beside_it():
    two = channel(
        [[0, 0.6, 0.4], [0.5, 0, 0.5], [0.5, 0, 0.5]],
        SetColumn("a, 2", False, None, (2,), "a"),
        SetColumn("a", hidden="a"),
        SetColumn("b", hidden="b"),
    )
    verdict = SULDPY0(0.3, MARKS).check(two)
    assert verdict.holds
    assert verdict.loss == pytest.approx(np.log(0.5 / 0.4))
    assert not SULDPJoint(0.3, MARKS).check(two).holds


def test_what_they_cover():
    assert SULDPJoint(1.0, MARKS).covers(3).tolist() == [[True] * 3, [True] * 3, [False] * 3]
    assert not SULDPY0(1.0, MARKS).covers(3).any()
