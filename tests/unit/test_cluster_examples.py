"""One user's message: what every kind of message is made of."""

import numpy as np
import pytest

from ldpcore.catalog import CLUSTERINGS
from ldpcore.clusters import Message, answer
from ldpcore.mechanisms.direct import GRR
from ldpcore.mechanisms.subset import SS
from ldpcore.mechanisms.unary import OUE
from ldpcore.rng import stream
from tests.each import for_each
from tests.laws.cluster_laws import LEVELS, X

RECORD = (2, 3, 1, 0)
MODES = np.array([[0, 0, 0, 0], [2, 3, 0, 0], [2, 3, 1, 2]])
DRAWS = 1500


def drawn(kind, epsilon):
    rng = stream(1, "answers", kind)
    return [answer(Message(1, "user", kind, "", 1, 1.0, epsilon), RECORD, LEVELS, MODES, rng) for _ in range(DRAWS)]


@for_each("key", CLUSTERINGS)
def test_every_message_of_the_catalogue_has_an_example(key):
    found = CLUSTERINGS[key].run(X[:300], 3, 1.0, stream(1, key), levels=LEVELS)
    for message in found.messages:
        if message.sender == "user":
            for said in answer(message, RECORD, LEVELS, MODES, stream(2)):
                assert all(0 <= cell < said.cells for cell in (*said.sent, said.own))
        else:
            with pytest.raises(ValueError, match="no user sends 'modes': this is a message of the server"):
                answer(message, RECORD, LEVELS, MODES, stream(2))


@pytest.mark.parametrize(
    ("kind", "each", "mechanism", "own"),
    [
        ("attribute", 1.0, lambda j: OUE(1.0, LEVELS[j]), lambda j: RECORD[j]),
        ("attributes", 4.0, lambda j: OUE(1.0, LEVELS[j]), lambda j: RECORD[j]),
        ("value", 1.0, lambda j: SS(1.0, LEVELS[j]), lambda j: RECORD[j]),
        ("cell", 1.0, lambda j: SS(1.0, 3 * LEVELS[j]), lambda j: 1 * LEVELS[j] + RECORD[j]),
    ],
)
def test_reports_follow_their_mechanism(kind, each, mechanism, own):
    """How often each cell is named, within 5 standard errors; the nearest mode is number 1."""
    said = [one for answers in drawn(kind, each) for one in answers]
    for j, d in enumerate(LEVELS):
        of = [one for one in said if one.attributes == (j,)]
        built = mechanism(j)
        assert {one.own for one in of} == {own(j)}
        assert {one.cells for one in of} == {built.k}
        named = np.bincount([cell for one in of for cell in one.sent], minlength=built.k) / len(of)
        assert named == pytest.approx(built.support(np.eye(built.k)[own(j)]), abs=2.5 / np.sqrt(len(of)))
        assert d <= built.k


def test_indices_and_pairs():
    assert {one for (one,) in drawn("index", np.inf)} == {answer_of("index")}
    strayed = np.mean([one.sent[0] != 1 for (one,) in drawn("noisy index", 1.0)])
    assert strayed == pytest.approx(1 - GRR(1.0, 3).support(np.eye(3)[1])[1], abs=0.065)
    pairs = {one.attributes: (one.cells, one.own) for (one,) in drawn("pair", 1.0)}
    assert pairs[0, 1] == (12, 2 * 4 + 3)
    assert len(pairs) == 6
    assert [one.sent for one in drawn("record", np.inf)[0]] == [(2,), (3,), (1,), (0,)]


def answer_of(kind):
    return answer(Message(1, "user", kind, "", 1, 1.0), RECORD, LEVELS, MODES, stream(0))[0]
